"""Engines on the command line."""

from __future__ import annotations

import json
import re

import pytest

from rulekit.cli import main


def run(*arguments: str) -> int:
    """The exit code."""
    return main.run(list(arguments))


def test_show_tells_which_engines_can_play(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("show", "hockey") == 0
    assert capsys.readouterr().out.endswith("engines: WebAssembly, generated Python, reference\n")
    assert run("show", "hockey", "--format", "json") == 0
    told = json.loads(capsys.readouterr().out)["engines"]
    assert told == {"wasm": None, "python": None, "reference": None}


def test_expand_python_prints_what_runs(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("expand", "hearts", "--python", "--players", "5", "--set", "passing=false") == 0
    out = capsys.readouterr().out
    head = out[: out.index("class Trapped")].splitlines()
    assert head[0] == "# hearts (Hearts), 5 players"
    assert "passing=false" in head[1]
    assert any(re.fullmatch(r"#   s\[\d+\]  actor", line) for line in head)
    assert any("cards at box, " in line and "hand-P5" in line for line in head)
    space: dict[str, object] = {}
    exec(compile(out, "<expanded>", "exec"), space)
    assert callable(space["f_apply"])


def test_expand_wat_prints_webassembly(capsys: pytest.CaptureFixture[str]) -> None:
    import wasmtime

    assert run("expand", "kuhn-poker", "--wat") == 0
    out = capsys.readouterr().out
    assert out.startswith(";; kuhn-poker (")
    assert wasmtime.wat2wasm(out)[:4] == b"\0asm"


@pytest.mark.parametrize(
    "wrong",
    [
        ("expand", "hockey", "--python", "--wat"),
        ("expand", "hockey", "--players", "2"),
        ("expand", "hockey", "--python", "--players", "9"),
        ("simulate", "hockey", "-n", "2", "--engine", "rust"),
        ("simulate", "hockey", "-n", "2", "--engine", "wasm", "--bots", "greedy"),
    ],
)
def test_wrong_usage_is_told(wrong: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(*wrong) == 2
    assert "Traceback" not in capsys.readouterr().err


def test_simulate_names_the_engine(capsys: pytest.CaptureFixture[str]) -> None:
    outputs = []
    for engine in ("wasm", "python", "reference"):
        assert run("simulate", "hockey", "-n", "4", "--engine", engine, "--workers", "1") == 0
        outputs.append(capsys.readouterr().out.splitlines())
    assert [out[1] for out in outputs] == [
        "engine: WebAssembly",
        "engine: generated Python",
        "engine: reference",
    ]
    assert outputs[0][2:] == outputs[1][2:] == outputs[2][2:]
