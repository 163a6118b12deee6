"""Where `answered` looks: the last ask of the nearest list in which something has been asked.

A block's asks are its own affair; written out they stand in the lists of its use, where an `answered`
could take one of them for the ask it means. Here such places are found.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

from rulekit.diagnostics import Span
from rulekit.language import syntax as s


@dataclass
class _List:
    """A list of statements being walked.

    ``foreign``  asks that are somebody else's will stand in it
    ``joined``  it will be joined to a list around the use
    ``asked``  something has been asked in it, or in a list inside it
    ``surely``  an ask of its own has been passed that no condition guards
    """

    foreign: bool
    joined: bool = False
    asked: bool = False
    surely: bool = False


def stray_answer(
    nodes: Iterable[s.Stmt], is_foreign: Callable[[s.Stmt], bool], *, joined: bool
) -> s.Call | None:
    """The first `answered(...)` in a list that would see another ask once blocks are written out.

    ``is_foreign`` tells statements in whose place asks of others will stand. ``joined``: the list itself
    will be put into another one.
    """
    return _walk(tuple(nodes), (), is_foreign, joined)


def _walk(
    nodes: tuple[s.Stmt, ...],
    around: tuple[_List, ...],
    is_foreign: Callable[[s.Stmt], bool],
    joined: bool,
) -> s.Call | None:
    here = _List(any(is_foreign(node) for node in everything_in(nodes)), joined)
    lists = (*around, here)
    for node in nodes:
        for call in _answered(node):
            seen = next((x for x in reversed(lists) if x.asked), None)
            if seen is not None and (seen.foreign or seen.joined and not seen.surely):
                return call
        if isinstance(node, s.Ask):
            for one in lists:
                one.asked = True
            here.surely = True
        for body in bodies(node):
            found = _walk(body, lists, is_foreign, joined=isinstance(node, s.Use))
            if found is not None:
                return found
    return None


def bodies(node: s.Stmt) -> Iterator[tuple[s.Stmt, ...]]:
    """The lists inside a statement."""
    match node:
        case s.If(branches):
            yield from (branch.body for branch in branches)
        case s.For() | s.Repeat() | s.Until():
            yield node.body
        case s.Use(_, slots):
            yield from (slot.body for slot in slots if slot.body is not None)


def everything_in(nodes: Iterable[s.Stmt]) -> Iterator[s.Stmt]:
    """All statements of a list, those inside others too."""
    for node in nodes:
        yield node
        for body in bodies(node):
            yield from everything_in(body)


def _answered(node: Any) -> Iterator[s.Call]:
    """The calls of `answered` in a statement itself, not in the lists inside it."""
    if isinstance(node, s.Call) and node.name.id == "answered":
        yield node
    elif isinstance(node, s.Branch):
        yield from _answered(node.condition)
    elif isinstance(node, tuple):
        for item in node:
            if not isinstance(item, s.Stmt):
                yield from _answered(item)
    elif is_dataclass(node) and not isinstance(node, type | Span):
        for part in fields(node):
            if part.name not in ("span", "body"):
                yield from _answered(getattr(node, part.name))
