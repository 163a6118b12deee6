"""Expressions as phrases of English."""

from __future__ import annotations

from rulekit.program import Setup
from rulekit.program import expressions as e
from rulekit.program import patterns as p
from rulekit.program import types as t
from rulekit.rulebook.folding import Folding, truth

RANK_NAMES = {"A": "ace", "K": "king", "Q": "queen", "J": "jack"}
NUMBERS = (
    "no",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
)


def words(name: str) -> str:
    """A name as it is read: underscores are blanks."""
    return name.replace("_", " ")


def number_word(value: int) -> str:
    """Small numbers as words."""
    return NUMBERS[value] if 0 <= value < len(NUMBERS) else str(value)


def plural(noun: str) -> str:
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        return noun[:-1] + "ies"
    return noun + ("es" if noun.endswith(("s", "x", "ch")) else "s")


def joined(parts: list[str], word: str = "and") -> str:
    """`a, b and c`."""
    if len(parts) < 2:
        return "".join(parts)
    return ", ".join(parts[:-1]) + f" {word} {parts[-1]}"


class Phrases:
    """Phrases for one setup. In a move `me` is "you"."""

    def __init__(self, setup: Setup, folding: Folding) -> None:
        self.setup, self.program, self.folding = setup, setup.program, folding
        self.names: dict[int, str] = {}

    # ------------------------------------------------------------ values

    def noun(self, x: e.Expr) -> str:
        """What the expression stands for."""
        match x:
            case e.Constant(value):
                return self.constant(value, x.type)
            case e.Option(name):
                return self.constant(self.setup.options[name], x.type)
            case e.Cards(faces):
                return joined([self.setup.pack.face_text(face) for face in faces])
            case e.Deck():
                return "the whole pack"
            case e.Players():
                return "all players"
            case e.Teams():
                return "both sides" if self.setup.teams == 2 else "all sides"
            case e.Me():
                return "you"
            case e.Local(number):
                return self.local(number)
            case e.StateOf(name, index):
                return self.owned(words(name), index)
            case e.ZoneCards(zone, index) | e.ZonePile(zone, index) | e.ZonePiles(zone, index):
                return self.owned(words(zone), index)
            case e.FamilyCards(zone):
                return f"all {plural(words(zone))}"
            case e.PileCards(pile):
                return self.noun(pile)
            case e.PileField(_, field, pile):
                return f"the {words(field)} of {self.noun(pile)}"
            case e.PileIndex(pile):
                return f"the place of {self.noun(pile)}"
            case e.CardFact(fact, card) | e.FactOf(fact, card):
                return self.fact(fact, card)
            case e.SuitColor(suit):
                return f"the colour of {self.noun(suit)}"
            case e.Seat(kind, player):
                return self.seat(kind, player)
            case e.TeamOf(player):
                return "your side" if isinstance(player, e.Me) else f"the side of {self.noun(player)}"
            case e.TeamPlayers(team):
                return f"the players of {self.noun(team)}"
            case e.Next(of):
                return f"the next {self.kind(of.type)} after {self.noun(of)}"
            case e.Other(of):
                return f"the other of {self.noun(of)}"
            case e.CallDefine(name, arguments):
                return self.defined(name, arguments)
        return self.number(x)

    def number(self, x: e.Expr) -> str:
        """Numbers and collections."""
        match x:
            case e.Arithmetic(op, left, right):
                sign = {"+": "plus", "-": "less", "*": "times", "//": "divided by", "%": "modulo"}[op]
                return f"{self.noun(left)} {sign} {self.noun(right)}"
            case e.Minimum(left, right):
                return f"{self.noun(left)}, but at most {self.noun(right)}"
            case e.Maximum(left, right):
                return f"{self.noun(left)}, but at least {self.noun(right)}"
            case e.Negative(operand):
                return f"minus {self.noun(operand)}"
            case e.If(condition, yes, no):
                return f"{self.noun(yes)} if {self.clause(condition)}, else {self.noun(no)}"
            case e.Choose(subject, rows, default):
                parts = [
                    f"{self.noun(value)} for {joined([self.constant(k, subject.type) for k in keys], 'or')}"
                    for keys, value in rows
                ]
                rest = [f"otherwise {self.noun(default)}"] if default is not None else []
                return joined(parts + rest)
            case e.Numbers(low, high):
                return f"{self.noun(low)} to {self.noun(high)}"
            case e.One(of):
                return self.noun(of)
            case e.Union(left, right):
                return f"{self.noun(left)} and {self.noun(right)}"
            case e.Intersection(left, right):
                return f"what {self.noun(left)} and {self.noun(right)} have in common"
            case e.Difference(left, right):
                return f"{self.noun(left)} except {self.noun(right)}"
            case e.Filter(domain, local, condition):
                return f"{self.elements(domain)} {self.which(local, condition, domain.type)}"
            case e.Collect(domain, local, value):
                self.names[local] = self.each(domain.type)
                return f"{self.noun(value)} for {self.elements(domain)}"
            case e.Rounds(players, start):
                return f"{self.noun(players)} in turn, beginning with {self.noun(start)}"
            case e.Extreme(kind, domain, local, key):
                self.names[local] = "its"
                which = words(kind.removeprefix("all_"))
                return f"the {which} of {self.elements(domain)} by {self.noun(key)}"
            case e.KeyOf(parts):
                return ", then ".join(
                    self.clause(q) if isinstance(q.type, t.Bool) else self.noun(q) for q in parts
                )
            case e.Count(of):
                return f"the number of {self.elements(of)}"
            case e.Sum(of):
                return f"the sum of {self.noun(of)}"
            case e.Best(largest, of):
                return f"the {'highest' if largest else 'lowest'} of {self.noun(of)}"
            case e.Only(of):
                return f"the only one of {self.noun(of)}"
            case e.End(of, last):
                return self.end(of, last)
            case e.Stacked(card):
                return f"{self.noun(card)} and all that lie on it"
            case e.Selections(low, high, of):
                return f"{self.amount(low, high)} of {self.elements(of)}"
            case p.Instances(cards, name):
                return f"a {words(name)} from {self.noun(cards)}"
            case p.BestInstance(cards, name):
                return f"the best {words(name)} in {self.noun(cards)}"
            case p.Tail(cards, name):
                return f"the {words(name)} at the end of {self.noun(cards)}"
            case p.Inside(cards, name, _, outside):
                if outside:
                    return f"what is left of {self.noun(cards)} beside each {words(name)}"
                return f"each {words(name)} in {self.noun(cards)}"
            case e.Random(domain):
                return f"one of {self.elements(domain)} by lot"
        if isinstance(x.type, t.Bool):
            return f"whether {self.clause(x)}"
        return x.span.text if x.span is not None else "it"

    # ------------------------------------------------------------ conditions

    def clause(self, x: e.Expr, negated: bool = False) -> str:
        """A condition as a clause."""
        not_ = " not" if negated else ""
        no = "no" if negated else "at least one of"
        match x:
            case e.Constant(value):
                return "it always holds" if bool(value) is not negated else "it never holds"
            case e.Not(operand):
                return self.clause(operand, not negated)
            case e.And(left, right):
                word = "or" if negated else "and"
                return f"{self.clause(left, negated)} {word} {self.clause(right, negated)}"
            case e.Or(left, right):
                word = "and" if negated else "or"
                return f"{self.clause(left, negated)} {word} {self.clause(right, negated)}"
            case e.Same(left, e.Constant(value=None)):
                return f"there is{'' if negated else ' no'} {self.bare(left)}"
            case e.Same(e.Count(of), e.Constant(value=0)):
                return f"{self.noun(of)} {'is not' if negated else 'is'} empty"
            case e.Same(left, right):
                return f"{self.noun(left)} {self.is_(left)}{not_} {self.noun(right)}"
            case e.Less(left, right, or_equal):
                if negated:
                    return self.clause(e.Less(right, left, not or_equal, type=x.type))
                how = "at most" if or_equal else "less than"
                if isinstance(left, e.Constant):
                    more = "at least" if or_equal else "more than"
                    return f"{self.noun(right)} {self.is_(right)} {more} {self.noun(left)}"
                return f"{self.noun(left)} {self.is_(left)} {how} {self.noun(right)}"
            case e.Contains(item, collection):
                return f"{self.noun(item)} is{not_} among {self.noun(collection)}"
            case e.Subset(part, whole):
                return f"all of {self.noun(part)} are{not_} among {self.noun(whole)}"
            case e.AnyOf(e.Filter(domain, local, condition)):
                return f"{no} {self.elements(domain)} {self.which(local, condition, domain.type)}"
            case e.AnyOf(of):
                return f"there are{' no' if negated else ''} cards in {self.noun(of)}"
            case e.Every(domain, local, condition):
                self.names[local] = self.each(domain.type)
                every = "not for all of" if negated else "for all of"
                return f"{every} {self.noun(domain)}, {self.clause(condition)}"
            case p.Matches(cards, name):
                return f"{self.noun(cards)} {'is no' if negated else 'is a'} {words(name)}"
            case p.Beats(left, right):
                return f"{self.noun(left)} {'does not beat' if negated else 'beats'} {self.noun(right)}"
            case e.Answered(_, moves):
                return f"the answer was{not_} {joined([words(m) for m in moves], 'or')}"
            case e.CallDefine(name, arguments):
                said = self.defined(name, arguments)
                return f"it is not so that {said}" if negated else said
        said = self.noun(x)
        return f"not {said}" if negated else said

    # ------------------------------------------------------------ small words

    def constant(self, value: object, of: t.Type) -> str:
        """A value that is written in the rules."""
        inner = of.of if isinstance(of, t.Optional) else of
        if isinstance(value, tuple):
            element = getattr(inner, "of", inner)
            return joined([self.constant(v, element) for v in value], "or") if value else "nothing"
        if value is None:
            return "nobody" if isinstance(inner, t.Player) else "none"
        if isinstance(value, bool):
            return "yes" if value else "no"
        assert isinstance(value, int)
        match inner:
            case t.Player():
                return f"P{value + 1}"
            case t.Suit():
                return self.setup.pack.suits[value].name
            case t.Rank():
                rank = self.setup.pack.ranks[value]
                return RANK_NAMES.get(rank, rank)
            case t.Word(name):
                return words(self.program.words[name][value])
        return str(value)

    def local(self, number: int) -> str:
        if number in self.names:
            return self.names[number]
        found = self.program.locals[number]
        if found.name == "it":
            return {"Player": "the player", "Card": "the card"}.get(type(found.type).__name__, "it")
        if isinstance(found.type, t.Player) and len(found.name) == 1:
            return "that player"
        return f"the {words(found.name)}"

    def owned(self, name: str, index: e.Expr | None) -> str:
        """`the stock`, `your hand`, `the dealer's hand`."""
        if index is None:
            return f"the {name}"
        if isinstance(index, e.Me):
            return f"your {name}"
        if isinstance(index, e.TeamOf) and isinstance(index.player, e.Me):
            return f"your side's {name}"
        who = self.noun(index)
        if who in ("its", "it", "each player", "the player"):
            return f"the {name} of the player"
        return f"{who}'s {name}" if not who.endswith("s") else f"the {name} of {who}"

    def bare(self, x: e.Expr) -> str:
        return self.noun(x).removeprefix("the ")

    def is_(self, x: e.Expr) -> str:
        return "are" if isinstance(x, e.Me) else "is"

    def seat(self, kind: str, player: e.Expr) -> str:
        whose = "your" if isinstance(player, e.Me) else "the"
        after = "" if isinstance(player, e.Me) else f" of {self.noun(player)}"
        match kind:
            case "left":
                return (
                    "the next player" if isinstance(player, e.Me) else f"the player after {self.noun(player)}"
                )
            case "right":
                return (
                    "the player before you"
                    if isinstance(player, e.Me)
                    else f"the player before {self.noun(player)}"
                )
        return f"{whose} {kind}{after}"

    def fact(self, fact: str, card: e.Expr) -> str:
        whose = self.noun(card)
        if whose in ("it", "the card"):
            return f"its {words(fact)}"
        if fact == "player":
            return f"who played {whose}"
        return f"the {words(fact)} of {whose}"

    def end(self, of: e.Expr, last: bool) -> str:
        if isinstance(of.type, t.SeqOf) and isinstance(of.type.of, t.Card):
            return f"the {'top' if last else 'first'} card of {self.noun(of)}"
        return f"the {'last' if last else 'first'} of {self.noun(of)}"

    def each(self, of: t.Type) -> str:
        inner = getattr(of, "of", of)
        return {"Player": "each player", "Card": "each card", "Team": "each side"}.get(
            type(inner).__name__, "each"
        )

    def kind(self, of: t.Type) -> str:
        return str(of).removeprefix("a ").split(" of ")[0]

    def elements(self, x: e.Expr) -> str:
        """The elements of a collection, in the plural."""
        match x:
            case e.ZoneCards() | e.FamilyCards() | e.PileCards():
                return f"cards in {self.noun(x)}"
            case e.Players():
                return "players"
            case e.Teams():
                return "sides"
        return self.noun(x)

    def which(self, local: int, condition: e.Expr, of: t.Type) -> str:
        """A relative clause."""
        inner = getattr(of, "of", of)
        match condition:
            case e.Same(e.CardFact(fact, e.Local(number)) | e.FactOf(fact, e.Local(number)), right) if (
                number == local
            ):
                return f"whose {words(fact)} is {self.noun(right)}"
            case e.Not(e.Same(e.Local(number), right)) if number == local:
                return f"other than {self.noun(right)}"
        self.names[local] = "the player" if isinstance(inner, t.Player) else "it"
        return f"for which {self.clause(condition)}"

    def amount(self, low: e.Expr, high: e.Expr | None) -> str:
        if high is None:
            least = self.noun(low)
            return "any number" if least == "0" else f"{least} or more"
        if low == high:
            return self.noun(low)
        if isinstance(low, e.Constant) and low.value == 0:
            return f"up to {self.noun(high)}"
        return f"{self.noun(low)} to {self.noun(high)}"

    def defined(self, name: str, arguments: tuple[e.Expr, ...]) -> str:
        """A define is read by its name; what it means stands in the glossary."""
        body = self.folding.define(name)
        if not arguments and truth(body) is not None:
            return "it always holds" if truth(body) else "it never holds"
        if not arguments and isinstance(body, (e.StateOf, e.ZoneCards, e.CardFact, e.Seat, e.Constant)):
            return self.noun(body)
        given = joined([self.noun(a) for a in arguments])
        article = "" if isinstance(body.type, t.Bool) else "the "
        return f"*{article}{words(name)}*" + (f" of {given}" if given else "")
