"""Where the state of a game stands in fields, and the expressions that read it."""

from __future__ import annotations

from typing import Any

from rulekit.compiled import fold, lir
from rulekit.compiled.builder import Unsupported, is_none, is_something
from rulekit.compiled.collections import BitsColl, Coll, EmptyColl, PileColl
from rulekit.compiled.context import Lower, kind_of, lowers
from rulekit.compiled.domains import MOST_NUMBERS
from rulekit.compiled.fold import FALSE, TRUE
from rulekit.compiled.lir import NONE, Bits, Expr, Int
from rulekit.compiled.lists import MOST_LISTED, ListColl
from rulekit.compiled.ranges import ANY, Span
from rulekit.program import expressions as e
from rulekit.program import statements as st
from rulekit.program import types as t
from rulekit.program.faults import OUT_OF_RANGE, SLOT_FREED, TOO_MANY
from rulekit.program.reads import binders
from rulekit.program.walk import walk

MOST_FACTS = 4096  #: values of a fact that depends on the state


class Places:
    """The fields of the table and of state variables.

    `zm`: for each place the cards that lie there (piles too), and one more place, where nothing ever
    lies, for what belongs to nobody. `place`: for each card where it lies.
    """

    def __init__(self, lower: Lower) -> None:
        self.lower = lower
        setup, b = lower.setup, lower.b
        self.all = setup.places
        self.nowhere = len(self.all)
        self.is_pile = tuple(place.kind == "pile" for place in self.all)
        numbers, count = [], 0
        for pile in self.is_pile:
            numbers.append(count if pile else -1)
            count += pile
        self.pile_numbers = (*numbers, count)  # nowhere is a pile that stays empty
        self.piles = count + 1
        self.slots = tuple(not place.always for place in self.all)
        self.has_slots = any(self.slots)
        uses = self._uses()
        self.reads_mover = "player" in uses
        self.reads_face = "face" in uses or (lower.views and self._shows())
        cards = lower.cards
        b.ranges.capacity = lower.n
        b.field("zm", cards, len(self.all) + 1)
        b.field("place", count=lower.n, span=Span(0, len(self.all) - 1), small=len(self.all) < 256)
        if self.has_slots:
            b.field("used", Bits(len(self.all)))
        if self.reads_mover:
            b.field("mover", count=lower.n, start=NONE, span=lower.span(t.PLAYER, True))
        if self.reads_face:
            b.field("up", cards)
            b.field("shown", lower.seats, lower.n)
        told = self._told() if lower.views else set()
        for state in setup.program.state.values():
            if state.name in told:
                b.field(f"told_{state.name}", lower.seats, setup.extent(state.per))
            self._state_field(f"s_{state.name}", state.type, setup.extent(state.per), state.start is not None)
        for zone in setup.program.zones.values():
            for field in zone.fields:
                self._state_field(f"f_{zone.name}_{field.name}", field.type, len(self.all) + 1, False)
        self.short = binders(setup.program)
        self.chosen = self._chosen()
        self.lists: dict[int, tuple[str, str]] = {}

    def _chosen(self) -> set[int]:
        """Locals that take an element of a collection, and so are never none while they are read."""
        program = self.lower.program
        roots: list[Any] = [program.play, *program.phases.values(), *program.moves.values()]
        found = {node.local for root in roots for node in walk(root) if isinstance(node, st.For)}
        return found | {choice.local for move in program.moves.values() for choice in move.choices}

    def _shows(self) -> bool:
        """Cards are revealed, or lie face up or down."""
        return any(place.seen_by == "face" for place in self.all) or any(
            isinstance(node, st.RevealCards) for root in self._roots() for node in walk(root)
        )

    def _told(self) -> set[str]:
        """State that is revealed some time."""
        return {
            node.state for root in self._roots() for node in walk(root) if isinstance(node, st.RevealState)
        }

    def _roots(self) -> list[Any]:
        program = self.lower.program
        return [program.play, *program.phases.values(), *program.moves.values()]

    def _uses(self) -> set[str]:
        program = self.lower.program
        roots: list[Any] = [program.play, program.end]
        for part in (
            program.phases,
            program.moves,
            program.defines,
            program.facts,
            program.state,
            program.zones,
        ):
            roots += part.values()
        roots += program.patterns.values()
        return {node.fact for root in roots for node in walk(root) if isinstance(node, e.CardFact)}

    def _state_field(self, name: str, of: t.Type, count: int, started: bool) -> None:
        lower = self.lower
        kind = kind_of(lower, of)
        if isinstance(kind, Bits):
            lower.b.field(name, kind, count)
            return
        later = isinstance(of, t.Player | t.Team | t.Suit | t.Card | t.Pile) and not started
        lower.b.field(name, count=count, start=NONE, span=lower.span(of, later))

    # ------------------------------------------------------------ state and locals

    def state(self, x: e.StateOf) -> Any:
        lower = self.lower
        name = f"s_{x.state}"
        index: Expr | None = None
        guard: Expr = TRUE
        if x.index is not None:
            index = lower.num(x.index)
            if lower.b.ranges.of(index).none:
                index = lower.b.still(index)
                guard = is_something(index)
            if isinstance(index, Int) and index.value == NONE:
                index = Int(0)
        value: Expr = lower.b.load(name, index)
        if isinstance(value.kind, Bits):
            domain = lower.domain(lower.program.state[x.state].type.of)  # type: ignore[attr-defined]
            return BitsColl(fold.choose(guard, value, fold.empty(value.kind)), domain)
        return fold.choose(guard, value, Int(NONE))

    def declare(self, number: int) -> str:
        """The field of a local that lies in the state, or in scratch if it is not alive across an ask."""
        lower = self.lower
        name = f"l_{number}"
        if name in lower.b.fields or number in self.lists:
            return name
        local = lower.program.locals[number]
        scratch = not (local.lasting and number not in self.short)
        if (room := self.room(local.type)) is not None:
            kind, span, most = room
            lower.b.field(f"{name}_list", kind, most, span=span, scratch=scratch)
            lower.b.field(f"{name}_count", scratch=scratch, span=Span(0, most))
            self.lists[number] = f"{name}_list", f"{name}_count"
            return name
        later = (
            isinstance(local.type, t.Player | t.Team | t.Suit | t.Card | t.Pile) and number not in self.chosen
        )
        kind = kind_of(lower, local.type)
        start = NONE if isinstance(kind, lir.Number) else 0
        lower.b.field(name, kind, start=start, span=lower.span(local.type, later), scratch=scratch)
        return name

    def room(self, of: t.Type) -> tuple[lir.Kind, Span, int] | None:
        """What a local that holds several such values needs, one by one: their kind and range, how many; None
        if they are a bit set."""
        if not isinstance(of, t.Collection):
            return None
        match of.of:
            case t.SetOf(inner) | t.SeqOf(inner):
                # Such are the sets into which cards are parted: no more than there are cards.
                return self.lower.domain(inner).kind, ANY, self.lower.n
            case t.Int(low, high) | t.Optional(t.Int(low, high)):
                # It may be assigned numbers of another range later on, and equal ones count in a bag.
                return lir.NUMBER, ANY, max(MOST_NUMBERS, self.lower.n, min(high - low + 1, MOST_LISTED))
        return None

    def local(self, number: int) -> Any:
        """A local that is bound to nothing now: it lies in a field."""
        lower = self.lower
        name = self.declare(number)
        of = lower.program.locals[number].type
        if number in self.lists:
            field, count = self.lists[number]
            kind = lower.b.fields[field].kind
            return ListColl(
                field,
                lower.b.load(count),
                None,
                distinct=not isinstance(of, t.BagOf),
                sets=kind if isinstance(kind, Bits) else None,
            )
        value = lower.b.load(name)
        if isinstance(of, t.Collection):
            return BitsColl(value, lower.domain(of.of))
        return value

    def set_local(self, number: int, value: Any) -> None:
        """A local takes a value."""
        lower, b = self.lower, self.lower.b
        name = self.declare(number)
        if number in self.lists:
            assert isinstance(value, Coll)
            field, count = self.lists[number]
            most = b.ranges.lengths[field]
            place = b.var(span=Span(0, most))
            b.set(place, FALSE)

            def add(one: Expr) -> None:
                full = b.trap(TOO_MANY, f"more than {most} to be kept", None, beyond=True)
                b.if_(fold.binary(">=", lir.Get(place), Int(most)), [full])
                b.store(field, one, lir.Get(place))
                b.set(place, fold.add(lir.Get(place), 1))

            value.loop(lower, add)
            b.store(count, lir.Get(place))
            return
        if isinstance(value, Coll):
            kind = b.fields[name].kind
            assert isinstance(kind, Bits)
            b.store(name, fold.empty(kind) if isinstance(value, EmptyColl) else value.bits(lower))
            return
        b.store(name, value)

    # ------------------------------------------------------------ places

    def pile_of(self, place: Expr) -> Expr:
        """The number of the pile at a place that is one."""
        lower = self.lower
        if isinstance(place, Int):
            return Int(self.pile_numbers[place.value])
        match place:
            case lir.Binary("+", index, Int(first)) | lir.Binary("+", Int(first), index):
                # The members of a family lie side by side, as places and as piles.
                last = first + max(0, min(lower.b.ranges.of(index).high, self.nowhere - first))
                if all(
                    self.pile_numbers[p] == self.pile_numbers[first] + p - first
                    for p in range(first, last + 1)
                ):
                    return fold.add(index, self.pile_numbers[first])
        return lower.b.lookup(self.pile_numbers, place)

    def at(self, place: Expr, is_pile: bool | None = None) -> Coll:
        """The cards at a place: a set in deck order, a pile bottom first."""
        lower = self.lower
        domain = lower.domain(t.CARD)
        if is_pile is None:
            assert isinstance(place, Int)
            is_pile = place.value == self.nowhere or self.is_pile[place.value]
        cards = lower.b.load("zm", place)
        return PileColl(self.pile_of(place), cards, domain) if is_pile else BitsColl(cards, domain)

    def members(self, zone: str) -> tuple[tuple[int, ...], ...]:
        return self.lower.setup.zone_places[zone]

    def zone_is_pile(self, zone: str) -> bool:
        return self.is_pile[self.members(zone)[0][0]]

    def is_table_slots(self, zone: str) -> bool:
        """Slots of the whole table: an index is the number of the slot."""
        declared = self.lower.program.zones.get(zone)
        return declared is not None and declared.per is None and declared.kind in ("piles", "slots")

    def indexed(self, zone: str, index: e.Expr) -> Expr:
        """The place of one member of a family, or of a slot by number; none at none."""
        lower, b = self.lower, self.lower.b
        members = self.members(zone)
        which = lower.num(index)
        if self.is_table_slots(zone):
            first, count = members[0][0], len(members[0])
            span = b.ranges.of(which)
            if span.low < 1 or span.high > count or span.none:
                which = b.atom(which)
                bad = fold.either(fold.binary("<", which, Int(1)), fold.binary(">", which, Int(count)))
                bad = fold.both(is_something(which), bad) if span.none else bad
                b.if_(bad, [b.trap(OUT_OF_RANGE, f"`{zone}` has no number {{0}}", index.span, which)])
            place = fold.add(which, first - 1)
        else:
            if any(len(member) != 1 for member in members):
                raise Unsupported("one pile of a player's many", index.span)
            place = fold.add(which, members[0][0])
        if b.ranges.of(which).none:
            which = b.still(which)
            return fold.choose(is_none(which), Int(NONE), place)
        return place

    def or_nowhere(self, place: Expr) -> Expr:
        """A place where nothing lies, for none."""
        match place:
            case lir.Cond(condition, Int(value), inner) if value == NONE:
                return lir.Cond(condition, Int(self.nowhere), inner)
        if not self.lower.b.ranges.of(place).none:
            return place
        place = self.lower.b.still(place)
        return fold.choose(is_none(place), Int(self.nowhere), place)

    def checked(self, place: Expr, span: Any) -> Expr:
        """A pile that is in use; a fault for a slot that was given up."""
        lower = self.lower
        if not self.has_slots:
            return place
        place = lower.b.atom(place)
        if isinstance(place, Int) and not self.slots[place.value]:
            return place
        gone = fold.negate(fold.has(lower.b.load("used"), place))
        if lower.b.ranges.of(place).none:
            gone = fold.both(is_something(place), gone)
        lower.b.if_(gone, [lower.b.trap(SLOT_FREED, "this pile has been given up", span)])
        return place


# ---------------------------------------------------------------- zones


@lowers(e.ZoneCards)
def _zone_cards(lower: Lower, x: e.ZoneCards) -> Any:
    places = lower.places
    members = places.members(x.zone)
    if x.index is None:
        return union_of(lower, members[0])
    if any(len(member) != 1 for member in members) and not places.is_table_slots(x.zone):
        return slots_of(lower, x.zone, x.index)
    place = places.or_nowhere(places.indexed(x.zone, x.index))
    return places.at(lower.b.atom(place), places.zone_is_pile(x.zone))


def slots_of(lower: Lower, zone: str, index: e.Expr) -> Coll:
    """The cards of all slots of one member of a family."""
    b, domain = lower.b, lower.domain(t.CARD)
    which = b.atom(lower.num(index))
    found: Expr = fold.empty(domain.kind)
    members = lower.places.members(zone)
    for number in range(len(members[0])):
        place = b.guarded(which, [member[number] for member in members], Int(lower.places.nowhere))
        found = fold.unite(found, b.load("zm", place))
    return BitsColl(found, domain)


def union_of(lower: Lower, places: tuple[int, ...]) -> Coll:
    if len(places) == 1:
        return lower.places.at(Int(places[0]))
    domain = lower.domain(t.CARD)
    found: Expr = fold.empty(domain.kind)
    for place in places:
        found = fold.unite(found, lower.b.load("zm", place))
    return BitsColl(found, domain)


@lowers(e.FamilyCards)
def _family_cards(lower: Lower, x: e.FamilyCards) -> Any:
    return union_of(lower, tuple(place for member in lower.places.members(x.zone) for place in member))


@lowers(e.ZonePile)
def _zone_pile(lower: Lower, x: e.ZonePile) -> Any:
    if x.index is None:
        return Int(lower.places.members(x.zone)[0][0])
    return lower.places.indexed(x.zone, x.index)


@lowers(e.ZonePiles)
def _zone_piles(lower: Lower, x: e.ZonePiles) -> Any:
    places = lower.places
    domain = lower.domain(t.PILE)
    members = places.members(x.zone)
    masks = [sum(1 << place for place in member) for member in members]
    if x.index is None:
        found: Expr = lir.Set(sum(masks), domain.kind)
    else:
        index = lower.num(x.index)
        found = lower.b.guarded(index, masks, fold.empty(domain.kind), domain.kind)
    if any(places.slots[place] for member in members for place in member):
        found = fold.intersect(found, lower.b.load("used"))
    return BitsColl(found, domain)


@lowers(e.PileCards)
def _pile_cards(lower: Lower, x: e.PileCards) -> Any:
    places = lower.places
    place = places.checked(lower.num(x.pile), x.span)
    return places.at(lower.b.atom(places.or_nowhere(place)), True)


@lowers(e.PileField)
def _pile_field(lower: Lower, x: e.PileField) -> Any:
    place = lower.b.atom(lower.places.or_nowhere(lower.places.checked(lower.num(x.pile), x.span)))
    value = lower.b.load(f"f_{x.zone}_{x.field}", place)
    if isinstance(value.kind, Bits):
        (of,) = (f.type for f in lower.program.zones[x.zone].fields if f.name == x.field)
        assert isinstance(of, t.Collection)
        return BitsColl(value, lower.domain(of.of))
    return value


@lowers(e.PileIndex)
def _pile_index(lower: Lower, x: e.PileIndex) -> Any:
    index = [place.slot or (NONE if place.member is None else place.member) for place in lower.places.all]
    return lower.b.guarded(lower.num(x.pile), index, Int(NONE))


@lowers(e.Stacked)
def _stacked(lower: Lower, x: e.Stacked) -> Any:
    b, places = lower.b, lower.places
    card = lower.b.atom(lower.num(x.card))
    if isinstance(card, Int) and card.value == NONE:
        return EmptyColl(lower.domain(t.CARD))
    name = b.field(
        lower.fresh("stack"), count=lower.n, scratch=True, span=lower.span(t.CARD), small=lower.n <= 256
    )
    count = b.var(span=Span(0, lower.n))
    b.set(count, FALSE)
    with b.collect() as stmts:
        place = b.let(b.load("place", card))
        with b.collect() as alone:
            b.store(name, card, FALSE)
            b.set(count, TRUE)
        at, found = b.var(span=Span(0, lower.n)), b.var(span=Span(0, 1))
        pile = b.let(b.lookup(places.pile_numbers, place))
        with b.collect() as copy:
            b.set(found, FALSE)
            with b.collect() as each:
                item = b.let(lir.PileAt(pile, lir.Get(at)))
                b.if_(fold.equal(item, card), [lir.Let(found, TRUE)])
                with b.when(lir.Get(found)):
                    b.store(name, item, lir.Get(count))
                    b.set(count, fold.add(lir.Get(count), 1))
            b.emit(lir.ForRange(at, FALSE, lir.PileSize(pile), tuple(each)))
        b.if_(fold.binary(">=", pile, FALSE), copy, alone)
    b.if_(is_something(card) if b.ranges.of(card).none else TRUE, stmts)
    return ListColl(name, lir.Get(count), lower.domain(t.CARD))


# ---------------------------------------------------------------- facts


@lowers(e.CardFact)
def _card_fact(lower: Lower, x: e.CardFact) -> Any:
    b, places = lower.b, lower.places
    card = lower.num(x.card)
    if x.fact in ("suit", "rank", "color", "number", "pip"):
        return b.guarded(card, lower.fact_table(x.fact), Int(NONE))
    guard: Expr = TRUE
    if b.ranges.of(card).none:
        card = b.still(card)
        if isinstance(card, Int) and card.value == NONE:
            return Int(NONE)
        guard = is_something(card)
    place = b.load("place", card)
    if x.fact == "player":
        return fold.choose(guard, b.load("mover", card), Int(NONE))
    if x.fact == "owner":
        return fold.choose(guard, b.lookup([owner_of(lower, p) for p in places.all], place), Int(NONE))
    if x.fact == "pile":
        piles = [p.number if p.kind == "pile" else NONE for p in places.all]
        return fold.choose(guard, b.lookup(piles, place), Int(NONE))
    assert x.fact == "face", f"there is no fact {x.fact}"
    faces = lower.program.words.get("face", ("up", "down"))
    up, down = faces.index("up"), faces.index("down")
    everyone = (1 << lower.setup.players) - 1
    # 0: lies down, 1: lies up, 2: as the card says
    how = [2 if p.seen_by == "face" else int(sees(lower, p) == everyone) for p in places.all]

    def known() -> Expr:
        seen = b.lookup(how, place)
        if 2 not in how:
            return fold.choose(seen, Int(up), Int(down))
        seen = b.atom(seen)
        turned = fold.both(fold.equal(seen, Int(2)), fold.has(b.load("up"), card))
        return fold.choose(fold.either(fold.equal(seen, TRUE), turned), Int(up), Int(down))

    from rulekit.compiled.scalars import chosen

    return chosen(lower, guard, known, lambda: Int(NONE))


def owner_of(lower: Lower, place: Any) -> int:
    zone = lower.program.zones.get(place.zone)
    return place.member if zone is not None and zone.per == "player" else NONE


def sees(lower: Lower, place: Any) -> int:
    """The seats that see what lies at a place, as a mask; 0 where it is by face."""
    setup = lower.setup
    zone = lower.program.zones.get(place.zone)
    everyone = (1 << setup.players) - 1
    own = team = 0
    if zone is not None and zone.per == "player":
        own = 1 << place.member
        team = own
        if setup.teams:
            team = sum(1 << p for p in setup.team_players(setup.team_of(place.member)))
    elif zone is not None and zone.per == "team":
        own = team = sum(1 << p for p in setup.team_players(place.member))
    return {"everyone": everyone, "owner": own, "team": team, "others": everyone & ~own}.get(place.seen_by, 0)


@lowers(e.FactOf)
def _fact_of(lower: Lower, x: e.FactOf) -> Any:
    b = lower.b
    card = b.still(lower.num(x.card))
    fact = lower.program.facts[x.fact]
    if x.fact not in lower.fact_tables:
        lower.fact_tables[x.fact] = printed(lower, x.fact)
    table = lower.fact_tables[x.fact]
    if table is not None:
        return b.guarded(card, table, Int(NONE))
    told = fact_by_state(lower, x.fact)
    if told is not None:
        values, index = told
        group = fold.binary("*", index, Int(lower.n))

        def looked_up() -> Expr:
            return b.lookup(values, fold.binary("+", group, card))

        if not b.ranges.of(card).none:
            return looked_up()
        return fold.choose(is_something(card), looked_up(), Int(NONE))
    if not b.ranges.of(card).none:
        with lower.bound(fact.local, card):
            return lower.value(fact.body)
    from rulekit.compiled.scalars import chosen

    def known() -> Any:
        with lower.bound(fact.local, card):
            return lower.value(fact.body)

    return chosen(lower, is_something(card), known, lambda: Int(NONE))


def fact_by_state(lower: Lower, name: str) -> tuple[list[int], Expr] | None:
    """The fact of each card for all that it reads of the state: the values, and which group of them holds."""
    from rulekit.compiled.predicates import Tabulated

    fact = lower.program.facts[name]
    if isinstance(fact.type, t.Collection | t.Key):
        return None
    var = lower.b.var(span=lower.span(t.CARD))
    with lower.b.collect() as stmts, lower.bound(fact.local, lir.Get(var)):
        value = lower.value(fact.body)
    if stmts or not isinstance(value, Expr):
        return None
    table = Tabulated.of(lower, [value], var, lower.n)
    if table is None or len(table.rows) > MOST_FACTS:
        return None
    return [row[0] for row in table.rows], table.index


def printed(lower: Lower, name: str) -> tuple[int, ...] | None:
    """The fact of each card, if the card alone tells it."""
    fact = lower.program.facts[name]
    reads = lower.reader.reads(fact.body)
    if not reads.steady or reads.names or not reads.locals <= {fact.local}:
        return None
    if isinstance(fact.type, t.Collection | t.Key):
        return None
    values = []
    for card in range(lower.n):
        with lower.b.collect() as stmts, lower.bound(fact.local, Int(card)):
            value = lower.value(fact.body)
        if stmts or not isinstance(value, Int):
            return None
        values.append(value.value)
    return tuple(values)


@lowers(e.SuitColor)
def _suit_color(lower: Lower, x: e.SuitColor) -> Any:
    return lower.b.guarded(lower.num(x.suit), lower.suit_colors, Int(NONE))


@lowers(e.Seat)
def _seat(lower: Lower, x: e.Seat) -> Any:
    n, teams = lower.setup.players, lower.setup.teams
    step = {"left": 1, "right": -1, "across": n // 2, "partner": teams, "opponent": 1}[x.kind]
    return lower.b.guarded(lower.num(x.player), [(p + step) % n for p in range(n)], Int(NONE))


@lowers(e.TeamOf)
def _team_of(lower: Lower, x: e.TeamOf) -> Any:
    teams = [lower.setup.team_of(p) for p in range(lower.setup.players)]
    return lower.b.guarded(lower.num(x.player), teams, Int(NONE))


@lowers(e.TeamPlayers)
def _team_players(lower: Lower, x: e.TeamPlayers) -> Any:
    domain = lower.domain(t.PLAYER)
    masks = [sum(1 << p for p in lower.setup.team_players(team)) for team in range(lower.setup.teams)]
    return BitsColl(lower.b.guarded(lower.num(x.team), masks, fold.empty(domain.kind), domain.kind), domain)


@lowers(e.Next)
def _next(lower: Lower, x: e.Next) -> Any:
    count = x.count or lower.pack.plain_ranks
    most = max(count, lower.domain(x.of.type).width)
    return lower.b.guarded(lower.num(x.of), [(value + 1) % count for value in range(most)], Int(NONE))


@lowers(e.Other)
def _other(lower: Lower, x: e.Other) -> Any:
    return lower.b.guarded(lower.num(x.of), [1, 0], Int(NONE))
