"""The match budget in loops that are not proven to end: rounds are counted, and a position that comes back
is found.

As in the reference engine, the position is kept when the number of rounds since the last decision is 64,
128, 256 ...,
and each later one is compared with the one kept last. Cards that the rules cannot tell apart count as equal.
"""

from __future__ import annotations

from rulekit.compiled import fold, lir
from rulekit.compiled.context import Lower
from rulekit.compiled.endings import LIMIT, LOOP
from rulekit.compiled.fold import FALSE, TRUE
from rulekit.compiled.lir import NONE, NUMBER, Bits, Expr, Int
from rulekit.compiled.ranges import Span
from rulekit.program import types as t

FIRST_KEPT = 64  #: rounds without a decision before the position is first kept

#: Fields that do not decide how the game goes on, or are compared in a way of their own.
OTHERS = frozenset(
    ("zm", "place", "mover", "up", "shown", "pc", "choices", "actor", "decisions", "ending", "length")
) | {"fault", "fault_arguments", "rounds", "kept_at", "kept_site", "dirty"}


class Rounds:
    """Writes the function `round(site)`: 1 if the game ends instead of going round once more."""

    def __init__(self, lower: Lower) -> None:
        self.lower, self.b = lower, lower.b
        self.sites = 0

    def site(self) -> int:
        """The number of another loop that is not proven to end."""
        if not self.sites:
            most = self.lower.program.end.limit
            self.b.field("rounds", span=Span(0, most))
            self.b.field("kept_at", span=Span(0, most))
            self.b.field("kept_site", start=-1)
        self.sites += 1
        return self.sites - 1

    def decided(self) -> None:
        """A decision is made: positions before it cannot come back."""
        if self.sites:
            self.b.store("rounds", 0)
            self.b.store("kept_site", -1)

    @property
    def piles(self) -> int:
        """How many piles are needed to keep a position."""
        return self.lower.places.piles if self.sites else 0

    def write(self) -> None:
        """Writes `round`, once all fields are there."""
        if not self.sites:
            return
        b, lower = self.b, self.lower
        site = b.var(span=Span(0, self.sites))
        compared = [field for field in b.fields.values() if self.counts(field)]
        for field in compared:
            b.field(f"kept_{field.name}", field.kind, field.count, small=field.small)
            if isinstance(field.kind, lir.Number):
                b.ranges.fields[f"kept_{field.name}"] = b.ranges.fields[field.name]
        if lower.places.reads_mover:
            b.field("kept_mover", count=lower.n, start=NONE, span=lower.span(t.PLAYER, True))
        with b.collect() as body:
            full = fold.binary(">=", b.load("decisions"), Int(lower.program.end.limit))
            b.if_(full, [lir.Store("ending", None, Int(LIMIT)), lir.Return(TRUE)])
            b.store("decisions", fold.add(b.load("decisions"), 1))
            count = b.let(fold.add(b.load("rounds"), 1))
            b.store("rounds", count)
            b.if_(fold.binary("<", count, Int(FIRST_KEPT)), [lir.Return(FALSE)])
            with b.when(fold.equal(b.load("kept_site"), lir.Get(site))):
                same = self.same(compared)
                with b.when(same):
                    b.store("ending", LOOP)
                    b.store("length", fold.binary("-", count, b.load("kept_at")))
                    b.emit(lir.Return(TRUE))
            powers = [FIRST_KEPT << n for n in range(31) if FIRST_KEPT << n <= lower.program.end.limit]
            power: Expr = FALSE
            for number in powers:
                power = fold.either(power, fold.equal(count, Int(number)))
            with b.when(power):
                self.keep(compared)
                b.store("kept_site", lir.Get(site))
                b.store("kept_at", count)
            b.emit(lir.Return(FALSE))
        b.function("round", [site], NUMBER, body)

    def counts(self, field: lir.Field) -> bool:
        """The field decides how the game goes on."""
        if field.scratch:
            return field.name.startswith("l_")
        return field.name not in OTHERS and not field.name.startswith(("legal_", "kept_"))

    def same(self, compared: list[lir.Field]) -> Expr:
        """The position is the one that was kept."""
        b, places = self.b, self.lower.places
        same = b.var(span=Span(0, 1))
        b.set(same, TRUE)
        miss: list[lir.Stmt] = [lir.Let(same, FALSE)]
        for field in compared:
            at = b.var(span=Span(0, field.count))
            with b.collect() as each:
                here, there = b.load(field.name, lir.Get(at)), b.load(f"kept_{field.name}", lir.Get(at))
                b.if_(fold.negate(self.equal(field, here, there)), [*miss, lir.Break()])
            b.emit(lir.ForRange(at, FALSE, Int(field.count), tuple(each)))
        for place in places.all:
            pile = places.pile_numbers[place.number]
            if pile < 0:
                self.same_set(place.number, miss)
                continue
            with b.when(lir.Get(same)):
                self.same_pile(pile, miss)
        return lir.Get(same)

    def equal(self, field: lir.Field, here: Expr, there: Expr) -> Expr:
        if isinstance(field.kind, Bits):
            return fold.same_bits(here, there)
        if field.name.startswith("l_") and self.lower.setup.alike is not None:
            of = self.lower.program.locals[int(field.name.split("_")[1])].type
            if isinstance(of.of if isinstance(of, t.Optional) else of, t.Card):
                alike = self.lower.setup.alike
                here = self.b.guarded(here, alike, Int(NONE))
                there = self.b.guarded(there, alike, Int(NONE))
        return fold.equal(here, there)

    def same_set(self, place: int, miss: list[lir.Stmt]) -> None:
        b = self.b
        kept = f"kept_zm_{place}"
        if kept not in b.fields:
            b.field(kept, self.lower.cards)
        b.if_(fold.negate(fold.same_bits(b.load("zm", place), b.load(kept))), miss)

    def same_pile(self, pile: int, miss: list[lir.Stmt]) -> None:
        b, lower = self.b, self.lower
        here, there = Int(pile), Int(pile + lower.places.piles)
        alike = lower.setup.alike or tuple(range(lower.n))
        sizes = fold.equal(lir.PileSize(here), lir.PileSize(there))
        at = b.var(span=Span(0, max(255, lower.n)))
        with b.collect() as each:
            one, other = b.let(lir.PileAt(here, lir.Get(at))), b.let(lir.PileAt(there, lir.Get(at)))
            equal = fold.equal(b.lookup(alike, one), b.lookup(alike, other))
            if lower.places.reads_mover:
                equal = fold.both(equal, fold.equal(b.load("mover", one), b.load("kept_mover", other)))
            b.if_(fold.negate(equal), [*miss, lir.Break()])
        b.if_(sizes, [lir.ForRange(at, FALSE, lir.PileSize(here), tuple(each))], miss)

    def keep(self, compared: list[lir.Field]) -> None:
        b, places = self.b, self.lower.places
        for field in compared:
            at = b.var(span=Span(0, field.count))
            with b.collect() as each:
                b.store(f"kept_{field.name}", b.load(field.name, lir.Get(at)), lir.Get(at))
            b.emit(lir.ForRange(at, FALSE, Int(field.count), tuple(each)))
        if places.reads_mover:
            card = b.var(span=Span(0, self.lower.n - 1))
            store = lir.Store("kept_mover", lir.Get(card), b.load("mover", lir.Get(card)))
            b.emit(lir.ForRange(card, FALSE, Int(self.lower.n), (store,)))
        for place in places.all:
            pile = places.pile_numbers[place.number]
            if pile < 0:
                b.store(f"kept_zm_{place.number}", b.load("zm", place.number))
                continue
            kept = Int(pile + places.piles)
            at = b.var(span=Span(0, max(255, self.lower.n)))
            b.emit(lir.PileClear(kept))
            push = lir.PilePush(kept, lir.PileAt(Int(pile), lir.Get(at)))
            b.emit(lir.ForRange(at, FALSE, lir.PileSize(Int(pile)), (push,)))
