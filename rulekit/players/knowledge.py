"""What a seat knows by looking at the table: to tell whether it has learned something since."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from rulekit.engine import Machine, State
from rulekit.players.imagine import sees


@dataclass(frozen=True)
class Knowledge:
    """At one position: the cards the seat sees or was shown in a move, and the hidden state it sees.

    ``chance`` is the place in the stream of chance: another place means that chance has decided something.
    """

    cards: frozenset[int]
    shown: frozenset[int]
    cells: frozenset[int]
    chance: int


def knowledge(machine: Machine, state: State, seat: int) -> Knowledge:
    """What the seat knows in this position; ``shown`` are cards named in the last moves and points."""
    shown: set[int] = set()
    link = state.receipts
    while link is not None and link[1].decision == state.decisions:
        receipt = link[1]
        shown |= {
            card
            for card, mask in zip(receipt.cards, receipt.cards_seen, strict=True)
            if mask >> seat & 1 and receipt.seen >> seat & 1
        }
        link = link[0]
    events, past = list(state.opened), state.history
    while past is not None and len(events) < machine.setup.players + 2:  # as many as may be told at once
        past, event = past
        events.append(event)
    for event in events:
        for value, mask in zip(event.values, event.seen, strict=True):
            if isinstance(mask, tuple):
                shown |= {card for card, m in zip(value, mask, strict=True) if m >> seat & 1}
            elif mask is not None and mask >> seat & 1:
                shown.add(value)
    layout = machine.layout
    return Knowledge(
        cards=frozenset(card for card in range(len(state.place)) if sees(machine, state, seat, card)),
        shown=frozenset(shown),
        cells=frozenset(
            cell
            for cell, mask in enumerate(layout.cell_sees)
            if mask != layout.everyone and state.cells_shown[cell] >> seat & 1
        ),
        chance=state.chance,
    )


def learned(then: Knowledge, since: Iterable[Knowledge], machine: Machine) -> str | None:
    """What the seat has learned: `KS 4H`, `what was hidden`, `what chance decided`; None if nothing.

    ``since`` are the positions after ``then``, in order.
    """
    known = then.cards | then.shown
    found: set[int] = set()
    cells = chance = False
    for now in since:
        found |= (now.cards | now.shown) - known
        cells = cells or bool(now.cells - then.cells)
        chance = chance or now.chance != then.chance
    if found:
        return machine.setup.pack.format_cards(sorted(found))
    if cells:
        return "what was hidden"
    return "what chance decided" if chance else None
