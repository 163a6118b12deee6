"""The typed program: everything a ruleset says, checked, with every name resolved.

Plain frozen data that knows neither YAML nor the grammar. Options and player count are still open: an
`expressions.Option` stands where an option is read, and the pack may depend on both; `setup.Setup` closes
them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import field

from rulekit.cards import Face, Suit
from rulekit.diagnostics import Span
from rulekit.program.expressions import Expr
from rulekit.program.patterns import PatternDef
from rulekit.program.statements import Stmt
from rulekit.program.types import Bool, Int, Type
from rulekit.records import dataclass


@dataclass(frozen=True, kw_only=True)
class Part:
    """Anything named: its prose, and its place in the file."""

    text: str | None = None
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True)
class OptionDef(Part):
    """An option. Its value is a bool, a number (of the type's range, or one of ``values`` if that is not
    empty), or a word by its place in ``words``."""

    name: str
    type: Type
    start: int | bool
    words: tuple[str, ...] = ()
    values: tuple[int | bool, ...] = ()
    fixed: bool = False
    start_span: Span | None = field(
        default=None, compare=False, repr=False
    )  # in a variant's file if it says so

    def accepts(self, value: int | bool) -> bool:
        """Is this one of the option's values?"""
        if isinstance(self.type, Bool) != isinstance(value, bool):
            return False
        if self.words:
            return 0 <= value < len(self.words)
        if self.values:
            return value in self.values
        return not isinstance(self.type, Int) or self.type.low <= value <= self.type.high

    def format(self, value: int | bool) -> str:
        """A value as it is written: `next_own_turn`, `true`, `11`."""
        if self.words and not isinstance(value, bool):
            return self.words[value]
        return str(value).lower() if isinstance(value, bool) else str(value)


@dataclass(frozen=True)
class DeckDef:
    """The pack, as far as it is known before options and players are."""

    ranks: tuple[str, ...]
    suits: tuple[Suit, ...]
    copies: Expr | None = None
    without: tuple[tuple[Expr | None, tuple[Face, ...]], ...] = ()  # (when, faces): all whose `when` holds
    extra: tuple[str, ...] = ()


@dataclass(frozen=True)
class LocalDef:
    """A local, by its number. ``lasting``: may be alive across an ask, so it belongs to the state."""

    name: str
    type: Type
    lasting: bool


@dataclass(frozen=True)
class StateDef(Part):
    """A state variable, or a family of them (``per``: player, team, suit, rank, or a word type).

    ``scope`` is None for the match, else the phase or move whose entry starts it afresh.
    """

    name: str
    type: Type
    per: str | None = None
    seen_by: str = "everyone"
    start: Expr | None = None  # may read the index as local ``start_local``
    start_local: int | None = None
    scope: str | None = None
    block: str | None = None  # the block that brought it


@dataclass(frozen=True)
class FieldDef(Part):
    """A field of each slot of a zone."""

    name: str
    type: Type
    start: Expr | None = None


@dataclass(frozen=True)
class ZoneDef(Part):
    """A zone or a family.

    ``kind``: set, pile, piles (``count`` that always exist), slots (up to ``count``).
    """

    name: str
    kind: str
    count: int = 1
    per: str | None = None
    seen_by: str = "everyone"
    fields: tuple[FieldDef, ...] = ()


@dataclass(frozen=True)
class FactDef(Part):
    """A fact about a card; ``local`` is the card."""

    name: str
    type: Type
    local: int
    body: Expr


@dataclass(frozen=True)
class DefineDef(Part):
    """A named expression with parameters (locals). ``reads_me``: may be used only where somebody is asked."""

    name: str
    type: Type
    parameters: tuple[int, ...]
    body: Expr
    reads_me: bool = False
    block: str | None = None


@dataclass(frozen=True)
class Entry:
    """An entry of a cascade: the first non-empty domain counts, and its label says why."""

    label: str | None
    domain: Expr
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True)
class Choice(Part):
    """A parameter of a move.

    ``local`` takes the value chosen; ``type`` is its type (a set for a selection).
    """

    name: str
    local: int
    type: Type
    entries: tuple[Entry, ...]


@dataclass(frozen=True)
class Condition:
    """A named condition. ``reads``: the choices it reads; none of them: it explains the whole move."""

    label: str
    condition: Expr
    reads: tuple[int, ...] = ()
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True)
class MoveDef(Part):
    """What a player may do."""

    name: str
    choices: tuple[Choice, ...] = ()
    conditions: tuple[Condition, ...] = ()
    body: tuple[Stmt, ...] = ()
    again: Expr | None = None
    state: tuple[str, ...] = ()  # block state that starts afresh when the move does
    block: str | None = None


@dataclass(frozen=True)
class PhaseDef(Part):
    """A part of the game. Parameters are locals; ``state`` starts afresh, in order, on entry."""

    name: str
    parameters: tuple[int, ...] = ()
    state: tuple[str, ...] = ()
    stop_when: Expr | None = None
    body: tuple[Stmt, ...] = ()
    after: tuple[Stmt, ...] = ()
    reads_me: bool = False
    block: str | None = None


@dataclass(frozen=True)
class EndDef:
    """Ranking by a key about ``local`` (a player, or a team if ``teams``)."""

    highest: bool = True
    ranking: Expr | None = None
    local: int = 0
    teams: bool = False
    payoff: Expr | None = None  # about local ``payoff_local``, a player
    payoff_local: int = 0
    score: Expr | None = None  # about local ``score_local``, a player
    score_local: int = 0
    limit: int = 100_000
    declared: bool = field(default=False, repr=False)  # the file states the limit


@dataclass(frozen=True)
class Given:
    """What an example lays on the table: a zone's cards or a state's value.

    ``cards`` for a zone: (face, face up or None) bottom first; ``value`` (an expression without locals) for
    a state.
    """

    name: str
    index: Expr | None
    cards: tuple[tuple[Face, bool | None], ...] | None = None
    value: Expr | None = None
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True)
class EventDef:
    """`P1 play 4S`: seat, move, the words that name the choices."""

    seat: int
    move: str
    words: tuple[str, ...]
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True)
class Then:
    """A condition that must hold in the end, with its source text."""

    condition: Expr
    source: str
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True)
class Placed:
    """The game is over, and these seats share the next place, with this score if one is told."""

    seats: tuple[int, ...]
    score: int | None = None
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True)
class Refused:
    event: EventDef
    label: str
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True)
class Allowed:
    """Exactly these first choices (each a text: a card, a word, several cards in parentheses)."""

    seat: int
    move: str
    words: tuple[str, ...]
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True)
class ExampleDef:
    """An executable ruling."""

    title: str
    players: int | None = None
    options: tuple[tuple[str, int | bool], ...] = ()
    given: tuple[Given, ...] = ()
    events: tuple[EventDef, ...] = ()
    then: tuple[Then, ...] = ()
    allowed: tuple[Allowed, ...] = ()
    refused: tuple[Refused, ...] = ()
    run: tuple[str, tuple[Expr, ...]] | None = None
    result: tuple[Placed, ...] = ()  # the first places, best first
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True)
class Program:
    """A whole ruleset. Mappings keep the order of the file (a block's parts follow the game's own)."""

    name: str
    title: str
    family: str | None
    text: str | None
    sources: tuple[str, ...]
    players: tuple[int, int]
    teams: str | int | None
    options: Mapping[str, OptionDef]
    requires: Expr | None
    deck: DeckDef
    words: Mapping[str, tuple[str, ...]]  # word types, `color` and `face` among them
    orders: Mapping[str, tuple[int, ...]]  # ranks
    zones: Mapping[str, ZoneDef]
    state: Mapping[str, StateDef]
    locals: tuple[LocalDef, ...]
    facts: Mapping[str, FactDef]
    defines: Mapping[str, DefineDef]
    play: tuple[Stmt, ...]
    play_state: tuple[str, ...]  # block state that starts afresh with the play
    phases: Mapping[str, PhaseDef]
    moves: Mapping[str, MoveDef]
    end: EndDef
    examples: tuple[ExampleDef, ...]
    reasons: Mapping[str, None] = field(default_factory=dict)  # ids, in file order
    patterns: Mapping[str, PatternDef] = field(default_factory=dict)
    settled: tuple[str, ...] = ()  # defines that the pack and `requires` read, written out there
    span: Span | None = field(default=None, compare=False, repr=False)

    def fingerprint(self) -> str:
        """Hash of what the rules do: equal for files that differ only in comments, layout or examples."""
        parts = [
            repr(part)
            for part in (
                self.name,
                self.players,
                self.teams,
                list(self.options.items()),
                self.requires,
                self.deck,
                list(self.words.items()),
                list(self.orders.items()),
                list(self.zones.items()),
                list(self.state.items()),
                self.locals,
                list(self.facts.items()),
                list(self.defines.items()),
                self.play,
                self.play_state,
                list(self.phases.items()),
                list(self.moves.items()),
                self.end,
                *([list(self.patterns.items())] if self.patterns else []),
            )
        ]
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()
