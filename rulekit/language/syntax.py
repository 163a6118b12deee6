"""The syntax tree of expressions, statements and declarations: frozen data, one class a form.

Trees compare by what they say, never by where it stands: `span` does not count. A tree is
what the grammar gives; what a name means is decided later, by the checker.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from rulekit.diagnostics import Span


@dataclass(frozen=True, kw_only=True)
class Syntax:
    """Any part of the tree, with its place in the file."""

    span: Span = field(compare=False, repr=False)


# ---------------------------------------------------------------- expressions


class Expr(Syntax):
    """Something with a value."""


@dataclass(frozen=True)
class Name(Expr):
    """A word in small letters: `hand`."""

    id: str


@dataclass(frozen=True)
class Literals(Expr):
    """Cards, ranks or a number, as they stand: `QS 10H`, `Q K`, `8`. Never empty."""

    words: tuple[str, ...]


@dataclass(frozen=True)
class Nothing(Expr):
    """`none`."""


@dataclass(frozen=True)
class Truth(Expr):
    """`true` or `false`."""

    value: bool


@dataclass(frozen=True)
class Of(Expr):
    """`NAME of X`, the one way to look something up. Right-associative: `suit of first of trick`."""

    name: Name
    target: Expr


@dataclass(frozen=True)
class Call(Expr):
    """`NAME(A; B)`. Arguments are expressions, or one `By` for `highest(X by KEY)`."""

    name: Name
    args: tuple[Expr, ...]


@dataclass(frozen=True)
class By(Expr):
    """`X by KEY` or `X where C by KEY`, only inside a call (the `where` is in `domain`)."""

    domain: Expr
    key: Expr


@dataclass(frozen=True)
class Key(Expr):
    """`A then B then C`: two or more parts."""

    parts: tuple[Expr, ...]


@dataclass(frozen=True)
class Negate(Expr):
    """`-X`."""

    operand: Expr


@dataclass(frozen=True)
class Not(Expr):
    """`not X`."""

    operand: Expr


@dataclass(frozen=True)
class Logic(Expr):
    """`A or B`, `A and B`; `op` is "or" or "and"."""

    op: str
    left: Expr
    right: Expr


@dataclass(frozen=True)
class Compare(Expr):
    """`A == B`; `op` is one of == != < <= > >=. Comparisons do not chain."""

    op: str
    left: Expr
    right: Expr


@dataclass(frozen=True)
class In(Expr):
    """`A in B`, `A not in B`."""

    left: Expr
    right: Expr
    negated: bool = False


@dataclass(frozen=True)
class Arith(Expr):
    """`A + B`; `op` is one of + - | & * // %."""

    op: str
    left: Expr
    right: Expr


@dataclass(frozen=True)
class Clip(Expr):
    """`A at most B`, `A at least B`; `op` is "at most" or "at least"."""

    op: str
    left: Expr
    right: Expr


@dataclass(frozen=True)
class Range(Expr):
    """`A..B`, or `A..` (high is None)."""

    low: Expr
    high: Expr | None


@dataclass(frozen=True)
class From(Expr):
    """`N from X` (selections) or `PATTERN from X`: which of the two, the checker decides."""

    left: Expr
    right: Expr


@dataclass(frozen=True)
class Starting(Expr):
    """`X starting P`: round the table."""

    left: Expr
    right: Expr


@dataclass(frozen=True)
class Where(Expr):
    """`X where C`."""

    domain: Expr
    condition: Expr


@dataclass(frozen=True)
class Cond(Expr):
    """`if C then A else B`."""

    condition: Expr
    yes: Expr
    no: Expr


@dataclass(frozen=True)
class PatternRef(Syntax):
    """A pattern by name, perhaps with arguments: `set_of(5)`."""

    name: Name
    args: tuple[Expr, ...] = ()


@dataclass(frozen=True)
class Is(Expr):
    """`X is PATTERN`."""

    left: Expr
    pattern: PatternRef


@dataclass(frozen=True)
class Beats(Expr):
    """`A beats B as PATTERN`."""

    left: Expr
    right: Expr
    pattern: PatternRef


@dataclass(frozen=True)
class Qualified(Expr):
    """`best PATTERN from X`, `tail PATTERN from X`."""

    qualifier: str
    pattern: PatternRef
    source: Expr


@dataclass(frozen=True)
class Outside(Expr):
    """`X outside PATTERN`."""

    left: Expr
    pattern: PatternRef


@dataclass(frozen=True)
class Inside(Expr):
    """`X inside PATTERN`."""

    left: Expr
    pattern: PatternRef


# ---------------------------------------------------------------- leaf statements


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


# ---------------------------------------------------------------- declarations


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
