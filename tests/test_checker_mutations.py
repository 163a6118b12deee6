"""Whatever a rule file says, the checker answers: findings in plain words, each at its place, never more."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as some
from mutations import RULESETS, mutated

from rulekit.diagnostics import Diagnostic, codes
from rulekit.game.loading import validate

GRAMMAR = Path(codes.__file__).parent.parent / "language" / "grammar.lark"
TERMINALS = set(re.findall(r"^([A-Z_]{2,})(?:\.\d+)?:", GRAMMAR.read_text(encoding="utf-8"), re.MULTILINE))
ALL = sorted(path.stem for path in RULESETS.glob("*.yaml"))
#: Small ones, in which between them everything stands.
QUICK = ("hockey-1961", "hucklebuck-bid", "klondike", "big-two", "cribbage", "texas-holdem", "kuhn-poker")

PYTHON = re.compile(
    r"\bNone\b|NoneType|Traceback|<class|object at 0x|\bdict\b|\btuple\b|frozenset|\bstr\b|KeyError|ANON"
    r"|\ba thing\b"
)


def verify(found: list[Diagnostic], text: str) -> None:
    """Each finding has a page, a place in the file and plain words."""
    for item in found:
        assert codes.page(item.code) is not None, item
        assert item.span is not None, item
        if item.span.file == "<text>":
            assert 0 <= item.span.start <= item.span.end <= len(text), item
        for words in (item.message, item.help or "", item.expected or ""):
            plain = re.sub(r"`[^`]*`", "", words)
            assert not words.endswith(".") or words.endswith("..."), item
            assert not PYTHON.search(plain), item
            assert not TERMINALS & set(re.findall(r"[A-Z_]{3,}", plain)), item
        assert not item.message[:1].isupper() or item.message[:2] in ("P1", "YA"), item
        assert item.message, item


def test_terminals_of_the_grammar_are_known_to_this_test() -> None:
    assert {"LPAR", "NAME", "WHERE", "DOTS"} <= TERMINALS


@given(some.sampled_from(QUICK), some.integers(0, 2**32), some.integers(1, 3))
@settings(
    max_examples=60, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck), database=None
)
@example("klondike", 0, 1)
def test_a_file_gone_wrong_is_answered_in_plain_words(name: str, seed: int, times: int) -> None:
    text = mutated(name, seed, times)
    verify(validate(text), text)


@pytest.mark.long
@pytest.mark.parametrize("name", ALL)
def test_every_file_gone_wrong_in_many_ways_is_answered_in_plain_words(name: str) -> None:
    for seed in range(400):
        text = mutated(name, seed, 1 + seed % 3)
        verify(validate(text), text)
