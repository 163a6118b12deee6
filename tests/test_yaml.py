"""What the YAML of a rule file may hold, and what is said where it may not.

Test names that begin with YML are those of the collected cases.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from rulekit.diagnostics import Diagnostic, Findings, Severity, SourceFile
from rulekit.source.document import Mapping, Node, Scalar, Sequence
from rulekit.source.plain import to_plain
from rulekit.source.schema import check_structure
from rulekit.source.yaml import MAX_BYTES, MAX_DEPTH, read_document

RULESETS = sorted((Path(__file__).parent.parent / "rulesets").rglob("*.yaml"))


def read(text: str) -> tuple[Node | None, list[Diagnostic]]:
    findings = Findings()
    node = read_document(SourceFile("f.yaml", text), findings)
    return node, findings.sorted()


def only(text: str) -> Diagnostic:
    """The one finding about a text."""
    _, found = read(text)
    assert len(found) == 1, [str(d) for d in found]
    return found[0]


def place(found: Diagnostic) -> tuple[int, int, str]:
    assert found.span is not None
    return found.span.line, found.span.column, found.span.text


def mapping(text: str) -> Mapping:
    node, found = read(text)
    assert not found, [str(d) for d in found]
    assert isinstance(node, Mapping)
    return node


# ---------------------------------------------------------------- good documents


@pytest.mark.parametrize("path", RULESETS, ids=lambda p: p.stem)
def test_every_shipped_file_reads_without_a_finding(path: Path) -> None:
    node, found = read(path.read_text(encoding="utf-8"))
    assert node is not None
    assert found == []


def test_texts_stay_texts_whatever_yaml_1_1_makes_of_them() -> None:
    node = mapping("a: no\non: yes\nb: 010\nc: 1:30\nd: 2001-01-01\ne: off\n")
    assert [(e.key.text, e.value.text) for e in node if isinstance(e.value, Scalar)] == [
        ("a", "no"),
        ("on", "yes"),
        ("b", "010"),
        ("c", "1:30"),
        ("d", "2001-01-01"),
        ("e", "off"),
    ]


def test_ordinary_anchors_are_fine_and_keep_both_places() -> None:
    node = mapping("a: &x {is: 3}\nb: *x\n")
    first, second = node.get("a"), node.get("b")
    assert first == second
    assert first is not None
    assert first.used is None
    assert second is not None
    assert second.used is not None
    assert second.used.line == 2


def test_spans_of_keys_values_and_containers_are_exact() -> None:
    text = "a: {b: 'x y', c: [1, 2]}\nd:\n  - e\n  - f: g\n"
    node = mapping(text)
    inner = node.get("a")
    assert isinstance(inner, Mapping)
    assert inner.span.text == "{b: 'x y', c: [1, 2]}"
    quoted, listed = inner.get("b"), inner.get("c")
    assert isinstance(quoted, Scalar)
    assert isinstance(listed, Sequence)
    assert (quoted.span.text, quoted.plain, listed.span.text) == ("'x y'", False, "[1, 2]")
    block = node.get("d")
    assert isinstance(block, Sequence)
    assert block.span.text == "- e\n  - f: g"
    assert node.span.text == text.rstrip()


@pytest.mark.parametrize(
    ("text", "word", "line", "column"),
    [
        ("a: one word\n", "word", 1, 8),
        ("a: 'it''s a word'\n", "word", 1, 13),
        ('a: "tab\\t and \\u0041 word"\n', "word", 1, 22),
        ("a: folded\n   over word\n", "word", 2, 9),
        ("a: 'folded\n\n   over word'\n", "word", 3, 9),
        ('a: "cut \\\n   off word"\n', "word", 2, 8),
        ("a: |\n  lines of\n   a word\n", "word", 3, 6),
        ("a: >-\n  folded\n  word\n\n    kept\n", "word", 3, 3),
        ("a: >-\n  folded\n  one\n\n    word\n", "word", 5, 5),
        ("a: |2\n    deep word\n", "word", 2, 10),
        ("a: >\r\n  one\r\n  word\r\n", "word", 3, 3),
        ("a: &x anchored word\n", "word", 1, 16),
        ("ä: 日本 😀 word\n", "word", 1, 9),
    ],
)
def test_a_word_inside_any_kind_of_text_is_found_in_the_file(
    text: str, word: str, line: int, column: int
) -> None:
    value = mapping(text).entries[0].value
    assert isinstance(value, Scalar)
    at = value.text.index(word)
    span = value.at(at, at + len(word))
    assert (span.line, span.column, span.text) == (line, column, word)


# ---------------------------------------------------------------- the collected cases


@pytest.mark.parametrize(
    ("value", "code", "column"),
    [
        ("! hand.empty", "RK114", 7),
        ("!hand.empty", "RK114", 7),
        ("> 3", "RK113", 7),
        ("|x| 3", "RK113", 7),
        ("*", "RK113", 7),
        ("& x", "RK113", 7),
        ("%3", "RK113", 7),
        ("@x", "RK113", 7),
        ('"a" == b', "RK113", 11),
        ("- 3", "RK113", 7),
        ("{1,2}", "RK124", 8),
    ],
)
def test_YML_01_a_text_that_begins_with_a_sign_of_yaml_is_an_error_with_advice(
    value: str, code: str, column: int
) -> None:
    found = only(f"when: {value}\n")
    assert (found.code, place(found)[:2]) == (code, (1, column))
    assert found.help
    assert "quotes" in found.help or "not " in found.help


def test_YML_01_a_list_where_an_expression_is_due_is_an_error() -> None:
    text = next(path for path in RULESETS if path.name == "hockey.yaml").read_text(encoding="utf-8")
    findings = Findings()
    node = read_document(SourceFile("f", text.replace("card: hand", "card: [x for x in hand]", 1)), findings)
    assert node is not None
    check_structure(node, findings)
    assert [d.code for d in findings.items] == ["RK204"]


def test_YML_01_negation_is_never_lost_silently() -> None:
    assert only("again: ! any(hand)").help == "to negate a condition write `not any(hand)`"


def test_YML_02_a_cut_expression_is_a_warning() -> None:
    found = only("again: count(hand) #hand > 3\n")
    assert (found.code, found.severity) == ("RK125", Severity.WARNING)
    assert place(found) == (1, 20, "#hand > 3")


@pytest.mark.parametrize(
    "comment",
    [
        "# the hand is large",
        "# 1 for the last trick",
        "# half-done",
        "# A 2 3",
        "# runs for straights; the two is low there",
        "# see total (below)",
        "#",
        "# TODO",
        "# score >= 3 wins",
    ],
)
def test_YML_02_a_true_comment_is_none(comment: str) -> None:
    assert read(f"again: count(hand) {comment}\n")[1] == []


@pytest.mark.parametrize(
    ("text", "column", "quoted"),
    [
        ("when: a ? b : c\n", 13, '`"a ? b : c"`'),
        ("note: trump: hearts\n", 12, '`"trump: hearts"`'),
        ("x: {note: trump: hearts}\n", 16, '`"trump: hearts"`'),
    ],
)
def test_YML_03_a_colon_in_a_text_is_pointed_at_and_quotes_are_proposed(
    text: str, column: int, quoted: str
) -> None:
    found = only(text)
    assert (found.code, place(found)) == ("RK111", (1, column, ":"))
    assert found.help is not None
    assert quoted in found.help


def test_YML_04_duplicate_keys_cite_both_lines() -> None:
    found = only("scoring: 1\n" + "".join(f"k{i}: 1\n" for i in range(60)) + "scoring: 2\n")
    assert (found.code, found.message) == ("RK116", "`scoring` is given twice, in lines 1 and 62")
    assert [note.span.line for note in found.notes] == [1]


def test_YML_04_duplicate_keys_in_a_flow_mapping_and_in_other_spelling() -> None:
    assert only("a: {b: 1, b: 2}").code == "RK116"
    assert only('a: {10: 1, "10": 2}').code == "RK116"


def test_YML_05_words_of_yaml_1_1_are_texts_also_as_keys() -> None:
    assert to_plain(mapping("trump: no\noptions: {jokers: off}\non: draw\n")) == {
        "trump": "no",
        "options": {"jokers": "off"},
        "on": "draw",
    }


def test_YML_06_number_keys_are_texts_before_anything_validates_them() -> None:
    assert to_plain(mapping('v: {10: 10, J: 2, A: 11}\nr: [9, 10, J]\ns: "10"\n')) == {
        "v": {"10": 10, "J": 2, "A": 11},
        "r": [9, 10, "J"],
        "s": "10",
    }


@pytest.mark.parametrize("text", ["? [1]\n: 2\n", "? {a: b}\n: 2\n", "~: 2\n", "null: 2\n", "? \n: 2\n"])
def test_YML_06_keys_that_are_no_texts_are_errors(text: str) -> None:
    assert only(text).code == "RK117"


def test_YML_07_an_alias_bomb_is_refused() -> None:
    lines = ["a: &a [x, x, x, x, x, x, x, x, x]"]
    for before, name in zip("abcdefgh", "bcdefghi", strict=True):
        lines.append(f"{name}: &{name} [" + ", ".join([f"*{before}"] * 9) + "]")
    node, found = read("\n".join(lines))
    assert node is None
    assert [d.code for d in found] == ["RK122"]


@pytest.mark.parametrize("depth", [50, 200, 500, 100_000])
@pytest.mark.parametrize("opening", ["[", "{a: ", "- ", "? "])
def test_YML_08_deep_nesting_is_refused(depth: int, opening: str) -> None:
    assert only(opening * depth).code == "RK123"


def test_YML_08_the_stated_depth_itself_is_allowed() -> None:
    assert read("[" * MAX_DEPTH + "]" * MAX_DEPTH)[1] == []
    assert only("[" * (MAX_DEPTH + 1) + "]" * (MAX_DEPTH + 1)).code == "RK123"


def test_YML_08_depth_through_aliases_counts() -> None:
    deep = "[" * 30 + "x" + "]" * 30
    assert only(f"a: &a {deep}\nb: {'[' * 20}*a{']' * 20}\n").code == "RK123"


def test_YML_08_cycles_are_reported_by_line() -> None:
    found = only("a: &a\n  b: *a\n")
    assert (found.code, place(found)) == ("RK121", (2, 6, "*a"))
    assert found.notes[0].span.line == 1
    assert only("a: &a {b: &b {c: *a, d: *b}}").code == "RK121"


def test_YML_11_merge_keys_and_keys_of_ones_own_are_refused_with_the_advice_extends() -> None:
    _, found = read("a: &x {b: 1}\nc:\n  <<: *x\n  d: 2\nx-mine: 3\n")
    assert [d.code for d in found] == ["RK118", "RK119"]
    assert all(d.help is not None and "extends" in d.help for d in found)


@pytest.mark.parametrize(
    ("text", "code", "shown"),
    [
        ("a\u200b: 1\n", "RK106", "U+200B"),
        ("a:\u00a0b: 1\n", "RK106", "U+00A0"),
        ("a: b\u00a0c\n", "RK106", "U+00A0"),
        ("a: x\u2028b: 2\n", "RK105", "U+2028"),
        ("a: 'x\u0085b'\n", "RK105", "U+0085"),
        ("a: x # c\u2029b: 2\n", "RK105", "U+2029"),
        ("a: x\rb: 2\n", "RK105", "U+000D"),
        ("a: \u202ex\n", "RK103", "U+202E"),
        ("a: \x1b[31m\n", "RK103", "U+001B"),
        ('a: "\\0"\n', "RK103", "U+0000"),
        ('a: "\\u2028"\n', "RK103", "U+2028"),
    ],
)
def test_YML_13_characters_that_deceive_are_refused_with_their_code_point(
    text: str, code: str, shown: str
) -> None:
    found = only(text)
    assert found.code == code
    assert shown in found.message


def test_YML_13_quoted_prose_may_hold_a_no_break_space_and_any_script() -> None:
    assert read("title: 'Jouer\u00a0!'\ntext: Карты и 紙牌, שלום\n")[1] == []


# ---------------------------------------------------------------- slips


@pytest.mark.parametrize(
    ("text", "code", "line", "column"),
    [
        ("", "RK108", 1, 1),
        ("# only a comment\n", "RK108", 1, 1),
        ("---\n", "RK108", 1, 1),
        ("a: 1\n---\nb: 2\n", "RK109", 2, 1),
        ("a: 1\n--- # two\n", "RK109", 2, 1),
        ("%YAML 1.1\n---\na: 1\n", "RK115", 1, 1),
        ("%YAML 2.0\n---\na: 1\n", "RK115", 1, 1),
        ("%TAG ! x\n---\na: 1\n", "RK115", 1, 1),
        ("%FOO\n---\na: 1\n", "RK115", 1, 1),
        ("a: !!int 3\n", "RK114", 1, 4),
        ("a: !!map {}\n", "RK114", 1, 4),
        ("a: !q!z x\n", "RK114", 1, 4),
        ("a:\n\tb: 1\n", "RK112", 2, 1),
        ("a:\n  b: 1\n\tc: 2\n", "RK112", 3, 1),
        ("a: {\n\tb: 1}\n", "RK112", 2, 1),
        ("a: [1, 2\n", "RK131", 1, 4),
        ("a: {x: 1\nb: 2\n", "RK131", 1, 4),
        ("a: 'x\nb: c\n", "RK131", 1, 4),
        ("a: ]\n", "RK131", 1, 4),
        ("a: {b: c]\n", "RK131", 1, 4),
        ("a: *foo\n", "RK120", 1, 4),
        ("a: 1\nb\n", "RK110", 2, 1),
        ("a:\n  - x\n - y\n", "RK110", 3, 2),
        ("a: 1\n b: 2\n", "RK111", 2, 3),
        ('a: "\\q"\n', "RK132", 1, 5),
        ("a: {text: one, two, three, b: c}\n", "RK124", 1, 16),
    ],
)
def test_a_slip_is_told_at_its_place(text: str, code: str, line: int, column: int) -> None:
    found = only(text)
    assert (found.code, *place(found)[:2]) == (code, line, column)


def test_a_torn_text_is_shown_whole_in_quotes() -> None:
    found = only("a: {text: one, two, three, b: c}\n")
    assert found.help == 'put the whole text in quotes: `"one, two, three"`'


def test_a_file_over_one_mebibyte_is_refused() -> None:
    assert only("a: " + "x" * MAX_BYTES).code == "RK101"
    assert only("a: " + "é" * (MAX_BYTES // 2)).code == "RK101"


def test_no_message_speaks_the_parsers_language() -> None:
    texts = [
        "a: b: c",
        "a: [",
        "a: > 3",
        "- a\nb: 1",
        "a: 'x",
        "a: @",
        'a: "\\xZZ"',
        "a: |\n  b\n c",
        "? a\n? b: c",
    ]
    for text in texts:
        for found in read(text)[1]:
            said = f"{found.message} {found.expected} {found.help}".lower()
            assert not any(
                word in said for word in ("block mapping", "token", "scalar", "simple key", "scanning")
            )


def test_only_the_yaml_of_version_1_2_may_be_asked_for() -> None:
    assert read("%YAML 1.2\n---\na: 1\n")[1] == []
