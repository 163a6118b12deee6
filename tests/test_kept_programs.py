"""A program is kept for the next time the same file is read, as long as nothing it was made from changes."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulekit
from rulekit.game import loading
from rulekit.source.load import data_folder

RULES = data_folder("rulesets")


@pytest.fixture(autouse=True)
def nothing_kept() -> None:
    loading.forget()


def copied(folder: Path, *names: str) -> None:
    for name in names:
        path = folder / f"{name}.yaml"
        path.parent.mkdir(exist_ok=True)
        path.write_text((RULES / f"{name}.yaml").read_text("utf-8"), "utf-8")


def changed(path: Path, old: str, new: str) -> None:
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), "utf-8")


def test_the_same_file_is_the_same_program() -> None:
    one, two = rulekit.load("hearts"), rulekit.load("hearts")
    assert two.program is one.program
    loading.forget()
    three = rulekit.load("hearts")
    assert three.program is not one.program
    assert three.program == one.program


def test_another_text_is_another_program(tmp_path: Path) -> None:
    copied(tmp_path, "whist")
    path = tmp_path / "whist.yaml"
    one = rulekit.load(path)
    changed(path, "title: ", "title: My ")
    assert rulekit.load(path).title == f"My {one.title}"


def test_a_base_that_changes_is_felt(tmp_path: Path) -> None:
    copied(tmp_path, "hearts", "black-maria")
    path = tmp_path / "black-maria.yaml"
    one = rulekit.load(path)
    assert rulekit.load(path).program is one.program
    changed(tmp_path / "hearts.yaml", "sources:", "\nsources:")
    two = rulekit.load(path)
    assert two.program is not one.program
    (tmp_path / "hearts.yaml").write_text("rulekit: [", "utf-8")
    assert rulekit.validate(path) != []


def test_a_block_laid_beside_the_file_is_found(tmp_path: Path) -> None:
    copied(tmp_path, "whist")
    path = tmp_path / "whist.yaml"
    one = rulekit.load(path)
    copied(tmp_path, "blocks/trick")
    two = rulekit.load(path)
    assert two.program is not one.program
    (tmp_path / "blocks" / "trick.yaml").write_text("block: trick\n", "utf-8")
    assert rulekit.validate(path) != []


def test_what_is_wrong_is_told_each_time(tmp_path: Path) -> None:
    copied(tmp_path, "whist")
    path = tmp_path / "whist.yaml"
    changed(path, "title: ", "titel: ")
    assert [d.code for d in rulekit.validate(path)] == [d.code for d in rulekit.validate(path)] != []


def test_only_so_many_are_kept() -> None:
    text = (RULES / "whist.yaml").read_text("utf-8")
    for number in range(loading._MOST_PROGRAMS + 3):
        rulekit.load(f"{text}\n# {number}\n")
    assert len(loading._PROGRAMS) == loading._MOST_PROGRAMS
