"""What an expression depends on: names of state and zones, provenance, locals, chance and `me`."""

from __future__ import annotations

from dataclasses import dataclass

from rulekit.program import expressions as e
from rulekit.program import patterns as p
from rulekit.program.program import Program
from rulekit.program.walk import parts, walk

PROVENANCE = "*player"  #: what the fact `player` reads: who moved which card
TABLE = "*table"  #: what the facts `owner`, `pile` and `face` read: where every card lies


@dataclass(frozen=True)
class Reads:
    """``names``: state and zones, TABLE, PROVENANCE. ``locals``: those not bound inside.

    ``steady``: the value neither depends on `me` nor draws from chance.
    """

    names: frozenset[str]
    locals: frozenset[int]
    steady: bool

    @property
    def constant(self) -> bool:
        """The value is known before any game begins."""
        return self.steady and not self.names and not self.locals


class Reader:
    """Finds what expressions of a program read, through defines and facts."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._known: dict[int, tuple[e.Expr, Reads]] = {}

    def reads(self, expr: e.Expr) -> Reads:
        """What the value of ``expr`` depends on."""
        known = self._known.get(id(expr))
        if known is None:
            # The expression is kept with the answer, so that its identity stays its own.
            known = self._known[id(expr)] = (expr, self._find(expr))
        return known[1]

    def pattern_reads(self, name: str) -> Reads:
        """What decides whether cards fit a pattern, apart from the cards."""
        definition = self.program.patterns[name]
        names: set[str] = set()
        free: set[int] = set()
        steady = True
        todo: list[object] = [definition.part, definition.by, definition.weight, definition.wild]
        bound = {definition.local, definition.weight_local, *definition.parameters}
        inner = [self.pattern_reads(each) for each in definition.classes]
        while todo:
            node = todo.pop()
            match node:
                case e.Expr():
                    inner.append(self.reads(node))
                case p.Constraint():
                    bound.add(node.local)
                    todo.append(node.fact)
                case p.CardsPart():
                    todo += node.constraints
                case p.RepeatedPart() | p.NamedPart():
                    inner.append(self.pattern_reads(node.pattern))
                    todo += node.arguments
                    todo += getattr(node, "constraints", ())
                case p.WithPart(some) | p.OrPart(some):
                    todo += some
        for part in inner:
            names |= part.names
            free |= part.locals
            steady &= part.steady
        return Reads(frozenset(names), frozenset(free - bound), steady)

    def _find(self, expr: e.Expr) -> Reads:
        names: set[str] = set()
        free: set[int] = set()
        steady = True
        match expr:
            case e.Local(number) | e.Answered(number):
                free.add(number)
            case e.Me() | e.Random():
                steady = False
            case e.StateOf(state):
                names.add(state)
            case e.ZoneCards(zone) | e.FamilyCards(zone) | e.ZonePiles(zone):
                names.add(zone)
            case e.PileCards() | e.Stacked():
                names.add(TABLE)
            case e.PileField(zone, field):
                names |= {zone, f"{zone}.{field}"}
            case e.CardFact(fact) if fact in ("owner", "pile", "face"):
                names.add(TABLE)
            case e.CardFact("player"):
                names.add(PROVENANCE)
            case e.FactOf(name):
                fact_def = self.program.facts[name]
                inner = self.reads(fact_def.body)
                names |= inner.names
                free |= inner.locals - {fact_def.local}
                steady &= inner.steady
            case e.CallDefine(name):
                define = self.program.defines[name]
                inner = self.reads(define.body)
                names |= inner.names
                free |= inner.locals - set(define.parameters)
                steady &= inner.steady
            case p.Matches() | p.Instances() | p.BestInstance() | p.Tail() | p.Inside() | p.Beats():
                inner = self.pattern_reads(expr.pattern)
                names |= inner.names
                free |= inner.locals
                steady &= inner.steady
        for child in parts(expr):
            if not isinstance(child, e.Expr):
                continue
            inner = self.reads(child)
            names |= inner.names
            free |= inner.locals
            steady &= inner.steady
        match expr:
            # What the element is bound to in a domain of its own is not read from outside.
            case e.Filter() | e.Collect() | e.Extreme() | e.Every():
                free.discard(expr.local)
        return Reads(frozenset(names), frozenset(free), steady)


def binders(program: Program) -> frozenset[int]:
    """Locals alive only while an expression is evaluated: each `it`, parameters of facts and defines."""
    end = program.end
    ends = (end.ranking, end.local), (end.payoff, end.payoff_local), (end.score, end.score_local)
    found = {local for expr, local in ends if expr is not None}
    found |= {fact.local for fact in program.facts.values()}
    found |= {number for define in program.defines.values() for number in define.parameters}
    found |= {state.start_local for state in program.state.values() if state.start_local is not None}
    parts = (program.facts, program.defines, program.state, program.zones, program.phases, program.moves)
    for node in (*(node for part in parts for node in part.values()), program.play, end):
        for inner in walk(node):
            if isinstance(inner, e.Filter | e.Collect | e.Extreme | e.Every):
                found.add(inner.local)
    return frozenset(found)
