"""What is known, in the terms of the protocol: locations, diagnostics, edits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
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


@dataclass(frozen=True)
class Answers:
    """Puts what is known into the terms of one client.

    ``encoding`` is that of its columns; ``uris`` are the addresses by which it calls the files that it has
    open: two spellings of one address are two files to a client.
    """

    encoding: str
    uris: Mapping[Path, str]

    def uri(self, path: Path) -> str:
        return self.uris.get(path) or uri_of(path)

    def positions(self, text: str) -> Positions:
        return Positions(text, self.encoding)

    def location(self, analysis: Analysis, span: Span) -> lsp.Location:
        """A place in the file or in one that it reads."""
        place = self.positions(span.source.text).range(span.start, span.end)
        return lsp.Location(self.uri(analysis.path_of(span.file)), place)

    def diagnostic(self, analysis: Analysis, finding: Diagnostic) -> lsp.Diagnostic:
        """A finding. One of another file stands at the first line, and says where it belongs."""
        positions = self.positions(analysis.text)
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
            lsp.DiagnosticRelatedInformation(self.location(analysis, note.span), note.message)
            for note in finding.notes
        ]
        if finding.span is not None and not own:
            related.append(lsp.DiagnosticRelatedInformation(self.location(analysis, finding.span), "here"))
        return lsp.Diagnostic(
            place,
            message,
            severity=_SEVERITIES[finding.severity],
            code=finding.code,
            source="rulekit",
            related_information=related or None,
            tags=[lsp.DiagnosticTag.Unnecessary] if finding.code in _UNUSED else None,
        )


__all__ = ["Answers", "uri_of"]
