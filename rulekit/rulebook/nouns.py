"""Expressions as nouns: what they stand for."""

from __future__ import annotations

from rulekit.program import expressions as e
from rulekit.program import patterns as p
from rulekit.program import types as t
from rulekit.program.rebuild import rebuild
from rulekit.program.walk import operands, walk_expressions
from rulekit.rulebook.english import a, joined, plural, possessive, singular, words
from rulekit.rulebook.folding import truth
from rulekit.rulebook.markup import term
from rulekit.rulebook.naming import Naming, called, kind_of

SIMPLE = (e.StateOf, e.ZoneCards, e.CardFact, e.Seat, e.Constant, e.Cards, e.Players, e.End)


class Nouns(Naming):
    """Nouns for one setup. The player addressed is "you"."""

    def clause(self, x: e.Expr, negated: bool = False) -> str:
        """A condition as a clause."""
        raise NotImplementedError

    def noun(self, x: e.Expr) -> str:
        """What the expression stands for."""
        match x:
            case e.Constant(value):
                return self.constant(value, x.type)
            case e.Option(name):
                return self.constant(self.setup.options[name], x.type)
            case e.Cards(faces):
                return joined([self.card(face) for face in faces])
            case e.Deck():
                return "the whole pack"
            case e.Players():
                return "both players" if self.setup.players == 2 else "all players"
            case e.Teams():
                return "both sides" if self.setup.teams == 2 else "all sides"
            case e.Me():
                return "you"
            case e.Local(number):
                return self.local(number)
            case e.StateOf(name, index):
                return self.state_of(name, index, x)
            case e.ZoneCards(zone, index) | e.ZonePile(zone, index):
                return self.owned(self.zone(zone), self.index(index))
            case e.ZonePiles(zone, index):
                family = self.program.zones[zone]
                single = family.kind == "pile" and family.per is None
                said = self.zone(zone) if single else plural(self.zone(zone))
                return self.owned(said, self.index(index))
            case e.FamilyCards(zone):
                return f"the {plural(self.zone(zone))} of all" if self.per_player(zone) else self.every(zone)
            case e.PileCards(pile):
                return self.noun(pile)
            case e.PileField(_, field, pile):
                return f"the {words(field)} of {self.noun(pile)}"
            case e.PileIndex(pile):
                home = pile.type.zone if isinstance(pile.type, t.Pile) else None
                per = self.program.zones[home].per if home is not None else None
                return f"the {per or 'number'} of {self.noun(pile)}"
            case e.CardFact(fact, of) | e.FactOf(fact, of):
                return self.fact(fact, self.noun(of))
            case e.SuitColor(suit):
                return f"the colour of {self.noun(suit)}"
            case e.Seat(kind, player):
                return self.seat(kind, player, self.noun(player))
            case e.TeamOf(player):
                return "your side" if isinstance(player, e.Me) else f"the side of {self.noun(player)}"
            case e.TeamPlayers(team):
                return f"the players of {self.noun(team)}"
            case e.Next(of):
                return f"the next {kind_of(of.type)} after {self.noun(of)}"
            case e.Other(of):
                return "the other side" if kind_of(of.type) == "side" else f"the other of {self.noun(of)}"
            case e.CallDefine(name, arguments):
                return self.defined(name, arguments)
        return self.number(x)

    def number(self, x: e.Expr) -> str:
        """Numbers."""
        match x:
            case e.Arithmetic(op, left, right):
                return self.arithmetic(op, left, right)
            case e.Minimum(left, right):
                return f"{self.noun(left)} (at most {self.noun(right)})"
            case e.Maximum(left, right):
                return f"{self.noun(left)} (at least {self.noun(right)})"
            case e.Negative(operand):
                return f"minus {self.grouped(operand)}"
            case e.Count(e.Constant(value=tuple() as value)):
                return str(len(value))
            case e.Count(e.ZonePiles(zone, None)) if self.program.zones[zone].kind == "piles":
                return str(self.program.zones[zone].count)
            case e.Count(of):
                return f"the number of {self.the_elements(of)}"
            case e.Sum(e.Collect(domain, local, value)):
                return self.total(domain, local, value)
            case e.Sum(of):
                return f"the total of {self.noun(of)}"
            case e.If(condition, yes, no):
                if isinstance(x.type, t.Bool):
                    return f"whether {self.noun(yes)} or {self.noun(no)}, by whether {self.clause(condition)}"
                return f"{self.noun(yes)} if {self.clause(condition)}, otherwise {self.noun(no)}"
            case e.Choose(subject, rows, default):
                parts = [
                    f"{self.noun(value)} for {joined([self.constant(k, subject.type) for k in keys], 'or')}"
                    for keys, value in rows
                ]
                rest = [f"otherwise {self.noun(default)}"] if default is not None else []
                about = "" if isinstance(subject, e.CardFact) else f"depending on {self.noun(subject)}: "
                return about + ", ".join(parts + rest)
            case e.Best(largest, e.Collect(domain, local, value)):
                self.names[local] = "any " + kind_of(domain.type)
                which = "highest" if largest else "lowest"
                return f"the {which} {self.bare(value, local)} of {self.the_elements(domain)}"
            case e.Best(largest, of):
                return f"the {'highest' if largest else 'lowest'} of {self.noun(of)}"
        return self.collection(x)

    def collection(self, x: e.Expr) -> str:
        """Collections, and things picked from them."""
        match x:
            case e.Numbers(low, high):
                return f"{self.noun(low)} to {self.noun(high)}"
            case e.One(of):
                return self.noun(of)
            case e.Union(e.Constant(value=()), of) | e.Union(of, e.Constant(value=())):
                return self.noun(of)
            case e.Union(left, right):
                return f"{self.noun(left)} and {self.noun(right)}"
            case e.Intersection(e.TeamPlayers(team), of) | e.Intersection(of, e.TeamPlayers(team)):
                return f"those of {self.noun(team)} among {self.noun(of)}"
            case e.Intersection(left, right):
                return f"what {self.noun(left)} and {self.noun(right)} have in common"
            case e.Difference(left, right):
                return f"{self.noun(left)} except {self.noun(right)}"
            case e.Filter():
                return self.the_elements(x)
            case e.Collect(domain, local, value):
                return self.collected(domain, local, value)
            case e.Rounds(players, start):
                return f"{self.noun(players)}, beginning with {self.noun(start)}"
            case e.Extreme(kind, domain, local, key):
                return self.extreme(kind, domain, local, key)
            case e.KeyOf(parts):
                first = "first " if len(parts) > 1 else ""
                return first + ", then ".join(self.key_part(part) for part in parts)
            case e.Only(
                e.Filter(e.ZonePiles(zone, None), local, e.Same(e.PileIndex(e.Local(number)), of))
            ) if number == local:
                return f"{self.zone(zone)} {self.noun(of)}"
            case e.Only(e.Collect(e.One(one), local, value)):
                return self.noun(rebuild(value, lambda x: one if x == e.Local(local, type=one.type) else x))
            case e.Only(of):
                return f"the only one of {self.noun(of)}"
            case e.End(e.Rounds(players, start), False):
                start = self.simple(start)
                if isinstance(start, e.Seat) and start.kind == "left":
                    if isinstance(players, e.Players):
                        return self.noun(start)
                    return f"the next of {self.noun(players)} after {self.noun(start.player)}"
                return f"the first of {self.noun(players)} from {self.noun(start)} on"
            case e.End(of, last):
                return self.end(of, last)
            case e.Stacked(card):
                return f"{self.noun(card)} with all cards that lie on it"
            case e.Selections(low, high, of):
                return self.selection(low, high, of)
            case p.Instances(cards, name):
                return f"{a(term(self.pattern(name)))} from {self.noun(cards)}"
            case p.BestInstance(cards, name):
                return f"the best {term(self.pattern(name))} in {self.noun(cards)}"
            case p.Tail(cards, name):
                return f"the longest {term(self.pattern(name))} at the end of {self.noun(cards)}"
            case p.Inside(cards, name, _, outside):
                found = term(plural(self.pattern(name)))
                if outside:
                    return f"the cards of {self.noun(cards)} left over by the best {found}"
                return f"the best {found} in {self.noun(cards)}"
            case e.Random(domain):
                return f"one of {self.the_elements(domain)}, by lot"
        if isinstance(x.type, t.Bool):
            return f"whether {self.clause(x)}"
        return x.span.text if x.span is not None else "it"

    # ------------------------------------------------------------ parts

    def simple(self, x: e.Expr) -> e.Expr:
        """What a name stands for, if that is as short as the name."""
        if isinstance(x, e.CallDefine) and not x.arguments:
            body = self.folding.define(x.define)
            return body if isinstance(body, SIMPLE) else x
        return x

    def index(self, index: e.Expr | None) -> str | None:
        """Whose it is. Numbers of piles and suits are said as they are."""
        return None if index is None else self.noun(index)

    def per_player(self, zone: str) -> bool:
        return self.program.zones[zone].per in ("player", "team")

    def every(self, zone: str) -> str:
        return f"all {plural(self.zone(zone))}"

    def state_of(self, name: str, index: e.Expr | None, x: e.Expr) -> str:
        """`the dealer`, `your score`, `the live players`."""
        noun = self.state(name)
        if isinstance(x.type, t.SetOf) and kind_of(x.type) == "player" and index is None:
            return f"the {noun}" if noun.endswith("s") else f"the *{noun}* players"
        if isinstance(index, e.TeamOf) and self.program.state[name].per == "team":
            who = self.noun(index.player)
            return f"your side's {noun}" if who == "you" else f"the {noun} of the side of {who}"
        return self.owned(noun, self.index(index))

    def fact(self, fact: str, whose: str) -> str:
        if fact == "player":
            return f"the one who played {whose}"
        if fact == "owner":
            return f"the holder of {whose}"
        if fact == "pile":
            return "its own pile" if whose in ("it", "the card") else f"the pile of {whose}"
        if fact == "color":
            fact = "colour"
        noun = self.named_fact(fact) if fact in self.program.facts else words(fact)
        if whose in ("it", "the card", "the cards", "its"):
            return f"its {noun}"
        return f"the {noun} of {whose}"

    def arithmetic(self, op: str, left: e.Expr, right: e.Expr) -> str:
        # `a plus b minus c` is read from the left, as it is meant.
        in_a_row = op in "+-" and isinstance(left, e.Arithmetic) and left.op in "+-"
        one, two = self.noun(left) if in_a_row else self.grouped(left), self.grouped(right)
        if op == "%":
            return f"the remainder of {one} divided by {two}"
        if op == "*" and isinstance(left, e.Constant) and left.value == 1:
            return self.noun(right)
        if op == "*" and isinstance(right, e.Constant) and right.value == 1:
            return self.noun(left)
        if op in "+-" and isinstance(right, e.Constant) and right.value == 0:
            return self.noun(left)
        sign = {"+": "plus", "-": "minus", "*": "times", "//": "divided by"}[op]
        return f"{one} {sign} {two}" + (", rounded down" if op == "//" else "")

    def grouped(self, x: e.Expr) -> str:
        said = self.noun(x)
        nested = isinstance(x, (e.If, e.Choose)) or (isinstance(x, e.Arithmetic) and x.op in "+-")
        return f"({said})" if nested else said

    def total(self, domain: e.Expr, local: int, value: e.Expr) -> str:
        """A sum of one number each."""
        match value:
            case e.FactOf(fact, e.Local(number)) | e.CardFact(fact, e.Local(number)) if number == local:
                return f"the total {self.named_fact(fact)} of {self.the_elements(domain)}"
            case e.StateOf(name, e.Local(number)) if number == local:
                return f"the total {self.state(name)} of {self.the_elements(domain)}"
        self.names[local] = f"each {kind_of(domain.type)}"
        return f"the sum of {self.noun(value)}, over {self.the_elements(domain)}"

    def collected(self, domain: e.Expr, local: int, value: e.Expr) -> str:
        """One value for each element."""
        match value:
            case e.FactOf(fact, e.Local(number)) | e.CardFact(fact, e.Local(number)) if number == local:
                if fact == "player":
                    return f"those who played {self.the_elements(domain)}"
                if fact == "owner":
                    return f"those who hold {self.the_elements(domain)}"
                return f"the {plural(self.named_fact(fact))} of {self.the_elements(domain)}"
            case e.StateOf(name, e.Local(number)) if number == local:
                return f"the {self.state(name)} of {self.the_elements(domain)}"
            case e.ZoneCards(zone, e.Local(number)) if number == local:
                return f"the {plural(self.zone(zone))} of {self.the_elements(domain)}"
        self.names[local] = "each " + kind_of(domain.type)
        if isinstance(domain, (e.Players, e.Teams)) or domain == e.Constant((), type=domain.type):
            return self.noun(value)
        return f"{self.noun(value)}, of {self.the_elements(domain)}"

    def extreme(self, kind: str, domain: e.Expr, local: int, key: e.Expr) -> str:
        """The best by a key."""
        which, several = kind.removeprefix("all_"), kind.startswith("all_")
        noun = kind_of(domain.type)
        if isinstance(key, e.CardFact) and key.fact == "rank":
            cards = self.elements(domain).removeprefix("cards ")
            return f"the {which} {'cards' if several else 'card'} {cards if several else singular(cards)}"
        said = self.bare(key, local)
        of = self.the_elements(domain)
        if isinstance(key, (e.StateOf, e.FactOf, e.CallDefine)):
            if isinstance(domain, e.Players):
                return f"the {plural(noun) if several else noun} with the {which} {said}"
            picked = "those" if several else "the one"
            return f"{picked} of {of} with the {which} {said}"
        return f"the {which} of {of}, by {said}"

    def bare(self, x: e.Expr, local: int) -> str:
        """A key without whose it is, if that is the element itself."""
        match x:
            case e.FactOf(fact, e.Local(number)) | e.CardFact(fact, e.Local(number)) if number == local:
                return term(self.named_fact(fact)) if isinstance(x, e.FactOf) else words(fact)
            case e.StateOf(name, e.Local(number)) if number == local:
                return self.state(name)
            case e.StateOf(name, e.TeamOf(e.Local(number))) if number == local:
                return f"{self.state(name)} of their side"
            case e.CallDefine(name, (e.Local(number),)) if number == local:
                return term(self.define(name))
            case e.Count(e.ZoneCards(zone, e.Local(number))) if number == local:
                return f"number of cards in the {self.zone(zone)}"
            case e.KeyOf(parts):
                return ", then ".join(self.bare(part, local) for part in parts)
        self.names[local] = "the " + kind_of(self.program.locals[local].type)
        return self.key_part(x).removeprefix("the ")

    def key_part(self, x: e.Expr) -> str:
        return f"whether {self.clause(x)}" if isinstance(x.type, t.Bool) else self.noun(x)

    def end(self, of: e.Expr, last: bool) -> str:
        if kind_of(of.type) == "card":
            zone = of.zone if isinstance(of, (e.ZoneCards, e.ZonePile)) else None
            first = "first" if zone is not None and self.open_pile(zone) else "bottom"
            return f"the {'top' if last else first} card of {self.noun(of)}"
        return f"the {'last' if last else 'first'} of {self.noun(of)}"

    def open_pile(self, zone: str) -> bool:
        """Cards are laid there one by one in sight of all, so that its lowest is the first played."""
        found = self.program.zones.get(zone)
        return found is not None and found.seen_by == "everyone"

    def selection(self, low: e.Expr, high: e.Expr | None, of: e.Expr) -> str:
        least, most = self.noun(low), None if high is None else self.noun(high)
        of_what = self.the_elements(of)
        if (
            most is not None
            and least == "0"
            and high is not None
            and not isinstance(high, (e.Constant, e.Option))
        ):
            return f"any number of {of_what}, up to {most}"
        if most is None:
            return f"any number of {of_what}" if least == "0" else f"{least} or more of {of_what}"
        if least == most:
            return f"{least} of {of_what}"
        if least == "0":
            return f"up to {most} of {of_what}"
        return f"{least} to {most} of {of_what}"

    # ------------------------------------------------------------ elements

    def elements(self, x: e.Expr) -> str:
        """The elements of a collection, in the plural, without article where that is possible."""
        match x:
            case (
                e.ZoneCards()
                | e.FamilyCards()
                | e.PileCards()
                | e.ZonePile()
                | e.Collect(_, _, e.ZoneCards())
            ):
                said = self.noun(x)
                zone = x.value if isinstance(x, e.Collect) else x
                if isinstance(zone, (e.ZoneCards, e.FamilyCards, e.ZonePile)) and "cards" in self.zone(
                    zone.zone
                ):
                    return said
                return f"cards in {said}"
            case e.Deck():
                return "cards of the pack"
            case e.Players():
                return "players"
            case e.Teams():
                return "sides"
            case e.Filter(domain, local, condition):
                return f"{self.elements(domain)}{self.which(local, condition, domain.type)}"
            case e.Difference(left, right):
                return f"{self.elements(left)} except {self.noun(right)}"
        return self.noun(x)

    def the_elements(self, x: e.Expr) -> str:
        """The same with its article."""
        if isinstance(x, (e.Players, e.Teams)):
            return self.noun(x)
        said = self.elements(x)
        return f"the {said}" if said.startswith(("cards ", "players ", "sides ")) else said

    def which(self, local: int, condition: e.Expr, of: t.Type) -> str:
        """What narrows elements down: ` that are hearts`, ` whose score is at least 100`, `, if ...`."""
        kind = kind_of(of)
        parts = operands(condition) if isinstance(condition, e.And) else [condition]
        about = [part for part in parts if self.reads(part, local)]
        other = [part for part in parts if not self.reads(part, local)]
        said = [self.narrowing(part, local, kind) for part in about]
        apart = [one for one in said if one.startswith("other than ")] if kind == "player" else []
        whose = [one for one in said if one not in apart]
        if apart and whose:  # "other than the dealer whose ..." would be about the dealer
            said = [f"{' and '.join(whose)}, {' and '.join(apart)}"]
        rest = f", if {' and '.join(self.clause(part) for part in other)}" if other else ""
        return (" " + " and ".join(said) if said else "") + rest

    def reads(self, x: e.Expr, local: int) -> bool:
        return any(isinstance(y, e.Local) and y.number == local for y in walk_expressions(x))

    def narrowing(self, x: e.Expr, local: int, kind: str) -> str:
        """One condition about the element."""
        negated = isinstance(x, e.Not)
        inner = x.operand if isinstance(x, e.Not) else x
        not_ = "not " if negated else ""
        match inner:
            case e.Same(e.CardFact("suit", e.Local(n)), e.Constant(value)) if (
                n == local and value is not None
            ):
                return f"that are {not_}{self.constant(value, t.Suit())}"
            case e.Same(e.CardFact("rank", e.Local(n)), e.Constant(value)) if (
                n == local and value is not None
            ):
                return f"that are {not_}{self.constant(value, t.Rank(), many=True)}"
            case e.Same(e.CardFact("number", e.Local(n)), e.Constant(value=int() as place)) if (
                n == local and 0 < place <= self.setup.pack.plain_ranks
            ):
                return f"that are {not_}{self.constant(place - 1, t.Rank(), many=True)}"
            case e.Contains(e.CardFact("rank", e.Local(n)), e.Constant(value)) if n == local:
                return f"that are {not_}{self.constant(value, t.Rank(), many=True)}"
            case e.Contains(e.Local(n), e.Cards(faces)) if n == local:
                return f"that are {not_}{joined([self.card(face) for face in faces], 'or')}"
            case e.Same(e.Local(n), right) if n == local:
                return f"other than {self.noun(right)}" if negated else f"equal to {self.noun(right)}"
            case e.FactOf(fact, e.Local(n)) if n == local:
                return f"that are {not_}{term(self.named_fact(fact))}"
            case e.CallDefine(name, (e.Local(n),)) if n == local and kind == "player":
                if called(self.program.defines[name]) is None:
                    return f"{'not ' if negated else ''}for whom {term(self.define(name))} holds"
        pronoun = {"player": "that player", "side": "that side", "card": "it", "pile": "that pile"}.get(
            kind, "it"
        )
        self.names[local] = "\x00"
        said = self.clause(x)
        if said.startswith("\x00's "):
            return "whose " + said[4:].replace("\x00", pronoun)
        if said.startswith("its ") and kind == "card" and "\x00" not in said:
            return "whose " + said[4:]
        for fact in (" of \x00 ",):
            head, found, tail = said.partition(fact)
            if found and head.startswith("the ") and " " not in head[4:] and "\x00" not in tail:
                return f"whose {head[4:]} {tail}"
        self.names[local] = pronoun
        return f"such that {self.clause(x)}"

    # ------------------------------------------------------------ defines

    def defined(self, name: str, arguments: tuple[e.Expr, ...]) -> str:
        """A define is read by its name; what it means stands in the glossary."""
        body = self.folding.define(name)
        if not arguments and truth(body) is not None:
            return "yes" if truth(body) else "no"
        if not arguments and isinstance(body, SIMPLE):
            return self.noun(body)
        noun = term(self.define(name))
        if isinstance(body.type, t.SetOf) and kind_of(body.type) == "player" and not noun.endswith("s*"):
            noun += "" if "players" in noun else " players"
        if not arguments:
            return f"the {noun}"
        first, *others = [self.noun(x) for x in arguments]
        if kind_of(arguments[0].type) == "player" and (whose := possessive(first)):
            said = f"{whose} {noun}"
        else:
            said = f"the {noun} of {first}"
        return said + (f" for {joined(others)}" if others else "")
