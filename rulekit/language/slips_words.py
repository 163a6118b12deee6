"""Slips in words: capitals, other languages' words, misspelt and reserved words, chains, wrong order."""

from __future__ import annotations

import re
from collections.abc import Callable

from rulekit.language.keywords import CONSTANTS, HEADS, KEYWORDS, OPERATORS, SENTENCES
from rulekit.language.scanning import Word
from rulekit.language.stopped import Stopped, near_word

_CARD = re.compile(r"(10|[2-9akqjt])[cdhs]", re.IGNORECASE)
_GLUED = re.compile(r"([0-9]+)([A-Za-z]\w*)")
_SOFT = {
    *("up", "down", "times", "together", "cards", "card", "per", "seen", "set", "pile", "piles"),
    *("highest", "lowest", "maximal", "same", "different", "consecutive", "each"),
}
_WORDS = KEYWORDS | _SOFT
_COMPARISONS = ("==", "!=", "<", "<=", ">", ">=", "in", "is", "beats")
_BINARY = frozenset(OPERATORS) - {"not", "best", "tail"}
_PREFIXES = ("if", "not", "best", "tail")

_SPOKEN = {
    "equals": "==",
    "equal": "==",
    "eq": "==",
    "ne": "!=",
    "neq": "!=",
    "isnt": "!=",
    "lt": "<",
    "gt": ">",
    "le": "<=",
    "ge": ">=",
    "mod": "%",
    "modulo": "%",
    "div": "//",
    "plus": "+",
    "minus": "-",
    "times": "*",
    "union": "|",
    "intersect": "&",
    "without": "-",
    "except": "-",
    "xor": "!=",
}
_PHRASES = {"greater": ">", "more": ">", "larger": ">", "less": "<", "fewer": "<", "smaller": "<"}


def capitals(stopped: Stopped) -> bool:
    """`a AND b`, `None`, `If`"""
    for step in (0, -1):
        word = stopped.near(step)
        if word is None or word.text == word.text.lower() or word.text.lower() not in _WORDS:
            continue
        right = word.text.lower()
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
    return stopped.report(
        "RK311",
        f"`{word.text}` is not a card",
        help=f"cards are written in capitals: `{word.text.upper()}`",
        suggestion=word.text.upper(),
    )


def ternary(stopped: Stopped) -> bool:
    """`x if y else z`, and `if` inside an expression without parentheses."""
    if not stopped.is_near(0, "if"):
        return False
    first, last = stopped.group(stopped.at)
    words = [word.text for word in stopped.words[stopped.at : last]]
    if stopped.wants_operator and "else" in words and "then" not in words and first < stopped.at:
        middle = stopped.at + words.index("else")
        value, condition = stopped.piece(first, stopped.at), stopped.piece(stopped.at + 1, middle)
        right = f"if {condition} then {value} else {stopped.piece(middle + 1, last)}"
        return stopped.report(
            "RK314",
            "`if` begins an expression and does not follow a value",
            help=f"write `{right}`" if condition else "write `if ... then ... else ...`",
        )
    if stopped.wants_operator:
        return stopped.report(
            "RK314",
            "`if` begins an expression and does not follow a value",
            help="a condition on a statement is its head: `- if C: [...]`"
            if stopped.form == "statement"
            else "write `if ... then ... else ...`",
        )
    if stopped.wants_operand and stopped.at > 0:
        inner = stopped.piece(stopped.at, last)
        whole = "then" in words and "else" in words
        return stopped.report(
            "RK335",
            "an `if` inside an expression stands in parentheses",
            stopped.at,
            last - 1 if whole else stopped.at,
            help=f"write `({inner})`" if whole else "write `(if ... then ... else ...)`",
            suggestion=f"({inner})" if whole else None,
        )
    return False


def chain(stopped: Stopped) -> bool:
    """`a < b < c`, `x where A where B`"""
    word = stopped.word
    if word is None or not stopped.wants_operator:
        return False
    first, _ = stopped.group(stopped.at)
    depth = 0
    for index in range(stopped.at - 1, first - 1, -1):
        text = stopped.words[index].text
        depth += (text == ")") - (text == "(")
        if depth:
            continue
        if word.text == "where" and text == "by":
            return stopped.report(
                "RK335", "`where` follows `by`", help="put it before: `highest(X where C by KEY)`"
            )
        if text in ("and", "or", "then", "else", "if", "by"):
            if word.text != "where" or text not in ("and", "or"):
                return False
            continue
        if word.text == text == "where":
            return stopped.report(
                "RK335",
                "a second `where` follows the first",
                help="write `and`, or parentheses round the first",
                suggestion="and",
            )
        if word.text in _COMPARISONS and text in _COMPARISONS:
            middle = stopped.piece(index + 1, stopped.at)
            plain = {word.text, text} <= set(_COMPARISONS[:6])
            return stopped.report(
                "RK315",
                f"`{word.text}` follows another comparison, `{text}`",
                help=f"write `and {middle} {word.text} ...`" if plain else "write parentheses, or `and`",
                suggestion=f"and {middle} {word.text}" if plain else None,
            )
        if text == "where":
            return False
    return False


def spoken(stopped: Stopped) -> bool:
    """`a equals b`, `a is not b`, `a is greater than b`, `a contains b`"""
    word = stopped.word
    if word is None:
        return False
    if word.text == "to" and stopped.is_near(-1, "equal") and stopped.is_near(-2, "is"):
        return stopped.report(
            "RK307",
            "`is equal to` is not an operator of this language",
            stopped.at - 2,
            stopped.at,
            help="write `==`",
            suggestion="==",
        )
    if stopped.is_near(-1, "is") and word.text in ("not", "in", "none", "true", "false", "(", "-", "at"):
        return _is(stopped, word)
    if stopped.is_near(-1, "is") and word.kind == "literal":
        return _is(stopped, word)
    if not stopped.wants_operator:
        return _phrase(stopped)
    if word.text in _SPOKEN:
        right = _SPOKEN[word.text]
        last = stopped.at + 1 if stopped.is_near(1, "to") and right == "==" else stopped.at
        return stopped.report(
            "RK307",
            f"`{stopped.piece(stopped.at, last + 1)}` is not an operator of this language",
            stopped.at,
            last,
            help=f"write `{right}`",
            suggestion=right,
        )
    if word.text == "between":
        return stopped.report(
            "RK307", "`between` is not an operator of this language", help="write `x in 1..3`"
        )
    if word.text == "at":
        return stopped.report(
            "RK307", "`at` is followed by `most` or `least`", help="write `x at most y` or `x at least y`"
        )
    if word.text in ("contains", "includes", "has"):
        return stopped.report(
            "RK307",
            f"`{word.text}` is not an operator of this language",
            help="write `x in y`: what is contained stands first",
        )
    return _phrase(stopped)


def _is(stopped: Stopped, word: Word) -> bool:
    """`is` before something that is no pattern."""
    first = stopped.at - 1
    if word.text == "in":
        return stopped.report("RK332", "`is` and `in` stand together", first, help="leave out `is`")
    if word.text == "not":
        after = stopped.near(1)
        if after is not None and after.text == "in":
            return stopped.report("RK332", "`is` and `not in` stand together", first, help="leave out `is`")
        value = after is not None and (after.kind == "literal" or after.text in CONSTANTS)
        return stopped.report(
            "RK332",
            "`is not` is not an operator of this language",
            first,
            stopped.at,
            help="write `!=` for values, `not (x is P)` for a pattern",
            suggestion="!=" if value else None,
        )
    return stopped.report(
        "RK332",
        "`is` asks whether cards fit a pattern",
        first,
        help="write `==` to compare values",
        suggestion="==",
    )


def _phrase(stopped: Stopped) -> bool:
    """`is greater than`, `greater than`"""
    for index in (stopped.at, stopped.at - 1):
        if not 0 <= index < len(stopped.words) - 1:
            continue
        word, after = stopped.words[index], stopped.words[index + 1]
        if word.text not in _PHRASES or after.text not in ("than", "then"):
            continue
        first = index - 1 if index and stopped.words[index - 1].text == "is" else index
        right = _PHRASES[word.text]
        return stopped.report(
            "RK307",
            f"`{stopped.piece(first, index + 2)}` is not an operator of this language",
            first,
            index + 1,
            help=f"write `{right}`",
            suggestion=right,
        )
    return False


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
    if near_word(word.text, due) or not stopped.cures(stopped.at, stopped.at, added):
        return False
    return stopped.report(
        "RK327",
        f"{_before(stopped)} needs `{due[0]}`",
        expected=stopped.expected(),
        help=f"write `{added}`",
        suggestion=added,
    )


def _before(stopped: Stopped) -> str:
    return f"`{stopped.words[0].text}`"


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
    verb = word.text in SENTENCES or word.text in HEADS or word.text == "new"
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


RULES: tuple[Callable[[Stopped], bool], ...] = (
    capitals,
    mixed,
    ternary,
    chain,
    spoken,
    loop_words,
    small_card,
    preposition,
    misspelt,
    reserved,
)
