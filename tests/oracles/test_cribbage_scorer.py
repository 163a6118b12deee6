"""Points of cribbage: hands and cribs against cribbage-scorer and by hand, plays against the former."""

from __future__ import annotations

from itertools import combinations, pairwise
from random import Random
from typing import Any

import pytest
from cribbage_scorer import cribbage_scorer as scorer  # type: ignore[import-untyped]
from openspiel import Record, machine

from rulekit.engine import Machine, State, chance

SUITS = "CDHS"


def theirs(card: int) -> tuple[int, str]:
    return card % 13 + 1, SUITS[card // 13]


def ours(m: Machine, starter: int, four: tuple[int, ...], crib: bool) -> int:
    """The points that the phase `show` gives."""
    s = m.blank()
    places = m.setup.zone_places
    (starters,), (cribs,) = places["starter"][0], places["crib"][0]
    # What is shown lies in the crib, or else there is another crib.
    other = tuple(card for card in range(52) if card != starter and card not in four)[:4]
    lying = four if crib else other
    rest = tuple(card for card in range(52) if card != starter and card not in lying)
    m.lay(s, {**dict.fromkeys(range(len(s.zones)), ()), 0: rest, starters: (starter,), cribs: lying})
    m.run_phase(s, "show", (0, four))
    assert s.ending is not None
    assert s.ending.reason == "played out", s.ending
    return int(s.cells[m.layout.states["peg"].first])


def by_hand(starter: int, four: tuple[int, ...], crib: bool) -> int:
    """The points, subset by subset."""
    five = (*four, starter)
    points = 0
    for size in range(2, 6):
        for some in combinations(five, size):
            points += 2 * (sum(min(card % 13 + 1, 10) for card in some) == 15)
            points += 2 * (size == 2 and some[0] % 13 == some[1] % 13)
    for size in (5, 4, 3):  # the longest runs only
        runs = [
            some
            for some in combinations(sorted(card % 13 for card in five), size)
            if all(b == a + 1 for a, b in pairwise(some))
        ]
        if runs:
            points += size * len(runs)
            break
    if len({card // 13 for card in five}) == 1:
        points += 5
    elif len({card // 13 for card in four}) == 1 and not crib:
        points += 4
    return points + any(card % 13 == 10 and card // 13 == starter // 13 for card in four)


def compare_hands(record: Record, hands: int, seed: int) -> None:
    random, m = Random(seed), machine("cribbage", 2)
    most = 0
    for number in range(hands):
        pack = range(52)
        if number % 3 == 1:  # few ranks: pairs and runs
            low = random.randrange(9)
            pack = [card for card in pack if low <= card % 13 < low + 4]  # type: ignore[assignment]
        elif number % 3 == 2:  # one suit and a little more
            suit = random.randrange(4)
            pack = [card for card in pack if card // 13 == suit or card % 13 == suit]  # type: ignore[assignment]
        starter, *four = random.sample(pack, 5)
        four_ = tuple(sorted(four))
        crib = random.random() < 0.3
        points = ours(m, starter, four_, crib)
        assert points == by_hand(starter, four_, crib), (starter, four_, crib)
        assert points == scorer.show_calc_score(theirs(starter), [theirs(card) for card in four_], crib)[0]
        most = max(most, points)
    record("hands", hands)
    record("most points", most)


def test_hands_count_as_by_hand_and_as_theirs(record_property: Record) -> None:
    compare_hands(record_property, 1_500, 1)


@pytest.mark.long
def test_many_hands_count_as_by_hand_and_as_theirs(record_property: Record) -> None:
    compare_hands(record_property, 60_000, 2)


def compare_plays(record: Record, matches: int) -> None:
    """Points for each card in the play, but for the last one of a deal, after which the hands are shown."""
    m = machine("cribbage", 2)
    (row,) = m.setup.zone_places["row"][0]
    plays = scoring = 0
    for game in range(matches):
        s = m.start(7, game)
        stream = chance.streams(7, game)[1]
        while s.ending is None:
            legal = m.legal(s)
            stream, pick = chance.below(stream, len(legal))
            action, lying, before = legal[pick], s.zones[row], s.receipts
            m.apply(s, action)
            decision = m.decision(s)
            if action.move == "play" and decision is not None and decision.moves == ("play",):
                given = sum(receipt.amount for receipt in since(s, before) if receipt.reason != "last_card")
                cards = [theirs(card) for card in (*lying, action.values[0])]
                _, points, _ = scorer.play_score_ongoing(cards)
                assert given == points, (cards, given, points)
                plays += 1
                scoring += given > 0
    record("plays", plays)
    record("plays that score", scoring)


def since(s: State, before: Any) -> list[Any]:
    """The receipts after those."""
    found = []
    chain = s.receipts
    while chain is not before:
        assert chain is not None
        chain, receipt = chain
        found.append(receipt)
    return found


def test_plays_score_as_theirs(record_property: Record) -> None:
    compare_plays(record_property, 20)


@pytest.mark.long
def test_many_plays_score_as_theirs(record_property: Record) -> None:
    compare_plays(record_property, 500)
