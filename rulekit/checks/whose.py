"""Whose number a statement changes: that of who is visited, of the player who is asked, or another's."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rulekit.checks.steps import worth_of
from rulekit.checks.study import Study
from rulekit.program import expressions as e
from rulekit.program import statements as s
from rulekit.program import types as t

Index = e.Expr | None


class Whose:
    """The members of one state or family that statements change, on the way through phases and moves."""

    def __init__(self, study: Study, name: str, sign: int) -> None:
        self.study, self.program, self.name, self.sign = study, study.program, name, sign
        self._names: list[dict[int, Index]] = [{}]  # what locals stand for, as far as they are other locals
        self._me: list[Index] = [None]

    @contextmanager
    def phase(self, name: str, arguments: tuple[e.Expr, ...]) -> Iterator[None]:
        """In a phase that is called with these arguments."""
        phase = self.program.phases[name]
        named = {p: self._named(a) for p, a in zip(phase.parameters, arguments, strict=False)}
        self._names.append(named)
        try:
            yield
        finally:
            self._names.pop()

    @contextmanager
    def ask(self, stmt: s.Ask) -> Iterator[None]:
        """In the moves of an ask."""
        who = stmt.who if stmt.whom is None else stmt.whom
        self._me.append(None if stmt.together else self._named(who))
        try:
            yield
        finally:
            self._me.pop()

    def _named(self, expr: e.Expr) -> Index:
        """A local as what it stands for, through calls."""
        while isinstance(expr, e.One):
            expr = expr.of
        if isinstance(expr, e.Me):
            return self._me[-1]
        if isinstance(expr, e.Local):
            return self._names[-1].get(expr.number, expr)
        return None

    def each_its_own(self, body: tuple[s.Stmt, ...], local: int) -> bool:
        """Does the body change the number of the member ``local`` alone?"""
        return self.program.state[self.name].per is not None and all(
            isinstance(index, e.Local) and index.number == local for index in self._indexes(body)
        )

    def only_me(self, body: tuple[s.Stmt, ...]) -> bool:
        """Does a move change only the number of its player?"""
        self._me.append(e.Me(type=t.PLAYER))
        found = all(isinstance(index, e.Me) for index in self._indexes(body))
        self._me.pop()
        return found and self.program.state[self.name].per is not None

    def _indexes(self, body: tuple[s.Stmt, ...]) -> Iterator[Index]:
        """The members whose number the statements change."""
        for stmt in body:
            if self.name not in self.study.uses.writes(stmt).states:
                continue
            match stmt:
                case s.Assign(s.StatePlace(_, index)):
                    if self._may_grow(stmt):
                        yield None if index is None else self._named(index)
                case s.If(branches, otherwise):
                    for _, inner in branches:
                        yield from self._indexes(inner)
                    yield from self._indexes(otherwise)
                case s.For(_, _, inner) | s.Repeat(_, inner) | s.Until(_, inner):
                    yield from self._indexes(inner)
                case s.Call(name, arguments):
                    phase = self.program.phases[name]
                    with self.phase(name, arguments):
                        yield from self._indexes((*phase.body, *phase.after))
                case s.Ask():
                    with self.ask(stmt):
                        for name in stmt.moves:
                            yield from self._indexes(self.program.moves[name].body)

    def _may_grow(self, stmt: s.Assign) -> bool:
        """Is it not surely a step the other way?"""
        step = self.study.flow.steps.get(id(stmt))
        return step is None or step.nothing or (step.high if self.sign == 1 else -step.low) > 0

    def shared_out(self, body: tuple[s.Stmt, ...], local: int) -> bool:
        """Is what each round adds the worth of cards that only that round's member has?"""
        changes = [stmt for stmt in body if self.name in self.study.uses.writes(stmt).states]
        return bool(changes) and all(
            isinstance(stmt, s.Assign) and stmt.op != "=" and worth_of(stmt.value, local) for stmt in changes
        )


__all__ = ["Whose"]
