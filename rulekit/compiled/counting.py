"""Scores that tell more of a position: with the counters that receipts are left for.

In some games the score changes once in many deals, such as games won in whist; what is counted until then,
such as points, a ruleset says in its receipts.
"""

from __future__ import annotations

from dataclasses import replace

from rulekit.compiled import fold, lir
from rulekit.compiled.extending import Extension
from rulekit.compiled.lir import NONE, Int
from rulekit.compiled.lowering import Lowered
from rulekit.program import expressions as e
from rulekit.program import types as t
from rulekit.program.program import StateDef
from rulekit.program.statements import Assign, StatePlace
from rulekit.program.walk import walk_expressions, walk_statements

SCORE = 10  #: how many points of other counters one of the score outweighs


def counted(lowered: Lowered) -> Lowered | None:
    """The module with a function `scores` that counts more; None if there is no more to count."""
    program = lowered.setup.program
    end = program.end
    score = end.score or (end.ranking.parts[0] if isinstance(end.ranking, e.KeyOf) else end.ranking)
    scored = {x.state for x in walk_expressions(score) if isinstance(x, e.StateOf)} if score else set()
    names = {
        stmt.place.state
        for part in (program.play, *program.phases.values(), *program.moves.values())
        for stmt in walk_statements(part)
        if isinstance(stmt, Assign) and stmt.because is not None and isinstance(stmt.place, StatePlace)
    }
    more = [
        state
        for name, state in program.state.items()
        if name in names - scored
        and state.per in ("player", "team")
        and state.seen_by == "everyone"
        and isinstance(state.type, t.Int)
    ]
    return _Counting(lowered, more).made() if more else None


class _Counting(Extension):
    def __init__(self, lowered: Lowered, counters: list[StateDef]) -> None:
        super().__init__(lowered)
        self.counters = counters

    def made(self) -> Lowered:
        b, setup = self.b, self.setup
        at = next(number for number, one in enumerate(b.functions) if one.name == "scores")
        b.functions[at] = replace(b.functions[at], name="scores_by_rules")
        with b.collect() as body:
            b.call("scores_by_rules", [], None)
            for player in range(setup.players):
                score = b.load("score", player)
                known = fold.binary("!=", score, Int(NONE))
                total = fold.choose(known, fold.binary("*", score, Int(SCORE)), Int(0))
                for counter in self.counters:
                    member = setup.team_of(player) if counter.per == "team" else player
                    total = fold.add(total, b.load(f"s_{counter.name}", member))
                b.store("score", total, player)
            b.emit(lir.Return())
        b.function("scores", [], None, body)
        return self.done()
