"""How findings are shown: to people, to programs, to code hosts."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from rulekit.diagnostics import Diagnostic, Note, Severity, SourceFile
from rulekit.diagnostics.render import LONGEST_LINE, render_one, render_text, summary, visible
from rulekit.diagnostics.reports import render_github, render_json, render_sarif


def diagnostic(text: str, word: str, message: str = "unknown `x`", **more: object) -> Diagnostic:
    source = SourceFile("game.yaml", text)
    at = text.index(word)
    return Diagnostic("RK205", message, source.span(at, at + len(word)), **more)  # type: ignore[arg-type]


def lines(found: Diagnostic) -> list[str]:
    return render_one(found).splitlines()


def test_a_finding_reads_like_this() -> None:
    source = SourceFile("game.yaml", "play:\n  - {dael: 5}\n")
    found = Diagnostic(
        "RK205",
        "unknown statement `dael`",
        source.span(11, 15),
        expected="a sentence",
        help="did you mean `deal`?",
        notes=(Note("the list begins here", source.span(0, 4)),),
    )
    assert (
        render_one(found)
        == """\
error[RK205]: unknown statement `dael`
  --> game.yaml:2:6
  |
2 |   - {dael: 5}
  |      ^^^^
   = expected: a sentence
   = help: did you mean `deal`?
   = note: the list begins here
  --> game.yaml:1:1
  |
1 | play:
  | ^^^^
"""
    )


def test_nothing_is_said_of_no_findings() -> None:
    assert render_text([]) == ""
    assert summary([]) == "no findings"


def test_a_summary_counts() -> None:
    error = diagnostic("a", "a")
    warning = diagnostic("a", "a", severity=Severity.WARNING)
    assert summary([error, error, warning]) == "2 errors, 1 warning"
    assert summary([warning]) == "1 warning"


def test_a_finding_without_a_place_is_one_line() -> None:
    assert render_one(Diagnostic("RK100", "gone", None)) == "error[RK100]: gone\n"


def test_colour_comes_only_from_the_style_that_is_given() -> None:
    found = diagnostic("play: x", "x")
    assert "\x1b" not in render_one(found)
    painted = render_one(found, lambda text, role: f"<{role}>{text}</{role}>")
    assert "<error>error[RK205]</error>" in painted
    assert "<error>^</error>" in painted


def test_the_caret_stands_under_wide_letters_and_after_tabs() -> None:
    shown = lines(diagnostic("\t紙牌é e\u0301: wrong", "wrong"))
    line, carets = shown[3], shown[4]
    cells = (
        4 + 2 + 2 + 1 + 1 + 1 + 1 + 1
    )  # the tab, two wide letters, e with accent, blank, e + accent, colon, blank
    assert line == "1 |     紙牌é e\u0301: wrong"
    assert carets == "  | " + " " * cells + "^^^^^"


def test_a_span_over_several_lines_is_underlined_to_the_end_of_the_first() -> None:
    source = SourceFile("f", "a: {b: 1,\n    c: 2}\n")
    assert lines(Diagnostic("RK1", "m", source.span(3, 20)))[4] == "  |    ^^^^^^"


def test_an_empty_span_gets_one_caret() -> None:
    source = SourceFile("f", "ab")
    assert lines(Diagnostic("RK1", "m", source.span(2, 2)))[4] == "  |   ^"


def test_a_long_line_is_cut_around_the_caret() -> None:
    found = diagnostic("x " * 200 + "wrong" + " y" * 200, "wrong")
    line, carets = lines(found)[3:5]
    assert len(line) <= LONGEST_LINE + 6
    at = line.index("wrong")
    assert carets[at : at + 5] == "^^^^^"
    assert "..." in line[:10]
    assert line.endswith("...")


def test_a_long_span_is_cut_too() -> None:
    found = diagnostic("a: " + "x" * 500, "x" * 500)
    assert all(len(line) <= LONGEST_LINE + 6 for line in lines(found))


def test_EXP_02_format_strings_markup_and_escapes_of_the_author_are_printed_literally() -> None:
    for text in ("{0.__class__}", "{{7*7}}", "%s", "$(x)", "<b>bold</b>", "&amp;"):
        shown = render_one(diagnostic(f"a: {text}", text, f"odd `{text}`"))
        assert shown.count(text) == 2
        assert (
            json.loads(render_json([diagnostic(f"a: {text}", text, text)]))["diagnostics"][0]["message"]
            == text
        )


def test_EXP_02_ansi_escapes_never_reach_a_terminal() -> None:
    found = diagnostic("a: \x1b[31mred\x1b]0;title\x07", "red", "odd `\x1b[2J\u202e\u200b\x9b`")
    shown = render_one(found)
    assert not any(c in shown for c in "\x1b\x07\x9b\u202e\u200b")
    assert "\\x1b[31mred" in shown
    assert "`\\x1b[2J\\u{202e}\\u{200b}\\x9b`" in shown


@given(st.text())
def test_what_is_visible_is_printable(text: str) -> None:
    assert visible(text).isprintable()


@given(st.text(min_size=1), st.data())
def test_any_text_can_be_shown(text: str, data: st.DataObject) -> None:
    source = SourceFile(text[:9], text)
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    found = Diagnostic("RK999", text, source.span(start, end), notes=(Note(text, source.span(start, end)),))
    shown = render_one(found)
    assert shown.isprintable() or all(c.isprintable() or c == "\n" for c in shown)
    assert all(report for report in (render_json([found]), render_sarif([found]), render_github([found])))


def test_json_has_the_documented_form() -> None:
    found = diagnostic("play:\n  - {dael: 5}\n", "dael", help="h", suggestion="deal")
    report = json.loads(render_json([found]))
    assert report["version"] == 1
    assert report["summary"] == {"errors": 1, "warnings": 0}
    assert report["diagnostics"] == [
        {
            "code": "RK205",
            "severity": "error",
            "message": "unknown `x`",
            "place": {
                "file": "game.yaml",
                "line": 2,
                "column": 6,
                "end_line": 2,
                "end_column": 10,
                "offset": 11,
                "length": 4,
                "text": "dael",
            },
            "expected": None,
            "help": "h",
            "suggestion": "deal",
            "notes": [],
        }
    ]


def test_sarif_names_rule_place_and_fix() -> None:
    found = diagnostic("play:\n  - {dael: 5}\n", "dael", suggestion="deal")
    log = json.loads(render_sarif([found, Diagnostic("RK100", "gone", None)], "1.2.3"))
    (run,) = log["runs"]
    assert (log["version"], run["columnKind"]) == ("2.1.0", "unicodeCodePoints")
    assert [rule["id"] for rule in run["tool"]["driver"]["rules"]] == ["RK100", "RK205"]
    assert run["tool"]["driver"]["version"] == "1.2.3"
    first, second = run["results"]
    assert (first["ruleId"], first["ruleIndex"], first["level"]) == ("RK205", 1, "error")
    region = first["locations"][0]["physicalLocation"]["region"]
    assert (region["startLine"], region["startColumn"], region["endColumn"]) == (2, 6, 10)
    assert first["fixes"][0]["artifactChanges"][0]["replacements"][0]["insertedContent"] == {"text": "deal"}
    assert "locations" not in second


def test_a_path_in_sarif_is_a_uri() -> None:
    source = SourceFile("my games/a#b.yaml", "x")
    log = json.loads(render_sarif([Diagnostic("RK1", "m", source.span(0, 1))]))
    place = log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "my%20games/a%23b.yaml"


def test_github_commands_cannot_be_forged() -> None:
    source = SourceFile("a,b:c.yaml", "x")
    found = Diagnostic("RK205", "100%\n::set-output name=x::y", source.span(0, 1), severity=Severity.WARNING)
    assert render_github([found]) == (
        "::warning file=a%2Cb%3Ac.yaml,line=1,endLine=1,col=1,endColumn=2,title=RK205::"
        "100%25%0A::set-output name=x::y\n"
    )
