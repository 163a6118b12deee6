"""Faults that only some tables have: found by `rulekit check`, and told with what they take."""

from __future__ import annotations

from pathlib import Path

import pytest
from tables import whole_games

import rulekit
from rulekit.checks.product import Tables, check_tables
from rulekit.diagnostics import Diagnostic
from rulekit.game.ruleset import Ruleset
from rulekit.playtest.check import LOOKED_AT, check
from rulekit.playtest.options import covering
from rulekit.source.load import data_folder

RULESETS = Path(data_folder("rulesets"))

#: ruleset, what is replaced, by what, code, the end of the message
PLANTED = [
    (
        "hearts",
        "  passed: 3  ",
        "  passed: {by: count(players), 5: 11, else: 3}  ",
        "RK640",
        "always possible with 5 players and `passing: true`",
    ),
    (
        "hucklebuck",
        "    - move top of stock to faceup\n",
        "    - move top of (if floor and target == 11 then discard else stock) to faceup\n",
        "RK633",
        "always empty here with `target: 11` and `floor: true`",
    ),
    (
        "hockey",
        "    stop when: extra_time and overtime == first_goal and not level\n",
        "    stop when: extra_time and overtime == first_goal and not level "
        "or jack_scores and overtime == whole_period\n",
        "RK681",
        "begins with `jack_scores: true` and `overtime: whole_period`",
    ),
]


def planted(name: str, old: str, new: str) -> Ruleset:
    """A shipped ruleset with a change, without its examples."""
    text = (RULESETS / f"{name}.yaml").read_text(encoding="utf-8")
    assert old in text, "the ruleset has changed: plant the fault elsewhere"
    return rulekit.load(text[: text.index("\nexamples:") + 1].replace(old, new, 1))


def found_in(rules: Ruleset) -> list[Diagnostic]:
    tables = [(one.players, one.options) for one in covering(rules.program, None, LOOKED_AT)]
    return check_tables(rules.program, tables, rules.warnings)


@pytest.mark.parametrize(("name", "old", "new", "code", "ending"), PLANTED, ids=[p[3] for p in PLANTED])
def test_a_fault_of_some_tables_is_told_with_what_it_takes(
    name: str, old: str, new: str, code: str, ending: str
) -> None:
    rules = planted(name, old, new)
    assert code not in {one.code for one in rules.warnings}, "validate finds it: plant one it cannot see"
    found = found_in(rules)
    assert [one.code for one in found] == [code]
    assert found[0].message.endswith(ending)


@pytest.mark.parametrize("name", ["hearts", "hucklebuck", "hockey", "bridge"])
def test_without_the_fault_nothing_is_told(name: str) -> None:
    assert [str(one) for one in found_in(rulekit.load(name))] == []


@pytest.mark.long
@pytest.mark.parametrize("name", whole_games())
def test_no_table_of_a_shipped_ruleset_raises_an_alarm(name: str) -> None:
    assert [str(one) for one in found_in(rulekit.load(name))] == []


def test_what_every_table_has_is_told_without_one() -> None:
    rules = planted("hockey", "play:\n", "play:\n  - move top of ice to past\n")
    assert [one.code for one in rules.warnings] == ["RK633"]
    assert found_in(rules) == []
    tables = [(one.players, one.options) for one in covering(rules.program)]
    again = check_tables(rules.program, tables)
    assert [(one.code, one.message) for one in again] == [
        ("RK633", "`move top of ice to past` moves nothing: the pile is always empty here")
    ]


def test_tables_that_the_rules_exclude_are_not_looked_at() -> None:
    rules = planted("durak", "  hand_size: 6\n", "  hand_size: if pack == 24 then 8 else 6\n")
    program = rules.program
    tables = covering(program, None, LOOKED_AT)
    assert all(one.players * 8 <= 24 for one in tables if one.options["pack"] == 24)
    assert found_in(rules) == []


def test_a_table_is_looked_at_once() -> None:
    program = rulekit.load("hockey").program
    tables = Tables(program)
    usual = {name: option.start for name, option in program.options.items()}
    assert tables.found((2, usual)) == {}
    before = tables.statements
    assert tables.found((2, dict(usual))) == {}
    assert tables.statements == before > 0


# ---------------------------------------------------------------- in `rulekit check`


def test_check_tells_it_and_counts_the_tables() -> None:
    name, old, new, code, ending = PLANTED[2]
    report = check(planted(name, old, new), games=1, decisions=50)
    assert [one.code for one in report.found] == [code]
    assert report.ok, "a warning is no failure"
    data = report.to_json()
    assert data["looked_at"] == report.looked_at > 10
    assert [one["code"] for one in data["at_tables"]] == [code]
    assert data["at_tables"][0]["message"].endswith(ending)


def test_the_command_shows_it_and_strict_makes_it_count(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from rulekit.cli.main import run

    name, old, new, code, ending = PLANTED[2]
    text = (RULESETS / f"{name}.yaml").read_text(encoding="utf-8").replace(old, new, 1)
    path = tmp_path / f"{name}.yaml"
    path.write_text(text[: text.index("\nexamples:") + 1], encoding="utf-8")
    assert run(["check", str(path), "-n", "1", "--decisions", "50"]) == 0
    said = capsys.readouterr().out
    assert f"warning[{code}]" in said
    assert ending in said
    assert run(["check", str(path), "-n", "1", "--decisions", "50", "--strict"]) == 1
