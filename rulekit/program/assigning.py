"""What an assignment comes to, in bounds: the new value, by how much it moved, whether it fits its type."""

from __future__ import annotations

from rulekit.program import expressions as e
from rulekit.program import statements as s
from rulekit.program import types as t
from rulekit.program.bounds import EITHER, FALSE, NONE, Range, Size, Value, join, most
from rulekit.program.estimate import Values
from rulekit.program.intervals import arithmetic


def default(values: Values, kind: t.Type) -> Value:
    """The value that a state without a start begins with, as far as there is one."""
    match kind:
        case t.Bool() | t.Word():
            return FALSE
        case t.Int(low, high):
            nearest = max(low, min(0, high))
            return Range(nearest, nearest)
        case t.Optional():
            return NONE
        case t.Collection():
            found = values.top(kind)
            return Size(0, 0, found.of if isinstance(found, Size) else EITHER)
    return values.top(kind)


def combined(values: Values, stmt: s.Assign, old: Value, value: Value) -> tuple[Value, Range | None]:
    """The new value, and for a number that is moved, by how much."""
    if isinstance(old, Size) or isinstance(value, Size):
        return _with_members(values, stmt, old, value), None
    match stmt.op:
        case "+=":
            return arithmetic("+", old, value), value
        case "-=":
            return arithmetic("-", old, value), Range(-value.high, -value.low, value.none)
    return value, _own_step(stmt)


def _with_members(values: Values, stmt: s.Assign, old: Value, value: Value) -> Value:
    many = old if isinstance(old, Size) else Size(0, 0, old)
    added = as_size(value)
    match stmt.op:
        case "+=":
            return Size(
                max(many.low, added.low),
                min(many.high + added.high, most(_element(stmt.place, values), values.table)),
                join(many.of, added.of) if many.high > 0 else added.of,
            )
        case "-=":
            return Size(max(0, many.low - added.high), many.high, many.of)
    return added if isinstance(old, Size) else value


def _own_step(stmt: s.Assign) -> Range | None:
    """`x = x + k` is a step of k."""
    match stmt.value, stmt.place:
        case (
            e.Arithmetic("+" | "-" as op, e.StateOf(read, None), e.Constant(int() as by)),
            s.StatePlace(written, None),
        ) if read == written:
            return Range(by, by) if op == "+" else Range(-by, -by)
        case (
            e.Arithmetic("+" | "-" as op, e.Local(read_local), e.Constant(int() as by)),
            s.LocalPlace(written_local),
        ) if read_local == written_local:
            return Range(by, by) if op == "+" else Range(-by, -by)
    return None


def fit(values: Values, value: Value, kind: t.Type) -> Value | None:
    """The value as the type allows it; None: it cannot be right, the game ends in a fault."""
    if isinstance(value, Size):
        return value
    if isinstance(kind, t.Collection):
        return as_size(value)
    optional = isinstance(kind, t.Optional)
    limit = values.top(kind.of if isinstance(kind, t.Optional) else kind)
    if not isinstance(limit, Range):
        return value
    none = value.none and optional
    if value.nothing:
        return NONE if optional else None
    low, high = max(value.low, limit.low), min(value.high, limit.high)
    if low > high:
        return NONE if none else None
    return Range(low, high, none)


def as_size(value: Value) -> Size:
    """A value taken as a collection."""
    if isinstance(value, Size):
        return value
    return Size(0 if value.none else 1, 0 if value.nothing else 1, value)


def _element(place: s.ValuePlace, values: Values) -> t.Type:
    match place:
        case s.StatePlace(name):
            kind = values.program.state[name].type
        case s.LocalPlace(number):
            kind = values.program.locals[number].type
        case _:
            return t.BOOL
    return kind.of if isinstance(kind, t.SetOf | t.SeqOf) else t.BOOL
