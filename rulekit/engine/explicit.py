"""Chance laid open: nothing is drawn, and who runs a game says what chance decides.

After a shuffle nobody knows how the cards lie, and here nothing does: the place of a card is settled when
something looks there, be it to deal it or to turn it up. What settles it is a list of decisions handed to the
run; when the list is used up, the run breaks off with `Undecided`, which names the outcomes and how probable
they are. Run again with one decision more, the same statements come to the same point and pass it. So a card
that nobody ever looks at is never decided, and games with a few cards can be searched whole.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from typing import Any, SupportsIndex, overload

from rulekit.diagnostics import Span
from rulekit.engine import chance
from rulekit.engine.layout import Layout
from rulekit.engine.machine import Machine
from rulekit.engine.record import Action
from rulekit.engine.state import State
from rulekit.engine.table import Fields, Table
from rulekit.engine.view import View


class OpenPile(tuple[int, ...]):
    """A pile as it lies after a shuffle: some places are settled, the other cards lie in any order.

    ``places``  bottom first, None where nothing is settled; ``loose`` the cards that lie there

    To look at a place settles it. A pile belongs to one run; another run takes a `copy`. As a plain tuple it
    has the right length and holds None where nothing is settled, so that what looks past these methods fails.
    """

    places: list[int | None]
    loose: list[int]
    table: OpenTable

    def __new__(cls, table: OpenTable, places: Sequence[int | None], loose: Sequence[int]) -> OpenPile:
        pile = super().__new__(cls, places)  # type: ignore[arg-type]
        pile.places = list(places)
        pile.loose = sorted(loose)
        pile.table = table
        return pile

    def copy(self) -> OpenPile:
        """The same pile, for another run."""
        return OpenPile(self.table, self.places, self.loose)

    def any_order(self) -> tuple[int, ...]:
        """The cards in one of the orders in which they may lie."""
        loose = iter(self.loose)
        return tuple([next(loose) if card is None else card for card in self.places])

    def _at(self, place: int) -> int:
        card = self.places[place]
        if card is None:
            card = self.places[place] = self.table.decide(self.loose)
            self.loose.remove(card)
        return card

    @overload
    def __getitem__(self, index: SupportsIndex) -> int: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[int, ...]: ...

    def __getitem__(self, index: SupportsIndex | slice) -> int | tuple[int, ...]:
        if isinstance(index, slice):
            return tuple([self._at(place) for place in range(*index.indices(len(self)))])
        return self._at(range(len(self))[index])

    def __iter__(self) -> Iterator[int]:
        return (self._at(place) for place in range(len(self)))

    def __contains__(self, card: object) -> bool:
        return card in self.loose or (card is not None and card in self.places)

    def index(self, card: Any, *bounds: Any) -> int:
        if not bounds and card in self.places:
            return self.places.index(card)
        return tuple(self).index(card, *bounds)

    def __add__(self, other: Any) -> Any:
        return tuple(self) + tuple(other)

    def __radd__(self, other: Any) -> Any:
        return tuple(other) + tuple(self)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, OpenPile):
            return self.places == other.places and self.loose == other.loose
        return isinstance(other, tuple) and len(self) == len(other) and tuple(self) == other

    def __hash__(self) -> int:
        return hash((tuple(self.places), tuple(self.loose)))

    # ------------------------------------------------------------ changed piles

    def without(self, cards: Container[int]) -> tuple[int, ...]:
        """The pile after these cards are gone."""
        stay = [card for card in self.places if card is not None and card not in cards]
        loose = [card for card in self.loose if card not in cards]
        if len(loose) == len(self.loose):
            return self._with([card for card in self.places if card is None or card not in cards])
        if stay:  # where the settled cards lie now depends on where the others lay
            return tuple([card for card in self if card not in cards])
        return OpenPile(self.table, [None] * len(loose), loose)

    def added(self, cards: Sequence[int], bottom: bool) -> tuple[int, ...]:
        """The pile with cards on top of it, or below it."""
        return self._with([*cards, *self.places] if bottom else [*self.places, *cards])

    def exchanged(self, exchanged: dict[int, int]) -> tuple[int, ...]:
        """The pile after cards of it were exchanged for others."""
        if any(card in exchanged for card in self.loose):
            return tuple([exchanged.get(card, card) for card in self])
        return self._with([None if card is None else exchanged.get(card, card) for card in self.places])

    def _with(self, places: Sequence[int | None]) -> OpenPile:
        return OpenPile(self.table, places, self.loose)


class OpenTable(Table):
    """A table at which the order of a shuffled pile is settled card by card.

    ``decided``  what is to come up next, in order, for the run under way
    """

    def __init__(self, layout: Layout, fields: Fields) -> None:
        super().__init__(layout, fields)
        self.decided: list[int] = []

    def decide(self, cards: Sequence[int]) -> int:
        """The card that lies in a place where any of these may lie; raises Undecided."""
        if self.decided:
            return self.decided.pop(0)
        pack = self.layout.setup.pack.cards
        raise chance.Undecided(cards, names=[pack[card] for card in cards])

    def _shuffled(self, s: State, cards: Sequence[int], above: tuple[int, ...]) -> tuple[int, ...]:
        if len(cards) < 2:
            return (*cards, *above)
        return OpenPile(self, [*[None] * len(cards), *above], cards)

    def shuffle(self, s: State, cards: Sequence[int], into: int, span: Span | None) -> None:
        pile = s.zones[into]
        if isinstance(pile, OpenPile):
            s.zones[into] = pile.any_order()  # how they lay makes no difference
        super().shuffle(s, cards, into, span)
        if self.layout.sees[into]:
            s.zones[into] = tuple(s.zones[into])

    def _lift(self, s: State, cards: Sequence[int]) -> list[int]:
        sources = list(dict.fromkeys([s.place[card] for card in cards]))
        if not any(isinstance(s.zones[source], OpenPile) for source in sources):
            return super()._lift(s, cards)
        gone = set(cards)
        for source in sources:
            pile = s.zones[source]
            if isinstance(pile, OpenPile):
                s.zones[source] = pile.without(gone)
            else:
                s.zones[source] = tuple([card for card in pile if card not in gone])
            s.dirty |= self.layout.place_bit[source]
        return sources

    def _added(self, pile: tuple[int, ...], cards: Sequence[int], bottom: bool) -> tuple[int, ...]:
        if isinstance(pile, OpenPile):
            return pile.added(cards, bottom)
        return super()._added(pile, cards, bottom)

    def _exchanged(self, cards: tuple[int, ...], exchanged: dict[int, int]) -> tuple[int, ...]:
        if isinstance(cards, OpenPile):
            return cards.exchanged(exchanged)
        return super()._exchanged(cards, exchanged)


class OpenMachine(Machine):
    """Plays the games of one setup with chance laid open. States are run on by `run` alone."""

    table_class = OpenTable

    def _stream(self, seed: int, game: int) -> int:
        return chance.OPEN

    def run(
        self,
        before: State | None,
        action: Action | None = None,
        cards: Sequence[int] = (),
        draws: Sequence[Any] = (),
        deal: Sequence[Sequence[int]] | None = None,
    ) -> State:
        """The decision or end that follows when the actor makes an action (None for both: the start).

        ``cards`` and ``draws`` are what chance decides on the way, in order; ``deal`` forces whole shuffles,
        as in `start`. Raises Undecided where chance must decide more; ``before`` is as it was in any case.
        """
        table = self._table
        assert isinstance(table, OpenTable)
        table.decided = list(cards)
        if before is None or action is None:
            return self.start(deal=deal, draws=draws)
        s = before.copy()
        s.zones = [pile.copy() if isinstance(pile, OpenPile) else pile for pile in s.zones]
        s.draws = tuple(draws)
        self.apply(s, action)
        return s

    def view(self, s: State, seat: int) -> View:
        """All that a seat may see: of a pile whose order is open, the settled places it sees, if any."""
        shown = s.copy()
        shown.zones = [pile.any_order() if isinstance(pile, OpenPile) else pile for pile in s.zones]
        return super().view(shown, seat)


__all__ = ["OpenMachine", "OpenPile", "OpenTable"]
