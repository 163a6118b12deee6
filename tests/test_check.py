"""`check`: trouble is found, unreached rules and idle options are named, option values meet in pairs."""

from __future__ import annotations

import sys
from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rulekit
from rulekit.engine import Machine
from rulekit.playtest.check import CheckReport, check
from rulekit.playtest.idle import IdleOption, grouped, idle_options
from rulekit.playtest.options import Combination, _pairs, allowed, covering, values_to_try
from rulekit.playtest.trial import CardsAstray, _conserved, _noted
from rulekit.program import prepare

RULES = """rulekit: "1"
name: small
title: Small
text: Each plays a card, twice.
sources: [A test]
players: 2..3
options:
  colour: {is: bool = false, text: Changes nothing at all.}
  rounds: {is: 1..2 = 1, text: How often.}
  REQUIRES
deck: {ranks: 2 3 4, suits: hearts spades}
zones:
  stock: pile seen by nobody
  hand: set per player seen by owner
  table: set seen by everyone
state:
  score: {is: 0..99 per player, text: Points.}
define:
  plain: not colour
play:
  - shuffle deck into stock
  - deal 2 to hand
  - repeat rounds times:
      - for p in players: [ask p: [play, never]]
  - if count(table) > 100: [score of lowest(players by 0) += 1 for wonder]
moves:
  play:
    text: Play a card.
    choose:
      card:
        - any card: hand
        - a card from the table: table
    if: {the sun shines: plain or not plain}
    do: [move card to table]
  never:
    text: Cannot be.
    if: {pigs fly: count(table) > 100}
    do: [score of me += 1 for pigs]
EXTRA
end: {ranking: highest score, limit: LIMIT}
EXAMPLES
"""


def rules(*, requires: str = "", extra: str = "", examples: str = "", limit: int = 1000) -> rulekit.Ruleset:
    text = RULES.replace("  REQUIRES\n", requires).replace("EXTRA\n", extra).replace("EXAMPLES\n", examples)
    return rulekit.load(text.replace("LIMIT", str(limit)))


@pytest.fixture(scope="module")
def report() -> CheckReport:
    return check(rules(), games=30)


# ---------------------------------------------------------------- what is found


def test_every_part_that_no_game_came_to_is_named_with_its_place(report: CheckReport) -> None:
    assert report.ok
    told = {(part.kind, part.text.split("`")[1] if "`" in part.text else "") for part in report.unreached}
    assert told == {
        ("statement", "score of lowest(players by 0) += 1 for wonder"),
        ("statement", "score of me += 1 for pigs"),
        ("move", "never"),
        ("duty", "a card from the table"),
        ("condition", "the sun shines"),
        ("reason", "wonder"),
        ("reason", "pigs"),
    }
    places = {part.kind: part.place for part in report.unreached}
    lines = RULES.replace("  REQUIRES\n", "").splitlines()
    line = next(number for number, text in enumerate(lines, 1) if "a card from the table" in text)
    assert (places["duty"] or "").startswith(f"<text>:{line}:")


def test_aut_05_an_option_without_effect_is_named(report: CheckReport) -> None:
    assert [(idle.option, idle.value) for idle in report.idle] == [("colour", "true")]


def test_all_tables_are_tried(report: CheckReport) -> None:
    assert {table.players for table in report.tables} == {2, 3}
    assert len(report.tables) == 2 * 2 * 2
    assert report.games == 30
    assert report.decisions > 60


def test_a_check_is_the_same_every_time(report: CheckReport) -> None:
    assert check(rules(), games=30).to_json() == report.to_json()


def test_a_failing_example_is_a_failure() -> None:
    wrong = check(rules(examples="examples:\n  - title: Wrong\n    then: [score of P1 == 7]\n"), games=8)
    assert not wrong.ok
    assert [example.title for example in wrong.failed_examples] == ["Wrong"]


def test_a_position_without_a_legal_move_is_a_failure_with_its_place() -> None:
    text = RULES.replace("  REQUIRES\n", "").replace("EXTRA\n", "").replace("EXAMPLES\n", "")
    stuck = text.replace("rounds: {is: 1..2 = 1", "rounds: {is: 1..3 = 1").replace("LIMIT", "1000")
    stuck = stuck.replace("        - a card from the table: table\n", "")
    found = check(rulekit.load(stuck), games=30)
    assert not found.ok
    problem = found.problems[0]
    assert problem.kind == "fault"
    assert "RK901" in problem.text
    assert problem.span is not None
    assert "rounds=3" in problem.table.describe(found.program)


def test_games_that_do_not_end_are_counted_and_are_no_failure() -> None:
    found = check(rules(limit=3), games=12)
    assert found.ok
    assert found.unended > 0


def test_a_lost_card_and_a_doubled_card_are_noticed() -> None:
    state = Machine(prepare(rulekit.load("hockey").program, 2)).start(1)
    _conserved(state)
    _noted(state)
    full = next(number for number, cards in enumerate(state.zones) if len(cards) > 2)
    lost = state.copy()
    lost.zones[full] = lost.zones[full][1:]
    with pytest.raises(CardsAstray, match=rf"cards \[{state.zones[full][0]}\] lie nowhere"):
        _conserved(lost)
    doubled = state.copy()
    doubled.zones[0] = (state.zones[full][0],)
    with pytest.raises(CardsAstray, match=rf"cards \[{state.zones[full][0]}\] lie twice"):
        _conserved(doubled)
    misplaced = state.copy()
    misplaced.place[state.zones[full][0]] = full + 1
    with pytest.raises(CardsAstray, match="is noted for"):
        _noted(misplaced)


def test_a_check_ends_by_decisions_too_and_comes_to_every_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules["rulekit.playtest.check"], "REST", 50)
    found = check(rulekit.load("hockey"), games=1000, decisions=1500)
    assert found.games == len(found.tables)
    assert found.cut > 0
    assert found.ok
    assert 1500 <= found.decisions < 1500 + 50 * found.games


@pytest.mark.parametrize("name", ["hockey", "hucklebuck"])
def test_shipped_rulesets_survive_a_short_check(name: str) -> None:
    found = check(rulekit.load(name), games=1)
    assert found.problems == ()
    assert len(found.tables) == found.games


# ---------------------------------------------------------------- covering sets


def pairs(rows: list[tuple[object, ...]]) -> set[tuple[int, object, int, object]]:
    return {(a, row[a], b, row[b]) for row in rows for a, b in combinations(range(len(row)), 2)}


@settings(max_examples=60)
@given(st.lists(st.integers(1, 4), min_size=2, max_size=7))
def test_every_pair_of_values_stands_in_a_row(sizes: list[int]) -> None:
    factors = [tuple(range(size)) for size in sizes]
    rows = list(_pairs(factors, [], lambda row: True))
    wanted = {
        (a, x, b, y) for a, b in combinations(range(len(factors)), 2) for x in factors[a] for y in factors[b]
    }
    assert pairs(list(rows)) == wanted
    largest = sorted(sizes)[-2:]
    assert len(rows) <= 3 * largest[0] * largest[1] + 3, "far fewer than the full product"


def test_rows_that_may_not_be_are_left_out_and_the_rest_is_still_covered() -> None:
    factors = [(0, 1, 2)] * 5
    rows = list(_pairs(factors, [], lambda row: not (row[0] == 1 and row[1] == 1)))
    assert all(not (row[0] == 1 and row[1] == 1) for row in rows)
    everything = pairs(
        [
            (a, b, c, d, e)
            for a in range(3)
            for b in range(3)
            for c in range(3)
            for d in range(3)
            for e in range(3)
            if not (a == 1 and b == 1)
        ]
    )
    assert pairs(list(rows)) == everything


@pytest.mark.parametrize("name", rulekit.shipped_rulesets())
def test_aut_05_all_pairs_of_option_values_that_may_stand_together_do(name: str) -> None:
    program = rulekit.load(name).program
    tables = covering(program)
    assert tables[0].players == program.players[0]
    assert tables[0].changed(program) == {}
    assert all(allowed(program, table) for table in tables)
    options = [option for option in program.options.values() if not option.fixed]
    met = {
        (a, table.options[a], b, table.options[b])
        for table in tables
        for a in program.options
        for b in program.options
    }
    for one, other in combinations(options, 2):
        for x in values_to_try(one):
            for y in values_to_try(other):
                alone = Combination(
                    program.players[0],
                    {**tables[0].options, one.name: x, other.name: y},
                )
                if allowed(program, alone):
                    assert (one.name, x, other.name, y) in met


def test_requires_is_obeyed() -> None:
    made = rules(requires="requires: rounds == 1 or colour\n")
    tables = covering(made.program)
    assert all(table.options["rounds"] == 1 or table.options["colour"] for table in tables)
    assert len(tables) == 2 * 3


def test_values_to_try_are_the_default_and_the_ends() -> None:
    program = rulekit.load("hucklebuck").program
    assert values_to_try(program.options["target"]) == (11, 5, 31)
    assert values_to_try(program.options["must_trump"]) == (False, True)
    assert len(values_to_try(program.options["turnup"])) == 3


# ---------------------------------------------------------------- lines, tables, seats, repetitions


def test_every_line_of_the_rules_is_marked(report: CheckReport) -> None:
    lines = RULES.replace("  REQUIRES\n", "").splitlines()
    marks = {line.number: line.mark for line in report.coverage.lines()}
    by_text = {lines[number - 1].strip(): mark for number, mark in marks.items()}
    assert by_text["- shuffle deck into stock"] == "+"
    assert by_text["- any card: hand"] == "+"
    assert by_text["- a card from the table: table"] == "-"
    assert by_text["- if count(table) > 100: [score of lowest(players by 0) += 1 for wonder]"] == "-"
    assert by_text["never:"] == "-"
    assert by_text["if: {the sun shines: plain or not plain}"] == "-"
    assert report.coverage.reached == len(report.coverage.parts) - len(report.unreached)
    shown = list(report.coverage.listing())
    assert shown[0].endswith("parts reached")
    assert any(line.startswith("- ") and line.endswith("- a card from the table: table") for line in shown)


def test_a_line_of_which_a_part_was_reached_is_marked_so() -> None:
    made = rulekit.load(
        RULES.replace("  REQUIRES\n", "")
        .replace("EXTRA\n", "")
        .replace("EXAMPLES\n", "")
        .replace("LIMIT", "1000")
        .replace(
            "    do: [move card to table]\n",
            "    do: [move card to table, if count(table) > 100: [move card to stock]]\n",
        )
    )
    marks = [line.mark for line in check(made, games=8).coverage.lines()]
    assert "~" in marks


def test_what_was_played_at_each_table_is_told(report: CheckReport) -> None:
    assert len(report.matrix) == len(report.tables)
    assert sum(tally.games for tally in report.matrix) == report.games
    assert sum(tally.decisions for tally in report.matrix) == report.decisions
    assert all(tally.problems == 0 for tally in report.matrix)


def test_a_fault_of_one_pair_of_options_is_told_at_its_tables_and_nowhere_else() -> None:
    text = (
        RULES.replace("  REQUIRES\n", "")
        .replace("EXTRA\n", "")
        .replace("EXAMPLES\n", "")
        .replace("LIMIT", "99")
    )
    planted = text.replace(
        "  - if count(table) > 100:",
        "  - if colour and rounds == 2: [score of player of highest(table by rank) -= count(table) for x]\n"
        "  - if count(table) > 100:",
    )
    assert check(rulekit.load(text), games=30).ok
    found = check(rulekit.load(planted), games=30)
    assert not found.ok
    wrong = [table for table, tally in zip(found.tables, found.matrix, strict=True) if tally.problems]
    assert {table.players for table in wrong} == {2, 3}
    for table, tally in zip(found.tables, found.matrix, strict=True):
        both = bool(table.options["colour"]) and table.options["rounds"] == 2
        assert tally.problems == (tally.games if both else 0)
    assert all(problem.text.startswith("RK903") for problem in found.problems)


ONE_CARD_MORE = """rulekit: "1"
name: uneven
title: Uneven
text: Most hearts win.
players: 2..3
deck: standard
zones: {stock: pile seen by nobody, hand: set per player seen by owner}
play:
  - shuffle deck into stock
  - deal 9 to hand
  MORE
end: {ranking: highest count(hand where suit == hearts)}
"""


def uneven(more: str) -> CheckReport:
    return check(rulekit.load(ONE_CARD_MORE.replace("  MORE\n", more)), games=400)


def test_sim_05_a_seat_that_gets_more_cards_is_named() -> None:
    found = uneven("  - for p in players: [if p == lowest(players by 0): [deal 7 to hand of p]]\n")
    assert [(one.players, one.seat) for one in found.bias] == [(2, 0), (3, 0), (3, 1), (3, 2)]
    for one in found.bias:
        assert (one.share > one.fair) == (one.seat == 0)
        assert one.interval[0] <= one.share <= one.interval[1]
        assert one.fair == 1 / one.players
    assert found.to_json()["bias"][0]["seat"] == "P1"
    assert found.ok


def test_sim_05_seats_that_are_alike_are_not() -> None:
    assert uneven("").bias == ()


CIRCLES = """rulekit: "1"
name: circles
title: Circles
text: A card goes to and fro.
players: 2
deck: {ranks: A, suits: hearts}
zones: {here: set seen by everyone, there: set seen by everyone}
state: {turns: {is: 0..30, text: So many turns.}, won: {is: 0..9 per player, text: Nothing.}}
play:
  - move deck to here
  - until turns >= 30: [for p in players: [ask p: [go]], COUNT]
moves:
  go: {text: Carry it over., do: [{if any(here): [move here to there], else: [move there to here]}]}
end: {ranking: highest won, limit: 100}
"""


def test_players_who_go_round_in_circles_are_noticed() -> None:
    round_and_round = check(rulekit.load(CIRCLES.replace("COUNT", "turns = 0")), games=8)
    assert round_and_round.repeating == round_and_round.watched > 0
    assert round_and_round.repetition is not None
    assert round_and_round.unended == 8
    counted = check(rulekit.load(CIRCLES.replace("COUNT", "turns += 1")), games=8)
    assert (counted.repeating, counted.repetition, counted.unended) == (0, None, 0)


def test_values_of_one_option_that_change_nothing_are_told_in_one_line() -> None:
    found = [IdleOption("stake", "2", 100), IdleOption("bold", "true", 40), IdleOption("stake", "3", 60)]
    assert grouped(found) == [
        "`stake=2`, `stake=3` changed nothing in 60 games",
        "`bold=true` changed nothing in 40 games",
    ]


def test_of_few_long_games_nothing_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    program = rules().program
    assert [idle.option for idle in idle_options(program, covering(program))] == ["colour"]
    monkeypatch.setattr(sys.modules["rulekit.playtest.idle"], "DECISIONS", 60)
    assert idle_options(program, covering(program)) == []


def test_what_only_an_example_comes_to_is_reached() -> None:
    rules = rulekit.load("sixty-six")
    found = check(rules, games=1, decisions=1)
    bare = check(rulekit.Ruleset(replace(rules.program, examples=())), games=1, decisions=1)
    assert found.coverage.reached > bare.coverage.reached
