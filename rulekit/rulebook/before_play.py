"""The chapters before the game begins: players, cards, the table, what is agreed."""

from __future__ import annotations

from collections.abc import Iterator

from rulekit.cards import STANDARD_RANKS, STANDARD_SUITS, Face
from rulekit.rulebook.document import Block, Heading, Paragraph, Table
from rulekit.rulebook.english import joined, number_word, title, words
from rulekit.rulebook.markup import literal
from rulekit.rulebook.naming import explained
from rulekit.rulebook.phrases import Phrases
from rulekit.rulebook.values import printed_values

SEEN = {
    "everyone": "everyone",
    "nobody": "nobody",
    "owner": "its owner",
    "others": "everyone but its owner",
    "team": "its owner's side",
    "face": "everyone, as far as it lies face up",
}
PER = {"player": "one for each player", "team": "one for each side", "suit": "one for each suit"}


class BeforePlay:
    """Writes these chapters for one setup."""

    def __init__(self, phrases: Phrases) -> None:
        self.p = phrases
        self.setup, self.program = phrases.setup, phrases.program

    def players(self) -> Iterator[Block]:
        low, high = self.program.players
        yield Heading(2, "Players")
        if low == high:
            text = f"For {number_word(low)} player{'s' * (high > 1)}."
        else:
            here = number_word(self.setup.players)
            text = f"For {number_word(low)} to {number_word(high)} players. "
            text += f"These are the rules for {here} player{'s' * (self.setup.players > 1)}."
        if self.program.teams == "across":
            text += " Partners sit opposite each other."
        elif self.program.teams:
            text += f" There are {number_word(int(self.program.teams))} sides, in turn round the table."
        if self.setup.players > 2:
            text += " Turns go to the left."
        yield Paragraph(text)

    # ------------------------------------------------------------ cards

    def pack(self) -> Iterator[Block]:
        pack = self.setup.pack
        yield Heading(2, "Cards")
        there = {face.rank for face in pack.by_face}
        plain = [rank for place, rank in enumerate(pack.ranks[: pack.plain_ranks]) if place in there]
        suits = tuple(suit.name for suit in pack.suits)
        copies = max((len(cards) for face, cards in pack.by_face.items() if face.suit is not None), default=1)
        usual = set(plain) == set(STANDARD_RANKS) and set(suits) == set(STANDARD_SUITS)
        missing, extras = self.missing(copies), self.extras()
        if usual:
            kind = "a standard pack" if copies == 1 else f"{number_word(copies)} standard packs"
            text = f"{title(kind)}{self.changes(missing, extras)}: {len(pack)} cards."
        else:
            copied = "" if copies == 1 else f", {number_word(copies)} of each"
            text = f"{len(pack)} cards{copied}, in {joined([words(suit) for suit in suits])}"
            text += f"{self.changes(missing, extras)}."
        yield Paragraph(text)
        yield Paragraph(f"In each suit, from low to high: {' '.join(plain)}.")
        yield from self.values()

    def missing(self, copies: int) -> list[str]:
        """Cards of the grid of ranks and suits that the pack lacks."""
        pack = self.setup.pack
        return [
            self.p.card(Face(rank, suit))
            for suit in range(len(pack.suits))
            for rank in range(pack.plain_ranks)
            if Face(rank, suit) not in pack.by_face and any(face.rank == rank for face in pack.by_face)
        ]

    def extras(self) -> list[str]:
        pack = self.setup.pack
        found = []
        for face, cards in pack.by_face.items():
            if face.suit is None:
                count = f"{number_word(len(cards))} " if len(cards) > 1 else ""
                found.append(f"{count}{self.p.card(face)}")
        return found

    def changes(self, missing: list[str], extras: list[str]) -> str:
        text = f" without {joined(missing)}" if missing else ""
        if extras:
            text += f"{' and' if missing else ''} with {joined(extras)}"
        return text

    def card_names(self) -> Iterator[tuple[str, str]]:
        """For each card of the pack, what a person calls it: `QS`, `queen of spades`."""
        pack = self.setup.pack
        for face in pack.by_face:
            rank = self.p.rank(pack.ranks[face.rank])
            name = rank if face.suit is None else f"{rank} of {words(pack.suits[face.suit].name)}"
            yield pack.face_text(face), name

    def values(self) -> Iterator[Block]:
        """A table of the facts that are numbers printed on the card, so to speak."""
        facts, rows = printed_values(self.setup)
        if facts:
            head = ("Card", *(title(self.p.named_fact(fact)) for fact in facts))
            yield Table(head, tuple((label, *values) for label, values in rows), "What the cards are worth")

    # ------------------------------------------------------------ the table

    def table(self) -> Iterator[Block]:
        rows = []
        for zone in self.program.zones.values():
            each = f", {PER.get(zone.per, f'one for each {words(zone.per)}')}" if zone.per else ""
            kind = {"set": "cards", "pile": "a pile", "piles": f"{number_word(zone.count)} piles"}.get(
                zone.kind, f"up to {number_word(zone.count)} piles"
            )
            told = explained(zone)
            rows.append((title(self.p.zone(zone.name)), told or kind + each, SEEN[zone.seen_by]))
        if rows:
            yield Heading(2, "On the table")
            yield Table(("Place", "What lies there", "Who sees it"), tuple(rows), "The places for cards")

    # ------------------------------------------------------------ options

    def options(self) -> Iterator[Block]:
        shown = [option for option in self.program.options.values() if not option.fixed]
        if not shown:
            return
        yield Heading(2, "Agreed beforehand")
        rows = []
        for option in shown:
            value, usual = (
                self.value(option.format(x)) for x in (self.setup.options[option.name], option.start)
            )
            here = value if value == usual else f"{value} (usually {usual})"
            asked = title(literal(option.text or words(option.name))).removesuffix(".")
            rows.append((asked, here, self.others(option.name)))
        yield Table(("To agree on", "Here", "Also possible"), tuple(rows), "What is agreed before the game")

    def others(self, name: str) -> str:
        """The other values of an option."""
        option, chosen = self.program.options[name], self.setup.options[name]
        if option.words:
            return ", ".join(literal(words(w)) for n, w in enumerate(option.words) if n != chosen)
        if isinstance(option.start, bool):
            return "no" if chosen else "yes"
        if option.values:
            return ", ".join(str(value) for value in option.values if value != chosen)
        low, high = getattr(option.type, "low", 0), getattr(option.type, "high", 0)
        return f"{low} to {high}"

    def value(self, text: str) -> str:
        return {"true": "yes", "false": "no"}.get(text, literal(words(text)))
