"""Outputs for code hosts are what their formats ask for: SARIF by its schema, GitHub by its grammar."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from broken_files import broken_files, told

import rulekit
from rulekit.diagnostics import Diagnostic, Note, SourceFile
from rulekit.diagnostics.reports import render_github, render_sarif

SCHEMA = Path(__file__).parent / "data" / "sarif-2.1.0-rtm.5.json"
#: Files of all areas: every tenth.
FILES = broken_files()[::10]

# `::error file=a.yaml,line=1::text`: a command, properties, a message. `%`, line ends and in properties
# `:` and `,` are written as `%25`, `%0A`, `%3A` ...
COMMAND = re.compile(r"::(error|warning) ((?:[a-zA-Z]+=[^\r\n,:]*)(?:,[a-zA-Z]+=[^\r\n,:]*)*)::([^\r\n]*)")
ESCAPE = re.compile(r"%(?:25|0D|0A|3A|2C)")


@cache
def validator() -> Any:
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    kind = jsonschema.validators.validator_for(schema)
    return kind(schema, format_checker=kind.FORMAT_CHECKER)


def odd() -> Diagnostic:
    """A finding with all that may stand in one, and much that may not stand in a format."""
    source = SourceFile("my games/a,b:c#d%.yaml", "one: 100%\n\ttwo: \u202e::x\n")
    return Diagnostic(
        "RK205",
        "100%\r\n::set-output name=x::y, <b>",
        source.span(5, 14),
        expected="a, b: c",
        help="%0A",
        suggestion="::",
        notes=(Note("here,\nthere", source.span(11, 14)),),
    )


def all_findings() -> list[Diagnostic]:
    found = [one for path in FILES for one in told(path)]
    return [*found, odd(), Diagnostic("RK100", "gone", None)]


def test_the_schema_refuses_what_is_no_sarif() -> None:
    assert not validator().is_valid({"version": "2.1.0"})
    log = json.loads(render_sarif([odd()]))
    log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"]["startLine"] = 0
    assert not validator().is_valid(log)
    log = json.loads(render_sarif([odd()]))
    log["runs"][0]["results"][0]["level"] = "fatal"
    assert not validator().is_valid(log)


def test_sarif_of_findings_of_every_kind_is_valid() -> None:
    assert len(FILES) > 40
    for found in ([], all_findings()):
        log = json.loads(render_sarif(found, rulekit.__version__))
        assert [error.message for error in validator().iter_errors(log)] == []
        (run,) = log["runs"]
        assert len(run["results"]) == len(found)
        rules = run["tool"]["driver"]["rules"]
        assert all(rules[result["ruleIndex"]]["id"] == result["ruleId"] for result in run["results"])


def test_github_commands_are_one_line_each_and_say_the_same() -> None:
    found = all_findings()
    lines = render_github(found).removesuffix("\n").split("\n")
    assert len(lines) == len(found)
    for line, one in zip(lines, found, strict=True):
        match = COMMAND.fullmatch(line)
        assert match, line
        kind, listed, message = match.groups()
        assert kind == one.severity.value
        assert plain(message).startswith(one.message)
        properties = dict(part.split("=", 1) for part in listed.split(","))
        assert properties["title"] == one.code
        if one.span is not None:
            assert plain(properties["file"]) == one.span.file
            assert int(properties["line"]) == one.span.line
            assert int(properties["endColumn"]) == one.span.end_column


def plain(text: str) -> str:
    """The text as GitHub reads it; no `%` is left that is not one of its escapes."""
    assert "%" not in ESCAPE.sub("", text)
    return ESCAPE.sub(lambda match: bytes.fromhex(match[0][1:]).decode(), text)


@pytest.mark.parametrize("form", ["sarif", "github"])
def test_the_command_line_prints_them(form: str, capsys: pytest.CaptureFixture[str]) -> None:
    from rulekit.cli.main import run

    path = next(path for path in FILES if "source" in path.parts)
    run(("validate", str(path), "--format", form))
    printed = capsys.readouterr().out
    if form == "sarif":
        validator().validate(json.loads(printed))
    else:
        assert all(COMMAND.fullmatch(line) for line in printed.splitlines())
