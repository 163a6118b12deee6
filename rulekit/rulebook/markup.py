"""The few marks inside a text of a rulebook: `*term*`, `[[QS]]` for a card, a backslash before what is plain.

What authors write goes through `literal`, so that nothing of theirs is taken for a mark.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

SPECIAL = re.compile(r"[\\*\[\]]")
TOKEN = re.compile(r"\\(.)|\*((?:[^*\\]|\\.)+)\*|\[\[([^\[\]]+)\]\]", re.DOTALL)


@dataclass(frozen=True)
class Run:
    """A stretch of text: ``plain``, a ``term`` that is explained elsewhere, or a ``card`` in notation."""

    kind: Literal["plain", "term", "card"]
    text: str


def literal(text: str) -> str:
    """The text as it stands, with every mark in it made plain and line ends made blanks."""
    return SPECIAL.sub(lambda found: "\\" + found[0], " ".join(text.split()))


def term(text: str) -> str:
    """A word that the book explains. Marks inside it are dropped."""
    return f"*{text.replace('*', '')}*"


def card(text: str) -> str:
    """A card, by its notation."""
    return f"[[{text}]]"


def runs(text: str) -> Iterator[Run]:
    """The text in pieces."""
    held = ""
    place = 0
    for found in TOKEN.finditer(text):
        held += text[place : found.start()]
        place = found.end()
        if found[1] is not None:
            held += found[1]
            continue
        if held:
            yield Run("plain", held)
            held = ""
        if found[2] is not None:
            yield Run("term", re.sub(r"\\(.)", r"\1", found[2]))
        else:
            yield Run("card", found[3])
    held += text[place:]
    if held:
        yield Run("plain", held)


def plain(text: str) -> str:
    """The text without its marks."""
    return "".join(run.text for run in runs(text))
