"""Who may call whom: no circles, `stop` and `stop when` only in the flow."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import TypeVar

from rulekit.checks.study import Study, Unit, named, way
from rulekit.diagnostics import Findings
from rulekit.program import statements as s
from rulekit.program.walk import walk_statements

_Node = TypeVar("_Node", bound=Hashable)


def check(study: Study, findings: Findings) -> bool:
    """Circles of calls; `stop` and `stop when` where they cannot be. Is it free of circles?"""
    if circles(study, findings):
        return False
    check_stops(study, findings)
    return True


# ---------------------------------------------------------------- circles


def circles(study: Study, findings: Findings) -> bool:
    """Reports circles of phases and moves (the checker refuses those of defines). Was there any?"""
    before = len(findings.items)
    for circle in _circles(study.units, lambda unit: [site.callee for site in study.sites_from[unit]]):
        site = next(x for x in study.sites_from[circle[0]] if x.callee == circle[1])
        round_about = way(circle[1:])
        findings.error(
            "RK601",
            f"{named(circle[0])} runs itself" + (f": through {round_about}" if len(circle) > 2 else ""),
            site.stmt.span,
            help="a loop is written `until ...` or `for ...`; phases and moves never come back to themselves",
        )
    return len(findings.items) > before


def _circles(nodes: Iterable[_Node], next_of: Callable[[_Node], list[_Node]]) -> list[tuple[_Node, ...]]:
    """A circle for each group of nodes that reach themselves: its nodes, the first again at the end."""
    found: list[tuple[_Node, ...]] = []
    done: set[_Node] = set()

    def visit(node: _Node, trail: tuple[_Node, ...]) -> None:
        if node in trail:
            circle = (*trail[trail.index(node) :], node)
            if not any(set(circle) & set(other) for other in found):
                found.append(circle)
            return
        if node in done:
            return
        for following in next_of(node):
            visit(following, (*trail, node))
        done.add(node)

    for node in nodes:
        visit(node, ())
    return found


# ---------------------------------------------------------------- stop


def check_stops(study: Study, findings: Findings) -> None:
    """`stop` and `stop when` belong to the flow, where the phase surely is running."""
    for unit in study.units:
        for stmt in study.statements(unit):
            if isinstance(stmt, s.Stop):
                _check_stop(study, unit, stmt, findings)
    for site in study.sites:
        kind, name = site.callee
        if kind != "phase" or site.caller not in study.in_moves:
            continue
        if study.program.phases[name].stop_when is not None:
            findings.error(
                "RK605",
                f"phase `{name}` has `stop when`, and here it is run as part of a move",
                site.stmt.span,
                expected="a phase without `stop when`",
                help="a move is never left half done: call it from the flow, "
                "or give the condition to a phase that runs the ask",
            )


def _check_stop(study: Study, unit: Unit, stmt: s.Stop, findings: Findings) -> None:
    phase: Unit = ("phase", stmt.phase)
    if unit in study.in_moves:
        findings.error(
            "RK604",
            f"`stop {stmt.phase}` is part of a move" + _through(study.in_moves[unit]),
            stmt.span,
            expected="`stop` in the flow: in `play` or in a phase that no move runs",
            help="let the move change a state, and stop where the flow sees it: "
            "`if ...: [stop ...]`, or `stop when`",
        )
        return
    if stmt.phase not in study.program.phases:
        return
    outside = study.reached(frozenset({phase}), leaving=True)
    ending = unit == phase and any(inner is stmt for inner in walk_statements(study.bodies(unit)[1]))
    if ending:
        findings.error(
            "RK603",
            f"`stop {stmt.phase}` stands in the `after` of `{stmt.phase}`, which has ended by then",
            stmt.span,
            help=f"leave it out, or stop a phase that runs `{stmt.phase}`",
        )
    elif unit in outside:
        findings.error(
            "RK603",
            f"`{stmt.phase}` may not be running here: this is reached by {way(outside[unit])}",
            stmt.span,
            expected="a phase that is running wherever this is reached",
            help="stop the phase that is running, or run this part from it alone",
        )


def _through(units: tuple[Unit, ...]) -> str:
    return f": {way(units)}" if len(units) > 1 else ""
