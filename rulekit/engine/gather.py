"""Expressions over collections: sets, sequences, bags and selections."""

from __future__ import annotations

from itertools import combinations
from math import comb
from typing import Any

from rulekit.engine import chance
from rulekit.engine.evaluate import Fn, Scope, always, maker, needed, sortable
from rulekit.engine.fault import FORCED_CHANCE, MOST_WAYS, TOO_MANY, FaultError
from rulekit.engine.state import State
from rulekit.program import expressions as e
from rulekit.program import types as t


@maker(e.One)
def _one(scope: Scope, x: e.One) -> Fn:
    of = scope.compile(x.of)
    return lambda s: () if (value := of(s)) is None else (value,)


@maker(e.Numbers)
def _numbers(scope: Scope, x: e.Numbers) -> Fn:
    low = needed(scope.compile(x.low), x.low, "the lower end of the range")
    high = needed(scope.compile(x.high), x.high, "the upper end of the range")
    return lambda s: tuple(range(low(s), high(s) + 1))


@maker(e.Contains)
def _contains(scope: Scope, x: e.Contains) -> Fn:
    item, collection = scope.compile(x.item), scope.compile(x.collection)
    return lambda s: (value := item(s)) is not None and value in collection(s)


@maker(e.Subset)
def _subset(scope: Scope, x: e.Subset) -> Fn:
    part, whole = scope.compile(x.part), scope.compile(x.whole)
    return lambda s: set(part(s)) <= set(whole(s))


@maker(e.Union)
def _union(scope: Scope, x: e.Union) -> Fn:
    left, right = scope.compile(x.left), scope.compile(x.right)
    return lambda s: tuple(sorted({*left(s), *right(s)}))


@maker(e.Intersection)
def _intersection(scope: Scope, x: e.Intersection) -> Fn:
    left, right = scope.compile(x.left), scope.compile(x.right)

    def common(s: State) -> Any:
        ordered, other = left(s), right(s)
        return tuple([value for value in ordered if value in other])

    return common


@maker(e.Difference)
def _difference(scope: Scope, x: e.Difference) -> Fn:
    left, right = scope.compile(x.left), scope.compile(x.right)

    def rest(s: State) -> Any:
        ordered, other = left(s), right(s)
        return tuple([value for value in ordered if value not in other])

    return rest


@maker(e.Filter)
def _filter(scope: Scope, x: e.Filter) -> Fn:
    domain, condition = scope.compile(x.domain), scope.compile(x.condition)
    scratch, local = scope.scratch, x.local

    def where(s: State) -> Any:
        kept = []
        for value in domain(s):
            scratch[local] = value
            if condition(s):
                kept.append(value)
        return tuple(kept)

    return where


@maker(e.Collect)
def _collect(scope: Scope, x: e.Collect) -> Fn:
    domain, value = scope.compile(x.domain), scope.compile(x.value)
    scratch, local = scope.scratch, x.local

    def each(s: State) -> list[Any]:
        found = []
        for item in domain(s):
            scratch[local] = item
            found.append(value(s))
        return found

    if x.flatten:
        if isinstance(x.type, t.BagOf):
            return lambda s: tuple([item for part in each(s) for item in part])
        return lambda s: tuple(sorted({item for part in each(s) for item in part}))
    if isinstance(x.type, t.BagOf):
        return lambda s: tuple(each(s))
    return lambda s: tuple(sorted({item for item in each(s) if item is not None}))


@maker(e.Rounds)
def _rounds(scope: Scope, x: e.Rounds) -> Fn:
    players = scope.compile(x.players)
    start = needed(scope.compile(x.start), x.start, "the player to start with")
    n = scope.setup.players

    def clockwise(s: State) -> Any:
        members, first = players(s), start(s)
        # A member before the start comes after all the others.
        return tuple(sorted(members, key=lambda player: (player - first) % n))

    return clockwise


@maker(e.Extreme)
def _extreme(scope: Scope, x: e.Extreme) -> Fn:
    domain, key = scope.compile(x.domain), sortable(scope.compile(x.key), x.key.type)
    scratch, local = scope.scratch, x.local
    highest = x.kind.endswith("highest")

    def keys(s: State) -> list[tuple[Any, Any]]:
        found = []
        for value in domain(s):
            scratch[local] = value
            found.append((key(s), value))
        return found

    def best(s: State) -> Any:
        chosen = extreme = None
        first = True
        for value in domain(s):
            scratch[local] = value
            this = key(s)
            if first or (this > extreme if highest else this < extreme):
                chosen, extreme, first = value, this, False
        return chosen

    def all_best(s: State) -> Any:
        found = keys(s)
        if not found:
            return ()
        extreme = max(found, key=lambda pair: pair[0])[0] if highest else min(found, key=lambda p: p[0])[0]
        return tuple(sorted(value for this, value in found if this == extreme))

    return all_best if x.kind.startswith("all_") else best


@maker(e.Count)
def _count(scope: Scope, x: e.Count) -> Fn:
    of = scope.compile(x.of)
    return lambda s: len(of(s))


@maker(e.Sum)
def _sum(scope: Scope, x: e.Sum) -> Fn:
    of = scope.compile(x.of)

    def total(s: State) -> Any:
        bag = of(s)
        return None if None in bag else sum(bag)

    return total


@maker(e.Best)
def _best(scope: Scope, x: e.Best) -> Fn:
    of = scope.compile(x.of)
    pick = max if x.largest else min

    def best(s: State) -> Any:
        bag = of(s)
        if None not in bag:
            return pick(bag, default=None)
        # None is lowest, as in every key.
        return pick([value for value in bag if value is not None], default=None) if x.largest else None

    return best


@maker(e.AnyOf)
def _any_of(scope: Scope, x: e.AnyOf) -> Fn:
    of = scope.compile(x.of)
    if isinstance(x.of.type, t.BagOf) and isinstance(x.of.type.of, t.Bool):
        return lambda s: any(of(s))
    return lambda s: bool(of(s))


@maker(e.Every)
def _every(scope: Scope, x: e.Every) -> Fn:
    domain, condition = scope.compile(x.domain), scope.compile(x.condition)
    scratch, local = scope.scratch, x.local

    def every(s: State) -> Any:
        for value in domain(s):
            scratch[local] = value
            if not condition(s):
                return False
        return True

    return every


@maker(e.Only)
def _only(scope: Scope, x: e.Only) -> Fn:
    of = scope.compile(x.of)
    return lambda s: found[0] if len(found := of(s)) == 1 else None


@maker(e.End)
def _end(scope: Scope, x: e.End) -> Fn:
    of, at = scope.compile(x.of), -1 if x.last else 0
    return lambda s: found[at] if (found := of(s)) else None


@maker(e.Stacked)
def _stacked(scope: Scope, x: e.Stacked) -> Fn:
    card, is_pile = scope.compile(x.card), scope.layout.is_pile

    def stacked(s: State) -> Any:
        c = card(s)
        if c is None:
            return ()
        place = s.place[c]
        if not is_pile[place]:
            return (c,)
        cards = s.zones[place]
        return cards[cards.index(c) :]

    return stacked


@maker(e.Selections)
def _selections(scope: Scope, x: e.Selections) -> Fn:
    of = scope.compile(x.of)
    low = needed(scope.compile(x.low), x.low, "the number to select")
    high = always(None) if x.high is None else needed(scope.compile(x.high), x.high, "the number to select")

    def select(s: State) -> Any:
        items = tuple(sorted(of(s)))
        most = high(s)
        least, most = low(s), len(items) if most is None else most
        if len(items) > 10 and how_many(len(items), least, most) > MOST_WAYS:
            raise FaultError(TOO_MANY, f"there are too many sets of these {len(items)}", x.span)
        return subsets(items, least, most)

    return select


def how_many(members: int, low: int, high: int) -> int:
    """How many subsets of so many members have ``low`` to ``high`` of them."""
    return sum(comb(members, size) for size in range(max(low, 0), min(high, members) + 1))


def subsets(items: tuple[int, ...], low: int, high: int) -> tuple[tuple[int, ...], ...]:
    """All subsets of ``low`` to ``high`` of the sorted items, a prefix before its extensions, else the lower
    item first."""
    low, high = max(low, 0), min(high, len(items))
    if low == high:
        return tuple(combinations(items, low))
    found: list[tuple[int, ...]] = []

    def grow(start: int, chosen: tuple[int, ...]) -> None:
        if len(chosen) >= low:
            found.append(chosen)
        if len(chosen) < high:
            for at in range(start, len(items)):
                if len(chosen) + len(items) - at < low:
                    return  # too few items are left
                grow(at + 1, (*chosen, items[at]))

    if low < high:
        grow(0, ())
    return tuple(found)


@maker(e.Random)
def _random(scope: Scope, x: e.Random) -> Fn:
    domain, span = scope.compile(x.domain), x.span
    assert isinstance(x.domain.type, t.Collection)
    kind = x.domain.type.of

    def random(s: State) -> Any:
        values = domain(s)
        if s.draws:
            forced, s.draws = s.draws[0], s.draws[1:]
            if forced not in values:
                raise FaultError(FORCED_CHANCE, f"the result {forced} forced here cannot come up", span)
            return forced
        if not values:
            return None
        if s.chance == chance.OPEN:
            raise chance.Undecided(values, kind)
        s.chance, number = chance.below(s.chance, len(values))
        return values[number]

    return random
