"""The blocks of a module as one WebAssembly function, `$run`: a loop that goes from block to block.

`$run(s, pc, place, fresh, left)` starts at block ``pc``, or if that is APPLY by taking the action at
``place``, and goes on until a decision with no random decisions ``left``, the end, or a fault. It gives WAIT,
OVER or FAULT, and how many random decisions are still left. Stepping and random play are this one function.
"""

from __future__ import annotations

from rulekit.compiled import lir
from rulekit.compiled.wat_code import Code
from rulekit.compiled.wat_facts import statements
from rulekit.compiled.wat_layout import POLICY
from rulekit.compiled.wat_library import below
from rulekit.compiled.wat_statements import Context, Statements

APPLY = -4  #: as a block: the action at ``place`` is taken
ILLEGAL = -5  #: as a result: there is no such action, nothing was done
HEADER = (
    "(func $run (param $s i32) (param $pc i32) (param $place i32) (param $fresh i32) (param $left i32)"
    " (result i32 i32)"
)


def run_text(module: lir.Module, context: Context) -> list[str]:
    """The function `$run`."""
    code = Code()
    count = len(module.blocks)
    order = arrangement(module)
    code.put("loop $go", "block $fault", "block $over", "block $apply", "block $wait", "block $special")
    code.put(*(f"block $b{number}" for number in reversed(order)), "local.get $pc")
    code.put("br_table " + " ".join(f"$b{number}" for number in range(count)) + " $special", "end")
    for step, number in enumerate(order):
        ahead = frozenset(order[step + 1 :])
        following = order[step + 1] if step + 1 < count else None
        block_text(code, module.blocks[number], context, ahead, following)
        code.put("end")
    code.put(*_special(), "end", *_wait(context, code), "end", *_apply(context, code), "end")
    choices = context.layout.slots["choices"]
    for result in (lir.OVER, lir.FAULT):
        if result == lir.FAULT:
            code.put("end")
        code.put("local.get $s", "i32.const 0", f"{choices.cell.store} offset={choices.at}")
        code.put(f"i32.const {result}", "local.get $left", "return")
    code.put("end", "unreachable")
    return [HEADER, *code.declarations(), *code.lines, ")"]


def block_text(
    code: Code, body: lir.Body, context: Context, ahead: frozenset[int], following: int | None
) -> None:
    """One block. A block still ``ahead`` in the text is reached by a plain branch, the ``following`` one by
    none."""
    last = body[-1] if body else None

    def go(inner: Statements, block: lir.Expr) -> None:
        match block:
            case lir.Int(lir.WAIT):
                code.put("br $wait")
            case lir.Int(lir.OVER):
                code.put("br $over")
            case lir.Int(value) if value in ahead:
                if not (value == following and isinstance(last, lir.Goto) and block is last.block):
                    code.put(f"br $b{value}")
            case _:
                inner.number(block)
                code.put("local.set $pc", "br $go")

    with code.locals_here():
        emitter = Statements(code, context, ["br $fault"], go=go)
        emitter.declare(body, {}, clean=False)
        emitter.body(body)
    if not (
        isinstance(last, lir.Goto)
        and last.block == lir.Int(following if following is not None else lir.FAULT)
    ):
        code.put("unreachable")


def arrangement(module: lir.Module) -> list[int]:
    """The order of the blocks in the text: if it can be, each is followed by one that it goes to."""
    order: list[int] = []
    placed: set[int] = set()
    for first in (module.start, *range(len(module.blocks))):
        waiting = [first]
        while waiting:
            block = waiting.pop()
            if block in placed or block < 0:
                continue
            placed.add(block)
            order.append(block)
            waiting += targets(module.blocks[block])
    return order


def targets(body: lir.Body) -> list[int]:
    """The blocks that a block goes to by number, in the order of the text."""
    return [
        stmt.block.value
        for stmt in statements(body)
        if isinstance(stmt, lir.Goto) and isinstance(stmt.block, lir.Int)
    ]


def _special() -> list[str]:
    """Where `br_table` lands with a number that is no block's."""
    lines = []
    for value, label in ((APPLY, "$apply"), (lir.WAIT, "$wait"), (lir.OVER, "$over"), (lir.FAULT, "$fault")):
        lines += ["local.get $pc", f"i32.const {value}", "i32.eq", f"br_if {label}"]
    return [*lines, "unreachable"]


def _wait(context: Context, code: Code) -> list[str]:
    """A decision: leave, or draw one of the legal actions."""
    bits = code.local("i64")
    choices = context.layout.slots["choices"]
    limit = ["local.get $s", f"{choices.cell.load} offset={choices.at}"]
    return [
        *("local.get $left", "i32.eqz", *limit, "i32.const 1", "i32.lt_s", "i32.or", "if"),
        *("local.get $s", "global.set $fresh", f"i32.const {lir.WAIT}", "local.get $left", "return", "end"),
        *("local.get $left", "i32.const 1", "i32.sub", "local.set $left"),
        *_counted(limit, code.local("i32")),
        *(*below(bits, POLICY, limit), "local.set $place"),
    ]


def _counted(limit: list[str], at: str) -> list[str]:
    """Random play notes how many actions were legal, if a place for the counts was given."""
    last = "global.get $counted_last"
    return [
        *("global.get $counted", "if", "global.get $counted"),
        *(*limit, last, *limit, last, "i32.lt_u", "select"),
        *("i32.const 2", "i32.shl", "i32.add", f"local.tee {at}", f"local.get {at}"),
        *("i32.load", "i32.const 1", "i32.add", "i32.store", "end"),
    ]


def _apply(context: Context, code: Code) -> list[str]:
    place, fresh, block = (lir.Var(number, lir.NUMBER) for number in range(3))
    with code.captured() as lines:
        emitter = Statements(code, context, ["br $fault"])
        emitter.variables = {0: ("$place",), 1: ("$fresh",), 2: ("$pc",)}
        emitter.call(lir.Call(block, "apply", (lir.Get(place), lir.Get(fresh))))
    return [*lines, "i32.const 1", "local.set $fresh", "br $go"]
