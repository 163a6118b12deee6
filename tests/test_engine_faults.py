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
