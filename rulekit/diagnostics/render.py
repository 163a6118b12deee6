"""Findings as text for people: code, place, the line with a caret under the very word, what to do.

```
error[RK205]: unknown statement `dael`
  --> my-game.yaml:31:6
   |
31 |   - {dael: 5}
   |      ^^^^
   = expected: a sentence, or one of `if C:` ...
   = help: did you mean `deal`?
   = try: deal
```
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable

from rulekit.diagnostics.diagnostic import Diagnostic, Severity
from rulekit.diagnostics.span import SourceFile, Span

Style = Callable[[str, str], str]
"""``style(text, role)`` returns the text in the colours of a role: `error`, `warning`, `code`, `place`,
`caret`, `label`. Who writes to a terminal brings one."""

LONGEST_LINE = 100
"""Cells of a source line that are shown; a longer one is cut around the caret."""
TAB = 4
"""Cells that a tab is shown as."""


def plain_style(text: str, role: str) -> str:
    """No colours."""
    return text


def render_text(diagnostics: Iterable[Diagnostic], style: Style = plain_style) -> str:
    """All findings one below the other, with an empty line between; empty if there are none."""
    return "\n".join(render_one(found, style) for found in diagnostics)


def render_one(found: Diagnostic, style: Style = plain_style) -> str:
    """One finding as some lines of text, the last one ended."""
    role = "error" if found.severity is Severity.ERROR else "warning"
    head = style(f"{found.severity.value}[{found.code}]", role)
    lines = [f"{head}: {visible(found.message)}"]
    if found.span is not None:
        lines += _excerpt(found.span, style, style("-->", "place"), role)
    told = (("expected", found.expected), ("help", found.help))
    for label, text in told:
        if text:
            lines.append(f"   = {style(label, 'label')}: {visible(text)}")
    for note in found.notes:
        lines.append(f"   = {style('note', 'label')}: {visible(note.message)}")
        lines += _excerpt(note.span, style, style("-->", "place"), "label")
    return "\n".join(lines) + "\n"


def summary(diagnostics: Iterable[Diagnostic]) -> str:
    """How many there are: `2 errors, 1 warning`, or `no findings`."""
    found = list(diagnostics)
    errors = sum(d.severity is Severity.ERROR for d in found)
    parts = [_count(errors, "error"), _count(len(found) - errors, "warning")]
    return ", ".join(part for part in parts if part) or "no findings"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}" if number else ""


def visible(text: str) -> str:
    """``text`` with everything escaped that could act on a terminal or hide: controls, ANSI sequences,
    marks that turn the direction of writing, characters without a width."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(c if _harmless(c) else _escape(c) for c in text)


# Printable for Unicode, and yet nothing is seen of them.
_FILLERS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")


def _harmless(character: str) -> bool:
    return character.isprintable() and character not in _FILLERS


def _escape(character: str) -> str:
    named = {"\n": "\\n", "\t": "\\t", "\r": "\\r"}.get(character)
    code = ord(character)
    return named or (f"\\x{code:02x}" if code < 256 else f"\\u{{{code:x}}}")


def _width(character: str) -> int:
    """Terminal cells of one character."""
    if unicodedata.combining(character) or unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in ("W", "F") else 1


def _shown(character: str) -> str:
    """One character of a source line as it is shown."""
    if character == "\t":
        return " " * TAB
    return character if _harmless(character) else _escape(character)


def _cells(text: str) -> int:
    return sum(_width(c) for c in text)


def _excerpt(span: Span, style: Style, arrow: str, role: str) -> list[str]:
    """The place, the line, and carets under the span (as far as it goes on in its first line)."""
    source, number = span.source, span.line
    place = f"{visible(span.file)}:{number}:{span.column}"
    if not source.text:
        return [f"  {arrow} {visible(span.file)}"]
    gutter = " " * len(str(number))
    bar = style("|", "place")
    before, marked, after = _parts(source, span)
    before, marked, after = _cut(before, marked, after)
    line = "".join(before) + "".join(marked) + "".join(after)
    left = " " * _cells("".join(before))
    carets = "^" * max(1, _cells("".join(marked)))
    return [
        f"{gutter} {arrow} {place}",
        f"{gutter} {bar}",
        f"{style(str(number), 'place')} {bar} {line.rstrip()}",
        f"{gutter} {bar} {left}{style(carets, role)}",
    ]


def _parts(source: SourceFile, span: Span) -> tuple[list[str], list[str], list[str]]:
    """The shown characters of the line before, inside and after the span."""
    line = source.line(span.line)
    start = span.column - 1
    end = start + (span.end - span.start) if span.end_line == span.line else len(line.rstrip())
    end = min(max(end, start), len(line))
    # Of a line that has no end, only what is near the caret can be shown.
    near = 2 * LONGEST_LINE
    before, marked, after = line[max(0, start - near) : start], line[start:end][:near], line[end : end + near]
    return [_shown(c) for c in before], [_shown(c) for c in marked], [_shown(c) for c in after]


def _cut(before: list[str], marked: list[str], after: list[str]) -> tuple[list[str], list[str], list[str]]:
    """Shorten a long line around the marked part; `...` stands for what is left out."""
    if _total(before, marked, after) <= LONGEST_LINE:
        return before, marked, after
    while marked and _total(marked) > LONGEST_LINE - 20:
        marked = marked[: max(1, len(marked) - max(1, (_total(marked) - LONGEST_LINE + 20) // 2))]
        after = ["..."]
    room = LONGEST_LINE - _total(marked) - 6
    left = _last(before, max(room // 2, room - _total(after)))
    right = _first(after, room - _total(left))
    head = ["..."] if len(left) < len(before) else []
    tail = ["..."] if len(right) < len(after) else []
    return head + left, marked, right + tail


def _total(*parts: list[str]) -> int:
    return sum(_cells(text) for part in parts for text in part)


def _last(parts: list[str], room: int) -> list[str]:
    taken = 0
    for index in range(len(parts) - 1, -1, -1):
        taken += _cells(parts[index])
        if taken > room:
            return parts[index + 1 :]
    return parts


def _first(parts: list[str], room: int) -> list[str]:
    taken = 0
    for index, text in enumerate(parts):
        taken += _cells(text)
        if taken > room:
            return parts[:index]
    return parts
