"""How long a rule takes at worst: what could not end in anybody's lifetime is refused before it runs.

Counted are steps: one for each expression and statement, times the elements of what is gone through. The
count is rough and errs on the high side; what is refused is a hundred times beyond what real rules need.
An ask begins anew: decisions have a limit of their own (`end.limit`), and so have the rounds of `until`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import comb

from rulekit.diagnostics import Span
from rulekit.language.coerce import element, strip
from rulekit.language.names import index_type
from rulekit.language.world import World
from rulekit.program import expressions as e
from rulekit.program import statements as st
from rulekit.program import types as t
from rulekit.program.program import DefineDef, FactDef, MoveDef, PhaseDef
from rulekit.program.walk import parts

MOST_STEPS = 10**9
MANY = 1000  #: taken for a number or a size that is not known


class Effort:
    """Counts steps in the definitions, phases and moves of one game."""

    def __init__(
        self,
        world: World,
        defines: Mapping[str, DefineDef],
        facts: Mapping[str, FactDef],
        phases: Mapping[str, PhaseDef],
    ) -> None:
        self.world = world
        self.defines = defines
        self.facts = facts
        self.phases = phases
        self.known: dict[tuple[str, str], int] = {}
        self.reported: set[Span] = set()

    def check(self, play: tuple[st.Stmt, ...], moves: Iterable[MoveDef]) -> None:
        """Report what takes too long. Phases do not call each other in circles."""
        for name in self.defines:
            self.inside("define", name)
        for name in self.facts:
            self.inside("fact", name)
        self.list(play)
        for name in self.phases:
            self.phase(name)
        for move in moves:
            for part in (move.choices, move.conditions, move.again):
                self.expressions(part)
            self.list(move.body)

    # ------------------------------------------------------------ expressions

    def expressions(self, node: object) -> int:
        """Steps of all expressions that stand in something."""
        if node is None:
            return 0
        if isinstance(node, e.Expr):
            return self.steps(node)
        return sum(self.expressions(part) for part in parts(node) if not isinstance(part, st.Stmt))

    def steps(self, x: e.Expr) -> int:
        """Steps of one evaluation."""
        match x:
            case e.CallDefine(name, arguments):
                own = self.inside("define", name)
                return 1 + own + sum(self.steps(argument) for argument in arguments)
            case e.FactOf(name, card):
                return 1 + self.inside("fact", name) + self.steps(card)
            case e.Filter(domain, _, each) | e.Every(domain, _, each) | e.Extreme(_, domain, _, each):
                count = self.steps(domain) + self.size(domain.type) * self.steps(each)
            case e.Collect(domain, _, each):
                count = self.steps(domain) + self.size(domain.type) * self.steps(each)
            case e.Numbers(low, high):
                count = self.steps(low) + self.steps(high) + 100 * numbers(low, high)
            case e.Selections(low, high, of):
                count = self.steps(of) + 10 * self.subsets(low, high, of)
            case _:
                return 1 + sum(self.steps(part) for part in parts(x) if isinstance(part, e.Expr))
        return self.within(count, x.span)

    def subsets(self, low: e.Expr, high: e.Expr | None, of: e.Expr) -> int:
        """How many subsets there are of a set whose size is known; of other sets nothing is known here."""
        if not isinstance(of, e.Deck) or not isinstance(low, e.Constant) or not isinstance(low.value, int):
            return MANY
        size = self.world.max_cards
        most = high.value if isinstance(high, e.Constant) and isinstance(high.value, int) else size
        return sum(comb(size, k) for k in range(max(low.value, 0), min(most, size) + 1))

    def inside(self, kind: str, name: str) -> int:
        key = (kind, name)
        if key not in self.known:
            self.known[key] = 1  # a circle is reported elsewhere
            body = self.defines[name].body if kind == "define" else self.facts[name].body
            place = self.defines[name].span if kind == "define" else self.facts[name].span
            self.known[key] = self.within(self.steps(body), place)
        return self.known[key]

    def size(self, of: t.Type) -> int:
        """How many elements a collection may have."""
        if isinstance(of, t.SelectionsOf):
            return MANY
        match strip(element(of)):
            case t.Card():
                return self.world.max_cards
            case t.Player() | t.Team():
                return self.world.tree.players[1]
            case t.Suit():
                return max(1, len(self.world.suits))
            case t.Rank():
                return len(self.world.ranks)
            case t.Word(name):
                return len(self.world.words[name])
            case t.Pile(zone) if zone in self.world.zones:
                family = self.world.zones[zone]
                return family.count * (
                    1 if family.per is None else self.size(t.SetOf(index_type(family.per)))
                )
            case t.Int(low, high) if high - low < MANY:
                return max(self.world.max_cards, high - low + 1)
        return MANY

    # ------------------------------------------------------------ statements

    def list(self, body: tuple[st.Stmt, ...]) -> int:
        return sum(self.statement(node) for node in body)

    def statement(self, node: st.Stmt) -> int:
        """Steps until the statement is done, or asks."""
        match node:
            case st.If(branches, otherwise):
                tests = sum(self.steps(condition) for condition, _ in branches)
                return tests + max([self.list(otherwise), *(self.list(body) for _, body in branches)])
            case st.For(_, domain, body):
                count = self.steps(domain) + self.size(domain.type) * self.list(body)
            case st.Repeat(times, body):
                high = times.type.high if isinstance(times.type, t.Int) else MANY
                if not isinstance(times, e.Constant):
                    high = min(high, MANY)
                count = self.steps(times) + max(high, 0) * self.list(body)
            case st.Until(condition, body):
                return self.steps(condition) + self.list(body)
            case st.Call(phase, arguments):
                return 1 + self.phase(phase) + sum(self.steps(argument) for argument in arguments)
            case _:
                return 1 + self.expressions(node)
        return self.within(count, node.span)

    def phase(self, name: str) -> int:
        key = ("phase", name)
        phase = self.phases.get(name)
        if key not in self.known and phase is not None:
            self.known[key] = 1
            count = self.expressions(phase.stop_when) + self.list(phase.body) + self.list(phase.after)
            self.known[key] = self.within(count, phase.span)
        return self.known.get(key, 1)

    def within(self, count: int, span: Span | None) -> int:
        """The count; one that is too large is reported where it first is so, and then forgotten."""
        if count <= MOST_STEPS:
            return count
        if span is not None and span not in self.reported:
            self.reported.add(span)
            self.world.findings.error(
                "RK522", f"this may take more than {MOST_STEPS:,} steps", span, expected="fewer steps",
                help="go through fewer things, or through one set after the other",
            )  # fmt: skip
        return 1


def numbers(low: e.Expr, high: e.Expr) -> int:
    """How many numbers a range may hold."""
    if isinstance(low.type, t.Int) and isinstance(high.type, t.Int):
        return max(0, high.type.high - low.type.low + 1)
    return MANY


__all__ = ["MOST_STEPS", "Effort"]
