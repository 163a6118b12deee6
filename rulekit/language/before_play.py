"""What is settled before a game begins: pack and `requires` read only options and the player count."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any

from rulekit.language.world import UNKNOWN, Unknown, World
from rulekit.program import expressions as e
from rulekit.program import types as t

#: What may stand in such an expression besides numbers, conditions, words and options.
_PLAIN = (
    e.Negative, e.Not, e.And, e.Or, e.If, e.Same, e.Less, e.Minimum, e.Maximum, e.Arithmetic, e.Choose,
)  # fmt: skip


def settled(x: e.Expr, world: World, what: str) -> e.Expr:
    """The expression with its defines written out, or a finding at the first part that is not yet known."""
    whole = written_out(x, world, {})
    wrong = unsettled(whole)
    if wrong is None:
        return whole
    span = wrong.span or x.span
    world.findings.error(
        "RK430", f"{what} cannot depend on `{span.text if span else 'this'}`", span,
        expected="options, `count(players)`, numbers and words",
        help="it is settled before anything lies on the table",
    )  # fmt: skip
    return e.Constant(None, type=UNKNOWN, span=x.span)


def written_out(x: e.Expr, world: World, locals: Mapping[int, e.Expr]) -> e.Expr:
    """Defines replaced by what they stand for, and `in` by comparisons; places stay those of ``x``."""
    match x:
        case e.Local(number) if number in locals:
            return locals[number]
        case e.CallDefine(name, arguments) if name in world.defines:
            world.settled[name] = None
            define = world.defines[name]
            given = (written_out(argument, world, locals) for argument in arguments)
            body = written_out(define.body, world, dict(zip(define.parameters, given, strict=True)))
            return replace(body, span=x.span)
        case e.Contains(item, e.Numbers(low, high)):
            here = written_out(item, world, locals)
            above = e.Less(written_out(low, world, locals), here, True, type=t.BOOL, span=x.span)
            below = e.Less(here, written_out(high, world, locals), True, type=t.BOOL, span=x.span)
            return e.And(above, below, type=t.BOOL, span=x.span)
        case e.Contains(item, e.Constant(tuple() as values)):
            here = written_out(item, world, locals)
            found: e.Expr = e.Constant(False, type=t.BOOL, span=x.span)
            for value in values:
                same = e.Same(here, e.Constant(value, type=here.type), type=t.BOOL, span=x.span)
                found = e.Or(found, same, type=t.BOOL, span=x.span)
            return found
    parts = {f.name: _within(getattr(x, f.name), world, locals) for f in fields(x) if f.name != "span"}
    return replace(x, **parts)


def _within(part: Any, world: World, locals: Mapping[int, e.Expr]) -> Any:
    if isinstance(part, e.Expr):
        return written_out(part, world, locals)
    if isinstance(part, tuple):
        return tuple(_within(item, world, locals) for item in part)
    return part


def unsettled(x: e.Expr) -> e.Expr | None:
    """The first part that reads more than options and the player count; None if there is none."""
    if isinstance(x.type, Unknown) or isinstance(x, e.Option):
        return None
    if isinstance(x, e.Count):
        return None if isinstance(x.of, e.Players) else x
    if isinstance(x, e.Constant):
        return x if x.value is None or isinstance(x.value, tuple) else None
    if isinstance(x, e.Same):
        both = (x.left, x.right)
        sides = [side for side in both if not (isinstance(side, e.Constant) and side.value is None)]
        return next((found for side in sides if (found := unsettled(side)) is not None), None)
    if not isinstance(x, _PLAIN):
        return x
    return next((found for part in _parts(x) if (found := unsettled(part)) is not None), None)


def _parts(part: Any) -> list[e.Expr]:
    """The expressions that stand directly in one."""
    if isinstance(part, tuple):
        return [x for item in part for x in ([item] if isinstance(item, e.Expr) else _parts(item))]
    if isinstance(part, e.Expr):
        return [x for f in fields(part) if f.name != "type" for x in _parts((getattr(part, f.name),))]
    return []


__all__ = ["settled"]
