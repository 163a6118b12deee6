"""Legal actions of a move, and why an action is refused. One reading of `choose` and `if` serves both."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from rulekit.diagnostics import Span
from rulekit.engine.coverage import Coverage
from rulekit.engine.evaluate import Fn, Scope
from rulekit.engine.fault import MOST_TRIED, MOST_WAYS, TOO_MANY, FaultError
from rulekit.engine.record import Action, Refusal
from rulekit.engine.state import State
from rulekit.program import types as t
from rulekit.program.program import Choice, Condition, MoveDef


@dataclass(frozen=True)
class Test:
    """A named condition. ``after``: how many choices must be made before it can be tested."""

    number: int
    label: str
    holds: Fn
    after: int
    span: Span | None


@dataclass(frozen=True)
class Parameter:
    """A choice: its cascade, and how its value is noted. ``cards`` is "card", "cards" or None."""

    name: str
    entries: tuple[tuple[str | None, Fn, Span | None], ...]
    note: Callable[[State, Any], None]
    cards: str | None


class Legality:
    """The legal actions of one move. ``me`` must be set in the state."""

    def __init__(self, scope: Scope, move: MoveDef) -> None:
        self.name = move.name
        self.span = move.span
        self.tried = 0  # values tried in the search that is under way
        locals_ = [choice.local for choice in move.choices]
        self.parameters = tuple(self._parameter(scope, choice) for choice in move.choices)
        self.tests = tuple(
            self._test(scope, number, condition, locals_) for number, condition in enumerate(move.conditions)
        )
        #: the conditions that can be tested once so many choices are made
        self.ready = tuple(
            tuple(test for test in self.tests if test.after == made) for made in range(len(locals_) + 1)
        )
        pack = scope.setup.pack
        self._face = None
        if any(len(copies) > 1 for copies in pack.by_face.values()):
            first = {face: copies[0] for face, copies in pack.by_face.items()}
            self._face = tuple(first[face] for face in pack.cards)
        self.coverage: Coverage | None = None

    def _parameter(self, scope: Scope, choice: Choice) -> Parameter:
        entries = tuple((x.label, scope.compile(x.domain), x.span) for x in choice.entries)
        return Parameter(choice.name, entries, scope.setter(choice.local), card_kind(choice.type))

    def _test(self, scope: Scope, number: int, condition: Condition, order: list[int]) -> Test:
        after = max((order.index(local) + 1 for local in condition.reads if local in order), default=0)
        return Test(number, condition.label, scope.compile(condition.condition), after, condition.span)

    # ------------------------------------------------------------ the legal set

    def actions(self, s: State) -> list[Action]:
        """The legal actions in the order of their values; of equal copies the first in deck order."""
        if not self._pass(s, 0):
            return []
        if not self.parameters:
            return [Action(self.name)]
        found: list[tuple[Any, ...]] = []
        self.tried = 0
        self._extend(s, (), found)
        if len(found) > 1:
            found.sort()
            if self._face is not None:
                found = self._first_copies(found)
        self.clear(s)
        return [Action(self.name, values) for values in found]

    def _extend(self, s: State, made: tuple[Any, ...], found: list[tuple[Any, ...]]) -> None:
        """Adds every completion of the choices made; more than anybody could look at are a fault."""
        at = len(made)
        parameter = self.parameters[at]
        ready, last, note = self.ready[at + 1], at + 1 == len(self.parameters), parameter.note
        domain = self._domain(s, at)[0]
        self.tried += len(domain)
        if self.tried > MOST_TRIED or len(found) > MOST_WAYS:
            raise FaultError(TOO_MANY, f"there are too many ways to `{self.name}`", self.span)
        for value in domain:
            note(s, value)
            if ready and not self._pass(s, at + 1):
                continue
            if last:
                found.append((*made, value))
            else:
                self._extend(s, (*made, value), found)

    def _domain(self, s: State, at: int) -> tuple[tuple[Any, ...], int]:
        """The domain of a choice, and the number of the entry it comes from: the first that is not empty."""
        domain: tuple[Any, ...] = ()
        number = 0
        for number, (_, entry, _) in enumerate(self.parameters[at].entries):  # noqa: B007
            domain = entry(s)
            if domain:
                break
        if self.coverage is not None and domain:
            self.coverage.entries.add((self.name, self.parameters[at].name, number))
        return domain, number

    def _pass(self, s: State, made: int) -> bool:
        """The conditions hold that can be tested once ``made`` choices are made."""
        for test in self.ready[made]:
            holds = bool(test.holds(s))
            if self.coverage is not None:
                self.coverage.conditions.add((self.name, test.number, holds))
            if not holds:
                return False
        return True

    def _first_copies(self, found: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
        first: dict[tuple[Any, ...], tuple[Any, ...]] = {}
        for values in found:
            first.setdefault(self.faces(values), values)
        return list(first.values())

    def faces(self, values: tuple[Any, ...]) -> tuple[Any, ...]:
        """The values with each card replaced by the first card of its face."""
        if self._face is None:
            return values
        face = self._face
        told: list[Any] = []
        for value, parameter in zip(values, self.parameters, strict=True):
            if parameter.cards == "card" and value is not None:
                value = face[value]
            elif parameter.cards == "cards":
                value = tuple(sorted(face[card] for card in value))
            told.append(value)
        return tuple(told)

    def clear(self, s: State) -> None:
        """Forgets the choices, so that looking leaves no trace in the state."""
        for parameter in self.parameters:
            parameter.note(s, None)

    # ------------------------------------------------------------ why not

    def refusal(self, s: State, values: tuple[Any, ...]) -> Refusal | None:
        """The first reason why the move with these values is not legal; None if it is.

        With fewer values than choices: the reason why those given cannot be completed.
        """
        try:
            return self._refusal(s, values)
        finally:
            self.clear(s)

    def _refusal(self, s: State, values: tuple[Any, ...]) -> Refusal | None:
        for test in self.ready[0]:
            if not test.holds(s):
                return Refusal("condition", self.name, label=test.label, span=test.span)
        if len(values) > len(self.parameters):
            return Refusal("values", self.name)
        for at, value in enumerate(values):
            parameter = self.parameters[at]
            domain, number = self._domain(s, at)
            label, _, span = parameter.entries[number]
            if value not in domain:
                return Refusal("choice", self.name, parameter.name, label, tuple(domain), value, span)
            parameter.note(s, value)
        for test in self.tests:
            if 0 < test.after <= len(values) and not test.holds(s):
                return Refusal("condition", self.name, label=test.label, span=test.span)
        if len(values) < len(self.parameters):
            found: list[tuple[Any, ...]] = []
            self.tried = 0
            self._extend(s, values, found)
            if found:
                return Refusal("values", self.name, self.parameters[len(values)].name)
            return Refusal("dead end", self.name, self.parameters[len(values)].name)
        return None


def card_kind(of: t.Type) -> str | None:
    """Does a value of the type name a card, or several?"""
    match of:
        case t.Optional(inner):
            return card_kind(inner)
        case t.Card():
            return "card"
        case t.SetOf(t.Card()) | t.SeqOf(t.Card()) | t.SelectionsOf(t.Card()):
            return "cards"
    return None
