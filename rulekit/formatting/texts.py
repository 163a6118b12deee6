"""The texts of the language in a rule file, each spaced as it should be."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

from rulekit.diagnostics import SourceFile
from rulekit.formatting.edits import Edit
from rulekit.language.heard import Heard
from rulekit.language.spacing import gaps
from rulekit.source.document import Scalar


def spacing_edits(heard: Iterable[Heard], source: SourceFile) -> list[Edit]:
    """The edits of all texts that stand in ``source``, sorted. Line ends inside a text stay."""
    edits: set[Edit] = set()
    for form, scalar in heard:
        if scalar.span.source is source and _as_written(scalar):
            edits.update(_of(form, scalar))
    return sorted(edits)


def _of(form: str, scalar: Scalar) -> Iterable[Edit]:
    raw = scalar.span.source.text
    last = len(scalar.text)
    for gap in gaps(form, scalar.text):
        # From behind the word before the gap, or from where the text begins.
        start = scalar.offsets[gap.start - 1] + 1 if gap.start else scalar.offsets[0]
        end = scalar.offsets[gap.end] if gap.end < last else scalar.offsets[last]
        if raw[start:end] != gap.wanted and not raw[start:end].strip(" \t"):
            yield Edit(start, end, gap.wanted)


def _as_written(scalar: Scalar) -> bool:
    """Does the file hold the text letter by letter? Not if it has escapes, or is put together of parts."""
    raw, places = scalar.span.source.text, scalar.offsets
    if len(places) != len(scalar.text) + 1:
        return False
    rising = all(one < other for one, other in pairwise(places))
    return rising and all(
        raw[place : place + 1] == letter or (raw[place : place + 1] + letter).isspace()
        for place, letter in zip(places, scalar.text, strict=False)
    )
