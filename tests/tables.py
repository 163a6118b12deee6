"""Tables for tests: any shipped ruleset with any options and players, and games played some way into."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

from hypothesis import strategies as st

import rulekit
from rulekit.testing import play_on, strategies
from rulekit.testing.strategies import picks

__all__ = ["games", "load", "picks", "play_on", "rulesets", "tables"]

RULESETS = Path(__file__).parent.parent / "rulesets"


def whole_games() -> list[str]:
    """The shipped rulesets that are whole games, and the two variants that change most.

    For tests that take long: the other variants have theirs in `test_shipped_variants.py`.
    """
    texts = {path.stem: path.read_text(encoding="utf-8") for path in RULESETS.glob("*.yaml")}
    extending = {name for name, text in texts.items() if "\nextends:" in text}
    return sorted({*texts} - extending | {"hucklebuck-bid", "schnapsen"})


@cache
def rulesets() -> tuple[str, ...]:
    """The shipped games. One that does not load is left out: other tests say so."""
    return tuple(name for name in whole_games() if _loads(name))


def _loads(name: str) -> bool:
    try:
        return load(name) is not None
    except rulekit.RulesetError:
        return False


@cache
def load(name: str) -> rulekit.Ruleset:
    """A shipped ruleset, loaded once."""
    return rulekit.load(name)


def tables(names: Sequence[str] | None = None) -> st.SearchStrategy[rulekit.Game]:
    """A new game of any ruleset, with any options that go together and any number of players."""
    return strategies.new_games([load(name) for name in names or rulesets()])


def games(most: int = 60, names: Sequence[str] | None = None) -> st.SearchStrategy[rulekit.Game]:
    """A game played some way into."""
    return strategies.games([load(name) for name in names or rulesets()], most)
