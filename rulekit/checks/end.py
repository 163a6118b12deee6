"""The match budget."""

from __future__ import annotations

from rulekit.checks.study import Study
from rulekit.diagnostics import Findings

LARGEST = 10_000_000  #: decisions beyond which a match that does not end would seem to hang


def check(study: Study, findings: Findings) -> None:
    """`end.limit` lets every player act, and ends a match before anybody gives up waiting."""
    limit, most = study.program.end.limit, study.program.players[1]
    if limit < most:
        findings.warning(
            "RK695",
            f"a limit of {limit} ends the match before all {most} players have acted",
            study.key("end", "limit"),
            help="leave `limit` out: 100,000 decisions are the usual bound",
        )
    elif limit > LARGEST:
        findings.warning(
            "RK695",
            f"a limit of {limit} is so far away that an endless match would seem to hang",
            study.key("end", "limit"),
            expected=f"at most {LARGEST}",
            help="leave `limit` out: 100,000 decisions are the usual bound",
        )
