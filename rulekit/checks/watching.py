"""What is noted while a program is followed: deals that outrun, numbers out of range, empty places."""

from __future__ import annotations

from dataclasses import dataclass

from rulekit.program import Program
from rulekit.program import expressions as e
from rulekit.program import statements as s
from rulekit.program import types as t
from rulekit.program.bounds import Known, Range, Size, Table
from rulekit.program.effects import needed
from rulekit.program.estimate import arithmetic
from rulekit.program.learn import Estimator


@dataclass(frozen=True)
class Outrun:
    """A deal that needs more cards than there are: to each, how many players, in all, and what there is.

    ``pack``: how many cards there are altogether.
    """

    stmt: s.Deal
    each: Range
    players: Range | None
    total: Range
    have: Range
    pack: int


@dataclass(frozen=True)
class Misfit:
    """An assignment whose value surely is outside the declared range."""

    stmt: s.Assign
    value: Range
    declared: Range


class Watching:
    """Called before every statement with what is known there.

    ``outrun``: deals that surely outrun their source on some way that leads there; ``doubtful``: those that
    might. ``misfits``: assignments surely out of range. ``empty``: moves of the top of a pile that is always
    empty there.
    """

    def __init__(self, program: Program, table: Table) -> None:
        self.program = program
        self.estimator = Estimator(program, table)
        self.outrun: dict[int, Outrun] = {}
        self.doubtful: dict[int, s.Deal] = {}
        self.misfits: dict[int, Misfit] = {}
        self.empty: dict[int, s.Move | None] = {}

    def __call__(self, stmt: s.Stmt, known: Known) -> None:
        match stmt:
            case s.Deal():
                self._deal(stmt, known)
            case s.Assign(s.StatePlace(name), op, value):
                kind = self.program.state[name].type
                if isinstance(kind, t.Int):
                    self._assign(stmt, name, op, self.estimator.number(value, known), kind, known)
            case s.Move(cards):
                self._move(stmt, cards, known)

    def _deal(self, stmt: s.Deal, known: Known) -> None:
        each, total, have = needed(self.estimator, known, stmt)
        if stmt.count is None or total.high <= have.low:
            return
        self.doubtful[id(stmt)] = stmt
        if total.low > have.high and id(stmt) not in self.outrun:
            players = None
            if stmt.players is not None:
                size = self.estimator.size(stmt.players, known)
                players = Range(size.low, size.high)
            self.outrun[id(stmt)] = Outrun(stmt, each, players, total, have, self.estimator.table.cards.high)

    def _assign(self, stmt: s.Assign, name: str, op: str, value: Range, kind: t.Int, known: Known) -> None:
        if value.nothing:
            return
        new = value
        if op != "=":
            old = known.states.get(name) or self.estimator.top(kind)
            if isinstance(old, Size) or old.nothing:
                return
            new = arithmetic(op[0], old, value)
        if new.low > kind.high or new.high < kind.low:
            self.misfits.setdefault(id(stmt), Misfit(stmt, new, Range(kind.low, kind.high)))

    def _move(self, stmt: s.Move, cards: e.Expr, known: Known) -> None:
        match cards:
            case e.One(e.End(of)):
                empty = self.estimator.size(of, known).high <= 0
                seen = self.empty.get(id(stmt), stmt)
                self.empty[id(stmt)] = seen if empty else None
