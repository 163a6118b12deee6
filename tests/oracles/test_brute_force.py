"""What has no program of others to be held against, held against trying everything out.

Deadwood at gin by all ways to part a hand, captures and builds at Cassino by all sets of table cards.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations
from random import Random
from typing import Any

import pytest
from openspiel import Record, machine

from rulekit.engine import Machine, State
from rulekit.program import expressions as e
from rulekit.program import types as t

# ---------------------------------------------------------------- gin


def is_meld(cards: Sequence[int]) -> bool:
    if len(cards) < 3:
        return False
    if len({card % 13 for card in cards}) == 1:
        return True
    low, high = min(cards), max(cards)
    return low // 13 == high // 13 and high - low == len(cards) - 1


def least_deadwood(hand: tuple[int, ...]) -> int:
    """Every way to take melds away, card by card: this one is left, or goes with one of its melds."""
    values = [min(card % 13 + 1, 10) for card in hand]
    melds: dict[int, list[int]] = {}  # by the lowest place: the places of each, a bit each
    for mask in range(1, 1 << len(hand)):
        places = [at for at in range(len(hand)) if mask >> at & 1]
        if is_meld([hand[at] for at in places]):
            melds.setdefault(places[0], []).append(mask)

    @cache
    def least(used: int, at: int) -> int:
        while at < len(hand) and used >> at & 1:
            at += 1
        if at == len(hand):
            return 0
        best = values[at] + least(used, at + 1)
        for mask in melds.get(at, ()):
            if not used & mask:
                best = min(best, least(used | mask, at + 1))
        return best

    return least(0, 0)


def some_hand(random: Random) -> tuple[int, ...]:
    """Ten cards, often of few ranks or suits, so that sets and runs overlap."""
    match random.randrange(4):
        case 0:
            pack = list(range(52))
        case 1:
            low = random.randrange(9)
            pack = [card for card in range(52) if low <= card % 13 <= low + 4]
        case 2:
            suits = random.sample(range(4), 2)
            pack = [card for card in range(52) if card // 13 in suits]
        case _:
            pack = [card for card in range(52) if card // 13 == 0 or card % 13 in (2, 3, 7)]
    return tuple(sorted(random.sample(pack, 10)))


def compare_deadwood(record: Record, hands: int, seed: int) -> None:
    random, m = Random(seed), machine("gin-rummy", 2)
    s = m.blank()
    gin = 0
    for _ in range(hands):
        hand = some_hand(random)
        call = e.CallDefine("deadwood", (e.Constant(hand, type=t.CARDS),), type=t.Int(0, 999))
        found = m.evaluate(s, call)
        assert found == least_deadwood(hand), hand
        gin += found == 0
    record("hands", hands)
    record("gin", gin)


def test_deadwood_is_the_least_of_all(record_property: Record) -> None:
    compare_deadwood(record_property, 300, 1)


@pytest.mark.long
def test_deadwood_of_ten_thousand_hands_is_the_least_of_all(record_property: Record) -> None:
    compare_deadwood(record_property, 10_000, 2)


# ---------------------------------------------------------------- cassino


def worth(card: int, royal: bool) -> int | None:
    number = card % 13 + 1
    return number if royal or number <= 10 else None


def adds_up(cards: tuple[int, ...], total: int, royal: bool) -> bool:
    """The cards can be parted into sets of that sum."""
    if not cards:
        return True
    first, rest = cards[0], cards[1:]
    for size in range(len(cards)):
        for more in combinations(rest, size):
            values = [worth(card, royal) for card in (first, *more)]
            if None not in values and sum(value or 0 for value in values) == total:
                left = tuple(card for card in rest if card not in more)
                if adds_up(left, total, royal):
                    return True
    return False


def subsets(cards: Sequence[int]) -> Iterator[tuple[int, ...]]:
    for size in range(1, len(cards) + 1):
        yield from combinations(sorted(cards), size)


class Table:
    """A table of Cassino at which the first to be asked has these cards, and nothing is built."""

    def __init__(self, random: Random, royal: bool, most: int) -> None:
        self.royal = royal
        self.m: Machine = machine("cassino", 2, royal=royal)
        self.s: State = self.m.start(random.randrange(2**32))
        decision = self.m.decision(self.s)
        assert decision is not None
        low = random.randrange(9)
        pack = range(52) if random.random() < 0.5 else [c for c in range(52) if low <= c % 13 <= low + 5]
        cards = random.sample(pack, random.randint(3, most) + 4)
        self.hand, self.table = tuple(sorted(cards[:4])), tuple(sorted(cards[4:]))
        places = self.m.setup.zone_places
        (mine,), (table,), (stock,) = places["hand"][decision.actor], places["table"][0], places["stock"][0]
        rest = tuple(card for card in range(52) if card not in cards)
        empty: dict[int, tuple[int, ...]] = dict.fromkeys(range(len(self.s.zones)), ())
        self.m.lay(self.s, {**empty, mine: self.hand, table: self.table, stock: rest})
        self.m.resume(self.s)

    def legal(self, move: str) -> list[tuple[Any, ...]]:
        return [action.values for action in self.m.legal(self.s) if action.move == move]

    def captures(self) -> set[tuple[int, tuple[int, ...]]]:
        """Each card with each set that it takes."""
        found = set()
        for card in self.hand:
            value = worth(card, self.royal)
            for some in subsets(self.table):
                court = value is None and len(some) == 1 and some[0] % 13 == card % 13
                if court or (value is not None and adds_up(some, value, self.royal)):
                    found.add((card, some))
        return found

    def builds(self) -> set[tuple[int, int, tuple[int, ...]]]:
        """Each sum with each card and set that can be built, another card being held to take it."""
        found = set()
        for total in range(2, 14 if self.royal else 11):
            for card in self.hand:
                others = [other for other in self.hand if other != card]
                if total in [worth(other, self.royal) for other in others]:
                    for some in subsets(self.table):
                        cards = tuple(sorted((*some, card)))
                        if adds_up(cards, total, self.royal):
                            found.add((total, card, cards))
        return found


def compare_tables(record: Record, tables: int, seed: int, most: int) -> None:
    random = Random(seed)
    captures = builds = 0
    for number in range(tables):
        table = Table(random, number % 2 == 1, most)
        taken = table.legal("take")
        assert {(card, loose) for card, loose, piles in taken} == table.captures()
        assert all(piles == () for _, _, piles in taken)
        built = table.legal("build")
        assert set(built) == table.builds()
        assert len(set(built)) == len(built)
        captures, builds = captures + len(taken), builds + len(built)
    record("tables", tables)
    record("captures", captures)
    record("builds", builds)


def test_captures_and_builds_are_all_there_are(record_property: Record) -> None:
    compare_tables(record_property, 60, 1, most=7)


@pytest.mark.long
def test_captures_and_builds_at_many_tables_are_all_there_are(record_property: Record) -> None:
    compare_tables(record_property, 1_500, 2, most=9)
