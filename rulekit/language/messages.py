"""What is wrong with a text that does not parse, in plain words.

The parser says where it stopped and what it would have taken there. The slips people really make are
tried one after the other (`slips_*`); what none of them knows is reported by what may stand there.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from rulekit.diagnostics import Findings
from rulekit.language import grammar, slips_form, slips_operators, slips_symbols, slips_words
from rulekit.language.scanning import scan
from rulekit.language.stopped import EXPECTED, Stopped
from rulekit.source.document import Scalar

if TYPE_CHECKING:
    from lark import Token

_RULES: tuple[Callable[[Stopped], bool], ...] = (
    *slips_symbols.RULES,
    *slips_operators.RULES,
    *slips_words.RULES,
    *slips_form.RULES,
)


def refused(form: str, scalar: Scalar, place: int, findings: Findings) -> None:
    """The parser cannot take the word that begins at ``place``."""
    words = scan(scalar.text)
    if not words:
        findings.error(
            "RK322",
            "nothing stands here",
            scalar.span,
            expected=EXPECTED[form],
            help="what follows ` #` is a comment; a text with `#` in it stands in quotes",
        )
        return
    at = next((index for index, word in enumerate(words) if word.end > place), len(words))
    before = scalar.text[: words[at].start] if at < len(words) else scalar.text
    accepted = grammar.accepted_after(form, before, scalar)
    stopped = Stopped(form, scalar, words, at, accepted, findings)
    for rule in _RULES:
        if rule(stopped):
            return


def too_long(scalar: Scalar, limit: int, findings: Findings) -> None:
    """A text is longer than anything a person writes."""
    findings.error(
        "RK301",
        f"this text has {len(scalar.text):,} characters",
        scalar.at(0, 1),
        expected=f"at most {limit:,}",
        help="divide it: give its parts names under `define`",
    )


def too_deep(scalar: Scalar, start: int, limit: int, findings: Findings) -> None:
    """A text is nested too deep."""
    findings.error(
        "RK302",
        f"more than {limit} expressions stand inside each other here",
        scalar.at(start, start + 1),
        help="give the inner ones names under `define`",
    )


def not_whole(form: str, scalar: Scalar, token: Token, findings: Findings) -> None:
    """A word stands where a whole number is due."""
    start = token.start_pos or 0
    digits = token.removeprefix("-").isdecimal()
    findings.error(
        "RK310",
        f"`{token}` is too large" if digits else f"`{token}` is not a number",
        scalar.at(start, start + len(token)),
        expected="at most 12 digits" if digits else "a whole number",
        help=None if digits else _RANGE_HELP.get(form),
    )


_RANGE_HELP = {
    "declaration": "a range goes from one number to another, `0..99`; words are listed, `red | black`",
}


def no_event(scalar: Scalar, findings: Findings) -> None:
    """An event of an example does not begin with a seat and a move."""
    small = _small_seat(scalar)
    findings.error(
        "RK360",
        f"`{scalar.text}` is not an event",
        scalar.span,
        expected="a seat from P1 to P10, a move, and what is chosen: `P1 play 4S`",
        help=f"write `{small}`" if small else None,
        suggestion=small,
    )


def _small_seat(scalar: Scalar) -> str | None:
    """`p2 follow` with the seat as it is written, if that is what is wrong."""
    match = re.fullmatch(r"p([1-9]|10)( .*)", scalar.text)
    return f"P{match[1]}{match[2]}" if match and scalar.span.text == scalar.text else None


def no_seat_move(scalar: Scalar, findings: Findings) -> None:
    """A key of `allowed` is not a seat and a move."""
    small = _small_seat(scalar)
    findings.error(
        "RK361",
        f"`{scalar.text}` is not a seat and its move",
        scalar.span,
        expected="a seat from P1 to P10 and a move: `P2 follow`",
        help=f"write `{small}`" if small else "what may be chosen stands after the colon: `P2 follow: 4C QC`",
        suggestion=small,
    )
