"""The blocks of a module as one WebAssembly function, `$run`: a loop that goes from block to block.

`$run(s, pc, place, fresh, left)` starts at block ``pc``, or if that is APPLY by taking the action at
``place``, and goes on until a decision with no random decisions ``left``, the end, or a fault. It gives WAIT,
OVER or FAULT, and how many random decisions are still left. Stepping and random play are this one function.

In the text decisions come first, then `br_table`, then the blocks. So a jump to a block further down is a
plain branch; only one up, or to a block that is not known, goes through the table.
"""

from __future__ import annotations

from collections.abc import Mapping

from rulekit.compiled import lir
from rulekit.compiled.trees import statements
from rulekit.compiled.wat_code import Code
from rulekit.compiled.wat_layout import POLICY
from rulekit.compiled.wat_library import below
from rulekit.compiled.wat_statements import Context, Statements

APPLY = -4  #: as a block: the action at ``place`` is taken
ILLEGAL = -5  #: as a result: there is no such action, nothing was done
LIKELY = 2  #: a jump to one of so many blocks tries them before it goes through the table
HEADER = (
    "(func $run (param $s i32) (param $pc i32) (param $place i32) (param $fresh i32) (param $left i32)"
    " (result i32 i32)"
)
Slots = tuple[str, lir.Expr | None]


def run_text(module: lir.Module, context: Context) -> list[str]:
    """The function `$run`."""
    return _Run(module, context).text()


class _Run:
    """``ends``  where a jump to each block ends: at the block itself, unless all it does is to jump on
    ``order``  of the blocks in the text
    """

    def __init__(self, module: lir.Module, context: Context) -> None:
        self.module, self.context, self.code = module, context, Code()
        self.ends = [end_of(module, number) for number in range(len(module.blocks))]
        self.stored = stored_constants(module)
        self.order = self.arrangement()
        self.ahead = frozenset(self.order)
        self.following: int | None = None

    def text(self) -> list[str]:
        put = self.code.put
        put("loop $go", "block $fault", "block $over")
        put(*(f"block $b{number}" for number in reversed(self.order)))
        self.decision()
        put("local.get $pc", "br_table " + " ".join(map(self.label, range(len(self.ends)))) + " $over")
        for step, number in enumerate(self.order):
            put("end")
            self.ahead = frozenset(self.order[step + 1 :])
            self.following = self.order[step + 1] if step + 1 < len(self.order) else None
            self.block(self.module.blocks[number])
        leaving = Statements(self.code, self.context, [])
        for result in (lir.OVER, lir.FAULT):
            put("end")
            leaving.store("choices", None, lir.Int(0))
            put(f"i32.const {result}", "local.get $left", "return")
        put("end", "unreachable")
        return [HEADER, *self.code.declarations(), *self.code.lines, ")"]

    def label(self, block: int) -> str:
        end = self.ends[block]
        return "$over" if end == lir.OVER else f"$b{end}"

    def arrangement(self) -> list[int]:
        """If it can be, each block is followed by one that it goes to."""
        order: list[int] = []
        placed: set[int] = set()
        for first in (self.module.start, *range(len(self.ends))):
            waiting = [first]
            while waiting:
                block = waiting.pop()
                block = self.ends[block] if block >= 0 else block
                if block < 0 or block in placed:
                    continue
                placed.add(block)
                order.append(block)
                waiting += self.targets(self.module.blocks[block])
        return order

    def targets(self, body: lir.Body) -> list[int]:
        """The blocks that a block goes to, in the order of the text."""
        found: list[int] = []
        for stmt in statements(body):
            if isinstance(stmt, lir.Goto):
                found += self.candidates(stmt.block)
        return found

    def candidates(self, block: lir.Expr) -> list[int]:
        """The blocks that a jump likely goes to; none if there are many."""
        match block:
            case lir.Int(value):
                return [value]
            case lir.Load(name, index):
                stored = self.stored.get((name, index), [])
                return stored if len(stored) <= LIKELY else []
        return []

    # ------------------------------------------------------------ blocks

    def block(self, body: lir.Body) -> None:
        with self.code.locals_here():
            emitter = Statements(self.code, self.context, ["br $fault"], go=self.go)
            emitter.declare(body, {}, clean=False)
            emitter.body(body[:-1])
            match body[-1:]:
                case (lir.Goto(lir.Int(value)),) if value >= 0 and self.ends[value] == self.following:
                    return
            emitter.body(body[-1:])
        self.code.put("unreachable")

    def go(self, emitter: Statements, block: lir.Expr) -> None:
        put = self.code.put
        if isinstance(block, lir.Int):
            self.go_to(block.value)
            return
        emitter.number(block)
        put("local.set $pc")
        for value in self.candidates(block):
            if self.ends[value] in self.ahead:
                put("local.get $pc", f"i32.const {value}", "i32.eq", f"br_if $b{self.ends[value]}")
        put("br $go")

    def go_to(self, block: int) -> None:
        """A jump to a block that is known, or the end, or a decision."""
        put = self.code.put
        end = self.ends[block] if block >= 0 else block
        if end == lir.OVER:
            put("br $over")
        elif end in self.ahead:
            put(f"br $b{end}")
        else:
            put(f"i32.const {end}", "local.set $pc", "br $go")

    # ------------------------------------------------------------ decisions

    def decision(self) -> None:
        """Unless a block is to come next: a decision is waited for, or drawn; then the action is taken."""
        put = self.code.put
        put("block $table", "local.get $pc", "i32.const 0", "i32.ge_s", "br_if $table")
        put("local.get $pc", f"i32.const {lir.OVER}", "i32.eq", "br_if $over")
        put("local.get $pc", f"i32.const {lir.FAULT}", "i32.eq", "br_if $fault")
        put("local.get $pc", f"i32.const {lir.WAIT}", "i32.eq", "if")
        self.wait()
        put("end")
        self.apply()
        put("end")

    def wait(self) -> None:
        """Leaves, or draws one of the legal actions."""
        put = self.code.put
        with self.code.captured() as limit:
            Statements(self.code, self.context, []).number(lir.Load("choices", None, lir.NUMBER))
        put("local.get $left", "i32.eqz", *limit, "i32.const 1", "i32.lt_s", "i32.or", "if")
        put("local.get $s", "global.set $fresh", f"i32.const {lir.WAIT}", "local.get $left", "return", "end")
        put("local.get $left", "i32.const 1", "i32.sub", "local.set $left")
        self.count(limit)
        with self.code.locals_here():
            bits = self.code.local("i64")
            put(*below(bits, self.context.layout.own(POLICY), limit), "local.set $place")

    def count(self, limit: list[str]) -> None:
        """Random play notes how many actions were legal, if a place for the counts was given."""
        put, last = self.code.put, "global.get $counted_last"
        with self.code.locals_here():
            at = self.code.local("i32")
            put("global.get $counted", "if", "global.get $counted")
            put(*limit, last, *limit, last, "i32.lt_u", "select")
            put("i32.const 2", "i32.shl", "i32.add", f"local.tee {at}", f"local.get {at}")
            put("i32.load", "i32.const 1", "i32.add", "i32.store", "end")

    def apply(self) -> None:
        """Where `apply` gives a block that is known it is gone to at once."""
        put = self.code.put
        place, fresh, block = (lir.Var(number, lir.NUMBER) for number in range(3))
        emitter = Statements(self.code, self.context, ["br $fault"])
        emitter.variables = {0: ("$place",), 1: ("$fresh",), 2: ("$pc",)}
        call = lir.Call(block, "apply", (lir.Get(place), lir.Get(fresh)))

        def give(inner: Statements, value: lir.Expr | None) -> None:
            assert value is not None
            put("i32.const 1", "local.set $fresh")
            self.go(inner, value)

        if "apply" in self.context.inlined:
            emitter.inline(call, self.context.functions["apply"], give)
            put("unreachable")
        else:
            emitter.call(call)
            put("i32.const 1", "local.set $fresh", "br $go")


def end_of(module: lir.Module, block: int) -> int:
    """Where a jump to the block ends."""
    seen = {block}
    while True:
        match module.blocks[block]:
            case (lir.Goto(lir.Int(following)),) if following not in seen and following != lir.WAIT:
                if following < 0:
                    return following
                seen.add(following)
                block = following
            case _:
                return block


def stored_constants(module: lir.Module) -> Mapping[Slots, list[int]]:
    """For fields that only ever get numbers of blocks: which, by the index as it is written."""
    found: dict[Slots, list[int]] = {}
    other: set[str] = set()
    bodies = [*(function.body for function in module.functions), *module.blocks]
    for stmt in (stmt for body in bodies for stmt in statements(body)):
        match stmt:
            case lir.Store(name, None | lir.Int() as index, lir.Int(value)) if (
                0 <= value < len(module.blocks)
            ):
                values = found.setdefault((name, index), [])
                if value not in values:
                    values.append(value)
            case lir.Store(name, _, _):
                other.add(name)
    return {slot: values for slot, values in found.items() if slot[0] not in other}
