"""The best partition of cards into instances of a pattern: most weight, then fewest sets, then first in
order.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulekit.compiled import fold, lir
from rulekit.compiled.builder import Unsupported
from rulekit.compiled.fold import FALSE
from rulekit.compiled.lir import NONE, Expr, Int
from rulekit.compiled.pattern_parts import printed_values
from rulekit.compiled.ranges import Span
from rulekit.program.faults import TOO_MANY

if TYPE_CHECKING:
    from rulekit.compiled.context import Lower
    from rulekit.compiled.patterns import PatternFit

MOST_INSTANCES = 1 << 13
MOST_ROUNDS = 1 << 20  #: of the search; where it takes more the reference engine, which remembers, goes on


class Partition:
    """A function that fills `sets` with the sets of the best partition, ascending, and `count`; it gives
    the cards
    they cover."""

    def __init__(self, lower: Lower, pattern: PatternFit) -> None:
        self.lower, self.b, self.pattern = lower, lower.b, pattern
        self.kind = lower.cards
        self.name = lower.fresh("partition")
        self.most = max(1, lower.n // max(1, pattern.least))
        b, most, name = self.b, self.most, self.name
        self.sets = b.field(f"{name}_sets", self.kind, most, scratch=True)
        self.count = b.field(f"{name}_count", scratch=True, span=Span(0, most))
        self.chosen = b.field(f"{name}_chosen", count=most + 1, scratch=True, span=Span(0, MOST_INSTANCES))
        self.nexts = b.field(f"{name}_next", count=most + 1, scratch=True, span=Span(0, MOST_INSTANCES))
        self.used = b.field(f"{name}_used", self.kind, most + 1, scratch=True)
        self.weight = b.field(f"{name}_weight", count=most + 1, scratch=True, span=Span(0, 1 << 24))
        self.rest = b.field(f"{name}_rest", self.kind, MOST_INSTANCES + 1, scratch=True)
        self.own = b.field(f"{name}_own", count=MOST_INSTANCES, scratch=True, span=Span(0, 1 << 24))
        self._written = False

    def call(self, cards: Expr) -> Expr:
        if not self._written:
            self.write()
        return self.b.call(self.name, [cards, *self.pattern.arguments()], self.kind)

    def weights(self) -> list[int]:
        definition = self.pattern.definition
        if definition.weight is None:
            return [1] * self.lower.n
        values = printed_values(self.lower, definition.weight, definition.weight_local)
        if values is None or any(value < 0 and value != NONE for value in values):
            raise Unsupported("a weight that is not printed on the cards", definition.span)
        return [0 if value == NONE else value for value in values]

    def weigh(self, cards: Expr, weights: list[int]) -> Expr:
        """What cards weigh together."""
        b = self.b
        groups: dict[int, int] = {}
        for number, weight in enumerate(weights):
            if weight:
                groups[weight] = groups.get(weight, 0) | 1 << number
        if len(groups) <= 4:
            total: Expr = FALSE
            for weight, mask in sorted(groups.items()):
                held = fold.count(fold.intersect(cards, lir.Set(mask, self.kind)))
                total = fold.binary("+", total, fold.binary("*", Int(weight), held))
            return total
        var, card = b.var(span=Span(0, 1 << 24)), b.var(span=Span(0, self.lower.n - 1))
        b.set(var, FALSE)
        add = lir.Let(var, fold.binary("+", lir.Get(var), b.lookup(weights, lir.Get(card))))
        b.emit(lir.ForBits(card, cards, (add,)))
        return lir.Get(var)

    def write(self) -> None:
        b, kind = self.b, self.kind
        weights = self.weights()
        cards = b.var(kind)
        parameters, values = self.pattern.parameters()
        outer, self.lower.env = self.lower.env, {**self.lower.env, **values}
        with b.collect() as body:
            count = b.let(self.pattern.found(lir.Get(cards)))
            self.prepare(count, weights)
            best, fewest, covered = b.var(span=Span(0, 1 << 24)), b.var(span=Span(0, self.most)), b.var(kind)
            b.set(best, FALSE)
            b.set(fewest, FALSE)
            b.set(covered, fold.empty(kind))
            b.store(self.count, 0)
            depth = b.var(span=Span(-1, self.most))
            b.set(depth, FALSE)
            b.store(self.nexts, 0, FALSE)
            b.store(self.used, fold.empty(kind), FALSE)
            b.store(self.weight, 0, FALSE)
            rounds_left = b.var(span=Span(0, MOST_ROUNDS))
            b.set(rounds_left, Int(MOST_ROUNDS))
            with b.collect() as rounds:
                told = f"too many ways to part cards into `{self.pattern.definition.name}`"
                full = b.trap(TOO_MANY, told, self.pattern.definition.span, beyond=True)
                b.if_(fold.equal(lir.Get(rounds_left), FALSE), [full])
                b.set(rounds_left, fold.add(lir.Get(rounds_left), -1))
                self.round(count, weights, depth, best, fewest, covered)
            b.emit(lir.While(fold.binary(">=", lir.Get(depth), FALSE), tuple(rounds)))
            b.emit(lir.Return(lir.Get(covered)))
        self.lower.env = outer
        b.function(self.name, [cards, *parameters], kind, body)
        self._written = True

    def prepare(self, count: Expr, weights: list[int]) -> None:
        """For each instance its weight, and the cards that it and all later ones hold."""
        b = self.b
        b.store(self.rest, fold.empty(self.kind), count)
        step = b.var(span=Span(0, MOST_INSTANCES))
        with b.collect() as each:
            at = b.let(fold.binary("-", fold.add(count, -1), lir.Get(step)))
            one = b.let(b.load(self.pattern._list, at))
            b.store(self.rest, fold.unite(b.load(self.rest, fold.add(at, 1)), one), at)
            b.store(self.own, self.weigh(one, weights), at)
        b.emit(lir.ForRange(step, FALSE, count, tuple(each)))

    def round(
        self,
        count: Expr,
        weights: list[int],
        depth: lir.Var,
        best: lir.Var,
        fewest: lir.Var,
        covered: lir.Var,
    ) -> None:
        """Another instance beside those chosen, or back. Instances come in order, so of equals the first is
        kept.
        """
        b = self.b
        here = lir.Get(depth)
        at = b.let(b.load(self.nexts, here))
        used = b.let(b.load(self.used, here))
        weight = b.let(b.load(self.weight, here))
        over = b.var(span=Span(0, 1))
        b.set(over, fold.either(fold.binary(">=", at, count), fold.binary(">=", here, Int(self.most))))
        with b.when(fold.negate(lir.Get(over))):
            # What is left cannot make up for what is missing.
            left = b.let(fold.without(b.load(self.rest, at), used))
            possible = fold.binary("+", weight, self.weigh(left, weights))
            b.set(over, fold.binary("<", possible, lir.Get(best)))
        with b.collect() as back:
            b.set(depth, fold.add(here, -1))
        with b.collect() as more:
            b.store(self.nexts, fold.add(at, 1), here)
            one = b.let(b.load(self.pattern._list, at))
            with b.when(fold.negate(fold.some(fold.intersect(one, used)))):
                b.store(self.chosen, at, here)
                b.set(depth, fold.add(here, 1))
                union = b.let(fold.unite(used, one))
                total = b.let(fold.binary("+", weight, b.load(self.own, at)))
                b.store(self.used, union, lir.Get(depth))
                b.store(self.weight, total, lir.Get(depth))
                b.store(self.nexts, fold.add(at, 1), lir.Get(depth))
                better = fold.either(
                    fold.binary(">", total, lir.Get(best)),
                    fold.both(
                        fold.equal(total, lir.Get(best)), fold.binary("<", lir.Get(depth), lir.Get(fewest))
                    ),
                )
                with b.when(better):
                    b.set(best, total)
                    b.set(fewest, lir.Get(depth))
                    b.set(covered, union)
                    b.store(self.count, lir.Get(depth))
                    place = b.var(span=Span(0, self.most))
                    with b.collect() as keep:
                        chosen = b.load(self.chosen, lir.Get(place))
                        b.store(self.sets, b.load(self.pattern._list, chosen), lir.Get(place))
                    b.emit(lir.ForRange(place, FALSE, lir.Get(depth), tuple(keep)))
        b.if_(lir.Get(over), back, more)
