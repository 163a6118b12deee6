"""Statements as written: leaf sentences, heads, compounds."""

from __future__ import annotations

from rulekit.language.syntax.expressions import Expr, Name, Syntax
from rulekit.records import dataclass


class Stmt(Syntax):
    """Something that happens."""


@dataclass(frozen=True)
class Place(Syntax):
    """Where something is put: `NAME` or `NAME of X`."""

    name: Name
    target: Expr | None = None


@dataclass(frozen=True)
class Because(Syntax):
    """`for REASON` or `for REASON with CARDS`."""

    reason: Name
    cards: Expr | None = None


@dataclass(frozen=True)
class Assign(Stmt):
    """`PLACE = X`, `+=`, `-=`, perhaps with a reason; `op` is one of = += -=."""

    place: Place
    op: str
    value: Expr
    because: Because | None = None


@dataclass(frozen=True)
class Let(Stmt):
    """`let NAME = X`."""

    name: Name
    value: Expr


@dataclass(frozen=True)
class LetNew(Stmt):
    """`let NAME = new PLACE`: claims a slot."""

    name: Name
    place: Place


@dataclass(frozen=True)
class Move(Stmt):
    """`move CARDS to X`, `move CARDS to new PLACE`. `to` is a Place only if `new`."""

    cards: Expr
    to: Expr | Place
    new: bool = False


@dataclass(frozen=True)
class Deal(Stmt):
    """`deal N to PLACE [from PLACE] [starting P]`; `count` None is `all`."""

    count: Expr | None
    to: Place
    source: Place | None = None
    starting: Expr | None = None


@dataclass(frozen=True)
class Shuffle(Stmt):
    """`shuffle ZONE`, `shuffle CARDS into ZONE`."""

    cards: Expr
    into: Place | None = None


@dataclass(frozen=True)
class Swap(Stmt):
    """`swap A with B`."""

    left: Expr
    right: Expr


@dataclass(frozen=True)
class Flip(Stmt):
    """`flip CARDS up`, `flip CARDS down`."""

    cards: Expr
    up: bool


@dataclass(frozen=True)
class Reveal(Stmt):
    """`reveal X to WHO`."""

    what: Expr
    to: Expr


@dataclass(frozen=True)
class Do(Stmt):
    """`do PHASE(args)`, or `do SLOT` in a block."""

    name: Name
    args: tuple[Expr, ...] = ()


@dataclass(frozen=True)
class Stop(Stmt):
    """`stop PHASE`."""

    name: Name


# ---------------------------------------------------------------- heads of compound statements


class Head(Syntax):
    """The key of a compound statement."""


@dataclass(frozen=True)
class IfHead(Head):
    condition: Expr


@dataclass(frozen=True)
class ElseIfHead(Head):
    condition: Expr


@dataclass(frozen=True)
class ElseHead(Head):
    pass


@dataclass(frozen=True)
class ForHead(Head):
    name: Name
    domain: Expr


@dataclass(frozen=True)
class RepeatHead(Head):
    times: Expr


@dataclass(frozen=True)
class UntilHead(Head):
    condition: Expr


@dataclass(frozen=True)
class AskHead(Head):
    """`ask P`, `ask P for Q`, `ask PLAYERS together`."""

    who: Expr
    whom: Expr | None = None
    together: bool = False


@dataclass(frozen=True)
class OfferHead(Head):
    who: Expr


@dataclass(frozen=True)
class UseHead(Head):
    """A block by name: `trick`."""

    name: Name


# ---------------------------------------------------------------- compound statements


@dataclass(frozen=True)
class Branch(Syntax):
    """A condition and what happens if it holds; condition None is `else`."""

    condition: Expr | None
    body: tuple[Stmt, ...]


@dataclass(frozen=True)
class If(Stmt):
    branches: tuple[Branch, ...]


@dataclass(frozen=True)
class For(Stmt):
    name: Name
    domain: Expr
    body: tuple[Stmt, ...]


@dataclass(frozen=True)
class Repeat(Stmt):
    times: Expr
    body: tuple[Stmt, ...]


@dataclass(frozen=True)
class Until(Stmt):
    condition: Expr
    body: tuple[Stmt, ...]


@dataclass(frozen=True)
class Ask(Stmt):
    """`ask P: [moves]` and its two relatives. A move may also be a block's slot of moves."""

    who: Expr
    moves: tuple[Name, ...]
    whom: Expr | None = None
    together: bool = False


@dataclass(frozen=True)
class SlotValue(Syntax):
    """What a use of a block puts into one slot, read by the slot's type.

    One of `value` (an expression or key), `moves`, `body` (statements) or `place` (a zone) is set.
    """

    name: Name
    value: Expr | None = None
    moves: tuple[Name, ...] | None = None
    body: tuple[Stmt, ...] | None = None
    place: Place | None = None


@dataclass(frozen=True)
class Use(Stmt):
    """A block used as a statement. `offer PLAYERS: [moves]` is a use of the block `offer`."""

    name: Name
    slots: tuple[SlotValue, ...]
    unread: tuple[str, ...] = ()  # slots given, but not readable: not to be called missing
