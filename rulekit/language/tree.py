"""The tree of a whole file: what the YAML says, with every text in it parsed.

Read by `reader`, understood by the checker. A part that could not be parsed is left out of the tree
(its finding is recorded), so that everything else is still checked.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field

from rulekit.diagnostics import Span
from rulekit.language.syntax import (
    Declaration,
    Event,
    Expr,
    Name,
    Pattern,
    Ranking,
    SeatMove,
    Signature,
    SlotDeclaration,
    Stmt,
    Syntax,
    ZoneDeclaration,
)
from rulekit.records import dataclass
from rulekit.source.document import Mapping, Node

Spots = Sequence[Span]  #: where each of several words stands


@dataclass(frozen=True)
class Prose(Syntax):
    """A text for people."""

    text: str


@dataclass(frozen=True)
class TableRow(Syntax):
    """`K Q J 10: 10`: the words of the key (None for `else`) and the value."""

    keys: tuple[Name | str, ...] | None
    value: Expr


@dataclass(frozen=True)
class Table(Syntax):
    """A table: `by` is None in a card table."""

    by: Expr | None
    rows: tuple[TableRow, ...]


@dataclass(frozen=True)
class OptionTree(Syntax):
    name: Name
    declaration: Declaration
    text: Prose | None


@dataclass(frozen=True)
class StateTree(Syntax):
    name: Name
    declaration: Declaration
    text: Prose | None


@dataclass(frozen=True)
class ZoneTree(Syntax):
    name: Name
    declaration: ZoneDeclaration
    text: Prose | None
    fields: tuple[StateTree, ...] = ()  # `has`


@dataclass(frozen=True)
class DefineTree(Syntax):
    """An expression, a key (several parts) or a table, perhaps with parameters."""

    signature: Signature
    body: Expr | Table
    text: Prose | None


@dataclass(frozen=True)
class FactTree(Syntax):
    """A fact about cards: an expression or key about `it`, or a table."""

    name: Name
    body: Expr | Table
    text: Prose | None


@dataclass(frozen=True)
class PatternTree(Syntax):
    """One pattern, or a ranked class (`classes`, weakest first)."""

    signature: Signature
    pattern: Pattern | None
    classes: tuple[PatternTree, ...]
    by: Expr | None
    weight: Expr | None
    wild: Expr | None
    text: Prose | None
    most_wild: int | None = None  # how many of them may stand for others in one instance


@dataclass(frozen=True)
class DeckTree(Syntax):
    """`standard` is a deck with everything left open (None)."""

    ranks: tuple[str, ...] | None
    suits: tuple[tuple[str, str | None], ...] | None  # name and letter (None: one of the four usual suits)
    copies: Expr | None
    without: Expr | Table | None
    extra: tuple[str, ...]
    parts: Node  # the document, for places
    rank_spots: Spots = field(default=(), compare=False, repr=False)
    suit_spots: Spots = field(default=(), compare=False, repr=False)
    extra_spots: Spots = field(default=(), compare=False, repr=False)


@dataclass(frozen=True)
class WordsTree(Syntax):
    name: Name
    words: tuple[str, ...]
    spots: Spots = field(default=(), compare=False, repr=False)


@dataclass(frozen=True)
class OrderTree(Syntax):
    name: Name
    words: tuple[str, ...]
    spots: Spots = field(default=(), compare=False, repr=False)


@dataclass(frozen=True)
class EntryTree(Syntax):
    """One entry of a cascade; a domain without a label has `label` None."""

    label: Prose | None
    domain: Expr


@dataclass(frozen=True)
class ChoiceTree(Syntax):
    """A parameter of a move: `card: hand` is a cascade of one entry without a label."""

    name: Name
    entries: tuple[EntryTree, ...]
    text: Prose | None


@dataclass(frozen=True)
class ConditionTree(Syntax):
    """A named condition of a move."""

    label: Prose
    condition: Expr


@dataclass(frozen=True)
class MoveTree(Syntax):
    name: Name
    text: Prose | None
    choices: tuple[ChoiceTree, ...]
    conditions: tuple[ConditionTree, ...]
    body: tuple[Stmt, ...]
    again: Expr | None
    layout: Mapping | None  # families and their slots, for `layout` moves


@dataclass(frozen=True)
class PhaseTree(Syntax):
    signature: Signature
    text: Prose | None
    state: tuple[StateTree, ...]
    stop_when: Expr | None
    body: tuple[Stmt, ...]
    after: tuple[Stmt, ...]


@dataclass(frozen=True)
class EndTree(Syntax):
    ranking: Ranking | None
    payoff: Expr | None
    score: Expr | None
    limit: int | None


@dataclass(frozen=True)
class GivenTree(Syntax):
    """`hand of P2: 4C QC`. Seats in `target` are names `P1` ...; the words are read by what is given."""

    place: str
    place_name: Name
    target: str | None
    words: tuple[str, ...]
    target_span: Span | None = field(default=None, compare=False, repr=False)
    spots: Spots = field(default=(), compare=False, repr=False)


@dataclass(frozen=True)
class RunTree(Syntax):
    """`run: show(P1; 5C 5D 5H JS)`: a phase and its arguments, seats as names `P1`."""

    name: Name
    args: tuple[Expr, ...]


@dataclass(frozen=True)
class AllowedTree(Syntax):
    """`P2 follow: 4C QC`: exactly these first choices (each text is one choice's value(s))."""

    event: SeatMove
    words: tuple[str, ...]
    spots: Spots = field(default=(), compare=False, repr=False)


@dataclass(frozen=True)
class RefusedTree(Syntax):
    """`P2 follow AH: follow suit`: refused, by this label."""

    event: Event
    label: Prose


@dataclass(frozen=True)
class PlaceTree(Syntax):
    """`P1 P3 52`: seats (from 0) that share a place in the end, and their score if it is told."""

    seats: tuple[int, ...]
    score: int | None
    spots: Spots = field(default=(), compare=False, repr=False)  # of the seats


@dataclass(frozen=True)
class ExampleTree(Syntax):
    title: Prose
    players: int | None
    options: tuple[tuple[Name, str], ...]
    given: tuple[GivenTree, ...]
    events: tuple[Event, ...]
    then: tuple[Expr, ...]  # seats as Literals ("P1",)
    allowed: tuple[AllowedTree, ...]
    refused: tuple[RefusedTree, ...]
    run: RunTree | None
    result: tuple[PlaceTree, ...] = ()  # the first places, best first
    players_span: Span | None = field(default=None, compare=False, repr=False)
    option_spots: Spots = field(default=(), compare=False, repr=False)  # of the options' values


@dataclass(frozen=True)
class RulesetTree(Syntax):
    language: str
    name: Name
    title: Prose | None
    family: str | None
    text: Prose | None
    sources: tuple[Prose, ...]
    players: tuple[int, int]
    teams: str | int | None  # "across", or a number of teams in rotation
    options: tuple[OptionTree, ...]
    requires: Expr | None
    fixed: tuple[Name, ...]  # options that a variant has fixed
    deck: DeckTree
    words: tuple[WordsTree, ...]
    orders: tuple[OrderTree, ...]
    facts: tuple[FactTree, ...]
    patterns: tuple[PatternTree, ...]
    zones: tuple[ZoneTree, ...]
    state: tuple[StateTree, ...]
    defines: tuple[DefineTree, ...]
    play: tuple[Stmt, ...]
    phases: tuple[PhaseTree, ...]
    moves: tuple[MoveTree, ...]
    end: EndTree | None
    examples: tuple[ExampleTree, ...]
    broken: tuple[str, ...] = ()  # declared, but not readable: not to be called unknown
    players_span: Span | None = field(default=None, compare=False, repr=False)
    teams_span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True)
class NeedTree(Syntax):
    """`needs: {trick: zone}`, `needs: {stack: int per player}`."""

    name: Name
    type: SlotDeclaration


@dataclass(frozen=True)
class ProseLine(Syntax):
    """A line of a block's prose; ``slot``: it is said if (``holds``) or unless that slot is given or true."""

    text: Prose
    slot: str | None = None
    holds: bool = True


@dataclass(frozen=True)
class BlockTree(Syntax):
    """A block file. `expands` (blocks used inside a move) keeps its document."""

    name: Name
    text: Prose | None
    slots: tuple[tuple[Name, SlotDeclaration], ...]
    needs: tuple[NeedTree, ...]
    state: tuple[StateTree, ...]
    defines: tuple[DefineTree, ...]
    body: tuple[Stmt, ...]
    phases: tuple[PhaseTree, ...]
    moves: tuple[MoveTree, ...]
    expands: Mapping | None
    prose: tuple[ProseLine, ...] = ()
    broken: tuple[str, ...] = ()  # declared, but not readable: not to be called unknown
