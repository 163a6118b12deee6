"""The chapters about the game itself: its course, what one may do, scoring, the end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rulekit.program import expressions as e
from rulekit.program import patterns as p
from rulekit.program import statements as s
from rulekit.program import types as t
from rulekit.program.program import Choice, MoveDef, PhaseDef
from rulekit.program.walk import operands
from rulekit.rulebook.document import Block, Heading, Item, Items, Paragraph, Table
from rulekit.rulebook.english import is_plural, joined, title, words
from rulekit.rulebook.folding import truth
from rulekit.rulebook.markup import literal, term
from rulekit.rulebook.naming import called, explained, kind_of
from rulekit.rulebook.phrases import Phrases
from rulekit.rulebook.reach import Reach
from rulekit.rulebook.sentences import Sentences

PER = {"team": "side"}


class Course:
    """Writes these chapters for one setup."""

    def __init__(self, phrases: Phrases, sentences: Sentences, reach: Reach) -> None:
        self.p, self.sentences, self.reach = phrases, sentences, reach
        self.program, self.folding = phrases.program, phrases.folding

    # ------------------------------------------------------------ the course of the game

    def course(self) -> Iterator[Block]:
        yield Heading(2, "The game")
        yield from self.starts([name for name, state in self.program.state.items() if state.scope is None])
        yield Items(self.sentences.items(self.folding.body(self.program.play)), numbered=True)
        for name in self.reach.phases:
            if self.sentences.happens(name):
                yield from self.phase(self.program.phases[name])

    def phase(self, phase: PhaseDef) -> Iterator[Block]:
        yield Heading(3, title(self.p.phase(phase.name)))
        self.name_parameters(phase)
        if told := explained(phase):
            yield Paragraph(told)
        if phase.stop_when is not None:
            stop = self.folding.expr(phase.stop_when)
            if truth(stop) is not False:
                yield Paragraph(f"As soon as {self.p.clause(stop)}, this ends.")
        yield from self.starts(phase.state)
        body = self.sentences.items(self.folding.body(phase.body))
        after = self.sentences.items(self.folding.body(phase.after))
        if body:
            yield Items(body, numbered=True)
        if after:
            yield Paragraph("When it is over:")
            yield Items(after, numbered=True)

    def starts(self, names: Iterable[str]) -> Iterator[Block]:
        """What is so at the start, other than nothing at all."""
        told = []
        for name in names:
            state = self.program.state[name]
            if state.start is None or state.block is not None:
                continue
            start = self.folding.expr(state.start)
            if isinstance(start, e.Constant) and not start.value and not isinstance(state.type, t.Word):
                continue
            if state.per is not None and state.start_local is not None:
                self.p.names[state.start_local] = f"that {state.per}"
            noun = self.p.state(name)
            whose = (
                self.p.owned(noun, f"each {PER.get(state.per, words(state.per))}")
                if state.per
                else (self.p.state_of(name, None, e.StateOf(name, type=state.type)))
            )
            if isinstance(state.type, t.Bool):
                told.append(
                    self.p.clause(start) if not isinstance(start, e.Constant) else term(noun) + " holds"
                )
            else:
                told.append(f"{whose} {self.p.is_(whose)} {self.p.noun(start)}")
        if told:
            yield Paragraph(f"At the start, {joined(told)}.")

    def name_parameters(self, phase: PhaseDef) -> None:
        """What a phase is told is called by its name, a player simply that player."""
        players = [n for n in phase.parameters if isinstance(self.program.locals[n].type, t.Player)]
        for number in phase.parameters:
            local = self.program.locals[number]
            kind = kind_of(local.type)
            if kind == "player" and len(players) == 1:
                self.p.names[number] = "that player"
            elif kind == "side" and len(local.name) == 1:
                self.p.names[number] = "that side"
            else:
                self.p.names[number] = term(words(local.name))

    # ------------------------------------------------------------ what one may do

    def moves(self) -> Iterator[Block]:
        if not self.reach.moves:
            return
        yield Heading(2, "What you may do")
        for move in self.reach.moves:
            yield from self.move(move)

    def move(self, move: MoveDef) -> Iterator[Block]:
        heading = title(self.p.move(move.name))
        yield Heading(3, heading)
        told = literal(move.text) if move.text else ""
        done = self.sentences.items(self.folding.body(move.body))
        if told.rstrip(".") != heading and told:
            yield Paragraph(told)
        items = [item for condition in move.conditions for item in self.condition(condition)]
        items += [item for choice in move.choices for item in self.choice(choice)]
        if items:
            yield Items(tuple(items))
        if done and items:
            yield Paragraph("Then:")
        if done:
            yield Items(done, numbered=len(done) > 1)
        if move.again is not None and truth(self.folding.expr(move.again)) is not False:
            again = self.folding.expr(move.again)
            when = "" if truth(again) else f", if {self.p.clause(again)}"
            yield Paragraph(f"After that it is still your turn{when}.")
        if not items and not done and not (told.rstrip(".") != heading and told):
            yield Paragraph("You do nothing more.")

    def condition(self, condition: object) -> list[Item]:
        test = self.folding.expr(condition.condition)  # type: ignore[attr-defined]
        if truth(test) is not None:
            return []
        label = literal(condition.label)  # type: ignore[attr-defined]
        said = self.p.clause(test)
        if said.replace("*", "").lower() == label.lower():
            return [Item(f"Only if {label}.")]
        return [Item(f"Only if {label}: {said}.")]

    def choice(self, choice: Choice) -> list[Item]:
        """What may be chosen: one domain, or duties in their order."""
        entries = [(entry.label, self.folding.expr(entry.domain)) for entry in choice.entries]
        entries = [(label, domain) for label, domain in entries if not self.is_empty(domain)]
        what = called(choice) or words(choice.name)
        if what.startswith("to "):
            what = f"{kind_of(choice.type)} {what}"  # `to_left`: a card to the left
        self.p.names[choice.local] = f"the {what}"
        if len(entries) == 1 and isinstance(entries[0][1], e.Union):
            return self.layout(what, entries[0][1])
        if len(entries) == 1:
            label, domain = entries[0]
            why = f" ({literal(label)})" if label else ""
            return [Item(f"{self.pick(what, domain)}{why}.")]
        duties = []
        for label, domain in entries:
            said = self.candidates(domain)
            if label is None or (label.lower() == "any card" and said.startswith("any card of")):
                duties.append(Item(f"{title(said)}."))
            else:
                duties.append(Item(f"{title(literal(label))}: {said}."))
        start = f"Choose the {what}. The first of these duties that you can fulfil binds you:"
        return [Item(start, tuple(duties), ordered=True)]

    def layout(self, what: str, domain: e.Expr) -> list[Item]:
        """A choice from several places, each told by itself."""
        places: list[e.Expr] = []
        todo = [domain]
        while todo:
            x = todo.pop()
            if isinstance(x, e.Union):
                todo += [x.right, x.left]
            else:
                places.append(x)
        return [Item(f"Choose the {what}, one of these:", tuple(self.from_place(x) for x in places))]

    def from_place(self, x: e.Expr) -> Item:
        """One of the places, with what an empty pile and one with cards there ask for."""
        if isinstance(x, e.Collect) and kind_of(x.domain.type) == "pile":
            piles = self.p.the_elements(x.domain)
            match x.value:
                case e.One(e.End(_, True)) | e.End(_, True):
                    said = "the top card of " + (piles if piles[-1:] != "s" else f"one of {piles}")
                    return Item(f"{title(said)}.")
                case e.Filter(_, local, condition):
                    self.p.names[local] = "it"
                    return Item(f"{title(f'a card in {piles}, if {self.p.clause(condition)}')}.")
        if isinstance(x, e.Filter) and kind_of(x.type) == "pile":
            self.p.names[x.local] = "that pile"
            parts = operands(x.condition)
            cases = [part for part in parts if isinstance(part, e.If)]
            rest = [self.p.narrowing(part, x.local, "pile") for part in parts if part not in cases]
            said = title(f"one of {self.p.the_elements(x.domain)} {' and '.join(rest)}".rstrip())
            if len(cases) == 1:
                self.p.names[x.local] = "that pile"
                full, empty = (self.p.clause(y) for y in (cases[0].yes, cases[0].no))
                if isinstance(cases[0].condition, e.Same):
                    full, empty = empty, full
                below: tuple[Item, ...] = (
                    Item(f"If cards lie there: {full}."),
                    Item(f"If it is empty: {empty}."),
                )
                never = "it never holds"
                below = tuple(item for item in below if never not in item.text)
                return Item(f"{said}:", below)
            return Item(f"{said}.")
        return Item(f"{title(self.candidates(x))}.")

    def pick(self, what: str, domain: e.Expr) -> str:
        """`Choose a card from your hand`."""
        kind = kind_of(domain.type)
        if isinstance(domain.type, t.SelectionsOf) or isinstance(domain, (p.Instances,)):
            return f"Choose {self.candidates(domain)}"
        if what in (kind, "card", "target", "chosen", "named"):
            return f"Choose {self.candidates(domain)}"
        if kind == "number" or isinstance(domain, e.Numbers):
            return f"Say the {what}: {self.p.noun(domain)}"
        return f"Choose the {what}: {self.candidates(domain)}"

    def candidates(self, domain: e.Expr) -> str:
        """What one may choose from, as one of them: `any card of your hand`."""
        match domain:
            case e.ZoneCards() | e.FamilyCards() | e.PileCards():
                return f"any card of {self.p.noun(domain)}"
            case e.Players():
                return "any player"
            case e.Filter():
                said = self.p.the_elements(domain)
                return said if said.startswith(("a ", "an ")) else f"one of {said}"
            case e.Selections():
                return self.p.noun(domain)
        said = self.p.noun(domain)
        if kind_of(domain.type) in ("card", "player", "pile", "rank", "suit", "one") and said.startswith(
            "the "
        ):
            return f"one of {said}"
        return said

    def is_empty(self, domain: e.Expr) -> bool:
        match domain:
            case e.Filter(_, _, condition):
                return truth(condition) is False
            case e.Constant(value=()):
                return True
        return False

    # ------------------------------------------------------------ scoring and the end

    def scoring(self) -> Iterator[Block]:
        """The table of receipts: what counts, how much, for which number."""
        rows: dict[tuple[str, str, str], None] = {}
        for stmt in self.reach.statements():
            if (
                isinstance(stmt, s.Assign)
                and stmt.because is not None
                and isinstance(stmt.place, s.StatePlace)
            ):
                amount = self.p.noun(stmt.value)
                if stmt.op == "-=":
                    amount = f"−{amount}" if amount.isdigit() else f"minus {amount}"
                reason = title(words(stmt.because.reason))
                rows[reason, title(amount), title(self.p.state(stmt.place.state))] = None
        if rows:
            yield Heading(2, "What counts")
            counters = {row[2] for row in rows}
            if len(counters) == 1:
                short = tuple(row[:2] for row in rows)
                yield Table(("For", title(next(iter(counters)))), short, "What counts")
            else:
                yield Table(("For", "How much", "Counted as"), tuple(rows), "What counts")

    def end(self) -> Iterator[Block]:
        end = self.program.end
        if end.ranking is None:
            return
        yield Heading(2, "Who wins")
        who = "side" if end.teams else "player"
        key = self.folding.expr(end.ranking)
        said = self.p.bare(key, end.local)
        if isinstance(key.type, t.Bool):
            self.p.names[end.local] = "the player"
            won = self.p.clause(key)
            which = self.p.which(end.local, key, t.TEAM if end.teams else t.PLAYER)
            several = f"The {who}s{which} win." if end.highest else f"The {who}s{which} lose."
            yield Paragraph(f"You win if {won}." if self.p.setup.players == 1 else several)
        elif self.p.setup.players == 1:
            yield Paragraph(f"Your result is {said}.")
        else:
            many = is_plural(said.split(",", 1)[0])
            which = ("most" if many else "highest") if end.highest else ("fewest" if many else "lowest")
            yield Paragraph(f"The {who} with the {which} {said} wins. Equal {who}s share the place.")
        if end.score is not None:
            self.p.names[end.score_local] = "you" if self.p.setup.players == 1 else "that player"
            score = self.p.noun(self.folding.expr(end.score))
            yield Paragraph(
                f"Your score is {score}."
                if self.p.setup.players == 1
                else (f"The score of a player is {score}.")
            )
        if end.payoff is not None:
            self.p.names[end.payoff_local] = "you" if self.p.setup.players == 1 else "that player"
            payoff = self.p.noun(self.folding.expr(end.payoff))
            yield Paragraph(f"What each player wins in the end, or loses if it is below 0: {payoff}.")
        if end.declared:
            yield Paragraph(f"A game that is not over after {end.limit:,} decisions ends unfinished.", "note")


__all__ = ["Course"]
