"""The quick look at the structure of a file says what jsonschema says, which alone tells what is wrong."""

from __future__ import annotations

import random
from typing import Any

import pytest

from rulekit.diagnostics import Findings, SourceFile
from rulekit.game import loading
from rulekit.game.loading import validate
from rulekit.source import schema, shape
from rulekit.source.load import data_folder, shipped_rulesets
from rulekit.source.plain import Plain, to_plain
from rulekit.source.yaml import read_document


def plain_of(name: str) -> Plain:
    text = (data_folder("rulesets") / f"{name}.yaml").read_text("utf-8")
    node = read_document(SourceFile(name, text), Findings())
    assert node is not None
    return to_plain(node)


def changed(part: Any, choose: random.Random) -> Any:
    """Plain data with one of its parts changed."""
    if isinstance(part, dict) and part and choose.random() < 0.9:
        key = choose.choice(list(part))
        match choose.randrange(6):
            case 0:
                return {k: v for k, v in part.items() if k != key}
            case 1:
                return {**part, choose.choice(["x", "A B", f"{key}s", "if x", "1"]): part[key]}
            case _:
                return {k: changed(v, choose) if k == key else v for k, v in part.items()}
    if isinstance(part, list) and part and choose.random() < 0.9:
        place = choose.randrange(len(part))
        return [changed(item, choose) if i == place else item for i, item in enumerate(part)]
    return choose.choice(["", "x", "A-B", 0, -1, True, [], {}, ["x"], {"is": "x"}, {"if a": [], "else": []}])


@pytest.mark.parametrize("name", ["sixty-six", "omnibus-hearts", "klondike"])
def test_the_quick_look_at_the_structure_says_what_jsonschema_says(name: str) -> None:
    data, choose = plain_of(name), random.Random(7)
    kind: schema.Kind = "variant" if name == "omnibus-hearts" else "ruleset"
    judge = schema._validator(kind)
    assert schema.fits(data, kind)
    wrong = 0
    for _ in range(150):
        one = changed(data, choose)
        assert schema.fits(one, kind) is judge.is_valid(one), one
        wrong += not judge.is_valid(one)
    assert 50 < wrong < 150


def test_right_files_are_not_shown_to_jsonschema(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loading, "_PROGRAMS", {})  # else what is known already is not read again
    monkeypatch.setattr(schema, "_validator", lambda kind: pytest.fail("jsonschema was asked"))
    for name in shipped_rulesets()[:12]:
        assert validate(name) == []


def test_a_keyword_not_known_is_for_jsonschema_alone() -> None:
    assert shape.check_of({"type": "string", "format": "email"}) is None
    assert shape.check_of({"oneOf": [{"type": "string"}]}) is None
    check = shape.check_of({"enum": [1, "a"]})
    assert check is not None
    assert [check(value) for value in (1, True, "a", "1", [])] == [True, False, True, False, False]
