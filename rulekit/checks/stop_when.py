"""`stop when` that holds from the start, or that can never come to hold."""

from __future__ import annotations

from rulekit.checks.study import Study
from rulekit.diagnostics import Findings
from rulekit.program.uses import Writes


def check(study: Study, findings: Findings) -> None:
    """Compares what each `stop when` reads with what its phase changes, and with what is known on entry."""
    flow = study.flow
    for phase in study.program.phases.values():
        stop = phase.stop_when
        if stop is None:
            continue
        reads = study.uses.reads(stop)
        changes = Writes()
        for stmt in phase.body:
            changes |= study.uses.writes(stmt)
        if not changes.touches(reads):
            findings.warning(
                "RK682",
                f"`stop when` of `{phase.name}` is never tested: nothing that it reads changes in the phase",
                stop.span,
                help="let it read what the phase changes, or write `if ...: [stop ...]` "
                "where it is to be tested",
            )
            continue
        entry = flow.entered.get(phase.name)
        if entry is not None and not flow.gave_up and flow.estimator.sure(stop, entry) is True:
            findings.warning(
                "RK681",
                f"`stop when` of `{phase.name}` holds already when the phase begins",
                stop.span,
                help="it is first tested when something that it reads has changed: say what must come about "
                "in the phase, or put it on a smaller phase",
            )
