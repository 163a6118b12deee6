"""Who may call whom: no circles, `stop` only in the flow, `me` only where somebody is asked."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import TypeVar

from rulekit.checks.study import Study, Unit, named, way
from rulekit.diagnostics import Findings, Span
from rulekit.program import expressions as e
from rulekit.program import statements as s
from rulekit.program.walk import own_expressions, walk_expressions, walk_statements

_Node = TypeVar("_Node", bound=Hashable)


def check(study: Study, findings: Findings) -> bool:
    """Circles of calls; `stop`, `stop when` and `me` where they cannot be. Is it free of circles?"""
    if circles(study, findings):
        return False
    check_stops(study, findings)
    check_me(study, findings)
    return True


# ---------------------------------------------------------------- circles


def circles(study: Study, findings: Findings) -> bool:
    """Reports circles of phases and moves, of defines, of facts. Was there any?"""
    before = len(findings.items)
    program = study.program
    for circle in _circles(study.units, lambda unit: [site.callee for site in study.sites_from[unit]]):
        site = next(x for x in study.sites_from[circle[0]] if x.callee == circle[1])
        round_about = way(circle[1:])
        findings.error(
            "RK601",
            f"{named(circle[0])} runs itself" + (f": through {round_about}" if len(circle) > 2 else ""),
            site.stmt.span,
            help="a loop is written `until ...` or `for ...`; phases and moves never come back to themselves",
        )

    def needs(name: str) -> list[str]:
        define = program.defines[name]
        return [
            x.define
            for x in walk_expressions(define.body)
            if isinstance(x, e.CallDefine) and x.define in program.defines
        ]

    for names in _circles(tuple(program.defines), needs):
        _says_itself(findings, "define", names, program.defines[names[0]].span)

    def asks(name: str) -> list[str]:
        fact = program.facts[name]
        return [
            x.fact for x in walk_expressions(fact.body) if isinstance(x, e.FactOf) and x.fact in program.facts
        ]

    for names in _circles(tuple(program.facts), asks):
        _says_itself(findings, "card fact", names, program.facts[names[0]].span)
    return len(findings.items) > before


def _says_itself(findings: Findings, kind: str, names: tuple[str, ...], span: Span | None) -> None:
    path = ", which needs ".join(f"`{name}`" for name in names[1:])
    findings.error(
        "RK602",
        f"{kind} `{names[0]}` needs {'itself' if len(names) == 2 else path}",
        span,
        help="say it without going round in a circle; what must be counted up is kept in `state`",
    )


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


# ---------------------------------------------------------------- me


def check_me(study: Study, findings: Findings) -> None:
    """`me` is read only where somebody is asked. With one player it is he, everywhere."""
    if study.program.players == (1, 1):
        return
    for unit, trail in study.in_flow.items():
        for node in _evaluated(study, unit):
            for expr in walk_expressions(node):
                if isinstance(expr, e.Me):
                    _nobody(findings, "`me` is read here", trail, expr.span)
                elif isinstance(expr, e.CallDefine) and study.uses.define(expr.define).me:
                    _nobody(findings, f"`{expr.define}` reads `me`", trail, expr.span)
                elif isinstance(expr, e.FactOf) and study.uses.fact(expr.fact).me:
                    _nobody(findings, f"card fact `{expr.fact}` reads `me`", trail, expr.span)


def _evaluated(study: Study, unit: Unit) -> Iterator[object]:
    yield from study.nodes(unit)
    for stmt in study.statements(unit):
        yield from own_expressions(stmt)


def _nobody(findings: Findings, what: str, trail: tuple[Unit, ...], span: Span | None) -> None:
    findings.error(
        "RK606",
        f"{what}, and nobody is being asked" + _through(trail),
        span,
        expected="a player by name: a state, a parameter or a `for` variable",
        help="`me` is the player who answers an ask: say whose it is, such as `hand of leader`",
    )
