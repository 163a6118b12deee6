"""The tables of the parser are kept beside the grammar, and are those of the grammar."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulekit.diagnostics import SourceFile
from rulekit.language import tables
from rulekit.language.builder import Builder
from rulekit.language.grammar import FORMS
from rulekit.source.document import Scalar

TEXT = "if count(hand where suit == led) > 0 then 2 3 else best meld from hand"


def parsed(parser: object, builder: Builder) -> object:
    builder.scalar = Scalar(TEXT, SourceFile("x", TEXT).span(0, len(TEXT)))
    return parser.parse(TEXT, start="expression").node  # type: ignore[attr-defined]


def test_the_file_is_what_the_grammar_gives_today() -> None:
    kept = Path(tables.__file__).with_name(tables.TABLES).read_text("utf-8")
    assert kept == tables.written(FORMS), "run `python -m rulekit.language.tables`"


def test_a_parser_from_the_file_is_not_made_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "made", lambda *_: pytest.fail("the tables were made anew"))
    builder = Builder()
    assert parsed(tables.machine(FORMS, builder), builder) is not None


@pytest.mark.parametrize("content", ["", "{", "{}", '{"made_from": ["another", [], "0"], "data": 1}'])
def test_another_grammar_or_a_broken_file_makes_them_anew(
    content: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    grammar = Path(tables.__file__).with_name(tables.GRAMMAR).read_text("utf-8")
    files = {tables.TABLES: content, tables.GRAMMAR: grammar}
    monkeypatch.setattr(tables, "_read", files.__getitem__)
    one, two = Builder(), Builder()
    assert parsed(tables.machine(FORMS, one), one) == parsed(tables.made(grammar, FORMS, two), two)
