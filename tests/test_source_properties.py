"""Properties of reading and writing: nothing raises, each character is found again, nothing is lost."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulekit.diagnostics import Findings, SourceFile
from rulekit.diagnostics.render import render_text
from rulekit.source.document import Entry, Mapping, Node, Scalar, Sequence
from rulekit.source.load import open_source, open_text
from rulekit.source.paths import same_texts
from rulekit.source.variants import load_document
from rulekit.source.write import to_yaml
from rulekit.source.yaml import read_document

RULESETS = sorted(
    path
    for path in (Path(__file__).parent.parent / "rulesets").rglob("*.yaml")
    if "locale" not in path.parts  # translations are no rules
)
TEXTS = [path.read_text(encoding="utf-8") for path in RULESETS]


def scalars(node: Node) -> list[Scalar]:
    if isinstance(node, Scalar):
        return [node]
    if isinstance(node, Sequence):
        return [s for item in node for s in scalars(item)]
    return [s for entry in node for s in (entry.key, *scalars(entry.value))]


def load(text: str) -> tuple[Mapping | None, Findings]:
    findings = Findings()
    node = load_document(open_text(text), findings)
    for found in findings.items:
        assert found.span is not None
        assert 0 <= found.span.start <= found.span.end <= len(found.span.source.text)
        assert found.message[:1] in "`'" or not found.message[:1].isupper() or found.message[:1].isdigit()
        assert not found.message.endswith(".") or found.message.endswith("...")
    assert node is not None or findings.items
    return node, findings


def check_offsets(node: Node) -> None:
    for scalar in scalars(node):
        text, places = scalar.text, scalar.offsets
        assert len(places) == len(text) + 1
        assert all(a <= b for a, b in pairwise(places))
        raw = scalar.span.source.text
        if scalar.plain and scalar.span.text == text:
            assert "".join(raw[i] for i in places[:-1]) == text
        # Letters always come from themselves, or from an escape.
        for character, place in zip(text, places, strict=False):
            if character.isalnum():
                assert raw[place] in (character, "\\")


SIGNS = st.sampled_from(
    [*"abz019 \n\n  -:#,[]{}&*!|>'\"%@`?\\\t\r\u00a0\u2028\u200bäс", "- ", ": ", "  ", "x: "]
)


@given(st.lists(SIGNS, max_size=60).map("".join))
@settings(max_examples=400, deadline=None)
def test_any_text_becomes_findings_and_never_an_exception(text: str) -> None:
    load(text)
    findings = Findings()
    node = read_document(SourceFile("f", text), findings)
    if node is not None and not findings.has_errors:
        check_offsets(node)


@given(st.binary(max_size=200))
@settings(max_examples=100, deadline=None)
def test_any_bytes_become_findings(tmp_path_factory: object, data: bytes) -> None:
    path = _folder(tmp_path_factory) / "bytes.yaml"
    path.write_bytes(data)
    findings = Findings()
    opened = open_source(path, findings)
    if opened is not None:
        load_document(opened, findings)


def _folder(factory: object) -> Path:
    folder = factory.getbasetemp()  # type: ignore[attr-defined]
    assert isinstance(folder, Path)
    return folder


@given(st.data())
@settings(max_examples=150, deadline=None)
def test_a_mutated_ruleset_becomes_findings(data: st.DataObject) -> None:
    text = data.draw(st.sampled_from(TEXTS))
    for _ in range(data.draw(st.integers(1, 3))):
        start = data.draw(st.integers(0, len(text)))
        length = data.draw(st.integers(0, 6))
        text = (
            text[:start]
            + data.draw(st.one_of(st.just(""), SIGNS, st.text(max_size=3)))
            + text[start + length :]
        )
    load(text)


@given(st.data())
@settings(max_examples=150, deadline=None)
def test_swapped_and_dropped_lines_become_findings(data: st.DataObject) -> None:
    lines = data.draw(st.sampled_from(TEXTS)).split("\n")
    for _ in range(data.draw(st.integers(1, 3))):
        one, other = (data.draw(st.integers(0, len(lines) - 1)) for _ in range(2))
        lines[one], lines[other] = lines[other], lines[one] if data.draw(st.booleans()) else ""
    load("\n".join(lines))


WORDS = st.text(st.sampled_from("abcz 019_:#,-'\"[]{}&*!|>%@?\\\n\té日.~"), max_size=12)
SOURCE = SourceFile("made", "")


def scalar(text: str) -> Scalar:
    return Scalar(text, SOURCE.span(0, 0))


def mapping(pairs: dict[str, Node]) -> Mapping:
    return Mapping(tuple(Entry(scalar(key), value) for key, value in pairs.items()), SOURCE.span(0, 0))


def sequence(items: list[Node]) -> Sequence:
    return Sequence(tuple(items), SOURCE.span(0, 0))


KEYS = WORDS.filter(lambda key: key not in ("", "<<") and not key.startswith("x-"))
NODES: st.SearchStrategy[Node] = st.recursive(
    WORDS.map(scalar),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4).map(sequence), st.dictionaries(KEYS, inner, max_size=4).map(mapping)
    ),
    max_leaves=12,
)


@given(st.dictionaries(KEYS, NODES, min_size=1, max_size=5).map(mapping))
@settings(max_examples=400, deadline=None)
def test_what_is_written_is_read_back(node: Mapping) -> None:
    findings = Findings()
    text = to_yaml(node)
    back = read_document(SourceFile("written", text), findings)
    assert [d for d in findings.items if d.code != "RK125"] == []
    assert back is not None
    assert same_texts(node, back), text
    check_offsets(back)


def test_shipped_files_are_written_and_read_back() -> None:
    for path, text in zip(RULESETS, TEXTS, strict=True):
        node = read_document(SourceFile(path.name, text), Findings())
        assert node is not None
        check_offsets(node)
        findings = Findings()
        back = read_document(SourceFile("written", to_yaml(node)), findings)
        assert findings.items == []
        assert back is not None
        assert same_texts(node, back)


def test_a_ruleset_is_written_in_the_style_of_the_house() -> None:
    text = (
        'rulekit: "1"\n'
        "name: x\n"
        "options:\n"
        '  target: {is: 1..21 = 7, text: "Points, to win."}\n'
        "play:\n"
        "  - until any(players where game >= target):\n"
        "      - do round\n"
        "      - if a: [do x]\n"
        "        else: [do y]\n"
        "moves:\n"
        "  lead: {choose: {card: hand}, do: [move card to trick]}\n"
        "end: {ranking: highest game}\n"
    )
    node = read_document(SourceFile("f", text), Findings())
    assert node is not None
    assert to_yaml(node) == text


@pytest.mark.parametrize(
    "text",
    [
        "a: 1\n" * 20_000,
        "".join(f"k{i}: 1\n" for i in range(20_000)),
        'rulekit: "1"\nplay:\n' + "  - {dael: 5}\n" * 10_000,
        "a: [" + "x\u00a0," * 20_000 + "]",
        'a: "' + "\\x01" * 100_000 + '"',
        "a: b " + "#x > y " * 50_000,
        "a: [" + '"x\n\ty",\n' * 10_000 + "]",
        "".join(f"a{i}: &a{i} [x]\n" for i in range(20_000)),
        'rulekit: "1"\nname: a\ntitle: a\nextends: hockey\nadd:\n'
        + "".join(f"  define.a{i}: 1\n" for i in range(5_000)),
    ],
    ids=lambda text: text[:12],
)
def test_work_grows_with_the_file_and_not_with_its_square(text: str) -> None:
    _, findings = load(text)
    assert findings.items
    assert render_text(findings.sorted()[:50])
