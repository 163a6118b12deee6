"""Conditions that are always or never true where they stand."""

from __future__ import annotations

from rulekit.checks.study import Study
from rulekit.diagnostics import Findings
from rulekit.program import statements as s


def check(study: Study, findings: Findings) -> None:
    """Branches of an `if` that no game can take, as far as bounds tell for sure."""
    if study.flow.gave_up:
        return
    fixed = {option.name for option in study.program.options.values() if option.fixed}
    for unit in study.units:
        for stmt in study.statements(unit):
            if not isinstance(stmt, s.If) or not study.own(stmt.span):
                continue
            taken = study.flow.branches.get(id(stmt))
            if not taken:
                continue
            for number, (condition, _) in enumerate(stmt.branches):
                if study.uses.reads(condition).options & fixed:
                    continue  # a variant has decided it; the base has not
                if number not in taken and max(taken) > number:
                    findings.warning(
                        "RK684",
                        f"`{_shown(condition.span, 'this condition')}` never holds here",
                        condition.span or stmt.span,
                        help="leave the branch out, or see what the condition should say",
                    )
                elif taken == {number} and (stmt.otherwise or number + 1 < len(stmt.branches) or number == 0):
                    findings.warning(
                        "RK685",
                        f"`{_shown(condition.span, 'this condition')}` always holds here",
                        condition.span or stmt.span,
                        help="leave the `if` out, or see what the condition should say",
                    )


def _shown(span: object, otherwise: str) -> str:
    return getattr(span, "text", otherwise)
