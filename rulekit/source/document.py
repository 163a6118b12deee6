"""A YAML document in which every part knows its place in the file.

Three kinds of node. A scalar is always text: `10`, `"10"` and `J` are one kind of thing, and what a
text means (number, bool, rank, expression) is decided by whoever reads it.

A node written once and used again through an alias (`*name`) keeps the place where it was written;
``used`` is the place of the alias.
"""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Sequence as Items
from dataclasses import field

from rulekit.diagnostics import Span
from rulekit.records import dataclass

Places = Items[int]


@dataclass(frozen=True)
class Scalar:
    """A text. ``plain`` if it stood without quotes (`key:` without a value is a plain empty text).

    ``offsets[i]`` is where in the file character ``i`` of ``text`` stands, and ``offsets[len(text)]``
    where the text ends, so that a word inside a folded, escaped or block text can be underlined.
    """

    text: str
    span: Span
    plain: bool = True
    offsets: Places = field(default=(), repr=False, compare=False)
    used: Span | None = field(default=None, repr=False, compare=False)

    def at(self, start: int, end: int) -> Span:
        """The place in the file of characters ``start`` up to ``end`` of the text."""
        if not self.offsets:
            return self.span
        last = len(self.offsets) - 1
        start, end = min(start, last), min(end, last)
        first = self.offsets[start]
        stop = self.offsets[end - 1] + 1 if end > start else first
        return Span(self.span.source, first, max(first, stop))


@dataclass(frozen=True)
class Entry:
    """One `key: value` of a mapping."""

    key: Scalar
    value: Node


@dataclass(frozen=True)
class Mapping:
    """Keys and values in the order written; keys are unique."""

    entries: tuple[Entry, ...]
    span: Span
    used: Span | None = field(default=None, repr=False, compare=False)

    def get(self, key: str) -> Node | None:
        """The value of ``key``, or None if there is no such key."""
        for entry in self.entries:
            if entry.key.text == key:
                return entry.value
        return None

    def entry(self, key: str) -> Entry | None:
        """Key and value of ``key``, or None if there is no such key."""
        for entry in self.entries:
            if entry.key.text == key:
                return entry
        return None

    def keys(self) -> tuple[str, ...]:
        return tuple(entry.key.text for entry in self.entries)

    def __contains__(self, key: object) -> bool:
        return any(entry.key.text == key for entry in self.entries)

    def __iter__(self) -> Iterator[Entry]:
        return iter(self.entries)


@dataclass(frozen=True)
class Sequence:
    """Values in the order written."""

    items: tuple[Node, ...]
    span: Span
    used: Span | None = field(default=None, repr=False, compare=False)

    def __iter__(self) -> Iterator[Node]:
        return iter(self.items)


Node = Scalar | Mapping | Sequence
