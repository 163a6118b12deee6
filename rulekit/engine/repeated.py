"""The part `COUNT P ...` of a pattern: so many disjoint instances of one pattern."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from rulekit.engine.evaluate import Fn, Scope
from rulekit.engine.parts import Fit
from rulekit.engine.rows import Row
from rulekit.engine.state import State
from rulekit.engine.tokens import Tokens, fact_of, without
from rulekit.program import patterns as p


class RepeatedFit:
    """So many disjoint instances of one part, under constraints on what the cards of each share."""

    def __init__(self, scope: Scope, part: p.RepeatedPart, inner: Fit) -> None:
        self.low, self.high, self.inner = part.low, part.high, inner
        self.least = part.low * inner.least
        self.most = None if part.high is None or inner.most is None else part.high * inner.most
        self.n = len(scope.setup.pack)
        self.wild: Fn | None = getattr(inner, "wild", None)
        self.scratch = scope.scratch
        kinds: dict[str, list[p.Constraint]] = {}
        for constraint in part.constraints:
            kinds.setdefault(constraint.kind, []).append(constraint)
        self.alone, self.free = inner.alone, inner.free
        self.loose = not part.constraints
        self.same = [fact_of(scope, c) for c in kinds.get("same", ())]
        self.different = [fact_of(scope, c) for c in kinds.get("different", ())]
        self.each = [fact_of(scope, c) for c in kinds.get("each", ())]
        self.where = [(scope.compile(c.fact), c.local) for c in kinds.get("where", ())]
        self.runs = [Row(scope, c) for c in kinds.get("consecutive", ())]

    def head(self, s: State, part: Tokens) -> int:
        """The card whose facts all of an instance share: no wild one, if it has another."""
        if self.wild is None:
            return part[0]
        wild = self.wild(s)
        return next((card for card in part if card not in wild), part[0])

    def allowed(self, s: State, parts: Sequence[Tokens]) -> bool:
        if self.loose:
            return True
        heads = tuple(self.head(s, part) for part in parts)
        cards = tuple(card for part in parts for card in part)
        if not all(fact(s, card) for fact in self.each for card in cards):
            return False
        if any(len({fact(s, head) for head in heads}) > 1 for fact in self.same):
            return False
        for fact in self.different:
            values = [fact(s, head) for head in heads]
            if None in values or len(set(values)) < len(values):
                return False
        if not all(row.stands(s, heads) for row in self.runs):
            return False
        for condition, local in self.where:
            self.scratch[local] = tuple(sorted(card % self.n for card in cards))
            if not condition(s):
                return False
        return True

    def instances(self, s: State, cards: Tokens) -> list[Tokens]:
        return sorted({found for found in self.inner.find(s, cards) if found})

    def covers(self, s: State, cards: Tokens) -> Iterator[list[Tokens]]:
        """Ways to part all the cards into instances."""
        by_first: dict[int, list[Tokens]] = {}
        for instance in self.instances(s, cards):
            by_first.setdefault(instance[0], []).append(instance)
        hopeless: set[tuple[int, Tokens]] = set()

        def cover(left: Tokens, parts: list[Tokens]) -> Iterator[list[Tokens]]:
            if not left:
                if len(parts) >= self.low and self.allowed(s, parts):
                    yield parts
                return
            if (len(parts), left) in hopeless or (self.high is not None and len(parts) >= self.high):
                return
            rest, some = set(left), False
            for instance in by_first.get(left[0], ()):
                if rest.issuperset(instance):
                    for found in cover(without(left, instance), [*parts, instance]):
                        some = True
                        yield found
            if self.loose and not some:
                hopeless.add((len(parts), left))

        yield from cover(cards, [])

    def fits(self, s: State, cards: Tokens) -> bool:
        if not cards:
            return self.low == 0
        if len(cards) < self.least or (self.most is not None and len(cards) > self.most):
            return False
        return next(self.covers(s, cards), None) is not None

    def find(self, s: State, cards: Tokens) -> Iterator[Tokens]:
        if len(cards) < self.least:
            return
        instances = self.instances(s, cards)
        if self.loose:
            yield from self.unions(cards, instances)
            return
        prunes = not self.where

        def choose(start: int, parts: list[Tokens], used: frozenset[int]) -> Iterator[Tokens]:
            if len(parts) >= max(self.low, 1) and self.allowed(s, parts):
                yield tuple(sorted(used))
            if self.high is not None and len(parts) >= self.high:
                return
            for place in range(start, len(instances)):
                instance = instances[place]
                if used.isdisjoint(instance) and not (prunes and parts and self.hopeless(s, parts, instance)):
                    yield from choose(place + 1, [*parts, instance], used | frozenset(instance))

        yield from choose(0, [], frozenset())

    def unions(self, cards: Tokens, instances: Sequence[Tokens]) -> Iterator[Tokens]:
        """What disjoint instances cover together, each set of cards once however it can be parted."""
        bits = {card: 1 << at for at, card in enumerate(cards)}
        most = len(cards) if self.high is None else self.high
        found: dict[int, int] = {0: 1}  # cards covered: the numbers of instances that can do it, a bit each
        for instance in instances:
            mask = sum(bits[card] for card in instance)
            for covered, counts in list(found.items()):
                if not covered & mask:
                    more = counts << 1 & ((2 << most) - 1)
                    if more:
                        found[covered | mask] = found.get(covered | mask, 0) | more
        low = max(self.low, 1)
        for covered, counts in found.items():
            if counts >> low:
                yield tuple([card for card in cards if covered & bits[card]])

    def hopeless(self, s: State, parts: Sequence[Tokens], more: Tokens) -> bool:
        """No set with these parts can ever fulfil the constraints."""
        heads = [self.head(s, part) for part in (*parts, more)]
        if any(len({fact(s, head) for head in heads}) > 1 for fact in self.same):
            return True
        for fact in (*self.different, *(row.fact for row in self.runs)):
            values = [fact(s, head) for head in heads]
            if None in values or len(set(values)) < len(values):
                return True
        return False

    def keys(self, s: State, cards: Tokens) -> Iterator[tuple[Any, ...]]:
        for parts in self.covers(s, cards):
            if self.runs:
                for top in self.runs[0].tops(s, tuple(self.head(s, part) for part in parts)):
                    yield (top,)
            else:
                each = [max(self.inner.keys(s, part)) for part in parts]
                yield tuple(value for key in sorted(each, reverse=True) for value in key)
