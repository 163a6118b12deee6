"""The chapters of a rulebook, in their order."""

from __future__ import annotations

from collections.abc import Iterator

from rulekit.program import Setup
from rulekit.program.texts import filled
from rulekit.rulebook.before_play import BeforePlay
from rulekit.rulebook.combinations import Combinations
from rulekit.rulebook.course import Course
from rulekit.rulebook.differences import differences
from rulekit.rulebook.document import Block, Book, Heading, Item, Items, Paragraph
from rulekit.rulebook.folding import Folding
from rulekit.rulebook.glossary import Glossary
from rulekit.rulebook.markup import literal
from rulekit.rulebook.phrases import Phrases
from rulekit.rulebook.reach import Reach
from rulekit.rulebook.sentences import Sentences
from rulekit.rulebook.worked import Worked


def rulebook(setup: Setup) -> Book:
    """The rules for these players and options."""
    setup = filled(setup)
    return Writer(setup).book()


class Writer:
    """Writes the book of one setup."""

    def __init__(self, setup: Setup) -> None:
        self.setup, self.program = setup, setup.program
        folding = Folding(setup)
        self.phrases = Phrases(setup, folding)
        self.reach = Reach(self.program, folding)
        self.before = BeforePlay(self.phrases)
        self.rules = Course(self.phrases, Sentences(self.phrases), self.reach)
        self.glossary = Glossary(self.phrases, self.reach)
        self.worked = Worked(self.phrases)

    def book(self) -> Book:
        """The whole book."""
        title = literal(self.program.title)
        blocks: list[Block] = [Heading(1, title)]
        if self.program.text:
            blocks.append(Paragraph(literal(self.program.text), "lead"))
        blocks += self.before.players()
        blocks += self.before.pack()
        blocks += self.before.table()
        blocks += self.before.options()
        blocks += differences(self.setup, lambda setup: Writer(setup).ruling())
        blocks += self.ruling()
        blocks += self.worked.examples()
        blocks += self.glossary.chapter()
        blocks += self.sources()
        suits = tuple((suit.letter, suit.name) for suit in self.setup.pack.suits)
        return Book(title, tuple(blocks), suits=suits, card_names=tuple(self.before.card_names()))

    def ruling(self) -> list[Block]:
        """The chapters that tell what happens: those that options change."""
        return [
            *self.rules.course(),
            *self.combinations(),
            *self.rules.moves(),
            *self.rules.scoring(),
            *self.rules.end(),
        ]

    def combinations(self) -> Iterator[Block]:
        names = list(self.reach.names[2])
        if names:
            yield Heading(2, "Combinations")
            yield Items(Combinations(self.phrases).items(names))

    def sources(self) -> Iterator[Block]:
        if self.program.sources:
            yield Heading(2, "Sources")
            yield Items(tuple(Item(literal(source)) for source in self.program.sources), kind="sources")
