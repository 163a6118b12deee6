"""The rulebook says what the program does, for the options and players at this table."""

from __future__ import annotations

import re

import pytest

import rulekit
from rulekit.cli.main import run
from rulekit.program.program import OptionDef


def other_value(option: OptionDef) -> str | None:
    """Another value of an option, as text."""
    if option.fixed:
        return None
    if option.words:
        return option.words[(int(option.start) + 1) % len(option.words)]
    if isinstance(option.start, bool):
        return str(not option.start).lower()
    for value in option.values or (option.start + 1, option.start - 1):
        if value != option.start and option.accepts(value):
            return str(value)
    return None


@pytest.mark.parametrize("name", rulekit.shipped_rulesets())
def test_every_option_changes_the_text(name: str) -> None:
    rules = rulekit.load(name)
    low, high = rules.players
    for option in rules.program.options.values():
        value = other_value(option)
        if value is None:
            continue
        try:
            changed = rules.with_options({option.name: value})
            books = [changed.rulebook(players) for players in (low, high)]
        except ValueError:
            continue  # these options do not go together
        usual = [rules.rulebook(players) for players in (low, high)]
        assert books != usual, option.name


def test_numbers_in_the_text_are_those_of_the_engine() -> None:
    rules = rulekit.load("hucklebuck")
    assert "A standard pack: 52 cards" in rules.rulebook(3)
    for target in (7, 15):
        book = rules.with_options(target=target).rulebook(4)
        assert re.search(rf"\b{target}\b", book)
    assert "Deal 5 cards to each player" in rulekit.load("schnapsen").rulebook()


def test_what_options_rule_out_is_not_told() -> None:
    rules = rulekit.load("sixty-six")
    assert "### Claim" not in rules.rulebook()
    assert "### Claim" in rules.with_options(claims="required").rulebook()


def test_the_page_is_whole_and_escapes_what_authors_write() -> None:
    text = """rulekit: "1"
name: sly
title: "<b>Sly</b> {0.__class__} & $(x)"
players: 2
deck: standard
zones: {stock: pile seen by nobody, hand: set per player seen by owner}
play: [shuffle deck into stock, deal 1 to hand from stock]
end: {ranking: highest count(hand)}
"""
    page = rulekit.load(text).rulebook(form="html")
    assert page.startswith("<!doctype html>")
    assert page.rstrip().endswith("</html>")
    assert "&lt;b&gt;Sly&lt;/b&gt; {0.__class__} &amp; $(x)" in page
    assert "<b>" not in page


def test_the_command_prints_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["rulebook", "hockey", "--set", "target=3"]) == 2
    assert run(["rulebook", "hockey"]) == 0
    assert "# Hockey" in capsys.readouterr().out
