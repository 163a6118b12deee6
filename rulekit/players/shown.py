"""What a move shows about the hand it was made from: cards that were not there, or that one of some was.

Who does not follow suit shows that he holds none of it; that is not written here, it is found out. The cards
that the seat did not see are put into the hand of the player who moved, all that could be there, then halves
of them: a card with which the move would not have been legal was not there. Where it is not legal with none
of them, but with a single one of some, one of those was there: who asks for a rank must hold a card of it.
What that tells depends on what the seat had seen then, and on the move. A rule may look at several cards
together; whether this is all that the move shows is told by asking once more, with all other cards in the
hand.
"""

from __future__ import annotations

from dataclasses import dataclass

from rulekit.players import faces
from rulekit.players.bot import Draws
from rulekit.players.judge import Judge, card_values
from rulekit.players.past import Flat, Past, bits
from rulekit.program import types as t

Cells = tuple[tuple[str, int, t.Type], ...]

MOST_ASKED = 120  #: positions looked at for one move
TURNS = 6  #: hands that are tried where single cards cannot be


@dataclass(frozen=True)
class Shown:
    """What one move shows to a seat.

    ``place``  of the hand;  ``lacking``  the cards that were not there, as bits
    ``needed``  of these cards, as bits, one was there (if there are any);  ``whole``  no more is shown
    """

    place: int
    lacking: int
    whole: bool
    needed: int = 0


NOTHING = Shown(-1, 0, False)


def shown(judge: Judge, past: Past, number: int, seat: int, cells: Cells) -> Shown:
    """What a move of the past shows to the seat, which cannot see these cells of the state."""
    known = past.shown.get((number, seat, cells))
    if known is None:
        known = past.shown[number, seat, cells] = _Question(judge, past, number, seat, cells).answer()
    return known


class _Question:
    """Puts cards into the hand of the player who moved."""

    def __init__(self, judge: Judge, past: Past, number: int, seat: int, cells: Cells) -> None:
        slots = judge.slots
        self.judge, self.did, self.cells = judge, past.moves[number], cells
        self.seen = slots.seen(self.did.before, seat)
        self.hidden = slots.whole & ~self.seen
        played = card_values(self.did, judge.form(self.did))
        self.told = played & (self.seen | self.did.told_to(seat))
        self.secret = played & ~self.told
        after = past.after(number)
        self.among = faces.tokens(slots, self.did.before, self.hidden, [after], [self.told, self.secret])
        self.asked = 0

    def answer(self) -> Shown:
        place = self._hand()
        if self.secret or place < 0:
            return self._any()
        slots, before = self.judge.slots, self.did.before
        if not before[slots.zm + place] & self.hidden:
            return Shown(place, 0, True)
        # The cards of the move are what they are, all others in the hand are taken out.
        known = before[slots.zm + place] & (self.seen | self.told)
        rest = [token for token in self.among if not self.told >> token & 1]
        now = dict(zip(rest, sorted(rest), strict=True))
        base = faces.relabelled(slots, before, faces.faced(slots.cards, now), self.hidden, self.among)
        base[slots.zm + place] = known
        self.judge.hide(base, self.cells, Draws(0))
        self.base, self.place, self.known = base, place, known
        could = self.hidden & ~self.told
        if not self._legal(0):
            needed = self._needed(could)
            return Shown(place, 0, True, needed) if needed else self._any()
        lacking = self._lacking(bits(could))
        return Shown(place, lacking, self._legal(could & ~lacking))

    def _hand(self) -> int:
        """The place of the cards of the move, or the only one where the player had hidden cards; else -1."""
        slots, before = self.judge.slots, self.did.before
        whom, cards = self.judge.whom(before), self.told or self.hidden
        found = [
            place
            for place in slots.places
            if slots.layout.owner[place] == whom and before[slots.zm + place] & cards
        ]
        return found[0] if len(found) == 1 and found[0] not in slots.pile_at else -1

    def _any(self) -> Shown:
        """Whether the move would have been legal with some quite different hands: then it shows nothing."""
        slots, rest = self.judge.slots, [token for token in self.among if not self.told >> token & 1]
        for turn in range(TURNS):
            turned = turn * len(rest) // TURNS
            order = sorted(rest)
            now = dict(zip(rest, order[turned:] + order[:turned], strict=True))
            face = faces.faced(slots.cards, now)
            flat = faces.relabelled(slots, self.did.before, face, self.hidden, self.among)
            self.judge.hide(flat, self.cells, Draws(0))
            if not self.judge.legal(flat, self.did, face):
                return NOTHING
        return Shown(-1, 0, True)

    def _needed(self, could: int) -> int:
        """Cards with any of which the move is legal, and without which it is not."""
        if not self._legal(could):
            return 0
        needed = sum(1 << card for card in bits(could) if self._legal(1 << card))
        return 0 if self._legal(could & ~needed) else needed

    def _lacking(self, cards: list[int]) -> int:
        """Those of the cards with which the move would not have been legal."""
        if self.asked > MOST_ASKED or not cards or self._legal(sum(1 << card for card in cards)):
            return 0
        if len(cards) == 1:
            return 1 << cards[0]
        half = len(cards) // 2
        return self._lacking(cards[:half]) | self._lacking(cards[half:])

    def _legal(self, cards: int) -> bool:
        self.asked += 1
        slots = self.judge.slots
        flat: Flat = self.base[:]
        flat[slots.zm + self.place] |= cards
        for card in bits(cards | self.told):
            flat[slots.place + card] = self.place
        return self.judge.legal(flat, self.did, range(slots.cards))


__all__ = ["NOTHING", "Cells", "Shown", "shown"]
