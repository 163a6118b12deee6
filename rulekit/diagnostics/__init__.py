"""Findings about rule files: code, place, message, help; and how they are shown."""

from rulekit.diagnostics.diagnostic import Diagnostic, Findings, Note, RulesetError, Severity
from rulekit.diagnostics.span import SourceFile, Span
from rulekit.diagnostics.suggest import nearest

__all__ = [
    "Diagnostic",
    "Findings",
    "Note",
    "RulesetError",
    "Severity",
    "SourceFile",
    "Span",
    "nearest",
]
