"""Reads one text of a rule file: an expression, a sentence, a declaration, a pattern.

Each `parse_` function takes the located text and gives the syntax tree; or records one finding,
which says in plain words what is wrong, and gives None.
"""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any

from rulekit.diagnostics import Findings
from rulekit.language import messages
from rulekit.language.syntax import (
    Declaration,
    Do,
    Expr,
    Head,
    Pattern,
    Place,
    Ranking,
    Signature,
    SlotDeclaration,
    Stmt,
    ZoneDeclaration,
)
from rulekit.source.document import Scalar

if TYPE_CHECKING:
    from lark import Lark

    from rulekit.language.builder import Builder

MAX_LENGTH = 50_000
"""How many characters one text may have."""

FORMS = (
    "expression",
    "key",
    "statement",
    "head",
    "declaration",
    "slot",
    "zone",
    "signature",
    "ranking",
    "running",
    "place",
    "pattern",
)
"""The entries of the grammar."""


def parse_expression(scalar: Scalar, findings: Findings) -> Expr | None:
    """`count(hand) > 0`"""
    return _parse("expression", scalar, findings)


def parse_key(scalar: Scalar, findings: Findings) -> Expr | None:
    """An expression, or several joined by `then`: `suit == trump then rank`."""
    return _parse("key", scalar, findings)


def parse_statement(scalar: Scalar, findings: Findings) -> Stmt | None:
    """`move top of stock to hand`"""
    return _parse("statement", scalar, findings)


def parse_head(scalar: Scalar, findings: Findings) -> Head | None:
    """The key of a compound statement: `for p in players`, `trick`."""
    return _parse("head", scalar, findings)


def parse_declaration(scalar: Scalar, findings: Findings) -> Declaration | None:
    """An option, a state or a field: `0..99 per player seen by owner = 0`."""
    return _parse("declaration", scalar, findings)


def parse_slot(scalar: Scalar, findings: Findings) -> SlotDeclaration | None:
    """A slot of a block: `player per player = it`, `moves = none`."""
    return _parse("slot", scalar, findings)


def parse_zone(scalar: Scalar, findings: Findings) -> ZoneDeclaration | None:
    """`up to 6 piles per player seen by everyone`"""
    return _parse("zone", scalar, findings)


def parse_signature(scalar: Scalar, findings: Findings) -> Signature | None:
    """A name, perhaps with parameters: `cost(player p; int n)`."""
    return _parse("signature", scalar, findings)


def parse_ranking(scalar: Scalar, findings: Findings) -> Ranking | None:
    """`highest score then tricks`"""
    return _parse("ranking", scalar, findings)


def parse_call(scalar: Scalar, findings: Findings) -> Do | None:
    """A phase and its arguments, without `do`: `show(P1; 5C 5D)`."""
    return _parse("running", scalar, findings)


def parse_place(scalar: Scalar, findings: Findings) -> Place | None:
    """`won`, `hand of x`"""
    return _parse("place", scalar, findings)


def parse_pattern(scalar: Scalar, findings: Findings) -> Pattern | None:
    """`3.. cards same suit consecutive rank`"""
    return _parse("pattern", scalar, findings)


@cache
def grammar() -> tuple[Lark, Builder]:
    """The parser and the builder it calls; made at the first use, which takes a tenth of a second."""
    from lark import Lark

    from rulekit.language.builder import Builder

    builder = Builder()
    text = resources.files("rulekit.language").joinpath("grammar.lark").read_text("utf-8")
    lark = Lark(text, parser="lalr", lexer="contextual", start=list(FORMS), transformer=builder)  # type: ignore[arg-type]
    return lark, builder


def _parse(form: str, scalar: Scalar, findings: Findings) -> Any:
    from lark import UnexpectedInput

    from rulekit.language.builder import MAX_DEPTH, NotWhole, TooDeep

    if len(scalar.text) > MAX_LENGTH:
        messages.too_long(scalar, MAX_LENGTH, findings)
        return None
    lark, builder = grammar()
    builder.scalar = scalar
    try:
        return lark.parse(scalar.text, start=form).node  # type: ignore[attr-defined]
    except UnexpectedInput as error:
        messages.unexpected(form, scalar, error, findings)
    except TooDeep as error:
        messages.too_deep(scalar, error.start, MAX_DEPTH, findings)
    except NotWhole as error:
        messages.not_whole(form, scalar, error.token, findings)
    return None
