"""A move a player may make, as people and programs see it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rulekit.game.notation import Notation, PublicValue, Value


@dataclass(frozen=True)
class Move:
    """A move: its name, a value for each of its choices, and its text, which `str()` gives.

    ``choices`` pairs the name of each choice with its value: cards, suits, ranks, words and piles as text,
    seats as numbers from 0, several values as a tuple. ``text`` alone names the move: `marry KS`.
    """

    name: str
    choices: tuple[tuple[str, PublicValue], ...]
    text: str

    @property
    def values(self) -> dict[str, PublicValue]:
        """The values by the name of the choice."""
        return dict(self.choices)

    def __str__(self) -> str:
        return self.text


def describe_move(notation: Notation, name: str, values: Sequence[Value]) -> Move:
    """The move with these values, which are the engine's own."""
    choices = notation.program.moves[name].choices
    public = tuple((c.name, notation.public(c.type, v)) for c, v in zip(choices, values, strict=True))
    return Move(name, public, notation.move(name, values))
