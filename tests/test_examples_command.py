"""`rulekit test`: the examples of rule files on the command line, and the hooks of pre-commit."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from xml.etree import ElementTree as Xml

import pytest
import yaml
from click.testing import CliRunner

import rulekit
from rulekit.cli.main import COMMANDS, cli, run

ROOT = Path(rulekit.__file__).parent.parent
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
  - title: It goes to the table & <stays>
    given: {hand of P1: KS 2C}
    when: [P1 play KS]
    then: [top of table == KS]
"""
WRONG = GAME.replace("top of table == KS", "top of table == 2C")
BLOCK = 'rulekit: "1"\nblock: nothing\ntext: It does nothing.\ndo: []\n'


@pytest.fixture(autouse=True)
def in_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NO_COLOR", "1")
    return tmp_path


def said_by_test(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    capsys.readouterr()
    code = run(("test", *arguments))
    captured = capsys.readouterr()
    return code, captured.out, captured.err


Capsys = pytest.CaptureFixture[str]


def test_all_is_well(capsys: Capsys) -> None:
    Path("game.yaml").write_text(GAME)
    assert said_by_test(capsys, "game.yaml") == (
        0,
        "ok  game.yaml: 2 of 2 examples\n1 ruleset: 2 passed\n",
        "",
    )
    assert "    passed  Any card may be played\n" in said_by_test(capsys, "game.yaml", "-v")[1]


def test_a_failure_is_shown_as_a_finding(capsys: Capsys) -> None:
    Path("game.yaml").write_text(WRONG)
    code, out, err = said_by_test(capsys, "game.yaml")
    assert (code, err) == (1, "")
    assert out.startswith(
        "FAILED  game.yaml: 1 of 2 examples\n"
        "error[RK806]: example `It goes to the table & <stays>`: `top of table == 2C` does not hold: "
        "`top of table` is KS\n   --> game.yaml:18:12\n"
    )
    assert out.endswith("1 ruleset: 1 passed, 1 failed\n")


def test_a_filter_is_by_words_of_the_title(capsys: Capsys) -> None:
    Path("game.yaml").write_text(WRONG)
    assert said_by_test(capsys, "game.yaml", "-k", "ANY CARD")[0] == 0
    assert "1 of 1 example, 1 left out" in said_by_test(capsys, "game.yaml", "-k", "any card")[1]
    assert said_by_test(capsys, "game.yaml", "-k", "any", "-k", "table")[0] == 1
    code, out, err = said_by_test(capsys, "game.yaml", "-k", "nothing like it")
    assert (code, out) == (2, "")
    assert "no example has `nothing like it` in its title" in err


def test_a_folder_is_run_without_its_blocks(capsys: Capsys) -> None:
    Path("games").mkdir()
    Path("games/game.yaml").write_text(GAME)
    Path("games/nothing.yaml").write_text(BLOCK)
    assert said_by_test(capsys, "games")[1].endswith("1 ruleset: 2 passed\n")


def test_a_file_with_errors_or_none_at_all(capsys: Capsys) -> None:
    Path("game.yaml").write_text(GAME.replace("moves:", "mvoes:"))
    code, out, _ = said_by_test(capsys, "game.yaml")
    assert code == 1
    assert "unknown key `mvoes`" in out
    assert out.endswith("1 ruleset: 0 passed, 1 file with errors\n")
    assert said_by_test(capsys, "no-such.yaml")[0] == 2


def test_json_has_every_example(capsys: Capsys) -> None:
    Path("game.yaml").write_text(WRONG)
    code, out, _ = said_by_test(capsys, "game.yaml", "--format", "json", "--deals", "7")
    report = json.loads(out)
    assert (code, report["kind"], report["version"], report["ok"]) == (1, "examples", 1, False)
    (one,) = report["files"]
    assert (one["ruleset"], one["ok"], one["left_out"], one["findings"]) == ("game.yaml", False, 0, [])
    passed, failed = one["examples"]
    assert passed == {
        "title": "Any card may be played",
        "place": "game.yaml:12:12",
        "passed": True,
        "deals": 7,
        "findings": [],
    }
    assert [found["code"] for found in failed["findings"]] == ["RK806"]


def test_junit_can_be_read_by_build_servers(capsys: Capsys) -> None:
    Path("game.yaml").write_text(WRONG)
    Path("torn.yaml").write_text("rulekit: [")
    out = said_by_test(capsys, "game.yaml", "torn.yaml", "--format", "junit")[1]
    root = Xml.fromstring(out)
    assert (root.tag, root.get("tests"), root.get("failures"), root.get("errors")) == (
        "testsuites",
        "3",
        "1",
        "1",
    )
    failure = root.find("testsuite/testcase/failure")
    assert failure is not None
    assert failure.get("type") == "RK806"
    assert "<stays>" in (failure.get("message") or "")
    assert "--> game.yaml:18:12" in (failure.text or "")
    assert root.find("testsuite/testcase/error") is not None


@pytest.mark.parametrize("form", ["sarif", "github"])
def test_findings_go_to_code_hosts_too(capsys: Capsys, form: str) -> None:
    Path("game.yaml").write_text(WRONG)
    code, out, _ = said_by_test(capsys, "game.yaml", "--format", form)
    assert code == 1
    assert "RK806" in out
    Path("game.yaml").write_text(GAME)
    code, out, _ = said_by_test(capsys, "game.yaml", "--format", form)
    assert (code, "RK806" in out) == (0, False)


def hooks() -> list[dict[str, str]]:
    found: list[dict[str, str]] = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    return found


def test_the_hooks_of_pre_commit_have_all_that_it_asks_for() -> None:
    assert [hook["id"] for hook in hooks()] == [
        "rulekit-validate",
        "rulekit-test",
        "rulekit-check",
        "rulekit-fmt",
    ]
    for hook in hooks():
        assert set(hook) == {"id", "name", "description", "entry", "language", "files"}
        assert hook["language"] == "python"


@pytest.mark.parametrize("hook", hooks(), ids=lambda hook: hook["id"])
def test_each_hook_runs_and_fails_for_a_bad_file(hook: dict[str, str]) -> None:
    program, name, *options = shlex.split(hook["entry"])
    assert program == "rulekit"
    if name not in COMMANDS:
        pytest.skip(f"there is no command {name}")
    Path("games").mkdir()
    Path("games/game.yaml").write_text(GAME)
    good = CliRunner().invoke(cli, [name, *options, "games/game.yaml"], standalone_mode=False)
    assert good.return_value == 0 or name == "fmt", good.output
    Path("games/game.yaml").write_text(GAME.replace("moves:", "mvoes:"))
    bad = CliRunner().invoke(cli, [name, *options, "games/game.yaml"], standalone_mode=False)
    assert bad.return_value or bad.exception, bad.output
