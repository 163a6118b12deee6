"""The flow: statements flattened to one list of instructions, functions from the state to the next place.

Phases and moves never recurse, so each has one place in the list, one return address and one cell for every
loop; a state carries no stack but the phases that run.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rulekit.engine.asks import Site, ask
from rulekit.engine.evaluate import Fn, Scope, needed
from rulekit.engine.legality import Legality
from rulekit.engine.record import Ending
from rulekit.engine.rounds import Rounds, finish
from rulekit.engine.state import State
from rulekit.engine.statements import Effect, Effects
from rulekit.engine.stops import Stops
from rulekit.program import expressions as e
from rulekit.program import statements as st
from rulekit.program.program import MoveDef

Op = Callable[[State], int]


class Flow:
    """All instructions of a program.

    ``statements``  for the numbers of some instructions, the leaf statement or ask they stand for
    ``sites``  asks, by the instruction at which they wait
    ``move_entries``, ``move_backs``  for each move its first instruction, and the mark of its return address
    """

    def __init__(self, scope: Scope, effects: Effects, stops: Stops) -> None:
        self.scope = scope
        self.effects = effects
        self.stops = stops
        self.code: list[Op] = []
        self.statements: dict[int, st.Stmt] = {}
        self.sites: dict[int, Site] = {}
        moves = scope.program.moves.values()
        self.legality = tuple(Legality(scope, move) for move in moves)
        self.move_entries = [0] * len(moves)
        self.move_backs = tuple(len(stops.phases) + number for number in range(len(moves)))
        self.move_forgets: list[Effect] = []
        self.marks = len(stops.phases) + len(moves)
        self.watched = stops.watched
        self.rounds = Rounds(scope)
        self._owned_marks: list[int] = []  # of the phase or move being flattened
        self._owned_locals: list[int] = []
        self._owned_claims: list[Effect] = []
        self.end = self._whole()

    def _whole(self) -> int:
        """Flattens the program: play, then phases, then moves. Returns the number of the end."""
        program = self.scope.program
        end = self.reserve()
        self.code[end] = self._end
        self.start = self.here
        fresh = self.stops.begin("play")

        def play(s: State) -> int:
            fresh(s)
            return end + 2

        self.emit(play)
        self.body(program.play)
        self.emit(_jump(end))
        self.owned()
        for number, phase in enumerate(self.stops.phases):
            self.stops.entries[number] = self.here
            self.emit(self.stops.enter(number, self.here + 1))
            for parameter in phase.parameters:
                self.keep(parameter)
            self.body(phase.body)
            self.emit(self.stops.closing(number, self.here + 1))
            # Where the phase is left early, `after` begins here too: closing is not needed but does no harm.
            self.stops.afters[number] = self.here - 1
            self.body(phase.after)
            self.emit(self.stops.leave(number, end))
            self.stops.forget[number] = self.owned()
        for number, move in enumerate(program.moves.values()):
            self.move_entries[number] = self._move(number, move)
            self.move_forgets.append(self.owned())
        return end

    def _move(self, number: int, move: MoveDef) -> int:
        """The instructions of a move's `do`. Returns the first."""
        fresh = self.stops.begin(f"move {move.name}")
        over = self.stops.finish(f"move {move.name}")
        back = self.move_backs[number]
        for choice in move.choices:
            self.keep(choice.local)
        entry = self.here

        def begin(s: State) -> int:
            fresh(s)
            return entry + 1

        def finish(s: State) -> int:
            over(s)
            to: int = s.marks[back]
            s.marks[back] = None
            return to

        self.emit(begin)
        self.body(move.body)
        self.emit(finish)
        return entry

    def _end(self, s: State) -> int:
        return finish(s, Ending("played out"))

    # ------------------------------------------------------------ the list

    def emit(self, op: Op) -> int:
        """Adds an instruction; returns its number."""
        self.code.append(op)
        return len(self.code) - 1

    def reserve(self) -> int:
        """A number for an instruction that can be written only later."""
        return self.emit(_unwritten)

    @property
    def here(self) -> int:
        """The number the next instruction will get."""
        return len(self.code)

    def mark(self) -> int:
        """A new cell of `State.marks`, forgotten when the phase or move is left."""
        self.marks += 1
        self._owned_marks.append(self.marks - 1)
        return self.marks - 1

    def keep(self, number: int) -> Callable[[State, Any], None]:
        """Setter of a local, which is forgotten when the phase or move is left."""
        if number in self.scope.lasting:
            self._owned_locals.append(self.scope.lasting[number])
        return self.scope.setter(number)

    def owned(self) -> Effect:
        """Forgets marks and locals added since the last call: what is not running leaves no trace."""
        marks, locals_ = tuple(self._owned_marks), tuple(dict.fromkeys(self._owned_locals))
        claims = tuple(self._owned_claims)
        self._owned_marks, self._owned_locals, self._owned_claims = [], [], []

        def forget(s: State) -> None:
            for claim in claims:
                claim(s)
            for mark in marks:
                s.marks[mark] = None
            for number in locals_:
                s.locals[number] = None

        return forget

    # ------------------------------------------------------------ statements

    def body(self, stmts: Sequence[st.Stmt]) -> None:
        """The instructions of a list; they end by falling through to the next one."""
        for stmt in stmts:
            self._statement(stmt)
        for stmt in stmts:
            if isinstance(stmt, st.Claim):
                self._release(stmt.local)

    def _statement(self, stmt: st.Stmt) -> None:
        match stmt:
            case st.If():
                self._if(stmt)
            case st.For():
                self._for(stmt)
            case st.Repeat():
                self._repeat(stmt)
            case st.Until():
                self._until(stmt)
            case st.Call():
                self._call(stmt)
            case st.Stop(phase):
                self.statements[self.here] = stmt
                number = self.stops.number[phase]
                self.emit(lambda s: self.stops.stop(s, number))
            case st.Ask():
                if stmt.moves:  # an ask of nothing does not exist
                    ask(self, stmt)
            case _:
                if isinstance(stmt, st.Assign) and isinstance(stmt.place, st.LocalPlace):
                    self.keep(stmt.place.number)
                elif isinstance(stmt, st.Claim):
                    self.keep(stmt.local)
                self.leaf(stmt, self.effects.effect(stmt))

    def leaf(self, stmt: st.Stmt, effect: Effect) -> None:
        """A leaf statement, after which `stop when` is tested if it changed what is watched."""
        following = self.here + 1
        test = self.stops.test

        def plain(s: State) -> int:
            effect(s)
            return following

        def tested(s: State) -> int:
            effect(s)
            return test(s, following) if s.dirty and not s.depth else following

        self.statements[self.emit(tested if self.watched else plain)] = stmt

    def _if(self, stmt: st.If) -> None:
        ends: list[int] = []
        for condition, body in stmt.branches:
            if _never(condition):
                continue  # a slot of a block may settle it
            branch = self.reserve()
            self.body(body)
            ends.append(self.reserve())
            self.code[branch] = _branch(self.scope.compile(condition), branch + 1, self.here)
        self.body(stmt.otherwise)
        for end in ends:
            self.code[end] = _jump(self.here)

    def _for(self, stmt: st.For) -> None:
        domain, note = self.scope.compile(stmt.domain), self.keep(stmt.local)
        left = self.mark()  # the elements still to come, as a tuple

        def start(s: State) -> int:
            s.marks[left] = tuple(domain(s))
            return loop

        self.emit(start)
        loop = self.reserve()
        self.body(stmt.body)
        self.emit(_jump(loop))
        out = self.here

        def following(s: State) -> int:
            rest = s.marks[left]
            if not rest:
                s.marks[left] = None
                note(s, None)
                return out
            note(s, rest[0])
            s.marks[left] = rest[1:]
            return loop + 1

        self.code[loop] = following

    def _repeat(self, stmt: st.Repeat) -> None:
        times = needed(self.scope.compile(stmt.times), stmt.times, "the number of times")
        left = self.mark()

        def start(s: State) -> int:
            s.marks[left] = times(s)
            return loop

        self.emit(start)
        loop = self.reserve()
        self.body(stmt.body)
        self.emit(_jump(loop))
        out = self.here

        def following(s: State) -> int:
            if s.marks[left] <= 0:
                s.marks[left] = None
                return out
            s.marks[left] -= 1
            return loop + 1

        self.code[loop] = following

    def _until(self, stmt: st.Until) -> None:
        condition = self.scope.compile(stmt.condition)
        loop = self.reserve()
        self.body(stmt.body)
        self.emit(_jump(loop))
        out = self.here
        if stmt.proven:
            self.code[loop] = _branch(condition, out, loop + 1)
            return
        count = self.rounds.begin

        def counted(s: State) -> int:
            return out if condition(s) else count(s, loop + 1)

        self.code[loop] = counted

    def _call(self, stmt: st.Call) -> None:
        phase = self.scope.program.phases[stmt.phase]
        arguments = tuple(self.scope.compile(argument) for argument in stmt.arguments)
        notes = tuple(self.scope.setter(number) for number in phase.parameters)
        entry, back = self.stops.entries, self.stops.back[self.stops.number[stmt.phase]]
        number = self.stops.number[stmt.phase]
        following = self.here + 1

        def call(s: State) -> int:
            values = [argument(s) for argument in arguments]
            for note, value in zip(notes, values, strict=True):
                note(s, value)
            s.marks[back] = following
            return entry[number]

        self.emit(call)

    def _release(self, local: int) -> None:
        """A slot claimed in a list that ends is freed if no card came to lie there."""
        read = self.scope.compile(e.Local(local, type=self.scope.program.locals[local].type))
        note = self.scope.setter(local)
        following = self.here + 1

        def release(s: State) -> None:
            place = read(s)
            if place is not None and s.used[place] and not s.zones[place]:
                self.effects.table.release(s, place)
            note(s, None)

        def op(s: State) -> int:
            release(s)
            return following

        self._owned_claims.append(release)  # a phase may be left in the middle of the list
        self.emit(op)


def _never(condition: e.Expr) -> bool:
    """The condition is written as one that fails: `false`, `not true`."""
    match condition:
        case e.Constant(value):
            return not value
        case e.Not(e.Constant(value)):
            return bool(value)
    return False


def _unwritten(s: State) -> int:
    raise AssertionError("an instruction was reserved and never written")


def _jump(to: int) -> Op:
    return lambda s: to


def _branch(condition: Fn, yes: int, no: int) -> Op:
    return lambda s: yes if condition(s) else no
