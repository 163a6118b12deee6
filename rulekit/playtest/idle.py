"""Options that change nothing: a value of an option under which every game went as it does without."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rulekit.engine import Machine
from rulekit.playtest.options import Combination, allowed, values_to_try
from rulekit.playtest.trace import trace_hash
from rulekit.program import Program, prepare

TRIED = 100  #: games in which a value may show that it matters


@dataclass(frozen=True)
class IdleOption:
    """``value`` of ``option`` changed none of the games tried."""

    option: str
    value: str
    games: int

    def __str__(self) -> str:
        return f"`{self.option}={self.value}` changed none of {self.games} games"


def idle_options(program: Program, tables: Sequence[Combination], seed: int = 0) -> list[IdleOption]:
    """The values of options that changed no game.

    Each value is compared with the default, all else equal, at several tables and with the same seeds; the
    first game that differs settles it.
    """
    machines: dict[str, Machine] = {}
    traces: dict[tuple[str, int], str] = {}

    def trace(table: Combination, game: int) -> str:
        key = table.describe(program)
        if (key, game) not in traces:
            if key not in machines:
                machines[key] = Machine(prepare(program, table.players, table.options))
            traces[key, game] = trace_hash(machines[key], seed, game)
        return traces[key, game]

    found = []
    for option in program.options.values():
        for value in values_to_try(option):
            if value == option.start:
                continue
            # The same table with this value, wherever both may stand.
            pairs = [
                (usual, other)
                for table in tables
                if allowed(program, usual := _with(table, option.name, option.start))
                and allowed(program, other := _with(table, option.name, value))
            ]
            if pairs and not any(
                trace(pairs[game % len(pairs)][0], game) != trace(pairs[game % len(pairs)][1], game)
                for game in range(TRIED)
            ):
                found.append(IdleOption(option.name, option.format(value), TRIED))
    return found


def _with(table: Combination, name: str, value: int | bool) -> Combination:
    return Combination(table.players, {**table.options, name: value})
