"""How the words of a text stand apart: one blank, or none beside brackets, `;`, `..` and the like.

No word is changed, added or taken away, so a text means the same before and after.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import NamedTuple

from rulekit.language import grammar
from rulekit.language.heard import WORDS

_WORD = re.compile(r"\S+")
_BLANKS = re.compile(r"\s+")
_OPERAND_ENDS = frozenset({"NAME", "LABEL", "LITERAL", "RPAR", "NONE", "TRUE", "FALSE"})
_OPERAND_BEGINS = frozenset({"NAME", "LITERAL", "LPAR", "MINUS", "NONE", "TRUE", "FALSE"})
# Inside a pattern: what begins a condition, and what ends one.
_CONDITION = frozenset({"EACH", "WHERE"})
_NO_CONDITION = frozenset({"SAME", "DIFFERENT", "CONSECUTIVE", "WITH", "OR"})


class Gap(NamedTuple):
    """The blanks between two words, from ``start`` up to ``end`` of the text, and what should stand there."""

    start: int
    end: int
    wanted: str


class _Piece(NamedTuple):
    kind: str
    start: int
    end: int


def gaps(form: str, text: str) -> list[Gap]:
    """Every gap of a text that parses as ``form``: also at its beginning and end, also those of no width."""
    if form == WORDS:
        pieces = [_Piece("", *word.span()) for word in _WORD.finditer(text)]
    else:
        pieces = [_Piece(*piece) for piece in grammar.pieces(form, text)]
    if not pieces:
        return []
    found = [Gap(0, pieces[0].start, "")]
    between = _Between(form)
    for before, after in pairwise(pieces):
        found.append(Gap(before.end, after.start, between.wanted(before.kind, after.kind)))
    found.append(Gap(pieces[-1].end, len(text), ""))
    for piece in pieces:  # `at  most` is one word to the grammar
        for blank in _BLANKS.finditer(text, piece.start, piece.end):
            found.append(Gap(*blank.span(), " "))
    return sorted(found)


def spaced(form: str, text: str) -> str:
    """The text with every gap as it should be."""
    parts, at = [], 0
    for gap in gaps(form, text):
        parts += [text[at : gap.start], gap.wanted]
        at = gap.end
    return "".join(parts) + text[at:]


class _Between:
    """What stands between two neighbours, asked from left to right."""

    def __init__(self, form: str) -> None:
        self.pattern = form == "pattern"
        self.depth = 0
        self.condition = False
        self.unary = form != WORDS  # would a `-` that comes next be a sign?

    def wanted(self, before: str, after: str) -> str:
        sign = before == "MINUS" and self.unary
        self.unary = before not in _OPERAND_ENDS
        if before == "LPAR":
            self.depth += 1
        elif before == "RPAR":
            self.depth -= 1
        if self.depth == 0 and before in _CONDITION | _NO_CONDITION:
            self.condition = before in _CONDITION
        if sign or before == "LPAR" or after in ("RPAR", "SEMICOLON", "QUESTION", "DOTS"):
            return ""
        if before == "DOTS":
            counting = self.pattern and self.depth == 0 and not self.condition
            return "" if after in (("LITERAL",) if counting else _OPERAND_BEGINS) else " "
        return "" if after == "LPAR" and before in ("NAME", "LABEL") else " "
