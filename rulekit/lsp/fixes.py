"""Quick fixes: the text that a finding suggests, and a place for a text that is missing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from rulekit.diagnostics import Diagnostic, Span
from rulekit.lsp.analysis import Analysis
from rulekit.lsp.context import node_at
from rulekit.source.document import Mapping, Node, Scalar

_NO_TEXT = {"RK661": "What this decides.", "RK662": "What a player does."}


@dataclass(frozen=True)
class Fix:
    """A change that mends a finding: what it is called, and the text to put in place of a stretch."""

    title: str
    span: Span
    text: str
    sure: bool = True  # it is the one that is meant


def fixes(analysis: Analysis, finding: Diagnostic) -> Iterator[Fix]:
    """What mends a finding of this file."""
    span = finding.span
    if span is None or span.file != analysis.source.name:
        return
    if finding.suggestion is not None:
        yield Fix(f"Change to `{finding.suggestion}`", span, finding.suggestion)
    elif finding.code in _NO_TEXT:
        fix = _text(analysis, span, _NO_TEXT[finding.code])
        if fix is not None:
            yield fix


def _text(analysis: Analysis, span: Span, prose: str) -> Fix | None:
    """`text:` where an option or a move has none."""
    document = analysis.document
    found = None if document is None else node_at(document, span.start)
    if document is None or found is None or not found[1]:
        return None
    node: Node | None = document
    for step in found[0]:
        node = node.get(str(step)) if isinstance(node, Mapping) else None
    if isinstance(node, Scalar) and node.used is None:
        written = node.span.text
        return Fix("Add a text", node.span, f"{{is: {_in_flow(written)}, text: {prose}}}")
    if isinstance(node, Mapping) and node.entries and node.used is None:
        text, first = analysis.source.text, node.entries[0].key.span
        before = text[text.rfind("\n", 0, first.start) + 1 : first.start]
        flow = text[node.span.start] == "{"
        if "is" in node:  # there the text comes last
            end = node.entries[-1].value.span.end
            added = f", text: {prose}" if flow else f"\n{before}text: {prose}"
            return Fix("Add a text", Span(first.source, end, end), added)
        at = Span(first.source, first.start, first.start)
        return Fix("Add a text", at, f"text: {prose}, " if flow else f"text: {prose}\n{before}")
    return None


def _in_flow(written: str) -> str:
    """A text as it may stand inside `{ }`."""
    if written[:1] in "\"'" or not re.search(r"[,{}\[\]]|: | #", written):
        return " ".join(written.split()) if "\n" in written else written
    return '"' + written.replace('"', '\\"') + '"'


__all__ = ["Fix", "fixes"]
