"""Mutation: mistakes put into a ruleset, which of them its examples notice, and what is no mistake."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

import rulekit
from rulekit.cli.main import cli
from rulekit.playtest.footprint import Footprint
from rulekit.playtest.mutants import Mutant, mutants, sample
from rulekit.playtest.mutation import ExamplesFail, MutationReport, mutate
from rulekit.program import rebuild as rebuilding
from rulekit.program import statements as st
from rulekit.program.walk import walk_statements

GAME = """\
rulekit: "1"
name: game
title: Game
text: Seven points win.
sources: [A test]
players: 2
deck: standard
zones: {stock: pile seen by nobody, hand: set per player seen by owner, table: pile seen by everyone}
state: {score: {is: 0..99 per player, text: Points.}, idle: {is: 0..9, text: Counts nothing.}}
define:
  red_card(card c): color of suit of c == red
play:
  - shuffle deck into stock
  - until any(players where score >= 7) or count(stock) < 10 and count(hand) == 0:
      - if count(hand) == 0: [deal 5 to hand]
      - for p in players: [ask p: [play, pass]]
      - idle = 3
moves:
  play:
    text: Play a card.
    choose:
      card:
        - a red card: hand where red_card(it)
        - any card: hand
    if: {the table is not full: count(table) < 50}
    do:
      - move card to table
      - if rank of card == K: [score of me += 2 for king]
        else: [score of me += 1 for card]
  pass: {text: Do nothing., do: []}
end: {ranking: highest score}
EXAMPLES
"""
NONE = ""
EXAMPLES = """\
examples:
  - title: Red cards first
    given: {hand of P1: KH 2C}
    allowed: {P1 play: KH}
  - title: A king is two points
    given: {hand of P1: KH 2C, score of P1: 3}
    when: [P1 play KH]
    then: [score of P1 == 5, top of table == KH]
  - title: any other card one
    given: {hand of P1: 2C, score of P1: 3}
    when: [P1 play 2C]
    then: [score of P1 == 4]
"""


def game(examples: str = EXAMPLES) -> rulekit.Ruleset:
    return rulekit.load(GAME.replace("EXAMPLES\n", examples))


@pytest.fixture(scope="module")
def report() -> MutationReport:
    return mutate(game(), 1000)


def texts(found: list[Mutant]) -> list[str]:
    return [str(one).partition(":")[2] for one in found]


def told(report: MutationReport) -> list[str]:
    return [str(one).split(": ", 1)[1] for one in report.survivors]


def test_there_are_mistakes_of_every_kind() -> None:
    found = mutants(game().program)
    assert {one.kind for one in found} == {"operator", "number", "branch", "dropped"}
    shown = "\n".join(map(str, found))
    for text in (
        "the bound itself left out: `score >= 7`",
        "8 instead of 7: `7`",
        "`or` instead of `and`: `count(stock) < 10 and count(hand) == 0`",
        "left out: `move card to table`",
        "left out: `hand where red_card(it)`",
        "`pass` is not offered: `ask p`",
        "`-=` instead of `+=`: `score of me += 2 for king`",
        "the condition after `where` left out: `hand where red_card(it)`",
        "the two branches exchanged: `if rank of card == K`",
    ):
        assert text in shown


def test_a_mutant_differs_in_one_place_and_the_rules_stay_as_they_are() -> None:
    program = game().program
    before = program.fingerprint()
    for mutant in mutants(program):
        assert mutant.program().fingerprint() != before, mutant
    assert program.fingerprint() == before


def test_loops_of_a_mutant_are_counted() -> None:
    program = rulekit.load("hearts").program
    assert any(isinstance(stmt, st.Until) and stmt.proven for stmt in walk_statements(tuple(_all(program))))
    mutated = mutants(program)[0].program()
    loops = [stmt for stmt in walk_statements(tuple(_all(mutated))) if isinstance(stmt, st.Until)]
    assert loops
    assert not any(loop.proven for loop in loops)
    assert mutated.end.limit <= 5_000


def _all(program: object) -> list[object]:
    from rulekit.program.walk import bodies

    return [stmt for _, _, body in bodies(program) for stmt in body]  # type: ignore[arg-type]


def test_nothing_is_rebuilt_where_nothing_changes() -> None:
    program = rulekit.load("euchre").program
    assert rebuilding.rebuild(program.play, lambda node: node) is program.play
    assert all(rebuilding.rebuild(move, lambda node: node) is move for move in program.moves.values())


def test_examples_notice_what_they_speak_of(report: MutationReport) -> None:
    survived = told(report)
    for text in (
        "left out: `move card to table`",
        "`!=` and `==` exchanged: `rank of card == K`",
        "3 instead of 2: `2`",
    ):
        assert text not in survived
    assert report.tried == report.possible == report.noticed + len(report.equal) + len(report.survivors)
    assert 0.3 < report.score < 0.95


def test_what_they_do_not_speak_of_survives_with_its_place(report: MutationReport) -> None:
    assert "8 instead of 7: `7`" in told(report)
    place = next(one.mutant.place for one in report.survivors if "8 instead of 7" in one.mutant.text)
    line = next(i for i, text in enumerate(GAME.splitlines(), 1) if "score >= 7" in text)
    assert place.startswith(f"<text>:{line}:")


def test_what_makes_no_difference_is_no_mistake(report: MutationReport) -> None:
    assert "left out: `idle = 3`" not in told(report)
    assert any(one.span.text == "idle = 3" for one in report.equal)


def test_without_examples_nothing_is_noticed() -> None:
    bare = mutate(game(NONE), 20)
    assert bare.noticed == 0
    assert bare.score == 0


def test_a_better_example_raises_the_score(report: MutationReport) -> None:
    better = EXAMPLES + (
        "  - title: Seven points end it\n"
        "    given: {score of P1: 6, score of P2: 3, hand of P1: 2C, hand of P2: 3C}\n"
        "    when: [P1 play 2C, P2 pass]\n"
        "    then: [score of P1 == 7, count(hand of P1) == 0]\n"
    )
    assert mutate(game(better), 1000).score >= report.score


def test_who_wins_in_the_end_is_told_by_a_result() -> None:
    result = (
        "  - title: The one with more points has won\n"
        "    given: {score of P1: 6, score of P2: 3, hand of P1: 2C, hand of P2: 3C}\n"
        "    when: [P1 play 2C, P2 pass]\n"
        "    result: [P1 7, P2 3]\n"
    )
    mistake = "`lowest` instead of `highest` in the end: `score`"
    assert mistake in told(mutate(game(), 1000))
    assert mistake not in told(mutate(game(EXAMPLES + result), 1000))


@pytest.mark.parametrize("name", ["klondike", "kuhn-poker"])
def test_only_what_comes_to_a_mistake_is_run_and_nothing_is_lost_by_it(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = rulekit.load(name)
    quick = mutate(rules, 25).to_json()
    monkeypatch.setattr(Footprint, "holds", lambda self, keys: True)
    whole = mutate(rules, 25).to_json()
    assert quick["noticed"] == whole["noticed"]
    assert [one["place"] for one in quick["survivors"] if one["why"] != "unplayed"] == [
        one["place"] for one in whole["survivors"]
    ]


def test_mutants_are_drawn_by_the_seed_and_the_report_is_the_same_every_time() -> None:
    every = mutants(game().program)
    assert sample(every, 10, 1) == sample(every, 10, 1) != sample(every, 10, 2)
    assert sample(every, 10_000) == every
    assert mutate(game(), 15, seed=3).to_json() == mutate(game(), 15, seed=3).to_json()


def test_examples_that_fail_anyway_tell_nothing() -> None:
    with pytest.raises(ExamplesFail, match="examples of `game` fail"):
        mutate(game(EXAMPLES.replace("== 5", "== 6")), 5)


def test_a_block_is_not_the_files_own() -> None:
    program = rulekit.load("whist").program
    assert {one.span.file for one in mutants(program)} == {program.span.file if program.span else ""}


def test_the_command_tells_score_and_survivors(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("game.yaml").write_text(GAME.replace("EXAMPLES\n", EXAMPLES))
    run = CliRunner().invoke(
        cli, ["check", "--mutate", "--mutants", "500", "game.yaml"], standalone_mode=False
    )
    assert run.return_value == 0
    first, *rest = run.output.splitlines()
    assert "game: examples notice" in first
    assert any("8 instead of 7: `7`" in line and "game.yaml:" in line for line in rest)
    run = CliRunner().invoke(
        cli, ["check", "--mutate", "--mutants", "5", "game.yaml", "--format", "json"], standalone_mode=False
    )
    (one,) = json.loads(run.output)["checks"]
    assert (one["kind"], one["tried"], one["ok"]) == ("mutation", 5, True)
    Path("game.yaml").write_text(GAME.replace("EXAMPLES\n", EXAMPLES.replace("== 5", "== 6")))
    run = CliRunner().invoke(cli, ["check", "--mutate", "game.yaml"], standalone_mode=False)
    assert run.return_value == 1
    assert "`rulekit test game.yaml` shows which" in run.output


VARIANT = """\
rulekit: "1"
name: whist-to-nine
title: Whist to nine
text: Nine points win.
extends: whist
options: {target: 9}
"""


def test_a_variant_is_asked_about_the_options_it_sets() -> None:
    bare = mutate(rulekit.load(VARIANT), 100)
    assert {one.mutant.kind for one in bare.survivors} == {"option"}
    assert {one.mutant.span.text for one in bare.survivors} == {"9"}
    told = VARIANT + (
        "examples:\n"
        "  - {title: Eight points are not enough, given: {score of P1: 8}, then: [not over]}\n"
        "  - {title: nine are, given: {score of P1: 9}, then: [over]}\n"
    )
    assert mutate(rulekit.load(told), 100).survivors == ()
