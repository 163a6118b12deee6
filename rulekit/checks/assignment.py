"""Definite assignment: what has no value of its own at the start is assigned before it is read."""

from __future__ import annotations

from rulekit.checks.lifetime import readings
from rulekit.checks.study import Study
from rulekit.checks.tables import closed
from rulekit.diagnostics import Findings, Note
from rulekit.program import statements as s
from rulekit.program.flow import follow


def check(study: Study, findings: Findings) -> None:
    """Reads that may come before the first assignment; of each state one, for one slip leads to many."""
    reported: set[str] = set()
    for name, node in _unset(study):
        for _, at in readings(node, [name], study.uses):
            if name in reported:
                continue
            reported.add(name)
            state = study.program.state[name]
            through = "" if at.span is None or name in at.span.text else f", which `{at.span.text}` needs,"
            findings.error(
                "RK612",
                f"`{name}`{through} may be read here before anything is assigned to it",
                at.span,
                help=f"assign it on every way that leads here, give it a start ({name}: ... = ...), "
                "or let it be none (`?` after its type)",
                notes=[Note("declared here, without a start", state.span)] if state.span else [],
            )


def _unset(study: Study) -> list[tuple[str, object]]:
    """State read unassigned, with what reads it: in some game, as far as options decide."""
    flow = study.flow
    if flow.gave_up or not flow.unset:
        return []
    names = sorted({name for _, name in flow.unset})
    options = _deciding(study, names)
    tables = closed(flow, options) if options else None
    found = flow.unset
    if tables is not None:
        found = {}
        for table in tables:
            found |= follow(study.program, table, study.uses).unset
    return [(name, node) for (key, name), node in flow.unset.items() if (key, name) in found]


def _deciding(study: Study, names: list[str]) -> list[str]:
    """Options that decide whether one of these is assigned."""
    found: set[str] = set()
    for unit in study.units:
        for stmt in study.statements(unit):
            if isinstance(stmt, s.If) and study.uses.writes(stmt).states & set(names):
                for condition, _ in stmt.branches:
                    found |= study.uses.reads(condition).options
    return [name for name in study.program.options if name in found]
