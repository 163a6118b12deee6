"""By how much an assignment changes a number, whatever the number is before.

It keeps silent where the arithmetic of bounds alone tells too little: where what is added depends on the
number itself (a bet is at most the stack), or on another number that is not bounded either.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass

from rulekit.checks.faces import FaceEstimator
from rulekit.checks.steps import own_step
from rulekit.checks.study import Study
from rulekit.program import expressions as e
from rulekit.program import statements as s
from rulekit.program import types as t
from rulekit.program.bounds import BIG, Known, Range
from rulekit.program.walk import walk_expressions

WIDE = 10**6  #: an `int` parameter or a `let`: nothing is known of it
ANY = Range(-BIG, BIG)


class Unknown(Exception):
    """The arithmetic tells too little."""


@dataclass(frozen=True)
class Change:
    """What an assignment may do to a number: it grows ``by`` so much, or (None) it is set ``to`` that."""

    by: int | None
    to: int = 0


@dataclass(frozen=True)
class Outcome:
    """All that an assignment may do. ``partial``: of some of it the arithmetic tells nothing.

    ``unknown``: why it tells too little, if it does.
    """

    changes: tuple[Change, ...]
    partial: bool
    unknown: str | None = None


class Told:
    """What is known before each assignment, with what has been found out about ``numbers``."""

    def __init__(self, study: Study, estimator: FaceEstimator, numbers: dict[str, Range]) -> None:
        self.study, self.estimator, self.numbers = study, estimator, numbers
        self._before: dict[int, Known | None] = {}
        self._sums: dict[tuple[int, int], e.Expr] = {}
        self._negatives: dict[int, tuple[e.Expr, e.Expr]] = {}
        self._plain: dict[tuple[int, int], tuple[e.Expr, Known, Range]] = {}
        self._blind: dict[tuple[int, int], tuple[e.Expr, Known, Range, bool]] = {}

    def before(self, stmt: s.Assign) -> Known | None:
        """What is known before an assignment; None: it is never reached."""
        if id(stmt) not in self._before:
            known = self.study.watching.assigned.get(id(stmt))
            self._before[id(stmt)] = None if known is None else self._informed(known)
        return self._before[id(stmt)]

    def _informed(self, known: Known) -> Known:
        """With what has been found out about other numbers."""
        here = known.copy()
        for name, found in self.numbers.items():
            now = here.states.get(name)
            if isinstance(now, Range) and not now.nothing:
                here.states[name] = Range(max(now.low, found.low), min(now.high, found.high), now.none)
        return here

    def summed(self, loop: s.For, stmt: s.Assign) -> e.Expr:
        """What the rounds of a loop over cards add together."""
        key = id(loop), id(stmt)
        if key not in self._sums:
            bag = e.Collect(loop.domain, loop.local, stmt.value, type=t.BagOf(stmt.value.type))
            self._sums[key] = e.Sum(bag, type=stmt.value.type)
        return self._sums[key]

    def negative(self, value: e.Expr) -> e.Expr:
        found = self._negatives.get(id(value))
        if found is None:
            # The value is kept with the answer, so that its identity stays its own; so below.
            found = self._negatives[id(value)] = value, e.Negative(value, type=value.type)
        return found[1]

    def plain(self, value: e.Expr, known: Known) -> Range:
        """The bounds of a value."""
        found = self._plain.get((id(value), id(known)))
        if found is None:
            known.memo.clear()
            number = self.estimator.number(value, known)
            found = self._plain[id(value), id(known)] = value, known, number
        return found[2]

    def blind(self, value: e.Expr, known: Known) -> tuple[Range, bool]:
        """The bounds with nothing known of numbers that have no bounds but the declared ones.

        And whether they rest on a count of which no more is known than that the pack has so many.
        """
        found = self._blind.get((id(value), id(known)))
        if found is None:
            here = known.copy()
            here.defines.clear()
            for name in here.states:
                if self.is_open(name):
                    here.states[name] = ANY
            for number in self.study.uses.reads(value).locals:
                kind = self.study.program.locals[number].type
                if isinstance(kind, t.Int) and any(
                    self.is_open(x) for x in self.study.sources_of_local(number)
                ):
                    here.locals[number] = ANY
            self.estimator.vague = False
            bounds = self.estimator.number(value, here)
            found = self._blind[id(value), id(known)] = value, known, bounds, self.estimator.vague
        return found[2], found[3]

    def is_open(self, name: str) -> bool:
        """Is it a number of which nothing has been found out?"""
        kind = self.study.program.state[name].type
        number = kind.of if isinstance(kind, t.Optional) else kind
        return isinstance(number, t.Int) and name not in self.numbers


class Amounts:
    """What assignments do to one number, upwards (``sign`` 1) or downwards (-1, with all signs turned).

    ``asked``: the states that any of it depends on.
    """

    def __init__(self, study: Study, sign: int, told: Told) -> None:
        self.study, self.sign, self.told = study, sign, told
        self.asked: set[str] = set()
        self._found: dict[tuple[int, int, bool], Outcome] = {}
        self._partial = False

    def high_of(self, value: Range) -> int:
        """The upper end of a range."""
        return value.high if self.sign == 1 else -value.low

    def high(self, value: Range) -> int:
        """The upper end of a range; raises Unknown for one of any size."""
        if value.nothing:
            return -BIG
        found = self.high_of(value)
        if abs(found) >= WIDE:
            raise Unknown("a number of any size")
        return found

    def of(self, stmt: s.Assign, known: Known, added_up: e.Expr | None, *, ignoring: bool) -> Outcome:
        """What an assignment may do, ``known`` before it; ``added_up``: what it adds in many rounds together.

        ``ignoring``: of what is added nothing is looked at.
        """
        key = id(stmt), id(added_up), ignoring
        if key not in self._found:
            self.asked |= self.study.sources(stmt.value)
            self._partial, unknown = False, None
            changes: tuple[Change, ...] = ()
            try:
                changes = tuple(self._changes(stmt, known, added_up, ignoring))
            except Unknown as why:
                unknown = str(why)
            self._found[key] = Outcome(changes, self._partial, unknown)
        return self._found[key]

    def _changes(
        self, stmt: s.Assign, known: Known, added_up: e.Expr | None, ignoring: bool
    ) -> Iterator[Change]:
        if stmt.op == "=":
            assert isinstance(stmt.place, s.StatePlace)
            yield from self._ways(stmt.value, stmt.place, known, ignoring)
            return
        value = added_up or stmt.value
        if stmt.op == "-=":
            value = self.told.negative(value)
        yield Change(self._step(value, known, ignoring, stmt.op == "+="))

    def _ways(self, value: e.Expr, place: s.StatePlace, known: Known, ignoring: bool) -> Iterator[Change]:
        if isinstance(value, e.If):
            known.memo.clear()
            split = self.told.estimator.split(known, value.condition)
            for branch, here in zip((value.yes, value.no), split, strict=True):
                if here is not None:
                    yield from self._ways(branch, place, here.copy(), ignoring)
            return
        by = own_step(value, place)
        if by is not None:
            yield Change(self._step(by, known, ignoring))
            return
        clipped = isinstance(value, e.Minimum | e.Maximum)  # its bounds are those of the clip
        reads, states = self.study.uses.reads(value).states, self.study.program.state
        if clipped or not any(isinstance(states[one].type, t.Int) for one in reads):
            with suppress(Unknown):
                found = self.told.plain(value, known)
                yield Change(None, self.high(found) if clipped else self._bound(value, known))
                return
        self._partial = True  # it is what other numbers are

    def _step(self, value: e.Expr, known: Known, ignoring: bool, gains: bool = True) -> int:
        """By how much it grows at most, as far as that is told; nothing, where too little is."""
        if not ignoring:
            with suppress(Unknown):
                return self._bound(value, known, gains)
        self._partial = True
        return 0

    def _bound(self, value: e.Expr, known: Known, gains: bool = True) -> int:
        """The greatest value, as far as it is told without numbers of which nothing is found out."""
        plain = self.told.plain(value, known)
        if self.high_of(plain) <= 0:
            return self.high_of(plain)
        found, vague = self.told.blind(value, known)
        if vague or self._is_minor(value, found, gains):
            raise Unknown("a count or a difference")
        return self.high(found)

    def _is_minor(self, value: e.Expr, found: Range, gains: bool) -> bool:
        """Is it the lesser side of a difference, as what `score += taken - book` might take away?

        Which way it mostly goes the rules say elsewhere: `if taken > book`. ``gains``: is the value added?
        """
        if gains is (self.sign == 1) or not found.low < 0 < found.high:
            return False
        reads = self.study.uses.reads
        return any(
            isinstance(part, e.Arithmetic) and part.op == "-" and (reads(part).zones or reads(part).states)
            for part in self._written_out(value)
        )

    def _written_out(self, value: e.Expr) -> Iterator[e.Expr]:
        """The parts of a value, and those of the defines and locals it uses."""
        waiting: list[object] = [value]
        seen: set[str | int] = set()
        while waiting:
            for part in walk_expressions(waiting.pop()):
                yield part
                if isinstance(part, e.CallDefine) and part.define not in seen:
                    seen.add(part.define)
                    waiting.append(self.study.program.defines[part.define].body)
                elif isinstance(part, e.Local) and part.number not in seen:
                    seen.add(part.number)
                    waiting += self.study.bindings.get(part.number, ())


__all__ = ["Amounts", "Told", "Unknown"]
