"""Rows: cards that stand one after another by a fact or a named order of ranks, over bit sets."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from rulekit.compiled import fold, lir
from rulekit.compiled.builder import Unsupported
from rulekit.compiled.fold import FALSE, TRUE
from rulekit.compiled.lir import NONE, Bits, Expr, Int
from rulekit.compiled.ranges import Span
from rulekit.program import patterns as p

if TYPE_CHECKING:
    from rulekit.compiled.context import Lower


def facts_of(lower: Lower, constraint: p.Constraint) -> list[int]:
    """A constraint's fact for each card; it must be printed on the card."""
    from rulekit.compiled.pattern_parts import printed_values

    values = printed_values(lower, constraint.fact, constraint.local)
    if values is None:
        raise Unsupported("a pattern about a fact that is not printed on the cards", constraint.fact.span)
    return values


MOST_STARTS = 24  #: places that are looked at all at once


class Row:
    """A constraint `consecutive FACT` or `consecutive ORDER`.

    ``order``  the values that follow one another; a rank that is twice in it may take either place, not both
    ``places``  for each place in the order, from 0, the cards that may stand there
    """

    def __init__(self, lower: Lower, constraint: p.Constraint) -> None:
        self.lower, self.b = lower, lower.b
        self.facts = facts_of(lower, constraint)
        self.named = constraint.order is not None
        if constraint.order is not None:
            self.order = list(lower.program.orders[constraint.order])
        else:
            there = [fact for fact in self.facts if fact != NONE]
            self.order = list(range(min(there, default=0), max(there, default=-1) + 1))
        self.twice = len(set(self.order)) < len(self.order)
        self.count = len(self.order)
        self.places = [
            sum(1 << card for card in range(lower.n) if self.facts[card] == value) for value in self.order
        ]
        if any(fact != NONE and fact < 0 for fact in self.facts):
            raise Unsupported("a row of numbers below 0")
        self.values = Bits(max([0, *self.facts, *self.order]) + 1)

    def top(self, cards: Expr, stand_ins: tuple[Expr, ...] = ()) -> Expr:
        """From 1 the place of the last of cards that stand in a row, the highest there is; 0: they stand in
        none.
        """
        b = self.b
        seen, good = b.var(self.values), b.var(span=Span(0, 1))
        top = b.var(span=Span(0, max([0, *self.order]) + self.count + 1))
        b.set(seen, fold.empty(self.values))
        b.set(good, TRUE)
        b.set(top, FALSE)
        size: Expr = fold.count(cards)
        size = fold.add(size, len(stand_ins))
        size = b.atom(size)
        card = b.var(span=Span(0, self.lower.n - 1))

        def look(one: Expr, *leave: lir.Stmt) -> list[lir.Stmt]:
            with b.collect() as stmts:
                value = b.let(b.lookup([max(fact, -1) for fact in self.facts], one))
                bad = fold.either(fold.binary("<", value, FALSE), fold.has(lir.Get(seen), value))
                add = lir.Let(seen, fold.unite(lir.Get(seen), fold.single(value, self.values)))
                b.if_(bad, [lir.Let(good, FALSE), *leave], [add])
            return stmts

        b.emit(lir.ForBits(card, cards, tuple(look(lir.Get(card), lir.Break()))))
        for stand_in in stand_ins:
            b.emit(*look(stand_in))
        with b.when(fold.both(lir.Get(good), fold.binary(">", size, FALSE))):
            self.found_top(lir.Get(seen), size, top)
        return lir.Get(top)

    def found_top(self, seen: Expr, size: Expr, top: lir.Var) -> None:
        b = self.b
        plain = not self.twice and self.order == list(range(self.order[0], self.order[0] + self.count))
        if plain:
            low, high = fold.lowest(seen), b.atom(fold.highest(seen))
            inside = fold.both(
                fold.binary(">=", low, Int(self.order[0])), fold.binary("<=", high, Int(self.order[-1]))
            )
            together = fold.equal(fold.binary("-", high, low), fold.binary("-", size, TRUE))
            place = fold.add(high, 1 - (self.order[0] if self.named else 0))
            b.if_(fold.both(inside, together), [lir.Let(top, place)])
            return
        masks = []
        for length in range(self.count + 1):
            for start in range(self.count):
                window = self.order[start : start + length]
                whole = len(window) == length == len(set(window))
                masks.append(sum(1 << value for value in window) if whole else 0)
        start_var = b.var(span=Span(0, self.count))
        with b.collect() as each:
            at = fold.binary("+", fold.binary("*", size, Int(self.count)), lir.Get(start_var))
            same = fold.same_bits(b.lookup(masks, at, self.values), seen)
            b.if_(same, [lir.Let(top, fold.binary("+", lir.Get(start_var), size))])
        fits = fold.binary("<=", size, Int(self.count))
        b.if_(fits, [lir.ForRange(start_var, FALSE, Int(self.count), tuple(each))])

    def windows(
        self,
        group: Expr,
        least: int,
        most: int,
        sink: Callable[[Expr], None],
        stand_ins: tuple[Expr, ...] = (),
    ) -> None:
        """Writes ``sink`` for the sets of ``least`` to ``most`` of the cards that stand in a row. With a
        stand-in it may
        fill one place, and is not among the cards given."""
        b, kind = self.b, self.lower.cards
        if self.count == 0 or most == 0:
            return
        name = self.lower.fresh("window")
        depth_most = min(most, self.count) + 1
        lefts = b.field(f"{name}_left", kind, depth_most, scratch=True)
        mades = b.field(f"{name}_made", kind, depth_most, scratch=True)
        gaps = ""
        if stand_ins:
            gaps = b.field(f"{name}_gap", count=depth_most, scratch=True, span=Span(0, 2))
        start, depth = b.var(span=Span(0, self.count)), b.var(span=Span(-1, depth_most))
        far = self.reach()
        with b.collect() as each:
            with b.collect() as begin:
                b.set(depth, FALSE)
                b.store(lefts, fold.intersect(group, self.at(lir.Get(start))), FALSE)
                b.store(mades, fold.empty(kind), FALSE)
                if gaps:
                    b.store(gaps, self.may_stand(stand_ins, lir.Get(start)), FALSE)
                with b.collect() as rounds:
                    self.round(group, least, most, sink, stand_ins, (lefts, mades, gaps), start, depth, far)
                b.emit(lir.While(fold.binary(">=", lir.Get(depth), FALSE), tuple(rounds)))
            b.emit(*begin)
        if stand_ins or self.count > MOST_STARTS:
            b.emit(lir.ForRange(start, FALSE, Int(self.count), tuple(each)))
        else:
            b.emit(lir.ForBits(start, self.starts(group, least), tuple(each)))

    def starts(self, group: Expr, least: int) -> Expr:
        """The places from which on so many in a row can be filled, as a bit set."""
        b = self.b
        kind = Bits(self.count)
        held = [
            b.let(fold.some(fold.intersect(group, lir.Set(mask, self.lower.cards)))) for mask in self.places
        ]
        found: Expr = fold.empty(kind)
        for place in range(self.count - max(1, least) + 1):
            filled: Expr = TRUE
            for further in range(max(1, least)):
                filled = fold.both(filled, held[place + further])
            found = fold.unite(found, fold.choose(filled, lir.Set(1 << place, kind), fold.empty(kind)))
        return b.atom(found)

    def at(self, place: Expr) -> Expr:
        return self.b.lookup(self.places, place, self.lower.cards)

    def may_stand(self, stand_ins: tuple[Expr, ...], place: Expr) -> Expr:
        found: Expr = FALSE
        for stand_in in stand_ins:
            found = fold.either(found, fold.has(self.at(place), stand_in))
        return found

    def reach(self) -> list[int]:
        """For each place, the place before which a row from there must end."""
        ends = []
        for start in range(self.count):
            end = start
            while end < self.count and self.order[end] not in self.order[start:end]:
                end += 1
            ends.append(end)
        return ends

    def round(
        self,
        group: Expr,
        least: int,
        most: int,
        sink: Callable[[Expr], None],
        stand_ins: tuple[Expr, ...],
        fields: tuple[str, str, str],
        start: lir.Var,
        depth: lir.Var,
        far: list[int],
    ) -> None:
        """One step: another card at the place reached, or back to the place before.

        With a stand-in ``gaps`` says for each place that it may yet be put there.
        """
        lefts, mades, gaps = fields
        b, kind = self.b, self.lower.cards
        at = lir.Get(depth)
        left = b.let(b.load(lefts, at))
        made = b.var(kind)
        fits = b.var(span=Span(0, 1))
        b.set(fits, TRUE)
        with b.collect() as take:
            card = fold.single(fold.lowest(left), kind)
            card = b.let(card)
            b.store(lefts, fold.without(left, card), at)
            b.set(made, fold.unite(b.load(mades, at), card))
        with b.collect() as back:
            b.set(depth, fold.add(at, -1))
            b.set(fits, FALSE)
        if gaps:
            with b.collect() as gap:
                b.store(gaps, 0, at)
                b.set(made, b.load(mades, at))
            with b.collect() as other:
                b.if_(b.load(gaps, at), gap, back)
            b.if_(fold.some(left), take, other)
        else:
            b.if_(fold.some(left), take, back)
        with b.when(lir.Get(fits)):
            length = b.let(fold.add(at, 1))
            with b.when(fold.binary(">=", length, Int(least))):
                sink(lir.Get(made))
            place = b.let(fold.binary("+", lir.Get(start), length))
            end = b.lookup(far, lir.Get(start))
            more = fold.both(fold.binary("<", length, Int(most)), fold.binary("<", place, end))
            with b.when(more):
                b.set(depth, length)
                b.store(lefts, fold.intersect(group, self.at(place)), length)
                b.store(mades, lir.Get(made), length)
                if gaps:
                    b.store(gaps, self.may_stand(stand_ins, place), length)
