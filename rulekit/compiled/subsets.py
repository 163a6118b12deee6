"""Choices among all subsets of a set: counted, and found by their place, without listing them.

The order is that of selections: a beginning before its extensions, else the lower member first.
"""

from __future__ import annotations

from math import comb
from typing import TYPE_CHECKING, Protocol

from rulekit.compiled import fold, lir
from rulekit.compiled.fold import FALSE
from rulekit.compiled.lir import Expr, Int
from rulekit.compiled.ranges import Span

if TYPE_CHECKING:
    from rulekit.compiled.builder import Builder

MOST = 1 << 29  #: counts are given as no more than this


class Writes(Protocol):
    """Whatever has a builder."""

    b: Builder


class Subsets:
    """Counts of subsets of sets of up to ``width`` members."""

    def __init__(self, lower: Writes, width: int) -> None:
        self.b, self.width = lower.b, width
        # For m members and t: how many subsets have at most t - 1 members.
        self.sums = [
            min(MOST, sum(comb(m, k) for k in range(t))) for m in range(width + 1) for t in range(width + 2)
        ]

    def among(self, members: Expr, low: Expr, high: Expr) -> Expr:
        """How many subsets of so many members have ``low`` to ``high`` (from 0 to the width) of them."""
        row = fold.binary("*", members, Int(self.width + 2))
        most = self.b.lookup(self.sums, fold.binary("+", row, fold.add(high, 1)))
        least = self.b.lookup(self.sums, fold.binary("+", row, low))
        return fold.binary("max", FALSE, fold.binary("-", most, least))

    def extending(self, members: Expr, size: Expr, low: Expr, high: Expr) -> Expr:
        """How many subsets of ``low`` to ``high`` begin with ``size`` members that are chosen, and go on with
        some of so many members."""
        if isinstance(low, Int) and low == high:  # (then no more than these are ever chosen)
            counts = [min(MOST, comb(m, k)) for m in range(self.width + 1) for k in range(low.value + 1)]
            row = fold.binary("*", members, Int(low.value + 1))
            return self.b.lookup(counts, fold.binary("+", row, fold.binary("-", low, size)))
        least = fold.binary("max", FALSE, fold.binary("-", low, size))
        most = fold.binary("-", high, size)
        return fold.choose(fold.binary("<", most, FALSE), FALSE, self.among(members, least, most))

    def nth(self, items: Expr, low: Expr, high: Expr, place: Expr) -> Expr:
        """The subset at a place of their order, which there is."""
        b = self.b
        kind = items.kind
        assert isinstance(kind, lir.Bits)
        chosen, size = b.var(kind), b.var(span=Span(0, self.width))
        left, rest = b.var(span=Span(0, MOST)), b.var(span=Span(0, self.width))
        item = b.var(span=Span(0, self.width - 1))
        b.set(chosen, fold.empty(kind))
        b.set(size, FALSE)
        b.set(left, place)
        b.set(rest, fold.count(items))
        with b.collect() as each:
            b.set(rest, fold.add(lir.Get(rest), -1))
            more = fold.add(lir.Get(size), 1)
            here = b.let(self.extending(lir.Get(rest), more, low, high))
            with b.collect() as take:
                b.set(chosen, fold.unite(lir.Get(chosen), fold.single(lir.Get(item), kind)))
                b.set(size, more)
                # What is chosen so far may be a subset itself; it comes before its extensions.
                with b.when(fold.binary(">=", lir.Get(size), low)):
                    b.if_(fold.equal(lir.Get(left), FALSE), [lir.Break()])
                    b.set(left, fold.add(lir.Get(left), -1))
            b.if_(
                fold.binary("<", lir.Get(left), here),
                take,
                [lir.Let(left, fold.binary("-", lir.Get(left), here))],
            )
        with b.collect() as search:
            b.emit(lir.ForBits(item, items, tuple(each)))
        empty = fold.both(fold.equal(low, FALSE), fold.equal(place, FALSE))
        skip = [lir.Let(left, fold.binary("-", place, fold.equal(low, FALSE)))]
        b.if_(fold.negate(empty), [*skip, *search])
        return lir.Get(chosen)
