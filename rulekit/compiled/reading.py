"""Reading states of any compiled engine: legal actions, zones, values, how a game ended."""

from __future__ import annotations

from typing import Any, Protocol

from rulekit.compiled import lir
from rulekit.compiled.domains import Domain
from rulekit.compiled.lowering import Lowered
from rulekit.program import types as t


class Engine(Protocol):
    """What reading needs of an engine."""

    lowered: Lowered

    def load(self, state: Any, field: str, index: int = 0) -> Any:
        """A value of a field."""
        ...

    def pile(self, state: Any, number: int) -> tuple[int, ...]:
        """What lies in a pile, bottom first."""
        ...

    def call(self, function: str, state: Any, *arguments: int) -> Any:
        """Calls a function of the module."""
        ...


def members(bits: int, domain: Domain | None = None) -> tuple[int, ...]:
    """The values in a bit set."""
    first = 0 if domain is None else domain.first
    found = []
    while bits:
        low = bits & -bits
        found.append(low.bit_length() - 1 + first)
        bits ^= low
    return tuple(found)


def legal_actions(engine: Engine, state: Any) -> list[tuple[str, tuple[Any, ...]]]:
    """The legal actions in their order: name of the move, values. A set of cards is a tuple of their
    numbers.
    """
    lowered = engine.lowered
    site = lowered.sites.get(engine.load(state, "pc"))
    if site is None or not engine.load(state, "choices"):
        return []
    found: list[tuple[str, tuple[Any, ...]]] = []
    for number in site.moves:
        legal = lowered.legal[number]
        name = legal.move.name
        match legal.form:
            case "flag":
                if engine.load(state, f"legal_{number}"):
                    found.append((name, ()))
            case "mask":
                values = members(engine.load(state, f"legal_{number}"), legal.domain)
                found += [(name, (value,)) for value in values]
            case "subsets":
                low, high = (engine.load(state, column) for column in legal.columns)
                if engine.load(state, legal.count):
                    items = members(engine.load(state, f"legal_{number}"), legal.domain)
                    found += [(name, (chosen,)) for chosen in subsets(items, low, high)]
            case "interval":
                low, high = (engine.load(state, column) for column in legal.columns)
                found += [(name, (value,)) for value in range(low, high + 1)]
            case _:
                engine.call(legal.function, state, engine.load(state, f"{site.name}_whom"))
                for row in range(engine.load(state, legal.count)):
                    columns = zip(legal.columns, legal.domains, strict=True)
                    found.append((name, tuple(_cell(engine, state, row, *column) for column in columns)))
    return found


def subsets(items: tuple[int, ...], low: int, high: int) -> list[tuple[int, ...]]:
    """All subsets of ``low`` to ``high`` of sorted items, a beginning before its extensions, else the lower
    item first."""
    found: list[tuple[int, ...]] = []

    def grow(start: int, chosen: tuple[int, ...]) -> None:
        if len(chosen) >= low:
            found.append(chosen)
        if len(chosen) < high:
            for at in range(start, len(items)):
                grow(at + 1, (*chosen, items[at]))

    grow(0, ())
    return found


def _cell(engine: Engine, state: Any, row: int, column: str, domain: Domain | None) -> Any:
    value = engine.load(state, column, row)
    return value if domain is None else members(value, domain)


def cards_at(engine: Engine, state: Any, place: int) -> tuple[int, ...]:
    """The cards at a place: a set in deck order, a pile bottom first."""
    pile = engine.lowered.piles[place]
    return members(engine.load(state, "zm", place)) if pile < 0 else engine.pile(state, pile)


def value_of(engine: Engine, state: Any, name: str, member: int = 0) -> Any:
    """The value of a state variable; None for none."""
    field, _, domain = engine.lowered.cells[name]
    value = engine.load(state, field, member)
    if domain is not None:
        return members(value, domain)
    of = engine.lowered.setup.program.state[name].type
    if value == lir.NONE:
        return None
    return bool(value) if isinstance(of, t.Bool) else value
