"""A setup becomes a module of the low-level form: the one lowering that every emitter starts from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

# They register how kinds of expressions are lowered.
from rulekit.compiled import (
    fold,
    gather,  # noqa: F401
    lir,
    pattern_questions,  # noqa: F401
    places,
    scalars,  # noqa: F401
    selections,  # noqa: F401
)
from rulekit.compiled.asks import Site
from rulekit.compiled.blocks import merged
from rulekit.compiled.context import Lower
from rulekit.compiled.dead import swept
from rulekit.compiled.domains import Domain
from rulekit.compiled.effects import Effects
from rulekit.compiled.legality import Legal
from rulekit.compiled.lir import NONE, Bits, Int
from rulekit.compiled.outcome import Outcomes
from rulekit.compiled.ranges import Span
from rulekit.compiled.table import Table
from rulekit.compiled.unroll import unrolled
from rulekit.program import Setup
from rulekit.program import expressions as e
from rulekit.program import types as t


@dataclass(frozen=True)
class Lowered:
    """A module, and how to read its fields.

    ``sites``  asks, by the block at which they wait; ``legal`` the moves, by number
    ``piles``  for each place the number of its pile; -1: it is a set
    ``cells``  for each state variable its field, how many, and the domain if it holds sets
    """

    setup: Setup
    module: lir.Module
    sites: dict[int, Site]
    legal: tuple[Legal, ...]
    piles: tuple[int, ...]
    cells: dict[str, tuple[str, int, Domain | None]]
    has_payoff: bool


def lower(
    setup: Setup, phase: str | None = None, arguments: Sequence[Any] = (), *, views: bool = False
) -> Lowered:
    """Lowers a setup; with ``phase``, that phase alone as a whole game.

    ``views``  also keeps what was revealed to whom, so that `rulekit.compiled.observing` can be added.

    Raises `Unsupported` for what the low-level form does not carry.
    """
    from rulekit.compiled.flow import Flow

    lowering = Lower(setup, views)
    b = lowering.b
    seats = lowering.span(t.PLAYER, True)
    b.field("pc", start=-1)
    b.field("choices", span=Span(0, 1 << 20))
    b.field("actor", start=NONE, span=seats)
    b.field("me", start=0 if setup.players == 1 else NONE, span=Span(0, 0) if setup.players == 1 else seats)
    b.field("depth", span=Span(0, 255))
    b.field("decisions", span=Span(0, setup.program.end.limit))
    b.field("ending", span=Span(0, 3))
    b.field("length", span=Span(0, setup.program.end.limit))
    b.field("fault", span=Span(0, 1 << 20))
    b.field("fault_arguments", count=2)
    lowering.me = Int(0) if setup.players == 1 else b.load("me")
    lowering.places = places.Places(lowering)
    table = Table(lowering)
    effects = Effects(lowering, table)
    flow = Flow(lowering, table, effects)
    start, play = b.block(), b.block()
    flow.open(start)
    table.deep = False
    begin(lowering, flow, effects, table, phase)
    if phase is None:
        flow.close(play)
    else:
        number = flow.stops.number[phase]
        for parameter, value in zip(setup.program.phases[phase].parameters, arguments, strict=True):
            lowering.places.set_local(parameter, given(lowering, parameter, value))
        b.store("back", flow.end, number)
        flow.close(flow.entries[number])
    flow.program(play)
    flow.rounds.write()
    flow.asks.apply()
    outcomes = Outcomes(lowering)
    blocks = [block if block is not None else (lir.Goto(Int(lir.OVER)),) for block in b.blocks]
    module = lir.Module(
        setup.program.name,
        tuple(b.fields.values()),
        tuple(b.tables.values()),
        lowering.places.piles + flow.rounds.piles,
        lowering.n,
        tuple(b.functions),
        tuple(blocks),
        start,
        tuple(b.faults),
    )
    module = merged(tidied(module), flow.afters)  # `onward` finds these in a table
    cells = {}
    for state in setup.program.state.values():
        name = f"s_{state.name}"
        domain = None
        if isinstance(state.type, t.Collection):
            domain = lowering.domain(state.type.of)
        cells[state.name] = name, setup.extent(state.per), domain
    return Lowered(
        setup,
        module,
        {site.wait: site for site in flow.asks.sites},
        tuple(flow.legality.moves),
        tuple(
            number if pile else -1
            for number, pile in zip(lowering.places.pile_numbers, lowering.places.is_pile, strict=False)
        ),
        cells,
        outcomes.has_payoff,
    )


def tidied(module: lir.Module) -> lir.Module:
    """The same module without what does nothing, short loops written out."""
    tables = {table.name: table.values for table in module.tables}

    def tidy(body: lir.Body) -> lir.Body:
        return swept(unrolled(body, tables))

    return replace(
        module,
        functions=tuple(replace(each, body=tidy(each.body)) for each in module.functions),
        blocks=tuple(tidy(block) for block in module.blocks),
    )


def begin(lowering: Lower, flow: Any, effects: Effects, table: Table, phase: str | None) -> None:
    """Before the first statement: all cards in the box, all state at START."""
    b, places_, program = lowering.b, lowering.places, lowering.program
    b.store("zm", fold.full(lowering.cards), 0)
    if places_.has_slots:
        always = sum(1 << place.number for place in places_.all if place.always)
        b.store("used", lir.Set(always, Bits(len(places_.all))))
    for place in places_.all:
        if place.always and place.zone in program.zones and program.zones[place.zone].fields:
            table._fresh(Int(place.number))
    owned = {
        name for part in (program.phases, program.moves) for owner in part.values() for name in owner.state
    }
    owned |= set(program.play_state)
    for state in program.state.values():
        if state.name not in owned:
            effects.start(state)
    if phase is not None:
        for state in program.state.values():
            if state.scope is None and state.start is None and isinstance(state.type, t.Player):
                for member in range(lowering.setup.extent(state.per)):
                    drawn = b.var(span=lowering.span(t.PLAYER))
                    b.emit(lir.Draw(drawn, Int(lowering.setup.players)))
                    b.store(f"s_{state.name}", lir.Get(drawn), member)
    for state in program.state.values():
        if state.name in owned:
            with b.collect() as stmts:
                effects.start(state)
            if not any(
                faults(stmt) for stmt in stmts
            ):  # else it reads what is known only when the phase begins
                b.emit(*stmts)
    if table.watched:
        b.store("dirty", fold.empty(table.kind))


def faults(stmt: lir.Stmt) -> bool:
    """The statement may fault."""
    match stmt:
        case lir.Trap() | lir.Call():
            return True
        case lir.If(_, then, otherwise):
            return any(faults(inner) for inner in (*then, *otherwise))
        case lir.While(_, body) | lir.ForBits(_, _, body) | lir.ForRange(_, _, _, body):
            return any(faults(inner) for inner in body)
    return False


def given(lowering: Lower, parameter: int, value: Any) -> Any:
    """A value from outside as one of the low-level form."""
    return lowering.value(e.Constant(value, type=lowering.program.locals[parameter].type))
