"""What the command line advises must work; folders hold rule files, or are refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import rulekit
from rulekit.cli.main import run
from rulekit.source.load import data_folder

Capsys = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def in_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NO_COLOR", "1")
    return tmp_path


def said(capsys: Capsys, *arguments: str) -> tuple[int, str, str]:
    """Exit code, output and errors of a command."""
    capsys.readouterr()
    code = run(arguments)
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def record(name: str = "hockey", **changes: object) -> str:
    """A record file of the first moves of a game, with other things in it."""
    game = rulekit.load(name).new_game(seed=3)
    for _ in range(3):
        game.play(game.legal_moves()[0])
    text = json.dumps(json.loads(game.record().text()) | changes)
    Path("game.json").write_text(text, encoding="utf-8")
    return "game.json"


def of_other_rules() -> str:
    """A record whose rules have changed since."""
    path = Path(record())
    print_of = rulekit.load("hockey").fingerprint
    path.write_text(path.read_text("utf-8").replace(print_of, "0" * 64), encoding="utf-8")
    return str(path)


# ---------------------------------------------------------------- records


def test_rules_that_have_changed_are_gone_on_with_anyway(capsys: Capsys) -> None:
    path = of_other_rules()
    code, _, err = said(capsys, "replay", path)
    assert code == 1
    assert "`--anyway` goes on regardless" in err
    assert said(capsys, "replay", path, "--anyway")[1]


@pytest.mark.parametrize("changes", [{"players": 7}, {"options": {"laps": "3"}}])
def test_what_cannot_go_on_is_not_advised_to(capsys: Capsys, changes: dict[str, object]) -> None:
    path = record(**changes)
    for command in (["replay", path], ["replay", path, "--anyway"]):
        code, _, err = said(capsys, *command)
        assert code == 1
        assert "does not fit" in err
        assert "--anyway" not in err


def test_play_does_not_advise_an_option_it_has_not(capsys: Capsys) -> None:
    code, _, err = said(capsys, "play", "hockey", "--resume", of_other_rules())
    assert code == 1
    assert "other rules" in err
    assert "--anyway" not in err


# ---------------------------------------------------------------- folders


def test_other_yaml_files_of_a_folder_are_left_out_and_counted(capsys: Capsys) -> None:
    folder = Path("games")
    folder.mkdir()
    shipped = Path(data_folder("rulesets"))
    for name in ("whist", "hockey"):
        (folder / f"{name}.yaml").write_text((shipped / f"{name}.yaml").read_text("utf-8"), encoding="utf-8")
    (folder / "compose.yaml").write_text("services:\n  db: {image: x}\n", encoding="utf-8")
    (folder / "settings.yml").write_text("name: x\nmoves: [1]\n", encoding="utf-8")
    code, out, err = said(capsys, "validate", "games/")
    assert (code, out) == (0, "2 files: no mistakes found\n")
    assert err == "reading 2 rule files in games/, leaving out 2 other YAML files\n"


def test_catalogues_and_blocks_of_a_folder_are_validated_but_have_no_games(capsys: Capsys) -> None:
    shipped = Path(data_folder("rulesets"))
    for name in ("whist", "blocks/trick", "locale/hi/common", "locale/hi/hockey"):
        target = Path("games") / f"{name}.yaml"
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text((shipped / f"{name}.yaml").read_text("utf-8"), encoding="utf-8")
    assert said(capsys, "validate", "games")[:2] == (0, "4 files: no mistakes found\n")
    code, out, _ = said(capsys, "check", "games", "--games", "2")
    assert code == 0
    assert next(line for line in out.splitlines() if line.startswith("ok")).startswith("ok  whist:")
    code, out, _ = said(capsys, "test", "games")
    assert code == 0
    assert out.splitlines()[-1].startswith("1 ruleset:")


def test_a_rule_file_without_its_first_line_is_still_one(capsys: Capsys) -> None:
    Path("games").mkdir()
    text = (Path(data_folder("rulesets")) / "whist.yaml").read_text("utf-8")
    Path("games/whist.yaml").write_text(text.replace('rulekit: "1"\n', ""), encoding="utf-8")
    code, out, _ = said(capsys, "validate", "games/")
    assert code == 1
    assert "RK202" in out


def test_a_folder_too_large_to_be_of_rule_files_is_refused(
    capsys: Capsys, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rulekit.cli.validate_command.MOST_ENTRIES", 20)
    for number in range(30):
        Path(f"deep/{number}").mkdir(parents=True)
    for command in ("validate", "check", "test"):
        code, _, err = said(capsys, command, "deep/")
        assert code == 2
        assert "more than 20 files and folders: name the folder in which the rules lie" in err
