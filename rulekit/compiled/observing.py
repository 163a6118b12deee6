"""What a seat may see, as a row of numbers, worked out by the module itself.

`observed` adds one function to a module that was lowered with ``views``:

``observe(seat)``  fills the scratch field `seen` with what the seat may see, as `rulekit.engine.view`
means it. Who
    calls clears it before

The row consists of `Part`s. It tells the position and not the history of moves: a card is there as long as
the seat
sees it where it lies, and state as long as it sees it. Copies of a card are not told apart.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from rulekit.compiled import fold, lir
from rulekit.compiled.extending import Extension
from rulekit.compiled.fold import FALSE, TRUE
from rulekit.compiled.lir import NONE, NUMBER, Bits, Expr, Int
from rulekit.compiled.lowering import Lowered
from rulekit.program import Place
from rulekit.program import types as t


@dataclass(frozen=True)
class Part:
    """Some numbers of an observation, side by side.

    ``kind``
        flags      1 for what holds, else 0: a seat, an ask, a member of a set, the value of a word ...
        cards      for each face how many copies of it the seat sees there
        order      for each face how far it lies from the top of its pile, the top being 1; 0 if it is not
        seen
        number     a number; 0 if it is none, or hidden
    ``size`` of them from ``first``.
    """

    name: str
    kind: str
    first: int
    size: int


def observed(lowered: Lowered) -> tuple[Lowered, tuple[Part, ...]]:
    """The module with observations, and what they consist of."""
    return _Observing(lowered).made()


class _Observing(Extension):
    def __init__(self, lowered: Lowered) -> None:
        super().__init__(lowered)
        self.parts: list[Part] = []
        self.size = 0
        faces: dict[object, int] = {}
        self.face_of = tuple(faces.setdefault(face, len(faces)) for face in self.setup.pack.cards)
        self.faces = len(faces)
        self.shows = "shown" in self.b.fields
        self.everyone = (1 << self.setup.players) - 1
        self.masks = [self.sees(p.seen_by, self._per(p), p.member) for p in self.setup.places]
        self.b.field("seen", scratch=True)

    def made(self) -> tuple[Lowered, tuple[Part, ...]]:
        b = self.b
        seat = self.number()
        self.seat = lir.Get(seat)
        with b.collect() as body:
            self.head()
            self.lent = self.lent_cards()
            for place in self.setup.places:
                self.place(place)
            self.states()
            b.emit(lir.Return())
        b.function("observe", [seat], None, body)
        b.fields["seen"] = lir.Field("seen", NUMBER, max(1, self.size), scratch=True)
        return self.done(), tuple(self.parts)

    # ------------------------------------------------------------ parts

    def part(self, name: str, kind: str, size: int) -> int:
        """Room for so many numbers; gives the first."""
        first = self.size
        self.parts.append(Part(name, kind, first, size))
        self.size += size
        return first

    def set(self, at: Expr, value: Expr = TRUE) -> None:
        self.b.store("seen", value, at)

    def head(self) -> None:
        """Who looks, who is to move, and what is asked."""
        b, players = self.b, self.setup.players
        self.set(fold.add(self.seat, self.part("seat", "flags", players)))
        sites = list(self.lowered.sites.values())
        actor, ask = self.part("to move", "flags", players), self.part("ask", "flags", len(sites))
        whom = self.part("for whom", "flags", players) if any(s.stmt.whom is not None for s in sites) else -1
        with b.when(fold.binary(">", b.load("choices"), FALSE)):
            self.set(fold.add(b.load("actor"), actor))
            pc = b.atom(b.load("pc"))
            for number, site in enumerate(sites):
                with b.when(fold.equal(pc, Int(site.wait))):
                    self.set(Int(ask + number))
                    if whom >= 0:
                        self.set(fold.add(b.load(f"{site.name}_whom"), whom))

    # ------------------------------------------------------------ who sees what

    def _per(self, place: Place) -> str | None:
        zone = self.setup.program.zones.get(place.zone)
        return zone.per if zone else None

    def sees(self, who: str, per: str | None, member: int | None) -> int:
        """The mask of seats that see what is `seen by WHO` and belongs to ``member``."""
        setup = self.setup
        own = team = 0
        if per == "player" and member is not None:
            own = team = 1 << member
            if setup.teams:
                team = sum(1 << seat for seat in setup.team_players(setup.team_of(member)))
        elif per == "team" and member is not None:
            own = team = sum(1 << seat for seat in setup.team_players(member))
        found = {"everyone": self.everyone, "owner": own, "team": team, "others": self.everyone & ~own}
        return found.get(who, 0)

    def in_mask(self, mask: int) -> Expr:
        """The seat is one of a mask."""
        if mask in (0, self.everyone):
            return Int(int(mask != 0))
        return fold.has(lir.Set(mask, self.seats), self.seat)

    def card_seen(self, card: Expr, seat: Expr) -> Expr:
        """A seat sees the face of a card where it lies."""
        b = self.b
        place = b.atom(b.load("place", card))
        seen: Expr = b.lookup(self.masks, place, self.seats)
        if not self.shows:
            return fold.has(seen, seat)
        seen = fold.unite(seen, b.load("shown", card))
        faced = [int(p.seen_by == "face") for p in self.setup.places]
        up = fold.both(b.lookup(faced, place), fold.has(b.load("up"), card))
        return fold.either(fold.has(seen, seat), up)

    def lent_cards(self) -> Expr:
        """Who chooses for another is shown the cards offered, as far as the other sees them."""
        b = self.b
        sites = [site for site in self.lowered.sites.values() if site.stmt.whom is not None]
        if not sites:
            return fold.empty(self.cards)
        offered, lent, card = b.var(self.cards), b.var(self.cards), self.number()
        for var in (offered, lent):
            b.set(var, fold.empty(self.cards))
        pc = b.atom(b.load("pc"))
        mine = fold.both(fold.binary(">", b.load("choices"), FALSE), fold.equal(b.load("actor"), self.seat))
        with b.when(mine):
            for site in sites:
                whom = b.atom(b.load(f"{site.name}_whom"))
                other = fold.both(fold.equal(pc, Int(site.wait)), fold.binary("!=", whom, self.seat))
                with b.when(other):
                    for move in site.moves:
                        self.offer(move, whom, offered)
                    with b.collect() as each, b.when(self.card_seen(lir.Get(card), whom)):
                        one = fold.single(lir.Get(card), self.cards)
                        b.set(lent, fold.unite(lir.Get(lent), one))
                    b.emit(lir.ForBits(card, lir.Get(offered), tuple(each)))
        return lir.Get(lent)

    def offer(self, move: int, whom: Expr, offered: lir.Var) -> None:
        """The cards named in the legal actions of a move."""
        b, legal = self.b, self.lowered.legal[move]

        def add(cards: Expr) -> None:
            b.set(offered, fold.unite(lir.Get(offered), cards))

        kinds = [inner(choice.type) for choice in legal.move.choices]
        if legal.form == "mask" and kinds == [t.CARD]:
            add(b.load(f"legal_{move}"))
        if legal.form == "subsets" and kinds == [t.SetOf(t.CARD)]:
            some = fold.binary(">", b.load(legal.count), FALSE)
            add(fold.choose(some, b.load(f"legal_{move}"), fold.empty(self.cards)))
        if legal.form == "rows" and any(kind in (t.CARD, t.SetOf(t.CARD)) for kind in kinds):
            b.emit(lir.Call(None, legal.function, (whom,)))
            row = self.number()
            with b.collect() as each:
                for column, kind in zip(legal.columns, kinds, strict=True):
                    value = b.load(column, lir.Get(row))
                    if kind == t.CARD:
                        add(fold.single(value, self.cards))
                    elif kind == t.SetOf(t.CARD):
                        add(value)
            b.emit(lir.ForRange(row, FALSE, b.load(legal.count), tuple(each)))

    # ------------------------------------------------------------ places

    def place(self, place: Place) -> None:
        b, number = self.b, place.number
        name = place_name(place, self.setup.program.zones)
        zone = self.setup.program.zones.get(place.zone)
        if not place.always:
            used = self.part(f"{name} in use", "flags", 1)
            self.set(Int(used), fold.has(b.load("used"), Int(number)))
        lying = b.load("zm", number)
        self.set(Int(self.part(f"{name} size", "number", 1)), fold.count(lying))
        for field in zone.fields if zone else ():
            self.cell(f"{name} {field.name}", field.type, f"f_{place.zone}_{field.name}", number, TRUE, False)
        if self.masks[number] or self.shows:
            self.cards_at(place, name, lying)

    def cards_at(self, place: Place, name: str, lying: Expr) -> None:
        b = self.b
        whole = self.in_mask(self.masks[place.number])
        seen: Expr = fold.choose(whole, lying, fold.intersect(lying, self.lent))
        if self.shows and whole != TRUE:
            found, card = b.var(self.cards), self.number()
            b.set(found, seen)
            with b.collect() as each:
                shown = fold.has(b.load("shown", lir.Get(card)), self.seat)
                if place.seen_by == "face":
                    shown = fold.either(shown, fold.has(b.load("up"), lir.Get(card)))
                with b.when(shown):
                    b.set(found, fold.unite(lir.Get(found), fold.single(lir.Get(card), self.cards)))
            rest = lir.ForBits(card, lying, tuple(each))
            b.if_(fold.negate(whole), [rest])
            seen = lir.Get(found)
        first = self.part(name, "cards", self.faces)
        card = self.number()
        with b.collect() as each:
            at = b.atom(fold.add(b.lookup(self.face_of, lir.Get(card)), first))
            copies = self.faces < len(self.face_of)
            self.set(at, fold.add(b.load("seen", at), 1) if copies else TRUE)
        b.emit(lir.ForBits(card, seen, tuple(each)))
        if place.kind == "pile":
            self.order(place, name, seen)

    def order(self, place: Place, name: str, seen: Expr) -> None:
        b = self.b
        seen = b.atom(seen)
        first = self.part(f"{name} order", "order", self.faces)
        pile = Int(self.lowered.piles[place.number])
        size = b.atom(lir.PileSize(pile))
        at = self.number()
        with b.collect() as each:
            card = b.let(lir.PileAt(pile, lir.Get(at)))
            with b.when(fold.has(seen, card)):
                depth = fold.binary("-", size, lir.Get(at))
                self.set(fold.add(b.lookup(self.face_of, card), first), depth)
        with b.when(fold.some(seen)):
            b.emit(lir.ForRange(at, FALSE, size, tuple(each)))

    # ------------------------------------------------------------ state

    def states(self) -> None:
        setup, b = self.setup, self.b
        for state in setup.program.state.values():
            for member in range(setup.extent(state.per)):
                mask = self.sees(state.seen_by, state.per, member if state.per else None)
                visible = self.in_mask(mask)
                told = f"told_{state.name}"
                if told in b.fields:
                    visible = fold.either(visible, fold.has(b.load(told, member), self.seat))
                name = state.name if state.per is None else f"{state.name} {member + 1}"
                self.cell(name, state.type, f"s_{state.name}", member, visible, mask != self.everyone)

    def cell(self, name: str, of: t.Type, field: str, index: int, visible: Expr, hidden: bool) -> None:
        """One value; where it may be hidden, whether it is seen comes first."""
        b = self.b
        if visible == FALSE:
            return
        with b.collect() as stmts:
            if hidden:
                self.set(Int(self.part(f"{name} seen", "flags", 1)))
            value = b.load(field, index)
            if isinstance(value.kind, Bits):
                first = self.part(name, "flags", value.kind.width)
                member = self.number()
                with b.collect() as each:
                    self.set(fold.add(lir.Get(member), first))
                b.emit(lir.ForBits(member, value, tuple(each)))
            else:
                self.number_cell(name, inner(of), b.atom(value))
        b.if_(visible, stmts)

    def number_cell(self, name: str, of: t.Type, value: Expr) -> None:
        b = self.b
        there = fold.binary("!=", value, Int(NONE))
        sizes: dict[type[t.Type], Callable[[], int]] = {
            t.Player: lambda: self.setup.players,
            t.Team: lambda: self.setup.teams,
            t.Suit: lambda: len(self.setup.pack.suits),
            t.Rank: lambda: len(self.setup.pack.ranks),
            t.Card: lambda: self.faces,
            t.Pile: lambda: len(self.setup.places),
        }
        if isinstance(of, t.Word):
            width = len(self.setup.program.words[of.name])
        elif isinstance(of, t.Bool):
            self.set_if(there, Int(self.part(name, "flags", 1)), value)
            return
        elif type(of) in sizes:
            width = sizes[type(of)]()
        else:
            self.set_if(there, Int(self.part(name, "number", 1)), value)
            return
        first = self.part(name, "flags", width)
        if isinstance(of, t.Card):
            safe = fold.choose(there, value, FALSE)
            value = b.atom(b.lookup(self.face_of, b.atom(safe)))
        self.set_if(there, fold.add(value, first), TRUE)

    def set_if(self, condition: Expr, at: Expr, value: Expr) -> None:
        with self.b.collect() as stmts:
            self.set(at, value)
        self.b.if_(condition, stmts)


def inner(of: t.Type) -> t.Type:
    return of.of if isinstance(of, t.Optional) else of


def place_name(place: Place, zones: object) -> str:
    """`hand 2`, `column 3`: the zone, whose it is, and the number of the slot, counted from 1."""
    name = place.zone
    if place.member is not None:
        name += f" {place.member + 1}"
    return f"{name} {place.slot}" if place.slot else name
