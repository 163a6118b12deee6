"""What is printed on the cards, so to speak: facts that depend on the card alone."""

from __future__ import annotations

from rulekit.cards import PIPS
from rulekit.program import Setup
from rulekit.program import expressions as e
from rulekit.program import types as t


class Unprinted(Exception):
    """The fact depends on more than the card."""


def printed_values(setup: Setup) -> tuple[list[str], dict[str, tuple[str, ...]]]:
    """The names of the facts that are numbers, and for each group of like cards their values."""
    facts = []
    columns: dict[str, list[int | None]] = {}
    for fact in setup.program.facts.values():
        inner = fact.type.of if isinstance(fact.type, t.Optional) else fact.type
        if not isinstance(inner, t.Int):
            continue
        try:
            columns[fact.name] = [
                evaluate(fact.body, fact.local, card, setup) for card in range(len(setup.pack))
            ]
            facts.append(fact.name)
        except Unprinted:
            continue
    rows: dict[tuple[str, ...], list[str]] = {}
    if not facts:
        return facts, {}
    pack = setup.pack
    by_rank: dict[int, set[tuple[str, ...]]] = {}
    texts = [
        tuple("-" if columns[fact][card] is None else str(columns[fact][card]) for fact in facts)
        for card in range(len(pack))
    ]
    for card, face in enumerate(pack.cards):
        by_rank.setdefault(face.rank, set()).add(texts[card])
    for card, face in enumerate(pack.cards):
        name = pack.ranks[face.rank] if len(by_rank[face.rank]) == 1 else pack.face_text(face)
        known = rows.setdefault(texts[card], [])
        if name not in known:
            known.append(name)
    return facts, {", ".join(names): values for values, names in rows.items()}


def evaluate(x: e.Expr, local: int, card: int, setup: Setup) -> int | None:
    """The value of a fact for one card; raises Unprinted if it depends on more."""

    def value(y: e.Expr) -> int | None:
        return evaluate(y, local, card, setup)

    pack = setup.pack
    match x:
        case e.Constant(value=int() | None as constant):
            return constant
        case e.Option(name):
            return int(setup.options[name])
        case e.Local(number) if number == local:
            return card
        case e.CardFact(fact, of):
            about = value(of)
            if about is None:
                return None
            face = pack.cards[about]
            plain = face.rank < pack.plain_ranks
            match fact:
                case "rank":
                    return face.rank
                case "suit":
                    return face.suit
                case "number":
                    return face.rank + 1 if plain else None
                case "pip":
                    return PIPS.get(pack.ranks[face.rank]) if plain else None
                case "color" if face.suit is not None:
                    color = pack.suits[face.suit].color
                    return setup.program.words["color"].index(color) if color else None
        case e.FactOf(name, of):
            fact_def = setup.program.facts[name]
            about = value(of)
            return None if about is None else evaluate(fact_def.body, fact_def.local, about, setup)
        case e.If(condition, yes, no):
            return value(yes) if value(condition) else value(no)
        case e.Same(left, right):
            return int(value(left) == value(right))
        case e.Contains(item, e.Cards(faces)):
            about = value(item)
            return int(about is not None and pack.cards[about] in faces)
        case e.Contains(item, e.Constant(value=tuple() as among)):
            return int(value(item) in among)
        case e.And(left, right):
            return int(bool(value(left)) and bool(value(right)))
        case e.Or(left, right):
            return int(bool(value(left)) or bool(value(right)))
        case e.Not(operand):
            return int(not value(operand))
        case e.Minimum(left, right):
            return min(needed(value(left)), needed(value(right)))
        case e.Maximum(left, right):
            return max(needed(value(left)), needed(value(right)))
        case e.Negative(operand):
            return -needed(value(operand))
        case e.Arithmetic("+", left, right):
            return needed(value(left)) + needed(value(right))
        case e.Arithmetic("-", left, right):
            return needed(value(left)) - needed(value(right))
        case e.Arithmetic("*", left, right):
            return needed(value(left)) * needed(value(right))
    raise Unprinted


def needed(value: int | None) -> int:
    """A number that is there; without it the fact is not a printed one."""
    if value is None:
        raise Unprinted
    return value
