"""Conditions that are always or never true where they stand."""

from __future__ import annotations

from rulekit.checks.study import Study
from rulekit.diagnostics import Findings
from rulekit.program import expressions as e
from rulekit.program import statements as s

#: Findings that say already why a game does not go on: a breakdown for sure, or a loop without an end.
STOPPERS = frozenset({"RK603", "RK622", "RK670"})


def check(study: Study, findings: Findings) -> None:
    """Branches of an `if` that no game can take, as far as bounds tell for sure."""
    if study.flow.gave_up:
        return
    _conditions(study, findings)
    _unreached(study, findings)
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


def _conditions(study: Study, findings: Findings) -> None:
    """Conditions of moves that always or never hold wherever the move is asked."""
    fixed = {option.name for option in study.program.options.values() if option.fixed}
    for move in study.program.moves.values():
        for condition in move.conditions:
            found = study.flow.held.get(id(condition.condition))
            if not found or not study.own(condition.span):
                continue
            if (
                isinstance(condition.condition, e.Constant)
                or study.uses.reads(condition.condition).options & fixed
            ):
                continue
            if found == {False}:
                findings.warning(
                    "RK684",
                    f"`{condition.label}` never holds where `{move.name}` is asked: it is never legal",
                    condition.condition.span or condition.span,
                    help="see what the condition should say, or where the move should be asked",
                )
            elif found == {True}:
                findings.warning(
                    "RK685",
                    f"`{condition.label}` always holds where `{move.name}` is asked",
                    condition.condition.span or condition.span,
                    help="leave the condition out, or see what it should say",
                )


def _unreached(study: Study, findings: Findings) -> None:
    """Statements behind one that is never got past."""
    if any(found.code in STOPPERS for found in findings.items):
        return
    for unit in study.units:
        for body in study.bodies(unit):
            _look(study, body, findings)


def _look(study: Study, body: tuple[s.Stmt, ...], findings: Findings) -> None:
    reached = [id(stmt) in study.flow.reached for stmt in body]
    for number, stmt in enumerate(body):
        if not reached[number]:
            if number and reached[number - 1] and study.own(stmt.span):
                findings.warning(
                    "RK683",
                    "no game comes here: what stands before is never got past",
                    stmt.span,
                    help="take it out, or see what should let the game go on",
                )
            return
        match stmt:
            case s.If(branches, otherwise):
                for _, inner in branches:
                    _look(study, inner, findings)
                _look(study, otherwise, findings)
            case s.For(_, _, inner) | s.Repeat(_, inner) | s.Until(_, inner):
                _look(study, inner, findings)


def _shown(span: object, otherwise: str) -> str:
    return getattr(span, "text", otherwise)
