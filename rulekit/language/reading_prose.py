"""The prose of a block: lines with `{slot}` in them, some of them under a condition."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rulekit.diagnostics import Span, nearest
from rulekit.language.reading import Reading
from rulekit.language.tree import ProseLine
from rulekit.source.document import Mapping, Node, Scalar

MARK = re.compile(r"\{([a-z][a-z0-9_]*)\}")  #: a slot in a line


def read_prose(reading: Reading, node: Node | None, slots: Node | None) -> tuple[ProseLine, ...]:
    """The lines of a block's prose. A slot that the block lacks is reported (RK711)."""
    known = tuple(entry.key.text for entry in slots) if isinstance(slots, Mapping) else ()
    lines: list[ProseLine] = []
    for item in reading.items(node):
        for condition, text in parts(item):
            prose = reading.prose(text)
            if prose is None:
                continue
            for found in MARK.finditer(prose.text):
                known_slot(reading, found[1], known, prose.span)
            slot, holds = None, True
            if condition is not None:
                word, _, slot = condition.text.partition(" ")
                known_slot(reading, slot, known, condition.span)
                holds = word == "if"
            lines.append(ProseLine(prose, slot, holds, span=prose.span))
    return tuple(lines)


def parts(item: Node) -> Iterator[tuple[Scalar | None, Node]]:
    """The condition and the text of a line."""
    if isinstance(item, Mapping):
        for entry in item:
            yield entry.key, entry.value
    else:
        yield None, item


def known_slot(reading: Reading, name: str, known: tuple[str, ...], span: Span | None) -> None:
    """Report a slot that the block has not."""
    if name in known:
        return
    near = nearest(name, known)
    reading.findings.error(
        "RK711", f"the block has no slot `{name}`", span,
        expected=", ".join(f"`{x}`" for x in known) or "a line without slots",
        help=f"did you mean `{near}`?" if near else None, suggestion=near,
    )  # fmt: skip


__all__ = ["read_prose"]
