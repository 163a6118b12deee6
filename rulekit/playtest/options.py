"""Covering sets: few tables (player count and options) that try every pair of values at least once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from math import prod

from rulekit.program import Program
from rulekit.program.constants import NotConstant, constant_value
from rulekit.program.program import OptionDef
from rulekit.program.types import Bool, Int

EXHAUSTIVE = 48  #: up to so many combinations all are tried, not only all pairs
PATIENCE = 5_000  #: partial rows looked at before a pair of values is given up as impossible

Value = int | bool
Row = tuple[Value, ...]
_Fits = Callable[[Row], bool]


@dataclass(frozen=True)
class Combination:
    """A table to try: a number of players and a value for every option."""

    players: int
    options: Mapping[str, Value]

    def changed(self, program: Program) -> dict[str, Value]:
        """The options that differ from their default."""
        return {name: v for name, v in self.options.items() if v != program.options[name].start}

    def describe(self, program: Program) -> str:
        """`3 players, target=31, floor=false`; the defaults are not named."""
        named = [f"{name}={program.options[name].format(v)}" for name, v in self.changed(program).items()]
        people = "1 player" if self.players == 1 else f"{self.players} players"
        return ", ".join([people, *named])


def values_to_try(option: OptionDef) -> tuple[Value, ...]:
    """The default first, then the others: all of a bool, of words and of short lists; of a range its ends."""
    if option.fixed:
        return (option.start,)
    found: Sequence[Value]
    if isinstance(option.type, Bool):
        found = (False, True)
    elif option.words:
        found = range(len(option.words))
    elif option.values:
        found = option.values if len(option.values) <= 4 else (option.values[0], option.values[-1])
    elif isinstance(option.type, Int):
        found = (option.type.low, option.type.high)
    else:
        found = ()
    return tuple(dict.fromkeys((option.start, *found)))


def allowed(program: Program, combination: Combination) -> bool:
    """Do these options go together (the file's `requires`)?"""
    if program.requires is None:
        return True
    try:
        return bool(constant_value(program.requires, combination.options, combination.players))
    except NotConstant:
        return False


def covering(program: Program, players: int | None = None) -> list[Combination]:
    """Tables that together hold every pair of values that can stand together; the defaults come first.

    Factors are the player count (``players`` fixes it) and every option. Where the full product is small
    it is taken whole. The same program always gives the same list.
    """
    low, high = program.players
    counts = tuple(range(low, high + 1)) if players is None else (players,)
    names = list(program.options)
    factors: list[tuple[Value, ...]] = [counts, *(values_to_try(o) for o in program.options.values())]

    def combination(row: Sequence[Value]) -> Combination:
        return Combination(int(row[0]), dict(zip(names, row[1:], strict=True)))

    if prod(len(values) for values in factors) <= EXHAUSTIVE:
        rows = [tuple(row) for row in product(*factors)]
    else:
        usual = [(count, *(o.start for o in program.options.values())) for count in counts]
        rows = list(
            dict.fromkeys([*usual, *_pairs(factors, usual, lambda r: allowed(program, combination(r)))])
        )
    found = [combination(row) for row in rows]
    return [one for one in found if allowed(program, one)]


def _pairs(factors: Sequence[Row], given: Sequence[Row], fits: _Fits) -> Iterator[Row]:
    """Rows until each pair of values of two factors stands in one (or proves impossible)."""
    # Values are handled by place: True == 1 would otherwise merge a bool with a number.
    open_pairs = dict.fromkeys(
        (a, va, b, vb)
        for a, b in combinations(range(len(factors)), 2)
        for va in range(len(factors[a]))
        for vb in range(len(factors[b]))
    )

    def strike(places: Sequence[int]) -> None:
        for a, b in combinations(range(len(factors)), 2):
            open_pairs.pop((a, places[a], b, places[b]), None)

    for row in given:
        places = [factors[i].index(value) for i, value in enumerate(row)]
        if fits(row):
            strike(places)
    while open_pairs:
        pair = next(iter(open_pairs))
        a, va, b, vb = pair
        filled = _fill(factors, {a: va, b: vb}, open_pairs, fits, [PATIENCE])
        if filled is None:
            del open_pairs[pair]
            continue
        strike(filled)
        yield tuple(factors[i][place] for i, place in enumerate(filled))


def _fill(
    factors: Sequence[Row],
    chosen: dict[int, int],
    open_pairs: Mapping[tuple[int, int, int, int], None],
    fits: _Fits,
    patience: list[int],
) -> list[int] | None:
    """A row with these places that fits; each further factor takes the value with most open pairs."""
    if len(chosen) == len(factors):
        patience[0] -= 1
        places = [chosen[i] for i in range(len(factors))]
        return places if fits(tuple(factors[i][p] for i, p in enumerate(places))) else None
    factor = next(i for i in range(len(factors)) if i not in chosen)

    def gain(value: int) -> int:
        return sum(
            ((factor, value, i, p) if factor < i else (i, p, factor, value)) in open_pairs
            for i, p in chosen.items()
        )

    for value in sorted(range(len(factors[factor])), key=gain, reverse=True):
        if patience[0] <= 0:
            return None
        filled = _fill(factors, {**chosen, factor: value}, open_pairs, fits, patience)
        if filled is not None:
            return filled
    return None
