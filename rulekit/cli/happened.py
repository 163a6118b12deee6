"""What a move changed on the table as one seat saw it, told from what it sees before and after alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rulekit.cli.words import MANY, Words, is_hand, place_label
from rulekit.engine import Machine, State
from rulekit.game.notation import Notation
from rulekit.players.imagine import sees

Table = Mapping[int, tuple[int | None, ...]]  #: the cards of each place but the box, None for hidden ones


def table_of(machine: Machine, state: State, seat: int) -> Table:
    """What the seat sees lying where."""
    return {
        place.number: tuple(
            card if sees(machine, state, seat, card) else None for card in state.zones[place.number]
        )
        for place in machine.setup.places[1:]
    }


class Happenings:
    """Tells what is different between two tables as one seat sees them."""

    def __init__(self, machine: Machine, words: Words) -> None:
        self.places = machine.setup.places[1:]
        self.setup = machine.setup
        self.notation = Notation(machine.setup)
        self.words = words

    def told(self, before: Table, after: Table, named: frozenset[str]) -> str:
        """In a line, for a move that named these cards; empty if nothing more is to be said."""
        if self._is_deal(before, after):
            return self.words.say("cards are dealt")
        return "; ".join(self._told(before, after, named))

    def _told(self, before: Table, after: Table, named: frozenset[str]) -> Iterator[str]:
        seen_before = {card for cards in before.values() for card in cards if card is not None}
        seen_after = {card for cards in after.values() for card in cards if card is not None}
        for place in self.places:
            then, now = before[place.number], after[place.number]
            label = place_label(self.notation, place, self.words)
            new = [card for card in now if card is not None and card not in then]
            left = sum(card is not None and card not in now for card in then)
            more = len(now) - len(then) + left  # at least so many came
            came = new if more > 0 else [card for card in new if card in seen_before]
            hidden = more - len(came)
            if place.member is None:  # what the move itself names is in its text
                came = [card for card in came if self.notation.card(card) not in named]
            if came or (hidden > 0 and place.member is not None):
                yield self.words.say("{1} gets {2}", label, self._cards(came, hidden))
            if shown := [card for card in new if more <= 0 and card not in seen_before]:
                yield self.words.say("{1} shows {2}", label, self._cards(shown, 0))
            if place.member is not None and self.setup.program.zones[place.zone].per == "player":
                gone = [card for card in then if card is not None and card not in seen_after]
                if gone := [card for card in gone if self.notation.card(card) not in named]:
                    yield self.words.say("{1} loses {2}", label, self._cards(gone, 0))

    def _cards(self, cards: list[int], hidden: int) -> str:
        if len(cards) > MANY:
            return self.words.say("{1} cards", str(len(cards) + max(hidden, 0)))
        told = " ".join(self.notation.cards(cards))
        if hidden <= 0:
            return told
        others = self.words.say("a card") if hidden == 1 else self.words.say("{1} cards", str(hidden))
        return self.words.say("{1} and {2}, hidden", told, others) if told else others

    def _is_deal(self, before: Table, after: Table) -> bool:
        """Two hands that not everybody sees got two cards or more, or one is another hand altogether."""
        grown = hands = 0
        for place in self.places:
            if not is_hand(self.setup, place):
                continue
            then, now = before[place.number], after[place.number]
            if None not in then and len(then) >= 2 and len(now) >= 2 and not set(then) & set(now):
                return True
            hands += 1
            grown += len(now) - len(then) >= 2
        return grown >= 2 or grown == hands == 1
