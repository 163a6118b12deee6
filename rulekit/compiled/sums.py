"""Sets of members that weigh a certain amount together: all but the last member are tried, and what the last
may be is looked up.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from rulekit.compiled import fold, lir
from rulekit.compiled.fold import FALSE, TRUE
from rulekit.compiled.lir import NONE, Bits, Expr, Int
from rulekit.compiled.ranges import Span
from rulekit.compiled.weights import MOST_COUNTS, weighed, weight_masks

if TYPE_CHECKING:
    from rulekit.compiled.context import Lower

MOST_WEIGHT = 256  #: of a member, so that a table of what fits stays small


def summable(weights: Sequence[int]) -> bool:
    """`Sums` can be used: no member weighs less than nothing, though some may be in no set (`NONE`), and what
    members weigh together is a few counts."""
    known = [0 if weight == NONE else weight for weight in weights]
    return min(known) >= 0 and max(known) <= MOST_WEIGHT and 0 < len(weight_masks(known)) <= MOST_COUNTS


class Sums:
    """Sets of ``least`` (1 or more) to ``most`` of the members in ``items``, who all weigh something, that
    weigh ``target`` together; in no particular order.

    The search keeps a stack of what is chosen and which members may follow that are lighter than what is
    lacking. Nothing in a round branches, apart from what is found: which way it would go nobody can foretell.
    """

    def __init__(
        self, lower: Lower, items: Expr, weights: Sequence[int], target: Expr, least: int, most: int
    ) -> None:
        assert isinstance(items.kind, Bits), "a set"
        self.b, self.items, self.kind = lower.b, items, items.kind
        self.weights, self.target, self.least, self.most = weights, target, least, most
        self.heaviest = max(weights)
        self.masks = weight_masks([0 if weight == NONE else weight for weight in weights])
        b, name, deep = self.b, lower.fresh("sum"), self.kind.width + 2
        self.left = b.field(f"{name}_left", self.kind, deep, scratch=True)
        self.made = b.field(f"{name}_made", self.kind, deep, scratch=True)
        self.lacks = b.field(f"{name}_lacks", count=deep, scratch=True, span=Span(-(1 << 20), 1 << 20))
        self.depth = b.var(span=Span(-1, self.kind.width))
        self.chosen, self.last = b.var(self.kind), b.var(self.kind)

    def loop(self, body: Callable[[Expr], None]) -> None:
        """Writes ``body`` for each set."""
        b = self.b
        target = b.atom(self.target)
        row = b.let(self.row(target))
        items = b.atom(self.items)
        lighter = b.let(fold.intersect(items, self.lighter(row)))
        b.store(self.left, lighter, FALSE)
        b.store(self.made, fold.empty(self.kind), FALSE)
        b.store(self.lacks, target, FALSE)
        b.set(self.depth, fold.add(self.hopeful(lighter, target, FALSE), -1))
        alone = b.var(span=Span(0, 1))  # a round for members that are enough alone
        single = self.least == 1
        with b.collect() as rounds:
            with b.collect() as next_:
                self.next()
            first = [
                lir.Let(alone, FALSE),
                lir.Let(self.chosen, fold.empty(self.kind)),
                lir.Let(self.last, fold.intersect(items, self.exact(row))),
            ]
            b.if_(lir.Get(alone) if single else FALSE, first, next_)
            member = b.var(span=Span(0, self.kind.width - 1))
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
        left, lacks, made = (b.let(b.load(field, at)) for field in (self.left, self.lacks, self.made))
        size = fold.add(fold.count(made), 1)
        member = b.let(fold.lowest(left))
        one = b.let(fold.single(member, self.kind))
        left = b.let(fold.without(left, one))
        b.set(self.chosen, fold.unite(made, one))
        rest = b.let(fold.binary("-", lacks, b.lookup(self.weights, member)))
        row = b.let(self.row(rest))
        b.store(self.left, left, at)
        next_ = b.let(fold.binary("+", at, self.hopeful(left, lacks, fold.count(made))))
        last = fold.intersect(left, self.exact(row))
        b.set(self.last, fold.choose(self.sized(size), last, fold.empty(self.kind)))
        follow = b.let(fold.intersect(left, self.lighter(row)))
        b.store(self.left, follow, next_)
        b.store(self.made, lir.Get(self.chosen), next_)
        b.store(self.lacks, rest, next_)
        b.set(self.depth, fold.binary("+", fold.add(next_, -1), self.hopeful(follow, rest, size)))

    @property
    def limited(self) -> bool:
        """There is a most."""
        return self.most < self.kind.width

    def sized(self, size: Expr) -> Expr:
        """One more than so many is a number of members that is wanted."""
        found: Expr = TRUE
        if self.least > 2:
            found = fold.binary(">=", size, Int(self.least - 1))
        return fold.both(found, fold.binary("<", size, Int(self.most))) if self.limited else found

    def hopeful(self, members: Expr, lacks: Expr, size: Expr) -> Expr:
        """1 if the members weigh together what lacks, more than nothing, and two more may be taken."""
        found = fold.binary(">=", weighed(members, self.masks), fold.binary("max", lacks, TRUE))
        if not self.limited:
            return found
        return fold.binary("*", found, fold.binary("<", fold.add(size, 1), Int(self.most)))

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
            sum(1 << at for at, weight in enumerate(self.weights) if weight != NONE and fits(weight, lacks))
            for lacks in range(self.heaviest + 2)
        ]
        return self.b.lookup(masks, row, self.kind)
