"""Cards come out of the box, where all of them lie when a match begins."""

from __future__ import annotations

from rulekit.checks.study import Study
from rulekit.diagnostics import Findings
from rulekit.program import statements as s
from rulekit.program.origins import target_zones
from rulekit.program.setup import BOX


def check(study: Study, findings: Findings) -> bool:
    """False, and a finding, if cards are moved and none of them ever is in play: all else follows."""
    first: s.Stmt | None = None
    for unit in study.units:
        for stmt in study.statements(unit):
            sources: frozenset[str] | None = frozenset()
            match stmt:
                case s.Move(cards) | s.Shuffle(_, cards) if cards is not None:
                    sources = study.uses.origins.of(cards)
                case s.Deal(_, _, source):
                    sources = target_zones(source, study.program)
                case s.Swap():
                    return True  # it may be anything
                case s.Shuffle():
                    pass
                case _:
                    continue
            if sources is None or BOX in sources:
                return True
            first = first or stmt
    if first is None:
        return True  # a game without cards, or one that tells of each zone that stays empty
    findings.warning(
        "RK632",
        "no card is ever taken out of the box, where all lie when a match begins",
        first.span,
        help="begin with `shuffle deck into` and the zone to deal from",
    )
    return False
