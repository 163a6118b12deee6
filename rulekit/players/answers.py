"""What the outcome of a move shows about hands of others: who was asked for a rank and gave none had none.

The move is made once more at positions that the seat could not tell from the true one, in which the cards it
did not see have other faces. Where it sees something else than it saw, those faces were not there. From a
position in which it sees the same, cards are put into the hands of the others a few at a time: a card with
which what it sees changes, whatever else is there, was not there.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rulekit.engine import chance
from rulekit.players import faces
from rulekit.players.bot import Draws
from rulekit.players.judge import Judge, card_values
from rulekit.players.past import Flat, Past, bits
from rulekit.players.shown import Cells, Shown

MOST_TURNS = 12  #: positions in which it is looked whether the move shows anything
MOST_SHUFFLES = 20  #: positions in which it is looked for some where the seat sees the same
MOST_MADE = 200  #: times that one move is made to find out what it shows


def answers(judge: Judge, past: Past, number: int, seat: int, cells: Cells) -> tuple[Shown, ...]:
    """What a move of the past shows to the seat, which cannot see these cells of the state, about hands of
    players other than the one who moved."""
    known = past.answers.get((number, seat, cells))
    if known is None:
        known = past.answers[number, seat, cells] = _Answer(judge, past, number, seat, cells).shown()
    return known


class _Answer:
    """Makes one move with other faces."""

    def __init__(self, judge: Judge, past: Past, number: int, seat: int, cells: Cells) -> None:
        slots = judge.slots
        self.judge, self.slots, self.seat, self.cells = judge, slots, seat, cells
        self.did = did = past.moves[number]
        after = past.after(number)
        seen = slots.seen(did.before, seat) | slots.seen(after, seat) | did.told_to(seat)
        self.hidden = slots.whole & ~seen
        self.saw = self._sees(after)
        named = card_values(did, judge.form(did)) & self.hidden
        self.among = faces.tokens(slots, did.before, self.hidden, (), filter(None, [named]))
        self.made = 0
        hands = [place for place in slots.places if self._hand(place)]
        self.held = {
            place: [t for t in self.among if did.before[slots.zm + place] >> t & 1] for place in hands
        }

    def _hand(self, place: int) -> bool:
        """A set of cards that belongs to another player, some of them hidden from the seat."""
        slots, did = self.slots, self.did
        mine = slots.layout.owner[place] in (None, -1, self.seat, did.seat)
        return not mine and place not in slots.pile_at and bool(did.before[slots.zm + place] & self.hidden)

    def _sees(self, flat: Flat) -> tuple[Any, ...]:
        """What the seat sees of a position that the move led to."""
        slots, seat = self.slots, self.seat
        seen = slots.seen(flat, seat)
        lying = [flat[slots.zm + place] & seen for place in slots.places]
        values = [flat[slot] for slot, mask in slots.cells if mask >> seat & 1]
        return (flat[slots.pc], flat[slots.actor], lying, values)

    def shown(self) -> tuple[Shown, ...]:
        """For each hand the cards that were not there."""
        bases = self._bases()
        found = []
        for place, held in self.held.items() if len(bases) > 1 else ():
            lacking = self._lacking(bases[0], held)
            # Whatever else is there: another position must say the same.
            lacking = sum(1 << card for card in bits(lacking) if not self._same(_put(bases[1], held, [card])))
            if lacking:
                found.append(Shown(place, lacking, True))
        return tuple(found)

    def _bases(self) -> list[dict[int, int]]:
        """Some positions, as a face for each token, in which the seat sees the same, if there are others."""
        least = min((len(held) for held in self.held.values()), default=0)
        if not least:
            return []
        count, order = len(self.among), sorted(self.among)
        turns = min(MOST_TURNS, -(-count // least))
        bases = []
        for turn in range(turns):
            by = turn * count // turns
            bases.append(dict(zip(self.among, order[by:] + order[:by], strict=True)))
        same = [base for base in bases if self._same(base)]
        if len(same) == turns:
            return []
        draws = 0
        for _ in range(MOST_SHUFFLES):
            if len(same) > 1:
                break
            draws, order = chance.shuffle(draws, order)
            base = dict(zip(self.among, order, strict=True))
            same += [base] if self._same(base) else []
        return same

    def _same(self, base: dict[int, int]) -> bool:
        self.made += 1
        face = faces.faced(self.slots.cards, base)
        flat = faces.relabelled(self.slots, self.did.before, face, self.hidden, self.among)
        self.judge.hide(flat, self.cells, Draws(0))
        return self._sees(self.judge.made(flat, self.did, face)) == self.saw

    def _lacking(self, base: dict[int, int], held: Sequence[int]) -> int:
        """The faces with which the seat would have seen something else."""
        here = {base[token] for token in held}
        others = [card for card in sorted(base.values()) if card not in here]
        return sum(
            self._wrong(base, held, others[first : first + len(held)])
            for first in range(0, len(others), len(held))
        )

    def _wrong(self, base: dict[int, int], held: Sequence[int], cards: Sequence[int]) -> int:
        if self.made > MOST_MADE or self._same(_put(base, held, cards)):
            return 0
        if len(cards) == 1:
            return 0 if len(held) > 1 and self._same(_put(base, held[::-1], cards)) else 1 << cards[0]
        half = len(cards) // 2
        return self._wrong(base, held, cards[:half]) | self._wrong(base, held, cards[half:])


def _put(base: dict[int, int], held: Sequence[int], cards: Sequence[int]) -> dict[int, int]:
    """The faces exchanged so that these cards are where the held tokens lie; none of them is there yet."""
    found, at = dict(base), {card: token for token, card in base.items()}
    for token, card in zip(held, cards, strict=False):
        other = at[card]
        found[token], found[other] = found[other], found[token]
    return found


__all__ = ["answers"]
