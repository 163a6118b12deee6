"""Selections whose members weigh a certain amount together: all but the last member are tried, and what the
last may be is looked up.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from rulekit.compiled import fold, lir
from rulekit.compiled.fold import FALSE, TRUE
from rulekit.compiled.lir import Expr, Int
from rulekit.compiled.ranges import Span
from rulekit.compiled.weights import MOST_COUNTS, weighed, weight_masks

if TYPE_CHECKING:
    from rulekit.compiled.context import Lower
    from rulekit.compiled.selections import SelectionsColl

NEVER = 1 << 20  #: the weight of a member that is in no selection
MOST_ROWS = 256  #: of a table of the members that still fit


def countable(weights: Sequence[int]) -> bool:
    """What members weigh together is a few counts, and the weights are rows of a table."""
    known = [0 if weight >= NEVER else weight for weight in weights]
    return max(known, default=0) <= MOST_ROWS and 0 < len(weight_masks(known)) <= MOST_COUNTS


class Sums:
    """Writes the search: a stack of what is chosen, and which members may follow that are lighter than what
    is lacking. Nothing in a round branches, apart from what is found."""

    def __init__(self, lower: Lower, coll: SelectionsColl) -> None:
        assert coll.total is not None, "weights"
        self.lower, self.b, self.kind, self.coll = lower, lower.b, coll.kind, coll
        self.weights, self.target = coll.total
        self.heaviest = max(weight for weight in self.weights if weight < NEVER)
        self.masks = weight_masks([0 if weight >= NEVER else weight for weight in self.weights])
        b, width = self.b, coll.of.width
        name = lower.fresh("selection")
        self.left = b.field(f"{name}_left", self.kind, width + 2, scratch=True)
        self.made = b.field(f"{name}_made", self.kind, width + 2, scratch=True)
        self.lacks = b.field(f"{name}_lacks", count=width + 2, scratch=True, span=Span(-NEVER, NEVER))
        self.depth = b.var(span=Span(-1, width))
        self.chosen, self.last = b.var(self.kind), b.var(self.kind)

    def write(self, body: Callable[[Expr], None]) -> None:
        b = self.b
        target = b.atom(self.target)
        row = b.let(self.row(target))
        items = b.atom(self.coll.items)
        lighter = b.let(fold.intersect(items, self.lighter(row)))
        b.store(self.left, lighter, FALSE)
        b.store(self.made, fold.empty(self.kind), FALSE)
        b.store(self.lacks, target, FALSE)
        b.set(self.depth, fold.add(self.hopeful(lighter, target), -1))
        alone = b.var(span=Span(0, 1))  # a round for members that are enough alone
        single = self.coll.low == TRUE
        with b.collect() as rounds:
            with b.collect() as next_:
                self.next()
            exact = fold.intersect(items, self.exact(row))
            first = [
                lir.Let(alone, FALSE),
                lir.Let(self.chosen, fold.empty(self.kind)),
                lir.Let(self.last, exact),
            ]
            b.if_(lir.Get(alone) if single else FALSE, first, next_)
            member = b.var(span=Span(0, self.coll.of.width - 1))
            with b.collect() as found:
                body(b.let(fold.unite(lir.Get(self.chosen), fold.single(lir.Get(member), self.kind))))
            b.emit(lir.ForBits(member, lir.Get(self.last), tuple(found)))
        goes_on = fold.binary(">=", lir.Get(self.depth), FALSE)
        if single:
            b.set(alone, TRUE)
            goes_on = fold.either(lir.Get(alone), goes_on)
        b.emit(lir.While(goes_on, tuple(rounds)))

    def next(self) -> None:
        """The lowest member is taken: with what lacks then, which are the last, and which may follow?"""
        b = self.b
        at = b.let(lir.Get(self.depth))
        left, lacks = b.let(b.load(self.left, at)), b.let(b.load(self.lacks, at))
        member = b.let(fold.lowest(left))
        one = b.let(fold.single(member, self.kind))
        left = b.let(fold.without(left, one))
        b.set(self.chosen, fold.unite(b.load(self.made, at), one))
        rest = b.let(fold.binary("-", lacks, b.lookup(self.weights, member)))
        row = b.let(self.row(rest))
        b.store(self.left, left, at)
        next_ = b.let(fold.binary("+", at, self.hopeful(left, lacks)))
        b.set(self.last, fold.intersect(left, self.exact(row)))
        follow = b.let(fold.intersect(left, self.lighter(row)))
        b.store(self.left, follow, next_)
        b.store(self.made, lir.Get(self.chosen), next_)
        b.store(self.lacks, rest, next_)
        b.set(self.depth, fold.binary("+", fold.add(next_, -1), self.hopeful(follow, rest)))

    def hopeful(self, members: Expr, lacks: Expr) -> Expr:
        """1 if the members weigh together what lacks, which is more than nothing."""
        return fold.binary(">=", weighed(members, self.masks), fold.binary("max", lacks, TRUE))

    def row(self, lacks: Expr) -> Expr:
        return fold.binary("max", fold.binary("min", lacks, Int(self.heaviest + 1)), FALSE)

    def lighter(self, row: Expr) -> Expr:
        """The members that weigh less than what lacks."""
        return self.table(row, lambda weight, lacks: weight < lacks)

    def exact(self, row: Expr) -> Expr:
        """The members that weigh just what lacks."""
        return self.table(row, lambda weight, lacks: weight == lacks)

    def table(self, row: Expr, fits: Callable[[int, int], bool]) -> Expr:
        masks = [
            sum(1 << at for at, weight in enumerate(self.weights) if weight < NEVER and fits(weight, lacks))
            for lacks in range(self.heaviest + 2)
        ]
        return self.b.lookup(masks, row, self.kind)
