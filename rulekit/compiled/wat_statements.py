"""Statements of the low-level form as WebAssembly, and functions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from rulekit.compiled import lir
from rulekit.compiled.wat_code import Code
from rulekit.compiled.wat_expressions import Expressions
from rulekit.compiled.wat_facts import never_negative, read_unset, variables
from rulekit.compiled.wat_layout import CHANCE, POLICY, MemoryLayout, packed
from rulekit.compiled.wat_library import below


@dataclass(frozen=True)
class Context:
    """What all bodies of a module share.

    ``numbers``  of the functions: function n is ``$f{n}``;  ``inlined``: those put where they are called
    ``faulting``  names of the functions after whose call a fault must be looked for
    ``sorts``  names of the sort functions, by fields
    """

    layout: MemoryLayout
    functions: Mapping[str, lir.Function]
    numbers: Mapping[str, int]
    inlined: frozenset[str]
    faulting: frozenset[str]
    sorts: Mapping[tuple[str, ...], str]
    fields: Mapping[str, lir.Field] = field(default_factory=dict)


def wasm_types(kind: lir.Kind) -> list[str]:
    """The types of the words of a value."""
    return ["i64"] * kind.words if isinstance(kind, lir.Bits) else ["i32"]


MOST_FILLED = 512  #: bytes that are filled by words written out


class Statements(Expressions):
    """Puts a body into ``code``.

    ``leave``  instructions that leave after a fault
    ``give``  puts what `Return` does
    ``go``  puts what `Goto` does
    """

    def __init__(
        self,
        code: Code,
        context: Context,
        leave: list[str],
        give: Give | None = None,
        go: Go | None = None,
    ) -> None:
        super().__init__(code, context.layout, {})
        self.context = context
        self.leave, self.give, self.go = leave, give, go
        self.loops: list[tuple[str, str]] = []  #: labels of the loops around: to break, to continue

    def declare(self, body: lir.Body, parameters: Mapping[int, tuple[str, ...]], *, clean: bool) -> None:
        """Locals for all variables; ``clean``: those taken now are 0 already."""
        known = variables(body)
        given = [var for number, var in known.items() if number in parameters]
        self.never_negative = never_negative(body, given, self.layout.not_negative)
        self.variables = dict(parameters)
        for number, var in known.items():
            if number not in parameters:
                self.variables[number] = tuple(self.code.local(type) for type in wasm_types(var.kind))
        if not clean:
            for number in sorted(read_unset(body, given)):
                for name, type in zip(self.variables[number], wasm_types(known[number].kind), strict=True):
                    self.code.put(f"{type}.const 0", f"local.set {name}")

    def body(self, body: lir.Body) -> None:
        for stmt in body:
            with self.code.locals_here():
                self.stmt(stmt)

    def stmt(self, stmt: lir.Stmt) -> None:
        put = self.code.put
        match stmt:
            case lir.Let(var, value):
                self.let(var, value)
            case lir.Store(name, index, value):
                self.store(name, index, value)
            case lir.If(condition, then, otherwise):
                self.number(condition)
                put("if")
                self.body(then)
                if otherwise:
                    put("else")
                    self.body(otherwise)
                put("end")
            case lir.While(condition, body):
                with self.loop() as (out, again):
                    self.number(condition)
                    put("i32.eqz", f"br_if {out}")
                    self.body(body)
                    put(f"br {again}")
            case lir.ForBits(var, bits, body):
                self.for_bits(var, bits, body)
            case lir.ForRange(var, low, high, body):
                self.for_range(var, low, high, body)
            case lir.Break():
                put(f"br {self.loops[-1][0]}")
            case lir.Continue():
                put(f"br {self.loops[-1][1]}")
            case lir.Call():
                self.call(stmt)
            case lir.Return(value):
                assert self.give is not None
                self.give(self, value)
            case lir.Goto(block):
                assert self.go is not None
                self.go(self, block)
            case lir.Trap(site, arguments):
                self.trap(site, arguments)
            case lir.Draw(var, limit, policy):
                with self.code.captured() as pushed:
                    self.number(limit)
                stream = self.layout.own(POLICY if policy else CHANCE)
                put(
                    *below(self.code.local("i64"), stream, pushed),
                    f"local.set {self.variables[var.number][0]}",
                )
            case lir.SortUnique(count, names):
                (local,) = self.variables[count.number]
                put(self.layout.address(), f"local.get {local}", f"call {self.context.sorts[names]}")
                put(f"local.set {local}")
            case _:
                self.pile_stmt(stmt)

    def pile_stmt(self, stmt: lir.Stmt) -> None:
        put = self.code.put
        match stmt:
            case lir.PilePush(pile, item, False):
                self.push(pile, item)
            case lir.PilePush(pile, item, True):
                self.pile_address(pile)
                self.number(item)
                put("call $push_bottom")
            case lir.PilePop(var, pile):
                at, size = self.code.local("i32"), self.code.local("i32")
                offset = self.pile(pile)
                cell = self.layout.item
                put(f"local.tee {at}", f"local.get {at}", f"{cell.load} offset={offset}", f"local.tee {size}")
                put("i32.const 1", "i32.sub", f"{cell.store} offset={offset}")
                put(f"local.get {at}", f"local.get {size}", *self.scaled, "i32.add")
                put(f"{cell.load} offset={offset}")
                put(f"local.set {self.variables[var.number][0]}")
            case lir.PileFill(pile, bits):
                self.fill(pile, bits)
            case lir.PileRemove(pile, item):
                self.pile_address(pile)
                self.number(item)
                put("call $remove")
            case lir.PileReplace(pile, old, new):
                self.pile_address(pile)
                self.number(old)
                put("call $item_of")
                self.number(new)
                put(self.layout.item.store)
            case lir.PileClear(pile):
                offset = self.pile(pile)
                put("i32.const 0", f"{self.layout.item.store} offset={offset}")
            case lir.PileShuffle(pile):
                put(self.layout.address())
                self.pile_address(pile)
                put("call $shuffle")
            case _:
                raise TypeError(f"{type(stmt).__name__} is no statement of the low-level form")

    # ------------------------------------------------------------ values

    def let(self, var: lir.Var, value: lir.Expr) -> None:
        if isinstance(var.kind, lir.Bits):
            self.assign(self.variables[var.number], value)
        else:
            self.number(value)
            self.code.put(f"local.set {self.variables[var.number][0]}")

    def store(self, name: str, index: lir.Expr | None, value: lir.Expr) -> None:
        slot = self.layout.slots[name]
        if isinstance(slot.kind, lir.Number) or slot.kind.words == 1:
            offset = self.base(slot, index)
            if isinstance(slot.kind, lir.Number):
                self.number(value)
            else:
                self.code.put(*self.words(value)[0])
            self.code.put(f"{slot.cell.store} offset={offset}")
            return
        address, offset = self.held_base(slot, index)
        for number, word in enumerate(self.words(value)):
            self.code.put(*address, *word, f"{slot.cell.store} offset={offset + 8 * number}")

    def push(self, pile: lir.Expr, item: lir.Expr) -> None:
        put = self.code.put
        at, size = self.code.local("i32"), self.code.local("i32")
        offset = self.pile(pile)
        cell = self.layout.item
        put(f"local.tee {at}", f"local.get {at}", f"{cell.load} offset={offset}", f"local.tee {size}")
        put(*self.scaled, "i32.add")
        self.number(item)
        put(f"{cell.store} offset={offset + cell.size}")
        put(f"local.get {at}", f"local.get {size}", "i32.const 1", "i32.add", f"{cell.store} offset={offset}")

    def fill(self, pile: lir.Expr, bits: lir.Expr) -> None:
        """A constant set is stored by words; any other one member by member."""
        put = self.code.put
        at = self.code.local("i32")
        if isinstance(bits, lir.Set):
            members = [n for n in range(bits.kind.width) if bits.value >> n & 1]
            offset = self.pile(pile)
            put(f"local.set {at}")
            for start, push, store in constant_stores(packed(self.layout.item, [len(members), *members])):
                put(f"local.get {at}", push, f"{store} offset={offset + start}")
            return
        self.pile_address(pile)
        put(f"local.set {at}")
        words = self.held(bits)
        size, word = self.code.local("i32"), self.code.local("i64")
        put("i32.const 0", f"local.set {size}")
        for number, source in enumerate(words):
            put(source, f"local.set {word}")
            with self.loop() as (out, again):
                put(f"local.get {word}", "i64.eqz", f"br_if {out}")
                put(f"local.get {size}", "i32.const 1", "i32.add", f"local.tee {size}")
                put(*self.scaled, f"local.get {at}", "i32.add")
                put(f"local.get {word}", "i64.ctz", "i32.wrap_i64")
                put(f"i32.const {64 * number}", "i32.add", self.layout.item.store)
                put(f"local.get {word}", f"local.get {word}", "i64.const 1", "i64.sub", "i64.and")
                put(f"local.set {word}", f"br {again}")
        put(f"local.get {at}", f"local.get {size}", self.layout.item.store)

    def pile_address(self, pile: lir.Expr) -> None:
        self.code.put(f"i32.const {self.pile(pile)}", "i32.add")

    # ------------------------------------------------------------ loops

    def loop(self) -> _Loop:
        return _Loop(self)

    def for_bits(self, var: lir.Var, bits: lir.Expr, body: lir.Body) -> None:
        """The members that are left are kept in locals of their own; the lowest is taken out before each
        round."""
        put = self.code.put
        assert isinstance(bits.kind, lir.Bits)
        rest = [self.code.local("i64") for _ in range(bits.kind.words)]
        self.assign(rest, bits)
        (member,) = self.variables[var.number]
        with self.loop() as (out, again):
            for number, word in enumerate(rest):
                put(f"local.get {word}", "i64.eqz")
                put(*((f"br_if {out}",) if number == len(rest) - 1 else ("if",)))
                if number < len(rest) - 1:
                    continue
                self._take(rest, number, member)
            for number in reversed(range(len(rest) - 1)):
                put("else")
                self._take(rest, number, member)
                put("end")
            self.body(body)
            put(f"br {again}")

    def _take(self, rest: list[str], number: int, member: str) -> None:
        word = rest[number]
        self.code.put(f"local.get {word}", "i64.ctz", "i32.wrap_i64")
        self.code.put(*((f"i32.const {64 * number}", "i32.add") if number else ()), f"local.set {member}")
        self.code.put(f"local.get {word}", f"local.get {word}", "i64.const 1", "i64.sub", "i64.and")
        self.code.put(f"local.set {word}")

    def for_range(self, var: lir.Var, low: lir.Expr, high: lir.Expr, body: lir.Body) -> None:
        put = self.code.put
        if self.filled(var, low, high, body):
            return
        counter, limit = self.code.local("i32"), self.code.local("i32")
        self.number(low)
        put(f"local.set {counter}")
        self.number(high)
        put(f"local.set {limit}")
        with self.loop() as (out, again):
            put(f"local.get {counter}", f"local.get {limit}", "i32.ge_s", f"br_if {out}")
            put(f"local.get {counter}", f"local.set {self.variables[var.number][0]}")
            put(f"local.get {counter}", "i32.const 1", "i32.add", f"local.set {counter}")
            self.body(body)
            put(f"br {again}")

    def filled(self, var: lir.Var, low: lir.Expr, high: lir.Expr, body: lir.Body) -> bool:
        """A loop that does no more than store one constant side by side is stores of words."""
        match low, high, body:
            case lir.Int(first), lir.Int(end), (lir.Store(name, index, lir.Int() | lir.Set() as value),):
                pass
            case _:
                return False
        match index:
            case lir.Get(at) if at == var:
                start = first
            case lir.Binary("+", lir.Get(at), lir.Int(more)) if at == var:
                start = first + more
            case _:
                return False
        slot = self.layout.slots[name]
        if not 0 < (end - first) * slot.cell.size <= MOST_FILLED:
            return False
        if slot.kind != value.kind or (isinstance(slot.kind, lir.Bits) and slot.kind.words > 1):
            return False
        data = packed(slot.cell, [value.value] * (end - first))
        offset = self.base(slot, lir.Int(start))
        address = self.code.local("i32")
        self.code.put(f"local.set {address}")
        for at_byte, push, store in constant_stores(data):
            self.code.put(f"local.get {address}", push, f"{store} offset={offset + at_byte}")
        return True

    # ------------------------------------------------------------ calls and faults

    def argument(self, x: lir.Expr) -> None:
        if isinstance(x.kind, lir.Bits):
            for word in self.words(x):
                self.code.put(*word)
        else:
            self.number(x)

    def call(self, stmt: lir.Call) -> None:
        put = self.code.put
        function = self.context.functions[stmt.function]
        if stmt.function in self.context.inlined:
            self.inline(stmt, function)
            return
        if self.layout.window is None:
            put("local.get $s")
        for argument in stmt.arguments:
            self.argument(argument)
        put(f"call $f{self.context.numbers[stmt.function]}")
        if stmt.result is not None:
            put(*(f"local.set {name}" for name in reversed(self.variables[stmt.result.number])))
        elif function.result is not None:
            put(*["drop"] * len(wasm_types(function.result)))
        if stmt.function in self.context.faulting:
            self.number(lir.Load("fault", None, lir.NUMBER))
            put("if", *self.leave, "end")

    def inline(self, stmt: lir.Call, function: lir.Function, give: Give | None = None) -> None:
        """The body of the function, with locals of its own, in the place of the call. ``give``: what Return
        does there."""
        code = self.code
        parameters: dict[int, tuple[str, ...]] = {}
        for var, argument in zip(function.parameters, stmt.arguments, strict=True):
            types = wasm_types(var.kind)
            parameters[var.number] = tuple(code.local(type) for type in types)
            self.argument(argument)
            code.put(*(f"local.set {name}" for name in reversed(parameters[var.number])))
        results = None if stmt.result is None else self.variables[stmt.result.number]
        out = code.label("return")

        def give_here(inner: Statements, value: lir.Expr | None) -> None:
            if value is not None and results is not None:
                inner.argument(value)
                code.put(*(f"local.set {name}" for name in reversed(results)))
            code.put(f"br {out}")

        inner = Statements(code, self.context, self.leave, give or give_here)
        code.put(f"block {out}")
        inner.declare(function.body, parameters, clean=False)
        inner.body(function.body)
        code.put("end")

    def trap(self, site: int, arguments: Iterable[lir.Expr]) -> None:
        self.store("fault", None, lir.Int(site))
        for number, argument in enumerate(arguments):
            self.store("fault_arguments", lir.Int(number), argument)
        self.code.put(*self.leave)


def constant_stores(data: bytes) -> Iterator[tuple[int, str, str]]:
    """The fewest stores that put bytes into memory: where, the instruction that pushes a number, and the
    store."""
    start = 0
    while start < len(data):
        size = next(size for size in (8, 4, 2, 1) if start + size <= len(data))
        value = int.from_bytes(data[start : start + size], "little")
        yield start, f"i64.const {value}", "i64.store" if size == 8 else f"i64.store{8 * size}"
        start += size


Give = Callable[[Statements, lir.Expr | None], None]
Go = Callable[[Statements, lir.Expr], None]


class _Loop:
    """The frame of a loop: a branch to the first label leaves it, one to the second starts it anew."""

    def __init__(self, emitter: Statements) -> None:
        self.emitter = emitter

    def __enter__(self) -> tuple[str, str]:
        code = self.emitter.code
        labels = code.label("out"), code.label("again")
        self.emitter.loops.append(labels)
        code.put(f"block {labels[0]}", f"loop {labels[1]}")
        return labels

    def __exit__(self, *_: object) -> None:
        self.emitter.loops.pop()
        self.emitter.code.put("end", "end")


def function_text(function: lir.Function, context: Context) -> list[str]:
    """A function as WebAssembly; unless there is a window, the address of the state comes first."""
    parameters: dict[int, tuple[str, ...]] = {}
    header = ["(param $s i32)"] if context.layout.window is None else []
    for place, var in enumerate(function.parameters):
        types = wasm_types(var.kind)
        parameters[var.number] = tuple(f"$p{place}_{word}" for word in range(len(types)))
        header += [f"(param {name} {type})" for name, type in zip(parameters[var.number], types, strict=True)]
    results = [] if function.result is None else wasm_types(function.result)
    if results:
        header.append(f"(result {' '.join(results)})")

    def give(inner: Statements, value: lir.Expr | None) -> None:
        if value is not None:
            inner.argument(value)
        inner.code.put("return")

    code = Code()
    emitter = Statements(code, context, [*(f"{type}.const 0" for type in results), "return"], give)
    emitter.declare(function.body, parameters, clean=True)
    emitter.body(function.body)
    name = f"$f{context.numbers[function.name]}"
    return [
        f"(func {name} {' '.join(header)}",
        *code.declarations(),
        *code.lines,
        *(("unreachable",) if results else ()),
        ")",
    ]


def export_text(function: lir.Function, context: Context) -> list[str]:
    """What the host calls: the function, after which scratch holds what the function left there."""
    types = [type for var in function.parameters for type in wasm_types(var.kind)]
    results = [] if function.result is None else wasm_types(function.result)
    header = ["(param i32)", *(f"(param {type})" for type in types)]
    header += [f"(result {' '.join(results)})"] if results else []
    escaped = "".join(f"\\{byte:02x}" for byte in function.name.encode())
    return [
        f'(func $c{context.numbers[function.name]} (export "f {escaped}") {" ".join(header)}',
        *("local.get 0", "call $enter", "i32.const 0", "global.set $fresh"),
        *(("local.get 0",) if context.layout.window is None else ()),
        *(f"local.get {number}" for number in range(1, 1 + len(types))),
        f"call $f{context.numbers[function.name]}",
        *("local.get 0", "call $leave"),
        ")",
    ]
