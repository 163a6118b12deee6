"""The bot that tries each move many times, at tables as they may be, and takes the one that does best.

A try is a roll-out (`rulekit.players.rollouts`): hidden cards are dealt again in a way that the seat cannot
tell from the truth, the move is made, and all play on at random; where few cards are hidden, with the best
replies that were found (`rulekit.players.replies`). What a move is worth is the mean of what its roll-outs
bring: the score of the seat, less the mean of its opponents', and for a game that ends its payoff, weighted
to count as much as scores commonly differ. Tries are spent by halves: after each round the better half of the
moves goes on. Once the seat is where it has been before, moves that lead to where it has been are left out.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from rulekit.players.bot import Turn
from rulekit.players.replies import Brought, Explorer, Move
from rulekit.players.rollouts import Rollouts

ROLLOUTS = 800  #: roll-outs for a decision, if no other number is said
SLOWER = {"wasm": 1, "python": 8, "reference": 20}  #: engines make do with so many times fewer
MOST_TRIED = 64  #: of more moves so many are drawn and tried
MOST_WORLDS = 16  #: worlds in a round
OFTEN = 12  #: so many tries of a move for each way in which hidden cards may lie, and replies are looked at


@dataclass
class _Scale:
    """How much scores and payoffs commonly differ."""

    margins: list[float] = field(default_factory=list)
    payoffs: list[float] = field(default_factory=list)
    weight: float = 1.0

    def add(self, brought: Brought) -> None:
        self.margins.append(abs(brought.margin) / brought.count)
        self.payoffs.append(abs(brought.payoff) / brought.count)

    def weigh(self) -> None:
        """Looks at what was added since."""
        margin = sum(self.margins) / max(1, len(self.margins))
        payoff = max(self.payoffs, default=0.0)
        self.weight = (margin or 1.0) / (payoff or 1.0)

    def worth(self, brought: Brought) -> float:
        return (brought.margin + self.weight * brought.payoff) / max(1, brought.count)


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
        places = _some(turn, count)
        table = turn.rollouts()
        if table is not None:
            places = table.onward(places)
            places = _Search(turn, table, self.rollouts).best(places) if len(places) > 1 else places
        return places[turn.draws.below(len(places))]


class _Search:
    """One decision."""

    def __init__(self, turn: Turn, table: Rollouts, rollouts: int) -> None:
        self.turn, self.table = turn, table
        self.budget = max(1, rollouts // SLOWER[table.engine])
        self.scale, self.rounds, self.deep = _Scale(), 1, False
        self.explorer = Explorer(turn.allies, table.look, table.enter, table.leave, self._play)

    def best(self, places: list[int]) -> list[int]:
        """The best of the moves at these places, several if they are equally good."""
        self.rounds = max(1, (len(places) - 1).bit_length())
        self.deep = self.table.layouts * OFTEN * len(places) <= self.budget
        tried = self._round([(place, Move()) for place in places])
        if self.table.count_more():
            self.scale = _Scale()
            tried = self._round([(place, Move()) for place in places])
        while len(tried) > 2:
            tried = self._round(tried[: (len(tried) + 1) // 2])
        worth = [move.worth(self.scale.worth) for _, move in tried]
        return [place for (place, _), mine in zip(tried, worth, strict=True) if mine == worth[0]]

    def _round(self, tried: list[tuple[int, Move]]) -> list[tuple[int, Move]]:
        """Tries the moves; the best first."""
        each = max(1, self.budget // (self.rounds * len(tried)))
        worlds = min(MOST_WORLDS, each)
        for _ in range(worlds):
            if self.table.next_world():
                for place, move in tried:
                    if self.deep:
                        self.explorer.explore(move, place, each // worlds)
                    else:
                        move.brought.add(self._play(place, each // worlds))
        self.scale.weigh()
        worth = {place: move.worth(self.scale.worth) for place, move in tried}
        return sorted(tried, key=lambda one: (-worth[one[0]], one[0]))

    def _play(self, place: int, times: int) -> Brought:
        sums, turn = self.table.play(place, times), self.turn
        against = [other for other in range(len(sums.scores)) if other not in turn.allies]
        margin = sums.scores[turn.seat]
        if against:
            margin -= sum(sums.scores[other] for other in against) / len(against)
        brought = Brought(times, sums.payoffs[turn.seat], margin if turn.highest else -margin)
        self.scale.add(brought)
        return brought


def _some(turn: Turn, count: int) -> list[int]:
    """All places, or if they are many some, drawn, in order."""
    if count <= MOST_TRIED:
        return list(range(count))
    found: set[int] = set()
    while len(found) < MOST_TRIED:
        found.add(turn.draws.below(count))
    return sorted(found)
