"""The parser that the grammar gives, and what a text means to it.

It is made ready at the first use, which `import rulekit` should not have to wait for.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import TYPE_CHECKING, Any

from rulekit.diagnostics import SourceFile
from rulekit.source.document import Scalar

if TYPE_CHECKING:
    from lark import Lark

    from rulekit.language.builder import Builder

FORMS = (
    "expression",
    "key",
    "statement",
    "head",
    "declaration",
    "slot",
    "zone",
    "signature",
    "ranking",
    "running",
    "place",
    "pattern",
)
"""The kinds of text, each an entry of the grammar."""


@cache
def _machine() -> tuple[Lark, Builder]:
    """The parser, and what it builds with."""
    from rulekit.language import tables
    from rulekit.language.builder import Builder

    builder = Builder()
    return tables.machine(FORMS, builder), builder


class Refused(Exception):
    """A text does not parse. ``place`` is where the word begins that cannot stand there."""

    def __init__(self, place: int) -> None:
        super().__init__(place)
        self.place = place


def build(form: str, scalar: Scalar) -> Any:
    """The tree of a text.

    Raises `Refused`, or what the builder raises: `TooDeep`, `NotWhole`.
    """
    from lark import UnexpectedInput

    lark, builder = _machine()
    builder.scalar = scalar
    try:
        part: Any = lark.parse(scalar.text, start=form)
    except UnexpectedInput as error:
        raise Refused(_place(error, len(scalar.text))) from None
    return part.node


def pieces(form: str, text: str) -> list[tuple[str, int, int]]:
    """The terminals of a text that parses, each with its name and where it begins and ends.

    Raises what `build` raises if the text does not parse.
    """
    lark, builder = _machine()
    builder.scalar = Scalar(text, SourceFile("", text).span(0, len(text)))
    parser = lark.parse_interactive(text, start=form)
    return [(token.type, int(token.start_pos or 0), int(token.end_pos or 0)) for token in parser.iter_parse()]


def _place(error: Any, length: int) -> int:
    token = getattr(error, "token", None)
    if token is not None and token.type == "$END":
        return length
    return length if error.pos_in_stream is None else int(error.pos_in_stream)


def refused_at(form: str, text: str, scalar: Scalar) -> int | None:
    """Where a text stops to parse, or None if it does not; ``scalar`` lends its place."""
    from rulekit.language.building import NotWhole, TooDeep

    try:
        build(form, Scalar(text, scalar.span))
    except Refused as refused:
        return refused.place
    except TooDeep as deep:
        return deep.start
    except NotWhole as wrong:
        return wrong.token.start_pos
    return None


def accepted_after(form: str, text: str, scalar: Scalar) -> frozenset[str]:
    """The terminals that could follow a text that is the beginning of something."""
    from lark import UnexpectedInput

    from rulekit.language.building import NotWhole, TooDeep

    lark, builder = _machine()
    builder.scalar = scalar
    try:
        parser = lark.parse_interactive(text, start=form)
        for _ in parser.iter_parse():
            pass
    except (UnexpectedInput, NotWhole, TooDeep):
        return frozenset()
    return frozenset(parser.accepts())  # type: ignore[no-untyped-call]


def words_of(terminals: Iterable[str]) -> list[str]:
    """The words that some of these terminals stand for, in alphabetical order; symbols are left out."""
    lark = _machine()[0]
    patterns = (lark.get_terminal(name).pattern for name in terminals if name in _keyword_terminals())
    words = (pattern.value.removesuffix(r"\b").replace(r"\s+", " ") for pattern in patterns)
    return sorted(word for text in words for word in _alternatives(text))


@cache
def _keyword_terminals() -> frozenset[str]:
    """Terminals that are words: `IF`, `AT_MOST`, `QUALIFIER`."""
    lark = _machine()[0]
    return frozenset(t.name for t in lark.terminals if t.pattern.value.endswith(r"\b"))


def _alternatives(text: str) -> list[str]:
    """`(best|tail)` and `cards?` as the words they stand for."""
    if text.startswith("("):
        return text.strip("()").split("|")
    return [text.removesuffix("s?"), text.removesuffix("?")] if text.endswith("s?") else [text]
