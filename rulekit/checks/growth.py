"""How far a number may grow: what its assignments add, how often they are reached.

`Growth` follows a number from where it starts through everything that runs while it lasts, with the greatest
value it may have so far. Rounds of loops are counted where something bounds them: a `for` by what it visits,
an `until` by a counter that it waits for, by the cards that must leave a hand, or by the number itself
(`until any(players where score >= target)`: nobody has more than ``target - 1`` when a round begins).

It keeps silent where the arithmetic of bounds alone tells too little (`rulekit.checks.amounts` says when), or
where a condition about the number stands in front.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from rulekit.checks.amounts import Amounts, Told, Unknown
from rulekit.checks.faces import FaceEstimator
from rulekit.checks.held import Held
from rulekit.checks.rounds import Rounds
from rulekit.checks.study import Study, Unit
from rulekit.checks.whose import Whose
from rulekit.program import expressions as e
from rulekit.program import statements as s
from rulekit.program import types as t
from rulekit.program.bounds import BIG, Known, Range
from rulekit.program.progress import own_flow

FEW = 50  #: rounds for which a number must have room if nothing bounds how many there are
_TRIED = 3  #: rounds that are followed; of more, the last one's growth is counted for each


@dataclass(frozen=True)
class Excess:
    """An assignment that may leave the range: the value before, what is added (None: it is set), the result.

    Without an assignment it is where the number starts.
    """

    stmt: s.Assign | None
    before: int
    added: int | None
    result: int


@dataclass(frozen=True)
class Crowded:
    """A loop that nothing bounds, and each round of which adds so much that only ``rounds`` have room."""

    loop: s.Stmt
    rounds: int
    each: int


class Growth:
    """One number (a state or a family), upwards (``sign`` 1) or downwards (-1, with all signs turned)."""

    def __init__(self, study: Study, name: str, sign: int, told: Told, rounds: Rounds) -> None:
        self.study, self.program, self.name, self.sign = study, study.program, name, sign
        self.told, self.rounds = told, rounds
        self.amounts = Amounts(study, sign, told)
        self.whose = Whose(study, name, sign)
        self.held = Held(study, name, sign, told.estimator)
        declared = study.program.state[name].type
        assert isinstance(declared, t.Int)
        self.declared = declared
        self.limit = declared.high if sign == 1 else -declared.low
        self.peak = -BIG  # the greatest value found
        self.excesses: dict[int, Excess] = {}
        self.crowded: dict[int, Crowded] = {}
        self.partial = False  # is there growth of which the arithmetic tells nothing?
        self.why = ""  # what is not known, if the arithmetic tells too little
        self._silent = 0
        self._stops: list[list[int]] = []  # of each `stop when`: what it holds the number to, the most seen
        self._moving = 0
        self._guarded = 0
        self._ignoring = 0

    # ------------------------------------------------------------ the whole

    def follow(self) -> bool:
        """Follows the number wherever it starts; False: the arithmetic tells too little."""
        owners = self.study.owners[self.name] or frozenset({("play", "play")})
        try:
            for unit in sorted(owners):
                start = self._start()
                self._see(start)
                if start > self.limit:
                    self.excesses[0] = Excess(None, start, None, start)
                self._unit(unit, start)
        except (Unknown, RecursionError) as why:
            self.why = str(why)
            self.excesses.clear()
            return False
        return True

    def _unit(self, unit: Unit, start: int) -> None:
        kind, name = unit
        if kind == "phase":
            self._phase(name, (), start)
        elif kind == "move":
            with self._in_move():
                self.body(self.program.moves[name].body, start)
        else:
            self.body(self.program.play, start)

    def _start(self) -> int:
        state = self.program.state[self.name]
        if state.start is None:
            nearest = max(self.declared.low, min(0, self.declared.high))
            return self.sign * nearest
        known = Known(options=self.study.flow.table.options)
        sources = self.study.sources(state.start)
        self.amounts.asked |= sources
        if any(self.told.is_open(name) for name in sources):
            raise Unknown("it starts as other numbers are")
        return self.amounts.high(self.told.estimator.number(state.start, known))

    def _see(self, value: int) -> None:
        if not self._silent:
            self.peak = max(self.peak, value)

    # ------------------------------------------------------------ statements

    def body(self, statements: tuple[s.Stmt, ...], b: int) -> int:
        """The greatest value after these statements, if it is ``b`` before."""
        for stmt in statements:
            if self.name in self.study.uses.writes(stmt).states:
                b = self._tested(self._statement(stmt, b))
        return b

    def _tested(self, b: int) -> int:
        if not self._moving:
            for stop in self._stops:
                stop[1] = max(stop[1], b)
                b = min(b, stop[0])
        return b

    def _statement(self, stmt: s.Stmt, b: int) -> int:
        match stmt:
            case s.Assign():
                return self._assign(stmt, b)
            case s.If():
                return self._if(stmt, b)
            case s.For(local, domain, body):
                times = self.study.watching.times.get(id(stmt), Range(0, 0)).high
                if self._all_cards(domain, times):
                    return self._added_up(stmt, b)
                if isinstance(domain, e.Difference) and isinstance(domain.right, e.One):
                    times -= int(isinstance(domain.right.of.type, t.Optional))  # who is left out is there
                if self.whose.each_its_own(body, local) or self.whose.shared_out(body, local):
                    times = min(times, 1)
                return self._loop(stmt, lambda x: self.body(body, x), b, times)
            case s.Repeat(_, body):
                times = self.study.watching.times.get(id(stmt), Range(0, 0)).high
                return self._loop(stmt, lambda x: self.body(body, x), b, times)
            case s.Until(condition, body):
                held = self.held.at_most(condition, False)
                ignoring = self._in_moves(stmt)
                self._ignoring += ignoring
                found = self._loop(stmt, lambda x: self.body(body, x), b, self.rounds.of(stmt), held)
                self._ignoring -= ignoring
                return found
            case s.Call(name, arguments):
                return b if self.name in self.program.phases[name].state else self._phase(name, arguments, b)
            case s.Ask():
                return self._ask(stmt, b)
        return b

    def _all_cards(self, domain: e.Expr, times: int) -> bool:
        """Is no more known of a set of cards than that it is part of the pack?"""
        kind = getattr(domain.type, "of", None)
        return isinstance(kind, t.Card) and times >= self.study.flow.table.cards.low

    def _added_up(self, loop: s.For, b: int) -> int:
        """Visiting cards that are any of the pack: what they add together is what the pack has of it."""
        for stmt in loop.body:
            if self.name not in self.study.uses.writes(stmt).states:
                continue
            if not isinstance(stmt, s.Assign) or stmt.op == "=":
                raise Unknown("every card may be visited")
            b = self._assign(stmt, b, self.told.summed(loop, stmt))
        return b

    def _phase(self, name: str, arguments: tuple[e.Expr, ...], b: int) -> int:
        phase = self.program.phases[name]
        with self.whose.phase(name, arguments):
            bound = BIG
            if phase.stop_when is not None and not self._moving:
                bound = self.held.at_most(phase.stop_when, False)
            if bound < BIG:
                self._stops.append([bound, -BIG])
            b = self.body(phase.body, b)
            if bound < BIG:
                b = max(b, self._stops.pop()[1])
            return self.body(phase.after, b)

    def _if(self, stmt: s.If, b: int) -> int:
        found = -BIG
        guards = 0
        for condition, body in stmt.branches:
            guards += self._guards(condition)
            self._guarded += guards
            found = max(found, self.body(body, b))
            self._guarded -= guards
        self._guarded += guards
        found = max(found, self.body(stmt.otherwise, b))
        self._guarded -= guards
        return found

    def _guards(self, condition: e.Expr) -> int:
        """Is this a condition about the number that the bounds of the flow cannot use?"""
        per = self.program.state[self.name].per
        return int(per is not None and self.name in self.study.uses.reads(condition).states)

    def _ask(self, stmt: s.Ask, b: int) -> int:
        if not stmt.moves:
            return b
        with self.whose.ask(stmt), self._in_move():
            found = -BIG
            for name in stmt.moves:
                found = max(found, self._move(stmt, name, b))
        return found

    def _move(self, ask: s.Ask, name: str, b: int) -> int:
        move = self.program.moves[name]
        if self.name in move.state:
            return b
        guards = sum(self._guards(condition.condition) for condition in move.conditions)
        self._guarded += guards
        times: int | None = 1
        if ask.together and not self.whose.only_me(move.body):
            times = self.study.watching.estimator.table.players.high
        elif move.again is not None and not ask.together:
            times = None
        found = self._loop(ask, lambda x: self.body(move.body, x), b, times)
        self._guarded -= guards
        return found

    @contextmanager
    def _in_move(self) -> Iterator[None]:
        self._moving += 1
        yield
        self._moving -= 1

    # ------------------------------------------------------------ loops

    def _loop(
        self, stmt: s.Stmt, one_round: Callable[[int], int], b: int, times: int | None, held: int = BIG
    ) -> int:
        """``times`` rounds at most (None: nobody knows); before each the number is at most ``held``."""
        if times is not None and times <= 0:
            return b
        if times is None and held < BIG:
            if self._quietly(one_round, min(b, held)) <= b and not self.partial:
                return max(b, one_round(min(b, held)))
            return max(b, one_round(held))
        if times is None and self._quietly(one_round, self.limit) <= self.limit:
            # As far as the range goes each round stays within it: what it may be then is not known closer.
            return max(b, one_round(min(b, self.limit) if self._quietly(one_round, b) <= b else self.limit))
        head, result, grown = min(b, held), b, 0
        for number in range(_TRIED if times is None else min(_TRIED, times)):
            after = self._quietly(one_round, head) if times is None else one_round(head)
            result = max(result, after)
            further = max(head, min(after, held))
            grown, head = further - head, further
            if grown == 0:
                if times is None:
                    one_round(head)
                return result
            if number + 1 == times:
                return result
        if times is None:
            self._crowd(stmt, b, grown)
            raise Unknown("nothing bounds the rounds")
        head = min(head + (times - _TRIED - 1) * grown, BIG)
        return max(result, one_round(head))

    def _quietly(self, one_round: Callable[[int], int], b: int) -> int:
        self._silent += 1
        stops = [list(stop) for stop in self._stops]
        found = one_round(b)
        self._stops[:] = stops
        self._silent -= 1
        return found

    def _crowd(self, loop: s.Stmt, b: int, each: int) -> None:
        """Nothing bounds the rounds; unless it is for players to decide, or a count that begins anew."""
        room = (self.limit - b) // each
        if room < FEW and not self._silent and self._steady(loop):
            self.crowded.setdefault(id(loop), Crowded(loop, max(room, 0), each))

    def _steady(self, loop: s.Stmt) -> bool:
        """Is all that a loop does to the number a step up in the flow of the game, not in moves?"""
        if not isinstance(loop, s.Until):
            return False
        own = [stmt for stmt in own_flow(loop.body, self.program) if self._assigns(stmt)]
        return all(
            stmt.op != "=" or self.name in self.study.uses.reads(stmt.value).states
            for stmt in own
            if isinstance(stmt, s.Assign)
        )

    def _in_moves(self, loop: s.Until) -> bool:
        """Is the number changed by moves that the loop asks for?"""
        asks = [stmt for stmt in self.rounds.all_of(loop.body) if isinstance(stmt, s.Ask)]
        bodies = [self.program.moves[name].body for ask in asks for name in ask.moves]
        return any(self._assigns(stmt) for body in bodies for stmt in self.rounds.all_of(body))

    def _assigns(self, stmt: s.Stmt) -> bool:
        return (
            isinstance(stmt, s.Assign)
            and isinstance(stmt.place, s.StatePlace)
            and stmt.place.state == self.name
        )

    # ------------------------------------------------------------ assignments

    def _assign(self, stmt: s.Assign, b: int, added_up: e.Expr | None = None) -> int:
        known = self.told.before(stmt)
        if known is None:
            return b  # never reached
        if self._guarded:
            self.partial = True
            return b  # a condition about the number stands in front: the author has taken care
        old = self._old(known, b)
        # How often players choose a move no arithmetic tells.
        ignoring = bool(self._ignoring and self._moving)
        found = self.amounts.of(stmt, known, added_up, ignoring=ignoring)
        self.partial = self.partial or found.partial
        if found.unknown is not None:
            raise Unknown(found.unknown)
        results = [(x.by, x.to if x.by is None else old + x.by) for x in found.changes]
        if not results:
            return b
        added, result = max(results, key=lambda pair: pair[1])
        self._see(result)
        if result > self.limit and not self._silent:
            before = self.excesses.get(id(stmt))
            if before is None or before.result < result:
                self.excesses[id(stmt)] = Excess(stmt, old, added, result)
        assert isinstance(stmt.place, s.StatePlace)
        single = stmt.place.index is None
        return result if single else max(b, result)

    def _old(self, known: Known, b: int) -> int:
        """The value before: what it may have grown to, or what the flow knows, if it knows more."""
        old, high_of = known.states.get(self.name), self.amounts.high_of
        if not isinstance(old, Range) or old.nothing or high_of(old) >= self.limit:
            return b
        return min(b, high_of(old))


def within(study: Study) -> tuple[dict[str, Range], list[Growth]]:
    """The bounds found for numbers, and what was found for those that may leave their range.

    Numbers that depend on others are looked at once these are known.
    """
    numbers = [name for name, state in study.program.state.items() if isinstance(state.type, t.Int)]
    known: dict[str, Range] = {}
    found: dict[str, list[Growth]] = {}
    estimator = FaceEstimator(study.program, study.watching.estimator.table, study.uses)
    rounds = Rounds(study)
    waiting = numbers
    while True:
        fresh = {}
        told = Told(study, estimator, known)
        for name in waiting:
            both = [Growth(study, name, sign, told, rounds) for sign in (1, -1)]
            sure = [growth.follow() for growth in both]
            found[name] = both
            if all(sure) and not any(growth.partial for growth in both):
                declared = both[0].declared
                up, down = min(both[0].peak, declared.high), max(-both[1].peak, declared.low)
                fresh[name] = Range(down, up)
        known = {**known, **fresh}
        waiting = [
            name
            for name in numbers
            if name not in known and any(growth.amounts.asked & fresh.keys() for growth in found[name])
        ]
        if not waiting:
            return known, [growth for name in numbers for growth in found[name]]


__all__ = ["FEW", "Crowded", "Excess", "Growth", "within"]
