"""Parts of patterns made of parts: several together, or one of several."""

from __future__ import annotations

from functools import partial

from rulekit.compiled import fold, lir
from rulekit.compiled.builder import Unsupported
from rulekit.compiled.context import Lower
from rulekit.compiled.fold import FALSE, TRUE
from rulekit.compiled.lir import NONE, Expr, Int
from rulekit.compiled.pattern_parts import CardsFit, Fit, Sink, StandIns, Way, each_listed, listing
from rulekit.compiled.ranges import Span


class WithFit(Fit):
    """Disjoint parts that together are the whole set."""

    free = False

    def __init__(self, lower: Lower, parts: list[Fit]) -> None:
        self.lower, self.b, self.parts = lower, lower.b, parts
        self.least = sum(part.least for part in parts)
        sizes = [part.most for part in parts]
        self.most = None if None in sizes else sum(size for size in sizes if size is not None)
        self.length = sum(part.length for part in parts)

    def fits(self, cards: Expr) -> Expr:
        b = self.b
        cards = b.atom(cards)
        found = b.var(span=Span(0, 1))
        b.set(found, FALSE)
        size = fold.count(cards)
        sized = fold.binary(">=", size, Int(self.least))
        if self.most is not None:
            sized = fold.both(sized, fold.binary("<=", size, Int(self.most)))
        with b.when(sized):
            self.parted(cards, 0, (), lambda _: b.set(found, TRUE))
        return lir.Get(found)

    def parted(self, cards: Expr, at: int, made: tuple[Expr, ...], way: Way) -> None:
        """Writes ``way`` for each way to part all the cards."""
        part, b = self.parts[at], self.b
        if at + 1 == len(self.parts):
            with b.when(part.fits(cards)):
                way((*made, cards))
            return

        def one(some: Expr) -> None:
            some = b.atom(some)
            rest = b.let(fold.without(cards, some))
            self.parted(rest, at + 1, (*made, some), way)

        self.with_empty(part, cards, one)

    def with_empty(self, part: Fit, cards: Expr, sink: Sink) -> None:
        if part.least == 0:
            with self.b.when(part.fits(fold.empty(self.lower.cards))):
                sink(fold.empty(self.lower.cards))
        part.find(cards, sink)

    def find(self, cards: Expr, sink: Sink) -> None:
        self.found(self.b.atom(cards), 0, fold.empty(self.lower.cards), sink)

    def found(self, cards: Expr, at: int, made: Expr, sink: Sink) -> None:
        b = self.b

        def one(some: Expr) -> None:
            some = b.atom(some)
            together = b.let(fold.unite(made, some))
            if at + 1 == len(self.parts):
                sink(together)
            else:
                self.found(b.let(fold.without(cards, some)), at + 1, together, sink)

        self.with_empty(self.parts[at], cards, one)

    def key(self, cards: Expr) -> tuple[Expr, ...]:
        b = self.b
        best = [b.var(span=Span(-(2**31) + 1, 2**31 - 1, True)) for _ in range(self.length)]
        for var in best:
            b.set(var, Int(NONE))

        def way(parts: tuple[Expr, ...]) -> None:
            from rulekit.compiled.keys import Key

            made = Key(tuple(b.atom(x) for x in self.ordered(parts)))
            kept = Key(tuple(lir.Get(var) for var in best))
            b.if_(made.above(kept), [lir.Let(v, x) for v, x in zip(best, made.parts, strict=True)])

        self.parted(b.atom(cards), 0, (), way)
        return tuple(lir.Get(var) for var in best)

    def ordered(self, cards: tuple[Expr, ...]) -> list[Expr]:
        """The keys of the parts: free cards last, the biggest first, then the strongest."""
        groups: dict[tuple[bool, int], list[tuple[Expr, ...]]] = {}
        for part, some in zip(self.parts, cards, strict=True):
            if part.most != part.least:
                raise Unsupported("strength of parts of no certain size")
            groups.setdefault((not part.free, part.least), []).append(part.key(some))
        found: list[Expr] = []
        for group in sorted(groups, reverse=True):
            keys = groups[group]
            if len(keys) == 1:
                found += keys[0]
            elif len(keys) == 2 and len(keys[0]) == len(keys[1]) == 1:
                one, other = self.b.atom(keys[0][0]), self.b.atom(keys[1][0])
                found += [fold.binary("max", one, other), fold.binary("min", one, other)]
            else:
                raise Unsupported("strength of more than two like parts")
        return found


class OrFit(Fit):
    """One of several alternatives."""

    def __init__(self, lower: Lower, parts: list[Fit]) -> None:
        self.lower, self.b, self.parts = lower, lower.b, parts
        sizes = [part.most for part in parts]
        self.least = min(part.least for part in parts)
        self.most = None if None in sizes else max(size for size in sizes if size is not None)
        self.free = all(part.free for part in parts)
        self.length = 1 + max(part.length for part in parts)

    def fits(self, cards: Expr, stand_ins: StandIns = ()) -> Expr:
        from rulekit.compiled.scalars import lazily

        cards = self.b.atom(cards)
        found: Expr = FALSE
        for part in self.parts:
            found = lazily(self.lower, found, partial(wild_fits, part, cards, stand_ins), stop=True)
        return found

    def find(self, cards: Expr, sink: Sink, stand_ins: StandIns = ()) -> None:
        with listing(self.lower) as (add, field, count):
            for part in self.parts:
                if stand_ins:
                    takes_wild(part).find(cards, add, stand_ins)
                else:
                    part.find(cards, add)
        each_listed(self.lower, field, count, sink)

    def key(self, cards: Expr, stand_ins: StandIns = ()) -> tuple[Expr, ...]:
        """The number of the alternative, the last that fits being the highest, then its key."""
        b = self.b
        cards = b.atom(cards)
        found = [b.var(span=Span(-(2**31) + 1, 2**31 - 1, True)) for _ in range(self.length)]
        for var in found:
            b.set(var, Int(NONE))
        for number, part in enumerate(self.parts):
            with b.when(wild_fits(part, cards, stand_ins)):
                key = takes_wild(part).key(cards, stand_ins) if stand_ins else part.key(cards)
                parts = (Int(number), *key)
                for var, value in zip(found, parts, strict=False):
                    b.set(var, value)
                for var in found[len(parts) :]:
                    b.set(var, Int(NONE))
        return tuple(lir.Get(var) for var in found)


def standing_for(lower: Lower, fit: Fit | None, cards: int) -> int:
    """Of cards that a wild one may stand for, as a mask, one of each kind that the part tells apart."""
    parts = fit.parts if isinstance(fit, OrFit) else [fit]
    columns: list[list[tuple[int, ...]]] = []
    for part in parts:
        with lower.b.collect():
            told = part.told_apart() if isinstance(part, CardsFit) else None
        if told is None:
            return cards
        columns.append(told)
    first: dict[tuple[tuple[int, ...], ...], int] = {}
    for card in range(lower.n):
        if cards >> card & 1:
            first.setdefault(tuple(told[card] for told in columns), card)
    return sum(1 << card for card in first.values())


def takes_wild(fit: Fit | None) -> CardsFit | OrFit:
    """A part in which wild cards may stand for others."""
    if isinstance(fit, CardsFit | OrFit):
        return fit
    raise Unsupported("wild cards in a pattern of several parts")


def wild_fits(fit: Fit, cards: Expr, stand_ins: StandIns) -> Expr:
    return takes_wild(fit).fits(cards, stand_ins) if stand_ins else fit.fits(cards)
