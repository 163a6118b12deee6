"""Many games side by side, as `rulekit.adapters.vector` needs them: one face over two engines.

`WasmBatch` runs all games in one WebAssembly instance, `PythonBatch` one after another in Python. Both give
the same numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from rulekit.compiled import lir
from rulekit.compiled.endings import PLAYED_OUT
from rulekit.compiled.lowering import Lowered, lower
from rulekit.compiled.numbering import ILLEGAL, numbered
from rulekit.compiled.observing import Part, observed
from rulekit.compiled.pyengine import PythonEngine
from rulekit.compiled.reading import Engine, legal_actions
from rulekit.compiled.wasm import Games, compile_module
from rulekit.compiled.wat_vector import ARITY, SKIP, row_of_marks
from rulekit.engine import chance
from rulekit.program import Setup
from rulekit.program.actions import ActionSpace

if TYPE_CHECKING:
    import numpy

    Array = numpy.ndarray[Any, Any]
else:
    Array = Any

EXPORTS = ("mark", "place_of", "stage", "observe", "scores", "ranking", "payoffs")


@dataclass(frozen=True)
class Table:
    """What a table of games has in common."""

    lowered: Lowered
    space: ActionSpace
    parts: tuple[Part, ...]

    @property
    def players(self) -> int:
        return self.lowered.setup.players

    @property
    def observation_size(self) -> int:
        return sum(part.size for part in self.parts)


def make_table(setup: Setup, phase: str | None, arguments: Sequence[Any]) -> Table:
    """Lowers a setup with numbers for its actions, and observations.

    Raises `rulekit.compiled.builder.Unsupported` for what the compiled engines cannot do.
    """
    lowered, space = numbered(lower(setup, phase, arguments, views=True))
    lowered, parts = observed(lowered)
    return Table(lowered, space, parts)


class Batch(Protocol):
    """``count`` games. Arrays are read before the next call that changes games; ``numbers`` is written."""

    engine: str
    table: Table
    count: int
    numbers: Array  #: int64[count]: the action number that each game is to take
    results: Array  #: int32[count]: how each game stands: WAIT, OVER, FAULT; SKIP if it was over before
    marks: Array  #: bool[count, actions]: the legal numbers; it is not written by others
    outcomes: Array  #: int32[count, 3, players]: scores, places, payoffs of games that are over, after `rate`

    def begin(self, seed: int) -> None:
        """Games 0, 1 ... of the batch with that hashed seed begin."""

    def renew(self, seed: int, first: int) -> int:
        """Games that are over begin anew, as games ``first``, ``first`` + 1 ...; gives how many."""

    def check(self) -> int:
        """The first game that cannot take its number; -1: none. Nothing is changed."""

    def advance(self) -> int:
        """After `check`: all games take their numbers; gives how many have ended."""

    def rate(self) -> None: ...

    def observe(self, seats: Array) -> Array:
        """int32[count, size]: what the seats may see; -1 is the one to move."""

    def field(self, name: str) -> Array:
        """A number of the state for all games."""

    def legal(self, game: int) -> list[tuple[str, tuple[Any, ...]]]:
        """The legal actions of one game: move and values."""

    def staged(self, game: int) -> tuple[int, ...]:
        """The numbers of the action that was begun."""

    def fault(self, game: int) -> tuple[int, int, int]:
        """The number of the fault of a game, 0 if there is none, and two arguments."""


class WasmBatch:
    """All games in one WebAssembly instance."""

    engine = "wasm"

    def __init__(self, table: Table, count: int) -> None:
        import numpy

        self.table, self.count = table, count
        module = table.lowered.module
        width, size, players = row_of_marks(module), table.observation_size, table.players
        rows = {"numbers": 8, "results": 4, "seats": 4, "outcomes": 12 * players}
        room = count * (sum(rows.values()) + 4 * size + width) + 64
        listed = [legal.function for legal in table.lowered.legal if legal.form == "rows"]
        self._compiled = compile_module(module, (*EXPORTS, *listed))
        self.games = games = self._compiled.games(count, room=room)
        self._at: dict[str, int] = {}
        at = games.room
        for name, bytes_ in (*rows.items(), ("seen", 4 * size), ("marks", width)):
            self._at[name] = at
            at += count * bytes_
        self._drivers = {name: games.driver(name, many) for name, many in ARITY.items() if name != "rollouts"}

        def array(name: str, many: int, dtype: str = "<i4") -> Array:
            return numpy.frombuffer(games.buffer, dtype=dtype, count=count * many, offset=self._at[name])

        self.numbers, self.results = array("numbers", 1, "<i8"), array("results", 1)
        self._seats = array("seats", 1)
        self._seen = array("seen", size).reshape(count, size)
        self.marks = array("marks", width, "?").reshape(count, width)[:, : table.space.size]
        self.marks.flags.writeable = False
        self.outcomes = array("outcomes", 3 * players).reshape(count, 3, players)
        self._first = games.address(0)

    def begin(self, seed: int) -> None:
        self.results[:] = lir.OVER
        self.renew(seed, 0)

    def renew(self, seed: int, first: int) -> int:
        at = self._at
        return self._drivers["renew_many"](self._first, self.count, at["results"], seed, first, at["marks"])

    def check(self) -> int:
        at = self._at
        return self._drivers["check_many"](self.count, at["numbers"], at["results"], at["marks"])

    def advance(self) -> int:
        at = self._at
        return self._drivers["advance_many"](
            self._first, self.count, at["numbers"], at["results"], at["marks"]
        )

    def rate(self) -> None:
        self._drivers["outcome_many"](self._first, self.count, self._at["outcomes"])

    def observe(self, seats: Array) -> Array:
        self._seats[:] = seats
        self._drivers["observe_many"](self._first, self.count, self._at["seats"], self._at["seen"])
        return self._seen

    def field(self, name: str) -> Array:
        return self.games.view(name)

    def legal(self, game: int) -> list[tuple[str, tuple[Any, ...]]]:
        return legal_actions(_OneOf(self.table.lowered, self.games), game)

    def staged(self, game: int) -> tuple[int, ...]:
        return staged_numbers(_OneOf(self.table.lowered, self.games), game)

    def fault(self, game: int) -> tuple[int, int, int]:
        return fault_of(_OneOf(self.table.lowered, self.games), game)


@dataclass
class _OneOf:
    """The games of an instance, read one by one; a state is the number of a game."""

    lowered: Lowered
    games: Games

    def load(self, state: int, field: str, index: int = 0) -> int:
        return self.games.load(state, field, index)

    def pile(self, state: int, number: int) -> tuple[int, ...]:
        return self.games.pile(state, number)

    def call(self, function: str, state: int, *arguments: int) -> Any:
        return self.games.call(function, state, *arguments)


class PythonBatch:
    """All games one after another, in Python: some hundred times slower."""

    engine = "python"

    def __init__(self, table: Table, count: int) -> None:
        import numpy

        self.table, self.count = table, count
        self._engine = PythonEngine(table.lowered)
        self._states: list[list[Any]] = [[] for _ in range(count)]
        self._places = [0] * count
        self.numbers = numpy.zeros(count, dtype="<i8")
        self.results = numpy.full(count, lir.OVER, dtype="<i4")
        self._marks = numpy.zeros((count, table.space.size), dtype=bool)
        self.marks = self._marks.view()
        self.marks.flags.writeable = False
        self.outcomes = numpy.zeros((count, 3, table.players), dtype="<i4")

    def begin(self, seed: int) -> None:
        self.results[:] = lir.OVER
        self.renew(seed, 0)

    def _begun(self, seed: int, game: int) -> list[Any]:
        mixed = [chance.mix(seed + 2 * game + which & chance.MASK) for which in (0, 1)]
        return self._engine.start(*mixed)

    def _over(self, state: list[Any]) -> bool:
        return not self._engine.load(state, "choices")

    def renew(self, seed: int, first: int) -> int:
        began = 0
        for game in range(self.count):
            if self.results[game] != lir.WAIT:
                state = self._states[game] = self._begun(seed, first + began)
                self.results[game] = self._stands(state)
                self._mark(game)
                began += 1
        return began

    def _stands(self, state: list[Any]) -> int:
        if not self._over(state):
            return lir.WAIT
        return lir.FAULT if self._engine.load(state, "fault") else lir.OVER

    def check(self) -> int:
        bad = -1
        for game, state in enumerate(self._states):
            if self.results[game] == lir.WAIT:
                number = int(self.numbers[game])
                known = 0 <= number < self.table.space.size
                self._places[game] = self._engine.call("place_of", state, number) if known else ILLEGAL
                if self._places[game] == ILLEGAL and bad < 0:
                    bad = game
        return bad

    def advance(self) -> int:
        ended = 0
        for game, place in enumerate(self._places):
            if self.results[game] != lir.WAIT:
                self.results[game] = SKIP
                continue
            state = self._states[game]
            if place == lir.MORE:
                self._engine.call("stage", state, int(self.numbers[game]))
            else:
                self._engine.call("stage", state, -1)
                self.results[game] = self._engine.apply(state, place)
                ended += self.results[game] != lir.WAIT
            self._mark(game)
        return int(ended)

    def _mark(self, game: int) -> None:
        state = self._states[game]
        self._clear("marks", state)
        self._engine.call("mark", state)
        self._marks[game] = self._scratch("marks", self.table.space.size)

    def _clear(self, field: str, state: list[Any]) -> None:
        first = self._engine.layout.scratch[field]
        many = next(f.count for f in self.table.lowered.module.fields if f.name == field)
        self._engine.space["T"][first : first + many] = [0] * many

    def _scratch(self, field: str, many: int) -> list[int]:
        first = self._engine.layout.scratch[field]
        found: list[int] = self._engine.space["T"][first : first + many]
        return found

    def rate(self) -> None:
        functions = {"scores": "score", "ranking": "rank"}
        if self.table.lowered.has_payoff:
            functions["payoffs"] = "payoff"
        players = self.table.players
        for game, state in enumerate(self._states):
            if not self._over(state):
                continue
            for row, (function, field) in enumerate(functions.items()):
                if row and self._engine.load(state, "ending") != PLAYED_OUT:
                    break
                self._engine.call(function, state)
                self.outcomes[game, row] = self._scratch(field, players)

    def observe(self, seats: Array) -> Array:
        import numpy

        size = self.table.observation_size
        found = numpy.zeros((self.count, size), dtype="<i4")
        for game, state in enumerate(self._states):
            seat = int(seats[game])
            if seat < 0:
                seat = 0 if self._over(state) else max(0, self._engine.load(state, "actor"))
            self._clear("seen", state)
            self._engine.call("observe", state, seat)
            found[game] = self._scratch("seen", size)
        return found

    def field(self, name: str) -> Array:
        import numpy

        return numpy.array([self._engine.load(state, name) for state in self._states], dtype="<i4")

    def legal(self, game: int) -> list[tuple[str, tuple[Any, ...]]]:
        return legal_actions(self._engine, self._states[game])

    def staged(self, game: int) -> tuple[int, ...]:
        return staged_numbers(self._engine, self._states[game])

    def fault(self, game: int) -> tuple[int, int, int]:
        return fault_of(self._engine, self._states[game])


def fault_of(engine: Engine, state: Any) -> tuple[int, int, int]:
    """The number of the fault of a game, and its arguments."""
    one, two = (engine.load(state, "fault_arguments", at) for at in (0, 1))
    return engine.load(state, "fault"), one, two


def staged_numbers(engine: Engine, state: Any) -> tuple[int, ...]:
    """The numbers of the action that was begun in a game."""
    if not any(field.name == "staged" for field in engine.lowered.module.fields):
        return ()
    many = engine.load(state, "staged_count")
    return tuple(engine.load(state, "staged", at) for at in range(many))
