"""What can be proven about a ruleset without playing it, one check a file."""

from __future__ import annotations

from rulekit.checks import (
    asks,
    assignment,
    box,
    calls,
    cost,
    deals,
    end,
    guards,
    idle_names,
    lifetime,
    loops,
    magic,
    ranges,
    sealed,
    secrecy,
    sheet,
    stop_when,
    texts,
    ties,
    unused,
)
from rulekit.checks.study import Study
from rulekit.diagnostics import Findings
from rulekit.program import Program
from rulekit.program.progress import prove_loops

#: In this order; a program whose calls run in a circle is not looked at further.
PASSES = (
    lifetime.check,
    assignment.check,
    loops.check,
    deals.check,
    asks.check,
    unused.check,
    ranges.check,
    ties.check,
    secrecy.check,
    stop_when.check,
    guards.check,
    sealed.check,
    sheet.check,
    idle_names.check,
    magic.check,
    cost.check,
    end.check,
    texts.check,
)


def run_checks(program: Program, findings: Findings) -> Program:
    """Records what is wrong or doubtful about a program that compiled.

    Returns the program, with the loops marked that are shown to end: both come from following it once.
    """
    study = Study(program)
    if not calls.check(study, findings) or not box.check(study, findings):
        return program
    for check in PASSES:
        check(study, findings)
    return prove_loops(program, study.flow)


__all__ = ["PASSES", "run_checks"]
