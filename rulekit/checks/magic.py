"""Numbers with a meaning have a name."""

from __future__ import annotations

from rulekit.checks.study import Study
from rulekit.diagnostics import Findings
from rulekit.program import expressions as e
from rulekit.program import types as t
from rulekit.program.walk import own_expressions, parts, walk_expressions

PLAIN = 3  #: numbers up to this one need no name


def check(study: Study, findings: Findings) -> None:
    """Numbers above 3 in `play`, `phases` and `moves`: in the file's own text, not in blocks."""
    for unit in study.units:
        kind, name = unit
        nodes: list[object] = []
        if kind == "phase" and study.program.phases[name].stop_when is not None:
            nodes.append(study.program.phases[name].stop_when)
        elif kind == "move":
            move = study.program.moves[name]
            nodes += parts((move.choices, move.conditions))
            nodes += [] if move.again is None else [move.again]
        for stmt in study.statements(unit):
            nodes += own_expressions(stmt)
        for node in nodes:
            for expr in walk_expressions(node):
                match expr:
                    case e.Constant(int() as value) if isinstance(expr.type, t.Int):
                        if not isinstance(value, bool) and abs(value) > PLAIN and expr.span is not None:
                            _report(study, expr, value, findings)


def _report(study: Study, expr: e.Constant, value: int, findings: Findings) -> None:
    if study.own(expr.span):
        findings.warning(
            "RK690",
            f"the number `{value}` has no name",
            expr.span,
            help=f"give it one under `define` (`name: {value}`), or make it an option",
        )
