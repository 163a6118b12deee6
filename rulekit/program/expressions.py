"""Typed expressions: what every reader of a program evaluates, lowers or prints.

All that the author may leave unsaid is said here: whose hand, which `it`, what counts as cards.
Values at run time: a condition is a bool; a number, player, team, suit, rank, word, card and pile is
an int (a card its place in the pack, a pile the number of its place, the rest their order); none is
None; a key is a tuple; every collection is a tuple in iteration order (a selection domain: a tuple
of tuples). Expressions are pure; only `Random` draws from chance, and stands only as the whole value of an
assignment or a `let`.
"""

from __future__ import annotations

from dataclasses import field

from rulekit.cards import Face
from rulekit.diagnostics import Span
from rulekit.program.types import Type
from rulekit.records import dataclass


@dataclass(frozen=True, eq=False)
class InSlot:
    """What stands here was handed to a use of a block in the slot ``name``."""

    use: object
    name: str


@dataclass(frozen=True, kw_only=True)
class Expr:
    """A typed expression. `type`, `span` and `slot` do not count when expressions are compared."""

    type: Type = field(compare=False, repr=False)
    span: Span | None = field(default=None, compare=False, repr=False)
    slot: InSlot | None = field(default=None, compare=False, repr=False)


# ---------------------------------------------------------------- what stands by itself


@dataclass(frozen=True)
class Constant(Expr):
    """A value known from the file: number, bool, None, suit, rank, word, or a tuple of these."""

    value: int | bool | tuple[int, ...] | None


@dataclass(frozen=True)
class Option(Expr):
    """The value of an option: fixed for a match."""

    name: str


@dataclass(frozen=True)
class Cards(Expr):
    """The cards of these faces. One card if the type says so (None if the pack lacks it), else a set."""

    faces: tuple[Face, ...]


@dataclass(frozen=True)
class Deck(Expr):
    """Every card of the pack."""


@dataclass(frozen=True)
class Players(Expr):
    """Every player."""


@dataclass(frozen=True)
class Teams(Expr):
    """Every team."""


@dataclass(frozen=True)
class Me(Expr):
    """The player of the ask being answered."""


@dataclass(frozen=True)
class Local(Expr):
    """A local by its number in `Program.locals`: choice, parameter, `let`, `for` variable, or an `it`."""

    number: int


@dataclass(frozen=True)
class StateOf(Expr):
    """A state variable, or with ``index`` one member of a `per` family."""

    state: str
    index: Expr | None = None


# ---------------------------------------------------------------- the table


@dataclass(frozen=True)
class ZoneCards(Expr):
    """The cards of one zone (``index``: of one member of a family): a set, or a pile bottom first.

    For slots (`N piles`) it is the union of the cards of all of them.
    """

    zone: str
    index: Expr | None = None


@dataclass(frozen=True)
class FamilyCards(Expr):
    """The union of the cards of all members of a family."""

    zone: str


@dataclass(frozen=True)
class ZonePile(Expr):
    """A zone that is a pile, as a pile value; ``index`` as in `ZoneCards`."""

    zone: str
    index: Expr | None = None


@dataclass(frozen=True)
class ZonePiles(Expr):
    """The piles of a family that are in use, as pile values; ``index`` picks one player's slots."""

    zone: str
    index: Expr | None = None


@dataclass(frozen=True)
class PileCards(Expr):
    """The cards of a pile value, bottom first."""

    pile: Expr


@dataclass(frozen=True)
class PileField(Expr):
    """A field of a slot."""

    zone: str
    field: str
    pile: Expr


@dataclass(frozen=True)
class PileIndex(Expr):
    """What a pile was picked by: slot number, player, suit ..."""

    pile: Expr


# ---------------------------------------------------------------- facts


@dataclass(frozen=True)
class CardFact(Expr):
    """A built-in fact of a card: suit rank color number pip owner player pile face. None of none."""

    fact: str
    card: Expr


@dataclass(frozen=True)
class FactOf(Expr):
    """A fact declared under `card:`. None of none."""

    fact: str
    card: Expr


@dataclass(frozen=True)
class SuitColor(Expr):
    """The colour of a suit; none if it has none."""

    suit: Expr


@dataclass(frozen=True)
class Seat(Expr):
    """`left right across partner opponent` of a player: another player. None of none."""

    kind: str
    player: Expr


@dataclass(frozen=True)
class TeamOf(Expr):
    """The team of a player."""

    player: Expr


@dataclass(frozen=True)
class TeamPlayers(Expr):
    """The players of a team, in seat order."""

    team: Expr


@dataclass(frozen=True)
class Next(Expr):
    """The next rank or word, wrapping; ``count`` None: as many as the pack has ranks."""

    of: Expr
    count: int | None


@dataclass(frozen=True)
class Other(Expr):
    """The other of two words or two teams."""

    of: Expr


# ---------------------------------------------------------------- numbers and conditions


@dataclass(frozen=True)
class Arithmetic(Expr):
    """`+ - * // %`. `//` rounds down, `%` has the divisor's sign; a divisor of 0 is a fault.

    None in either operand gives none.
    """

    op: str
    left: Expr
    right: Expr


@dataclass(frozen=True)
class Minimum(Expr):
    """The smaller of two numbers (`x at most y`)."""

    left: Expr
    right: Expr


@dataclass(frozen=True)
class Maximum(Expr):
    """The larger of two numbers (`x at least y`)."""

    left: Expr
    right: Expr


@dataclass(frozen=True)
class Negative(Expr):
    operand: Expr


@dataclass(frozen=True)
class Not(Expr):
    operand: Expr


@dataclass(frozen=True)
class And(Expr):
    left: Expr
    right: Expr


@dataclass(frozen=True)
class Or(Expr):
    left: Expr
    right: Expr


@dataclass(frozen=True)
class If(Expr):
    """The value of ``yes`` or of ``no``."""

    condition: Expr
    yes: Expr
    no: Expr


@dataclass(frozen=True)
class Choose(Expr):
    """A table: the value of the first row whose constants hold ``subject``, else of ``default``.

    Without a default the checker has shown that some row fits.
    """

    subject: Expr
    rows: tuple[tuple[tuple[int | bool | None, ...], Expr], ...]
    default: Expr | None


@dataclass(frozen=True)
class Same(Expr):
    """Equality of two values of one type; none equals none. Collections compare as sets."""

    left: Expr
    right: Expr


@dataclass(frozen=True)
class Less(Expr):
    """`left < right` (``or_equal``: `<=`). False if either is none. In keys none is lowest."""

    left: Expr
    right: Expr
    or_equal: bool = False


# ---------------------------------------------------------------- collections


@dataclass(frozen=True)
class One(Expr):
    """A value as a collection of one; none as the empty one."""

    of: Expr


@dataclass(frozen=True)
class Numbers(Expr):
    """All numbers from ``low`` to ``high``; empty if high is below low."""

    low: Expr
    high: Expr


@dataclass(frozen=True)
class Contains(Expr):
    """A value is in a collection; false for none."""

    item: Expr
    collection: Expr


@dataclass(frozen=True)
class Subset(Expr):
    """Every element of ``part`` is in ``whole``."""

    part: Expr
    whole: Expr


@dataclass(frozen=True)
class Union(Expr):
    """Elements of both, in canonical order."""

    left: Expr
    right: Expr


@dataclass(frozen=True)
class Intersection(Expr):
    """Elements of both; the order of the left."""

    left: Expr
    right: Expr


@dataclass(frozen=True)
class Difference(Expr):
    """Elements of the left not in the right; the order of the left."""

    left: Expr
    right: Expr


@dataclass(frozen=True)
class Filter(Expr):
    """Elements for which the condition holds, ``local`` being the element; order is kept."""

    domain: Expr
    local: int
    condition: Expr


@dataclass(frozen=True)
class Collect(Expr):
    """``value`` for each element: a bag of all, or by the type a set (equal ones merge, none left out).

    With ``flatten`` each value is a collection and the result is the union of them.
    """

    domain: Expr
    local: int
    value: Expr
    flatten: bool = False


@dataclass(frozen=True)
class Rounds(Expr):
    """Members clockwise from ``start``; if that is no member, from the next one."""

    players: Expr
    start: Expr


@dataclass(frozen=True)
class Extreme(Expr):
    """``kind`` is highest, lowest (the first of the best, or none), all_highest, all_lowest (a set)."""

    kind: str
    domain: Expr
    local: int
    key: Expr


@dataclass(frozen=True)
class KeyOf(Expr):
    """A key of several parts."""

    parts: tuple[Expr, ...]


@dataclass(frozen=True)
class Count(Expr):
    """How many elements."""

    of: Expr


@dataclass(frozen=True)
class Sum(Expr):
    """Sum of a bag of numbers; 0 if empty, none if it holds a none."""

    of: Expr


@dataclass(frozen=True)
class Best(Expr):
    """The largest (``largest``) or smallest element of a bag of numbers or keys; none if empty."""

    largest: bool
    of: Expr


@dataclass(frozen=True)
class AnyOf(Expr):
    """There is an element; in a bag of conditions: a true one."""

    of: Expr


@dataclass(frozen=True)
class Every(Expr):
    """The condition holds for all elements."""

    domain: Expr
    local: int
    condition: Expr


@dataclass(frozen=True)
class Only(Expr):
    """The single element, or none if there is none or more than one."""

    of: Expr


@dataclass(frozen=True)
class End(Expr):
    """The first (bottom) or with ``last`` the last (top) element of a sequence, or none."""

    of: Expr
    last: bool


@dataclass(frozen=True)
class Stacked(Expr):
    """A card and all that lie above it in its pile, bottom first."""

    card: Expr


@dataclass(frozen=True)
class Selections(Expr):
    """All subsets of ``low`` to ``high`` elements (``high`` None: of any size from low), in iteration order:
    sorted tuples, a prefix before its extensions, else the lower element first."""

    low: Expr
    high: Expr | None
    of: Expr


# ---------------------------------------------------------------- the rest


@dataclass(frozen=True)
class CallDefine(Expr):
    """A define with arguments for its parameters, in order."""

    define: str
    arguments: tuple[Expr, ...] = ()


@dataclass(frozen=True)
class Answered(Expr):
    """The last ask of this list was answered by one of these moves; ``local`` holds that move's number."""

    local: int
    moves: tuple[str, ...]


@dataclass(frozen=True)
class Random(Expr):
    """An element drawn uniformly."""

    domain: Expr
