"""Names that are not what they seem, and numbers that no rule can hold.

Prose may be in any language and script; names and expressions are plain English letters, so that two
names which look the same are the same. Numbers are whole and fit into 32 bits.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from rulekit.diagnostics import Findings, SourceFile, Span
from rulekit.source.characters import describe, foreign, look_alike, plainly
from rulekit.source.document import Mapping, Node, Scalar, Sequence

LARGEST = 2**31 - 1
"""All numbers of a game lie between minus this and this."""

_PROSE = frozenset({"title", "family", "text", "prose", "sources", "refused", "remove"})
_LABELS = frozenset({"if", "change", "add"})

_NOT_FINITE = re.compile(r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)")
_WHOLE = re.compile(r"[-+]?[0-9]+")
_FRACTION = re.compile(r"[-+]?(?:[0-9]+\.[0-9]*|\.[0-9]+|[0-9]+(?=[eE][-+]?[0-9]+$))(?:[eE][-+]?[0-9]+)?")
_OTHER = re.compile(r"[-+]?(?:0x[0-9a-fA-F]+|0o[0-7]+|0b[01]+|[0-9]+(?:_[0-9]+)+)")


def check_texts(root: Node, findings: Findings) -> set[tuple[SourceFile, int]]:
    """Report names with foreign letters and numbers out of bounds.

    Returns where the reported texts begin, so that nothing more needs to be said about them.
    """
    reported: set[tuple[SourceFile, int]] = set()
    for scalar, label in _names_and_values(root):
        if not label and (_number(scalar, findings) or _letters(scalar, findings)):
            reported.add((scalar.span.source, scalar.span.start))
    return reported


def _names_and_values(root: Node) -> Iterator[tuple[Scalar, bool]]:
    """Every key and value that is no prose, with whether it is a label, which may be prose too."""
    pending: list[tuple[Node, bool]] = [(root, False)]
    while pending:
        node, labelled = pending.pop()
        if isinstance(node, Scalar):
            yield node, False
        elif isinstance(node, Sequence):
            # The entries of a chain of duties carry labels: `- follow suit: hand where ...`.
            pending.extend((item, labelled) for item in node)
        else:
            for entry in node:
                key = entry.key.text
                yield entry.key, labelled
                if key not in _PROSE and not (labelled and key in ("before", "after")):
                    pending.append((entry.value, key in _LABELS or _is_chain(entry.value)))


def _is_chain(node: Node) -> bool:
    """Is this a list of labelled values, as under `choose`?"""
    return isinstance(node, Sequence) and all(
        isinstance(item, Mapping) and len(item.entries) == 1 and isinstance(item.entries[0].value, Scalar)
        for item in node
    )


def _letters(scalar: Scalar, findings: Findings) -> bool:
    """A name with a letter that is not a plain one; what has blanks is an expression and read later."""
    found = foreign(scalar.text)
    if found is None or (" " in scalar.text):
        return False
    letter = found.group()
    looks, fixed = look_alike(letter), plainly(scalar.text)
    message = f"`{scalar.text}` holds a letter that is not a plain one: {describe(letter)}"
    if looks:
        message += f", which looks like `{looks}`"
    findings.error(
        "RK107",
        message,
        scalar.at(found.start(), found.end()),
        expected="names of the letters a to z, digits and `_`",
        help=f"type `{fixed}` anew" if fixed else "names are written in plain letters; prose may use all",
    )
    return True


def _number(scalar: Scalar, findings: Findings) -> bool:
    text = scalar.text
    if not text or text[0] not in "+-.0123456789":
        return False
    span: Span = scalar.span
    if _NOT_FINITE.fullmatch(text):
        findings.error(
            "RK126",
            f"`{text}` is not a number that a rule can hold",
            span,
            expected="a whole number",
            help="write the largest number that may come up",
        )
    elif _WHOLE.fullmatch(text):
        digits = text.lstrip("+-")
        if len(digits.lstrip("0")) > 10 or int(digits) > LARGEST:
            findings.error(
                "RK127",
                f"`{text if len(text) < 30 else text[:27] + '...'}` is out of range",
                span,
                expected=f"a number between -{LARGEST} and {LARGEST}",
            )
        elif text[0] == "+" or (digits[0] == "0" and len(digits) > 1):
            _not_whole(scalar, f"`{text}` is not how a number is written", str(int(text)), findings)
        else:
            return False
    elif _FRACTION.fullmatch(text):
        try:
            value = float(text)
        except ValueError:
            return False
        whole = str(int(value)) if value.is_integer() and abs(value) <= LARGEST else None
        _not_whole(scalar, f"`{text}` is not a whole number", whole, findings)
    elif _OTHER.fullmatch(text):
        value_of = int(text.replace("_", ""), 0 if text.lstrip("+-")[1:2] in ("x", "o", "b") else 10)
        plain = str(value_of) if abs(value_of) <= LARGEST else None
        _not_whole(scalar, f"`{text}` is not how a number is written", plain, findings)
    else:
        return False
    return True


def _not_whole(scalar: Scalar, message: str, plain: str | None, findings: Findings) -> None:
    findings.error(
        "RK128",
        message,
        scalar.span,
        expected="a whole number in plain digits",
        help=f"write `{plain}`" if plain else "count in a smaller unit (half points, cents)",
        suggestion=plain,
    )
