"""Statements that depend on nothing are run once, while lowering, and leave a constant."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rulekit.compiled import lir
from rulekit.compiled.hoist import effects
from rulekit.compiled.lir import Expr, Stmt
from rulekit.compiled.trees import inside, statements

if TYPE_CHECKING:
    from rulekit.compiled.builder import Builder


def constant(b: Builder, stmts: Sequence[Stmt], value: Expr) -> Expr | None:
    """The value after the statements, worked out now; None if it cannot be: it reads the state, or may
    fault.
    """
    result = lir.Return(value)
    all_effects = [effects(stmt) for stmt in stmts]
    if not all(each.pure and not each.reads for each in all_effects) or effects(result).reads:
        return None
    sets = {number for each in all_effects for number in each.sets}
    uses = {number for each in (*all_effects, effects(result)) for number in each.uses}
    if not uses <= sets:
        return None
    from rulekit.compiled.python import emit_python

    function = lir.Function("worked_out", (), value.kind, (*stmts, result))
    read = {
        x.table
        for stmt in statements(function.body)
        for x in inside(stmt)
        if isinstance(x, lir.Lookup | lir.Ways)
    }
    tables = tuple(table for table in b.tables.values() if table.name in read)
    module = lir.Module("", (), tables, 0, 0, (function,), (), 0, ())
    space: dict[str, object] = {}
    exec(compile(emit_python(module), "<worked out>", "exec"), space)
    found = space["f_worked_out"]([])  # type: ignore[operator]
    return lir.Set(int(found), value.kind) if isinstance(value.kind, lir.Bits) else lir.Int(int(found))
