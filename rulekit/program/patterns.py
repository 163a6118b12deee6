"""Patterns: named combinations of cards, and the expressions that look for them.

An *instance* is a set of cards (a tuple in deck order) that fits a pattern as a whole.
"""

from __future__ import annotations

from dataclasses import field

from rulekit.diagnostics import Span
from rulekit.program.expressions import Expr
from rulekit.records import dataclass


@dataclass(frozen=True)
class Constraint:
    """A condition on the cards of a part.

    ``kind``  same, different, consecutive: by ``fact`` about each card, ``local`` being the card;
    each: ``fact`` is a condition about each card; where: ``fact`` is a condition about the set, ``local``
    being the set. ``order``: for consecutive, the named order in which the fact (a rank) is looked up.
    """

    kind: str
    local: int
    fact: Expr
    order: str | None = None


@dataclass(frozen=True)
class CardsPart:
    """``low`` to ``high`` (None: any number) cards under constraints.

    ``maximal``: an instance inside a larger one does not count.
    """

    low: int
    high: int | None
    constraints: tuple[Constraint, ...] = ()
    maximal: bool = False


@dataclass(frozen=True)
class RepeatedPart:
    """So many disjoint instances of a pattern; facts in constraints are what all cards of one share."""

    low: int
    high: int | None
    pattern: str
    arguments: tuple[Expr, ...] = ()
    constraints: tuple[Constraint, ...] = ()


@dataclass(frozen=True)
class NamedPart:
    """An instance of another pattern."""

    pattern: str
    arguments: tuple[Expr, ...] = ()


@dataclass(frozen=True)
class WithPart:
    """Disjoint parts that together are the whole set."""

    parts: tuple[Part, ...]


@dataclass(frozen=True)
class OrPart:
    """One of several alternatives."""

    parts: tuple[Part, ...]


Part = CardsPart | RepeatedPart | NamedPart | WithPart | OrPart


@dataclass(frozen=True)
class PatternDef:
    """A pattern (``part``) or a ranked class (``classes``: names of patterns, weakest first).

    ``by``  the order among instances, about ``local``, the set; else the natural key
    ``weight``  what arrangements maximise, about ``weight_local``, a card; else 1 a card
    ``wild``  cards that may count as any card of the pack; ``most_wild`` of them at most in one instance
    """

    name: str
    parameters: tuple[int, ...] = ()
    part: Part | None = None
    classes: tuple[str, ...] = ()
    by: Expr | None = None
    local: int = 0
    weight: Expr | None = None
    weight_local: int = 0
    wild: Expr | None = None
    most_wild: int | None = None
    text: str | None = None
    span: Span | None = field(default=None, compare=False, repr=False)


# ---------------------------------------------------------------- expressions


@dataclass(frozen=True)
class Matches(Expr):
    """The whole set is an instance (`X is P`)."""

    cards: Expr
    pattern: str
    arguments: tuple[Expr, ...] = ()


@dataclass(frozen=True)
class Instances(Expr):
    """All instances inside a set of cards (`P from X`), in iteration order of selections."""

    cards: Expr
    pattern: str
    arguments: tuple[Expr, ...] = ()


@dataclass(frozen=True)
class BestInstance(Expr):
    """The strength of the strongest instance inside a set, as a key; none if there is no instance."""

    cards: Expr
    pattern: str
    arguments: tuple[Expr, ...] = ()


@dataclass(frozen=True)
class Tail(Expr):
    """The longest end of a pile that is an instance (topmost cards), or empty."""

    cards: Expr
    pattern: str
    arguments: tuple[Expr, ...] = ()


@dataclass(frozen=True)
class Inside(Expr):
    """The sets of the partition that covers most weight; ties: fewest sets, then iteration order.

    ``outside``: the cards left over instead.
    """

    cards: Expr
    pattern: str
    arguments: tuple[Expr, ...] = ()
    outside: bool = False


@dataclass(frozen=True)
class Beats(Expr):
    """``left`` beats ``right`` as the pattern says."""

    left: Expr
    right: Expr
    pattern: str
    arguments: tuple[Expr, ...] = ()
