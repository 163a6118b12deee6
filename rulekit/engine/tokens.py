"""Tokens: the cards that patterns look at, their facts and the sums of these.

A token is a card's number, or for a wild card ``n * k + stand_in`` (n cards in the pack, k from 1): facts
are always read of ``token % n``, so a stand-in may equal another card of the set.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from typing import Any

from rulekit.engine.evaluate import Fn, Scope
from rulekit.engine.state import State
from rulekit.program import expressions as e
from rulekit.program import patterns as p

Tokens = tuple[int, ...]
Place = Callable[[State, int], Any]  #: a fact of a token


def without(cards: Tokens, some: Tokens) -> Tokens:
    gone = set(some)
    return tuple([card for card in cards if card not in gone])


def printed(scope: Scope, value: e.Expr, local: int) -> list[Any] | None:
    """The value for each card of the pack, if it is told by the card alone; None if it is not."""
    reads = scope.reader.reads(value)
    if not reads.steady or reads.names or not reads.locals <= {local}:
        return None
    fn, scratch = scope.compile(value), scope.scratch
    table = []
    for card in range(len(scope.setup.pack)):
        scratch[local] = card
        table.append(fn(State.__new__(State)))
    return table


def fact_of(scope: Scope, constraint: p.Constraint) -> Place:
    """A constraint's fact about a token; a table if it is printed on the card."""
    fn, scratch, n = scope.compile(constraint.fact), scope.scratch, len(scope.setup.pack)
    local = constraint.local
    table = printed(scope, constraint.fact, local)
    if table is not None:
        return lambda s, token: table[token % n]

    def fact(s: State, token: int) -> Any:
        scratch[local] = token % n
        return fn(s)

    return fact


class SumIs:
    """The condition `sum(FACT of it) == N` about a set, where the fact is printed and never below 0."""

    def __init__(self, values: list[int | None], wanted: Fn) -> None:
        self.values, self.wanted, self.n = values, wanted, len(values)

    @staticmethod
    def of(scope: Scope, constraint: p.Constraint) -> SumIs | None:
        """The condition, if it is of that form."""
        match constraint.fact:
            case e.Same(e.Sum(e.Collect(e.Local(whole), local, value)), wanted):
                pass
            case e.Same(wanted, e.Sum(e.Collect(e.Local(whole), local, value))):
                pass
            case _:
                return None
        if whole != constraint.local or constraint.local in scope.reader.reads(wanted).locals:
            return None
        values = printed(scope, value, local)
        if values is None or any(not isinstance(x, int) or x < 0 for x in values if x is not None):
            return None
        return SumIs(values, scope.compile(wanted))

    def holds(self, s: State, cards: Tokens) -> bool:
        values = [self.values[card % self.n] for card in cards]
        total = None if None in values else sum(value for value in values if value is not None)
        return bool(total == self.wanted(s))

    def subsets(self, s: State, cards: Sequence[int], least: int, most: int | None) -> Iterator[Tokens]:
        """The sets of ``least`` to ``most`` of the cards with that sum."""
        wanted = self.wanted(s)
        most = len(cards) if most is None else min(most, len(cards))
        if wanted is None:  # the sum is none where one of the values is
            for size in range(least, most + 1):
                for chosen in combinations(cards, size):
                    if self.holds(s, chosen):
                        yield chosen
            return
        items: list[tuple[int, int]] = []
        for card in cards:
            value = self.values[card % self.n]
            if value is not None and value <= wanted:
                items.append((value, card))
        rest = [0] * (len(items) + 1)
        for at in range(len(items) - 1, -1, -1):
            rest[at] = rest[at + 1] + items[at][0]

        def grow(start: int, left: int, chosen: Tokens) -> Iterator[Tokens]:
            if left == 0 and len(chosen) >= least:
                yield chosen
            if len(chosen) == most:
                return
            for at in range(start, len(items)):
                if rest[at] < left:
                    return
                value, card = items[at]
                if value <= left:
                    yield from grow(at + 1, left - value, (*chosen, card))

        yield from grow(0, wanted, ())
