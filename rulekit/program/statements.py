"""Typed statements: what happens. Blocks are already expanded."""

from __future__ import annotations

from dataclasses import field

from rulekit.diagnostics import Span
from rulekit.program.expressions import Expr, InSlot
from rulekit.records import dataclass


@dataclass(frozen=True, eq=False)
class BlockLine:
    """A line of a block's prose: `{slot}` stands for what the slot holds.

    ``condition``: the slot on which it depends whether the line is said, and how (True: if, False: unless).
    """

    text: str
    condition: tuple[str, bool] | None = None


@dataclass(frozen=True, eq=False)
class BlockUse:
    """One use of a block, for those who tell of it: nothing that plays reads this.

    ``given``: the slots that the game fills itself; ``moves`` and ``places`` what those of these kinds hold;
    ``usual``: the numbers that slots would hold otherwise.
    The other slots are found in the statements, by `Expr.slot` and `Stmt.slot`.
    """

    block: str
    prose: tuple[BlockLine, ...]
    given: tuple[str, ...]
    moves: tuple[tuple[str, tuple[str, ...]], ...]
    places: tuple[tuple[str, str], ...]  # zones by name
    usual: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, kw_only=True)
class Stmt:
    """A statement, with its place in the file (in a block's file for what a block does).

    ``use``: it is one of the statements that a use of a block stands for; ``slot``: it stands in a slot.
    """

    span: Span | None = field(default=None, compare=False, repr=False)
    use: BlockUse | None = field(default=None, compare=False, repr=False)
    slot: InSlot | None = field(default=None, compare=False, repr=False)


# ---------------------------------------------------------------- places to put something


@dataclass(frozen=True)
class StatePlace:
    """A state variable, or one member of a family."""

    state: str
    index: Expr | None = None


@dataclass(frozen=True)
class LocalPlace:
    """A `let` variable."""

    number: int


@dataclass(frozen=True)
class FieldPlace:
    """A field of a slot."""

    zone: str
    field: str
    pile: Expr


@dataclass(frozen=True)
class ZonePlace:
    """A zone, or one member of a family. ``bottom``: below all that lie there.

    ``new``: the lowest free slot is claimed (a fault if there is none).
    """

    zone: str
    index: Expr | None = None
    bottom: bool = False
    new: bool = False


@dataclass(frozen=True)
class PilePlace:
    """A pile by value."""

    pile: Expr
    bottom: bool = False


@dataclass(frozen=True)
class EitherPlace:
    """One place or another."""

    condition: Expr
    yes: CardPlace
    no: CardPlace


CardPlace = ZonePlace | PilePlace | EitherPlace
ValuePlace = StatePlace | LocalPlace | FieldPlace


# ---------------------------------------------------------------- leaf statements


@dataclass(frozen=True)
class Because:
    """Why a number changed: a reason's id, and the cards it counts."""

    reason: str
    cards: Expr | None = None


@dataclass(frozen=True)
class Assign(Stmt):
    """``op`` is = += -=. On sets += adds and -= removes. Out of range is a fault.

    With ``because`` a receipt is left: the new value minus the old; none if that is 0.
    """

    place: ValuePlace
    op: str
    value: Expr
    because: Because | None = None


@dataclass(frozen=True)
class Claim(Stmt):
    """`let x = new ZONE`: the lowest free slot."""

    local: int
    zone: str
    index: Expr | None = None


@dataclass(frozen=True)
class Move(Stmt):
    """Cards go to a place, each from where it lies, in iteration order; the last on top.

    To the bottom they go all together, order kept, below what lay there.
    """

    cards: Expr
    to: CardPlace


@dataclass(frozen=True)
class Deal(Stmt):
    """``count`` cards (None: all) from the top of ``source`` to ``to``.

    ``players`` None: to the one place. Else ``to`` is a per-player zone without index, and each player of
    the sequence gets ``count``, one card at a time round the table. Too few cards is a fault.
    """

    count: Expr | None
    to: ZonePlace | PilePlace
    source: ZonePlace | PilePlace
    players: Expr | None = None


@dataclass(frozen=True)
class Shuffle(Stmt):
    """The zone is shuffled; if ``cards`` is given they are moved into it first (face down)."""

    into: ZonePlace
    cards: Expr | None = None


@dataclass(frozen=True)
class Swap(Stmt):
    """Cards change places, pair by pair in iteration order; unequal counts are a fault."""

    left: Expr
    right: Expr


@dataclass(frozen=True)
class Flip(Stmt):
    """Cards in zones seen by face are turned; a card elsewhere is a fault."""

    cards: Expr
    up: bool


@dataclass(frozen=True)
class RevealCards(Stmt):
    """Cards are shown to players (None: to everyone) as long as they stay where they are."""

    cards: Expr
    to: Expr | None


@dataclass(frozen=True)
class RevealState(Stmt):
    """Hidden state is shown to players (None: to everyone) until it is assigned again."""

    state: str
    index: Expr | None
    to: Expr | None


@dataclass(frozen=True)
class Call(Stmt):
    """`do phase(arguments)`."""

    phase: str
    arguments: tuple[Expr, ...] = ()


@dataclass(frozen=True)
class Stop(Stmt):
    """`stop phase`."""

    phase: str


# ---------------------------------------------------------------- compound statements


@dataclass(frozen=True)
class If(Stmt):
    """The body of the first branch whose condition holds; else ``otherwise``."""

    branches: tuple[tuple[Expr, tuple[Stmt, ...]], ...]
    otherwise: tuple[Stmt, ...] = ()


@dataclass(frozen=True)
class For(Stmt):
    """Once for each element; ``domain`` is evaluated once."""

    local: int
    domain: Expr
    body: tuple[Stmt, ...]


@dataclass(frozen=True)
class Repeat(Stmt):
    """``times`` is evaluated once."""

    times: Expr
    body: tuple[Stmt, ...]


@dataclass(frozen=True)
class Until(Stmt):
    """Tested before each round. ``proven``: shown to end, so that rounds need not be counted."""

    condition: Expr
    body: tuple[Stmt, ...]
    proven: bool = False


@dataclass(frozen=True)
class Ask(Stmt):
    """``who`` makes one legal move of the list, for ``whom`` (None: for himself).

    ``together``: ``who`` is a set of players; all choose from the same state, then the effects run in order.
    ``answers`` are locals that take the number (place in `Program.moves`) of the move made.
    """

    who: Expr
    moves: tuple[str, ...]
    whom: Expr | None = None
    together: bool = False
    answers: tuple[int, ...] = ()
