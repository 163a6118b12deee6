"""Where a ruleset searches among sets of cards, and among how many cards it surely does.

A search is taken to be made among so many cards as there are if no zone holds more than at some point it
surely does, such as a hand after the deal: what is too long then is too long in every game.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rulekit.checks.faces import FaceEstimator
from rulekit.checks.instances import Instances
from rulekit.checks.study import Study
from rulekit.program import expressions as e
from rulekit.program import patterns as p
from rulekit.program import types as t
from rulekit.program.bounds import Known, Range, Size, Value
from rulekit.program.statements import Stmt
from rulekit.program.walk import own_expressions, parts

Asked = e.Selections | p.Instances | p.BestInstance | p.Inside | p.Matches | p.Tail

_CALLS = 2_000  #: calls of defines with other arguments that are looked into
_PLAIN = (e.CardFact, e.Local, e.Constant, e.Option, e.StateOf)


@dataclass(frozen=True)
class Search:
    """A search among ``cards`` things, at worst among ``sets`` of them."""

    expr: Asked
    cards: int
    sets: int


class Searches:
    """All searches of a program."""

    def __init__(self, study: Study) -> None:
        self.study, self.program = study, study.program
        table = study.flow.table
        zones = {name: Range(0, cards) for name, cards in study.watching.lying.items()}
        self.known = Known(zones=zones, options=table.options)
        self.estimator = _Fullest(study)
        self.counts = Instances(study.program, FaceEstimator(study.program, table, study.uses), self.known)
        self._met: dict[int, tuple[Asked, int]] = {}
        self._seen: set[tuple[object, ...]] = set()

    def found(self, most: int = 0) -> list[Search]:
        """Each search once, in the order in which it is met; perhaps not those of at most ``most`` sets."""
        for node in self._roots():
            if node is not None:
                self._visit(node)
        asked = [
            (expr, cards)
            for expr, cards in self._met.values()
            if 3 ** min(cards, 40) > most or isinstance(expr, e.Selections) or self.counts.wild(expr.pattern)
        ]
        return [Search(expr, cards, self.sets(expr, cards)) for expr, cards in asked]

    def _roots(self) -> Iterator[object]:
        program = self.program
        for unit in self.study.units:
            yield from self.study.nodes(unit)
            for stmt in self.study.statements(unit):
                yield from own_expressions(stmt)
        yield from (program.end.ranking, program.end.payoff, program.end.score)

    def sets(self, expr: Asked, cards: int) -> int:
        """How many sets the search looks at, at worst, among so many cards."""
        match expr:
            case e.Selections(low, high):
                fewest = self.estimator.number(low, self.known).low
                most = None if high is None else self.estimator.number(high, self.known).high
                return self.counts.subsets(fewest, most, cards)
            case p.Matches(_, name):
                return self.counts.whole(name, cards)
            case p.Tail(_, name):
                return cards * self.counts.whole(name, cards)
        return self.counts.inside(expr.pattern, cards)

    # ------------------------------------------------------------ walking

    def _visit(self, node: object) -> None:
        match node:
            case e.Filter(domain, local, inner) | e.Every(domain, local, inner):
                self._each(domain, local, inner)
            case e.Extreme(_, domain, local, inner) | e.Collect(domain, local, inner):
                self._each(domain, local, inner)
            case e.CallDefine(name, arguments):
                self._call(name, arguments)
            case e.FactOf(name, card):
                self._visit(card)
                if ("fact", name) not in self._seen:
                    self._seen.add(("fact", name))
                    self._visit(self.program.facts[name].body)
            case e.Selections(of=of):
                self._note(node, of)
            case p.Instances(of) | p.BestInstance(of) | p.Inside(of) | p.Matches(of) | p.Tail(of):
                self._note(node, of)
            case _:
                for part in parts(node):
                    if not isinstance(part, Stmt):
                        self._visit(part)

    def _each(self, domain: e.Expr, local: int, inner: e.Expr) -> None:
        self._visit(domain)
        if not isinstance(inner, _PLAIN):
            self._where({local: self.estimator.size(domain, self.known).of}, inner)

    def _call(self, name: str, arguments: tuple[e.Expr, ...]) -> None:
        for argument in arguments:
            self._visit(argument)
        define = self.program.defines[name]
        values = [self.estimator.value(argument, self.known) for argument in arguments]
        key = (name, *values)
        if key not in self._seen and len(self._seen) < _CALLS:
            self._seen.add(key)
            self._where(dict(zip(define.parameters, values, strict=True)), define.body)

    def _where(self, values: dict[int, Value], inner: e.Expr) -> None:
        """What stands where these locals are known."""
        known = self.known.locals
        before = {number: known.get(number) for number in values}
        known.update(values)
        self.known.memo.clear()
        self._visit(inner)
        for number, value in before.items():
            if value is None:
                del known[number]
            else:
                known[number] = value
        self.known.memo.clear()

    def _note(self, node: Asked, of: e.Expr) -> None:
        self._visit(of)
        _, before = self._met.get(id(node), (node, 0))
        self._met[id(node)] = node, max(before, self.estimator.size(of, self.known).high)


class _Fullest(FaceEstimator):
    """Takes zones to hold what they are known to hold, and locals to be what they are made from."""

    def __init__(self, study: Study) -> None:
        super().__init__(study.program, study.flow.table, study.uses)
        self._bindings = study.bindings
        self._locals: dict[int, Value] = {}

    def value(self, expr: e.Expr, known: Known) -> Value:
        if (
            isinstance(expr, e.Local)
            and expr.number not in known.locals
            and isinstance(expr.type, t.Collection)
        ):
            return self._made(expr, known)
        return super().value(expr, known)

    def _cards(self, zone: str, known: Known, members: Range) -> Size:
        if zone not in self.plain_zones:
            return Size(0, 0, self.top(t.CARD))
        return super()._cards(zone, known, members)

    def _any_cards(self, low: int) -> Size:
        return Size(low, low, self.top(t.CARD))

    def _made(self, local: e.Local, known: Known) -> Value:
        """What is put into a `let` or a parameter, or chosen or visited among selections."""
        if local.number not in self._locals:
            whole = super().value(local, known)
            of = whole.of if isinstance(whole, Size) else whole
            self._locals[local.number] = Size(0, 0, of)  # for where it is made from itself
            most = 0
            for source in self._bindings.get(local.number, ()):
                found = self.size(source, known)
                several = isinstance(source.type, t.SelectionsOf) and isinstance(found.of, Size)
                most = max(most, found.of.high if several and isinstance(found.of, Size) else found.high)
            self._locals[local.number] = Size(0, most, of)
        return self._locals[local.number]
