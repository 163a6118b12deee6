"""The parts of a rule file as a tree: sections, what is declared in them, labels of duties."""

from __future__ import annotations

from collections.abc import Iterator

from lsprotocol import types as lsp

from rulekit.diagnostics import Span
from rulekit.lsp.positions import Positions
from rulekit.source.document import Entry, Mapping, Node, Scalar, Sequence

Kind = lsp.SymbolKind

_SECTIONS = {
    "options": Kind.Constant, "slots": Kind.Interface, "needs": Kind.Interface, "words": Kind.Enum,
    "orders": Kind.Enum, "card": Kind.Property, "patterns": Kind.Class, "zones": Kind.Object,
    "state": Kind.Variable, "define": Kind.Function, "phases": Kind.Method, "moves": Kind.Event,
    "change": Kind.Field, "add": Kind.Field,
}  # fmt: skip
_INSIDE = {"choose": Kind.Variable, "if": Kind.Boolean, "state": Kind.Variable}


def outline(document: Mapping, positions: Positions) -> list[lsp.DocumentSymbol]:
    """One symbol a section, with those of its parts."""
    found = []
    for entry in document:
        name = entry.key.text
        children = list(_children(name, entry.value, positions))
        detail = entry.value.text if isinstance(entry.value, Scalar) else None
        kind = Kind.Namespace if children else Kind.Key
        found.append(_symbol(entry, kind, children, positions, detail))
    return found


def _children(section: str, node: Node, positions: Positions) -> Iterator[lsp.DocumentSymbol]:
    if section in _SECTIONS and isinstance(node, Mapping):
        for entry in node:
            inner = list(_parts(entry.value, positions)) if section in ("moves", "phases") else []
            detail = _detail(entry.value)
            yield _symbol(entry, _SECTIONS[section], inner, positions, detail)
    elif section == "examples" and isinstance(node, Sequence):
        for item in node:
            title = item.entry("title") if isinstance(item, Mapping) else None
            if title is not None and isinstance(title.value, Scalar):
                yield lsp.DocumentSymbol(
                    title.value.text or "example",
                    Kind.String,
                    _range(item.span.to(title.value.span), positions),
                    _range(title.value.span, positions),
                )


def _parts(node: Node, positions: Positions) -> Iterator[lsp.DocumentSymbol]:
    """Choices and conditions of a move, state of a phase."""
    for entry in node if isinstance(node, Mapping) else ():
        kind = _INSIDE.get(entry.key.text)
        if kind is not None and isinstance(entry.value, Mapping):
            for part in entry.value:
                yield _symbol(part, kind, [], positions, _detail(part.value))


def _detail(node: Node) -> str | None:
    value = node.get("is") if isinstance(node, Mapping) else node
    return " ".join(value.text.split())[:80] if isinstance(value, Scalar) else None


def _symbol(
    entry: Entry,
    kind: lsp.SymbolKind,
    children: list[lsp.DocumentSymbol],
    positions: Positions,
    detail: str | None,
) -> lsp.DocumentSymbol:
    whole = entry.key.span if entry.value.used is not None else entry.key.span.to(entry.value.span)
    return lsp.DocumentSymbol(
        entry.key.text or "?",
        kind,
        _range(whole, positions),
        _range(entry.key.span, positions),
        detail=detail,
        children=children or None,
    )


def _range(span: Span, positions: Positions) -> lsp.Range:
    return positions.range(span.start, span.end)


__all__ = ["outline"]
