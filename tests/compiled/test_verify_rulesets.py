"""What the shipped rulesets are lowered to keeps the promises of the low-level form, and does the same in
WebAssembly.

The strict evaluator is the third one of the form, and made apart from both emitters.
"""

from __future__ import annotations

import functools

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from programs import program
from random_programs import rule_files
from test_odd_rulesets import ODD
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

#: Decisions where a single one may take seconds in the strict evaluator.
FEW = {"tichu": 12, "tichu-in-turn": 12, "rummy-500-jokers": 12}
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


@pytest.mark.parametrize("text", ODD.values(), ids=ODD)
def test_odd_rulesets_keep_their_promises(text: str) -> None:
    made = program(text)
    module = lower(prepare(made, made.players[1], {})).module
    assert problems(module) == []
    assert compare(module, 3, 1, 30) > 3


@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(rule_files(), st.integers(0, 2**32))
def test_random_programs_keep_their_promises(text: str, seed: int) -> None:
    try:
        made = program(text)
    except AssertionError:
        assume(False)
    module = lower(prepare(made, made.players[0], {})).module
    assert problems(module) == []
    compare(module, seed, 1, 40)


@pytest.mark.long
@pytest.mark.parametrize("name", shipped_rulesets())
def test_rulesets_keep_their_promises_for_long(name: str) -> None:
    for seed in range(2, 8):
        compare(module_of(name), seed, 2, FEW.get(name, 600))
