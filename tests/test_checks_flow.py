"""What is said to be known at a place is so in real games: bounds against random play of every ruleset."""

from __future__ import annotations

import random

import pytest
from tables import whole_games

import rulekit
from rulekit.engine import Machine, State
from rulekit.program import Program, prepare
from rulekit.program import expressions as e
from rulekit.program import statements as s
from rulekit.program import types as t
from rulekit.program.bounds import Known, Range, Size, Value, join_known
from rulekit.program.flow import Flow, follow
from rulekit.program.progress import prove_loops
from rulekit.program.walk import bodies, walk_statements

GAMES, DECISIONS = 4, 400


def holds(value: object, bounds: Value) -> bool:
    """Is a value of the engine within its bounds?"""
    if isinstance(bounds, Size):
        assert isinstance(value, tuple)
        return bounds.low <= len(value) <= bounds.high and all(holds(x, bounds.of) for x in value)
    if value is None:
        return bounds.none
    assert isinstance(value, int)
    return bounds.low <= value <= bounds.high


def known_at_asks(program: Program, flow: Flow) -> dict[object, Known]:
    """What is known at the asks, by the place in the file."""
    found: dict[object, Known | None] = {}
    for _, _, body in bodies(program):
        for stmt in walk_statements(body):
            if isinstance(stmt, s.Ask) and id(stmt) in flow.before:
                found[stmt.span] = join_known(found.get(stmt.span), flow.before[id(stmt)])
    return {span: known for span, known in found.items() if known is not None}


def check(program: Program, machine: Machine, state: State, known: Known) -> None:
    for place, cards in zip(machine.layout.places, state.zones, strict=True):
        bounds = known.zones.get(place.zone)
        if bounds is not None:
            assert bounds.low <= len(cards) <= bounds.high, (place.zone, bounds, len(cards))
    for name, declared in program.state.items():
        if declared.scope is not None or declared.block is not None or name in known.unset:
            continue
        extent = machine.setup.extent(declared.per)
        for member in range(extent):
            index = None if declared.per is None else e.Constant(member, type=t.PLAYER)
            value = machine.evaluate(state, e.StateOf(name, index, type=declared.type))
            bounds_of = known.states.get(name)
            if bounds_of is not None:
                assert holds(value, bounds_of), (name, bounds_of, value)


@pytest.mark.parametrize("name", whole_games())
def test_bounds_hold_in_random_games(name: str) -> None:
    program = prove_loops(rulekit.load(name).program)
    flow = follow(program)
    assert not flow.gave_up
    known = known_at_asks(program, flow)
    dice = random.Random(f"bounds of {name}")
    for number in range(GAMES):
        low, high = program.players
        options = {
            option.name: dice.choice([x for x in range(3) if option.accepts(x)] or [option.start])
            for option in program.options.values()
            if not option.fixed and not isinstance(option.start, bool)
        }
        try:
            setup = prepare(program, dice.randint(low, high), options)
        except ValueError:
            setup = prepare(program, dice.randint(low, high))
        machine = Machine(setup)
        state = machine.start(number)
        fresh = True
        for _ in range(DECISIONS):
            decision = machine.decision(state)
            if decision is None:
                break
            if fresh and decision.kind == "single":
                check(program, machine, state, known[decision.span])
            action = dice.choice(machine.legal(state))
            fresh = program.moves[action.move].again is None
            machine.apply(state, action)


def test_bounds_of_a_value_say_what_may_be() -> None:
    assert holds(None, Range(0, 3, True))
    assert not holds(None, Range(0, 3))
    assert not holds((1, 2), Size(0, 1, Range(0, 3)))
