"""`highest` and `lowest` among players: a tie would be broken by seat order, silently."""

from __future__ import annotations

from rulekit.checks.study import Study
from rulekit.diagnostics import Findings
from rulekit.program import expressions as e
from rulekit.program import types as t
from rulekit.program.bounds import Known
from rulekit.program.walk import walk_expressions


def check(study: Study, findings: Findings) -> None:
    """One player or team picked from a set by a key that two of them may share."""
    program = study.program
    blank = Known(options=study.flow.table.options)
    roots: list[object] = [program.play, program.end]
    for parts in (program.defines, program.facts, program.phases, program.moves, program.state):
        roots += parts.values()
    for root in roots:
        for expr in walk_expressions(root):
            match expr:
                case e.Extreme("highest" | "lowest" as kind, domain, local, key):
                    if not isinstance(domain.type, t.SetOf) or not isinstance(
                        domain.type.of, t.Player | t.Team
                    ):
                        continue
                    if _tells_apart(key, local) or study.flow.estimator.size(domain, blank).high <= 1:
                        continue
                    who = "team" if isinstance(domain.type.of, t.Team) else "player"
                    findings.warning(
                        "RK675",
                        f"of {who}s that tie, `{kind}` takes the one whose seat comes first",
                        expr.span,
                        expected="a rule for ties",
                        help=f"write `all_{kind}(...)` for all that tie, `only(all_{kind}(...))` for none if "
                        f"they tie, or `{kind}(players starting ... by ...)` to say whose turn decides",
                    )


def _tells_apart(key: e.Expr, local: int) -> bool:
    """Can no two have the same key: is the player himself, or a seat of his, a part of it?"""
    parts = key.parts if isinstance(key, e.KeyOf) else (key,)
    for part in parts:
        inner = part
        while isinstance(inner, e.Seat):
            inner = inner.player
        if isinstance(inner, e.Local) and inner.number == local:
            return True
    return False
