"""Statements as sentences, nested as they are in the file."""

from __future__ import annotations

from rulekit.program import expressions as e
from rulekit.program import statements as s
from rulekit.program import types as t
from rulekit.rulebook.document import Item
from rulekit.rulebook.phrases import Phrases, joined, words


class Sentences:
    """Sentences for one setup."""

    def __init__(self, phrases: Phrases) -> None:
        self.p = phrases
        self.program = phrases.program

    def items(self, body: tuple[s.Stmt, ...], you: bool = False) -> tuple[Item, ...]:
        """A list of statements as items; ``you``: they are done by the player addressed."""
        found: list[Item] = []
        for stmt in body:
            found += self.item(stmt, you)
        return tuple(found)

    def item(self, stmt: s.Stmt, you: bool) -> list[Item]:
        match stmt:
            case s.If(branches, otherwise):
                found = [
                    Item(
                        f"{'If' if n == 0 else 'Else if'} {self.p.clause(condition)}:", self.items(body, you)
                    )
                    for n, (condition, body) in enumerate(branches)
                    if body or n
                ]
                if otherwise:
                    found.append(Item("Otherwise:", self.items(otherwise, you)))
                return found
            case s.For(local, domain, body):
                self.p.names[local] = self.member(domain)
                return [
                    Item(f"For {self.member(domain, 'each ')}{self.rounds(domain)}:", self.items(body, you))
                ]
            case s.Repeat(times, body):
                return [Item(f"{self.times(times)}:", self.items(body, you))]
            case s.Until(condition, body):
                return [Item(f"Again and again, until {self.p.clause(condition)}:", self.items(body, you))]
            case s.Call(name, arguments):
                phase = self.program.phases[name]
                given = f" for {joined([self.p.noun(a) for a in arguments])}" if arguments else ""
                return [Item(f"{self.title(phase.text or words(name))}{given} (see below).")]
        sentence = self.sentence(stmt, you)
        return [Item(sentence)] if sentence else []

    def sentence(self, stmt: s.Stmt, you: bool) -> str | None:
        """A leaf statement."""
        match stmt:
            case s.Assign():
                return self.assign(stmt)
            case s.Move(cards, to):
                return f"{self.moved(cards)} to {self.place(to)}."
            case s.Deal():
                return self.deal(stmt)
            case s.Shuffle(into, None):
                return f"Shuffle {self.place(into)}."
            case s.Shuffle(into, e.Deck()):
                return f"Shuffle all cards; they are {self.place(into)}."
            case s.Shuffle(into, cards):
                gathered = self.p.noun(cards) if cards is not None else "the cards"
                return f"Shuffle {gathered} into {self.place(into)}."
            case s.Swap(left, right):
                return f"Exchange {self.p.noun(left)} for {self.p.noun(right)}."
            case s.Flip(cards, up):
                return f"Turn {self.p.noun(cards)} face {'up' if up else 'down'}."
            case s.RevealCards(cards, to):
                return f"Show {self.p.noun(cards)} to {self.p.noun(to) if to is not None else 'everyone'}."
            case s.RevealState(name, index, to):
                shown = self.p.owned(words(name), index)
                return f"Make {shown} known to {self.p.noun(to) if to is not None else 'everyone'}."
            case s.Stop(phase):
                return f"This ends the {words(phase)} at once."
            case s.Ask():
                return self.ask(stmt)
            case s.Claim():
                return f"Begin a new pile in {words(stmt.zone)}."
        return None

    # ------------------------------------------------------------ parts

    def assign(self, stmt: s.Assign) -> str | None:
        place, value = stmt.place, stmt.value
        match place:
            case s.LocalPlace(number):
                local = self.program.locals[number]
                if local.name == "answer":
                    return None
                self.p.names[number] = f"the {words(local.name)}"
                if isinstance(value.type, t.Bool):
                    return f"Note whether {self.p.clause(value)} (*{words(local.name)}*)."
                return f"Call {self.p.noun(value)} *the {words(local.name)}*."
            case s.StatePlace(name, index):
                what = self.p.owned(words(name), index)
            case s.FieldPlace(_, field, pile):
                what = f"the {words(field)} of {self.p.noun(pile)}"
        why = f" for *{words(stmt.because.reason)}*" if stmt.because is not None else ""
        if stmt.op == "=":
            if isinstance(value.type, t.Bool):
                return f"{self.title(what)} is now {self.p.noun(value)}{why}."
            return f"{self.title(what)} is now {self.p.noun(value)}{why}."
        if isinstance(value.type, t.Int):
            verb = "Add" if stmt.op == "+=" else "Take"
            way = "to" if stmt.op == "+=" else "from"
            return f"{verb} {self.p.noun(value)} {way} {what}{why}."
        verb, way = ("is now among", "") if stmt.op == "+=" else ("is no longer among", "")
        return f"{self.title(self.p.noun(value))} {verb} {what}{way}."

    def moved(self, cards: e.Expr) -> str:
        if isinstance(cards, (e.ZoneCards, e.FamilyCards)):
            return f"Move all cards of {self.p.noun(cards)}"
        return f"Move {self.p.noun(cards)}"

    def deal(self, stmt: s.Deal) -> str:
        source = self.place(stmt.source)
        amount = "all cards" if stmt.count is None else f"{self.p.noun(stmt.count)} {self.cards(stmt.count)}"
        if stmt.players is None:
            return f"Deal {amount} from {source} to {self.place(stmt.to)}."
        order = self.p.noun(stmt.players).replace("all players in turn", "in turn")
        each = "" if stmt.count is None else " to each player"
        return f"Deal {amount}{each} from {source}, one at a time, {order}."

    def cards(self, count: e.Expr) -> str:
        return "card" if isinstance(count, e.Constant) and count.value == 1 else "cards"

    def place(self, place: s.CardPlace) -> str:
        match place:
            case s.ZonePlace(zone, index, bottom, new):
                name = self.p.owned(words(zone), index)
                if new:
                    return f"a new pile of {name.removeprefix('the ')}"
                return f"the bottom of {name}" if bottom else name
            case s.PilePlace(pile, bottom):
                return ("the bottom of " if bottom else "") + self.p.noun(pile)
            case s.EitherPlace(condition, yes, no):
                return f"{self.place(yes)} if {self.p.clause(condition)}, else to {self.place(no)}"

    def ask(self, stmt: s.Ask) -> str:
        moves = [words(move) for move in stmt.moves]
        if stmt.together:
            who = self.title(self.p.noun(stmt.who))
            return f"{who} choose together, unseen by each other: {joined(moves, 'or')}."
        who = self.p.noun(stmt.who)
        verb = "choose" if who == "you" else "chooses"
        whom = "" if stmt.whom is None or stmt.whom == stmt.who else f" for {self.p.noun(stmt.whom)}"
        return f"{self.title(who)} {verb}{whom}: {joined(moves, 'or')}."

    def member(self, domain: e.Expr, each: str = "that ") -> str:
        inner = getattr(domain.type, "of", domain.type)
        name = {
            "Player": "player",
            "Card": "card",
            "Team": "side",
            "Suit": "suit",
            "Rank": "rank",
            "Pile": "pile",
        }
        return each + name.get(type(inner).__name__, "one")

    def rounds(self, domain: e.Expr) -> str:
        match domain:
            case e.Players():
                return ""
            case e.Rounds(e.Players(), start):
                return f" in turn, beginning with {self.p.noun(start)}"
            case e.Filter(_, local, condition):
                self.p.names[local] = "the player"
                return f" {self.p.which(local, condition, domain.type)}"
        return f" of {self.p.noun(domain)}"

    def times(self, times: e.Expr) -> str:
        return (
            "Once"
            if isinstance(times, e.Constant) and times.value == 1
            else f"{self.title(self.p.noun(times))} times"
        )

    def title(self, text: str) -> str:
        text = text.rstrip(".")
        return text[:1].upper() + text[1:]
