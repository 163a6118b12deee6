"""Going through the parts of a typed program."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from typing import Any

from rulekit.program import expressions as e
from rulekit.program import patterns as pt
from rulekit.program import program as p
from rulekit.program import statements as s
from rulekit.program.expressions import Expr
from rulekit.program.statements import Stmt

Part = (
    Expr
    | Stmt
    | s.ValuePlace
    | s.CardPlace
    | s.Because
    | p.Choice
    | p.Entry
    | p.Condition
    | pt.Constraint
    | pt.Part
)

_PARTS = (
    Expr,
    Stmt,
    s.StatePlace,
    s.LocalPlace,
    s.FieldPlace,
    s.ZonePlace,
    s.PilePlace,
    s.EitherPlace,
    s.Because,
    p.Choice,
    p.Entry,
    p.Condition,
    pt.Constraint,
    pt.CardsPart,
    pt.RepeatedPart,
    pt.NamedPart,
    pt.WithPart,
    pt.OrPart,
)
_fields: dict[type, tuple[str, ...]] = {}
_ASIDE = ("type", "span", "use", "slot")  #: fields of every node that are about it
#: Annotations of fields that hold no parts, and need not be looked at.
_PLAIN = frozenset(
    {"str", "int", "bool", "str | None", "int | None", "tuple[str, ...]", "tuple[int, ...]", "Type"}
    | {"tuple[Face, ...]", "frozenset[str]"}
)

PROVENANCE = frozenset({"owner", "player", "pile", "face"})  #: card facts that depend on where a card lies


def parts(node: object) -> Iterator[Part]:
    """The parts that stand directly in ``node`` (a part, a definition, or a tuple of such), in order."""
    if isinstance(node, tuple):
        for item in node:
            if isinstance(item, _PARTS):
                yield item
            elif isinstance(item, tuple):
                yield from parts(item)
        return
    kind = type(node)
    names = _fields.get(kind)
    if names is None:
        held = [f for f in fields(node) if f.name not in _ASIDE]  # type: ignore[arg-type]
        names = tuple(f.name for f in held if f.type not in _PLAIN)
        _fields[kind] = names
    for name in names:
        value: Any = getattr(node, name)
        if isinstance(value, _PARTS):
            yield value
        elif isinstance(value, tuple):
            yield from parts(value)


def walk(node: object) -> Iterator[Part]:
    """All parts below ``node``, itself included if it is a part; outer before inner, first before last."""
    if isinstance(node, _PARTS):
        yield node
    stack = [parts(node)]
    while stack:
        part = next(stack[-1], None)
        if part is None:
            stack.pop()
            continue
        yield part
        stack.append(parts(part))


def walk_expressions(node: object) -> Iterator[Expr]:
    """All expressions in ``node``, those inside statements included."""
    return (part for part in walk(node) if isinstance(part, Expr))


def walk_statements(node: object) -> Iterator[Stmt]:
    """All statements in ``node``, those inside others included, in the order of the file."""
    return (part for part in walk(node) if isinstance(part, Stmt))


def operands(condition: Expr) -> list[Expr]:
    """The conditions joined by `and`, or by `or`, first to last; of anything else, itself."""
    kind = type(condition)
    if not isinstance(condition, e.And | e.Or):
        return [condition]
    found: list[Expr] = []
    waiting: list[Expr] = [condition]
    while waiting:
        part = waiting.pop()
        if isinstance(part, e.And | e.Or) and type(part) is kind:
            waiting += (part.right, part.left)
        else:
            found.append(part)
    return found


def own_expressions(stmt: Stmt) -> Iterator[Expr]:
    """The outermost expressions of one statement: those of the statements inside it are left out."""
    stack: list[Iterator[Part]] = [parts(stmt)]
    while stack:
        part = next(stack[-1], None)
        if part is None:
            stack.pop()
        elif isinstance(part, Expr):
            yield part
        elif not isinstance(part, Stmt):
            stack.append(parts(part))


def bodies(program: p.Program) -> Iterator[tuple[str, str, tuple[Stmt, ...]]]:
    """Every list of statements: kind (`play`, `phase`, `after`, `move`), name, statements."""
    yield "play", "play", program.play
    for phase in program.phases.values():
        yield "phase", phase.name, phase.body
        yield "after", phase.name, phase.after
    for move in program.moves.values():
        yield "move", move.name, move.body
