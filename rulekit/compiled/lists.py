"""Collections that are written down, one element after another in a field, to be gone through later."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulekit.compiled import fold, lir
from rulekit.compiled.collections import Body, Coll
from rulekit.compiled.domains import Domain
from rulekit.compiled.fold import FALSE, TRUE
from rulekit.compiled.lir import NONE, Bits, Expr, Int
from rulekit.compiled.ranges import ANY, Span
from rulekit.program.faults import TOO_MANY

if TYPE_CHECKING:
    from rulekit.compiled.context import Lower

MOST_LISTED = 1 << 13  #: that are written one after another, to be gone through


class ListColl(Coll):
    """Values that stand in a field: ``count`` of them from place ``first``."""

    ordered = True

    def __init__(
        self,
        field: str,
        count: Expr,
        domain: Domain | None,
        *,
        distinct: bool = True,
        sets: Bits | None = None,
    ) -> None:
        self.field, self.length, self.domain = field, count, domain
        self.distinct, self.sets = distinct, sets

    def most(self, lower: Lower) -> int:
        return lower.b.ranges.lengths[self.field]

    def loop(self, lower: Lower, body: Body) -> None:
        b = lower.b
        at = b.var(span=Span(0, 1 << 20))
        with b.collect() as stmts:
            item = b.let(b.load(self.field, lir.Get(at)))
            body(item)
        b.loop(lambda rest: lir.ForRange(at, FALSE, self.length, rest), stmts, at)

    def count(self, lower: Lower) -> Expr:
        return self.length

    def some(self, lower: Lower) -> Expr:
        return fold.binary(">", self.length, FALSE)

    def end(self, lower: Lower, last: bool) -> Expr:
        place = fold.binary("-", self.length, TRUE) if last else FALSE
        return fold.choose(self.some(lower), lower.b.load(self.field, place), Int(NONE))

    def kept(self, lower: Lower) -> Coll:
        return self


def listed(lower: Lower, coll: Coll, *, scratch: bool = True, most: int | None = None) -> ListColl:
    """The elements written one after another into a field. ``most``: for how many there is room; by default
    for all there can be, up to `MOST_LISTED`. More than there is room for are a fault."""
    b = lower.b
    bound = coll.most(lower)
    if most is None:
        most = min(MOST_LISTED if bound is None else bound, MOST_LISTED)
    certain = bound is not None and bound <= most
    domain = coll.domain
    kind: lir.Kind = coll.sets or lir.NUMBER
    name = lower.fresh("list")
    span = Span(domain.first, domain.first + domain.width - 1) if domain else ANY
    b.field(name, kind, most, scratch=scratch, span=span)
    count = b.var(span=Span(0, most))
    b.set(count, FALSE)

    def add(value: Expr) -> None:
        if not certain:
            full = b.trap(TOO_MANY, f"more than {most} to go through", None, beyond=True)
            b.if_(fold.binary(">=", lir.Get(count), Int(most)), [full])
        b.store(name, value, lir.Get(count))
        b.set(count, fold.add(lir.Get(count), 1))

    coll.loop(lower, add)
    return ListColl(name, lir.Get(count), domain, distinct=coll.distinct, sets=coll.sets)
