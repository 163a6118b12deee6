"""Asks: the only points where a game waits for a player."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rulekit.engine.evaluate import Fn, Scope, needed
from rulekit.engine.fault import NO_LEGAL_MOVE, FaultError
from rulekit.engine.legality import Legality
from rulekit.engine.record import Action, Decision, Ending, Event
from rulekit.engine.rounds import WAIT, finish
from rulekit.engine.state import State
from rulekit.program import statements as st

if TYPE_CHECKING:
    from rulekit.engine.flow import Flow


@dataclass(frozen=True)
class Site:
    """One ask of the program.

    ``moves`` are numbers, in the order of the program. ``asking`` is the instruction that finds out who is
    asked, ``wait`` the one that waits, ``done`` the one that follows a move. The other fields are marks of
    the state: ``actor`` and ``whom`` he chooses for, ``me`` before the ask, ``again`` true after a move that
    asks again, ``pending`` seats yet to choose, ``chosen`` sealed choices as (number of the decision, seat,
    move, values), ``current`` the move under way.
    """

    stmt: st.Ask
    moves: tuple[int, ...]
    answers: tuple[Callable[[State, Any], None], ...]
    asking: int
    wait: int
    done: int
    actor: int
    whom: int
    me: int
    again: int
    pending: int
    chosen: int
    current: int


def ask(flow: Flow, stmt: st.Ask) -> None:
    """Adds the instructions of an ask."""
    order = list(flow.scope.program.moves)
    asking, wait, done = flow.reserve(), flow.reserve(), flow.reserve()
    site = Site(
        stmt,
        tuple(sorted({order.index(move) for move in stmt.moves})),
        tuple(flow.keep(local) for local in stmt.answers),
        asking,
        wait,
        done,
        *(flow.mark() for _ in range(7)),
    )
    flow.sites[wait] = site
    flow.statements[wait] = stmt
    if stmt.together:
        flow.code[asking] = _asking_all(flow.scope, site, flow.here)
        flow.code[wait] = _waiting(flow, site, flow.here)
        flow.code[done] = _next_effect(flow, site, flow.here)
    else:
        flow.code[asking] = _asking(flow.scope, site)
        flow.code[wait] = _waiting(flow, site, flow.here)
        flow.code[done] = _moved(flow, site, flow.here)


# ---------------------------------------------------------------- waiting


def _asking(scope: Scope, site: Site) -> Callable[[State], int]:
    """Instruction: who is asked, and for whom."""
    stmt = site.stmt
    who = needed(scope.compile(stmt.who), stmt.who, "the player asked")
    whom: Fn = who
    if stmt.whom is not None:
        whom = needed(scope.compile(stmt.whom), stmt.whom, "the player asked for")

    def op(s: State) -> int:
        s.marks[site.actor] = who(s)
        s.marks[site.whom] = whom(s)
        s.marks[site.again] = False
        return site.wait

    return op


def _asking_all(scope: Scope, site: Site, out: int) -> Callable[[State], int]:
    """Instruction: all who choose together; nothing happens if that is nobody."""
    who = scope.compile(site.stmt.who)

    def op(s: State) -> int:
        seats = who(s)
        if not seats:
            return out
        s.marks[site.pending] = tuple(seats)
        s.marks[site.chosen] = ()
        s.marks[site.actor] = s.marks[site.whom] = seats[0]
        s.marks[site.again] = False
        return site.wait

    return op


def _waiting(flow: Flow, site: Site, out: int) -> Callable[[State], int]:
    """Instruction: finds the legal actions and waits; without any, an ask after `again` is over."""
    legality = tuple(flow.legality[number] for number in site.moves)
    limit = flow.rounds.limit

    def op(s: State) -> int:
        s.legal = legal_actions(s, site, legality)
        if not s.legal:
            if s.marks[site.again]:
                clear(s, site)
                return out
            seat = s.marks[site.actor]
            raise FaultError(NO_LEGAL_MOVE, f"P{seat + 1} has no legal move", site.stmt.span)
        if s.decisions >= limit:
            return finish(s, Ending("limit"))
        s.pc = site.wait
        return WAIT

    return op


def legal_actions(s: State, site: Site, legality: tuple[Legality, ...]) -> tuple[Action, ...]:
    """All legal actions at an ask, moves in the order of the program."""
    outer, s.me = s.me, s.marks[site.whom]
    try:
        return tuple([action for move in legality for action in move.actions(s)])
    finally:
        s.me = outer


def clear(s: State, site: Site) -> None:
    """The ask is over; nothing of it is left in the state."""
    for mark in (site.actor, site.whom, site.me, site.again, site.pending, site.chosen, site.current):
        s.marks[mark] = None


def decision(s: State, site: Site, names: tuple[str, ...]) -> Decision:
    """Who is asked what."""
    actor = s.marks[site.actor]
    pending = s.marks[site.pending] if site.stmt.together else (actor,)
    return Decision(
        actor,
        s.marks[site.whom],
        tuple(names[number] for number in site.moves),
        "sealed" if site.stmt.together else "single",
        pending,
        site.stmt.span,
    )


# ---------------------------------------------------------------- moving


def choose(flow: Flow, s: State, site: Site, move: int, values: tuple[Any, ...]) -> int:
    """The actor's choice, known to be legal, is made; returns the instruction to go on with."""
    s.decisions += 1
    for note in site.answers:
        note(s, move)
    actor = s.marks[site.actor]
    if not site.stmt.together:
        s.marks[site.me] = s.me
        s.depth += 1
        return _begin(flow, s, site, s.decisions, actor, move, values)
    s.marks[site.chosen] += ((s.decisions, actor, move, values),)
    rest = s.marks[site.pending] = s.marks[site.pending][1:]
    if rest:
        s.marks[site.actor] = s.marks[site.whom] = rest[0]
        return site.wait
    s.marks[site.me] = s.me
    s.depth += 1
    return site.done


def _begin(
    flow: Flow, s: State, site: Site, number: int, seat: int, move: int, values: tuple[Any, ...]
) -> int:
    """A move begins: its choices are noted and its event is opened."""
    legality = flow.legality[move]
    whom: int = s.marks[site.whom] if not site.stmt.together else seat
    s.me = whom
    table = flow.effects.table
    knows = 1 << seat | 1 << whom  # who chooses a card knows which
    seen: list[Any] = []
    for parameter, value in zip(legality.parameters, values, strict=True):
        parameter.note(s, value)
        if parameter.cards == "card":
            seen.append(knows | table.seen(s, value))
        elif parameter.cards == "cards":
            seen.append(tuple(knows | table.seen(s, card) for card in value))
        else:
            seen.append(None)
    s.opened += (Event(number, seat, whom, legality.name, values, tuple(seen)),)
    s.marks[site.current] = move
    s.marks[flow.move_backs[move]] = site.done
    return flow.move_entries[move]


def _close(s: State) -> None:
    """The innermost move is complete: its event goes into the history."""
    s.history = (s.history, s.opened[-1])
    s.opened = s.opened[:-1]


def _moved(flow: Flow, site: Site, out: int) -> Callable[[State], int]:
    """Instruction after a single move: `stop when` is tested, then `again`."""
    agains: dict[int, Fn] = {}
    for number, move in enumerate(flow.scope.program.moves.values()):
        if number in site.moves and move.again is not None:
            agains[number] = flow.scope.compile(move.again)

    def op(s: State) -> int:
        _close(s)
        s.depth -= 1
        number = s.marks[site.current]
        whom, s.me = s.me, s.marks[site.me]
        if flow.watched and s.dirty and not s.depth:
            to = flow.stops.test(s, out)
            if to != out:
                flow.move_forgets[number](s)
                return to
        again = False
        if number in agains:
            s.me = whom
            again = bool(agains[number](s))
            s.me = s.marks[site.me]
        flow.move_forgets[number](s)
        if again:
            s.marks[site.again] = True
            return site.wait
        clear(s, site)
        return out

    return op


def _next_effect(flow: Flow, site: Site, out: int) -> Callable[[State], int]:
    """Instruction after the last choice of a sealed ask, and after the effect of each: the next effect.

    The whole ask counts as one move, after which `stop when` is tested.
    """

    def op(s: State) -> int:
        current = s.marks[site.current]
        if current is not None:
            _close(s)
            flow.move_forgets[current](s)
        chosen = s.marks[site.chosen]
        if chosen:
            s.marks[site.chosen] = chosen[1:]
            return _begin(flow, s, site, *chosen[0])
        s.depth -= 1
        s.me = s.marks[site.me]
        clear(s, site)
        return flow.stops.test(s, out) if flow.watched and s.dirty and not s.depth else out

    return op
