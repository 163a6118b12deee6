"""The expressions about patterns: does a set fit, which instances are there, what beats what."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulekit.compiled import fold, lir
from rulekit.compiled.collections import BitsColl, Coll, EmptyColl, PileColl
from rulekit.compiled.context import Lower, lowers
from rulekit.compiled.domains import Domain
from rulekit.compiled.fold import FALSE
from rulekit.compiled.gather import set_bits
from rulekit.compiled.keys import Key
from rulekit.compiled.lir import NONE, Expr, Int
from rulekit.compiled.lists import ListColl, listed
from rulekit.compiled.partition import Partition
from rulekit.compiled.pattern_tails import Tail, growing
from rulekit.compiled.patterns import MOST_FOUND, CalledFit, PatternFit
from rulekit.compiled.ranges import Span
from rulekit.program import patterns as p
from rulekit.program import types as t


def asked(lower: Lower, x: Any) -> CalledFit:
    """The pattern that an expression asks about, with its arguments."""
    known: list[PatternFit] = lower.defines.setdefault(f"pattern {x.pattern}", [])
    for pattern in known:
        if not pattern.busy:
            return CalledFit(lower, pattern, x.arguments)
    known.append(PatternFit(lower, x.pattern))
    return CalledFit(lower, known[-1], x.arguments)


def cards_of(lower: Lower, x: Any) -> Expr:
    return lower.b.atom(set_bits(lower, lower.coll(x), x))


@lowers(p.Matches)
def _matches(lower: Lower, x: p.Matches) -> Any:
    return asked(lower, x).fits(cards_of(lower, x.cards))


@lowers(p.Beats)
def _beats(lower: Lower, x: p.Beats) -> Any:
    left = cards_of(lower, x.left)
    return asked(lower, x).beats(left, cards_of(lower, x.right))


@lowers(p.BestInstance)
def _best_instance(lower: Lower, x: p.BestInstance) -> Any:
    cards = cards_of(lower, x.cards)
    b = lower.b
    called = asked(lower, x)
    found = [b.var(span=Span(-(2**31) + 1, 2**31 - 1, True)) for _ in range(called.length)]
    for var in found:
        b.set(var, Int(NONE))
    with called.bound():
        for var, part in zip(found, called.pattern.best(cards), strict=True):
            b.set(var, part)
    return Key(tuple(lir.Get(var) for var in found))


class InstancesColl(Coll):
    """All instances inside cards, in order."""

    def __init__(self, called: CalledFit, cards: Expr, of: Domain, env: dict[int, Any]) -> None:
        self.called, self.cards, self.sets, self.env = called, cards, of.kind, env
        self.flat = False
        self.stands = True  # in a list of its own, while nobody asks again
        self.countable = True

    def loop(self, lower: Lower, body: Callable[[Expr], None]) -> None:
        outer = lower.env

        def inside(one: Expr) -> None:
            within, lower.env = lower.env, outer
            try:
                body(one)
            finally:
                lower.env = within

        lower.env = self.env
        try:
            self.called.find(self.cards, inside)
        finally:
            lower.env = outer

    def count(self, lower: Lower) -> Expr:
        b = lower.b
        found = b.var(span=Span(0, MOST_FOUND))
        b.set(found, FALSE)
        outer, lower.env = lower.env, self.env
        with self.called.bound():
            b.set(found, self.called.pattern.counted(self.cards))
        lower.env = outer
        return lir.Get(found)

    def some(self, lower: Lower) -> Expr:
        return fold.binary(">", self.count(lower), FALSE)


@lowers(p.Instances)
def _instances(lower: Lower, x: p.Instances) -> Any:
    cards = cards_of(lower, x.cards)
    return InstancesColl(asked(lower, x), cards, lower.domain(t.CARD), dict(lower.env))


class TailColl(PileColl):
    """The end of a pile, whose cards are known as a set too."""

    def bits(self, lower: Lower) -> Expr:
        return self.mask


@lowers(p.Tail)
def _tail(lower: Lower, x: p.Tail) -> Any:
    """The longest end of a pile that is an instance."""
    b, domain = lower.b, lower.domain(t.CARD)
    coll = lower.coll(x.cards)
    if isinstance(coll, EmptyColl):
        return coll
    pile = None
    if isinstance(coll, PileColl) and coll.start is None:
        pile = coll
        size: Expr = b.let(lir.PileSize(coll.pile))
    else:
        written = listed(lower, coll, most=lower.n)
        size = b.atom(written.length)

    def item(at: Expr) -> Expr:
        return lir.PileAt(pile.pile, at) if pile else b.load(written.field, at)

    called = asked(lower, x)
    part = growing(called.pattern)
    if part is not None and not called.given:
        tail = Tail(lower, part, size, item)
        start, found = tail.start, tail.cards
    else:
        start, found = _by_trying(called, coll.bits(lower), size, item)
    if pile is None:
        return BitsColl(lir.Get(found), domain)
    return TailColl(pile.pile, lir.Get(found), domain, lir.Get(start))


def _by_trying(
    called: CalledFit, cards: Expr, size: Expr, item: Callable[[Expr], Expr]
) -> tuple[lir.Var, lir.Var]:
    """The longest end that fits: asks about all the cards, then about one less, and so on."""
    lower, b = called.lower, called.lower.b
    rest, found = b.var(lower.cards), b.var(lower.cards)
    at, start = b.var(span=Span(0, lower.n)), b.var(span=Span(0, lower.n))
    b.set(rest, cards)
    b.set(start, size)
    b.set(found, fold.empty(lower.cards))
    with b.collect() as each:
        with b.when(called.fits(lir.Get(rest))):
            b.emit(lir.Let(start, lir.Get(at)), lir.Let(found, lir.Get(rest)), lir.Break())
        card = b.atom(item(lir.Get(at)))
        b.set(rest, fold.without(lir.Get(rest), fold.single(card, lower.cards)))
    b.emit(lir.ForRange(at, FALSE, size, tuple(each)))
    return start, found


@lowers(p.Inside)
def _inside(lower: Lower, x: p.Inside) -> Any:
    cards = cards_of(lower, x.cards)
    called = asked(lower, x)
    key = f"partition {x.pattern} {id(called.pattern)}"
    partition = lower.defines.get(key)
    if partition is None:
        partition = lower.defines[key] = Partition(lower, called.pattern)
    domain = lower.domain(t.CARD)
    b = lower.b
    covered = b.var(domain.kind)
    b.set(covered, fold.empty(domain.kind))
    b.store(partition.count, 0)
    with called.bound():
        b.set(covered, partition.call(cards))
    if x.outside:
        return BitsColl(fold.without(cards, lir.Get(covered)), domain)
    # A copy: the same question may be asked again while the answer is gone through.
    name = b.field(lower.fresh("inside"), domain.kind, partition.most, scratch=True)
    at, count = b.var(span=Span(0, partition.most)), b.let(b.load(partition.count))
    with b.collect() as each:
        b.store(name, b.load(partition.sets, lir.Get(at)), lir.Get(at))
    b.emit(lir.ForRange(at, FALSE, count, tuple(each)))
    return ListColl(name, count, None, sets=domain.kind)
