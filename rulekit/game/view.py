"""What one seat may see, as text and numbers: nothing else of a game may be shown to a player."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rulekit.engine import HIDDEN as HIDDEN_VALUE
from rulekit.engine import Event as EngineEvent
from rulekit.engine import Receipt as EngineReceipt
from rulekit.engine import View as EngineView
from rulekit.game.moves import Move, describe_move
from rulekit.game.notation import HIDDEN, Notation, PublicValue
from rulekit.program.types import CARD

StateValue = PublicValue | tuple[PublicValue, ...] | Mapping[str, PublicValue]


@dataclass(frozen=True)
class Played:
    """A move that was made: the ``number``-th of the game (from 1), by ``seat``, for the player ``whom``."""

    number: int
    seat: int
    whom: int
    move: Move

    def __str__(self) -> str:
        return f"P{self.seat + 1} {self.move}"


@dataclass(frozen=True)
class Receipt:
    """Why a number changed: ``amount`` was added to ``counter`` of ``member`` for ``reason``.

    ``member`` is a seat (from 0) for a counter per player, else text, or None if there is one counter for
    all. ``cards`` are those that counted. ``after`` is how many decisions had been made.
    """

    counter: str
    member: int | str | None
    amount: int
    reason: str
    cards: tuple[str, ...]
    after: int

    def __str__(self) -> str:
        whose = "" if self.member is None else f" of {self.member}"
        if isinstance(self.member, int):
            whose = f" of P{self.member + 1}"
        text = f"{self.counter}{whose} {self.amount:+d} for {self.reason.replace('_', ' ')}"
        return f"{text}: {' '.join(self.cards)}" if self.cards else text


@dataclass(frozen=True)
class View:
    """A position as ``seat`` sees it. It holds neither the seed nor any card the seat has not seen.

    ``to_move``  who is asked (None: the game is over), ``moves``  his legal moves, if that is the seat itself
    ``zones``  the cards in each place, `??` for each hidden one: `{"hand-P1": ("4S", "KH"), "stock": ...}`;
    piles bottom first, in a set the hidden cards last
    ``state``  what is remembered: one value, or for state per player a tuple by seat, else a value by name;
    `??` where it is hidden
    ``history``  the moves made, ``receipts``  why numbers changed, both as far as the seat may know
    """

    seat: int
    to_move: int | None
    zones: Mapping[str, tuple[str, ...]]
    state: Mapping[str, StateValue]
    history: tuple[Played, ...]
    receipts: tuple[Receipt, ...]
    moves: tuple[Move, ...]

    def as_json(self) -> dict[str, Any]:
        """The view as plain data for a client."""
        return {
            "seat": self.seat,
            "to_move": self.to_move,
            "zones": {place: list(cards) for place, cards in self.zones.items()},
            "state": {name: _plain(value) for name, value in self.state.items()},
            "history": [str(played) for played in self.history],
            "receipts": [str(receipt) for receipt in self.receipts],
            "moves": [move.text for move in self.moves],
        }


def describe_view(notation: Notation, view: EngineView) -> View:
    """The engine's view in words."""
    return View(
        seat=view.seat,
        to_move=None if view.decision is None else view.decision.actor,
        zones={
            notation.place(place.place): tuple(notation.value(CARD, card) for card in place.cards)
            for places in view.zones.values()
            for place in places
            if place.place != 0
        },
        state={name: _state(notation, name, values) for name, values in view.state.items()},
        history=tuple(describe_event(notation, event) for event in view.events),
        receipts=tuple(describe_receipt(notation, receipt) for receipt in view.receipts),
        moves=tuple(describe_move(notation, action.move, action.values) for action in view.legal),
    )


def describe_event(notation: Notation, event: EngineEvent) -> Played:
    """A move made, from the engine's event."""
    return Played(event.number, event.seat, event.whom, describe_move(notation, event.move, event.values))


def describe_receipt(notation: Notation, receipt: EngineReceipt) -> Receipt:
    """A receipt from the engine's."""
    member: int | str | None = receipt.member
    per = notation.program.state[receipt.state].per
    if receipt.member is not None and per not in (None, "player"):
        member = notation.member(per, receipt.member)
    cards = tuple(notation.value(CARD, card) for card in receipt.cards)
    return Receipt(receipt.state, member, receipt.amount, receipt.reason, cards, receipt.decision)


def _state(notation: Notation, name: str, values: tuple[Any, ...]) -> StateValue:
    definition = notation.program.state[name]
    shown: tuple[PublicValue, ...] = tuple(
        HIDDEN if value is HIDDEN_VALUE else notation.public(definition.type, value) for value in values
    )
    match definition.per:
        case None:
            return shown[0]
        case "player":
            return shown
        case per:
            return {notation.member(per, number): value for number, value in enumerate(shown)}


def _plain(value: StateValue) -> Any:
    if isinstance(value, tuple):
        return [_plain(one) for one in value]
    return dict(value) if isinstance(value, Mapping) else value
