"""The one way cards change place, and all else that happens to cards: faces, reveals, provenance, slots.

Every card is always in exactly one place, by construction: nothing else in a game writes where cards lie.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from rulekit.diagnostics import Span
from rulekit.engine import chance
from rulekit.engine.fault import (
    FLIP_UNFACED,
    FORCED_CHANCE,
    NO_FREE_SLOT,
    UNEQUAL_SWAP,
    FaultError,
)
from rulekit.engine.layout import Layout
from rulekit.engine.record import Event
from rulekit.engine.state import State
from rulekit.program.reads import PROVENANCE

Fields = dict[int, list[tuple[int, Callable[[State], Any]]]]


class Table:
    """Moves cards about in states of one layout.

    ``fields`` gives for each slot its cells and their START.
    """

    def __init__(self, layout: Layout, fields: Fields) -> None:
        self.layout = layout
        self.fields = fields
        self.provenance = layout.bit[PROVENANCE]
        self.slot = tuple(not place.always for place in layout.places)

    # ------------------------------------------------------------ who sees what

    def seen(self, s: State, card: int) -> int:
        """The mask of seats that see the card where it lies."""
        place = s.place[card]
        if self.layout.faced[place] and s.up[card]:
            return self.layout.everyone
        return self.layout.sees[place] | s.shown[card]

    def expose(self, s: State) -> None:
        """Notes who sees the cards chosen in the moves under way."""
        if s.opened:
            s.opened = tuple(self._exposed(s, event) for event in s.opened)

    def _exposed(self, s: State, event: Event) -> Event:
        seen: list[Any] = []
        for value, mask in zip(event.values, event.seen, strict=True):
            if mask is None:
                seen.append(None)
            elif isinstance(mask, tuple):
                seen.append(tuple(m | self.seen(s, card) for card, m in zip(value, mask, strict=True)))
            else:
                seen.append(mask | self.seen(s, value))
        found = tuple(seen)
        return event if found == event.seen else event._replace(seen=found)

    # ------------------------------------------------------------ moving

    def move(self, s: State, cards: Sequence[int], to: int, bottom: bool = False) -> None:
        """The cards go to a place in the order given, the last on top.

        To the bottom they go all together, their order kept.
        """
        if not cards:
            return
        layout = self.layout
        faced, place, up, shown = layout.faced, s.place, s.up, s.shown
        if faced[to]:
            for card in cards:
                up[card] = up[card] if faced[place[card]] else self.seen(s, card) == layout.everyone
        else:
            for card in cards:
                up[card] = False
        sources = self._lift(s, cards)
        for card in cards:
            place[card] = to
            shown[card] = 0
        if s.depth:
            for card in cards:
                s.mover[card] = s.me
            s.dirty |= self.provenance
        there = s.zones[to]
        if not layout.is_pile[to]:
            s.zones[to] = tuple(sorted((*there, *cards)))
        else:
            s.zones[to] = self._added(there, cards, bottom)
        s.dirty |= layout.place_bit[to]
        self._free(s, sources)
        self.expose(s)

    def _added(self, pile: tuple[int, ...], cards: Sequence[int], bottom: bool) -> tuple[int, ...]:
        """The pile with cards on top of it, or all below it."""
        return (*cards, *pile) if bottom else (*pile, *cards)

    def _lift(self, s: State, cards: Sequence[int]) -> list[int]:
        """Takes the cards out of the zones they lie in; returns the places, each once."""
        place, zones = s.place, s.zones
        if len(cards) == 1:
            card = cards[0]
            source = place[card]
            lying = zones[source]
            at = lying.index(card)
            zones[source] = lying[:at] + lying[at + 1 :]
            s.dirty |= self.layout.place_bit[source]
            return [source]
        gone = set(cards)
        sources = list(dict.fromkeys([place[card] for card in cards]))
        for source in sources:
            zones[source] = tuple([card for card in zones[source] if card not in gone])
            s.dirty |= self.layout.place_bit[source]
        return sources

    def _free(self, s: State, sources: Iterable[int]) -> None:
        for source in sources:
            if self.slot[source] and not s.zones[source]:
                self.release(s, source)

    def swap(self, s: State, left: Sequence[int], right: Sequence[int], span: Span | None) -> None:
        """Cards change places pair by pair; a place keeps its face."""
        if len(left) != len(right):
            raise FaultError(UNEQUAL_SWAP, f"{len(left)} cards cannot be swapped with {len(right)}", span)
        for a, b in zip(left, right, strict=True):
            here, there = s.place[a], s.place[b]
            s.dirty |= self.layout.place_bit[here] | self.layout.place_bit[there]
            s.shown[a] = s.shown[b] = 0
            s.up[a], s.up[b] = s.up[b], s.up[a]
            exchanged = {a: b, b: a}
            for place in dict.fromkeys((here, there)):
                cards = self._exchanged(s.zones[place], exchanged)
                s.zones[place] = cards if self.layout.is_pile[place] else tuple(sorted(cards))
            s.place[a], s.place[b] = there, here
            if s.depth:
                s.mover[a] = s.mover[b] = s.me
                s.dirty |= self.provenance
        self.expose(s)

    def _exchanged(self, cards: tuple[int, ...], exchanged: dict[int, int]) -> tuple[int, ...]:
        """The cards of a place, some of them exchanged."""
        return tuple([exchanged.get(card, card) for card in cards])

    # ------------------------------------------------------------ shuffling

    def shuffle(self, s: State, cards: Sequence[int], into: int, span: Span | None) -> None:
        """The cards are moved into a place, and all that then lies there is shuffled, face down.

        A set has no order, so no chance is drawn; provenance, reveals and faces are forgotten all the same.
        """
        if cards:
            sources = self._lift(s, cards)
            lying = (*s.zones[into], *cards)
            s.zones[into] = lying if self.layout.is_pile[into] else tuple(sorted(lying))
            for card in cards:
                s.place[card] = into
            self._free(s, [source for source in sources if source != into])
        lying = s.zones[into]
        for card in lying:
            s.up[card], s.shown[card], s.mover[card] = False, 0, None
        s.dirty |= self.layout.place_bit[into] | self.provenance
        if self.layout.is_pile[into]:
            s.zones[into] = self._order(s, lying, span)
        self.expose(s)

    def _order(self, s: State, lying: tuple[int, ...], span: Span | None) -> tuple[int, ...]:
        """The order in which the cards come to lie, bottom first: forced or by chance.

        They go into the shuffle as they lie, bottom first. A forced deal lists cards as they will leave, top
        first; those it does not name are shuffled beneath.
        """
        forced: tuple[int, ...] = ()
        if s.deal:
            forced, s.deal = s.deal[0], s.deal[1:]
            if len(set(forced)) < len(forced) or not set(forced) <= set(lying):
                raise FaultError(FORCED_CHANCE, "the deal given has other cards than are shuffled here", span)
        rest = [card for card in lying if card not in forced]
        return self._shuffled(s, rest, tuple(reversed(forced)))

    def _shuffled(self, s: State, cards: Sequence[int], above: tuple[int, ...]) -> tuple[int, ...]:
        """The cards in an order that chance gives, bottom first, and those that lie above them."""
        s.chance, order = chance.shuffle(s.chance, cards)
        return (*order, *above)

    # ------------------------------------------------------------ showing

    def flip(self, s: State, cards: Sequence[int], up: bool, span: Span | None) -> None:
        """Cards in zones seen by face are turned; one that already lies so stays."""
        for card in cards:
            place = s.place[card]
            if not self.layout.faced[place]:
                text = self.layout.setup.pack.format_card(card)
                zone = self.layout.places[place].zone
                raise FaultError(FLIP_UNFACED, f"{text} lies in `{zone}`, which is not seen by face", span)
            if s.up[card] != up:
                s.up[card] = up
                s.dirty |= self.layout.place_bit[place]
        self.expose(s)

    def reveal(self, s: State, cards: Sequence[int], to: int) -> None:
        """Cards are shown to the seats of a mask as long as they stay where they are."""
        for card in cards:
            s.shown[card] |= to
        self.expose(s)

    # ------------------------------------------------------------ slots

    def claim(self, s: State, slots: Sequence[int], span: Span | None) -> int:
        """The lowest free slot, from now on in use, its fields at START."""
        for place in slots:
            if not s.used[place]:
                s.used[place] = True
                self._start(s, place)
                s.dirty |= self.layout.place_bit[place]
                return place
        zone = self.layout.places[slots[0]].zone
        raise FaultError(NO_FREE_SLOT, f"all slots of `{zone}` are in use", span)

    def release(self, s: State, place: int) -> None:
        """An emptied slot is free again."""
        s.used[place] = False
        self._start(s, place)
        s.dirty |= self.layout.place_bit[place]

    def _start(self, s: State, place: int) -> None:
        for cell, start in self.fields.get(place, ()):
            s.cells[cell] = start(s)
            s.cells_shown[cell] = 0
