"""Values of choices as their place in the domain of the choice (`rulekit.program.actions`)."""

from __future__ import annotations

from collections.abc import Callable

from rulekit.compiled import fold, lir
from rulekit.compiled.extending import Extension
from rulekit.compiled.fold import FALSE
from rulekit.compiled.legality import Legal
from rulekit.compiled.lir import Bits, Expr, Int
from rulekit.compiled.lowering import Lowered
from rulekit.compiled.subset_ranks import rank_tables
from rulekit.program import types as t
from rulekit.program.actions import ActionSpace, count_multisets, sizes
from rulekit.program.program import Choice


class Values(Extension):
    """Writes the place of a value. ``faces``: how many there are."""

    def __init__(self, lowered: Lowered) -> None:
        super().__init__(lowered)
        self.space = ActionSpace(self.setup)
        self.faces = max(self.space.face_of, default=-1) + 1

    def lowest(self, legal: Legal) -> int:
        choice = legal.move.choices[0]
        of = choice.type.of if isinstance(choice.type, t.Optional) else choice.type
        return of.low if isinstance(of, t.Int) else 0

    def place_of_member(self, choice: Choice, legal: Legal, member: int) -> int | None:
        """The place in the choice's domain of a member of the move's mask; None: it can never be legal."""
        match choice.type.of if isinstance(choice.type, t.Optional) else choice.type:
            case t.Card():
                return self.space.face_of[member]
            case t.Pile():
                piles = self.space.piles(choice)
                return piles.index(member) if member in piles else None
        return member

    def of_member(self, choice: Choice, legal: Legal, member: Expr) -> Expr:
        """The same, for a member that is not known yet."""
        assert legal.domain is not None
        places = [self.place_of_member(choice, legal, m) or 0 for m in range(legal.domain.width)]
        return self.b.lookup(places, member)

    def of_value(self, legal: Legal, at: int, value: Expr) -> Expr:
        """The place of a value of a choice in its domain, which is not staged."""
        b, choice = self.b, legal.move.choices[at]
        of = choice.type.of if isinstance(choice.type, t.Optional) else choice.type
        if of_cards(choice) and isinstance(value.kind, Bits):
            return self.rank(choice, value)
        if isinstance(value.kind, Bits):
            total, member = self.number(), self.number()
            b.set(total, FALSE)
            domain = legal.domains[at]
            assert domain is not None
            powers = [1 << place for place in self.inner_places(legal, at)]
            with b.collect() as each:
                b.set(total, fold.add(lir.Get(total), b.lookup(powers, lir.Get(member))))
            b.emit(lir.ForBits(member, value, tuple(each)))
            return lir.Get(total)
        match of:
            case t.Card():
                return b.lookup(self.space.face_of, value)
            case t.Pile():
                piles = self.space.piles(choice)
                every = range(len(self.setup.places))
                return b.lookup([piles.index(p) if p in piles else 0 for p in every], value)
            case t.Int(low):
                return fold.add(value, -low)
        return value

    def inner_places(self, legal: Legal, at: int) -> list[int]:
        """For a set of other things than cards: the place of each member in the order of the numbers."""
        domain, choice = legal.domains[at], legal.move.choices[at]
        assert domain is not None
        if isinstance(choice.type, t.Collection) and isinstance(choice.type.of, t.Pile):
            piles = self.space.piles(choice)
            return [piles.index(m) if m in piles else 0 for m in range(domain.width)]
        return list(range(domain.width))

    def inner_member(self, legal: Legal, at: int, member: Expr) -> Expr:
        return self.b.lookup(self.inner_places(legal, at), member)

    def rank(self, choice: Choice, cards: Expr) -> Expr:
        """The number of a set of cards among all of the sizes that can be chosen."""
        b = self.b
        low, high = sizes(choice, len(self.setup.pack))
        copies = [0] * self.faces
        for face in self.space.face_of:
            copies[face] += 1
        assert count_multisets(copies, low, high), "a set that can be chosen"
        tables = rank_tables(copies, low, high)
        total, depth, before = self.number(), self.number(), self.number()
        for var in (total, depth, before):
            b.set(var, FALSE)

        def member(face: Expr, copy: Expr) -> None:
            with b.collect() as fresh:
                at = fold.add(fold.binary("*", lir.Get(depth), Int(tables.faces)), face)
                b.set(total, fold.add(lir.Get(total), b.lookup(tables.up, at)))
                with b.when(fold.binary(">", lir.Get(depth), FALSE)):
                    at = fold.add(fold.binary("*", lir.Get(depth), Int(tables.width)), lir.Get(before))
                    b.set(total, fold.add(lir.Get(total), b.lookup(tables.down, at)))
            b.set(total, fold.add(lir.Get(total), b.lookup(tables.prefix, lir.Get(depth))))
            b.if_(fold.equal(copy, FALSE), fresh)
            b.set(before, fold.binary("+", b.lookup(tables.first, face), copy))
            b.set(depth, fold.add(lir.Get(depth), 1))

        self.by_face(cards, member)
        return lir.Get(total)

    def by_face(self, cards: Expr, write: Callable[[Expr, Expr], None], live: lir.Var | None = None) -> None:
        """Writes something for each card of a set in the order of faces: the face, and which copy."""
        b, faces = self.b, self.space.face_of

        def guard() -> None:
            if live is not None:
                b.if_(fold.negate(lir.Get(live)), [lir.Break()])

        if list(faces) == list(range(len(faces))):
            card = self.number()
            with b.collect() as each:
                guard()
                write(lir.Get(card), FALSE)
            b.emit(lir.ForBits(card, cards, tuple(each)))
            return
        masks = [sum(1 << c for c, face in enumerate(faces) if face == f) for f in range(self.faces)]
        held = b.atom(cards)
        face, copy = self.number(), self.number()
        with b.collect() as each:
            guard()
            many = fold.count(fold.intersect(held, b.lookup(masks, lir.Get(face), self.cards)))
            with b.collect() as one:
                guard()
                write(lir.Get(face), lir.Get(copy))
            b.emit(lir.ForRange(copy, FALSE, many, tuple(one)))
        b.emit(lir.ForRange(face, FALSE, Int(self.faces), tuple(each)))


def of_cards(choice: Choice) -> bool:
    of = choice.type.of if isinstance(choice.type, t.Optional) else choice.type
    return isinstance(of, t.Card) or of == t.SetOf(t.CARD)
