"""Which name stands where, what it means, and where that is declared.

The index is made from what the language knows: the tree of the file, of its base and its blocks, and the
types that the checker has found. It also serves files with errors: what could be read is in it.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from rulekit.diagnostics import Span


@dataclass(frozen=True)
class Symbol:
    """One thing that has a name.

    ``kind``: `state`, `zone`, `move` ...; `built-in` for what belongs to the language. ``head`` is how it
    is declared, ``of`` its type in words, ``prose`` its text; ``span`` is its name where it is declared, None
    for the language's own. Two symbols are the same if they are declared at the same place.
    """

    kind: str
    name: str
    span: Span | None = None
    head: str = field(default="", compare=False)
    of: str = field(default="", compare=False)
    prose: str | None = field(default=None, compare=False)
    place: str = field(default="", compare=False)  # "phase `round`", "block `trick`", "move `follow`"
    origin: Span | None = None  # where the base declares it, if a variant declares it anew

    @property
    def home(self) -> Span | None:
        """The place by which the symbol is told from others: the first that declares it."""
        return self.origin or self.span

    @property
    def key(self) -> tuple[str, str, str, int]:
        """The same for this symbol in every file that is read, and whenever it is read."""
        where = ("", -1) if self.home is None else (self.home.file, self.home.start)
        return (self.kind, self.name, *where)


@dataclass(frozen=True)
class Mention:
    """A place where a symbol is named; ``declares``: that is where it is declared."""

    span: Span
    symbol: Symbol
    declares: bool = False


class Index:
    """The mentions of all names that one file, its bases and its blocks hold."""

    def __init__(self, mentions: Iterable[Mention] = ()) -> None:
        self.files: dict[str, list[Mention]] = {}
        seen: set[tuple[str, int, int]] = set()
        for mention in mentions:
            span = mention.span
            where = (span.file, span.start, span.end)
            if where not in seen:
                seen.add(where)
                self.files.setdefault(span.file, []).append(mention)
        for found in self.files.values():
            found.sort(key=lambda mention: (mention.span.start, -mention.span.end))
        self.starts = {name: [m.span.start for m in found] for name, found in self.files.items()}

    def at(self, file: str, offset: int) -> Mention | None:
        """The name at a character; of two that touch there, the one that begins."""
        found = self.files.get(file, [])
        place = bisect_right(self.starts.get(file, []), offset)
        for mention in reversed(found[max(0, place - 8) : place]):
            if mention.span.start <= offset <= mention.span.end:
                return mention
        return None

    def all(self) -> Iterator[Mention]:
        for found in self.files.values():
            yield from found

    def of(self, symbol: Symbol) -> list[Mention]:
        """All mentions of a symbol, by file and place."""
        return [mention for mention in self.all() if mention.symbol.key == symbol.key]


__all__ = ["Index", "Mention", "Symbol"]
