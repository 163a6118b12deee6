"""Scores, ranking and payoffs, as functions that fill fields."""

from __future__ import annotations

from rulekit.compiled import fold, lir
from rulekit.compiled.context import Lower
from rulekit.compiled.fold import FALSE
from rulekit.compiled.keys import Key
from rulekit.compiled.lir import NONE, Expr, Int
from rulekit.compiled.ranges import Span
from rulekit.program import expressions as e


class Outcomes:
    """Writes `scores` (fills `score`), `ranking` (fills `rank`: how many are ranked before each player's
    place) and, where
    the ruleset says so, `payoffs` (fills `payoff`)."""

    def __init__(self, lower: Lower) -> None:
        self.lower, self.b = lower, lower.b
        self.end = lower.program.end
        n = lower.setup.players
        self.b.field("score", count=n, start=NONE, scratch=True)
        self.b.field("rank", count=n, scratch=True, span=Span(0, n))
        self.has_payoff = self.end.payoff is not None
        if self.has_payoff:
            self.b.field("payoff", count=n, start=NONE, scratch=True)
        self.scores()
        self.ranking()
        if self.has_payoff:
            self.payoffs()

    def scores(self) -> None:
        b, lower, end = self.b, self.lower, self.end
        with b.collect() as body:
            for player in range(lower.setup.players):
                score: e.Expr | None = end.score
                local, of = end.score_local, player
                if score is None and end.ranking is not None:
                    score = end.ranking.parts[0] if isinstance(end.ranking, e.KeyOf) else end.ranking
                    local = end.local
                    of = lower.setup.team_of(player) if end.teams else player
                if score is None:
                    continue
                with lower.bound(local, Int(of)):
                    value = lower.value(score)
                if isinstance(value, Expr):
                    b.store("score", value, player)
            b.emit(lir.Return())
        b.function("scores", [], None, body)

    def ranking(self) -> None:
        b, lower, end = self.b, self.lower, self.end
        setup = lower.setup
        count = setup.teams if end.teams else setup.players
        with b.collect() as body:
            keys: list[Key] = []
            for ranked in range(count):
                if end.ranking is None:
                    keys.append(Key((FALSE,)))
                    continue
                with lower.bound(end.local, Int(ranked)):
                    key = lower.key(end.ranking)
                keys.append(Key(tuple(b.atom(part) for part in key.parts)))
            for player in range(setup.players):
                mine = setup.team_of(player) if end.teams else player
                before: Expr = FALSE
                for other, key in enumerate(keys):
                    if other != mine:
                        better = key.above(keys[mine]) if end.highest else keys[mine].above(key)
                        before = fold.add(before, better)
                b.store("rank", before, player)
            b.emit(lir.Return())
        b.function("ranking", [], None, body)

    def payoffs(self) -> None:
        b, lower, end = self.b, self.lower, self.end
        assert end.payoff is not None
        with b.collect() as body:
            for player in range(lower.setup.players):
                with lower.bound(end.payoff_local, Int(player)):
                    b.store("payoff", lower.num(end.payoff), player)
            b.emit(lir.Return())
        b.function("payoffs", [], None, body)
