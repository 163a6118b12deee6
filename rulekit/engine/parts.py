"""Parts of patterns: does a set of cards fit, which instances lie inside it, how strong is it?

Cards here are *tokens*: a card's number, or for a wild card ``n * k + stand_in`` (n cards in the pack, k from 1):
facts are always read of ``token % n``, so a stand-in may equal another card of the set.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, product
from typing import Any, Protocol

from rulekit.engine.evaluate import Fn, Scope
from rulekit.engine.state import State
from rulekit.program import expressions as e
from rulekit.program import patterns as p

Tokens = tuple[int, ...]
Place = Callable[[State, int], Any]  #: a fact of a token
Arguments = tuple[Any, ...]


class Fit(Protocol):
    """One compiled part."""

    def fits(self, s: State, cards: Tokens) -> bool:
        """The cards as a whole are an instance."""
        ...

    def find(self, s: State, cards: Tokens) -> Iterator[Tokens]:
        """Instances inside the cards, each sorted; one may come more than once."""
        ...

    def keys(self, s: State, cards: Tokens) -> Iterator[tuple[Any, ...]]:
        """The natural key of each way in which the cards are an instance."""
        ...


def fact_of(scope: Scope, constraint: p.Constraint) -> Place:
    """A constraint's fact about a token; a table if it is printed on the card."""
    fn, scratch, n = scope.compile(constraint.fact), scope.scratch, len(scope.setup.pack)
    local = constraint.local
    reads = scope.reader.reads(constraint.fact)
    if reads.steady and not reads.names and reads.locals <= {local}:
        table = []
        for card in range(n):
            scratch[local] = card
            table.append(fn(State.__new__(State)))
        return lambda s, token: table[token % n]

    def fact(s: State, token: int) -> Any:
        scratch[local] = token % n
        return fn(s)

    return fact


class CardsFit:
    """So many cards under constraints."""

    def __init__(self, scope: Scope, part: p.CardsPart) -> None:
        self.low, self.high, self.maximal = part.low, part.high, part.maximal
        self.n = len(scope.setup.pack)
        self.ranks = scope.card_facts["rank"]
        by_kind: dict[str, list[p.Constraint]] = {}
        for constraint in part.constraints:
            by_kind.setdefault(constraint.kind, []).append(constraint)
        self.same = [fact_of(scope, c) for c in by_kind.get("same", ())]
        self.same_rank = any(is_rank(c) for c in by_kind.get("same", ()))
        self.different = [fact_of(scope, c) for c in by_kind.get("different", ())]
        self.each = [fact_of(scope, c) for c in by_kind.get("each", ())]
        self.where = [(scope.compile(c.fact), c.local) for c in by_kind.get("where", ())]
        self.runs = [(fact_of(scope, c), order_of(scope, c)) for c in by_kind.get("consecutive", ())]
        self.scratch = scope.scratch

    def fits(self, s: State, cards: Tokens) -> bool:
        size = len(cards)
        if size < self.low or (self.high is not None and size > self.high):
            return False
        return (
            all(fact(s, card) for fact in self.each for card in cards)
            and all(len({fact(s, card) for card in cards}) <= 1 for fact in self.same)
            and all(fact(s, card) is not None for fact in self.same for card in cards)
            and self.distinct(s, cards)
            and all(any(tops(s, cards, fact, order)) for fact, order in self.runs)
            and self.holds(s, cards)
        )

    def distinct(self, s: State, cards: Tokens) -> bool:
        for fact in self.different:
            values = [fact(s, card) for card in cards]
            if None in values or len(set(values)) < len(values):
                return False
        return True

    def holds(self, s: State, cards: Tokens) -> bool:
        """The conditions about the set."""
        for condition, local in self.where:
            self.scratch[local] = tuple(sorted(card % self.n for card in cards))
            if not condition(s):
                return False
        return True

    def find(self, s: State, cards: Tokens) -> Iterator[Tokens]:
        if not self.maximal:
            yield from self.all(s, cards)
            return
        found = sorted(set(self.all(s, cards)), key=len, reverse=True)
        kept: list[frozenset[int]] = []
        for instance in found:
            whole = frozenset(instance)
            if not any(whole < other for other in kept):
                kept.append(whole)
                yield instance

    def all(self, s: State, cards: Tokens) -> Iterator[Tokens]:
        pool = [card for card in cards if all(fact(s, card) for fact in self.each)]
        for group in self.groups(s, pool):
            for chosen in self.runs_in(s, group) if self.runs else self.sizes(group):
                if self.distinct(s, chosen) and self.holds(s, chosen) and self.more_runs(s, chosen):
                    yield chosen

    def groups(self, s: State, pool: list[int]) -> list[list[int]]:
        """The cards parted by what must be the same."""
        groups = [pool]
        for fact in self.same:
            parted: list[list[int]] = []
            for group in groups:
                values: dict[Any, list[int]] = {}
                for card in group:
                    value = fact(s, card)
                    if value is not None:
                        values.setdefault(value, []).append(card)
                parted += values.values()
            groups = parted
        return groups

    def sizes(self, group: Sequence[int]) -> Iterator[Tokens]:
        most = len(group) if self.high is None else min(self.high, len(group))
        for size in range(self.low, most + 1):
            yield from combinations(group, size)

    def runs_in(self, s: State, group: Sequence[int]) -> Iterator[Tokens]:
        """Sets of the group that stand in a row by the first order."""
        fact, order = self.runs[0]
        held: dict[Any, list[int]] = {}
        for card in group:
            value = fact(s, card)
            if value is not None:
                held.setdefault(value, []).append(card)
        row = order if order is not None else tuple(range(min(held), max(held) + 1)) if held else ()
        for start in range(len(row)):
            choices: list[list[int]] = []
            taken: set[Any] = set()
            for place in range(start, len(row)):
                value = row[place]
                if value not in held or value in taken:
                    break
                taken.add(value)
                choices.append(held[value])
                size = len(choices)
                if self.high is not None and size > self.high:
                    break
                if size >= self.low:
                    for chosen in product(*choices):
                        yield tuple(sorted(chosen))

    def more_runs(self, s: State, cards: Tokens) -> bool:
        return all(any(tops(s, cards, fact, order)) for fact, order in self.runs[1:])

    def keys(self, s: State, cards: Tokens) -> Iterator[tuple[Any, ...]]:
        if not self.fits(s, cards):
            return
        if self.runs:
            fact, order = self.runs[0]
            for top in tops(s, cards, fact, order):
                yield (top,)
        elif self.same_rank and cards:
            yield (self.ranks[cards[0] % self.n],)
        else:
            yield tuple(sorted((self.ranks[card % self.n] for card in cards), reverse=True))


def is_rank(constraint: p.Constraint) -> bool:
    return isinstance(constraint.fact, e.CardFact) and constraint.fact.fact == "rank"


def order_of(scope: Scope, constraint: p.Constraint) -> tuple[Any, ...] | None:
    """The row that a named order gives; None: the values themselves."""
    return scope.program.orders[constraint.order] if constraint.order is not None else None


def tops(s: State, cards: Tokens, fact: Place, order: tuple[Any, ...] | None) -> Iterator[Any]:
    """For each way the cards stand in a row, from 1 the place of the last of them."""
    values = [fact(s, card) for card in cards]
    wanted = set(values)
    if None in wanted or len(wanted) < len(values) or not values:
        return
    if order is None:
        if max(values) - min(values) == len(values) - 1:
            yield max(values) + 1
        return
    for start in range(len(order) - len(values) + 1):
        if set(order[start : start + len(values)]) == wanted:
            yield start + len(values)


class WithFit:
    """Disjoint parts that together are the whole set."""

    def __init__(self, parts: Sequence[Fit]) -> None:
        self.first, self.rest = parts[0], WithFit(parts[1:]) if len(parts) > 1 else None

    def fits(self, s: State, cards: Tokens) -> bool:
        if self.rest is None:
            return self.first.fits(s, cards)
        return any(self.rest.fits(s, without(cards, some)) for some in with_empty(self.first, s, cards))

    def find(self, s: State, cards: Tokens) -> Iterator[Tokens]:
        if self.rest is None:
            yield from with_empty(self.first, s, cards)
            return
        for some in set(with_empty(self.first, s, cards)):
            for others in self.rest.find(s, without(cards, some)):
                yield tuple(sorted(some + others))

    def readings(self, s: State, cards: Tokens) -> Iterator[list[tuple[int, tuple[Any, ...]]]]:
        """For each way to part the cards, size and key of each part."""
        if self.rest is None:
            for key in self.first.keys(s, cards):
                yield [(len(cards), key)]
            return
        for some in set(with_empty(self.first, s, cards)):
            left = without(cards, some)
            if self.rest.fits(s, left):
                for key in self.first.keys(s, some):
                    for others in self.rest.readings(s, left):
                        yield [(len(some), key), *others]

    def keys(self, s: State, cards: Tokens) -> Iterator[tuple[Any, ...]]:
        for parts in self.readings(s, cards):
            ordered = sorted(parts, key=lambda part: part, reverse=True)  # biggest first, then strongest
            yield tuple(value for _, key in ordered for value in key)


def with_empty(part: Fit, s: State, cards: Tokens) -> Iterator[Tokens]:
    """Instances inside the cards, the empty one too if it is one (`0..3 cards`)."""
    if part.fits(s, ()):
        yield ()
    for found in part.find(s, cards):
        if found:
            yield found


def without(cards: Tokens, some: Tokens) -> Tokens:
    gone = set(some)
    return tuple(card for card in cards if card not in gone)


class OrFit:
    """One of several alternatives."""

    def __init__(self, parts: Sequence[Fit]) -> None:
        self.parts = parts

    def fits(self, s: State, cards: Tokens) -> bool:
        return any(part.fits(s, cards) for part in self.parts)

    def find(self, s: State, cards: Tokens) -> Iterator[Tokens]:
        for part in self.parts:
            yield from part.find(s, cards)

    def keys(self, s: State, cards: Tokens) -> Iterator[tuple[Any, ...]]:
        for number, part in enumerate(self.parts):
            for key in part.keys(s, cards):
                yield (number, *key)


class RepeatedFit:
    """So many disjoint instances of one part, under constraints on what the cards of each share."""

    def __init__(self, scope: Scope, part: p.RepeatedPart, inner: Fit) -> None:
        self.low, self.high, self.inner = part.low, part.high, inner
        self.n = len(scope.setup.pack)
        self.wild: Fn | None = getattr(inner, "wild", None)
        self.scratch = scope.scratch
        kinds: dict[str, list[p.Constraint]] = {}
        for constraint in part.constraints:
            kinds.setdefault(constraint.kind, []).append(constraint)
        self.same = [fact_of(scope, c) for c in kinds.get("same", ())]
        self.different = [fact_of(scope, c) for c in kinds.get("different", ())]
        self.each = [fact_of(scope, c) for c in kinds.get("each", ())]
        self.where = [(scope.compile(c.fact), c.local) for c in kinds.get("where", ())]
        self.runs = [(fact_of(scope, c), order_of(scope, c)) for c in kinds.get("consecutive", ())]

    def head(self, s: State, part: Tokens) -> int:
        """The card whose facts all of an instance share: no wild one, if it has another."""
        if self.wild is None:
            return part[0]
        wild = self.wild(s)
        return next((card for card in part if card not in wild), part[0])

    def allowed(self, s: State, parts: Sequence[Tokens]) -> bool:
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
        if not all(any(tops(s, heads, fact, order)) for fact, order in self.runs):
            return False
        for condition, local in self.where:
            self.scratch[local] = tuple(sorted(card % self.n for card in cards))
            if not condition(s):
                return False
        return True

    def covers(self, s: State, cards: Tokens) -> Iterator[list[Tokens]]:
        """Ways to part all the cards into instances."""
        instances = sorted({found for found in self.inner.find(s, cards) if found})
        by_first: dict[int, list[Tokens]] = {}
        for instance in instances:
            by_first.setdefault(instance[0], []).append(instance)

        def cover(left: Tokens, parts: list[Tokens]) -> Iterator[list[Tokens]]:
            if not left:
                if len(parts) >= self.low and self.allowed(s, parts):
                    yield parts
                return
            if self.high is not None and len(parts) >= self.high:
                return
            rest = set(left)
            for instance in by_first.get(left[0], ()):
                if rest.issuperset(instance):
                    yield from cover(without(left, instance), [*parts, instance])

        yield from cover(cards, [])

    def fits(self, s: State, cards: Tokens) -> bool:
        if not cards:
            return self.low == 0
        return next(self.covers(s, cards), None) is not None

    def find(self, s: State, cards: Tokens) -> Iterator[Tokens]:
        instances = sorted({found for found in self.inner.find(s, cards) if found})
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

    def hopeless(self, s: State, parts: Sequence[Tokens], more: Tokens) -> bool:
        """No set with these parts can ever fulfil the constraints."""
        heads = [self.head(s, part) for part in (*parts, more)]
        if any(len({fact(s, head) for head in heads}) > 1 for fact in self.same):
            return True
        for fact in (*self.different, *(fact for fact, _ in self.runs)):
            values = [fact(s, head) for head in heads]
            if None in values or len(set(values)) < len(values):
                return True
        return False

    def keys(self, s: State, cards: Tokens) -> Iterator[tuple[Any, ...]]:
        for parts in self.covers(s, cards):
            if self.runs:
                fact, order = self.runs[0]
                for top in tops(s, tuple(self.head(s, part) for part in parts), fact, order):
                    yield (top,)
            else:
                each = [max(self.inner.keys(s, part)) for part in parts]
                yield tuple(value for key in sorted(each, reverse=True) for value in key)
