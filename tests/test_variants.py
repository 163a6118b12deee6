"""Variants: extends, new defaults, fixed options, and parts changed, added and removed by path."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rulekit.diagnostics import Diagnostic, Findings
from rulekit.source.document import Mapping, Scalar
from rulekit.source.load import open_source
from rulekit.source.paths import find
from rulekit.source.plain import to_plain
from rulekit.source.variants import load_document

BASE = """\
rulekit: "1"
name: base
title: Base
text: The base.
sources: [a book]
players: 2
options:
  target: {is: 1..21 = 7, text: Points that win.}
  duty: follow | win = follow
deck: standard
card:
  points: {A: 11, else: 0}
zones:
  stock: pile seen by nobody
  hand: set per player seen by owner
state:
  dealer: player
define:
  size: 6
  mate(card c): hand where rank == rank of c
play:
  - do set_up
  - do round
phases:
  round:
    state: {leader: player = dealer}
    do: [ask leader: [lead]]
  set_up:
    - shuffle deck into stock
    - deal size to hand
moves:
  lead:
    choose:
      card:
        - follow suit: hand where suit == hearts
        - any card. really: hand
    if: {it is early: true, it is late: false}
    do: [move card to stock]
  pass: {do: []}
end: {ranking: highest count(hand)}
examples:
  - title: All cards
    then: [count(deck) == 52]
"""


@pytest.fixture
def shelf(tmp_path: Path) -> Path:
    (tmp_path / "base.yaml").write_text(BASE)
    return tmp_path


def load(
    folder: Path, body: str, name: str = "v", extends: str = "base"
) -> tuple[Mapping | None, list[Diagnostic]]:
    text = f'rulekit: "1"\nname: {name}\ntitle: Variant\nextends: {extends}\n{body}'
    (folder / f"{name}.yaml").write_text(text)
    findings = Findings()
    opened = open_source(folder / f"{name}.yaml", findings)
    assert opened is not None
    return load_document(opened, findings), findings.sorted()


def whole(folder: Path, body: str) -> Any:
    node, found = load(folder, body)
    assert found == [], [str(d) for d in found]
    assert node is not None
    return to_plain(node)


def faults(folder: Path, body: str) -> list[tuple[str, str]]:
    return [(d.code, d.span.text if d.span else "") for d in load(folder, body)[1]]


# ---------------------------------------------------------------- what comes out


def test_a_variant_without_differences_is_its_base_under_another_name(shelf: Path) -> None:
    result = whole(shelf, "")
    assert (result["name"], result["title"], result["text"]) == ("v", "Variant", "The base.")
    assert result["moves"]["pass"] == {"do": []}
    assert "extends" not in result


def test_examples_are_not_inherited_and_sources_are_added(shelf: Path) -> None:
    assert "examples" not in whole(shelf, "")
    text = 'rulekit: "1"\nname: v\ntitle: V\ntext: Mine.\nsources: [another book, a book]\nextends: base\n'
    (shelf / "v.yaml").write_text(text)
    opened = open_source(shelf / "v.yaml", Findings())
    assert opened is not None
    node = load_document(opened, Findings())
    assert node is not None
    plain: Any = to_plain(node)
    assert (plain["text"], plain["sources"]) == ("Mine.", ["a book", "another book"])


def test_new_defaults_keep_type_and_text(shelf: Path) -> None:
    options = whole(shelf, "options: {target: 11, duty: win}\n")["options"]
    assert options == {
        "target": {"is": "1..21 = 11", "text": "Points that win."},
        "duty": "follow | win = win",
    }


def test_a_new_default_is_blamed_in_the_variant(shelf: Path) -> None:
    node, _ = load(shelf, "options:\n  duty: never\n")
    assert node is not None
    options = node.get("options")
    assert isinstance(options, Mapping)
    duty = options.get("duty")
    assert isinstance(duty, Scalar)
    at = duty.text.index("never")
    span = duty.at(at, at + 5)
    assert (Path(span.file).name, span.line, span.text) == ("v.yaml", 6, "never")


def test_fixed_options_stay_in_the_result(shelf: Path) -> None:
    assert whole(shelf, "fix: [duty]\n")["fix"] == ["duty"]


def test_change_replaces_by_path_and_keeps_the_place(shelf: Path) -> None:
    body = """\
change:
  moves.lead.do: [do round]
  moves.lead.choose.card.follow suit: hand
  moves.lead.if.it is late: true
  define.mate: hand
  card.points: {A: 1, else: 0}
  phases.round.state.leader: player
  phases.set_up.do: [deal 5 to hand]
  players: 3
"""
    result = whole(shelf, body)
    lead = result["moves"]["lead"]
    assert lead["do"] == ["do round"]
    assert lead["choose"]["card"] == [{"follow suit": "hand"}, {"any card. really": "hand"}]
    assert lead["if"] == {"it is early": True, "it is late": True}
    assert result["define"] == {"size": 6, "mate(card c)": "hand"}
    assert result["phases"] == {"round": {"state": {"leader": "player"}, "do": [{"ask leader": ["lead"]}]},
                                "set_up": ["deal 5 to hand"]}  # fmt: skip
    assert list(result).index("players") < list(result).index("options")


def test_change_may_restate_parameters(shelf: Path) -> None:
    assert "mate(card d)" in whole(shelf, "change:\n  define.mate(card d): hand - d\n")["define"]


def test_a_label_may_hold_a_dot(shelf: Path) -> None:
    result = whole(shelf, "remove: [moves.lead.choose.card.any card. really]\n")
    assert result["moves"]["lead"]["choose"]["card"] == [{"follow suit": "hand where suit == hearts"}]


def test_add_puts_parts_where_they_belong(shelf: Path) -> None:
    body = """\
add:
  moves.pass.text: Pass.
  moves.pass.if.your turn. now: true
  moves.lead.choose.card.hearts first: {before: any card. really, is: hand}
  moves.knock: {after: lead, do: []}
  phases.set_up.state.cut: bool
  phases.round.after: [do set_up]
  words.strain: clubs hearts
  options.extra: {is: bool = false, text: More., before: duty}
  options.duty.text: What one must do.
  requires: extra or duty == win
"""
    result = whole(shelf, body)
    assert result["moves"]["pass"] == {"text": "Pass.", "if": {"your turn. now": True}, "do": []}
    assert list(result["moves"]["pass"]) == ["text", "if", "do"]
    card = result["moves"]["lead"]["choose"]["card"]
    assert [next(iter(item)) for item in card] == ["follow suit", "hearts first", "any card. really"]
    assert list(result["moves"]) == ["lead", "knock", "pass"]
    assert result["phases"]["set_up"]["state"] == {"cut": "bool"}
    assert result["phases"]["set_up"]["do"] == ["shuffle deck into stock", "deal size to hand"]
    assert result["phases"]["round"]["after"] == ["do set_up"]
    assert list(result["options"]) == ["target", "extra", "duty"]
    assert result["options"]["duty"]["text"] == "What one must do."
    keys = list(result)
    assert keys.index("options") < keys.index("requires") < keys.index("deck") < keys.index("words")


def test_removing_the_last_entry_removes_the_mapping(shelf: Path) -> None:
    gone = "moves.lead.if.it is early, moves.lead.if.it is late, phases.round.state.leader"
    result = whole(shelf, f"remove: [{gone}]\nchange: {{phases.round.do: [do set_up]}}\n")
    assert "if" not in result["moves"]["lead"]
    assert "state" not in result["phases"]["round"]


def test_every_part_knows_the_file_it_came_from(shelf: Path) -> None:
    node, _ = load(shelf, "change:\n  define.size: 5\n")
    assert node is not None
    changed, kept = find(node, "define.size").node, find(node, "define.mate").node
    assert Path(changed.span.file).name == "v.yaml"
    assert Path(kept.span.file).name == "base.yaml"


def test_faults_of_the_result_are_told_in_the_variant(shelf: Path) -> None:
    _, found = load(shelf, "change:\n  moves.lead.do: move card to stock\n")
    assert [(d.code, d.span and Path(d.span.file).name, d.span and d.span.line) for d in found] == [
        ("RK204", "v.yaml", 6)
    ]


def test_variants_of_variants_up_to_three(shelf: Path) -> None:
    assert load(shelf, "options: {target: 8}\n", "a")[1] == []
    assert load(shelf, "options: {target: 9}\n", "b", "a")[1] == []
    node, found = load(shelf, "", "c", "b")
    assert found == []
    assert node is not None
    assert find(node, "options.target.is").node.span.text == "9"
    _, found = load(shelf, "", "d", "c")
    assert [d.code for d in found] == ["RK752"]


# ---------------------------------------------------------------- what is refused


@pytest.mark.parametrize(
    ("body", "code", "at"),
    [
        ("options: {targte: 3}\n", "RK758", "targte"),
        ("fix: [dutty]\n", "RK758", "dutty"),
        ("options: {duty: follow}\n", "RK755", "follow"),
        ("change:\n  define.size: 6\n", "RK755", "define.size"),
        ("change:\n  moves.laed.do: []\n", "RK753", "laed"),
        ("change:\n  moves.lead.dooo: []\n", "RK753", "dooo"),
        ("change:\n  moves.lead.choose.card.follow siut: hand\n", "RK753", "follow siut"),
        ("remove: [moves.knock]\n", "RK753", "knock"),
        ("change:\n  play.round: []\n", "RK753", "round"),
        ("add:\n  moves.knock.if.so: true\n", "RK753", "knock"),
        ("add:\n  moves.pass: {do: []}\n", "RK754", "moves.pass"),
        ("add:\n  define.mate(player p): hand\n", "RK754", "define.mate(player p)"),
        ("change:\n  tilte: x\n", "RK756", "tilte"),
        ("change:\n  title: x\n", "RK756", "title"),
        ("change:\n  examples: []\n", "RK756", "examples"),
        ("add:\n  moves.pass.what: x\n", "RK756", "moves.pass.what"),
        ("add:\n  play.more: [do round]\n", "RK756", "play.more"),
        ("remove: [phases.set_up.do]\n", "RK756", "phases.set_up.do"),
        ("add:\n  moves.knock: {after: leed, do: []}\n", "RK757", "leed"),
        ("add:\n  moves.knock: {after: lead, before: pass, do: []}\n", "RK757", "before"),
        ("change:\n  moves.lead.do: [do round]\n  moves.lead: {do: []}\n", "RK759", "moves.lead"),
        ("change:\n  moves.pass.do: [do round]\nremove: [moves.pass]\n", "RK759", "moves.pass.do"),
        ("add:\n  moves.pass: {do: []}\nremove: [moves.pass]\n", "RK759", "moves.pass"),
        ("moves: {knock: {do: []}}\n", "RK213", "moves"),
    ],
)
def test_a_patch_that_does_not_fit_is_told_at_its_word(shelf: Path, body: str, code: str, at: str) -> None:
    assert (code, at) in faults(shelf, body)
    assert len(faults(shelf, body)) == 1


def test_a_missing_base_a_circle_and_a_broken_base(shelf: Path) -> None:
    assert [d.code for d in load(shelf, "", extends="bsae")[1]] == ["RK129"]
    assert [d.code for d in load(shelf, "", extends="../base")[1]] == ["RK130"]
    assert [d.code for d in load(shelf, "", extends="v")[1]] == ["RK751"]
    load(shelf, "", "a", "b")
    assert [d.code for d in load(shelf, "", "b", "a")[1]] == ["RK751"]
    (shelf / "base.yaml").write_text(BASE.replace("deck: standard", "dekc: standard"))
    _, found = load(shelf, "")
    assert sorted(d.code for d in found) == ["RK201", "RK750"]
    assert {Path(d.span.file).name for d in found if d.span} == {"base.yaml", "v.yaml"}


def test_what_a_base_has_fixed_is_closed_for_its_variants(shelf: Path) -> None:
    assert load(shelf, "fix: [duty]\n", "a")[1] == []
    for body, at in (
        ("options: {duty: win}\n", "duty"),
        ("change:\n  options.duty: bool\n", "options.duty"),
        ("add:\n  options.duty.text: What one must do.\n", "options.duty.text"),
        ("remove: [options.duty]\n", "options.duty"),
    ):
        _, found = load(shelf, body, "b", "a")
        assert [(d.code, d.span and d.span.text) for d in found] == [("RK761", at)]
    _, found = load(shelf, "fix: [duty, target]\n", "b", "a")
    assert [(d.code, d.span and d.span.text) for d in found] == [("RK755", "duty")]
    node, found = load(shelf, "fix: [target]\n", "b", "a")
    assert found == []
    assert node is not None
    assert to_plain(node)["fix"] == ["duty", "target"]


def test_a_variant_of_too_many_parts_is_refused(shelf: Path) -> None:
    many = "".join(f"  state.x{number}: bool\n" for number in range(501))
    assert [code for code, _ in faults(shelf, "add:\n" + many)] == ["RK760"]


def test_a_base_that_is_a_link_out_of_the_folder_is_refused(shelf: Path) -> None:
    inner = shelf / "inner"
    inner.mkdir()
    (inner / "base.yaml").symlink_to(shelf / "base.yaml")
    assert [d.code for d in load(inner, "")[1]] == ["RK130"]


def test_the_order_of_differences_is_free(shelf: Path) -> None:
    assert faults(shelf, "add: {state.x: bool}\nremove: [moves.pass]\nchange: {define.size: 5}\n") == []
    assert [code for code, _ in faults(shelf, "change: {define.size: 5}\noptions: {target: 8}\n")] == [
        "RK203"
    ]


def test_a_ruleset_in_a_file_of_another_name_is_a_warning(shelf: Path) -> None:
    (shelf / "other.yaml").write_text(BASE)
    findings = Findings()
    opened = open_source(shelf / "other.yaml", findings)
    assert opened is not None
    assert load_document(opened, findings) is not None
    assert [(d.code, d.span and d.span.text) for d in findings.items] == [("RK214", "base")]
    assert not findings.has_errors
