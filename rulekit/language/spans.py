"""Places in the author's text: cut short for a message, or narrowed to one word."""

from __future__ import annotations

import re

from rulekit.diagnostics import Span


def shortened(span: Span) -> str:
    """The author's text on one line, cut where it is long."""
    text = " ".join(span.text.split())
    return text if len(text) <= 60 else text[:57].rstrip() + "..."


def word_span(span: Span, words: tuple[str, ...], word: str) -> Span:
    """The place of one of several words that stand at a place with blanks between them."""
    found = list(re.finditer(r"\S+", span.text))
    if [match[0] for match in found] != list(words):
        return span
    match = found[words.index(word)]
    return Span(span.source, span.start + match.start(), span.start + match.end())
