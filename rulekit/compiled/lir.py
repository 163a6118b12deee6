"""The low-level form: what a ruleset is once nothing of a game is left in it but decisions and chance.

Three kinds of values: whole numbers of 32 bits, bit sets of a fixed width (cards, players, suits ...), and
piles of small numbers, which live in the state only. `NONE`, the lowest number, stands for none.
Expressions are pure
and total as long as their operands are in range; lowering guards what may not be. A condition is the number
0 or 1.

A `Module` is executed by whoever emits it: `blocks` are the steps of the game, each of which returns the
number of
the block that follows, or one of WAIT (a decision was reached), OVER (the game has ended) and FAULT.
"""

from __future__ import annotations

from dataclasses import dataclass, field

NONE = -(2**31)  #: the number that stands for none
WAIT, OVER, FAULT = -1, -2, -3
MORE = -2  #: what a function `place_of` gives for a number after which more must follow: see `numbering`


@dataclass(frozen=True)
class Bits:
    """The type of bit sets of ``width`` members, numbered from 0."""

    width: int

    @property
    def words(self) -> int:
        """How many words of 64 bits it takes."""
        return max(1, (self.width + 63) // 64)


@dataclass(frozen=True)
class Number:
    """The type of 32-bit numbers, conditions among them."""


NUMBER = Number()
Kind = Bits | Number


# ---------------------------------------------------------------- what a module holds


@dataclass(frozen=True)
class Field:
    """``count`` values side by side, set to ``start`` before a game begins.

    ``scratch``: no part of the state: shared by all games of an instance, and of no meaning from one block
    to the next.
    ``small``: numbers from 0 to 255 only (a byte will do).
    """

    name: str
    kind: Kind
    count: int = 1
    start: int = 0
    scratch: bool = False
    small: bool = False


@dataclass(frozen=True)
class Table:
    """Constants, indexed from 0."""

    name: str
    kind: Kind
    values: tuple[int, ...]


@dataclass(frozen=True)
class Var:
    """A local of a function or block. Fresh at each call: 0."""

    number: int
    kind: Kind


@dataclass(frozen=True)
class Function:
    """``result`` None: it returns nothing. Every path of one with a result ends in `Return`. Never
    recursive.
    """

    name: str
    parameters: tuple[Var, ...]
    result: Kind | None
    body: tuple[Stmt, ...]


@dataclass(frozen=True)
class FaultSite:
    """A place where a game can fault: the code, where in the rule file, and a message with {0}, {1} for the
    arguments of `Trap`.

    ``beyond``  the rules may be right: it is more than compiled engines hold, and the reference engine tells
    """

    code: str
    message: str
    span: object = field(default=None, compare=False, repr=False)
    beyond: bool = False


@dataclass(frozen=True)
class Module:
    """``fields``  the state and scratch. Besides them every state holds two streams of 64 bits, `chance`
    and `policy` (see `Draw`).
    Those that every module has: `fault` (number of a fault site, from 1; 0: none), `fault_arguments` (two),
    `pc` (the block
    under way when a decision is waited for), `choices` (how many legal actions there are then)
    ``piles``, ``capacity``  so many piles in the state, each of up to so many numbers, of 0 to 65535; of 0 to
    255 where the capacity is no more than that
    ``blocks``  bodies; every path ends in `Goto`; ``start`` is the block that a game begins with
    ``functions``  in an order in which each calls only earlier ones. Those that every module has:
    `apply(place, fresh)`: the actor takes the legal action at ``place`` (0 <= place < choices) of their
    order; gives the block to
    go on with; ``fresh``: nothing else ran on this instance since the decision was reached, so what scratch
    holds still stands
    """

    name: str
    fields: tuple[Field, ...]
    tables: tuple[Table, ...]
    piles: int
    capacity: int
    functions: tuple[Function, ...]
    blocks: tuple[tuple[Stmt, ...], ...]
    start: int
    faults: tuple[FaultSite, ...]


# ---------------------------------------------------------------- expressions


class Expr:
    """An expression; `kind` says what it gives."""

    kind: Kind


@dataclass(frozen=True)
class Int(Expr):
    value: int
    kind: Kind = NUMBER


@dataclass(frozen=True)
class Set(Expr):
    """A constant bit set: bit i of ``value`` is member i."""

    value: int
    kind: Bits


@dataclass(frozen=True)
class Get(Expr):
    """The value of a local."""

    var: Var

    @property
    def kind(self) -> Kind:  # type: ignore[override]
        return self.var.kind


@dataclass(frozen=True)
class Load(Expr):
    """A value of a field; ``index`` None: the first."""

    field: str
    index: Expr | None
    kind: Kind


@dataclass(frozen=True)
class Lookup(Expr):
    """A value of a table; the index is in range."""

    table: str
    index: Expr
    kind: Kind


@dataclass(frozen=True)
class Binary(Expr):
    """On numbers: `+ - *` (never beyond 32 bits: lowering has seen to it), `//` (rounds down) and `%` (sign
    of
    the divisor; never by 0), `min max`, and `== != < <= > >=`, which give 0 or 1."""

    op: str
    left: Expr
    right: Expr
    kind: Kind = NUMBER


@dataclass(frozen=True)
class And(Expr):
    """0 or 1; the right side is evaluated only if the left holds."""

    left: Expr
    right: Expr
    kind: Kind = NUMBER


@dataclass(frozen=True)
class Or(Expr):
    """0 or 1; the right side is evaluated only if the left does not hold."""

    left: Expr
    right: Expr
    kind: Kind = NUMBER


@dataclass(frozen=True)
class Not(Expr):
    """1 for 0, else 0."""

    of: Expr
    kind: Kind = NUMBER


@dataclass(frozen=True)
class Cond(Expr):
    """``yes`` if the condition holds, else ``no``; only that one is evaluated."""

    condition: Expr
    yes: Expr
    no: Expr

    @property
    def kind(self) -> Kind:  # type: ignore[override]
        return self.yes.kind


@dataclass(frozen=True)
class BitOp(Expr):
    """`and or xor without` on bit sets of one width."""

    op: str
    left: Expr
    right: Expr

    @property
    def kind(self) -> Kind:  # type: ignore[override]
        return self.left.kind


@dataclass(frozen=True)
class Single(Expr):
    """The set of one member, which is in range."""

    member: Expr
    kind: Bits


@dataclass(frozen=True)
class FirstBits(Expr):
    """The set of the members 0 to ``count`` - 1; the count is from 0 to the width."""

    count: Expr
    kind: Bits


@dataclass(frozen=True)
class Has(Expr):
    """The member, which is in range, is in the set."""

    bits: Expr
    member: Expr
    kind: Kind = NUMBER


@dataclass(frozen=True)
class Count(Expr):
    """How many members."""

    bits: Expr
    kind: Kind = NUMBER


@dataclass(frozen=True)
class Some(Expr):
    """The set is not empty."""

    bits: Expr
    kind: Kind = NUMBER


@dataclass(frozen=True)
class SameBits(Expr):
    """Two sets of one width are equal."""

    left: Expr
    right: Expr
    kind: Kind = NUMBER


@dataclass(frozen=True)
class Lowest(Expr):
    """The lowest member of a set that is not empty."""

    bits: Expr
    kind: Kind = NUMBER


@dataclass(frozen=True)
class Highest(Expr):
    """The highest member of a set that is not empty."""

    bits: Expr
    kind: Kind = NUMBER


@dataclass(frozen=True)
class Nth(Expr):
    """Member number ``place`` (from 0) of a set, in ascending order; it has so many."""

    bits: Expr
    place: Expr
    kind: Kind = NUMBER


@dataclass(frozen=True)
class Ways(Expr):
    """How many sets of the members weigh ``target`` (at least 1) together.

    What a member weighs, 1 to ``target``, stands in a table (0 for what is never a member). There are fewer
    than 2 ** `lane` sets of each sum up to the target: how many fits into `lane` bits, and all of these into
    one word of 64.
    """

    bits: Expr
    table: str
    target: int
    kind: Kind = NUMBER

    @property
    def lane(self) -> int:
        return 64 // (self.target + 1)


@dataclass(frozen=True)
class PileSize(Expr):
    """How many numbers lie in a pile."""

    pile: Expr
    kind: Kind = NUMBER


@dataclass(frozen=True)
class PileAt(Expr):
    """The number at a place of a pile, 0 being the bottom; there is one."""

    pile: Expr
    place: Expr
    kind: Kind = NUMBER


# ---------------------------------------------------------------- statements


class Stmt:
    """A statement."""


Body = tuple["Stmt", ...]


@dataclass(frozen=True)
class Let(Stmt):
    """A local takes a value."""

    var: Var
    value: Expr


@dataclass(frozen=True)
class Store(Stmt):
    """A value of a field is set; ``index`` None: the first. Indexes are in range."""

    field: str
    index: Expr | None
    value: Expr


@dataclass(frozen=True)
class If(Stmt):
    condition: Expr
    then: Body
    otherwise: Body = ()


@dataclass(frozen=True)
class While(Stmt):
    """The condition is tested before each round."""

    condition: Expr
    body: Body


@dataclass(frozen=True)
class ForBits(Stmt):
    """Once for each member of a set, ascending. The set is evaluated once, before the first round."""

    var: Var
    bits: Expr
    body: Body


@dataclass(frozen=True)
class ForRange(Stmt):
    """Once for each number from ``low`` up to but not including ``high``, both evaluated once."""

    var: Var
    low: Expr
    high: Expr
    body: Body


@dataclass(frozen=True)
class Break(Stmt):
    """Leaves the innermost loop."""


@dataclass(frozen=True)
class Continue(Stmt):
    """Goes on with the next round of the innermost loop."""


@dataclass(frozen=True)
class Call(Stmt):
    """``result`` takes what the function returns (None: it returns nothing, or it is not wanted)."""

    result: Var | None
    function: str
    arguments: tuple[Expr, ...]


@dataclass(frozen=True)
class Return(Stmt):
    """Only in functions."""

    value: Expr | None = None


@dataclass(frozen=True)
class Goto(Stmt):
    """Only in blocks: leaves the block; ``block`` is a number of a block, or WAIT, OVER."""

    block: Expr


@dataclass(frozen=True)
class Trap(Stmt):
    """The game faults: the fields `fault` (number of the site, from 1) and `fault_arguments` (0 to 2
    numbers) are
    set, and block and functions are left at once; the step gives FAULT."""

    site: int
    arguments: tuple[Expr, ...] = ()


@dataclass(frozen=True)
class PilePush(Stmt):
    """A number comes to lie on top, or with ``bottom`` below all others."""

    pile: Expr
    item: Expr
    bottom: bool = False


@dataclass(frozen=True)
class PilePop(Stmt):
    """The number on top of a pile that is not empty is taken off."""

    var: Var
    pile: Expr


@dataclass(frozen=True)
class PileRemove(Stmt):
    """A number that lies in the pile is taken out; those above come down by one."""

    pile: Expr
    item: Expr


@dataclass(frozen=True)
class PileReplace(Stmt):
    """``new`` comes to lie where ``old``, which lies in the pile, lay."""

    pile: Expr
    old: Expr
    new: Expr


@dataclass(frozen=True)
class PileClear(Stmt):
    pile: Expr


@dataclass(frozen=True)
class PileFill(Stmt):
    """The members of a set, ascending, are all that lies in the pile, the lowest at the bottom."""

    pile: Expr
    bits: Expr


@dataclass(frozen=True)
class PileShuffle(Stmt):
    """Fisher-Yates as the chance of rulekit is specified, from the stream `chance`."""

    pile: Expr


@dataclass(frozen=True)
class Draw(Stmt):
    """A number from 0 up to but not including ``below`` (at least 1), as the chance of rulekit is specified.

    ``policy``: from the stream of random players instead of the stream of chance.
    """

    var: Var
    below: Expr
    policy: bool = False


@dataclass(frozen=True)
class SortUnique(Stmt):
    """Rows 0 to ``count`` - 1, each a value of every one of the fields, are put in order, equal ones
    merged; ``count`` is set
    to how many are left. Numbers by size, bit sets as the ascending lists of their members, which compare
    left to right, a beginning before what it is the beginning of."""

    count: Var
    fields: tuple[str, ...]
