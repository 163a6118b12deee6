"""Expressions: what they are worth, corner cases first."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from programs import cards, machine, state

from rulekit.engine import FaultError, Machine, State
from rulekit.engine.gather import subsets
from rulekit.program import expressions as e
from rulekit.program import types as t

RULES = """
players: 4
teams: across
deck: {ranks: 2 3 4 5 6 7 8 9 10 J Q K A, suits: clubs diamonds hearts spades, extra: JOKER}
words: {strain: low middle high}
card:
  points: {QS: 13, hearts: 1, else: 0}
zones:
  stock: pile seen by nobody
  row:   pile seen by everyone
  table: set seen by everyone
  hand:  set per player seen by owner
state:
  RESULT
  nobody_yet: player?
  seen: set of suit
define:
  twice(int n): n * 2
play:
  - shuffle deck into stock
  - deal 4 to row
  - move top of stock to hand of (lowest(players by 0))
  - seen = hearts
  - seen += clubs
  - result = VALUE
"""


def value(of: str, text: str) -> Any:
    """The value of an expression of a type, after a certain deal."""
    m = machine(RULES.replace("RESULT", f"result: {of}").replace("VALUE", text))
    s = m.start(deal=[cards(m, "QS 2H JOKER 7C KD")])
    assert s.ending is not None
    assert s.ending.fault is None, s.ending.fault
    return state(m, s, "result")


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("-7 // 2", -4),
        ("-7 % 2", 1),
        ("7 % 2", 1),
        ("sum(points of row)", 14),
        ("sum(points of table)", 0),
        ("count(row where suit == hearts or suit == none)", 2),
        ("max(points of row)", 13),
        ("5 at most 3", 3),
        ("5 at least 7", 7),
        ("number of 2H", 1),
        ("count(seen)", 2),
        ("count(2 from row)", 6),
        ("count(0..2 from row)", 11),
        ("count(3.. from row)", 5),
        ("count(5 from row)", 0),
        ("count(players starting left of (lowest(players by 0)))", 4),
        ("twice(twice(count(row)) - count(row))", 8),
    ],
)
def test_numbers(text: str, result: int) -> None:
    assert value("-99..99", text) == result


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("nobody_yet == none", True),
        ("nobody_yet in players", False),
        ("number of (only(table)) < 5", False),
        ("suit of top of row == clubs", True),
        ("every(row where points > 0)", False),
        ("any(row where points > 12)", True),
        ("row == (7C 2H QS | top of row | (row where suit == none))", True),
        ("QS 2H in row", True),
        ("QS 3H in row", False),
        ("hearts not in seen", False),
    ],
)
def test_conditions(text: str, result: bool) -> None:
    assert value("bool", text) is result


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("highest(row by points)", "QS"),
        ("lowest(row by points)", "JOKER"),  # of equal ones the first in the pile
        ("top of row", "7C"),
        ("bottom of row", "QS"),
        ("first of (row where points == 0)", "JOKER"),
        ("highest(row by suit then rank)", "QS"),
        ("lowest(row by suit then rank)", "JOKER"),  # none is lowest in a key
        ("only(row where suit == hearts)", "2H"),
        ("only(row)", None),
        ("first of (row - QS)", "2H"),
        ("highest(table by rank)", None),
    ],
)
def test_cards(text: str, result: str | None) -> None:
    found = value("card?", text)
    assert (None if found is None else position()[0].setup.pack.format_card(found)) == result


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("all_highest(row by color of suit of it == red)", "2H"),
        ("row where suit == none or points > 0", "2H QS JOKER"),  # kept as a set: in deck order
        ("row & QS 7C", "7C QS"),
        ("row | hand of (lowest(players by 0))", "7C KD 2H QS JOKER"),
        ("row - QS 9S", "7C 2H JOKER"),
    ],
)
def test_sets_of_cards(text: str, result: str) -> None:
    assert position()[0].setup.pack.format_cards(value("cards", text)) == result


def position() -> tuple[Machine, State]:
    m = machine(RULES.replace("RESULT", "result: bool").replace("VALUE", "true"))
    return m, m.start()


NUMBER = t.Int(-100, 100)


def constant(number: int | None) -> e.Expr:
    return e.Constant(number, type=NUMBER)


def test_a_divisor_of_zero_is_a_fault_only_when_it_is_reached() -> None:
    m, s = position()
    for op in ("//", "%"):
        with pytest.raises(FaultError) as caught:
            m.evaluate(s, e.Arithmetic(op, constant(1), constant(0), type=NUMBER))
        assert caught.value.fault.code == "RK909"
    guarded = e.If(
        e.Constant(False, type=t.BOOL),
        e.Arithmetic("//", constant(1), constant(0), type=NUMBER),
        constant(4),
        type=NUMBER,
    )
    assert m.evaluate(s, guarded) == 4


@pytest.mark.parametrize("op", ["+", "-", "*", "//", "%"])
def test_arithmetic_with_none_is_none(op: str) -> None:
    m, s = position()
    assert m.evaluate(s, e.Arithmetic(op, constant(None), constant(2), type=NUMBER)) is None
    assert m.evaluate(s, e.Arithmetic(op, constant(2), constant(None), type=NUMBER)) is None


def test_a_number_beyond_32_bits_is_a_fault() -> None:
    m, s = position()
    big = e.Constant(2**31 - 1, type=t.Int())
    with pytest.raises(FaultError) as caught:
        m.evaluate(s, e.Arithmetic("+", big, constant(1), type=t.Int()))
    assert caught.value.fault.code == "RK910"


def test_orderings_with_none_are_false_both_ways() -> None:
    m, s = position()
    for left, right in ((None, 1), (1, None), (None, None)):
        for or_equal in (False, True):
            assert m.evaluate(s, e.Less(constant(left), constant(right), or_equal, type=t.BOOL)) is False


def test_a_bag_with_a_none_sums_to_none() -> None:
    m, s = position()
    local = next(n for n, declared in enumerate(m.setup.program.locals) if not declared.lasting)
    element = e.Local(local, type=t.CARD)
    bag = e.Collect(
        e.Deck(type=t.CARDS), local, e.CardFact("pip", element, type=t.Optional(NUMBER)), type=t.BagOf(NUMBER)
    )
    assert m.evaluate(s, e.Sum(bag, type=NUMBER)) is None
    assert m.evaluate(s, e.Best(True, bag, type=NUMBER)) == 10
    assert m.evaluate(s, e.Best(False, bag, type=NUMBER)) is None


@given(st.lists(st.integers(0, 60), max_size=7, unique=True), st.integers(0, 8), st.integers(0, 8))
def test_selections_come_in_order_and_none_is_left_out(items: list[int], low: int, high: int) -> None:
    ordered = tuple(sorted(items))
    found = subsets(ordered, low, high)
    assert list(found) == sorted(set(found))
    every: set[tuple[int, ...]] = {()}
    for item in ordered:
        every |= {(*part, item) for part in every}
    assert set(found) == {part for part in every if low <= len(part) <= high}
