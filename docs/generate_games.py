"""Writes docs/games.md: every shipped ruleset with its family, players, options, size and referee.

Run it after a ruleset has changed; a test says when the page is not up to date.
"""

from __future__ import annotations

import re
from pathlib import Path

import rulekit

DOCS = Path(__file__).parent

#: The independent program that plays the same game in the tests, and what was compared.
ORACLES = {
    "big-two": "brute force over small hands",
    "bridge": "OpenSpiel: calls, cards, dummy and scores",
    "cassino": "brute force: captures and builds",
    "crazy-eights": "OpenSpiel: legal moves and scores",
    "cribbage": "OpenSpiel: legal moves and pegs; cribbage-scorer; brute force",
    "durak": "durakgame: legal moves",
    "euchre": "OpenSpiel: legal moves and scores",
    "gin-rummy": "OpenSpiel: legal moves; brute force: deadwood",
    "hearts": "OpenSpiel: legal moves and points",
    "klondike": "pyksolve: its solutions are legal here",
    "kuhn-poker": "OpenSpiel: the whole tree; known value",
    "leduc-poker": "OpenSpiel: the whole tree; known value",
    "texas-holdem": "PokerKit: payoffs with side pots",
    "tichu": "brute force: combinations",
}

HEAD = """# Games

Every shipped ruleset is pure YAML: no game has Python of its own. This page is written by
`docs/generate_games.py`.

Lines are without examples, blank lines and comments; for a variant they are what it changes.
*Actions* is the number of action numbers at the largest table (choices with more than 10 000 values
are staged: several numbers make one action). The *referee* is an independent program, or brute force of
our own, that the tests compare with.
"""


def page() -> str:
    """The text of the page."""
    lines = [
        HEAD,
        "| ruleset | title | family | players | options | lines | actions | referee |",
        "|---|---|---|---|--:|--:|--:|---|",
    ]
    for name in rulekit.shipped_rulesets():
        rules = rulekit.load(name)
        low, high = rules.players
        players = f"{low}" if low == high else f"{low} to {high}"
        lines.append(
            f"| `{name}` | {rules.title} | {rules.family or '-'} | {players} | {len(rules.options)} "
            f"| {rule_lines(name)} | {rules.actions(high).size} | {oracle(name)} |"
        )
    return "\n".join(lines) + "\n"


def rule_lines(name: str) -> int:
    """Lines of rules in a file: no examples, no blank lines, no comments."""
    text = (DOCS.parent / "rulesets" / f"{name}.yaml").read_text(encoding="utf-8")
    text = re.split(r"^examples:", text, maxsplit=1, flags=re.MULTILINE)[0]
    return sum(1 for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#"))


def oracle(name: str) -> str:
    """Who compares, for this ruleset or the one it extends."""
    return ORACLES.get(name, "worked rows of its rules" if "examples:" in source(name) else "-")


def source(name: str) -> str:
    return (DOCS.parent / "rulesets" / f"{name}.yaml").read_text(encoding="utf-8")


if __name__ == "__main__":
    (DOCS / "games.md").write_text(page(), encoding="utf-8")
