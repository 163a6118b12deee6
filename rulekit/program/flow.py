"""Following a program through all it may do, with bounds instead of values.

Rounds of loops are followed until nothing new is learnt. What is found out holds for every game from
the start of `play`: whatever the players choose, however the cards fall.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from rulekit.program import expressions as e
from rulekit.program import statements as s
from rulekit.program import types as t
from rulekit.program.assigning import combined, default, fit
from rulekit.program.bounds import (
    Known,
    Range,
    Table,
    Value,
    join,
    join_known,
    open_table,
    widen,
)
from rulekit.program.effects import carry, deal, shuffle
from rulekit.program.estimate import BUDGET
from rulekit.program.learn import Estimator
from rulekit.program.program import Program, StateDef
from rulekit.program.setup import BOX
from rulekit.program.uses import Reads, Uses, Writes
from rulekit.program.walk import own_expressions, walk_statements

_STEPS = 60_000  #: statements followed before giving up
_ROUNDS = 12  #: rounds of one loop before everything in it is taken to be anything
_KEPT = 8  #: how often what a move comes to is kept, for when it is asked again in the same place
_UNROLL = 16  #: loops of so many rounds are followed round by round if they are simple

Watch = Callable[[s.Stmt, Known], None]


class _TooLong(Exception):
    """The program is too large or runs in a circle."""


@dataclass
class _Running:
    """A phase that is running. ``leaving``: what is known where phases are left from here, by their depth."""

    phase: str
    stop_when: e.Expr | None
    reads: Reads
    leaving: dict[int, Known | None] = field(default_factory=dict)


def must_assign(state: StateDef) -> bool:
    """Has it no value until it is assigned?"""
    kind = state.type
    return state.start is None and isinstance(kind, t.Player | t.Team | t.Suit | t.Rank | t.Card | t.Pile)


class Flow:
    """What was found out. Statements are known by their identity.

    ``before``: what is known before an ask, and before each round of an `until`. ``branches``: which branches
    of an `if` can be taken (the number of branches stands for `else`). ``held``: what the conditions of moves
    were found to be where these are asked (None: either). ``reached``: the statements met. ``steps``: by how
    much an assignment changes a number. ``unset``: reads of state that may not have been assigned.
    ``entered``: what is known where a phase begins. ``steps_taken``: how many statements it took to find all
    this out.
    """

    def __init__(
        self,
        program: Program,
        table: Table | None = None,
        uses: Uses | None = None,
        watch: Watch | None = None,
    ) -> None:
        self.program = program
        self.table = table or open_table(program)
        self.uses = uses or Uses(program)
        self.estimator = Estimator(program, self.table)
        self.before: dict[int, Known] = {}
        self.branches: dict[int, set[int]] = {}
        self.held: dict[int, set[bool | None]] = {}
        self.reached: set[int] = set()
        self.steps: dict[int, Range] = {}
        self.unset: dict[tuple[int, str], e.Expr] = {}
        self.entered: dict[str, Known] = {}
        self.gave_up = False
        self._watch = watch
        self._running: list[_Running] = []
        self._disarmed: set[int] = set()
        self._moving: list[str] = []
        self._answers: dict[str, list[tuple[Known, Known | None, Known | None]]] = {}
        self._heads: dict[int, tuple[Known, Known]] = {}
        self._visited: set[tuple[str, str]] = set()
        self.steps_taken = 0

    # ------------------------------------------------------------ the whole program

    def follow(self) -> Flow:
        """Follows `play`, then on their own the phases and moves that it never reaches."""
        try:
            known = self._start()
            end = self._body(self.program.play, known)
            if end is not None:
                self._look(self.program.end, end)
            for phase in self.program.phases.values():
                if ("phase", phase.name) not in self._visited:
                    self._alone(lambda blank, name=phase.name: self._phase(name, (), blank))  # type: ignore[misc]
            for move in self.program.moves.values():
                if ("move", move.name) not in self._visited:
                    self._alone(lambda blank, name=move.name: self._move(name, blank))  # type: ignore[misc]
        except (_TooLong, RecursionError):
            self.gave_up = True
        return self

    def follow_from_anywhere(self, body: tuple[s.Stmt, ...]) -> Flow:
        """Follows a list of statements with nothing known before it: what is found holds wherever it runs."""
        cards = Range(0, self.table.cards.high)
        known = Known(options=self.table.options)
        known.zones = dict.fromkeys((BOX, *sorted(self.estimator.plain_zones)), cards)
        try:
            self._body(body, known)
        except (_TooLong, RecursionError):
            self.gave_up = True
        return self

    def _start(self) -> Known:
        known = Known(options=self.table.options)
        known.zones[BOX] = self.table.cards
        for zone in self.program.zones.values():
            if zone.kind in ("set", "pile"):
                known.zones[zone.name] = Range(0, 0)
        lasting = [state.name for state in self.program.state.values() if state.scope is None]
        self._enter(lasting, known)
        self._enter(self.program.play_state, known)
        return known

    def _alone(self, run: Callable[[Known], object]) -> None:
        self._running, self._moving, self._disarmed = [], [], set()
        run(Known(options=self.table.options))

    def _enter(self, names: Iterable[str], known: Known) -> None:
        """State starts afresh."""
        for name in names:
            state = self.program.state[name]
            known.unset -= {name}
            _forget(known, Writes(states=frozenset({name})), self.uses)
            if state.start is not None:
                self._look(state.start, known)
                if state.start_local is not None:
                    known.locals[state.start_local] = Range(0, max(0, self._members(state.per) - 1))
                value = self.estimator.value(state.start, known)
                known.states[name] = fit(self.estimator, value, state.type) or self.estimator.top(state.type)
                self._equate(name, state.start, known)
            elif must_assign(state):
                known.states[name] = self.estimator.top(state.type)
                known.unset |= {name}
            else:
                known.states[name] = default(self.estimator, state.type)

    def _members(self, per: str | None) -> int:
        return self.estimator.members(per).high

    # ------------------------------------------------------------ lists and phases

    def _body(self, body: Iterable[s.Stmt], known: Known | None) -> Known | None:
        for stmt in body:
            if known is None:
                return None
            known = self._statement(stmt, known)
        return known

    def _phase(self, name: str, arguments: tuple[Value, ...], known: Known) -> Known | None:
        phase = self.program.phases[name]
        if any(running.phase == name for running in self._running):
            raise _TooLong
        self._visited.add(("phase", name))
        for number, value in zip(phase.parameters, arguments, strict=False):
            _forget(known, Writes(locals=frozenset({number})), self.uses)
            known.locals[number] = value
        self._enter(phase.state, known)
        entered = join_known(self.entered.get(name), known)
        if entered is not None:
            self.entered[name] = entered.copy()
        depth = len(self._running)
        stop = None if self._moving else phase.stop_when
        running = _Running(name, stop, Reads() if stop is None else self.uses.reads(stop))
        self._running.append(running)
        here = self._body(phase.body, known)
        self._running.pop()
        here = join_known(here, running.leaving.pop(depth, None))
        result = self._body(phase.after, here)
        for target, leaving in running.leaving.items():
            before = self._disarmed
            self._disarmed = before | set(range(target, depth))
            passed = self._body(phase.after, leaving)
            self._disarmed = before
            self._leave(target, passed)
        return result

    def _leave(self, target: int, known: Known | None) -> None:
        """The phase at this depth is being left."""
        if known is not None and self._running:
            leaving = self._running[-1].leaving
            leaving[target] = join_known(leaving.get(target), known.copy())

    def _tests(self, writes: Writes, known: Known | None) -> Known | None:
        """`stop when` of the running phases, outermost first, if the statement touched what they read."""
        if known is None or self._moving:
            return known
        for depth, running in enumerate(self._running):
            stop = running.stop_when
            if stop is None or depth in self._disarmed or not writes.touches(running.reads):
                continue
            self._look(stop, known)
            there, known = self.estimator.split(known, stop)
            if there is not None:
                self._leave(depth, there)
            if known is None:
                return None
        return known

    # ------------------------------------------------------------ statements

    def _statement(self, stmt: s.Stmt, known: Known) -> Known | None:
        self.steps_taken += 1
        if self.steps_taken > _STEPS:
            raise _TooLong
        self.reached.add(id(stmt))
        known.memo.clear()
        self.estimator.budget = BUDGET
        if self._watch is not None:
            self._watch(stmt, known)
        if known.unset and not isinstance(stmt, s.If):
            for expr in own_expressions(stmt):
                self._look(expr, known)
        match stmt:
            case s.If():
                return self._if(stmt, known)
            case s.For(local, domain):
                found = self.estimator.size(domain, known)
                times = Range(found.low, found.high)
                return self._times(stmt.body, times, known, (local, found.of, domain))
            case s.Repeat(count):
                return self._times(stmt.body, self.estimator.number(count, known), known, None)
            case s.Until():
                return self._until(stmt, known)
            case s.Call(name, arguments):
                if name not in self.program.phases:
                    return known
                values = tuple(self.estimator.value(argument, known) for argument in arguments)
                return self._phase(name, values, known)
            case s.Stop(phase):
                if not self._moving:
                    for depth, running in enumerate(self._running):
                        if running.phase == phase:
                            self._leave(depth, known)
                return None
            case s.Ask():
                self._remember(stmt, known)
                done = self._ask(stmt, known)
                return self._tests(self.uses.writes(stmt), done)
        return self._tests(self.uses.writes(stmt), self._leaf(stmt, known))

    def _remember(self, stmt: s.Stmt, known: Known) -> None:
        old = self.before.get(id(stmt))
        joined = join_known(old, known)
        if joined is not None and joined is not old:
            self.before[id(stmt)] = joined.copy()

    def _look(self, node: object, known: Known) -> None:
        """Notes reads of what may not have been assigned."""
        if known.unset:
            for name in sorted(self.uses.reads(node).states & known.unset):
                self.unset.setdefault((id(node), name), node)  # type: ignore[arg-type]

    def _leaf(self, stmt: s.Stmt, known: Known) -> Known | None:
        _forget(known, self.uses.writes(stmt), self.uses)
        match stmt:
            case s.Assign():
                return self._assign(stmt, known)
            case s.Claim(local):
                known.locals[local] = self.estimator.top(t.PILE)
            case s.Move(cards, to):
                count = self.estimator.size(cards, known)
                carry(self.estimator, self.uses, known, cards, to, count)
            case s.Deal():
                if deal(self.estimator, known, stmt) is None:
                    return None
            case s.Shuffle():
                shuffle(self.estimator, self.uses, known, stmt)
        return known

    def _assign(self, stmt: s.Assign, known: Known) -> Known | None:
        value = self.estimator.value(stmt.value, known)
        match stmt.place:
            case s.StatePlace(name, index):
                state = self.program.state[name]
                old = known.states.get(name) or self.estimator.top(state.type)
                new = fit(self.estimator, self._combine(stmt, old, value), state.type)
                if new is None:
                    return None
                single = index is None or self._members(state.per) == 1
                known.states[name] = new if single else join(old, new)
                known.unset -= {name}
                if index is None and stmt.op == "=":
                    self._equate(name, stmt.value, known)
            case s.LocalPlace(number):
                local = self.program.locals[number]
                old = known.locals.get(number) or self.estimator.top(local.type)
                known.locals[number] = self._combine(stmt, old, value)
            case s.FieldPlace(zone, name):
                fields = {field.name: field for field in self.program.zones[zone].fields}
                self._combine(stmt, self.estimator.top(fields[name].type), value)
        return known

    def _equate(self, name: str, value: e.Expr, known: Known) -> None:
        """The state is what the expression says, until either changes."""
        reads = self.uses.reads(value)
        if isinstance(value.type, t.Collection) and not (reads.locals or reads.me or name in reads.states):
            known.equal[name] = value

    def _combine(self, stmt: s.Assign, old: Value, value: Value) -> Value:
        """The new value; for a number the step is noted."""
        new, step = combined(self.estimator, stmt, old, value)
        if step is not None and not step.nothing:
            before = self.steps.get(id(stmt), step)
            self.steps[id(stmt)] = Range(min(before.low, step.low), max(before.high, step.high), step.none)
        return new

    def _if(self, stmt: s.If, known: Known) -> Known | None:
        result: Known | None = None
        rest: Known | None = known
        taken = self.branches.setdefault(id(stmt), set())
        for number, (condition, body) in enumerate(stmt.branches):
            if rest is None:
                return result
            self._look(condition, rest)
            there, rest = self.estimator.split(rest, condition)
            if there is not None:
                taken.add(number)
                result = join_known(result, self._body(body, there.copy()))
        if rest is None:
            return result
        taken.add(len(stmt.branches))
        return join_known(result, self._body(stmt.otherwise, rest.copy()))

    # ------------------------------------------------------------ loops

    def _settle(
        self, loop: object, known: Known, one_round: Callable[[Known], Known | None]
    ) -> tuple[Known, Known | None]:
        """What is known before every round of a loop, and after every round.

        A loop inside others is entered again with less known each time: it begins then with what it came
        to before, since it would come to at least that again.
        """
        earlier = self._heads.get(id(loop))
        head = known
        if earlier is not None and join_known(known, earlier[0]) == known:
            head = join_known(earlier[1], known) or known
        for _ in range(_ROUNDS):
            after = one_round(head.copy())
            new = join_known(head, after)
            if new is None or new == head:
                self._heads[id(loop)] = (known.copy(), head.copy())
                return head, after
            head = self._widened(head, new)
        raise _TooLong

    def _widened(self, old: Known, new: Known) -> Known:
        cards = Range(0, self.table.cards.high)
        states = {
            name: value
            if value == old.states[name]
            else widen(old.states[name], value, self.estimator.top(self.program.state[name].type))
            for name, value in new.states.items()
        }
        zones: dict[str, Range] = {}
        for name, zone in new.zones.items():
            wide = zone if zone == old.zones[name] else widen(old.zones[name], zone, cards)
            zones[name] = wide if isinstance(wide, Range) else cards
        numbers = {
            number: value
            if value == old.locals[number]
            else widen(old.locals[number], value, self.estimator.top(self.program.locals[number].type))
            for number, value in new.locals.items()
        }
        return Known(states, zones, numbers, new.options, new.unset, new.equal, new.member, {})

    def _times(
        self,
        body: tuple[s.Stmt, ...],
        times: Range,
        known: Known,
        each: tuple[int, Value, e.Expr] | None,
    ) -> Known | None:
        """A loop of ``times`` rounds; ``each``: its variable, what that is like, where it comes from."""
        if times.high <= 0 or times.nothing:
            return known

        def one_round(here: Known) -> Known | None:
            if each is not None:
                own = here.member.get(each[0])
                _forget(here, Writes(locals=frozenset({each[0]})), self.uses)
                here.locals[each[0]] = each[1]
                if own is not None:
                    here.member[each[0]] = own
            return self._body(body, here)

        if each is not None:
            known.member[each[0]] = each[2]
        if times.certain and times.low <= _UNROLL and _simple(body):
            after: Known | None = known
            for _ in range(times.low):
                after = None if after is None else one_round(after)
            return after
        head, after = self._settle(body, known, one_round)
        if self._watch is not None and each is not None and isinstance(each[2], e.Numbers):
            # A loop over numbers comes to the last one: what it does then is worth a look of its own.
            last = self.estimator.size(each[2], known).of
            if isinstance(last, Range) and last.low < last.high and times.certain:
                each = (each[0], Range(last.high, last.high), each[2])
                one_round(head.copy())
        return after if times.low >= 1 else join_known(known, after)

    def _until(self, stmt: s.Until, known: Known) -> Known | None:
        def one_round(here: Known) -> Known | None:
            self._look(stmt.condition, here)
            going_on = self.estimator.refine(here, stmt.condition, False)
            return None if going_on is None else self._body(stmt.body, going_on.copy())

        head, _ = self._settle(stmt, known, one_round)
        self._remember(stmt, head)
        left = self.estimator.refine(head, stmt.condition, True)
        return None if left is None else left.copy()

    # ------------------------------------------------------------ asks

    def _ask(self, stmt: s.Ask, known: Known) -> Known | None:
        if not stmt.moves:
            return known
        whom = self.estimator.size(stmt.who, known)
        if stmt.together and whom.high <= 0:
            return known
        result: Known | None = known.copy() if stmt.together and whom.low == 0 else None

        def answer(here: Known) -> Known | None:
            nonlocal result
            more: Known | None = None
            for name in stmt.moves:
                done, again = self._move(name, here.copy())
                result = join_known(result, done)
                more = join_known(more, again)
            result = join_known(result, more)  # nothing legal after an `again` move: the ask is over
            return join_known(more, result) if stmt.together else more

        self._settle(stmt, known, answer)
        if result is None:
            return None
        result = result.copy()
        for local in stmt.answers:
            result.locals[local] = Range(0, len(self.program.moves))
        return result

    def _move(self, name: str, known: Known) -> tuple[Known | None, Known | None]:
        """What is known after a move: where the ask is over, and where the same player is asked again."""
        earlier = self._answers.setdefault(name, [])
        for before, done, again in earlier:
            if before == known:
                return _copied(done), _copied(again)
        before = known.copy()
        done, again = self._make(name, known)
        if len(earlier) < _KEPT:
            earlier.append((before, _copied(done), _copied(again)))
        return done, again

    def _make(self, name: str, known: Known) -> tuple[Known | None, Known | None]:
        move = self.program.moves.get(name)
        if move is None:
            return None, None
        if name in self._moving:
            raise _TooLong
        self._visited.add(("move", name))
        here: Known | None = known
        self._enter(move.state, known)
        for condition in move.conditions:
            if not condition.reads and here is not None:
                self._look(condition.condition, here)
                here = self._test(condition.condition, here)
        if here is None:
            return None, None
        here = here.copy()
        for choice in move.choices:
            found: Value | None = None
            for entry in choice.entries:
                self._look(entry.domain, here)
                size = self.estimator.size(entry.domain, here)
                if size.high > 0:
                    found = size.of if found is None else join(found, size.of)
                if size.low > 0:
                    break
            if found is None:
                return None, None
            _forget(here, Writes(locals=frozenset({choice.local})), self.uses)
            here.locals[choice.local] = found
        for condition in move.conditions:
            if condition.reads and here is not None:
                self._look(condition.condition, here)
                here = self._test(condition.condition, here)
        if here is None:
            return None, None
        self._moving.append(name)
        after = self._body(move.body, here.copy())
        self._moving.pop()
        if move.again is None or after is None:
            return after, None
        self._look(move.again, after)
        again, over = self.estimator.split(after, move.again)
        return over, again

    def _test(self, condition: e.Expr, known: Known) -> Known | None:
        """What is known where a move's condition holds; what it was found to be is noted."""
        sure = self.estimator.sure(condition, known)
        self.held.setdefault(id(condition), set()).add(sure)
        if sure is not None:
            return known if sure else None
        return self.estimator.assume(known, condition, True)


def _copied(known: Known | None) -> Known | None:
    return None if known is None else known.copy()


def _forget(known: Known, writes: Writes, uses: Uses) -> None:
    """What was known of expressions whose parts change is known no more."""
    if known.equal:
        for name, value in list(known.equal.items()):
            if name in writes.states or writes.touches(uses.reads(value)):
                del known.equal[name]
    if known.defines:
        for name in list(known.defines):
            if writes.touches(uses.define(name)):
                del known.defines[name]
    if known.member:
        for number, domain in list(known.member.items()):
            if number in writes.locals or writes.touches(uses.reads(domain)):
                del known.member[number]


def _simple(body: tuple[s.Stmt, ...]) -> bool:
    return not any(
        isinstance(stmt, s.Ask | s.Call | s.For | s.Repeat | s.Until) for stmt in walk_statements(body)
    )


def follow(
    program: Program, table: Table | None = None, uses: Uses | None = None, watch: Watch | None = None
) -> Flow:
    """Follows the whole program; without ``table`` for all player counts and options at once.

    ``watch`` is called before every statement with what is known there, once for each way that leads to it.
    """
    return Flow(program, table, uses, watch).follow()
