"""What the language server knows of a file, without the server: meanings, places, repairs."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from rulekit.language import syntax as s
from rulekit.language import tree as t
from rulekit.lsp.analysis import Analysis
from rulekit.lsp.context import contexts_at
from rulekit.lsp.positions import Positions
from rulekit.lsp.repair import repaired
from rulekit.source.load import data_folder

RULESETS = data_folder("rulesets")
FILES = [*sorted(RULESETS.glob("*.yaml")), *sorted(RULESETS.glob("blocks/*.yaml"))]


def analysis_of(path: Path) -> Analysis:
    return Analysis(path.read_text("utf-8"), path)


def names(node: object) -> Iterator[s.Name]:
    """Every name in a tree, but for its own and those of who sees something."""
    todo: list[object] = [node]
    while todo:
        part = todo.pop()
        if isinstance(part, s.Name):
            yield part
        elif isinstance(part, tuple):
            todo += part
        elif isinstance(part, s.Syntax):
            left_out = {"span", "seen_by", "name"} if isinstance(part, t.RulesetTree) else {"span", "seen_by"}
            todo += [getattr(part, f.name) for f in fields(part) if f.name not in left_out]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_name_of_every_shipped_file_has_a_meaning(path: Path) -> None:
    known = analysis_of(path)
    tree = known.block or known.rules.tree
    assert tree is not None
    mentioned = {(m.span.file, m.span.start, m.span.end) for m in known.index.all()}
    words = ("true", "false", "none", "else")  # of tables
    written = [name for name in names(tree) if name.span.text == name.id and name.id not in words]
    lost = [
        f"{name.span} {name.id}"
        for name in written
        if (name.span.file, name.span.start, name.span.end) not in mentioned
    ]
    assert not lost


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_mention_stands_where_its_name_stands(path: Path) -> None:
    known = analysis_of(path)
    for mention in known.index.all():
        if mention.symbol.kind != "ruleset":
            assert mention.span.text == mention.symbol.name
        if mention.symbol.span is not None and mention.symbol.kind != "ruleset" and mention.declares:
            assert mention.symbol.span == mention.span
    assert known.diagnostics == []


@pytest.mark.parametrize("path", FILES[::4], ids=lambda path: path.stem)
def test_a_line_cut_off_leaves_the_rest_its_meaning(path: Path) -> None:
    lines = path.read_text("utf-8").split("\n")
    whole = len(analysis_of(path).index.files[path.name])
    for number in range(4, len(lines), 37):
        half = lines[number][: len(lines[number]) // 2] + " {"
        cut = "\n".join([*lines[:number], half, *lines[number + 1 :]])
        mended = repaired(cut)
        assert mended is not None
        assert len(mended) == len(cut)
        assert sum(a != b for a, b in zip(mended.split("\n"), cut.split("\n"), strict=True)) <= 4
        known = Analysis(cut, path)
        assert known.document is not None
        assert (
            len(known.index.files.get(path.name, ())) > whole // 4
        )  # where the key `examples` is lost, all that stands below it is


@given(st.text(alphabet="ab\n{}[]:-'\"# \t🂡é\r,|>&*!?%@`", max_size=60), st.integers(0, 60))
def test_no_text_is_too_broken(text: str, offset: int) -> None:
    known = Analysis(text, Path("x.yaml"))
    assert known.diagnostics
    assert known.index.at("x.yaml", offset) is None or text
    contexts_at(text, min(offset, len(text)))


@given(st.text(alphabet="aé🂡𝔊\n\r\t ", max_size=40), st.sampled_from(["utf-8", "utf-16", "utf-32"]))
def test_places_come_back_from_editors(text: str, encoding: str) -> None:
    positions = Positions(text, encoding)
    for offset in range(len(text) + 1):
        if text[offset - 1 : offset + 1] == "\r\n":  # inside a line end
            continue
        place = positions.position(offset)
        assert positions.offset(place) == offset
        before = positions.text[positions.starts[place.line] : offset]
        units = {"utf-8": 1, "utf-16": 2, "utf-32": 4}[encoding]
        assert place.character == len(before.encode(f"{encoding}{'' if units == 1 else '-le'}")) // units


def test_the_extra_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    from rulekit.cli.main import cli, run

    for name in [name for name in sys.modules if name.startswith(("rulekit.lsp", "pygls", "lsprotocol"))]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "lsprotocol", None)
    monkeypatch.setitem(sys.modules, "pygls", None)
    result = CliRunner().invoke(cli, ["lsp"], standalone_mode=False)
    assert "pip install 'rulekit[lsp]'" in str(result.exception)
    assert run(["lsp"]) == 2


def test_a_comment_needs_no_new_checks_and_a_rule_does(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from rulekit.lsp import analysis

    checked: list[object] = []
    before = analysis.run_checks

    def counted(program: object, findings: object) -> object:
        checked.append(program)
        return before(program, findings)  # type: ignore[arg-type]

    monkeypatch.setattr(analysis, "run_checks", counted)
    text = (data_folder("rulesets") / "whist.yaml").read_text("utf-8")
    path = tmp_path / "whist.yaml"

    def looked_at(text: str) -> list[str]:
        return [found.code for found in analysis.Analysis(text, path, {}).diagnostics]

    assert looked_at(text) == []
    assert looked_at(f"# a comment\n{text}\n# another") == []
    assert len(checked) == 1
    doubtful = text.replace("\nstate:", "\nstate:\n  never_used: 0..9", 1)
    assert looked_at(doubtful) == looked_at(f"{doubtful}\n# again") == ["RK651"]
    assert len(checked) == 3  # what is doubtful is told each time, where it stands
    assert looked_at(text) == []
    assert len(checked) == 4
