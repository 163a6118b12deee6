"""Where rule files are found, and what is said of those that cannot be read."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from rulekit.diagnostics import Findings
from rulekit.source.load import Shelf, open_source, open_text, shipped_blocks, shipped_rulesets
from rulekit.source.yaml import MAX_BYTES


def refused(name: str | os.PathLike[str]) -> tuple[str, str]:
    findings = Findings()
    assert open_source(name, findings) is None
    (found,) = findings.items
    return found.code, found.message


def test_a_shipped_ruleset_opens_by_name() -> None:
    findings = Findings()
    opened = open_source("hockey", findings)
    assert opened is not None
    assert opened.source.name == "rulesets/hockey.yaml"
    assert findings.items == []


def test_a_path_is_called_as_the_user_gave_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "game.yaml").write_text("name: x\n")
    monkeypatch.chdir(tmp_path)
    for given in ("mine/game.yaml", Path("mine/game.yaml"), str(tmp_path / "mine" / "game.yaml")):
        opened = open_source(given, Findings())
        assert opened is not None
        assert opened.source.name == str(given)


def test_an_unknown_name_gets_the_nearest_one() -> None:
    findings = Findings()
    assert open_source("hocky", findings) is None
    assert (findings.items[0].code, findings.items[0].suggestion) == ("RK129", "hockey")


def test_unreadable_files_are_findings(tmp_path: Path) -> None:
    assert refused(tmp_path / "none.yaml")[0] == "RK100"
    assert refused(str(tmp_path))[1].endswith("it is a folder")
    assert refused("a\0b.yaml")[0] == "RK100"
    assert refused("/dev/zero")[1].endswith("it is not an ordinary file")
    os.mkfifo(tmp_path / "pipe.yaml")
    assert refused(tmp_path / "pipe.yaml")[1].endswith("it is not an ordinary file")
    assert refused("x" * 5000 + ".yaml")[0] == "RK100"
    assert refused("")[0] == "RK129"


def test_a_file_that_is_not_utf_8_tells_the_line(tmp_path: Path) -> None:
    (tmp_path / "latin.yaml").write_bytes("a: 1\nb: é\n".encode("latin-1"))
    findings = Findings()
    assert open_source(tmp_path / "latin.yaml", findings) is None
    (found,) = findings.items
    assert found.code == "RK102"
    assert found.span is not None
    assert (found.span.line, found.span.column) == (2, 4)
    (tmp_path / "wide.yaml").write_bytes("a: 1\n".encode("utf-16"))
    assert refused(tmp_path / "wide.yaml")[0] == "RK102"


def test_a_file_over_the_limit_is_not_read_to_its_end(tmp_path: Path) -> None:
    (tmp_path / "big.yaml").write_bytes(b"a" * (MAX_BYTES + 1))
    assert refused(tmp_path / "big.yaml")[0] == "RK101"


def test_names_are_looked_up_beside_the_file_first(tmp_path: Path) -> None:
    (tmp_path / "hockey.yaml").write_text("mine: 1\n")
    (tmp_path / "trick.yaml").write_text("block: trick\n")
    shelf = Shelf(tmp_path, "here/")
    opened = shelf.ruleset("hockey", None, Findings())
    assert opened is not None
    assert (opened.source.name, opened.source.text) == ("here/hockey.yaml", "mine: 1\n")
    block = shelf.block("trick", None, Findings())
    assert block is not None
    assert block.source.name == "here/trick.yaml"
    shipped = shelf.block("turns", None, Findings())
    assert shipped is not None
    assert shipped.source.name == "rulesets/blocks/turns.yaml"


@pytest.mark.parametrize(
    "name",
    [
        "../hockey",
        "/etc/passwd",
        "a/b",
        "..",
        ".",
        "",
        "a\\b",
        "hockey.yaml",
        "~",
        "%2e%2e",
        "a\0b",
        "Hockey",
    ],
)
def test_a_name_never_leads_out_of_the_folder(tmp_path: Path, name: str) -> None:
    findings = Findings()
    assert Shelf(tmp_path).ruleset(name, None, findings) is None
    assert Shelf(tmp_path).block(name, None, findings) is None
    assert {d.code for d in findings.items} == {"RK130"}


def test_a_link_out_of_the_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "outside.yaml").write_text("secret: 1\n")
    inner = tmp_path / "inner"
    inner.mkdir()
    (inner / "linked.yaml").symlink_to(tmp_path / "outside.yaml")
    findings = Findings()
    assert Shelf(inner).ruleset("linked", None, findings) is None
    assert [d.code for d in findings.items] == ["RK130"]


def test_text_at_hand_uses_the_shipped_files() -> None:
    opened = open_text("name: x\n")
    assert opened.source.name == "<text>"
    assert opened.shelf.ruleset("hockey", None, Findings()) is not None


def test_shipped_names_are_sorted_and_there() -> None:
    assert shipped_rulesets() == sorted(shipped_rulesets())
    assert {"hockey", "hucklebuck", "sixty-six"} <= set(shipped_rulesets())
    assert {"trick", "turns", "offer"} <= set(shipped_blocks())
