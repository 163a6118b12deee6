"""Looking into the low-level form: what is inside, replacing, working out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, replace
from functools import cache
from typing import Any

from rulekit.compiled import lir
from rulekit.compiled.lir import Expr, Stmt


@cache
def _slots(kind: Any) -> tuple[str, ...]:
    return tuple(f.name for f in fields(kind) if f.name not in _NO_OPERANDS)


def _class(node: Expr | Stmt) -> Any:
    return type(node)


_NO_OPERANDS = frozenset({"kind", "op", "var", "table", "field", "function", "then", "otherwise", "body"})


def children(node: Expr | Stmt) -> Iterator[Expr]:
    """The operands of an expression, or of a statement without those inside it."""
    if isinstance(node, lir.Int | lir.Set | lir.Get):
        return
    for name in _slots(_class(node)):
        held = getattr(node, name)
        if isinstance(held, Expr):
            yield held
        elif isinstance(held, tuple):
            yield from (item for item in held if isinstance(item, Expr))


def inside(node: Expr | Stmt) -> Iterator[Expr]:
    """All expressions in an expression or a statement, at any depth, without those in its bodies."""
    for child in children(node):
        yield child
        yield from inside(child)


def inner_bodies(stmt: Stmt) -> tuple[lir.Body, ...]:
    """The bodies of a statement."""
    match stmt:
        case lir.If(_, then, otherwise):
            return then, otherwise
        case lir.While(_, body) | lir.ForBits(_, _, body) | lir.ForRange(_, _, _, body):
            return (body,)
    return ()


def statements(body: Iterable[Stmt]) -> Iterator[Stmt]:
    """Every statement, outer ones before those inside."""
    for stmt in body:
        yield stmt
        for inner in inner_bodies(stmt):
            yield from statements(inner)


def extent(body: Iterable[Stmt]) -> int:
    """How many statements and expressions."""
    return sum(1 + sum(1 for _ in inside(stmt)) for stmt in statements(body))


def mentions(x: Expr, var: lir.Var) -> bool:
    """The local is read."""
    return x.var == var if isinstance(x, lir.Get) else any(mentions(child, var) for child in children(x))


def size(x: Expr) -> int:
    """How many nodes."""
    return 1 + sum(size(child) for child in children(x))


def pure_constant(x: Expr) -> bool:
    """It reads nothing but tables."""
    if isinstance(x, lir.Get | lir.Load | lir.PileSize | lir.PileAt):
        return False
    return all(pure_constant(child) for child in children(x))


def rebuilt(x: Expr, change: Callable[[Expr], Expr]) -> Expr:
    """The expression with each operand changed."""
    new: dict[str, Any] = {}
    for name in _slots(_class(x)):
        child = getattr(x, name)
        if isinstance(child, Expr):
            changed = change(child)
            if changed is not child:
                new[name] = changed
    return replace(x, **new) if new else x  # type: ignore[type-var]


def compiled(
    parts: Sequence[Expr], arguments: Sequence[lir.Var], tables: Mapping[str, tuple[int, ...]]
) -> Callable[..., tuple[int, ...]]:
    """A Python function of the locals that works the expressions out. They read only these and tables."""
    from rulekit.compiled.python import expression_source

    names = {f"t_{name}": values for name, values in tables.items()}
    source = ", ".join(f"int({expression_source(part)})" for part in parts)
    parameters = ", ".join(f"v{var.number}" for var in arguments)
    code = f"lambda {parameters}: ({source},)"
    return eval(code, {"__builtins__": {"int": int, "min": min, "max": max}, "_nth": None, **names})  # type: ignore[no-any-return]
