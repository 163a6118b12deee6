"""Cards, values and moves as people read them on the screen."""

from __future__ import annotations

import re

from rulekit.cli.output import SIGNS, clean, seat_name
from rulekit.game.moves import Move
from rulekit.game.notation import Notation
from rulekit.game.speech import Speech, in_pieces
from rulekit.game.view import Receipt
from rulekit.program import Place, Setup
from rulekit.program.program import StateDef
from rulekit.program.types import Bool, Collection, Optional, Player, Team, Type
from rulekit.rulebook.catalogue import MARK
from rulekit.rulebook.naming import called

MANY = 4  #: more cards than this are told by their number

_CARD = re.compile(r"(?<![\w-])(10|[2-9TJQKA])([CDHS])(?![\w-])")
_SIGNED = re.compile("(10|[2-9TJQKA])([" + "".join(SIGNS.values()) + "\u2660-\u2667])\ufe0f?", re.IGNORECASE)
_LETTERS = {sign: letter for letter, sign in SIGNS.items()} | dict(zip("♧♢♡♤", "CDHS", strict=True))


class Words:
    """How things are written at one table. ``signs``: suits are drawn as ♣♦♥♠."""

    def __init__(self, setup: Setup, signs: bool, speech: Speech | None = None) -> None:
        usual = {suit.letter for suit in setup.pack.suits} <= set(SIGNS)
        self.setup = setup
        self.speech = speech
        self.signs = signs and usual

    def text(self, text: str) -> str:
        """Any text, harmless to the terminal, its cards with the signs of their suits."""
        found = clean(text)
        return _CARD.sub(lambda m: m[1] + SIGNS[m[2]], found) if self.signs else found

    def say(self, sentence: str, *values: str) -> str:
        """A sentence with `{1}`, `{2}` for the values, in the language of the table."""
        if self.speech is not None:
            return self._harmless(self.speech.say(sentence, *values))
        return self.text(MARK.sub(lambda mark: values[int(mark[1]) - 1], sentence))

    def told(self, text: str) -> str:
        """A text of the rules in the language of the table."""
        return self.text(text) if self.speech is None else self._harmless(self.speech.text(text))

    def duty(self, label: str) -> str:
        """The name of a duty in the language of the table."""
        return self.text(label) if self.speech is None else self._harmless(self.speech.duty(label))

    def named(self, name: str, definition: StateDef) -> str:
        """The name of a state: in another language that which its text gives it."""
        plain = name.replace("_", " ")
        return self.text(plain) if self.speech is None else self.told(called(definition) or plain)

    def reply(self, message: str) -> str:
        """What the game says of a move, in the language of the table."""
        return self.text(message) if self.speech is None else self._harmless(self.speech.reply(message))

    def _harmless(self, said: str) -> str:
        """The text with nothing that could steer the terminal but the marks of direction put in here."""
        pieces = in_pieces(said)
        return "".join(piece if place % 2 else self.text(piece) for place, piece in enumerate(pieces))

    def receipt(self, receipt: Receipt) -> str:
        """Why a number changed: `score of P1 +4 for goal: 4C`."""
        if self.speech is None:
            return self.text(str(receipt))
        counter = self.named(receipt.counter, self.setup.program.state[receipt.counter])
        reason = self.speech.reason(receipt.reason)
        whose, amount = receipt.member, f"{receipt.amount:+d}"
        if whose is None:
            said = self.speech.say("{1} {2} for {3}", counter, amount, reason)
        else:
            member = seat_name(whose) if isinstance(whose, int) else whose
            said = self.speech.say("{1} of {2} {3} for {4}", counter, member, amount, reason)
        return self._harmless(said) + (f": {self.text(' '.join(receipt.cards))}" if receipt.cards else "")

    def value(self, of: Type, value: object) -> str:
        """A value of a view: seats as P1, conditions as yes and no, none as a dash."""
        if isinstance(value, tuple):
            return " ".join(self.value(of, one) for one in value) or "-"
        if value is None:
            return "-"
        while isinstance(of, Optional | Collection):
            of = of.of
        if isinstance(value, str):
            return self.told(value.replace("_", " "))
        if isinstance(of, Player):
            return seat_name(int(str(value)))
        if isinstance(of, Team):
            return f"T{int(str(value)) + 1}"
        if isinstance(of, Bool):
            return self.say("yes" if value else "no")
        return str(value)


def is_hand(setup: Setup, place: Place) -> bool:
    """A place of a player's own whose cards not everybody sees."""
    per = setup.program.zones[place.zone].per if place.number else None
    return per == "player" and place.seen_by in ("owner", "team", "others")


def named_in(move: Move) -> frozenset[str]:
    """The cards, and whatever else, that the text of a move names."""
    values = (value if isinstance(value, tuple) else (value,) for _, value in move.choices)
    return frozenset(str(one) for value in values for one in value)


def place_label(notation: Notation, place: Place, words: Words | None = None) -> str:
    """A place for people: `stock`, `hand of P2`, `column 3`."""
    found = place.zone.replace("_", " ")
    if words is not None and words.speech is not None:
        zone = notation.program.zones[place.zone]
        whole = called(zone) or found
        if zone.per and place.member is not None:
            whole = f"{notation.member(zone.per, place.member)}'s {whole}"
        said = words.told(whole)
        if said != words.text(whole) and not place.slot:
            return said
    if place.slot:
        found += f" {place.slot}"
    if place.member is not None:
        per = notation.program.zones[place.zone].per or ""
        found += f" of {notation.member(per, place.member)}"
    return found


def typed(line: str) -> str:
    """What somebody typed, with suit signs as the letters of the notation: `10♥` is `10H`."""
    return _SIGNED.sub(lambda m: m[1] + _LETTERS.get(m[2], m[2]), line.strip())
