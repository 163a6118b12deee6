"""Selections: all subsets of certain sizes, as bit sets, one after another."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulekit.compiled import fold, lir
from rulekit.compiled.collections import SetsColl
from rulekit.compiled.context import Lower, lowers
from rulekit.compiled.domains import Domain
from rulekit.compiled.fold import FALSE, TRUE
from rulekit.compiled.gather import inner, set_bits
from rulekit.compiled.lir import Expr, Int
from rulekit.compiled.ranges import Span
from rulekit.program import expressions as e


class SelectionsColl(SetsColl):
    """Subsets of ``low`` to ``high`` members, a beginning before its extensions, else the lower member
    first.
    """

    flat = True

    def __init__(
        self,
        items: Expr,
        low: Expr,
        high: Expr,
        of: Domain,
        total: tuple[list[int], Expr] | None = None,
    ) -> None:
        """``total``: a weight for each member, none below 0, and what those of a selection must add up to."""
        self.items, self.low, self.high, self.of, self.kind = items, low, high, of, of.kind
        self.total = total

    def loop(self, lower: Lower, body: Callable[[Expr], None]) -> None:
        b, kind, width = lower.b, self.kind, self.of.width
        name = lower.fresh("selection")
        items = b.field(f"{name}_items", count=width, scratch=True, span=Span(0, width - 1))
        nexts = b.field(f"{name}_nexts", count=width + 1, scratch=True, span=Span(0, width))
        made = b.field(f"{name}_made", kind, width + 1, scratch=True)
        count, var = b.var(span=Span(0, width)), b.var(span=Span(0, width - 1))
        b.set(count, FALSE)
        with b.collect() as each:
            b.store(items, lir.Get(var), lir.Get(count))
            b.set(count, fold.add(lir.Get(count), 1))
        b.emit(lir.ForBits(var, self.items, tuple(each)))
        sums = ""
        if self.total is not None:
            sums = b.field(f"{name}_sums", count=width + 1, scratch=True, span=Span(0, 1 << 21))
            b.store(sums, 0, FALSE)
        low, high = b.atom(fold.binary("max", self.low, FALSE)), b.atom(self.high)
        size = b.var(span=Span(-1, width))
        # Round -1 stands for the empty selection, so that what is done with a selection is written once.
        first = b.var(span=Span(0, 1))
        b.set(first, TRUE)
        b.set(size, FALSE)
        b.store(nexts, FALSE, FALSE)
        b.store(made, fold.empty(kind), FALSE)
        fits = b.var(span=Span(0, 1))
        with b.collect() as rounds:
            b.set(fits, FALSE)
            with b.collect() as empty:
                b.set(first, FALSE)
                b.set(fits, fold.binary("<=", low, FALSE))
                if self.total is not None:
                    b.set(fits, fold.both(lir.Get(fits), fold.equal(self.total[1], FALSE)))
            with b.collect() as more:
                at = b.let(b.load(nexts, lir.Get(size)))
                left = fold.binary("-", fold.binary("+", lir.Get(count), lir.Get(size)), at)
                over = fold.either(fold.binary(">=", at, lir.Get(count)), fold.binary("<", left, low))
                over = fold.either(fold.binary(">=", lir.Get(size), high), over)
                with b.collect() as grow:
                    b.store(nexts, fold.add(at, 1), lir.Get(size))
                    member = b.let(b.load(items, at))
                    with b.collect() as taken:
                        one = fold.single(member, kind)
                        chosen = b.let(fold.unite(b.load(made, lir.Get(size)), one))
                        b.set(size, fold.add(lir.Get(size), 1))
                        b.store(made, chosen, lir.Get(size))
                        b.store(nexts, fold.add(at, 1), lir.Get(size))
                        b.set(fits, fold.binary(">=", lir.Get(size), low))
                    self.summed(lower, sums, member, size, fits, taken)
                b.if_(over, [lir.Let(size, fold.binary("-", lir.Get(size), TRUE))], grow)
            b.if_(lir.Get(first), empty, more)
            with b.when(lir.Get(fits)):
                body(b.let(b.load(made, lir.Get(size))))
        b.emit(lir.While(fold.binary(">=", lir.Get(size), FALSE), tuple(rounds)))

    def summed(
        self, lower: Lower, sums: str, member: Expr, size: lir.Var, fits: lir.Var, taken: list[lir.Stmt]
    ) -> None:
        """Takes a member, unless its weight is too much; only what adds up to the total is a selection."""
        b = lower.b
        if self.total is None:
            b.emit(*taken)
            return
        weights, target = self.total
        total = b.let(fold.binary("+", b.load(sums, lir.Get(size)), b.lookup(weights, member)))
        with b.collect() as more:
            b.emit(*taken)
            b.store(sums, total, lir.Get(size))
            b.set(fits, fold.both(lir.Get(fits), fold.equal(total, target)))
        b.if_(fold.binary("<=", total, target), more)


@lowers(e.Selections)
def _selections(lower: Lower, x: e.Selections) -> Any:
    b = lower.b
    of = lower.domain(inner(x.of))
    items = b.atom(set_bits(lower, lower.coll(x.of), x.of))
    low = b.atom(lower.needed(x.low, "the number to select"))
    high: Expr = Int(of.width)
    if x.high is not None:
        high = b.atom(lower.needed(x.high, "the number to select"))
    return SelectionsColl(items, low, high, of)
