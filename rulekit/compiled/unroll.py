"""Short loops over what is known beforehand are written out, so that each round works with constants."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, replace
from typing import Any

from rulekit.compiled import fold, lir
from rulekit.compiled.lir import Expr, Int, Stmt
from rulekit.compiled.trees import extent, rebuilt

MOST_ROUNDS = 10
MOST_SIZE = 160  #: nodes of all rounds together

Tables = Mapping[str, tuple[int, ...]]


def unrolled(body: Sequence[Stmt], tables: Tables) -> lir.Body:
    """The body with such loops written out. ``tables``  the values of tables of numbers by name"""
    found: list[Stmt] = []
    for stmt in body:
        match stmt:
            case lir.If(condition, then, otherwise):
                then, otherwise = unrolled(then, tables), unrolled(otherwise, tables)
                if isinstance(condition, Int):
                    found += then if condition.value else otherwise
                elif then or otherwise:
                    found.append(lir.If(condition, then, otherwise))
            case lir.ForBits(var, _, inner) | lir.ForRange(var, _, _, inner):
                inner = unrolled(inner, tables)
                rounds = _rounds(stmt, inner)
                if rounds is None:
                    found.append(replace(stmt, body=inner))
                    continue
                if inner and isinstance(inner[-1], lir.Break):
                    inner = inner[:-1]
                found += unrolled(_written_out(var, rounds, inner, tables), tables)
            case lir.While(_, inner):
                found.append(replace(stmt, body=unrolled(inner, tables)))
            case _:
                found.append(stmt)
        if found and isinstance(found[-1], lir.Goto | lir.Return | lir.Trap | lir.Break | lir.Continue):
            break  # what follows is never reached
    return tuple(found)


def _written_out(var: lir.Var, rounds: Sequence[int], body: lir.Body, tables: Tables) -> list[Stmt]:
    """The rounds one after another; those after one that may leave the loop only where it does not."""
    last = body[-1] if body else None
    found: list[Stmt] = []
    for at, number in enumerate(rounds):
        found += [_with(each, var, Int(number), tables) for each in body]
        if isinstance(last, lir.If) and leaves(last):
            test = found.pop()
            assert isinstance(test, lir.If), "the statement that may leave"
            rest = _written_out(var, rounds[at + 1 :], body, tables)
            return [*found, replace(test, then=test.then[:-1], otherwise=tuple(rest))]
    return found


def _rounds(stmt: lir.ForBits | lir.ForRange, body: lir.Body) -> list[int] | None:
    """What the local stands for in each round; None if the loop stays."""
    match stmt:
        case lir.ForBits(_, lir.Set(value)):
            rounds = [member for member in range(value.bit_length()) if value >> member & 1]
        case lir.ForRange(_, Int(low), Int(high)):
            rounds = list(range(low, min(high, low + MOST_ROUNDS + 1)))
        case _:
            return None
    if body and isinstance(body[-1], lir.Break):  # it is left in its first round
        return rounds[:1] if not any(leaves(each) for each in body[:-1]) else None
    if len(rounds) > MOST_ROUNDS or any(leaves(each) for each in body[:-1]):
        return None
    if body and leaves(body[-1]) and not _leaves_last(body[-1]):
        return None
    return rounds if len(rounds) * extent(body) <= MOST_SIZE else None


def _leaves_last(stmt: Stmt) -> bool:
    """A condition of which one side ends in `Break`, and that leaves the loop in no other way."""
    match stmt:
        case lir.If(_, (*before, lir.Break()), ()):
            return not any(leaves(each) for each in before)
    return False


def leaves(stmt: Stmt) -> bool:
    """It leaves, or goes on with, the loop that it stands in."""
    match stmt:
        case lir.Break() | lir.Continue():
            return True
        case lir.If(_, then, otherwise):
            return any(leaves(inner) for inner in (*then, *otherwise))
    return False


def _with(stmt: Stmt, var: lir.Var, value: Int, tables: Tables) -> Stmt:
    """The statement where a local has a value."""

    def change(x: Expr) -> Expr:
        if isinstance(x, lir.Get):
            return value if x.var == var else x
        return folded(rebuilt(x, change), tables)

    return _changed(stmt, change)


def _changed(stmt: Stmt, change: Callable[[Expr], Expr]) -> Stmt:
    new: dict[str, Any] = {}
    for part in fields(stmt):  # type: ignore[arg-type]
        held = getattr(stmt, part.name)
        if isinstance(held, Expr):
            new[part.name] = change(held)
        elif isinstance(held, tuple):
            new[part.name] = tuple(_part(each, change) for each in held)
    return replace(stmt, **new) if new else stmt  # type: ignore[type-var]


def _part(part: Any, change: Callable[[Expr], Expr]) -> Any:
    if isinstance(part, Expr):
        return change(part)
    return _changed(part, change) if isinstance(part, Stmt) else part


def folded(x: Expr, tables: Tables) -> Expr:
    """The expression made simpler, if its operands have become constants."""
    match x:
        case lir.Binary(op, left, right):
            return fold.binary(op, left, right)
        case lir.Not(of):
            return fold.negate(of)
        case lir.And(left, right):
            return fold.both(left, right)
        case lir.Or(left, right):
            return fold.either(left, right)
        case lir.Cond(condition, yes, no):
            return fold.choose(condition, yes, no)
        case lir.Lookup(table, Int(at)) if table in tables and 0 <= at < len(tables[table]):
            held = tables[table][at]
            return lir.Set(held, x.kind) if isinstance(x.kind, lir.Bits) else Int(held)
        case lir.BitOp(op, left, right):
            return fold.bit_op(op, left, right)
        case lir.Single(member, kind):
            return fold.single(member, kind)
        case lir.Has(bits, member):
            return fold.has(bits, member)
        case lir.Count(bits):
            return fold.count(bits)
        case lir.Some(bits):
            return fold.some(bits)
    return x
