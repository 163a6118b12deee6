"""The plugin of pytest: whose YAML it collects, and how an example that fails is shown."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

import rulekit

# Pytester forgets modules that a run was the first to import, and yaml's parser cannot be loaded twice.
rulekit.validate("hockey")

pytest_plugins = ["pytester"]

GAME = """\
rulekit: "1"
name: game
title: Game
players: 2
deck: standard
zones: {hand: set per player seen by owner, table: pile seen by everyone}
play: [shuffle deck into table, deal 2 to hand from table, ask lowest(players by 0): [play]]
moves:
  play: {text: Play a card., choose: {card: hand}, do: [move card to table]}
end: {ranking: highest count(hand)}
examples:
  - title: Any card may be played
    given: {hand of P1: KS 2C}
    allowed: {P1 play: KS 2C}
  - title: It goes to the table
    given: {hand of P1: KS 2C}
    when: [P1 play KS]
    then: [top of table == KS]
"""
BLOCK = 'rulekit: "1"\nblock: nothing\ntext: It does nothing.\ndo: []\n'


@pytest.fixture
def project(
    pytester: pytest.Pytester, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> pytest.Pytester:
    """An empty project in which the plugin is there, installed or not."""
    if not request.config.pluginmanager.has_plugin("rulekit"):
        monkeypatch.setenv("PYTEST_ADDOPTS", "-p rulekit.testing.pytest_plugin")
    return pytester


def write(project: pytest.Pytester, **files: str) -> None:
    for name, text in files.items():
        path = project.path / f"{name.replace('__', '/')}.yaml"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")


def test_it_is_an_entry_point_of_pytest() -> None:
    path = Path(rulekit.__file__).parent.parent / "pyproject.toml"
    found = tomllib.loads(path.read_text(encoding="utf-8"))["project"]["entry-points"]["pytest11"]
    assert found == {"rulekit": "rulekit.testing.pytest_plugin"}


def test_nothing_is_collected_unless_asked_for(project: pytest.Pytester) -> None:
    write(project, game=GAME)
    assert project.runpytest().ret == pytest.ExitCode.NO_TESTS_COLLECTED


def test_with_the_flag_all_rule_files_are_collected_and_no_other_yaml(project: pytest.Pytester) -> None:
    write(project, game=GAME, games__other=GAME, blocks__nothing=BLOCK, compose="services: {web: {}}\n")
    (project.path / "broken.yaml").write_text("a: [1", encoding="utf-8")
    result = project.runpytest("--rulekit", "-v")
    result.assert_outcomes(passed=4)
    result.stdout.fnmatch_lines(["*game.yaml::Any card may be played*PASSED*"])


def test_the_setting_names_files_by_pattern(project: pytest.Pytester) -> None:
    write(project, game=GAME, games__one=GAME, games__two=GAME)
    project.makeini("[pytest]\nrulekit_rulesets = games/*.yaml\n")
    project.runpytest().assert_outcomes(passed=4)


def test_a_file_that_is_named_is_collected(project: pytest.Pytester) -> None:
    write(project, game=GAME, other="a: 1\n")
    project.runpytest("game.yaml", "-k", "table").assert_outcomes(passed=1, deselected=1)
    assert project.runpytest("other.yaml").ret != 0


def test_a_failure_is_a_finding_and_no_traceback(project: pytest.Pytester) -> None:
    write(project, game=GAME.replace("top of table == KS", "top of table == 2C"))
    result = project.runpytest("--rulekit", "--rulekit-deals", "3")
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(
        [
            "error?RK806?: example `It goes to the table`: `top of table == 2C` does not hold: *",
            "*--> *game.yaml:18:12",
            "*then: ?top of table == 2C?",
            "*^^^^^^^^^^^^^^^^^^",
        ]
    )
    result.stdout.no_fnmatch_line("*Traceback*")
    result.stdout.no_fnmatch_line("*runtest*")


def test_a_file_with_errors_is_an_error_of_collection(project: pytest.Pytester) -> None:
    write(project, game=GAME.replace("moves:", "mvoes:"))
    result = project.runpytest("--rulekit")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["error?RK201?: unknown key `mvoes` in a ruleset", "*did you mean `moves`?"])
    result.stdout.no_fnmatch_line("*Traceback*")


def test_tests_are_named_by_their_titles(project: pytest.Pytester) -> None:
    write(project, game=GAME)
    result = project.runpytest("--rulekit", "--collect-only", "-q")
    result.stdout.fnmatch_lines(["game.yaml::Any card may be played", "game.yaml::It goes to the table"])
