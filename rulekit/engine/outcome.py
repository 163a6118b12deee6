"""Who won: ranking, scores and payoffs of a game that is over, or as things stand."""

from __future__ import annotations

from typing import Any

from rulekit.engine.evaluate import Fn, Scope, sortable
from rulekit.engine.fault import FaultError
from rulekit.engine.record import Outcome
from rulekit.engine.state import State
from rulekit.program import expressions as e


class Outcomes:
    """Evaluates `end` for one setup."""

    def __init__(self, scope: Scope) -> None:
        self.setup = scope.setup
        end = self.end = scope.program.end
        self.key: Fn | None = None
        self.payoff: Fn | None = None
        self.score: Fn | None = None
        self.note_key = scope.setter(end.local)
        self.note_payoff = scope.setter(end.payoff_local)
        self.note_score = scope.setter(end.score_local)
        self.score_of_team = False
        if end.ranking is not None:
            self.key = sortable(scope.compile(end.ranking), end.ranking.type)
            # Without a score of its own the first thing that ranks is the score.
            first = end.ranking.parts[0] if isinstance(end.ranking, e.KeyOf) else end.ranking
            self.score, self.note_score = scope.compile(first), self.note_key
            self.score_of_team = end.teams
        if end.score is not None:
            self.score, self.note_score = scope.compile(end.score), scope.setter(end.score_local)
            self.score_of_team = False
        if end.payoff is not None:
            self.payoff = scope.compile(end.payoff)

    def outcome(self, s: State) -> Outcome:
        """The outcome; a game that is unfinished or faulted has all share the first place, payoff 0."""
        players = range(self.setup.players)
        try:
            scores = tuple(self._score(s, player) for player in players)
        except FaultError:
            scores = (None,) * len(players)
        reason = s.ending.reason if s.ending else "unfinished"
        level = (tuple(players),)
        if s.ending is None or reason != "played out":
            length, fault = (s.ending.length, s.ending.fault) if s.ending else (0, None)
            return Outcome(reason, level, scores, (0.0,) * len(players), length, fault)
        try:
            ranking = self._ranking(s) if self.key is not None else level
            payoffs = self._payoffs(s, ranking)
        except FaultError as error:
            return Outcome("fault", level, scores, (0.0,) * len(players), 0, error.fault)
        return Outcome(reason, ranking, scores, payoffs)

    def _score(self, s: State, player: int) -> int | None:
        if self.score is None:
            return None
        self.note_score(s, self.setup.team_of(player) if self.score_of_team else player)
        value = self.score(s)
        return int(value) if isinstance(value, int) else None

    def _ranking(self, s: State) -> tuple[tuple[int, ...], ...]:
        assert self.key is not None
        groups: dict[Any, list[int]] = {}
        for ranked in range(self.setup.teams if self.end.teams else self.setup.players):
            self.note_key(s, ranked)
            groups.setdefault(self.key(s), []).append(ranked)
        order = sorted(groups, reverse=self.end.highest)
        if not self.end.teams:
            return tuple(tuple(groups[key]) for key in order)
        return tuple(
            tuple(sorted(player for team in groups[key] for player in self.setup.team_players(team)))
            for key in order
        )

    def _payoffs(self, s: State, ranking: tuple[tuple[int, ...], ...]) -> tuple[float, ...]:
        """As the ruleset says, else +1 divided among the first and -1 among the rest; 0 if all tie."""
        players = range(self.setup.players)
        if self.payoff is not None:
            found = []
            for player in players:
                self.note_payoff(s, player)
                found.append(float(self.payoff(s) or 0))
            return tuple(found)
        if len(ranking) == 1:
            return (0.0,) * len(players)
        first = ranking[0]
        lost = len(players) - len(first)
        return tuple(1 / len(first) if player in first else -1 / lost for player in players)
