"""A rulebook as Markdown."""

from __future__ import annotations

from rulekit.rulebook.document import Block, Book, CardRow, Heading, Item, Items, Paragraph, Table


def to_markdown(book: Book) -> str:
    """The book as CommonMark with tables."""
    return "\n\n".join(block_text(block) for block in book.blocks) + "\n"


def block_text(block: Block) -> str:
    match block:
        case Heading(level, text):
            return f"{'#' * level} {escape(text)}"
        case Paragraph(text):
            return escape(text)
        case Items(items, numbered):
            return "\n".join(item_lines(items, numbered, 0))
        case Table(head, rows):
            lines = [row_text(head), "|" + " --- |" * len(head)]
            return "\n".join(lines + [row_text(row) for row in rows])
        case CardRow(label, cards):
            return f"{escape(label)}: {' '.join(cards)}"


def row_text(cells: tuple[str, ...]) -> str:
    return "| " + " | ".join(escape(cell).replace("|", "\\|") for cell in cells) + " |"


def item_lines(items: tuple[Item, ...], numbered: bool, depth: int) -> list[str]:
    lines = []
    for number, item in enumerate(items, 1):
        mark = f"{number}." if numbered else "-"
        lines.append("   " * depth + f"{mark} {escape(item.text)}")
        lines += item_lines(item.below, numbered, depth + 1)
    return lines


def escape(text: str) -> str:
    """Characters that would start HTML or a link are made plain; emphasis and code are ours."""
    return text.replace("<", "&lt;").replace("[", "\\[").replace("\n", " ")
