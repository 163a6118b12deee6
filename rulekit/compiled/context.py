"""What all lowering shares: the setup, where state stands, what locals are bound to, and who lowers what."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

from rulekit.cards import PIPS
from rulekit.compiled import lir
from rulekit.compiled.builder import Builder, Unsupported, told_at
from rulekit.compiled.domains import Domain, domain_of
from rulekit.compiled.lir import NONE, NUMBER, Bits, Expr, Int
from rulekit.compiled.ranges import ANY, Span
from rulekit.program import Setup
from rulekit.program import expressions as e
from rulekit.program import types as t
from rulekit.program.faults import NONE_NEEDED
from rulekit.program.reads import Reader

if TYPE_CHECKING:
    from rulekit.compiled.collections import Coll
    from rulekit.compiled.keys import Key
    from rulekit.compiled.places import Places

X = TypeVar("X", bound=e.Expr)
Value = Any  #: a `lir.Expr`, a `Coll` or a `Key`

#: Expressions that may take loops; those that depend on nothing are worked out while lowering.
WORKED_OUT = (e.CallDefine, e.Filter, e.Extreme, e.Collect, e.Sum, e.Best, e.AnyOf, e.Every, e.Only, e.End)

LOWERS: dict[type[e.Expr], Callable[[Lower, Any], Value]] = {}


def lowers(kind: type[X]) -> Callable[[Callable[[Lower, X], Value]], Callable[[Lower, X], Value]]:
    """Registers how expressions of a kind are lowered."""

    def register(make: Callable[[Lower, X], Value]) -> Callable[[Lower, X], Value]:
        LOWERS[kind] = make
        return make

    return register


class Lower:
    """Lowers the expressions of one setup.

    ``env``  what each local of the program stands for: a value, or None for one that lies in the state
    ``me``  the player of the ask being answered
    ``views``  what is revealed is kept even where no rule asks for it: who sees what can be told
    """

    places: Places

    def __init__(self, setup: Setup, views: bool = False) -> None:
        self.setup = setup
        self.views = views
        self.program = setup.program
        self.b = Builder()
        self.reader = Reader(setup.program)
        self.pack = setup.pack
        self.n = len(setup.pack)
        self.cards = Bits(max(1, self.n))
        self.seats = Bits(setup.players)
        self.env: dict[int, Value] = {}
        self.me: Expr = Int(NONE)
        self.copies = any(len(copies) > 1 for copies in setup.pack.by_face.values())
        self._facts = self._printed()
        self.fact_tables: dict[str, tuple[int, ...] | None] = {}
        self.defines: dict[str, Any] = {}
        self.counter = 0
        self.speculates = False

    @contextmanager
    def speculating(self) -> Iterator[None]:
        """In here what is harmless is worked out also where it may not be needed, to do without branches."""
        outer, self.speculates = self.speculates, True
        try:
            yield
        finally:
            self.speculates = outer

    # ------------------------------------------------------------ values

    def value(self, x: e.Expr) -> Value:
        make = LOWERS.get(type(x))
        if make is None:
            raise Unsupported(type(x).__name__, x.span)
        with told_at(x.span):
            if isinstance(x, WORKED_OUT) and self.reader.reads(x).constant:
                return self.worked_out(x, make)
            return make(self, x)

    def worked_out(self, x: e.Expr, make: Callable[[Lower, Any], Value]) -> Value:
        """The value of an expression that is the same in every game of this setup."""
        from rulekit.compiled.collections import BitsColl, Coll
        from rulekit.compiled.evaluate import constant

        with self.b.collect() as stmts:
            value = make(self, x)
            plain = (
                isinstance(value, Coll) and value.domain is not None and not value.ordered and value.distinct
            )
            bits = value.bits(self) if plain else value
        if isinstance(bits, Expr):
            found = constant(self.b, stmts, bits)
            if found is not None:
                return BitsColl(found, value.domain) if plain else found
        self.b.emit(*stmts)
        return value

    def num(self, x: e.Expr) -> Expr:
        """A number, a condition, or the number of a player, card, suit ..."""
        value = self.value(x)
        assert isinstance(value, Expr), f"{type(x).__name__} is no single value"
        return value

    def condition(self, x: e.Expr) -> Expr:
        """A condition, 0 or 1; none does not hold."""
        from rulekit.compiled.fold import equal

        value = self.num(x)
        return equal(value, Int(1)) if self.b.ranges.of(value).none else value

    def coll(self, x: e.Expr) -> Coll:
        from rulekit.compiled.collections import Coll

        value = self.value(x)
        assert isinstance(value, Coll), f"{type(x).__name__} is no collection"
        return value

    def key(self, x: e.Expr) -> Key:
        """A value to compare by: a key, or a number where none is lowest."""
        from rulekit.compiled.keys import Key

        value = self.value(x)
        return value if isinstance(value, Key) else Key((value,))

    def needed(self, x: e.Expr, what: str) -> Expr:
        """A number where none is a fault."""
        value = self.num(x)
        return self.some(value, what, x)

    def some(self, value: Expr, what: str, x: e.Expr | None) -> Expr:
        if not self.b.ranges.of(value).none:
            return value
        value = self.b.atom(value)
        fault = self.b.trap(NONE_NEEDED, f"{what} is none", x.span if x is not None else None)
        self.b.if_(lir.Binary("==", value, Int(NONE)), [fault])
        if isinstance(value, lir.Get):
            span = self.b.ranges.of(value)
            self.b.ranges.vars[value.var.number] = Span(span.low, span.high)
        return value

    # ------------------------------------------------------------ locals

    @contextmanager
    def bound(self, local: int, value: Value) -> Iterator[None]:
        """A local stands for a value inside."""
        missing = object()
        outer = self.env.get(local, missing)
        self.env[local] = value
        try:
            yield
        finally:
            if outer is missing:
                del self.env[local]
            else:
                self.env[local] = outer

    def element(self, local: int, value: Expr) -> Value:
        """A value as what the local stands for: bits as a set."""
        if isinstance(value, Expr) and isinstance(value.kind, Bits):
            from rulekit.compiled.collections import BitsColl

            of = self.program.locals[local].type
            assert isinstance(of, t.Collection), "a local that holds a set"
            return BitsColl(value, self.domain(of.of))
        return value

    @contextmanager
    def asked(self, me: Expr) -> Iterator[None]:
        """`me` stands for a player inside."""
        outer, self.me = self.me, me
        try:
            yield
        finally:
            self.me = outer

    def fresh(self, what: str) -> str:
        """A name that no field or function has."""
        self.counter += 1
        return f"{what}_{self.counter}"

    # ------------------------------------------------------------ domains and facts

    def domain(self, of: t.Type) -> Domain:
        return domain_of(self.setup, of)

    def span(self, of: t.Type, none: bool = False) -> Span:
        """What numbers a value of a type has."""
        match of:
            case t.Optional(inner):
                return self.span(inner, True)
            case t.Bool():
                return Span(0, 1, none)
            case t.Int(low, high):
                return Span(low, high, none)
            case t.Player() | t.Team() | t.Suit() | t.Rank() | t.Word() | t.Card() | t.Pile():
                return Span(0, self.domain(of).width - 1, none)
        return ANY

    def fact_table(self, fact: str) -> tuple[int, ...]:
        """The printed fact of each card."""
        return self._facts[fact]

    def _printed(self) -> dict[str, tuple[int, ...]]:
        pack = self.pack
        colors = self.program.words.get("color", ("red", "black"))
        suit_colors = [NONE if s.color is None else colors.index(s.color) for s in pack.suits]
        plain = [face.rank < pack.plain_ranks for face in pack.cards]
        faces = list(zip(pack.cards, plain, strict=True))
        self.suit_colors = tuple(suit_colors)
        return {
            "suit": tuple(NONE if face.suit is None else face.suit for face in pack.cards),
            "rank": tuple(face.rank for face in pack.cards),
            "color": tuple(NONE if face.suit is None else suit_colors[face.suit] for face in pack.cards),
            "number": tuple(face.rank + 1 if ok else NONE for face, ok in faces),
            "pip": tuple(
                NONE if not ok or (pip := PIPS.get(pack.ranks[face.rank])) is None else pip
                for face, ok in faces
            ),
        }


def kind_of(lower: Lower, of: t.Type) -> lir.Kind:
    """How a value of a type is kept in a field: a set as bits, all else as a number."""
    if isinstance(of, t.Collection):
        domain = lower.domain(of.of)
        return domain.kind
    return NUMBER
