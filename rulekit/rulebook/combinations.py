"""Patterns as prose: which combinations there are."""

from __future__ import annotations

from rulekit.program import expressions as e
from rulekit.program import patterns as p
from rulekit.program import types as t
from rulekit.program.walk import operands
from rulekit.rulebook.document import Item
from rulekit.rulebook.english import a, joined, number_word, plural, title
from rulekit.rulebook.folding import truth
from rulekit.rulebook.markup import literal, term
from rulekit.rulebook.naming import called
from rulekit.rulebook.phrases import Phrases


class Combinations:
    """Tells the patterns of one setup."""

    def __init__(self, phrases: Phrases) -> None:
        self.p = phrases
        self.program = phrases.program

    def items(self, names: list[str]) -> tuple[Item, ...]:
        """One item for each pattern; the classes of a ranked one below it, weakest first."""
        inside = {name for other in names for name in self.program.patterns[other].classes}
        return tuple(self.item(name) for name in names if name not in inside)

    def item(self, name: str) -> Item:
        found = self.program.patterns[name]
        head = term(title(self.p.pattern(name)))
        if found.classes:
            classes = tuple(self.item(inner) for inner in found.classes)
            return Item(f"{head}: one of these, from the weakest to the strongest:", classes)
        said = self.part(found.part) if found.part is not None else ""
        text = literal(found.text) if found.text and called_text(found.text) is None else ""
        sentences = [f"{head}: {said}.", text, *self.more(found)]
        return Item(" ".join(sentence for sentence in sentences if sentence))

    def more(self, found: p.PatternDef) -> list[str]:
        """Wild cards, and what decides between two of them."""
        said = []
        if found.wild is not None:
            wild = self.p.folding.expr(found.wild)
            most = (
                ""
                if found.most_wild is None or isinstance(wild, e.Cards)
                else (f" (at most {found.most_wild})")
            )
            said.append(f"{title(self.p.noun(wild))}{most} may stand for any card.")
        if found.by is not None:
            self.p.names[found.local] = "the combination"
            by = self.p.folding.expr(found.by)
            if not (isinstance(by, e.Constant)):
                said.append(f"What decides between two: {self.key(by)}.")
        return said

    def key(self, by: e.Expr) -> str:
        """What decides: `the number of cards, then the highest rank`."""
        if isinstance(by, e.KeyOf):
            return ", then ".join(self.key(part) for part in by.parts)
        if isinstance(by.type, t.Bool):
            return f"whether {self.p.clause(by)}"
        said = self.p.noun(by).replace(" of the cards in the combination", "")
        said = said.replace(" of the combination", "")
        return "the number of cards" if said in ("the number", "the number of") else said

    def part(self, part: p.Part) -> str:
        match part:
            case p.CardsPart(low, high, constraints, maximal):
                amount = self.amount(low, high)
                noun = "card" if low == high == 1 else "cards"
                said = " ".join([f"{amount} {noun}", *self.constraints(constraints)])
                return f"{said}, as long as it can be" if maximal else said
            case p.RepeatedPart(low, high, name, _, constraints):
                noun = plural(self.p.pattern(name))
                return " ".join([self.amount(low, high), term(noun), *self.constraints(constraints)])
            case p.NamedPart(name):
                return a(term(self.p.pattern(name)))
            case p.WithPart(parts):
                return joined([self.part(inner) for inner in parts])
            case p.OrPart(parts):
                return ", or ".join(self.part(inner) for inner in parts if self.possible(inner))

    def possible(self, part: p.Part) -> bool:
        """No condition in the part is always false."""
        match part:
            case p.CardsPart(constraints=constraints) | p.RepeatedPart(constraints=constraints):
                return not any(truth(self.p.folding.expr(x.fact)) is False for x in constraints)
            case p.WithPart(parts):
                return all(self.possible(inner) for inner in parts)
        return True

    def amount(self, low: int, high: int | None) -> str:
        if high is None:
            return "any number of" if low == 0 else f"{number_word(low)} or more"
        if low == high:
            return number_word(low)
        return f"up to {number_word(high)}" if low == 0 else f"{number_word(low)} to {number_word(high)}"

    def constraints(self, constraints: tuple[p.Constraint, ...]) -> list[str]:
        said: list[str] = []
        for constraint in constraints:
            if truth(self.p.folding.expr(constraint.fact)) is True:
                continue
            made = self.constraint(constraint)
            said.append(f"and {made}" if said and made.startswith(("of ", "in ")) else made)
        return said

    def constraint(self, constraint: p.Constraint) -> str:
        fact = self.p.folding.expr(constraint.fact)
        match constraint.kind:
            case "same":
                return f"of the same {self.fact(fact, constraint.local)}"
            case "different":
                return f"of different {plural(self.fact(fact, constraint.local))}"
            case "consecutive":
                order = "" if constraint.order is None else f", in the order {self.order(constraint.order)}"
                return (
                    f"in sequence{order}"
                    if self.fact(fact, constraint.local) == "rank"
                    else (f"in sequence by {self.fact(fact, constraint.local)}{order}")
                )
            case "each":
                said = self.p.which(constraint.local, fact, t.CARD).strip()
                return (
                    "each of them " + said.removeprefix("that are ") if said.startswith("that are ") else said
                )
        self.p.names[constraint.local] = "they"
        return "such that " + joined([self.whole(part) for part in operands(fact)])

    def whole(self, x: e.Expr) -> str:
        """A condition about the whole set."""
        match x:
            case e.Same(e.Sum(e.Collect(_, _, e.FactOf(fact) | e.CardFact(fact))), right):
                name = self.p.named_fact(fact) if fact in self.program.facts else fact
                return f"their {plural(name)} add up to {self.p.noun(right)}"
        return self.p.clause(x).replace("the cards in they", "them").replace(" of they", " of them")

    def fact(self, fact: e.Expr, local: int) -> str:
        self.p.names[local] = "the card"
        return self.p.noun(fact).removeprefix("its ")

    def order(self, name: str) -> str:
        ranks = self.program.orders[name]
        return " ".join(self.p.setup.pack.ranks[rank] for rank in ranks)


def called_text(text: str) -> str | None:
    """The text as a name, if it is one."""
    from rulekit.program.program import Part

    return called(Part(text=text))


__all__ = ["Combinations"]
