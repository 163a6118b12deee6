"""What a file declares, and what may be read where."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import field, replace
from functools import cached_property

from rulekit.cards import Face, Suit, parse_face
from rulekit.diagnostics import Findings, Span, nearest
from rulekit.diagnostics.suggest import one_slip
from rulekit.language import syntax as s
from rulekit.language.homes import home_of, homes, is_it
from rulekit.language.keywords import CONSTANTS
from rulekit.language.one_form import one_form
from rulekit.language.spoken import rank_of
from rulekit.language.tree import (
    BlockTree,
    DefineTree,
    FactTree,
    MoveTree,
    PatternTree,
    PhaseTree,
    RulesetTree,
)
from rulekit.language.vocabulary import BUILT_IN, TYPES
from rulekit.program import expressions as e
from rulekit.program import types as t
from rulekit.program.patterns import PatternDef
from rulekit.program.program import DefineDef, FactDef, LocalDef, OptionDef, StateDef, ZoneDef
from rulekit.program.statements import BlockUse
from rulekit.records import dataclass


@dataclass(frozen=True)
class Unknown(t.Type):
    """The type of what is already reported: fits everywhere, so that one slip gives one finding."""

    def __str__(self) -> str:
        return "a thing"  # so that `empty` is a set of things


UNKNOWN = Unknown()
MOST_COMPARED = 100_000  #: names with which wrong ones are compared in one file

_NUMBERS = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen"
NUMBER_WORDS = {word: str(number) for number, word in enumerate(_NUMBERS.split(" "))}
TRUTHS = {"yes": "true", "on": "true", "no": "false", "off": "false"}


@dataclass(frozen=True)
class It:
    """An element that a condition, key or fact is about."""

    local: int
    type: t.Type


@dataclass(frozen=True)
class LocalRef:
    """A local in sight."""

    number: int
    type: t.Type
    kind: str  # "choice", "parameter", "let", "for"
    span: Span | None = None


@dataclass(frozen=True, eq=False)
class Slot:
    """What a use put into a slot, and the scope in which it means what it means."""

    declaration: s.SlotDeclaration
    value: s.SlotValue | None  # None: the default
    scope: Scope | None  # scope of the use; None for a default


@dataclass(eq=False)
class Use:
    """One use of a block, being expanded."""

    block: BlockTree
    number: int
    slots: dict[str, Slot]
    span: Span
    outer: Use | None = None
    defines: dict[str, str] = field(default_factory=dict)  # block define → its name in the program
    told: BlockUse | None = None  # the same for those who tell of it


@dataclass(frozen=True)
class Scope:
    """What may be read at a place, nearest meaning first."""

    names: dict[str, LocalRef] = field(default_factory=dict)
    its: tuple[It, ...] = ()
    me: bool = False  # somebody is being asked
    seats: int = 0  # P1 ... may be written (examples): how many there are
    use: Use | None = None
    present: frozenset[e.Expr] = frozenset()  # optional values shown not to be none
    answers: tuple[int, ...] = ()  # a local for each list around that reads `answered`
    known: Mapping[str, e.Expr] = field(default_factory=dict)  # names that stand for an expression: `under`
    owner: str = "play"  # the part this stands in: `play`, `phase NAME`, `move NAME`
    running: tuple[str, ...] = ()  # blocks of which a use is running here

    def with_it(self, it: It) -> Scope:
        return replace(self, its=(*self.its, it))

    def with_names(self, refs: dict[str, LocalRef]) -> Scope:
        return replace(self, names={**self.names, **refs})

    def knowing(self, facts: Iterable[e.Expr]) -> Scope:
        found = frozenset(facts)
        return replace(self, present=self.present | {one_form(x) for x in found}) if found else self


def nearest_local(name: str, locals: Iterable[str]) -> str | None:
    """The local that a name misspells by one letter, or the only one of one letter if so is the name."""
    names = list(locals)
    short = [local for local in names if len(local) <= 2]
    if len(name) == 1:
        return short[0] if len(short) == 1 else None
    return next((local for local in names if one_slip(name, local)), None)


@dataclass(eq=False)
class World:
    """Everything declared, with findings collected on the way."""

    tree: RulesetTree
    findings: Findings
    ranks: tuple[str, ...] = ()
    plain_ranks: int = 0
    suits: tuple[Suit, ...] = ()
    max_cards: int = 512
    told_as_sets: set[str] = field(default_factory=set)  # states declared as sets and used as one of them
    needed: set[str] = field(
        default_factory=set
    )  # zones and state that blocks need, which are reported there
    notation_broken: bool = False  # something is wrong with ranks or suits, which is reported
    many_copies: bool = False
    most_copies: int = 1
    gone: frozenset[Face] = frozenset()  # never in the pack
    words: dict[str, tuple[str, ...]] = field(default_factory=dict)
    options: dict[str, OptionDef] = field(default_factory=dict)
    zones: dict[str, ZoneDef] = field(default_factory=dict)
    state: dict[str, StateDef] = field(default_factory=dict)
    orders: dict[str, tuple[int, ...]] = field(default_factory=dict)
    fact_trees: dict[str, FactTree] = field(default_factory=dict)
    define_trees: dict[str, tuple[DefineTree, Use | None]] = field(default_factory=dict)
    facts: dict[str, FactDef] = field(default_factory=dict)
    defines: dict[str, DefineDef] = field(default_factory=dict)
    phase_trees: dict[str, tuple[PhaseTree, Use | None]] = field(default_factory=dict)
    move_trees: dict[str, tuple[MoveTree, Use | None]] = field(default_factory=dict)
    patterns: dict[str, PatternTree] = field(default_factory=dict)
    pattern_defs: dict[str, PatternDef] = field(default_factory=dict)
    open_patterns: list[str] = field(default_factory=list)
    locals: list[LocalDef] = field(default_factory=list)
    reasons: dict[str, None] = field(default_factory=dict)
    settled: dict[str, None] = field(default_factory=dict)  # defines that the pack and `requires` read
    declared_at: dict[str, Span] = field(default_factory=dict)
    word_spots: dict[tuple[str, str], Span] = field(default_factory=dict)  # word type, word → its place
    field_names: set[str] = field(default_factory=set)
    said: dict[tuple[str, str], int] = field(default_factory=dict)
    doubled: set[str] = field(default_factory=set)  # declared twice: that is reported
    refused: set[str] = field(default_factory=set)  # declared, but may not be called so: that is reported
    compared: int = 0  # names with which wrong ones were compared
    me_reads: list[bool] = field(default_factory=lambda: [False])
    asked_moves: dict[str, None] = field(default_factory=dict)
    asked_cells: set[int] = field(default_factory=set)
    faces: dict[str, Face | None] = field(default_factory=dict)  # what literals name in this deck
    types: dict[Span, t.Type] | None = None  # what stands where, noted for editors if not None

    def new_local(self, name: str, type: t.Type, *, lasting: bool) -> int:
        """A new local's number."""
        self.locals.append(LocalDef(name, type, lasting))
        return len(self.locals) - 1

    def note(self, span: Span | None, of: t.Type) -> None:
        """Note the type of what stands at a place. The first to be known counts."""
        if self.types is not None and span is not None and not isinstance(of, Unknown):
            self.types.setdefault(span, of)

    def face(self, text: str) -> Face | None:
        """The face that a literal names."""
        if text not in self.faces:
            self.faces[text] = parse_face(text, self.ranks, self.suits, self.plain_ranks)
        return self.faces[text]

    def suit_names(self) -> tuple[str, ...]:
        return tuple(suit.name for suit in self.suits)

    def read_me(self) -> None:
        """Note that what is being checked reads `me`."""
        self.me_reads[-1] = True

    def types_with_word(self, word: str) -> list[str]:
        """The word types that have this word."""
        return [name for name, words in self.words.items() if word in words]

    def reported(self, span: Span | None) -> bool:
        """Something was said already about what begins at that place."""
        return span is not None and any(
            said is not None and said.start == span.start and said.source is span.source
            for said in (item.span for item in self.findings.items)
        )

    def said_often(self, code: str, word: str, most: int = 3) -> bool:
        """The same was said in so many places: probably what is wrong is the declaration."""
        self.said[code, word] = self.said.get((code, word), 0) + 1
        return self.said[code, word] > most

    def taken(self, kind: str, name: s.Name, meaning: str) -> None:
        """Report that something is called by a word that has a meaning already."""
        self.refused.add(name.id)
        if not self.reported(name.span):
            self.findings.error(
                "RK403", f"{kind} cannot be called `{name.id}`, {meaning}", name.span,
                expected="a name with no other meaning", help="choose another name",
            )  # fmt: skip

    @cached_property
    def homes(self) -> dict[str, tuple[str, s.Name]]:
        """The locals of the file by name, with what to say of each."""
        return homes(self)

    @cached_property
    def mentions(self) -> Counter[str]:
        """How often each word stands in the file."""
        return Counter(re.findall(r"\w+", self.tree.span.source.text)) if self.tree.span else Counter()

    def near(self, name: str, candidates: Iterable[str]) -> str | None:
        """The nearest candidate. One that nothing else in the file mentions is probably the slip.

        Where thousands of names are wrong among thousands of names, the later of them are told without one.
        """
        pool = list(candidates)
        self.compared += len(pool)
        if self.compared > MOST_COMPARED:
            return None
        alone = [other for other in pool if self.mentions[other] == 1 and one_slip(name, other)]
        return nearest(name, alone or pool)

    def visible_names(self, scope: Scope) -> list[str]:
        """Every name that could stand at a place, for suggestions."""
        names = [*scope.names]
        if scope.use is not None:
            names += scope.use.slots
        names += [*self.options, *self.zones, *self.state, *self.define_trees, *self.fact_trees]
        names += [*self.words, *self.field_names, *self.patterns]
        return names

    def unknown_name(self, node: s.Name, scope: Scope, extra: Iterable[str] = ()) -> e.Expr:
        """Report a name that means nothing here."""
        if node.id in self.tree.broken or node.id in self.needed:  # that is reported elsewhere
            return self.unknown(node.span)
        if self.said_often("RK401", node.id):
            return self.unknown(node.span)
        words = [word for words in self.words.values() for word in words]
        others = [*extra, *sorted(BUILT_IN), *CONSTANTS, *self.suit_names(), *words]
        near = TRUTHS.get(node.id) or nearest_local(node.id, scope.names)
        elsewhere = self.elsewhere(node.id)
        written = NUMBER_WORDS.get(node.id) or rank_of(node.id)
        if near is None and elsewhere is None and written:
            self.findings.error(
                "RK401", f"nothing is called `{node.id}` here", node.span,
                expected="a number in digits" if node.id in NUMBER_WORDS else "a rank as the pack has it",
                help=f"write `{written}`", suggestion=written,
            )  # fmt: skip
            return self.unknown(node.span)
        if near is None:
            names = self.visible_names(scope)
            near = self.near(node.id, names)
            if not one_slip(node.id, near or ""):
                near = self.near(node.id, [*names, *others])
            if elsewhere and not one_slip(node.id, near or ""):
                near = None
        home = None if TRUTHS.get(node.id) or nearest_local(node.id, scope.names) else home_of(node.id, self)
        help = f"did you mean `{near}`?" if near else None
        if home is not None and is_it(node, self):
            help, near, home = "inside `where` the element is `it`", "it", None
        elif home is not None:
            help, near = home[0], None
        self.findings.error(
            "RK401",
            f"`{node.id}` is {elsewhere}, and no value"
            if elsewhere
            else f"nothing is called `{node.id}` here",
            node.span,
            expected="a name declared in this file, or one of the language",
            help=help,
            suggestion=near,
            notes=home[1] if home else [],
        )
        return self.unknown(node.span)

    def elsewhere(self, name: str) -> str | None:
        """What a name is called that means something, but not in expressions."""
        if name in self.move_trees:
            return "a move"
        if name in self.phase_trees:
            return "a phase"
        if name in self.orders:
            return "an order, for `consecutive` in patterns"
        return "a type" if name in TYPES else None

    def unknown(self, span: Span | None) -> e.Expr:
        """Stands for what could not be understood."""
        return e.Constant(None, type=UNKNOWN, span=span)
