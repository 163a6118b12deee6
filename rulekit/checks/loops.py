"""Loops end: each round is shown to ask, or to bring the loop nearer to its end."""

from __future__ import annotations

from rulekit.checks.study import Study
from rulekit.diagnostics import Findings
from rulekit.program import expressions as e
from rulekit.program import statements as s
from rulekit.program.progress import Quiet, is_proven


def check(study: Study, findings: Findings) -> None:
    """Loops not shown to end; in a game without choices, that it may not end at all.

    Where nobody chooses, an author who states the limit of the match has said that it may not end.
    """
    choices = any(
        isinstance(stmt, s.Ask) and stmt.moves for unit in study.reached() for stmt in study.statements(unit)
    )
    for unit in study.units:
        for stmt in study.statements(unit):
            if isinstance(stmt, s.Until) and _endless(study, stmt):
                findings.warning(
                    "RK622",
                    "this loop never ends by itself",
                    stmt.span,
                    expected="a condition that can become true, or a `stop` inside the loop",
                    help="say when it is over: `until count(stock) == 0`",
                )
            if not isinstance(stmt, s.Until) or stmt.proven or is_proven(stmt, study.flow):
                continue
            if id(stmt) not in study.flow.before and not study.flow.gave_up:
                continue  # never reached: what stands before it surely fails
            if choices:
                findings.warning(
                    "RK620",
                    f"nothing shows that this loop ends: {_reason(study, stmt)}",
                    stmt.span,
                    help="ask in each round, move a card one way, or let the condition wait for a number "
                    "that only grows; else each round counts against `end.limit`",
                )
            elif not study.program.end.declared:
                findings.warning(
                    "RK621",
                    f"a game without choices may not end: {_reason(study, stmt)}",
                    stmt.span,
                    help="bound the loop: count its rounds in a state and let the condition read it; or, if "
                    "that is how the game is, say after how many rounds it is given up: `end: {limit: 5000}`",
                )


def _endless(study: Study, loop: s.Until) -> bool:
    """Its condition is false whatever happens, and nothing stops it from inside or outside."""
    if not (isinstance(loop.condition, e.Constant) and loop.condition.value is False):
        return False
    stopped = any(phase.stop_when is not None for phase in study.program.phases.values())
    return not stopped and not any(isinstance(stmt, s.Stop) for stmt in study.inside(*loop.body))


def _reason(study: Study, loop: s.Until) -> str:
    """Why it is not shown to end."""
    if study.flow.gave_up:
        return "the ruleset is too large to be followed"
    inside = study.inside(*loop.body)
    quiet = Quiet(loop, study.flow)
    if any(isinstance(stmt, s.Move | s.Deal | s.Swap | s.Shuffle) for stmt in quiet.changed()):
        if quiet.cards:
            return "a round may find no card to move"
        return "cards may go round in a circle"
    if any(isinstance(stmt, s.Ask) for stmt in inside):
        return "a round may pass in which nobody is asked"
    return "a round need not bring its condition nearer"
