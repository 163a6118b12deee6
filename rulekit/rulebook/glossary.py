"""The words of the game: what defines and facts mean, as far as the book uses them."""

from __future__ import annotations

from collections.abc import Iterator

from rulekit.program import expressions as e
from rulekit.program import types as t
from rulekit.program.program import DefineDef
from rulekit.rulebook.document import Block, Heading, Table
from rulekit.rulebook.english import title, words
from rulekit.rulebook.markup import term
from rulekit.rulebook.naming import called, explained, kind_of
from rulekit.rulebook.nouns import SIMPLE
from rulekit.rulebook.phrases import Phrases
from rulekit.rulebook.reach import Reach, uses_state
from rulekit.rulebook.values import printed_values


class Glossary:
    """Writes the glossary of one setup."""

    def __init__(self, phrases: Phrases, reach: Reach) -> None:
        self.p, self.reach = phrases, reach
        self.program = phrases.program

    def chapter(self) -> Iterator[Block]:
        defines, facts, _ = self.reach.names
        rows = [row for name in defines if (row := self.define(self.program.defines[name])) is not None]
        printed = printed_values(self.p.setup)[0]
        rows += [row for name in facts if name not in printed and (row := self.fact(name)) is not None]
        rows += self.states()
        if rows:
            yield Heading(2, "Words of the game")
            rows.sort(key=lambda row: row[0].lower())
            yield Table(("Word", "What it means"), tuple(rows), "Words of the game")

    def define(self, define: DefineDef) -> tuple[str, str] | None:
        body = self.p.folding.define(define.name)
        if isinstance(body, e.Constant) or (not define.parameters and isinstance(body, SIMPLE)):
            return None
        kinds = [kind_of(self.program.locals[number].type) for number in define.parameters]
        for number, kind in zip(define.parameters, kinds, strict=True):
            local = self.program.locals[number]
            plain = len(local.name) == 1 and kinds.count(kind) == 1
            plain = plain and not isinstance(local.type, t.Collection)
            if isinstance(local.type, t.Word):
                kind = words(local.type.name)
            self.p.names[number] = f"that {kind}" if plain else term(words(local.name))
        known = called(define)
        for number in define.parameters:
            if known is not None:
                known = known.replace(f"{{{self.program.locals[number].name}}}", self.p.names[number])
        return self.word(define.name, known, explained(define), body)

    def word(self, name: str, known: str | None, told: str | None, body: e.Expr) -> tuple[str, str]:
        if told is not None:
            return title(words(name)), told
        condition = isinstance(body.type, t.Bool)
        said = self.p.clause(body) if condition else self.p.noun(body)
        return title(known or words(name)), f"{title(said)}."

    def fact(self, name: str) -> tuple[str, str] | None:
        fact = self.program.facts[name]
        self.p.names[fact.local] = "the card"
        body = self.p.folding.expr(fact.body)
        if explained(fact) is None and isinstance(body, e.Constant) and not uses_state(body):
            return None
        return self.word(name, called(fact), explained(fact), body)

    def states(self) -> list[tuple[str, str]]:
        """What is remembered in the course of the game, as far as its author explains it."""
        return [
            (title(words(state.name)), told)
            for state in self.program.state.values()
            if (told := explained(state)) is not None and told.rstrip(".").lower() != words(state.name)
        ]
