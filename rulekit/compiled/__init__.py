"""The compiled engines: a setup becomes a module of the low-level form, and that Python or WebAssembly.

    lowered = lower(setup)
    engine = PythonEngine(lowered)                # states are lists
    compiled = compile_module(lowered.module)     # WebAssembly, many games side by side

Names are imported when first used: wasmtime and numpy only by what runs WebAssembly or gives arrays.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rulekit.compiled.builder import Unsupported
    from rulekit.compiled.lowering import Lowered, lower
    from rulekit.compiled.pyengine import PythonEngine
    from rulekit.compiled.python import emit_python
    from rulekit.compiled.reading import cards_at, legal_actions, value_of
    from rulekit.compiled.wasm import CompiledModule, Games, IllegalPlace, WasmUnavailable, compile_module
    from rulekit.compiled.wat import emit_wat

_PLACES = {
    "CompiledModule": "wasm",
    "Games": "wasm",
    "IllegalPlace": "wasm",
    "Lowered": "lowering",
    "PythonEngine": "pyengine",
    "Unsupported": "builder",
    "WasmUnavailable": "wasm",
    "cards_at": "reading",
    "compile_module": "wasm",
    "emit_python": "python",
    "emit_wat": "wat",
    "legal_actions": "reading",
    "lower": "lowering",
    "value_of": "reading",
}

__all__ = [
    "CompiledModule",
    "Games",
    "IllegalPlace",
    "Lowered",
    "PythonEngine",
    "Unsupported",
    "WasmUnavailable",
    "cards_at",
    "compile_module",
    "emit_python",
    "emit_wat",
    "legal_actions",
    "lower",
    "value_of",
]


def __getattr__(name: str) -> object:
    if name not in _PLACES:
        raise AttributeError(f"module `rulekit.compiled` has no `{name}`")
    found = getattr(importlib.import_module(f"rulekit.compiled.{_PLACES[name]}"), name)
    globals()[name] = found
    return found
