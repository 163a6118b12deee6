"""Looking into expressions of the low-level form: children, replacing, working out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields, replace
from functools import cache
from typing import Any

from rulekit.compiled import lir
from rulekit.compiled.lir import Expr


@cache
def _slots(kind: Any) -> tuple[str, ...]:
    return tuple(
        f.name for f in fields(kind) if f.name not in ("kind", "op", "value", "var", "table", "field")
    )


def _class(x: Expr) -> Any:
    return type(x)


def children(x: Expr) -> Iterator[Expr]:
    """The operands of an expression."""
    if isinstance(x, lir.Int | lir.Set | lir.Get):
        return
    for name in _slots(_class(x)):
        child = getattr(x, name)
        if isinstance(child, Expr):
            yield child


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
