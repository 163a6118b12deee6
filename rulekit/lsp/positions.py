"""Characters of a text, and the lines and columns by which editors count them.

A column of the protocol counts code units of the encoding agreed on, UTF-16 if nothing was: an emoji is one
character here and two there. Lines end with `\\n`, `\\r\\n` or `\\r`.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cached_property

from lsprotocol import types as lsp

from rulekit.diagnostics import Span

_END = re.compile(r"\r\n|\n|\r")


class Positions:
    """Places in one text. ``encoding`` is that of the columns: `utf-8`, `utf-16` or `utf-32`."""

    def __init__(self, text: str, encoding: str = "utf-16") -> None:
        self.text = text
        self.encoding = encoding

    @cached_property
    def starts(self) -> list[int]:
        """Where each line begins."""
        return [0, *(end.end() for end in _END.finditer(self.text))]

    def line(self, number: int) -> str:
        """The text of a line, from 0, without its end."""
        start = self.starts[number]
        end = self.starts[number + 1] if number + 1 < len(self.starts) else len(self.text)
        return self.text[start:end].rstrip("\r\n")

    def offset(self, position: lsp.Position) -> int:
        """The character at a position; what is beyond the line's end is its end."""
        if position.line >= len(self.starts):
            return len(self.text)
        start, line = self.starts[position.line], self.line(position.line)
        if self.encoding == "utf-32" or (line.isascii()):
            return start + min(position.character, len(line))
        units = 0
        for place, sign in enumerate(line):
            units += self._units(sign)
            if units > position.character:
                return start + place
        return start + len(line)

    def position(self, offset: int) -> lsp.Position:
        """The position of a character."""
        offset = max(0, min(offset, len(self.text)))
        line = bisect_right(self.starts, offset) - 1
        before = self.text[self.starts[line] : offset]
        if self.encoding == "utf-32" or before.isascii():
            return lsp.Position(line, len(before))
        return lsp.Position(line, sum(map(self._units, before)))

    def range(self, start: int, end: int) -> lsp.Range:
        """The range of characters ``start`` up to ``end``."""
        return lsp.Range(self.position(start), self.position(max(start, end)))

    def span(self, span: Span) -> lsp.Range:
        """The range of a place; at least one character wide if there is one in the line."""
        end = span.end
        if span.start == span.end and self.text[end : end + 1].strip("\r\n"):
            end += 1
        return self.range(span.start, end)

    def _units(self, sign: str) -> int:
        if self.encoding == "utf-8":
            return len(sign.encode("utf-8", "surrogatepass"))
        return 2 if ord(sign) > 0xFFFF else 1
