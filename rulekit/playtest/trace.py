"""A whole random game, step by step or as one number: equal games give equal traces, on every machine."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from typing import Any

from rulekit.engine import Machine, State
from rulekit.engine.chance import streams
from rulekit.playtest.wander import wander


def trace(machine: Machine, seed: int = 0, game: int = 0) -> Iterator[list[Any]]:
    """What happens in game ``game`` of a batch, all seats playing at random, as plain data.

    For each decision: who is asked what, who sees which cards, what is legal, what is chosen. Last comes the
    outcome, with the score sheet.
    """
    state = machine.start(seed, game)
    stream = streams(seed, game)[1]
    while (decision := machine.decision(state)) is not None:
        stream, place = wander(stream, state.legal)
        moves = list(decision.moves)
        yield [decision.actor, decision.whom, moves, _seen(machine, state), state.legal, place]
        machine.apply(state, state.legal[place])
    outcome = machine.outcome(state)
    sheet = [list(receipt) for receipt in state.receipt_list()]
    yield [outcome.reason, outcome.ranking, outcome.scores, outcome.payoffs, outcome.length, sheet]


def trace_hash(machine: Machine, seed: int = 0, game: int = 0) -> str:
    """64 hexadecimal digits that stand for the trace of a game."""
    found = hashlib.sha256()
    for step in trace(machine, seed, game):
        found.update(json.dumps(step).encode())
    return found.hexdigest()


def _seen(machine: Machine, state: State) -> list[int]:
    """For each card the mask of seats that see it."""
    layout = machine.layout
    return [
        layout.everyone if layout.faced[place] and up else layout.sees[place] | shown
        for place, up, shown in zip(state.place, state.up, state.shown, strict=True)
    ]
