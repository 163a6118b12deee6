"""Expressions become Python functions from the state to the value, once for a setup.

None travels: a fact of none is none, none orders before nothing and lies in nothing. Where a value is needed
none is a fault, raised with the place in the file.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

from rulekit.cards import PIPS
from rulekit.engine.fault import DIVIDE_BY_ZERO, NONE_NEEDED, TOO_LARGE, FaultError
from rulekit.engine.layout import Layout
from rulekit.engine.state import State
from rulekit.program import expressions as e
from rulekit.program import types as t
from rulekit.program.reads import Reader, binders

if TYPE_CHECKING:
    from rulekit.engine.patterns import Patterns

Fn = Callable[[State], Any]
X = TypeVar("X", bound=e.Expr)

LOWEST = -(2**31)  #: stands for none inside a key: below every number


class Scope:
    """What the functions of one setup share: its layout, its locals, its defines and facts.

    Locals that are never alive across an ask lie in ``scratch``, outside the state; the others in
    ``State.locals``, at the places ``lasting`` gives.
    """

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.setup = layout.setup
        self.program = layout.setup.program
        self.reader = Reader(self.program)
        short = binders(self.program)
        self.lasting: dict[int, int] = {}
        for number, local in enumerate(self.program.locals):
            if local.lasting and number not in short:
                self.lasting[number] = len(self.lasting)
        self.scratch: list[Any] = [None] * len(self.program.locals)
        self._defines: dict[str, Fn] = {}
        self._facts: dict[str, Fn] = {}
        self.card_facts = self._card_facts()

    @cached_property
    def patterns(self) -> Patterns:
        """The patterns of the game."""
        from rulekit.engine.patterns import Patterns

        return Patterns(self)

    def compile(self, expr: e.Expr) -> Fn:
        """The function that evaluates an expression."""
        fn = MAKERS[type(expr)](self, expr)
        if not isinstance(expr, e.Constant) and self.reader.reads(expr).constant:
            try:
                return always(fn(NOWHERE))
            except FaultError:
                return fn  # it faults only if the game ever gets there
        return fn

    def setter(self, number: int) -> Callable[[State, Any], None]:
        """The function that gives a local its value."""
        scratch = self.scratch
        if number in self.lasting:
            slot = self.lasting[number]

            def keep(s: State, value: Any) -> None:
                s.locals[slot] = value

            return keep

        def note(s: State, value: Any) -> None:
            scratch[number] = value

        return note

    def define(self, name: str) -> Fn:
        """The body of a define; its parameters must be set."""
        if name not in self._defines:
            self._defines[name] = self.compile(self.program.defines[name].body)
        return self._defines[name]

    def fact(self, name: str) -> Fn:
        """A declared fact about the card in the fact's local."""
        if name not in self._facts:
            self._facts[name] = self.compile(self.program.facts[name].body)
        return self._facts[name]

    def _card_facts(self) -> dict[str, tuple[Any, ...]]:
        """The printed facts of each card."""
        pack = self.setup.pack
        colors = self.program.words.get("color", ("red", "black"))
        plain = [face.rank < pack.plain_ranks for face in pack.cards]
        suit_colors = [None if s.color is None else colors.index(s.color) for s in pack.suits]
        self.suit_colors = tuple(suit_colors)
        return {
            "suit": tuple(face.suit for face in pack.cards),
            "rank": tuple(face.rank for face in pack.cards),
            "color": tuple(None if face.suit is None else suit_colors[face.suit] for face in pack.cards),
            "number": tuple(
                face.rank + 1 if ok else None for face, ok in zip(pack.cards, plain, strict=True)
            ),
            "pip": tuple(
                PIPS.get(pack.ranks[face.rank]) if ok else None
                for face, ok in zip(pack.cards, plain, strict=True)
            ),
        }


#: The state for expressions that read none. Whatever they try to read, it has not got.
NOWHERE = State.__new__(State)

MAKERS: dict[type[e.Expr], Callable[[Scope, Any], Fn]] = {}


def maker(kind: type[X]) -> Callable[[Callable[[Scope, X], Fn]], Callable[[Scope, X], Fn]]:
    """Registers how expressions of a kind become functions."""

    def register(make: Callable[[Scope, X], Fn]) -> Callable[[Scope, X], Fn]:
        MAKERS[kind] = make
        return make

    return register


def always(value: Any) -> Fn:
    """The function of a value that never changes."""
    return lambda s: value


def needed(fn: Fn, expr: e.Expr | None, what: str) -> Fn:
    """The function, where none is a fault."""
    span = expr.span if expr is not None else None

    def value(s: State) -> Any:
        found = fn(s)
        if found is None:
            raise FaultError(NONE_NEEDED, f"{what} is none", span)
        return found

    return value


def is_collection(of: t.Type) -> bool:
    return isinstance(of, t.Collection)


# ---------------------------------------------------------------- what stands by itself


@maker(e.Constant)
def _constant(scope: Scope, x: e.Constant) -> Fn:
    if isinstance(x.type, t.Collection) and x.type.of == t.BOOL and isinstance(x.value, tuple):
        return always(tuple(bool(value) for value in x.value))
    return always(x.value)


@maker(e.Option)
def _option(scope: Scope, x: e.Option) -> Fn:
    return always(scope.setup.options[x.name])


@maker(e.Cards)
def _cards(scope: Scope, x: e.Cards) -> Fn:
    cards = sorted(card for face in x.faces for card in scope.setup.pack.by_face.get(face, ()))
    if is_collection(x.type):
        return always(tuple(cards))
    return always(cards[0] if cards else None)


@maker(e.Deck)
def _deck(scope: Scope, x: e.Deck) -> Fn:
    return always(tuple(range(len(scope.setup.pack))))


@maker(e.Players)
def _players(scope: Scope, x: e.Players) -> Fn:
    return always(tuple(range(scope.setup.players)))


@maker(e.Teams)
def _teams(scope: Scope, x: e.Teams) -> Fn:
    return always(tuple(range(scope.setup.teams)))


@maker(e.Me)
def _me(scope: Scope, x: e.Me) -> Fn:
    return lambda s: s.me


@maker(e.Local)
def _local(scope: Scope, x: e.Local) -> Fn:
    if x.number in scope.lasting:
        slot = scope.lasting[x.number]
        return lambda s: s.locals[slot]
    scratch, number = scope.scratch, x.number
    return lambda s: scratch[number]


@maker(e.StateOf)
def _state_of(scope: Scope, x: e.StateOf) -> Fn:
    first = scope.layout.states[x.state].first
    if x.index is None:
        return lambda s: s.cells[first]
    index = scope.compile(x.index)
    nothing = () if is_collection(x.type) else None

    def member(s: State) -> Any:
        i = index(s)
        return nothing if i is None else s.cells[first + i]

    return member


# ---------------------------------------------------------------- numbers and conditions


@maker(e.Arithmetic)
def _arithmetic(scope: Scope, x: e.Arithmetic) -> Fn:
    left, right, span = scope.compile(x.left), scope.compile(x.right), x.span
    calculate = OPERATIONS[x.op]

    def result(s: State) -> Any:
        a, b = left(s), right(s)
        if a is None or b is None:
            return None
        try:
            number = calculate(a, b)
        except ZeroDivisionError:
            raise FaultError(DIVIDE_BY_ZERO, "division by 0", span) from None
        if not -t.LIMIT <= number <= t.LIMIT:
            raise FaultError(TOO_LARGE, f"{number} is beyond 32 bits", span)
        return number

    return result


OPERATIONS: dict[str, Callable[[int, int], int]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "//": lambda a, b: a // b,
    "%": lambda a, b: a % b,
}


def both(combine: Callable[[Any, Any], Any]) -> Callable[[Scope, Any], Fn]:
    """Maker for two operands of which neither may be none, or the result is."""

    def make(scope: Scope, x: Any) -> Fn:
        left, right = scope.compile(x.left), scope.compile(x.right)

        def result(s: State) -> Any:
            a, b = left(s), right(s)
            return None if a is None or b is None else combine(a, b)

        return result

    return make


MAKERS[e.Minimum] = both(min)
MAKERS[e.Maximum] = both(max)


@maker(e.Negative)
def _negative(scope: Scope, x: e.Negative) -> Fn:
    operand = scope.compile(x.operand)
    return lambda s: None if (value := operand(s)) is None else -value


@maker(e.Not)
def _not(scope: Scope, x: e.Not) -> Fn:
    operand = scope.compile(x.operand)
    return lambda s: not operand(s)


@maker(e.And)
def _and(scope: Scope, x: e.And) -> Fn:
    left, right = scope.compile(x.left), scope.compile(x.right)
    return lambda s: bool(left(s) and right(s))


@maker(e.Or)
def _or(scope: Scope, x: e.Or) -> Fn:
    left, right = scope.compile(x.left), scope.compile(x.right)
    return lambda s: bool(left(s) or right(s))


@maker(e.If)
def _if(scope: Scope, x: e.If) -> Fn:
    condition, yes, no = scope.compile(x.condition), scope.compile(x.yes), scope.compile(x.no)
    return lambda s: yes(s) if condition(s) else no(s)


@maker(e.Choose)
def _choose(scope: Scope, x: e.Choose) -> Fn:
    subject = scope.compile(x.subject)
    rows: dict[Any, Fn] = {}
    for keys, result in x.rows:
        fn = scope.compile(result)
        for key in keys:
            rows.setdefault(key, fn)  # the first row that fits
    default = always(None) if x.default is None else scope.compile(x.default)
    return lambda s: rows.get(subject(s), default)(s)


@maker(e.Same)
def _same(scope: Scope, x: e.Same) -> Fn:
    left, right = scope.compile(x.left), scope.compile(x.right)
    if is_collection(x.left.type) and is_collection(x.right.type):
        return lambda s: set(left(s)) == set(right(s))
    return lambda s: left(s) == right(s)


@maker(e.Less)
def _less(scope: Scope, x: e.Less) -> Fn:
    left, right = scope.compile(x.left), scope.compile(x.right)
    if x.or_equal:
        return lambda s: (a := left(s)) is not None and (b := right(s)) is not None and a <= b
    return lambda s: (a := left(s)) is not None and (b := right(s)) is not None and a < b


@maker(e.KeyOf)
def _key_of(scope: Scope, x: e.KeyOf) -> Fn:
    parts = tuple(sortable(scope.compile(part), part.type) for part in x.parts)
    return lambda s: tuple([part(s) for part in parts])


def sortable(fn: Fn, of: t.Type) -> Fn:
    """The value as part of a key, where none is lowest."""
    inner = of.of if isinstance(of, t.Optional) else of
    lowest: Any = () if isinstance(inner, t.Key) else LOWEST
    return lambda s: lowest if (value := fn(s)) is None else value


@maker(e.CallDefine)
def _call_define(scope: Scope, x: e.CallDefine) -> Fn:
    body = scope.define(x.define)
    if not x.arguments:
        return body
    scratch = scope.scratch
    parameters = scope.program.defines[x.define].parameters
    arguments = tuple(scope.compile(argument) for argument in x.arguments)
    if len(parameters) == 1:
        (parameter,), (argument,) = parameters, arguments

        def call_one(s: State) -> Any:
            scratch[parameter] = argument(s)
            return body(s)

        return call_one

    def call(s: State) -> Any:
        # All arguments first: one of them may call the same define.
        values = [argument(s) for argument in arguments]
        for number, value in zip(parameters, values, strict=True):
            scratch[number] = value
        return body(s)

    return call


@maker(e.Answered)
def _answered(scope: Scope, x: e.Answered) -> Fn:
    order = list(scope.program.moves)
    numbers = {order.index(move) for move in x.moves}
    answer = _local(scope, e.Local(x.local, type=t.NOTHING))
    return lambda s: answer(s) in numbers
