"""Cards that the rules cannot tell apart, and loops found by them."""

from __future__ import annotations

import pytest
from programs import machine

RULES = """
deck: {ranks: 2 3 J Q, suits: hearts spades}
card: {price: {J: 1, Q: 2, else: 0}, seen_first: it == top of heap}
zones:
  stock: pile seen by nobody
  heap: pile seen by everyone
state: {points: 0..9, taken: 0..9 per player}
play:
  - shuffle deck into stock
  - until points == 9:
      - move top of stock to heap
      - if %s: [points = 1]
      - shuffle heap into stock
end: {ranking: highest taken, limit: 50}
"""


def classes(condition: str, rules: str = RULES) -> list[str]:
    """The cards that are alike, each class as text."""
    setup = machine(rules % condition).setup
    alike = setup.alike or tuple(range(len(setup.pack)))
    found: dict[int, list[int]] = {}
    for card, first in enumerate(alike):
        found.setdefault(first, []).append(card)
    return [setup.pack.format_cards(cards) for cards in found.values()]


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("count(heap) > 5", ["2H 3H JH QH 2S 3S JS QS"]),
        ("price of top of heap > 0", ["2H 3H 2S 3S", "JH JS", "QH QS"]),
        ("color of top of heap == red", ["2H 3H JH QH", "2S 3S JS QS"]),
        ("rank of top of heap == rank of bottom of heap", ["2H 2S", "3H 3S", "JH JS", "QH QS"]),
        ("price of top of heap == 2 and top of heap != 2H", ["2H", "3H 2S 3S", "JH JS", "QH QS"]),
        ("seen_first of top of heap", ["2H 3H JH QH 2S 3S JS QS"]),
        ("any(heap | stock)", ["2H", "3H", "JH", "QH", "2S", "3S", "JS", "QS"]),
    ],
)
def test_cards_are_alike_if_the_rules_look_at_nothing_else(condition: str, expected: list[str]) -> None:
    assert classes(condition) == expected


def test_where_cards_lie_in_sets_the_order_of_the_pack_tells_them_apart() -> None:
    assert (
        len(classes("count(heap) > 5", RULES.replace("heap: pile", "heap: set").replace("top of ", ""))) == 8
    )


# ---------------------------------------------------------------- loops

ROUND_AND_ROUND = """
deck: {ranks: 2 3 4 5 6 7, suits: hearts spades}
zones:
  stock: pile seen by nobody
  heap: pile seen by everyone
state: {taken: 0..9 per player}
play:
  - shuffle deck into stock
  - until count(heap) == 5:
      - move top of stock to heap
      - move top of stock to heap
      - move heap to bottom of stock
%s
end: {ranking: highest taken, limit: 5000}
"""


def test_a_loop_is_as_long_as_it_takes_for_cards_to_come_back_that_can_be_told_apart() -> None:
    """Two by two under the pile, which is a turn of the pile when all twelve have been moved."""
    lengths = []
    for look in ("", "      - if rank of top of stock == 2: [move top of stock to bottom of stock]"):
        s = machine(ROUND_AND_ROUND % look).start(1)
        assert s.ending is not None
        assert s.ending.reason == "loop"
        lengths.append(s.ending.length)
    assert lengths[0] == 1  # no card is looked at
    assert lengths[1] > 1
