"""Faults end the game, with code and place; each has a page whose examples do what it says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from programs import machine

from rulekit.diagnostics import codes
from rulekit.engine import FaultError, State
from rulekit.program import faults

PAGES = [page for page in codes.all_pages() if page.area == "faults"]


def end(rules: str) -> State:
    """The end of a game whose first legal move is always made."""
    m = machine(rules)
    s = m.start(1)
    while s.ending is None:
        m.apply(s, m.legal(s)[0])
    return s


def test_every_fault_has_a_page() -> None:
    source = Path(faults.__file__).read_text(encoding="utf-8")
    assert set(re.findall(r'"(RK\d{3})"', source)) == {page.code for page in PAGES}


@pytest.mark.parametrize("page", [page for page in PAGES if page.bad], ids=lambda page: page.code)
def test_the_bad_example_faults_and_the_good_one_does_not(page: codes.Page) -> None:
    ending = end(page.bad).ending
    assert ending is not None
    assert ending.fault is not None, ending
    assert ending.fault.code == page.code
    assert ending.fault.span is not None
    assert str(ending.fault).startswith("<text>:")
    assert not ending.fault.message.endswith(".")
    ending = end(page.good).ending
    assert ending is not None
    assert ending.reason == "played out", ending.fault


def test_a_fault_is_saved_with_the_state() -> None:
    m = machine("state: {total: 0..9}\nplay: [for n in 1..4: [total += 4]]\n")
    s = m.start()
    again = m.load(s.dump())
    assert again.ending == s.ending
    assert m.outcome(again).reason == "fault"
    assert m.outcome(again).fault == m.outcome(s).fault


def test_a_start_out_of_range_is_a_fault_of_the_phase() -> None:
    ending = end("""
state: {total: 0..9 = 9}
play: [do part]
phases: {part: {state: {more: 0..9 = total + 1}, do: [total = more]}}
""").ending
    assert ending is not None
    assert ending.fault is not None
    assert ending.fault.code == "RK903"
    assert "`more`" in ending.fault.message


def test_evaluating_in_a_position_raises_instead_of_ending_the_game() -> None:
    m = machine("state: {total: 0..9}\nplay: [total = 1]\n")
    s = m.start()
    from rulekit.program import expressions as e
    from rulekit.program import types as t

    nothing = e.Constant(None, type=t.NOTHING)
    rounds = e.Rounds(e.Players(type=t.PLAYERS), nothing, type=t.SeqOf(t.PLAYER))
    with pytest.raises(FaultError):
        m.evaluate(s, rounds)
    assert s.ending is not None
    assert s.ending.reason == "played out"


HALF_A_PACK = """
deck: standard
zones: {stock: pile seen by nobody, hand: set per player seen by owner}
state: {total: 0..999}
play:
  - shuffle deck into stock
  - deal 26 to hand from stock
"""


@pytest.mark.parametrize(
    "rules",
    [
        "  - ask lowest(players by 0): [put]\nmoves: {put: {choose: {cards: 1.. from hand}, do: []}}\n",
        "  - total = count(1.. from hand) % 1000\n",
        "  - total = count(few from hand of lowest(players by 0)) % 1000\npatterns: {few: 1.. cards}\n",
        "  - ask lowest(players by 0): [put]\nmoves: {put: {choose: {a: 0..9999, b: 0..9999}, if: "
        "{no two are: a + b == 20000}, do: []}}\n",
        "  - ask lowest(players by 0): [put]\nmoves: {put: {choose: {a: 1..3 from hand, b: 1..3 from hand}, "
        "do: []}}\n",
    ],
    ids=["choice", "count", "pattern", "conditions", "two choices"],
)
def test_what_nobody_could_go_through_is_a_fault(rules: str) -> None:
    """A rule file from a stranger must not fill the memory, nor run for ever."""
    ending = end(HALF_A_PACK + rules).ending
    assert ending is not None
    assert ending.fault is not None
    assert ending.fault.code == "RK912"
    assert ending.fault.span is not None


def test_a_million_ways_are_not_too_many() -> None:
    m = machine(HALF_A_PACK + "  - total = count(1..5 from hand of lowest(players by 0)) % 1000\n")
    assert m.start(1).ending.reason == "played out"  # type: ignore[union-attr]
