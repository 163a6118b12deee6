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
from rulekit.compiled.weights import MOST_COUNTS, weighed, weight_masks
from rulekit.program import expressions as e

NEVER = 1 << 20  #: the weight of a member that is in no selection
MOST_ROWS = 256  #: of a table of the members that still fit


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
        """``total``: a weight for each member, none below 0 (`NEVER`: it fits in no selection), and what those
        of a selection must add up to."""
        self.items, self.low, self.high, self.of, self.kind = items, low, high, of, of.kind
        self.total = total

    def loop(self, lower: Lower, body: Callable[[Expr], None]) -> None:
        b, kind, width = lower.b, self.kind, self.of.width
        name = lower.fresh("selection")
        self.left = b.field(f"{name}_left", kind, width + 1, scratch=True)
        self.made = b.field(f"{name}_made", kind, width + 1, scratch=True)
        self.sums = ""
        if self.total is not None:
            self.sums = b.field(f"{name}_sums", count=width + 1, scratch=True, span=Span(0, 1 << 21))
            b.store(self.sums, 0, FALSE)
        low, high = b.atom(fold.binary("max", self.low, FALSE)), b.atom(self.high)
        size = b.var(span=Span(-1, width))
        b.set(size, FALSE)
        room = b.atom(FALSE if self.total is None else fold.binary("max", self.total[1], Int(-1)))
        items = b.atom(self.fitting(lower, self.items, room))
        enough = TRUE if self.total is None else self.enough(items, room)
        b.store(self.left, fold.choose(enough, items, fold.empty(kind)), FALSE)
        b.store(self.made, fold.empty(kind), FALSE)
        chosen, fits = b.var(kind), b.var(span=Span(0, 1))
        # The empty selection has a round of its own, so that what is done with a selection is written once.
        first = b.var(span=Span(0, 1))
        b.set(first, TRUE)
        with b.collect() as rounds:
            with b.collect() as empty:
                b.set(first, FALSE)
                b.set(chosen, fold.empty(kind))
                wanted = fold.binary("<=", low, FALSE)
                if self.total is not None:
                    wanted = fold.both(wanted, fold.equal(self.total[1], FALSE))
                b.set(fits, wanted)
                b.if_(fold.binary("<=", high, FALSE), [lir.Let(size, Int(-1))])
            with b.collect() as next_:
                self.next(lower, size, low, high, chosen, fits)
            never = isinstance(low, Int) and low.value > 0 and isinstance(high, Int) and high.value > 0
            b.if_(FALSE if never else lir.Get(first), empty, next_)
            with b.when(lir.Get(fits)):
                body(lir.Get(chosen))
        b.emit(lir.While(fold.binary(">=", lir.Get(size), FALSE), tuple(rounds)))

    def next(
        self, lower: Lower, size: lir.Var, low: Expr, high: Expr, chosen: lir.Var, fits: lir.Var
    ) -> None:
        """One more member, or one less where none is left that could make a selection."""
        b = lower.b
        left = b.let(b.load(self.left, lir.Get(size)))
        enough = fold.some(left)
        if low not in (FALSE, TRUE):
            most = fold.binary("+", fold.count(left), lir.Get(size))
            enough = fold.both(enough, fold.binary(">=", most, low))
        with b.collect() as grow:
            self.grow(lower, left, size, low, high, chosen, fits)
        b.if_(enough, grow, [lir.Let(size, fold.add(lir.Get(size), -1)), lir.Let(fits, FALSE)])

    def grow(
        self, lower: Lower, left: Expr, size: lir.Var, low: Expr, high: Expr, chosen: lir.Var, fits: lir.Var
    ) -> None:
        """The lowest member that is left is taken; those above it may follow."""
        b, kind = lower.b, self.kind
        at = lir.Get(size)
        member = b.let(fold.lowest(left))
        one = b.let(fold.single(member, kind))
        left = b.let(fold.without(left, one))
        b.store(self.left, left, at)
        b.set(chosen, fold.unite(b.load(self.made, at), one))
        longer = b.let(fold.add(at, 1))
        good = fold.binary(">=", longer, low)
        goes_on = fold.binary("<", longer, high)
        total: Expr = FALSE
        room: Expr = FALSE
        if self.total is not None:
            weights, target = self.total
            total = b.let(fold.binary("+", b.load(self.sums, at), b.lookup(weights, member)))
            good = fold.both(good, fold.equal(total, target))
            room = fold.binary("-", target, total)
            goes_on = fold.both(goes_on, fold.binary("<=" if 0 in weights else "<", total, target))
        b.set(fits, good)
        with b.when(goes_on):
            room = b.atom(room)
            rest = b.atom(self.fitting(lower, left, room))
            with b.when(self.enough(rest, room)):
                b.set(size, longer)
                b.store(self.left, rest, longer)
                b.store(self.made, lir.Get(chosen), longer)
                if self.total is not None:
                    b.store(self.sums, total, longer)

    def fitting(self, lower: Lower, members: Expr, room: Expr) -> Expr:
        """Those of the members whose weight is at most ``room``, which is not below -1."""
        if self.total is None:
            return members
        weights = self.total[0]
        most = max((weight for weight in weights if weight < NEVER), default=0)
        if most > MOST_ROWS:
            return members
        masks = [
            sum(1 << at for at, weight in enumerate(weights) if weight <= limit)
            for limit in range(-1, most + 1)
        ]
        row = fold.add(fold.binary("min", room, Int(most)), 1)
        return fold.intersect(members, lower.b.lookup(masks, row, self.kind))

    def enough(self, members: Expr, room: Expr) -> Expr:
        """There are members, and together they weigh as much as is wanted yet."""
        some = fold.some(members)
        if self.total is None:
            return some
        weights = [0 if weight >= NEVER else weight for weight in self.total[0]]
        masks = weight_masks(weights)
        if len(masks) > MOST_COUNTS:
            return some
        heavy = fold.binary(">=", weighed(members, masks), room)
        return fold.both(some, heavy) if 0 in self.total[0] else heavy


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
