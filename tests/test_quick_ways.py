"""The quick ways of reading say what the slow ones say, which alone tell what is wrong."""

from __future__ import annotations

import dataclasses
import random
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from syntax_strategies import texts

from rulekit.diagnostics import Findings, SourceFile
from rulekit.game import loading
from rulekit.game.loading import validate
from rulekit.language import grammar
from rulekit.language.building import NotWhole, TooDeep
from rulekit.language.heard import WORDS, listening
from rulekit.language.quick import Quick
from rulekit.source import schema, shape
from rulekit.source.document import Scalar
from rulekit.source.load import data_folder, shipped_rulesets
from rulekit.source.plain import Plain, to_plain
from rulekit.source.yaml import read_document

# ---------------------------------------------------------------- parsing


def scalar_of(text: str) -> Scalar:
    return Scalar(text, SourceFile("x", text).span(0, len(text)), True, range(len(text) + 1))


def told(node: Any) -> Any:
    """All of a tree, with the places, which do not count when trees are compared."""
    if dataclasses.is_dataclass(node):
        inner = {field.name: told(getattr(node, field.name)) for field in dataclasses.fields(node)}
        return (type(node).__name__, inner)
    if isinstance(node, tuple):
        return tuple(told(item) for item in node)
    return str(node) if isinstance(node, str) else node


def both(form: str, text: str) -> tuple[Any, Any]:
    """What the quick way and lark give: a tree, None for a refusal, or what else is raised."""
    lark, way, builder = grammar._machine()
    assert way is not None
    builder.scalar = scalar_of(text)
    found: list[Any] = []
    for parse in (lambda: way.parse(text, form), lambda: lark.parse(text, start=form)):
        try:
            part = parse()
            found.append(None if part is None else told(part.node))
        except (TooDeep, NotWhole) as raised:
            found.append((type(raised).__name__, str(raised)))
        except Exception:
            found.append(None)
    return found[0], found[1]


def told_without_source(found: Any) -> str:
    return re.sub(r"SourceFile\(name='x'\)", "", repr(found))


@pytest.mark.parametrize("name", ["sixty-six", "tichu", "canasta", "cribbage", "bridge", "klondike"])
def test_every_text_of_a_ruleset_takes_the_quick_way_to_the_same_tree(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loading, "_PROGRAMS", {})  # else what is known already is not read again
    monkeypatch.setattr(loading, "_KEPT", {})
    with listening() as heard:
        validate(name)
    texts = {(form, scalar.text) for form, scalar in heard if form != WORDS}
    assert len(texts) > 50
    for form, text in sorted(texts):
        quick, slow = both(form, text)
        assert quick is not None
        assert told_without_source(quick) == told_without_source(slow), text


SOME_WORDS = """
    if then else where or and not in is beats as best tail from outside inside starting of by none true false
    let move deal to with for repeat until ask up down times per seen set pile piles cards card same each at
    most least hand p x 1 10H AS == = += - -= // .. ( ) ; ? | <= < e if_x handX 2d é orb #
"""
WORDS_OF_THE_LANGUAGE = [*SOME_WORDS.split(), "at most", "at  least", "up to", "\t", "\n"]


@given(
    st.sampled_from(grammar.FORMS), st.lists(st.sampled_from(WORDS_OF_THE_LANGUAGE), max_size=9), st.data()
)
def test_random_words_go_no_other_way(form: str, words: list[str], data: st.DataObject) -> None:
    text = "".join(word + data.draw(st.sampled_from(["", " ", " "])) for word in words)
    quick, slow = both(form, text)
    assert quick is None or told_without_source(quick) == told_without_source(slow)


@given(st.sampled_from(grammar.FORMS), texts)
def test_random_texts_go_no_other_way(form: str, text: str) -> None:
    quick, slow = both(form, text)
    assert quick is None or told_without_source(quick) == told_without_source(slow)


def test_a_grammar_of_another_kind_has_no_quick_way() -> None:
    import lark

    for more in ('WORD: "word"i', "X.2: /[0-9]x/", "NUMBER: /[0-9]+/"):
        name = more.partition(":")[0].partition(".")[0]
        assert Quick.of(lark.Lark(f"start: {name}\n{more}", parser="lalr")) is None


# ---------------------------------------------------------------- structure


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


def test_all_shipped_rulesets_pass_the_quick_look(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(schema, "_validator", lambda kind: pytest.fail("jsonschema was asked"))
    for name in shipped_rulesets()[:12]:
        assert validate(name) == []


def test_a_keyword_not_known_is_for_jsonschema_alone() -> None:
    assert shape.check_of({"type": "string", "format": "email"}) is None
    assert shape.check_of({"oneOf": [{"type": "string"}]}) is None
    check = shape.check_of({"enum": [1, "a"]})
    assert check is not None
    assert [check(value) for value in (1, True, "a", "1", [])] == [True, False, True, False, False]
