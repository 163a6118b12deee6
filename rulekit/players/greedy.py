"""The bot that plays the move whose receipts are best now.

It tries each move at an imagined table: the cards it does not see are shuffled among the places where it
sees none, hidden state is at its start, and chance is its own. What it then receives, less what the others
receive on average, is what the move is worth, as far as it sees the counters; where the lowest score wins,
the other way round. Among the best it draws. Where nothing is scored at once it plays like `random`.
"""

from __future__ import annotations

from rulekit.players.bot import Turn

MOST_TRIED = 64  #: of more moves so many are drawn and tried


class GreedyBot:
    """Looks one move ahead, and only at what its seat may know."""

    def choose(self, turn: Turn) -> int:
        count = len(turn.moves)
        if count == 1:
            return turn.draws.below(1)
        tried = list(range(count)) if count <= MOST_TRIED else _some(turn, count)
        imagined = turn.imagine()
        if imagined is not None:
            worth = {place: imagined.worth(place) for place in tried}
            best = max(worth.values())
            tried = [place for place in tried if worth[place] == best]
        return tried[turn.draws.below(len(tried))]


def _some(turn: Turn, count: int) -> list[int]:
    """Different places, drawn, in order."""
    found: set[int] = set()
    while len(found) < MOST_TRIED:
        found.add(turn.draws.below(count))
    return sorted(found)
