"""What every part of the reader needs: shapes, prose, names and words of a located document."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from collections.abc import Sequence as Sequence_
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeVar, overload

from rulekit.diagnostics import Findings, Span
from rulekit.language.heard import WORDS, hear
from rulekit.language.keywords import KEYWORDS
from rulekit.language.spoken import card_of
from rulekit.language.syntax import Name
from rulekit.language.tree import BlockTree, Prose
from rulekit.source.document import Entry, Mapping, Node, Scalar, Sequence

T = TypeVar("T")
Parse = Callable[[Scalar, Findings], T | None]

_NAME = re.compile(r"[a-z][a-z0-9_]*")
_WORD = re.compile(r"\S+")
_TABLE_WORD = re.compile(r"-?[0-9]+|[0-9]*[A-Z][A-Z0-9]*|[a-z][a-z0-9_]*")


class WordSpots(Sequence_[Span]):
    """Where each word of some texts stands, found out when somebody asks: as a rule nobody does."""

    def __init__(self, texts: tuple[Scalar, ...]) -> None:
        self._texts = texts

    @cached_property
    def _spots(self) -> tuple[Span, ...]:
        return tuple(text.at(*word.span()) for text in self._texts for word in _WORD.finditer(text.text))

    @overload
    def __getitem__(self, place: int) -> Span: ...

    @overload
    def __getitem__(self, place: slice) -> tuple[Span, ...]: ...

    def __getitem__(self, place: int | slice) -> Span | tuple[Span, ...]:
        return self._spots[place]

    def __len__(self) -> int:
        return sum(len(text.text.split()) for text in self._texts)


@dataclass
class Reading:
    """One file being read: where its findings go, and which blocks it may use.

    ``blocks`` gives a block by its name, or None if there is none of that name; if it is None itself,
    blocks are not looked up. ``broken`` collects the names whose declaration could not be read.
    """

    findings: Findings
    blocks: Callable[[str], BlockTree | None] | None = None
    block_names: tuple[str, ...] = ()
    broken: list[str] = field(default_factory=list)
    unreadable: set[str] = field(default_factory=set)

    def block(self, name: str) -> BlockTree | None:
        """The block of that name. One that is there but cannot be read is noted as unreadable."""
        before = len(self.findings.items)
        found = self.blocks(name) if self.blocks else None
        if found is None and len(self.findings.items) > before:
            self.unreadable.add(name)
        return found

    # ------------------------------------------------------------ shapes

    def wrong_shape(self, node: Node, expected: str) -> None:
        """Something of another shape is due here. Said only if nothing else was said about the place."""
        if not self._said_about(node.span):
            where = _head_of(node)
            self.findings.error("RK370", f"{_shape(node)} cannot stand here", where, expected=expected)

    def _said_about(self, place: Span) -> bool:
        """Has something been said about that place, or a part of it?"""
        spans = (item.span for item in self.findings.items if item.span is not None)
        return any(
            span.source is place.source and span.start <= place.end and place.start <= span.end
            for span in spans
        )

    def scalar(self, node: Node | None, expected: str) -> Scalar | None:
        """The node as a text, out of its prose; None if it is absent or something else."""
        node = self.bare(node)
        if node is None or isinstance(node, Scalar):
            return node
        self.wrong_shape(node, expected)
        return None

    def items(self, node: Node | None) -> tuple[Node, ...]:
        """The items of a list; anything else is a list of one."""
        node = self.bare(node)
        if node is None:
            return ()
        return node.items if isinstance(node, Sequence) else (node,)

    def entries(self, node: Node | None, expected: str) -> Iterator[Entry]:
        """The entries of a mapping that may stand in prose; none if it is absent or something else."""
        node = self.bare(node)
        if isinstance(node, Mapping):
            return iter(node.entries)
        if node is not None:
            self.wrong_shape(node, expected)
        return iter(())

    # ------------------------------------------------------------ prose

    def bare(self, node: Node | None) -> Node | None:
        """The value itself, where `{is: X, text: ...}` may stand for X."""
        while isinstance(node, Mapping) and "is" in node:
            node = node.get("is")
        return node

    def comment(self, node: Node | None) -> Prose | None:
        """The `text` beside `is`."""
        return self.prose(node.get("text")) if isinstance(node, Mapping) and "is" in node else None

    def beside(self, node: Node, key: str) -> Node | None:
        """What stands under ``key`` beside `is`."""
        return node.get(key) if isinstance(node, Mapping) and "is" in node else None

    def prose(self, node: Node | None) -> Prose | None:
        """A text for people."""
        scalar = self.scalar(node, "a text")
        return None if scalar is None else Prose(scalar.text, span=scalar.span)

    # ------------------------------------------------------------ texts of the language

    def parse(self, parse: Parse[T], node: Node | None, expected: str) -> T | None:
        """The node's text, parsed."""
        scalar = self.scalar(node, expected)
        return None if scalar is None else parse(scalar, self.findings)

    def name(self, scalar: Scalar, *, reserved: bool = True) -> Name:
        """A declared name. ``reserved``: it stands in expressions too, where keywords mean something else."""
        if not _NAME.fullmatch(scalar.text):
            self._bad_name(scalar)
        elif reserved and scalar.text in KEYWORDS:
            self.findings.error(
                "RK319",
                f"`{scalar.text}` is a word of the language and cannot be a name",
                scalar.span,
                help=f"take another name, such as `the_{scalar.text}`",
            )
        return Name(scalar.text, span=scalar.span)

    def _bad_name(self, scalar: Scalar) -> None:
        if self._said_about(scalar.span):
            return
        better = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|[^A-Za-z0-9]+", "_", scalar.text.strip()).strip("_").lower()
        good = bool(_NAME.fullmatch(better))
        self.findings.error(
            "RK312",
            f"`{scalar.text}` is not a name",
            scalar.span,
            expected="small letters, digits and `_`, beginning with a letter",
            suggestion=better if good else None,
            help=f"write `{better}`" if good else None,
        )

    def names(self, node: Node | None, expected: str) -> tuple[Name, ...]:
        """A list of names of moves; one name alone is a list of one, `none` the empty list."""
        found = []
        for item in self.items(node):
            scalar = self.scalar(item, expected)
            if scalar is not None and scalar.text not in ("none", ""):
                found.append(self.name(scalar, reserved=False))
        return tuple(found)

    def words(self, node: Node | None, expected: str) -> tuple[str, ...]:
        """The words of a text, or of a list of texts."""
        scalars = [scalar for item in self.items(node) if (scalar := self.scalar(item, expected))]
        for scalar in scalars:
            hear(WORDS, scalar)
        return tuple(word for scalar in scalars for word in scalar.text.split())

    def spots(self, node: Node | None) -> Sequence_[Span]:
        """Where each of the `words` of a text, or of a list of texts, stands."""
        items = (self.bare(item) for item in self.items(node))
        return WordSpots(tuple(item for item in items if isinstance(item, Scalar)))

    def lookup_words(self, scalar: Scalar) -> tuple[Name | str, ...]:
        """The words of a table's key: names, and as they stand cards, ranks and numbers."""
        hear(WORDS, scalar)
        found: list[Name | str] = []
        card = card_of(scalar.text)
        if card is not None and not self._said_about(scalar.span):
            self.findings.error(
                "RK333", f"`{scalar.text}` cannot be the key of a row", scalar.span,
                expected="cards, ranks, numbers or words, with blanks between them",
                help=f"write `{card}`", suggestion=card,
            )  # fmt: skip
        if card is not None:
            return (card,)
        for match in _WORD.finditer(scalar.text):
            word, span = match.group(), scalar.at(match.start(), match.end())
            if not _TABLE_WORD.fullmatch(word):
                self.findings.error(
                    "RK333",
                    f"`{word}` cannot be the key of a row",
                    span,
                    expected="cards, ranks, numbers or words, with blanks between them",
                )
            elif word[0].islower():
                found.append(Name(word, span=span))
            else:
                found.append(word)
        return tuple(found)

    def whole(self, node: Node | None, expected: str) -> int | None:
        """A whole number."""
        scalar = self.scalar(node, expected)
        if scalar is None:
            return None
        if not re.fullmatch(r"[0-9]{1,12}", scalar.text):
            self.wrong_text(scalar, expected)
            return None
        return int(scalar.text)

    def wrong_text(self, scalar: Scalar, expected: str) -> None:
        """A text is not what is due, unless that has been said."""
        if not self._said_about(scalar.span):
            self.findings.error("RK371", f"`{scalar.text}` cannot stand here", scalar.span, expected=expected)

    def unread(self, names: Iterable[str]) -> None:
        """Words of a part that was refused; if some of them are blocks, what these would bring too."""
        for name in names:
            block = self.blocks(name) if self.blocks and name in self.block_names else None
            self.miss([name])
            if block is not None:
                self.miss(state.name.id for state in block.state)
                self.miss(move.name.id for move in block.moves)
                self.miss(define.signature.name.id for define in block.defines)
                self.miss(phase.signature.name.id for phase in block.phases)

    def miss(self, names: Iterable[str]) -> None:
        """Remember names whose declaration could not be read, so that nobody calls them unknown."""
        self.broken.extend(names)


def _head_of(node: Node) -> Span:
    """The place to show for a node: of a mapping its first key, of a list its start."""
    if isinstance(node, Mapping) and node.entries:
        return node.entries[0].key.span
    if isinstance(node, Scalar):
        return node.span
    return Span(node.span.source, node.span.start, min(node.span.start + 1, node.span.end))


def _shape(node: Node) -> str:
    if isinstance(node, Mapping):
        return f"a mapping (`{node.entries[0].key.text}: ...`)" if node.entries else "an empty mapping"
    return "a list" if isinstance(node, Sequence) else f"`{node.text}`"
