"""The id paths of a variant: which parts of its base they name."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from rulekit.diagnostics import Findings
from rulekit.language.declarations import word_spots
from rulekit.language.parser import parse_declaration
from rulekit.language.syntax import WordsType
from rulekit.lsp.declared import Declared
from rulekit.lsp.index import Mention, Symbol
from rulekit.source.document import Mapping, Scalar, Sequence
from rulekit.source.paths import base_name

#: Which table a section's names are in.
_VALUES = ("options", "card", "zones", "state", "define")


def declared_anew(variant: Mapping, base: Callable[[], Mapping | None], declared: Declared) -> None:
    """What a path declares anew with other parameters (`define.worth(player p)`) is still the base's, and so
    are the words of an option that gets another default."""
    changed, options = variant.get("change"), variant.get("options")
    paths = [entry.key for entry in changed if "(" in entry.key.text] if isinstance(changed, Mapping) else []
    whole = base() if paths or options is not None else None
    if whole is None:
        return
    for entry in options if isinstance(options, Mapping) else ():
        _words(entry.key.text, whole, declared)
    for path in paths:
        section, _, rest = path.text.partition(".")
        table = {"patterns": declared.patterns, "phases": declared.phases}.get(section, declared.values)
        symbol = table.get(base_name(rest))
        node = whole.get(section)
        keys = [entry.key for entry in node] if isinstance(node, Mapping) else []
        first = next((key for key in keys if base_name(key.text) == base_name(rest)), None)
        if symbol is not None and first is not None:
            origin = first.at(0, len(symbol.name))
            table[symbol.name] = replace(symbol, origin=origin)


def _words(option: str, whole: Mapping, declared: Declared) -> None:
    """The words of an option have their places in the base."""
    section = whole.get("options")
    node = section.get(option) if isinstance(section, Mapping) else None
    node = node.get("is") if isinstance(node, Mapping) else node
    declaration = parse_declaration(node, Findings()) if isinstance(node, Scalar) else None
    if declaration is not None and isinstance(declaration.type, WordsType):
        words = declaration.type.words
        for word, spot in zip(words, word_spots(declaration.type.span, words), strict=False):
            symbol = declared.words.get((option, word))
            if symbol is not None and spot.text == word:
                declared.words[option, word] = replace(symbol, span=spot)


def path_mentions(variant: Mapping, declared: Declared) -> Iterator[Mention]:
    """A mention for each part of a path that has a name: `moves.close`, `phases.round.state.trump`."""
    for path in _paths(variant):
        yield from _mentions(path, declared)
    options = variant.get("options")
    for entry in options if isinstance(options, Mapping) else ():
        symbol = declared.values.get(entry.key.text)
        if symbol is not None:
            yield Mention(entry.key.span, symbol)
        if isinstance(entry.value, Scalar) and (
            word := declared.words.get((entry.key.text, entry.value.text))
        ):
            yield Mention(entry.value.span, word)


def _paths(variant: Mapping) -> Iterator[Scalar]:
    for key in ("change", "add"):
        part = variant.get(key)
        for entry in part if isinstance(part, Mapping) else ():
            yield entry.key
    removed = variant.get("remove")
    for item in removed if isinstance(removed, Sequence) else ():
        if isinstance(item, Scalar):
            yield item


def _mentions(path: Scalar, declared: Declared) -> Iterator[Mention]:
    section, _, rest = path.text.partition(".")
    parts = rest.split(".")
    at = len(section) + 1
    for place, part in enumerate(parts):
        symbol = _symbol(section, parts[: place + 1], declared)
        if symbol is not None and base_name(part) == symbol.name:
            span = path.at(at, at + len(symbol.name))
            yield Mention(span, symbol, span == symbol.span)
        at += len(part) + 1


def _symbol(section: str, parts: list[str], declared: Declared) -> Symbol | None:
    name = base_name(parts[-1])
    if len(parts) == 1:
        if section in _VALUES:
            return declared.values.get(name)
        table = {
            "patterns": declared.patterns, "words": declared.types, "orders": declared.orders,
            "phases": declared.phases, "moves": declared.moves,
        }.get(section, {})  # fmt: skip
        return table.get(name)
    if section == "phases" and len(parts) == 3 and parts[1] == "state":
        return declared.values.get(name)
    if section == "zones" and len(parts) == 3 and parts[1] == "has":
        return declared.fields.get(name)
    if section == "moves" and (
        (parts[1:2] == ["if"] and len(parts) == 3) or (parts[1:2] == ["choose"] and len(parts) == 4)
    ):
        return declared.labels.get((parts[0], name))
    return None


__all__ = ["path_mentions"]
