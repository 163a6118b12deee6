"""The longest end of a row of cards that fits a pattern, found by adding card after card from the end."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from rulekit.compiled import fold, lir
from rulekit.compiled.fold import FALSE
from rulekit.compiled.lir import Expr, Int
from rulekit.compiled.pattern_parts import CardsFit
from rulekit.compiled.patterns import PatternFit
from rulekit.compiled.ranges import Span

if TYPE_CHECKING:
    from rulekit.compiled.context import Lower


def growing(pattern: PatternFit) -> CardsFit | None:
    """The part of a pattern of which it can be told, card by card, that no longer end will fit either; None
    if each end has to be asked about."""
    part = pattern.part
    if pattern.definition.wild is not None or not isinstance(part, CardsFit) or part.least < 1:
        return None
    return None if part.where or part.different or len(part.runs) > 1 else part


class Tail:
    """``cards`` the end as a bit set, ``start`` the place of its lowest card; nothing and the size if there
    is none."""

    def __init__(self, lower: Lower, part: CardsFit, size: Expr, item: Callable[[Expr], Expr]) -> None:
        self.lower, self.b, self.part = lower, lower.b, part
        b = self.b
        self.cards, self.start = b.var(lower.cards), b.var(span=Span(0, lower.n))
        self.mask, self.group = b.var(lower.cards), b.var(lower.cards)
        self.seen = b.var(part.runs[0].values if part.runs else lower.cards)
        pool = b.atom(part.pool()) if part.each else None
        for var in (self.cards, self.mask, self.seen):
            b.set(var, lir.Set(0, var.kind))  # type: ignore[arg-type]
        b.set(self.group, fold.full(lower.cards))
        b.set(self.start, size)
        step = b.var(span=Span(0, lower.n))
        with b.collect() as each:
            at = b.let(fold.binary("-", fold.binary("-", size, Int(1)), lir.Get(step)))
            card = b.var(span=Span(0, lower.n - 1))
            b.set(card, item(at))
            self.add(lir.Get(card), lir.Get(step), pool)
            self.note(at, b.let(fold.add(lir.Get(step), 1)))
        b.emit(lir.ForRange(step, FALSE, size, tuple(each)))

    def add(self, card: Expr, before: Expr, pool: Expr | None) -> None:
        """One more card; the search is over if it cannot belong to those after it."""
        b, part = self.b, self.part
        bad: Expr = FALSE
        if part.most is not None:
            bad = fold.binary(">=", before, Int(part.most))
        if pool is not None:
            bad = fold.either(bad, fold.negate(fold.has(pool, card)))
        if part.same:
            own = b.lookup(part.group_of(), card, self.lower.cards)
            b.set(self.group, fold.intersect(lir.Get(self.group), own))
            bad = fold.either(bad, fold.negate(fold.has(lir.Get(self.group), card)))
        value: Expr = FALSE
        if part.runs:
            value = b.let(b.lookup([max(fact, -1) for fact in part.runs[0].facts], card))
            again = fold.has(lir.Get(self.seen), value)
            bad = fold.either(bad, fold.either(fold.binary("<", value, FALSE), again))
        b.if_(bad, [lir.Break()])
        b.set(self.mask, fold.unite(lir.Get(self.mask), fold.single(card, self.lower.cards)))
        if part.runs:
            kind = part.runs[0].values
            b.set(self.seen, fold.unite(lir.Get(self.seen), fold.single(value, kind)))

    def note(self, at: Expr, size: Expr) -> None:
        """Keeps what has been added, if it fits."""
        b, part = self.b, self.part
        with b.when(fold.binary(">=", size, Int(part.least))):
            keep: list[lir.Stmt] = [lir.Let(self.cards, lir.Get(self.mask)), lir.Let(self.start, at)]
            if not part.runs:
                b.emit(*keep)
                return
            row = part.runs[0]
            top = b.var(span=Span(0, max([0, *row.order]) + row.count + 1))
            b.set(top, FALSE)
            row.found_top(lir.Get(self.seen), size, top)
            b.if_(fold.binary(">", lir.Get(top), FALSE), keep)
