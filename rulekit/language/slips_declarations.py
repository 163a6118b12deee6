"""Slips in declarations, zones, parameters, rankings and patterns."""

from __future__ import annotations

from rulekit.language.stopped import EXPECTED, Stopped


def declaration_form(stopped: Stopped) -> bool:
    """A declaration, zone, parameter, ranking or pattern that is not built like one."""
    word = stopped.word
    found = (
        f"`{word.text}` cannot stand here"
        if word
        else f"something is missing after `{stopped.words[-1].text}`"
    )
    if stopped.form in ("declaration", "slot"):
        return _declaration(stopped, found)
    if stopped.form == "zone":
        return _zone(stopped, found)
    if stopped.form == "signature" and stopped.at > 0:
        return _parameter(stopped, found)
    if stopped.form == "ranking" and stopped.at == 0:
        return stopped.report(
            "RK343", "a ranking begins with `highest` or `lowest`", 0, expected=EXPECTED["ranking"]
        )
    if stopped.form == "pattern":
        return _pattern(stopped, found)
    return False


_NUMBERS = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7}


def _pattern(stopped: Stopped, found: str) -> bool:
    before, earlier = stopped.near(-1), stopped.near(-2)
    counted = earlier is not None and earlier.text not in ("with", "or")
    if before is not None and before.text in ("card", "cards") and not counted:
        return stopped.report(
            "RK344",
            "it is not said how many cards",
            stopped.at - 1,
            help="write `3 cards`, `3.. cards`, `3..5 cards`",
        )
    if before is not None and before.text in _NUMBERS:
        number = str(_NUMBERS[before.text])
        return stopped.report(
            "RK344",
            f"`{before.text}` is not a number",
            stopped.at - 1,
            help=f"write `{number}`",
            suggestion=number,
        )
    if stopped.is_near(0, "+", "-", "to") and "DOTS" in stopped.accepted:
        return stopped.report(
            "RK344", found, help="a count is `3`, `3..5`, or `3..` for three or more", suggestion=".."
        )
    if stopped.is_near(0, "("):
        return stopped.report(
            "RK344", found, help="patterns have no parentheses: give the inner one a name, and use that"
        )
    if stopped.is_near(0, "and", "of", "all", "have", "having") and "SAME" in stopped.accepted:
        return stopped.report(
            "RK344", found, help="constraints follow each other: `3 cards same rank different suit`"
        )
    return stopped.report("RK344", found, expected=stopped.expected() or EXPECTED["pattern"])


def _parameter(stopped: Stopped, found: str) -> bool:
    before = stopped.words[stopped.at - 1]
    if stopped.is_near(0, ")", ";") and before.text == "(":
        return stopped.report("RK342", "there is nothing between the parentheses", help="leave them out")
    if stopped.is_near(0, ")", ";") and before.kind == "name":
        typed = before.text in _TYPES
        return stopped.report(
            "RK342",
            f"the parameter of type `{before.text}` has no name"
            if typed
            else f"the parameter `{before.text}` has no type",
            stopped.at - 1,
            help=f"write `{before.text} x`"
            if typed
            else f"write `player {before.text}`, `int {before.text}` ...",
        )
    return stopped.report(
        "RK342", found, expected=stopped.expected(), help="write `NAME(TYPE name; TYPE name)`"
    )


_TYPES = (
    "player",
    "players",
    "team",
    "suit",
    "rank",
    "card",
    "cards",
    "pile",
    "piles",
    "int",
    "bool",
    "zone",
    "key",
)


def _declaration(stopped: Stopped, found: str) -> bool:
    words = stopped.words
    if stopped.at_end and words[-1].kind == "literal":
        value = words[-1].text
        type = f"0..{value}" if value.isdecimal() and value != "0" else "0..99"
        return stopped.report(
            "RK340",
            f"`{stopped.text.strip()}` is a value, not a type",
            0,
            len(words) - 1,
            help=f"write the type, then the start: `{type} = {value}`",
        )
    if stopped.at == 0 and stopped.is_near(0, "true", "false"):
        value = words[0].text
        return stopped.report(
            "RK340",
            f"`{value}` is a value, not a type",
            help=f"write the type, then the start: `bool = {value}`",
            suggestion=f"bool = {value}",
        )
    if stopped.is_near(0, "-", "to") and "DOTS" in stopped.accepted:
        return stopped.report("RK340", found, help="a range is written `0..99`", suggestion="..")
    if stopped.is_near(0, "per", "seen", "="):
        order = (
            "TYPE per NAME seen by WHO = START"
            if stopped.form == "declaration"
            else "TYPE per NAME = DEFAULT"
        )
        return stopped.report("RK340", found, help=f"the order is `{order}`")
    return stopped.report("RK340", found, expected=stopped.expected() or EXPECTED[stopped.form])


def _zone(stopped: Stopped, found: str) -> bool:
    if "SEEN" in stopped.accepted and stopped.at_end:
        who = "owner" if " per " in stopped.text else "everyone"
        return stopped.report(
            "RK341",
            "it is not said who sees the cards",
            0,
            len(stopped.words) - 1,
            expected="`seen by everyone`, `owner`, `others`, `team`, `nobody` or `face`",
            help=f"write `{stopped.text.strip()} seen by {who}`",
        )
    if stopped.is_near(0, "for", "each", "of", "by") and "PER" in stopped.accepted:
        return stopped.report("RK341", found, help="write `per player`", suggestion="per")
    if stopped.at == 0 and not stopped.is_near(0, "per", "seen"):
        return stopped.report("RK341", found, expected="`set`, `pile`, `7 piles` or `up to 6 piles`")
    if stopped.is_near(0, "per", "seen"):
        return stopped.report("RK341", found, help="the order is `KIND per NAME seen by WHO`")
    if stopped.is_near(0, "pile") and "PILES" in stopped.accepted:
        return stopped.report("RK341", found, help="write `piles`", suggestion="piles")
    return stopped.report("RK341", found, expected=stopped.expected() or EXPECTED["zone"])
