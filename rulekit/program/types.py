"""The types of the rule language. Nominal: words of one type never equal words of another."""

from __future__ import annotations

from rulekit.records import dataclass

LIMIT = 2**31 - 1  #: every number and every intermediate fits 32 bits


class Type:
    """A type. `str()` is how messages name it."""


@dataclass(frozen=True)
class Bool(Type):
    def __str__(self) -> str:
        return "a condition"


@dataclass(frozen=True)
class Int(Type):
    """A whole number from ``low`` to ``high``."""

    low: int = -LIMIT
    high: int = LIMIT

    def __str__(self) -> str:
        return "a number"


@dataclass(frozen=True)
class Player(Type):
    def __str__(self) -> str:
        return "a player"


@dataclass(frozen=True)
class Team(Type):
    def __str__(self) -> str:
        return "a team"


@dataclass(frozen=True)
class Suit(Type):
    def __str__(self) -> str:
        return "a suit"


@dataclass(frozen=True)
class Rank(Type):
    def __str__(self) -> str:
        return "a rank"


@dataclass(frozen=True)
class Word(Type):
    """A word type: named under `words`, or of one declaration alone (`red | black`).

    ``name`` is the key of `Program.words`; the two built-in ones are `color` (red, black) and
    `face` (up, down).
    """

    name: str

    def __str__(self) -> str:
        return f"a word of `{self.name}`"


@dataclass(frozen=True)
class Card(Type):
    def __str__(self) -> str:
        return "a card"


@dataclass(frozen=True)
class Pile(Type):
    """One pile of the table. ``zone`` names the family whose fields it has, if that is known."""

    zone: str | None = None

    def __str__(self) -> str:
        return "a pile"


@dataclass(frozen=True)
class Key(Type):
    """Values compared left to right."""

    parts: tuple[Type, ...] = ()

    def __str__(self) -> str:
        return "a key"


@dataclass(frozen=True)
class Optional(Type):
    """A value of type ``of``, or none. Never optional of optional, never of a collection."""

    of: Type

    def __str__(self) -> str:
        return f"{self.of} or none"


@dataclass(frozen=True)
class Nothing(Type):
    """The type of `none` (and of `empty` before its kind is known)."""

    def __str__(self) -> str:
        return "none"


class Collection(Type):
    """Several values: at run time a tuple in iteration order."""

    of: Type


@dataclass(frozen=True)
class SetOf(Collection):
    """Different values in canonical order (deck, seat, suit, rank, word, number order)."""

    of: Type

    def __str__(self) -> str:
        return f"a set of {plural(self.of)}"


@dataclass(frozen=True)
class SeqOf(Collection):
    """Different values in an order of their own: a pile's cards, players round the table."""

    of: Type

    def __str__(self) -> str:
        return f"{plural(self.of)} in order"


@dataclass(frozen=True)
class BagOf(Collection):
    """Values of which equal ones all count: `points of trick`."""

    of: Type

    def __str__(self) -> str:
        return f"{plural(self.of)}, one each"


@dataclass(frozen=True)
class SelectionsOf(Collection):
    """All subsets of certain sizes (`3 from hand`); each is a set of ``of``."""

    of: Type

    def __str__(self) -> str:
        return f"selections of {plural(self.of)}"


def plural(of: Type) -> str:
    """How messages name several values of a type."""
    match of:
        case Bool():
            return "conditions"
        case Int():
            return "numbers"
        case Key():
            return "keys"
        case Word(name):
            return f"words of `{name}`"
        case Optional(inner):
            return plural(inner)
        case _:
            return str(of).removeprefix("a ") + "s"


BOOL, PLAYER, TEAM, SUIT, RANK, CARD, PILE, NOTHING = (
    Bool(),
    Player(),
    Team(),
    Suit(),
    Rank(),
    Card(),
    Pile(),
    Nothing(),
)
COLOR = Word("color")
FACE = Word("face")
CARDS = SetOf(CARD)
PLAYERS = SetOf(PLAYER)
