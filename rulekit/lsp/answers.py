"""What is known, in the terms of the protocol: locations, diagnostics, edits."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from lsprotocol import types as lsp
from pygls.uris import from_fs_path

from rulekit.diagnostics import Diagnostic, Severity, Span
from rulekit.lsp.analysis import Analysis
from rulekit.lsp.positions import Positions

_SEVERITIES = {
    Severity.ERROR: lsp.DiagnosticSeverity.Error,
    Severity.WARNING: lsp.DiagnosticSeverity.Warning,
}
_UNUSED = frozenset({"RK650", "RK651", "RK652", "RK653", "RK654", "RK655", "RK656", "RK710"})


def uri_of(path: Path) -> str:
    """The address of a file; that of what lies nowhere is its name."""
    return (from_fs_path(str(path)) or str(path)) if path.is_absolute() else str(path)


def location(analysis: Analysis, span: Span, encoding: str) -> lsp.Location:
    """A place in the file or in one that it reads."""
    positions = Positions(span.source.text, encoding)
    return lsp.Location(uri_of(analysis.path_of(span.file)), positions.range(span.start, span.end))


def diagnostic(analysis: Analysis, finding: Diagnostic, encoding: str) -> lsp.Diagnostic:
    """A finding. One of another file stands at the first line, and says where it belongs."""
    positions = Positions(analysis.text, encoding)
    message = finding.message
    own = finding.span is not None and finding.span.file == analysis.source.name
    if finding.span is not None and own:
        place = positions.span(finding.span)
    else:
        place = positions.range(0, len(positions.line(0)))
        message = f"{finding.span}: {message}" if finding.span is not None else message
    if finding.expected:
        message += f"\nexpected: {finding.expected}"
    if finding.help:
        message += f"\nhelp: {finding.help}"
    related = [
        lsp.DiagnosticRelatedInformation(location(analysis, note.span, encoding), note.message)
        for note in finding.notes
    ]
    if finding.span is not None and not own:
        related.append(lsp.DiagnosticRelatedInformation(location(analysis, finding.span, encoding), "here"))
    return lsp.Diagnostic(
        place,
        message,
        severity=_SEVERITIES[finding.severity],
        code=finding.code,
        source="rulekit",
        related_information=related or None,
        tags=[lsp.DiagnosticTag.Unnecessary] if finding.code in _UNUSED else None,
    )


def text_edit(positions: Positions, start: int, end: int, text: str) -> lsp.TextEdit:
    return lsp.TextEdit(positions.range(start, end), text)


def locations(analysis: Analysis, spans: Iterable[Span], encoding: str) -> list[lsp.Location]:
    return [location(analysis, span, encoding) for span in spans]


__all__ = ["diagnostic", "location", "locations", "text_edit", "uri_of"]
