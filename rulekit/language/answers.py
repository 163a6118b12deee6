"""Where `answered` looks: the last ask of the nearest list in which something has been asked.

A block's asks are its own affair; written out they stand in the lists of its use, where an `answered`
could take one of them for the ask it means. Here such places are found.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, fields
from typing import Any

from rulekit.language import syntax as s


@dataclass
class _List:
    """A list of statements being walked.

    ``joined``  it will be joined to a list around the use
    ``asked``  something has been asked in it, or in a list inside it
    ``surely``  an ask of its own has been passed that no condition guards
    ``foreign``  asks of somebody else may have come before, in it or in a list inside it
    """

    joined: bool = False
    asked: bool = False
    surely: bool = False
    foreign: bool = False


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
    here = _List(joined)
    lists = (*around, here)
    for node in nodes:
        for call in _answered(node):
            seen = next((x for x in reversed(lists) if x.asked), None)
            if seen is not None and (seen.foreign or (seen.joined and not seen.surely)):
                return call
        if is_foreign(node) or _comes_again(node, is_foreign):
            for one in lists:
                one.foreign = True
        if isinstance(node, s.Ask):
            for one in lists:
                one.asked = True
            here.surely = True
        for body in bodies(node):
            found = _walk(body, lists, is_foreign, joined=isinstance(node, s.Use))
            if found is not None:
                return found
    return None


def _comes_again(node: s.Stmt, is_foreign: Callable[[s.Stmt], bool]) -> bool:
    """The statement is a loop with asks of somebody else: they come before all of its next round."""
    return isinstance(node, s.For | s.Repeat | s.Until) and any(map(is_foreign, everything_in(node.body)))


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


def _answered(node: s.Stmt) -> Iterator[s.Call]:
    """The calls of `answered` in a statement itself, not in the lists inside it."""
    pending: list[Any] = [node]
    while pending:
        part = pending.pop()
        if isinstance(part, s.Call) and part.name.id == "answered":
            yield part
        elif isinstance(part, tuple):
            pending += [item for item in part if not isinstance(item, s.Stmt)]
        elif isinstance(part, s.Syntax):
            pending += [getattr(part, x.name) for x in fields(part) if x.name not in ("span", "body")]
