"""Indentation and blanks of the YAML around the texts: where each line begins, and what stands between
the signs on it.

Two blanks for each level, lists one level deeper than their key; `{a: b, c: d}` without blanks inside the
brackets; one blank after a colon, unless the values of neighbouring lines stand in one column: they still
do afterwards. Lines are neither joined nor broken.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from dataclasses import dataclass, field, replace
from itertools import groupby

import yaml

from rulekit.diagnostics import SourceFile
from rulekit.formatting.edits import Edit, growth

STEP = 2
"""Blanks for each level of indentation."""

_OPENING = (yaml.FlowMappingStartToken, yaml.FlowSequenceStartToken)
_CLOSING = (yaml.FlowMappingEndToken, yaml.FlowSequenceEndToken)


@dataclass(frozen=True)
class Line:
    """How one line of the file is to be treated.

    ``indent`` is the blanks it is to begin with. ``comment`` is where a comment begins, if the line ends with
    one behind something else. ``inner``: the line begins inside a text, so it counts even if it is blank.
    ``whole``: so do blanks at its end.
    """

    start: int
    end: int
    indent: int = 0
    comment: int | None = None
    inner: bool = False
    whole: bool = False


@dataclass
class _Level:
    """A list or mapping in block style: the column where it stands, and where it should."""

    old: int
    new: int
    mapping: bool
    bare: bool = False  # a list that is not indented below its key
    values: list[tuple[int, int, int, int]] = field(default_factory=list)  # line, key's start and end, value

    @property
    def shift(self) -> int:
        return self.new - self.old

    @property
    def inner(self) -> int:
        """Where an entry begins: behind the dash."""
        return self.new if self.mapping else self.new + STEP


class Layout:
    """One file, walked from token to token; ``edits`` and ``lines`` are the result."""

    def __init__(self, source: SourceFile, texts: list[Edit]) -> None:
        self.source = source
        self.raw = source.text
        self.texts = texts
        self.edits: list[Edit] = []
        starts = source.line_starts
        ends = [*(start - 1 for start in starts[1:]), len(self.raw)]
        self.lines = [Line(*place) for place in zip(starts, ends, strict=True)]
        self._colons: dict[int, Edit] = {}  # blanks behind a colon, by where the value begins
        self._levels: list[_Level] = []
        self._flow = 0
        self._before: yaml.Token | None = None
        self._key: yaml.Token | None = None  # the key whose value comes next
        self._awaits_key = False
        self._shifts: dict[int, int] = {}  # of lines inside block texts, by line
        self._indents: dict[int, int] = {}  # of all other lines with anything on them, by line
        self._placed: list[int] = []  # the latter, sorted
        self._tokens: list[yaml.Token] = []  # those with letters of their own
        for token in yaml.scan(self.raw, Loader=yaml.CSafeLoader):
            self._token(token)
        self.edits = sorted([*self.edits, *self._colons.values()])
        self._finish()

    # ------------------------------------------------------------ tokens

    def _token(self, token: yaml.Token) -> None:
        start, end = token.start_mark.index, token.end_mark.index
        if isinstance(token, (yaml.BlockMappingStartToken, yaml.BlockSequenceStartToken)):
            self._open(token)
        elif isinstance(token, yaml.BlockEndToken):
            self._leave_bare()
            self._align(self._levels.pop())
        elif isinstance(token, yaml.KeyToken) and start == end:
            if not self._flow:
                self._leave_bare()
            self._awaits_key = True
        elif end > start:
            self._real(token, start, end)

    def _open(self, token: yaml.Token) -> None:
        column, line = token.start_mark.column, token.start_mark.line
        before, top = self._before, self._levels[-1] if self._levels else None
        if top is None:
            new = 0
        elif before is not None and before.start_mark.line == line:
            # Behind a dash; behind an anchor the distance stays.
            dash = isinstance(before, yaml.BlockEntryToken)
            new = top.new + STEP if dash else column + top.shift
        else:
            new = top.new + STEP
        self._levels.append(_Level(column, new, isinstance(token, yaml.BlockMappingStartToken)))

    def _leave_bare(self) -> None:
        if self._levels and self._levels[-1].bare:
            self._levels.pop()

    def _real(self, token: yaml.Token, start: int, end: int) -> None:
        """A token with letters of its own."""
        self._tokens.append(token)
        dash = isinstance(token, yaml.BlockEntryToken)
        if dash and self._levels and self._levels[-1].mapping:
            top = self._levels[-1]
            self._levels.append(_Level(token.start_mark.column, top.new + STEP, False, bare=True))
        self._place(token, dash)
        if isinstance(token, yaml.ValueToken) and not self._flow and self._levels:
            self._key = self._before
        elif self._key is not None:
            key, level = self._key, self._levels[-1]
            line = token.start_mark.line
            if line == key.start_mark.line == key.end_mark.line and not level.bare:
                level.values.append((line, key.start_mark.index, key.end_mark.index, start))
            self._key = None
        self._flow += isinstance(token, _OPENING) - isinstance(token, _CLOSING)
        if isinstance(token, yaml.ScalarToken):
            self._inside(token)
            self._awaits_key = False
        self._before = token

    def _place(self, token: yaml.Token, dash: bool) -> None:
        """Where the token stands: at the beginning of its line, or behind another one."""
        line, start = token.start_mark.line, token.start_mark.index
        before = self._before
        if before is not None and _last_line(before, self.raw) == line:
            end = before.end_mark.index
            wanted = self._between(before, token)
            if wanted is not None and self.raw[end:start] != wanted and not self.raw[end:start].strip():
                edit = Edit(end, start, wanted)
                if isinstance(before, yaml.ValueToken):
                    self._colons[start] = edit
                else:
                    self.edits.append(edit)
        else:
            top = self._levels[-1] if self._levels else None
            if self._flow:
                depth = self._flow - isinstance(token, _CLOSING)
                self._indents[line] = (top.inner if top else 0) + STEP * depth
            elif top is None:
                self._indents[line] = 0
            else:
                self._indents[line] = top.new if dash or self._awaits_key else top.new + STEP
        for inner in range(_last_line(before, self.raw) + 1 if before else 0, line):
            if self._flow:  # comments inside brackets
                self._indents[inner] = (self._levels[-1].inner if self._levels else 0) + STEP * self._flow

    def _inside(self, token: yaml.ScalarToken) -> None:
        """The further lines of a text: the letters of a block text go along, others have their column."""
        level = self._levels[-1] if self._levels else _Level(0, 0, True)
        for line in range(token.start_mark.line + 1, _last_line(token, self.raw) + 1):
            if token.style in ("|", ">"):
                self._shifts[line] = level.shift
            else:
                self._indents[line] = level.inner + STEP * max(1, self._flow)
            self.lines[line] = replace(self.lines[line], inner=True)
            if token.style:  # blanks at the end of a line may be letters
                self.lines[line - 1] = replace(self.lines[line - 1], whole=True)
        if token.style in ("|", ">"):
            last = _last_line(token, self.raw)
            self.lines[last] = replace(self.lines[last], whole=True)

    @staticmethod
    def _between(before: yaml.Token, token: yaml.Token) -> str | None:
        """What stands between two tokens on a line; None where it stays."""
        if isinstance(token, yaml.ValueToken):
            return "" if isinstance(before, yaml.ScalarToken) else None
        if isinstance(before, _OPENING) or isinstance(token, (*_CLOSING, yaml.FlowEntryToken)):
            return None if isinstance(before, yaml.AliasToken) else ""
        if isinstance(before, (yaml.FlowEntryToken, yaml.ValueToken, yaml.BlockEntryToken)):
            return " "
        return None

    # ------------------------------------------------------------ columns

    def _align(self, level: _Level) -> None:
        """Values of neighbouring lines that stand in one column do so afterwards; longer keys stick out."""
        numbered = enumerate(level.values)
        for _, run in groupby(numbered, key=lambda pair: pair[1][0] - pair[0]):
            values = [value for _, value in run]
            gap = self._gaps(values)
            lengths = [end - start + growth(self.texts, start, end) for _, start, end, _ in values]
            columns = [end + 1 - start + width for (_, start, end, _), width in zip(values, gap, strict=True)]
            padded = Counter(column for column, width in zip(columns, gap, strict=True) if width > 1)
            shared = max(padded, key=lambda column: (padded[column], -column), default=0)
            members = [length for length, column in zip(lengths, columns, strict=True) if column == shared]
            widest = max(members) if len(members) > 1 else 0
            for (_, _, end, value), length in zip(values, lengths, strict=True):
                self._pad(end, value, 1 + max(0, widest - length))

    def _gaps(self, values: list[tuple[int, int, int, int]]) -> list[int]:
        """The blanks behind the colon of each."""
        return [value - self.raw.index(":", end, value) - 1 for _, _, end, value in values]

    def _pad(self, end: int, value: int, width: int) -> None:
        colon = self.raw.index(":", end, value) + 1
        edit = Edit(colon, value, " " * width)
        if self._colons.pop(value, None) or self.raw[colon:value] != edit.text:
            self._colons[value] = edit

    # ------------------------------------------------------------ lines

    def _finish(self) -> None:
        """What is known of each line."""
        self._placed = sorted(self._indents)
        for number, line in enumerate(self.lines):
            text = self.raw[line.start : line.end]
            width = len(text) - len(text.lstrip(" \t"))
            if number in self._indents:
                indent = self._indents[number]
            elif number in self._shifts:
                indent = max(0, width + self._shifts[number]) if width else 0
            elif text.lstrip(" \t").startswith("#"):
                indent = self._comment_indent(number, width)
            else:
                indent = 0
            self.lines[number] = replace(line, indent=indent)
        for number, place in self._comments():
            self.lines[number] = replace(self.lines[number], comment=place)

    def _comment_indent(self, number: int, width: int) -> int:
        """A comment of its own belongs to the line below it, or to the line above if it stands like that."""
        at = bisect_left(self._placed, number)
        above = self._placed[at - 1] if at else None
        below = self._placed[at] if at < len(self._placed) else None
        for other in (below, above):
            if other is not None and self._width(other) == width:
                return self._indents[other]
        nearest = below if below is not None else above
        return 0 if nearest is None else self._indents[nearest]

    def _width(self, number: int) -> int:
        text = self.raw[self.lines[number].start : self.lines[number].end]
        return len(text) - len(text.lstrip(" \t"))

    def _comments(self) -> list[tuple[int, int]]:
        """Comments behind something, by line."""
        found: list[tuple[int, int]] = []
        before: yaml.Token | None = None
        for token in (*self._tokens, None):
            start = token.start_mark.index if token else len(self.raw)
            if before is not None:
                end = _true_end(before, self.raw)
                line = _last_line(before, self.raw)
                mark = self.raw.find("#", end, min(start, self.lines[line].end))
                if mark >= 0:
                    found.append((line, mark))
            before = token
        return found


def _true_end(token: yaml.Token, raw: str) -> int:
    """Where a token ends; a block text ends with its last letter, not before the next token."""
    start, end = int(token.start_mark.index), int(token.end_mark.index)
    if isinstance(token, yaml.ScalarToken) and token.style in ("|", ">"):
        return start + len(raw[start:end].rstrip())
    return end


def _last_line(token: yaml.Token, raw: str) -> int:
    return int(token.start_mark.line) + raw.count("\n", token.start_mark.index, _true_end(token, raw))
