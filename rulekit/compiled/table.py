"""The one way cards change place, as statements of the low-level form; slots; and what `stop when` must be
told.
"""

from __future__ import annotations

from typing import Any

from rulekit.compiled import fold, lir
from rulekit.compiled.collections import Coll, PileColl
from rulekit.compiled.context import Lower
from rulekit.compiled.fold import FALSE
from rulekit.compiled.lir import NONE, NUMBER, Bits, Expr, Int
from rulekit.compiled.places import sees
from rulekit.compiled.ranges import Span
from rulekit.program import types as t
from rulekit.program.faults import NO_FREE_SLOT
from rulekit.program.reads import PROVENANCE, TABLE


class Table:
    """Writes moves of cards.

    ``deep``  a move is under way: True, False, or None if it depends
    """

    def __init__(self, lower: Lower) -> None:
        self.lower, self.b, self.places = lower, lower.b, lower.places
        self.deep: bool | None = None
        self.watched = self._watched()
        self.kind = Bits(max(1, len(self.watched)))
        if self.watched:
            self.b.field("dirty", self.kind)
        self.touched = False  #: the statement being written may have changed what is watched
        self.leftover = False  #: what changes outside statements may wait to be noticed
        self._lift = ""

    # ------------------------------------------------------------ what is watched

    def _watched(self) -> list[tuple[int, frozenset[str]]]:
        """Phases with `stop when`, by number, and the names that it reads."""
        found = []
        for number, phase in enumerate(self.lower.program.phases.values()):
            if phase.stop_when is not None:
                names = set(self.lower.reader.reads(phase.stop_when).names)
                if TABLE in names:
                    names |= set(self.lower.setup.zone_places)
                found.append((number, frozenset(names)))
        return found

    def mask_of(self, name: str) -> int:
        """The conditions that read a name, as a mask over `watched`."""
        return sum(1 << at for at, (_, names) in enumerate(self.watched) if name in names)

    def touch(self, name: str) -> None:
        """A name may have another value now."""
        mask = self.mask_of(name)
        if mask:
            self.touched = True
            self.b.store("dirty", fold.unite(self.b.load("dirty"), lir.Set(mask, self.kind)))

    def touch_place(self, place: Expr) -> None:
        masks = [self.mask_of(p.zone) for p in self.places.all] + [0]
        if any(masks):
            mask = self.b.lookup(masks, place, self.kind)
            if mask != fold.empty(self.kind):
                self.touched = True
                self.b.store("dirty", fold.unite(self.b.load("dirty"), mask))

    def touch_mover(self) -> None:
        if self.deep is not False:
            self.touch(PROVENANCE)

    # ------------------------------------------------------------ moving one card

    def lift(self, card: Expr) -> Expr:
        """Takes a card from where it lies; gives the place."""
        if not self._lift:
            self._lift = self._make_lift()
        return self.b.call(self._lift, [card], NUMBER, Span(0, len(self.places.all) - 1))

    def _make_lift(self) -> str:
        b, lower = self.b, self.lower
        card = b.var(span=lower.span(t.CARD))
        with b.collect() as body:
            place = b.let(b.load("place", lir.Get(card)))
            one = fold.single(lir.Get(card), lower.cards)
            b.store("zm", fold.without(b.load("zm", place), one), place)
            if any(self.places.is_pile):
                pile = b.let(b.lookup(self.places.pile_numbers, place))
                with b.when(fold.binary(">=", pile, FALSE)):
                    b.emit(lir.PileRemove(pile, lir.Get(card)))
            b.emit(lir.Return(place))
        return b.function("lift", [card], NUMBER, body)

    def lay(self, card: Expr, place: Expr, is_pile: bool | None, bottom: bool) -> None:
        """Lays a card, lifted before, at a place."""
        b = self.b
        one = fold.single(card, self.lower.cards)
        b.store("zm", fold.unite(b.load("zm", place), one), place)
        b.store("place", place, card)
        if is_pile:
            b.emit(lir.PilePush(self.places.pile_of(place), card, bottom))
        elif is_pile is None:
            pile = b.let(b.lookup(self.places.pile_numbers, place))
            with b.when(fold.binary(">=", pile, FALSE)):
                b.emit(lir.PilePush(pile, card, bottom))

    def drop(self, card: Expr, place: Expr, is_pile: bool | None, bottom: bool) -> None:
        """A card taken from the top of another place comes to lie: nothing is touched yet."""
        place = self.b.atom(place)
        self.turn(card, place)
        self.lay(card, place, is_pile, bottom)
        self.moved_by(card)

    def move_card(self, card: Expr, place: Expr, is_pile: bool | None, bottom: bool) -> Expr:
        """One card goes to a place; gives the place where it lay."""
        card, place = self.b.atom(card), self.b.atom(place)
        self.turn(card, place)
        source = self.lift(card)
        self.lay(card, place, is_pile, bottom)
        self.moved_by(card)
        self.touch_place(source)
        self.touch_place(place)
        return source

    def moved_by(self, card: Expr) -> None:
        """Who moves a card by a move of his own is noted, if the rules ever ask."""
        if self.deep is False:
            return
        b = self.b
        if self.places.reads_mover:
            if self.deep:
                b.store("mover", self.lower.me, card)
            else:
                with b.when(fold.binary(">", b.load("depth"), FALSE)):
                    b.store("mover", self.lower.me, card)
        self.touch(PROVENANCE)

    def turn(self, card: Expr, to: Expr) -> None:
        """The face of a card that goes to a place, before it is lifted; reveals are over."""
        places, b = self.places, self.b
        if not places.reads_face:
            return
        place = b.let(b.load("place", card))
        single = fold.single(card, self.lower.cards)
        faced = [int(p.seen_by == "face") for p in places.all] + [0]
        up = b.load("up")
        everyone = fold.full(self.lower.seats)
        seen = fold.unite(
            b.lookup([sees(self.lower, p) for p in places.all], place, self.lower.seats),
            b.load("shown", card),
        )
        stays = fold.choose(b.lookup(faced, place), fold.has(up, card), fold.same_bits(seen, everyone))
        is_up = fold.both(b.lookup(faced, to), stays)
        b.store("up", fold.choose(is_up, fold.unite(up, single), fold.without(up, single)))
        b.store("shown", fold.empty(self.lower.seats), card)

    # ------------------------------------------------------------ moving many

    def take_top(self, source: Expr, is_pile: bool) -> Expr:
        """Takes the top card of a place that is not empty (of a set the last); faces are seen to by
        `drop`.
        """
        b, lower = self.b, self.lower
        card = b.var(span=lower.span(t.CARD))
        if is_pile:
            b.emit(lir.PilePop(card, self.places.pile_of(source)))
        else:
            b.set(card, lir.Highest(b.load("zm", source)))
        b.store("zm", fold.without(b.load("zm", source), fold.single(lir.Get(card), lower.cards)), source)
        return lir.Get(card)

    def dealt(self, source: Expr, to: Expr) -> None:
        """After a deal."""
        self.touch_place(source)
        self.touch_place(to)
        self.free(source)

    def move_all(self, cards: Coll, source: Expr, place: Expr, is_pile: bool | None) -> None:
        """All that lies at one place goes to another, in order."""
        b, places = self.b, self.places
        if self.places.reads_face or is_pile is None or (isinstance(place, Int) and place == source):
            self._one_by_one(cards.kept(self.lower), source, place, is_pile)
            return
        if not (isinstance(place, Int) and isinstance(source, Int)):
            with b.collect() as same:
                self._one_by_one(cards.kept(self.lower), source, place, is_pile)
            with b.collect() as other:
                self._whole(cards, source, place, is_pile)
            b.if_(fold.equal(source, place), same, other)
            return
        self._whole(cards, source, place, is_pile)
        assert places is self.places

    def _one_by_one(self, cards: Coll, source: Expr, place: Expr, is_pile: bool | None) -> None:
        cards.loop(self.lower, lambda card: void(self.move_card(card, place, is_pile, False)))
        self.free(source)

    def _whole(self, cards: Coll, source: Expr, place: Expr, is_pile: bool | None) -> None:
        b, places = self.b, self.places
        mask = b.let(b.load("zm", source))

        def one(card: Expr) -> None:
            b.store("place", place, card)
            if is_pile:
                b.emit(lir.PilePush(places.pile_of(place), card))
            self.moved_by(card)

        cards.loop(self.lower, one)
        b.store("zm", fold.unite(b.load("zm", place), mask), place)
        b.store("zm", fold.empty(self.lower.cards), source)
        if isinstance(cards, PileColl):
            b.emit(lir.PileClear(places.pile_of(source)))
        self.touch_place(source)
        self.touch_place(place)
        self.free(source)

    def gather_all(self, place: Expr, is_pile: bool) -> None:
        """All cards of the pack come to lie at one place, in deck order."""
        b, lower, places = self.b, self.lower, self.places
        for other in places.all:
            if Int(other.number) != place:
                self.touch_place(Int(other.number))
                if places.slots[other.number]:
                    with b.when(fold.some(b.load("zm", other.number))):
                        self.release(Int(other.number))
        var = b.var(span=Span(0, places.nowhere))
        with b.collect() as clear:
            b.store("zm", fold.empty(lower.cards), lir.Get(var))
        b.emit(lir.ForRange(var, FALSE, Int(len(places.all)), tuple(clear)))
        for number in range(places.piles):
            b.emit(lir.PileClear(Int(number)))
        card = b.var(span=lower.span(t.CARD))
        with b.collect() as each:
            b.store("place", place, lir.Get(card))
        b.emit(lir.ForRange(card, FALSE, Int(lower.n), tuple(each)))
        b.store("zm", fold.full(lower.cards), place)
        if is_pile:
            b.emit(lir.PileFill(places.pile_of(place), fold.full(lower.cards)))

    def forget_faces(self, place: Expr, whole: bool = False) -> None:
        """Of all that lies at a place (``whole``: that is the pack): who moved it, to whom it was shown, its
        face."""
        b, places, lower = self.b, self.places, self.lower
        if places.reads_mover or places.reads_face:
            card = b.var(span=lower.span(t.CARD))
            with b.collect() as each:
                if places.reads_mover:
                    b.store("mover", NONE, lir.Get(card))
                if places.reads_face:
                    b.store("shown", fold.empty(lower.seats), lir.Get(card))
            if whole:
                b.emit(*(lir.ForRange(card, FALSE, Int(lower.n), (stmt,)) for stmt in each))
            else:
                b.emit(lir.ForBits(card, b.load("zm", place), tuple(each)))
        if places.reads_face:
            b.store("up", fold.without(b.load("up"), b.load("zm", place)))
        self.touch(PROVENANCE)

    def exchange(self, one: Expr, other: Expr) -> None:
        """Two cards change places; a place keeps its face."""
        b, places, lower = self.b, self.places, self.lower
        here, there = b.let(b.load("place", one)), b.let(b.load("place", other))
        self.touch_place(here)
        self.touch_place(there)
        kind = lower.cards
        first, second = b.let(fold.single(one, kind)), b.let(fold.single(other, kind))
        if places.reads_face:
            for card in (one, other):
                b.store("shown", fold.empty(lower.seats), card)
            up = b.let(b.load("up"))
            both = fold.unite(first, second)
            differ = fold.binary("!=", fold.has(up, one), fold.has(up, other))
            b.store("up", fold.choose(differ, fold.bit_op("xor", up, both), up))
        if any(places.is_pile):
            self._exchange_in_piles(one, other, here, there)
        apart = fold.binary("!=", here, there)
        with b.when(apart):
            b.store("zm", fold.unite(fold.without(b.load("zm", here), first), second), here)
            b.store("zm", fold.unite(fold.without(b.load("zm", there), second), first), there)
            b.store("place", there, one)
            b.store("place", here, other)
        self.moved_by(one)
        self.moved_by(other)

    def _exchange_in_piles(self, one: Expr, other: Expr, here: Expr, there: Expr) -> None:
        b = self.b
        pile = b.let(b.lookup(self.places.pile_numbers, here))
        second = b.let(b.lookup(self.places.pile_numbers, there))
        same = fold.equal(here, there)
        # In one pile both are exchanged by way of a number that is no card.
        nothing = Int(self.lower.n)
        moving = fold.both(fold.binary(">=", pile, FALSE), fold.binary("!=", one, other))
        with b.collect() as inside, b.when(moving):
            b.emit(
                lir.PileReplace(pile, one, nothing),
                lir.PileReplace(pile, other, one),
                lir.PileReplace(pile, nothing, other),
            )
        with b.collect() as apart:
            with b.when(fold.binary(">=", pile, FALSE)):
                b.emit(lir.PileReplace(pile, one, other))
            with b.when(fold.binary(">=", second, FALSE)):
                b.emit(lir.PileReplace(second, other, one))
        b.if_(same, inside, apart)

    # ------------------------------------------------------------ slots

    def free(self, source: Expr) -> None:
        """An emptied slot is free again."""
        if not self.places.has_slots:
            return
        b, places = self.b, self.places
        if isinstance(source, Int):
            if places.slots[source.value]:
                with b.when(fold.negate(fold.some(b.load("zm", source)))):
                    self.release(source)
            return
        slots = lir.Set(sum(1 << n for n, slot in enumerate(places.slots) if slot), Bits(len(places.all)))
        empty = fold.negate(fold.some(b.load("zm", source)))
        with b.when(fold.both(fold.has(slots, source), empty)):
            self.release(source)

    def free_all(self, sources: Expr) -> None:
        b, places = self.b, self.places
        slots = lir.Set(sum(1 << n for n, slot in enumerate(places.slots) if slot), Bits(len(places.all)))
        place = b.var(span=Span(0, len(places.all) - 1))
        with b.collect() as each, b.when(fold.negate(fold.some(b.load("zm", lir.Get(place))))):
            self.release(lir.Get(place))
        b.emit(lir.ForBits(place, fold.intersect(sources, slots), tuple(each)))

    def release(self, place: Expr) -> None:
        b = self.b
        kind = Bits(len(self.places.all))
        b.store("used", fold.without(b.load("used"), fold.single(place, kind)))
        self._fresh(place)
        self.touch_place(place)

    def claim(self, slots: Expr, zone: str, span: Any) -> Expr:
        """The lowest of some slots that is free, from now on in use, its fields at START."""
        b = self.b
        free = b.let(fold.without(slots, b.load("used")))
        fault = b.trap(NO_FREE_SLOT, f"all slots of `{zone}` are in use", span)
        b.if_(fold.negate(fold.some(free)), [fault])
        place = b.let(fold.lowest(free))
        kind = Bits(len(self.places.all))
        b.store("used", fold.unite(b.load("used"), fold.single(place, kind)))
        self._fresh(place)
        self.touch_place(place)
        return place

    def _fresh(self, place: Expr) -> None:
        """The fields of a slot are at START."""
        from rulekit.compiled.effects import default

        b, lower = self.b, self.lower
        for zone in lower.program.zones.values():
            numbers = {p for member in self.places.members(zone.name) for p in member}
            if not zone.fields or not any(self.places.slots[p] for p in numbers):
                continue
            with b.collect() as starts:
                for field in zone.fields:
                    name = f"f_{zone.name}_{field.name}"
                    kind = b.fields[name].kind
                    if field.start is not None:
                        value = lower.value(field.start)
                        if isinstance(value, Coll):
                            value = value.bits(lower)
                    else:
                        value = lir.Set(0, kind) if isinstance(kind, Bits) else Int(default(field.type))
                    b.store(name, value, place)
            mask = lir.Set(sum(1 << p for p in numbers), Bits(len(self.places.all)))
            b.if_(fold.has(mask, place), starts)


def void(_: object) -> None:
    """Only the statements written count."""
