"""Counts over many games: small however many games there are, and the same in whatever order they are added.

Only whole numbers are added up, so that workers' parts merge to the same figures to the last digit.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

FAULTS_KEPT = 10  #: so many faults are kept with their text, the earliest games first


@dataclass(frozen=True, order=True)
class Fault:
    """A game that broke: its number in the batch, and what the rules did wrong and where."""

    game: int
    text: str


@dataclass
class SeatTally:
    """One seat's results."""

    wins: int = 0
    shared: int = 0
    scored: int = 0
    total: int = 0
    squares: int = 0
    lowest: int | None = None
    highest: int | None = None

    def add_score(self, score: int, times: int = 1) -> None:
        self.scored += times
        self.total += times * score
        self.squares += times * score * score
        self.lowest = score if self.lowest is None else min(self.lowest, score)
        self.highest = score if self.highest is None else max(self.highest, score)

    def merge(self, other: SeatTally) -> None:
        self.wins += other.wins
        self.shared += other.shared
        self.scored += other.scored
        self.total += other.total
        self.squares += other.squares
        if other.lowest is not None and other.highest is not None:
            self.lowest = other.lowest if self.lowest is None else min(self.lowest, other.lowest)
            self.highest = other.highest if self.highest is None else max(self.highest, other.highest)


@dataclass
class Tally:
    """All that is kept of a batch of games.

    ``lengths`` counts games by number of decisions, ``choices`` decisions by number of legal moves,
    ``endings`` games by reason. Games that end in a fault count in ``games``, ``endings`` and ``lengths``;
    they have no scores and no winner. ``replayed``: games that were played again on the reference engine,
    for more than the other holds.
    """

    seats: list[SeatTally]
    games: int = 0
    decided: int = 0
    tied: int = 0
    lengths: Counter[int] = field(default_factory=Counter)
    choices: Counter[int] = field(default_factory=Counter)
    endings: Counter[str] = field(default_factory=Counter)
    faults: list[Fault] = field(default_factory=list)
    replayed: int = field(default=0, compare=False)

    @classmethod
    def empty(cls, players: int) -> Tally:
        """No games yet."""
        return cls([SeatTally() for _ in range(players)])

    def add_finished(
        self, reason: str, scores: Sequence[int | None], first: Sequence[int], teams: int, times: int = 1
    ) -> None:
        """So many games that ended by their rules in the same way.

        ``first``: the seats in the first place; ``teams`` 0: no sides.

        A seat wins if nobody outside its side shares the first place.
        """
        self.games += times
        self.endings[reason] += times
        sides = {seat % teams if teams else seat for seat in first}
        if len(sides) == 1:
            self.decided += times
            for seat in first:
                self.seats[seat].wins += times
        else:
            self.tied += times
            for seat in first:
                self.seats[seat].shared += times
        for tally, score in zip(self.seats, scores, strict=True):
            if score is not None:
                tally.add_score(score, times)

    def add_fault(self, game: int, text: str) -> None:
        """A game that ended in a fault of the rules."""
        self.add_untold_fault()
        self.faults = sorted([*self.faults, Fault(game, text)])[:FAULTS_KEPT]

    def add_untold_fault(self) -> None:
        """A game that ended in a fault, after as many games as are told of."""
        self.games += 1
        self.endings["fault"] += 1

    def merge(self, other: Tally) -> None:
        """Add another batch of the same table."""
        for mine, theirs in zip(self.seats, other.seats, strict=True):
            mine.merge(theirs)
        self.games += other.games
        self.decided += other.decided
        self.tied += other.tied
        self.replayed += other.replayed
        self.lengths.update(other.lengths)
        self.choices.update(other.choices)
        self.endings.update(other.endings)
        self.faults = sorted([*self.faults, *other.faults])[:FAULTS_KEPT]


def middle(counts: Counter[int]) -> float:
    """The median of values given by how often each occurs; 0 of none."""
    size = counts.total()
    if size == 0:
        return 0.0
    low = _at(counts, (size - 1) // 2)
    return (low + _at(counts, size // 2)) / 2


def _at(counts: Counter[int], place: int) -> int:
    """The value at a place (from 0) of all values in order."""
    for value in sorted(counts):
        place -= counts[value]
        if place < 0:
            return value
    raise IndexError(place)


def average(counts: Counter[int]) -> float:
    """The mean of values given by how often each occurs; 0 of none."""
    size = counts.total()
    return sum(value * count for value, count in counts.items()) / size if size else 0.0
