"""Faults: mistakes of a ruleset met while playing. A fault ends the game; it is never repaired silently."""

from __future__ import annotations

from dataclasses import dataclass, field

from rulekit.diagnostics import Span
from rulekit.program.faults import (
    DEAL_OUTRUNS,
    DIVIDE_BY_ZERO,
    FLIP_UNFACED,
    FORCED_CHANCE,
    MOST_TRIED,
    MOST_WAYS,
    NO_FREE_SLOT,
    NO_LEGAL_MOVE,
    NONE_NEEDED,
    OUT_OF_RANGE,
    SLOT_FREED,
    TOO_LARGE,
    TOO_MANY,
    UNEQUAL_SWAP,
)

__all__ = [
    "DEAL_OUTRUNS",
    "DIVIDE_BY_ZERO",
    "FLIP_UNFACED",
    "FORCED_CHANCE",
    "MOST_TRIED",
    "MOST_WAYS",
    "NONE_NEEDED",
    "NO_FREE_SLOT",
    "NO_LEGAL_MOVE",
    "OUT_OF_RANGE",
    "SLOT_FREED",
    "TOO_LARGE",
    "TOO_MANY",
    "UNEQUAL_SWAP",
    "Fault",
    "FaultError",
]


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
