"""What can happen with the options and players chosen: phases run, moves asked, names used."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from rulekit.program import expressions as e
from rulekit.program import patterns as p
from rulekit.program import statements as s
from rulekit.program.program import MoveDef, Program
from rulekit.program.walk import parts, walk, walk_expressions, walk_statements
from rulekit.rulebook.folding import Folding, truth


class Reach:
    """What is reached from `play`, in order of first mention."""

    def __init__(self, program: Program, folding: Folding) -> None:
        self.program, self.folding = program, folding
        self.phases: list[str] = []
        self.asked: list[str] = []
        self._find()

    def _find(self) -> None:
        todo: list[tuple[s.Stmt, ...]] = [self.folding.body(self.program.play)]
        while todo:
            for stmt in walk_statements(todo.pop(0)):
                match stmt:
                    case s.Call(name) if name not in self.phases:
                        self.phases.append(name)
                        phase = self.program.phases[name]
                        todo.append(self.folding.body(phase.body) + self.folding.body(phase.after))
                    case s.Ask(_, moves):
                        for name in moves:
                            if name not in self.asked and self.possible(self.program.moves[name]):
                                self.asked.append(name)
                                todo.append(self.folding.body(self.program.moves[name].body))

    def possible(self, move: MoveDef) -> bool:
        """No condition of the move is always false."""
        return not any(truth(self.folding.expr(c.condition)) is False for c in move.conditions)

    @cached_property
    def moves(self) -> list[MoveDef]:
        """The moves that may be made, in the order of the file."""
        return [move for name, move in self.program.moves.items() if name in self.asked]

    def statements(self) -> Iterator[s.Stmt]:
        """Everything that may be done."""
        bodies = [self.folding.body(self.program.play)]
        for name in self.phases:
            phase = self.program.phases[name]
            bodies += [self.folding.body(phase.body), self.folding.body(phase.after)]
        bodies += [self.folding.body(move.body) for move in self.moves]
        for body in bodies:
            yield from walk_statements(body)

    @cached_property
    def roots(self) -> list[object]:
        """Everything that is said of the game: bodies, choices, conditions, ends."""
        found: list[object] = [self.folding.body(self.program.play)]
        for name in self.phases:
            phase = self.program.phases[name]
            found += [self.folding.body(phase.body), self.folding.body(phase.after)]
            if phase.stop_when is not None:
                found.append(self.folding.expr(phase.stop_when))
        for move in self.moves:
            found += [self.folding.expr(entry.domain) for choice in move.choices for entry in choice.entries]
            found += [self.folding.expr(condition.condition) for condition in move.conditions]
            found.append(self.folding.body(move.body))
            if move.again is not None:
                found.append(self.folding.expr(move.again))
        end = self.program.end
        found += [self.folding.expr(x) for x in (end.ranking, end.score, end.payoff) if x is not None]
        shown = [state for state in self.program.state.values() if state.block is None]
        found += [
            self.folding.expr(state.start)
            for state in shown
            if state.start is not None and (state.scope is None or state.scope in self.phases)
        ]
        return found

    @cached_property
    def names(self) -> tuple[dict[str, None], dict[str, None], dict[str, None]]:
        """Defines, facts and patterns used, each in order of first mention."""
        defines: dict[str, None] = {}
        facts: dict[str, None] = {}
        patterns: dict[str, None] = {}
        todo: list[object] = list(self.roots)
        while todo:
            for x in told(todo.pop(0)):
                match x:
                    case e.CallDefine(name) if name not in defines:
                        defines[name] = None
                        todo.append(self.folding.define(name))
                    case e.FactOf(name) if name not in facts:
                        facts[name] = None
                        todo.append(self.folding.expr(self.program.facts[name].body))
                    case (
                        p.Matches(pattern=name) | p.Instances(pattern=name) | p.BestInstance(pattern=name)
                        | p.Tail(pattern=name) | p.Inside(pattern=name) | p.Beats(pattern=name)
                    ):  # fmt: skip
                        todo += self._pattern(name, patterns)
        return defines, facts, patterns

    def _pattern(self, name: str, patterns: dict[str, None]) -> list[object]:
        """Note a pattern and those it is made of; what they read."""
        if name in patterns:
            return []
        patterns[name] = None
        found = self.program.patterns[name]
        reads: list[object] = [part for part in (found.part, found.by, found.weight, found.wild) if part]
        for inner in found.classes:
            reads += self._pattern(inner, patterns)
        for part in walk(found.part) if found.part is not None else ():
            if isinstance(part, (p.RepeatedPart, p.NamedPart)):
                reads += self._pattern(part.pattern, patterns)
        return reads


def told(node: object) -> Iterator[object]:
    """What the book says of a part: of a use of a block told by its prose, only what fills its slots."""
    if isinstance(node, s.Stmt) and node.use is not None and node.use.prose and node.slot is None:
        for part in walk(node):
            if part is not node and getattr(part, "slot", None) is not None:
                yield from told(part)
        return
    if not isinstance(node, tuple):
        yield node
    for part in parts(node):
        yield from told(part)


def uses_state(x: e.Expr) -> bool:
    """Does the expression read what changes in the course of the game?"""
    return any(isinstance(y, (e.StateOf, e.CallDefine)) for y in walk_expressions(x))
