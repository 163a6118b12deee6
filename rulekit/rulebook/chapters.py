"""The chapters of a rulebook."""

from __future__ import annotations

from collections.abc import Iterator

from rulekit.program import Setup
from rulekit.program import expressions as e
from rulekit.program import statements as s
from rulekit.program import types as t
from rulekit.program.program import Choice, ExampleDef, MoveDef
from rulekit.program.walk import walk_expressions, walk_statements
from rulekit.rulebook.document import Block, Book, CardRow, Heading, Item, Items, Paragraph, Table
from rulekit.rulebook.folding import Folding, truth
from rulekit.rulebook.phrases import RANK_NAMES, Phrases, joined, words
from rulekit.rulebook.sentences import Sentences


def rulebook(setup: Setup) -> Book:
    """The rules for these players and options."""
    return Writer(setup).book()


class Writer:
    """Writes the book of one setup."""

    def __init__(self, setup: Setup) -> None:
        self.setup, self.program = setup, setup.program
        self.folding = Folding(setup)
        self.phrases = Phrases(setup, self.folding)
        self.sentences = Sentences(self.phrases)

    def book(self) -> Book:
        program = self.program
        blocks: list[Block] = [Heading(1, program.title)]
        if program.text:
            blocks.append(Paragraph(program.text))
        for chapter in (
            self.players,
            self.pack,
            self.table,
            self.options,
            self.course,
            self.moves,
            self.scoring,
            self.end,
            self.examples,
            self.glossary,
            self.sources,
        ):
            blocks += chapter()
        return Book(program.title, tuple(blocks))

    # ------------------------------------------------------------ before the game

    def players(self) -> Iterator[Block]:
        low, high = self.program.players
        count = str(low) if low == high else f"{low} to {high}"
        text = f"For {count} player{'s' * (high > 1)}."
        if low != high:
            text += f" These rules are for {self.setup.players}."
        if self.program.teams == "across":
            text += " Partners sit opposite each other."
        elif self.program.teams:
            text += f" There are {self.program.teams} sides, in turn round the table."
        yield Heading(2, "Players")
        yield Paragraph(text)

    def pack(self) -> Iterator[Block]:
        pack = self.setup.pack
        yield Heading(2, "Cards")
        ranks = " ".join(pack.ranks[: pack.plain_ranks])
        suits = joined([suit.name for suit in pack.suits])
        yield Paragraph(f"{len(pack)} cards: {ranks} (low to high) in {suits}.")
        rows = self.values()
        if rows:
            yield rows

    def values(self) -> Table | None:
        """A table of the facts that are numbers printed on the card."""
        from rulekit.rulebook.values import printed_values

        facts, rows = printed_values(self.setup)
        if not facts:
            return None
        names = [
            (joined([RANK_NAMES.get(r, r) for r in rank.split(", ")]), *values)
            for rank, values in rows.items()
        ]
        return Table(("card", *(words(fact) for fact in facts)), tuple(names))

    def table(self) -> Iterator[Block]:
        seen = {
            "everyone": "everyone sees it",
            "nobody": "nobody sees it",
            "owner": "its owner sees it",
            "others": "all but its owner see it",
            "team": "its side sees it",
            "face": "what lies face up is seen",
        }
        rows = []
        for zone in self.program.zones.values():
            each = f" for each {zone.per}" if zone.per else ""
            kind = {"set": "cards in no order", "pile": "a pile", "piles": f"{zone.count} piles"}.get(
                zone.kind, f"up to {zone.count} piles"
            )
            rows.append((words(zone.name), kind + each, seen[zone.seen_by]))
        if rows:
            yield Heading(2, "On the table")
            yield Table(("place", "what it is", "who sees it"), tuple(rows))

    def options(self) -> Iterator[Block]:
        if not self.program.options:
            return
        yield Heading(2, "Agreed beforehand")
        rows = []
        for option in self.program.options.values():
            value = option.format(self.setup.options[option.name])
            usual = option.format(option.start)
            rows.append(
                (words(option.name), option.text or "", words(value), "" if value == usual else words(usual))
            )
        yield Table(("option", "what it decides", "here", "else usually"), tuple(rows))

    # ------------------------------------------------------------ the game

    def course(self) -> Iterator[Block]:
        yield Heading(2, "The game")
        yield Items(self.sentences.items(self.folding.body(self.program.play)), numbered=True)
        for name in self.reached():
            phase = self.program.phases[name]
            yield Heading(3, self.sentences.title(words(name)))
            if phase.text:
                yield Paragraph(phase.text)
            if phase.stop_when is not None:
                stop = self.folding.expr(phase.stop_when)
                if truth(stop) is not False:
                    yield Paragraph(f"It ends at once when {self.phrases.clause(stop)}.")
            body = self.folding.body(phase.body)
            if body:
                yield Items(self.sentences.items(body), numbered=True)
            after = self.folding.body(phase.after)
            if after:
                yield Paragraph("When it is over:")
                yield Items(self.sentences.items(after), numbered=True)

    def reached(self) -> list[str]:
        """Phases that these options let happen, in order of first mention."""
        found: list[str] = []
        todo = [self.folding.body(self.program.play)]
        for move in self.offered():
            todo.append(self.folding.body(move.body))
        while todo:
            for stmt in walk_statements(todo.pop(0)):
                if isinstance(stmt, s.Call) and stmt.phase not in found:
                    found.append(stmt.phase)
                    phase = self.program.phases[stmt.phase]
                    todo.append(self.folding.body(phase.body) + self.folding.body(phase.after))
        return found

    def offered(self) -> list[MoveDef]:
        """Moves that these options let anybody make."""
        return [
            move
            for move in self.program.moves.values()
            if not any(truth(self.folding.expr(c.condition)) is False for c in move.conditions)
        ]

    def moves(self) -> Iterator[Block]:
        yield Heading(2, "What you may do")
        for move in self.offered():
            yield Heading(3, self.sentences.title(words(move.name)))
            if move.text:
                yield Paragraph(move.text)
            items = [item for choice in move.choices for item in self.choice(choice)]
            for condition in move.conditions:
                test = self.folding.expr(condition.condition)
                if truth(test) is None:
                    items.append(Item(f"Only if {condition.label}: {self.phrases.clause(test)}."))
            if items:
                yield Items(tuple(items))
            done = self.sentences.items(self.folding.body(move.body), you=True)
            if done:
                yield Paragraph("Then:")
                yield Items(done, numbered=True)
            if move.again is not None and truth(self.folding.expr(move.again)) is not False:
                again = self.folding.expr(move.again)
                when = "" if truth(again) else f" if {self.phrases.clause(again)}"
                yield Paragraph(f"After that it is still your turn{when}.")

    def choice(self, choice: Choice) -> list[Item]:
        """What may be chosen: one domain, or duties in their order."""
        entries = [(entry.label, self.folding.expr(entry.domain)) for entry in choice.entries]
        entries = [(label, domain) for label, domain in entries if not self.is_empty(domain)]
        what = choice.text or words(choice.name)
        if len(entries) == 1:
            return [Item(f"Choose the {what}: {self.phrases.noun(entries[0][1])}.")]
        duties = tuple(
            Item(f"{self.sentences.title(label or 'any')}: {self.phrases.noun(domain)}.")
            for label, domain in entries
        )
        return [Item(f"Choose the {what}; the first of these that can be fulfilled binds you:", duties)]

    def is_empty(self, domain: e.Expr) -> bool:
        match domain:
            case e.Filter(_, _, condition):
                return truth(condition) is False
            case e.Constant(value=()):
                return True
        return False

    def scoring(self) -> Iterator[Block]:
        """The table of receipts: what counts, how much, for which number."""
        rows: list[tuple[str, str, str]] = []
        for stmt in self.happening():
            if (
                isinstance(stmt, s.Assign)
                and stmt.because is not None
                and isinstance(stmt.place, s.StatePlace)
            ):
                sign = "-" if stmt.op == "-=" else ""
                row = (
                    words(stmt.because.reason),
                    sign + self.phrases.noun(stmt.value),
                    words(stmt.place.state),
                )
                if row not in rows:
                    rows.append(row)
        if rows:
            yield Heading(2, "Scoring")
            yield Table(("for", "amount", "counted in"), tuple(rows))

    def happening(self) -> Iterator[s.Stmt]:
        bodies = [self.folding.body(self.program.play)]
        for name in self.reached():
            phase = self.program.phases[name]
            bodies += [self.folding.body(phase.body), self.folding.body(phase.after)]
        bodies += [self.folding.body(move.body) for move in self.offered()]
        for body in bodies:
            yield from walk_statements(body)

    def end(self) -> Iterator[Block]:
        end = self.program.end
        if end.ranking is None:
            return
        yield Heading(2, "Who wins")
        who = "side" if end.teams else "player"
        self.phrases.names[end.local] = f"the {who}"
        key = self.phrases.noun(self.folding.expr(end.ranking)).replace(f" of the {who}", "")
        least = "most" if end.highest else "least"
        yield Paragraph(
            f"The {who} with the {least} {key.removeprefix('the ')} wins; equal ones share the place."
        )
        yield Paragraph(f"A game that is not over after {end.limit:,} decisions is left unfinished.")

    # ------------------------------------------------------------ the back of the book

    def examples(self) -> Iterator[Block]:
        shown = [example for example in self.program.examples if self.fits(example)]
        if not shown:
            return
        yield Heading(2, "Examples")
        for example in shown:
            yield Heading(3, example.title)
            pack = self.setup.pack
            for given in example.given:
                if given.cards:
                    place = words(given.name) + (
                        f" of {self.phrases.noun(given.index)}" if given.index else ""
                    )
                    yield CardRow(place, tuple(pack.face_text(face) for face, _ in given.cards))
            if example.events:
                played = [
                    f"P{event.seat + 1} {event.move} {' '.join(event.words)}".strip()
                    for event in example.events
                ]
                yield Paragraph("Played: " + ", ".join(played) + ".")
            for allowed in example.allowed:
                yield Paragraph(f"P{allowed.seat + 1} may {words(allowed.move)}: {', '.join(allowed.words)}.")
            for refused in example.refused:
                said = " ".join((words(refused.event.move), *refused.event.words))
                yield Paragraph(f"P{refused.event.seat + 1} may not {said}: {refused.label}.")
            if example.then:
                yield Paragraph("Then " + joined([f"`{then.source}`" for then in example.then]) + ".")

    def fits(self, example: ExampleDef) -> bool:
        """The example is about these options and players."""
        if example.players not in (None, self.setup.players):
            return False
        chosen = dict(example.options)
        return all(
            self.setup.options[name] == chosen.get(name, option.start)
            for name, option in self.program.options.items()
        )

    def glossary(self) -> Iterator[Block]:
        """What the names in italics mean, as far as the book uses them."""
        used = self.used_defines()
        rows = []
        for name in used:
            define = self.program.defines[name]
            body = self.folding.define(name)
            for number in define.parameters:
                self.phrases.names[number] = f"that {words(self.program.locals[number].name)}"
                if isinstance(self.program.locals[number].type, t.Player):
                    self.phrases.names[number] = "that player"
            said = self.phrases.clause(body) if isinstance(body.type, t.Bool) else self.phrases.noun(body)
            if not isinstance(body, e.Constant):
                rows.append((words(name), define.text or said))
        for name, fact in self.program.facts.items():
            self.phrases.names[fact.local] = "the card"
            body = self.folding.expr(fact.body)
            if any(isinstance(x, (e.StateOf, e.CallDefine)) for x in walk_expressions(body)):
                said = self.phrases.clause(body) if isinstance(body.type, t.Bool) else self.phrases.noun(body)
                rows.append((words(name), fact.text or said))
        if rows:
            yield Heading(2, "What the words mean")
            yield Table(("word", "meaning"), tuple(rows))

    def used_defines(self) -> list[str]:
        found: dict[str, None] = {}
        todo: list[object] = list(self.happening())
        for move in self.offered():
            todo += [self.folding.expr(entry.domain) for choice in move.choices for entry in choice.entries]
            todo += [self.folding.expr(condition.condition) for condition in move.conditions]
        while todo:
            for x in walk_expressions(todo.pop(0)):
                if isinstance(x, e.CallDefine) and x.define not in found:
                    found[x.define] = None
                    todo.append(self.folding.define(x.define))
        return list(found)

    def sources(self) -> Iterator[Block]:
        if self.program.sources:
            yield Heading(2, "Sources")
            yield Items(tuple(Item(source) for source in self.program.sources))
