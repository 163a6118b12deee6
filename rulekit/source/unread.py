"""Names that may be declared where nobody could read it: so that one slip is not told again at every use.

A key that means nothing, or a name that cannot be one, has been told. What stands below it is not read, and
the names it would have declared are unknown everywhere else; of these nothing is said.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from rulekit.diagnostics import Findings, SourceFile
from rulekit.source.document import Entry, Mapping, Node, Sequence

_WORD = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
#: `name:` and `name(player p):`, wherever they stand
_KEY = re.compile(r"([A-Za-z][A-Za-z0-9_]*)(?:\([^)\n]*\))?[ \t]*:(?=\s|$)")
_REFUSED = frozenset({"RK201", "RK208"})  #: keys that stand in the document all the same
_MERGED = frozenset({"RK118", "RK119"})  #: keys that are left out of it, with what they bring


def unread_names(document: Mapping, findings: Findings) -> list[str]:
    """The words of all that was refused, and what a part is called in which some of it was.

    ``document`` after `mended`: a key that was read as another word is not among them.
    """
    told: dict[tuple[SourceFile, int], str | None] = {}
    kinds: set[tuple[SourceFile, int]] = set()
    merged: dict[SourceFile, None] = {}
    for found in findings.items:
        if found.span is None:
            continue
        if found.code in _REFUSED:
            told[found.span.source, found.span.start] = found.suggestion
        elif found.code in _MERGED:
            merged[found.span.source] = None
        elif found.code == "RK204":
            kinds.add((found.span.source, found.span.start))
    names = [name for source in merged for name in _KEY.findall(source.text)]
    if told or kinds:
        names += _Unread(told, kinds).words(document, ())
    return list(dict.fromkeys(names))


@dataclass(frozen=True)
class _Unread:
    """``told``: keys that were refused, by their place, with what they were read as; ``kinds``: values of the
    wrong kind."""

    told: dict[tuple[SourceFile, int], str | None]
    kinds: set[tuple[SourceFile, int]]

    def words(self, node: Node, around: tuple[Entry, ...]) -> Iterator[str]:
        match node:
            case Mapping():
                for entry in node:
                    yield from self.entry(entry, around)
            case Sequence():
                for item in node.items:
                    yield from self.words(item, around)

    def entry(self, entry: Entry, around: tuple[Entry, ...]) -> Iterator[str]:
        key, value = entry.key, entry.value
        here = key.span.source, key.span.start
        if here in self.told:
            yield from _key(entry)
        if here in self.told and self.told[here] != key.text:
            yield from _WORD.findall(value.span.text)
            yield from (part.key.text for part in around[1:2])  # the move, the phase or the define
        elif (value.span.source, value.span.start) in self.kinds:
            yield from _WORD.findall(value.span.text)
            for part in around[1:2]:  # what it names is unknown in all of the move
                yield part.key.text
                yield from _WORD.findall(part.value.span.text)
        else:
            yield from self.words(value, (*around, entry))


def _key(entry: Entry) -> Iterator[str]:
    """The words of a key, as they stand and in small letters: `Won cards` may be meant by `won`."""
    for word in _WORD.findall(entry.key.span.text):
        yield from (word, word.lower())
