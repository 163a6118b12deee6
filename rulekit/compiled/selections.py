"""Selections: all subsets of certain sizes, as bit sets, one after another."""

from __future__ import annotations

from collections.abc import Callable
from math import comb
from typing import Any

from rulekit.compiled import fold, lir
from rulekit.compiled.collections import SetsColl
from rulekit.compiled.context import Lower, lowers
from rulekit.compiled.domains import Domain
from rulekit.compiled.fold import FALSE, TRUE
from rulekit.compiled.gather import inner, set_bits
from rulekit.compiled.lir import Expr, Int
from rulekit.compiled.ranges import Span
from rulekit.compiled.subsets import Subsets
from rulekit.compiled.sums import MOST_ROWS, NEVER, Sums, countable
from rulekit.compiled.weights import MOST_COUNTS, weighed, weight_masks
from rulekit.program import expressions as e
from rulekit.program.faults import MOST_WAYS, TOO_MANY


class SelectionsColl(SetsColl):
    """Subsets of ``low`` to ``high`` members, a beginning before its extensions, else the lower member
    first.
    """

    def __init__(
        self,
        items: Expr,
        low: Expr,
        high: Expr,
        of: Domain,
        total: tuple[list[int], Expr] | None = None,
    ) -> None:
        """``total``: a weight for each member, none below 0 (`NEVER`: it is in no selection), and what those
        of a selection must add up to."""
        self.items, self.low, self.high, self.of, self.kind = items, low, high, of, of.kind
        self.total = total
        self.flat = not self.by_last
        self.ordered = (
            self.by_last
        )  # a selection that is whole comes before those with a lower member at its place

    @property
    def by_last(self) -> bool:
        """Selections of one, or two, and more members, who all weigh something: see `Sums`."""
        if self.total is None or 0 in self.total[0]:
            return False
        every = isinstance(self.high, Int) and self.high.value >= self.of.width
        return every and self.low in (Int(1), Int(2)) and countable(self.total[0])

    def loop(self, lower: Lower, body: Callable[[Expr], None]) -> None:
        if self.by_last:
            Sums(lower, self).write(body)
        else:
            _Search(lower, self).write(body)


class _Search:
    """Writes the search. A level of its stack holds a selection made so far, and the members that may yet
    follow it, as long as with these it may become one that is wanted. All that a round does is worked out and
    stored without branches, since which way they would go nobody can foretell.
    """

    def __init__(self, lower: Lower, coll: SelectionsColl) -> None:
        self.lower, self.b, self.kind, self.coll = lower, lower.b, coll.kind, coll
        b, width = self.b, coll.of.width
        name = lower.fresh("selection")
        self.left = b.field(f"{name}_left", self.kind, width + 2, scratch=True)
        self.made = b.field(f"{name}_made", self.kind, width + 2, scratch=True)
        self.low, self.high = b.atom(fold.binary("max", coll.low, FALSE)), b.atom(coll.high)
        self.depth = b.var(span=Span(-1, width))
        self.chosen, self.fits = b.var(self.kind), b.var(span=Span(0, 1))
        self.sums = ""
        self.weights: list[int] = []
        self.target: Expr = FALSE
        self.masks: list[tuple[int, int]] = []
        if coll.total is not None:
            self.weights, self.target = coll.total
            self.masks = weight_masks([0 if weight >= NEVER else weight for weight in self.weights])
            self.sums = b.field(f"{name}_sums", count=width + 2, scratch=True, span=Span(0, 1 << 21))
            b.store(self.sums, 0, FALSE)

    def write(self, body: Callable[[Expr], None]) -> None:
        b = self.b
        items = b.atom(self.fitting(self.coll.items, self.target))
        b.store(self.left, items, FALSE)
        b.store(self.made, fold.empty(self.kind), FALSE)
        b.set(self.depth, fold.add(self.hopeful(items, FALSE, self.target), -1))
        wanted = fold.both(fold.binary("<=", self.low, FALSE), fold.equal(self.target, FALSE))
        first = b.var(span=Span(0, 1))
        with b.collect() as rounds:
            with b.collect() as next_:
                self.next()
            if wanted != FALSE:  # the empty selection has a round of its own, so that there is one body
                empty = [
                    lir.Let(first, FALSE),
                    lir.Let(self.chosen, fold.empty(self.kind)),
                    lir.Let(self.fits, TRUE),
                ]
                b.if_(lir.Get(first), empty, next_)
            else:
                b.emit(*next_)
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
        member = b.let(fold.lowest(left))
        one = b.let(fold.single(member, self.kind))
        left = b.let(fold.without(left, one))
        b.set(self.chosen, fold.unite(made, one))
        longer = fold.add(size, 1)
        good: Expr = fold.binary(">=", longer, self.low) if self.counts else TRUE
        before: Expr = FALSE
        room: Expr = FALSE
        total: Expr = FALSE
        if self.sums:
            held = b.let(b.load(self.sums, at))
            total = b.let(fold.binary("+", held, b.lookup(self.weights, member)))
            before = fold.binary("-", self.target, held)
            room = b.let(fold.binary("-", self.target, total))
            good = fold.binary("*", good, fold.equal(room, FALSE))
        b.set(self.fits, good)
        b.store(self.left, left, at)
        stays = self.hopeful(left, size, before)
        next_ = b.let(fold.binary("+", at, stays))
        follow = b.let(self.fitting(left, room))
        b.store(self.left, follow, next_)
        b.store(self.made, lir.Get(self.chosen), next_)
        if self.sums:
            b.store(self.sums, total, next_)
        b.set(self.depth, fold.binary("+", fold.add(next_, -1), self.hopeful(follow, longer, room)))

    @property
    def counts(self) -> bool:
        """How many have been selected matters."""
        return self.low not in (FALSE, TRUE) or not self.any_number

    @property
    def any_number(self) -> bool:
        return isinstance(self.high, Int) and self.high.value >= self.coll.of.width

    def hopeful(self, members: Expr, size: Expr, room: Expr) -> Expr:
        """1 if a selection of so many, to which so much is to be added yet, may become one that is wanted by
        some of these members; else 0."""
        if self.sums and self.masks and len(self.masks) <= MOST_COUNTS:
            if 0 not in self.weights:
                found = fold.binary(">=", weighed(members, self.masks), fold.binary("max", room, TRUE))
            else:
                heavy = fold.binary(">=", weighed(members, self.masks), room)
                found = fold.binary("*", fold.some(members), heavy)
        elif self.low in (FALSE, TRUE):
            found = fold.some(members)
        else:
            lacking = fold.binary("max", fold.binary("-", self.low, size), TRUE)
            found = fold.binary(">=", fold.count(members), lacking)
        return found if self.any_number else fold.binary("*", found, fold.binary("<", size, self.high))

    def fitting(self, members: Expr, room: Expr) -> Expr:
        """Those of the members whose weight is at most ``room``."""
        most = max((weight for weight in self.weights if weight < NEVER), default=0)
        if not self.sums or most > MOST_ROWS:
            return members
        masks = [
            sum(1 << at for at, weight in enumerate(self.weights) if weight <= limit)
            for limit in range(-1, most + 1)
        ]
        row = fold.add(fold.binary("max", fold.binary("min", room, Int(most)), Int(-1)), 1)
        return fold.intersect(members, self.b.lookup(masks, row, self.kind))


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
