"""Numbers keep to their declared ranges, as far as intervals tell for sure."""

from __future__ import annotations

from rulekit.checks.study import Study
from rulekit.diagnostics import Findings, Note
from rulekit.program import statements as s
from rulekit.program.bounds import BIG, Range


def check(study: Study, findings: Findings) -> None:
    """Assignments surely outside the range. Starts, divisors and 32 bits the checker tells from the types."""
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


def _range(of: Range) -> str:
    return f"`{of.low}..{of.high}`"


def _said(value: Range, study: Study) -> str:
    if value.low == value.high:
        return str(value.low)
    if value.high >= BIG or value.high - value.low > 10**6:
        return f"at least {value.low}"
    return f"{value.low} to {value.high}"
