"""The number of a set of cards among all sets of certain sizes, as `rulekit.program.actions` counts them.

There sets are rows of faces in ascending order, and the rows are in order: a beginning before what it is
the beginning of. So the number of a row is how many rows come before it, which is a sum over its members:
of the rows that are a beginning of it, and of those that part from it at that member by a lower one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class RankTables:
    """For member number d (from 0) of a row, ``width`` copies counted face by face:

    ``prefix[d]``  the row before it is a row of its own: 1 or 0
    ``up[d * faces + face]``, ``down[d * width + copy]``  rows that part here: up to the face that follows,
    less up to the copy before
    ``first``  for each face its first copy
    """

    prefix: tuple[int, ...]
    up: tuple[int, ...]
    down: tuple[int, ...]
    first: tuple[int, ...]

    @property
    def faces(self) -> int:
        return len(self.first)

    @property
    def width(self) -> int:
        return len(self.down) // len(self.prefix)

    def rank(self, row: Sequence[int]) -> int:
        """The number of an ascending row of faces."""
        total, before, copy = 0, -1, -1
        for depth, face in enumerate(row):
            total += self.prefix[depth]
            if face == before:
                copy += 1
                continue
            total += self.up[depth * self.faces + face]
            if depth:
                total += self.down[depth * self.width + copy]
            before, copy = face, self.first[face]
        return total


def rank_tables(copies: Sequence[int], low: int, high: int) -> RankTables:
    """Tables for sets of ``low`` to ``high`` cards, ``copies`` of each face."""
    faces, width = len(copies), sum(copies)
    first = [sum(copies[:face]) for face in range(faces)]
    face_of = [face for face in range(faces) for _ in range(copies[face])]
    # ways[j][m]: how many ascending rows of m members have all of them beyond copy j.
    ways: list[list[int]] = [[0] * (high + 1) for _ in range(width + 1)]
    beyond = [[0] * (high + 1) for _ in range(faces + 1)]  # of faces from this one on
    beyond[faces][0] = 1
    for face in reversed(range(faces)):
        for size in range(high + 1):
            beyond[face][size] = sum(
                beyond[face + 1][size - many] for many in range(min(copies[face], size) + 1)
            )
    for copy, face in enumerate(face_of):
        left = copies[face] - (copy - first[face]) - 1
        for size in range(high + 1):
            ways[copy][size] = sum(beyond[face + 1][size - many] for many in range(min(left, size) + 1))

    def begun(depth: int, copy: int) -> int:
        """How many rows begin with a given row of depth + 1 members that ends in this copy."""
        return sum(ways[copy][size - depth - 1] for size in range(max(low, depth + 1), high + 1))

    up: list[int] = []
    down: list[int] = []
    for depth in range(max(1, high)):
        until = [0]
        for face in range(faces):
            until.append(until[-1] + begun(depth, first[face]))
        up += until[:faces]
        for copy, face in enumerate(face_of):
            again = copy + 1 < first[face] + copies[face]
            down.append((begun(depth, copy + 1) if again else 0) - until[face + 1])
    prefix = tuple(int(low <= depth) for depth in range(max(1, high)))
    return RankTables(prefix, tuple(up), tuple(down), tuple(first))
