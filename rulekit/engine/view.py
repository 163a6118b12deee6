"""What one seat may see. Everything shown to a player is made from this, and from nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rulekit.engine.evaluate import Scope
from rulekit.engine.legality import card_kind
from rulekit.engine.record import Action, Decision, Ending, Event, Receipt
from rulekit.engine.state import State
from rulekit.engine.table import Table


class Hidden:
    """The value of state that the seat may not see: `HIDDEN`."""

    def __repr__(self) -> str:
        return "HIDDEN"

    def __reduce__(self) -> str:
        return "HIDDEN"


HIDDEN = Hidden()


@dataclass(frozen=True)
class PlaceView:
    """One place: its cards in order, None for each that is hidden. In a set the hidden ones come last.

    ``up`` says for each card that it lies face up, in a zone seen by face. ``fields`` are those of a slot.
    """

    place: int
    zone: str
    member: int | None
    slot: int
    cards: tuple[int | None, ...]
    up: tuple[bool, ...] = ()
    fields: tuple[tuple[str, Any], ...] = ()


@dataclass(frozen=True)
class View:
    """A position as ``seat`` sees it.

    ``zones``  for each zone its places in use
    ``state``  for each state variable that exists now its values, one for each member; HIDDEN where hidden
    ``events``, ``receipts``  with None for each card the seat could not see; an open sealed ask is not told
    ``legal``  the legal actions, for the seat that is to move; ``decision`` who that is
    """

    seat: int
    zones: Mapping[str, tuple[PlaceView, ...]]
    state: Mapping[str, tuple[Any, ...]]
    events: tuple[Event, ...]
    receipts: tuple[Receipt, ...]
    decision: Decision | None
    legal: tuple[Action, ...]
    ending: Ending | None


class Views:
    """Makes views of states of one setup."""

    def __init__(self, scope: Scope, table: Table) -> None:
        self.layout = scope.layout
        self.program = scope.program
        self.table = table
        self._phases = tuple(self.program.phases)
        self._owners = tuple(self.layout.owners)

    def view(self, s: State, seat: int, decision: Decision | None) -> View:
        """The position as a seat sees it."""
        mine = decision is not None and decision.actor == seat
        legal = s.legal if mine else ()
        lent: set[int] = set()
        if decision is not None and mine and decision.whom != seat:
            # Who chooses for another is shown the cards offered, as far as the other sees them.
            offered = {card for action in legal for card in self._cards(action)}
            lent = {card for card in offered if self._sees(s, decision.whom, card)}
        return View(
            seat,
            self._zones(s, seat, lent),
            self._state(s, seat),
            tuple(self._event(event, seat) for event in s.events()),
            tuple(self._receipt(one, seat) for one in s.receipt_list() if self._told(s, one, seat)),
            decision,
            legal,
            s.ending,
        )

    def _sees(self, s: State, seat: int, card: int) -> bool:
        return bool(self.table.seen(s, card) >> seat & 1)

    def _cards(self, action: Action) -> list[int]:
        """The cards named in an action."""
        found: list[int] = []
        for value, choice in zip(action.values, self.program.moves[action.move].choices, strict=True):
            kind = card_kind(choice.type)
            if kind == "card":
                found.append(value)
            elif kind == "cards":
                found.extend(value)
        return found

    def _zones(self, s: State, seat: int, lent: set[int]) -> dict[str, tuple[PlaceView, ...]]:
        found: dict[str, list[PlaceView]] = {}
        for place in self.layout.places:
            views = found.setdefault(place.zone, [])
            if not s.used[place.number]:
                continue
            cards: list[int | None] = [
                card if card in lent or self._sees(s, seat, card) else None for card in s.zones[place.number]
            ]
            if place.kind == "set":
                known = [card for card in cards if card is not None]
                cards = [*known, *[None] * (len(cards) - len(known))]
            faced = self.layout.faced[place.number] and place.kind == "pile"
            views.append(
                PlaceView(
                    place.number,
                    place.zone,
                    place.member,
                    place.slot,
                    tuple(cards),
                    tuple(s.up[card] for card in s.zones[place.number]) if faced else (),
                    tuple(
                        (name, s.cells[family.first])
                        for (_, name, number), family in self.layout.fields.items()
                        if number == place.number
                    ),
                )
            )
        return {zone: tuple(views) for zone, views in found.items()}

    def _alive(self, s: State, state: str) -> bool:
        """The state exists now: its phase or move is under way."""
        life = self.layout.lives.get(state)
        if life is None:
            return True
        kind, _, name = self._owners[life].partition(" ")
        if kind == "phase":
            return any(self._phases[number] == name for number in s.running)
        return kind == "play" or any(event.move == name for event in s.opened)

    def _state(self, s: State, seat: int) -> dict[str, tuple[Any, ...]]:
        found: dict[str, tuple[Any, ...]] = {}
        for state in self.program.state.values():
            if self._alive(s, state.name):
                family, sees = self.layout.states[state.name], self.layout.cell_sees
                found[state.name] = tuple(
                    s.cells[cell] if (sees[cell] | s.cells_shown[cell]) >> seat & 1 else HIDDEN
                    for cell in family.cells
                )
        return found

    def _event(self, event: Event, seat: int) -> Event:
        values: list[Any] = []
        for value, seen in zip(event.values, event.seen, strict=True):
            if isinstance(seen, tuple):
                values.append(_known(value, seen, seat))
            elif seen is None or seen >> seat & 1:
                values.append(value)
            else:
                values.append(None)
        return event._replace(values=tuple(values), seen=(None,) * len(values))

    def _told(self, s: State, receipt: Receipt, seat: int) -> bool:
        """A receipt is seen by those who see its counter, and by everyone once the counter's life is over."""
        if receipt.seen >> seat & 1 or s.ending is not None:
            return True
        life = self.layout.lives.get(receipt.state)
        return life is not None and s.lives[life] != receipt.life

    def _receipt(self, receipt: Receipt, seat: int) -> Receipt:
        return receipt._replace(
            cards=_known(receipt.cards, receipt.cards_seen, seat),
            cards_seen=(),
            seen=0,
        )


def _known(cards: tuple[int, ...], seen: tuple[int, ...], seat: int) -> Any:
    """The cards the seat could see, in order, then None for each of the others: their order would tell."""
    known = [card for card, mask in zip(cards, seen, strict=True) if mask >> seat & 1]
    return (*known, *[None] * (len(cards) - len(known)))
