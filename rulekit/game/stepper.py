"""Games for programs: one at a time, stepped by number, as fast as Python can be told of them.

stepper = rulekit.load("hearts").stepper(4, phase="round")
stepper.begin(seed=7)
while legal := stepper.legal():            # numbers, in the order of the legal moves
    stepper.apply(choose(legal))           # a place in that list
stepper.outcome
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from operator import index
from typing import TYPE_CHECKING, Any

from rulekit.compiled.reading import legal_actions
from rulekit.compiled.wat_blocks import ILLEGAL
from rulekit.engine import Action, Outcome, State
from rulekit.engine.chance import MASK, streams
from rulekit.game.ended import faulted, outcome_of, scores_of
from rulekit.game.engines import Engines
from rulekit.game.legal_numbers import Codes, Get, Numbers
from rulekit.game.moves import Move
from rulekit.game.wording import described, whole
from rulekit.program.actions import ActionSpace

if TYPE_CHECKING:
    from rulekit.compiled.lowering import Lowered
    from rulekit.compiled.wasm import Games


NO_POSITION = "this is no position of this table and engine"


class Stepper(ABC):
    """One game of a table, and the next when that is over. Made by `Ruleset.stepper`.

    It keeps neither past nor words: for those there is `Game`, which plays the same games. A stepper is not
    to be used by two threads at once.
    """

    engine: str

    def __init__(self, engines: Engines) -> None:
        self._engines = engines

    @property
    def players(self) -> int:
        """How many play."""
        return self._engines.setup.players

    @property
    @abstractmethod
    def space(self) -> ActionSpace:
        """What the numbers of actions mean."""

    def begin(self, seed: int = 0, game: int = 0) -> None:
        """The first decision of a game of the batch with that seed; game 0 is `new_game(seed=seed)`.

        Raises ValueError for numbers that are no seed or no game.
        """
        self._begin(*streams(*_numbers(seed, game)))

    @abstractmethod
    def _begin(self, chance: int, policy: int) -> None: ...

    @abstractmethod
    def legal(self) -> Codes:
        """The numbers of the legal actions, in their order; empty when the game is over.

        A number is that of `Ruleset.actions`, fixed for the table; an action that takes several numbers is a
        tuple of them.
        """

    @abstractmethod
    def apply(self, place: int) -> None:
        """The actor takes the legal action at a place of `legal()`, counted from 0.

        Raises IndexError, and changes nothing, if there is none.
        """

    @property
    @abstractmethod
    def to_move(self) -> int | None:
        """The seat that is asked, None when the game is over."""

    @property
    @abstractmethod
    def count(self) -> int:
        """How many actions are legal; 0 when the game is over."""

    @property
    def is_over(self) -> bool:
        return not self.count

    @abstractmethod
    def actions(self) -> list[Action]:
        """The legal actions with their values, in order."""

    def moves(self) -> list[Move]:
        """The legal actions in words."""
        return [self._engines.move(action) for action in self.actions()]

    @property
    @abstractmethod
    def scores(self) -> tuple[int | None, ...]:
        """The score of each seat as things stand."""

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, None while it goes on; see `Game.outcome`."""
        return self._outcome() if self.is_over else None

    @abstractmethod
    def _outcome(self) -> Outcome: ...

    @abstractmethod
    def save(self) -> Any:
        """The position, for `load` of any stepper of this engine and table."""

    @abstractmethod
    def load(self, position: Any) -> None:
        """Back to a position that was saved; ValueError for what is none of this engine and table."""


def _numbers(seed: int, game: int) -> tuple[int, int]:
    """The seed and the number of a game, or ValueError."""
    begin, number = whole(seed, 0, MASK), whole(game, 0, MASK)
    if begin is None:
        raise ValueError(f"the seed is a number from 0 to 2^64 - 1, not {described(seed)}")
    if number is None:
        raise ValueError(f"games of a batch are numbered from 0, not {described(game)}")
    return begin, number


class PythonStepper(Stepper):
    """On the generated Python."""

    engine = "python"

    def __init__(self, engines: Engines) -> None:
        super().__init__(engines)
        self._python = engine = engines.python
        self._slots = engine.layout.slots
        self._pc, self._choices, self._actor = (self._slots[name] for name in ("pc", "choices", "actor"))
        self._state: list[Any] = list(engine.layout.start)
        self._numbers = Numbers(engines.lowered, self._get, lambda: legal_actions(engine, self._state))
        self._sites = self._numbers.sites
        self._apply = engine.apply

    def _get(self, field: str) -> Get:
        slot = self._slots[field]
        return lambda: self._state[slot]

    @property
    def space(self) -> ActionSpace:
        return self._numbers.space

    def _begin(self, chance: int, policy: int) -> None:
        self._state = self._python.start(chance, policy)

    def legal(self) -> Codes:
        state = self._state
        return self._sites[state[self._pc]]() if state[self._choices] else ()

    def apply(self, place: int) -> None:
        self._apply(self._state, index(place))

    @property
    def to_move(self) -> int | None:
        return self._state[self._actor] if self._state[self._choices] else None

    @property
    def count(self) -> int:
        return self._state[self._choices]  # type: ignore[no-any-return]

    def actions(self) -> list[Action]:
        return [Action(*action) for action in legal_actions(self._python, self._state)]

    @property
    def scores(self) -> tuple[int | None, ...]:
        return scores_of(self._python, self._state)

    def _outcome(self) -> Outcome:
        return outcome_of(self._python, self._state) or faulted(self._python, self._state)

    def save(self) -> list[Any]:
        return self._state[:]

    def load(self, position: Any) -> None:
        if not isinstance(position, list) or len(position) != len(self._state):
            raise ValueError(NO_POSITION)
        self._state = position[:]


class _One:
    """Game 0 of an instance, as `rulekit.compiled.reading` wants an engine."""

    def __init__(self, games: Games, lowered: Lowered) -> None:
        self.games, self.lowered = games, lowered

    def load(self, state: Any, field: str, index: int = 0) -> Any:
        return self.games.load(0, field, index)

    def pile(self, state: Any, number: int) -> tuple[int, ...]:
        return self.games.pile(0, number)

    def call(self, function: str, state: Any, *arguments: int) -> Any:
        return self.games.call(function, 0, *arguments)


class WasmStepper(Stepper):
    """On WebAssembly: a call for each step."""

    engine = "wasm"

    def __init__(self, engines: Engines) -> None:
        super().__init__(engines)
        self._games = games = engines.wasm(stepping=True).games(1)
        self._one = _One(games, engines.lowered)
        self._pc, self._choices, self._actor = (games.reader(0, name) for name in ("pc", "choices", "actor"))
        self._ints, (self._pc_at, self._choices_at) = games.numbers(0, "pc", "choices")
        self._numbers = Numbers(
            engines.lowered,
            lambda field: games.reader(0, field),
            lambda: legal_actions(self._one, None),
        )
        self._sites = self._numbers.sites
        self._step = games.step_of(0)

    @property
    def space(self) -> ActionSpace:
        return self._numbers.space

    def _begin(self, chance: int, policy: int) -> None:
        self._games.begin(0, chance, policy)

    def legal(self) -> Codes:
        ints = self._ints
        return self._sites[ints[self._pc_at]]() if ints[self._choices_at] else ()

    def apply(self, place: int) -> None:
        if self._step(place) == ILLEGAL:
            raise IndexError(f"there is no legal action number {place}")

    @property
    def to_move(self) -> int | None:
        return self._actor() if self._choices() else None

    @property
    def count(self) -> int:
        return self._choices()

    def actions(self) -> list[Action]:
        return [Action(*action) for action in legal_actions(self._one, None)]

    @property
    def scores(self) -> tuple[int | None, ...]:
        return scores_of(self._one, None)

    def _outcome(self) -> Outcome:
        return outcome_of(self._one, None) or faulted(self._one, None)

    def save(self) -> bytes:
        return self._games.image(0)

    def load(self, position: Any) -> None:
        self._games.set_image(0, position)


def _sizes(state: State) -> tuple[int, ...]:
    """How many places, cards and values there are: equal for the positions of a table."""
    return len(state.zones), len(state.place), len(state.cells)


class ReferenceStepper(Stepper):
    """On the reference engine, for what the others cannot play."""

    engine = "reference"

    def __init__(self, engines: Engines) -> None:
        super().__init__(engines)
        self._space = ActionSpace(engines.setup)
        self._state: State = engines.machine.start(0)

    @property
    def space(self) -> ActionSpace:
        return self._space

    def begin(self, seed: int = 0, game: int = 0) -> None:
        self._state = self._engines.machine.start(*_numbers(seed, game))

    def _begin(self, chance: int, policy: int) -> None:
        raise NotImplementedError

    def legal(self) -> Codes:
        rows = [self._space.encode(action.move, action.values) for action in self._state.legal]
        return tuple(row[0] if len(row) == 1 else row for row in rows)

    def apply(self, place: int) -> None:
        if not 0 <= index(place) < self.count:
            raise IndexError(f"there is no legal action number {place}")
        self._engines.machine.apply(self._state, self._state.legal[place])

    @property
    def to_move(self) -> int | None:
        decision = self._engines.machine.decision(self._state)
        return None if decision is None else decision.actor

    @property
    def count(self) -> int:
        return len(self._state.legal) if self._state.ending is None else 0

    def actions(self) -> list[Action]:
        return list(self._state.legal)

    @property
    def scores(self) -> tuple[int | None, ...]:
        return self._engines.machine.outcome(self._state).scores

    def _outcome(self) -> Outcome:
        return self._engines.machine.outcome(self._state)

    def save(self) -> State:
        return self._state.copy()

    def load(self, position: Any) -> None:
        if not isinstance(position, State) or _sizes(position) != _sizes(self._state):
            raise ValueError(NO_POSITION)
        self._state = position.copy()


STEPPERS: dict[str, type[Stepper]] = {
    "wasm": WasmStepper,
    "python": PythonStepper,
    "reference": ReferenceStepper,
}
