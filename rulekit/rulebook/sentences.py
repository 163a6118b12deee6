"""Statements as sentences, nested as they are in the file."""

from __future__ import annotations

from rulekit.program import expressions as e
from rulekit.program import statements as s
from rulekit.program import types as t
from rulekit.program.walk import walk_expressions
from rulekit.rulebook.block_prose import BlockProse
from rulekit.rulebook.document import Item
from rulekit.rulebook.english import counted, is_agent, joined, lowered, number_word, title, words
from rulekit.rulebook.markup import term
from rulekit.rulebook.naming import called, kind_of
from rulekit.rulebook.phrases import Phrases, denied


class Sentences:
    """Sentences for one setup."""

    def __init__(self, phrases: Phrases) -> None:
        self.p = phrases
        self.program = phrases.program
        self.blocks = BlockProse(phrases, self.items)
        self.lets: set[int] = set()

    def items(self, body: tuple[s.Stmt, ...]) -> tuple[Item, ...]:
        """A list of statements as items. What a use of a block stands for is told by the block's prose."""
        found: list[Item] = []
        place = 0
        while place < len(body):
            stmt = body[place]
            use = self.blocks.owner(stmt)
            if use is None or not use.prose:
                found += self.item(stmt)
                place += 1
                continue
            end = place
            while end < len(body) and self.blocks.owner(body[end]) is use:
                end += 1
            found += self.blocks.items(use, body[place:end])
            place = end
        return tuple(found)

    def item(self, stmt: s.Stmt) -> list[Item]:
        match stmt:
            case s.If(branches, otherwise):
                return self.branches(branches, otherwise)
            case s.For(local, domain, body):
                name = self.member(domain, local)
                others = {y.number for y in walk_expressions(body) if isinstance(y, e.Local)} - {local}
                if any(self.p.names.get(other) == name for other in others):
                    name = name.replace("that ", "that other ", 1)
                self.p.names[local] = name
                each = f"For {self.each(domain)}{self.rounds(domain, name)}".replace(
                    "player of the", "of the"
                )
                return self.under(each, ":", self.items(body))
            case s.Repeat(times, body):
                return self.repeat(times, body)
            case s.Until(condition, body):
                return self.under(f"Until {self.p.clause(condition)}, repeat", ":", self.items(body))
            case s.Call(name, arguments):
                return [Item(self.call(name, arguments))] if self.happens(name) else []
        sentence = self.sentence(stmt)
        return [Item(sentence)] if sentence else []

    def branches(
        self, branches: tuple[tuple[e.Expr, tuple[s.Stmt, ...]], ...], otherwise: tuple[s.Stmt, ...]
    ) -> list[Item]:
        found: list[Item] = []
        for n, (condition, body) in enumerate(branches):
            start = f"{'If' if n == 0 else 'Otherwise, if'} {self.p.clause(condition)}"
            inner = self.items(body)
            if inner:
                found += self.under(start, ",", inner)
            elif n + 1 < len(branches) or otherwise:
                found.append(Item(f"{start}, nothing happens."))
        inner = self.items(otherwise)
        if inner:
            found += self.under("Otherwise", ",", inner)
        return found

    def under(self, start: str, mark: str, inner: tuple[Item, ...]) -> list[Item]:
        """Items under a beginning; a single short one goes on in the same line."""
        if len(inner) == 1 and not inner[0].below and len(inner[0].text) < 140:
            return [Item(f"{start}{mark} {lowered(inner[0].text)}")]
        return [Item(f"{start}:", inner)] if inner else []

    def repeat(self, times: e.Expr, body: tuple[s.Stmt, ...]) -> list[Item]:
        inner = self.items(body)
        if isinstance(times, e.Constant) and isinstance(times.value, int):
            if times.value == 1:
                return list(inner)
            return self.under(title(f"{number_word(times.value)} times"), ":", inner)
        if (
            isinstance(times, e.Count)
            and isinstance(times.of, e.Constant)
            and isinstance(times.of.value, tuple)
        ):
            return self.under(title(f"{number_word(len(times.of.value))} times"), ":", inner)
        if isinstance(times, e.Count):
            return self.under(f"As many times as there are {self.p.elements(times.of)}", ":", inner)
        return self.under(f"As many times as {self.p.noun(times)}", ":", inner)

    def happens(self, name: str) -> bool:
        """Something is done in the phase."""
        phase = self.program.phases[name]
        return bool(self.p.folding.body(phase.body) or self.p.folding.body(phase.after))

    def call(self, name: str, arguments: tuple[e.Expr, ...]) -> str:
        phase = self.program.phases[name]
        whom, rest = [], []
        for number, argument in zip(phase.parameters, arguments, strict=True):
            local = self.program.locals[number]
            if kind_of(local.type) in ("player", "side", "card"):
                whom.append(self.p.noun(argument))
            else:
                rest.append(f"{self.p.noun(argument)} as {term(words(local.name))}")
        for_whom = f" for {joined(whom)}" if whom else ""
        given = f", with {joined(rest)}" if rest else ""
        return f"{title(term(self.p.phase(name)))}{for_whom}{given} (see below)."

    # ------------------------------------------------------------ leaf statements

    def sentence(self, stmt: s.Stmt) -> str | None:
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
                return f"Shuffle all the cards; they form {self.place(into)}."
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
                shown = self.p.owned(self.p.state(name), None if index is None else self.p.noun(index))
                return f"Make {shown} known to {self.p.noun(to) if to is not None else 'everyone'}."
            case s.Stop(phase):
                return f"This ends the {term(self.p.phase(phase))} at once."
            case s.Ask():
                return self.ask(stmt)
            case s.Claim(local, zone):
                self.p.names[local] = f"the new {self.p.zone(zone).removesuffix('s')}"
                return f"Begin a new pile among the {self.p.zone(zone)}."
        return None

    def assign(self, stmt: s.Assign) -> str | None:
        place, value = stmt.place, stmt.value
        index: e.Expr | None = None
        match place:
            case s.LocalPlace(number):
                return self.let(stmt, number)
            case s.StatePlace(name, index):
                role = self.p.state(name)
                what = self.p.state_of(
                    name, index, e.StateOf(name, index, type=self.program.state[name].type)
                )
            case s.FieldPlace(_, field, pile):
                role = words(field)
                what = f"the {role} of {self.p.noun(pile)}"
        why = f" for {term(words(stmt.because.reason))}" if stmt.because is not None else ""
        if isinstance(value.type, t.Bool):
            named = called(self.program.state[place.state]) if isinstance(place, s.StatePlace) else None
            return self.now_holds(what, value, named if index is None else None)
        if stmt.op == "=":
            declared = self.program.state[name].type if isinstance(place, s.StatePlace) else value.type
            if kind_of(declared) == "player" and not isinstance(declared, t.Collection) and index is None:
                return self.takes_role(role, value)
            if isinstance(value, e.Constant) and value.value is None and index is None:
                return f"There is no {role} now."
            return f"{title(what)} {self.p.is_(what)} now {self.p.noun(value)}{why}."
        if isinstance(value.type, t.Int):
            amount, whose = self.p.noun(value), what
            if isinstance(value, (e.If, e.Choose)):
                verb = "Add to" if stmt.op == "+=" else "Take off"
                return f"{verb} {whose}{why}: {amount}."
            if stmt.op == "+=":
                return f"Add {amount} to {whose}{why}."
            return f"Take {amount} off {whose}{why}."
        who = self.p.noun(value)
        change = "now" if stmt.op == "+=" else "no longer"
        return f"{title(who)} {self.p.is_(who)} {change} one of {what}."

    def let(self, stmt: s.Assign, number: int) -> str | None:
        local, value = self.program.locals[number], stmt.value
        if local.name == "answer":
            return None
        name = words(local.name)
        again = number in self.lets
        self.lets.add(number)
        if kind_of(local.type) == "player" and len(local.name) == 1:
            said = self.p.noun(value)
            self.p.names[number] = "the player whose turn it is"
            return f"Then it is the turn of {said}." if again else f"First it is the turn of {said}."
        if isinstance(value.type, t.Bool):
            self.p.names[number] = f"the {name}"
            return f"Call it {term(name)} if {self.p.clause(value)}."
        said = self.p.noun(value)
        self.p.names[number] = f"the {name}" if len(name) > 1 else term(name)
        if stmt.op in ("+=", "-="):
            way = ("Add", "to") if stmt.op == "+=" else ("Take", "off")
            return f"{way[0]} {said} {way[1]} the {term(name)}."
        if again:
            return f"The {term(name)} is now {said}."
        if isinstance(value, (e.If, e.Choose)):
            return f"The {term(name)} {self.p.is_(name)} {said}."
        return f"Call {said} the {term(name)}."

    def now_holds(self, what: str, value: e.Expr, named: str | None) -> str:
        """A condition that is remembered; ``named``: its name is a clause of its own."""
        if named is not None:
            if isinstance(value, e.Constant):
                return f"From now on {term(named) if value.value else denied(named)}."
            return f"From now on {term(named)} if {self.p.clause(value)}."
        noun = term(what.removeprefix("the "))
        if isinstance(value, e.Constant):
            return f"From now on {noun} {'holds' if value.value else 'does not hold'}."
        return f"From now on {noun} holds if {self.p.clause(value)}."

    def takes_role(self, role: str, value: e.Expr) -> str:
        """A player becomes the dealer, gets the breakaway."""
        agent = is_agent(role)
        match value:
            case e.Random(e.Players()):
                return f"Choose the {role} by lot."
            case e.Constant(value=None):
                return f"There is no {role} now."
            case e.If():
                return f"The {role} is now {self.p.noun(value)}."
        who = self.p.noun(value)
        become = "become" if who == "you" else "becomes"
        if agent:
            return f"{title(who)} {become} the {role}."
        return f"The {role} is now yours." if who == "you" else f"The {role} is now with {who}."

    def moved(self, cards: e.Expr) -> str:
        if isinstance(cards, (e.ZoneCards, e.FamilyCards)):
            said = self.p.the_elements(cards)
            return f"Move all {said}" if said.startswith("the cards") else f"Move all of {said}"
        return f"Move {self.p.noun(cards)}"

    def deal(self, stmt: s.Deal) -> str:
        source = self.place(stmt.source)
        count, left = stmt.count, ""
        match count, stmt.source:
            case e.Minimum(most, e.Count(e.ZoneCards(zone, None))), s.ZonePlace(name, None) if zone == name:
                count, left = most, ", or all that are left"
        plain = (
            count is None
            or isinstance(count, e.Constant)
            or (isinstance(count, e.Local) and self.p.noun(count).startswith("*"))
        )
        if count is None:
            amount = "all the cards"
        elif plain:
            amount = counted(self.p.noun(count), "card")
        else:
            amount = "cards"
        many = "" if plain or count is None else f", as many as {self.p.noun(count)}"
        if isinstance(count, e.CallDefine):
            many = f", as many as {self.p.noun(count)} says"
        if isinstance(count, (e.If, e.Choose)):
            many = f": {self.p.noun(count)}"
        if stmt.players is None:
            verb = "Deal"
            return f"{verb} {amount} from {source} to {self.place(stmt.to)}{many}{left}."
        order = self.order(stmt.players)
        each = "" if count is None else " to each player"
        if count is None:
            return f"Deal out {amount} of {source} one at a time{order}."
        return f"Deal {amount}{each} from {source}, one at a time{order}{many}."

    def order(self, players: e.Expr) -> str:
        match players:
            case e.Players():
                return ""
            case e.Rounds(e.Players(), start):
                return f", beginning with {self.p.noun(start)}"
            case e.Rounds(of, start):
                return f", to {self.p.noun(of)}, beginning with {self.p.noun(start)}"
        return f", to {self.p.noun(players)}"

    def place(self, place: s.CardPlace) -> str:
        match place:
            case s.ZonePlace(zone, index, bottom, new):
                name = self.p.owned(self.p.zone(zone), None if index is None else self.p.noun(index))
                if new:
                    return f"a new pile among {name}"
                return f"the bottom of {name}" if bottom else name
            case s.PilePlace(pile, bottom):
                return ("the bottom of " if bottom else "") + self.p.noun(pile)
            case s.EitherPlace(condition, yes, no):
                return f"{self.place(yes)} if {self.p.clause(condition)}, otherwise to {self.place(no)}"

    def ask(self, stmt: s.Ask) -> str:
        moves = joined([term(self.p.move(move)) for move in stmt.moves if self.p.possible(move)], "or")
        who = self.p.noun(stmt.who)
        if stmt.together:
            everyone = who if self.p.is_(who) == "are" else f"each of {who}"
            return f"{title(everyone)} must {moves}, at the same time and unseen by each other."
        whom = "" if stmt.whom is None or stmt.whom == stmt.who else f" for {self.p.noun(stmt.whom)}"
        must = "must choose:" if " or " in moves else "must"
        return f"{title(who)} {must} {moves}{whom}."

    # ------------------------------------------------------------ rounds

    def member(self, domain: e.Expr, local: int) -> str:
        kind = kind_of(domain.type)
        name = words(self.program.locals[local].name)
        if kind == "card" and isinstance(domain.type, t.SelectionsOf):
            return "those cards"
        if kind in ("one", "number"):
            return term(name)
        return f"that {kind}"

    def each(self, domain: e.Expr) -> str:
        kind = kind_of(domain.type)
        if isinstance(domain.type, t.SelectionsOf) or kind == "one":
            return "each"
        return f"each {kind}"

    def rounds(self, domain: e.Expr, name: str = "") -> str:
        match domain:
            case e.Players() | e.Teams():
                return ""
            case e.Difference(e.Players(), who):
                return f" except {self.p.noun(who)}"
            case e.Rounds(e.Players(), start):
                return f" in turn, beginning with {self.p.noun(start)}"
            case e.Rounds(of, start):
                return f" of {self.p.noun(of)} in turn, beginning with {self.p.noun(start)}"
            case e.Filter(e.Players() | e.Teams() as whole, local, condition):
                return self.p.which(local, condition, whole.type)
            case e.Constant() if self.p.noun(domain) == f"any {kind_of(domain.type)}":
                return ""
            case e.Filter(e.Constant() as whole, local, condition) if self.rounds(whole) == "":
                return self.p.which(local, condition, whole.type)
            case e.Filter(e.Rounds(e.Players(), start) as whole, local, condition):
                told = self.p.which(local, condition, whole.type)
                return f"{told} in turn, beginning with {self.p.noun(start)}"
        if kind_of(domain.type) == "number" and isinstance(domain, e.Numbers):
            return f" {name} from {self.p.noun(domain)}"
        said = self.p.noun(domain)
        if said.startswith(("a ", "an ")):
            return " " + said.split(" ", 1)[1]
        return f" of {said}"


def reads_local(x: e.Expr, number: int) -> bool:
    """Does the expression read this local?"""
    return any(isinstance(y, e.Local) and y.number == number for y in walk_expressions(x))
