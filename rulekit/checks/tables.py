"""Tables looked at one by one: player counts and the options that matter, the rest left open."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import product

from rulekit.program import Program
from rulekit.program.bounds import Range, Table
from rulekit.program.flow import Flow
from rulekit.program.program import OptionDef

MOST = 64  #: combinations of options looked at one by one
STEPS = 150_000  #: statements followed for one check at all its tables together
FAR = 8  #: values of one option beyond which only the outermost and the default are tried


def closed(flow: Flow, options: Iterable[str]) -> list[Table] | None:
    """A table for each combination of these options; None: too many."""
    table = flow.table
    names = list(options)
    choices = [range(table.options[name].low, table.options[name].high + 1) for name in names]
    count = 1
    for choice in choices:
        count *= len(choice)
    if count > min(MOST, STEPS // max(1, flow.steps_taken)):
        return None
    return [with_options(table, dict(zip(names, values, strict=True))) for values in product(*choices)]


def with_options(table: Table, values: Mapping[str, int]) -> Table:
    """The table with these options chosen."""
    chosen = {name: Range(value, value) for name, value in values.items()}
    return Table(table.players, table.teams, table.cards, {**table.options, **chosen})


def combinations(program: Program, options: Iterable[str]) -> Iterator[dict[str, int | bool]]:
    """Values of these options: all combinations, or if they are many each value beside the defaults."""
    names = [name for name in program.options if name in set(options)]
    choices = [values(program.options[name]) for name in names]
    count = 1
    for choice in choices:
        count *= len(choice)
    if count <= MOST:
        for chosen in product(*choices):
            yield dict(zip(names, chosen, strict=True))
        return
    usual = {name: program.options[name].start for name in names}
    yield usual
    for name, choice in zip(names, choices, strict=True):
        for value in choice:
            if value != usual[name]:
                yield {**usual, name: value}


def values(option: OptionDef) -> list[int | bool]:
    """The values to try for an option, its default first."""
    if option.fixed:
        return [option.start]
    every: list[int | bool]
    if option.values:
        every = list(option.values)
    elif option.words:
        every = list(range(len(option.words)))
    elif isinstance(option.start, bool):
        every = [False, True]
    else:
        low, high = getattr(option.type, "low", option.start), getattr(option.type, "high", option.start)
        every = list(range(low, high + 1)) if high - low < FAR else [low, high]
    return [option.start, *(value for value in every if value != option.start)]
