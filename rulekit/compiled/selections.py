"""Selections: all subsets of certain sizes, as bit sets, one after another."""

from __future__ import annotations

from collections.abc import Callable
from math import comb
from typing import Any

from rulekit.compiled import fold, lir
from rulekit.compiled.collections import Coll
from rulekit.compiled.context import Lower, lowers
from rulekit.compiled.domains import Domain
from rulekit.compiled.fold import FALSE, TRUE
from rulekit.compiled.gather import inner, set_bits
from rulekit.compiled.lir import Expr, Int
from rulekit.compiled.ranges import Span
from rulekit.compiled.subsets import Subsets
from rulekit.program import expressions as e
from rulekit.program.faults import MOST_WAYS, TOO_MANY


class SelectionsColl(Coll):
    """Subsets of ``low`` to ``high`` members, a beginning before its extensions, else the lower member
    first.
    """

    stands = True  # the members are known, and the search has a stack of its own

    def __init__(self, items: Expr, low: Expr, high: Expr, of: Domain) -> None:
        self.items, self.low, self.high, self.of, self.sets = items, low, high, of, of.kind

    def loop(self, lower: Lower, body: Callable[[Expr], None]) -> None:
        _Search(lower, self).write(body)


class _Search:
    """Writes the search. A level of its stack holds a selection made so far, and the members that may yet
    follow it, as long as with these it may become one that is wanted. All that a round does is worked out and
    stored without branches, since which way they would go nobody can foretell.
    """

    def __init__(self, lower: Lower, coll: SelectionsColl) -> None:
        self.b, self.kind, self.items = lower.b, coll.of.kind, coll.items
        b, width = self.b, coll.of.width
        name = lower.fresh("selection")
        self.left = b.field(f"{name}_left", self.kind, width + 2, scratch=True)
        self.made = b.field(f"{name}_made", self.kind, width + 2, scratch=True)
        self.low, self.high = b.atom(fold.binary("max", coll.low, FALSE)), b.atom(coll.high)
        self.any_number = isinstance(coll.high, Int) and coll.high.value >= width
        #: How many have been selected matters.
        self.counts = self.low not in (FALSE, TRUE) or not self.any_number
        self.depth = b.var(span=Span(-1, width))
        self.chosen, self.fits = b.var(self.kind), b.var(span=Span(0, 1))

    def write(self, body: Callable[[Expr], None]) -> None:
        b = self.b
        items = b.atom(self.items)
        b.store(self.left, items, FALSE)
        b.store(self.made, fold.empty(self.kind), FALSE)
        b.set(self.depth, fold.add(self.hopeful(items, FALSE), -1))
        wanted = fold.binary("<=", self.low, FALSE)
        first = b.var(span=Span(0, 1))
        with b.collect() as rounds:
            with b.collect() as next_:
                self.next()
            # The empty selection has a round of its own, so that there is one body.
            empty = [
                lir.Let(first, FALSE),
                lir.Let(self.chosen, fold.empty(self.kind)),
                lir.Let(self.fits, TRUE),
            ]
            b.if_(FALSE if wanted == FALSE else lir.Get(first), empty, next_)
            with b.when(lir.Get(self.fits)):
                body(lir.Get(self.chosen))
        goes_on = fold.binary(">=", lir.Get(self.depth), FALSE)
        if wanted != FALSE:
            b.set(first, wanted)
            goes_on = fold.either(lir.Get(first), goes_on)
        b.emit(lir.While(goes_on, tuple(rounds)))

    def next(self) -> None:
        """The lowest member that is left is taken; those above it may follow, or take its place."""
        b = self.b
        at = b.let(lir.Get(self.depth))
        left, made = b.let(b.load(self.left, at)), b.let(b.load(self.made, at))
        size: Expr = b.atom(fold.count(made)) if self.counts else FALSE
        one = b.let(fold.single(fold.lowest(left), self.kind))
        left = b.let(fold.without(left, one))
        b.set(self.chosen, fold.unite(made, one))
        longer = fold.add(size, 1)
        b.set(self.fits, fold.binary(">=", longer, self.low) if self.counts else TRUE)
        b.store(self.left, left, at)
        next_ = b.let(fold.binary("+", at, self.hopeful(left, size)))
        b.store(self.left, left, next_)
        b.store(self.made, lir.Get(self.chosen), next_)
        b.set(self.depth, fold.binary("+", fold.add(next_, -1), self.hopeful(left, longer)))

    def hopeful(self, members: Expr, size: Expr) -> Expr:
        """1 if a selection of so many may become one that is wanted by some of these members; else 0."""
        if self.low in (FALSE, TRUE):
            found = fold.some(members)
        else:
            lacking = fold.binary("max", fold.binary("-", self.low, size), TRUE)
            found = fold.binary(">=", fold.count(members), lacking)
        return found if self.any_number else fold.binary("*", found, fold.binary("<", size, self.high))


@lowers(e.Selections)
def _selections(lower: Lower, x: e.Selections) -> Any:
    b = lower.b
    of = lower.domain(inner(x.of))
    items = b.atom(set_bits(lower, lower.coll(x.of), x.of))
    low = b.atom(lower.needed(x.low, "the number to select"))
    high: Expr = Int(of.width)
    if x.high is not None:
        high = b.atom(lower.needed(x.high, "the number to select"))
    few_enough(lower, x, of.width, items, low, high)
    return SelectionsColl(items, low, high, of)


def few_enough(lower: Lower, x: e.Selections, width: int, items: Expr, low: Expr, high: Expr) -> None:
    """Traps where there are more selections than anybody could go through."""
    b = lower.b
    size = fold.count(items)
    if isinstance(low, Int) and isinstance(high, Int):
        most = 0
        while most < width and _how_many(most + 1, low.value, high.value) <= MOST_WAYS:
            most += 1
        if most == width:
            return
        too_many = fold.binary(">", size, Int(most))
    else:
        size = b.atom(size)
        least = b.atom(fold.binary("min", fold.binary("max", FALSE, low), Int(width)))
        most_of = b.atom(fold.binary("max", fold.binary("min", size, high), FALSE))
        number = Subsets(lower, width).among(size, least, most_of)
        too_many = fold.both(fold.binary("<=", least, most_of), fold.binary(">", number, Int(MOST_WAYS)))
    b.if_(too_many, [b.trap(TOO_MANY, "there are too many sets to select", x.span)])


def _how_many(members: int, low: int, high: int) -> int:
    return sum(comb(members, size) for size in range(max(low, 0), min(high, members) + 1))
