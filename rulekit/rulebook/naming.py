"""What the things of a game are called in its rulebook.

A `text` in the rule file that begins with a small letter and ends without a full stop is a name: it is
what the book calls the thing (`text: won cards`; for a condition, `text: the stock is open`). Any other
text explains the thing, and the book calls it by its id.
"""

from __future__ import annotations

from itertools import pairwise

from rulekit.program import Setup
from rulekit.program import expressions as e
from rulekit.program import types as t
from rulekit.program.program import Part
from rulekit.rulebook.english import RANK_NAMES, is_plural, plural, possessive, words
from rulekit.rulebook.folding import Folding, truth
from rulekit.rulebook.markup import card, literal

KINDS = {
    t.Player: "player",
    t.Card: "card",
    t.Team: "side",
    t.Suit: "suit",
    t.Rank: "rank",
    t.Pile: "pile",
    t.Int: "number",
}


def called(part: Part | None) -> str | None:
    """The name that a text gives, or None if there is no text or it explains."""
    text = part.text if part is not None else None
    if text is None or not (text[:1].islower() or text[:1] == "{") or text.rstrip().endswith((".", "!", "?")):
        return None
    return literal(text)


def explained(part: Part | None) -> str | None:
    """The explanation that a text gives, or None."""
    text = part.text if part is not None else None
    return None if text is None or called(part) is not None else literal(text)


def kind_of(of: t.Type) -> str:
    """What one thing of this type, or of a collection of it, is: player, card, side ..."""
    inner = of.of if isinstance(of, (t.Collection, t.Optional)) else of
    if isinstance(inner, (t.Collection, t.Optional)):
        return kind_of(inner)
    return KINDS.get(type(inner), "one")


class Naming:
    """Names for one setup."""

    def __init__(self, setup: Setup, folding: Folding) -> None:
        self.setup, self.program, self.folding = setup, setup.program, folding
        self.names: dict[int, str] = {}  # what locals are called now

    def zone(self, name: str) -> str:
        """`stock`, `won cards`."""
        return called(self.program.zones.get(name)) or words(name)

    def state(self, name: str) -> str:
        return called(self.program.state.get(name)) or words(name)

    def define(self, name: str) -> str:
        return called(self.program.defines.get(name)) or words(name)

    def named_fact(self, name: str) -> str:
        return called(self.program.facts.get(name)) or words(name)

    def move(self, name: str) -> str:
        return words(name)

    def possible(self, name: str) -> bool:
        """No condition of the move is false whatever happens."""
        conditions = self.program.moves[name].conditions
        return not any(truth(self.folding.expr(c.condition)) is False for c in conditions)

    def phase(self, name: str) -> str:
        return called(self.program.phases.get(name)) or words(name)

    def pattern(self, name: str) -> str:
        return words(name)

    # ------------------------------------------------------------ values written in the rules

    def constant(self, value: object, of: t.Type, many: bool = False) -> str:
        """A value as it is read; ``many``: ranks in the plural."""
        inner = of.of if isinstance(of, t.Optional) else of
        if isinstance(value, tuple):
            return self.constants(value, getattr(inner, "of", inner), many)
        if value is None:
            return "nobody" if isinstance(inner, t.Player) else "none"
        if isinstance(value, bool) or isinstance(inner, t.Bool):
            return "yes" if value else "no"
        assert isinstance(value, int)
        match inner:
            case t.Player():
                return f"P{value + 1}"
            case t.Suit():
                return literal(words(self.setup.pack.suits[value].name))
            case t.Rank():
                name = self.rank(self.setup.pack.ranks[value])
                return plural(name) if many else name
            case t.Word(name):
                return literal(words(self.program.words[name][value]))
            case t.Team():
                return f"side {value + 1}"
        return f"−{-value}" if value < 0 else f"{value:,}" if value >= 10_000 else str(value)

    def constants(self, value: tuple[object, ...], of: t.Type, many: bool) -> str:
        """Several values; a run of ranks is shortened."""
        if not value:
            return "nothing"
        if isinstance(of, t.Rank) and len(value) == self.setup.pack.plain_ranks:
            return "any rank"
        if isinstance(of, t.Suit) and len(value) == len(self.setup.pack.suits):
            return "any suit"
        parts = [self.constant(v, of, many) for v in value]
        numbers = [v for v in value if isinstance(v, int)]
        if isinstance(of, (t.Rank, t.Int)) and len(numbers) > 3 and consecutive(numbers):
            return f"{parts[0]} to {parts[-1]}"
        return ", ".join(parts[:-1]) + f" or {parts[-1]}" if len(parts) > 1 else parts[0]

    def rank(self, rank: str) -> str:
        return RANK_NAMES.get(rank, literal(rank if len(rank) < 3 else rank.lower()))

    def card(self, face: object) -> str:
        return card(self.setup.pack.face_text(face))  # type: ignore[arg-type]

    # ------------------------------------------------------------ whose

    def owned(self, name: str, who: str | None) -> str:
        """`the stock`, `your hand`, `the dealer's hand`, `the hand of each of them`."""
        if who is None:
            return f"the {name}"
        whose = possessive(who)
        return f"the {name} of {who}" if whose is None else f"{whose} {name}"

    def is_(self, noun: str) -> str:
        """`is` or `are`."""
        if noun == "you":
            return "are"
        head = noun
        for cut in (
            " of ",
            " in ",
            " whose ",
            " that ",
            " who ",
            " for ",
            " from ",
            " to ",
            " at ",
            " on ",
            " still ",
            " with ",
        ):
            head = head.split(cut, 1)[0]
        if " and " in head and not head.startswith("the larger") and "'s " not in head:
            return "are"
        return "are" if is_plural(head) else "is"

    def local(self, number: int) -> str:
        if number in self.names:
            return self.names[number]
        found = self.program.locals[number]
        kind = kind_of(found.type)
        if found.name == "it":
            return f"the {kind}" if kind in ("player", "side", "card", "pile") else "it"
        if kind == "player" and len(found.name) == 1:
            return "that player"
        if kind == "side" and len(found.name) == 1:
            return "that side"
        if len(found.name) == 1:
            return f"*{found.name}*"
        return f"the {words(found.name)}"

    def seat(self, kind: str, player: e.Expr, who: str) -> str:
        """`the player to your left`, `the dealer's partner`."""
        whose = possessive(who)
        if kind in ("left", "right") and self.setup.players == 2:
            kind = "opponent"
        if kind in ("left", "right"):
            if whose is None:
                inner = who.removeprefix("the player ")
                if inner == f"to the dealer's {kind}":
                    return f"the second player to the dealer's {kind}"
                return f"the player on the {kind} of {who}"
            return f"the player to {whose} {kind}"
        if kind == "across":
            return f"the player opposite {who}"
        return f"the {kind} of {who}" if whose is None else f"{whose} {kind}"


def consecutive(numbers: list[int]) -> bool:
    return all(b == a + 1 for a, b in pairwise(numbers))
