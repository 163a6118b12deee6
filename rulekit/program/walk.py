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
_ASIDE = ("type", "span", "use", "slot")  #: fields of every node that are about it
#: Annotations of fields that hold no parts, and need not be looked at.
_PLAIN = frozenset(
    {"str", "int", "bool", "str | None", "int | None", "tuple[str, ...]", "tuple[int, ...]", "Type"}
    | {"tuple[Face, ...]", "frozenset[str]"}
)
_fields: dict[type, tuple[str, ...]] = {}  #: of each class: the fields in which parts may be
_roles: dict[type, bool | None] = {}  #: of each class: is it a part, a tuple (None), or neither

PROVENANCE = frozenset({"owner", "player", "pile", "face"})  #: card facts that depend on where a card lies


def parts(node: object) -> tuple[Part, ...]:
    """The parts that stand directly in ``node`` (a part, a definition, or a tuple of such), in order."""
    found: list[Part] = []
    if isinstance(node, tuple):
        _gather(node, found)
        return tuple(found)
    # A node never changes, and is walked a dozen times: what its parts are is kept with it.
    kept: tuple[Part, ...] | None = getattr(node, _KEPT, None)
    if kept is not None:
        return kept
    kind = type(node)
    names = _fields.get(kind)
    if names is None:
        names = _fields[kind] = _names(node)
    for name in names:
        value: Any = getattr(node, name)
        role = _roles.get(type(value), _UNKNOWN)
        if role is _UNKNOWN:
            role = _role(type(value))
        if role:
            found.append(value)
        elif role is None and value:
            _gather(value, found)
    kept = tuple(found)
    object.__setattr__(node, _KEPT, kept)
    return kept


_UNKNOWN: Any = object()
_KEPT = "_parts"


def _role(kind: type) -> bool | None:
    role = True if issubclass(kind, _PARTS) else None if issubclass(kind, tuple) else False
    _roles[kind] = role
    return role


def _names(node: object) -> tuple[str, ...]:
    held = [field for field in fields(node) if field.name not in _ASIDE]  # type: ignore[arg-type]
    return tuple(field.name for field in held if field.type not in _PLAIN)


def _gather(items: tuple[Any, ...], found: list[Part]) -> None:
    for item in items:
        role = _roles.get(type(item), _UNKNOWN)
        if role is _UNKNOWN:
            role = _role(type(item))
        if role:
            found.append(item)
        elif role is None:
            _gather(item, found)


def walk(node: object) -> Iterator[Part]:
    """All parts below ``node``, itself included if it is a part; outer before inner, first before last."""
    stack = [node] if isinstance(node, _PARTS) else list(parts(node)[::-1])
    while stack:
        part = stack.pop()
        yield part
        stack += parts(part)[::-1]


def walk_expressions(node: object) -> Iterator[Expr]:
    """All expressions in ``node``, those inside statements included."""
    return (part for part in walk(node) if isinstance(part, Expr))


def walk_statements(node: object) -> Iterator[Stmt]:
    """All statements in ``node``, those inside others included, in the order of the file."""
    stack = [node] if isinstance(node, _PARTS) else list(parts(node)[::-1])
    while stack:
        part = stack.pop()
        if isinstance(part, Expr):
            continue  # holds no statements
        if isinstance(part, Stmt):
            yield part
        stack += parts(part)[::-1]


def lists(body: tuple[Stmt, ...]) -> Iterator[tuple[Stmt, ...]]:
    """A list of statements, and the lists inside its statements."""
    yield body
    for stmt in body:
        match stmt:
            case s.If(branches, otherwise):
                inner = [*(then for _, then in branches), otherwise]
            case s.For(_, _, then) | s.Repeat(_, then) | s.Until(_, then):
                inner = [then]
            case _:
                continue
        for each in inner:
            yield from lists(each)


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
    stack = list(parts(stmt)[::-1])
    while stack:
        part = stack.pop()
        if isinstance(part, Expr):
            yield part
        elif not isinstance(part, Stmt):
            stack += parts(part)[::-1]


def bodies(program: p.Program) -> Iterator[tuple[str, str, tuple[Stmt, ...]]]:
    """Every list of statements: kind (`play`, `phase`, `after`, `move`), name, statements."""
    yield "play", "play", program.play
    for phase in program.phases.values():
        yield "phase", phase.name, phase.body
        yield "after", phase.name, phase.after
    for move in program.moves.values():
        yield "move", move.name, move.body
