"""Expressions over collections."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from rulekit.compiled import fold, lir
from rulekit.compiled.builder import Unsupported, is_something
from rulekit.compiled.collections import (
    BitsColl,
    Coll,
    EmptyColl,
    FilterColl,
    FlatColl,
    MappedColl,
    NumbersColl,
    OneColl,
    RoundColl,
    within,
)
from rulekit.compiled.context import Lower, lowers
from rulekit.compiled.domains import Domain
from rulekit.compiled.fold import FALSE, TRUE
from rulekit.compiled.hoist import hoisted
from rulekit.compiled.keys import Key
from rulekit.compiled.lir import NONE, Expr, Int
from rulekit.compiled.lists import listed
from rulekit.compiled.predicates import key_table, worked_out
from rulekit.compiled.ranges import ANY, TRUTH, Span
from rulekit.compiled.scalars import narrowed
from rulekit.compiled.weights import MOST_COUNTS, weighed, weight_masks
from rulekit.program import expressions as e
from rulekit.program import types as t


def domain_or_none(lower: Lower, of: t.Type) -> Domain | None:
    try:
        return lower.domain(of)
    except Unsupported:
        return None


def inner(x: e.Expr) -> t.Type:
    """The type of the elements of a collection."""
    assert isinstance(x.type, t.Collection), "a collection"
    return x.type.of


def set_bits(lower: Lower, coll: Coll, x: e.Expr) -> Expr:
    """A collection as a bit set of the domain of its type."""
    if isinstance(coll, EmptyColl):
        return fold.empty(lower.domain(inner(x)).kind)
    return coll.bits(lower)


def converted(lower: Lower, bits: Expr, source: Domain | None, target: Domain) -> Expr:
    """A set of numbers in a wider or other domain."""
    if source is None or source == target:
        return bits
    b = lower.b
    found = b.var(target.kind)
    b.set(found, fold.empty(target.kind))
    var = b.var(span=Span(0, source.width - 1))
    with b.collect() as stmts:
        member = b.atom(target.member(source.value(lir.Get(var))))
        with b.when(within(lower, member, target)):
            b.set(found, fold.unite(lir.Get(found), fold.single(member, target.kind)))
    b.emit(lir.ForBits(var, bits, tuple(stmts)))
    return lir.Get(found)


def common_domain(lower: Lower, one: Coll, other: Coll, x: e.Expr) -> Domain:
    if one.domain == other.domain and one.domain is not None:
        return one.domain
    known = [d for d in (one.domain, other.domain) if d is not None]
    if not known:
        return lower.domain(inner(x))
    first = min(d.first for d in known)
    return Domain(max(d.first + d.width for d in known) - first, first)


def aligned(lower: Lower, coll: Coll, domain: Domain) -> Expr:
    if isinstance(coll, EmptyColl):
        return fold.empty(domain.kind)
    return converted(lower, coll.bits(lower), coll.domain, domain)


# ---------------------------------------------------------------- making


@lowers(e.Deck)
def _deck(lower: Lower, x: e.Deck) -> Any:
    domain = lower.domain(t.CARD)
    return BitsColl(fold.full(domain.kind), domain)


@lowers(e.Players)
def _players(lower: Lower, x: e.Players) -> Any:
    domain = lower.domain(t.PLAYER)
    return BitsColl(fold.full(domain.kind), domain)


@lowers(e.Teams)
def _teams(lower: Lower, x: e.Teams) -> Any:
    domain = lower.domain(t.TEAM)
    return BitsColl(fold.full(domain.kind), domain)


@lowers(e.One)
def _one(lower: Lower, x: e.One) -> Any:
    value = lower.value(x.of)
    if not isinstance(value, Expr):
        raise Unsupported("a collection of keys or sets", x.span)
    return OneColl(lower.b.still(value), lower.domain(x.of.type))


@lowers(e.Numbers)
def _numbers(lower: Lower, x: e.Numbers) -> Any:
    low = lower.b.atom(lower.needed(x.low, "the lower end of the range"))
    high = lower.b.atom(lower.needed(x.high, "the upper end of the range"))
    spans = lower.b.ranges.of(low), lower.b.ranges.of(high)
    domain = None
    if spans[1].high - spans[0].low < 256:
        domain = Domain(max(1, spans[1].high - spans[0].low + 1), spans[0].low)
    return NumbersColl(low, high, domain)


@lowers(e.Rounds)
def _rounds(lower: Lower, x: e.Rounds) -> Any:
    players = lower.coll(x.players)
    domain = lower.domain(t.PLAYER)
    bits = lower.b.atom(set_bits(lower, players, x.players))
    start = lower.b.atom(lower.needed(x.start, "the player to start with"))
    return RoundColl(bits, start, domain)


# ---------------------------------------------------------------- combining


@lowers(e.Union)
def _union(lower: Lower, x: e.Union) -> Any:
    left, right = lower.coll(x.left), lower.coll(x.right)
    domain = common_domain(lower, left, right, x)
    one = aligned(lower, left, domain)
    return BitsColl(fold.unite(one, aligned(lower, right, domain)), domain)


@lowers(e.Intersection)
def _intersection(lower: Lower, x: e.Intersection) -> Any:
    return left_of(lower, x, inside=True)


@lowers(e.Difference)
def _difference(lower: Lower, x: e.Difference) -> Any:
    return left_of(lower, x, inside=False)


def left_of(lower: Lower, x: e.Intersection | e.Difference, *, inside: bool) -> Coll:
    """The elements of the left that are, or are not, among the right; their order is kept."""
    left, right = lower.coll(x.left), lower.coll(x.right)
    if left.ordered:
        domain = left.domain or lower.domain(inner(x))
        other = lower.b.atom(aligned(lower, right, domain))

        def stays(value: Expr) -> Expr:
            there = fold.has(other, domain.member(value))
            return there if inside else fold.negate(there)

        return FilterColl(left, stays)
    domain = common_domain(lower, left, right, x)
    one = aligned(lower, left, domain)
    two = aligned(lower, right, domain)
    return BitsColl(fold.intersect(one, two) if inside else fold.without(one, two), domain)


@lowers(e.Filter)
def _filter(lower: Lower, x: e.Filter) -> Any:
    return filtered_by(lower, lower.coll(x.domain), x.local, x.condition)


def filtered_by(lower: Lower, base: Coll, local: int, condition: e.Expr) -> Coll:
    """What must hold at all is looked at first, so that masks narrow what loops go through."""
    if isinstance(base, EmptyColl):
        return base
    if isinstance(condition, e.And):
        return filtered_by(lower, filtered_by(lower, base, local, condition.left), local, condition.right)
    env, me = dict(lower.env), lower.me

    def holds(value: Any) -> Expr:
        outer_env, outer_me = lower.env, lower.me
        lower.env, lower.me = {**env, local: lower.element(local, value)}, me
        try:
            return lower.condition(condition)
        finally:
            lower.env, lower.me = outer_env, outer_me

    return FilterColl(base, holds)


@lowers(e.Collect)
def _collect(lower: Lower, x: e.Collect) -> Any:
    base = lower.coll(x.domain)
    if isinstance(base, EmptyColl):
        return base
    if isinstance(base, OneColl) and not x.flatten and not isinstance(x.value.type, t.Key | t.Collection):
        return _of_one(lower, base, x)
    env, me = dict(lower.env), lower.me
    bag = isinstance(x.type, t.BagOf)

    def value(item: Any) -> Any:
        outer_env, outer_me = lower.env, lower.me
        lower.env, lower.me = {**env, x.local: lower.element(x.local, item)}, me
        try:
            return lower.value(x.value)
        finally:
            lower.env, lower.me = outer_env, outer_me

    of = inner(x)
    if x.flatten:
        flat = FlatColl(base, value, domain_or_none(lower, of))
        return flat if bag else BitsColl(lower.b.atom(flat.bits(lower)), lower.domain(of))
    if bag:
        return MappedColl(base, value, domain_or_none(lower, of))
    mapped = MappedColl(base, value, lower.domain(of))
    return BitsColl(lower.b.atom(mapped.bits(lower)), lower.domain(of))


def _of_one(lower: Lower, base: OneColl, x: e.Collect) -> Any:
    """The value for the one element, if there is one."""
    from rulekit.compiled.scalars import chosen

    def value() -> Any:
        with lower.bound(x.local, base.value):
            return lower.value(x.value)

    some = base.some(lower)
    made = chosen(lower, some, value, lambda: Int(NONE))
    if isinstance(x.type, t.BagOf):
        # A none that is there counts; one that is not does not.
        return MappedColl(base, lambda _: made, domain_or_none(lower, inner(x)))
    return OneColl(lower.b.still(made), domain_or_none(lower, inner(x)))


# ---------------------------------------------------------------- asking


@lowers(e.Contains)
def _contains(lower: Lower, x: e.Contains) -> Any:
    item = lower.num(x.item)
    coll = lower.coll(x.collection)
    if not lower.b.ranges.of(item).none:
        return coll.contains(lower, item)
    item = lower.b.still(item)
    from rulekit.compiled.scalars import lazily

    return lazily(lower, is_something(item), lambda: coll.contains(lower, item), stop=False)


@lowers(e.Subset)
def _subset(lower: Lower, x: e.Subset) -> Any:
    part, whole = lower.coll(x.part), lower.coll(x.whole)
    domain = common_domain(lower, part, whole, x.part)
    one = aligned(lower, part, domain)
    return fold.negate(fold.some(fold.without(one, aligned(lower, whole, domain))))


@lowers(e.Count)
def _count(lower: Lower, x: e.Count) -> Any:
    return lower.coll(x.of).count(lower)


@lowers(e.AnyOf)
def _any_of(lower: Lower, x: e.AnyOf) -> Any:
    coll = lower.coll(x.of)
    if isinstance(coll, MappedColl) and isinstance(x.of.type, t.BagOf) and isinstance(x.of.type.of, t.Bool):
        bag = coll

        def holds(item: Expr) -> Expr:
            value = bag.value(item)
            return fold.equal(value, TRUE) if lower.b.ranges.of(value).none else value

        return FilterColl(coll.base, holds).some(lower)
    return coll.some(lower)


@lowers(e.Every)
def _every(lower: Lower, x: e.Every) -> Any:
    base = lower.coll(x.domain)
    if isinstance(base, EmptyColl):
        return TRUE
    misses = filtered_by(lower, base, x.local, e.Not(x.condition, type=t.BOOL))
    return fold.negate(misses.some(lower))


@lowers(e.Only)
def _only(lower: Lower, x: e.Only) -> Any:
    return lower.coll(x.of).only(lower)


@lowers(e.End)
def _end(lower: Lower, x: e.End) -> Any:
    return lower.coll(x.of).end(lower, x.last)


# ---------------------------------------------------------------- sums and extremes


@lowers(e.Sum)
def _sum(lower: Lower, x: e.Sum) -> Any:
    coll = lower.coll(x.of)
    b = lower.b
    if isinstance(coll, MappedColl) and coll.base.domain is not None and coll.base.distinct:
        quick = None if isinstance(coll.base, EmptyColl) else _by_counting(lower, coll)
        if quick is not None:
            return quick
    total = b.var(span=Span(-(2**31) + 1, 2**31 - 1))
    b.set(total, FALSE)
    none = b.var(span=TRUTH)
    mark = len(b.statements)
    most = [0, 0]

    table: list[int] = []

    def add(value: Expr) -> None:
        span = b.ranges.of(value)
        if isinstance(value, lir.Lookup) and not span.none:
            table.extend(next(t.values for t in b.tables.values() if t.name == value.table))
        most[:] = [min(most[0], span.low), max(most[1], span.high)]
        if span.none:
            value = b.atom(value)
            with b.collect() as stmts:
                b.set(total, narrowed(lower, "+", lir.Get(total), value, x.span))
            b.if_(is_something(value), stmts, [lir.Let(none, TRUE)])
            most[0] = -(2**40)
        else:
            # Sums of what lies in one pack are far from 32 bits; others are looked at.
            if max(abs(span.low), abs(span.high)) <= 2**20:
                b.set(total, fold.add(lir.Get(total), value))
            else:
                b.set(total, narrowed(lower, "+", lir.Get(total), value, x.span))

    coll.loop(lower, add)
    count = 256
    if most[0] == -(2**40):
        b.statements.insert(mark, lir.Let(none, FALSE))
        return fold.choose(lir.Get(none), Int(NONE), lir.Get(total))
    b.ranges.vars[total.number] = Span(max(-(2**31) + 1, most[0] * count), min(2**31 - 1, most[1] * count))
    base = coll.base if isinstance(coll, MappedColl) else coll
    if table and base.distinct and base.domain is not None and base.domain.width == len(table):
        # Each member counts at most once.
        low, high = sum(v for v in table if v < 0), sum(v for v in table if v > 0)
        b.ranges.vars[total.number] = Span(low, high)
    return lir.Get(total)


def _by_counting(lower: Lower, coll: MappedColl) -> Expr | None:
    """The sum of printed values of members of a set: counts of masks."""
    b = lower.b
    domain = coll.base.domain
    assert domain is not None
    var = b.var(span=Span(0, domain.width - 1))
    with b.collect() as stmts:
        value = coll.value(domain.value(lir.Get(var)))
    if stmts or not isinstance(value, Expr):
        return None  # (statements that are the same for all are hoisted where the sum is a loop)
    rows = worked_out(lower, [value], var, domain.width)
    if rows is None or any(v == NONE for (v,) in rows):
        return None
    weights = [weight for (weight,) in rows]
    masks = weight_masks(weights)
    if len(masks) > MOST_COUNTS:
        return None
    total = weighed(b.atom(coll.base.bits(lower)), masks)
    found = b.var(span=Span(sum(w for w in weights if w < 0), sum(w for w in weights if w > 0)))
    b.set(found, total)
    return lir.Get(found)


@lowers(e.Best)
def _best(lower: Lower, x: e.Best) -> Any:
    coll = lower.coll(x.of)
    if isinstance(coll, EmptyColl):
        return Int(NONE)
    b = lower.b
    found: list[lir.Var] = []
    first = b.var(span=TRUTH)
    mark = len(b.statements)

    def note(value: Any) -> None:
        key = value if isinstance(value, Key) else Key((value,))
        parts = Key(tuple(b.atom(part) for part in key.parts))
        if not found:
            found.extend(b.var(span=Span(-(2**31) + 1, 2**31 - 1, True)) for _ in parts.parts)
        kept = Key(tuple(lir.Get(var) for var in found))
        better = parts.above(kept) if x.largest else kept.above(parts)
        better = fold.either(lir.Get(first), better)
        sets = [lir.Let(var, part) for var, part in zip(found, parts.parts, strict=True)]
        b.if_(better, [*sets, lir.Let(first, FALSE)])
        if len(found) == 1:
            spans.append(b.ranges.of(parts.parts[0]))

    spans: list[Span] = []
    coll.loop(lower, note)
    starts: list[lir.Stmt] = [lir.Let(first, TRUE), *(lir.Let(var, Int(NONE)) for var in found)]
    b.statements[mark:mark] = starts
    if not found:
        return Int(NONE)
    if spans:
        b.ranges.vars[found[0].number] = Span(min(s.low for s in spans), max(s.high for s in spans), True)
    values = tuple(lir.Get(var) for var in found)
    return values[0] if len(values) == 1 and not isinstance(_of(x.of), t.Key) else Key(values)


def _of(x: e.Expr) -> t.Type:
    of = inner(x)
    return of.of if isinstance(of, t.Optional) else of


@lowers(e.Extreme)
def _extreme(lower: Lower, x: e.Extreme) -> Any:
    base = lower.coll(x.domain)
    every = x.kind.startswith("all_")
    if isinstance(base, EmptyColl):
        return base if every else Int(NONE)
    if base.domain is None:
        if base.sets is not None or every:
            raise Unsupported("the extreme of a collection of sets", x.span)
        return extreme_number(lower, x, base)
    b, domain = lower.b, base.domain
    highest = x.kind.endswith("highest")
    chosen = b.var(span=Span(domain.first, domain.first + domain.width - 1, True))
    members = b.var(domain.kind)
    found: list[lir.Var] = []
    mark = len(b.statements)

    def note(value: Expr) -> None:
        key = keyed_by(lower, x, value, domain)
        parts = Key(tuple(b.atom(part) for part in key.parts))
        if not found:
            found.extend(b.var(span=Span(-(2**31) + 1, 2**31 - 1, True)) for _ in parts.parts)
        kept = Key(tuple(lir.Get(var) for var in found))
        first = fold.negate(fold.some(lir.Get(members))) if every else fold.equal(lir.Get(chosen), Int(NONE))
        better = fold.either(first, parts.above(kept) if highest else kept.above(parts))
        sets: list[lir.Stmt] = [lir.Let(var, part) for var, part in zip(found, parts.parts, strict=True)]
        if not every:
            b.if_(better, [*sets, lir.Let(chosen, value)])
            return
        one = fold.single(domain.member(value), domain.kind)
        more = lir.Let(members, fold.unite(lir.Get(members), one))
        with b.collect() as stmts:
            b.if_(parts.same(kept), [more])
        b.if_(better, [*sets, lir.Let(members, one)], stmts)

    base.loop(lower, note)
    starts: list[lir.Stmt] = [lir.Let(var, Int(NONE)) for var in found]
    starts.append(lir.Let(members, fold.empty(domain.kind)) if every else lir.Let(chosen, Int(NONE)))
    b.statements[mark:mark] = starts
    return BitsColl(lir.Get(members), domain) if every else lir.Get(chosen)


def extreme_number(lower: Lower, x: e.Extreme, base: Coll) -> Expr:
    """The first number, of those of a wide range, with the greatest or least key."""
    b = lower.b
    chosen = b.var(span=ANY)
    found: list[lir.Var] = []
    mark = len(b.statements)

    def note(value: Expr) -> None:
        with lower.bound(x.local, value):
            parts = Key(tuple(b.atom(part) for part in lower.key(x.key).parts))
        if not found:
            found.extend(b.var(span=ANY) for _ in parts.parts)
        kept = Key(tuple(lir.Get(var) for var in found))
        above = parts.above(kept) if x.kind.endswith("highest") else kept.above(parts)
        sets = [lir.Let(var, part) for var, part in zip(found, parts.parts, strict=True)]
        better = fold.either(fold.equal(lir.Get(chosen), Int(NONE)), above)
        b.if_(better, [*sets, lir.Let(chosen, value)])

    base.loop(lower, note)
    b.statements[mark:mark] = [lir.Let(var, Int(NONE)) for var in (*found, chosen)]
    return lir.Get(chosen)


def keyed_by(lower: Lower, x: e.Extreme, value: Expr, domain: Domain) -> Key:
    """The key of an element; from a table if it can be told beforehand."""
    b = lower.b
    with b.collect() as stmts, lower.bound(x.local, value):
        key = lower.key(x.key)
    if isinstance(value, lir.Get):
        before, rest = hoisted(stmts, [value.var])
        b.emit(*before)
        stmts = rest
    if stmts or not (isinstance(value, lir.Get) and domain.first == 0):
        b.emit(*stmts)
        return key
    table = key_table(lower, key.parts, value.var, domain.width)
    return key if table is None else Key((table,))


@lowers(e.Random)
def _random(lower: Lower, x: e.Random) -> Any:
    """Chance is drawn only where there is something to draw from."""
    coll = lower.coll(x.domain)
    if isinstance(coll, EmptyColl):
        return Int(NONE)
    b = lower.b
    if coll.sets:
        raise Unsupported("a random element of a collection of sets", x.span)
    domain = coll.domain
    among = ANY if domain is None else Span(domain.first, domain.first + domain.width - 1)
    found = b.var(span=replace(among, none=True))
    drawn = b.var()
    if isinstance(coll, NumbersColl) and domain is None:
        low = b.atom(coll.low)
        count = coll.count(lower)
        value = fold.add(low, lir.Get(drawn))
        among = Span(b.ranges.of(coll.low).low, b.ranges.of(coll.high).high)
    elif not coll.ordered and coll.distinct and domain is not None:
        bits = b.atom(coll.bits(lower))
        count = fold.count(bits)
        value = domain.value(lir.Nth(bits, lir.Get(drawn)))
    else:
        written = listed(lower, coll)
        count = written.length
        value = b.load(written.field, lir.Get(drawn))
    count = b.atom(count)
    if isinstance(count, Int) and count.value > 0:
        b.emit(lir.Draw(drawn, count), lir.Let(found, value))
        b.ranges.vars[found.number] = among
        return lir.Get(found)
    b.set(found, Int(NONE))
    b.if_(fold.binary(">", count, FALSE), [lir.Draw(drawn, count), lir.Let(found, value)])
    return lir.Get(found)
