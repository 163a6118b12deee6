"""Packs of cards, and how a card is written: rank then suit, `10H` canonical, `TH` accepted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

STANDARD_RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")

#: The four usual suits: name, letter, colour.
USUAL_SUITS = {
    "clubs": ("C", "black"),
    "diamonds": ("D", "red"),
    "hearts": ("H", "red"),
    "spades": ("S", "black"),
}
STANDARD_SUITS = tuple(USUAL_SUITS)

COLORS = ("red", "black")

#: Printed number of a rank, ace 1; court cards and others have none.
PIPS = {"A": 1} | {str(n): n for n in range(2, 11)}


@dataclass(frozen=True)
class Suit:
    """A suit: its name, the letter used in notation, its colour (None for unusual suits)."""

    name: str
    letter: str
    color: str | None


@dataclass(frozen=True)
class Face:
    """What is printed on a card: places of rank and suit in the pack's lists.

    An extra card (a joker) has no suit, and a rank of its own above all others.
    """

    rank: int
    suit: int | None


def usual_suit(name: str) -> Suit | None:
    """The suit of that name among clubs, diamonds, hearts, spades."""
    if name not in USUAL_SUITS:
        return None
    letter, color = USUAL_SUITS[name]
    return Suit(name, letter, color)


@dataclass(frozen=True)
class Pack:
    """All cards of a game. A card is its place in `cards`: *deck order*.

    Deck order is suit by suit, ranks low to high, copies of a face side by side, extras last.
    ``ranks`` ends with one rank for each extra card; ``plain_ranks`` counts those before.
    """

    ranks: tuple[str, ...]
    suits: tuple[Suit, ...]
    plain_ranks: int
    cards: tuple[Face, ...]

    def __len__(self) -> int:
        return len(self.cards)

    @cached_property
    def by_face(self) -> dict[Face, tuple[int, ...]]:
        """The cards of each face, in deck order."""
        found: dict[Face, tuple[int, ...]] = {}
        for number, face in enumerate(self.cards):
            found[face] = (*found.get(face, ()), number)
        return found

    def face_text(self, face: Face) -> str:
        """`10H`; an extra card by its rank alone: `JOKER`."""
        rank = self.ranks[face.rank]
        return rank if face.suit is None else rank + self.suits[face.suit].letter

    def format_card(self, card: int) -> str:
        """The card in canonical notation."""
        return self.face_text(self.cards[card])

    def format_cards(self, cards: Sequence[int]) -> str:
        """Cards in canonical notation, in the order given, with blanks between."""
        return " ".join(self.format_card(card) for card in cards)

    def parse_face(self, text: str) -> Face | None:
        """The face a text names (`10H`, `TH`, `th`, `JOKER`), or None if the notation has no such face.

        A face may be of the notation though no card of the pack carries it.
        """
        return parse_face(text, self.ranks, self.suits, self.plain_ranks)


def parse_face(text: str, ranks: Sequence[str], suits: Sequence[Suit], plain_ranks: int) -> Face | None:
    """The face that ``text`` names in a pack of these ranks and suits, in either case."""
    wanted = text.upper()
    for extra in range(plain_ranks, len(ranks)):
        if ranks[extra] == wanted:
            return Face(extra, None)
    for place, suit in enumerate(suits):
        if wanted.endswith(suit.letter) and len(wanted) > len(suit.letter):
            rank = wanted[: -len(suit.letter)]
            if rank == "T" and "T" not in ranks[:plain_ranks]:
                rank = "10"
            if rank in ranks[:plain_ranks]:
                return Face(ranks.index(rank), place)
    return None


def build_pack(
    ranks: Sequence[str],
    suits: Sequence[Suit],
    *,
    copies: int = 1,
    without: Sequence[Face] = (),
    extra: Sequence[str] = (),
) -> Pack:
    """A pack of ``copies`` of every rank in every suit, less ``without`` (all copies), and the extras."""
    names = tuple(ranks) + tuple(dict.fromkeys(extra))
    gone = set(without)
    cards = [
        face
        for suit in range(len(suits))
        for rank in range(len(ranks))
        if (face := Face(rank, suit)) not in gone
        for _ in range(copies)
    ]
    cards += sorted((Face(names.index(name), None) for name in extra), key=lambda face: face.rank)
    return Pack(names, tuple(suits), len(ranks), tuple(cards))
