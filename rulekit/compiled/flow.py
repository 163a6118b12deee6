"""Statements flattened to blocks: a block ends where the game may wait, or where phases and moves begin and
end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property

from rulekit.compiled import fold, lir
from rulekit.compiled.asks import Asks
from rulekit.compiled.builder import Unsupported, is_something, told_at
from rulekit.compiled.collections import BitsColl, Coll, EmptyColl, NumbersColl
from rulekit.compiled.context import Lower
from rulekit.compiled.effects import Effects
from rulekit.compiled.endings import PLAYED_OUT
from rulekit.compiled.fold import FALSE, TRUE
from rulekit.compiled.legality import Legality
from rulekit.compiled.lir import NONE, NUMBER, OVER, Expr, Int
from rulekit.compiled.lists import listed
from rulekit.compiled.ranges import LIMIT, Span, join
from rulekit.compiled.rounds import Rounds
from rulekit.compiled.stops import GO_ON, Stops
from rulekit.compiled.table import Table
from rulekit.program import expressions as e
from rulekit.program import statements as st
from rulekit.program.program import MoveDef, PhaseDef
from rulekit.program.walk import own_expressions, walk, walk_statements


class Flow:
    """Writes all blocks of a program."""

    def __init__(self, lower: Lower, table: Table, effects: Effects) -> None:
        self.lower, self.table, self.effects, self.b = lower, table, effects, lower.b
        self.stops = Stops(lower, table)
        program = lower.program
        b = self.b
        b.field("move_back", count=max(1, len(program.moves)), start=-1)
        self.entries = [b.block() for _ in program.phases]
        self.afters = [b.block() for _ in program.phases]
        self.move_entries = [b.block() for _ in program.moves]
        self.end = b.block()
        self.claims: dict[str, list[int]] = {}
        self._find_claims()
        self.stops.functions(self.afters, self.forget_phase)
        self.legality = Legality(lower)
        self.asks = Asks(self)
        self.owner = ""
        self.rounds = Rounds(lower)

    # ------------------------------------------------------------ blocks

    def open(self, number: int) -> None:
        """What is emitted from now on belongs to this block."""
        self.current = number
        self.b.statements = []

    def close(self, to: Expr | int) -> None:
        """The block ends and another follows."""
        self.b.emit(lir.Goto(Int(to) if isinstance(to, int) else to))
        self.b.blocks[self.current] = tuple(self.b.statements)
        self.b.statements = []

    def fork(self, condition: Expr, yes: int, no: int) -> None:
        """The block ends and one of two follows."""
        if isinstance(condition, Int):
            self.close(yes if condition.value else no)
            return
        self.b.if_(condition, [lir.Goto(Int(yes))])
        self.close(no)

    # ------------------------------------------------------------ the whole

    def program(self, start: int) -> None:
        """Writes the play, then phases, then moves; ``start`` is the block it begins with."""
        program, table = self.lower.program, self.table
        self.open(start)
        table.deep = False
        self.owner = "play"
        for name in program.play_state:
            self.effects.start(program.state[name])
        self.body(program.play)
        self.close(self.end)
        self.open(self.end)
        self.b.store("ending", PLAYED_OUT)
        self.close(OVER)
        for number, phase in enumerate(program.phases.values()):
            self.phase(number, phase)
        for number, move in enumerate(program.moves.values()):
            self.move(number, move)

    def phase(self, number: int, phase: PhaseDef) -> None:
        self.open(self.entries[number])
        self.owner = f"phase {phase.name}"
        self.table.deep = None if phase.name in self.called_from_moves else False
        for parameter in phase.parameters:
            self.lower.places.declare(parameter)
        for name in phase.state:
            self.effects.start(self.lower.program.state[name])
        self.stops.entered(number)
        self.body(phase.body)
        self.close(self.afters[number])
        self.open(self.afters[number])
        self.stops.closing(number)
        self.body(phase.after)
        self.stops.left(number, self.end, self.forget_phase)
        self.b.blocks[self.current] = tuple(self.b.statements)

    def move(self, number: int, move: MoveDef) -> None:
        self.open(self.move_entries[number])
        self.owner = f"move {move.name}"
        self.table.deep = True
        for name in move.state:
            self.effects.start(self.lower.program.state[name])
        self.body(move.body)
        self.close(self.b.load("move_back", number))

    @cached_property
    def called_from_moves(self) -> set[str]:
        """Phases that may run while a move is under way."""
        program = self.lower.program
        found: set[str] = set()
        todo = [
            call.phase for move in program.moves.values() for call in walk(move) if isinstance(call, st.Call)
        ]
        while todo:
            name = todo.pop()
            if name not in found:
                found.add(name)
                todo += [call.phase for call in walk(program.phases[name]) if isinstance(call, st.Call)]
        return found

    # ------------------------------------------------------------ claims

    def _find_claims(self) -> None:
        program = self.lower.program
        owners = {
            "play": program.play,
            **{f"phase {p.name}": (*p.body, *p.after) for p in program.phases.values()},
            **{f"move {m.name}": m.body for m in program.moves.values()},
        }
        for owner, body in owners.items():
            found = [node.local for stmt in body for node in walk(stmt) if isinstance(node, st.Claim)]
            if found:
                self.claims[owner] = list(dict.fromkeys(found))

    def forget_phase(self, number: int) -> None:
        self.forget(f"phase {self.stops.phases[number].name}")

    def forget_move(self, number: int) -> None:
        self.forget(f"move {list(self.lower.program.moves)[number]}")

    def forget(self, owner: str) -> None:
        """A slot claimed in a list that ends is freed if no card came to lie there."""
        for local in self.claims.get(owner, ()):
            self.give_up(local)

    def give_up(self, local: int) -> None:
        b, places = self.b, self.lower.places
        place = b.atom(places.local(local))
        bits = b.load("used")
        safe = fold.choose(is_something(place), place, FALSE)
        empty = fold.both(fold.has(bits, safe), fold.negate(fold.some(b.load("zm", safe))))
        with b.when(fold.both(is_something(place), empty)):
            self.table.release(place)
            self.table.leftover = True
        places.set_local(local, Int(NONE))

    # ------------------------------------------------------------ statements

    def body(self, stmts: Sequence[st.Stmt]) -> None:
        for stmt in stmts:
            self.statement(stmt)
        for stmt in stmts:
            if isinstance(stmt, st.Claim):
                self.give_up(stmt.local)

    def statement(self, stmt: st.Stmt) -> None:
        if not splits(stmt):
            self.plain(stmt)
            return
        match stmt:
            case st.If():
                self.if_(stmt)
            case st.For():
                self.for_(stmt)
            case st.Repeat():
                self.repeat(stmt)
            case st.Until():
                self.until(stmt)
            case st.Call():
                self.call(stmt)
            case st.Stop(phase):
                number = self.stops.number[phase]
                self.close(self.b.call("stop", [Int(number)], NUMBER))
                self.open(self.b.block())
            case st.Ask():
                if stmt.moves:  # an ask of nothing does not exist
                    self.asks.write(stmt)

    def test(self) -> None:
        """`stop when` is tested if the statement before may have changed what is watched."""
        b, table = self.b, self.table
        touched, table.touched = table.touched or (table.leftover and bool(table.watched)), False
        if not touched or table.deep:
            return
        condition = fold.some(b.load("dirty"))
        if table.deep is None:
            condition = fold.both(fold.equal(b.load("depth"), FALSE), condition)
        with b.when(condition):
            to = b.call("test_stops", [], NUMBER)
            b.if_(fold.binary("!=", to, Int(GO_ON)), [lir.Goto(to)])

    def plain(self, stmt: st.Stmt) -> None:
        """A statement in which nobody is asked and no phase begins: it stays within its block."""
        b, lower = self.b, self.lower
        match stmt:
            case st.If(branches, otherwise):
                self.plain_if(list(branches), otherwise)
            case st.For(local, domain, body):
                coll = lower.coll(domain)
                if isinstance(coll, EmptyColl):
                    return
                if coll.countable and not reads(lower, body, local):
                    self.times(b.atom(coll.count(lower)), body)
                    return
                kept = coll.kept(lower) if needs_keeping(coll) else coll
                with b.collect() as stmts:
                    kept.loop(lower, lambda value: self.round(local, value, body))
                b.emit(*stmts)
            case st.Repeat(times, body):
                self.times(b.atom(lower.needed(times, "the number of times")), body)
            case st.Until(condition, body, proven):
                with b.collect() as stmts:
                    b.if_(lower.condition(condition), [lir.Break()])
                    if not proven:
                        self.count_round(stmt)
                    self.plain_body(body)
                b.emit(lir.While(TRUE, tuple(stmts)))
            case _:
                table = self.table
                table.touched = False
                with told_at(stmt.span):
                    self.effects.leaf(stmt)
                self.test()

    def round(self, local: int, value: Expr, body: Sequence[st.Stmt]) -> None:
        lower = self.lower
        lower.places.set_local(local, lower.element(local, value))
        self.plain_body(body)

    def times(self, count: Expr, body: Sequence[st.Stmt]) -> None:
        var = self.b.var()
        with self.b.collect() as stmts:
            self.plain_body(body)
        self.b.emit(lir.ForRange(var, FALSE, count, tuple(stmts)))

    def plain_body(self, body: Sequence[st.Stmt]) -> None:
        for stmt in body:
            self.plain(stmt)
        for stmt in body:
            if isinstance(stmt, st.Claim):
                self.give_up(stmt.local)

    def plain_if(
        self, branches: list[tuple[e.Expr, tuple[st.Stmt, ...]]], otherwise: Sequence[st.Stmt]
    ) -> None:
        if not branches:
            self.plain_body(otherwise)
            return
        (condition, body), *rest = branches
        b = self.b
        test = self.lower.condition(condition)
        if isinstance(test, Int):
            if test.value:
                self.plain_body(body)
            else:
                self.plain_if(rest, otherwise)
            return
        with b.collect() as first:
            self.plain_body(body)
        with b.collect() as second:
            self.plain_if(rest, otherwise)
        b.if_(test, first, second)

    def count_round(self, stmt: st.Until) -> None:
        """A round of a loop that is not proven to end counts against the limit, and may come back."""
        if self.lower.places.reads_face:
            raise Unsupported("a loop that may not end, in a game of faces", stmt.span)
        over = self.b.call("round", [Int(self.rounds.site())], NUMBER, Span(0, 1))
        self.b.if_(over, [lir.Goto(Int(OVER))])

    # ------------------------------------------------------------ statements in which somebody is asked

    def if_(self, stmt: st.If) -> None:
        after = self.b.block()
        for condition, body in stmt.branches:
            test = self.lower.condition(condition)
            if isinstance(test, Int) and not test.value:
                continue
            yes, no = self.b.block(), self.b.block()
            self.fork(test, yes, no)
            self.open(yes)
            self.body(body)
            self.close(after)
            self.open(no)
        self.body(stmt.otherwise)
        self.close(after)
        self.open(after)

    def for_(self, stmt: st.For) -> None:
        b, lower = self.b, self.lower
        coll = lower.coll(stmt.domain)
        if isinstance(coll, EmptyColl):
            return
        if coll.domain is not None and not coll.ordered:
            left = b.field(lower.fresh("left"), coll.domain.kind)
            b.store(left, coll.bits(lower))
            with self.loop(lambda: fold.some(b.load(left))):
                member = b.let(fold.lowest(b.load(left)))
                b.store(left, fold.without(b.load(left), fold.single(member, coll.domain.kind)))
                lower.places.set_local(stmt.local, coll.domain.value(member))
                self.body(stmt.body)
            return
        if isinstance(coll, NumbersColl) and b.ranges.of(coll.high).high < LIMIT:
            span = join(b.ranges.of(coll.low), b.ranges.of(fold.add(coll.high, 1)))
            at, last = (b.field(lower.fresh(name), span=span) for name in ("next", "last"))
            low = b.atom(coll.low)
            b.store(last, coll.high)
            b.store(at, low)
            more, written = fold.binary("<=", b.load(at), b.load(last)), None
        else:
            written = listed(lower, coll, scratch=False)
            most = written.most(lower)
            count = b.field(f"{written.field}_count", span=Span(0, most))
            at = b.field(f"{written.field}_at", span=Span(0, most))
            b.store(count, written.length)
            b.store(at, 0)
            more = fold.binary("<", b.load(at), b.load(count))
        with self.loop(lambda: more):
            here = b.atom(b.load(at))
            b.store(at, fold.add(here, 1))
            value = b.let(here if written is None else b.load(written.field, here))
            lower.places.set_local(stmt.local, lower.element(stmt.local, value))
            self.body(stmt.body)

    @contextmanager
    def loop(self, condition: Callable[[], Expr], goes_on: bool = True) -> Iterator[None]:
        """What is written in here is done again for as long as a condition holds, or does not."""
        loop, round_, out = self.b.block(), self.b.block(), self.b.block()
        self.close(loop)
        self.open(loop)
        self.fork(condition(), *((round_, out) if goes_on else (out, round_)))
        self.open(round_)
        yield
        self.close(loop)
        self.open(out)

    def repeat(self, stmt: st.Repeat) -> None:
        b, lower = self.b, self.lower
        left = b.field(lower.fresh("times"))
        b.store(left, lower.needed(stmt.times, "the number of times"))
        with self.loop(lambda: fold.binary(">", b.load(left), FALSE)):
            b.store(left, fold.binary("-", b.load(left), TRUE))
            self.body(stmt.body)

    def until(self, stmt: st.Until) -> None:
        with self.loop(lambda: self.lower.condition(stmt.condition), goes_on=False):
            if not stmt.proven:
                self.count_round(stmt)
            self.body(stmt.body)

    def call(self, stmt: st.Call) -> None:
        b, lower = self.b, self.lower
        phase = lower.program.phases[stmt.phase]
        number = self.stops.number[stmt.phase]
        values = []
        for argument in stmt.arguments:
            value = lower.value(argument)
            if isinstance(value, Expr):
                value = b.atom(value)
            elif isinstance(value, Coll) and value.domain is not None and not isinstance(value, EmptyColl):
                value = BitsColl(b.atom(value.bits(lower)), value.domain)
            values.append(value)
        for parameter, value in zip(phase.parameters, values, strict=True):
            lower.places.set_local(parameter, value)
        after = b.block()
        b.store("back", after, number)
        self.close(self.entries[number])
        self.open(after)


def needs_keeping(coll: Coll) -> bool:
    """What the loop goes through may change under way. A bit set is looked at once as it is."""
    return not (isinstance(coll, BitsColl) or coll.stands)


def splits(stmt: st.Stmt) -> bool:
    """Somebody may be asked, or a phase may begin or be left, in it."""
    return any(isinstance(node, st.Ask | st.Call | st.Stop) for node in walk(stmt))


def reads(lower: Lower, body: Sequence[st.Stmt], local: int) -> bool:
    """A local is read, but for what receipts say."""
    for stmt in walk_statements(tuple(body)):
        receipt = stmt.because if isinstance(stmt, st.Assign) else None
        for x in own_expressions(stmt):
            if local in lower.reader.reads(x).locals and (receipt is None or x is not receipt.cards):
                return True
    return False
