"""Showing that loops end.

A round of an `until` is proven, and need not be counted, if on each path through it something happens
that cannot happen for ever without a decision. The rules (language reference, statements): a round

- (a) asks somebody, or
- (b) moves a card, all card moves of the loop's own flow running along zones without a circle, or
- (c) moves a number that the condition reads one way only, towards the end of its range, or
- (d) makes the condition true, or
- (e) only steps a seat round a ring of which some seat is asked, or on which the condition waits.

What is proven holds in every game from the start of `play`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TypeVar

from rulekit.program import expressions as e
from rulekit.program import statements as s
from rulekit.program import types as t
from rulekit.program.bounds import Known
from rulekit.program.effects import needed
from rulekit.program.flow import Flow, follow
from rulekit.program.origins import target_zones
from rulekit.program.program import Program
from rulekit.program.walk import operands, walk_expressions, walk_statements

_WIDEST = 1_000_000  #: a range so wide that counting through it would seem endless

_Part = TypeVar("_Part")


def prove_loops(program: Program, flow: Flow | None = None) -> Program:
    """The program with `Until.proven` set for each loop that is shown to end."""
    everything = _everything(program)
    loops = [stmt for stmt in walk_statements(everything) if isinstance(stmt, s.Until)]
    if not loops:
        return program
    flow = flow or follow(program)
    return _mark(program, {id(loop) for loop in loops if is_proven(loop, flow)})


def is_proven(loop: s.Until, flow: Flow) -> bool:
    """Is each round of the loop shown to ask, or to bring the loop nearer to its end?"""
    if flow.gave_up or id(loop) not in flow.before:
        return False
    quiet = Quiet(loop, flow)
    if quiet.goes_on() is None:
        return True
    return by_ring(loop, quiet, flow)


# ---------------------------------------------------------------- one round without progress


class Quiet(Flow):
    """One round of a loop, followed only as long as nothing happens that brings its end nearer.

    ``changes``: the statements on such paths, in the order they were met.
    """

    def __init__(self, loop: s.Until, flow: Flow) -> None:
        super().__init__(flow.program, flow.table, flow.uses)
        self.loop = loop
        self.start = flow.before[id(loop)]
        self.cards = by_cards(loop, flow)
        self.measures = by_measure(loop, flow)
        self.changes: list[s.Stmt] = []

    def goes_on(self) -> Known | None:
        """What is known where a round has ended without progress and another follows; None: never."""
        try:
            start = self.estimator.refine(self.start, self.loop.condition, False)
            end = None if start is None else self._body(self.loop.body, start.copy())
        except RecursionError:
            return self.start
        if end is None:
            return None
        return by_condition(self.loop, end, self)

    def changed(self) -> list[s.Stmt]:
        """The statements of a round that may pass without progress."""
        self.goes_on()
        return self.changes

    def _statement(self, stmt: s.Stmt, known: Known) -> Known | None:
        match stmt:
            case s.Ask():
                return by_asking(stmt, known, self)
            case s.Move(cards) if self.cards and self.estimator.size(cards, known).low >= 1:
                return None
            case s.Deal() if self.cards:
                _, total, _ = needed(self.estimator, known, stmt)
                if total.low >= 1:
                    return None
            case s.Assign() if id(stmt) in self.measures:
                return None
        return super()._statement(stmt, known)

    def _leaf(self, stmt: s.Stmt, known: Known) -> Known | None:
        if not any(stmt is change for change in self.changes):
            self.changes.append(stmt)
        return super()._leaf(stmt, known)


# ---------------------------------------------------------------- the rules


def by_asking(stmt: s.Ask, known: Known, flow: Flow) -> Known | None:
    """(a) Somebody is asked: a decision, which the match budget counts.

    What is known where nobody is: an empty list of moves, or a sealed ask of an empty set.
    """
    if not stmt.moves or (stmt.together and flow.estimator.size(stmt.who, known).low < 1):
        return known
    return None


def by_cards(loop: s.Until, flow: Flow) -> bool:
    """(b) The card moves of the loop's own flow run along zones without a circle.

    Then only so many can follow each other before somebody is asked.
    """
    program, uses = flow.program, flow.uses
    roads: set[tuple[str, str]] = set()
    every = ("box", *program.zones)
    for stmt in own_flow(loop.body, program):
        origin: frozenset[str] | None
        match stmt:
            case s.Move(cards, to):
                origin, targets = uses.origins.of(cards), target_zones(to, program)
            case s.Deal(_, to, source):
                origin, targets = target_zones(source, program), target_zones(to, program)
            case s.Shuffle(into, cards) if cards is not None:
                origin, targets = uses.origins.of(cards), frozenset({into.zone})
            case s.Swap():
                return False
            case _:
                continue
        roads |= {(one, two) for one in (every if origin is None else origin) for two in targets}
    return not _has_circle(roads)


def own_flow(body: Iterable[s.Stmt], program: Program) -> list[s.Stmt]:
    """The statements of a list, those inside others and in the phases called included; not what moves do."""
    found: list[s.Stmt] = []
    seen: set[str] = set()
    waiting: list[Iterable[s.Stmt]] = [body]
    while waiting:
        for stmt in walk_statements(tuple(waiting.pop())):
            found.append(stmt)
            if isinstance(stmt, s.Call) and stmt.phase not in seen and stmt.phase in program.phases:
                seen.add(stmt.phase)
                phase = program.phases[stmt.phase]
                waiting.append((*phase.body, *phase.after))
    return found


def _has_circle(roads: set[tuple[str, str]]) -> bool:
    left = set(roads)
    while left:
        starts = {one for one, _ in left}
        ends = {road for road in left if road[1] not in starts}
        if not ends:
            return True
        left -= ends
    return False


def by_measure(loop: s.Until, flow: Flow) -> set[int]:
    """(c) Assignments that move a number with a range, which the condition reads, one way only.

    Nothing in the loop's own flow moves it the other way, so it comes to the end of its range. A set
    that only loses members, one for sure with this statement, counts as well.
    """
    program, reads = flow.program, flow.uses.reads(loop.condition)
    flow_of_loop = own_flow(loop.body, program)
    inside = {stmt.phase for stmt in flow_of_loop if isinstance(stmt, s.Call)}
    fresh = {name for phase in inside if phase in program.phases for name in program.phases[phase].state}
    writers: dict[s.ValuePlace | str | int, list[s.Assign]] = {}
    for stmt in flow_of_loop:
        match stmt:
            case s.Assign(s.StatePlace(name)) if name in reads.states and name not in fresh:
                if program.state[name].scope not in inside:
                    writers.setdefault(name, []).append(stmt)
            case s.Assign(s.LocalPlace(number)) if number in reads.locals:
                writers.setdefault(number, []).append(stmt)
    found: set[int] = set()
    for place, assigns in writers.items():
        kind = program.state[place].type if isinstance(place, str) else _local_type(place, program)
        if isinstance(kind, t.Int) and kind.high - kind.low <= _WIDEST:
            found |= _one_way(assigns, flow)
        elif isinstance(kind, t.SetOf):
            found |= _losing(assigns)
    return found


def _local_type(place: s.ValuePlace | str | int, program: Program) -> t.Type:
    return program.locals[place].type if isinstance(place, int) else t.NOTHING


def _one_way(assigns: list[s.Assign], flow: Flow) -> set[int]:
    steps = [flow.steps.get(id(stmt)) for stmt in assigns]
    if any(step is None for step in steps):
        return set()
    known = [step for step in steps if step is not None]
    for sign in (1, -1):
        if all(min(sign * step.low, sign * step.high) >= 0 for step in known):
            return {
                id(stmt)
                for stmt, step in zip(assigns, known, strict=True)
                if min(sign * step.low, sign * step.high) >= 1 and not step.none
            }
    return set()


def _losing(assigns: list[s.Assign]) -> set[int]:
    """Statements like `waiting -= first of waiting`, if every statement takes away."""
    if any(stmt.op != "-=" for stmt in assigns):
        return set()
    found = set()
    for stmt in assigns:
        value = stmt.value.of if isinstance(stmt.value, e.One) else stmt.value
        match value, stmt.place:
            case e.End(of) | e.Extreme(_, of), s.StatePlace(name, None):
                if _inside(of, name):
                    found.add(id(stmt))
    return found


def _inside(of: e.Expr, state: str) -> bool:
    match of:
        case e.StateOf(name, None):
            return name == state
        case e.Rounds(inner):
            return _inside(inner, state)
    return False


def by_condition(loop: s.Until, end: Known, flow: Flow) -> Known | None:
    """(d) The condition holds at the end of the round. What is known where it does not."""
    return flow.estimator.refine(end, loop.condition, False)


def by_ring(loop: s.Until, quiet: Quiet, flow: Flow) -> bool:
    """(e) Where nobody is asked, a seat only steps on round a ring, and some seat of the ring is asked.

    The seat is a local or state changed by `left of` or `first of (... starting left of ...)`. Nothing
    else that lasts may change on the paths that ask nobody. The condition must wait for the seat itself
    (`until seat == taker`), or show, while it fails, that the set whose members are asked is not empty.
    """
    program, uses = flow.program, flow.uses
    steps = [stmt for stmt in loop.body if isinstance(stmt, s.Assign) and _is_step(stmt, program)]
    if len(steps) != 1:
        return False
    place = steps[0].place
    waits = uses.reads(loop.condition)
    for stmt in quiet.changes:
        match stmt:
            case s.RevealCards() | s.RevealState():
                continue
            case s.Assign(s.LocalPlace(number)) if number not in waits.locals and stmt.place != place:
                continue
        if stmt is not steps[0]:
            return False
    if _waits_for(loop.condition, place, quiet):
        return True
    return any(_asks_some(stmt, loop, place, quiet) for stmt in loop.body if isinstance(stmt, s.If))


def _is_step(stmt: s.Assign, program: Program) -> bool:
    """`p = left of p`, `p = first of (players starting left of p)`, also through a define."""
    match stmt.value:
        case e.CallDefine(name, (argument,)) if name in program.defines and _reads(argument, stmt.place):
            body = program.defines[name].body
            return any(isinstance(part, e.Seat) and part.kind == "left" for part in walk_expressions(body))
        case e.Seat("left" | "right", of):
            return _reads(of, stmt.place)
        case e.End(e.Rounds(_, e.Seat("left" | "right", of)), False):
            return _reads(of, stmt.place)
    return False


def _reads(expr: e.Expr, place: s.ValuePlace) -> bool:
    match expr, place:
        case e.Local(number), s.LocalPlace(written):
            return number == written
        case e.StateOf(name, None), s.StatePlace(state, None):
            return name == state
    return False


def _waits_for(condition: e.Expr, place: s.ValuePlace, flow: Quiet) -> bool:
    """`until seat == someone`, `until seat in some`: alone or as one of several ways to end."""
    match condition:
        case e.Same(left, right) if _reads(left, place) or _reads(right, place):
            other = right if _reads(left, place) else left
            return not _mentions(other, place, flow) and not flow.estimator.number(other, flow.start).none
        case e.Contains(item, collection) if _reads(item, place):
            return not _mentions(collection, place, flow) and (
                flow.estimator.size(collection, flow.start).low >= 1
            )
        case e.Or(left, right):
            return _waits_for(left, place, flow) or _waits_for(right, place, flow)
    return False


def _mentions(expr: e.Expr, place: s.ValuePlace, flow: Flow) -> bool:
    reads = flow.uses.reads(expr)
    match place:
        case s.LocalPlace(number):
            return number in reads.locals
        case s.StatePlace(name):
            return name in reads.states
    return True


def _asks_some(stmt: s.If, loop: s.Until, place: s.ValuePlace, flow: Quiet) -> bool:
    """`if seat in waiting ...: [ask seat]`, and somebody waits while the condition fails."""
    condition, body = stmt.branches[0]
    if not any(isinstance(inner, s.Ask) and inner.moves for inner in body):
        return False
    waiting = [
        guard.collection
        for guard in _all_of(condition)
        if isinstance(guard, e.Contains) and _reads(guard.item, place)
    ]
    own = frozenset({place.state}) if isinstance(place, s.StatePlace) else frozenset()
    waits = flow.uses.reads(loop.condition)
    if not waiting or not flow.uses.reads(condition).states <= waits.states | own:
        return False
    going_on = flow.estimator.refine(flow.start, loop.condition, False)
    return going_on is None or flow.estimator.size(waiting[0], going_on).low >= 1


def _all_of(condition: e.Expr) -> list[e.Expr]:
    return operands(condition) if isinstance(condition, e.And) else [condition]


# ---------------------------------------------------------------- marking


def _everything(program: Program) -> tuple[object, ...]:
    phases = [stmt for phase in program.phases.values() for stmt in (*phase.body, *phase.after)]
    moves = [stmt for move in program.moves.values() for stmt in move.body]
    return (*program.play, *phases, *moves)


def _mark(program: Program, proven: set[int]) -> Program:
    def body(statements: tuple[s.Stmt, ...]) -> tuple[s.Stmt, ...]:
        return _mapped(statements, one)

    def one(stmt: s.Stmt) -> s.Stmt:
        match stmt:
            case s.If(branches, otherwise):
                marked = _mapped(branches, lambda branch: _branch(branch, body))
                rest = body(otherwise)
                if marked is branches and rest is otherwise:
                    return stmt
                return replace(stmt, branches=marked, otherwise=rest)
            case s.Until():
                inside = body(stmt.body)
                known = id(stmt) in proven
                if inside is stmt.body and known == stmt.proven:
                    return stmt
                return replace(stmt, body=inside, proven=known)
            case s.For() | s.Repeat():
                inside = body(stmt.body)
                return stmt if inside is stmt.body else replace(stmt, body=inside)
        return stmt

    phases = {
        name: replace(phase, body=body(phase.body), after=body(phase.after))
        for name, phase in program.phases.items()
    }
    moves = {name: replace(move, body=body(move.body)) for name, move in program.moves.items()}
    return replace(program, play=body(program.play), phases=phases, moves=moves)


def _branch(
    branch: tuple[e.Expr, tuple[s.Stmt, ...]], body: Callable[[tuple[s.Stmt, ...]], tuple[s.Stmt, ...]]
) -> tuple[e.Expr, tuple[s.Stmt, ...]]:
    inside = body(branch[1])
    return branch if inside is branch[1] else (branch[0], inside)


def _mapped(items: tuple[_Part, ...], change: Callable[[_Part], _Part]) -> tuple[_Part, ...]:
    changed = tuple(change(item) for item in items)
    return items if all(a is b for a, b in zip(items, changed, strict=True)) else changed
