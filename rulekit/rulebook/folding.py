"""The program as it is for chosen options: what they decide is decided, what they rule out is left out."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import TypeVar

from rulekit.program import Setup
from rulekit.program import expressions as e
from rulekit.program import statements as s
from rulekit.program.constants import NotConstant, constant_value

X = TypeVar("X")


class Folding:
    """Folds expressions and statements for one setup."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self._defines: dict[str, e.Expr] = {}

    def expr(self, x: e.Expr) -> e.Expr:
        """The expression with everything that options and player count decide replaced by its value."""
        folded = self._expr(x)
        if x.slot is not None and folded.slot is None:
            folded = replace(folded, slot=x.slot)
        return folded

    def _expr(self, x: e.Expr) -> e.Expr:
        x = self._parts(x)
        match x:
            case e.CallDefine(name, ()):
                body = self.define(name)
                if isinstance(body, e.Constant) and not isinstance(body.value, tuple):
                    return replace(body, type=x.type, span=x.span)
                return x
            case e.And(left, right):
                return self._and(x, left, right)
            case e.Or(left, right):
                return self._or(x, left, right)
            case e.If(condition, yes, no):
                decided = truth(condition)
                return x if decided is None else (yes if decided else no)
            case e.Filter(domain, _, condition):
                decided = truth(condition)
                if decided is None:
                    return x
                return domain if decided else e.Constant((), type=x.type, span=x.span)
            case e.Union(e.Constant(value=()), other) | e.Union(other, e.Constant(value=())):
                return other
            case e.Difference(other, e.Constant(value=())):
                return other
            case e.Choose(subject, rows, default) if isinstance(subject, e.Constant):
                for keys, row in rows:
                    if subject.value in keys:
                        return row
                return default if default is not None else x
        if isinstance(x, e.Constant):
            return x
        try:
            value = constant_value(x, self.setup.options, self.setup.players)
        except NotConstant:
            return x
        return e.Constant(value, type=x.type, span=x.span)

    def define(self, name: str) -> e.Expr:
        """The folded body of a define."""
        if name not in self._defines:
            self._defines[name] = self.setup.program.defines[name].body
            self._defines[name] = self.expr(self.setup.program.defines[name].body)
        return self._defines[name]

    def _and(self, x: e.And, left: e.Expr, right: e.Expr) -> e.Expr:
        for one, other in ((left, right), (right, left)):
            decided = truth(one)
            if decided is not None:
                return other if decided else one
        return x

    def _or(self, x: e.Or, left: e.Expr, right: e.Expr) -> e.Expr:
        for one, other in ((left, right), (right, left)):
            decided = truth(one)
            if decided is not None:
                return one if decided else other
        return x

    def _parts(self, x: X) -> X:
        changes: dict[str, object] = {}
        for field in fields(x):  # type: ignore[arg-type]
            if field.name in ("type", "span", "use", "slot"):
                continue
            old = getattr(x, field.name)
            new = self._any(old)
            if new is not old:
                changes[field.name] = new
        return replace(x, **changes) if changes else x  # type: ignore[type-var]

    def _any(self, value: object) -> object:
        if isinstance(value, e.Expr):
            return self.expr(value)
        if isinstance(
            value, (s.StatePlace, s.FieldPlace, s.ZonePlace, s.PilePlace, s.EitherPlace, s.Because)
        ):
            return self._parts(value)
        if isinstance(value, tuple):
            new = tuple(self._any(item) for item in value)
            return new if any(a is not b for a, b in zip(new, value, strict=True)) else value
        return value

    # ------------------------------------------------------------ statements

    def body(self, statements: tuple[s.Stmt, ...]) -> tuple[s.Stmt, ...]:
        """Statements as they are for these options; those that never happen, or do nothing, are gone."""
        found: list[s.Stmt] = []
        for stmt in statements:
            for made in self.statement(stmt):
                if made.use is None and made.slot is None and (stmt.use or stmt.slot):
                    made = replace(made, use=stmt.use, slot=stmt.slot)
                found.append(made)
        return tuple(found)

    def statement(self, stmt: s.Stmt) -> tuple[s.Stmt, ...]:
        match stmt:
            case s.If(branches, otherwise):
                return self._if(stmt, branches, otherwise)
            case s.For(_, domain, body):
                inner, over = self.body(body), self.expr(domain)
                if not inner or (isinstance(over, e.Constant) and over.value == ()):
                    return ()
                return (replace(stmt, domain=over, body=inner),)
            case s.Repeat(times, body):
                inner = self.body(body)
                return (replace(stmt, times=self.expr(times), body=inner),) if inner else ()
            case s.Assign(_, "+=" | "-=", value) if _nothing(self.expr(value)):
                return ()
            case s.Until(condition, body):
                return (replace(stmt, condition=self.expr(condition), body=self.body(body)),)
        return (self._parts(stmt),)

    def _if(
        self,
        stmt: s.If,
        branches: tuple[tuple[e.Expr, tuple[s.Stmt, ...]], ...],
        otherwise: tuple[s.Stmt, ...],
    ) -> tuple[s.Stmt, ...]:
        kept: list[tuple[e.Expr, tuple[s.Stmt, ...]]] = []
        last = self.body(otherwise)
        for condition, body in branches:
            folded = self.expr(condition)
            decided = truth(folded)
            if decided is True:
                last = self.body(body)
                break
            if decided is None:
                kept.append((folded, self.body(body)))
        if not kept:
            return last
        if not last and not any(body for _, body in kept):
            return ()
        return (replace(stmt, branches=tuple(kept), otherwise=last),)


def _nothing(x: e.Expr) -> bool:
    """Adding it changes nothing."""
    match x:
        case e.Constant(value=0):
            return not isinstance(x.value, bool)
        case e.Arithmetic("*", left, right):
            return _nothing(left) or _nothing(right)
    return False


def truth(x: e.Expr) -> bool | None:
    """Whether a condition is decided, and how."""
    if isinstance(x, e.Constant) and isinstance(x.value, bool):
        return x.value
    return None
