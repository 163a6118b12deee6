"""Pinochle's melds counted once more, without patterns; and what two equal cards of a hand mean."""

from __future__ import annotations

from collections import Counter
from functools import cache
from random import Random

import pytest
from tables import load

from rulekit.engine import Machine

AROUND = {"A": 10, "K": 8, "Q": 6, "J": 4}
SUITS = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}


@cache
def table() -> Machine:
    return load("pinochle").machine(4, "show_melds", (0,))


def counted(hand: list[str], trump: str) -> int:
    """The worth of the melds in a hand, by the table of the sources."""
    held = Counter(hand)
    runs = min(held[rank + trump] for rank in ("A", "10", "K", "Q", "J"))
    marriages = {suit: min(held["K" + suit], held["Q" + suit]) for suit in SUITS}
    pinochles = min(held["QS"], held["JD"])
    around = {rank: min(held[rank + suit] for suit in SUITS) for rank in AROUND}
    return (
        [0, 15, 150][runs]
        + 4 * (marriages[trump] - runs)
        + 2 * sum(many for suit, many in marriages.items() if suit != trump)
        + [0, 4, 30][pinochles]
        + sum([0, worth, 10 * worth][around[rank]] for rank, worth in AROUND.items())
        + held["9" + trump]
    )


def shown(hand: list[str], trump: str) -> int:
    """What the ruleset counts for P1's side."""
    m = table()
    s = m.blank()
    waiting: dict[str, list[int]] = {}
    for card in range(len(m.setup.pack)):
        waiting.setdefault(m.setup.pack.format_card(card), []).append(card)
    cards = [waiting[text].pop() for text in hand]
    (place,) = m.setup.zone_places["hand"][0]
    m.lay(s, {place: cards, 0: [card for card in range(len(m.setup.pack)) if card not in cards]})
    suits = [suit.name for suit in m.setup.pack.suits]
    s.cells[m.layout.states["trump"].first] = suits.index(SUITS[trump])
    m.run_phase(s, "show_melds", (0,))
    assert s.ending is not None
    assert s.ending.reason == "played out", s.ending
    found = s.cells[m.layout.states["meld"].first]
    assert isinstance(found, int)
    return found


def compare(hands: int, random: Random) -> None:
    pack = [rank + suit for rank in ("9", "J", "Q", "K", "10", "A") for suit in SUITS] * 2
    worths = set()
    for _ in range(hands):
        # Most hands leave the low cards out, so that melds are many.
        without = random.choice(["", "9", "91", "9A", "91A"])
        high = [card for card in pack if card[0] not in without]
        hand, trump = random.sample(high, 12), random.choice(list(SUITS))
        assert shown(hand, trump) == counted(hand, trump), (hand, trump)
        worths.add(counted(hand, trump))
    assert len(worths) > 20


def test_melds_are_worth_what_the_table_says() -> None:
    compare(300, Random("pinochle"))


@pytest.mark.long
def test_many_melds_are_worth_what_the_table_says() -> None:
    compare(20_000, Random("pinochle at length"))


def test_con_04_of_two_equal_cards_one_is_played_and_undo_brings_it_back() -> None:
    game = load("pinochle").new_game(
        seed=5,
        draws=["P4"],
        deal="QS 9C 9D 9H " * 2 + "JD 10C 10D 10H " * 2 + "AS AC KD KH QC KC QD AH AC QC KC AD",
    )
    for move in ("bid 15", "pass", "pass", "pass", "name_trump hearts", "play_on"):
        game.play(move)
    hand = Counter(game.view(0).zones["hand-P1"])
    assert hand["QS"] == hand["JD"] == 2
    leads = [str(move) for move in game.legal_moves()]
    assert leads.count("lead QS") == leads.count("lead JD") == 1
    before = game.fingerprint
    game.play("lead QS")
    assert Counter(game.view(0).zones["hand-P1"]) == hand - Counter(["QS"])
    game.undo()
    assert game.fingerprint == before
    assert Counter(game.view(0).zones["hand-P1"]) == hand
