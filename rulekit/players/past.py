"""The past of a game, played again on the generated Python: what a seat has seen, and what others have done.

The reference engine keeps the moves of a game but no positions. For those the game is replayed from the
stream of
chance that it began with; the engines play the same games.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rulekit.compiled import Lowered, PythonEngine, legal_actions
from rulekit.engine import Machine, State
from rulekit.engine.record import Event
from rulekit.program import types as t

if TYPE_CHECKING:
    from rulekit.players.shown import Cells, Shown

Flat = list[Any]


class Slots:
    """Where things stand in the states of the generated Python, and who sees them."""

    def __init__(self, machine: Machine, lowered: Lowered, engine: PythonEngine) -> None:
        layout, slots = machine.layout, engine.layout.slots
        self.layout = layout
        self.cards = len(machine.setup.pack)
        self.places = range(len(layout.places))
        self.zm, self.place, self.actor = slots["zm"], slots["place"], slots["actor"]
        self.choices, self.decisions = slots["choices"], slots["decisions"]
        self.chance, self.policy = engine.layout.chance, engine.layout.policy
        self.up, self.shown, self.mover = (slots.get(name) for name in ("up", "shown", "mover"))
        self.piles = tuple(
            (place, engine.layout.piles + number) for place, number in enumerate(lowered.piles) if number >= 0
        )
        self.pile_at = dict(self.piles)
        self.card_locals = _card_locals(machine, slots)
        self.whole = (1 << self.cards) - 1
        self.pc = slots["pc"]
        self.cells = [
            (slots[f"s_{name}"] + (member or 0), mask)
            for (name, member), mask in zip(layout.cell_names, layout.cell_sees, strict=True)
            if f"s_{name}" in slots
        ]

    def situation(self, flat: Flat, seat: int) -> Hashable:
        """What a seat sees in a position; all of a pile, or nothing, of which it sees some cards or none."""
        seen = self.seen(flat, seat)
        lying = []
        for place in self.places:
            cards = flat[self.zm + place]
            if not cards & ~seen and place in self.pile_at:
                lying.append(flat[self.pile_at[place]])
            else:
                lying.append((cards & seen, cards.bit_count()))
        values = [flat[slot] for slot, mask in self.cells if mask >> seat & 1]
        return (seat, flat[self.pc], flat[self.choices], tuple(lying), tuple(values))

    def seen(self, flat: Flat, seat: int) -> int:
        """The cards that a seat sees where they lie, as bits."""
        layout, zm, found = self.layout, self.zm, 0
        for place in self.places:
            if layout.sees[place] >> seat & 1:
                found |= flat[zm + place]
            elif self.up is not None and layout.faced[place]:
                found |= flat[zm + place] & flat[self.up]
        if self.shown is not None:
            for card, mask in enumerate(flat[self.shown : self.shown + self.cards]):
                if mask >> seat & 1:
                    found |= 1 << card
        return found


def _card_locals(machine: Machine, slots: dict[str, int]) -> tuple[tuple[int, bool], ...]:
    """Locals that hold a card, or (True) a set of cards."""
    found = []
    for number, local in enumerate(machine.setup.program.locals):
        of = local.type.of if isinstance(local.type, t.Optional) else local.type
        several = isinstance(of, t.Collection)
        inner = of.of if isinstance(of, t.Collection) else of
        if isinstance(inner, t.Card) and f"l_{number}" in slots:
            found.append((slots[f"l_{number}"], several))
    return tuple(found)


@dataclass(frozen=True)
class Did:
    """A move that was made: from which position, by whom, as place among the legal ones, and as values.

    ``told``  the cards that it names, each with who was told, as bits
    """

    before: Flat
    seat: int
    place: int
    move: str
    values: tuple[Any, ...]
    told: tuple[tuple[int, int], ...] = ()

    def told_to(self, seat: int) -> int:
        """The cards that the seat was told, as bits."""
        found = 0
        for card, whom in self.told:  # one may be named twice
            if whom >> seat & 1:
                found |= 1 << card
        return found


def _told(event: Event) -> tuple[tuple[int, int], ...]:
    found: list[tuple[int, int]] = []
    for value, whom in zip(event.values, event.seen, strict=True):
        if isinstance(whom, tuple):
            found += zip(value, whom, strict=True)
        elif whom is not None:
            found.append((value, whom))
    return tuple(found)


class Past:
    """One game so far. ``moves`` made, and ``now``, the position that they led to."""

    def __init__(self, slots: Slots, engine: PythonEngine, origin: int) -> None:
        self.slots, self.engine, self.origin = slots, engine, origin
        self.moves: list[Did] = []
        self.now: Flat = engine.start(origin)
        self._events: list[Event] = []
        #: by seat: after how many moves, the cards, and since how many moves nothing was forgotten
        self._known: dict[int, tuple[int, int, int]] = {}
        #: by number of a move, seat, and what it cannot see of the state
        self.shown: dict[tuple[int, int, Cells], Shown] = {}
        self.answers: dict[tuple[int, int, Cells], tuple[Shown, ...]] = {}
        self._been: dict[int, tuple[int, set[Hashable], bool]] = {}

    def follow(self, state: State) -> bool:
        """Goes on to the position of the reference engine; False if that is not where the moves lead."""
        events = state.events()
        if len(events) < len(self._events) or events[: len(self._events)] != self._events:
            return False
        for event in events[len(self._events) :]:
            legal = legal_actions(self.engine, self.now)
            try:
                place = legal.index((event.move, event.values))
            except ValueError:
                return False
            before = self.now
            self.moves.append(Did(before, event.seat, place, event.move, event.values, _told(event)))
            self.now = before[:]
            self.engine.apply(self.now, place)
            self._events.append(event)
        return self._agrees(state)

    def _agrees(self, state: State) -> bool:
        """The position is that of the reference engine."""
        slots, now = self.slots, self.now
        if not now[slots.choices] or now[slots.chance] != state.chance:
            return False
        for place, cards in enumerate(state.zones):
            pile = slots.pile_at.get(place)
            here = now[pile] if pile is not None else None
            if here != cards if here is not None else now[slots.zm + place] != sum(1 << c for c in cards):
                return False
        return True

    # ------------------------------------------------------------ what a seat knows

    def positions(self) -> list[Flat]:
        """All positions, the present one last."""
        return [*(did.before for did in self.moves), self.now]

    def after(self, number: int) -> Flat:
        """The position that a move led to."""
        return self.moves[number + 1].before if number + 1 < len(self.moves) else self.now

    def begin(self) -> int:
        """After how many moves chance has last decided something."""
        chance, slot = self.now[self.slots.chance], self.slots.chance
        at = len(self.moves)
        while at and self.moves[at - 1].before[slot] == chance:
            at -= 1
        return at

    def been(self, seat: int) -> tuple[set[Hashable], bool]:
        """The situations in which the seat has decided something, and whether it has come back to one."""
        at, found, back = self._been.get(seat, (0, set(), False))
        for did in self.moves[at:]:
            if did.seat == seat:
                situation = self.slots.situation(did.before, seat)
                back = back or situation in found
                found.add(situation)
        self._been[seat] = len(self.moves), found, back
        return found, back

    def known(self, seat: int) -> tuple[int, int]:
        """The cards of which the seat knows where they are, as bits; and since how many moves that tells
        all it saw.

        They are those it sees, and those it has seen since chance last decided something, wherever they went;
        also those that a move named to it and took from the hand of the mover, seen or not where they went.
        But once a card that it does not see leaves a place for another, it no longer knows which of those
        that it knew to be there was taken; what came before is of no more use.
        """
        slots, first = self.slots, self.begin()
        at, cards, since = self._known.get(seat, (-1, 0, 0))
        positions = self.positions()
        if at < first:
            at, cards, since = first, slots.seen(positions[first], seat), first
        while at < len(self.moves):
            before, after = positions[at], positions[at + 1]
            seen_before, seen_after = slots.seen(before, seat), slots.seen(after, seat)
            played = self._played(at, before, after, seat)
            hidden = slots.whole & ~(seen_before | seen_after | played)
            for card in bits(hidden):
                source = before[slots.place + card]
                if source != after[slots.place + card] and cards & before[slots.zm + source]:
                    cards &= ~before[slots.zm + source]
                    since = at + 1
            cards |= seen_after | played
            at += 1
        self._known[seat] = at, cards, since
        return cards, since

    def _played(self, number: int, before: Flat, after: Flat, seat: int) -> int:
        """The cards that a move named to the seat, and that left a place of the mover with it."""
        slots, found = self.slots, 0
        did = self.moves[number]
        for card in bits(did.told_to(seat)):
            source = before[slots.place + card]
            if slots.layout.owner[source] == did.seat and source != after[slots.place + card]:
                found |= 1 << card
        return found


def bits(mask: int) -> list[int]:
    """The members of a bit set."""
    found = []
    while mask:
        low = mask & -mask
        found.append(low.bit_length() - 1)
        mask ^= low
    return found


__all__ = ["Did", "Flat", "Past", "Slots", "bits"]
