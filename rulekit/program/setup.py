"""A program closed for one table: so many players, these options. Every size is now known."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from rulekit.cards import Pack, build_pack
from rulekit.program.constants import constant_value
from rulekit.program.program import Program

BOX = "box"  #: the zone where every card starts; nobody sees it


@dataclass(frozen=True)
class Place:
    """One place where cards lie: a zone, one member of a family, or one slot.

    ``member`` is the player, team, suit, rank or word it belongs to (None: the zone is not `per`
    anything); ``slot`` the number of the slot from 1 (0: the zone has none).
    """

    number: int
    zone: str
    kind: str  # "set" or "pile"
    seen_by: str
    member: int | None = None
    slot: int = 0
    always: bool = True  # False: a slot of `up to N piles`, which exists only while in use


@dataclass(frozen=True, eq=False)
class Setup:
    """``options`` holds a value for every option of the program. Built by `prepare`."""

    program: Program
    players: int
    options: Mapping[str, int | bool]

    @cached_property
    def pack(self) -> Pack:
        """The cards in play."""
        deck = self.program.deck
        copies = 1
        if deck.copies is not None:
            copies = int(constant_value(deck.copies, self.options, self.players) or 0)
        without = [
            face
            for condition, faces in deck.without
            if condition is None or constant_value(condition, self.options, self.players)
            for face in faces
        ]
        return build_pack(deck.ranks, deck.suits, copies=copies, without=without, extra=deck.extra)

    @cached_property
    def teams(self) -> int:
        """How many teams; 0 if there are none."""
        match self.program.teams:
            case None:
                return 0
            case "across":
                return (self.players + 1) // 2
            case int() as count:
                return count
        return 0

    def team_of(self, player: int) -> int:
        """Partners sit opposite (`across`), or teams go round the table in rotation."""
        return player % self.teams

    def team_players(self, team: int) -> tuple[int, ...]:
        """The players of a team in seat order."""
        return tuple(p for p in range(self.players) if self.team_of(p) == team)

    def extent(self, per: str | None) -> int:
        """How many members a family `per` this has; 1 if it is no family."""
        match per:
            case None:
                return 1
            case "player":
                return self.players
            case "team":
                return self.teams
            case "suit":
                return len(self.pack.suits)
            case "rank":
                return len(self.pack.ranks)
            case _:
                return len(self.program.words[per])

    @cached_property
    def places(self) -> tuple[Place, ...]:
        """Every place; the box is place 0."""
        found = [Place(0, BOX, "set", "nobody")]
        for zone in self.program.zones.values():
            for member in range(self.extent(zone.per)):
                index = None if zone.per is None else member
                if zone.kind in ("set", "pile"):
                    found.append(Place(len(found), zone.name, zone.kind, zone.seen_by, index))
                    continue
                always = zone.kind == "piles"
                for slot in range(1, zone.count + 1):
                    found.append(Place(len(found), zone.name, "pile", zone.seen_by, index, slot, always))
        return tuple(found)

    @cached_property
    def alike(self) -> tuple[int, ...] | None:
        """For each card the first that the rules cannot tell from it; None if each is like no other."""
        from rulekit.program.alike import alike

        found = alike(self)
        return None if found == tuple(range(len(found))) else found

    @cached_property
    def zone_places(self) -> Mapping[str, tuple[tuple[int, ...], ...]]:
        """For each zone and each member, the numbers of its places (one, or one for each slot)."""
        found: dict[str, list[list[int]]] = {BOX: [[0]]}
        for place in self.places[1:]:
            members = found.setdefault(place.zone, [])
            member = place.member or 0
            while len(members) <= member:
                members.append([])
            members[member].append(place.number)
        return {zone: tuple(tuple(m) for m in members) for zone, members in found.items()}


def prepare(program: Program, players: int, options: Mapping[str, int | bool] | None = None) -> Setup:
    """The program for ``players`` players; options not given have their default.

    Raises ValueError for a player count or option value that the program does not allow.
    """
    low, high = program.players
    if not low <= players <= high:
        raise ValueError(f"`{program.name}` is for {low} to {high} players, not {players}")
    chosen: dict[str, int | bool] = {name: option.start for name, option in program.options.items()}
    for name, value in (options or {}).items():
        if name not in chosen:
            raise ValueError(f"`{program.name}` has no option `{name}`")
        option = program.options[name]
        if not option.accepts(value):
            raise ValueError(f"`{name}` cannot be `{value}`")
        if option.fixed and value != option.start:
            raise ValueError(f"`{name}` is fixed in `{program.name}`")
        chosen[name] = value
    if program.requires is not None and not constant_value(program.requires, chosen, players):
        raise ValueError("these options do not go together")
    return Setup(program, players, chosen)
