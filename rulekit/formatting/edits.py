"""Edits of a text at its own places."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from typing import NamedTuple


class Edit(NamedTuple):
    """Characters ``start`` up to ``end`` are replaced by ``text``."""

    start: int
    end: int
    text: str


def apply(text: str, edits: Iterable[Edit]) -> str:
    """The text after all edits, which do not overlap; equal ones count once."""
    parts: list[str] = []
    at = 0
    for edit in sorted(set(edits)):
        parts += [text[at : edit.start], edit.text]
        at = edit.end
    return "".join([*parts, text[at:]])


def growth(edits: Sequence[Edit], start: int, end: int) -> int:
    """By how many characters sorted edits lengthen what stands from ``start`` to ``end``."""
    first = bisect_left(edits, Edit(start, start, ""))
    grown = 0
    for edit in edits[first:]:
        if edit.start >= end:
            break
        grown += len(edit.text) - (edit.end - edit.start)
    return grown
