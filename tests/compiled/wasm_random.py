"""Random well-typed modules of the low-level form: every expression and statement, nothing out of range, no
endless loop.

What is random is decided by a `Chooser`, so that Hypothesis can shrink a module and a seeded generator can
make thousands of them fast.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

from hypothesis import strategies as st
from wasm_modules import STANDARD

from rulekit.compiled import lir
from rulekit.compiled.lir import NONE, NUMBER, Binary, Bits, Cond, Expr, Get, Int, Var

T = TypeVar("T")
WIDTHS = (1, 2, 7, 8, 9, 16, 17, 31, 32, 33, 52, 63, 64, 65, 100, 104, 127, 128, 129, 200, 256)
MOST = 2**31 - 1
ITEMS = Bits(256)
FUEL = 40  #: so many blocks are entered before a game ends
STREAM_STATES = (0, 1, 2**64 - 1)


class Chooser(Protocol):
    def integer(self, low: int, high: int) -> int: ...


class Drawn:
    """Decided by Hypothesis."""

    def __init__(self, draw: Any) -> None:
        self.draw = draw

    def integer(self, low: int, high: int) -> int:
        return self.draw(st.integers(low, high))


class Seeded:
    """Decided by a seed."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def integer(self, low: int, high: int) -> int:
        return self.random.randint(low, high)


@st.composite
def modules(draw: Any) -> lir.Module:
    return make(Drawn(draw))


def make(chooser: Chooser, width: int | None = None) -> lir.Module:
    """A module; ``width``: of one of its kinds of bit sets."""
    return _Maker(chooser, width).module()


@dataclass(frozen=True)
class Ranged:
    """A number, and the range it stays in."""

    expr: Expr
    low: int
    high: int


@dataclass
class Scope:
    """``known``: locals that have a value, with their ranges; ``depth``: how deep statements may nest."""

    known: dict[Var, tuple[int, int]] = field(default_factory=dict)
    depth: int = 3
    loop: bool = False

    def inner(self, *, loop: bool | None = None) -> Scope:
        return Scope(dict(self.known), self.depth - 1, self.loop if loop is None else loop)


class _Maker:
    def __init__(self, chooser: Chooser, width: int | None) -> None:
        self.chooser = chooser
        widths = {width if width is not None else self.pick(WIDTHS), self.pick(WIDTHS)}
        widths.add(self.pick((65, 128, 129, 200)))
        self.kinds = [Bits(n) for n in sorted(widths)]
        self.piles = self.integer(0, 3)
        self.capacity = self.pick((1, 2, 5, 52, 104, 255, 300)) if self.piles else 0
        self.ranges: dict[str, tuple[int, int]] = {}
        self.fields: list[lir.Field] = list(STANDARD)
        self.tables: list[lir.Table] = []
        self.functions: list[lir.Function] = []
        self.results: dict[str, tuple[int, int]] = {}
        self.blocks = self.integer(1, 5)
        self.number = 0

    # ------------------------------------------------------------ choices

    def integer(self, low: int, high: int) -> int:
        return self.chooser.integer(low, high)

    def pick(self, items: Sequence[T]) -> T:
        return items[self.integer(0, len(items) - 1)]

    def often(self, one_in: int) -> bool:
        return self.integer(0, one_in - 1) == 0

    def bits_value(self, width: int) -> int:
        match self.integer(0, 4):
            case 0:
                return 0
            case 1:
                return 2**width - 1
            case 2:
                return 1 << self.integer(0, width - 1)
            case 3:
                return 1 << (width - 1)
        return self.integer(0, 2**width - 1)

    # ------------------------------------------------------------ the module

    def module(self) -> lir.Module:
        self.declare()
        for number in range(self.integer(0, 3)):
            self.functions.append(self.function(f"f{number}"))
        blocks = tuple(self.block(number) for number in range(self.blocks))
        self.functions.append(self.apply())
        return lir.Module(
            "random",
            tuple(self.fields),
            tuple(self.tables),
            self.piles,
            self.capacity,
            tuple(self.functions),
            blocks,
            self.integer(0, self.blocks - 1),
            tuple(lir.FaultSite(f"E{n}", "{0} {1}") for n in (1, 2, 3)),
        )

    def declare(self) -> None:
        self.ranges |= {"fault": (0, 3), "fault_arguments": (0, 0), "pc": (0, 9), "choices": (0, 9)}
        self.fields += [lir.Field("fuel", NUMBER, start=FUEL), lir.Field("trace", NUMBER)]
        for number in range(self.integer(1, 4)):
            name = f"n{number}"
            low, high = self.pick(((0, 255), (-1000, 1000), (NONE, MOST), (0, 1)))
            small = (low, high) == (0, 255)
            start = self.pick((low, high, max(low, 0)))
            count = self.pick((1, 2, 5))
            self.fields.append(lir.Field(name, NUMBER, count, start, self.often(3), small))
            self.ranges[name] = (low, high)
        for number in range(self.integer(1, 4)):
            kind = self.pick(self.kinds)
            start = self.bits_value(kind.width)
            self.fields.append(lir.Field(f"b{number}", kind, self.pick((1, 3)), start, self.often(3)))
        if self.piles:
            self.fields.append(lir.Field("lying", ITEMS, self.piles))
        for number in range(self.integer(0, 2)):
            low, high = self.pick(((0, 1), (0, 255), (-128, 127), (0, 65535), (-32768, 40), (NONE, MOST)))
            values = tuple(self.integer(low, high) for _ in range(self.integer(1, 5)))
            self.tables.append(lir.Table(f"t{number}", NUMBER, values))
            self.ranges[f"t{number}"] = (min(values), max(values))
        for number in range(self.integer(0, 2)):
            kind = self.pick(self.kinds)
            values = tuple(self.bits_value(kind.width) for _ in range(self.integer(1, 5)))
            self.tables.append(lir.Table(f"s{number}", kind, values))

    def clean_scratch(self) -> lir.Body:
        """Scratch means nothing at the beginning of a block, so it is set first."""
        found: list[lir.Stmt] = []
        for f in self.fields:
            if f.scratch:
                value: Expr = lir.Set(f.start, f.kind) if isinstance(f.kind, Bits) else Int(f.start)
                found += [lir.Store(f.name, Int(place), value) for place in range(f.count)]
        return tuple(found)

    def function(self, name: str) -> lir.Function:
        scope = Scope(depth=2)
        parameters = tuple(self.fresh(self.pick((NUMBER, *self.kinds))) for _ in range(self.integer(0, 3)))
        for var in parameters:
            scope.known[var] = (-1000, 1000)
        result = self.pick((None, NUMBER, *self.kinds))
        body = self.body(scope, result=result)
        if isinstance(result, Bits):
            body += (lir.Return(self.bits(result, 2, scope)),)
        elif result is not None:
            body += (lir.Return(self.fit(self.ranged(2, scope), -1000, 1000)),)
        return lir.Function(name, parameters, result, body)

    def apply(self) -> lir.Function:
        place, fresh = self.fresh(NUMBER), self.fresh(NUMBER)
        scope = Scope({place: (0, 9)})
        body = (*self.clean_scratch(), *self.body(scope))
        block = self.pick((Int(0), Int(self.blocks - 1), self.within(self.blocks, 2, scope), Int(lir.OVER)))
        return lir.Function("apply", (place, fresh), NUMBER, (*body, lir.Return(block)))

    def block(self, number: int) -> lir.Body:
        fuel = lir.Load("fuel", None, NUMBER)
        ending: lir.Stmt = self.pick((lir.Goto(Int(lir.OVER)), lir.Trap(1, (fuel,))))
        start: lir.Body = (
            lir.If(Binary("<=", fuel, Int(0)), (ending,)),
            lir.If(Binary("==", fuel, Int(FUEL)), self.first_piles()),
            lir.Store("fuel", None, Binary("-", fuel, Int(1))),
            *self.clean_scratch(),
        )
        scope = Scope()
        body = self.body(scope, goto=number)
        return (*start, *body, *self.leave(number, scope))

    def first_piles(self) -> lir.Body:
        """Something lies in most piles at the beginning."""
        found: list[lir.Stmt] = []
        for pile in range(self.piles):
            count = self.integer(0, min(self.capacity, 7))
            value = sum(1 << item for item in {self.integer(0, 255) for _ in range(count)})
            found += [lir.PileFill(Int(pile), lir.Set(value, ITEMS)), lir.PileShuffle(Int(pile))]
            found.append(lir.Store("lying", Int(pile), lir.Set(value, ITEMS)))
        return tuple(found)

    def leave(self, number: int, scope: Scope) -> lir.Body:
        match self.integer(0, 3):
            case 0:
                return (lir.Goto(Int(self.integer(0, self.blocks - 1))),)
            case 1:
                return (lir.Goto(self.within(self.blocks, 2, scope)),)
        choices = Binary("+", self.within(6, 2, scope), Int(1))
        return (
            lir.Store("choices", None, choices),
            lir.Store("pc", None, Int(number)),
            lir.Goto(Int(lir.WAIT)),
        )

    def fresh(self, kind: lir.Kind) -> Var:
        self.number += 1
        return Var(self.number, kind)

    def noted(self, x: Ranged) -> lir.Stmt:
        """A number leaves a trace in the state, so that nothing that goes wrong is lost."""
        trace = Binary("*", lir.Load("trace", None, NUMBER), Int(7))
        return lir.Store("trace", None, Binary("%", Binary("+", trace, self.fit(x, -1000, 1000)), Int(9973)))

    def noted_bits(self, var: Var) -> lir.Stmt:
        assert isinstance(var.kind, Bits)
        ends = Binary("+", Binary("*", lir.Lowest(Get(var)), Int(3)), lir.Highest(Get(var)))
        value = Cond(lir.Some(Get(var)), Binary("+", ends, lir.Count(Get(var))), Int(-1))
        return self.noted(Ranged(value, -1, 5 * var.kind.width))

    # ------------------------------------------------------------ statements

    def body(
        self, scope: Scope, *, result: lir.Kind | bool | None = False, goto: int | None = None
    ) -> lir.Body:
        """Some statements. ``result``: of the function it is in, False if a Return is not wanted."""
        found: list[lir.Stmt] = []
        for _ in range(self.integer(1, 5)):
            found += self.stmt(scope, result, goto)
        return tuple(found)

    def stmt(self, scope: Scope, result: Any, goto: int | None) -> lir.Body:
        kinds = ["let", "let", "bits", "store", "store_bits", "store_bits", "draw", "sort"]
        kinds += ["pile"] * (3 if self.piles else 0) + ["call", "call"] * bool(self.functions)
        if scope.depth > 0:
            kinds += ["if", "if", "while", "for_bits", "for_range", "trap"]
        kinds += ["leave"] if scope.depth < 2 else []
        match self.pick(kinds):
            case "let":
                return self.let(scope)
            case "bits":
                var = self.target(self.pick(self.kinds), scope)
                stmt = lir.Let(var, self.bits(var.kind, 3, scope))
                scope.known[var] = (0, 0)
                return (stmt, self.noted_bits(var))
            case "store":
                f = self.pick([f for f in self.fields if f.name in self.ranges and f.name[0] == "n"])
                value = self.fit(self.ranged(3, scope), *self.ranges[f.name])
                return (lir.Store(f.name, self.index(f.count, scope), value),)
            case "store_bits":
                f = self.pick([f for f in self.fields if f.name[0] == "b"])
                return (lir.Store(f.name, self.index(f.count, scope), self.bits(f.kind, 3, scope)),)
            case "draw":
                var = self.target(NUMBER, scope)
                below = self.pick((Int(1), Int(52), Int(MOST), Binary("+", self.within(9, 1, scope), Int(1))))
                scope.known[var] = (0, below.value - 1 if isinstance(below, Int) else 9)
                return (lir.Draw(var, below, self.often(2)), self.noted(Ranged(Get(var), *scope.known[var])))
            case "sort":
                return self.sort(scope)
            case "pile":
                return self.pile_stmt(scope)
            case "call":
                return self.call(scope)
            case "trap":
                count = self.integer(0, 2)
                arguments = tuple(self.ranged(2, scope).expr for _ in range(count))
                condition = lir.And(self.condition(2, scope), self.condition(1, scope))
                return (lir.If(condition, (lir.Trap(self.integer(1, 3), arguments),)),)
            case "leave":
                return self.leave_early(scope, result, goto)
            case kind:
                return self.nested(kind, scope, result, goto)

    def let(self, scope: Scope) -> lir.Body:
        var = self.target(NUMBER, scope)
        value = self.ranged(3, scope)
        if self.often(2):
            value = Ranged(self.fit(value, -1000, 1000), -1000, 1000)
        low, high = scope.known.get(var, (value.low, value.high))
        # A loop may come round to where the old range was relied on.
        if (low, high) != (value.low, value.high) and var in scope.known:
            value = Ranged(self.fit(value, low, high), low, high)
        scope.known[var] = (low, high)
        return (lir.Let(var, value.expr), self.noted(Ranged(Get(var), low, high)))

    def target(self, kind: lir.Kind, scope: Scope) -> Var:
        """A new local, or (bit sets only, as their range is of no matter) one that has a value."""
        old = [var for var in scope.known if var.kind == kind]
        if isinstance(kind, Bits) and old and self.often(2):
            return self.pick(old)
        return self.fresh(kind)

    def nested(self, what: str, scope: Scope, result: Any, goto: int | None) -> lir.Body:
        if what == "if":
            condition = self.condition(3, scope)
            then = self.body(scope.inner(), result=result, goto=goto)
            otherwise = self.body(scope.inner(), result=result, goto=goto) if self.often(2) else ()
            return (lir.If(condition, then, otherwise),)
        if what == "while":
            counter = self.fresh(NUMBER)
            rounds = self.integer(0, 4)
            more: Expr = Binary("<", Get(counter), Int(rounds))
            more = lir.And(more, self.condition(2, scope)) if self.often(2) else more
            inner = scope.inner(loop=True)
            inner.known[counter] = (0, 5)
            step = lir.Let(counter, Binary("+", Get(counter), Int(1)))
            scope.known[counter] = (0, 5)
            body = self.body(inner, result=result, goto=goto)
            return (lir.Let(counter, Int(0)), lir.While(more, (step, *body)))
        inner = scope.inner(loop=True)
        var = self.fresh(NUMBER)
        if what == "for_bits":
            kind = self.pick(self.kinds)
            inner.known[var] = (0, kind.width - 1)
            bits = lir.BitOp("and", self.bits(kind, 2, scope), self.few(kind))
            body = (
                self.noted(Ranged(Get(var), *inner.known[var])),
                *self.body(inner, result=result, goto=goto),
            )
            return (lir.ForBits(var, bits, body),)
        low, high = self.fit(self.ranged(2, scope), -3, 3), self.fit(self.ranged(2, scope), -3, 5)
        inner.known[var] = (-3, 5)
        body = (self.noted(Ranged(Get(var), -3, 5)), *self.body(inner, result=result, goto=goto))
        return (lir.ForRange(var, low, high, body),)

    def few(self, kind: Bits) -> lir.Set:
        """A constant set of a few members: loops over it are short."""
        value = 1 << (kind.width - 1) | 1
        for _ in range(4):
            value |= 1 << self.integer(0, kind.width - 1)
        return lir.Set(value, kind)

    def leave_early(self, scope: Scope, result: Any, goto: int | None) -> lir.Body:
        ways: list[lir.Body] = []
        if scope.loop:
            ways += [(lir.Break(),), (lir.Continue(),)]
        if goto is not None:
            ways.append(self.leave(goto, scope))
        if result is None:
            ways.append((lir.Return(),))
        elif isinstance(result, Bits):
            ways.append((lir.Return(self.bits(result, 1, scope)),))
        elif result is not False:
            ways.append((lir.Return(self.fit(self.ranged(2, scope), -1000, 1000)),))
        return (lir.If(self.condition(2, scope), self.pick(ways)),) if ways else ()

    def sort(self, scope: Scope) -> lir.Body:
        some = [f for f in self.fields if f.name[0] in "nb" and f.name != "pc"]
        chosen = [self.pick(some) for _ in range(self.integer(1, 3))]
        names = tuple(dict.fromkeys(f.name for f in chosen))
        rows = min(f.count for f in chosen)
        count = self.fresh(NUMBER)
        start = self.within(rows + 1, 1, scope) if self.often(2) else Int(rows)
        scope.known[count] = (0, rows)
        return (lir.Let(count, start), lir.SortUnique(count, names), self.noted(Ranged(Get(count), 0, rows)))

    def call(self, scope: Scope) -> lir.Body:
        function = self.pick(self.functions)
        arguments = tuple(
            self.bits(var.kind, 1, scope)
            if isinstance(var.kind, Bits)
            else self.fit(self.ranged(1, scope), -1000, 1000)
            for var in function.parameters
        )
        result = None
        if function.result is not None and not self.often(4):
            result = self.fresh(function.result)
            scope.known[result] = (-1000, 1000)
        call = lir.Call(result, function.name, arguments)
        if result is None:
            return (call,)
        if isinstance(result.kind, Bits):
            return (call, self.noted_bits(result))
        return (call, self.noted(Ranged(Get(result), -1000, 1000)))

    # ------------------------------------------------------------ piles

    def pile_stmt(self, scope: Scope) -> lir.Body:
        """No number lies twice in a pile: what lies where is kept in `lying` as well."""
        pile: Expr = self.index(self.piles, scope) or Int(0)
        if not isinstance(pile, Int):
            held = self.fresh(NUMBER)
            inner = Scope({**scope.known, held: (0, self.piles - 1)}, scope.depth)
            first = lir.Let(held, pile)
            scope.known[held] = (0, self.piles - 1)
            return (first, *self.pile_action(Get(held), inner))
        return self.pile_action(pile, scope)

    def pile_action(self, pile: Expr, scope: Scope) -> lir.Body:
        size, lying = lir.PileSize(pile), lir.Load("lying", pile, ITEMS)
        room, some = Binary("<", size, Int(self.capacity)), Binary(">", size, Int(0))
        item, other = self.fresh(NUMBER), self.fresh(NUMBER)
        new = self.pick((Int(0), Int(255), self.within(self.pick((4, 52, 256)), 1, scope)))
        held = lir.PileAt(pile, Binary("%", self.ranged(1, scope).expr, size))
        gone = lir.Store("lying", pile, lir.BitOp("without", lying, lir.Single(Get(item), ITEMS)))
        come = lir.Store("lying", pile, lir.BitOp("or", lying, lir.Single(Get(other), ITEMS)))
        absent = lir.Not(lir.Has(lying, Get(other)))
        match self.integer(0, 7):
            case 0 | 1:
                push = (lir.PilePush(pile, Get(other), self.often(2)), come)
                return (lir.Let(other, new), lir.If(lir.And(room, absent), push))
            case 2:
                return (lir.If(some, (lir.PilePop(item, pile), gone, self.noted(Ranged(Get(item), 0, 255)))),)
            case 3:
                return (lir.If(some, (lir.Let(item, held), lir.PileRemove(pile, Get(item)), gone)),)
            case 4:
                replace = (lir.Let(item, held), lir.PileReplace(pile, Get(item), Get(other)), gone, come)
                return (lir.Let(other, new), lir.If(lir.And(some, absent), replace))
            case 5:
                return (lir.PileClear(pile), lir.Store("lying", pile, lir.Set(0, ITEMS)))
            case 6:
                return (lir.PileShuffle(pile),)
        return self.fill(pile, scope)

    def fill(self, pile: Expr, scope: Scope) -> lir.Body:
        kind = self.pick(self.kinds)
        var = self.fresh(NUMBER)
        lying = lir.Load("lying", pile, ITEMS)
        value = self.bits_value(kind.width)
        if self.often(2) and value.bit_count() <= self.capacity:
            fill = lir.PileFill(pile, lir.Set(value, kind))
            return (fill, lir.Store("lying", pile, lir.Set(value, ITEMS)))
        bits = self.fresh(kind)
        note = lir.Store("lying", pile, lir.BitOp("or", lying, lir.Single(Get(var), ITEMS)))
        then: lir.Body = (
            lir.PileFill(pile, Get(bits)),
            lir.Store("lying", pile, lir.Set(0, ITEMS)),
            lir.ForBits(var, Get(bits), (note,)),
        )
        fits = Binary("<=", lir.Count(Get(bits)), Int(self.capacity))
        first = lir.Let(bits, self.bits(kind, 2, scope))
        scope.known[bits] = (0, 0)
        return (first, lir.If(fits, then))

    # ------------------------------------------------------------ numbers

    def index(self, count: int, scope: Scope) -> Expr | None:
        if count == 1:
            return self.pick((None, Int(0)))
        return self.pick((Int(0), Int(count - 1), self.within(count, 2, scope)))

    def within(self, count: int, depth: int, scope: Scope) -> Expr:
        """A number from 0 up to but not including ``count``."""
        return self.fit(self.ranged(depth, scope), 0, count - 1)

    def fit(self, x: Ranged, low: int, high: int) -> Expr:
        if low <= x.low and x.high <= high:
            return x.expr
        if high - low < MOST and self.often(2):
            rest = Binary("%", x.expr, Int(high - low + 1))
            return rest if low == 0 else Binary("+", rest, Int(low))
        return Binary("max", Binary("min", x.expr, Int(high)), Int(low))

    def ranged(self, depth: int, scope: Scope) -> Ranged:
        simple = ["int", "get", "load", "table"]
        more = ["arithmetic"] * 3 + ["divide", "cond", "condition", "bits", "bits", "pile"]
        match self.pick(simple + (more if depth > 0 else [])):
            case "get":
                known = [var for var in scope.known if var.kind == NUMBER]
                if known:
                    var = self.pick(known)
                    return Ranged(Get(var), *scope.known[var])
            case "load":
                f = self.pick([f for f in self.fields if f.name[0] == "n"])
                return Ranged(
                    lir.Load(f.name, self.plain_index(f.count, scope), NUMBER), *self.ranges[f.name]
                )
            case "table":
                tables = [table for table in self.tables if table.kind == NUMBER]
                if tables:
                    table = self.pick(tables)
                    index = self.plain_index(len(table.values), scope) or Int(0)
                    return Ranged(lir.Lookup(table.name, index, NUMBER), *self.ranges[table.name])
            case "arithmetic":
                return self.arithmetic(depth, scope)
            case "divide":
                return self.divide(depth, scope)
            case "cond":
                a, b = self.ranged(depth - 1, scope), self.ranged(depth - 1, scope)
                condition = self.condition(depth - 1, scope)
                return Ranged(Cond(condition, a.expr, b.expr), min(a.low, b.low), max(a.high, b.high))
            case "condition":
                return Ranged(self.condition(depth - 1, scope), 0, 1)
            case "bits":
                return self.of_bits(depth, scope)
            case "pile":
                if self.piles:
                    pile = self.plain_index(self.piles, scope) or Int(0)
                    size = lir.PileSize(pile)
                    if self.often(2):
                        return Ranged(size, 0, self.capacity)
                    place: Expr = Binary("%", self.ranged(depth - 1, scope).expr, size)
                    place = Binary("-", size, Int(1)) if self.often(3) else place
                    return Ranged(
                        Cond(Binary(">", size, Int(0)), lir.PileAt(pile, place), Int(NONE)), NONE, 255
                    )
        value = self.pick((0, 1, -1, 2, 7, 63, 64, 255, NONE, MOST, self.integer(-1000, 1000)))
        return Ranged(Int(value), value, value)

    def plain_index(self, count: int, scope: Scope) -> Expr | None:
        known = [var for var in scope.known if var.kind == NUMBER]
        if count > 1 and known and self.often(2):
            return Binary("%", Get(self.pick(known)), Int(count))
        if count > 1:
            return Int(self.integer(0, count - 1))
        return self.pick((None, Int(0)))

    def arithmetic(self, depth: int, scope: Scope) -> Ranged:
        op = self.pick(("+", "-", "*", "min", "max"))
        a, b = self.ranged(depth - 1, scope), self.ranged(depth - 1, scope)
        if op in ("min", "max"):
            choose = min if op == "min" else max
            return Ranged(Binary(op, a.expr, b.expr), choose(a.low, b.low), choose(a.high, b.high))
        a, b = (Ranged(self.fit(x, -2000, 2000), max(x.low, -2000), min(x.high, 2000)) for x in (a, b))
        a, b = (x if x.low <= x.high else Ranged(x.expr, -2000, 2000) for x in (a, b))
        # `%` may have been used, which gives any number of the range.
        a, b = (x if isinstance(x.expr, Int | Get) else Ranged(x.expr, -2000, 2000) for x in (a, b))
        if op == "+":
            return Ranged(Binary(op, a.expr, b.expr), a.low + b.low, a.high + b.high)
        if op == "-":
            return Ranged(Binary(op, a.expr, b.expr), a.low - b.high, a.high - b.low)
        corners = [x * y for x in (a.low, a.high) for y in (b.low, b.high)]
        return Ranged(Binary(op, a.expr, b.expr), min(corners), max(corners))

    def divide(self, depth: int, scope: Scope) -> Ranged:
        op = self.pick(("//", "%"))
        left = self.ranged(depth - 1, scope)
        if self.often(3):  # a divisor that is not constant
            divisor = Binary("+", self.within(9, depth - 1, scope), Int(1))
            divisor = Binary("-", Int(0), divisor) if self.often(2) else divisor
            left = Ranged(self.fit(left, -(2**30), 2**30), -(2**30), 2**30)
            span = 10 if op == "%" else 2**30
            return Ranged(Binary(op, left.expr, divisor), -span, span)
        value = self.pick((1, 2, 3, 7, 8, 64, 255, -1, -2, -7))
        left = Ranged(self.fit(left, -MOST, MOST), -MOST, MOST)
        span = abs(value) if op == "%" else MOST
        return Ranged(Binary(op, left.expr, Int(value)), -span, span)

    def of_bits(self, depth: int, scope: Scope) -> Ranged:
        kind = self.pick(self.kinds)
        bits = self.bits(kind, depth - 1, scope)
        if self.often(3):
            return Ranged(lir.Count(bits), 0, kind.width)
        if self.often(6):
            return self.ways(bits, kind)
        if bits == lir.Set(0, kind) or self.often(2):  # not empty, and known to be so
            bits = lir.BitOp("or", bits, self.single(kind, scope))
        some = lir.Some(bits)
        match self.integer(0, 3):
            case 0:
                found: Expr = lir.Lowest(bits)
            case 1:
                found = lir.Highest(bits)
            case 2:
                found = lir.Nth(bits, Int(0))
            case _:
                found = lir.Nth(bits, Binary("%", self.ranged(depth - 1, scope).expr, lir.Count(bits)))
        return Ranged(Cond(some, found, Int(-1)), -1, kind.width - 1)

    def ways(self, bits: Expr, kind: Bits) -> Ranged:
        """Of members so few that a word has room for their sums."""
        target, few = self.pick(((1, 9), (9, 7), (15, 5), (31, 3)))
        name, step = f"w{len(self.tables)}", self.pick((1, 2, 5))
        weights = tuple(member * step % target + 1 for member in range(kind.width))
        self.tables.append(lir.Table(name, NUMBER, weights))
        self.ranges[name] = (1, target)
        some = lir.Set(sum({1 << self.integer(0, kind.width - 1) for _ in range(few)}), kind)
        return Ranged(lir.Ways(lir.BitOp("and", bits, some), name, target), 0, 10 * few)

    def condition(self, depth: int, scope: Scope) -> Expr:
        if depth <= 0:
            return self.pick((Int(0), Int(1), Binary("<", self.ranged(0, scope).expr, Int(1))))
        kind = self.pick(self.kinds)
        match self.integer(0, 9):
            case 0:
                return lir.And(self.condition(depth - 1, scope), self.condition(depth - 1, scope))
            case 1:
                return lir.Or(self.condition(depth - 1, scope), self.condition(depth - 1, scope))
            case 2:
                return lir.Not(self.condition(depth - 1, scope))
            case 3:
                return Cond(*(self.condition(depth - 1, scope) for _ in range(3)))
            case 4:
                return lir.Has(self.bits(kind, depth - 1, scope), self.within(kind.width, depth - 1, scope))
            case 5:
                return lir.Some(self.bits(kind, depth - 1, scope))
            case 6:
                return lir.SameBits(self.bits(kind, depth - 1, scope), self.bits(kind, depth - 1, scope))
        op = self.pick(("==", "!=", "<", "<=", ">", ">="))
        return Binary(op, self.ranged(depth - 1, scope).expr, self.ranged(depth - 1, scope).expr)

    # ------------------------------------------------------------ bit sets

    def bits(self, kind: lir.Kind, depth: int, scope: Scope) -> Expr:
        assert isinstance(kind, Bits)
        simple = ["set", "get", "load", "table"]
        match self.pick(
            simple + ["get", "load"] + (["op"] * 4 + ["cond", "single", "first"] if depth > 0 else [])
        ):
            case "get":
                known = [var for var in scope.known if var.kind == kind]
                if known:
                    return Get(self.pick(known))
            case "load":
                fields = [f for f in self.fields if f.kind == kind and f.name[0] == "b"]
                if fields:
                    f = self.pick(fields)
                    return lir.Load(f.name, self.plain_index(f.count, scope), kind)
            case "table":
                tables = [table for table in self.tables if table.kind == kind]
                if tables:
                    table = self.pick(tables)
                    return lir.Lookup(table.name, self.plain_index(len(table.values), scope) or Int(0), kind)
            case "op":
                op = self.pick(("and", "or", "xor", "without"))
                return lir.BitOp(op, self.bits(kind, depth - 1, scope), self.bits(kind, depth - 1, scope))
            case "cond":
                yes, no = self.bits(kind, depth - 1, scope), self.bits(kind, depth - 1, scope)
                return Cond(self.condition(depth - 1, scope), yes, no)
            case "single":
                return self.single(kind, scope)
            case "first":
                counts = (
                    Int(0),
                    Int(kind.width),
                    Int(min(64, kind.width)),
                    self.within(kind.width + 1, 1, scope),
                )
                return lir.FirstBits(self.pick(counts), kind)
        return lir.Set(self.bits_value(kind.width), kind)

    def single(self, kind: Bits, scope: Scope) -> Expr:
        member = self.pick((Int(0), Int(kind.width - 1), self.within(kind.width, 1, scope)))
        return lir.Single(member, kind)
