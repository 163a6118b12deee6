"""What the shipped rulesets are lowered to keeps the promises of the low-level form, and does the same in
WebAssembly.

The strict evaluator is the third one of the form, and made apart from both emitters.
"""

from __future__ import annotations

import functools

import pytest
from verify_strict import StrictGame
from wasm_random import Seeded, make

import rulekit
from rulekit.compiled import lir, wasm
from rulekit.compiled.builder import Unsupported
from rulekit.compiled.lowering import lower
from rulekit.compiled.verify import problems
from rulekit.engine.chance import below, streams
from rulekit.program import prepare
from rulekit.source.load import shipped_rulesets

QUICK = ("kuhn-poker", "whist", "crazy-eights", "sixty-six", "texas-holdem")


@functools.cache
def module_of(name: str) -> lir.Module:
    program = rulekit.load(name).program
    try:
        return lower(prepare(program, program.players[0], {})).module
    except Unsupported as why:
        pytest.skip(f"{name} is not lowered: {why}")


SHIPPED = [
    name if name in QUICK else pytest.param(name, marks=pytest.mark.long) for name in shipped_rulesets()
]


@pytest.mark.parametrize("name", SHIPPED)
def test_every_shipped_ruleset_passes_the_verifier(name: str) -> None:
    assert problems(module_of(name)) == []


def compare(module: lir.Module, seed: int, games: int, most: int) -> int:
    """Games of random places, run strictly and in WebAssembly; gives the number of decisions."""
    strict = StrictGame(module)
    played = wasm.compile_module(module, (), window=seed % 2 == 1, cached=False).games(1)
    decisions = 0
    for game in range(games):
        first, places = streams(seed, game)
        result, found = strict.begin(first, places), played.begin(0, first, places)
        while (result, strict.state) == (found, played.read(0)):
            if result != lir.WAIT or decisions >= most:
                break
            places, place = below(places, strict.choices)
            result, found = strict.step(place), played.step(0, place)
            decisions += 1
        assert (result, strict.state) == (found, played.read(0)), (game, decisions)
    return decisions


@pytest.mark.parametrize("seed", range(60, 90))
def test_random_modules_keep_their_promises(seed: int) -> None:
    compare(make(Seeded(seed)), seed, 1, 200)


@pytest.mark.parametrize("name", QUICK)
def test_rulesets_keep_their_promises(name: str) -> None:
    assert compare(module_of(name), 1, 2, 40) > 3


@pytest.mark.long
@pytest.mark.parametrize("name", shipped_rulesets())
def test_rulesets_keep_their_promises_for_long(name: str) -> None:
    for seed in range(2, 8):
        compare(module_of(name), seed, 2, 600)
