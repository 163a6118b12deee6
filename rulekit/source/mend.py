"""Slips in keys, mended for whoever reads on.

A misspelt `zones:` has been told once, with the right word. To read on without it would tell the same slip
again for every zone that is used; so the rest is read as if the right word stood there.
"""

from __future__ import annotations

from dataclasses import replace

from rulekit.diagnostics import Findings, SourceFile
from rulekit.source.document import Entry, Mapping, Node, Scalar, Sequence

_CODES = ("RK201", "RK205", "RK208")  #: unknown keys, unknown statements, keys that cannot be names


def mended(node: Mapping, findings: Findings) -> Mapping:
    """The document with each misspelt key as it was suggested; the findings stay."""
    slips = {
        (found.span.source, found.span.start): found.suggestion
        for found in findings.items
        if found.code in _CODES and found.suggestion and found.span
    }
    if not slips:
        return node
    whole = _mended(node, slips)
    assert isinstance(whole, Mapping)
    return whole


def _mended(node: Node, slips: dict[tuple[SourceFile, int], str]) -> Node:
    match node:
        case Mapping():
            present = set(node.keys())
            return replace(node, entries=tuple(_entry(entry, present, slips) for entry in node.entries))
        case Sequence():
            return replace(node, items=tuple(_mended(item, slips) for item in node.items))
    return node


def _entry(entry: Entry, present: set[str], slips: dict[tuple[SourceFile, int], str]) -> Entry:
    key, value = entry.key, _mended(entry.value, slips)
    word = slips.get((key.span.source, key.span.start))
    if word is None:
        return Entry(key, value)
    first = key.text.split(None, 1)[0] if key.text.strip() else key.text
    text = word + key.text[len(first) :]
    return Entry(key if text in present else _respelt(key, first, word), value)


def _respelt(key: Scalar, first: str, word: str) -> Scalar:
    """The key with another first word; its places in the file stay those of what is written there."""
    offsets = key.offsets
    if offsets:
        end = len(first)
        offsets = (*(offsets[min(i, end - 1)] for i in range(len(word))), *offsets[end:])
    return replace(key, text=word + key.text[len(first) :], offsets=offsets)
