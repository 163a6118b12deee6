"""What YAML lets pass and an author does not mean: tabs, unseen characters, a text cut off by `#`."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable

from rulekit.diagnostics import Findings, SourceFile
from rulekit.source import slips
from rulekit.source.characters import control, describe, unseen
from rulekit.source.document import Mapping, Node, Scalar, Sequence

_TABBED = re.compile(r"^[ ]*\t[ \t]*[^\s]", re.MULTILINE)
_COMMENT = re.compile(r"[ \t]+#([^\n]*)")


def check_traps(root: Node, source: SourceFile, texts: Iterable[Scalar], findings: Findings) -> None:
    """Report tabs before the text of a line, and characters nobody sees.

    ``texts`` are the scalars that may hold such a character: those with more than plain letters, and
    those with escapes.
    """
    if "\t" in source.text:
        _tabs(root, source, findings)
    keys: set[tuple[int, int]] | None = None
    for scalar in texts:
        found = control(scalar.text.replace("\n", " "))
        if found:
            findings.error(
                "RK103",
                f"a control character: {describe(found.group())}",
                scalar.at(found.start(), found.end()),
                help="delete it",
            )
            continue
        found = unseen(scalar.text)
        if found and not scalar.plain and keys is None:
            keys = {(key.span.start, key.span.end) for key in _keys(root)}
        if found and (scalar.plain or (scalar.span.start, scalar.span.end) in (keys or ())):
            findings.error(
                "RK106",
                f"a character that cannot be seen: {describe(found.group())}",
                scalar.at(found.start(), found.end()),
                help="delete it or type a common blank; a quoted text may hold it",
            )


def check_cut(source: SourceFile, end: int, findings: Findings) -> None:
    """Warn if the comment after the text that ends at ``end`` reads like the rest of an expression."""
    found = _COMMENT.match(source.text, end)
    if found and slips.looks_cut(found.group(1)):
        comment = found.group().strip()
        start = found.start(1) - 1
        findings.warning(
            "RK125",
            f"`{comment}` is a comment, though it reads like the rest of the expression",
            source.span(start, start + len(comment)),
            help="a `#` after a blank ends a text; leave it out if the rest belongs to the expression",
        )


def _tabs(root: Node, source: SourceFile, findings: Findings) -> None:
    inside = sorted(_spans_over_lines(root))
    for found in _TABBED.finditer(source.text):
        at = found.end() - 1
        before = bisect_left(inside, (at, 0)) - 1
        within = before >= 0 and at < inside[before][1]
        if source.text[at] != "#" and not within:
            slip = slips.tab(source, found.start())
            findings.error(slip.code, slip.message, slip.span, help=slip.help)


def _keys(root: Node) -> list[Scalar]:
    """All keys of a document. Depth is bounded, and so is the number of nodes, aliases included."""
    found: list[Scalar] = []
    pending: list[Node] = [root]
    while pending:
        node = pending.pop()
        if isinstance(node, Mapping):
            found.extend(entry.key for entry in node)
            pending.extend(entry.value for entry in node)
        elif isinstance(node, Sequence):
            pending.extend(node)
    return found


def _spans_over_lines(root: Node) -> list[tuple[int, int]]:
    """Start and end of the quoted and block texts that go over several lines."""
    found: list[tuple[int, int]] = []
    pending: list[Node] = [root]
    while pending:
        node = pending.pop()
        if isinstance(node, Mapping):
            pending.extend(entry.value for entry in node)
        elif isinstance(node, Sequence):
            pending.extend(node)
        elif isinstance(node, Scalar) and not node.plain and "\n" in node.span.text:
            found.append((node.span.start, node.span.end))
    return found
