"""Numbers keep to their declared ranges, as far as intervals tell."""

from __future__ import annotations

from rulekit.checks.growth import Crowded, Excess, Growth, within
from rulekit.checks.study import Study
from rulekit.diagnostics import Findings, Note
from rulekit.program import statements as s
from rulekit.program.bounds import BIG, Range


def check(study: Study, findings: Findings) -> None:
    """Assignments surely outside the range, and those that may come to be.

    Starts, divisors and 32 bits the checker tells from the types.
    """
    if study.flow.gave_up:
        return
    _surely(study, findings)
    for growth in within(study)[1]:
        if study.program.state[growth.name].block is None:
            _maybe(study, growth, findings)


def check_steps(study: Study, findings: Findings) -> None:
    """The same for one table, where every amount is known: without numbers that are also set anew.

    When these begin again often hangs on conditions that bounds do not see through.
    """
    if study.flow.gave_up:
        return
    _surely(study, findings)
    for growth in within(study)[1]:
        again = any(stmt.op == "=" for stmt in study.assignments.get(growth.name, ()))
        if study.program.state[growth.name].block is None and not again:
            _maybe(study, growth, findings)


def _surely(study: Study, findings: Findings) -> None:
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


def _maybe(study: Study, growth: Growth, findings: Findings) -> None:
    """The assignment by which the number leaves its range furthest, or the loop that has too little room."""
    certain = study.watching.misfits
    excesses = [excess for number, excess in growth.excesses.items() if number not in certain]
    if excesses and not certain.keys() & growth.excesses.keys():
        _report(study, growth, max(excesses, key=lambda one: one.result), findings)
    for crowded in growth.crowded.values():
        _report_crowded(study, growth, crowded, findings)


def _report(study: Study, growth: Growth, excess: Excess, findings: Findings) -> None:
    state, sign = study.program.state[growth.name], growth.sign
    where = state.start if excess.stmt is None else excess.stmt
    span = where.span if where is not None and study.own(where.span) else state.span
    if not study.own(span):
        return
    declared = growth.declared
    wide = Range(declared.low, excess.result) if sign == 1 else Range(-excess.result, declared.high)
    direction, least = ("up to", "at most") if sign == 1 else ("down to", "at least")
    how = f"it may become {sign * excess.result} here"
    if excess.added is not None and excess.added > 0:
        change = "and up to {} more" if sign == 1 else "and up to {} less"
        how = f"{direction} {sign * excess.before} before this, {change.format(excess.added)}"
    findings.warning(
        "RK671",
        f"`{growth.name}` may come {direction} {sign * excess.result}, out of its range "
        f"{_range(Range(declared.low, declared.high))}",
        span,
        expected=f"a number in {_range(Range(declared.low, declared.high))}",
        help=f"{how}; declare {_range(wide)}, or keep it in range with `{least}`",
        notes=[Note("declared here", state.span)] if state.span and state.span != span else [],
    )


def _report_crowded(study: Study, growth: Growth, crowded: Crowded, findings: Findings) -> None:
    state = study.program.state[growth.name]
    span = crowded.loop.span if study.own(crowded.loop.span) else state.span
    if not study.own(span):
        return
    declared = _range(Range(growth.declared.low, growth.declared.high))
    rounds = "one round" if crowded.rounds == 1 else f"{crowded.rounds or 'no'} rounds"
    word = "add" if growth.sign == 1 else "take away"
    findings.warning(
        "RK672",
        f"`{growth.name}` has room for {rounds} of this loop in its range {declared}",
        span,
        help=f"a round may {word} up to {crowded.each}, and nothing says how many rounds there are: "
        "declare a wider range, or let the loop end when the number comes near its end",
        notes=[Note("declared here", state.span)] if state.span and state.span != span else [],
    )


def _range(of: Range) -> str:
    return f"`{of.low}..{of.high}`"


def _said(value: Range, study: Study) -> str:
    if value.low == value.high:
        return str(value.low)
    if value.high >= BIG or value.high - value.low > 10**6:
        return f"at least {value.low}"
    return f"{value.low} to {value.high}"
