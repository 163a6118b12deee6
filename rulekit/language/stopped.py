"""Where the parser stopped in a text: the words around the place, and what could stand there."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from rulekit.diagnostics import Findings, nearest
from rulekit.language import grammar
from rulekit.language.scanning import Word
from rulekit.source.document import Scalar

EXPECTED = {
    "expression": "an expression",
    "key": "an expression, or several joined by `then`",
    "statement": "a statement: `move top of stock to hand`",
    "head": "the head of a statement: `if C`, `for p in players`, `ask p`",
    "declaration": "a type, and perhaps a start: `0..99 per player = 0`",
    "slot": "the type of a slot: `player`, `bool = true`",
    "zone": "a zone: `set per player seen by owner`, `7 piles seen by everyone`",
    "signature": "a name, perhaps with parameters: `cost(player p; int n)`",
    "ranking": "a ranking: `highest score then tricks`",
    "running": "a phase, perhaps with arguments: `show(P1; 5C 5D)`",
    "place": "a zone: `won`, `hand of p`",
    "pattern": "a pattern: `3.. cards same suit consecutive rank`",
}
"""What a text of each form should be."""

_SYMBOLS = {
    "EQUALS": "=",
    "PLUS_EQUALS": "+=",
    "MINUS_EQUALS": "-=",
    "SEMICOLON": ";",
    "LPAR": "(",
    "RPAR": ")",
    "PLUS": "+",
    "MINUS": "-",
    "BAR": "|",
    "AMPERSAND": "&",
    "STAR": "*",
    "SLASHES": "//",
    "PERCENT": "%",
    "COMPARE": "==",
    "DOTS": "..",
    "QUESTION": "?",
}
_SPECIAL = frozenset({"NAME", "LABEL", "LITERAL", "$END", "QUALIFIER", *_SYMBOLS})
_SPELT = {"AT_MOST": "at most", "AT_LEAST": "at least", "UPTO": "up to"}
_OPERATORS = frozenset(
    {
        *("OR", "AND", "NOT", "IN", "IS", "BEATS", "FROM", "OUTSIDE", "INSIDE", "STARTING", "WHERE"),
        *("AT_MOST", "AT_LEAST", "OF"),
    }
)
_OPERANDS = frozenset({"IF", "NOT", "NONE", "TRUE", "FALSE"})


@dataclass
class Stopped:
    """A text of the given form, its words, and the index of the word that cannot stand where it does.

    ``at`` is the number of words if the text is over too early. ``accepted`` are the terminals of the
    grammar that could stand there.
    """

    form: str
    scalar: Scalar
    words: list[Word]
    at: int
    accepted: frozenset[str]
    findings: Findings

    # ------------------------------------------------------------ the words around

    @property
    def text(self) -> str:
        return self.scalar.text

    @property
    def word(self) -> Word | None:
        """The word that cannot stand here; None at the end."""
        return self.near(0)

    def near(self, step: int) -> Word | None:
        """The word so many steps away from the place."""
        index = self.at + step
        return self.words[index] if 0 <= index < len(self.words) else None

    def is_near(self, step: int, *texts: str) -> bool:
        word = self.near(step)
        return word is not None and word.text in texts

    @property
    def at_end(self) -> bool:
        return self.at >= len(self.words)

    @property
    def wants_operand(self) -> bool:
        """A value could stand here."""
        return self.accepted >= {"LITERAL", "NAME", "LPAR"}

    @property
    def wants_operator(self) -> bool:
        """A value has ended here, and could go on with an operator."""
        return "PLUS" in self.accepted

    def group(self, index: int) -> tuple[int, int]:
        """First word and the word after the last of the parenthesis, argument or text that word stands in."""
        first = index
        depth = 0
        while first > 0:
            before = self.words[first - 1].text
            depth += (before == ")") - (before == "(")
            if depth < 0 or (depth == 0 and before in (";", "=", "+=", "-=")):
                break
            first -= 1
        last = index
        depth = 0
        while last < len(self.words):
            here = self.words[last].text
            depth += (here == "(") - (here == ")")
            if depth < 0 or (depth == 0 and here == ";"):
                break
            last += 1
        return first, last

    @cached_property
    def unclosed(self) -> Word | None:
        """The innermost parenthesis still open at the place."""
        open_ones: list[Word] = []
        for word in self.words[: self.at]:
            if word.text == "(":
                open_ones.append(word)
            elif word.text == ")" and open_ones:
                open_ones.pop()
        return open_ones[-1] if open_ones else None

    def piece(self, first: int, last: int) -> str:
        """The text of the words from ``first`` up to but not including ``last``."""
        return self.text[self.words[first].start : self.words[last - 1].end] if first < last else ""

    # ------------------------------------------------------------ what could stand here

    @cached_property
    def keywords(self) -> dict[str, str]:
        """The keywords that could stand here, by terminal."""
        return {name: _SPELT.get(name, name.lower()) for name in sorted(self.accepted - _SPECIAL)}

    @property
    def due(self) -> list[str]:
        """The keywords and symbols that the sentence itself waits for here, operators left out."""
        common = _OPERANDS if self.wants_operand else _OPERATORS if self.wants_operator else frozenset()
        waiting = [f"`{word}`" for name, word in self.keywords.items() if name not in common]
        symbols = (
            {"EQUALS"} if self.unclosed is None or self.wants_operand else {"EQUALS", "SEMICOLON", "RPAR"}
        )
        return waiting + [f"`{_SYMBOLS[name]}`" for name in sorted(symbols & self.accepted)]

    def expected(self) -> str | None:
        """What could stand here, in words."""
        found: list[str] = []
        if self.wants_operand:
            found += ["a name", "a number", "a card"]
        elif "LITERAL" in self.accepted and not self.wants_operator:
            found.append("a number")
        if not self.wants_operand and self.accepted & {"NAME", "LABEL"}:
            pattern = self.is_near(-1, "is", "as", "inside", "outside", "best", "tail")
            found.append("the name of a pattern" if pattern else "a name")
        if self.wants_operator:
            found.append("an operator")
        found += self.due
        if "$END" in self.accepted and found and not self.at_end:
            found.append("the end")
        if not found:
            return None
        return found[0] if len(found) == 1 else f"{', '.join(found[:-1])} or {found[-1]}"

    # ------------------------------------------------------------ trying a correction

    def cures(self, first: int, last: int, text: str, *, at_least: int = 1) -> bool:
        """Would the text go on if ``text`` stood for the words ``first`` to ``last``?

        It parses then, or stops only so many words behind them.
        """
        start, end = self.words[first].start, self.words[last].end
        fixed = f"{self.text[:start]}{text}{self.text[end:]}"
        place = grammar.refused_at(self.form, fixed, self.scalar)
        if place is None:
            return True
        behind = start + len(text) - end
        following = [word.start + behind for word in self.words[last + 1 :]]
        return len(following) >= at_least and place > following[at_least - 1]

    # ------------------------------------------------------------ reporting

    def report(
        self,
        code: str,
        message: str,
        first: int | None = None,
        last: int | None = None,
        *,
        expected: str | None = None,
        help: str | None = None,
        suggestion: str | None = None,
    ) -> bool:
        """Record the finding, under the words ``first`` to ``last`` (the word at the place;
        at the end the last one). Always True. The suggestion is dropped if it cures nothing."""
        first = self.at if first is None else first
        last = first if last is None else last
        first, last = (min(index, len(self.words) - 1) for index in (first, last))
        if suggestion is not None and not self.cures(first, last, suggestion):
            suggestion = None
        start, end = self.words[first].start, self.words[last].end
        self.findings.error(
            code,
            _shortened(message),
            self.scalar.at(start, end),
            expected=expected,
            help=help and _shortened(help),
            suggestion=suggestion,
        )
        return True


def _shortened(message: str) -> str:
    """The message, with long quotations cut."""
    return re.sub(r"`([^`]{60})[^`]{20,}`", r"`\1...`", message)


def near_word(word: str, candidates: list[str]) -> str | None:
    """The keyword that a word is probably meant to be: near in spelling, or with two letters swapped."""
    if word in candidates:
        return None
    for candidate in candidates:
        if sorted(candidate) == sorted(word) and len(word) > 1:
            return candidate
    return nearest(word, candidates, cutoff=0.7)
