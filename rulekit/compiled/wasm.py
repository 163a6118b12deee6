"""The WebAssembly runtime: a module compiled, and many games of it side by side.

    compiled = compile_module(module)      # cached from one run to the next
    games = compiled.games(1024)
    games.begin_many(seed=7)
    games.step_many(places)
    games.view("choices")                  # a numpy array on the memory of the games: no copy

wasmtime is imported when the first module is compiled; without it `WasmUnavailable` is raised, and the other
engines are not concerned. numpy is imported by what gives arrays only.
"""

from __future__ import annotations

import atexit
import ctypes
import platform
import struct
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache as remembered
from typing import TYPE_CHECKING, Any
from weakref import WeakSet

from rulekit.compiled import cache, lir
from rulekit.compiled.wasm_call import Call, fast_call, fast_works, plain_call
from rulekit.compiled.wasm_state import LETTERS, StateCodec
from rulekit.compiled.wasm_views import state_dtype
from rulekit.compiled.wat import emit_wat
from rulekit.compiled.wat_blocks import ILLEGAL
from rulekit.compiled.wat_drivers import outcome_row
from rulekit.compiled.wat_layout import MemoryLayout

if TYPE_CHECKING:
    import numpy

PAGE = 65536
MOST_MEMORY = 2**32 - PAGE

#: The exported functions: how many arguments, and whether the result is an i64.
FUNCTIONS = {
    "begin": (3, False),
    "step": (2, False),
    "roll": (2, False),
    "copy": (2, False),
    "forget": (0, False),
    "begin_many": (4, False),
    "begin_over": (4, False),
    "play_many": (5, True),
    "step_many": (4, False),
    "roll_many": (3, True),
    "fork_many": (5, False),
    "count_choices": (2, False),
}
OUTCOMES = (3, False)
COUNTS_AT_ONCE = 1024


class WasmUnavailable(ImportError):
    """WebAssembly cannot be run here: the package wasmtime is missing, or does not work on this machine."""


class NoInstance(WasmUnavailable, MemoryError):
    """Not one instance can be made here: each reserves gigabytes of addresses, which may be limited."""


class IllegalPlace(IndexError):
    """There is no legal action at the place given. Nothing was done."""


@dataclass(frozen=True)
class GameFault:
    """Why a game faulted: the site, and its arguments."""

    site: lir.FaultSite
    arguments: tuple[int, int]


class FunctionFault(RuntimeError):
    """A function that was called for a game faulted; ``fault`` says why."""

    def __init__(self, fault: GameFault) -> None:
        super().__init__(fault.site.message.format(*fault.arguments))
        self.fault = fault


_living: WeakSet[CompiledModule | Games] = WeakSet()


def _free() -> None:
    """At the end of the process, while wasmtime is still there for it, all that holds its objects lets go."""
    for one in list(_living):
        one.close()
    _engine().close()


@remembered
def _engine() -> Any:
    try:
        import wasmtime
    except (ImportError, OSError, RuntimeError) as error:
        raise WasmUnavailable(f"wasmtime cannot be imported: {error}") from error
    try:
        config = wasmtime.Config()
    except AttributeError as error:
        raise WasmUnavailable(f"this wasmtime cannot be used: {error}") from error
    # Threads gain little where one function is most of the code, and a process that forks must not own any.
    config.parallel_compilation = False
    atexit.register(_free)
    return wasmtime.Engine(config)


def compile_module(
    module: lir.Module, exports: Iterable[str] | None = None, *, window: bool = False, cached: bool = True
) -> CompiledModule:
    """The module, ready to run.

    ``exports``  the functions that `Games.call` may be given; None: all, which makes more code
    ``window``  for whole random games rather than single steps: see `emit_wat`
    ``cached``  compiled code is kept in the user's cache folder, see `rulekit.compiled.cache`

    Raises `WasmUnavailable`.
    """
    engine = _engine()
    text, layout = emit_wat(module, exports, window=window)
    name = cache.key(text, _environment()) if cached else ""
    compiled = _from_cache(engine, name) if cached else None
    if compiled is None:
        import wasmtime

        compiled = wasmtime.Module(engine, bytes(wasmtime.wat2wasm(text)))
        if cached:
            cache.save(name, bytes(compiled.serialize()))
    return CompiledModule(module, layout, compiled)


def _from_cache(engine: Any, name: str) -> Any:
    import wasmtime

    data = cache.load(name)
    if data is None:
        return None
    try:
        return wasmtime.Module.deserialize(engine, data)
    except wasmtime.WasmtimeError:  # made for other features of the processor
        return None


def _environment() -> str:
    from importlib.metadata import version

    return f"wasmtime {version('wasmtime')}, {platform.system()} {platform.machine()}"


class CompiledModule:
    """Compiled code. Any number of instances, also in several threads, can be made of it.

    ``module``  what was compiled;  ``layout``  where its parts stand in memory;  ``codec``  states as Python
        data
    """

    def __init__(self, module: lir.Module, layout: MemoryLayout, compiled: Any) -> None:
        self.module = module
        self.layout = layout
        self.compiled = compiled
        self.codec = StateCodec(module, layout)
        _living.add(self)

    def close(self) -> None:
        """Frees what wasmtime holds; no more games can be made."""
        self.compiled.close()

    def games(
        self,
        count: int,
        *,
        fast_calls: bool = True,
        most_choices: int | None = None,
        room: int = 0,
    ) -> Games:
        """Room for so many games. Raises ValueError if they do not fit into the 4 GB of one instance.

        ``most_choices``  random play counts for `choice_counts`, up to so many legal actions
        ``room``  bytes more, see `Games.room`
        """
        return Games(self, count, fast_calls=fast_calls, most_choices=most_choices, room=room)


class _Memory:
    """The bytes of linear memory; what views it keeps it alive."""

    def __init__(self, store: Any, memory: Any) -> None:
        size = memory.data_len(store)
        kept = type("LinearMemory", (ctypes.c_ubyte * size,), {})
        address = ctypes.addressof(memory.data_ptr(store).contents)
        self.buffer = kept.from_address(address)  # type: ignore[attr-defined]
        self.buffer.store = store
        self.bytes = memoryview(self.buffer).cast("B")


class Games:
    """``count`` games in one instance, which one thread may use at a time. States are zero until games begin.

    Games are named by their number, from 0. A call for one game costs about half a microsecond, so many games
    are best moved together.
    """

    def __init__(
        self,
        compiled: CompiledModule,
        count: int,
        *,
        fast_calls: bool = True,
        most_choices: int | None = None,
        room: int = 0,
    ) -> None:
        import wasmtime

        if count < 1:
            raise ValueError(f"{count} games")
        layout = compiled.layout
        self.compiled, self.count = compiled, count
        self._first, self._size = layout.games, layout.size
        self._places = self._first + count * self._size
        self._row = outcome_row(layout.slots["score"].count) if "score" in layout.slots else 0
        self._outcomes = self._places + 8 * count
        self._counts = self._outcomes + 4 * self._row * count
        self._most = -1 if most_choices is None else most_choices
        #: address of the bytes that were asked for besides
        self.room = -(-(self._counts + 4 * (self._most + 1)) // 8) * 8
        end = self.room + room
        if end > MOST_MEMORY:
            others = self._first + 4 * (self._most + 1) + room
            most = max(0, MOST_MEMORY - others) // (self._size + 8 + 4 * self._row)
            raise ValueError(f"{count} games of {self._size} bytes do not fit into one instance: {most} do")
        self._store = wasmtime.Store(_engine())
        try:
            instance = wasmtime.Instance(self._store, compiled.compiled, [])
        except wasmtime.WasmtimeError as error:
            raise NoInstance(f"no memory for {count} games: {error}") from error
        try:
            exports = instance.exports(self._store)
            memory: Any = exports["memory"]
            missing = end - memory.data_len(self._store)
            if missing > 0:
                memory.grow(self._store, -(-missing // PAGE))
        except wasmtime.WasmtimeError as error:
            raise MemoryError(f"no memory for {count} games: {error}") from error
        self._memory = _Memory(self._store, memory)
        self._exports: Any = exports
        self._functions: list[Any] = []  # what fast calls rely on being alive
        self._fast = fast_calls and fast_works()
        self._calls = {name: self._bound(name, arity, wide) for name, (arity, wide) in FUNCTIONS.items()}
        if "outcomes" in exports:
            self._calls["outcomes"] = self._bound("outcomes", *OUTCOMES)
        self._step, self._roll = self._calls["step"], self._calls["roll"]
        if self._most >= 0:
            self._calls["count_choices"](self._counts, self._most)
        _living.add(self)

    def close(self) -> None:
        """Frees what wasmtime holds. Nothing of these games can be used any more."""
        self._calls.clear()
        self._store.close()

    # ------------------------------------------------------------ one game

    def _address(self, game: int) -> int:
        if not 0 <= game < self.count:
            raise IndexError(f"game {game} of {self.count}")
        return self._first + game * self._size

    def begin(self, game: int, chance: int, policy: int) -> int:
        """A fresh game, with the states of its two streams, up to the first decision. Gives WAIT, OVER or
        FAULT."""
        return self._calls["begin"](self._address(game), chance, policy)

    def step(self, game: int, place: int) -> int:
        """The actor takes the legal action at ``place``. Gives WAIT, OVER or FAULT.

        Raises `IllegalPlace` if there is none, as in a game that is over.
        """
        result = self._step(self._address(game), place if 0 <= place < 2**31 else -1)
        if result == ILLEGAL:
            raise IllegalPlace(f"no legal action at place {place}")
        return result

    def step_of(self, game: int) -> Callable[[int], int]:
        """What steps one game, with as little around it as can be: gives ILLEGAL where `step` raises."""
        address, step = self._address(game), self._step

        def stepped(place: int) -> int:
            return step(address, place if 0 <= place < 2**31 else -1)

        return stepped

    def roll(self, game: int, most: int = 2**31 - 1) -> int:
        """Random play until the end or ``most`` decisions. Gives how many were made."""
        return self._roll(self._address(game), most)

    def copy(self, to: int, source: int) -> None:
        """Game ``to`` becomes what game ``source`` is."""
        self._calls["copy"](self._address(to), self._address(source))

    def status(self, game: int) -> int:
        """WAIT, OVER or FAULT."""
        if self.load(game, "fault"):
            return lir.FAULT
        return lir.WAIT if self.load(game, "choices") else lir.OVER

    def fault(self, game: int) -> GameFault | None:
        """Why the game faulted, if it did."""
        number = self.load(game, "fault")
        if not number:
            return None
        arguments = (self.load(game, "fault_arguments", 0), self.load(game, "fault_arguments", 1))
        return GameFault(self.compiled.module.faults[number - 1], arguments)

    def load(self, game: int, field: str, index: int = 0) -> int:
        """A value of a field; of scratch, what stands there now."""
        return self.compiled.codec.load(self._memory.bytes, self._address(game), field, index)

    def reader(self, game: int, field: str) -> Callable[[], int]:
        """What reads the first value of a field of a game, again and again, as fast as Python can."""
        slot = self.compiled.layout.slots[field]
        size, address = slot.cell.size, slot.at + (0 if slot.fixed else self._address(game))
        memory = self._memory.bytes
        if size > 8 or sys.byteorder != "little":
            return lambda: self.load(game, field)
        letter = "i" if slot.cell.signed else LETTERS[size]
        view: memoryview[int] = memory.cast(letter)  # type: ignore[call-overload]
        index = address // size
        return lambda: view[index]

    def numbers(self, game: int, *fields: str) -> tuple[memoryview[int], tuple[int, ...]]:
        """The whole memory as numbers, and where in it those fields of a game stand (none is `small`)."""
        slots = [self.compiled.layout.slots[field] for field in fields]
        assert all(slot.cell.size == 4 and slot.cell.signed for slot in slots), "numbers of 32 bits"
        at = tuple((slot.at + (0 if slot.fixed else self._address(game))) // 4 for slot in slots)
        return self._memory.bytes.cast("i"), at

    def image(self, game: int) -> bytes:
        """The state as it stands in memory, for `set_image` of any game of this module."""
        address = self._address(game)
        return bytes(self._memory.bytes[address : address + self._size])

    def set_image(self, game: int, image: bytes) -> None:
        """Sets the state to an image. Raises ValueError if it has another size than states of this module."""
        if not isinstance(image, bytes) or len(image) != self._size:
            raise ValueError("this is no position of this table and engine")
        address = self._address(game)
        self._memory.bytes[address : address + self._size] = image
        self._calls["forget"]()

    def pile(self, game: int, number: int) -> tuple[int, ...]:
        """What lies in a pile, bottom first."""
        return self.compiled.codec.pile(self._memory.bytes, self._address(game), number)

    def call(self, function: str, game: int, *arguments: int) -> int:
        """Calls a function of the module, of numbers or bit sets of one word; gives what it gives, 0 if
        nothing.

        Raises `FunctionFault` if it faults; the game does not, by that.
        """
        address, name = self._address(game), f"f {function}"
        if name not in self._calls:
            self._calls[name] = self._exported(function)
        before = self._swap_fault(address, (0, 0, 0))
        result = self._calls[name](address, *arguments)
        after = self._swap_fault(address, before)
        if after[0]:
            raise FunctionFault(GameFault(self.compiled.module.faults[after[0] - 1], after[1:]))
        return result

    def _swap_fault(self, address: int, new: tuple[int, int, int]) -> tuple[int, int, int]:
        """Sets number and arguments of the fault; gives what they were."""
        codec, memory = self.compiled.codec, self._memory.bytes
        places = (("fault", 0), ("fault_arguments", 0), ("fault_arguments", 1))
        one, two, three = (codec.load(memory, address, *place) for place in places)
        for place, value in zip(places, new, strict=True):
            codec.store(memory, address, *place, value)
        return one, two, three

    def driver(self, name: str, arity: int) -> Call:
        """A function of `rulekit.compiled.wat_vector`; it takes addresses."""
        return self._bound(name, arity, False)

    def address(self, game: int) -> int:
        """Where the state of a game stands in memory."""
        return self._address(game)

    @property
    def bytes(self) -> memoryview:
        """All of linear memory."""
        return self._memory.bytes

    @property
    def buffer(self) -> Any:
        """Linear memory as an object that numpy can look at."""
        return self._memory.buffer

    def _exported(self, name: str) -> Call:
        function = next((f for f in self.compiled.module.functions if f.name == name), None)
        kinds = [] if function is None else [var.kind for var in function.parameters]
        if function is None or f"f {name}" not in self._exports:
            raise KeyError(f"no function `{name}` is exported")
        result = function.result
        if any(isinstance(kind, lir.Bits) and kind.words > 1 for kind in (*kinds, result)):
            raise TypeError(f"`{name}` has to do with bit sets of more than one word")
        wide = isinstance(result, lir.Bits)
        call = self._bound(f"f {name}", 1 + len(kinds), wide)
        if result is None:
            return lambda *arguments: call(*arguments) and 0
        return (lambda *arguments: call(*arguments) & 2**64 - 1) if wide else call

    def _bound(self, name: str, arity: int, wide: bool) -> Call:
        function = self._exports[name]
        self._functions.append(function)
        return (
            fast_call(self._store, function, arity, wide) if self._fast else plain_call(self._store, function)
        )

    def read(self, game: int) -> list[Any]:
        """The state as the flat list that the Python engine has."""
        return self.compiled.codec.read(self._memory.bytes, self._address(game))

    def write(self, game: int, flat: Sequence[Any]) -> None:
        """Sets the state from such a list. Raises ValueError if it is none of this module."""
        self.compiled.codec.write(self._memory.bytes, self._address(game), flat)
        self._calls["forget"]()

    # ------------------------------------------------------------ many games

    def _range(self, start: int, count: int | None) -> tuple[int, int]:
        many = self.count - start if count is None else count
        if not 0 <= start <= start + many <= self.count:
            raise IndexError(f"games {start} to {start + many - 1} of {self.count}")
        return self._first + start * self._size, many

    def begin_many(self, seed: int, first: int = 0, *, start: int = 0, count: int | None = None) -> None:
        """Games ``start`` on become games ``first``, ``first`` + 1 ... of the batch with that hashed seed
        (`chance.mix` of the user's), each up to its first decision."""
        address, many = self._range(start, count)
        self._calls["begin_many"](address, many, seed, first)

    def begin_over(self, seed: int, first: int, *, start: int = 0, count: int | None = None) -> int:
        """As `begin_many`, but only for the games that are over; gives how many began."""
        address, many = self._range(start, count)
        return self._calls["begin_over"](address, many, seed, first)

    def step_many(self, places: Sequence[int] | numpy.ndarray[Any, Any], *, start: int = 0) -> None:
        """The games from ``start`` on each take the action at their place; `results` says what came of it."""
        import numpy

        taken = numpy.asarray(places)
        if taken.ndim != 1 or taken.dtype.kind not in "iu":
            raise ValueError("places are one whole number for each game")
        address, many = self._range(start, len(taken))
        self.places[start : start + many] = numpy.where((taken >= 0) & (taken < 2**31), taken, -1)
        offset = self._places + 4 * start
        self._calls["step_many"](address, many, offset, offset + 4 * self.count)

    def step_placed(self, *, start: int = 0, count: int | None = None) -> None:
        """As `step_many`, with what stands in `places`."""
        address, many = self._range(start, count)
        offset = self._places + 4 * start
        self._calls["step_many"](address, many, offset, offset + 4 * self.count)

    def roll_many(self, most: int = 2**31 - 1, *, start: int = 0, count: int | None = None) -> int:
        """Random play in all games; gives the number of decisions of all together."""
        address, many = self._range(start, count)
        return self._calls["roll_many"](address, many, most)

    def outcomes(self, *, start: int = 0, count: int | None = None) -> Iterator[tuple[int, ...]]:
        """How each of the games ended, as a row of numbers: see `wat_drivers.outcome_row`.

        `scores`, `ranking` and, if there, `payoffs` must be exported; their faults are set in the game.
        """
        address, many = self._range(start, count)
        self._calls["outcomes"](address, many, self._outcomes)
        end = self._outcomes + 4 * self._row * many
        return struct.iter_unpack(f"<{self._row}i", self._memory.bytes[self._outcomes : end])

    def choice_counts(self) -> dict[int, int]:
        """How many decisions of random play had how many legal actions since this was last asked; needs
        ``most_choices``."""
        counts = self._memory.bytes[self._counts : self._counts + 4 * (self._most + 1)].cast("I")
        nothing = bytes(4 * COUNTS_AT_ONCE)
        found: dict[int, int] = {}
        for first in range(0, len(counts), COUNTS_AT_ONCE):
            some = counts[first : first + COUNTS_AT_ONCE]
            if some.tobytes() != nothing[: some.nbytes]:
                found |= {first + at: many for at, many in enumerate(some.tolist()) if many}
                some[:] = memoryview(nothing[: some.nbytes]).cast("I")
        return found

    def play_many(
        self, seed: int, first: int = 0, most: int = 2**31 - 1, *, start: int = 0, count: int | None = None
    ) -> int:
        """`begin_many` and `roll_many` in one, which is faster; gives the number of decisions."""
        address, many = self._range(start, count)
        return self._calls["play_many"](address, many, seed, first, most)

    def fork_many(
        self, source: int, seed: int, first: int = 0, *, start: int = 0, count: int | None = None
    ) -> None:
        """The games become copies of game ``source`` (which must not be among them), with the streams that
        games
        ``first``, ``first`` + 1 ... of the batch with that hashed seed would have."""
        address, many = self._range(start, count)
        if start <= source < start + many:
            raise ValueError(f"game {source} cannot become a copy of itself with other streams")
        self._calls["fork_many"](address, many, self._address(source), seed, first)

    # ------------------------------------------------------------ arrays

    @property
    def places(self) -> numpy.ndarray[Any, Any]:
        """int32[count]: what `step_placed` takes."""
        return self._numbers(self._places)

    @property
    def results(self) -> numpy.ndarray[Any, Any]:
        """int32[count]: WAIT, OVER, FAULT or ILLEGAL, as `step_many` left it."""
        return self._numbers(self._places + 4 * self.count)

    def _numbers(self, address: int) -> numpy.ndarray[Any, Any]:
        import numpy

        return numpy.frombuffer(self._memory.buffer, dtype="<i4", count=self.count, offset=address)

    @property
    def array(self) -> numpy.ndarray[Any, Any]:
        """All states as one structured array, read only; see `state_dtype`. It changes as the games go on."""
        import numpy

        dtype = state_dtype(self.compiled.module, self.compiled.layout)
        found = numpy.frombuffer(self._memory.buffer, dtype=dtype, count=self.count, offset=self._first)
        found.flags.writeable = False
        return found

    def view(self, name: str) -> numpy.ndarray[Any, Any]:
        """A field of all games, or `chance`, `policy`, `pile_sizes`, `piles`: see `array`."""
        return self.array[name]
