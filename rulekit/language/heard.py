"""Which texts of a rule file are texts of the language, and of which form.

What a text means follows from where it stands, and only the reader knows that. So whoever wants all of
them (the formatter) lets the reader read, and listens.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import NamedTuple

from rulekit.source.document import Scalar

WORDS = "words"
"""The form of a text that is words with blanks between them: `4C QC`, `P1 play 4S`."""


class Heard(NamedTuple):
    """A text and its form: an entry of the grammar, or `WORDS`."""

    form: str
    scalar: Scalar


_listener: ContextVar[list[Heard] | None] = ContextVar("listener", default=None)


@contextmanager
def listening() -> Iterator[list[Heard]]:
    """The texts that are read inside, in the order of reading; some may be read twice."""
    heard: list[Heard] = []
    token = _listener.set(heard)
    try:
        yield heard
    finally:
        _listener.reset(token)


def hear(form: str, scalar: Scalar) -> None:
    """A text has been read."""
    heard = _listener.get()
    if heard is not None:
        heard.append(Heard(form, scalar))
