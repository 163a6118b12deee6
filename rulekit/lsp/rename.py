"""Another name for one thing, wherever it is named; refused where that would change what the rules say.

Whether it would is not guessed: the renamed files are read again, and must have no more errors than before
and the same mentions of the same things.
"""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

from rulekit.language.keywords import KEYWORDS
from rulekit.language.vocabulary import BUILT_IN, TYPES
from rulekit.lsp.analysis import Analysis
from rulekit.lsp.desk import Desk, applied
from rulekit.lsp.index import Mention, Symbol

_NAME = re.compile(r"[a-z][a-z0-9_]*")
_FIXED = {
    "built-in": "a word of the language",
    "suit": "a suit",
    "ruleset": "a file: rename the file, its `name` and what extends it",
    "block": "a file: rename the file, its `block` and its uses",
}

Edits = dict[Path, dict[tuple[int, int], str]]


class Refused(Exception):
    """The name cannot be changed, or not to that. `str()` says why."""


def renamable(analysis: Analysis, offset: int) -> Mention:
    """The name at a place; raises `Refused` if nothing there can have another name."""
    mention = analysis.index.at(analysis.source.name, offset)
    if mention is None:
        raise Refused("there is no name here that could be changed")
    symbol = mention.symbol
    if symbol.kind in _FIXED or symbol.span is None:
        raise Refused(f"`{symbol.name}` is {_FIXED.get(symbol.kind, 'part of the language')}")
    if symbol.kind == "rule":
        raise Refused(f"`{symbol.name}` is a label, which is prose: change it where it stands")
    return mention


def rename(desk: Desk, analysis: Analysis, offset: int, new: str) -> Edits:
    """The changes, by file and stretch; raises `Refused`."""
    mention = renamable(analysis, offset)
    symbol = mention.symbol
    if new == symbol.name:
        return {}
    if not _NAME.fullmatch(new):
        raise Refused(f"`{new}` is not a name: small letters, digits and `_`, beginning with a letter")
    stands_alone = symbol.kind in ("move", "phase", "reason")
    if not stands_alone and (new in KEYWORDS or new in BUILT_IN or new in TYPES or new == "box"):
        raise Refused(f"`{new}` is a word of the language")
    taken = _taken(analysis, symbol, new)
    if taken is not None and taken.span is not None:
        where = f"line {taken.span.line} of `{taken.span.file}`"
        raise Refused(f"`{symbol.name}` cannot be called `{new}`: there is {taken.kind} `{new}` in {where}")
    found = desk.mentions(analysis, symbol)
    edits: Edits = {}
    for path, mentions in found.items():
        if not desk.may_change(path):
            raise Refused(f"`{symbol.name}` is also named in `{path.name}`, which comes with rulekit")
        text = desk.text(path) or ""
        for one in mentions:
            if text[one.span.start : one.span.end] != symbol.name:
                raise Refused(f"`{symbol.name}` is not written out in line {one.span.line} of `{path.name}`")
            edits.setdefault(path, {})[one.span.start, one.span.end] = new
    _check(desk, edits, desk.related(analysis, symbol), new, symbol.name)
    return edits


def _taken(analysis: Analysis, symbol: Symbol, new: str) -> Symbol | None:
    """What has the new name already, where the two could be taken for one another."""
    declared = analysis.declared
    tables: dict[str, dict[str, Symbol]] = {"move": declared.moves, "phase": declared.phases}
    tables |= {"reason": {}, "order": declared.orders, "pattern": declared.patterns}
    if symbol.kind in tables:
        return tables[symbol.kind].get(new)
    words = {word: found for (_, word), found in declared.words.items()}
    return next((t[new] for t in (declared.values, declared.fields, declared.types, words) if new in t), None)


def _check(desk: Desk, edits: Edits, related: list[Path], new: str, old: str) -> None:
    """Reads the renamed files; raises `Refused` if they say something else than before."""
    texts = desk.edited()
    for path, changes in edits.items():
        texts[path] = applied(desk.text(path) or "", changes)
    for path in dict.fromkeys((*edits, *related, *desk.files)):
        before = desk.analysis(path)
        if before is None:
            continue
        after = Analysis(texts.get(path, before.text), path, texts)
        worse = Counter(d.code for d in after.errors) - Counter(d.code for d in before.errors)
        if worse:
            finding = next(d for d in after.errors if d.code in worse)
            raise Refused(f"`{old}` cannot be called `{new}`: {finding.message}")
        if _meanings(before, edits.get(path, {})) != _meanings(after, {}):
            raise Refused(f"`{old}` cannot be called `{new}`: another `{new}` would be meant in places")


def _meanings(analysis: Analysis, edits: dict[tuple[int, int], str]) -> list[tuple[str, str, bool, int]]:
    """What the names of the file mean, in order, as they are called after the edits. Each symbol is told by
    the number of the first mention, since places move."""
    numbers: dict[tuple[str, str, str, int], int] = {}
    found = []
    for mention in analysis.index.files.get(analysis.source.name, []):
        symbol, span = mention.symbol, mention.span
        name = edits.get((span.start, span.end), symbol.name)
        number = numbers.setdefault(symbol.key, len(numbers))
        found.append((symbol.kind, name, mention.declares, number))
    return found


__all__ = ["Edits", "Refused", "renamable", "rename"]
