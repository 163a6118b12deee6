"""Calls into WebAssembly that cost half a microsecond.

`Func.__call__` of wasmtime looks up types and builds values on each call, about 30 microseconds. Its C
function `wasmtime_func_call_unchecked` takes the arguments from a buffer and puts the result there; called
through one ctypes prototype with everything prepared it is some sixty times faster. That way uses parts of
wasmtime that are not its public face, so it is tried out once, and if anything is not as expected the public
way is taken.

A trap is a signal that wasmtime catches. A handler that is set after wasmtime's, such as that of
`faulthandler`, takes it away and ends the process; so nothing here traps on purpose.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache
from typing import Any

Call = Callable[..., int]


class WasmTrap(RuntimeError):
    """Compiled code did what it never should: a fault of rulekit, not of a ruleset or game."""


def plain_call(store: Any, function: Any) -> Call:
    """A function as a Python callable, by the public way."""
    import wasmtime

    def call(*arguments: int) -> int:
        try:
            return function(store, *arguments) or 0
        except (wasmtime.Trap, wasmtime.WasmtimeError) as error:
            raise WasmTrap(str(error)) from error

    return call


def fast_call(store: Any, function: Any, arity: int, wide: bool) -> Call:
    """A function of ``arity`` numbers as a Python callable. ``wide``: its result is an i64, else an i32 or
    none.

    One call at a time: arguments and result share a buffer. Who calls keeps ``store`` and ``function`` alive.
    """
    from wasmtime import _ffi as ffi

    raw = (ctypes.c_int64 * (2 * max(1, arity)))()  # a value takes 16 bytes; the result overwrites the first
    result = raw if wide else (ctypes.c_int32 * 1).from_buffer(raw)
    trap = ctypes.POINTER(ffi.wasm_trap_t)()
    prototype = ctypes.CFUNCTYPE(
        ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p
    )
    pointer = ctypes.c_void_p
    invoke = prototype(ctypes.cast(ffi.dll.wasmtime_func_call_unchecked, pointer).value or 0)
    fixed = (
        pointer(ctypes.cast(store._context(), pointer).value),
        pointer(ctypes.addressof(function._func)),
        pointer(ctypes.addressof(raw)),
        ctypes.c_size_t(max(1, arity)),
        pointer(ctypes.addressof(trap)),
    )

    def failed(error: int | None) -> None:
        import wasmtime

        if error:
            found = ctypes.cast(error, ctypes.POINTER(ffi.wasmtime_error_t))
            raise WasmTrap(str(wasmtime.WasmtimeError._from_ptr(found)))
        given = ctypes.cast(trap, ctypes.POINTER(ffi.wasm_trap_t))
        ctypes.memset(ctypes.addressof(trap), 0, ctypes.sizeof(trap))
        raise WasmTrap(str(wasmtime.Trap._from_ptr(given)))

    def call(*arguments: int) -> int:
        at = 0
        for argument in arguments:
            raw[at] = argument
            at += 2
        error = invoke(*fixed)
        if error or trap:
            failed(error)
        return result[0]

    def call_two(first: int, second: int) -> int:
        raw[0] = first
        raw[2] = second
        error = invoke(*fixed)
        if error or trap:
            failed(error)
        return result[0]

    return call_two if arity == 2 else call


PROBE = """(module
  (func (export "narrow") (param i32 i64 i32) (result i32)
    (i32.sub (i32.wrap_i64 (local.get 1)) (i32.mul (local.get 0) (local.get 2))))
  (func (export "wide") (param i32 i64) (result i64)
    (i64.sub (i64.extend_i32_s (local.get 0)) (local.get 1))))"""


@cache
def fast_works() -> bool:
    """The fast way gives what the public way gives."""
    import wasmtime

    try:
        from wasmtime import _ffi as ffi

        if ctypes.sizeof(ffi.wasmtime_val_raw_t) != 16:
            return False
        engine = wasmtime.Engine()
        store = wasmtime.Store(engine)
        probed = wasmtime.Instance(store, wasmtime.Module(engine, PROBE), []).exports(store)
        narrow, wide = fast_call(store, probed["narrow"], 3, False), fast_call(store, probed["wide"], 2, True)
        return (narrow(-3, -1, -7), wide(-5, 2**62), narrow(2, 2**40 + 9, 3)) == (-22, -5 - 2**62, 3)
    except Exception:  # whatever it is, the public way is there
        return False
