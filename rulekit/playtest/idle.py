"""Options that change nothing: a value of an option under which every game went as it does without."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest

from rulekit.engine import Machine
from rulekit.playtest.options import Combination, allowed, values_to_try
from rulekit.playtest.trace import trace
from rulekit.program import Program, prepare

GAMES = 100  #: in so many games a value may show that it matters
DECISIONS = 4_000  #: ... or in so many decisions of them
ENOUGH = 25  #: games; after fewer nothing is said, for what is rare may just not have come


@dataclass(frozen=True)
class IdleOption:
    """``value`` of ``option`` changed nothing in so many games."""

    option: str
    value: str
    games: int

    def __str__(self) -> str:
        return f"`{self.option}={self.value}` changed nothing in {self.games} games"


def grouped(found: Sequence[IdleOption]) -> list[str]:
    """A line for each option with all its values: "`a=1`, `a=2` changed nothing in 100 games"."""
    by_option: dict[str, list[IdleOption]] = {}
    for idle in found:
        by_option.setdefault(idle.option, []).append(idle)
    return [
        ", ".join(f"`{one.option}={one.value}`" for one in group)
        + f" changed nothing in {min(one.games for one in group)} games"
        for group in by_option.values()
    ]


def idle_options(program: Program, tables: Sequence[Combination], seed: int = 0) -> list[IdleOption]:
    """The values of options that changed nothing.

    Each value is compared with the default, all else equal, at several tables and with the same seeds; the
    first decision that differs settles it.
    """
    machines: dict[str, Machine] = {}

    def machine(table: Combination) -> Machine:
        key = table.describe(program)
        if key not in machines:
            machines[key] = Machine(prepare(program, table.players, table.options))
        return machines[key]

    found = []
    for option in program.options.values():
        for value in values_to_try(option):
            # The same table with this value and with the default, wherever both may stand.
            pairs = [
                (usual, other)
                for table in _by_turns(tables)
                if value != option.start
                and allowed(program, usual := _with(table, option.name, option.start))
                and allowed(program, other := _with(table, option.name, value))
            ]
            games = decisions = 0
            matters = not pairs
            while not matters and games < GAMES and decisions < DECISIONS:
                usual, other = pairs[games % len(pairs)]
                matters, made = _differ(machine(usual), machine(other), seed, games)
                games, decisions = games + 1, decisions + made
            if not matters and games >= ENOUGH:
                found.append(IdleOption(option.name, option.format(value), games))
    return found


def _by_turns(tables: Sequence[Combination]) -> list[Combination]:
    """The tables in such an order that those of each number of players come by turns."""
    groups: dict[int, list[Combination]] = {}
    for table in tables:
        groups.setdefault(table.players, []).append(table)
    turns = zip_longest(*groups.values())
    return [table for turn in turns for table in turn if table is not None]


def _differ(one: Machine, other: Machine, seed: int, game: int) -> tuple[bool, int]:
    """Does a random game go another way at the other table; and how many decisions were looked at."""
    steps = 0
    for here, there in zip(trace(one, seed, game), trace(other, seed, game), strict=False):
        if here != there:
            return True, steps
        steps += 1
        if steps == DECISIONS:
            break
    return False, steps


def _with(table: Combination, name: str, value: int | bool) -> Combination:
    return Combination(table.players, {**table.options, name: value})
