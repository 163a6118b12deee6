"""Slips in how values are joined: operators as spoken or in another order, comparisons in a chain, `is`."""

from __future__ import annotations

from collections.abc import Callable

from rulekit.language.keywords import CONSTANTS
from rulekit.language.scanning import Word
from rulekit.language.stopped import Stopped

_COMPARISONS = ("==", "!=", "<", "<=", ">", ">=", "in", "is", "beats")

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


RULES: tuple[Callable[[Stopped], bool], ...] = (ternary, chain, spoken)
