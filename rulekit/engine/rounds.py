"""The match budget: how many decisions and unproven rounds a match may have, and loops found out."""

from __future__ import annotations

from typing import Any

from rulekit.engine.evaluate import Scope
from rulekit.engine.record import Ending
from rulekit.engine.state import State

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
    later one is compared with the one kept last.
    """

    def __init__(self, scope: Scope) -> None:
        self.limit = scope.program.end.limit
        self.scratch = scope.scratch
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
            # Locals outside the state may be alive from one round to the next.
            here = (s.position(), tuple(self.scratch))
            if here == self.kept:
                return finish(s, Ending("loop", self.count - self.kept_at))
            if self.count & self.count - 1 == 0:
                self.kept, self.kept_at = here, self.count
        return following
