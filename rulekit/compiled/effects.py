"""Leaf statements: what changes the state."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulekit.compiled import fold, lir
from rulekit.compiled.builder import Unsupported, is_none
from rulekit.compiled.collections import BitsColl, Coll, EmptyColl, OneColl, PileColl
from rulekit.compiled.context import Lower
from rulekit.compiled.fold import FALSE, TRUE
from rulekit.compiled.lir import NONE, Bits, Expr, Int
from rulekit.compiled.lists import ListColl, listed
from rulekit.compiled.ranges import Span
from rulekit.compiled.scalars import defined, narrowed
from rulekit.compiled.table import Table
from rulekit.diagnostics import Span as Place
from rulekit.program import expressions as e
from rulekit.program import statements as st
from rulekit.program import types as t
from rulekit.program.faults import (
    DEAL_OUTRUNS,
    FLIP_UNFACED,
    NONE_NEEDED,
    OUT_OF_RANGE,
    UNEQUAL_SWAP,
)
from rulekit.program.program import StateDef

Then = Callable[[Expr, bool | None], None]  #: given a place, and whether it is a pile (None: it depends)


class Effects:
    """Writes the statements of one setup."""

    def __init__(self, lower: Lower, table: Table) -> None:
        self.lower, self.table, self.b, self.places = lower, table, lower.b, lower.places
        self.here: Place | None = None  #: of the statement that is written

    def leaf(self, stmt: st.Stmt) -> None:
        """Writes what a leaf statement does."""
        self.here = stmt.span
        match stmt:
            case st.Assign():
                self.assign(stmt)
            case st.Claim(local, zone, index):
                self.places.set_local(local, self.claimed(zone, index, stmt.span))
            case st.Move():
                self.move(stmt)
            case st.Deal():
                self.deal(stmt)
            case st.Shuffle():
                self.shuffle(stmt)
            case st.Swap():
                self.swap(stmt)
            case st.Flip():
                self.flip(stmt)
            case st.RevealCards(cards, to):
                self.reveal(cards, to)
            case st.RevealState():
                self.reveal_state(stmt)
            case _:
                raise Unsupported(type(stmt).__name__, stmt.span)

    # ------------------------------------------------------------ places

    def at(self, place: st.CardPlace, then: Then) -> None:
        """Writes what is done with a place where cards are put."""
        lower = self.lower
        match place:
            case st.ZonePlace(zone, index, new=True):
                then(self.claimed(zone, index, index.span if index else self.here), True)
            case st.ZonePlace(zone, index):
                is_pile = self.places.zone_is_pile(zone)
                pile = e.ZonePile(zone, index, type=t.PILE)
                number = lower.some(lower.num(pile), f"whose `{zone}` it is", index)
                then(self.b.atom(number), is_pile)
            case st.PilePlace(pile):
                number = self.b.atom(lower.needed(pile, "the pile"))
                then(self.b.atom(self.places.checked(number, pile.span)), True)
            case st.EitherPlace(condition, yes, no):
                test = lower.condition(condition)
                if isinstance(test, Int):
                    self.at(yes if test.value else no, then)
                    return
                with self.b.collect() as first:
                    self.at(yes, then)
                with self.b.collect() as second:
                    self.at(no, then)
                self.b.if_(test, first, second)

    def claimed(self, zone: str, index: e.Expr | None, span: Any) -> Expr:
        """The lowest free slot of a zone, from now on in use."""
        members = self.places.members(zone)
        if index is None:
            return self.table.claim(
                lir.Set(sum(1 << p for p in members[0]), Bits(len(self.places.all))), zone, span
            )
        which = self.b.atom(self.lower.needed(index, f"whose `{zone}` it is"))
        masks = [sum(1 << place for place in member) for member in members]
        return self.table.claim(self.b.lookup(masks, which, Bits(len(self.places.all))), zone, span)

    # ------------------------------------------------------------ cards

    def move(self, stmt: st.Move) -> None:
        cards = self.lower.coll(stmt.cards)
        if isinstance(cards, EmptyColl):
            return
        whole = self.whole_place(cards)
        if isinstance(cards, OneColl):
            with self.b.collect() as stmts:
                self.at(stmt.to, lambda place, pile: self.put_one(cards, place, pile, stmt.to))
            self.b.if_(cards.some(self.lower), stmts)
            return
        kept = cards if whole is not None else cards.kept(self.lower)
        some = kept.some(self.lower)
        with self.b.collect() as stmts:
            self.at(stmt.to, lambda place, pile: self.put(kept, place, pile, stmt.to, whole))
        self.b.if_(some, stmts)

    def put_one(self, cards: OneColl, place: Expr, is_pile: bool | None, to: st.CardPlace) -> None:
        source = self.table.move_card(cards.value, place, is_pile, bottom_of(to))
        self.table.free(source)

    def put(
        self, cards: Coll, place: Expr, is_pile: bool | None, to: st.CardPlace, whole: Expr | None
    ) -> None:
        bottom = bottom_of(to)
        if whole is not None and not bottom:
            self.table.move_all(cards, whole, place, is_pile)
            return
        if bottom and not isinstance(cards, OneColl):
            cards = backwards(self.lower, cards)
        sources = None
        if self.places.has_slots:
            sources = self.b.var(Bits(len(self.places.all)))
            self.b.set(sources, fold.empty(sources.kind))  # type: ignore[arg-type]

        def one(card: Expr) -> None:
            source = self.table.move_card(card, place, is_pile, bottom)
            if sources is not None:
                kind = sources.kind
                assert isinstance(kind, Bits)
                self.b.set(sources, fold.unite(lir.Get(sources), fold.single(source, kind)))

        cards.loop(self.lower, one)
        if sources is not None:
            self.table.free_all(lir.Get(sources))

    def whole_place(self, cards: Coll) -> Expr | None:
        """The place, if the cards are all that lies at one place that is known."""
        match cards:
            case BitsColl(expr=lir.Load("zm", Int(number) as place)) if not self.places.is_pile[number]:
                return place  # (the cards of a pile as a set come in their own order, and one by one)
            case PileColl(mask=lir.Load("zm", Int() as place), start=None):
                return place
        return None

    def deal(self, stmt: st.Deal) -> None:
        b, lower = self.b, self.lower
        count = None if stmt.count is None else lower.needed(stmt.count, "the number to deal")
        if count is not None:
            count = b.atom(count)

        def from_(source: Expr, source_is_pile: bool | None) -> None:
            assert source_is_pile is not None
            there = fold.count(b.load("zm", source))
            if stmt.players is None:
                amount = b.atom(there if count is None else fold.binary("max", count, FALSE))
                self.enough(amount, there, source, stmt)
                with b.collect() as stmts:
                    self.at(
                        stmt.to, lambda to, pile: self.deal_to(source, source_is_pile, amount, to, pile, stmt)
                    )
                b.if_(fold.binary(">", amount, FALSE), stmts)
                return
            assert isinstance(stmt.to, st.ZonePlace)
            seats = lower.coll(stmt.players)
            seat_list = listed(lower, seats, most=lower.setup.players)
            many = b.atom(seat_list.length)
            amount = there if count is None else fold.binary("*", fold.binary("max", count, FALSE), many)
            amount = b.atom(amount)
            self.enough(amount, there, source, stmt)
            with b.collect() as stmts:
                self.deal_round(source, source_is_pile, amount, seat_list, many, stmt)
            b.if_(fold.binary(">", many, FALSE), stmts)

        self.at(stmt.source, from_)

    def deal_to(
        self, source: Expr, source_is_pile: bool, amount: Expr, to: Expr, is_pile: bool | None, stmt: st.Deal
    ) -> None:
        var = self.b.var()
        with self.b.collect() as stmts:
            card = self.table.take_top(source, source_is_pile)
            self.table.drop(card, to, is_pile, bottom_of(stmt.to))
        if amount == TRUE:
            self.b.emit(*stmts)
        else:
            self.b.emit(lir.ForRange(var, FALSE, amount, tuple(stmts)))
        self.table.dealt(source, to)

    def deal_round(
        self, source: Expr, source_is_pile: bool, amount: Expr, seats: ListColl, many: Expr, stmt: st.Deal
    ) -> None:
        b = self.b
        assert isinstance(stmt.to, st.ZonePlace)
        members = self.places.members(stmt.to.zone)
        is_pile = self.places.zone_is_pile(stmt.to.zone)
        turn = b.var(span=Span(0, self.lower.setup.players))
        b.set(turn, FALSE)
        var = b.var()
        with b.collect() as stmts:
            card = self.table.take_top(source, source_is_pile)
            seat = b.let(b.load(seats.field, lir.Get(turn)))
            self.table.drop(card, fold.add(seat, members[0][0]), is_pile, stmt.to.bottom)
            b.set(turn, fold.add(lir.Get(turn), 1))
            b.if_(fold.equal(lir.Get(turn), many), [lir.Let(turn, FALSE)])
        b.emit(lir.ForRange(var, FALSE, amount, tuple(stmts)))
        self.table.dealt(source, Int(members[0][0]))

    def enough(self, amount: Expr, there: Expr, source: Expr, stmt: st.Deal) -> None:
        if amount == there:
            return
        there = self.b.atom(there)
        zone = stmt.source.zone if isinstance(stmt.source, st.ZonePlace) else "the pile"
        message = f"{{0}} cards are to be dealt from `{zone}`, which holds {{1}}"
        self.b.if_(
            fold.binary(">", amount, there), [self.b.trap(DEAL_OUTRUNS, message, stmt.span, amount, there)]
        )

    def shuffle(self, stmt: st.Shuffle) -> None:
        cards = None if stmt.cards is None else self.lower.coll(stmt.cards)

        def into(place: Expr, is_pile: bool | None) -> None:
            assert is_pile is not None
            whole = isinstance(cards, BitsColl) and cards.expr == fold.full(self.lower.cards)
            if whole:
                self.table.gather_all(place, is_pile)
            elif cards is not None:
                kept = cards.kept(self.lower)
                sources = self.b.var(Bits(len(self.places.all)))
                kind = sources.kind
                assert isinstance(kind, Bits)
                self.b.set(sources, fold.empty(kind))

                def one(card: Expr) -> None:
                    source = self.table.lift(card)
                    self.table.lay(card, place, is_pile, False)
                    self.table.touch_place(source)
                    self.b.set(sources, fold.unite(lir.Get(sources), fold.single(source, kind)))

                kept.loop(self.lower, one)
                if self.places.has_slots:
                    self.table.free_all(fold.without(lir.Get(sources), fold.single(place, kind)))
            self.table.forget_faces(place, whole)
            self.table.touch_place(place)
            self.table.touch_mover()
            if is_pile:
                self.b.emit(lir.PileShuffle(self.places.pile_of(place)))

        self.at(stmt.into, into)

    def swap(self, stmt: st.Swap) -> None:
        b = self.b
        sides = []
        for x in (stmt.left, stmt.right):
            coll = self.lower.coll(x)
            sides.append(listed(self.lower, coll, most=self.lower.n))
        left, right = sides
        unequal = fold.binary("!=", left.length, right.length)
        message = "{0} cards cannot be swapped with {1}"
        b.if_(unequal, [b.trap(UNEQUAL_SWAP, message, stmt.span, left.length, right.length)])
        at = b.var(span=Span(0, self.lower.n))
        with b.collect() as stmts:
            one, other = b.let(b.load(left.field, lir.Get(at))), b.let(b.load(right.field, lir.Get(at)))
            self.table.exchange(one, other)
        b.emit(lir.ForRange(at, FALSE, left.length, tuple(stmts)))

    def flip(self, stmt: st.Flip) -> None:
        b, places = self.b, self.places
        cards = self.lower.coll(stmt.cards)
        faced = [int(p.seen_by == "face") for p in places.all]
        kept = cards.kept(self.lower)

        def one(card: Expr) -> None:
            place = b.let(b.load("place", card))
            message = "a card lies in a zone that is not seen by face"
            b.if_(fold.negate(b.lookup(faced, place)), [b.trap(FLIP_UNFACED, message, stmt.span)])
            if not places.reads_face:
                self.table.touch_place(place)  # may be once too often: nobody reads the face
                return
            up = b.load("up")
            single = fold.single(card, self.lower.cards)
            change = fold.has(up, card) if not stmt.up else fold.negate(fold.has(up, card))
            with b.when(change):
                b.store("up", fold.unite(up, single) if stmt.up else fold.without(up, single))
                self.table.touch_place(place)

        kept.loop(self.lower, one)

    def reveal(self, cards: e.Expr, to: e.Expr | None) -> None:
        if not self.places.reads_face:
            return
        b, lower = self.b, self.lower
        mask = b.atom(self.seats(to))
        lower.coll(cards).loop(
            lower, lambda card: b.store("shown", fold.unite(b.load("shown", card), mask), card)
        )

    def seats(self, to: e.Expr | None) -> Expr:
        """The seats to whom something is revealed."""
        lower = self.lower
        if to is None:
            return fold.full(lower.seats)
        seats = lower.value(to)
        if isinstance(seats, Coll):
            return seats.bits(lower)
        return fold.single(lower.some(seats, "the player to reveal to", to), lower.seats)

    def reveal_state(self, stmt: st.RevealState) -> None:
        """Nothing but views depends on it."""
        b, lower = self.b, self.lower
        name = f"told_{stmt.state}"
        if name not in b.fields:
            return
        mask = b.atom(self.seats(stmt.to))
        if stmt.index is not None:
            index = b.atom(lower.needed(stmt.index, f"whose `{stmt.state}` it is"))
            b.store(name, fold.unite(b.load(name, index), mask), index)
            return
        for number in range(b.fields[name].count):
            b.store(name, fold.unite(b.load(name, number), mask), number)

    # ------------------------------------------------------------ values

    def assign(self, stmt: st.Assign) -> None:
        lower, b = self.lower, self.b
        place = stmt.place
        value = lower.value(stmt.value)
        if isinstance(place, st.LocalPlace):
            of = lower.program.locals[place.number].type
            old = lower.places.local(place.number) if stmt.op != "=" else None
            self.places.set_local(place.number, self.combined(stmt, of, old, value))
            return
        if isinstance(value, Expr):
            value = b.atom(value)
        name, index, of, told = self.cell(place)
        old_value = b.load(name, index)
        old = old_value
        if isinstance(old_value.kind, Bits):
            assert isinstance(of, t.Collection)
            old = BitsColl(old_value, lower.domain(of.of))
        new = self.combined(stmt, of, old, value)
        if isinstance(new, Coll):
            b.store(name, new.bits(lower), index)
        else:
            new = self.in_range(b.atom(new), of, told, stmt.span)
            b.store(name, new, index)
        if name.startswith("s_") and f"told_{name[2:]}" in b.fields:
            b.store(f"told_{name[2:]}", fold.empty(lower.seats), index)
        self.table.touch(place.state if isinstance(place, st.StatePlace) else told)

    def cell(self, place: st.StatePlace | st.FieldPlace) -> tuple[str, Expr | None, t.Type, str]:
        lower = self.lower
        if isinstance(place, st.StatePlace):
            of = lower.program.state[place.state].type
            index = None
            if place.index is not None:
                index = self.b.atom(lower.needed(place.index, f"whose `{place.state}` it is"))
            return f"s_{place.state}", index, of, place.state
        pile = self.b.atom(lower.needed(place.pile, "the pile"))
        pile = self.b.atom(self.places.checked(pile, place.pile.span))
        (of,) = (f.type for f in lower.program.zones[place.zone].fields if f.name == place.field)
        return f"f_{place.zone}_{place.field}", pile, of, f"{place.zone}.{place.field}"

    def combined(self, stmt: st.Assign, of: t.Type, old: Any, value: Any) -> Any:
        """The new value."""
        lower = self.lower
        if isinstance(of, t.Collection):
            if isinstance(of.of, t.SetOf | t.SeqOf):
                return value
            if stmt.op == "=" and isinstance(value, Coll) and self.places.room(of) is not None:
                return value  # numbers, one by one
            domain = lower.domain(of.of)
            if isinstance(value, Coll):
                bits = fold.empty(domain.kind) if isinstance(value, EmptyColl) else value.bits(lower)
                if value.domain is not None and value.domain != domain:
                    from rulekit.compiled.gather import converted

                    bits = converted(lower, bits, value.domain, domain)
            else:
                bits = OneColl(value, domain).bits(lower)
            if stmt.op == "=":
                return BitsColl(bits, domain)
            before = old.bits(lower)
            made = fold.unite(before, bits) if stmt.op == "+=" else fold.without(before, bits)
            return BitsColl(made, domain)
        if stmt.op == "=":
            return value
        op = stmt.op[0]
        return defined(lower, [old, value], lambda a, c: self.summed(op, a, c, of, stmt.span))

    def summed(self, op: str, old: Expr, value: Expr, of: t.Type, span: Any) -> Expr:
        made = fold.binary(op, old, value)
        if self.b.ranges.of(made).fits:
            return made
        return narrowed(self.lower, op, old, value, span)

    def in_range(self, value: Expr, of: t.Type, name: str, place: Any) -> Expr:
        """The value, a fault if its type does not have it."""
        b = self.b
        optional = isinstance(of, t.Optional)
        inner = of.of if isinstance(of, t.Optional) else of
        span = b.ranges.of(value)
        if span.none and not optional:
            fault = b.trap(NONE_NEEDED, f"`{name}` needs a value, not none", place)
            b.if_(is_none(value), [fault])
        if isinstance(inner, t.Int):
            low, high = inner.low, inner.high
            bad: Expr = FALSE
            if span.low < low:
                below = fold.binary("<", value, Int(low))
                if span.none and optional:
                    below = fold.both(fold.binary("!=", value, Int(NONE)), below)
                bad = below
            if span.high > high:
                bad = fold.either(bad, fold.binary(">", value, Int(high)))
            fault = b.trap(OUT_OF_RANGE, f"`{name}` cannot be {{0}}, only {low} to {high}", place, value)
            b.if_(bad, [fault])
        return value

    # ------------------------------------------------------------ starts

    def start(self, state: StateDef) -> None:
        """A variable, or each of a family, takes its START."""
        b, lower = self.b, self.lower
        name = f"s_{state.name}"
        extent = lower.setup.extent(state.per)
        for number in range(extent):
            if f"told_{state.name}" in b.fields:
                b.store(f"told_{state.name}", fold.empty(lower.seats), number)
            if state.start is None:
                plain = default(state.type)
                kind = b.fields[name].kind
                b.store(name, lir.Set(0, kind) if isinstance(kind, Bits) else Int(plain), number)
                continue
            if state.start_local is not None:
                with lower.bound(state.start_local, Int(number)):
                    value = lower.value(state.start)
            else:
                value = lower.value(state.start)
            if isinstance(value, Coll):
                of = state.type
                assert isinstance(of, t.Collection)
                domain = lower.domain(of.of)
                bits = fold.empty(domain.kind) if isinstance(value, EmptyColl) else value.bits(lower)
                from rulekit.compiled.gather import converted

                b.store(name, converted(lower, bits, value.domain, domain), number)
                continue
            value = self.in_range(b.atom(value), state.type, state.name, state.span)
            b.store(name, value, number)


def bottom_of(place: st.CardPlace) -> bool:
    """The cards go below what lies there. Both ways of a choice between places agree."""
    if isinstance(place, st.EitherPlace):
        if bottom_of(place.yes) != bottom_of(place.no):
            raise Unsupported("a choice between top and bottom")
        return bottom_of(place.yes)
    return place.bottom


def backwards(lower: Lower, cards: Coll) -> Coll:
    """The cards in reverse order."""
    kept = listed(lower, cards, most=lower.n)
    return _Backwards(kept)


class _Backwards(Coll):
    ordered = True

    def __init__(self, kept: ListColl) -> None:
        self.kept_list, self.domain = kept, kept.domain

    def loop(self, lower: Lower, body: Callable[[Expr], None]) -> None:
        b = lower.b
        at = b.var(span=Span(0, max(255, lower.n)))
        last = b.atom(self.kept_list.length)
        with b.collect() as stmts:
            place = fold.binary("-", fold.binary("-", last, TRUE), lir.Get(at))
            body(b.let(b.load(self.kept_list.field, place)))
        b.emit(lir.ForRange(at, FALSE, last, tuple(stmts)))


def default(of: t.Type) -> int:
    """The START of a variable that declares none."""
    match of:
        case t.Bool() | t.Word() | t.Rank():
            return 0
        case t.Int(low, high):
            return max(low, min(0, high))
    return NONE
