"""Names that may be declared where nobody could read it: so that one slip is not told again at every use.

A key that means nothing, or a name that cannot be one, has been told. What stands below it is not read, and
the names it would have declared are unknown everywhere else; of these nothing is said.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

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
    merged: dict[SourceFile, None] = {}
    for found in findings.items:
        if found.span is None:
            continue
        if found.code in _REFUSED:
            told[found.span.source, found.span.start] = found.suggestion
        elif found.code in _MERGED:
            merged[found.span.source] = None
    names = [name for source in merged for name in _KEY.findall(source.text)]
    if told:
        names += _unread(document, told, ())
    return list(dict.fromkeys(names))


def _unread(
    node: Node, told: dict[tuple[SourceFile, int], str | None], around: tuple[str, ...]
) -> Iterator[str]:
    match node:
        case Mapping():
            for entry in node:
                here = entry.key.span.source, entry.key.span.start
                if here in told:
                    yield from _key(entry)
                if here in told and told[here] != entry.key.text:
                    yield from _WORD.findall(entry.value.span.text)
                    yield from around[1:2]  # the move, the phase or the define
                else:
                    yield from _unread(entry.value, told, (*around, entry.key.text))
        case Sequence():
            for item in node.items:
                yield from _unread(item, told, around)


def _key(entry: Entry) -> Iterator[str]:
    """The words of a key, as they stand and in small letters: `Won cards` may be meant by `won`."""
    for word in _WORD.findall(entry.key.span.text):
        yield from (word, word.lower())
