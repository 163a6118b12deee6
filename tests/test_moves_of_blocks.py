"""Moves that blocks bring: a move that no use of the block asks is no move of the game."""

from __future__ import annotations

from programs import machine, program

RULES = """
zones:
  stock: pile seen by nobody
  hand: set per player seen by owner
play:
  - shuffle deck into stock
  - deal 1 to hand from stock
  - offer players: [show]
moves:
  show: {text: Show., do: [reveal hand to everyone]}
"""


def test_a_move_of_a_block_that_is_asked_is_a_move_of_the_game() -> None:
    assert list(program(RULES).moves) == ["show", "pass"]


AUCTION = RULES.replace(
    "offer players: [show]",
    "auction: {leader: owner of highest(hand by rank), bid: [show], pass: [sit]}",
)
AUCTION += "  sit: {text: Sit down., do: []}\n"


def test_a_move_that_another_takes_the_place_of_is_none() -> None:
    assert list(program(AUCTION).moves) == ["show", "sit"]
    m = machine(AUCTION)
    assert [action.move for action in m.legal(m.start())] == ["show", "sit"]
