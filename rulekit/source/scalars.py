"""Where in the file each character of a YAML text stands.

YAML folds lines, doubles quotes, escapes characters and cuts indentation, so the text of a scalar is
not what stands in the file. A word inside it can be underlined only if the way back is known.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

_BETWEEN = re.compile(r"(?:\s+(?:#[^\n]*\n)?)*")
_TAG = re.compile(r"!\S*")
_ESCAPE = re.compile(r"\\(?:x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|\r\n|.)", re.DOTALL)
_HEADER = re.compile(r"[|>][^\n]*\n")


def content_start(raw: str, start: int, end: int, anchor: str | None) -> int:
    """Where the text itself begins, after an anchor or a tag."""
    at = start
    while at < end and raw[at] in "&!":
        tag = _TAG.match(raw, at, end)
        at = tag.end() if tag else at + 1 + len(anchor or "")
        between = _BETWEEN.match(raw, at, end)
        at = between.end() if between else at
    return min(at, end)


def offsets(raw: str, start: int, end: int, text: str, style: str) -> Sequence[int]:
    """The offset in ``raw`` of each character of ``text``, and of its end.

    ``start`` and ``end`` enclose the scalar in the file, quotes and block header included; ``style``
    is its quote, `|`, `>` or nothing. Where a character has no place of its own (a folded line end
    stands for a blank), the place it came from is told.
    """
    if not style:
        if end - start == len(text):
            return range(start, end + 1)
        return _flow(raw, start, end, text, "")
    if style in "'\"":
        if end - start - 2 == len(text):
            return range(start + 1, end)
        return _flow(raw, start + 1, end - 1, text, style)
    header = _HEADER.match(raw, start, end)
    if not header:
        return (start,) * (len(text) + 1)
    return _block(raw, header.end(), end, text)


def _block(raw: str, at: int, end: int, text: str) -> tuple[int, ...]:
    """Walk a block text and its lines in the file side by side.

    A line end stands for itself or, where lines are folded, for a blank or for nothing.
    """
    indent = max(0, _margin(raw[at:end]) - _margin(text))
    places: list[int] = []
    at = _skip_indent(raw, at, end, indent)
    for character in text:
        while character not in " \n" and (stop := _line_end(raw, at, end)) >= 0:
            at = _skip_indent(raw, stop + 1, end, indent)
        places.append(min(at, end))
        stop = _line_end(raw, at, end)
        at = _skip_indent(raw, stop + 1, end, indent) if stop >= 0 else at + 1
    places.append(places[-1] + 1 if places else at)
    return tuple(places)


def _margin(text: str) -> int:
    """Blanks before the first word."""
    line = next((line for line in text.split("\n") if line.strip()), "")
    return len(line) - len(line.lstrip(" "))


def _line_end(raw: str, at: int, end: int) -> int:
    """The place of the line feed, if the line ends here; else -1."""
    if at < end and raw[at] == "\r":
        at += 1
    return at if at < end and raw[at] == "\n" else -1


def _skip_indent(raw: str, at: int, end: int, indent: int) -> int:
    stop = min(at + indent, end)
    while at < stop and raw[at] == " ":
        at += 1
    return at


def _skip_blanks(raw: str, at: int, end: int) -> int:
    while at < end and raw[at] in " \t":
        at += 1
    return at


def _flow(raw: str, at: int, end: int, text: str, quote: str) -> tuple[int, ...]:
    """Walk a plain or quoted text: quotes are doubled or characters escaped, and lines folded."""
    places: list[int] = []
    while at < end and len(places) < len(text):
        character = raw[at]
        if quote == "'" and raw.startswith("''", at):
            places.append(at)
            at += 2
        elif quote == '"' and character == "\\" and (escape := _ESCAPE.match(raw, at, end)):
            at = escape.end()
            if escape.group()[1] in "\r\n":  # the line goes on, without a blank
                at = _skip_blanks(raw, at, end)
            else:
                places.append(escape.start())
        elif character in " \t\r\n" and (stop := _line_end(raw, _skip_blanks(raw, at, end), end)) >= 0:
            breaks = []
            while stop >= 0:
                breaks.append(stop)
                at = _skip_blanks(raw, stop + 1, end)
                stop = _line_end(raw, at, end)
            # One line end is a blank; of several the first is dropped and the others stay.
            places.extend(breaks if len(breaks) == 1 else breaks[1:])
        else:
            places.append(at)
            at += 1
    del places[len(text) :]
    places.append(at)
    places.extend([end] * (len(text) + 1 - len(places)))
    return tuple(places)
