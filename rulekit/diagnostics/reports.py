"""Findings for machines: our JSON, SARIF 2.1.0, and the workflow commands of GitHub.

The JSON has this form, and keeps it; keys may be added::

    {"version": 1,
     "summary": {"errors": 1, "warnings": 0},
     "diagnostics": [
       {"code": "RK205", "severity": "error", "message": "unknown statement `dael`",
        "place": {"file": "my-game.yaml", "line": 31, "column": 6, "end_line": 31, "end_column": 10,
                  "offset": 903, "length": 4, "text": "dael"},
        "expected": "a sentence ...", "help": "did you mean `deal`?", "suggestion": "deal",
        "notes": [{"message": "...", "place": {...}}]}]}

Lines and columns count from 1, columns and offsets in characters; `end_column` is the column after the
last character. `place` is null where there is no text to point at, and so are `expected`, `help` and
`suggestion` where there is nothing to say. `suggestion` may replace the text at `place`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any
from urllib.parse import quote

from rulekit.diagnostics import codes
from rulekit.diagnostics.diagnostic import Diagnostic, Severity
from rulekit.diagnostics.span import Span

_SARIF = "https://json.schemastore.org/sarif-2.1.0.json"


def as_data(found: Diagnostic) -> dict[str, Any]:
    """One finding as plain data, as it stands in the JSON."""
    return {
        "code": found.code,
        "severity": found.severity.value,
        "message": found.message,
        "place": _place(found.span) if found.span else None,
        "expected": found.expected,
        "help": found.help,
        "suggestion": found.suggestion,
        "notes": [{"message": note.message, "place": _place(note.span)} for note in found.notes],
    }


def render_json(diagnostics: Iterable[Diagnostic]) -> str:
    """All findings as one JSON document."""
    found = list(diagnostics)
    errors = sum(d.severity is Severity.ERROR for d in found)
    report = {
        "version": 1,
        "summary": {"errors": errors, "warnings": len(found) - errors},
        "diagnostics": [as_data(d) for d in found],
    }
    return json.dumps(report, indent=2) + "\n"


def _place(span: Span) -> dict[str, Any]:
    return {
        "file": span.file,
        "line": span.line,
        "column": span.column,
        "end_line": span.end_line,
        "end_column": span.end_column,
        "offset": span.start,
        "length": span.end - span.start,
        "text": span.text,
    }


def render_sarif(diagnostics: Iterable[Diagnostic], version: str = "") -> str:
    """All findings as a SARIF 2.1.0 log, that code hosts and editors read. ``version`` is rulekit's."""
    found = list(diagnostics)
    used = sorted({d.code for d in found})
    driver: dict[str, Any] = {"name": "rulekit", "rules": [_sarif_rule(code) for code in used]}
    if version:
        driver["version"] = version
    results = [_sarif_result(d, used.index(d.code)) for d in found]
    # Columns count characters, not the UTF-16 units that SARIF assumes if nothing is said.
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    return json.dumps({"$schema": _SARIF, "version": "2.1.0", "runs": [run]}, indent=2) + "\n"


def _sarif_rule(code: str) -> dict[str, Any]:
    page = codes.page(code)
    rule: dict[str, Any] = {"id": code}
    if page is not None:
        rule["shortDescription"] = {"text": page.title}
        rule["fullDescription"] = {"text": page.what}
        rule["help"] = {"text": page.why}
    return rule


def _sarif_result(found: Diagnostic, index: int) -> dict[str, Any]:
    told = [found.message]
    told += [f"expected: {found.expected}"] if found.expected else []
    told += [f"help: {found.help}"] if found.help else []
    result: dict[str, Any] = {
        "ruleId": found.code,
        "ruleIndex": index,
        "level": found.severity.value,
        "message": {"text": "\n".join(told)},
    }
    if found.span is not None:
        result["locations"] = [_sarif_location(found.span)]
        if found.suggestion is not None:
            result["fixes"] = [_sarif_fix(found.span, found.suggestion)]
    if found.notes:
        result["relatedLocations"] = [
            {**_sarif_location(note.span), "message": {"text": note.message}} for note in found.notes
        ]
    return result


def _uri(file: str) -> str:
    return quote(file.replace("\\", "/"), safe="/:@!$&'()*+,;=~-._")


def _region(span: Span) -> dict[str, int]:
    return {
        "startLine": span.line,
        "startColumn": span.column,
        "endLine": span.end_line,
        "endColumn": span.end_column,
        "charOffset": span.start,
        "charLength": span.end - span.start,
    }


def _sarif_location(span: Span) -> dict[str, Any]:
    return {"physicalLocation": {"artifactLocation": {"uri": _uri(span.file)}, "region": _region(span)}}


def _sarif_fix(span: Span, text: str) -> dict[str, Any]:
    change = {
        "artifactLocation": {"uri": _uri(span.file)},
        "replacements": [{"deletedRegion": _region(span), "insertedContent": {"text": text}}],
    }
    return {"description": {"text": f"replace it by {text}"}, "artifactChanges": [change]}


def render_github(diagnostics: Iterable[Diagnostic]) -> str:
    """All findings as workflow commands, which GitHub shows beside the lines of a change."""
    return "".join(_command(found) + "\n" for found in diagnostics)


def _command(found: Diagnostic) -> str:
    told = [found.message]
    told += [f"expected: {found.expected}"] if found.expected else []
    told += [f"help: {found.help}"] if found.help else []
    properties = {"title": found.code}
    if found.span is not None:
        span = found.span
        properties = {
            "file": span.file,
            "line": str(span.line),
            "endLine": str(span.end_line),
            "col": str(span.column),
            "endColumn": str(span.end_column),
            "title": found.code,
        }
    listed = ",".join(f"{key}={_escaped(value, True)}" for key, value in properties.items())
    return f"::{found.severity.value} {listed}::{_escaped(chr(10).join(told), False)}"


def _escaped(text: str, in_property: bool) -> str:
    """GitHub's own escapes: without them an author's text could issue commands."""
    text = text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    return text.replace(":", "%3A").replace(",", "%2C") if in_property else text
