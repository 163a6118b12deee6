"""Which parts of the rules were evaluated while something was played: a mistake anywhere else cannot have
changed it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from rulekit.engine import Coverage, Machine, State
from rulekit.engine.evaluate import Fn, Scope
from rulekit.engine.layout import Layout
from rulekit.program import Setup
from rulekit.program import expressions as e
from rulekit.program.walk import walk

Key = tuple[str, int, int, str]
"""A part of a rule file: the file, where in it the part begins and ends, and its kind."""


def key_of(node: Any) -> Key | None:
    """None for what stands nowhere."""
    span = getattr(node, "span", None)
    return None if span is None else (span.file, span.start, span.end, type(node).__name__)


def keys_in(node: Any) -> frozenset[Key]:
    """The keys of a part and of all parts inside it."""
    return frozenset(key for part in (node, *walk(node)) if (key := key_of(part)) is not None)


@dataclass(frozen=True)
class Footprint:
    """The parts that were evaluated (``touched``), of those of which it can be said (``known``)."""

    touched: frozenset[Key]
    known: frozenset[Key]

    def holds(self, keys: Iterable[Key]) -> bool:
        """Was one of these parts evaluated? True, to be safe, if nothing is known of any of them."""
        keys = frozenset(keys)
        return not keys.isdisjoint(self.touched) or keys.isdisjoint(self.known)


class _WatchedScope(Scope):
    """Every function of an expression notes that it is called."""

    def __init__(self, layout: Layout) -> None:
        super().__init__(layout)
        self.known: set[Key] = set()
        self.touched: set[Key] = set()

    def compile(self, expr: e.Expr) -> Fn:
        outer, self.touched = self.touched, set()
        try:
            fn = super().compile(expr)
        finally:
            # What was worked out beforehand counts as evaluated whenever the result is used.
            noted, self.touched = self.touched, outer
        key = key_of(expr)
        if key is not None:
            self.known.add(key)
            noted.add(key)
        return self._noting(fn, frozenset(noted)) if noted else fn

    def _noting(self, fn: Fn, noted: frozenset[Key]) -> Fn:
        def watched(s: State) -> Any:
            self.touched |= noted
            return fn(s)

        return watched


class WatchedMachine(Machine):
    """A machine that notes which parts of its program it evaluates, those since the last position was laid
    apart.

    Answers that the engine keeps (those about patterns) are not worked out twice, so a footprint is that of
    everything played since the machine was made.
    """

    scope_class = _WatchedScope

    def __init__(self, setup: Setup) -> None:
        super().__init__(setup)
        assert isinstance(self._scope, _WatchedScope)
        self._watched_scope = self._scope
        self._before, self._after = (self._scope.touched, Coverage()), (set[Key](), Coverage())
        self.coverage = self._before[1]

    def start(self, *args: Any, **kwargs: Any) -> State:
        self._note_in(self._before)
        return super().start(*args, **kwargs)

    def lay(self, *args: Any, **kwargs: Any) -> None:
        self._note_in(self._after)
        super().lay(*args, **kwargs)

    def _note_in(self, notes: tuple[set[Key], Coverage]) -> None:
        self._watched_scope.touched, self.coverage = notes

    def footprint(self) -> Footprint:
        """What was evaluated up to now."""
        touched = self._touched(self._before) | self._touched(self._after)
        return Footprint(touched, self._known())

    def laid_footprint(self) -> Footprint:
        """What was evaluated between the laying of a position and the start of the next game."""
        return Footprint(self._touched(self._after), self._known())

    def _touched(self, notes: tuple[set[Key], Coverage]) -> frozenset[Key]:
        evaluated, coverage = notes
        made = (key_of(self.statements[number]) for number in coverage.statements)
        return frozenset(evaluated) | {key for key in made if key is not None}

    def _known(self) -> frozenset[Key]:
        statements = (key_of(stmt) for stmt in self.statements.values())
        return frozenset(self._watched_scope.known) | {key for key in statements if key is not None}
