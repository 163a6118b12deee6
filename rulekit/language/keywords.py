"""The words that belong to the language."""

from __future__ import annotations

SENTENCES = ("let", "move", "deal", "shuffle", "swap", "flip", "reveal", "do", "stop")
"""First words of leaf statements (an assignment begins with a name)."""

HEADS = ("if", "else if", "else", "for", "repeat", "until", "ask", "offer")
"""Beginnings of compound statements (a use of a block begins with its name)."""

OPERATORS = (
    *("or", "and", "not", "in", "is", "beats", "as", "from", "starting", "outside", "inside"),
    *("of", "where", "by", "then", "best", "tail"),
)
"""Words inside expressions."""

CONSTANTS = ("none", "true", "false")

KEYWORDS = frozenset(
    {*SENTENCES, *OPERATORS, *CONSTANTS, "if", "else", "for", "repeat", "until", "ask", "offer"}
    | {"new", "to", "into", "with"}
)
"""Words that cannot be names in expressions, exactly those that NAME in `grammar.lark` leaves out."""
