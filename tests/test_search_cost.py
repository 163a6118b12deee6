"""Bounds of searches: never below what a search finds, and told with their arithmetic."""

from __future__ import annotations

import math
import random
from itertools import combinations

import pytest
from checking import also, program

import rulekit
from rulekit.checks import cost
from rulekit.checks.searches import Searches
from rulekit.checks.study import Study
from rulekit.engine import Machine
from rulekit.engine.patterns import Patterns
from rulekit.game.loading import validate
from rulekit.program import Program, prepare

WITH_PATTERNS = [
    "big-two",
    "canasta",
    "cassino",
    "cribbage",
    "gin-rummy",
    "rummy-500",
    "texas-holdem",
    "tichu",
]


def searches(of: Program) -> dict[str, tuple[int, int]]:
    """By its text: among how many cards, and how many sets at worst."""
    return {one.expr.span.text: (one.cards, one.sets) for one in Searches(Study(of)).found() if one.expr.span}


# ---------------------------------------------------------------- how many cards


def test_a_hand_counts_as_full_as_it_surely_is_after_the_deal() -> None:
    assert searches(rulekit.load("big-two").program)["combination from hand"][0] == 13
    assert searches(rulekit.load("gin-rummy").program)["hand inside meld"][0] == 10
    assert searches(rulekit.load("tichu").program)["combination from hand"][0] == 14


def test_what_is_handed_to_a_define_or_a_phase_is_as_large_as_it_is_there() -> None:
    found = searches(
        program(
            define="\npairs(cards x): count(2 from x) at most 99\n",
            play="""
                - shuffle deck into stock
                - deal 6 to hand from stock starting dealer
                - do look(hand of dealer)""",
            phases=also("phases", "look(cards y): [n = pairs(y)]"),
        )
    )
    assert found["2 from x"] == (6, math.comb(6, 2))


# ---------------------------------------------------------------- how many sets


@pytest.mark.parametrize("name", WITH_PATTERNS)
def test_no_search_finds_more_sets_than_the_bound(name: str) -> None:
    rules = rulekit.load(name)
    machine = Machine(prepare(rules.program, rules.players[0], rules.chosen))
    counts = Searches(Study(rules.program)).counts
    fits = Patterns(machine._scope)
    draw = random.Random(name)
    pack = range(len(machine.setup.pack))
    state = machine.start(1, 0)
    for pattern in rules.program.patterns.values():
        if not fits.pattern(pattern.name).known:  # something else than the cards decides
            continue
        for size in (3, 6, 9):
            bound = counts.inside(pattern.name, size)
            for _ in range(6):
                cards = tuple(sorted(draw.sample(pack, size)))
                assert len(fits.pattern(pattern.name).instances(state, cards)) <= bound


@pytest.mark.parametrize(
    ("pattern", "cards", "sets"),
    [
        ("2 cards", 10, math.comb(10, 2)),
        ("1..3 cards", 10, 10 + 45 + 120),
        ("2 cards same rank", 8, 2 * math.comb(4, 2)),
        ("3 cards same suit", 26, 2 * math.comb(13, 3)),
        ("2 cards each rank == K", 20, math.comb(4, 2)),
        ("2 cards with 2 cards", 6, math.comb(6, 2) * math.comb(4, 2)),
        ("2 cards same rank or 3 cards", 4, math.comb(4, 2) + math.comb(4, 3)),
        ("3 cards same suit consecutive rank", 13, 11),
    ],
)
def test_the_bound_is_exact_for_plain_patterns(pattern: str, cards: int, sets: int) -> None:
    made = program(patterns=f"\nmeld: {pattern}\n")
    assert Searches(Study(made)).counts.inside("meld", cards) == sets


def test_a_sum_bounds_the_sets_however_many_cards_there_are() -> None:
    made = program(
        card=also("card", "worth: {A: 1, K Q J: 10, else: pip}"),
        patterns="\nsix: 1.. cards where sum(worth of it) == 6\n",
    )
    few = [worth for worth in range(1, 7) for _ in range(4)]
    true = sum(sum(chosen) == 6 for size in range(1, 7) for chosen in combinations(few, size))
    bound = Searches(Study(made)).counts.inside("six", 52)
    assert true <= bound <= 6 * true


def test_a_wild_card_counts_for_each_card_it_may_stand_for() -> None:
    plain = program(patterns="\nmeld: 3 cards same rank\n")
    wild = program(patterns="\nmeld: {is: 3 cards same rank, wild: QS}\n")
    counts = [Searches(Study(made)).counts.inside("meld", 9) for made in (plain, wild)]
    assert counts[1] == counts[0] * (1 + 52)


# ---------------------------------------------------------------- what is told

HALVES = """rulekit: "1"
name: halves
title: Halves
players: 2
deck: standard
zones:
  stock: pile seen by nobody
  hand: set per player seen by owner
  laid: pile seen by everyone
define:
  hand_size: SIZE
play:
  - shuffle deck into stock
  - deal hand_size to hand from stock
  - for p in players: [ask p: [lay]]
moves:
  lay: {text: Lay cards., choose: {cards: COUNT from hand}, do: [move cards to laid]}
end: {ranking: lowest count(hand)}
"""


def told(size: int, count: str) -> list[tuple[str, str]]:
    found = validate(HALVES.replace("SIZE", str(size)).replace("COUNT", count))
    return [(one.code, one.message) for one in found if one.code in ("RK691", "RK522")]


def test_the_limit_is_a_million_sets_and_the_message_counts_them() -> None:
    assert told(19, "1..") == []
    assert told(20, "1..") == [
        ("RK691", "`1.. from hand` may look at 1,048,575 sets of cards: all that have 1 to 20 of 20")
    ]
    assert told(26, "1..5") == []
    assert told(26, "13") == [
        ("RK691", "`13 from hand` may look at 10,400,600 sets of cards: all that have 13 of 26")
    ]


def test_nobody_waits_for_a_thousand_million_sets() -> None:
    text = HALVES.replace(
        "deck: standard", "deck: {ranks: A K Q J 10 9 8 7 6 5 4 3 2, suits: clubs hearts, copies: 3}"
    )
    found = validate(text.replace("SIZE", "39").replace("COUNT", "1.."))
    assert [one.code for one in found] == ["RK522"]


def test_show_tells_what_rules_cost(capsys: pytest.CaptureFixture[str]) -> None:
    from rulekit.cli.main import run

    assert run(["show", "cassino"]) == 0
    said = capsys.readouterr().out
    assert "actions: 17,243 numbers for 4 players" in said
    assert "chosen step by step: take loose, build cards, add_to_build cards" in said
    assert "state: " in said
    study = Study(rulekit.load("cassino").program)
    for search, limit in cost.searches(study):
        assert search.expr.span is not None
        assert search.expr.span.text in said
        assert str(limit) in said
