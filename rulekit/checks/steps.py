"""Forms of steps: by what an assignment moves a number."""

from __future__ import annotations

from rulekit.program import expressions as e
from rulekit.program import statements as s


def own_step(value: e.Expr, place: s.StatePlace) -> e.Expr | None:
    """`x = x + k`: the k."""

    def own(part: e.Expr) -> bool:
        return isinstance(part, e.StateOf) and part.state == place.state and part.index == place.index

    match value:
        case e.StateOf() if own(value):
            return e.Constant(0, type=value.type)
        case e.Arithmetic("+", left, right) if own(left) or own(right):
            return right if own(left) else left
        case e.Arithmetic("-", left, right) if own(left):
            return e.Negative(right, type=right.type)
    return None


def worth_of(value: e.Expr, local: int) -> bool:
    """`sum(points of hand of p)`, perhaps less something: disjoint from what other members have."""
    match value:
        case e.Arithmetic("-", left, _):
            return worth_of(left, local)
        case e.Sum(e.Collect(e.ZoneCards(_, e.Local(number)))):
            return number == local
    return False
