"""How far a condition holds a number down (or up): what is sure of it while a loop goes on."""

from __future__ import annotations

from functools import cached_property

from rulekit.checks.study import Study
from rulekit.program import expressions as e
from rulekit.program.bounds import BIG, Known, Range
from rulekit.program.learn import Estimator


class Held:
    """Conditions about one number, a state or a family; with ``sign`` -1 all signs are turned."""

    def __init__(self, study: Study, name: str, sign: int, estimator: Estimator) -> None:
        self.study, self.program, self.name, self.sign = study, study.program, name, sign
        self._estimator = estimator
        self._options = study.flow.table.options

    def _high(self, value: Range) -> int:
        return value.high if self.sign == 1 else -value.low

    def at_most(self, condition: e.Expr, truth: bool) -> int:
        """The most the number (every member's) can be where the condition holds, or does not."""
        match condition:
            case e.Not(inner):
                return self.at_most(inner, not truth)
            case e.And(left, right) | e.Or(left, right):
                both = [self.at_most(part, truth) for part in (left, right) if not self._agreed(part)]
                pick = min if isinstance(condition, e.And) is truth else max
                return pick(both, default=BIG)
            case e.CallDefine(name, ()) if name in self.program.defines:
                return self.at_most(self.program.defines[name].body, truth)
            case e.If(_, yes, no):
                return max(self.at_most(yes, truth), self.at_most(no, truth))
            case e.AnyOf(of) if not truth:
                return self._nobody(of)
            case e.Same(of, e.Constant(None | ())) if truth:
                return self._nobody(of)
            case e.Every(e.Players() | e.Teams(), local, inner) if truth:
                return self._compared(inner, local, True)
        return self._compared(condition, None, truth)

    def _agreed(self, condition: e.Expr) -> bool:
        """A condition about options alone: taken to be met, since the number is then of another use."""
        reads = self.study.uses.reads(condition)
        return bool(reads.options) and not (reads.states or reads.zones or reads.locals or reads.provenance)

    def _nobody(self, expr: e.Expr) -> int:
        """The most the number can be if there is no such player, or team.

        Where a tie leaves `only(...)` none too, this is what holds before the first one gets so far.
        """
        match expr:
            case e.CallDefine(name, ()) if name in self.program.defines:
                return self._nobody(self.program.defines[name].body)
            case e.Only(of) | e.End(of) | e.One(of) | e.Rounds(of) | e.Extreme(_, of):
                return self._nobody(of)
            case e.If(_, yes, no):
                return max(self._nobody(yes), self._nobody(no))
            case e.Filter(e.Players() | e.Teams(), local, inner):
                return self._compared(inner, local, False)
        return BIG

    def _compared(self, condition: e.Expr, local: int | None, truth: bool) -> int:
        match condition:
            case e.Not(inner):
                return self._compared(inner, local, not truth)
            case e.And(left, right) | e.Or(left, right):
                both = (self._compared(left, local, truth), self._compared(right, local, truth))
                return min(both) if isinstance(condition, e.And) is truth else max(both)
            case e.Less(left, right, or_equal):
                blank = Known(options=self._options)
                below, above = (left, right) if truth else (right, left)
                gap = int(or_equal is not truth)
                mine, other = (below, above) if self.sign == 1 else (above, below)
                if self._is_it(mine, local) and not self.study.uses.reads(other).states:
                    bound = self._estimator.number(other, blank)
                    return self._high(bound) - gap if not bound.nothing else BIG
            case e.Same(left, right) if not truth and self._by_ones:
                for mine, other in ((left, right), (right, left)):
                    if self._is_it(mine, local) and not self.study.uses.reads(other).states:
                        bound = self._estimator.number(other, Known(options=self._options))
                        return self._high(bound) - 1 if not bound.nothing else BIG
        return BIG

    def _is_it(self, expr: e.Expr, local: int | None) -> bool:
        match expr:
            case e.StateOf(name, None):
                return name == self.name and self.program.state[name].per is None
            case e.StateOf(name, e.Local(number)):
                return name == self.name and number == local
        return False

    @cached_property
    def _by_ones(self) -> bool:
        """Does the number only ever move by one, so that it cannot pass a value by?"""
        flow = self.study.flow
        reached = [x for x in self.study.assignments.get(self.name, ()) if id(x) in flow.reached]
        steps = [flow.steps.get(id(stmt)) for stmt in reached]
        return all(step is not None and step.low >= -1 and step.high <= 1 for step in steps)
