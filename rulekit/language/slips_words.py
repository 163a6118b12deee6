"""Slips in single words: capitals, misspelt words, another word than the one that is due, reserved words."""

from __future__ import annotations

import re
from collections.abc import Callable

from rulekit.language.keywords import CONSTANTS, KEYWORDS, SENTENCES
from rulekit.language.scanning import Word
from rulekit.language.stopped import Stopped, near_word

_CARD = re.compile(r"(10|[2-9akqjt])[cdhs]", re.IGNORECASE)
_GLUED = re.compile(r"([0-9]+)([A-Za-z]\w*)")
_SOFT = {
    *("up", "down", "times", "together", "cards", "card", "per", "seen", "set", "pile", "piles"),
    *("highest", "lowest", "maximal", "same", "different", "consecutive", "each"),
}
_WORDS = KEYWORDS | _SOFT

_PREFIXES = ("if", "not", "best", "tail")


def capitals(stopped: Stopped) -> bool:
    """`a AND b`, `None`, `If`"""
    for step in (0, -1):
        word = stopped.near(step)
        if word is None or word.text == word.text.lower() or word.text.lower() not in _WORDS:
            continue
        right = word.text.lower()
        if word.text == "AS" and not stopped.cures(stopped.at + step, stopped.at + step, right):
            continue  # the ace of spades
        return stopped.report(
            "RK313",
            f"`{word.text}` is written in small letters",
            stopped.at + step,
            help=f"write `{right}`",
            suggestion=right,
        )
    return False


def mixed(stopped: Stopped) -> bool:
    """`10h`, `Hand`, `deckSize`, `5cards`, `_x`, `1_000`, and `X` where only a name can stand."""
    word = stopped.word
    if word is None:
        return False
    sentence = stopped.at == 0 and stopped.form in ("statement", "head")
    if (
        word.kind == "literal"
        and not sentence
        and stopped.accepted & {"NAME", "LABEL"}
        and "LITERAL" not in stopped.accepted
    ):
        return not word.text.isdecimal() and _other_name(stopped, word)
    if word.kind != "mixed":
        return False
    if _CARD.fullmatch(word.text):
        right = word.text.upper()
        return stopped.report(
            "RK311",
            f"`{word.text}` is not a card",
            help=f"cards are written in capitals: `{right}`",
            suggestion=right,
        )
    if re.fullmatch(r"[0-9][0-9_]*|0[xob][0-9a-fA-F]+|[0-9]+e[0-9]+", word.text):
        plain = word.text.replace("_", "")
        return stopped.report(
            "RK310",
            f"`{word.text}` is not a number",
            expected="digits alone",
            suggestion=plain if plain.isdecimal() else None,
        )
    if glued := _GLUED.fullmatch(word.text):
        return stopped.report(
            "RK312",
            f"`{word.text}` is neither a number nor a name",
            help=f"did you mean `{glued[1]} {glued[2]}`?",
        )
    return _other_name(stopped, word)


def _other_name(stopped: Stopped, word: Word) -> bool:
    better = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", word.text).strip("_").lower()
    good = bool(re.fullmatch(r"[a-z][a-z0-9_]*", better)) and better not in KEYWORDS
    return stopped.report(
        "RK312",
        f"`{word.text}` is not a name",
        expected="small letters, digits and `_`, beginning with a letter",
        help=f"write `{better}`" if good else None,
        suggestion=better if good else None,
    )


def small_card(stopped: Stopped) -> bool:
    """`QS 10H kc`: a card in small letters beside another word."""
    word = stopped.word
    if word is None or word.kind != "name" or not _CARD.fullmatch(word.text) or not stopped.wants_operator:
        return False
    if word.text in KEYWORDS:
        return False
    return stopped.report(
        "RK311",
        f"`{word.text}` is not a card",
        help=f"cards are written in capitals: `{word.text.upper()}`",
        suggestion=word.text.upper(),
    )


def loop_words(stopped: Stopped) -> bool:
    """`for each p in players`, `for p of players`, `1 to 7`"""
    if stopped.form != "head" or not stopped.words or stopped.words[0].text != "for":
        return False
    if stopped.at == 2 and stopped.words[1].text in ("each", "every", "all", "any"):
        return stopped.report(
            "RK331",
            f"`{stopped.words[1].text}` is not said after `for`",
            1,
            help="write `for p in players`",
        )
    if stopped.at == 2 and stopped.is_near(0, "of", "from", "over", "through", "="):
        word = stopped.words[2].text
        return stopped.report(
            "RK331", f"`{word}` stands where `in` is due", help="write `in`", suggestion="in"
        )
    if stopped.is_near(0, "to") and stopped.wants_operator:
        return stopped.report("RK331", "`to` does not make a range", help="write `1..7`", suggestion="..")
    return False


def preposition(stopped: Stopped) -> bool:
    """`move x into y`, `swap a for b`, `reveal hand everyone`: another word, or none, where one is due."""
    word = stopped.word
    if word is None or stopped.form not in ("statement", "head") or stopped.unclosed or stopped.at < 2:
        return False
    due = [item.strip("`") for item in stopped.due]
    others = (
        "to",
        "into",
        "in",
        "from",
        "with",
        "for",
        "onto",
        "on",
        "over",
        "under",
        "towards",
        "by",
        "and",
    )
    if word.text in others and len(due) == 1:
        right = next((item for item in due if stopped.cures(stopped.at, stopped.at, item)), None)
        if right is None:
            return False
        return stopped.report(
            "RK331",
            f"`{word.text}` stands where `{right}` is due",
            help=f"write `{right}`",
            suggestion=right,
        )
    if len(due) != 1 or "$END" in stopped.accepted or word.kind not in ("name", "literal"):
        return False
    added = f"{due[0]} {word.text}"
    if any(later.text == due[0] for later in stopped.words[stopped.at :]):
        return False
    if glued := _unglued(stopped, word, due):
        return stopped.report(
            "RK331", f"a blank is missing in `{word.text}`", help=f"write `{glued}`", suggestion=glued
        )
    if near_word(word.text, due) or not stopped.cures(stopped.at, stopped.at, added):
        return False
    return stopped.report(
        "RK327",
        f"`{stopped.words[0].text}` needs `{due[0]}`",
        expected=stopped.expected(),
        help=f"write `{added}`",
        suggestion=added,
    )


def _unglued(stopped: Stopped, word: Word, keywords: list[str]) -> str | None:
    """`to hand` for `tohand`, if that helps."""
    for keyword in keywords:
        rest = word.text.removeprefix(keyword)
        if rest and rest != word.text and stopped.cures(stopped.at, stopped.at, f"{keyword} {rest}"):
            return f"{keyword} {rest}"
    return None


def misspelt(stopped: Stopped) -> bool:
    """A word near a keyword that could stand here, or before here."""
    word, before = stopped.word, stopped.near(-1)
    if word is not None and word.kind == "name" and not stopped.wants_operand:
        near = near_word(word.text, list(stopped.keywords.values()))
        if near is not None and stopped.cures(stopped.at, stopped.at, near):
            return _did_you_mean(stopped, stopped.at, word.text, near)
    if before is None or before.kind != "name" or word is None or stopped.at < 1:
        return False
    if word.kind in ("name", "literal") or word.text == "(":
        earlier = stopped.words[stopped.at - 2].text if stopped.at > 1 else ""
        opens = stopped.at == 1 or earlier in ("(", ";", "=", "+=", "-=") or earlier in KEYWORDS
        near = near_word(before.text, list(_PREFIXES)) if opens and stopped.form not in _LED_BY_WORD else None
        if near is not None and stopped.cures(stopped.at - 1, stopped.at - 1, near):
            return _did_you_mean(stopped, stopped.at - 1, before.text, near)
    return False


_LED_BY_WORD = ("head", "declaration", "slot", "zone", "signature", "running", "place", "pattern")


def _did_you_mean(stopped: Stopped, index: int, word: str, near: str) -> bool:
    said = (
        f"`{word}` stands where `{near}` is due" if word in _WORDS else f"`{word}` is no word of the language"
    )
    return stopped.report(
        "RK331",
        said,
        index,
        help=f"did you mean `{near}`?",
        suggestion=near,
    )


def reserved(stopped: Stopped) -> bool:
    """A keyword where a name is due."""
    word = stopped.word
    if word is None or word.text not in KEYWORDS or "NAME" not in stopped.accepted:
        return False
    verb = word.text in (*SENTENCES, "for", "repeat", "until", "ask", "offer", "new")
    after = stopped.near(1)
    ends = (
        after is None or (after.kind == "symbol" and after.text != "(") or (verb and after.text in KEYWORDS)
    )
    if not ends or (stopped.at == 0 and stopped.form not in ("expression", "key")):
        return False
    if stopped.wants_operand and not verb and not stopped.is_near(-1, "of") and len(stopped.words) > 1:
        return False
    constant = word.text in CONSTANTS
    return stopped.report(
        "RK319",
        f"`{word.text}` is a word of the language and cannot be a name",
        help=None if constant else f"take another name, such as `the_{word.text}`",
    )


def left_open(stopped: Stopped) -> bool:
    """`move top of (stock to hand`: the sentence goes on inside a parenthesis."""
    word, opened = stopped.word, stopped.unclosed
    if word is None or opened is None or "RPAR" not in stopped.accepted or word.text not in _ENDING:
        return False
    return stopped.report(
        "RK317",
        "this `(` is not closed",
        stopped.words.index(opened),
        help=f"a `)` is missing before `{word.text}`",
    )


_ENDING = ("to", "into", "with", "for", "then", "else", "times", "together", "up", "down", "=")

RULES: tuple[Callable[[Stopped], bool], ...] = (
    capitals,
    mixed,
    loop_words,
    small_card,
    left_open,
    preposition,
    misspelt,
    reserved,
)
