"""The value of a game for two in which one gains what the other loses, exactly: the sequence form.

Source: D. Koller, N. Megiddo, B. von Stengel, Fast algorithms for finding randomized strategies in game
trees, STOC 1994. It takes perfect recall, which `Node.information` has.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy.optimize import linprog  # type: ignore[import-untyped]
from scipy.sparse import lil_matrix  # type: ignore[import-untyped]


@dataclass
class Seat:
    """The decisions of a seat: for each what it did to come there, and its sequences of moves."""

    sequences: dict[Hashable, int] = field(default_factory=lambda: {(): 0})
    decisions: dict[Hashable, tuple[int, list[int]]] = field(default_factory=dict)

    def moves(self, information: Hashable, before: int, count: int) -> list[int]:
        """The numbers of the sequences that end with each of the moves of a decision."""
        if information not in self.decisions:
            first = len(self.sequences)
            for number in range(count):
                self.sequences[information, number] = first + number
            self.decisions[information] = before, list(range(first, first + count))
        known, moves = self.decisions[information]
        assert known == before, "a seat forgets what it did"
        assert len(moves) == count, "a seat could tell apart what it cannot"
        return moves

    def constraints(self) -> tuple[Any, Any]:
        """What a plan weighs: 1 at the start, and at each decision as much as was brought there."""
        matrix = lil_matrix((1 + len(self.decisions), len(self.sequences)))
        matrix[0, 0] = 1
        for row, (before, moves) in enumerate(self.decisions.values(), 1):
            matrix[row, before] = -1
            for move in moves:
                matrix[row, move] = 1
        right = np.zeros(1 + len(self.decisions))
        right[0] = 1
        return matrix.tocsr(), right


@dataclass
class Payoffs:
    """A game: its seats, and what chance makes each pair of sequences worth to the first seat."""

    seats: tuple[Seat, Seat] = field(default_factory=lambda: (Seat(), Seat()))
    entries: dict[tuple[int, int], float] = field(default_factory=dict)

    def end(self, one: int, two: int, payoff: float) -> None:
        self.entries[one, two] = self.entries.get((one, two), 0.0) + payoff


def value(game: Payoffs) -> float:
    """What the first seat can be sure of, and the second cannot help."""
    first, second = game.seats
    payoff = lil_matrix((len(first.sequences), len(second.sequences)))
    for (one, two), amount in game.entries.items():
        payoff[one, two] = amount
    plan, plan_right = first.constraints()
    answer, answer_right = second.constraints()
    # Highest q . answer_right, where answer' q <= payoff' x, and x is a plan of the first seat.
    ours, theirs = len(first.sequences), answer.shape[0]
    above = lil_matrix((len(second.sequences), ours + theirs))
    above[:, :ours] = -payoff.T
    above[:, ours:] = answer.T
    equal = lil_matrix((plan.shape[0], ours + theirs))
    equal[:, :ours] = plan
    found = linprog(
        np.concatenate([np.zeros(ours), -answer_right]),
        A_ub=above.tocsr(),
        b_ub=np.zeros(len(second.sequences)),
        A_eq=equal.tocsr(),
        b_eq=plan_right,
        bounds=[(0, None)] * ours + [(None, None)] * theirs,
        method="highs",
    )
    assert found.status == 0, found.message
    return float(-found.fun)
