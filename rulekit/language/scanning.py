"""Cuts a text that does not parse into words, forgivingly, so that messages can point at them."""

from __future__ import annotations

import re
from typing import NamedTuple

_WORDS = re.compile(
    r"""
    (?P<quoted> "[^"]*" | '[^']*' | “[^”]*” | ‘[^’]*’ )
  | (?P<word> \w+ )
  | (?P<symbol> ===|!==|=!|\?\?|\.\.\.
      | &&|\|\||==|!=|<=|>=|=<|=>|<>|:=|\+=|-=|\*=|/=|\+\+|->|<<|>>|\*\*|//|\.\.
      | [-+|&*/%()\[\]{};,.:?!=<>] )
  | (?P<strange> \S )
    """,
    re.VERBOSE,
)
_NAME = re.compile(r"[a-z][a-z0-9_]*")
_LITERAL = re.compile(r"[0-9]*[A-Z][A-Z0-9]*|[0-9]+")


class Word(NamedTuple):
    """A word or symbol and its place.

    ``kind`` is name, literal (number, card, rank), mixed (neither), quoted, symbol or strange.
    """

    kind: str
    text: str
    start: int
    end: int


def scan(text: str) -> list[Word]:
    """The words and symbols of a text, whatever it holds."""
    words = []
    for match in _WORDS.finditer(text):
        kind = match.lastgroup or "strange"
        if kind == "word":
            kind = _kind(match.group())
        words.append(Word(kind, match.group(), match.start(), match.end()))
    return words


def _kind(word: str) -> str:
    if _NAME.fullmatch(word):
        return "name"
    return "literal" if _LITERAL.fullmatch(word) else "mixed"
