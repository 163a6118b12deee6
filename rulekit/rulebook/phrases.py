"""Conditions as clauses of English, and so all phrases of the rulebook."""

from __future__ import annotations

import re

from rulekit.program import expressions as e
from rulekit.program import patterns as p
from rulekit.program import types as t
from rulekit.program.walk import operands
from rulekit.rulebook.english import a, is_agent, joined, words
from rulekit.rulebook.folding import truth
from rulekit.rulebook.markup import term
from rulekit.rulebook.naming import called, kind_of
from rulekit.rulebook.nouns import Nouns


class Phrases(Nouns):
    """Phrases for one setup."""

    def clause(self, x: e.Expr, negated: bool = False) -> str:
        """A condition as a clause."""
        not_ = " not" if negated else ""
        match x:
            case e.Constant(value):
                return "it always holds" if bool(value) is not negated else "it never holds"
            case e.Option(name):
                return (
                    "it always holds" if bool(self.setup.options[name]) is not negated else "it never holds"
                )
            case e.Not(operand):
                return self.clause(operand, not negated)
            case e.And():
                return self.several(x, "or" if negated else "and", negated)
            case e.Or():
                return self.several(x, "and" if negated else "or", negated)
            case e.Same(left, right):
                return self.same(left, right, negated)
            case e.Less():
                return self.less(x, negated)
            case e.Contains(item, collection):
                return self.contains(item, collection, not_)
            case e.Subset(part, whole):
                return self.subset(part, whole, negated)
            case e.AnyOf(of):
                return self.any_of(of, negated)
            case e.Every(domain, local, condition):
                return self.every_one(domain, local, condition, negated)
            case p.Matches(cards, name):
                is_a = "is no" if negated else "is"
                noun = term(self.pattern(name))
                subject = self.noun(cards)
                if self.is_(subject) == "are" and subject != "you":
                    return f"{subject} {'make no' if negated else 'make'} {noun if negated else a(noun)}"
                return f"{subject} {is_a} {noun if negated else a(noun)}"
            case p.Beats(left, right):
                beats = "beat" if self.is_(self.noun(left)) == "are" else "beats"
                said = f"do{'' if beats == 'beat' else 'es'} not beat" if negated else beats
                return f"{self.noun(left)} {said} {self.noun(right)}"
            case e.Answered(_, moves):
                chosen = joined([term(self.move(m)) for m in moves], "or")
                return f"the choice was{not_} {chosen}"
            case e.If(condition, yes, no):
                if negated:
                    return f"it is not so that {self.clause(x)}"
                return f"{self.clause(yes)}, if {self.clause(condition)}, or else {self.clause(no)}"
            case e.CallDefine(name, arguments):
                return self.holds(name, arguments, negated)
            case e.StateOf(name, index):
                return self.state_holds(name, index, negated)
            case e.Local(number):
                noun = self.local(number).removeprefix("the ")
                return f"it {'does not count' if negated else 'counts'} as {term(noun)}"
            case e.FactOf(fact, card):
                return f"{self.noun(card)} is{not_} {term(self.named_fact(fact))}"
        said = self.noun(x)
        return f"not {said}" if negated else said

    # ------------------------------------------------------------ and, or

    def several(self, x: e.Expr, word: str, negated: bool) -> str:
        """Conditions joined; those of another kind inside are set off by commas."""
        parts = operands(x)
        said = [self.clause(part, negated) for part in parts]
        mixed = any(isinstance(part, (e.And, e.Or)) for part in parts)
        return joined_clauses(said, word, mixed)

    def holds(self, name: str, arguments: tuple[e.Expr, ...], negated: bool) -> str:
        """A define that is a condition. Its name may be a clause of its own."""
        body = self.folding.define(name)
        if not arguments and (known := truth(body)) is not None:
            return "it always holds" if known is not negated else "it never holds"
        define = self.program.defines[name]
        said = called(define)
        if said is not None and not arguments:
            return denied(said) if negated else term(said)
        if said is not None:
            for number, argument in zip(define.parameters, arguments, strict=True):
                said = said.replace(f"{{{self.program.locals[number].name}}}", self.noun(argument))
            said = agreeing(said)
            return denied(said, marked=False) if negated else said
        noun = term(self.define(name))
        rest = f" for {joined([self.noun(x) for x in arguments])}" if arguments else ""
        return f"{noun} does not hold{rest}" if negated else f"{noun} holds{rest}"

    def state_holds(self, name: str, index: e.Expr | None, negated: bool) -> str:
        noun = term(self.state(name))
        said = called(self.program.state.get(name))
        if said is not None and index is None:
            return denied(said) if negated else term(said)
        rest = f" for {self.noun(index)}" if index is not None else ""
        return f"{noun} does not hold{rest}" if negated else f"{noun} holds{rest}"

    # ------------------------------------------------------------ comparisons

    def same(self, left: e.Expr, right: e.Expr, negated: bool) -> str:
        not_ = " not" if negated else ""
        if isinstance(left, e.Constant) and not isinstance(right, e.Constant):
            left, right = right, left
        match left, right:
            case _, e.Constant(value=None):
                return self.absent(left, negated)
            case e.Count(of), e.Constant(value=int() as number):
                return self.holding(of, number, number, negated)
            case e.CardFact("face", of), e.Constant(value=int() as face):
                up = self.program.words["face"][face]
                return f"{self.noun(of)} {'does not lie' if negated else 'lies'} face {words(up)}"
            case e.CardFact("player" | "owner" as fact, of), (
                e.Me() | e.Local() | e.StateOf() | e.Constant()
            ):
                who = self.noun(right)
                do, verb = ("do", "hold") if who == "you" else ("does", "holds")
                card = self.noun(of)
                if fact == "player":
                    return f"{who} did not play {card}" if negated else f"{who} played {card}"
                return f"{who} {do} not hold {card}" if negated else f"{who} {verb} {card}"
            case e.CardFact("number", of), e.Constant(value=int() as place) if (
                0 < place <= self.setup.pack.plain_ranks
            ):
                return f"{self.noun(of)} is{not_} {a(self.constant(place - 1, t.Rank()))}"
            case e.CardFact("number", one_card), e.Arithmetic(
                "+" | "-" as op, e.CardFact("number", other), by
            ):
                how = "above" if op == "+" else "below"
                steps = "one" if isinstance(by, e.Constant) and by.value == 1 else self.noun(by)
                rank = self.fact("rank", self.noun(one_card))
                return f"{rank} is{not_} {steps} {how} {self.fact('rank', self.noun(other))}"
            case e.CardFact("rank", of), e.Constant(value=int() as rank):
                return f"{self.noun(of)} is{not_} {a(self.constant(rank, t.Rank()))}"
            case e.CardFact("suit", of), e.Constant(value=int() as suit):
                name = self.constant(suit, t.Suit())
                return f"{self.noun(of)} is{not_} {a(name.removesuffix('s'))}"
            case e.StateOf(name, None), (e.Me() | e.Local() | e.StateOf() | e.Constant()) if (
                kind_of(left.type) == "player"
            ):
                return self.has_role(self.state(name), self.noun(right), negated)
            case ((e.Me() | e.Local()), e.StateOf(name, None)) if kind_of(right.type) == "player":
                return self.has_role(self.state(name), self.noun(left), negated)
        one, two = self.noun(left), self.noun(right)
        if two == "you":
            one, two = two, one
        return f"{one} {self.is_(one)}{not_} {two}"

    def has_role(self, role: str, who: str, negated: bool) -> str:
        """`you are the closer`, `the breakaway is yours`."""
        not_ = " not" if negated else ""
        if is_agent(role):
            return f"{who} {self.is_(who)}{not_} the {role}"
        whose = {"you": "yours"}.get(who, f"with {who}")
        return f"the {role} is{not_} {whose}"

    def absent(self, x: e.Expr, negated: bool) -> str:
        """Nothing is there."""
        said = self.noun(x)
        if said.startswith("the ") and " of " not in said and " in " not in said:
            bare = said.removeprefix("the ")
            return f"there is {a(bare)}" if negated else f"there is no {bare}"
        return f"there is {said}" if negated else f"there is no {said.removeprefix('the ')}"

    def less(self, x: e.Less, negated: bool) -> str:
        """`left < right` or `left <= right`."""
        left, right, or_equal = x.left, x.right, x.or_equal
        if negated:
            left, right, or_equal = right, left, not or_equal
        match left, right:
            case e.Constant(value=int() as low), e.Count(of):
                return self.holding(of, low if or_equal else low + 1, None, False)
            case e.Count(of), e.Constant(value=int() as high):
                return self.holding(of, 0, high if or_equal else high - 1, False)
        one, two = self.noun(left), self.noun(right)
        ranks = kind_of(left.type) not in ("number", "one")
        if isinstance(left, e.Constant) or two == "you":
            how = "at least" if or_equal else ("higher than" if ranks else "more than")
            return f"{two} {self.is_(two)} {how} {one}"
        how = "at most" if or_equal else ("lower than" if ranks else "less than")
        return f"{one} {self.is_(one)} {how} {two}"

    def holding(self, of: e.Expr, low: int, high: int | None, negated: bool) -> str:
        """How many there are: from ``low`` to ``high`` (None: no bound)."""
        if high == 0:
            return self.any_of(of, not negated)
        if low == 1 and high is None:
            return self.any_of(of, negated)
        if high is None:
            amount, number = f"at least {low}", low
        elif low == high:
            amount, number = f"{'not ' if negated else ''}{low}", low
        else:
            amount, number = f"at most {high}", high
        if isinstance(of, (e.ZoneCards, e.ZonePile, e.PileCards)):
            cards = "card" if number == 1 else "cards"
            return f"{self.noun(of)} {self.has(of)} {amount} {cards}"
        if isinstance(of, e.StateOf) and kind_of(of.type) == "player":
            players = "player" if number == 1 else "players"
            noun = self.state(of.state)
            if not noun.endswith("s"):
                return f"{amount} *{noun}* {players} {'is' if number == 1 else 'are'} left"
        said = self.elements(of)
        if said.startswith("players ") and number == 1:
            said = "player " + said.removeprefix("players ").replace("that are", "that is")
        if said.startswith(("players", "player ", "cards")):
            return f"there {'is' if number == 1 else 'are'} {amount} {said}"
        return f"the number of {self.the_elements(of)} is {amount}"

    def has(self, of: e.Expr) -> str:
        return "have" if self.is_(self.noun(of)) == "are" else "has"

    # ------------------------------------------------------------ collections

    def contains(self, item: e.Expr, collection: e.Expr, not_: str) -> str:
        match item, collection:
            case e.CardFact("rank", of), e.Constant(value=tuple() as ranks):
                return f"{self.noun(of)} is{not_} {a(self.constant(ranks, t.Rank()))}"
        one = self.noun(item)
        kind = kind_of(item.type)
        if kind == "card" and isinstance(collection, e.Cards):
            return (
                f"{one} {self.is_(one)}{not_} {joined([self.card(face) for face in collection.faces], 'or')}"
            )
        if kind == "card":
            return f"{one} {self.is_(one)}{not_} in {self.noun(collection)}"
        if isinstance(collection, e.Numbers):
            return f"{one} {self.is_(one)}{not_} from {self.noun(collection)}"
        if isinstance(collection, e.Constant):
            return f"{one} {self.is_(one)}{not_} {self.noun(collection)}"
        return f"{one} {self.is_(one)}{not_} one of {self.noun(collection)}"

    def subset(self, part: e.Expr, whole: e.Expr, negated: bool) -> str:
        one = self.noun(part)
        if (isinstance(part, e.Cards) and len(part.faces) == 1) or isinstance(part, e.One):
            return f"{one} is{' not' if negated else ''} in {self.noun(whole)}"
        return f"{'not all' if negated else 'all'} of {one} are in {self.noun(whole)}"

    def any_of(self, of: e.Expr, negated: bool) -> str:
        """There is an element."""
        match of:
            case e.ZoneCards() | e.ZonePile() | e.PileCards() | e.FamilyCards():
                noun = self.noun(of)
                return f"{noun} {self.is_(noun)}{'' if negated else ' not'} empty"
            case e.Filter(e.Players() | e.Teams() | e.Rounds() as domain, local, condition):
                kind = kind_of(domain.type)
                parts = operands(condition)
                if len(parts) == 1 and not (negated and isinstance(condition, e.Not)):
                    self.names[local] = f"no {kind}" if negated else f"some {kind}"
                    said = self.clause(condition)
                    if said.startswith(self.names[local]):
                        return said
                    self.names[local] = f"the {kind}"
            case e.StateOf() if kind_of(of.type) == "player" and not self.state(of.state).endswith("s"):
                return f"there {'are no' if negated else 'is at least one'} *{self.state(of.state)}* " + (
                    "players" if negated else "player"
                )
        said = self.elements(of)
        if said.startswith(("players", "cards", "sides")):
            return f"there are {'no ' if negated else ''}{said}"
        if kind_of(of.type) == "card" and not said.startswith(("a ", "an ")):
            return f"{said} {self.is_(said)} {'empty' if negated else 'not empty'}"
        if said.startswith("the "):
            bare = said.removeprefix("the ")
            return f"there {self.is_(bare)} {'no ' if negated else ''}{bare}"
        if said.startswith(("a ", "an ")):
            bare = said.split(" ", 1)[1]
            return f"there is no {bare}" if negated else f"there is {said}"
        return f"there is {'nothing' if negated else 'something'} in {said}"

    def every_one(self, domain: e.Expr, local: int, condition: e.Expr, negated: bool) -> str:
        kind = kind_of(domain.type)
        whole = isinstance(domain, (e.Players, e.Teams))
        self.names[local] = f"every {kind}"
        if whole and len(operands(condition)) == 1:
            said = self.clause(condition)
            if said.startswith(f"every {kind}"):
                return f"not {said}" if negated else said
        if isinstance(domain, e.Constant) or whole:
            self.names[local] = f"that {kind}"
            of = f"every {kind}"
        else:
            self.names[local] = {"card": "it", "pile": "it"}.get(kind, f"that {kind}")
            of = f"each of {self.the_elements(domain)}"
        return f"{'not ' if negated else ''}for {of}, {self.clause(condition)}"


def denied(text: str, marked: bool = True) -> str:
    """A clause with `not` after its verb; one with another verb is denied as a whole."""
    found = re.sub(r" (is|are|has|have|may|must|can) ", r" \1 not ", text, count=1)
    if found == text:
        found = re.sub(r"^((?:the )?[\w{}-]+) (\w+[^s\W])s ", r"\1 does not \2 ", text)
    if found == text:
        return f"it is not so that {term(text) if marked else text}"
    return term(found) if marked else found


def agreeing(text: str) -> str:
    """Verbs after "you"."""
    for verb, yours in (("is", "are"), ("has", "have"), ("does", "do")):
        text = re.sub(rf"\byou {verb}\b", f"you {yours}", text)
    return text


def joined_clauses(parts: list[str], word: str, mixed: bool) -> str:
    """Clauses joined by `and` or `or`, with a comma before the word where the parts are long."""
    if len(parts) < 2:
        return "".join(parts)
    if len(parts) == 2:
        return f"{parts[0]}{',' if mixed else ''} {word} {parts[1]}"
    return ", ".join(parts[:-1]) + f", {word} {parts[-1]}"
