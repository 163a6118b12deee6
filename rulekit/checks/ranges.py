"""Numbers keep to their declared ranges, as far as intervals tell for sure."""

from __future__ import annotations

from rulekit.checks.study import Study
from rulekit.diagnostics import Findings, Note
from rulekit.program import statements as s
from rulekit.program import types as t
from rulekit.program.bounds import BIG, Known, Range


def check(study: Study, findings: Findings) -> None:
    """Assignments and starts that surely are outside the range. Divisors and 32 bits are types' business."""
    starts(study, findings)
    if study.flow.gave_up:
        return
    for misfit in study.watching.misfits.values():
        place = misfit.stmt.place
        assert isinstance(place, s.StatePlace)
        state = study.program.state[place.state]
        findings.error(
            "RK670",
            f"`{place.state}` becomes {_said(misfit.value, study)} here, out of its range "
            f"{_range(misfit.declared)}",
            misfit.stmt.span,
            expected=f"a number in {_range(misfit.declared)}",
            help="keep it in range with `at most` and `at least`, or declare a wider range",
            notes=[Note("declared here", state.span)] if state.span else [],
        )


def starts(study: Study, findings: Findings) -> None:
    """Starts surely outside the declared range."""
    blank = Known(options=study.flow.table.options)
    for state in study.program.state.values():
        kind = state.type.of if isinstance(state.type, t.Optional) else state.type
        if state.start is None or not isinstance(kind, t.Int):
            continue
        value = study.flow.estimator.number(state.start, blank)
        if value.nothing:
            continue
        if value.low > kind.high or value.high < kind.low:
            findings.error(
                "RK671",
                f"`{state.name}` starts as {_said(value, study)}, out of its range "
                f"{_range(Range(kind.low, kind.high))}",
                state.start.span or state.span,
                expected=f"a number in {_range(Range(kind.low, kind.high))}",
                help="change the start, or declare a wider range",
            )


def _range(of: Range) -> str:
    return f"`{of.low}..{of.high}`"


def _said(value: Range, study: Study) -> str:
    if value.low == value.high:
        return str(value.low)
    if value.high >= BIG or value.high - value.low > 10**6:
        return f"at least {value.low}"
    return f"{value.low} to {value.high}"
