"""The bot that tries each move many times, at tables as they may be, and takes the one that does best.

A try is a roll-out (`rulekit.players.rollouts`): hidden cards are dealt again in a way that the seat
cannot tell from
the truth, the move is made, and all play on at random. What a move is worth is the mean of what its
roll-outs bring:
the score of the seat, less the mean of its opponents', and for a game that ends its payoff, weighted to
count as much
as scores commonly differ. Tries are spent by halves: after each round the better half of the moves goes on.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from rulekit.players.bot import Turn
from rulekit.players.rollouts import Rollouts

ROLLOUTS = 800  #: roll-outs for a decision, if no other number is said
SLOWER = {"wasm": 1, "python": 8, "reference": 20}  #: engines make do with so many times fewer
MOST_TRIED = 64  #: of more moves so many are drawn and tried
MOST_WORLDS = 16  #: worlds in a round


@dataclass
class _Tried:
    """What the roll-outs of one move brought so far."""

    place: int
    count: int = 0
    payoff: float = 0.0
    margin: float = 0.0


@dataclass
class _Scale:
    """How much scores and payoffs commonly differ."""

    margins: list[float] = field(default_factory=list)
    payoffs: list[float] = field(default_factory=list)

    def worth(self, tried: _Tried) -> float:
        margin = sum(self.margins) / max(1, len(self.margins))
        payoff = max(self.payoffs, default=0.0)
        weight = (margin or 1.0) / (payoff or 1.0)
        return (tried.margin + weight * tried.payoff) / max(1, tried.count)


class SearchBot:
    """Tries moves out. ``rollouts``: how many for a decision."""

    def __init__(self, rollouts: int = ROLLOUTS) -> None:
        if rollouts < 1:
            raise ValueError("a search takes at least one roll-out")
        self.rollouts = rollouts

    def choose(self, turn: Turn) -> int:
        count = len(turn.moves)
        if count == 1:
            return turn.draws.below(1)
        tried = [_Tried(place) for place in _some(turn, count)]
        table = turn.rollouts()
        if table is not None:
            tried = self._best(turn, table, tried)
        return tried[turn.draws.below(len(tried))].place

    def _best(self, turn: Turn, table: Rollouts, tried: list[_Tried]) -> list[_Tried]:
        budget = max(1, self.rollouts // SLOWER[table.engine])
        scale = _Scale()
        rounds = max(1, (len(tried) - 1).bit_length())
        while len(tried) > 1:
            each = max(1, budget // (rounds * len(tried)))
            worlds = min(MOST_WORLDS, each)
            for _ in range(worlds):
                if table.next_world():
                    for one in tried:
                        self._try(turn, table, one, each // worlds, scale)
            tried.sort(key=lambda one: (-scale.worth(one), one.place))
            if len(tried) <= 2:
                best = scale.worth(tried[0])
                return [one for one in tried if scale.worth(one) == best]
            tried = tried[: (len(tried) + 1) // 2]
        return tried

    def _try(self, turn: Turn, table: Rollouts, one: _Tried, times: int, scale: _Scale) -> None:
        sums = table.play(one.place, times)
        seat = turn.seat
        against = [other for other in range(len(sums.scores)) if other not in turn.allies]
        margin = sums.scores[seat]
        if against:
            margin -= sum(sums.scores[other] for other in against) / len(against)
        if not turn.highest:
            margin = -margin
        one.count += times
        one.payoff += sums.payoffs[seat]
        one.margin += margin
        scale.margins.append(abs(margin) / times)
        scale.payoffs.append(abs(sums.payoffs[seat]) / times)


def _some(turn: Turn, count: int) -> list[int]:
    """All places, or if they are many some, drawn, in order."""
    if count <= MOST_TRIED:
        return list(range(count))
    found: set[int] = set()
    while len(found) < MOST_TRIED:
        found.add(turn.draws.below(count))
    return sorted(found)
