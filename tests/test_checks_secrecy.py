"""Secrecy: a rule about what a player may do reads nothing that this player may not see."""

from __future__ import annotations

from pathlib import Path

import pytest
from tables import whole_games

import rulekit

RULESETS = Path(__file__).parent.parent / "rulesets"

#: ruleset, text, the leak put in its place, the words underlined
LEAKS = [
    (
        "hucklebuck",
        "- any card: hand\n    do",
        "- any card: hand where any(hand of left of me where suit == led) or true\n    do",
        "hand of left of me",
    ),
    ("hucklebuck", "exchange_limit from hand", "exchange_limit from (hand | top of stock)", "top of stock"),
    (
        "sixty-six",
        "open: {is: face of bottom of stock == up",
        "open: {is: rank of top of stock != A",
        "stock",
    ),
    (
        "sixty-six",
        "you have taken a trick: close_early or count(won) > 0",
        "you are far enough: total(me) > total(opponent of me)",
        "won of p",
    ),
    ("hockey", "choose: {card: hand}", "choose: {card: hand where rank != rank of top of stock}", "stock"),
    (
        "hockey",
        "choose: {card: hand}",
        "choose: {card: hand where owner of (QS) == me}",
        "owner of (QS)",
    ),
    *(
        (
            "hucklebuck",
            "    choose: {cards: 0..",
            f"    if: {{it is so: {leak}}}\n    choose: {{cards: 0..",
            underlined,
        )
        for leak, underlined in (
            ("any(deck where owner == left of me and rank == A)", "owner"),
            ("left of me in (owner of (deck where suit == hearts))", "owner of (deck where suit == hearts)"),
            ("any(all_highest(deck by owner == left of me then number) where rank == A)", "owner"),
            ("max(number of (deck where owner == left of me)) == 13", "owner"),
            ("count(stacked of QS) > 2", "stacked of QS"),
        )
    ),
]


def planted(name: str, old: str, new: str) -> str:
    text = (RULESETS / f"{name}.yaml").read_text(encoding="utf-8")
    assert old in text
    return text[: text.index("\nexamples:")].replace(old, new, 1) + "\n"


@pytest.mark.parametrize(("name", "old", "new", "underlined"), LEAKS)
def test_a_leak_is_found_where_it_is_written(name: str, old: str, new: str, underlined: str) -> None:
    found = [d for d in rulekit.validate(planted(name, old, new)) if d.code == "RK687"]
    assert found
    assert found[0].span is not None
    assert found[0].span.text == underlined


@pytest.mark.parametrize("name", whole_games())
def test_no_shipped_ruleset_is_blamed(name: str) -> None:
    assert [d for d in rulekit.validate(name) if d.code == "RK687"] == []
