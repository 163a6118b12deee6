"""The score sheet adds up: a number with receipts changes by them alone."""

from __future__ import annotations

from rulekit.checks.study import Study
from rulekit.diagnostics import Findings, Note
from rulekit.program import statements as s


def check(study: Study, findings: Findings) -> None:
    """Assignments without a reason to a number that elsewhere leaves receipts; one for each number.

    Blocks have sheets of their own: what they do to a number of the game is not looked at. Nor is a stake:
    what is taken from one number and given to another in the same list.
    """
    stakes = _stakes(study)
    for name, assignments in study.assignments.items():
        own = [stmt for stmt in assignments if study.own(stmt.span)]
        reasoned = [stmt for stmt in own if stmt.because is not None]
        bare = [stmt for stmt in own if stmt.because is None and id(stmt) not in stakes]
        if not reasoned or not bare:
            continue
        shown = _place(bare[0])
        findings.warning(
            "RK677",
            f"`{name}` changes here without a reason, and elsewhere with one: its receipts do not add up",
            bare[0].span,
            help=f"say what it is for: `{shown} for REASON`",
            notes=[Note("a receipt is left here", reasoned[0].span)] if reasoned[0].span else [],
        )


def _stakes(study: Study) -> set[int]:
    """Assignments that are one half of a transfer: `stack of me -= n, paid of me += n`."""
    found: set[int] = set()
    for unit in study.units:
        lists = [*study.bodies(unit), *(body for stmt in study.statements(unit) for body in _lists(stmt))]
        for body in lists:
            moved = [stmt for stmt in body if isinstance(stmt, s.Assign) and stmt.op in ("+=", "-=")]
            for one in moved:
                if any(one.op != other.op and one.value == other.value for other in moved):
                    found.add(id(one))
    return found


def _lists(stmt: s.Stmt) -> list[tuple[s.Stmt, ...]]:
    match stmt:
        case s.If(branches, otherwise):
            return [*(body for _, body in branches), otherwise]
        case s.For(_, _, body) | s.Repeat(_, body) | s.Until(_, body):
            return [body]
    return []


def _place(stmt: s.Assign) -> str:
    return stmt.span.text if stmt.span is not None else f"... {stmt.op} ..."
