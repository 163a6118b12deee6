"""Cards that the rules cannot tell apart, and loops found by them."""

from __future__ import annotations

from pathlib import Path

import pytest
from programs import machine

import rulekit
from rulekit.game.loading import validate

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


# ---------------------------------------------------------------- a game without end

#: Found by B. Casella in 2024: what each player turns up, first to last; the numbers are no matter.
ENDLESS = "---K---Q-KQAJ-----AAJ--J--", "----------Q----KQ-J-----KA"


def dealt(*hands: str) -> list[str]:
    """The cards as they are dealt: what is turned up first is dealt last."""
    numbers = iter(
        [rank + suit for rank in ("2", "3", "4", "5", "6", "7", "8", "9", "10") for suit in "CDHS"]
    )
    suits = {rank: iter("CDHS") for rank in "JQKA"}
    faces = [[next(numbers) if x == "-" else x + next(suits[x]) for x in hand] for hand in hands]
    return [face for pair in zip(*map(reversed, faces), strict=True) for face in pair]


def test_trm_02_a_deal_of_beggar_my_neighbour_that_never_ends_is_a_loop() -> None:
    game = rulekit.load("beggar-my-neighbour").new_game(deal=[dealt(*ENDLESS)], draws=["P1"])
    assert game.is_over
    assert game.outcome is not None
    assert game.outcome.reason == "loop"
    assert game.outcome.length == 440  # cards; the first 34 are played but once, 474 in all
    assert game.outcome.ranking == ((0, 1),)
    assert game.outcome.payoffs == (0.0, 0.0)


def test_trm_02_other_deals_of_the_same_cards_end() -> None:
    rules = rulekit.load("beggar-my-neighbour")
    for seed in range(50):
        outcome = rules.new_game(seed=seed).outcome
        assert outcome is not None
        assert outcome.reason == "played out"
        assert sorted(outcome.scores) == [0, 52]


def test_trm_02_the_file_states_its_limit_so_it_has_said_that_it_may_not_end() -> None:
    text = Path("rulesets/beggar-my-neighbour.yaml").read_text(encoding="utf-8")
    assert [found.code for found in validate(text)] == []
    unsaid = text.replace(", limit: 50000", "")
    assert unsaid != text
    (found,) = validate(unsaid)
    assert found.code == "RK621"
    assert found.message.startswith("a game without choices may not end")


def test_a_real_game_is_as_long_as_one_of_numbers_alone() -> None:
    """Casella's deal with other numbers in the places of numbers goes the same way."""
    rules = rulekit.load("beggar-my-neighbour")
    lengths = set()
    for turned in (lambda cards: cards, lambda cards: [swapped(card) for card in cards]):
        game = rules.new_game(deal=[turned(dealt(*ENDLESS))], draws=["P1"])
        assert game.outcome is not None
        lengths.add((game.outcome.reason, game.outcome.length))
    assert lengths == {("loop", 440)}


def swapped(card: str) -> str:
    """Twos for tens and the other way round."""
    return {"2": "10", "10": "2"}.get(card[:-1], card[:-1]) + card[-1]
