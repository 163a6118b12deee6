"""Cases EXP-06, EXP-08, AUT-02, AUT-03, YML-04, VAL-02 of authoring, that other files leave out."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import rulekit
from rulekit.diagnostics import Diagnostic
from rulekit.language import grammar

GAME = """\
rulekit: "1"
name: four-hands
title: Four Hands
text: Tricks are kept by teams.
sources: [A game made up for tests]
players: 4
teams: across
deck: standard
zones:
  stock: pile seen by nobody
  hand: set per player seen by owner
  captured: set per team seen by team
  away: set per team seen by nobody
state:
  score: {is: 0..99 per team, text: Points.}
  alone: {is: bool, text: Does one play alone?}
define:
  odd: ODD
play:
  - shuffle deck into stock
  - deal 5 to hand from stock
  - for p in players: [ask p: [take, leave, go_alone]]
moves:
  take:
    text: Keep a card for your side.
    choose: {card: hand}
    do: [move card to captured, score of team of me += 1 for card, move top of stock to away of team of me]
  leave: {text: Do nothing., do: []}
  go_alone:
    text: Your partner lays his hand down.
    if: {once: not alone}
    do: [alone = true, move hand of partner of me to stock]
end: {ranking: highest score}
"""


def said(expression: str) -> Diagnostic:
    """The one thing that is said of a game with this expression in it."""
    (found,) = rulekit.validate(GAME.replace("ODD", expression))
    return found


# ---------------------------------------------------------------- EXP-06: what cannot be read, in plain words

SLIPS = [
    ("score(", "something is missing after `score(`", None),
    ("count(hand", "this `(` is not closed", None),
    ("if alone = true then 1 else 2", "`=` gives a value; two values are compared with `==`", "=="),
    ("if alone && alone then 1 else 2", "`&&` is not an operator of this language", "and"),
    ("1 if alone else 2", "`if` begins an expression and does not follow a value", None),
    ("count(stock) >", "something is missing after `>`", None),
    ("stock.count > 3", "`.` is not the way to look something up", "count(stock)"),
]


@pytest.mark.parametrize(("expression", "message", "suggestion"), SLIPS, ids=lambda x: str(x)[:20])
def test_exp_06_a_text_that_cannot_be_read_is_answered_in_plain_words(
    expression: str, message: str, suggestion: str | None
) -> None:
    found = said(expression)
    assert found.message == message
    assert found.suggestion == suggestion
    assert found.span is not None
    start = GAME.replace("ODD", expression).index("odd: ") + len("odd: ")
    assert start <= found.span.start <= start + len(expression)
    told = " ".join((found.message, found.expected or "", found.help or ""))
    terminals = set(re.findall(r"^([A-Z_]{2,})(?:\.\d+)?:", GRAMMAR, re.MULTILINE))
    assert not terminals & set(re.findall(r"[A-Z_]{2,}", told))
    assert "ANON" not in told


GRAMMAR = (Path(grammar.__file__).parent / "grammar.lark").read_text(encoding="utf-8")


def test_exp_06_an_empty_text_is_told_too() -> None:
    found = said('""')
    assert (found.code, found.message) == ("RK207", "`odd` is empty")


# ---------------------------------------------------------------- EXP-08: kinds that do not go together


@pytest.mark.parametrize(
    ("expression", "code", "words"),
    [
        ("count(deck where rank > hearts)", "RK502", ("a rank", "a suit")),
        ("count(deck where suit == rank)", "RK502", ("a suit", "a rank")),
        ("if count(stock) then 1 else 2", "RK503", ("a number",)),
        ('count(deck where rank > "9")', "RK304", ("9",)),
        ("alone == 1", "RK502", ("a condition", "a number")),
    ],
)
def test_exp_08_both_kinds_are_named(expression: str, code: str, words: tuple[str, ...]) -> None:
    found = said(f"'{expression}'" if '"' in expression else expression)
    assert found.code == code
    assert all(word in found.message for word in words), found.message


def test_exp_08_ranks_are_compared_by_the_order_of_the_pack() -> None:
    rules = rulekit.load(
        GAME.replace("ODD", "count(deck where rank > 9)").replace("highest score", "highest score then odd")
        + "examples:\n  - {title: Ten and more, then: [odd == 20]}\n"
    )
    assert [result.passed for result in rules.play_examples()] == [True]


# ---------------------------------------------------------------- AUT-02: teams own cards and points


@pytest.fixture
def game() -> rulekit.Game:
    text = GAME.replace("define:\n  odd: ODD\n", "")
    assert {found.code for found in rulekit.validate(text)} <= {"RK690"}
    return rulekit.load(text).new_game(seed=4)


def test_aut_02_partners_sit_opposite_and_their_side_owns_cards_and_points(game: rulekit.Game) -> None:
    first = str(game.legal_moves()[0])
    card = first.split()[1]
    game.play(first)
    assert game.view(0).zones["captured-T1"] == (card,)
    assert game.view(0).state["score"] == {"T1": 1, "T2": 0}
    game.play("leave")
    second = str(game.legal_moves()[0])
    game.play(second)
    assert set(game.view(0).zones["captured-T1"]) == {card, second.split()[1]}
    assert game.view(1).state["score"] == {"T1": 2, "T2": 0}


def test_aut_02_who_sees_the_cards_of_a_team_is_said_outright(game: rulekit.Game) -> None:
    game.play(game.legal_moves()[0])
    for seat in range(4):
        seen = game.view(seat).zones["captured-T1"]
        assert ("??" in seen) == (seat % 2 == 1)
        assert game.view(seat).zones["away-T1"] == ("??",)


def test_aut_02_one_player_may_go_alone(game: rulekit.Game) -> None:
    game.play("go_alone")
    assert game.view(2).zones["hand-P3"] == ()
    assert len(game.view(0).zones["hand-P1"]) == 5
    assert game.why("go_alone").rule == "once"


# ---------------------------------------------------------------- AUT-03: every family, in a public table

FAMILIES = {
    *("trick-taking", "trick-avoidance", "rummy", "fishing", "climbing", "shedding", "beating", "adding"),
    *("vying", "patience", "banking", "pure chance"),
}


def test_aut_03_there_is_a_game_of_every_family_and_a_table_that_names_them_all() -> None:
    names = rulekit.shipped_rulesets()
    assert {rulekit.load(name).family for name in names} >= FAMILIES
    page = (Path(__file__).parent.parent / "docs" / "games.md").read_text(encoding="utf-8")
    assert [name for name in names if f"| `{name}` |" not in page] == []


# ---------------------------------------------------------------- VAL-02, YML-04: places


def test_val_02_a_mistake_behind_an_alias_is_told_where_it_is_written_once() -> None:
    text = GAME.replace("  odd: ODD\n", "  odd: &same cuont(stock)\n  even: *same\n")
    found = rulekit.validate(text)
    assert {one.code for one in found} == {"RK401"}
    assert {one.span.text for one in found if one.span} == {"cuont"}
    assert {one.suggestion for one in found} == {"count"}


def test_val_02_a_mistake_in_the_second_line_of_an_expression_has_its_own_line() -> None:
    found = said(">-\n    count(stock)\n    + cuont(stock)")
    assert found.span is not None
    line = GAME.replace("ODD", ">-\n    count(stock)\n    + cuont(stock)").splitlines()[found.span.line - 1]
    assert line.strip() == "+ cuont(stock)"
    assert found.span.text == "cuont"


def test_yml_04_two_sections_sixty_lines_apart_are_both_named() -> None:
    notes = "".join(f"# line {number}\n" for number in range(60))
    text = GAME.replace("define:\n  odd: ODD\n", "").replace("end:", f"{notes}state: {{more: 0..3}}\nend:")
    (found,) = (one for one in rulekit.validate(text) if one.code == "RK116")
    assert re.fullmatch(r"`state` is given twice, in lines \d+ and \d+", found.message)
