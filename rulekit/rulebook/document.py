"""A rulebook before it is Markdown or HTML: headings, paragraphs, lists, tables, rows of cards.

Every text may hold the marks of `markup`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Heading:
    """A title; level 1 is the game's."""

    level: int
    text: str


@dataclass(frozen=True)
class Paragraph:
    """``kind``: `lead` (what the game is about), `note` (in smaller print), else plain."""

    text: str
    kind: str = ""


@dataclass(frozen=True)
class Item:
    """A line of a list, and what stands indented below it (``ordered``: numbered, whatever the list is)."""

    text: str
    below: tuple[Item, ...] = ()
    ordered: bool = False


@dataclass(frozen=True)
class Items:
    """A list; an item may hold further items. ``numbered``: their order matters.

    ``kind``: `sources` (names of books and pages, the same in every language), else plain.
    """

    items: tuple[Item, ...]
    numbered: bool = False
    kind: str = ""


@dataclass(frozen=True)
class Table:
    """The first cell of a row is its heading. ``caption`` says what the table shows."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    caption: str = ""


@dataclass(frozen=True)
class CardRow:
    """Cards lying somewhere: `hand of P1`, `4S KH`. ``hidden``: those that lie face down, by place."""

    label: str
    cards: tuple[str, ...]


@dataclass(frozen=True)
class Box:
    """A worked example: blocks that belong together."""

    title: str
    blocks: tuple[Block, ...]


Block = Heading | Paragraph | Items | Table | CardRow | Box


@dataclass(frozen=True)
class Book:
    """A whole rulebook; ``language`` and ``direction`` (ltr, rtl) are those of its text.

    ``suits``: for each letter of the pack, the suit it stands for; ``card_names``: what each card is called.
    ``foreign``: texts that stand in English in a book of another language; ``ui``: words of the page itself.
    """

    title: str
    blocks: tuple[Block, ...]
    language: str = "en"
    direction: str = "ltr"
    suits: tuple[tuple[str, str], ...] = ()
    card_names: tuple[tuple[str, str], ...] = ()
    foreign: frozenset[str] = frozenset()
    ui: tuple[tuple[str, str], ...] = ()


def texts(blocks: tuple[Block, ...]) -> Iterator[str]:
    """Every text of a book, in order."""
    for block in blocks:
        match block:
            case Heading(_, text) | Paragraph(text):
                yield text
            case Items(items, kind=kind) if kind != "sources":
                yield from item_texts(items)
            case Table(head, rows, caption):
                yield from (caption, *head) if caption else head
                for row in rows:
                    yield from row
            case CardRow(label):
                yield label
            case Box(title, inner):
                yield title
                yield from texts(inner)


def item_texts(items: tuple[Item, ...]) -> Iterator[str]:
    """Every text of a list."""
    for item in items:
        yield item.text
        yield from item_texts(item.below)


def changed(blocks: tuple[Block, ...], change: Callable[[str], str]) -> tuple[Block, ...]:
    """The same blocks with every text changed."""

    def lines(items: tuple[Item, ...]) -> tuple[Item, ...]:
        return tuple(replace(item, text=change(item.text), below=lines(item.below)) for item in items)

    found: list[Block] = []
    for block in blocks:
        match block:
            case Heading(_, text) | Paragraph(text):
                found.append(replace(block, text=change(text)))
            case Items(kind="sources"):
                found.append(block)
            case Items(items):
                found.append(replace(block, items=lines(items)))
            case Table(head, rows, caption):
                cells = tuple(tuple(change(cell) for cell in row) for row in rows)
                found.append(Table(tuple(change(cell) for cell in head), cells, change(caption)))
            case CardRow(label):
                found.append(replace(block, label=change(label)))
            case Box(title, inner):
                found.append(Box(change(title), changed(inner, change)))
    return tuple(found)
