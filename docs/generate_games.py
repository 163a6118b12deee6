"""Writes docs/games.md: every shipped ruleset with its family, players, options, size, speed and referee.

Run it after a ruleset has changed; a test says when the page is not up to date. Speeds depend on the machine:
those on the page stay, and only what has none yet is measured. `--measure` measures all afresh.
"""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import rulekit
from rulekit.engine import Machine
from rulekit.engine.chance import below, streams
from rulekit.program import prepare

DOCS = Path(__file__).parent
PAGE = DOCS / "games.md"
SECONDS = 1.5  #: how long random games of a ruleset are played to measure its speed

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
`docs/generate_games.py`. What the harder games leave out stands in [games-missing.md](games-missing.md).

Lines are without examples, blank lines and comments; for a variant they are what it changes.
*Actions* is the number of action numbers at the largest table, a bound that holds for every position
(choices with more than 10 000 values are staged: several numbers make one action). *Decisions/s* is how many
decisions of random games the reference engine makes in a second on one core, each with its list of legal
moves, deals included, with the fewest players; it is rounded, and differs from machine to machine. `-`: the
game has no decisions. The *referee* is an independent program, or brute force of our own, that the tests
compare with.
"""


def page(speed: Callable[[str], str]) -> str:
    """The text of the page; ``speed`` gives the decisions in a second of a ruleset."""
    lines = [
        HEAD,
        "| ruleset | title | family | players | options | lines | actions | decisions/s | referee |",
        "|---|---|---|---|--:|--:|--:|--:|---|",
    ]
    for name in rulekit.shipped_rulesets():
        rules = rulekit.load(name)
        low, high = rules.players
        players = f"{low}" if low == high else f"{low} to {high}"
        lines.append(
            f"| `{name}` | {rules.title} | {rules.family or '-'} | {players} | {len(rules.options)} "
            f"| {rule_lines(name)} | {rules.actions(high).size} | {speed(name)} | {oracle(name)} |"
        )
    return "\n".join(lines) + "\n"


def speeds(text: str) -> dict[str, str]:
    """The decisions in a second that stand on a page, by ruleset."""
    rows = [[cell.strip() for cell in row.split("|")] for row in text.splitlines() if row.startswith("| `")]
    return {row[1].strip("`"): row[8] for row in rows if len(row) == 11}


def kept(known: Mapping[str, str]) -> Callable[[str], str]:
    """What is known already, and a measurement of what is not."""
    return lambda name: known.get(name) or measured(name)


def measured(name: str) -> str:
    """Random games of a ruleset in the reference engine: decisions in a second, in two digits."""
    rules = rulekit.load(name)
    machine = Machine(prepare(rules.program, rules.players[0], rules.chosen))
    decisions = number = 0
    begun = time.process_time()
    while (passed := time.process_time() - begun) < SECONDS:
        state = machine.start(1, number)
        stream = streams(1, number)[1]
        number += 1
        while state.ending is None and time.process_time() - begun < SECONDS:
            legal = machine.legal(state)
            stream, place = below(stream, len(legal))
            machine.apply(state, legal[place])
            decisions += 1
    return f"{float(f'{decisions / passed:.2g}'):,.0f}".replace(",", " ") if decisions else "-"


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
    old = {} if "--measure" in sys.argv[1:] or not PAGE.exists() else speeds(PAGE.read_text(encoding="utf-8"))
    PAGE.write_text(page(kept(old)), encoding="utf-8")
