"""The WebAssembly emitter: a module of the low-level form in the WebAssembly text format.

A state is a struct in linear memory, and games lie side by side (`MemoryLayout`). What the module exports
(addresses and numbers are i32, streams and seeds i64):

``memory``  linear memory, at least up to the first game
``begin(s, chance, policy)``  a fresh game in the state at address s, with both streams given, up to its first
    decision; gives WAIT, OVER or FAULT as the next four do
``step(s, place)``  the actor takes the legal action at a place; also gives ILLEGAL, for a place that is none
    of
    0 to choices - 1, and then nothing has been touched
``roll(s, most)``  random play until the end or so many decisions; gives how many there were
``copy(to, from)``  one state
``f NAME(s, ...)``  a function of the module;  a fault in it is set in the state
``forget()``  must be called after the host has changed a state: what scratch holds no longer stands

and for n games from address s on:

``begin_many(s, n, seed, first)``  games first, first + 1 ... of a batch with a hashed seed, each up to its
    first decision
``begin_over(s, n, seed, first)``  the same for those games only that are over; gives how many began
``play_many(s, n, seed, first, most)``  `begin_many` and `roll_many` in one;  gives the decisions, an i64
``step_many(s, n, places, results)``  arrays of i32 in linear memory: what `step` takes and gives
``roll_many(s, n, most)``  gives the decisions of all together, an i64
``fork_many(s, n, from, seed, first)``  copies of one state, with the streams that games first, first + 1 ...
    have

More for arrays and roll-outs, if the module has the functions for it, is in `rulekit.compiled.wat_vector`.
A game that has ended or faulted has no `choices`, so that it cannot be stepped or rolled on.
"""

from __future__ import annotations

from collections.abc import Iterable

from rulekit.compiled import lir
from rulekit.compiled.trees import extent, statements
from rulekit.compiled.wat_blocks import run_text
from rulekit.compiled.wat_drivers import drivers, outcomes
from rulekit.compiled.wat_facts import faulting
from rulekit.compiled.wat_layout import MemoryLayout
from rulekit.compiled.wat_library import library
from rulekit.compiled.wat_sort import room, sort_function
from rulekit.compiled.wat_statements import Context, export_text, function_text
from rulekit.compiled.wat_vector import vector_drivers

PAGE = 65536


def emit_wat(
    module: lir.Module, exports: Iterable[str] | None = None, *, window: bool = False
) -> tuple[str, MemoryLayout]:
    """The module as text, and where its parts stand in memory.

    ``exports``  the functions that the host may call, under their own names with "f " before them; None: all
    ``window``  code works on one state at a fixed address, to which a game is copied, and back when it waits
        or
        is over: whole random games are played up to a fifth faster so, single steps slower
    """
    exported = {function.name for function in module.functions} if exports is None else set(exports)
    fields = {field.name: field for field in module.fields}
    sorts = dict.fromkeys(
        stmt.fields
        for body in bodies(module)
        for stmt in statements(body)
        if isinstance(stmt, lir.SortUnique)
    )
    sorted_fields = {names: [fields[name] for name in names] for names in sorts}
    most_room = max((room(rows) for rows in sorted_fields.values()), default=0)
    layout = MemoryLayout(module, most_room, window=window)
    context = Context(
        layout,
        {function.name: function for function in module.functions},
        {function.name: number for number, function in enumerate(module.functions)},
        inlined(module),
        faulting(module.functions),
        {names: f"$sort{number}" for number, names in enumerate(sorts)},
    )
    lines = [
        "(module",
        f'(memory (export "memory") {layout.games // PAGE + 1})',
        "(global $fresh (mut i32) (i32.const 0))",
        "(global $counted (mut i32) (i32.const 0))",
        "(global $counted_last (mut i32) (i32.const 0))",
    ]
    lines += [f'(data (i32.const {at}) "{_escaped(data)}")' for at, data in layout.data]
    lines.append(library(layout.item))
    lines += [sort_function(context.sorts[names], rows, layout) for names, rows in sorted_fields.items()]
    for function in module.functions:
        if function.name not in context.inlined or function.name in exported:
            lines += function_text(function, context)
        if function.name in exported:
            lines += export_text(function, context)
    lines += run_text(module, context)
    callable_ = {name: number for name, number in context.numbers.items() if name in exported}
    lines += [drivers(module, layout), *outcomes(module, layout, exported)]
    lines += [vector_drivers(module, layout, callable_), ")"]
    return "\n".join(lines) + "\n", layout


def bodies(module: lir.Module) -> Iterable[lir.Body]:
    """The bodies of all functions and blocks."""
    yield from (function.body for function in module.functions)
    yield from module.blocks


INLINE_ALWAYS = 23  #: a function of so many statements and expressions is put in the place of every call


def inlined(module: lir.Module) -> frozenset[str]:
    """The functions that are put in the place of their calls: those called from one place, and small ones."""
    calls: dict[str, int] = {"apply": 1}
    for body in bodies(module):
        for stmt in statements(body):
            if isinstance(stmt, lir.Call):
                calls[stmt.function] = calls.get(stmt.function, 0) + 1
    return frozenset(
        function.name
        for function in module.functions
        if calls.get(function.name) == 1 or extent(function.body) <= INLINE_ALWAYS
    )


def _escaped(data: bytes) -> str:
    return "".join(f"\\{byte:02x}" for byte in data)
