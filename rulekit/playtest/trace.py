"""A whole random game as one number: equal games give equal traces, on every machine."""

from __future__ import annotations

import hashlib
import json

from rulekit.engine import Machine, State
from rulekit.engine.chance import streams
from rulekit.playtest.wander import wander


def trace_hash(machine: Machine, seed: int = 0, game: int = 0) -> str:
    """64 hexadecimal digits for game ``game`` of a batch, all seats playing at random.

    They stand for who was asked what, who saw which cards, what was legal, what was chosen, the score sheet
    and the outcome.
    """
    state = machine.start(seed, game)
    stream = streams(seed, game)[1]
    found = hashlib.sha256()
    while (decision := machine.decision(state)) is not None:
        stream, place = wander(stream, state.legal)
        asked = [
            decision.actor,
            decision.whom,
            list(decision.moves),
            _seen(machine, state),
            state.legal,
            place,
        ]
        found.update(json.dumps(asked).encode())
        machine.apply(state, state.legal[place])
    outcome = machine.outcome(state)
    sheet = [list(receipt) for receipt in state.receipt_list()]
    end = [outcome.reason, outcome.ranking, outcome.scores, outcome.payoffs, outcome.length, sheet]
    found.update(json.dumps(end).encode())
    return found.hexdigest()


def _seen(machine: Machine, state: State) -> list[int]:
    """For each card the mask of seats that see it."""
    layout = machine.layout
    return [
        layout.everyone if layout.faced[place] and up else layout.sees[place] | shown
        for place, up, shown in zip(state.place, state.up, state.shown, strict=True)
    ]
