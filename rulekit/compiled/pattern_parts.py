"""Parts of patterns over bit sets: does a set fit, which sets lie inside it, how strong is it?

A stand-in is the card that a wild card stands for, besides the natural cards of the set.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING

from rulekit.compiled import fold, lir
from rulekit.compiled.builder import Unsupported
from rulekit.compiled.collections import BitsColl
from rulekit.compiled.fold import FALSE, TRUE
from rulekit.compiled.lir import NONE, Expr, Int
from rulekit.compiled.pattern_rows import Row, facts_of
from rulekit.compiled.predicates import algebra
from rulekit.compiled.ranges import Span
from rulekit.compiled.selections import SelectionsColl
from rulekit.compiled.sums import Sums, summable
from rulekit.program import expressions as e
from rulekit.program import patterns as p
from rulekit.program import types as t

if TYPE_CHECKING:
    from rulekit.compiled.context import Lower

Sink = Callable[[Expr], None]  #: is given each instance
StandIns = tuple[Expr, ...]  #: the cards that wild cards stand for, besides the natural ones
Way = Callable[[tuple[Expr, ...]], None]  #: is given each key
DIGITS, BASE = 6, 32  #: ranks that are put into one number, five bits each


class Fit:
    """One part, as what writes the code about it.

    ``least``, ``most``  cards of an instance (``most`` None: any number)
    ``free``  nothing ties the cards to each other: they count after those of other parts
    ``length``  how many numbers its key has
    ``in_order``  `find` gives each instance once, in the order of selections
    """

    least: int
    most: int | None
    free: bool
    length: int
    in_order = False

    def fits(self, cards: Expr) -> Expr:
        """The cards as a whole are an instance."""
        raise NotImplementedError

    def find(self, cards: Expr, sink: Sink) -> None:
        """Writes ``sink`` for instances inside the cards; one may come more than once."""
        raise NotImplementedError

    def key(self, cards: Expr) -> tuple[Expr, ...]:
        """The natural key of cards that are an instance: the strongest of the ways to see them as one."""
        raise NotImplementedError


def most_of(lower: Lower, fit: Fit) -> int:
    return lower.n if fit.most is None else min(fit.most, lower.n)


class CardsFit(Fit):
    """So many cards under constraints."""

    def __init__(self, lower: Lower, part: p.CardsPart) -> None:
        self.lower, self.b, self.part = lower, lower.b, part
        self.kind = lower.cards
        self.least, self.most = part.low, part.high
        kinds: dict[str, list[p.Constraint]] = {}
        for constraint in part.constraints:
            kinds.setdefault(constraint.kind, []).append(constraint)
        self.same = [facts_of(lower, c) for c in kinds.get("same", ())]
        self.same_rank = any(is_rank(c) for c in kinds.get("same", ()))
        self.different = [facts_of(lower, c) for c in kinds.get("different", ())]
        self.each = kinds.get("each", [])
        self.where = kinds.get("where", [])
        self.runs = [Row(lower, c) for c in kinds.get("consecutive", ())]
        self.free = not self.same and not self.runs
        self.length = 1
        self.groups = self._groups()
        apart = all(
            one.bit_length() <= (other & -other).bit_length() - 1 for one, other in pairwise(self.groups)
        )
        self.in_order = not self.runs and not self.where and not part.maximal and (not self.same or apart)

    def _groups(self) -> list[int]:
        """The cards parted by what must be the same, as masks."""
        parted: dict[tuple[int, ...], int] = {}
        for card in range(self.lower.n):
            value = tuple(facts[card] for facts in self.same)
            if NONE not in value:
                parted[value] = parted.get(value, 0) | 1 << card
        return list(parted.values())

    def told_apart(self) -> list[tuple[int, ...]] | None:
        """For each card all that the part asks of it; None if that is not printed on the cards."""
        columns = [*self.same, *self.different, *(row.facts for row in self.runs)]
        columns.append(list(self.lower.fact_table("rank")))  # in the key
        for constraint in self.each:
            mask = self.allowed(constraint)
            if not isinstance(mask, lir.Set):
                return None
            columns.append([mask.value >> card & 1 for card in range(self.lower.n)])
        return None if self.where else list(zip(*columns, strict=True))

    # ------------------------------------------------------------ fitting

    def fits(self, cards: Expr, stand_ins: StandIns = ()) -> Expr:
        from rulekit.compiled.scalars import lazily

        cards = self.b.atom(cards)
        found = self.sized(cards, stand_ins)
        for check in (self.alike, self.all_each, self.distinct, self.in_rows, self.holds):
            found = lazily(self.lower, found, partial(check, cards, stand_ins), stop=False)
        return found

    def sized(self, cards: Expr, stand_ins: StandIns) -> Expr:
        size = fold.count(cards)
        more = len(stand_ins)
        if self.most == self.least:
            return fold.equal(size, Int(self.least - more))
        found = fold.binary(">=", size, Int(self.least - more))
        if self.most is not None:
            found = fold.both(found, fold.binary("<=", size, Int(self.most - more)))
        return found

    def alike(self, cards: Expr, stand_ins: StandIns) -> Expr:
        """All have the same facts."""
        if not self.same:
            return TRUE
        table = self.group_of()
        some = fold.some(cards)
        if stand_ins:
            group = self.b.lookup(table, stand_ins[0], self.kind)
            found = fold.both(fold.some(group), fold.negate(fold.some(fold.without(cards, group))))
            for other in stand_ins[1:]:
                found = fold.both(found, fold.has(group, other))
            return found
        group = self.b.lookup(table, fold.lowest(cards), self.kind)
        return fold.either(fold.negate(some), fold.negate(fold.some(fold.without(cards, group))))

    def pool(self) -> Expr:
        """The cards that each condition allows."""
        found: Expr = fold.full(self.kind)
        for constraint in self.each:
            found = fold.intersect(found, self.allowed(constraint))
        return found

    def allowed(self, constraint: p.Constraint) -> Expr:
        lower, b = self.lower, self.b
        domain = lower.domain(t.CARD)

        def holds(card: Expr) -> Expr:
            with lower.bound(constraint.local, card):
                return lower.condition(constraint.fact)

        mask = algebra(lower, domain, holds)
        if mask is not None:
            return mask
        found, card = b.var(self.kind), b.var(span=lower.span(t.CARD))
        b.set(found, fold.empty(self.kind))
        with b.collect() as each:
            one = fold.single(lir.Get(card), self.kind)
            b.if_(holds(lir.Get(card)), [lir.Let(found, fold.unite(lir.Get(found), one))])
        b.emit(lir.ForBits(card, fold.full(self.kind), tuple(each)))
        return lir.Get(found)

    def all_each(self, cards: Expr, stand_ins: StandIns) -> Expr:
        if not self.each:
            return TRUE
        pool = self.b.atom(self.pool())
        found = fold.negate(fold.some(fold.without(cards, pool)))
        for stand_in in stand_ins:
            found = fold.both(found, fold.has(pool, stand_in))
        return found

    def distinct(self, cards: Expr, stand_ins: StandIns) -> Expr:
        found: Expr = TRUE
        for facts in self.different:
            found = fold.both(found, all_different(self.lower, cards, facts, stand_ins))
        return found

    def in_rows(self, cards: Expr, stand_ins: StandIns) -> Expr:
        found: Expr = TRUE
        for row in self.runs:
            found = fold.both(found, fold.binary(">", row.top(cards, stand_ins), FALSE))
        return found

    def holds(self, cards: Expr, stand_ins: StandIns) -> Expr:
        if not self.where:
            return TRUE
        if stand_ins:
            raise Unsupported("a condition about a set with a wild card in it")
        from rulekit.compiled.scalars import lazily

        domain = self.lower.domain(t.CARD)
        found: Expr = TRUE
        for constraint in self.where:
            with self.lower.bound(constraint.local, BitsColl(cards, domain)):
                fact = constraint.fact
                found = lazily(self.lower, found, partial(self.lower.condition, fact), stop=False)
        return found

    # ------------------------------------------------------------ finding

    def find(self, cards: Expr, sink: Sink, stand_ins: StandIns = ()) -> None:
        b = self.b
        if self.part.maximal:
            self.find_maximal(cards, sink)
            return
        pool = b.atom(fold.intersect(cards, self.pool()))
        if not self.same:
            self.candidates(pool, sink, stand_ins)
            return
        if not stand_ins:
            self.by_group(pool, sink)
            return
        number = b.var(span=Span(0, max(0, len(self.groups) - 1)))
        with b.collect() as each:
            mask = b.atom(b.lookup(self.groups, lir.Get(number), self.kind))
            group = b.let(fold.intersect(pool, mask))
            enough = fold.binary(">=", fold.count(group), Int(self.least - len(stand_ins)))
            for stand_in in stand_ins:
                enough = fold.both(fold.has(mask, stand_in), enough)
            with b.when(enough):
                self.candidates(group, sink, stand_ins)
        b.emit(lir.ForRange(number, FALSE, Int(len(self.groups)), tuple(each)))

    def by_group(self, pool: Expr, sink: Sink) -> None:
        """Candidates among cards of each group that some are of, the group of the lowest card first."""
        b = self.b
        table = self.group_of()
        rest = b.var(self.kind)
        b.set(rest, pool)
        with b.collect() as each:
            first = b.let(fold.lowest(lir.Get(rest)))
            group = b.let(fold.intersect(pool, b.lookup(table, first, self.kind)))
            gone = fold.unite(fold.single(first, self.kind), group)
            b.set(rest, fold.without(lir.Get(rest), gone))
            with b.when(fold.binary(">=", fold.count(group), Int(self.least))):
                self.candidates(group, sink, ())
        b.emit(lir.While(fold.some(lir.Get(rest)), tuple(each)))

    def group_of(self) -> list[int]:
        """For each card the cards with the same facts, as a bit set."""
        table = [0] * self.lower.n
        for members in self.groups:
            for card in range(self.lower.n):
                if members >> card & 1:
                    table[card] = members
        return table

    def find_maximal(self, cards: Expr, sink: Sink) -> None:
        """Instances that lie in no larger one."""
        from dataclasses import replace

        b = self.b
        plain = CardsFit(self.lower, replace(self.part, maximal=False))
        with listing(self.lower) as (add, field, count):
            plain.find(cards, add)
        one, other = b.var(span=Span(0, 1 << 20)), b.var(span=Span(0, 1 << 20))
        with b.collect() as each:
            mine = b.let(b.load(field, lir.Get(one)))
            inside = b.var(span=Span(0, 1))
            b.set(inside, FALSE)
            with b.collect() as compare:
                theirs = b.let(b.load(field, lir.Get(other)))
                smaller = fold.negate(fold.some(fold.without(mine, theirs)))
                smaller = fold.both(smaller, fold.negate(fold.same_bits(mine, theirs)))
                b.if_(smaller, [lir.Let(inside, TRUE), lir.Break()])
            b.emit(lir.ForRange(other, FALSE, count, tuple(compare)))
            with b.when(fold.negate(lir.Get(inside))):
                sink(mine)
        b.emit(lir.ForRange(one, FALSE, count, tuple(each)))

    def candidates(self, group: Expr, sink: Sink, stand_ins: StandIns) -> None:
        b = self.b
        if stand_ins:
            self.with_stand_ins(group, sink, stand_ins)
            return

        limit = None if self.runs else self.sum_limit()

        def check(cards: Expr) -> None:
            cards = b.atom(cards)
            found = self.distinct(cards, ())
            from rulekit.compiled.scalars import lazily

            if self.runs[1:]:
                found = lazily(self.lower, found, lambda: self.in_rows(cards, ()), stop=False)
            if limit is None or len(self.where) > 1:
                found = lazily(self.lower, found, lambda: self.holds(cards, ()), stop=False)
            with b.when(found):
                sink(cards)

        if self.runs:
            self.runs[0].windows(group, self.least, most_of(self.lower, self), check)
            return
        high = most_of(self.lower, self)
        domain = self.lower.domain(t.CARD)
        if limit is not None:
            self.adding_up(group, *limit, check)
            return
        SelectionsColl(group, Int(self.least), Int(high), domain).loop(self.lower, check)

    def adding_up(self, group: Expr, weights: list[int], target: Expr, sink: Sink) -> None:
        """Sets of cards that weigh so much together; any that weigh nothing may be added."""
        b, lower, high = self.b, self.lower, most_of(self.lower, self)
        nothing = fold.intersect(
            group, lir.Set(sum(1 << at for at, w in enumerate(weights) if w == 0), self.kind)
        )
        if nothing == fold.empty(self.kind):
            Sums(lower, group, weights, target, self.least, high).loop(sink)
            return
        nothing = b.atom(nothing)

        def more(cards: Expr) -> None:
            def with_some(others: Expr) -> None:
                whole = b.atom(fold.unite(cards, others))
                with b.when(self.sized(whole, ())):
                    sink(whole)

            SelectionsColl(nothing, FALSE, Int(lower.n), lower.domain(t.CARD)).loop(lower, with_some)

        Sums(lower, fold.without(group, nothing), weights, target, 1, high).loop(more)

    def with_stand_ins(self, group: Expr, sink: Sink, stand_ins: StandIns) -> None:
        """Sets of natural cards that fit together with the stand-in."""

        def check(cards: Expr) -> None:
            self.checked(cards, sink, stand_ins)

        low, high = self.least, most_of(self.lower, self)
        if self.runs:
            self.runs[0].windows(group, low, high, check, stand_ins)
            return
        domain = self.lower.domain(t.CARD)
        SelectionsColl(group, Int(max(0, low - len(stand_ins))), Int(high - len(stand_ins)), domain).loop(
            self.lower, check
        )

    def checked(self, cards: Expr, sink: Sink, stand_ins: StandIns) -> None:
        cards = self.b.atom(cards)
        with self.b.when(self.fits(cards, stand_ins)):
            sink(cards)

    def sum_limit(self) -> tuple[list[int], Expr] | None:
        """Weights and what they must add up to, if a condition names a sum of a printed fact, and sets can be
        searched by it: see `Sums`."""
        if self.least < 1:
            return None
        for constraint in self.where:
            match constraint.fact:
                case e.Same(e.Sum(e.Collect(e.Local(whole), local, value)), wanted):
                    pass
                case e.Same(wanted, e.Sum(e.Collect(e.Local(whole), local, value))):
                    pass
                case _:
                    continue
            reads = self.lower.reader.reads(wanted)
            if whole != constraint.local or whole in reads.locals:
                continue
            weights = printed_values(self.lower, value, local)
            if weights is None or not summable(weights):
                continue
            target = self.lower.b.atom(self.lower.num(wanted))
            span = self.lower.b.ranges.of(target)
            if span.none or (0 in weights and span.low <= 0):
                continue
            return weights, target
        return None

    # ------------------------------------------------------------ strength

    def key(self, cards: Expr, stand_ins: StandIns = ()) -> tuple[Expr, ...]:
        b = self.b
        if self.runs:
            return (b.atom(self.runs[0].top(b.atom(cards), stand_ins)),)
        ranks = self.lower.fact_table("rank")
        if self.same_rank:
            if not stand_ins:
                return (b.lookup(ranks, fold.lowest(cards)),)
            some = fold.some(cards)
            return (fold.choose(some, b.lookup(ranks, fold.lowest(cards)), b.lookup(ranks, stand_ins[0])),)
        return (self.ranks_down(b.atom(cards), stand_ins),)

    def ranks_down(self, cards: Expr, stand_ins: StandIns) -> Expr:
        """The ranks of the cards, highest first, in one number; a shorter row before what it begins."""
        b, lower = self.b, self.lower
        ranks = lower.fact_table("rank")
        most = most_of(lower, self)
        count = max(ranks) + 1
        if most > DIGITS or count >= BASE:
            if most == 1 and not stand_ins:
                return b.lookup(ranks, fold.lowest(cards))
            raise Unsupported("strength by the ranks of many cards")
        masks = [sum(1 << card for card in range(lower.n) if ranks[card] == rank) for rank in range(count)]
        total, left = b.var(span=Span(0, BASE**DIGITS)), b.var(span=Span(0, DIGITS))
        b.set(total, FALSE)
        b.set(left, Int(most))
        step, again = b.var(span=Span(0, count - 1)), b.var(span=Span(0, DIGITS))
        with b.collect() as each:
            rank = b.let(fold.binary("-", Int(count - 1), lir.Get(step)))
            many = fold.count(fold.intersect(cards, b.lookup(masks, rank, lower.cards)))
            for stand_in in stand_ins:
                many = fold.binary("+", many, fold.equal(b.lookup(ranks, stand_in), rank))
            with b.collect() as digit:
                b.set(total, fold.add(fold.binary("*", lir.Get(total), Int(BASE)), fold.add(rank, 1)))
                b.set(left, fold.add(lir.Get(left), -1))
            b.emit(lir.ForRange(again, FALSE, many, tuple(digit)))
        b.emit(lir.ForRange(step, FALSE, Int(count), tuple(each)))
        shift = b.lookup([BASE**places for places in range(most + 1)], lir.Get(left))
        return b.let(fold.binary("*", lir.Get(total), shift))


def is_rank(constraint: p.Constraint) -> bool:
    return isinstance(constraint.fact, e.CardFact) and constraint.fact.fact == "rank"


def printed_values(lower: Lower, value: e.Expr, local: int) -> list[int] | None:
    """The value for each card, if the card alone tells it."""
    reads = lower.reader.reads(value)
    if not reads.steady or reads.names or not reads.locals <= {local}:
        return None
    found = []
    for card in range(lower.n):
        with lower.b.collect() as stmts, lower.bound(local, Int(card)):
            made = lower.num(value)
        if stmts or not isinstance(made, Int):
            return None
        found.append(made.value)
    return found


def all_different(lower: Lower, cards: Expr, facts: list[int], stand_ins: StandIns = ()) -> Expr:
    """No two of the cards have the same fact, and all have it."""
    b = lower.b
    there = sorted({fact for fact in facts if fact != NONE})
    places = {fact: at for at, fact in enumerate(there)}
    numbers = [places.get(fact, -1) for fact in facts]
    kind = lir.Bits(max(1, len(there)))
    seen, good, card = b.var(kind), b.var(span=Span(0, 1)), b.var(span=Span(0, lower.n - 1))
    b.set(seen, fold.empty(kind))
    b.set(good, TRUE)

    def look(one: Expr, *leave: lir.Stmt) -> list[lir.Stmt]:
        with b.collect() as stmts:
            number = b.let(b.lookup(numbers, one))
            bad: Expr = fold.has(lir.Get(seen), number)
            if -1 in numbers:
                bad = fold.either(fold.binary("<", number, FALSE), bad)
            add = lir.Let(seen, fold.unite(lir.Get(seen), fold.single(number, kind)))
            b.if_(bad, [lir.Let(good, FALSE), *leave], [add])
        return stmts

    b.emit(lir.ForBits(card, cards, tuple(look(lir.Get(card), lir.Break()))))
    for stand_in in stand_ins:
        b.emit(*look(stand_in))
    return lir.Get(good)


@contextmanager
def listing(lower: Lower, most: int = 1 << 12) -> Iterator[tuple[Sink, str, Expr]]:
    """Instances written one after another into a scratch field: what adds one, the field, how many there
    are.
    """
    from rulekit.program.faults import TOO_MANY

    b = lower.b
    field = b.field(lower.fresh("found"), lower.cards, most, scratch=True)
    count = b.var(span=Span(0, most))
    b.set(count, FALSE)

    def add(cards: Expr) -> None:
        told = f"more than {most} sets of cards fit a pattern, which compiled engines do not list"
        full = b.trap(TOO_MANY, told, None, beyond=True)
        b.if_(fold.binary(">=", lir.Get(count), Int(most)), [full])
        b.store(field, cards, lir.Get(count))
        b.set(count, fold.add(lir.Get(count), 1))

    yield add, field, lir.Get(count)


def each_listed(lower: Lower, field: str, count: Expr, sink: Sink) -> None:
    """Writes ``sink`` for each of the sets in a field."""
    b = lower.b
    at = b.var(span=Span(0, 1 << 20))
    with b.collect() as each:
        sink(b.let(b.load(field, lir.Get(at))))
    b.emit(lir.ForRange(at, FALSE, count, tuple(each)))
