"""Worked examples: the rule file's `examples`, with the cards that lie there."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rulekit.program import expressions as e
from rulekit.program import types as t
from rulekit.program.program import EventDef, ExampleDef, Given
from rulekit.rulebook.document import Block, Box, CardRow, Heading, Item, Items, Paragraph
from rulekit.rulebook.english import title, words
from rulekit.rulebook.markup import card, literal, term
from rulekit.rulebook.phrases import Phrases

#: `HK12 ` before a title: the number of a case, of no use to a reader.
NUMBER = re.compile(r"(?:^|(?<= and ))[A-Z]{1,4}-?\d{1,3} (?=\S)")


class Worked:
    """Writes the examples of one setup."""

    def __init__(self, phrases: Phrases) -> None:
        self.p = phrases
        self.setup, self.program = phrases.setup, phrases.program

    def examples(self) -> Iterator[Block]:
        boxes = []
        root = ""
        for example in self.program.examples:
            said = NUMBER.sub("", example.title)
            if said[:1].islower():
                said = f"{root} ... {said}"
            else:
                root = said
            if self.fits(example):
                blocks = tuple(self.example(example))
                if blocks:
                    boxes.append(Box(literal(said), blocks))
        if boxes:
            yield Heading(2, "Examples")
            yield from boxes

    def example(self, example: ExampleDef) -> Iterator[Block]:
        for given in example.given:
            if given.cards:
                yield CardRow(title(self.place(given)), self.cards(given))
        if known := [self.known(given) for given in example.given if given.cards is None and given.value]:
            yield from self.listed("At first:", known)
        if example.events:
            said = [self.event(event) for event in example.events]
            yield Items(tuple(Item(f"{text}.") for text in said), numbered=len(said) > 1)
        for allowed in example.allowed:
            move = term(words(allowed.move))
            faces = [face for word in allowed.words if (face := self.face(word)) is not None]
            if faces and len(faces) == len(allowed.words):
                yield CardRow(f"P{allowed.seat + 1} may {move}", tuple(faces))
            else:
                rest = f": {', '.join(self.word(word) for word in allowed.words)}" if allowed.words else ""
                yield Paragraph(f"P{allowed.seat + 1} may {move}{rest}.")
        for refused in example.refused:
            said_words = " ".join(self.word(word) for word in refused.event.words)
            said_move = f"{term(words(refused.event.move))} {said_words}".strip()
            yield Paragraph(f"P{refused.event.seat + 1} may not {said_move}: {literal(refused.label)}.")
        if example.then:
            told = [self.p.clause(self.p.folding.expr(then.condition)) for then in example.then]
            yield from self.listed("After that:" if example.events or example.run else "So:", told)
        if example.result:
            yield Paragraph(self.result(example))

    def result(self, example: ExampleDef) -> str:
        """`The game is over: P1 and P3 are first (52), then P2 and P4 (44)`; of one player the score."""
        if self.setup.players == 1:
            reached = example.result[0].score
            return "The game is over." if reached is None else f"The game is over; the score is {reached}."
        places = []
        for number, placed in enumerate(example.result):
            who = " and ".join(f"P{seat + 1}" for seat in placed.seats)
            verb = (" is first" if len(placed.seats) == 1 else " are first") if number == 0 else ""
            score = "" if placed.score is None else f" ({placed.score})"
            places.append(f"{who}{verb}{score}")
        return f"The game is over: {', then '.join(places)}."

    def listed(self, start: str, clauses: list[str]) -> Iterator[Block]:
        """Clauses as a list."""
        yield Paragraph(start)
        yield Items(tuple(Item(f"{title(clause)}.") for clause in clauses))

    def event(self, event: EventDef) -> str:
        """`P1 lead 4S`."""
        said = " ".join(self.word(word) for word in event.words)
        return f"P{event.seat + 1}: {term(words(event.move))} {said}".rstrip()

    def word(self, word: str) -> str:
        """A card drawn, anything else as it stands."""
        face = self.face(word)
        if face is not None:
            return card(face)
        if word.startswith("(") and word.endswith(")"):
            return " ".join(self.word(inner) for inner in word[1:-1].split())
        return literal(words(word))

    def face(self, word: str) -> str | None:
        face = self.setup.pack.parse_face(word) if word.isupper() or word[:1].isdigit() else None
        return None if face is None else self.setup.pack.face_text(face)

    def cards(self, given: Given) -> tuple[str, ...]:
        assert given.cards is not None
        return tuple(self.setup.pack.face_text(face) for face, _ in given.cards)

    def place(self, given: Given) -> str:
        noun = self.p.zone(given.name) if given.name in self.program.zones else words(given.name)
        return self.p.owned(noun, self.p.noun(given.index)) if given.index else noun

    def known(self, given: Given) -> str:
        """What else is so: `the trump is hearts`."""
        assert given.value is not None
        noun = self.p.state(given.name) if given.name in self.program.state else words(given.name)
        whose = self.p.owned(noun, self.p.noun(given.index) if given.index else None)
        value = self.p.folding.expr(given.value)
        if (
            isinstance(value.type, t.Bool)
            and isinstance(value, e.Constant)
            and given.name in self.program.state
        ):
            return self.p.state_holds(given.name, given.index, not value.value)
        said = self.p.noun(value)
        if said in ("none", "nobody"):
            return f"there is no {noun}"
        return f"{whose} {self.p.is_(whose)} {said}"

    def fits(self, example: ExampleDef) -> bool:
        """The example is about these options and players."""
        if example.players not in (None, self.setup.players):
            return False
        chosen = dict(example.options)
        return all(
            self.setup.options[name] == chosen.get(name, option.start)
            for name, option in self.program.options.items()
        )
