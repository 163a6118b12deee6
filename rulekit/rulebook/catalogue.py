"""Catalogues of translations: what a rule file says, in another language.

A catalogue has two parts. ``texts`` are what an author wrote, by id: `title`, `moves.play`,
`options.lapse`. ``sentences`` are what the rulebook says of itself, by the English sentence, with `{1}`,
`{2}` for numbers, cards and seats: when the rules change, the sentence does, and its translation is not
used any more instead of telling something else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from rulekit.diagnostics import Span
from rulekit.program import Program
from rulekit.source.document import Mapping, Node, Scalar

#: Cards, a list of ranks, seats and numbers: what is the same in every language.
TOKEN = re.compile(
    r"\[\[[^\[\]]+\]\](?: \[\[[^\[\]]+\]\])*|(?<=: )[0-9A-Z]+(?: [0-9A-Z]+){3,}(?=\.)|\bP\d+\b|\d+(?:,\d{3})*"
)
MARK = re.compile(r"\{(\d+)\}")
COMMON = "common"  #: the catalogue of a language that serves all rulesets


@dataclass(frozen=True)
class Translation:
    """One entry: the text, what it is a translation of (if that is noted), and where it stands."""

    text: str
    of: str | None = None
    span: Span | None = field(default=None, compare=False, repr=False)
    key: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True)
class Catalogue:
    """One file. ``of``: the ruleset, `blocks/trick`, or `common`; ``card`` how a card is called."""

    language: str
    of: str
    direction: str | None = None
    card: str | None = None
    texts: dict[str, Translation] = field(default_factory=dict)
    sentences: dict[str, Translation] = field(default_factory=dict)


def read_catalogue(node: Mapping) -> Catalogue:
    """The catalogue of a document whose structure has been checked."""

    def plain(key: str) -> str | None:
        found = node.get(key)
        return found.text if isinstance(found, Scalar) else None

    return Catalogue(
        plain("language") or "",
        plain("of") or COMMON,
        plain("direction"),
        plain("card"),
        dict(entries(node.get("texts"))),
        {normal(key): entry for key, entry in entries(node.get("sentences"))},
    )


def entries(node: Node | None) -> Iterator[tuple[str, Translation]]:
    """The entries of a part."""
    for entry in node if isinstance(node, Mapping) else ():
        value = entry.value
        if isinstance(value, Scalar):
            yield entry.key.text, Translation(value.text, None, value.span, entry.key.span)
        elif isinstance(value, Mapping):
            said, of = value.get("is"), value.get("of")
            if isinstance(said, Scalar):
                was = of.text if isinstance(of, Scalar) else None
                yield entry.key.text, Translation(said.text, was, said.span, entry.key.span)


def normal(sentence: str) -> str:
    """A sentence with `{1}`, `{2}` ... for what is the same in every language."""
    return split(sentence)[0]


def split(sentence: str) -> tuple[str, list[str]]:
    """The same, and what stood there."""
    found: list[str] = []

    def number(token: re.Match[str]) -> str:
        found.append(token[0])
        return f"{{{len(found)}}}"

    if MARK.search(sentence):
        return sentence, found
    return TOKEN.sub(number, sentence), found


def says_something(text: str) -> bool:
    """There are words in it: a number or a card is the same in every language."""
    return re.search(r"[^\W\d_]{2,}|\b[a-z]\b", TOKEN.sub("", text)) is not None


def marks(text: str) -> set[str]:
    """The places for values in a text."""
    return set(MARK.findall(text))


# ---------------------------------------------------------------- ids


def ids(program: Program) -> dict[str, str]:
    """What can be translated by id, with the English text."""
    found: dict[str, str] = {"title": program.title}
    if program.text:
        found["text"] = program.text
    for option in program.options.values():
        if option.text:
            found[f"options.{option.name}"] = option.text
        for word in option.words:
            found[f"options.{option.name}.{word}"] = word.replace("_", " ")
    for kind in ("moves", "phases", "zones", "state", "defines", "facts"):
        for part in getattr(program, kind).values():
            if part.text:
                found[f"{OF.get(kind, kind)}.{part.name}"] = part.text
    for label in labels(program):
        found[label_id(label)] = label
    for reason in program.reasons:
        found[f"reasons.{reason}"] = reason.replace("_", " ")
    return found


def label_id(label: str) -> str:
    """The id of the name of a duty: `labels.follow_suit`."""
    return f"labels.{re.sub(r'[^A-Za-z0-9]+', '_', label).strip('_')}"


def labels(program: Program) -> Iterator[str]:
    """The names of duties and of conditions of moves, which tell a player why a move is refused."""
    for move in program.moves.values():
        for choice in move.choices:
            yield from (entry.label for entry in choice.entries if entry.label)
        yield from (condition.label for condition in move.conditions)


OF = {"defines": "define", "facts": "card"}


def in_sentences(catalogues: Sequence[Catalogue], sentence: str) -> Translation | None:
    """The nearest entry for a sentence."""
    return next((c.sentences[sentence] for c in catalogues if sentence in c.sentences), None)
