"""Where everything is: which cell holds which state, who sees which place. Fixed for a setup."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from rulekit.program import Place, Setup
from rulekit.program import types as t
from rulekit.program.reads import PROVENANCE, TABLE


@dataclass(frozen=True)
class Family:
    """The cells of a state variable, or of a field of one place: ``extent`` of them from ``first``."""

    name: str
    type: t.Type
    first: int
    extent: int

    @property
    def cells(self) -> range:
        return range(self.first, self.first + self.extent)


class Layout:
    """Numbers for the places, cells and names of a setup."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        program = setup.program
        self.everyone = (1 << setup.players) - 1
        self.places: tuple[Place, ...] = setup.places
        self.is_pile = tuple(place.kind == "pile" for place in self.places)
        self.faced = tuple(place.seen_by == "face" for place in self.places)
        self.owner = tuple(self._owner(place) for place in self.places)
        self.sees = tuple(self._sees(place.seen_by, self._per(place), place.member) for place in self.places)

        self.states: dict[str, Family] = {}
        self.fields: dict[tuple[str, str, int], Family] = {}
        self.cell_names: list[tuple[str, int | None]] = []
        self.cell_sees: list[int] = []
        for state in program.state.values():
            extent = setup.extent(state.per)
            self.states[state.name] = Family(state.name, state.type, len(self.cell_names), extent)
            for member in range(extent):
                self.cell_names.append((state.name, member if state.per else None))
                self.cell_sees.append(self._sees(state.seen_by, state.per, member))
        for place in self.places[1:]:
            for field in program.zones[place.zone].fields:
                family = Family(f"{place.zone}.{field.name}", field.type, len(self.cell_names), 1)
                self.fields[place.zone, field.name, place.number] = family
                self.cell_names.append((family.name, place.number))
                self.cell_sees.append(self.everyone)

        names = [*program.state, *setup.zone_places, PROVENANCE]
        names += [f"{zone.name}.{field.name}" for zone in program.zones.values() for field in zone.fields]
        #: a bit for each name that a condition may read and a statement may change
        self.bit: Mapping[str, int] = {name: 1 << n for n, name in enumerate(names)}
        self.table_bits = sum(self.bit[zone] for zone in setup.zone_places)
        self.place_bit = tuple(self.bit[place.zone] for place in self.places)

    def bits(self, names: frozenset[str]) -> int:
        """The bits of several names."""
        found = 0
        for name in names:
            found |= self.table_bits if name == TABLE else self.bit[name]
        return found

    @cached_property
    def owners(self) -> Mapping[str, tuple[str, ...]]:
        """The state that starts afresh with "play", "phase NAME" or "move NAME"."""
        program = self.setup.program
        return {
            "play": program.play_state,
            **{f"phase {phase.name}": phase.state for phase in program.phases.values()},
            **{f"move {move.name}": move.state for move in program.moves.values()},
        }

    @cached_property
    def lives(self) -> Mapping[str, int]:
        """The number of the lifetime of each state that does not last the match.

        State of a block used in several places starts afresh in each of them, but is never over.
        """
        program = self.setup.program
        return {
            name: number
            for number, names in enumerate(self.owners.values())
            for name in names
            if program.state[name].scope is not None
        }

    def _per(self, place: Place) -> str | None:
        zone = self.setup.program.zones.get(place.zone)
        return zone.per if zone else None

    def _owner(self, place: Place) -> int | None:
        return place.member if self._per(place) == "player" else None

    def _sees(self, who: str, per: str | None, member: int | None) -> int:
        """The mask of seats that see what `seen by WHO` belongs to ``member``; 0 for `face`."""
        match per:
            case "player" if member is not None:
                own = 1 << member
                team = self._team(self.setup.team_of(member)) if self.setup.teams else own
            case "team" if member is not None:
                own = team = self._team(member)
            case _:
                own = team = 0
        match who:
            case "everyone":
                return self.everyone
            case "owner":
                return own
            case "team":
                return team
            case "others":
                return self.everyone & ~own
        return 0

    def _team(self, team: int) -> int:
        return sum(1 << player for player in self.setup.team_players(team))


def default(of: t.Type) -> Any:
    """The START of a variable that declares none.

    A player, suit, card, team or pile has none before it is first assigned.
    """
    match of:
        case t.Bool():
            return False
        case t.Int(low, high):
            return max(low, min(0, high))
        case t.Word() | t.Rank():
            return 0
        case t.Collection():
            return ()
    return None
