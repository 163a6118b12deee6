"""What is noted while a program is followed: deals that outrun, numbers out of range, empty places."""

from __future__ import annotations

from dataclasses import dataclass

from rulekit.program import Program
from rulekit.program import expressions as e
from rulekit.program import statements as s
from rulekit.program import types as t
from rulekit.program.bounds import Known, Range, Size, Table, join_known
from rulekit.program.effects import needed
from rulekit.program.intervals import arithmetic
from rulekit.program.learn import Estimator

MANY = 10**9  #: more cards than there are


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
    empty there. ``assigned``: what is known before each assignment of a number. ``times``: how many rounds a
    `for` or `repeat` may take. ``carried``: how many cards each `move` and `deal` surely carries. ``lying``:
    how many cards surely lie in a zone (in each member of a family) at some point of the game.
    """

    def __init__(self, program: Program, table: Table) -> None:
        self.program = program
        self.estimator = Estimator(program, table)
        self.outrun: dict[int, Outrun] = {}
        self.doubtful: dict[int, s.Deal] = {}
        self.misfits: dict[int, Misfit] = {}
        self.empty: dict[int, s.Move | None] = {}
        self.assigned: dict[int, Known] = {}
        self.times: dict[int, Range] = {}
        self.carried: dict[int, int] = {}
        self.lying: dict[str, int] = dict.fromkeys(program.zones, 0)

    def __call__(self, stmt: s.Stmt, known: Known) -> None:
        lying = self.lying
        for zone, held in known.zones.items():
            if held.low > lying.get(zone, MANY):
                lying[zone] = held.low
        match stmt:
            case s.For(_, domain):
                size = self.estimator.size(domain, known)
                self._round(stmt, size.low, size.high)
            case s.Repeat(times):
                found = self.estimator.number(times, known)
                self._round(stmt, found.low, found.high)
            case s.Deal():
                self._deal(stmt, known)
            case s.Assign(s.StatePlace(name), op, value):
                kind = self.program.state[name].type
                if isinstance(kind, t.Int):
                    self._remember(stmt, known)
                    self._assign(stmt, name, op, self.estimator.number(value, known), kind, known)
            case s.Move(cards):
                self._move(stmt, cards, known)

    def _round(self, stmt: s.Stmt, low: int, high: int) -> None:
        before = self.times.get(id(stmt), Range(low, high))
        self.times[id(stmt)] = Range(max(0, min(low, before.low)), max(high, before.high))

    def _remember(self, stmt: s.Stmt, known: Known) -> None:
        joined = join_known(self.assigned.get(id(stmt)), known)
        assert joined is not None
        self.assigned[id(stmt)] = joined.copy()

    def _deal(self, stmt: s.Deal, known: Known) -> None:
        each, total, have = needed(self.estimator, known, stmt)
        self.carried[id(stmt)] = min(total.low, self.carried.get(id(stmt), total.low))
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
        size = self.estimator.size(cards, known)
        self.carried[id(stmt)] = min(size.low, self.carried.get(id(stmt), size.low))
        match cards:
            case e.One(e.End(of)):
                empty = self.estimator.size(of, known).high <= 0
                seen = self.empty.get(id(stmt), stmt)
                self.empty[id(stmt)] = seen if empty else None
