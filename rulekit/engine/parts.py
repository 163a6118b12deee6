"""Parts of patterns: does a set of cards fit, which instances lie inside it, how strong is it?

Cards here are *tokens*: see `rulekit.engine.tokens`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any, Protocol

from rulekit.engine.evaluate import Scope
from rulekit.engine.rows import Row
from rulekit.engine.state import State
from rulekit.engine.tokens import SumIs, Tokens, fact_of, without
from rulekit.program import expressions as e
from rulekit.program import patterns as p


class Fit(Protocol):
    """One compiled part."""

    @property
    def least(self) -> int:
        """The fewest cards of an instance."""
        ...

    @property
    def most(self) -> int | None:
        """The most cards of an instance; None: any number."""
        ...

    @property
    def alone(self) -> bool:
        """Whether a set is found does not depend on the cards it lies among: nothing is `maximal`."""
        ...

    @property
    def free(self) -> bool:
        """Nothing ties the cards to each other: they count after those of other parts."""
        ...

    def fits(self, s: State, cards: Tokens) -> bool:
        """The cards as a whole are an instance."""
        ...

    def find(self, s: State, cards: Tokens) -> Iterator[Tokens]:
        """Instances inside the cards, each sorted; one may come more than once."""
        ...

    def keys(self, s: State, cards: Tokens) -> Iterator[tuple[Any, ...]]:
        """The natural key of each way in which the cards are an instance."""
        ...


class CardsFit:
    """So many cards under constraints."""

    def __init__(self, scope: Scope, part: p.CardsPart) -> None:
        self.least, self.most, self.maximal = part.low, part.high, part.maximal
        self.n = len(scope.setup.pack)
        self.ranks = scope.card_facts["rank"]
        by_kind: dict[str, list[p.Constraint]] = {}
        for constraint in part.constraints:
            by_kind.setdefault(constraint.kind, []).append(constraint)
        self.same = [fact_of(scope, c) for c in by_kind.get("same", ())]
        self.same_rank = any(is_rank(c) for c in by_kind.get("same", ()))
        self.different = [fact_of(scope, c) for c in by_kind.get("different", ())]
        self.each = [fact_of(scope, c) for c in by_kind.get("each", ())]
        sums = [SumIs.of(scope, c) for c in by_kind.get("where", ())]
        self.sums = [found for found in sums if found is not None]
        others = [c for c, found in zip(by_kind.get("where", ()), sums, strict=True) if found is None]
        self.where = [(scope.compile(c.fact), c.local) for c in others]
        self.runs = [Row(scope, c) for c in by_kind.get("consecutive", ())]
        self.alone = not part.maximal
        self.free = not self.same and not self.runs
        self.scratch = scope.scratch

    def fits(self, s: State, cards: Tokens) -> bool:
        size = len(cards)
        if size < self.least or (self.most is not None and size > self.most):
            return False
        for fact in self.same:
            values = {fact(s, card) for card in cards}
            if len(values) > 1 or None in values:
                return False
        return (
            all(fact(s, card) for fact in self.each for card in cards)
            and self.distinct(s, cards)
            and all(row.stands(s, cards) for row in self.runs)
            and self.adds_up(s, cards)
            and self.holds(s, cards)
        )

    def distinct(self, s: State, cards: Tokens) -> bool:
        for fact in self.different:
            values = [fact(s, card) for card in cards]
            if None in values or len(set(values)) < len(values):
                return False
        return True

    def adds_up(self, s: State, cards: Tokens) -> bool:
        """The conditions about the set that name a sum."""
        return all(total.holds(s, cards) for total in self.sums)

    def holds(self, s: State, cards: Tokens) -> bool:
        """The other conditions about the set."""
        for condition, local in self.where:
            self.scratch[local] = tuple(sorted(card % self.n for card in cards))
            if not condition(s):
                return False
        return True

    def find(self, s: State, cards: Tokens) -> Iterator[Tokens]:
        if len(cards) < self.least:
            return
        if not self.maximal:
            yield from self.all(s, cards)
            return
        found = sorted(set(self.all(s, cards)), key=len, reverse=True)
        kept: list[frozenset[int]] = []
        for instance in found:
            whole = frozenset(instance)
            if not any(whole < larger for larger in kept):
                kept.append(whole)
                yield instance

    def all(self, s: State, cards: Tokens) -> Iterator[Tokens]:
        pool: Sequence[int] = cards
        if self.each:
            pool = [card for card in cards if all(fact(s, card) for fact in self.each)]
        for group in self.groups(s, pool):
            for chosen in self.candidates(s, group):
                if self.distinct(s, chosen) and self.holds(s, chosen):
                    yield chosen

    def groups(self, s: State, pool: Sequence[int]) -> list[Sequence[int]]:
        """The cards parted by what must be the same; groups too small left out."""
        groups = [pool]
        for fact in self.same:
            parted: list[Sequence[int]] = []
            for group in groups:
                values: dict[Any, list[int]] = {}
                for card in group:
                    values.setdefault(fact(s, card), []).append(card)
                values.pop(None, None)
                parted += [some for some in values.values() if len(some) >= self.least]
            groups = parted
        return groups

    def candidates(self, s: State, group: Sequence[int]) -> Iterator[Tokens]:
        """Sets of the group of a fitting size that stand in a row and have the sums asked for."""
        if self.runs:
            for chosen in self.runs[0].windows(s, group, self.least, self.most):
                if all(row.stands(s, chosen) for row in self.runs[1:]) and self.adds_up(s, chosen):
                    yield chosen
        elif self.sums:
            for chosen in self.sums[0].subsets(s, group, self.least, self.most):
                if self.adds_up(s, chosen):
                    yield chosen
        else:
            most = len(group) if self.most is None else min(self.most, len(group))
            for size in range(self.least, most + 1):
                yield from combinations(group, size)

    def keys(self, s: State, cards: Tokens) -> Iterator[tuple[Any, ...]]:
        if not self.fits(s, cards):
            return
        if self.runs:
            for top in self.runs[0].tops(s, cards):
                yield (top,)
        elif self.same_rank and cards:
            yield (self.ranks[cards[0] % self.n],)
        else:
            yield tuple(sorted((self.ranks[card % self.n] for card in cards), reverse=True))


def is_rank(constraint: p.Constraint) -> bool:
    return isinstance(constraint.fact, e.CardFact) and constraint.fact.fact == "rank"


class WithFit:
    """Disjoint parts that together are the whole set."""

    free = False

    def __init__(self, parts: Sequence[Fit]) -> None:
        self.first, self.rest = parts[0], WithFit(parts[1:]) if len(parts) > 1 else None
        self.least = sum(part.least for part in parts)
        sizes = [part.most for part in parts]
        self.most = None if None in sizes else sum(size for size in sizes if size is not None)
        self.alone = all(part.alone for part in parts)

    def fits(self, s: State, cards: Tokens) -> bool:
        if self.rest is None:
            return self.first.fits(s, cards)
        if len(cards) < self.least or (self.most is not None and len(cards) > self.most):
            return False
        return any(self.rest.fits(s, without(cards, some)) for some in with_empty(self.first, s, cards))

    def find(self, s: State, cards: Tokens) -> Iterator[Tokens]:
        if self.rest is None:
            yield from with_empty(self.first, s, cards)
            return
        if len(cards) < self.least:
            return
        for some in set(with_empty(self.first, s, cards)):
            for others in self.rest.find(s, without(cards, some)):
                yield tuple(sorted(some + others))

    def readings(self, s: State, cards: Tokens) -> Iterator[list[tuple[bool, int, tuple[Any, ...]]]]:
        """For each way to part the cards: is it tied, its size and its key, for each part."""
        tied = not self.first.free
        if self.rest is None:
            for key in self.first.keys(s, cards):
                yield [(tied, len(cards), key)]
            return
        for some in set(with_empty(self.first, s, cards)):
            left = without(cards, some)
            if self.rest.fits(s, left):
                for key in self.first.keys(s, some):
                    for others in self.rest.readings(s, left):
                        yield [(tied, len(some), key), *others]

    def keys(self, s: State, cards: Tokens) -> Iterator[tuple[Any, ...]]:
        for parts in self.readings(s, cards):
            ordered = sorted(parts, reverse=True)  # free cards last; the biggest first, then the strongest
            yield tuple(value for _, _, key in ordered for value in key)


def with_empty(part: Fit, s: State, cards: Tokens) -> Iterator[Tokens]:
    """Instances inside the cards, the empty one too if it is one (`0..3 cards`)."""
    if part.least == 0 and part.fits(s, ()):
        yield ()
    for found in part.find(s, cards):
        if found:
            yield found


class OrFit:
    """One of several alternatives."""

    def __init__(self, parts: Sequence[Fit]) -> None:
        self.parts = parts
        self.least, self.most = bounds(parts)
        self.alone = all(part.alone for part in parts)
        self.free = all(part.free for part in parts)

    def fits(self, s: State, cards: Tokens) -> bool:
        return any(part.fits(s, cards) for part in self.parts)

    def find(self, s: State, cards: Tokens) -> Iterator[Tokens]:
        for part in self.parts:
            yield from part.find(s, cards)

    def keys(self, s: State, cards: Tokens) -> Iterator[tuple[Any, ...]]:
        for number, part in enumerate(self.parts):
            for key in part.keys(s, cards):
                yield (number, *key)


def bounds(parts: Sequence[Fit]) -> tuple[int, int | None]:
    """The fewest and the most cards of an instance of any of the parts."""
    sizes = [part.most for part in parts]
    most = None if None in sizes else max((size for size in sizes if size is not None), default=0)
    return min((part.least for part in parts), default=0), most
