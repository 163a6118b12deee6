"""What a condition shows not to be none or empty, and what makes that doubtful again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from rulekit.language import syntax as s
from rulekit.program import expressions as e
from rulekit.program import types as t
from rulekit.program.program import LocalDef
from rulekit.program.walk import PROVENANCE, walk_expressions
from rulekit.records import field_names

#: Reads where cards lie.
_TABLE = (
    e.ZoneCards, e.FamilyCards, e.ZonePile, e.ZonePiles, e.PileCards, e.PileField, e.PileIndex, e.Stacked,
)  # fmt: skip


def present_if(condition: e.Expr, holds: bool) -> list[e.Expr]:
    """What surely is not none where the condition holds (or not); `AnyOf(X)`: X surely has an element."""
    match condition:
        case e.Not(operand):
            return present_if(operand, not holds)
        case e.And(left, right) if holds:
            return present_if(left, True) + present_if(right, True)
        case e.Or(left, right) if not holds:
            return present_if(left, False) + present_if(right, False)
        case e.Same(e.Count(of), e.Constant(value=int() as number)) if holds and number > 0:
            return ends_of(of)
        case e.Same(e.Count(of), e.Constant(value=0)) if not holds:
            return ends_of(of)
        case e.Same(left, e.Constant(value=None)) if not holds:
            return [left]
        case e.Same(e.Constant(value=None), right) if not holds:
            return [right]
        case e.Same(left, right) if holds:
            found = [left] if not isinstance(right.type, (t.Optional, t.Nothing)) else []
            return found + ([right] if not isinstance(left.type, (t.Optional, t.Nothing)) else [])
        case e.Less(e.Constant(value=int() as number), e.Count(of), or_equal) if holds:
            return ends_of(of) if number >= (1 if or_equal else 0) else []
        case e.Less(left, right) if holds:
            return [left, right]
        case e.Contains(item, _) if holds:
            return [item]
        case e.AnyOf(of) if holds:
            return ends_of(of)
    return []


def ends_of(of: e.Expr) -> list[e.Expr]:
    return [e.AnyOf(of, type=t.BOOL), *(e.End(of, last, type=t.CARD) for last in (False, True))]


# ---------------------------------------------------------------- what stands in syntax


def names_in(nodes: object) -> set[str]:
    """Every name that stands in this syntax."""
    found: set[str] = set()
    todo: list[object] = [nodes]
    while todo:
        node = todo.pop()
        if isinstance(node, tuple):
            todo += node
        elif isinstance(node, s.Name):
            found.add(node.id)
        elif isinstance(node, s.Syntax):
            todo += [getattr(node, name) for name in field_names(type(node)) if name != "span"]
    return found


def statements_in(nodes: Iterable[s.Stmt]) -> Iterator[s.Stmt]:
    """All statements of a list, those inside others too."""
    for node in nodes:
        yield node
        match node:
            case s.If(branches):
                for branch in branches:
                    yield from statements_in(branch.body)
            case s.For() | s.Repeat() | s.Until():
                yield from statements_in(node.body)
            case s.Use(_, slots):
                for slot in slots:
                    yield from statements_in(slot.body or ())


# ---------------------------------------------------------------- what changes


@dataclass(frozen=True)
class Change:
    """What statements may change: places by name, where cards lie, or anything (phases, moves, blocks)."""

    names: frozenset[str] = frozenset()
    table: bool = False
    state: bool = False
    locals: bool = False


def changed_by(nodes: Iterable[s.Stmt]) -> Change:
    """What a list of statements may change."""
    names: set[str] = set()
    table = state = locals_too = False
    for node in statements_in(nodes):
        match node:
            case s.Assign(place):
                names.add(place.name.id)
                table = table or place.target is not None  # perhaps a field of a pile
            case s.Let() | s.For():
                names.add(node.name.id)
            case s.LetNew():
                names.add(node.name.id)
                table = True
            case s.Move() | s.Deal() | s.Shuffle() | s.Swap() | s.Flip():
                table = True
            case s.Ask() | s.Do() | s.Stop():
                state = table = True
            case s.Use():
                state = table = locals_too = True
    return Change(frozenset(names), table, state, locals_too)


def still_present(known: frozenset[e.Expr], change: Change, locals: list[LocalDef]) -> frozenset[e.Expr]:
    """What is still known after a change."""
    return frozenset(
        fact for fact in known if not any(_touched(x, change, locals) for x in walk_expressions(fact))
    )


def _touched(x: e.Expr, change: Change, locals: list[LocalDef]) -> bool:
    match x:
        case e.Local(number):
            return number >= 0 and (change.locals or locals[number].name in change.names)
        case e.StateOf(state):
            return change.state or state in change.names
        case e.CallDefine() | e.FactOf():
            return bool(change.names) or change.table or change.state
        case e.CardFact(fact):
            return change.table and fact in PROVENANCE
    return change.table and isinstance(x, _TABLE)


__all__ = ["Change", "changed_by", "names_in", "present_if", "statements_in", "still_present"]
