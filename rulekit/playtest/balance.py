"""Are the seats alike? Wins by seat over random games, and which of them cannot well be chance."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rulekit.playtest.intervals import wilson

CONFIDENCE = 0.999  #: of all intervals of one check together: of many rulesets few are named for nothing


@dataclass(frozen=True)
class SeatBias:
    """A seat that wins more or less often than chance explains, with so many players.

    ``share`` is its part of the ``decided`` games, ``interval`` so wide that all seats of fair rules at all
    numbers of players lie inside theirs in 999 of 1,000 checks; ``fair`` lies outside of it.
    """

    players: int
    seat: int
    share: float
    interval: tuple[float, float]
    fair: float
    decided: int

    def __str__(self) -> str:
        low, high = self.interval
        return (
            f"with {self.players} players P{self.seat + 1} wins {self.share:.0%} "
            f"of {self.decided} decided games ({low:.0%} to {high:.0%}; {self.fair:.0%} would be even)"
        )

    def to_json(self) -> dict[str, Any]:
        """Plain data (documented in docs/json.md)."""
        return {
            "players": self.players,
            "seat": f"P{self.seat + 1}",
            "share": round(self.share, 6),
            "interval": [round(end, 6) for end in self.interval],
            "fair": round(self.fair, 6),
            "decided": self.decided,
        }


@dataclass
class Wins:
    """Games with one winning side, and who won them, at tables of so many players."""

    players: int
    teams: int = 0
    decided: int = 0
    seats: list[int] = field(default_factory=list)

    def add(self, first: Iterable[int]) -> None:
        """A game; ``first`` are the seats in the first place. Shared by several sides it is not decided."""
        self.seats = self.seats or [0] * self.players
        winners = list(first)
        if len({seat % self.teams if self.teams else seat for seat in winners}) == 1:
            self.decided += 1
            for seat in winners:
                self.seats[seat] += 1

    @property
    def sides(self) -> int:
        return self.teams or self.players


def biased(tables: Mapping[int, Wins]) -> Sequence[SeatBias]:
    """The sides whose wins are not believable for fair rules; of a team its first seat is named.

    By Bonferroni: the more sides are looked at, the wider each interval. Two sides are one comparison, and
    the one that wins more often is named.
    """
    looked_at = [wins for wins in tables.values() if wins.sides > 1 and wins.decided]
    comparisons = sum(1 if wins.sides == 2 else wins.sides for wins in looked_at)
    found = []
    for wins in looked_at:
        fair = 1 / wins.sides
        for seat in range(wins.sides):
            low, high = wilson(wins.seats[seat], wins.decided, 1 - (1 - CONFIDENCE) / comparisons)
            share = wins.seats[seat] / wins.decided
            if not low <= fair <= high and not (wins.sides == 2 and share < fair):
                found.append(SeatBias(wins.players, seat, share, (low, high), fair, wins.decided))
    return found
