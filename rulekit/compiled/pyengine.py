"""The Python engine: games of one setup, run by the Python that was generated for it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rulekit.compiled import lir
from rulekit.compiled.layout import StateLayout
from rulekit.compiled.lowering import Lowered
from rulekit.compiled.python import emit_python

State = list[Any]  #: see `rulekit.compiled.python`


class PythonEngine:
    """Runs games of a lowered setup. States are lists; a copy is `state[:]`.

    An engine holds scratch: use one in each thread. ``source`` is what was generated.
    """

    def __init__(self, lowered: Lowered) -> None:
        self.lowered = lowered
        self.layout = StateLayout(lowered.module)
        self.source = emit_python(lowered.module)
        space: dict[str, Any] = {}
        exec(compile(self.source, f"<{lowered.module.name}>", "exec"), space)
        self.space = space
        self._blocks: Sequence[Callable[[State], int]] = space["blocks"]
        self._apply: Callable[[State, int, int], int] = space["f_apply"]
        self._trapped: type[Exception] = space["Trapped"]
        self._scratch: list[Any] = space["T"]
        slots = self.layout.slots
        self._choices, self._fault = slots["choices"], slots["fault"]

    # ------------------------------------------------------------ a game

    def start(self, chance: int, policy: int = 0) -> State:
        """The first decision of a game whose streams start there."""
        state = list(self.layout.start)
        state[self.layout.chance] = chance
        state[self.layout.policy] = policy
        self._run(state, self.lowered.module.start)
        return state

    def apply(self, state: State, place: int) -> int:
        """The actor takes a legal action, by its place in their order; the game goes on to the next decision.

        Gives `lir.WAIT`, `lir.OVER` or `lir.FAULT`. Raises IndexError, and leaves the state unchanged, if
        there is
        no such action.
        """
        if not 0 <= place < state[self._choices]:
            raise IndexError(f"there is no legal action number {place}")
        try:
            block = self._apply(state, place, 0)
        except self._trapped as trap:
            return self._faulted(state, trap)
        return self._run(state, block)

    def take(self, state: State, place: int) -> int:
        """As `apply`, of the legal actions as the state and scratch hold them, which are not listed anew."""
        try:
            block = self._apply(state, place, 1)
        except self._trapped as trap:
            return self._faulted(state, trap)
        return self._run(state, block)

    def roll(self, state: State, most: int = 1 << 30) -> int:
        """Random play by the stream `policy` until the end, or for so many decisions."""
        draw, choices, policy = self.space["_draw"], self._choices, self.layout.policy
        apply, blocks = self._apply, self._blocks
        code = lir.WAIT
        try:
            while most > 0 and state[choices]:
                most -= 1
                block = apply(state, (draw(state, policy) >> 32) * state[choices] >> 32, 1)
                while block >= 0:
                    block = blocks[block](state)
                code = block
                if code != lir.WAIT:
                    return self._ended(state, code)
        except self._trapped as trap:
            return self._faulted(state, trap)
        return code

    def _run(self, state: State, block: int) -> int:
        blocks = self._blocks
        try:
            while block >= 0:
                block = blocks[block](state)
        except self._trapped as trap:
            return self._faulted(state, trap)
        return block if block == lir.WAIT else self._ended(state, block)

    def _ended(self, state: State, code: int) -> int:
        state[self._choices] = 0
        return code

    def _faulted(self, state: State, trap: Exception) -> int:
        site, *arguments = trap.args
        state[self._fault] = site
        first = self.layout.slots["fault_arguments"]
        for at, value in enumerate(arguments):
            state[first + at] = int(value)
        return self._ended(state, lir.FAULT)

    # ------------------------------------------------------------ looking

    def load(self, state: State, field: str, index: int = 0) -> Any:
        """A value of a field."""
        if field in self.layout.slots:
            return state[self.layout.slots[field] + index]
        return self._scratch[self.layout.scratch[field] + index]

    def column(self, field: str, count: int) -> Sequence[Any]:
        """The first values of a field of scratch."""
        first = self.layout.scratch[field]
        return self._scratch[first : first + count]

    def set_row(self, field: str, value: int) -> None:
        """Sets the first value of a field of scratch."""
        self._scratch[self.layout.scratch[field]] = value

    def pile(self, state: State, number: int) -> tuple[int, ...]:
        """What lies in a pile, bottom first."""
        pile: tuple[int, ...] = state[self.layout.piles + number]
        return pile

    def beyond(self, state: State) -> bool:
        """The game stopped at more than this engine holds: the reference engine must play it."""
        fault = state[self._fault]
        return bool(fault) and self.lowered.module.faults[fault - 1].beyond

    def call(self, function: str, state: State, *arguments: int) -> Any:
        """Calls a function of the module, such as `scores`; a fault in it is told as `TrapError`."""
        return self.space[f"f_{function}"](state, *arguments)
