"""The engines of one table, and which is taken: WebAssembly, generated Python, or the reference.

The reference engine is what the rules mean, and plays everything. The other two play the same games, faster.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from rulekit.diagnostics import nearest
from rulekit.engine import Action, Machine
from rulekit.game.moves import Move, describe_move
from rulekit.game.notation import Notation
from rulekit.program import Setup

if TYPE_CHECKING:
    from rulekit.compiled import CompiledModule, Lowered, PythonEngine

ENGINES = ("wasm", "python", "reference")  #: the fastest first
TITLES = {"wasm": "WebAssembly", "python": "generated Python", "reference": "reference"}
MOST_MOVES = 1 << 13  #: so many are kept with their text
OUTCOME = ("scores", "ranking", "payoffs")  #: functions that are called when a game is over


class EngineError(ValueError):
    """The engine asked for does not exist, or cannot play this table; the text says why."""


@dataclass(frozen=True)
class Support:
    """Whether an engine can play a table; ``why`` not (None: it can), with the place in the rule file."""

    engine: str
    why: str | None = None

    @property
    def can(self) -> bool:
        return self.why is None


class Engines:
    """The engines of one setup, each made when it is first needed.

    ``phase``  that phase alone is the game; ``arguments`` for its parameters
    An engine holds scratch space: use one `Engines` in each thread.
    """

    def __init__(self, setup: Setup, phase: str | None = None, arguments: tuple[Any, ...] = ()) -> None:
        self.setup, self.phase, self.arguments = setup, phase, arguments
        self.decisions = 0  #: made in games of this table; see `Game`
        self._failed: dict[str, str] = {}  # engine: why it could not be made
        self._moves: dict[Action, Move] = {}
        self._wasm: dict[tuple[str, ...], CompiledModule] = {}

    # ------------------------------------------------------------ words

    @cached_property
    def notation(self) -> Notation:
        """How the table's cards, places and moves are written."""
        return Notation(self.setup)

    def move(self, action: Action) -> Move:
        """An action as a move; the same object each time, while there is room."""
        found = self._moves.get(action)
        if found is None:
            if len(self._moves) >= MOST_MOVES:
                self._moves.clear()
            found = self._moves[action] = describe_move(self.notation, action.move, action.values)
        return found

    # ------------------------------------------------------------ engines

    @cached_property
    def machine(self) -> Machine:
        """The reference engine."""
        return Machine(self.setup, self.phase, self.arguments)

    @cached_property
    def lowered(self) -> Lowered:
        """The low-level form. Raises `compiled.Unsupported` for what it does not carry."""
        from rulekit.compiled import lower

        return lower(self.setup, self.phase, self.arguments)

    @cached_property
    def python(self) -> PythonEngine:
        """The generated Python. Raises as `lowered` does."""
        from rulekit.compiled import PythonEngine

        return PythonEngine(self.lowered)

    def wasm(self, *, stepping: bool = False) -> CompiledModule:
        """The compiled WebAssembly; ``stepping``: with the functions that list legal actions.

        Raises as `lowered` does, and WasmUnavailable.
        """
        from rulekit.compiled import compile_module

        lists = [legal.function for legal in self.lowered.legal if stepping]
        names = {function.name for function in self.lowered.module.functions}
        exports = tuple(name for name in (*OUTCOME, *lists) if name in names)
        if exports not in self._wasm:
            self._wasm[exports] = compile_module(self.lowered.module, exports, window=not stepping)
        return self._wasm[exports]

    # ------------------------------------------------------------ which can, which is taken

    def why_not(self, engine: str) -> str | None:
        """Why an engine cannot play this table; None if it can. Nothing is compiled to WebAssembly for it."""
        from rulekit.compiled import Unsupported

        if engine == "reference":
            return None
        if engine not in self._failed:
            try:
                _ = self.lowered
            except Unsupported as error:
                place = f" ({error.span})" if error.span is not None else ""
                return self._cannot(ENGINES[:2], f"the compiled engines lack {error.construct}{place}")
            except Exception as error:  # a fault of rulekit: told, and the reference engine plays on
                return self._cannot(
                    ENGINES[:2], f"rulekit failed to compile it: {type(error).__name__}: {error}"
                )
            if engine == "wasm" and importlib.util.find_spec("wasmtime") is None:
                return self._cannot(["wasm"], "the package wasmtime is not installed")
        return self._failed.get(engine)

    def support(self) -> tuple[Support, ...]:
        """Every engine, the fastest first, and whether it can play this table."""
        return tuple(Support(engine, self.why_not(engine)) for engine in ENGINES)

    def take(self, wanted: str | None = None, among: Iterable[str] = ENGINES) -> tuple[str, str | None]:
        """The engine to play with, ready, and a note if it is not the fastest: why not.

        ``wanted``  no other will do;  ``among``  which may be taken, the best first

        Raises EngineError for an engine that does not exist or cannot play this table.
        """
        if wanted is not None and wanted not in ENGINES:
            close = nearest(str(wanted), ENGINES)
            hint = f"did you mean `{close}`?" if close else "there are `wasm`, `python`, `reference`"
            raise EngineError(f"there is no engine `{wanted}`: {hint}")
        note = None
        for engine in among if wanted is None else (wanted,):
            why = self.why_not(engine) or self._start(engine)
            if why is None:
                return engine, note
            if wanted is not None:
                raise EngineError(f"the engine `{wanted}` cannot play this: {why}")
            note = note or f"not {TITLES[engine]}: {why}"
        raise EngineError("no engine can play this")

    def _start(self, engine: str) -> str | None:
        """Makes an engine; gives what went wrong."""
        from rulekit.compiled import WasmUnavailable

        try:
            if engine == "python":
                _ = self.python
            elif engine == "wasm" and not self._wasm:
                self.wasm().games(1)  # an instance reserves gigabytes of addresses, which may be limited
            elif engine == "wasm":
                self.wasm()
        except WasmUnavailable as error:
            return self._cannot([engine], str(error))
        except MemoryError as error:
            return self._cannot([engine], f"there is no memory for it: {error}")
        except Exception as error:  # a fault of rulekit or wasmtime: told, and another engine plays on
            return self._cannot([engine], f"it could not be made: {type(error).__name__}: {error}")
        return None

    def _cannot(self, engines: Iterable[str], why: str) -> str:
        why = why.splitlines()[0][:200]
        for engine in engines:
            self._failed[engine] = why
        return why

    # ------------------------------------------------------------ what was generated

    @property
    def heading(self) -> tuple[str, ...]:
        """What generated code is of: ruleset, players, options, one line each."""
        program, options = self.setup.program, self.setup.options
        chosen = ", ".join(f"{name}={o.format(options[name])}" for name, o in program.options.items())
        lines = [
            f"{program.name} ({program.title}), {self.setup.players} players",
            f"rules {program.fingerprint()}",
        ]
        if chosen:
            lines.insert(1, f"options: {chosen}")
        if self.phase is not None:
            lines.insert(1, f"the phase `{self.phase}` alone")
        return tuple(" ".join(line.split()) for line in lines)

    def source(self) -> str:
        """The generated Python, as it is run, under a heading. Raises as `lowered` does."""
        lines = [
            *self.heading,
            "",
            "A state is a list `s`; a copy is `s[:]`. Its parts, by the first place:",
            *self._legend(),
        ]
        return "".join(f"# {line}".rstrip() + "\n" for line in lines) + "\n" + self.python.source

    def _legend(self) -> list[str]:
        """Where the parts of a state stand in the list."""
        layout, fields = self.python.layout, {field.name: field for field in self.lowered.module.fields}
        found = []
        for name, slot in layout.slots.items():
            many = f", {fields[name].count} values" if fields[name].count > 1 else ""
            meant = self._meant(name)
            found.append(f"  s[{slot}]  {name}{many}" + (f": {meant}" if meant else ""))
        if self.lowered.module.piles:
            found.append(f"  s[{layout.piles}]  piles, {self.lowered.module.piles} of them, bottom first")
        return [
            *found,
            f"  s[{layout.chance}], s[{layout.policy}]  the streams of chance and of random players",
        ]

    def _meant(self, field: str) -> str:
        """What a field is in the rules, if it is anything there."""
        if field == "zm":
            return "cards at " + ", ".join(self.notation.place(p.number) for p in self.setup.places)
        if field == "place":
            return "where each card lies"
        kind, _, name = field.partition("_")
        if kind == "s":
            return f"state `{name}`"
        if kind == "legal":
            number = int(name.partition("_")[0])
            return f"legal actions of `{self.lowered.legal[number].move.name}`"
        return ""

    def wat(self) -> str:
        """The WebAssembly in its text form, under a heading. Raises as `lowered` does."""
        from rulekit.compiled import emit_wat

        return "".join(f";; {line}\n" for line in self.heading) + emit_wat(self.lowered.module)[0]
