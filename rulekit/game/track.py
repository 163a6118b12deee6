"""The positions that a game went through, kept so that any of them is quickly reached again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Generic, NamedTuple, TypeVar

from rulekit.engine import Action

P = TypeVar("P")

EVERY = 16  #: so many decisions apart positions are kept, besides the last so many


class Made(NamedTuple):
    """A move that was made: by whom, what, and its place among those that were legal (-1: not known)."""

    seat: int
    action: Action
    place: int = -1


class Track(Generic[P]):
    """Positions on one engine, by the number of moves made before. None of them is ever changed.

    ``start`` gives the first; ``step`` the one after a move, as a new one
    """

    def __init__(self, start: Callable[[], P], step: Callable[[P, Made], P]) -> None:
        self._start, self._step = start, step
        self._kept: dict[int, P] = {}

    def at(self, number: int, made: Sequence[Made]) -> P:
        """The position after so many of the moves made."""
        found = self._kept.get(number)
        if found is not None:
            return found
        if 0 not in self._kept:
            self._kept[0] = self._start()
        nearest = max(kept for kept in self._kept if kept <= number)
        position = self._kept[nearest]
        for at in range(nearest, number):
            position = self._step(position, made[at])
            self.keep(at + 1, position)
        return position

    def keep(self, number: int, position: P) -> None:
        """Notes the position after so many moves; older ones may be forgotten."""
        self._kept[number] = position
        past = number - EVERY
        if past % EVERY:
            self._kept.pop(past, None)

    def forget_after(self, number: int) -> None:
        """The game goes another way after so many moves."""
        if number + 1 in self._kept or max(self._kept, default=0) > number:
            self._kept = {kept: position for kept, position in self._kept.items() if kept <= number}

    def copy(self) -> Track[P]:
        """A track that goes its own way from here."""
        other = Track(self._start, self._step)
        other._kept = dict(self._kept)
        return other
