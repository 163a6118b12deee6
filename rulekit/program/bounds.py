"""What is surely true of a value: bounds of a number, of a size, and whether it may be none.

A value is known as a `Range` (one value: a number, or the place of a player, suit, word ... in their
order; a condition is 0 or 1) or as a `Size` (a collection: how many, and what its elements are like).
Everything here errs on the side of "may be".
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from rulekit.cards import STANDARD_SUITS
from rulekit.program import types as t
from rulekit.program.expressions import Expr
from rulekit.program.program import Program
from rulekit.program.setup import Setup

_Key = TypeVar("_Key")

BIG = 2**62  #: beyond every number of a game


# Not frozen, since hundreds of thousands are made, and that takes a third of the time; they never change.
@dataclass(slots=True, unsafe_hash=True)
class Range:
    """A value from ``low`` to ``high``; ``none``: it may be none. If low is above high it is surely none."""

    low: int
    high: int
    none: bool = False

    @property
    def certain(self) -> bool:
        """Only one value is possible."""
        return self.low == self.high and not self.none

    @property
    def nothing(self) -> bool:
        """It is surely none."""
        return self.low > self.high


@dataclass(slots=True, unsafe_hash=True)
class Size:
    """A collection of ``low`` to ``high`` elements, each of them like ``of``."""

    low: int
    high: int
    of: Value


Value = Range | Size

NONE = Range(1, 0, True)
FALSE, TRUE, EITHER = Range(0, 0), Range(1, 1), Range(0, 1)
ANYTHING = Range(-BIG, BIG, True)
_SMALL = [Range(number, number) for number in range(257)]


def exactly(number: int) -> Range:
    """Just this value. Those of small numbers are always the same, which makes them quick to compare."""
    return _SMALL[number] if 0 <= number <= 256 else Range(number, number)


def join(left: Value, right: Value) -> Value:
    """What is sure of a value that is one or the other."""
    if left is right or left == right:
        return left
    if isinstance(left, Size) and isinstance(right, Size):
        low, high = min(left.low, right.low), max(left.high, right.high)
        if left.high <= 0:
            return Size(low, high, right.of)
        if right.high <= 0:
            return Size(low, high, left.of)
        return Size(low, high, join(left.of, right.of))
    if isinstance(left, Size) or isinstance(right, Size):
        return ANYTHING
    none = left.none or right.none
    if left.low > left.high:
        return Range(right.low, right.high, none)
    if right.low > right.high:
        return Range(left.low, left.high, none)
    return Range(min(left.low, right.low), max(left.high, right.high), none)


def clip(value: int) -> int:
    """Keeps bounds small, however large a product grows."""
    return max(-BIG, min(BIG, value))


# ---------------------------------------------------------------- the table


@dataclass(frozen=True)
class Table:
    """What is known before play: how many players, the options, how many cards."""

    players: Range
    teams: Range
    cards: Range
    options: Mapping[str, Range]


def open_table(program: Program) -> Table:
    """Every player count and every choice of options at once."""
    low, high = program.players
    deck = program.deck
    faces = len(deck.ranks) * len(deck.suits)
    copies = Range(1, 1)
    if deck.copies is not None:
        kind = deck.copies.type
        copies = Range(max(kind.low, 0), kind.high) if isinstance(kind, t.Int) else Range(0, 100)
    fewest = faces
    if deck.without:
        always = {face for condition, some in deck.without if condition is None for face in some}
        sometimes = {face for _, some in deck.without for face in some}
        faces, fewest = faces - len(always), faces - len(sometimes)
    cards = Range(
        fewest * copies.low + len(deck.extra),
        faces * copies.high + len(deck.extra),
    )
    match program.teams:
        case "across":
            teams = Range((low + 1) // 2, (high + 1) // 2)
        case int() as count:
            teams = Range(count, count)
        case _:
            teams = Range(0, 0)
    options = {}
    for name, option in program.options.items():
        if option.fixed:
            options[name] = Range(int(option.start), int(option.start))
        elif option.values:
            options[name] = Range(int(min(option.values)), int(max(option.values)))
        elif option.words:
            options[name] = Range(0, len(option.words) - 1)
        elif isinstance(option.type, t.Int):
            options[name] = Range(option.type.low, option.type.high)
        else:
            options[name] = EITHER
    return Table(Range(low, high), teams, cards, options)


def closed_table(setup: Setup) -> Table:
    """One player count, one choice of options."""
    players, teams, cards = setup.players, setup.teams, len(setup.pack)
    return Table(
        Range(players, players),
        Range(teams, teams),
        Range(cards, cards),
        {name: Range(int(value), int(value)) for name, value in setup.options.items()},
    )


def top(kind: t.Type, program: Program, table: Table) -> Value:
    """What is sure of any value of a type."""
    match kind:
        case t.Bool():
            return EITHER
        case t.Int(low, high):
            return Range(low, high)
        case t.Player():
            return Range(0, table.players.high - 1)
        case t.Team():
            return Range(0, max(table.teams.high - 1, 0))
        case t.Suit():
            return Range(0, max(len(program.deck.suits), len(STANDARD_SUITS)) - 1)
        case t.Rank():
            return Range(0, len(program.deck.ranks) + len(program.deck.extra))
        case t.Word(name):
            return Range(0, max(len(program.words.get(name, ())), 2) - 1)
        case t.Card():
            return Range(0, max(table.cards.high - 1, 0))
        case t.Pile():
            return Range(0, BIG)
        case t.Optional(of):
            found = top(of, program, table)
            return Range(found.low, found.high, True) if isinstance(found, Range) else found
        case t.Nothing():
            return NONE
        case t.SelectionsOf(of):
            return Size(0, BIG, Size(0, most(of, table), top(of, program, table)))
        case t.BagOf(of):
            return Size(0, BIG, top(of, program, table))
        case t.SetOf(of) | t.SeqOf(of):
            return Size(0, most(of, table), top(of, program, table))
    return ANYTHING


def most(kind: t.Type, table: Table) -> int:
    """How many different values of a type there can be."""
    match kind:
        case t.Player():
            return table.players.high
        case t.Team():
            return max(table.teams.high, 1)
        case t.Card():
            return table.cards.high
        case t.Optional(of):
            return most(of, table)
        case t.Int(low, high):
            return high - low + 1
    return BIG


# ---------------------------------------------------------------- what is known at one place


@dataclass(slots=True)
class Known:
    """What is surely so at one place of the flow.

    ``zones`` is how many cards lie in a zone (in each member of a family); ``unset`` the state that
    may not have been assigned yet; ``equal`` state that is just what an expression says; ``member`` the
    domain from which a `for` variable was taken; ``defines`` what conditions have told about defines.
    ``memo`` holds what defines came to here; who changes anything else clears it.
    """

    states: dict[str, Value] = field(default_factory=dict)
    zones: dict[str, Range] = field(default_factory=dict)
    locals: dict[int, Value] = field(default_factory=dict)
    options: Mapping[str, Range] = field(default_factory=dict)
    unset: frozenset[str] = frozenset()
    equal: dict[str, Expr] = field(default_factory=dict)
    member: dict[int, Expr] = field(default_factory=dict)
    defines: dict[str, Value] = field(default_factory=dict)
    memo: dict[object, Value] = field(default_factory=dict, compare=False, repr=False)

    def copy(self) -> Known:
        return Known(
            self.states.copy(),
            self.zones.copy(),
            self.locals.copy(),
            self.options,
            self.unset,
            self.equal.copy() if self.equal else {},
            self.member.copy() if self.member else {},
            self.defines.copy() if self.defines else {},
            {},
        )


def join_known(left: Known | None, right: Known | None) -> Known | None:
    """What is so on two ways that meet; None: no way leads here."""
    if left is None:
        return right
    if right is None or left == right:
        return left
    return Known(
        _join_all(left.states, right.states),
        {
            name: value if value is other else _join_ranges(value, other)
            for name, value in left.zones.items()
            if (other := right.zones.get(name)) is not None
        },
        _join_all(left.locals, right.locals),
        left.options
        if left.options == right.options
        else {name: _join_ranges(value, right.options[name]) for name, value in left.options.items()},
        left.unset | right.unset,
        {name: expr for name, expr in left.equal.items() if right.equal.get(name) == expr},
        {number: expr for number, expr in left.member.items() if right.member.get(number) == expr},
        _join_all(left.defines, right.defines),
    )


def _join_all(left: dict[_Key, Value], right: dict[_Key, Value]) -> dict[_Key, Value]:
    """What both know, joined. Most of it is the very same on both ways, which need not be looked into."""
    return {
        key: value if value is other else join(value, other)
        for key, value in left.items()
        if (other := right.get(key)) is not None
    }


def _join_ranges(left: Range, right: Range) -> Range:
    if left == right:
        return left
    return Range(min(left.low, right.low), max(left.high, right.high))


def widen(old: Value, new: Value, limit: Value) -> Value:
    """``new``, with every bound that moved since ``old`` pushed to its limit, so that rounds settle.

    One beyond its limit already, as that of a local may be, goes all the way.
    """
    if isinstance(old, Range) and isinstance(new, Range) and isinstance(limit, Range):
        if old.nothing or new.nothing:
            return new
        low, high = new.low, new.high
        if low < old.low:
            low = limit.low if limit.low <= low else -BIG
        if high > old.high:
            high = limit.high if limit.high >= high else BIG
        return Range(low, high, new.none)
    if isinstance(old, Size) and isinstance(new, Size) and isinstance(limit, Size):
        return Size(
            min(limit.low, new.low) if new.low < old.low else new.low,
            max(limit.high, new.high) if new.high > old.high else new.high,
            new.of if old.high <= 0 else widen(old.of, new.of, limit.of),
        )
    return limit
