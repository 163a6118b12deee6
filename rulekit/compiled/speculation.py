"""What may be worked out although it may turn out not to be needed."""

from __future__ import annotations

from collections.abc import Sequence

from rulekit.compiled import lir
from rulekit.compiled.lir import Expr, Stmt
from rulekit.compiled.ranges import Ranges
from rulekit.compiled.trees import children, size

MOST_SIZE = 40  #: nodes; more would rather be branched around


def harmless(ranges: Ranges, stmts: Sequence[Stmt], *values: Expr) -> bool:
    """The statements only name values, and to work these out where they are not wanted does no harm: no place
    in a table, row or pile can be beyond its end."""
    found = list(values)
    for stmt in stmts:
        if not isinstance(stmt, lir.Let):
            return False
        found.append(stmt.value)
    return sum(size(x) for x in found) <= MOST_SIZE and all(_total(ranges, x) for x in found)


def _total(ranges: Ranges, x: Expr) -> bool:
    match x:
        case lir.Lookup(_, index) | lir.Load(_, index) if index is not None:
            span = ranges.of(index)
            if span.none or span.low < 0 or not _inside(ranges, x, span.high):
                return False
        case lir.PileAt() | lir.Nth() | lir.Lowest() | lir.Highest() | lir.Single() | lir.Ways():
            return False
        case lir.Binary("//" | "%", _, right) if not (isinstance(right, lir.Int) and right.value > 0):
            return False
        case lir.Cond(condition):
            return _total(ranges, condition)  # it keeps out of its branches what they cannot bear
    return all(_total(ranges, child) for child in children(x))


def _inside(ranges: Ranges, x: lir.Lookup | lir.Load, high: int) -> bool:
    many = ranges.lengths.get(x.table if isinstance(x, lir.Lookup) else x.field)
    return many is not None and high < many
