"""Rows: cards that stand one after another by a fact or a named order of ranks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

from rulekit.engine.evaluate import Scope
from rulekit.engine.state import State
from rulekit.engine.tokens import Tokens, fact_of
from rulekit.program import patterns as p


class Row:
    """A constraint `consecutive FACT` or `consecutive ORDER`.

    Cards without the fact, or whose rank is not in the order, stand in no row. A rank that is twice in the
    order may take either place, not both.
    """

    def __init__(self, scope: Scope, constraint: p.Constraint) -> None:
        self.fact = fact_of(scope, constraint)
        order = constraint.order
        self.order: tuple[Any, ...] | None = None if order is None else scope.program.orders[order]
        self.twice = self.order is not None and len(set(self.order)) < len(self.order)
        self.place = {} if self.order is None else {value: at for at, value in enumerate(self.order)}

    def stands(self, s: State, cards: Tokens) -> bool:
        """The cards stand in a row."""
        return next(self.tops(s, cards), None) is not None

    def tops(self, s: State, cards: Tokens) -> Iterator[int]:
        """For each way the cards stand in a row, from 1 the place of the last of them."""
        values = [self.fact(s, card) for card in cards]
        size = len(values)
        if not size or None in values or len(set(values)) < size:
            return
        if self.order is None:
            if max(values) - min(values) == size - 1:
                yield max(values) + 1
        elif not self.twice:
            places = [self.place.get(value, -1) for value in values]
            if min(places) >= 0 and max(places) - min(places) == size - 1:
                yield max(places) + 1
        else:
            wanted = set(values)
            for start in range(len(self.order) - size + 1):
                if set(self.order[start : start + size]) == wanted:
                    yield start + size

    def windows(self, s: State, cards: Sequence[int], least: int, most: int | None) -> Iterator[Tokens]:
        """The sets of ``least`` to ``most`` of the cards that stand in a row."""
        held: dict[Any, list[int]] = {}
        for card in cards:
            value = self.fact(s, card)
            if value is not None:
                held.setdefault(value, []).append(card)
        if len(held) < least or not held:
            return
        row = self.order if self.order is not None else range(min(held), max(held) + 1)
        places = [held.get(value) for value in row]
        for start, first in enumerate(places):
            if first is None:
                continue
            choices: list[list[int]] = []
            for place in range(start, len(places)):
                here = places[place]
                if here is None or (self.twice and row[place] in row[start:place]):
                    break
                choices.append(here)
                if len(choices) >= least:
                    for chosen in product(*choices):
                        yield tuple(sorted(chosen))
                if len(choices) == most:
                    break
