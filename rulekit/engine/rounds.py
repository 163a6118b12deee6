"""The match budget: how many decisions and unproven rounds a match may have, and loops found out."""

from __future__ import annotations

from typing import Any

from rulekit.engine.evaluate import Scope
from rulekit.engine.record import Ending
from rulekit.engine.state import State
from rulekit.program import types as t

WAIT = -1  #: no next instruction: a decision was reached, or the end

FIRST_SNAPSHOT = 64  #: rounds without a decision before the position is first kept to compare with


def finish(s: State, ending: Ending) -> int:
    """Instruction: the game is over."""
    s.ending = ending
    s.pc = WAIT
    s.legal = ()
    s.deal = ()
    return WAIT


class Rounds:
    """Counts the rounds of loops not proven to end.

    Each counts against ``end.limit``, as a decision does; the match ends unfinished when another would exceed
    it. A position that comes back with no decision in between ends the match as a loop, found as Brent does:
    the position is kept when the number of rounds since the last decision is 64, 128, 256 ..., and each
    later one is compared with the one kept last. Cards that the rules cannot tell apart count as equal.
    """

    def __init__(self, scope: Scope) -> None:
        self.limit = scope.program.end.limit
        self.scratch = scope.scratch
        self.alike = scope.setup.alike
        self.kinds = [local.type for local in scope.program.locals]
        self.lasting = {place: number for number, place in scope.lasting.items()}
        self.count = 0
        self.kept: Any = None
        self.kept_at = 0

    def decided(self) -> None:
        """A decision was made: positions before it cannot come back."""
        self.count = 0
        self.kept = None

    def begin(self, s: State, following: int) -> int:
        """A round begins, unless the match ends here."""
        if s.decisions >= self.limit:
            return finish(s, Ending("limit"))
        s.decisions += 1
        self.count += 1
        if self.count >= FIRST_SNAPSHOT:
            s.pc = following  # a position is also where in the rules it is
            here = self._position(s)
            if here == self.kept:
                return finish(s, Ending("loop", self.count - self.kept_at))
            if self.count & self.count - 1 == 0:
                self.kept, self.kept_at = here, self.count
        return following

    def _position(self, s: State) -> object:
        """All that decides how the rounds go on."""
        # Locals outside the state may be alive from one round to the next.
        if self.alike is None:
            return s.position(), tuple(self.scratch)
        alike = self.alike
        zones = [tuple([(alike[c], s.up[c], s.mover[c], s.shown[c]) for c in zone]) for zone in s.zones]
        locals = [self._value(value, self.lasting[place]) for place, value in enumerate(s.locals)]
        scratch = [self._value(value, number) for number, value in enumerate(self.scratch)]
        rest = (s.used, s.cells, s.cells_shown, s.marks, s.stage)
        single = (s.running, s.me, s.depth, s.pc, s.chance, s.deal, s.draws)
        return tuple(zones), tuple(locals), tuple(scratch), *map(tuple, rest), single

    def _value(self, value: Any, local: int) -> Any:
        """The value of a local, with cards exchanged for the first that are like them."""
        assert self.alike is not None
        kind = self.kinds[local]
        while isinstance(kind, t.Optional | t.Collection):
            kind = kind.of
        if not isinstance(kind, t.Card):
            return value
        if isinstance(value, tuple):
            return tuple([self.alike[card] for card in value])
        return None if value is None else self.alike[value]
