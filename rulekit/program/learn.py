"""What a condition that holds, or does not, makes known."""

from __future__ import annotations

from rulekit.program import expressions as e
from rulekit.program import types as t
from rulekit.program.bounds import BIG, NONE, Known, Range, Size, join_known
from rulekit.program.estimate import DEPTH, Values
from rulekit.program.walk import operands


class Estimator(Values):
    """Bounds of expressions, and what conditions tell about them."""

    def refine(self, known: Known, condition: e.Expr, truth: bool) -> Known | None:
        """What is known where the condition holds (or does not); None: that cannot be.

        ``known`` itself is left alone.
        """
        sure = self.sure(condition, known)
        if sure is not None:
            return known if sure is truth else None
        return self.assume(known, condition, truth)

    def split(self, known: Known, condition: e.Expr) -> tuple[Known | None, Known | None]:
        """What is known where the condition holds, and where it does not."""
        sure = self.sure(condition, known)
        if sure is not None:
            return (known, None) if sure else (None, known)
        return self.assume(known, condition, True), self.assume(known, condition, False)

    def assume(self, known: Known, condition: e.Expr, truth: bool) -> Known | None:
        """`refine` for a condition of which it is found out already that it may hold or not."""
        self.budget -= 1
        if self.budget < 0:
            return known
        match condition:
            case e.Not(operand):
                return self.refine(known, operand, not truth)
            case e.And() | e.Or() if isinstance(condition, e.And) is truth:
                there: Known | None = known
                for operand in operands(condition):
                    if there is not None:
                        there = self.refine(there, operand, truth)
                return there
            case e.And() | e.Or():
                found: Known | None = None
                rest: Known | None = known
                for operand in operands(condition):
                    if rest is not None:
                        holds, fails = self.split(rest, operand)
                        found = join_known(found, holds if truth else fails)
                        rest = fails if truth else holds
                return found
            case e.CallDefine(name, ()) if name in self.program.defines and self.depth <= DEPTH:
                self.depth += 1
                found = self.refine(known, self.program.defines[name].body, truth)
                self.depth -= 1
                return found
        if isinstance(condition, e.Same | e.Less) and not (_tells(condition.left) or _tells(condition.right)):
            return known
        copy = known.copy()
        return copy if self._learn(copy, condition, truth) else None

    def _learn(self, known: Known, condition: e.Expr, truth: bool) -> bool:
        """Puts what a simple condition tells into ``known``; False: it cannot be so."""
        match condition:
            case e.StateOf() | e.Local() | e.Option():
                return self._narrow(known, condition, Range(int(truth), int(truth)))
            case e.Same(left, right):
                return self._learn_same(known, left, right, truth)
            case e.Less(left, right, or_equal) if not isinstance(left.type, t.Key):
                one, two = self.number(left, known), self.number(right, known)
                if truth:
                    gap = 0 if or_equal else 1
                    return self._narrow(known, left, Range(-BIG, two.high - gap)) and self._narrow(
                        known, right, Range(one.low + gap, BIG)
                    )
                if one.none or two.none:
                    return True
                gap = 1 if or_equal else 0
                return self._narrow(known, left, Range(two.low + gap, BIG)) and self._narrow(
                    known, right, Range(-BIG, one.high - gap)
                )
            case e.AnyOf(of) if not (isinstance(of.type, t.BagOf) and isinstance(of.type.of, t.Bool)):
                return self._narrow_size(known, of, Range(1, BIG) if truth else Range(0, 0))
            case e.Contains(item, collection) if truth:
                return self._narrow(known, item, Range(-BIG, BIG)) and self._narrow_size(
                    known, collection, Range(1, BIG)
                )
            case e.Every(domain) if not truth:
                return self._narrow_size(known, domain, Range(1, BIG))
        return True

    def _learn_same(self, known: Known, left: e.Expr, right: e.Expr, truth: bool) -> bool:
        one, two = self.value(left, known), self.value(right, known)
        if isinstance(one, Size) and isinstance(two, Size):
            if truth:
                return self._narrow_size(known, left, Range(two.low, two.high)) and self._narrow_size(
                    known, right, Range(one.low, one.high)
                )
            if two.high <= 0:
                return self._narrow_size(known, left, Range(1, BIG))
            return one.high > 0 or self._narrow_size(known, right, Range(1, BIG))
        if isinstance(one, Size) or isinstance(two, Size):
            return True
        if truth:
            return self._narrow(known, left, two) and self._narrow(known, right, one)
        for side, other, mine in ((left, two, one), (right, one, two)):
            if other.nothing and not self._narrow(known, side, Range(-BIG, BIG)):
                return False
            if other.certain and not mine.nothing:
                low = mine.low + 1 if mine.low == other.low else mine.low
                high = mine.high - 1 if mine.high == other.low else mine.high
                if not self._narrow(known, side, Range(low, high, mine.none)):
                    return False
        return True

    def _narrow(self, known: Known, expr: e.Expr, to: Range) -> bool:
        """The value is known to be in ``to`` too; False: that cannot be."""
        if not _tells(expr):
            return True
        now = self.value(expr, known)
        if not isinstance(now, Range):
            return True
        none = now.none and to.none
        met = Range(max(now.low, to.low), min(now.high, to.high), none)
        if met.nothing:
            if not none:
                return False
            met = NONE
        match expr:
            case e.Local(number):
                known.locals[number] = met
            case e.StateOf(name, None):
                known.states[name] = met
            case e.Option(name):
                known.options = {**known.options, name: met}
            case e.Count(of):
                return self._narrow_size(known, of, Range(met.low, met.high))
            case e.Arithmetic("+" | "-" as op, left, right):
                by = self.number(right, known)
                if by.certain and not met.nothing:
                    step = by.low if op == "+" else -by.low
                    return self._narrow(known, left, Range(met.low - step, met.high - step, met.none))
            case e.CallDefine(name, ()) if name in self.program.defines and self.depth <= DEPTH:
                self.depth += 1
                found = self._narrow(known, self.program.defines[name].body, met)
                self.depth -= 1
                if not self.program.defines[name].reads_me:
                    known.defines[name] = met
                return found
        return True

    def _narrow_size(self, known: Known, of: e.Expr, to: Range) -> bool:
        """The collection is known to have so many elements; False: that cannot be."""
        now = self.size(of, known)
        low, high = max(now.low, to.low), min(now.high, to.high)
        if low > high:
            return False
        if low == 0 and high >= now.high:
            return True
        match of:
            case e.StateOf(name, None):
                known.states[name] = Size(low, high, now.of)
            case e.Local(number) if isinstance(self.value(of, known), Size):
                known.locals[number] = Size(low, high, now.of)
            case e.ZoneCards(zone, None) | e.PileCards(e.ZonePile(zone, None)):
                if zone in self.plain_zones:
                    known.zones[zone] = Range(low, high)
            case e.One(one):
                if low >= 1:
                    return self._narrow(known, one, Range(-BIG, BIG))
                return self._narrow(known, one, NONE)
            case e.Filter(domain) | e.Difference(domain):
                return self._narrow_size(known, domain, Range(low, BIG))
            case e.Collect(domain, flatten=flatten):
                return self._narrow_size(known, domain, Range(min(low, 1) if flatten else low, BIG))
            case e.Intersection(left, right):
                return self._narrow_size(known, left, Range(low, BIG)) and self._narrow_size(
                    known, right, Range(low, BIG)
                )
            case e.Rounds(players):
                return self._narrow_size(known, players, Range(low, high))
            case e.CallDefine(name, ()) if name in self.program.defines and self.depth <= DEPTH:
                self.depth += 1
                found = self._narrow_size(known, self.program.defines[name].body, Range(low, high))
                self.depth -= 1
                if not self.program.defines[name].reads_me:
                    known.defines[name] = Size(low, high, now.of)
                return found
        return True


def _tells(expr: e.Expr) -> bool:
    """Can anything be kept of what is learnt about this expression?"""
    match expr:
        case e.Local() | e.StateOf(_, None) | e.Option() | e.Count() | e.CallDefine(_, ()):
            return True
        case e.Arithmetic("+" | "-", left):
            return _tells(left)
    return isinstance(expr.type, t.Collection)
