"""Slips in single characters: operators of other languages, brackets, quotes, commas, dots, decimals."""

from __future__ import annotations

import re
from collections.abc import Callable

from rulekit.language.stopped import Stopped
from rulekit.language.vocabulary import FUNCTIONS

_OPERATORS = {
    "&&": "and",
    "||": "or",
    "∧": "and",
    "∨": "or",
    "===": "==",
    "≠": "!=",
    "!==": "!=",
    "<>": "!=",
    "=!": "!=",
    "≤": "<=",
    "=<": "<=",
    "≥": ">=",
    "=>": ">=",
    "/": "//",
    "÷": "//",
    "×": "*",
    "·": "*",
    "−": "-",
    "–": "-",
    "—": "-",
    "...": "..",
    "…": "..",
    "∪": "|",
    "∩": "&",
    "∈": "in",
    "∉": "not in",
    ":=": "=",
}
_STATEMENTS = {"*=": "*", "/=": "//"}
_OTHER_SIGNS = {
    "**": "there is no power: write the product",
    "<<": "there are no bit operations",
    ">>": "there are no bit operations",
    "->": "look something up with `of`: `suit of card`",
    "??": "ask for none with `== none`: `if x == none then y else x`",
    ":": "in a call arguments stand in order without names, and a condition is `if ... then ... else ...`",
    "#": "a comment begins with `#` outside of quotes",
}
_SIZES = {"size": "count", "length": "count", "len": "count", "number_of_cards": "count"}


def other_operator(stopped: Stopped) -> bool:
    """`&&`, `≠`, `/`"""
    word = stopped.word
    if word is None:
        return False
    if word.text in _OPERATORS:
        right = _OPERATORS[word.text]
        if right == "=" and "EQUALS" not in stopped.accepted:
            right = "=="
        return stopped.report(
            "RK307",
            f"`{word.text}` is not an operator of this language",
            help=f"write `{right}`",
            suggestion=right,
        )
    if word.text in _STATEMENTS and stopped.at == 1:
        first = stopped.words[0].text
        sign = _STATEMENTS[word.text]
        return stopped.report(
            "RK307",
            f"`{word.text}` is not an operator of this language",
            help=f"write `{first} = {first} {sign} ...`",
        )
    if word.text in _OTHER_SIGNS:
        return stopped.report(
            "RK307", f"`{word.text}` is not an operator of this language", help=_OTHER_SIGNS[word.text]
        )
    return False


def increment(stopped: Stopped) -> bool:
    """`score++`"""
    if not stopped.is_near(0, "++") and not (stopped.at_end and stopped.is_near(-1, "++")):
        return False
    name = stopped.piece(0, min(stopped.at, len(stopped.words) - 1)) or "x"
    where = stopped.at if stopped.is_near(0, "++") else stopped.at - 1
    return stopped.report(
        "RK307", "`++` is not an operator of this language", where, help=f"write `{name} += 1` as a statement"
    )


def exclamation(stopped: Stopped) -> bool:
    """`! x` for `not x`."""
    if not stopped.is_near(0, "!", "¬", "~"):
        return False
    word, after = stopped.word, stopped.near(1)
    assert word is not None
    blank = "" if after is None or after.start > word.end else " "
    return stopped.report(
        "RK307",
        f"`{word.text}` is not an operator of this language",
        help="write `not`",
        suggestion=f"not{blank}",
    )


def question(stopped: Stopped) -> bool:
    """`c ? a : b` for `if c then a else b`."""
    if not stopped.is_near(0, "?") or "QUESTION" in stopped.accepted:
        return False
    first, last = stopped.group(stopped.at)
    colon = next((i for i in range(stopped.at, last) if stopped.words[i].text == ":"), None)
    if colon is None or colon == last - 1 or first == stopped.at:
        return stopped.report(
            "RK314", "`?` is not an operator of this language", help="write `if ... then ... else ...`"
        )
    condition = stopped.piece(first, stopped.at)
    yes, no = stopped.piece(stopped.at + 1, colon), stopped.piece(colon + 1, last)
    right = f"if {condition} then {yes} else {no}"
    return stopped.report(
        "RK314",
        "`? :` is not the way to choose between two values",
        first,
        last - 1,
        help=f"write `{right}`",
        suggestion=right,
    )


def equals(stopped: Stopped) -> bool:
    """`=` where a comparison is meant, and `==` where a value is given."""
    if stopped.is_near(0, "==") and "EQUALS" in stopped.accepted:
        return stopped.report(
            "RK308", "`==` compares; a value is given with `=`", help="write `=`", suggestion="="
        )
    if stopped.is_near(0, "+=", "-=") and stopped.wants_operator:
        word = stopped.word
        assert word is not None
        return stopped.report(
            "RK308",
            f"`{word.text}` changes a value; this is an expression, and changes nothing",
            expected=stopped.expected(),
        )
    if not stopped.is_near(0, "=") or not stopped.wants_operator:
        return False
    return stopped.report(
        "RK308", "`=` gives a value; two values are compared with `==`", help="write `==`", suggestion="=="
    )


def comma(stopped: Stopped) -> bool:
    """`f(a, b)`, `A, K`, two statements in one text."""
    before, after = stopped.near(-1), stopped.near(1)
    if not stopped.is_near(0, ","):
        return False
    if before and after and before.kind == after.kind == "literal":
        return stopped.report(
            "RK306",
            "`,` does not stand between cards or ranks",
            help=f"write them side by side: `{before.text} {after.text}`",
            suggestion="",
        )
    if "BAR" in stopped.accepted and stopped.form == "declaration":
        return stopped.report("RK306", "`,` does not stand between words", help="write `|`", suggestion=" |")
    if stopped.unclosed:
        return stopped.report("RK306", "`,` does not separate arguments", help="write `;`", suggestion=";")
    if stopped.form in ("statement", "head"):
        return stopped.report(
            "RK306", "`,` cannot stand here", help="write every statement as a list item of its own"
        )
    if stopped.form == "pattern":
        return stopped.report(
            "RK306", "`,` cannot stand here", help="constraints follow each other without a comma"
        )
    return stopped.report(
        "RK306", "`,` cannot stand here", expected=stopped.expected(), help="sets are joined by `|`"
    )


def semicolon(stopped: Stopped) -> bool:
    """`a; b` outside of a call."""
    if not stopped.is_near(0, ";") or stopped.unclosed:
        return False
    statements = stopped.form in ("statement", "head")
    return stopped.report(
        "RK345",
        "`;` stands only between the arguments of a call",
        help="write every statement as a list item of its own" if statements else None,
        expected=None if statements else stopped.expected(),
    )


def brackets(stopped: Stopped) -> bool:
    """`hand[0]`, `[a, b]`, `{a}`"""
    word, before = stopped.word, stopped.near(-1)
    if word is None or word.text not in tuple("[]{}"):
        return False
    if word.text == "[" and before is not None and before.kind == "name" and before.end == word.start:
        member, closing = stopped.near(1), stopped.near(2)
        if member is not None and member.kind == "name" and closing is not None and closing.text == "]":
            right = f"{before.text} of {member.text}"
            return stopped.report(
                "RK305",
                f"`{before.text}[...]` is not the way to look something up",
                stopped.at - 1,
                stopped.at + 2,
                help=f"write `{right}`",
                suggestion=right,
            )
        return stopped.report(
            "RK305",
            f"`{before.text}[...]` is not the way to look something up",
            help=f"write `... of {before.text}`, such as `first of {before.text}` or `score of p`",
        )
    return stopped.report(
        "RK305",
        f"`{word.text}` is not used in expressions",
        help="cards and ranks stand side by side, `QS 10H`; sets are joined by `|`; parts go in `( )`",
    )


def quotes(stopped: Stopped) -> bool:
    """`suit == "hearts"`"""
    word = stopped.word
    if word is None or (word.kind != "quoted" and word.text not in ('"', "'", "`", "“", "”", "‘", "’")):
        return False
    inner = word.text[1:-1].strip() if word.kind == "quoted" else ""
    plain = bool(re.fullmatch(r"[a-z][a-z0-9_]*|[0-9]+|[0-9]*[A-Z][A-Z0-9]*", inner))
    return stopped.report(
        "RK304",
        f"{word.text} stands in quotes" if plain else f"`{word.text[:1]}` is not used in expressions",
        help=f"write `{inner}`" if plain else "texts for people stand under `text` and in labels",
        suggestion=inner if plain else None,
    )


def dot(stopped: Stopped) -> bool:
    """`hand.count` for `count(hand)`, `card.suit` for `suit of card`, `1.5`."""
    word, before, after = stopped.word, stopped.near(-1), stopped.near(1)
    if word is None or word.text != "." or before is None:
        return False
    glued = after is not None and before.end == word.start and after.start == word.end
    if after is not None and after.text.isdecimal() and after.start == word.end and before.kind == "symbol":
        return stopped.report(
            "RK310",
            f"`.{after.text}` is not a whole number",
            stopped.at,
            stopped.at + 1,
            help="all numbers are whole; count in a smaller unit, such as half points",
        )
    if before.text.isdecimal() and (after is None or after.kind != "name"):
        last = stopped.at + 1 if glued else stopped.at
        return stopped.report(
            "RK310",
            f"`{stopped.piece(stopped.at - 1, last + 1)}` is not a whole number",
            stopped.at - 1,
            last,
            help="all numbers are whole; count in a smaller unit, such as half points",
        )
    if not glued or after is None or before.kind not in ("name", "literal") or after.kind != "name":
        return stopped.report(
            "RK309", "`.` cannot stand here", help="look things up with `of`: `suit of card`"
        )
    first, last, right = _dotted(stopped)
    return stopped.report(
        "RK309",
        "`.` is not the way to look something up",
        first,
        last,
        help=f"write `{right}`",
        suggestion=right,
    )


def _dotted(stopped: Stopped) -> tuple[int, int, str]:
    """The chain `a.b.c`: its first and last word, and how it is written."""
    words = stopped.words
    first = stopped.at - 1
    right = words[first].text
    index = stopped.at
    while index + 1 < len(words) and words[index].text == "." and words[index + 1].kind == "name":
        name = words[index + 1].text
        index += 2
        if [word.text for word in words[index : index + 2]] == ["(", ")"]:
            index += 2
        name = _SIZES.get(name, name)
        right = f"{name}({right})" if name in FUNCTIONS else f"{name} of {right}"
    return first, index - 1, right


def strange(stopped: Stopped) -> bool:
    """`$`, `@`, an emoji."""
    word = stopped.word
    if word is None or word.kind != "strange":
        return False
    return stopped.report(
        "RK303", f"`{word.text}` is not a character of this language", expected=stopped.expected()
    )


RULES: tuple[Callable[[Stopped], bool], ...] = (
    increment,
    other_operator,
    exclamation,
    question,
    equals,
    comma,
    semicolon,
    brackets,
    quotes,
    dot,
    strange,
)
