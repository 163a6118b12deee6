"""The structure of rule files: the schema, and what is said where a file does not fit it."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft7Validator

from rulekit.diagnostics import Diagnostic, Findings, SourceFile
from rulekit.source.document import Entry, Mapping, Node, Sequence
from rulekit.source.schema import check_structure, read_schema
from rulekit.source.yaml import read_document

RULESETS = sorted(
    path
    for path in (Path(__file__).parent.parent / "rulesets").rglob("*.yaml")
    if "locale" not in path.parts  # translations are no rules
)
MINIMAL = """\
rulekit: "1"
name: high-card
title: High Card
players: 2
deck: standard
zones:
  stock: pile seen by nobody
  hand: set per player seen by owner
play:
  - shuffle deck into stock
  - STEP
moves:
  play: {text: Play a card., choose: {card: hand}, do: [move card to stock]}
end: {ranking: highest score}
"""


def check(text: str) -> list[Diagnostic]:
    findings = Findings()
    node = read_document(SourceFile("f.yaml", text), findings)
    assert node is not None, [str(d) for d in findings.items]
    check_structure(node, findings)
    return findings.sorted()


def step(text: str) -> list[Diagnostic]:
    return check(MINIMAL.replace("STEP", text))


def with_line(old: str, new: str) -> list[Diagnostic]:
    assert old in MINIMAL
    return check(MINIMAL.replace("STEP", "do x").replace(old, new))


def brief(found: list[Diagnostic]) -> list[tuple[str, str, str]]:
    return [(d.code, d.span.text if d.span else "", d.message) for d in found]


# ---------------------------------------------------------------- the schemas themselves


@pytest.mark.parametrize("name", ["ruleset", "block"])
def test_the_schema_is_valid_draft_07(name: str) -> None:
    Draft7Validator.check_schema(read_schema(name))


def keys_without_help(schema: Any, path: str = "") -> Iterator[str]:
    if isinstance(schema, list):
        for item in schema:
            yield from keys_without_help(item, path)
    if not isinstance(schema, dict):
        return
    for group in ("properties", "patternProperties"):
        for key, value in schema.get(group, {}).items():
            if "description" not in value and "$ref" not in value:
                yield f"{path}/{key}"
    for key, value in schema.items():
        yield from keys_without_help(value, f"{path}/{key}")


@pytest.mark.parametrize("name", ["ruleset", "block"])
def test_every_key_has_help_for_the_editor(name: str) -> None:
    schema = read_schema(name)
    assert list(keys_without_help(schema)) == []
    assert all("description" in part for part in schema.get("definitions", {}).values())


@pytest.mark.parametrize("name", ["ruleset", "block"])
def test_no_union_of_schemas_is_used_whose_errors_say_nothing(name: str) -> None:
    text = str(read_schema(name))
    assert "oneOf" not in text
    assert "anyOf" not in text


@pytest.mark.parametrize("path", RULESETS, ids=lambda p: p.stem)
def test_every_shipped_file_fits(path: Path) -> None:
    assert check(path.read_text(encoding="utf-8")) == []


# ---------------------------------------------------------------- VAL


def test_VAL_01_unknown_statement() -> None:
    (found,) = step("{dael: 5}")
    assert (found.code, found.message, found.suggestion) == ("RK205", "unknown statement `dael`", "deal")
    assert found.span is not None
    assert (found.span.line, found.span.text) == (11, "dael")


def test_VAL_01_wrong_type() -> None:
    (found,) = step("{deal: five}")
    assert found.code == "RK205"
    assert "begins a sentence" in found.message
    (found,) = step("{if any(hand): do x}")
    assert (found.code, found.message, found.expected) == (
        "RK204",
        "`if any(hand)` is a text",
        "a list of statements",
    )


def test_VAL_01_two_kinds_in_one_item() -> None:
    (found,) = step("{deal: 5, play: x}")
    assert (found.code, found.message) == ("RK206", "two statements in one list entry: `deal` and `play`")


def test_VAL_01_empty_item() -> None:
    (found,) = step("{}")
    assert found.code == "RK207"
    (found,) = step("")
    assert found.code == "RK211"


def test_VAL_02_places_in_a_long_file_and_through_aliases() -> None:
    long = "".join(f"  fact_{i}: {i}\n" for i in range(400))
    text = MINIMAL.replace("STEP", "do x").replace(
        "zones:", f"card:\n{long}  odd: &odd {{is: 1, txt: x}}\n  also: *odd\nzones:"
    )
    (found,) = check(text)
    assert found.span is not None
    assert (found.code, found.span.line, found.span.text) == ("RK201", 407, "txt")
    assert [note.span.line for note in found.notes] == [408]


STRUCTURE = {
    "players", "teams", "options", "deck", "words", "orders", "card", "patterns", "zones", "state", "define",
    "play", "phases", "moves", "end", "examples", "title", "family", "sources", "rulekit", "name", "extends",
    "change", "remove", "text", "choose", "again", "after", "stop when", "ranking", "payoff", "given",
    "when", "then", "allowed", "refused", "result", "block", "slots", "needs", "fix",
}  # fmt: skip


def structural_keys(node: Node, trail: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Entry]]:
    """Keys of the language itself, not names given by the author."""
    if isinstance(node, Mapping):
        for entry in node:
            named = trail[-1:] and trail[-1] in (
                "options", "state", "zones", "define", "card", "moves", "phases", "words", "orders",
                "patterns", "slots", "needs", "gives", "given", "allowed", "refused", "if", "choose",
            )  # fmt: skip
            if entry.key.text in STRUCTURE and not named and "play" not in trail and "do" not in trail:
                yield trail, entry
            if entry.key.text not in ("add", "change"):  # told by paths; checked once they are applied
                yield from structural_keys(entry.value, (*trail, entry.key.text))
    elif isinstance(node, Sequence):
        for item in node:
            yield from structural_keys(item, (*trail, "-"))


def misspelt(word: str, rng: random.Random) -> str:
    """Another word at edit distance one."""
    at = rng.randrange(len(word))
    letter = rng.choice("abcdefghijklmnopqrstuvwxyz")
    return rng.choice(
        [word[:at] + word[at + 1 :], word[:at] + letter + word[at:], word[:at] + letter + word[at + 1 :]]
    )


def test_VAL_03_every_misspelt_key_is_found_and_most_are_put_right() -> None:
    rng = random.Random(3)
    tried = right = 0
    seen: set[tuple[str, str]] = set()  # the same key in the same place is tried once
    for path in RULESETS:
        text = path.read_text(encoding="utf-8")
        node = read_document(SourceFile(path.name, text), Findings())
        assert node is not None
        for trail, entry in structural_keys(node):
            word = entry.key.text
            kind = (trail[-1] if trail else "", word)
            wrong = misspelt(word, rng)
            if kind in seen or wrong == word or wrong in STRUCTURE:
                continue
            seen.add(kind)
            span = entry.key.span
            found = check(text[: span.start] + wrong + text[span.end :])
            assert found, f"{path.name}: `{wrong}` for `{word}` in {trail}"
            if word in ("extends", "block"):  # these tell what kind of file it is
                continue
            tried += 1
            right += any(d.suggestion == word for d in found)
    assert tried > 50
    assert right / tried >= 0.95


# ---------------------------------------------------------------- the rest of the structure


@pytest.mark.parametrize(
    ("old", "new", "code", "at"),
    [
        ("players: 2", "players: 2-4", "RK209", "2-4"),
        ("players: 2", "players: [2, 4]", "RK204", "[2, 4]"),
        ("players: 2", "players:", "RK211", "players"),
        ("name: high-card", "name: High Card", "RK208", "High Card"),
        ('rulekit: "1"', "rulekit: 2", "RK210", "2"),
        ("title: High Card\n", "", "RK202", "rulekit"),
        ("end: {", "end: {limits: 3, ", "RK201", "limits"),
        ("  stock:", "  Stock:", "RK208", "Stock"),
        ("do: [move card to stock]", "do: []", "", ""),
        ("do: [move card to stock]", "did: []", "RK201", "did"),
        ("choose: {card: hand}", "choose: {card: [hand]}", "RK204", "hand"),
        ("choose: {card: hand}", "choose: {card: [{a: hand, b: hand}]}", "RK206", "b"),
        ("choose: {card: hand}", "choose: {}", "RK207", "{}"),
        ("ranking: highest score", "ranking: best score", "RK209", "best score"),
        ("play:\n", "change: {define.x: 3}\nplay:\n", "RK213", "change"),
    ],
)  # fmt: skip
def test_a_fault_of_the_structure_is_told_once_at_its_place(old: str, new: str, code: str, at: str) -> None:
    assert [(c, t) for c, t, _ in brief(with_line(old, new))] == ([(code, at)] if code else [])


@pytest.mark.parametrize(
    ("text", "code", "at"),
    [
        ("- do x", "RK204", "- do x"),
        ("5", "RK204", "5"),
        ("if: [do x]", "RK205", "if"),
        ("{while any(hand): [do x]}", "RK205", "while"),
        ("{score of p += 2: 1}", "RK205", "score of p += 2"),
        ("{ask p: []}", "RK207", "[]"),
        ("{ask p: [Play it]}", "RK208", "Play it"),
        ("{else: [do x]}", "RK215", "else"),
        ("{if a: [do x], else: [do y], else if b: [do z]}", "RK215", "else if b"),
        ("{if a: [do x], if b: [do y]}", "RK215", "if b"),
        ("{trick: 5}", "RK204", "5"),
        ("{turns: {Leader: p}}", "RK208", "Leader"),
    ],
)
def test_a_fault_of_a_statement_is_told_once_at_its_place(text: str, code: str, at: str) -> None:
    assert [(c, t) for c, t, _ in brief(step(text))] == [(code, at)]


def test_an_unknown_block_with_slots_is_left_to_the_checker() -> None:
    assert step("{my_own: {leader: p}}") == []


def test_branches_in_one_mapping_are_one_statement() -> None:
    assert step("{if a: [do x], else if b: [do y], else: [do z]}") == []


def test_keys_out_of_order_are_as_few_as_possible() -> None:
    text = MINIMAL.replace("STEP", "do x")
    zones = text[text.index("zones:") : text.index("play:")]
    (found,) = check(text.replace(zones, "") + zones)
    assert (found.code, found.span and found.span.text) == ("RK203", "zones")
    assert found.expected == "`zones` before `play`"


def test_a_misspelt_key_is_not_also_missing() -> None:
    assert [c for c, _, _ in brief(with_line("deck:", "dekc:"))] == ["RK201"]


def test_YML_13_look_alikes_are_named_by_code_point() -> None:
    (found,) = with_line("  stock:", "  st\u043eck:")
    assert found.code == "RK107"
    assert "U+043E" in found.message
    assert "`o`" in found.message
    (found,) = with_line("players:", "pl\u0430yers:")
    assert found.code == "RK107"


def test_YML_13_labels_and_prose_may_use_any_script() -> None:
    assert with_line("card: hand", "card: [{масть: hand}]") == []
    assert with_line("title: High Card", "title: Старшая карта") == []
    assert with_line("text: Play", "if: {очередь твоя: true}, text: Play") == []


@pytest.mark.parametrize(
    ("number", "code", "suggestion"),
    [
        (".nan", "RK126", None),
        (".inf", "RK126", None),
        ("-.INF", "RK126", None),
        ("5.0", "RK128", "5"),
        ("2.5", "RK128", None),
        ("1e3", "RK128", "1000"),
        ("010", "RK128", "10"),
        ("+5", "RK128", "5"),
        ("0x1F", "RK128", "31"),
        ("1_000", "RK128", "1000"),
        ("2147483648", "RK127", None),
        ("-99999999999", "RK127", None),
        ("9" * 5000, "RK127", None),
    ],
)
def test_YML_15_numbers_are_whole_finite_and_in_range(number: str, code: str, suggestion: str | None) -> None:
    (found,) = with_line("play:\n", f"define:\n  goal: {number}\nplay:\n")
    assert (found.code, found.suggestion) == (code, suggestion)
    (found,) = with_line("highest score}", f"highest score, limit: {number}}}")
    assert found.code == code


def test_the_largest_numbers_and_texts_like_numbers_are_fine() -> None:
    assert with_line("play:\n", "define:\n  goal: 2147483647\n  least: -2147483647\nplay:\n") == []
    assert with_line("title: High Card", "title: 1.5") == []


def test_10_and_quoted_10_are_one_kind_of_thing() -> None:
    assert with_line("zones:", 'card:\n  points: {10: "10", "J": 2}\nzones:') == []


def test_a_file_that_is_no_mapping() -> None:
    assert [d.code for d in check("- a\n- b\n")] == ["RK204"]
    assert [d.code for d in check("just text\n")] == ["RK204"]


def test_an_unknown_version_is_told_alone() -> None:
    (found,) = check('rulekit: "7"\nstrange: 1\n')
    assert (found.code, found.help) == ("RK210", "install a newer rulekit")


def test_the_schema_error_is_never_shown_raw() -> None:
    texts = [
        "{}", "{a: 1}", "play: 3", "moves: [x]", "deck: {ranks: [1]}", "options: {a: [1]}", "rulekit: {a: b}",
        "examples: {a: b}", "examples: [a]", "end: [x]", "phases: {a: b}", "patterns: {a: [b]}",
        "zones: {a: {}}",
    ]  # fmt: skip
    for text in texts:
        for found in check(text + "\n"):
            said = f"{found.message} {found.expected} {found.help}"
            assert not any(
                w in said
                for w in ("is not of type", "propert", "does not match", "required", "instance", "{'")
            )
