"""Which parts of a ruleset were reached while playing."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class Coverage:
    """What was reached. Hang one on `Machine.coverage` before playing; several games add up.

    ``statements``  numbers of leaf statements and asks, as in `Machine.statements`
    ``entries``  cascade entries that bound a choice: move, choice, number of the entry
    ``conditions``  move, number of the condition, and whether it held
    ``moves``, ``reasons``  names of moves made, ids of reasons in receipts
    """

    statements: set[int] = field(default_factory=set)
    entries: set[tuple[str, str, int]] = field(default_factory=set)
    conditions: set[tuple[str, int, bool]] = field(default_factory=set)
    moves: set[str] = field(default_factory=set)
    reasons: set[str] = field(default_factory=set)
