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
PATIENCE = 2_000  #: rows tried before a pair of values is given up as impossible

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


def covering(program: Program, players: int | None = None, exhaustive: int = EXHAUSTIVE) -> list[Combination]:
    """Tables that together hold every pair of values that can stand together; the defaults come first.

    Factors are the player count (``players`` fixes it) and every option. Where the full product has at most
    ``exhaustive`` tables it is taken whole. The same program always gives the same list.
    """
    low, high = program.players
    counts = tuple(range(low, high + 1)) if players is None else (players,)
    names = list(program.options)
    factors: list[tuple[Value, ...]] = [counts, *(values_to_try(o) for o in program.options.values())]

    def combination(row: Sequence[Value]) -> Combination:
        return Combination(int(row[0]), dict(zip(names, row[1:], strict=True)))

    if prod(len(values) for values in factors) <= exhaustive:
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
    search = _Search(factors, open_pairs, fits)
    for row in given:
        places = [factors[i].index(value) for i, value in enumerate(row)]
        if search.fits(places):
            search.strike(places)
    while open_pairs:
        pair = next(iter(open_pairs))
        found = search.row_with({pair[0]: pair[1], pair[2]: pair[3]})
        if found is None:
            del open_pairs[pair]
            continue
        search.strike(found)
        yield tuple(factors[i][place] for i, place in enumerate(found))


class _Search:
    """Finds rows, as places in ``factors``, that hold as many open pairs as may be."""

    def __init__(
        self, factors: Sequence[Row], open_pairs: dict[tuple[int, int, int, int], None], fits: _Fits
    ) -> None:
        self.factors = factors
        self.open_pairs = open_pairs
        self.bases: list[list[int]] = []  # rows known to fit
        self._fits = fits
        self._known: dict[tuple[int, ...], bool] = {}

    def fits(self, places: Sequence[int]) -> bool:
        """May the row be?"""
        key = tuple(places)
        if key not in self._known:
            self._known[key] = self._fits(tuple(self.factors[i][p] for i, p in enumerate(key)))
        return self._known[key]

    def strike(self, places: list[int]) -> None:
        """The row is taken: its pairs are open no more."""
        self.bases.append(places)
        for a, b in combinations(range(len(places)), 2):
            self.open_pairs.pop((a, places[a], b, places[b]), None)

    def gain(self, factor: int, value: int, others: Mapping[int, int]) -> int:
        """How many open pairs a value makes with others."""
        return sum(
            ((factor, value, i, p) if factor < i else (i, p, factor, value)) in self.open_pairs
            for i, p in others.items()
            if i != factor
        )

    def row_with(self, chosen: dict[int, int]) -> list[int] | None:
        """A row with these places that fits, None if none is found."""
        first = [chosen.get(i, 0) for i in range(len(self.factors))]
        for base in ([*first], *self.bases):
            row = [chosen.get(i, place) for i, place in enumerate(base)]
            if self.fits(row):
                break
        else:
            found = self._from_scratch(chosen, [PATIENCE])
            if found is None:
                return None
            row = found
        # The rest of the row takes the values with most open pairs, as far as it still fits.
        settled = dict(chosen)
        for factor in range(len(self.factors)):
            if factor in chosen:
                continue
            values = range(len(self.factors[factor]))
            for value in sorted(values, key=lambda v: self.gain(factor, v, settled), reverse=True):
                changed = [*row[:factor], value, *row[factor + 1 :]]
                if self.fits(changed):
                    row = changed
                    break
            settled[factor] = row[factor]
        return row

    def _from_scratch(self, chosen: dict[int, int], patience: list[int]) -> list[int] | None:
        """The first row with these places that fits, by trying; gives up after a while."""
        factor = next((i for i in range(len(self.factors)) if i not in chosen), None)
        if factor is None:
            patience[0] -= 1
            row = [chosen[i] for i in range(len(self.factors))]
            return row if self.fits(row) else None
        for value in range(len(self.factors[factor])):
            if patience[0] <= 0:
                return None
            found = self._from_scratch({**chosen, factor: value}, patience)
            if found is not None:
                return found
        return None
