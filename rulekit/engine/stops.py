"""How phases begin and end: their state starts afresh, `stop when` is tested, `after` runs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulekit.engine.evaluate import Fn, Scope
from rulekit.engine.state import State
from rulekit.engine.statements import Effect, Effects

# How far a phase is (State.stage).
OFF = 0
RUNNING = 1
STOPPED = 2  # to be left: its `after` is yet to run, its `stop when` is disarmed
AFTER = 3  # in its `after`
CUT = 4  # in its `after`, which an outer phase cuts short


class Stops:
    """The phases of a program, by number in file order.

    ``entries``, ``afters``  the instruction a phase starts with, and that its `after` starts with
    ``back``  the mark that holds its return address
    """

    def __init__(self, scope: Scope, effects: Effects) -> None:
        self.scope = scope
        self.phases = tuple(scope.program.phases.values())
        self.number = {phase.name: number for number, phase in enumerate(self.phases)}
        self.entries: list[int] = [0] * len(self.phases)
        self.afters: list[int] = [0] * len(self.phases)
        self.forget: list[Effect] = [_nothing] * len(self.phases)
        self.back = tuple(range(len(self.phases)))
        self.conditions: list[Fn | None] = []
        self.reads: list[int] = []
        for phase in self.phases:
            if phase.stop_when is None:
                self.conditions.append(None)
                self.reads.append(0)
            else:
                self.conditions.append(scope.compile(phase.stop_when))
                self.reads.append(scope.layout.bits(scope.reader.reads(phase.stop_when).names))
        self.watched = any(self.reads)
        program, layout = scope.program, scope.layout
        self._owners = {owner: number for number, owner in enumerate(layout.owners)}
        self._starts = {
            owner: tuple(effects.start(program.state[name]) for name in names)
            for owner, names in layout.owners.items()
        }
        self._cells = {
            owner: tuple(cell for name in names if name in layout.lives for cell in layout.states[name].cells)
            for owner, names in layout.owners.items()
        }
        self.overs = tuple(self.finish(f"phase {phase.name}") for phase in self.phases)

    # ------------------------------------------------------------ lifetimes

    def begin(self, owner: str) -> Effect:
        """State that lasts as long as its owner starts afresh."""
        starts, life = self._starts[owner], self._owners[owner]

        def fresh(s: State) -> None:
            s.lives[life] += 1
            for start in starts:
                start(s)

        return fresh

    def finish(self, owner: str) -> Effect:
        """State of an owner that is over has no value."""
        cells, life = self._cells[owner], self._owners[owner]

        def over(s: State) -> None:
            s.lives[life] += 1
            for cell in cells:
                s.cells[cell] = None
                s.cells_shown[cell] = 0

        return over

    # ------------------------------------------------------------ phases

    def enter(self, number: int, following: int) -> Callable[[State], int]:
        """Instruction: the phase begins. Not tested on entry."""
        phase = self.phases[number]
        fresh = self.begin(f"phase {phase.name}")
        reads = self.reads[number]

        def op(s: State) -> int:
            fresh(s)
            s.running += (number,)
            s.stage[number] = RUNNING
            s.armed |= reads
            return following

        return op

    def closing(self, number: int, following: int) -> Callable[[State], int]:
        """Instruction: the phase's own list is over, and `after` begins."""

        def op(s: State) -> int:
            s.stage[number] = AFTER
            self.arm(s)
            return following

        return op

    def leave(self, number: int, end: int) -> Callable[[State], int]:
        """Instruction: the phase is over. The state of one that was the whole game stays to be looked at."""
        back = self.back[number]
        over = self.overs[number]

        def op(s: State) -> int:
            to: int = s.marks[back]
            self._pop(s, number)
            if to == end:
                return to
            over(s)
            return self._onward(s, to)

        return op

    def _pop(self, s: State, number: int) -> None:
        s.running = s.running[:-1]
        s.stage[number] = OFF
        s.marks[self.back[number]] = None
        self.forget[number](s)

    def _onward(self, s: State, to: int) -> int:
        """Where to go on: the `after` of the next phase to be left, or the address to return to."""
        while s.running:
            number = s.running[-1]
            if s.stage[number] == STOPPED:
                return self.afters[number]
            if s.stage[number] != CUT:
                break
            to = s.marks[self.back[number]]
            self._pop(s, number)
            self.overs[number](s)
        return to

    def stop(self, s: State, number: int) -> int:
        """Leaves a running phase and all it called: their `after` runs, innermost first, disarmed."""
        s.dirty = 0
        for inner in s.running[s.running.index(number) :]:
            if s.stage[inner] == RUNNING:
                s.stage[inner] = STOPPED
            elif s.stage[inner] == AFTER:
                s.stage[inner] = CUT
        self.arm(s)
        return self._onward(s, s.marks[self.back[number]])

    def arm(self, s: State) -> None:
        """Gathers what the `stop when` of the phases that run reads."""
        armed = 0
        for number in s.running:
            if s.stage[number] == RUNNING:
                armed |= self.reads[number]
        s.armed = armed

    def test(self, s: State, following: int) -> int:
        """After a statement: leaves the outermost phase whose condition reads what it assigned and holds."""
        dirty, s.dirty = s.dirty, 0
        if dirty & s.armed:
            for number in s.running:
                if s.stage[number] == RUNNING and dirty & self.reads[number]:
                    condition: Any = self.conditions[number]
                    if condition(s):
                        return self.stop(s, number)
        return following


def _nothing(s: State) -> None:
    """Nothing to forget yet."""
