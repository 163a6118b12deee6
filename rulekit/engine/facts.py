"""Expressions about the table: what lies in which zone and pile, and the facts of cards and seats."""

from __future__ import annotations

from typing import Any

from rulekit.engine.evaluate import NOWHERE, Fn, Scope, always, maker
from rulekit.engine.fault import OUT_OF_RANGE, SLOT_FREED, FaultError
from rulekit.engine.state import State
from rulekit.program import expressions as e


@maker(e.ZoneCards)
def _zone_cards(scope: Scope, x: e.ZoneCards) -> Fn:
    return cards_of_places(scope, x.zone, x.index)


@maker(e.FamilyCards)
def _family_cards(scope: Scope, x: e.FamilyCards) -> Fn:
    return union_of(tuple(place for member in scope.setup.zone_places[x.zone] for place in member))


def cards_of_places(scope: Scope, zone: str, index: e.Expr | None) -> Fn:
    """The cards of a zone or of one member; for slots the union."""
    members = scope.setup.zone_places[zone]
    if index is None:
        return union_of(members[0])
    which = scope.compile(index)
    if is_slots(scope, zone):
        slot = numbered_slot(scope, zone, index)
        return lambda s: () if (place := slot(s)) is None else s.zones[place]
    if all(len(member) == 1 for member in members):
        first = members[0][0]

        def one(s: State) -> Any:
            i = which(s)
            return () if i is None else s.zones[first + i]

        return one
    unions = tuple(union_of(member) for member in members)
    return lambda s: () if (i := which(s)) is None else unions[i](s)


def is_slots(scope: Scope, zone: str) -> bool:
    """Slots of the whole table: an index is the number of the slot."""
    declared = scope.program.zones.get(zone)
    return declared is not None and declared.per is None and declared.kind in ("piles", "slots")


def numbered_slot(scope: Scope, zone: str, index: e.Expr) -> Fn:
    """The place of the slot with a number, from 1."""
    which = scope.compile(index)
    places = {scope.layout.places[place].slot: place for place in scope.setup.zone_places[zone][0]}

    def slot(s: State) -> Any:
        number = which(s)
        if number is not None and number not in places:
            raise FaultError(OUT_OF_RANGE, f"`{zone}` has no number {number}", index.span)
        return places.get(number)

    return slot


def union_of(places: tuple[int, ...]) -> Fn:
    """The cards of one place as they lie; of several in deck order."""
    if len(places) == 1:
        place = places[0]
        return lambda s: s.zones[place]
    return lambda s: tuple(sorted(card for place in places for card in s.zones[place]))


@maker(e.ZonePile)
def _zone_pile(scope: Scope, x: e.ZonePile) -> Fn:
    members = scope.setup.zone_places[x.zone]
    if x.index is None:
        return always(members[0][0])
    index = scope.compile(x.index)
    if is_slots(scope, x.zone):
        return numbered_slot(scope, x.zone, x.index)
    return lambda s: None if (i := index(s)) is None else members[i][0]


@maker(e.ZonePiles)
def _zone_piles(scope: Scope, x: e.ZonePiles) -> Fn:
    members = scope.setup.zone_places[x.zone]
    if x.index is None:
        every = tuple(place for member in members for place in member)
        return lambda s: tuple(place for place in every if s.used[place])
    index = scope.compile(x.index)

    def piles(s: State) -> Any:
        i = index(s)
        return () if i is None else tuple(place for place in members[i] if s.used[place])

    return piles


@maker(e.PileCards)
def _pile_cards(scope: Scope, x: e.PileCards) -> Fn:
    pile, span = scope.compile(x.pile), x.span

    def cards(s: State) -> Any:
        place = pile(s)
        if place is None:
            return ()
        if not s.used[place]:
            raise FaultError(SLOT_FREED, "this pile has been given up", span)
        return s.zones[place]

    return cards


@maker(e.PileField)
def _pile_field(scope: Scope, x: e.PileField) -> Fn:
    pile, span = scope.compile(x.pile), x.span
    cells = {
        place: family.first
        for (zone, field, place), family in scope.layout.fields.items()
        if (zone, field) == (x.zone, x.field)
    }

    def field(s: State) -> Any:
        place = pile(s)
        if place is None:
            return None
        if not s.used[place]:
            raise FaultError(SLOT_FREED, "this pile has been given up", span)
        return s.cells[cells[place]]

    return field


@maker(e.PileIndex)
def _pile_index(scope: Scope, x: e.PileIndex) -> Fn:
    pile = scope.compile(x.pile)
    index = tuple(place.slot or place.member for place in scope.layout.places)
    return lambda s: None if (place := pile(s)) is None else index[place]


# ---------------------------------------------------------------- facts


@maker(e.CardFact)
def _card_fact(scope: Scope, x: e.CardFact) -> Fn:
    card = scope.compile(x.card)
    layout = scope.layout
    match x.fact:
        case "owner":
            owners = layout.owner
            return lambda s: None if (c := card(s)) is None else owners[s.place[c]]
        case "pile":
            piles = tuple(place.number if place.kind == "pile" else None for place in layout.places)
            return lambda s: None if (c := card(s)) is None else piles[s.place[c]]
        case "player":
            return lambda s: None if (c := card(s)) is None else s.mover[c]
        case "face":
            faces = scope.program.words.get("face", ("up", "down"))
            up, down = faces.index("up"), faces.index("down")
            faced, seen = layout.faced, tuple(mask == layout.everyone for mask in layout.sees)

            def face(s: State) -> Any:
                c = card(s)
                if c is None:
                    return None
                place = s.place[c]
                return up if (s.up[c] if faced[place] else seen[place]) else down

            return face
    return looked_up(card, scope.card_facts[x.fact])


def looked_up(index: Fn, table: tuple[Any, ...]) -> Fn:
    """A table at an index; none at none."""
    return lambda s: None if (i := index(s)) is None else table[i]


@maker(e.FactOf)
def _fact_of(scope: Scope, x: e.FactOf) -> Fn:
    card = scope.compile(x.card)
    declared = scope.program.facts[x.fact]
    body, scratch, local = scope.fact(x.fact), scope.scratch, declared.local
    reads = scope.reader.reads(declared.body)

    def fact_of(number: int, s: State) -> Any:
        scratch[local] = number
        return body(s)

    if reads.steady and not reads.names and reads.locals <= {local}:
        # A fact printed on the card, so to speak: one table for the whole game.
        try:
            return looked_up(card, tuple(fact_of(number, NOWHERE) for number in range(len(scope.setup.pack))))
        except FaultError:
            pass  # it faults only for a card that the game may never ask about

    return lambda s: None if (c := card(s)) is None else fact_of(c, s)


@maker(e.SuitColor)
def _suit_color(scope: Scope, x: e.SuitColor) -> Fn:
    return looked_up(scope.compile(x.suit), scope.suit_colors)


@maker(e.Seat)
def _seat(scope: Scope, x: e.Seat) -> Fn:
    n, teams = scope.setup.players, scope.setup.teams
    step = {"left": 1, "right": -1, "across": n // 2, "partner": teams, "opponent": 1}[x.kind]
    return looked_up(scope.compile(x.player), tuple((p + step) % n for p in range(n)))


@maker(e.TeamOf)
def _team_of(scope: Scope, x: e.TeamOf) -> Fn:
    teams = tuple(scope.setup.team_of(p) for p in range(scope.setup.players))
    return looked_up(scope.compile(x.player), teams)


@maker(e.TeamPlayers)
def _team_players(scope: Scope, x: e.TeamPlayers) -> Fn:
    team = scope.compile(x.team)
    players = tuple(scope.setup.team_players(number) for number in range(scope.setup.teams))
    return lambda s: () if (number := team(s)) is None else players[number]


@maker(e.Next)
def _next(scope: Scope, x: e.Next) -> Fn:
    of, count = scope.compile(x.of), x.count or scope.setup.pack.plain_ranks
    return lambda s: None if (value := of(s)) is None else (value + 1) % count


@maker(e.Other)
def _other(scope: Scope, x: e.Other) -> Fn:
    of = scope.compile(x.of)
    return lambda s: None if (value := of(s)) is None else 1 - value
