"""Places in source text: a file, and a stretch of characters inside it."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import field
from functools import cached_property

from rulekit.records import dataclass


@dataclass(frozen=True, eq=False)
class SourceFile:
    """The text of one file, with the name by which messages call it.

    Compared by identity: two files of one name may differ in text.
    """

    name: str
    text: str = field(repr=False)

    @cached_property
    def line_starts(self) -> tuple[int, ...]:
        """Offset of the first character of each line; line 1 is first. Only ``\\n`` ends a line."""
        starts = [0]
        position = self.text.find("\n")
        while position >= 0:
            starts.append(position + 1)
            position = self.text.find("\n", position + 1)
        return tuple(starts)

    def line_column(self, offset: int) -> tuple[int, int]:
        """Line and column, both from 1, of a character offset (columns count characters)."""
        offset = max(0, min(offset, len(self.text)))
        line = bisect_right(self.line_starts, offset)
        return line, offset - self.line_starts[line - 1] + 1

    def line(self, number: int) -> str:
        """The text of line ``number`` (from 1) without its line end."""
        start = self.line_starts[number - 1]
        end = self.line_starts[number] - 1 if number < len(self.line_starts) else len(self.text)
        return self.text[start:end].rstrip("\r")

    def span(self, start: int, end: int) -> Span:
        """The stretch of characters ``start`` up to but not including ``end``."""
        return Span(self, start, max(start, end))


@dataclass(frozen=True)
class Span:
    """Characters ``start`` up to (not including) ``end`` of a source file."""

    source: SourceFile = field(repr=False)
    start: int
    end: int

    @property
    def file(self) -> str:
        return self.source.name

    @property
    def line(self) -> int:
        """Line of the first character, from 1."""
        return self.source.line_column(self.start)[0]

    @property
    def column(self) -> int:
        """Column of the first character, from 1."""
        return self.source.line_column(self.start)[1]

    @property
    def end_line(self) -> int:
        return self.source.line_column(self.end)[0]

    @property
    def end_column(self) -> int:
        """Column just after the last character, from 1."""
        return self.source.line_column(self.end)[1]

    @property
    def text(self) -> str:
        """The characters themselves."""
        return self.source.text[self.start : self.end]

    def to(self, other: Span) -> Span:
        """From the start of this span to the end of another one in the same file."""
        if other.source is not self.source:
            return self
        return Span(self.source, min(self.start, other.start), max(self.end, other.end))

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"
