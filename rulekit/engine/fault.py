"""Faults: mistakes of a ruleset met while playing. A fault ends the game; it is never repaired silently."""

from __future__ import annotations

from dataclasses import dataclass, field

from rulekit.diagnostics import Span

NO_LEGAL_MOVE = "RK901"
DEAL_OUTRUNS = "RK902"
OUT_OF_RANGE = "RK903"
NONE_NEEDED = "RK904"
NO_FREE_SLOT = "RK905"
SLOT_FREED = "RK906"
UNEQUAL_SWAP = "RK907"
FLIP_UNFACED = "RK908"
DIVIDE_BY_ZERO = "RK909"
TOO_LARGE = "RK910"
FORCED_CHANCE = "RK911"


@dataclass(frozen=True)
class Fault:
    """What went wrong, where in the file, and in which position.

    ``hints`` describe the position: the seat asked, the zone that ran out ...
    """

    code: str
    message: str
    span: Span | None = field(default=None, compare=False)
    hints: tuple[str, ...] = ()

    def __str__(self) -> str:
        where = f"{self.span}: " if self.span else ""
        return f"{where}{self.code}: {self.message}"


class FaultError(Exception):
    """Raised inside the engine when a fault is met; the machine turns it into the ending of the game."""

    def __init__(self, code: str, message: str, span: Span | None = None, *hints: str) -> None:
        super().__init__(message)
        self.fault = Fault(code, message, span, hints)
