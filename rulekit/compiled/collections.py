"""Collections, as long as they are not needed as a whole: each knows how to go through its elements."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from rulekit.compiled import fold, lir
from rulekit.compiled.builder import Unsupported, is_something
from rulekit.compiled.domains import Domain
from rulekit.compiled.fold import FALSE, TRUE
from rulekit.compiled.lir import NONE, Bits, Expr, Int
from rulekit.compiled.ranges import ANY, LIMIT, TRUTH, Span

if TYPE_CHECKING:
    from rulekit.compiled.context import Lower

Body = Callable[[Expr], None]


class Coll:
    """Several values, in iteration order.

    ``domain``  of the elements: None if they are no members of a bit set (large numbers, keys, sets)
    ``ordered``  the order is not that of the domain
    ``flat``  `loop` writes one loop only, so that `Break` inside leaves it
    ``distinct``  no element comes twice
    ``stands``  what `loop` goes through does not change with the state
    ``sets``  the elements are themselves sets, as bit sets of this kind
    ``countable``  `count` costs less than to go through them
    """

    domain: Domain | None = None
    ordered = False
    flat = True
    distinct = True
    stands = False
    sets: Bits | None = None
    countable = False

    def loop(self, lower: Lower, body: Body) -> None:
        """Writes a loop whose body is written by ``body``, given the element. No `Continue` in it."""
        raise NotImplementedError

    def most(self, lower: Lower) -> int | None:
        """How many elements there are at the most, if that is known beforehand."""
        return self.domain.width if self.domain is not None and self.distinct else None

    # ------------------------------------------------------------ as a whole

    def bits(self, lower: Lower) -> Expr:
        """The elements as a bit set."""
        if self.domain is None:
            raise Unsupported("a collection of sets, or of numbers of a wide range, as a set")
        b, domain = lower.b, self.domain
        found = b.var(domain.kind)
        b.set(found, fold.empty(domain.kind))

        def add(value: Expr) -> None:
            if b.ranges.of(value).none:
                value = b.atom(value)
                with b.when(is_something(value)):
                    b.set(found, fold.unite(lir.Get(found), fold.single(domain.member(value), domain.kind)))
            else:
                b.set(found, fold.unite(lir.Get(found), fold.single(domain.member(value), domain.kind)))

        self.loop(lower, add)
        return lir.Get(found)

    def count(self, lower: Lower) -> Expr:
        if self.distinct and self.domain is not None and not self.ordered:
            return fold.count(self.bits(lower))
        b = lower.b
        total = b.var(span=Span(0, 1 << 20))
        b.set(total, FALSE)
        self.loop(lower, lambda value: b.set(total, fold.add(lir.Get(total), 1)))
        return lir.Get(total)

    def some(self, lower: Lower) -> Expr:
        b = lower.b
        found = b.var(span=TRUTH)
        b.set(found, FALSE)

        def note(value: Expr) -> None:
            b.set(found, TRUE)
            if self.flat:
                b.emit(lir.Break())

        self.loop(lower, note)
        return lir.Get(found)

    def contains(self, lower: Lower, item: Expr) -> Expr:
        """Whether a value, which is not none, is among the elements."""
        if self.domain is not None and not self.ordered:
            member = lower.b.atom(self.domain.member(item))
            inside = within(lower, member, self.domain)
            return fold.both(inside, fold.has(self.bits(lower), member))
        b = lower.b
        item = b.atom(item)
        found = b.var(span=TRUTH)
        b.set(found, FALSE)

        def compare(value: Expr) -> None:
            with b.when(fold.equal(value, item)):
                b.set(found, TRUE)
                if self.flat:
                    b.emit(lir.Break())

        self.loop(lower, compare)
        return lir.Get(found)

    def end(self, lower: Lower, last: bool) -> Expr:
        """The first or last element, or none."""
        if self.domain is not None and not self.ordered:
            bits = lower.b.atom(self.bits(lower))
            some = fold.some(bits)
            found = self.domain.value(fold.highest(bits) if last else fold.lowest(bits))
            return fold.choose(some, found, Int(NONE))
        b = lower.b
        chosen = b.var()
        b.set(chosen, Int(NONE))

        def note(value: Expr) -> None:
            b.set(chosen, value)
            if not last and self.flat:
                b.emit(lir.Break())

        if last or self.flat:
            self.loop(lower, note)
        else:
            self.loop(
                lower, lambda value: b.if_(fold.equal(lir.Get(chosen), Int(NONE)), [lir.Let(chosen, value)])
            )
        if self.domain is not None:
            low = self.domain.first
            b.ranges.vars[chosen.number] = Span(low, low + self.domain.width - 1, True)
        return lir.Get(chosen)

    def only(self, lower: Lower) -> Expr:
        """The single element, or none."""
        if self.domain is not None and self.distinct:
            bits = lower.b.atom(self.bits(lower))
            one = fold.equal(fold.count(bits), TRUE)
            return fold.choose(one, self.domain.value(fold.lowest(bits)), Int(NONE))
        if self.sets is not None:
            raise Unsupported("the only one of several sets")
        b = lower.b
        found, total = b.var(span=ANY), b.var(span=Span(0, 1 << 20))
        b.set(found, Int(NONE))
        b.set(total, FALSE)

        def note(value: Expr) -> None:
            b.set(found, value)
            b.set(total, fold.add(lir.Get(total), 1))

        self.loop(lower, note)
        return fold.choose(fold.equal(lir.Get(total), TRUE), lir.Get(found), Int(NONE))

    def kept(self, lower: Lower) -> Coll:
        """The same elements, from now on independent of what the rules change."""
        if self.domain is not None and not self.ordered and self.distinct:
            return BitsColl(lower.b.atom(self.bits(lower)), self.domain)
        from rulekit.compiled.lists import listed

        return listed(lower, self)


def within(lower: Lower, member: Expr, domain: Domain) -> Expr:
    """A number, not none, is a member of a bit set of the domain at all."""
    span = lower.b.ranges.of(member)
    fits: Expr = TRUE
    if span.low < 0:
        fits = fold.both(fits, fold.binary(">=", member, FALSE))
    if span.high >= domain.width:
        fits = fold.both(fits, fold.binary("<", member, Int(domain.width)))
    return fits


class BitsColl(Coll):
    """Members of a bit set, ascending."""

    def __init__(self, expr: Expr, domain: Domain) -> None:
        assert expr.kind == domain.kind, "a bit set of the domain"
        self.expr, self.domain = expr, domain

    def loop(self, lower: Lower, body: Body) -> None:
        b = lower.b
        assert self.domain is not None
        var = b.var(span=Span(0, self.domain.width - 1))
        with b.collect() as stmts:
            body(self.domain.value(lir.Get(var)))
        if self.expr != fold.empty(self.domain.kind) and stmts:
            b.loop(lambda rest: lir.ForBits(var, self.expr, rest), stmts, var)

    def bits(self, lower: Lower) -> Expr:
        return self.expr

    def some(self, lower: Lower) -> Expr:
        return fold.some(self.expr)


class EmptyColl(Coll):
    """Nothing, of any type."""

    def __init__(self, domain: Domain | None = None) -> None:
        self.domain = domain

    def loop(self, lower: Lower, body: Body) -> None:
        return

    def bits(self, lower: Lower) -> Expr:
        assert self.domain is not None
        return fold.empty(self.domain.kind)

    def count(self, lower: Lower) -> Expr:
        return FALSE

    def some(self, lower: Lower) -> Expr:
        return FALSE

    def contains(self, lower: Lower, item: Expr) -> Expr:
        return FALSE

    def end(self, lower: Lower, last: bool) -> Expr:
        return Int(NONE)

    def only(self, lower: Lower) -> Expr:
        return Int(NONE)

    def kept(self, lower: Lower) -> Coll:
        return self


class ValuesColl(Coll):
    """Values known one by one, all different, in this order."""

    flat = False

    def __init__(self, values: Sequence[Expr], domain: Domain | None) -> None:
        self.values, self.domain = tuple(values), domain

    def loop(self, lower: Lower, body: Body) -> None:
        for value in self.values:
            body(value)


class OneColl(Coll):
    """A value as a collection of one; none as the empty one."""

    flat = False

    def __init__(self, value: Expr, domain: Domain | None) -> None:
        self.value, self.domain = value, domain

    def loop(self, lower: Lower, body: Body) -> None:
        if not lower.b.ranges.of(self.value).none:
            body(self.value)
            return
        value = lower.b.atom(self.value)
        with lower.b.when(is_something(value)):
            body(known_some(lower, value))

    def bits(self, lower: Lower) -> Expr:
        assert self.domain is not None
        member = self.domain.member
        if not lower.b.ranges.of(self.value).none:
            return fold.single(member(self.value), self.domain.kind)
        value = lower.b.still(self.value)
        return fold.choose(
            is_something(value), fold.single(member(value), self.domain.kind), fold.empty(self.domain.kind)
        )

    def count(self, lower: Lower) -> Expr:
        return self.some(lower)

    def some(self, lower: Lower) -> Expr:
        return is_something(self.value) if lower.b.ranges.of(self.value).none else TRUE

    def end(self, lower: Lower, last: bool) -> Expr:
        return self.value

    def only(self, lower: Lower) -> Expr:
        return self.value


def known_some(lower: Lower, value: Expr) -> Expr:
    """The same value under a name that is known to be no none."""
    if isinstance(value, lir.Get):
        span = lower.b.ranges.of(value)
        var = lower.b.var(span=Span(span.low, span.high))
        lower.b.set(var, value)
        return lir.Get(var)
    return value


class PileColl(Coll):
    """The numbers of a pile from place ``start`` (None: from the bottom) up."""

    ordered = True

    def __init__(self, pile: Expr, mask: Expr, domain: Domain, start: Expr | None = None) -> None:
        self.pile, self.mask, self.domain, self.start = pile, mask, domain, start

    def most(self, lower: Lower) -> int:
        return lower.n

    def loop(self, lower: Lower, body: Body) -> None:
        b = lower.b
        at = b.var(span=Span(0, max(255, lower.n)))
        with b.collect() as stmts:
            item = b.var(span=Span(0, max(0, self.domain.width - 1)))  # type: ignore[union-attr]
            b.set(item, lir.PileAt(self.pile, lir.Get(at)))
            body(lir.Get(item))
        b.loop(lambda rest: lir.ForRange(at, self.start or FALSE, lir.PileSize(self.pile), rest), stmts, at)

    def bits(self, lower: Lower) -> Expr:
        return self.mask if self.start is None else super().bits(lower)

    def count(self, lower: Lower) -> Expr:
        size: Expr = lir.PileSize(self.pile)
        return size if self.start is None else fold.binary("-", size, self.start)

    def some(self, lower: Lower) -> Expr:
        return fold.binary(">", self.count(lower), FALSE)

    def contains(self, lower: Lower, item: Expr) -> Expr:
        return fold.has(self.bits(lower), item)

    def end(self, lower: Lower, last: bool) -> Expr:
        place = fold.binary("-", lir.PileSize(self.pile), TRUE) if last else self.start or FALSE
        return fold.choose(self.some(lower), lir.PileAt(self.pile, place), Int(NONE))


class FilterColl(Coll):
    """Elements for which a condition holds, whose order is kept."""

    def __init__(self, base: Coll, condition: Callable[[Expr], Expr]) -> None:
        self.base, self.condition = base, condition
        self.domain, self.ordered = base.domain, base.ordered
        self.flat, self.distinct, self.sets = base.flat, base.distinct, base.sets

    def most(self, lower: Lower) -> int | None:
        return self.base.most(lower)

    def loop(self, lower: Lower, body: Body) -> None:
        def keep(value: Expr) -> None:
            condition = self.condition(value)
            with lower.b.when(condition):
                body(value)

        mask = self.mask(lower)
        if mask is None or self.domain is None:
            self.base.loop(lower, keep)
        else:
            BitsColl(mask, self.domain).loop(lower, body)

    def mask(self, lower: Lower) -> Expr | None:
        """The elements as a bit set, where no loop is needed for it."""
        from rulekit.compiled.predicates import algebra

        if self.domain is None or self.ordered or not self.distinct or isinstance(self.base, FilterColl):
            return None
        mark = len(lower.b.statements)
        base = lower.b.atom(self.base.bits(lower))
        if all(isinstance(stmt, lir.Let) for stmt in lower.b.statements[mark:]):
            mask = algebra(lower, self.domain, self.condition)
            if mask is not None:
                return fold.intersect(base, mask)
        del lower.b.statements[mark:]
        return None

    def bits(self, lower: Lower) -> Expr:
        from rulekit.compiled.predicates import filtered

        if self.base.domain is None:
            return super().bits(lower)
        base = lower.b.atom(self.base.bits(lower))
        return filtered(lower, base, self.base.domain, self.condition)

    def some(self, lower: Lower) -> Expr:
        if self.domain is not None and self.distinct:
            from rulekit.compiled.predicates import algebra

            mark = len(lower.b.statements)
            base = lower.b.atom(self.base.bits(lower))
            mask = algebra(lower, self.domain, self.condition)
            if mask is not None:
                return fold.some(fold.intersect(base, mask))
            del lower.b.statements[mark:]
        return super().some(lower)


class MappedColl(Coll):
    """A value for each element; equal ones all count."""

    distinct = False

    def __init__(self, base: Coll, value: Callable[[Expr], Expr], domain: Domain | None) -> None:
        self.base, self.value, self.domain = base, value, domain
        self.flat = base.flat
        self.ordered = True  # not in the order of the domain

    def most(self, lower: Lower) -> int | None:
        return self.base.most(lower)

    def loop(self, lower: Lower, body: Body) -> None:
        self.base.loop(lower, lambda item: body(self.value(item)))


class FlatColl(Coll):
    """The elements of a collection for each element."""

    flat = False
    distinct = False
    ordered = True

    def __init__(self, base: Coll, part: Callable[[Expr], Coll], domain: Domain | None) -> None:
        self.base, self.part, self.domain = base, part, domain

    def loop(self, lower: Lower, body: Body) -> None:
        self.base.loop(lower, lambda item: self.part(item).loop(lower, body))

    def bits(self, lower: Lower) -> Expr:
        assert self.domain is not None
        b, kind = lower.b, self.domain.kind
        found = b.var(kind)
        b.set(found, fold.empty(kind))
        self.base.loop(
            lower, lambda item: b.set(found, fold.unite(lir.Get(found), self.part(item).bits(lower)))
        )
        return lir.Get(found)


class RoundColl(Coll):
    """Players clockwise from one of them."""

    ordered = True

    def __init__(self, players: Expr, start: Expr, domain: Domain) -> None:
        self.players, self.start, self.domain = players, start, domain

    def loop(self, lower: Lower, body: Body) -> None:
        b = lower.b
        assert self.domain is not None
        n = self.domain.width
        players, start = b.atom(self.players), b.atom(self.start)
        step = b.var(span=Span(0, n - 1))
        with b.collect() as stmts:
            seat = b.var(span=Span(0, n - 1))
            place = fold.add(start, lir.Get(step))
            if isinstance(start, Int):
                b.set(seat, fold.binary("%", place, Int(n)))
            else:
                around = b.let(place)
                b.set(seat, fold.choose(fold.binary(">=", around, Int(n)), fold.add(around, -n), around))
            condition = fold.has(players, lir.Get(seat))
            if players == fold.full(self.domain.kind):
                condition = TRUE
            with b.when(condition):
                body(lir.Get(seat))
        b.loop(lambda rest: lir.ForRange(step, FALSE, Int(n), rest), stmts, step)

    def bits(self, lower: Lower) -> Expr:
        return self.players

    def count(self, lower: Lower) -> Expr:
        return fold.count(self.players)

    def some(self, lower: Lower) -> Expr:
        return fold.some(self.players)

    def contains(self, lower: Lower, item: Expr) -> Expr:
        return fold.has(self.players, item)


class NumbersColl(Coll):
    """All numbers from ``low`` to ``high``."""

    def __init__(self, low: Expr, high: Expr, domain: Domain | None) -> None:
        self.low, self.high, self.domain = low, high, domain

    def most(self, lower: Lower) -> int:
        low, high = lower.b.ranges.of(self.low), lower.b.ranges.of(self.high)
        return max(0, high.high - low.low + 1)

    def loop(self, lower: Lower, body: Body) -> None:
        b = lower.b
        low, high = b.ranges.of(self.low), b.ranges.of(self.high)
        if high.high >= LIMIT:  # one more would be no number of 32 bits
            step = b.var(span=Span(0, LIMIT))
            with b.collect() as stmts:
                body(b.let(fold.binary("+", self.low, lir.Get(step))))
            count = b.atom(self.count(lower))
            b.loop(lambda rest: lir.ForRange(step, FALSE, count, rest), stmts, step)
            return
        var = b.var(span=Span(low.low, max(low.low, high.high)))
        with b.collect() as stmts:
            body(lir.Get(var))
        b.loop(lambda rest: lir.ForRange(var, self.low, fold.add(self.high, 1), rest), stmts, var)

    def kept(self, lower: Lower) -> Coll:
        if self.domain is not None:
            return super().kept(lower)
        low, high = (end if isinstance(end, Int) else lower.b.let(end) for end in (self.low, self.high))
        return NumbersColl(low, high, None)

    def bits(self, lower: Lower) -> Expr:
        if self.domain is None:
            return super().bits(lower)
        b, domain, kind = lower.b, self.domain, self.domain.kind
        low = fold.binary("max", fold.binary("min", domain.member(self.low), Int(domain.width)), FALSE)
        high = fold.binary(
            "max", fold.binary("min", fold.add(domain.member(self.high), 1), Int(domain.width)), FALSE
        )
        low, high = b.atom(low), b.atom(high)
        if isinstance(low, Int) and isinstance(high, Int):
            return lir.Set(
                max(0, (1 << high.value) - (1 << low.value)) if high.value > low.value else 0, kind
            )
        below = fold.empty(kind) if low == FALSE else lir.FirstBits(low, kind)
        return fold.without(lir.FirstBits(high, kind), below)

    def count(self, lower: Lower) -> Expr:
        return fold.binary("max", FALSE, fold.add(fold.binary("-", self.high, self.low), 1))

    def some(self, lower: Lower) -> Expr:
        return fold.binary("<=", self.low, self.high)

    def contains(self, lower: Lower, item: Expr) -> Expr:
        item = lower.b.atom(item)
        return fold.both(fold.binary("<=", self.low, item), fold.binary("<=", item, self.high))

    def end(self, lower: Lower, last: bool) -> Expr:
        return fold.choose(self.some(lower), self.high if last else self.low, Int(NONE))
