"""A rulebook in another language: each of its texts looked up in catalogues, nothing mixed in silently."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from rulekit.program import Setup
from rulekit.program.texts import fill
from rulekit.rulebook.catalogue import MARK, Catalogue, Translation, ids, in_sentences, says_something, split
from rulekit.rulebook.document import Book, Heading, Paragraph, changed, texts
from rulekit.rulebook.english import title
from rulekit.rulebook.markup import literal

NOTE = "Of {1} passages, {2} are not yet in this language and stand in English."
STOPS = (".", "।", "۔")
LATIN = re.compile(r"[A-Z]")
ASIDE = ("labels.", "reasons.")  #: texts that are looked up by their id alone
UI = ("Contents", "Words of the game")


@dataclass(frozen=True)
class Translated:
    """A book, how many passages it has, and those that no catalogue translates."""

    book: Book
    total: int
    missing: tuple[str, ...]


class Translator:
    """Looks texts up; ``setup`` has its texts filled in."""

    def __init__(self, catalogues: Sequence[Catalogue], setup: Setup) -> None:
        self.catalogues, self.setup = catalogues, setup
        self.rtl = direction(catalogues) == "rtl"
        self.by_text: dict[str, str] = {}  # how a text of the author appears → its id
        self.texts = ids(setup.program)
        for key, text in self.texts.items():
            if key.startswith(ASIDE):
                continue  # a duty `trump` is not what a state `trump` is
            for form in forms(text):
                self.by_text.setdefault(form, key)
        self.missing: dict[str, None] = {}
        self.found: dict[str, None] = {}

    def __call__(self, text: str) -> str:
        """The text in the other language; itself, and noted as missing, if there is none."""
        if not says_something(text):
            return text
        said = self.look_up(text)
        (self.missing if said is None else self.found)[text] = None
        return text if said is None else said

    def look_up(self, text: str) -> str | None:
        """One entry, or an entry for each part of a list or of a title in two parts."""
        if (key := self.by_text.get(text)) is not None:
            entry = self.by_id(key)
            if entry is not None:
                said = self.filled(fill(entry.text, self.setup), split(text)[1])
                return said if text.endswith(STOPS) else said.rstrip("".join(STOPS))
        pattern, tokens = split(text)
        entry = in_sentences(self.catalogues, pattern)
        if entry is not None:
            return self.filled(entry.text, tokens)
        for mark in (" ... ", ", "):
            parts = text.split(mark)
            if len(parts) > 1 and len(text) < 200 and not text.endswith("."):
                found = [self.look_up(part) if says_something(part) else part for part in parts]
                if all(part is not None for part in found):
                    comma = "، " if self.rtl and mark == ", " else mark
                    return comma.join(part for part in found if part is not None)
        return None

    def by_id(self, key: str) -> Translation | None:
        """The nearest entry for an id that translates the text as it is now: a variant may have another."""
        for catalogue in self.catalogues:
            entry = catalogue.texts.get(key)
            if entry is not None and (entry.of is None or fill(entry.of, self.setup) == self.texts[key]):
                return entry
        return None

    def filled(self, said: str, tokens: list[str]) -> str:
        """The translation with the numbers, cards and seats of this sentence."""

        def value(mark: str) -> str:
            place = int(mark)
            token = tokens[place - 1] if 0 < place <= len(tokens) else "{" + mark + "}"
            # Ranks and seats are read from left to right, whatever stands around them.
            return f"\u2066{token}\u2069" if self.rtl and LATIN.search(token) and token[0] != "[" else token

        return MARK.sub(lambda found: value(found[1]), said)


def direction(catalogues: Sequence[Catalogue]) -> str:
    """How the language is written: `ltr` or `rtl`."""
    return next((c.direction for c in catalogues if c.direction), "ltr")


def forms(text: str) -> Iterator[str]:
    """How a text of the author may appear in a book."""
    plain = literal(text)
    yield from (plain, plain.rstrip("."), title(plain), title(plain).rstrip("."))


def translate(book: Book, catalogues: Sequence[Catalogue], setup: Setup) -> Translated:
    """The book in the language of the catalogues, the nearest of them first."""
    look_up = Translator(catalogues, setup)
    blocks = changed(book.blocks, look_up)
    total = sum(1 for text in dict.fromkeys(texts(book.blocks)) if says_something(text))
    missing = tuple(look_up.missing)
    if missing:
        entry = in_sentences(catalogues, NOTE)
        said = look_up.filled(entry.text if entry else NOTE, [str(total), str(len(missing))])
        place = next(
            (n for n, block in enumerate(blocks) if isinstance(block, Heading) and block.level == 2), 1
        )
        blocks = (*blocks[:place], Paragraph(said, "note"), *blocks[place:])
    quiet = Translator(catalogues, setup)
    return Translated(
        replace(
            book,
            title=look_up(book.title),
            blocks=blocks,
            language=catalogues[0].language,
            direction=direction(catalogues),
            card_names=tuple((face, card_name(name, catalogues, quiet)) for face, name in book.card_names),
            foreign=frozenset(missing),
            ui=tuple((text, quiet(text)) for text in UI),
        ),
        total,
        missing,
    )


def card_name(name: str, catalogues: Sequence[Catalogue], look_up: Translator) -> str:
    """What a card is called: `queen of spades`."""
    whole = look_up.look_up(name)
    if whole is not None:
        return whole
    rank, of, suit = name.partition(" of ")
    form = next((c.card for c in catalogues if c.card), None)
    if not of or form is None:
        return name
    return form.replace("{rank}", look_up(rank)).replace("{suit}", look_up(suit))
