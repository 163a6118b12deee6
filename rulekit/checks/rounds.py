"""How many rounds an `until` can take, where a counter or the cards bound it."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from rulekit.checks.study import Study
from rulekit.program import expressions as e
from rulekit.program import statements as s
from rulekit.program import types as t
from rulekit.program.bounds import Known, Range
from rulekit.program.progress import by_cards
from rulekit.program.walk import walk_expressions


class Rounds:
    """The rounds of the loops of one program."""

    def __init__(self, study: Study) -> None:
        self.study, self.program = study, study.program
        self._found: dict[int, int | None] = {}

    def of(self, loop: s.Until) -> int | None:
        """The most rounds each time the loop is come to; None if nothing that is looked at bounds them."""
        if id(loop) not in self._found:
            bounds = [bound for bound in (self._by_counter(loop), self._by_cards(loop)) if bound is not None]
            self._found[id(loop)] = min(bounds, default=None)
        return self._found[id(loop)]

    # ------------------------------------------------------------ counters

    def _by_counter(self, loop: s.Until) -> int | None:
        """A number that every round raises, and that is below something as long as the loop goes on."""
        flow = self.study.flow
        head = flow.before.get(id(loop))
        if head is None:
            return None
        going_on = flow.estimator.refine(head, loop.condition, False)
        if going_on is None:
            return 0
        found = []
        for name in sorted(self.study.uses.reads(loop.condition).states):
            state = self.program.state[name]
            low, high = head.states.get(name), going_on.states.get(name)
            if state.per is not None or not isinstance(state.type, t.Int):
                continue
            if not (isinstance(low, Range) and isinstance(high, Range)) or low.nothing or high.nothing:
                continue
            waited = self._waited_for(loop.condition, name)
            most = high.high if waited is None else min(high.high, waited - 1)
            if most < state.type.high and self._raised(loop, name):
                found.append(max(0, most - low.low + 1))
        return min(found, default=None)

    def _waited_for(self, condition: e.Expr, name: str) -> int | None:
        """`until COUNTER == X`, alone or as one of several ways to end: the most X may be."""
        match condition:
            case e.Or(left, right):
                found = [self._waited_for(left, name), self._waited_for(right, name)]
                return next((bound for bound in found if bound is not None), None)
            case e.CallDefine(define, ()) if define in self.program.defines:
                return self._waited_for(self.program.defines[define].body, name)
            case e.Same(e.StateOf(state, None), other) | e.Same(other, e.StateOf(state, None)):
                if state == name and not self.study.uses.reads(other).states:
                    flow = self.study.flow
                    bound = flow.estimator.number(other, Known(options=flow.table.options))
                    return None if bound.nothing else bound.high
        return None

    def _raised(self, loop: s.Until, name: str) -> bool:
        """Is every assignment in the loop a step up, and is one in every round?"""
        steps, reached = self.study.flow.steps, self.study.flow.reached
        for stmt in self.all_of(loop.body):
            if self._sets(stmt, name) and id(stmt) in reached:
                step = steps.get(id(stmt))
                if step is None or step.low != 1 or step.high != 1:
                    return False
        return self._does(loop.body, lambda stmt: self._sets(stmt, name))

    def _sets(self, stmt: s.Stmt, name: str) -> bool:
        return isinstance(stmt, s.Assign) and stmt.place == s.StatePlace(name, None)

    # ------------------------------------------------------------ cards

    def _by_cards(self, loop: s.Until) -> int | None:
        """Every round carries a card on its way through the zones, and no card comes back."""
        flow = self.study.flow
        everything = self.all_of(loop.body)
        within = s.Until(loop.condition, tuple(everything))
        if not any(self._carries(stmt) for stmt in everything) or not by_cards(within, flow):
            return None
        if not self._does(loop.body, self._carries):
            return None
        head = flow.before.get(id(loop))
        tested = [
            part.zone
            for part in walk_expressions(loop.condition)
            if isinstance(part, e.ZoneCards | e.FamilyCards) and head is not None and part.zone in head.zones
        ]
        if head is not None and len(tested) == 1:
            return head.zones[tested[0]].high
        return flow.table.cards.high * max(1, len(self.program.zones))

    def _carries(self, stmt: s.Stmt) -> bool:
        return isinstance(stmt, s.Move | s.Deal) and self.study.watching.carried.get(id(stmt), 0) >= 1

    # ------------------------------------------------------------ statements

    def _does(self, body: Iterable[s.Stmt], does: Callable[[s.Stmt], bool]) -> bool:
        """Is there such a statement on every way through? Whatever is visited is taken to be there."""
        for stmt in body:
            if does(stmt):
                return True
            match stmt:
                case s.If(branches, otherwise):
                    if all(self._does(inner, does) for inner in (*(part for _, part in branches), otherwise)):
                        return True
                case s.For(_, _, inner) | s.Repeat(_, inner) if self._does(inner, does):
                    return True
                case s.Call(name) if name in self.program.phases:
                    phase = self.program.phases[name]
                    if self._does((*phase.body, *phase.after), does):
                        return True
                case s.Ask(_, moves) if any(
                    self._does(self.program.moves[name].body, does) for name in moves
                ):
                    return True
        return False

    def all_of(self, body: Iterable[s.Stmt]) -> list[s.Stmt]:
        """All statements, those of phases called and moves asked included."""
        found: list[s.Stmt] = []
        seen: set[tuple[str, str]] = set()
        waiting: list[s.Stmt] = list(body)
        while waiting:
            stmt = waiting.pop()
            found.append(stmt)
            match stmt:
                case s.If(branches, otherwise):
                    waiting += [inner for _, part in branches for inner in part]
                    waiting += otherwise
                case s.For(_, _, inner) | s.Repeat(_, inner) | s.Until(_, inner):
                    waiting += inner
                case s.Call(name) if name in self.program.phases and ("phase", name) not in seen:
                    seen.add(("phase", name))
                    phase = self.program.phases[name]
                    waiting += (*phase.body, *phase.after)
                case s.Ask(_, moves):
                    for name in moves:
                        if ("move", name) not in seen:
                            seen.add(("move", name))
                            waiting += self.program.moves[name].body
        return found
