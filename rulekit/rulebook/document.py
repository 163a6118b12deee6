"""A rulebook before it is Markdown or HTML: headings, paragraphs, lists, tables, rows of cards."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Heading:
    """A title; level 1 is the game's."""

    level: int
    text: str


@dataclass(frozen=True)
class Paragraph:
    text: str


@dataclass(frozen=True)
class Items:
    """A list; an item may hold further items. ``numbered``: their order matters."""

    items: tuple[Item, ...]
    numbered: bool = False


@dataclass(frozen=True)
class Item:
    """A line of a list, and what stands indented below it."""

    text: str
    below: tuple[Item, ...] = ()


@dataclass(frozen=True)
class Table:
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class CardRow:
    """Cards lying somewhere: `hand of P1`, `4S KH`."""

    label: str
    cards: tuple[str, ...]


Block = Heading | Paragraph | Items | Table | CardRow


@dataclass(frozen=True)
class Book:
    """A whole rulebook; ``language`` and ``direction`` (ltr, rtl) are those of its text."""

    title: str
    blocks: tuple[Block, ...]
    language: str = "en"
    direction: str = "ltr"
