"""A phase is not stopped while it is being left. Circles, and stops elsewhere, the checker refuses itself."""

from __future__ import annotations

from rulekit.checks.study import Study, Unit, way
from rulekit.diagnostics import Findings
from rulekit.program import statements as s
from rulekit.program.walk import walk_statements


def check(study: Study, findings: Findings) -> bool:
    """`stop` in the `after` of the phase itself, or in what only that `after` runs. True: go on looking."""
    for unit in study.units:
        for stmt in study.statements(unit):
            if isinstance(stmt, s.Stop) and stmt.phase in study.program.phases:
                _check_stop(study, unit, stmt, findings)
    return True


def _check_stop(study: Study, unit: Unit, stmt: s.Stop, findings: Findings) -> None:
    phase: Unit = ("phase", stmt.phase)
    if unit == phase:
        if any(inner is stmt for inner in walk_statements(study.program.phases[stmt.phase].after)):
            _report(stmt, f"this stands in the `after` of `{stmt.phase}`", findings)
        return
    outside = study.reached(frozenset({phase}), leaving=True)
    if unit in outside and phase in outside[unit]:
        _report(stmt, f"this is reached from its `after` by {way(outside[unit])}", findings)


def _report(stmt: s.Stop, where: str, findings: Findings) -> None:
    findings.error(
        "RK603",
        f"`{stmt.phase}` has ended when this stops it: {where}",
        stmt.span,
        expected="`stop` before the `after`",
        help=f"leave it out, or stop a phase that runs `{stmt.phase}`",
    )
