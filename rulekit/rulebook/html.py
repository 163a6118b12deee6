"""A rulebook as one HTML page that needs nothing else."""

from __future__ import annotations

import re
from html import escape

from rulekit.rulebook.document import Block, Book, Box, CardRow, Heading, Item, Items, Paragraph, Table

STYLE = """
body { font: 17px/1.5 Georgia, 'Noto Serif', serif; color: #222; }
body { max-width: 46rem; margin: 2rem auto; padding: 0 1rem; }
h1, h2, h3 { font-family: 'Helvetica Neue', Arial, sans-serif; line-height: 1.2; }
h2 { border-bottom: 1px solid #ccc; padding-bottom: .2rem; margin-top: 2rem; }
table { border-collapse: collapse; margin: 1rem 0; width: 100%; font-size: .95em; }
th, td { border: 1px solid #ddd; padding: .3rem .6rem; text-align: start; vertical-align: top; }
th { background: #f3f3ee; }
.cards { margin: .4rem 0; }
.card { display: inline-block; min-width: 2.1rem; padding: .15rem .3rem; margin: .1rem;
  border: 1px solid #999;
  border-radius: .3rem; background: #fff; text-align: center; box-shadow: 0 1px 1px #ccc; direction: ltr; }
.red { color: #b3001b; }
code { background: #f3f3ee; padding: 0 .2rem; }
"""

SIGNS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}


def to_html(book: Book) -> str:
    """The page, readable without network, script or font files."""
    body = "\n".join(block_html(block) for block in book.blocks)
    return (
        f'<!doctype html>\n<html lang="{escape(book.language)}" dir="{book.direction}">\n<head>\n'
        f'<meta charset="utf-8">\n<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(book.title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n{body}\n</body>\n</html>\n"
    )


def block_html(block: Block) -> str:
    match block:
        case Heading(level, text):
            return f"<h{level}>{inline(text)}</h{level}>"
        case Paragraph(text):
            return f"<p>{inline(text)}</p>"
        case Items(items, numbered):
            return items_html(items, numbered)
        case Table(head, rows):
            top = "".join(f"<th>{inline(cell)}</th>" for cell in head)
            lines = "".join("<tr>" + "".join(f"<td>{inline(c)}</td>" for c in row) + "</tr>" for row in rows)
            return f"<table><thead><tr>{top}</tr></thead><tbody>{lines}</tbody></table>"
        case CardRow(label, cards):
            drawn = "".join(card_html(card) for card in cards)
            return f'<p class="cards">{inline(label)}: {drawn}</p>'
        case Box(title, inner):
            return f"<h3>{inline(title)}</h3>" + "".join(block_html(b) for b in inner)


def items_html(items: tuple[Item, ...], numbered: bool) -> str:
    tag = "ol" if numbered else "ul"
    lines = "".join(
        f"<li>{inline(item.text)}{items_html(item.below, numbered) if item.below else ''}</li>"
        for item in items
    )
    return f"<{tag}>{lines}</{tag}>"


def card_html(card: str) -> str:
    """A card, drawn simply: rank and suit in its colour."""
    rank, suit = card[:-1], card[-1:]
    if suit not in SIGNS or not rank:
        return f'<span class="card">{escape(card)}</span>'
    color = ' red"' if suit in "DH" else '"'
    return f'<span class="card{color}>{escape(rank)}{SIGNS[suit]}</span>'


def inline(text: str) -> str:
    """Text with its emphasis and code; everything else is plain."""
    plain = escape(text, quote=False)
    plain = re.sub(r"`([^`]*)`", r"<code>\1</code>", plain)
    return re.sub(r"(?<![\w*])\*([^*\n]+)\*(?![\w*])", r"<em>\1</em>", plain)
