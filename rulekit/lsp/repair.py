"""Makes a text readable as YAML by leaving out lines at fault.

They are blanked, or a key stands in their place, so that everything else keeps its place. First each single
line that may be at fault is tried: where reading stopped, the line before it, and the lines before those
that leave a bracket open.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice

from rulekit.diagnostics import Findings, SourceFile
from rulekit.source.yaml import read_document

_REPAIRS = 6  #: lines that are left out, at most
_TRIES = 40  #: texts that are read, at most
_PAIRS = {"{": "}", "[": "]"}


@lru_cache(maxsize=8)
def repaired(text: str) -> str | None:
    """The text, without the lines that cannot be read; None if that does not help."""
    tries = 0
    for _ in range(_REPAIRS):
        stopped = _stopped(text)
        if stopped is None:
            return text
        source = SourceFile("", text)
        first: str | None = None
        for number in islice(_suspects(source, stopped), max(1, _TRIES - tries)):
            for without in _without(source, number):
                tries += 1
                if _stopped(without) is None:
                    return without
                first = first or without
        if first is None:
            return None
        text = first
    return None


def _stopped(text: str) -> int | None:
    """The line, from 1, where reading stops; None if it does not."""
    findings = Findings()
    if read_document(SourceFile("", text), findings) is not None:
        return None
    return next((item.span.line for item in reversed(findings.items) if item.span is not None), 1)


def _suspects(source: SourceFile, stopped: int) -> Iterator[int]:
    """Lines that may be at fault, the likeliest first; blank ones are not."""
    last = min(stopped, len(source.line_starts))
    filled = [number for number in range(last, 0, -1) if source.line(number).strip()]
    yield from filled[:2]
    yield from (number for number in filled[2:] if open_brackets(source.line(number)))


def _without(source: SourceFile, number: int) -> Iterator[str]:
    """The text with a line blanked; then with a key in its place, for what is indented below it."""
    start, line = source.line_starts[number - 1], source.line(number)
    before, after = source.text[:start], source.text[start + len(line) :]
    yield before + " " * len(line) + after
    indent = re.match(r"\s*(- +)*", line)
    key = f"{indent[0] if indent else ''}z:"
    if len(key) <= len(line):
        yield before + key.ljust(len(line)) + after


def open_brackets(line: str) -> str:
    """What would close the brackets and quotes that a line leaves open."""
    waiting: list[str] = []
    quote = ""
    for place, sign in enumerate(line):
        if quote:
            quote = "" if sign == quote else quote
        elif sign == "#" and line[:place][-1:].isspace():
            break
        elif sign in "\"'" and not line[:place].rstrip()[-1:].isalnum():
            quote = sign
        elif sign in _PAIRS:
            waiting.append(_PAIRS[sign])
        elif waiting and sign == waiting[-1]:
            waiting.pop()
    return quote + "".join(reversed(waiting))


__all__ = ["open_brackets", "repaired"]
