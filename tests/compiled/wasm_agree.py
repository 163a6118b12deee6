"""Games of one module played in generated Python and in WebAssembly side by side."""

from __future__ import annotations

import random

from wasm_python import PythonGame

from rulekit.compiled import lir, wasm
from rulekit.engine.chance import mix, streams


def compare(module: lir.Module, seed: int, games: int = 3) -> int:
    """Plays games by random places, and compares results and whole states after every decision.
    Modules with odd seeds work in a window.

    Gives the number of decisions; raises AssertionError at the first difference.
    """
    rng = random.Random(seed)
    python = PythonGame(module)
    played = wasm.compile_module(module, (), window=seed % 2 == 1, cached=False).games(1)
    decisions = 0
    for game in range(games):
        both = streams(seed, game)
        result, found = python.begin(*both), played.begin(0, *both)
        while True:
            assert (found, played.read(0)) == (result, python.state), difference(played, python)
            if result != lir.WAIT:
                break
            place = rng.randrange(python.choices)
            result, found = python.step(place), played.step(0, place)
            decisions += 1
    return decisions


def compare_rolls(module: lir.Module, seed: int, games: int = 4) -> None:
    """Random play: all games at once in WebAssembly, in parts of some decisions, and one by one in Python."""
    compiled = wasm.compile_module(module, (), window=seed % 2 == 1, cached=False)
    at_once, in_parts, in_one = (compiled.games(games) for _ in range(3))
    at_once.begin_many(mix(seed), 5)
    in_parts.begin_many(mix(seed), 5)
    made = at_once.roll_many()
    assert in_one.play_many(mix(seed), 5) == made
    parts = 0
    for most in (1, 2, 3, 10**6):
        parts += in_parts.roll_many(most)
    assert parts == made
    alone = PythonGame(module)
    total = 0
    for game in range(games):
        alone.begin(*streams(seed, 5 + game))
        total += alone.roll(10**6)
        assert at_once.read(game) == alone.state, difference(at_once, alone, game)
        assert in_parts.read(game) == in_one.read(game) == alone.state
    assert made == total


def difference(played: wasm.Games, python: PythonGame, game: int = 0) -> str:
    """The parts of the states that differ."""
    codec = played.compiled.codec
    one, two = codec.named(played.read(game)), codec.named(python.state)
    return "\n".join(f"{name}: {one[name]}, Python {two[name]}" for name in one if one[name] != two[name])
