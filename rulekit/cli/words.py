"""Cards, values and moves as people read them on the screen."""

from __future__ import annotations

import re

from rulekit.cli.output import SIGNS, clean, seat_name
from rulekit.game.notation import Notation
from rulekit.program import Place, Setup
from rulekit.program.types import Bool, Collection, Optional, Player, Team, Type

_CARD = re.compile(r"(?<![\w-])(10|[2-9TJQKA])([CDHS])(?![\w-])")
_SIGNED = re.compile("(10|[2-9TJQKA])([" + "".join(SIGNS.values()) + "\u2660-\u2667])\ufe0f?", re.IGNORECASE)
_LETTERS = {sign: letter for letter, sign in SIGNS.items()} | dict(zip("♧♢♡♤", "CDHS", strict=True))


class Words:
    """How things are written at one table. ``signs``: suits are drawn as ♣♦♥♠."""

    def __init__(self, setup: Setup, signs: bool) -> None:
        usual = {suit.letter for suit in setup.pack.suits} <= set(SIGNS)
        self.setup = setup
        self.signs = signs and usual

    def text(self, text: str) -> str:
        """Any text, harmless to the terminal, its cards with the signs of their suits."""
        found = clean(text)
        return _CARD.sub(lambda m: m[1] + SIGNS[m[2]], found) if self.signs else found

    def value(self, of: Type, value: object) -> str:
        """A value of a view: seats as P1, conditions as yes and no, none as a dash."""
        if isinstance(value, tuple):
            return " ".join(self.value(of, one) for one in value) or "-"
        if value is None:
            return "-"
        while isinstance(of, Optional | Collection):
            of = of.of
        if isinstance(value, str):
            return self.text(value.replace("_", " "))
        if isinstance(of, Player):
            return seat_name(int(str(value)))
        if isinstance(of, Team):
            return f"T{int(str(value)) + 1}"
        if isinstance(of, Bool):
            return "yes" if value else "no"
        return str(value)


def place_label(notation: Notation, place: Place) -> str:
    """A place for people: `stock`, `hand of P2`, `column 3`."""
    found = place.zone.replace("_", " ")
    if place.slot:
        found += f" {place.slot}"
    if place.member is not None:
        per = notation.program.zones[place.zone].per or ""
        found += f" of {notation.member(per, place.member)}"
    return found


def typed(line: str) -> str:
    """What somebody typed, with suit signs as the letters of the notation: `10♥` is `10H`."""
    return _SIGNED.sub(lambda m: m[1] + _LETTERS.get(m[2], m[2]), line.strip())
