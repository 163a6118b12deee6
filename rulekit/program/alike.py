"""Cards that the rules cannot tell apart: exchanged for each other, they change nothing that is to come.

Where nobody decides, a game goes round in a loop when a position comes back in which at most such cards have
changed places. In a game that looks only at what a card costs, all numbers are alike.

Only games that keep their cards in piles are looked at: elsewhere the order of the pack has a say.
"""

from __future__ import annotations

from typing import Any

from rulekit.cards import Face
from rulekit.program import expressions as e
from rulekit.program import statements as s
from rulekit.program import types as t
from rulekit.program.constants import NotConstant, arithmetic
from rulekit.program.program import FactDef, Program
from rulekit.program.setup import Setup
from rulekit.program.walk import walk

PRINTED = ("suit", "rank", "color", "number", "pip")  #: facts that a card has for good

#: Expressions that put cards in the order of the pack, or choose among sets of them.
_ORDERED = (e.Union, e.FamilyCards, e.Collect, e.Selections, e.Random)


def alike(setup: Setup) -> tuple[int, ...]:
    """For each card the first card that the rules cannot tell from it, perhaps itself."""
    cards = range(len(setup.pack))
    told = _told(setup.program)
    if told is None:
        return tuple(cards)
    first: dict[object, int] = {}
    return tuple(first.setdefault(told_of(card, told, setup), card) for card in cards)


def told_of(card: int, told: tuple[set[str], list[FactDef], set[Face]], setup: Setup) -> object:
    """All that the rules ever look at in a card."""
    printed, facts, named = told
    face = setup.pack.cards[card]
    return (
        face.rank if printed & {"rank", "number", "pip"} else None,
        face.suit if printed & {"suit", "color"} else None,
        tuple(_value(fact.body, face, setup) for fact in facts),
        face if face in named else None,
    )


def _told(program: Program) -> tuple[set[str], list[FactDef], set[Face]] | None:
    """What is printed, the facts and the faces that the rules look at; None if nothing can be said."""
    if any(zone.kind == "set" for zone in program.zones.values()) or program.patterns:
        return None
    if any(_holds_cards(state.type) for state in program.state.values()):
        return None
    fixed = {name: fact for name, fact in program.facts.items() if _is_fixed(fact)}
    printed: set[str] = set()
    facts: set[str] = set()
    named: set[Face] = set()
    whole = (
        program.play,
        *((phase.body, phase.after) for phase in program.phases.values()),
        *((move.choices, move.conditions, move.body) for move in program.moves.values()),
    )
    more = (
        *(phase.stop_when for phase in program.phases.values()),
        *(move.again for move in program.moves.values()),
        *(define.body for define in program.defines.values()),
        *(fact.body for name, fact in program.facts.items() if name not in fixed),
        *(state.start for state in program.state.values()),
        *(field.start for zone in program.zones.values() for field in zone.fields),
    )
    for part in (part for node in (*whole, *more) if node is not None for part in walk(node)):
        match part:
            case s.Shuffle(_, e.Deck()):
                pass
            case e.CardFact(fact) if fact in PRINTED:
                printed.add(fact)
            case e.FactOf(name) if name in fixed:
                facts.add(name)
            case e.Cards(faces):
                named |= set(faces)
            case _ if isinstance(part, _ORDERED) and _holds_cards(part.type):
                return None
    return printed, [fixed[name] for name in sorted(facts)], named


def _holds_cards(of: t.Type) -> bool:
    while isinstance(of, t.Optional | t.Collection):
        of = of.of
    return isinstance(of, t.Card)


# ---------------------------------------------------------------- facts that never change


#: What a fixed fact may be made of, besides what is printed on the card.
_FIXED = (
    e.Constant, e.Option, e.Cards, e.Same, e.Less, e.Contains, e.Not, e.And, e.Or, e.If, e.Choose,
    e.Arithmetic, e.Negative, e.Minimum, e.Maximum,
)  # fmt: skip


def _is_fixed(fact: FactDef) -> bool:
    """It reads only what is printed on the card, options and numbers."""
    for part in walk(fact.body):
        match part:
            case e.Local(number) if number == fact.local:
                pass
            case e.CardFact(name) if name in PRINTED:
                pass
            case _ if not isinstance(part, _FIXED):
                return False
    return True


def _value(x: e.Expr, face: Face, setup: Setup) -> Any:
    """The value of a fixed fact; for what is not worked out here, the face: then it is like no other."""
    try:
        return _worked_out(x, face, setup)
    except NotConstant:
        return face


def _worked_out(x: e.Expr, face: Face, setup: Setup) -> Any:
    def value(x: e.Expr) -> Any:
        match x:
            case e.Constant(constant):
                return constant
            case e.Option(name):
                return setup.options[name]
            case e.CardFact("rank", e.Local()):
                return face.rank
            case e.CardFact("suit", e.Local()):
                return face.suit
            case e.Same(left, right):
                return value(left) == value(right)
            case e.Contains(e.Local(), e.Cards(faces)):
                return face in faces
            case e.Contains(item, e.Constant(tuple() as values)):
                return value(item) in values
            case e.Not(operand):
                return not value(operand)
            case e.And(left, right):
                return value(left) and value(right)
            case e.Or(left, right):
                return value(left) or value(right)
            case e.If(condition, yes, no):
                return value(yes) if value(condition) else value(no)
            case e.Arithmetic(op, left, right):
                return arithmetic(op, value(left), value(right))
        raise NotConstant

    return value(x)


__all__ = ["alike"]
