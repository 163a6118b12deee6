"""The state of a game: flat lists of immutable values, so that a copy is a few list copies."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulekit.engine.fault import Fault
from rulekit.engine.record import Action, Chain, Ending, Event, Receipt, chain, unchain

#: Everything that decides how a game can go on. Lists of numbers, Nones and (nested) tuples of them.
LISTS = ("zones", "up", "mover", "shown", "used", "cells", "cells_shown", "locals", "marks", "stage")
#: ... and single such values.
SINGLES = ("running", "me", "depth", "pc", "chance", "deal", "draws")
#: What a copy needs besides, but what the future does not depend on, or what follows from the rest.
OTHERS = (
    "place",
    "lives",
    "armed",
    "dirty",
    "decisions",
    "opened",
    "receipts",
    "history",
    "ending",
    "legal",
    "origin",
)


class State:
    """One position of one game. Made by a `Machine`; compared and hashed by all that decides its future.

    ``zones``  for each place the tuple of its cards: a set in deck order, a pile bottom first
    ``place``  for each card the place it lies in
    ``up``  for each card: it lies face up in a zone seen by face
    ``mover``  for each card the seat that last moved it by a move of its own
    ``shown``  for each card the mask of seats it was revealed to
    ``used``  for each place: it exists (slots come and go)
    ``cells``, ``cells_shown``  values of state variables and fields, and whom hidden ones were revealed to
    ``locals``  the locals that may be alive across an ask
    ``marks``  loops, return addresses, and asks under way
    ``stage``, ``running``, ``armed``  phases: how far each is, which run (outermost first), what their
    `stop when` reads
    ``me``, ``depth``, ``pc``  the player of the move under way, how many moves are open, the next instruction
    ``dirty``  names assigned since the last test of `stop when`
    ``decisions``  how much of the match budget is used
    ``chance``, ``deal``, ``draws``  the stream of chance, and the forced results still to come
    ``lives``  how often the lifetime of each scope has begun or ended
    ``origin``  where the stream of chance began, if nothing but chance and the moves made led here, else None
    ``opened``  events of the moves under way; ``history`` those of the moves completed; ``receipts``
    ``ending``  None while the game goes on; ``legal`` the legal actions at the decision reached
    """

    __slots__ = (*LISTS, *SINGLES, *OTHERS)

    zones: list[tuple[int, ...]]
    place: list[int]
    up: list[bool]
    mover: list[int | None]
    shown: list[int]
    used: list[bool]
    cells: list[Any]
    cells_shown: list[int]
    locals: list[Any]
    marks: list[Any]
    stage: list[int]
    running: tuple[int, ...]
    armed: int
    me: int | None
    depth: int
    pc: int
    dirty: int
    decisions: int
    chance: int
    deal: tuple[tuple[int, ...], ...]
    draws: tuple[Any, ...]
    lives: list[int]
    opened: tuple[Event, ...]
    receipts: Chain
    history: Chain
    ending: Ending | None
    legal: tuple[Action, ...]
    origin: int | None

    def copy(self) -> State:
        """A state that goes its own way from here."""
        other = State.__new__(State)
        other.zones = self.zones[:]
        other.place = self.place[:]
        other.up = self.up[:]
        other.mover = self.mover[:]
        other.shown = self.shown[:]
        other.used = self.used[:]
        other.cells = self.cells[:]
        other.cells_shown = self.cells_shown[:]
        other.locals = self.locals[:]
        other.marks = self.marks[:]
        other.stage = self.stage[:]
        other.lives = self.lives[:]
        other.running = self.running
        other.armed = self.armed
        other.me = self.me
        other.depth = self.depth
        other.pc = self.pc
        other.dirty = self.dirty
        other.decisions = self.decisions
        other.chance = self.chance
        other.deal = self.deal
        other.draws = self.draws
        other.opened = self.opened
        other.receipts = self.receipts
        other.history = self.history
        other.ending = self.ending
        other.legal = self.legal
        other.origin = self.origin
        return other

    __copy__ = copy

    def __deepcopy__(self, memo: object) -> State:
        return self.copy()

    def position(self) -> tuple[Any, ...]:
        """All that decides how the game can go on, except how much of the match budget is used."""
        return (
            *(tuple(getattr(self, name)) for name in LISTS),
            *(getattr(self, name) for name in SINGLES),
            self.ending and (self.ending.reason, self.ending.length),
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, State):
            return NotImplemented
        return self.decisions == other.decisions and self.position() == other.position()

    def __hash__(self) -> int:
        return hash(self.position())

    def events(self) -> list[Event]:
        """All actions made so far, in the order in which they were chosen."""
        return sorted([*unchain(self.history), *self.opened], key=lambda event: event.number)

    def receipt_list(self) -> list[Receipt]:
        """The score sheet of the match so far."""
        return unchain(self.receipts)

    def __reduce__(self) -> tuple[Callable[[dict[str, Any]], State], tuple[dict[str, Any]]]:
        return _unpickle, (self.dump(),)

    def dump(self) -> dict[str, Any]:
        """The state as data that JSON can hold; `undump` gives it back."""
        data: dict[str, Any] = {name: _plain(getattr(self, name)) for name in (*LISTS, *SINGLES)}
        data |= {name: getattr(self, name) for name in ("armed", "dirty", "decisions", "origin")}
        data["place"] = list(self.place)
        data["lives"] = list(self.lives)
        data["opened"] = _plain(self.opened)
        data["receipts"] = _plain(unchain(self.receipts))
        data["history"] = _plain(unchain(self.history))
        data["legal"] = _plain(self.legal)
        data["ending"] = None
        if self.ending is not None:
            fault = self.ending.fault
            data["ending"] = {
                "reason": self.ending.reason,
                "length": self.ending.length,
                "fault": fault and [fault.code, fault.message, list(fault.hints)],
            }
        return data


def undump(data: dict[str, Any]) -> State:
    """The state that was dumped. The place in the file of a fault is not kept."""
    state = State.__new__(State)
    for name in (*LISTS, "place", "lives"):
        setattr(state, name, [_frozen(value) for value in data[name]])
    for name in (*SINGLES, "armed", "dirty", "decisions"):
        setattr(state, name, _frozen(data[name]))
    state.origin = data.get("origin")
    state.opened = tuple(Event(*_frozen(event)) for event in data["opened"])
    state.receipts = chain(Receipt(*_frozen(receipt)) for receipt in data["receipts"])
    state.history = chain(Event(*_frozen(event)) for event in data["history"])
    state.legal = tuple(Action(*_frozen(action)) for action in data["legal"])
    state.ending = None
    if (ending := data["ending"]) is not None:
        fault = ending["fault"]
        state.ending = Ending(
            ending["reason"], ending["length"], fault and Fault(fault[0], fault[1], None, tuple(fault[2]))
        )
    return state


_unpickle = undump


def _plain(value: Any) -> Any:
    """Tuples as lists, all the way down."""
    return [_plain(item) for item in value] if isinstance(value, list | tuple) else value


def _frozen(value: Any) -> Any:
    """Lists as tuples, all the way down."""
    return tuple(_frozen(item) for item in value) if isinstance(value, list | tuple) else value
