"""How many sets of cards fit a part of a pattern, without listing them: where only what is alike matters, or
what they weigh together.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from math import comb

from rulekit.compiled import fold, lir
from rulekit.compiled.fold import FALSE
from rulekit.compiled.lir import Expr, Int
from rulekit.compiled.pattern_parts import CardsFit, most_of
from rulekit.compiled.ranges import Span

FEWEST = 4  #: cards whose sums must have room in a word, for it to be worth while


def counted(part: CardsFit, cards: Expr, listed: Callable[[], Expr], most: int) -> Expr | None:
    """How many sets of these cards fit; None if that is found out by listing them only.

    ``listed``  gives the number by listing them
    ``most``  so many can be listed, and more are a fault
    """
    if part.least < 1 or part.runs or part.different or part.part.maximal:
        return None
    if part.same:
        return None if part.where else alike(part, cards, most)
    return adding_up(part, cards, listed, most) if len(part.where) == 1 else None


def alike(part: CardsFit, cards: Expr, most: int) -> Expr | None:
    """Sets within one of the groups. Each is counted at its highest card: the others are some of the cards
    below it in its group."""
    b, high = part.b, most_of(part.lower, part)

    def among(others: int) -> int:
        return sum(comb(others, size - 1) for size in range(part.least, high + 1))

    sizes = [group.bit_count() for group in part.groups]
    bound = sum(among(below) for size in sizes for below in range(size))
    if not sizes or bound > most:
        return None
    pool = fold.intersect(cards, fold.intersect(part.pool(), lir.Set(sum(part.groups), part.kind)))
    lower = [group & (1 << card) - 1 for card, group in enumerate(part.group_of())]
    found, card = b.var(span=Span(0, bound)), b.var(span=Span(0, part.lower.n - 1))
    pool = b.atom(pool)
    b.set(found, FALSE)
    with b.collect() as each:
        others = fold.count(fold.intersect(pool, b.lookup(lower, lir.Get(card), part.kind)))
        more = b.lookup([among(below) for below in range(max(sizes))], others)
        b.set(found, fold.binary("+", lir.Get(found), more))
    b.emit(lir.ForBits(card, pool, tuple(each)))
    return lir.Get(found)


def adding_up(part: CardsFit, cards: Expr, listed: Callable[[], Expr], most: int) -> Expr | None:
    """Sets that weigh so much together, as long as there are so few cards that `lir.Ways` can count them;
    listed if there are more."""
    b = part.b
    with b.collect() as stmts:
        limit = part.sum_limit()
    if limit is None or stmts or part.least > 2:
        return None
    weights, target = limit
    if not isinstance(target, Int) or not 1 <= target.value < 64 or 0 in weights:
        return None
    light = [weight if 1 <= weight <= target.value else 0 for weight in weights]
    lane = lir.Ways(fold.empty(part.kind), "", target.value).lane
    few = 0
    # Of sets of one sum none lies inside another, since all members weigh something: there are no more than
    # sets of half the members.
    while comb(few + 1, (few + 1) // 2) < min(1 << lane, most):
        few += 1
    few = min(few, most_of(part.lower, part))
    if few < FEWEST:
        return None
    pool = b.let(fold.intersect(cards, fold.intersect(part.pool(), members(part, light, range(1, 64)))))
    found = b.var(span=Span(0, most))
    with b.collect() as counting:
        number: Expr = lir.Ways(pool, b.table(tuple(light)), target.value)
        if part.least == 2:
            alone = fold.count(fold.intersect(pool, members(part, light, (target.value,))))
            number = fold.binary("-", number, alone)
        b.set(found, number)
    with b.collect() as listing:
        b.set(found, listed())
    b.if_(fold.binary("<=", fold.count(pool), Int(few)), counting, listing)
    return lir.Get(found)


def members(part: CardsFit, weights: Sequence[int], wanted: Container[int]) -> lir.Set:
    """The cards that have one of these weights."""
    return lir.Set(sum(1 << card for card, weight in enumerate(weights) if weight in wanted), part.kind)
