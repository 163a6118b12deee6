"""Packs, suits, ranks, cards and their notation."""

from rulekit.cards.pack import (
    COLORS,
    PIPS,
    STANDARD_RANKS,
    STANDARD_SUITS,
    USUAL_SUITS,
    Face,
    Pack,
    Suit,
    build_pack,
    parse_face,
    usual_suit,
)

__all__ = [
    "COLORS",
    "PIPS",
    "STANDARD_RANKS",
    "STANDARD_SUITS",
    "USUAL_SUITS",
    "Face",
    "Pack",
    "Suit",
    "build_pack",
    "parse_face",
    "usual_suit",
]
