"""Declarations, patterns and events as written."""

from __future__ import annotations

from rulekit.language.syntax.expressions import Expr, Name, PatternRef, Syntax
from rulekit.records import dataclass


class TypeRef(Syntax):
    """A type as written."""


@dataclass(frozen=True)
class NamedType(TypeRef):
    """`bool`, `player`, `int`, the name of a word type ... `T?` is `optional`."""

    name: Name
    optional: bool = False


@dataclass(frozen=True)
class SetType(TypeRef):
    """`set of T`."""

    element: Name


@dataclass(frozen=True)
class RangeType(TypeRef):
    """`LO..HI`; whole numbers, or names and expressions where they are allowed."""

    low: int
    high: int
    optional: bool = False


@dataclass(frozen=True)
class WordsType(TypeRef):
    """`red | black`, `1 | 3`: just these words or numbers."""

    words: tuple[str, ...]
    optional: bool = False


@dataclass(frozen=True)
class Declaration(Syntax):
    """`TYPE [per NAME] [seen by WHO] [= START]`."""

    type: TypeRef
    per: Name | None = None
    seen_by: Name | None = None
    start: Expr | None = None


@dataclass(frozen=True)
class ZoneDeclaration(Syntax):
    """`set | pile | N piles | up to N piles`, `[per NAME]`, `seen by WHO`.

    `kind` is "set", "pile", "piles" or "slots"; `count` only for the last two.
    """

    kind: str
    count: int | None
    per: Name | None
    seen_by: Name


@dataclass(frozen=True)
class Parameter(Syntax):
    """`player p`."""

    type: NamedType
    name: Name


@dataclass(frozen=True)
class Signature(Syntax):
    """`NAME` or `NAME(player p; int n)`."""

    name: Name
    parameters: tuple[Parameter, ...] = ()


@dataclass(frozen=True)
class SlotDeclaration(Syntax):
    """The type of a block's slot: `TYPE [per NAME] [= DEFAULT]`; TYPE may be `moves`, `statements`,
    `zone`, `key`. `default` None: the slot must be given; `statements = none` and `moves = none` have
    the default `Nothing`."""

    type: NamedType
    per: Name | None = None
    default: Expr | None = None


@dataclass(frozen=True)
class Ranking(Syntax):
    """`highest KEY`, `lowest KEY`."""

    highest: bool
    key: Expr


# ---------------------------------------------------------------- patterns


class Pattern(Syntax):
    """A combination of cards."""


@dataclass(frozen=True)
class Count(Syntax):
    """`2`, `3..`, `3..5` (high None: no upper bound)."""

    low: int
    high: int | None


@dataclass(frozen=True)
class Constraint(Syntax):
    """`same F`, `different F`, `consecutive F` (fact set), `each C`, `where C` (condition set)."""

    kind: str
    fact: Name | None = None
    condition: Expr | None = None


@dataclass(frozen=True)
class CardsPattern(Pattern):
    """`[maximal] COUNT cards CONSTRAINT*`."""

    count: Count
    constraints: tuple[Constraint, ...] = ()
    maximal: bool = False


@dataclass(frozen=True)
class RepeatedPattern(Pattern):
    """`COUNT P CONSTRAINT*`."""

    count: Count
    pattern: PatternRef
    constraints: tuple[Constraint, ...] = ()


@dataclass(frozen=True)
class NamedPattern(Pattern):
    pattern: PatternRef


@dataclass(frozen=True)
class WithPattern(Pattern):
    """`A with B`: disjoint parts."""

    parts: tuple[Pattern, ...]


@dataclass(frozen=True)
class OrPattern(Pattern):
    """`A or B`: alternatives."""

    parts: tuple[Pattern, ...]


# ---------------------------------------------------------------- examples


@dataclass(frozen=True)
class Event(Syntax):
    """`P1 play 4S`: seat (from 0), move, the words that follow it."""

    seat: int
    move: Name
    values: tuple[str, ...]


@dataclass(frozen=True)
class SeatMove(Syntax):
    """`P2 follow`: a seat (from 0) and a move, without values."""

    seat: int
    move: Name
