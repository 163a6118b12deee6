"""Reads one text of a rule file: an expression, a sentence, a declaration, a pattern.

Each `parse_` function takes the located text and gives the syntax tree; or records one finding,
which says in plain words what is wrong, and gives None.
"""

from __future__ import annotations

import re
from typing import TypeVar

from rulekit.diagnostics import Findings
from rulekit.language import grammar, messages
from rulekit.language.heard import WORDS, hear
from rulekit.language.syntax import (
    Declaration,
    Do,
    Event,
    Expr,
    Head,
    Name,
    Pattern,
    Place,
    Ranking,
    SeatMove,
    Signature,
    SlotDeclaration,
    Stmt,
    ZoneDeclaration,
)
from rulekit.source.document import Scalar

T = TypeVar("T")

MAX_LENGTH = 50_000
"""How many characters one text may have."""


def parse_expression(scalar: Scalar, findings: Findings) -> Expr | None:
    """`count(hand) > 0`"""
    return _parse("expression", Expr, scalar, findings)


def parse_key(scalar: Scalar, findings: Findings) -> Expr | None:
    """An expression, or several joined by `then`: `suit == trump then rank`."""
    return _parse("key", Expr, scalar, findings)


def parse_statement(scalar: Scalar, findings: Findings) -> Stmt | None:
    """`move top of stock to hand`"""
    return _parse("statement", Stmt, scalar, findings)


def parse_head(scalar: Scalar, findings: Findings) -> Head | None:
    """The key of a compound statement: `for p in players`, `trick`."""
    return _parse("head", Head, scalar, findings)


def parse_declaration(scalar: Scalar, findings: Findings) -> Declaration | None:
    """An option, a state or a field: `0..99 per player seen by owner = 0`."""
    return _parse("declaration", Declaration, scalar, findings)


def parse_slot(scalar: Scalar, findings: Findings) -> SlotDeclaration | None:
    """A slot of a block: `player per player = it`, `moves = none`."""
    return _parse("slot", SlotDeclaration, scalar, findings)


def parse_zone(scalar: Scalar, findings: Findings) -> ZoneDeclaration | None:
    """`up to 6 piles per player seen by everyone`"""
    return _parse("zone", ZoneDeclaration, scalar, findings)


def parse_signature(scalar: Scalar, findings: Findings) -> Signature | None:
    """A name, perhaps with parameters: `cost(player p; int n)`."""
    return _parse("signature", Signature, scalar, findings)


def parse_ranking(scalar: Scalar, findings: Findings) -> Ranking | None:
    """`highest score then tricks`"""
    return _parse("ranking", Ranking, scalar, findings)


def parse_call(scalar: Scalar, findings: Findings) -> Do | None:
    """A phase and its arguments, without `do`: `show(P1; 5C 5D)`."""
    return _parse("running", Do, scalar, findings)


def parse_place(scalar: Scalar, findings: Findings) -> Place | None:
    """`won`, `hand of x`"""
    return _parse("place", Place, scalar, findings)


def parse_pattern(scalar: Scalar, findings: Findings) -> Pattern | None:
    """`3.. cards same suit consecutive rank`"""
    return _parse("pattern", Pattern, scalar, findings)


_EVENT = re.compile(r"\s*(P(?:[1-9]|10))\s+([a-z][a-z0-9_]*)((?:\s+\S+)*)\s*")


def parse_event(scalar: Scalar, findings: Findings) -> Event | None:
    """A seat, its move and what it chooses: `P1 play 4S`."""
    match = _EVENT.fullmatch(scalar.text)
    if match is None:
        messages.no_event(scalar, findings)
        return None
    hear(WORDS, scalar)
    return Event(int(match[1][1:]) - 1, _move(scalar, match), tuple(match[3].split()), span=scalar.span)


def parse_seat_move(scalar: Scalar, findings: Findings) -> SeatMove | None:
    """A seat and its move: `P2 follow`."""
    match = _EVENT.fullmatch(scalar.text)
    if match is None or match[3]:
        messages.no_seat_move(scalar, findings)
        return None
    hear(WORDS, scalar)
    return SeatMove(int(match[1][1:]) - 1, _move(scalar, match), span=scalar.span)


def _move(scalar: Scalar, match: re.Match[str]) -> Name:
    return Name(match[2], span=scalar.at(match.start(2), match.end(2)))


def _parse(form: str, kind: type[T], scalar: Scalar, findings: Findings) -> T | None:
    """Parse a text by one entry of the grammar, which gives a node of that kind."""
    from rulekit.language.building import MAX_DEPTH, NotWhole, TooDeep

    if len(scalar.text) > MAX_LENGTH:
        messages.too_long(scalar, MAX_LENGTH, findings)
        return None
    try:
        node = grammar.build(form, scalar)
    except grammar.Refused as refused:
        messages.refused(form, scalar, refused.place, findings)
    except TooDeep as deep:
        messages.too_deep(scalar, deep.start, MAX_DEPTH, findings)
    except NotWhole as wrong:
        messages.not_whole(form, scalar, wrong.token, findings)
    else:
        assert isinstance(node, kind)
        hear(form, scalar)
        return node
    return None
