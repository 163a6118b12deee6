"""What starts afresh with a phase, a move or `play` is used only where that surely runs, on the call graph.

The checker refuses the plain case, state of one phase; this finds state of blocks that several phases, a
move or `play` bring, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rulekit.checks.study import Study, Unit, named, way
from rulekit.diagnostics import Findings, Note, Span
from rulekit.program import expressions as e
from rulekit.program import statements as s
from rulekit.program.uses import Uses
from rulekit.program.walk import own_expressions, walk_expressions


def check(study: Study, findings: Findings) -> None:
    """Uses of phase state where no phase (or move, or `play`) that has it need be running."""
    owned: dict[frozenset[Unit], list[str]] = {}
    for name, owners in study.owners.items():
        if owners:
            owned.setdefault(owners, []).append(name)
    for owners, names in owned.items():
        outside = study.reached(owners)
        for unit, trail in outside.items():
            reached = way(trail) if len(trail) > 1 else named(unit)
            for name, span, changed in used(study, unit, names):
                _report(study, findings, name, span, changed, f"this is reached by {reached}")
        for part in (study.program.end.ranking, study.program.end.payoff, study.program.end.score):
            if part is not None:
                for name, at in readings(part, names, study.uses):
                    _report(study, findings, name, at.span, False, "at the end of the match no phase runs")


def used(study: Study, unit: Unit, names: Iterable[str]) -> Iterator[tuple[str, Span | None, bool]]:
    """Where a unit uses one of these states: its name, the place, and whether it is assigned there."""
    wanted = list(names)
    for node in study.nodes(unit):
        for name, at in readings(node, wanted, study.uses):
            yield name, at.span, False
    for stmt in study.statements(unit):
        match stmt:
            case s.Assign(s.StatePlace(name)) if name in wanted:
                yield name, stmt.span, True
            case s.RevealState(name) if name in wanted:
                yield name, stmt.span, False
        for expr in own_expressions(stmt):
            for name, at in readings(expr, wanted, study.uses):
                yield name, at.span, False


def readings(node: object, names: Iterable[str], uses: Uses) -> Iterator[tuple[str, e.Expr]]:
    """The smallest expressions that read one of these states, also by a define, a fact or a pattern."""
    wanted = frozenset(names)
    if not uses.reads(node).states & wanted:
        return
    for expr in walk_expressions(node):
        match expr:
            case e.StateOf(name) if name in wanted:
                yield name, expr
            case e.CallDefine(define):
                for name in sorted(uses.define(define).states & wanted):
                    yield name, expr
            case e.FactOf(fact):
                for name in sorted(uses.fact(fact).states & wanted):
                    yield name, expr
            case _ if isinstance(pattern := getattr(expr, "pattern", None), str):
                for name in sorted(uses.pattern(pattern).states & wanted):
                    yield name, expr


def _report(
    study: Study, findings: Findings, name: str, span: Span | None, changed: bool, reached: str
) -> None:
    owners = sorted(study.owners[name])
    phases = " and ".join(named(owner) for owner in owners)
    declared = study.program.state[name].span
    through = "" if span is None or name in span.text else f", which `{span.text}` reads,"
    findings.error(
        "RK610",
        f"`{name}`{through} exists only while {phases} runs, and {reached}"
        if not changed
        else f"`{name}` is changed here but exists only while {phases} runs, and {reached}",
        span,
        expected=f"a place that only {phases} reaches",
        help="what must outlive the phase is declared under the `state` of the file",
        notes=[Note("declared here", declared)] if declared is not None else [],
    )
