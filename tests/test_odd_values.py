"""Odd values at the doors of the library: numpy's numbers are numbers, and nonsense is told as such."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import rulekit
from rulekit.adapters.vector import IllegalAction

KUHN = rulekit.load("kuhn-poker")
HEARTS = rulekit.load("hearts")


def test_numbers_of_numpy_are_numbers() -> None:
    game = HEARTS.new_game(players=np.int32(4), seed=np.uint64(2**63))  # type: ignore[arg-type]
    assert game.seed == 2**63
    assert type(game.record().seed) is int
    assert game.view(np.int64(1)).seat == 1  # type: ignore[arg-type]
    assert HEARTS.with_options(target=np.int64(80)).options["target"].value == 80
    report = HEARTS.simulate(np.int64(3), np.int64(5), np.int64(4), workers=np.int64(1))  # type: ignore[arg-type]
    assert report.to_json() == HEARTS.simulate(3, 5, 4, workers=1).to_json()
    assert len(KUHN.play_examples(deals=np.int64(1))) > 0  # type: ignore[arg-type]
    env = rulekit.vector("hearts", np.int64(2), np.int64(4), seed=np.uint64(7))  # type: ignore[arg-type]
    assert env.num_envs == 2
    env.reset(seed=np.int64(4))
    for engine in ("wasm", "python", "reference"):
        stepper = HEARTS.stepper(players=np.int64(4), phase="round", engine=engine)  # type: ignore[arg-type]
        stepper.begin(np.int64(7))  # type: ignore[arg-type]
        stepper.apply(np.int64(0))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "call",
    [
        lambda: HEARTS.new_game(seed=1.5),  # type: ignore[arg-type]
        lambda: HEARTS.new_game(seed=True),
        lambda: HEARTS.new_game(players=0),
        lambda: HEARTS.new_game(engine=5),  # type: ignore[arg-type]
        lambda: HEARTS.actions(0),
        lambda: HEARTS.rulebook(0),
        lambda: HEARTS.rulebook(form=5),  # type: ignore[arg-type]
        lambda: HEARTS.rulebook(language=5),  # type: ignore[arg-type]
        lambda: HEARTS.translation(None),  # type: ignore[arg-type]
        lambda: HEARTS.simulate(2, executor=5),
        lambda: HEARTS.simulate(2.0),  # type: ignore[arg-type]
        lambda: HEARTS.with_options(target=80.0),
        lambda: HEARTS.stepper(players=4).begin(None),  # type: ignore[arg-type]
        lambda: HEARTS.stepper(players=4).begin(2**64),
        lambda: HEARTS.stepper(players=4).begin(1, game=-1),
        lambda: HEARTS.restore(HEARTS.new_game().snapshot() + b"more"),
        lambda: rulekit.vector("hearts", 2, players=0),
        lambda: rulekit.vector("hearts", 2, options=[1]),  # type: ignore[arg-type]
        lambda: rulekit.vector("hearts", 2).observe(1.5),  # type: ignore[arg-type]
        lambda: rulekit.vector("hearts", 2).observe([0, 1, 2]),
    ],
)
def test_a_value_that_makes_no_sense_is_a_value_error(call: Callable[[], Any]) -> None:
    with pytest.raises(ValueError, match=r"\w+ \w+") as raised:
        call()
    assert "NoneType" not in str(raised.value)


def test_a_seat_that_is_a_text_is_told_as_a_text() -> None:
    with pytest.raises(ValueError, match="no seat the text `1`: seats are 0 to 2"):
        HEARTS.new_game().view("1")  # type: ignore[arg-type]


@pytest.mark.parametrize("move", [None, 0, b"lead 2C", ["lead 2C"], rulekit.Game.legal_moves])
def test_what_is_no_move_at_all_is_told_as_such(move: Any) -> None:
    game = HEARTS.new_game()
    for ask in (game.play, game.why):
        with pytest.raises(rulekit.InvalidMove, match=r"a move is a text, or one of `legal_moves\(\)`, not"):
            ask(move)


@pytest.mark.parametrize("engine", ["wasm", "python", "reference"])
def test_a_stepper_refuses_what_is_no_place_and_no_position(engine: str) -> None:
    stepper = HEARTS.stepper(players=4, phase="round", engine=engine)
    stepper.begin(seed=7)
    kept = stepper.save()
    for place in (1.5, "x", None):
        with pytest.raises(TypeError):
            stepper.apply(place)  # type: ignore[arg-type]
    for position in (None, b"xx", [1, 2], KUHN.stepper(engine=engine).save() if engine != "reference" else 5):
        with pytest.raises(ValueError, match="no position of this table"):
            stepper.load(position)
    stepper.load(kept)
    assert stepper.count == 286


def test_an_action_beyond_32_bits_is_not_another_action() -> None:
    """Cut to 32 bits it was a legal number, and was played."""
    env = rulekit.vector("kuhn-poker", 2, phase="round", seed=1, autoreset=False)
    legal = env.action_mask.argmax(axis=1)
    for wrong in (2**32 + int(legal[1]), -(2**32) + int(legal[1])):
        with pytest.raises(IllegalAction) as raised:
            env.step(np.array([legal[0], wrong]))
        assert raised.value.game == 1
        assert raised.value.action == wrong
    # A game that is over takes any number.
    while env.to_move.max() != -1:
        env.step(np.where(env.to_move < 0, -1, env.action_mask.argmax(axis=1)))
