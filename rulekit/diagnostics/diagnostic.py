"""What is wrong with a rule file: code, place, message, help."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import field
from enum import Enum

from rulekit.diagnostics.span import Span
from rulekit.records import dataclass


class Severity(Enum):
    """How bad it is: a file with an error does not run, one with a warning does."""

    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True)
class Note:
    """A second place that helps to understand the first ("declared here")."""

    message: str
    span: Span


@dataclass(frozen=True)
class Diagnostic:
    """One finding.

    ``message`` says what was found (author's text in backticks, lower case first, no full stop);
    ``expected`` what would have been right; ``help`` what to do; ``suggestion`` is text that may
    replace the characters of ``span`` as they stand. ``span`` is None only where there is no
    text to point at (a file that cannot be read).
    """

    code: str
    message: str
    span: Span | None
    severity: Severity = Severity.ERROR
    expected: str | None = None
    help: str | None = None
    suggestion: str | None = None
    notes: tuple[Note, ...] = ()

    def __str__(self) -> str:
        place = f"{self.span}: " if self.span else ""
        return f"{place}{self.severity.value}[{self.code}]: {self.message}"


@dataclass
class Findings:
    """Collects diagnostics while a file is read, so that one run reports them all."""

    items: list[Diagnostic] = field(default_factory=list)
    # The same once more, to see at once whether a finding is new: a broken file may have thousands.
    _seen: set[Diagnostic] = field(default_factory=set, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        self._seen.update(self.items)

    def error(
        self,
        code: str,
        message: str,
        span: Span | None,
        *,
        expected: str | None = None,
        help: str | None = None,
        suggestion: str | None = None,
        notes: Sequence[Note] = (),
    ) -> None:
        """Record an error."""
        self._add(code, message, span, Severity.ERROR, expected, help, suggestion, notes)

    def warning(
        self,
        code: str,
        message: str,
        span: Span | None,
        *,
        expected: str | None = None,
        help: str | None = None,
        suggestion: str | None = None,
        notes: Sequence[Note] = (),
    ) -> None:
        """Record a warning."""
        self._add(code, message, span, Severity.WARNING, expected, help, suggestion, notes)

    def _add(
        self,
        code: str,
        message: str,
        span: Span | None,
        severity: Severity,
        expected: str | None,
        help: str | None,
        suggestion: str | None,
        notes: Sequence[Note],
    ) -> None:
        found = Diagnostic(code, message, span, severity, expected, help, suggestion, tuple(notes))
        self.extend((found,))

    def extend(self, others: Iterable[Diagnostic]) -> None:
        """Record findings made elsewhere."""
        if len(self._seen) != len(self.items):  # somebody took findings back
            self._seen = set(self.items)
        for other in others:
            if other not in self._seen:
                self._seen.add(other)
                self.items.append(other)

    @property
    def has_errors(self) -> bool:
        return any(item.severity is Severity.ERROR for item in self.items)

    def sorted(self) -> list[Diagnostic]:
        """By file, place, then code: the order in which reports print them.

        What the structure of a file and the language of its texts both say of one place is told once.
        """
        return sorted(
            without_echoes(self.items),
            key=lambda d: (d.span.file, d.span.start, d.code) if d.span else ("", -1, d.code),
        )


#: Errors of syntax that say more than what the structure of the file can say of the same place.
MORE_TELLING = frozenset({"RK333", "RK343"})


def without_echoes(items: Sequence[Diagnostic]) -> list[Diagnostic]:
    """Of an error of the document (RK1xx, RK2xx) and one of syntax (RK3xx) at one place only one is kept.

    It is that of the document, unless only the other knows the fix or says more.
    """
    gone: set[int] = set()
    structure = [x for x in items if x.code.startswith(("RK1", "RK2")) and x.span is not None]
    for item in items:
        if not item.code.startswith("RK3") or item.span is None:
            continue
        for other in structure:
            span = other.span
            assert span is not None
            same = span.source is item.span.source
            if same and span.start <= item.span.end and item.span.start <= span.end:
                better = item.code in MORE_TELLING or (item.suggestion and not other.suggestion)
                gone.add(id(other if better else item))
    return [item for item in items if id(item) not in gone]


class RulesetError(ValueError):
    """A ruleset cannot be used. ``diagnostics`` lists why; usually a slip in the rule file.

    The fix stands in each diagnostic's ``help``; ``rulekit explain CODE`` tells more.
    """

    def __init__(self, diagnostics: Sequence[Diagnostic]) -> None:
        self.diagnostics = list(diagnostics)
        super().__init__("\n".join(str(d) for d in self.diagnostics))

    def __reduce__(self) -> tuple[type[RulesetError], tuple[list[Diagnostic]]]:
        return type(self), (self.diagnostics,)
