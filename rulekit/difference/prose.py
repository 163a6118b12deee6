"""A difference told to people, and as data for programs."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from typing import Any

from rulekit.difference.compare import Change, Difference
from rulekit.difference.side import Side
from rulekit.source.document import Mapping, Node, Scalar
from rulekit.source.write import WIDTH, to_yaml

_CHAPTERS = {
    "players": "Players",
    "teams": "Players",
    "options": "Options",
    "requires": "Options",
    "deck": "Cards",
    "words": "Cards",
    "orders": "Cards",
    "card": "Cards",
    "patterns": "Cards",
    "zones": "Zones",
    "state": "State",
    "define": "Definitions",
    "play": "Play",
    "phases": "Play",
    "moves": "Moves",
    "end": "Scoring",
}


def as_text(difference: Difference) -> str:
    """The difference in prose, a paragraph for each chapter, with the id of every part."""
    before, after = _called(difference.before), _called(difference.after)
    if difference.same:
        if difference.before.name == difference.after.name:
            return f"{before}: the same rules"
        return f"{after} has the same rules as {before}"
    count = len(difference.changes)
    lines = [f"{after} differs from {before} in {count} {'place' if count == 1 else 'places'}."]
    chapters: dict[str, list[str]] = {}
    for change in difference.changes:
        told = chapters.setdefault(_CHAPTERS.get(change.section, "Blocks"), [])
        told += _told(change)
    for line in (_reasons("new", difference.new_reasons), _reasons("gone", difference.lost_reasons)):
        if line:
            chapters.setdefault("Scoring", []).append(line)
    for title, told in chapters.items():
        lines += ["", title, *(f"  {line}".rstrip() for line in told)]
    return "\n".join(lines)


def _called(side: Side) -> str:
    return f"{side.title} ({side.name})" if side.title else side.name


def _reasons(how: str, reasons: tuple[str, ...]) -> str:
    if not reasons:
        return ""
    listed = ", ".join(reason.replace("_", " ") for reason in reasons)
    return f"{how} in the score sheet: {listed}"


def _told(change: Change) -> list[str]:
    """One change: a line, or some more with the lines of a list that differ."""
    match change.kind:
        case "fixed":
            return [f"{change.id} can no longer be changed, it is {_start(change.after)}"]
        case "freed":
            return [f"{change.id} can be changed again; its default is {_start(change.after)}"]
        case "reordered":
            return [f"{change.id}: in another order"]
        case "removed":
            return _headed(f"{change.id} is gone", change.before, "-")
        case "added":
            return _headed(f"{change.id} is new", change.after, "+")
    if change.defaults is not None:
        old, new = change.defaults
        return [f"{change.id} has the default `{new}`, not `{old}`"]
    if change.before is None or change.after is None:
        return [f"{change.id} is not the same"]
    return _replaced(change.id, change.before, change.after)


def _start(option: Node | None) -> str:
    declaration = option.get("is") if isinstance(option, Mapping) else option
    text = declaration.text if isinstance(declaration, Scalar) else ""
    kind, equals, start = text.rpartition(" = ")
    return f"`{start if equals else kind or text}`"


def _headed(head: str, node: Node | None, sign: str) -> list[str]:
    if node is None:
        return [head]
    if sign == "-" and isinstance(node, Mapping) and isinstance(text := node.get("text"), Scalar):
        return [f"{head}: {text.text}"]  # what it was about is enough
    lines = _lines(node)
    if len(lines) == 1 and len(head) + len(lines[0]) < WIDTH:
        return [f"{head}: {lines[0]}"]
    return [head + ":", *(f"  {sign} {line}" for line in lines)]


def _replaced(id: str, before: Node, after: Node) -> list[str]:
    old, new = _lines(before), _lines(after)
    if len(old) == len(new) == 1:
        if len(id) + len(old[0]) + len(new[0]) < WIDTH:
            return [f"{id} is {new[0]}, not {old[0]}"]
        return [f"{id} is", f"    {new[0]}", "  not", f"    {old[0]}"]
    return [f"{id} changes:", *(f"  {line}" for line in _side_by_side(old, new))]


def _side_by_side(old: list[str], new: list[str]) -> Iterator[str]:
    """Lines that stay, that go and that come."""
    matcher = difflib.SequenceMatcher(None, old, new)
    for tag, start, end, new_start, new_end in matcher.get_opcodes():
        if tag == "equal":
            yield from (f"  {line}" for line in old[start:end])
        else:
            yield from (f"- {line}" for line in old[start:end])
            yield from (f"+ {line}" for line in new[new_start:new_end])


def _lines(node: Node) -> list[str]:
    if isinstance(node, Scalar):
        return [f"`{node.text}`"] if "\n" not in node.text else node.text.splitlines()
    return to_yaml(node).splitlines()


def as_data(difference: Difference) -> dict[str, Any]:
    """The difference as JSON data: see `docs/json.md`."""
    return {
        "version": 1,
        "before": {"name": difference.before.name, "title": difference.before.title},
        "after": {"name": difference.after.name, "title": difference.after.title},
        "same": difference.same,
        "changes": [
            {"id": c.id, "kind": c.kind, "before": _plain(c.before), "after": _plain(c.after)}
            for c in difference.changes
        ],
        "reasons": {"gone": list(difference.lost_reasons), "new": list(difference.new_reasons)},
    }


def _plain(node: Node | None) -> Any:
    """Texts stay texts: what a number or `true` means is the language's affair."""
    if node is None or isinstance(node, Scalar):
        return None if node is None else node.text
    if isinstance(node, Mapping):
        return {entry.key.text: _plain(entry.value) for entry in node}
    return [_plain(item) for item in node]
