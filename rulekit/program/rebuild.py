"""A program with some of its parts exchanged: the other way of going through it (see `walk`)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, is_dataclass, replace
from typing import Any

from rulekit.diagnostics import Span
from rulekit.program.program import Program
from rulekit.program.types import Type

#: What stands for a part that is taken out of the list it stands in.
GONE = object()

Change = Callable[[Any], Any]
"""The part that stands instead; the part itself: look inside it; GONE: nothing."""

_fields: dict[type, tuple[str, ...]] = {}


def rebuild(node: Any, change: Change) -> Any:
    """``node`` (a part, a definition, or a tuple of such) with every part exchanged as ``change`` says.

    Outer parts are asked before inner ones; what is put in is not looked at again. Parts in which nothing
    changes stay the very same objects.
    """
    if isinstance(node, tuple):
        found = tuple(part for part in (rebuild(part, change) for part in node) if part is not GONE)
        same = len(found) == len(node) and all(a is b for a, b in zip(found, node, strict=True))
        return node if same else found
    if not is_dataclass(node) or isinstance(node, type | Type | Span):
        return node
    other = change(node)
    if other is not node:
        return other
    changed = {}
    for name in _names(type(node)):
        old = getattr(node, name)
        new = rebuild(old, change)
        if new is not old:
            changed[name] = new
    return replace(node, **changed) if changed else node


def _names(kind: type) -> tuple[str, ...]:
    names = _fields.get(kind)
    if names is None:
        names = tuple(f.name for f in fields(kind) if f.name not in ("type", "span") and f.init)
        _fields[kind] = names
    return names


def rebuild_rules(program: Program, change: Change) -> Program:
    """The program with the parts of its rules exchanged: all but the pack, options and examples."""
    families = ("state", "facts", "defines", "phases", "moves", "patterns")
    changed: dict[str, Any] = {"play": rebuild(program.play, change), "end": rebuild(program.end, change)}
    for family in families:
        changed[family] = {name: rebuild(part, change) for name, part in getattr(program, family).items()}
    return replace(program, **changed)
