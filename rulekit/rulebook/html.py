"""A rulebook as one HTML page that needs nothing else: no script, no font, no picture from elsewhere."""

from __future__ import annotations

import re
from html import escape
from pathlib import Path

from rulekit.rulebook.document import Block, Book, Box, CardRow, Heading, Item, Items, Paragraph, Table
from rulekit.rulebook.markup import plain, runs
from rulekit.rulebook.pictures import Pictures

STYLE = (Path(__file__).parent / "page.css").read_text(encoding="utf-8")
LONG = 14  #: longer lists of moves stand in columns
MANY = 10  #: rows of more cards are drawn smaller


def to_html(book: Book) -> str:
    """The page. Every text of the rule file is escaped."""
    return Page(book).page()


class Page:
    """Writes one book."""

    def __init__(self, book: Book) -> None:
        self.book = book
        self.pictures = Pictures(book.suits, book.card_names)
        self.anchors: dict[str, str] = {}  # what a term says → the heading or row that explains it
        self.ids: set[str] = set()
        self.headings: dict[int, str] = {}
        for place, block in enumerate(book.blocks):
            self.note_anchors(place, block)

    def note_anchors(self, place: int, block: Block) -> None:
        """Where a term leads: to the heading, the combination or the word of the glossary that it names."""
        match block:
            case Heading(level, text) if level > 1:
                self.headings[place] = self.anchor(plain(text), level > 2)
            case Items(items):
                for item in self.every(items):
                    first = next(iter(runs(item.text)), None)
                    if first is not None and first.kind == "term" and ":" in item.text[: len(first.text) + 4]:
                        self.anchor(first.text)
            case Table(_, rows, caption) if caption == self.ui("Words of the game"):
                for row in rows:
                    self.anchor(plain(row[0]))

    def ui(self, text: str) -> str:
        """A word of the page itself, in the language of the book."""
        return dict(self.book.ui).get(text, text)

    def every(self, items: tuple[Item, ...]) -> list[Item]:
        return [x for item in items for x in (item, *self.every(item.below))]

    def anchor(self, text: str, named: bool = True) -> str:
        """An id of its own for a text; ``named``: terms that say it lead there."""
        base = re.sub(r"[^\w]+", "-", text.lower()).strip("-") or "part"
        found, number = base, 2
        while found in self.ids:
            found, number = f"{base}-{number}", number + 1
        self.ids.add(found)
        if named:
            self.anchors.setdefault(text.lower(), found)
        return found

    # ------------------------------------------------------------ the page

    def page(self) -> str:
        book = self.book
        body = "\n".join(self.placed(place, block) for place, block in enumerate(book.blocks))
        lang, way = escape(book.language), book.direction
        return (
            f'<!doctype html>\n<html lang="{lang}" dir="{way}">\n<head>\n<meta charset="utf-8">\n'
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
            f"<title>{escape(plain(book.title))}</title>\n<style>{STYLE}</style>\n</head>\n"
            f'<body lang="{lang}">\n{self.pictures.symbols()}\n<main>\n{body}\n</main>\n</body>\n</html>\n'
        )

    def placed(self, place: int, block: Block) -> str:
        """A block in the page; the contents stand after the first paragraphs."""
        said = self.block(block, self.headings.get(place))
        first = next(
            (n for n, b in enumerate(self.book.blocks) if isinstance(b, Heading) and b.level == 2), 0
        )
        return f"{self.contents()}\n{said}" if place == first else said

    def contents(self) -> str:
        links = "".join(
            f'<li><a href="#{escape(self.headings[place])}">{self.inline(block.text, False)}</a></li>'
            for place, block in enumerate(self.book.blocks)
            if isinstance(block, Heading) and block.level == 2
        )
        return f'<nav aria-label="{escape(self.ui("Contents"))}"><ul>{links}</ul></nav>' if links else ""

    def block(self, block: Block, anchor: str | None = None) -> str:
        match block:
            case Heading(level, text):
                name = f' id="{escape(anchor)}"' if anchor else ""
                return f"<h{level}{name}{self.foreign(text)}>{self.inline(text, False)}</h{level}>"
            case Paragraph(text, kind):
                css = f' class="{kind}"' if kind else ""
                return f"<p{self.foreign(text) or css}>{self.inline(text)}</p>"
            case Items(items, numbered, kind):
                if kind == "sources" and self.book.language != "en":
                    return f'<div lang="en" dir="ltr">{self.items(items, numbered)}</div>'
                long = numbered and len(items) > LONG and not any(item.below for item in items)
                said = self.items(items, numbered)
                return f'<div class="columns">{said}</div>' if long else said
            case Table():
                return self.table(block)
            case CardRow(label, cards):
                drawn = "".join(self.pictures.picture(card) for card in cards)
                many = " many" * (len(cards) > MANY)
                name = f'<span class="label"{self.foreign(label)}>{self.inline(label)}</span>'
                return f'<div class="cards{many}">{name}<span class="row">{drawn}</span></div>'
            case Box(title, inner):
                blocks = "\n".join(self.block(part) for part in inner)
                return (
                    f'<section class="example"><h3{self.foreign(title)}>{self.inline(title, False)}</h3>\n'
                    f"{blocks}</section>"
                )

    def table(self, table: Table) -> str:
        top = "".join(f'<th scope="col"{self.foreign(cell)}>{self.inline(cell)}</th>' for cell in table.head)
        lines = []
        words = table.caption == self.ui("Words of the game")
        for row in table.rows:
            name = f' id="{escape(self.anchors.get(plain(row[0]).lower(), ""))}"' if words else ""
            first = f'<th scope="row"{name}{self.foreign(row[0])}>{self.inline(row[0], False)}</th>'
            rest = "".join(f"<td{self.foreign(cell)}>{self.inline(cell)}</td>" for cell in row[1:])
            lines.append(f"<tr>{first}{rest}</tr>")
        told = f"<caption>{self.inline(table.caption, False)}</caption>" if table.caption else ""
        return (
            f'<div class="scroll"><table>{told}<thead><tr>{top}</tr></thead>'
            f"<tbody>{''.join(lines)}</tbody></table></div>"
        )

    def items(self, items: tuple[Item, ...], numbered: bool) -> str:
        tag = "ol" if numbered else "ul"
        lines = []
        for item in items:
            first = next(iter(runs(item.text)), None)
            name = ""
            if first is not None and first.kind == "term" and ":" in item.text[: len(first.text) + 4]:
                name = f' id="{escape(self.anchors.get(first.text.lower(), ""))}"'
                if name in ("", ' id=""') or self.anchors.get(first.text.lower()) in self.headings.values():
                    name = ""
            below = self.items(item.below, numbered or item.ordered) if item.below else ""
            lines.append(f"<li{name}{self.foreign(item.text)}>{self.inline(item.text)}{below}</li>")
        return f"<{tag}>{''.join(lines)}</{tag}>"

    def foreign(self, text: str) -> str:
        """The marks of a text that stands in English in a book of another language."""
        return ' lang="en" dir="ltr" class="foreign"' if text in self.book.foreign else ""

    # ------------------------------------------------------------ text

    def inline(self, text: str, links: bool = True) -> str:
        """Text with its terms and cards; everything else is plain."""
        said = []
        for run in runs(text):
            match run.kind:
                case "plain":
                    said.append(escape(run.text, quote=False))
                case "term":
                    said.append(self.term(run.text, links))
                case "card":
                    said.append(self.pictures.inline(run.text))
        return "".join(said)

    def term(self, text: str, links: bool) -> str:
        shown = f"<em>{escape(text, quote=False)}</em>"
        anchor = self.anchors.get(text.lower()) or self.anchors.get(text.lower().replace(" not ", " ", 1))
        return f'<a href="#{escape(anchor)}">{shown}</a>' if anchor and links else shown
