"""What is said at the table, in another language: prompts, hints, reasons, the end of a game.

Sentences are looked up whole, as those of the rulebook are, in the same catalogues: `{1} to move`. What no
catalogue has stands in English. Moves stay as they are typed, whatever the language.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import cache

from rulekit.game.languages import catalogues
from rulekit.program.setup import Setup
from rulekit.program.texts import filled
from rulekit.rulebook.catalogue import MARK, in_sentences, label_id, normal
from rulekit.rulebook.english import title
from rulekit.rulebook.translate import Translator

#: What is said of a move that is explained or refused; the first that fits is meant.
REPLIES = (
    "{1} is legal",
    "{1} is not legal",
    "{1} is allowed only if {2}",
    "after {1} nothing could be chosen for {2}",
    "{1} is not asked for now: {2} may {3}",
    "the game is over",
    "{1} fits several moves: write {2}",
    "you do not hold {1}; {2}: you hold {3}",
    "you do not hold {1}: you hold {2}",
    "you do not hold {1}; {2}: there is nothing to choose",
    "you do not hold {1}: there is nothing to choose",
    "{1}: you hold {2}",
    "{1}: only {2} may be chosen",
    "{1}: there is nothing to choose",
    "{1}: there is only {2}",
)

#: What the terminal says of itself.
SAYINGS = (
    "`help` lists what you can type.",
    "you",
    "a person",
    "{1} to move",
    "{1} to move, for {2}",
    "All choose at the same time; nobody sees a choice until all are made.",
    "and {1} more, by their text, like {2}",
    "{1}, your turn. Press Enter when nobody else looks",
    "choose a move by its number or its text; `help` tells more",
    "there are {1} moves: 1 to {1}",
    "there is one move: 1",
    "perhaps {1}",
    "say which move: `why follow AH`, or its number",
    "the rule: {1}",
    "nothing has been scored yet",
    "you have made no move that could be taken back",
    "it cannot be taken back: you have seen {1} since",
    "it cannot be taken back: {1} has seen {2} since",
    "taken back",
    "{1} of {2} {3} for {4}",
    "{1} {2} for {3}",
    "{1} hidden",
    "{1} gets {2}",
    "Deal",
    "{1} cards",
    "{1} card",
    "{1} wins.",
    "{1} win.",
    "The game is over.",
    "The game is a draw.",
    "Nobody wins.",
    "score",
    "payoff",
    "yes",
    "no",
    "you left the game; its seed was {1}",
    "seed {1}",
    "make it: `2`, `follow 4C`; the cards alone will do if one move fits",
    "is it legal, and by which rule? nothing is played",
    "take back your last move, if nobody has seen new cards since",
    "the move that scores best now, as far as you can know",
    "the table again",
    "the score sheet",
    "keep the game; `rulekit replay FILE` shows it again",
    "this",
    "leave the game",
    "A word that is also a move of the game is the move; `:undo` is always the command.",
)

_OPEN_RTL, _OPEN_LTR, _CLOSE = "\u2067", "\u2066", "\u2069"
_MARKS = re.compile(f"([{_OPEN_RTL}{_OPEN_LTR}{_CLOSE}])")
_LATIN = re.compile(r"[A-Za-z]")


class Speech:
    """One table in one language."""

    def __init__(self, setup: Setup, language: str) -> None:
        """Raises ValueError if the ruleset is not translated into that language."""
        self.language = language
        self._catalogues = catalogues(setup.program, language)
        self._look_up = Translator(self._catalogues, filled(setup))
        self.rtl = self._look_up.rtl

    def say(self, sentence: str, *values: str) -> str:
        """A sentence with `{1}`, `{2}` for the values, which are not translated."""
        return self._laid(self._put(sentence, values))

    def _put(self, sentence: str, values: Iterable[str]) -> str:
        entry = in_sentences(self._catalogues, normal(sentence))
        said, put = sentence if entry is None else entry.text, list(values)

        def value(mark: re.Match[str]) -> str:
            text = put[int(mark[1]) - 1] if 0 < int(mark[1]) <= len(put) else mark[0]
            # Moves and cards are read from left to right, whatever stands around them.
            left = self.rtl and entry is not None and _LATIN.search(text) and _OPEN_LTR not in text
            return f"{_OPEN_LTR}{text}{_CLOSE}" if left else text

        return MARK.sub(value, said)

    def text(self, text: str) -> str:
        """A text of the rules: the prose of a move, the name of a place, a word."""
        return self._laid(self._text(text))

    def duty(self, label: str) -> str:
        """The name of a duty or of a condition."""
        return self._laid(self._duty(label))

    def _duty(self, label: str) -> str:
        return self._by_id(label_id(label)) or self._text(label)

    def reason(self, reason: str) -> str:
        """The name of a reason, for which a number changes."""
        return self._laid(self._by_id(f"reasons.{reason}") or self._text(reason.replace("_", " ")))

    def _by_id(self, key: str) -> str | None:
        entry = self._look_up.by_id(key) if key in self._look_up.texts else None
        return None if entry is None else entry.text

    def _text(self, text: str) -> str:
        plain = text.strip()
        for form in (plain, f"{plain}.", title(plain), plain.rstrip(".")):
            said = self._look_up.look_up(form)
            if said is not None:
                return said
        return text

    def reply(self, message: str) -> str:
        """What the game says of a move: the sentence that fits, its parts looked up on their own."""
        for sentence, pattern in _replies():
            found = pattern.fullmatch(message)
            if found is not None:
                return self._laid(self._put(sentence, map(self._duty, found.groups())))
        return message

    def _laid(self, said: str) -> str:
        """A line that is read from right to left says so, wherever it is shown."""
        return f"{_OPEN_RTL}{said}{_CLOSE}" if self.rtl and is_rtl(said) else said


@cache
def _replies() -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple(
        (sentence, re.compile("(.+?)".join(re.escape(part) for part in re.split(r"\{\d\}", sentence)), re.S))
        for sentence in REPLIES
    )


def is_rtl(text: str) -> bool:
    """Does the text hold letters that are written from right to left?"""
    return any(unicodedata.bidirectional(character) in ("R", "AL") for character in text)


def in_pieces(text: str) -> list[str]:
    """A text at the marks of direction that `Speech` has put into it: they stand at the odd places."""
    return _MARKS.split(text)


def width(text: str) -> int:
    """The columns that a text takes: marks that stand over others or say a direction take none."""
    return sum(unicodedata.category(character) not in ("Mn", "Me", "Cf") for character in text)


__all__ = ["REPLIES", "SAYINGS", "Speech", "in_pieces", "is_rtl", "width"]
