"""The command line as people and scripts use it: what it prints, where, and with which exit code."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import rulekit
from rulekit.cli.main import COMMANDS, cli, run
from rulekit.cli.output import clean, counted, table
from rulekit.cli.screen import numbered
from rulekit.cli.words import Words, typed
from rulekit.program import prepare

BROKEN = Path("broken.yaml")


@pytest.fixture(autouse=True)
def in_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Every test runs in a folder of its own, with a plain terminal."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NO_COLOR", "1")
    return tmp_path


class Said:
    """What a command printed, and how it ended."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err


def rulekit_cli(capsys: pytest.CaptureFixture[str], *arguments: str) -> Said:
    """The command line in this process, guard and all."""
    capsys.readouterr()
    code = run(arguments)
    captured = capsys.readouterr()
    return Said(code, captured.out, captured.err)


def process(*arguments: str, answers: str = "", **environment: str) -> Said:
    """The command line as a process of its own."""
    root = Path(rulekit.__file__).parent.parent
    done = subprocess.run(
        [sys.executable, "-m", "rulekit", *arguments],
        input=answers.encode("utf-8", "surrogateescape"),
        capture_output=True,
        env={**os.environ, "PYTHONPATH": str(root), "PYTHONIOENCODING": "utf-8", **environment},
        timeout=120,
    )
    return Said(
        done.returncode, done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace")
    )


def played(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], lines: Sequence[str], *arguments: str
) -> Said:
    """`rulekit play` with these lines typed."""
    import io

    monkeypatch.setattr(sys, "stdin", io.StringIO("".join(line + "\n" for line in lines)))
    return rulekit_cli(capsys, "play", *arguments)


Capsys = pytest.CaptureFixture[str]
Patch = pytest.MonkeyPatch


# ---------------------------------------------------------------- the frame


def test_help_names_every_command(capsys: Capsys) -> None:
    said = rulekit_cli(capsys, "--help")
    assert said.code == 0
    assert all(f"  {name} " in said.out for name in COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_of_its_own(name: str) -> None:
    result: Result = CliRunner().invoke(cli, [name, "--help"])
    assert result.exit_code == 0
    assert result.output.startswith(f"Usage: cli {name}")


def test_a_misspelt_command_gives_the_nearest_one(capsys: Capsys) -> None:
    said = rulekit_cli(capsys, "valdate", "hockey")
    assert said.code == 2
    assert "did you mean `validate`?" in said.err
    assert said.out == ""


def test_the_version_is_printed(capsys: Capsys) -> None:
    assert rulekit_cli(capsys, "--version").out == f"rulekit {rulekit.__version__}\n"


@pytest.mark.parametrize(
    "arguments",
    [
        ("nonsense",),
        ("--nonsense",),
        ("validate",),
        ("validate", "no-such-file.yaml"),
        ("validate", "hockey", "--format", "xml"),
        ("check", "nosuch"),
        ("show", "nosuch"),
        ("show", ""),
        ("show", "."),
        ("play", "hockey", "--seats", "P9"),
        ("play", "hockey", "--seats", "me"),
        ("play", "hockey", "--players", "9"),
        ("play", "hockey", "--bots", "clever"),
        ("play", "hockey", "--bots", "random,random,random"),
        ("play", "hockey", "--watch", "--seats", "P1"),
        ("play", "hockey", "--resume", "nothing.json"),
        ("play", "hockey", "--resume", "x.json", "--seed", "3"),
        ("simulate", "hockey", "-n", "0"),
        ("simulate", "hockey", "-n", "many"),
        ("simulate", "hockey", "--seed", "-1"),
        ("simulate", "hockey", "--seed", str(2**64)),
        ("simulate", "hockey", "--set", "lapse"),
        ("simulate", "hockey", "--set", "laps=never"),
        ("simulate", "hockey", "--set", "lapse=never"),
        ("simulate", "hockey", "--set", "lapse=until_cancelled", "--set", "lapse=next_own_turn"),
        ("simulate", "hockey", "--players", "x"),
        ("replay", "nothing.json"),
        ("replay", "."),
        ("explain", "RK9999"),
        ("explain", "\x1b[31m"),
        ("expand", "nosuch"),
        ("schema", "nosuch"),
        ("new", "Not A Name"),
        ("new", ""),
        ("new", "/no/such/folder/name"),
        ("new", "a\0b"),
        ("validate", "a\0b"),
        ("validate", "\udcff"),
        ("show", "\x1b[2J"),
        ("show", "x" * 5000),
    ],
)
def test_wrong_usage_is_told_in_a_line_with_exit_code_2(capsys: Capsys, arguments: tuple[str, ...]) -> None:
    said = rulekit_cli(capsys, *arguments)
    assert said.code == 2
    assert said.err or said.out
    for text in (said.err, said.out):
        assert "Traceback" not in text
        assert "this is a bug" not in text
        assert "\x1b" not in text


def test_an_unexpected_error_is_a_line_that_asks_for_a_report(capsys: Capsys, monkeypatch: Patch) -> None:
    import rulekit.game.loading

    def fail(source: object) -> None:
        raise RuntimeError("the sky fell\x1b[2J")

    monkeypatch.setattr(rulekit.game.loading, "validate", fail)
    said = rulekit_cli(capsys, "validate", "hockey")
    assert said.code == 70
    assert "this is a bug in rulekit (RuntimeError at test_cli.py:" in said.err
    assert "please report it" in said.err
    assert "\x1b" not in said.err
    assert "Traceback" not in said.err
    assert "Traceback" in rulekit_cli(capsys, "--debug", "validate", "hockey").err


def test_a_reader_that_goes_away_is_no_failure() -> None:
    root = Path(rulekit.__file__).parent.parent
    running = subprocess.Popen(
        [sys.executable, "-m", "rulekit", "play", "hockey", "--watch", "--seed", "3"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(root)},
    )
    assert running.stdout is not None
    assert running.stderr is not None
    running.stdout.readline()
    running.stdout.close()
    assert running.wait(60) == 0
    assert running.stderr.read() == b""


def test_no_colour_and_no_progress_where_nobody_looks() -> None:
    said = process("simulate", "hockey", "-n", "20", NO_COLOR="")
    assert said.code == 0
    assert "\x1b" not in said.out
    assert said.err == ""


def test_an_ascii_terminal_gets_letters_for_suits() -> None:
    said = process("play", "hockey", answers="quit\n", PYTHONIOENCODING="ascii")
    assert said.code == 0
    assert "♣" not in said.out
    assert said.err == ""


# ---------------------------------------------------------------- list, show, expand, schema, explain


def test_list_names_every_shipped_ruleset_and_show_tells_more(capsys: Capsys) -> None:
    listed = rulekit_cli(capsys, "list").out
    assert all(name in listed for name in rulekit.shipped_rulesets())
    rows = json.loads(rulekit_cli(capsys, "list", "--format", "json").out)["rulesets"]
    assert [row["name"] for row in rows] == rulekit.shipped_rulesets()
    hucklebuck = next(row for row in rows if row["name"] == "hucklebuck")
    assert hucklebuck["players"] == [3, 7]


def test_show_tells_options_moves_zones_phases_and_sources(capsys: Capsys) -> None:
    said = rulekit_cli(capsys, "show", "hucklebuck").out
    program = rulekit.load("hucklebuck").program
    for name in (*program.options, *program.moves, *program.zones):
        assert name in said
    assert "players: 3 to 7" in said
    assert "5 to 31" in said
    data = json.loads(rulekit_cli(capsys, "show", "hucklebuck", "--format", "json").out)
    assert [option["name"] for option in data["options"]] == list(program.options)
    assert data["hash"] == program.fingerprint()


def test_expand_gives_a_file_that_plays_the_same_game(capsys: Capsys) -> None:
    kept = rulekit_cli(capsys, "expand", "hockey-1961", "--keep-blocks")
    assert kept.code == 0
    assert "extends" not in kept.out
    Path("hockey-1961.yaml").write_text(kept.out, encoding="utf-8")
    assert rulekit.load("./hockey-1961.yaml").fingerprint == rulekit.load("hockey-1961").fingerprint
    whole = rulekit_cli(capsys, "expand", "hockey-1961")
    assert "turns:" in kept.out
    assert "turns:" not in whole.out
    Path("hockey-1961.yaml").write_text(whole.out, encoding="utf-8")
    games = [rulekit.load(name).simulate(5, seed=3) for name in ("hockey-1961", "./hockey-1961.yaml")]
    assert games[0].seats == games[1].seats


def test_schema_prints_json_schemas(capsys: Capsys) -> None:
    assert json.loads(rulekit_cli(capsys, "schema").out)["type"] == "object"
    assert json.loads(rulekit_cli(capsys, "schema", "record").out)
    assert "did you mean `record`?" in rulekit_cli(capsys, "schema", "records").err


def test_explain_prints_the_page_of_a_code(capsys: Capsys) -> None:
    said = rulekit_cli(capsys, "explain", "rk901")
    assert said.code == 0
    assert said.out.startswith("RK901")
    assert rulekit_cli(capsys, "explain", "901").out == said.out
    listed = rulekit_cli(capsys, "explain").out
    assert "RK901  " in listed


# ---------------------------------------------------------------- new, validate, check


def test_new_writes_a_file_that_validates_checks_and_plays(capsys: Capsys, monkeypatch: Patch) -> None:
    assert rulekit_cli(capsys, "new", "my-game").code == 0
    text = Path("my-game.yaml").read_text("utf-8")
    assert "\nname: my-game " in text
    assert "title: My Game\n" in text
    assert "#" in text, "it is commented"
    validated = rulekit_cli(capsys, "validate", "my-game.yaml", "--strict")
    assert (validated.code, validated.out) == (0, "my-game.yaml: no mistakes found\n")
    checked = rulekit_cli(capsys, "check", "my-game.yaml", "-n", "40")
    assert checked.code == 0
    assert checked.out.startswith("ok  my-game: 1 of 1 example, 40 random games")
    assert len(checked.out.splitlines()) == 1, "all of it is reached"
    assert played(monkeypatch, capsys, ["1"] * 400, "my-game.yaml", "--seed", "1").code == 0


def test_new_never_overwrites(capsys: Capsys) -> None:
    Path("mine.yaml").write_text("precious", encoding="utf-8")
    said = rulekit_cli(capsys, "new", "mine")
    assert said.code == 2
    assert "exists" in said.err
    assert Path("mine.yaml").read_text("utf-8") == "precious"
    assert rulekit_cli(capsys, "new", "hockey").code == 2


def test_new_proposes_a_name(capsys: Capsys) -> None:
    assert "how about `my-game`?" in rulekit_cli(capsys, "new", "My Game").err
    assert not list(Path().iterdir())


def broken() -> None:
    """A starter file with two mistakes."""
    run(["new", "broken"])
    text = (
        BROKEN.read_text("utf-8")
        .replace("shuffle deck", "shufle deck")
        .replace("players: 2..4", "plyers: 2..4")
    )
    BROKEN.write_text(text, encoding="utf-8")


def test_validate_tells_all_mistakes_in_one_run_each_with_its_place(capsys: Capsys) -> None:
    broken()
    said = rulekit_cli(capsys, "validate", "broken.yaml")
    assert said.code == 1
    lines = BROKEN.read_text("utf-8").splitlines()
    row = next(number for number, text in enumerate(lines, 1) if "plyers" in text)
    assert f"broken.yaml:{row}:1" in said.out
    assert "players" in said.out
    assert said.err == ""


@pytest.mark.parametrize("form", ["json", "sarif", "github"])
def test_validate_speaks_to_machines(capsys: Capsys, form: str) -> None:
    broken()
    said = rulekit_cli(capsys, "validate", "broken.yaml", "hockey", "--format", form)
    assert said.code == 1
    assert said.err == ""
    if form == "github":
        assert said.out.startswith("::error file=broken.yaml,line=")
        return
    data = json.loads(said.out)
    found = data["diagnostics"] if form == "json" else data["runs"][0]["results"]
    assert found


def test_validate_takes_folders_files_and_names(capsys: Capsys) -> None:
    Path("games/inner").mkdir(parents=True)
    run(["new", "games/one"])
    run(["new", "games/inner/two"])
    Path("games/notes.txt").write_text("no rules", encoding="utf-8")
    said = rulekit_cli(capsys, "validate", "games", "hockey", "games/one.yaml")
    assert (said.code, said.out) == (0, "3 files: no mistakes found\n")
    Path("empty").mkdir()
    assert rulekit_cli(capsys, "validate", "empty").code == 2


def test_validate_an_unreadable_file_is_exit_code_2_and_a_binary_one_is_not_read_on(capsys: Capsys) -> None:
    assert rulekit_cli(capsys, "validate", "nothing.yaml").code == 2
    Path("binary.yaml").write_bytes(bytes(range(256)))
    said = rulekit_cli(capsys, "validate", "binary.yaml")
    assert said.code in (1, 2)
    assert "\x1b" not in said.out


def test_check_of_a_broken_file_and_of_a_failing_example(capsys: Capsys) -> None:
    broken()
    assert rulekit_cli(capsys, "check", "broken.yaml").code == 1
    run(["new", "wrong"])
    path = Path("wrong.yaml")
    path.write_text(
        path.read_text("utf-8").replace("allowed: {P2 follow: 4C QC}", "allowed: {P2 follow: 4C}")
    )
    said = rulekit_cli(capsys, "check", "wrong.yaml", "-n", "1")
    assert said.code == 1
    assert "FAILED" in said.out
    assert "Follow suit if you can" in said.out
    data = json.loads(rulekit_cli(capsys, "check", "wrong.yaml", "-n", "1", "--format", "json").out)
    assert data["ok"] is False
    assert data["checks"][0]["examples"][0]["passed"] is False


# ---------------------------------------------------------------- simulate


def test_simulate_prints_a_table_or_json(capsys: Capsys) -> None:
    said = rulekit_cli(capsys, "simulate", "hucklebuck", "-n", "30", "--seed", "4", "--players", "4")
    assert said.code == 0
    assert "hucklebuck: 30 games, 4 players, seed 4" in said.out
    assert all(f"P{seat}" in said.out for seat in (1, 2, 3, 4))
    arguments = ("simulate", "hucklebuck", "-n", "30", "--seed", "4", "--players", "4", "--format", "json")
    data = json.loads(rulekit_cli(capsys, *arguments).out)
    assert data["games"]["played"] == 30
    assert rulekit_cli(capsys, *arguments).out == rulekit_cli(capsys, *arguments, "--workers", "1").out


def test_simulate_takes_options_and_bots(capsys: Capsys) -> None:
    arguments = ("simulate", "hockey", "-n", "20", "--set", "jack_scores=true", "--bots", "greedy,random")
    said = rulekit_cli(capsys, *arguments)
    assert "options: jack_scores=true" in said.out
    assert "greedy" in said.out
    data = json.loads(rulekit_cli(capsys, *arguments, "--format", "json").out)
    assert data["options"]["jack_scores"] == "true"
    assert [seat["bot"] for seat in data["seats"]] == ["greedy", "random"]


# ---------------------------------------------------------------- play


def test_a_person_sees_only_his_own_cards(capsys: Capsys, monkeypatch: Patch) -> None:
    said = played(monkeypatch, capsys, ["quit"], "hockey", "--seed", "1", "--ascii", "--seats", "P1,P2")
    game = rulekit.load("hockey").new_game(seed=1)
    seat = game.to_move
    assert seat is not None
    mine, other = (game.view(who).zones[f"hand-P{who + 1}"] for who in (seat, 1 - seat))
    # The first line answers "press Enter".
    said = played(monkeypatch, capsys, ["", "quit"], "hockey", "--seed", "1", "--ascii", "--seats", "P1,P2")
    assert said.code == 0
    assert all(card in said.out for card in mine)
    assert not any(f" {card}" in said.out for card in other)


def test_moves_are_made_by_number_by_text_by_cards_and_with_suit_signs(
    capsys: Capsys, monkeypatch: Patch
) -> None:
    game = rulekit.load("sixty-six").new_game(seed=5)
    assert game.to_move == 0
    card = game.legal_moves()[0].values["card"]
    assert isinstance(card, str)
    sign = dict(zip("CDHS", "♣♦♥♠", strict=True))[card[-1]]
    ways = ["1", f"lead {card.lower()}", card, f"{card[:-1]}{sign}"]
    told = {played(monkeypatch, capsys, [way], "sixty-six", "--seed", "5", "--ascii").out for way in ways}
    assert len(told) == 1
    assert f"P1 lead {card}" in told.pop()


def test_a_refused_move_is_explained_and_changes_nothing(capsys: Capsys, monkeypatch: Patch) -> None:
    lines = [
        "bogus",
        "99",
        "0",
        "",
        "lead 2C",
        "marry",
        "follow 9H",
        "why 1",
        "why nothing",
        "why",
        "hint",
        "scores",
        "help",
    ]
    said = played(monkeypatch, capsys, [*lines, "save kept.json"], "sixty-six", "--seed", "5", "--ascii")
    assert said.code == 0
    assert "`bogus` is no move of this game" in said.out
    assert "there are 7 moves: 1 to 7" in said.out
    assert "is legal" in said.out
    assert "perhaps `" in said.out
    assert "nothing has been scored yet" in said.out
    assert "undo" in said.out
    assert json.loads(Path("kept.json").read_text("utf-8"))["moves"] == []


def test_the_rule_that_refuses_is_named_with_its_cards(capsys: Capsys, monkeypatch: Patch) -> None:
    run(["new", "mine"])
    rules = rulekit.load("mine.yaml")
    for seed in range(40):
        game = rules.new_game(seed=seed)
        if game.to_move == 0:
            continue
        led = game.legal_moves()[0].text
        game.play(led)
        held = game.view(0).zones["hand-P1"]
        legal = [move.text.split()[1] for move in game.legal_moves()]
        refused = [card for card in held if card not in legal]
        if refused:
            break
    record = Path("begun.json")
    game.record().save(record)
    said = played(
        monkeypatch,
        capsys,
        [f"why {refused[0]}", refused[0]],
        "mine.yaml",
        "--resume",
        str(record),
        "--ascii",
    )
    assert said.out.count("follow suit: you hold " + " ".join(legal)) == 2
    assert "the rule: mine.yaml:" in said.out


def test_rep_08_undo_is_refused_once_new_cards_were_seen_and_allowed_before(
    capsys: Capsys, monkeypatch: Patch
) -> None:
    said = played(
        monkeypatch, capsys, ["undo", "close", "undo", "1", "undo"], "sixty-six", "--seed", "5", "--ascii"
    )
    assert "you have made no move that could be taken back" in said.out
    assert said.out.count("taken back\n") == 2 - 1 or "taken back\n" in said.out
    refused = [line for line in said.out.splitlines() if "it cannot be taken back: you have seen" in line]
    assert len(refused) == 1
    assert refused[0].endswith("since")


def test_rep_08_after_an_undo_the_deal_is_the_same(capsys: Capsys, monkeypatch: Patch) -> None:
    straight = played(monkeypatch, capsys, ["lead 9H", "save a.json"], "sixty-six", "--seed", "5")
    undone = played(
        monkeypatch, capsys, ["close", "undo", "lead 9H", "save b.json"], "sixty-six", "--seed", "5"
    )
    assert straight.code == undone.code == 0
    first, second = (json.loads(Path(name).read_text("utf-8")) for name in ("a.json", "b.json"))
    assert first["moves"][0] == second["moves"][0] == "P1 lead 9H"
    assert rulekit.replay("b.json").record().state == second["state"]


def test_rep_08_with_two_at_one_screen_what_either_has_seen_counts(
    capsys: Capsys, monkeypatch: Patch
) -> None:
    said = played(
        monkeypatch, capsys, ["", "1", "", "undo", "1", "", "undo"], "hockey", "--seed", "1", "--seats", "all"
    )
    assert "you have made no move" in said.out, "P2 cannot take back the move of P1"
    assert "it cannot be taken back" in said.out


def test_the_end_of_input_leaves_the_game(capsys: Capsys, monkeypatch: Patch) -> None:
    said = played(monkeypatch, capsys, [], "hockey", "--seed", "1")
    assert said.code == 0
    assert "you left the game; its seed was 1" in said.out


def test_a_whole_game_is_played_and_its_outcome_told(capsys: Capsys, monkeypatch: Patch) -> None:
    said = played(monkeypatch, capsys, ["1"] * 2000, "hockey", "--seed", "2", "--bots", "greedy")
    assert said.code == 0
    assert "wins." in said.out or "draw" in said.out
    assert "seed 2" in said.out


def test_a_move_named_like_a_command_is_the_move(capsys: Capsys, monkeypatch: Patch) -> None:
    run(["new", "odd"])
    path = Path("odd.yaml")
    path.write_text(path.read_text("utf-8").replace("  lead:\n", "  save:\n").replace("[lead]", "[save]"))
    game = rulekit.load("odd.yaml").new_game(seed=0)
    seat = (game.to_move or 0) + 1
    move = game.legal_moves()[0].text
    said = played(
        monkeypatch,
        capsys,
        [move, ":save x.json"],
        "odd.yaml",
        "--seed",
        "0",
        "--seats",
        f"P{seat}",
        "--ascii",
    )
    assert f"P{seat} {move}" in said.out
    assert Path("x.json").exists()


def test_save_never_overwrites_a_file_that_is_not_its_own(capsys: Capsys, monkeypatch: Patch) -> None:
    Path("mine.json").write_text("precious", encoding="utf-8")
    said = played(
        monkeypatch,
        capsys,
        ["save mine.json", "save", "save no/where.json", "save x.json", "save x.json"],
        "hockey",
    )
    assert Path("mine.json").read_text("utf-8") == "precious"
    assert "`mine.json` exists" in said.out
    assert "`no/where.json` cannot be written" in said.out
    assert said.out.count("saved;") == 2


@pytest.mark.parametrize("seed", range(6))
def test_whatever_is_typed_there_is_no_traceback(capsys: Capsys, monkeypatch: Patch, seed: int) -> None:
    import random

    source = random.Random(seed)
    words = [
        "lead",
        "follow",
        "9H",
        "(",
        ")",
        "why",
        "undo",
        ":",
        ":undo",
        "save",
        "\x1b[2J",
        "♥",
        "10♥",
        "-1",
        "٣",
        "²",
        "1e9",
        "9" * 30,
        "marry",
        "show",
        "hint",
        "scores",
        "\t",
        "\udcff",
        "x" * 3000,
        "",
        "close",
        "1",
        "2",
    ]
    lines = [" ".join(source.choices(words, k=source.randint(0, 4))) for _ in range(60)]
    lines = [line.replace("save", "save /no/such/folder/x") for line in lines]
    said = played(monkeypatch, capsys, lines, "sixty-six", "--seed", str(seed))
    assert said.code == 0
    assert "Traceback" not in said.out + said.err
    assert "\x1b" not in said.out


# ---------------------------------------------------------------- watch and replay


def test_watch_tells_a_whole_game_and_replay_tells_it_again(capsys: Capsys, monkeypatch: Patch) -> None:
    watched = rulekit_cli(capsys, "play", "sixty-six", "--watch", "--seed", "8", "--ascii")
    assert watched.code == 0
    assert "Deal" in watched.out
    assert "deal won" in watched.out
    game = rulekit.load("sixty-six").new_game(seed=8)
    from rulekit.players import Draws, RandomBot, bot_move

    draws = Draws.for_game(8)
    while not game.is_over:
        game.play(bot_move(game, RandomBot(), draws))
    game.record().save("game.json")
    replayed = rulekit_cli(capsys, "replay", "game.json", "--ascii")
    assert replayed.code == 0
    assert replayed.out.splitlines()[1:] == watched.out.splitlines()[1:-1]
    count = len(game.history)
    for number, played_move in enumerate(game.history, 1):
        if number in (1, count // 2, count):
            assert str(played_move) in replayed.out


def test_replay_stops_where_told(capsys: Capsys) -> None:
    game = rulekit.load("hockey").new_game(seed=1)
    for _ in range(9):
        game.play(game.legal_moves()[0])
    game.record().save("begun.json")
    said = rulekit_cli(capsys, "replay", "begun.json", "--to", "4", "--ascii")
    assert said.code == 0
    assert "5 moves left in the record" in said.out
    assert str(game.history[3]) in said.out
    assert rulekit_cli(capsys, "replay", "begun.json", "--to", "999").code == 0
    assert rulekit_cli(capsys, "replay", "begun.json", "--to", "0").code == 0


def test_replay_refuses_a_record_of_other_rules_unless_told_to_go_on(capsys: Capsys) -> None:
    game = rulekit.load("hockey").new_game(seed=1)
    game.play(game.legal_moves()[0])
    game.record().save("a.json")
    text = Path("a.json").read_text("utf-8")
    Path("old.json").write_text(text.replace(game.record().fingerprint, "0" * 64), encoding="utf-8")
    refused = rulekit_cli(capsys, "replay", "old.json")
    assert refused.code == 1
    assert "other rules" in refused.err
    assert "--anyway" in refused.err
    told = rulekit_cli(capsys, "replay", "old.json", "--anyway")
    assert "other rules" in told.err
    assert str(game.history[0]).split()[0] in told.out
    Path("bad.json").write_text(
        text.replace("P1 play", "P1 plai").replace("P2 play", "P2 plai"), encoding="utf-8"
    )
    assert rulekit_cli(capsys, "replay", "bad.json").code == 1
    Path("torn.json").write_text(text[: len(text) // 2], encoding="utf-8")
    assert rulekit_cli(capsys, "replay", "torn.json").code == 2


# ---------------------------------------------------------------- how things are printed


def test_exp_02_nothing_an_author_wrote_steers_the_terminal(capsys: Capsys, monkeypatch: Patch) -> None:
    run(["new", "evil"])
    path = Path("evil.yaml")
    wild = r"\e[31mred {0.__class__} {{7*7}} %s $(x) <b>"
    path.write_text(
        path.read_text("utf-8").replace("text: Lead any card.", f'text: "{wild}"'), encoding="utf-8"
    )
    for arguments in (("show", "evil.yaml"), ("validate", "evil.yaml"), ("expand", "evil.yaml")):
        said = rulekit_cli(capsys, *arguments)
        assert "\x1b" not in said.out + said.err
    told = rulekit_cli(capsys, "show", "evil.yaml")
    if told.code == 0:
        assert "{0.__class__} {{7*7}} %s $(x) <b>" in " ".join(told.out.split())
        said = played(monkeypatch, capsys, ["1"], "evil.yaml", "--seed", "1")
        assert "\x1b" not in said.out


def test_clean_writes_out_what_could_steer_a_terminal() -> None:
    assert clean("\x1b[2J") == "\\x1b[2J"
    assert clean("a\nb") == "a\\nb"
    assert clean("a\nb\r", keep_lines=True) == "a\nb\\r"
    assert "\u202e" not in clean("\u202eabc")
    assert "\udcff" not in clean("\udcff")
    assert clean("Doppelkopf für 4, 10♥") == "Doppelkopf für 4, 10♥"


def test_tables_leave_numbers_as_they_are() -> None:
    text = table([("007", "1e5"), ("a", "")], ("left", "right"))
    assert "007" in text
    assert "1e5" in text


def test_counts_read_well() -> None:
    assert counted(1, "game") == "1 game"
    assert counted(2000, "game") == "2,000 games"
    assert counted(2, "match", "matches") == "2 matches"


def test_cards_are_drawn_with_their_suits_and_read_back() -> None:
    words = Words(prepare(rulekit.load("hockey").program, 2), signs=True)
    assert words.text("P1 follow 10H QS") == "P1 follow 10♥ Q♠"
    assert words.text("a 10Hx 4CC hand-P1") == "a 10Hx 4CC hand-P1"
    assert typed("  follow 10♥ q♠ ") == "follow 10H qS"
    assert typed("10♡") == "10H"


BIDS = """rulekit: "1"
name: bids
title: Bids
text: Name a number.
sources: [A test]
players: 2
deck: {ranks: 2 3, suits: hearts}
zones:
  stock: pile seen by nobody
state:
  score: {is: 0..99 per player, text: Points.}
play:
  - shuffle deck into stock
  - for p in players: [ask p: [bid, pass]]
moves:
  bid: {text: Name a number., choose: {number_bid: 1..40}, do: [score of me += number_bid for bidding]}
  pass: {text: Pass., do: []}
end: {ranking: highest score}
"""


def test_a_long_range_of_numbers_is_told_by_its_ends() -> None:
    rules = rulekit.load(BIDS)
    words = Words(prepare(rules.program, 2), signs=False)
    told = " ".join(numbered(rules.new_game().legal_moves(), words)).split()
    assert " ".join(told) == "1) bid 1 ... 40) bid 40 41) pass"
