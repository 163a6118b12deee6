"""What is printed on the cards, so to speak: facts that depend on the card alone."""

from __future__ import annotations

from rulekit.cards import PIPS
from rulekit.program import Setup
from rulekit.program import expressions as e
from rulekit.program import types as t
from rulekit.rulebook.english import RANK_NAMES, joined, words
from rulekit.rulebook.markup import card as card_mark


class Unprinted(Exception):
    """The fact depends on more than the card."""


LONG = 8  #: a group of more cards that is neither of whole ranks nor of whole suits is "all other cards"


def printed_values(setup: Setup) -> tuple[list[str], list[tuple[str, tuple[str, ...]]]]:
    """The names of the facts that are numbers, and for each group of like cards its name and their values."""
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
    groups: dict[tuple[str, ...], list[int]] = {}
    for number in range(len(setup.pack) if facts else 0):
        values = tuple("–" if (v := columns[fact][number]) is None else str(v) for fact in facts)
        groups.setdefault(tuple(value.replace("-", "−") for value in values), []).append(number)
    rows, other = [], None
    longest = max(groups.values(), key=len, default=[])
    for values, cards in groups.items():
        name = group_name(cards, setup)
        if name is None and cards is longest:
            other = ("all other cards", values)
        else:
            rows.append((name or ", ".join(faces(cards, setup)), values))
    return facts, as_printed(rows) + ([other] if other is not None else [])


def as_printed(rows: list[tuple[str, tuple[str, ...]]]) -> list[tuple[str, tuple[str, ...]]]:
    """A run of cards that are worth the number on them takes one row."""
    found: list[tuple[str, tuple[str, ...]]] = []
    run: list[str] = []
    for label, values in [*rows, ("", ("",))]:
        if label.isdigit() and values == (label,) and (not run or int(label) == int(run[-1]) + 1):
            run.append(label)
            continue
        if len(run) > 2:
            found.append((f"{run[0]} to {run[-1]}", ("the number on the card",)))
        else:
            found += [(known, (known,)) for known in run]
        run = []
        if label:
            found.append((label, values))
    return found


def group_name(cards: list[int], setup: Setup) -> str | None:
    """Whole ranks, whole suits, or a few cards by name; None if it is a long list."""
    pack = setup.pack
    held = set(cards)
    ranks = {pack.cards[card].rank for card in cards}
    if all(card in held for card, face in enumerate(pack.cards) if face.rank in ranks):
        names = [RANK_NAMES.get(pack.ranks[r], pack.ranks[r].lower()) for r in sorted(ranks)]
        plain = [r for r in sorted(ranks) if r < pack.plain_ranks]
        run = len(plain) > 2 and plain == list(range(plain[0], plain[-1] + 1)) and len(plain) == len(ranks)
        return f"{names[0]} to {names[-1]}" if run else joined(names)
    suits = {pack.cards[card].suit for card in cards}
    if None not in suits and all(card in held for card, face in enumerate(pack.cards) if face.suit in suits):
        return joined([words(pack.suits[suit].name) for suit in sorted(s for s in suits if s is not None)])
    shown = faces(cards, setup)
    return joined(shown) if len(shown) <= LONG else None


def faces(cards: list[int], setup: Setup) -> list[str]:
    """The faces of some cards, each once."""
    return list(dict.fromkeys(card_mark(setup.pack.format_card(card)) for card in cards))


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
