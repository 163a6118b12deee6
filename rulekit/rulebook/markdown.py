"""A rulebook as Markdown: CommonMark with tables."""

from __future__ import annotations

import re

from rulekit.rulebook.document import Block, Book, Box, CardRow, Heading, Item, Items, Paragraph, Table
from rulekit.rulebook.markup import runs

SIGNS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}
SPECIAL = re.compile(r"[\\`*_\[\]<>#|~&]|^(?=[-+] |\d+[.)] )")


def to_markdown(book: Book) -> str:
    """The book as CommonMark with tables."""
    return "\n\n".join(Page(book).block(block) for block in book.blocks) + "\n"


class Page:
    """Writes the blocks of one book."""

    def __init__(self, book: Book) -> None:
        self.book = book
        self.usual = usual_suits(book)

    def block(self, block: Block) -> str:
        match block:
            case Heading(level, text):
                return f"{'#' * level} {self.inline(text)}"
            case Paragraph(text, kind):
                said = self.inline(text)
                return f"*{said}*" if kind == "note" and "*" not in said else said
            case Items(items, numbered):
                return "\n".join(self.lines(items, numbered, 0))
            case Table(head, rows):
                lines = [self.row(head), "|" + " --- |" * len(head)]
                return "\n".join(lines + [self.row(row) for row in rows])
            case CardRow(label, cards):
                return f"{self.inline(label)}: {' '.join(self.card(card) for card in cards)}"
            case Box(title, inner):
                return "\n\n".join([f"### {self.inline(title)}", *(self.block(block) for block in inner)])

    def row(self, cells: tuple[str, ...]) -> str:
        return "| " + " | ".join(self.inline(cell) for cell in cells) + " |"

    def lines(self, items: tuple[Item, ...], numbered: bool, depth: int) -> list[str]:
        found = []
        for number, item in enumerate(items, 1):
            mark = f"{number}." if numbered else "-"
            found.append("   " * depth + f"{mark} {self.inline(item.text)}")
            found += self.lines(item.below, numbered or item.ordered, depth + 1)
        return found

    def inline(self, text: str) -> str:
        """Text with its terms and cards; everything else is plain, whatever it looks like."""
        said = []
        for run in runs(text):
            match run.kind:
                case "plain":
                    said.append(plain(run.text))
                case "term":
                    said.append(f"*{plain(run.text)}*")
                case "card":
                    said.append(self.card(run.text))
        return "".join(said)

    def card(self, card: str) -> str:
        """`Q♠` in the usual suits; other cards in their notation."""
        rank, suit = card[:-1], card[-1:]
        shown = f"{rank}{SIGNS[suit]}" if self.usual and suit in SIGNS and rank else plain(self.name(card))
        if self.book.direction == "rtl":
            return f"\u2066{shown}\u2069"  # a card is read from left to right in any language
        return shown

    def name(self, card: str) -> str:
        """An extra card by its name, a card of unusual suits in its notation."""
        known = dict(self.book.card_names).get(card, card)
        extra = not any(card.endswith(letter) for letter, _ in self.book.suits)
        return known.title() if extra and self.book.language == "en" else known if extra else card


def usual_suits(book: Book) -> bool:
    """The letters C D H S mean clubs, diamonds, hearts and spades."""
    usual = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}
    return bool(book.suits) and all(usual.get(letter) == suit for letter, suit in book.suits)


def plain(text: str) -> str:
    """Text in which nothing is taken for Markdown or HTML."""
    return SPECIAL.sub(lambda found: {"<": "&lt;", "&": "&amp;"}.get(found[0], "\\" + found[0]), text)
