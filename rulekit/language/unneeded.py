"""State and moves of blocks that one game does not need: written out, they would only be noise.

A block keeps count of tricks for those who ask; a game that does not is better without. What such state is
assigned nobody reads, and what never changes is its START: leaving both out changes nothing that can be
seen in play. Only state that the game itself never names is looked at. A move that nothing asks is no move.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, is_dataclass, replace
from typing import Any

from rulekit.diagnostics import Span
from rulekit.language import syntax as s
from rulekit.language import tree as t


@dataclass(frozen=True)
class Unneeded:
    """``unread``  state that is left out with all its assignments; ``fixed``  state and what it always is.

    ``moves``  that nothing asks
    """

    unread: frozenset[str] = frozenset()
    fixed: Mapping[str, s.Expr] = field(default_factory=dict)
    moves: frozenset[str] = frozenset()

    def __or__(self, other: Unneeded) -> Unneeded:
        fixed = {**self.fixed, **other.fixed}
        return Unneeded(self.unread | other.unread, fixed, self.moves | other.moves)

    def __bool__(self) -> bool:
        return bool(self.unread or self.fixed or self.moves)

    def __contains__(self, name: str) -> bool:
        return name in self.unread or name in self.fixed


def unneeded(
    game: t.RulesetTree,
    whole: t.RulesetTree,
    brought: Iterable[t.StateTree],
    moves: Iterable[str],
    words: Container[str],
) -> Unneeded:
    """What of the state and moves that blocks brought ``whole`` does not need: it is ``game`` written out."""
    named = set(_names(game, assigned=True))
    read = set(_names(whole, assigned=False))
    assigned: dict[str, list[s.Assign]] = {}
    for node in _assignments(whole):
        assigned.setdefault(node.place.name.id, []).append(node)
    unread: set[str] = set()
    fixed: dict[str, s.Expr] = {}
    for state in brought:
        name, declaration = state.name.id, state.declaration
        if name in named:
            continue
        changes = assigned.get(name, [])
        if name not in read and not any(x.because or _is_random(x.value) for x in changes):
            unread.add(name)
            continue
        start = declaration.start
        if not changes and declaration.per is None and start is not None and is_fixed(start, words):
            fixed[name] = start
    return Unneeded(frozenset(unread), fixed, frozenset(moves) - set(_asked(whole)))


def _asked(node: object) -> Iterator[str]:
    """Moves that something asks, or looks at whether they were the answer."""
    for part in _parts(node):
        match part:
            case s.Ask(_, moves):
                yield from (move.id for move in moves)
            case s.Call(name, moves) if name.id == "answered":
                yield from (move.id for move in moves if isinstance(move, s.Name))


def _is_random(value: s.Expr) -> bool:
    return isinstance(value, s.Call) and value.name.id == "random"


def is_fixed(node: s.Expr, words: Container[str]) -> bool:
    """A value that is the same everywhere: a word, a card, a rank, a number, true, false, none."""
    if isinstance(node, s.Name):
        return node.id in words
    return isinstance(node, s.Literals | s.Truth | s.Nothing)


def _assignments(node: object) -> Iterator[s.Assign]:
    for part in _parts(node):
        if isinstance(part, s.Assign):
            yield part


def _names(node: object, *, assigned: bool) -> Iterator[str]:
    """Names that are read; with ``assigned`` also those that something is assigned to or that are given."""
    for part in _parts(node):
        match part:
            case s.Name(id):
                yield id
            case s.Assign(place) if assigned:
                yield place.name.id


def _parts(node: object) -> Iterator[object]:
    """All syntax in some syntax, without names that are no values: places, reasons, what is declared."""
    pending: list[Any] = [node]
    while pending:
        part = pending.pop()
        yield part
        match part:
            case s.Assign(place, _, value, because):
                pending += [place.target, value, because.cards if because else None]
            case t.StateTree():
                pending.append(part.declaration.start)
            case tuple():
                pending += part
            case Span():
                pass
            case _ if is_dataclass(part) and not isinstance(part, type):
                pending += [getattr(part, x.name) for x in fields(part) if x.name != "span"]


# ---------------------------------------------------------------- what follows from fixed values


def folded(node: s.Expr, words: Container[str]) -> s.Expr:
    """An expression, its parts folded already, where a comparison of two fixed values is decided."""
    match node:
        case s.Compare("==" | "!=", left, right) if is_fixed(left, words) and is_fixed(right, words):
            return s.Truth((left == right) == (node.op == "=="), span=node.span)
        case s.Not(s.Truth(value)):
            return s.Truth(not value, span=node.span)
        case s.Cond(s.Truth(value), yes, no):
            return yes if value else no
        case s.Logic("and", s.Truth(value), other) | s.Logic("and", other, s.Truth(value)):
            return other if value else s.Truth(False, span=node.span)
        case s.Logic("or", s.Truth(value), other) | s.Logic("or", other, s.Truth(value)):
            return s.Truth(True, span=node.span) if value else other
    return node


def decided(branches: Iterable[s.Branch]) -> tuple[s.Branch, ...]:
    """The branches of an `if` that may still be taken; one that surely is becomes the `else`."""
    found: list[s.Branch] = []
    for branch in branches:
        if isinstance(branch.condition, s.Truth):
            if branch.condition.value:
                found.append(replace(branch, condition=None))
                break
            continue
        found.append(branch)
        if branch.condition is None:
            break
    return tuple(found)
