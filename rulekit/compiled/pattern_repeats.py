"""The part `COUNT P ...` of a pattern over bit sets: so many disjoint instances of one pattern."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from rulekit.compiled import fold, lir
from rulekit.compiled.builder import Unsupported
from rulekit.compiled.collections import BitsColl
from rulekit.compiled.fold import FALSE, TRUE
from rulekit.compiled.lir import NONE, Expr, Int
from rulekit.compiled.pattern_parts import CardsFit, Fit, Sink, all_different, listing
from rulekit.compiled.pattern_rows import Row, facts_of
from rulekit.compiled.ranges import Span
from rulekit.program import patterns as p
from rulekit.program import types as t

if TYPE_CHECKING:
    from rulekit.compiled.context import Lower


class RepeatedFit(Fit):
    """So many disjoint instances of one part, under constraints on what the cards of each share.

    ``wild``  the wild cards of the inner pattern: they tell nothing of the instance they stand in
    """

    def __init__(
        self, lower: Lower, part: p.RepeatedPart, inner: Fit, wild: Callable[[], Expr] | None
    ) -> None:
        self.lower, self.b, self.inner, self.part, self.wild = lower, lower.b, inner, part, wild
        self.low, self.high = part.low, part.high
        self.least = part.low * inner.least
        self.most = None if part.high is None or inner.most is None else part.high * inner.most
        self.free = inner.free
        kinds: dict[str, list[p.Constraint]] = {}
        for constraint in part.constraints:
            kinds.setdefault(constraint.kind, []).append(constraint)
        self.same = [facts_of(lower, c) for c in kinds.get("same", ())]
        self.different = [facts_of(lower, c) for c in kinds.get("different", ())]
        self.runs = [Row(lower, c) for c in kinds.get("consecutive", ())]
        self.where = kinds.get("where", [])
        each = kinds.get("each", [])
        self.each = CardsFit(lower, p.CardsPart(0, None, tuple(each))) if each else None
        self.length = 1
        #: no two heads may have the same of these: known before the set is whole
        self.apart = [*self.different, *(row.facts for row in self.runs)]

    @property
    def parts(self) -> int:
        """How many instances at most."""
        most = max(1, self.lower.n // max(1, self.inner.least))
        return most if self.high is None else min(most, self.high)

    # ------------------------------------------------------------ searching

    def search(self, cards: Expr, exactly: bool, sink: Callable[[Expr, Expr, Expr], None]) -> None:
        """Writes ``sink``, given the union, the heads and the number of instances, for sets of disjoint
        instances; with
        ``exactly`` only for those that are all the cards."""
        b, kind = self.b, self.lower.cards
        with listing(self.lower) as (add, field, count):
            self.inner.find(cards, add)
        sorted_count = b.var(span=Span(0, 1 << 20))
        b.set(sorted_count, count)
        b.emit(lir.SortUnique(sorted_count, (field,)))
        count = lir.Get(sorted_count)
        name = self.lower.fresh("parts")
        nexts = b.field(f"{name}_next", count=self.parts + 1, scratch=True, span=Span(0, 1 << 20))
        unions = b.field(f"{name}_union", kind, self.parts + 1, scratch=True)
        heads = b.field(f"{name}_heads", kind, self.parts + 1, scratch=True)
        depth = b.var(span=Span(-1, self.parts))
        b.set(depth, FALSE)
        b.store(nexts, 0, FALSE)
        b.store(unions, fold.empty(kind), FALSE)
        b.store(heads, fold.empty(kind), FALSE)
        with b.collect() as rounds:
            at = b.let(b.load(nexts, lir.Get(depth)))
            over = fold.either(
                fold.binary(">=", at, count), fold.binary(">=", lir.Get(depth), Int(self.parts))
            )
            with b.collect() as more:
                b.store(nexts, fold.add(at, 1), lir.Get(depth))
                one = b.let(b.load(field, at))
                used = b.let(b.load(unions, lir.Get(depth)))
                fits = fold.negate(fold.some(fold.intersect(one, used)))
                if exactly:
                    # The lowest card that is left must be covered next.
                    left = b.let(fold.without(cards, used))
                    first = fold.both(fold.some(left), fold.has(one, self.lowest(left)))
                    fits = fold.both(first, fits)
                with b.when(fits):
                    head = b.let(fold.single(self.head(one), kind))
                    together = b.let(fold.unite(b.load(heads, lir.Get(depth)), head))
                    with b.when(self.hopeful(together)):
                        b.set(depth, fold.add(lir.Get(depth), 1))
                        union = b.let(fold.unite(used, one))
                        b.store(unions, union, lir.Get(depth))
                        b.store(heads, together, lir.Get(depth))
                        b.store(nexts, FALSE if exactly else fold.add(at, 1), lir.Get(depth))
                        enough = fold.binary(">=", lir.Get(depth), Int(max(1, self.low)))
                        if exactly:
                            enough = fold.both(enough, fold.same_bits(union, cards))
                        with b.when(enough):
                            sink(union, together, lir.Get(depth))
            b.if_(over, [lir.Let(depth, fold.add(lir.Get(depth), -1))], more)
        b.emit(lir.While(fold.binary(">=", lir.Get(depth), FALSE), tuple(rounds)))

    def lowest(self, left: Expr) -> Expr:
        return fold.choose(fold.some(left), fold.lowest(left), FALSE)

    def head(self, part: Expr) -> Expr:
        """The card whose facts all of an instance share: no wild one, if it has another."""
        if self.wild is None:
            return fold.lowest(part)
        natural = self.b.atom(fold.without(part, self.wild()))
        return fold.choose(fold.some(natural), fold.lowest(natural), fold.lowest(part))

    def hopeful(self, heads: Expr) -> Expr:
        """A set with these heads may yet fulfil the constraints."""
        if self.where:
            return TRUE
        found: Expr = TRUE
        for facts in self.apart:
            found = fold.both(found, all_different(self.lower, heads, facts))
        for facts in self.same:
            found = fold.both(found, self.all_same(heads, facts))
        return found

    def all_same(self, heads: Expr, facts: list[int]) -> Expr:
        groups = [sum(1 << other for other, fact in enumerate(facts) if fact == mine) for mine in facts]
        group = self.b.lookup(groups, fold.lowest(heads), self.lower.cards)
        return fold.negate(fold.some(fold.without(heads, group)))

    def allowed(self, cards: Expr, heads: Expr) -> Expr:
        """The constraints hold of a whole set."""
        found: Expr = TRUE
        for facts in self.same:
            found = fold.both(found, self.all_same(heads, facts))
        for facts in self.different:
            found = fold.both(found, all_different(self.lower, heads, facts))
        for row in self.runs:
            found = fold.both(found, fold.binary(">", row.top(heads), FALSE))
        if self.each is not None:
            found = fold.both(found, self.each.all_each(cards, ()))
        for constraint in self.where:
            with self.lower.bound(constraint.local, BitsColl(cards, self.lower.domain(t.CARD))):
                found = fold.both(found, self.lower.condition(constraint.fact))
        return found

    # ------------------------------------------------------------ questions

    def fits(self, cards: Expr) -> Expr:
        b = self.b
        cards = b.atom(cards)
        found = b.var(span=Span(0, 1))
        b.set(found, Int(int(self.low == 0)) if self.low == 0 else FALSE)
        if self.low == 0:
            b.set(found, fold.negate(fold.some(cards)))

        def note(union: Expr, heads: Expr, parts: Expr) -> None:
            with b.when(self.allowed(union, heads)):
                b.set(found, TRUE)

        with b.when(self.sized(cards)):
            self.search(cards, True, note)
        return lir.Get(found)

    def sized(self, cards: Expr) -> Expr:
        """There are as many cards as some instances have together."""
        size = fold.count(cards)
        found = fold.binary(">=", size, Int(max(1, self.least)))
        if self.most is not None:
            found = fold.both(found, fold.binary("<=", size, Int(self.most)))
        each = self.inner.least
        if self.inner.most == each and each > 1:
            found = fold.both(found, fold.equal(fold.binary("%", size, Int(each)), FALSE))
        return found

    def find(self, cards: Expr, sink: Sink) -> None:
        def one(union: Expr, heads: Expr, parts: Expr) -> None:
            with self.b.when(self.allowed(union, heads)):
                sink(union)

        self.search(self.b.atom(cards), False, one)

    def key(self, cards: Expr) -> tuple[Expr, ...]:
        """The highest place of the last head of those in a row."""
        if not self.runs:
            raise Unsupported("strength of repeated parts that stand in no row")
        b = self.b
        cards = b.atom(cards)
        best = b.var(span=Span(0, 255, True))
        b.set(best, Int(NONE))

        def note(union: Expr, heads: Expr, parts: Expr) -> None:
            with b.when(self.allowed(union, heads)):
                b.set(best, fold.binary("max", lir.Get(best), self.runs[0].top(heads)))

        self.search(cards, True, note)
        return (lir.Get(best),)
