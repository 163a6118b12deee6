"""YAML 1.2 text to a located document.

PyYAML's C parser gives events; the tree is built here, with a place for every key and value and no
types: `no`, `010` and `1:30` stay the texts they are. What rule files do not have (tags, merge keys,
several documents, cycles) is refused. The events are walked with a stack of our own, so nothing in a
file can reach Python's recursion limit, and both depth and size are bounded before anything is built.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

import yaml

from rulekit.diagnostics import Findings, Note, SourceFile, Span
from rulekit.source import scalars, slips, traps
from rulekit.source.characters import check_characters
from rulekit.source.document import Entry, Mapping, Node, Scalar, Sequence

MAX_BYTES = 1 << 20
"""Size of a rule file; the longest real one is 2% of it."""
MAX_DEPTH = 40
"""Lists and mappings inside each other; real rule files stay below 15."""
MAX_NODES = 100_000
"""Keys and values, those reached through aliases counted at each use."""

_NULL_KEYS = frozenset({"", "~", "null", "Null", "NULL"})


def read_document(source: SourceFile, findings: Findings) -> Node | None:
    """The document in ``source``, or None if its YAML is broken; what is wrong goes to ``findings``.

    A document is returned also where only single keys were refused (duplicates, tags): the findings
    then hold errors, and later checks may still add theirs.
    """
    if len(source.text.encode("utf-8", "surrogatepass")) > MAX_BYTES:
        too_large(source.span(0, 0), findings)
        return None
    if not check_characters(source, findings):
        return None
    return _Reader(source, findings).read()


def too_large(span: Span | None, findings: Findings) -> None:
    """Report a file over the size limit."""
    findings.error(
        "RK101",
        f"the file is larger than {MAX_BYTES >> 20} MiB ({MAX_BYTES} bytes)",
        span,
        help="a ruleset is a few kilobytes; is this the right file?",
    )


@dataclass(slots=True)
class _Open:
    """A list or mapping whose end has not been read."""

    start: int
    flow: bool
    anchor: str | None
    mapping: bool
    nodes: list[Node] = field(default_factory=list)
    entries: list[Entry] = field(default_factory=list)
    seen: dict[str, Scalar] = field(default_factory=dict)
    key: Scalar | None = None
    key_refused: bool = False
    torn: list[Entry] = field(default_factory=list)
    size: int = 1
    height: int = 1


@dataclass(frozen=True)
class _Done:
    """A finished node with its size and height, as an alias to it would add them."""

    node: Node
    size: int
    height: int


class _Stop(Exception):
    """Reading cannot go on; the reason is among the findings."""


class _Reader:
    def __init__(self, source: SourceFile, findings: Findings) -> None:
        self.source = source
        self.raw = source.text
        self.findings = findings
        self.stack: list[_Open] = []
        self.anchors: dict[str, _Done] = {}
        self.root: Node | None = None
        self.total = 0
        self.documents = 0
        self.texts: list[Scalar] = []
        self.last: tuple[int, int, str] | None = None

    def read(self) -> Node | None:
        try:
            for event in yaml.parse(self.raw, Loader=yaml.CSafeLoader):
                self._event(event)
        except _Stop:
            return None
        except yaml.YAMLError as error:
            bracket = self.stack[-1].start if self.stack and self.stack[-1].flow else None
            slip = slips.translate(error, self.source, self.last, bracket)
            end = len(self.raw)
            span = self.source.span(min(slip.span.start, end), min(slip.span.end, end))
            self.findings.error(slip.code, slip.message, span, expected=slip.expected, help=slip.help)
            return None
        if self.root is None or self._is_nothing(self.root):
            self.findings.error(
                "RK108",
                "the file is empty",
                self.source.span(0, 0),
                expected="a ruleset, that begins with `rulekit:`",
            )
            return None
        traps.check_traps(self.root, self.source, self.texts, self.findings)
        return self.root

    @staticmethod
    def _is_nothing(node: Node) -> bool:
        return isinstance(node, Scalar) and node.plain and not node.text

    # ------------------------------------------------------------------ events

    def _event(self, event: yaml.Event) -> None:
        if event.start_mark is None or event.end_mark is None:
            return
        start, end = event.start_mark.index, event.end_mark.index
        if isinstance(event, yaml.ScalarEvent):
            self._add(self._scalar(event, start, end), 1, 0, event.anchor)
        elif isinstance(event, yaml.CollectionStartEvent):
            self._open(event, start, end)
        elif isinstance(event, yaml.CollectionEndEvent):
            self._close(end)
        elif isinstance(event, yaml.AliasEvent):
            self._alias(str(event.anchor), self.source.span(start, end))
        elif isinstance(event, yaml.DocumentStartEvent):
            self._document(event, start, end)

    def _document(self, event: yaml.DocumentStartEvent, start: int, end: int) -> None:
        self.documents += 1
        if self.documents > 1:
            self._stop(
                "RK109",
                "a second document begins here",
                self.source.span(start, max(end, start + 1)),
                help="one file holds one ruleset: put the second one into a file of its own",
            )
        if event.tags or (event.version and tuple(event.version) != (1, 2)):
            line = self.raw[start:].partition("\n")[0].rstrip()
            self.findings.error(
                "RK115",
                f"`{line}` is not understood in a rule file",
                self.source.span(start, start + len(line)),
                expected="YAML 1.2, which needs no directive",
                help="delete the line",
            )

    def _scalar(self, event: yaml.ScalarEvent, start: int, end: int) -> Scalar:
        style = event.style or ""
        if event.tag is not None:
            self._tag(event.tag, start)
        if event.anchor or event.tag:
            start = scalars.content_start(self.raw, start, end, event.anchor)
        text: str = event.value
        self.last = (start, end, style)
        places = scalars.offsets(self.raw, start, end, text, style)
        if style and style in "|>":
            end = start + len(self.raw[start:end].rstrip())
        scalar = Scalar(text, Span(self.source, start, end), not style, places)
        if not text.isascii() or style == '"':
            self.texts.append(scalar)
        if not style and self.raw.startswith((" ", "\t"), end):
            traps.check_cut(self.source, end, self.findings)
        return scalar

    def _open(self, event: yaml.CollectionStartEvent, start: int, end: int) -> None:
        if event.tag is not None:
            self._tag(event.tag, start)
        if event.anchor or event.tag:
            start = max(start, end - 1) if event.flow_style else start
        if len(self.stack) >= MAX_DEPTH:
            self._too_deep(self.source.span(start, max(end, start + 1)))
        mapping = isinstance(event, yaml.MappingStartEvent)
        self.stack.append(_Open(start, bool(event.flow_style), event.anchor, mapping))

    def _close(self, end: int) -> None:
        done = self.stack.pop()
        if not done.flow:
            parts = done.entries[-1].value if done.entries else done.nodes[-1] if done.nodes else None
            end = max(parts.span.end, done.start) if parts and not parts.used else done.start + 1
            if parts and parts.used:
                end = parts.used.end
        span = self.source.span(done.start, end)
        self._torn(done)
        node: Node
        node = Mapping(tuple(done.entries), span) if done.mapping else Sequence(tuple(done.nodes), span)
        self._add(node, done.size, done.height, done.anchor)

    def _alias(self, name: str, span: Span) -> None:
        if any(frame.anchor == name for frame in self.stack):
            frame = next(frame for frame in self.stack if frame.anchor == name)
            first = self.source.span(frame.start, frame.start + 1)
            self._stop(
                "RK121",
                f"`*{name}` stands inside the very part it refers to",
                span,
                help="write the part out; a rule file cannot contain itself",
                notes=[Note(f"`&{name}` begins here", first)],
            )
        if name not in self.anchors:
            if self.stack and self.stack[-1].mapping and self.stack[-1].key_refused:
                raise _Stop  # `<<: *base`: that is told of the key
            self._stop(
                "RK120",
                f"`*{name}` refers to an anchor that is not there",
                span,
                expected=f"`&{name}` on a part that stands before it",
                help=f"if it is no alias, {slips.QUOTES}",
            )
        done = self.anchors[name]
        if len(self.stack) + done.height > MAX_DEPTH:
            self._too_deep(span)
        self._add(replace(done.node, used=span), done.size, done.height, None)

    # ------------------------------------------------------------------ building

    def _add(self, node: Node, size: int, height: int, anchor: str | None) -> None:
        """Put a finished node where it belongs."""
        if anchor:
            self.anchors[anchor] = _Done(node, size, height)
        if not self.stack:
            self.root = node
            return
        frame = self.stack[-1]
        frame.size += size
        if height >= frame.height:
            frame.height = height + 1
        if frame.size > MAX_NODES:
            self._stop(
                "RK122",
                f"more than {MAX_NODES} keys and values",
                node.used or node.span,
                help="an alias counts with all it refers to; write less, or use fewer aliases",
            )
        if not frame.mapping:
            frame.nodes.append(node)
        elif frame.key is None and not frame.key_refused:
            self._key(frame, node)
        else:
            self._value(frame, node)

    def _key(self, frame: _Open, node: Node) -> None:
        frame.key_refused = True  # until it is found to be good
        if not isinstance(node, Scalar) or (node.plain and node.text in _NULL_KEYS):
            what = {Mapping: "a mapping", Sequence: "a list", Scalar: "nothing"}[type(node)]
            self.findings.error(
                "RK117",
                f"{what} where a key is due",
                node.span,
                expected="a name or a number before the `:`",
                help=f"if this is a text, {slips.QUOTES}",
            )
        elif node.text == "<<":
            self.findings.error(
                "RK118",
                "merge keys (`<<`) are not understood in a rule file",
                node.span,
                help="to build on another ruleset write `extends: its-name`; "
                "to say a thing once, make it a define or a phase",
            )
        elif node.text.startswith("x-") and len(self.stack) == 1:
            self.findings.error(
                "RK119",
                f"`{node.text}`: there are no keys of one's own in a rule file",
                node.span,
                help="to share parts between rulesets use `extends`; notes are comments (`# ...`)",
            )
        elif node.text in frame.seen:
            first = frame.seen[node.text]
            lines = (first.span.line, node.span.line)
            where = f"in line {lines[0]}" if lines[0] == lines[1] else f"in lines {lines[0]} and {lines[1]}"
            self.findings.error(
                "RK116",
                f"`{node.text}` is given twice, {where}",
                node.span,
                help="keep one of the two, or join them",
                notes=[Note(f"`{node.text}` is given here first", first.span)],
            )
        else:
            frame.key_refused = False
            frame.key = node
            frame.seen[node.text] = node

    def _value(self, frame: _Open, node: Node) -> None:
        key, frame.key, frame.key_refused = frame.key, None, False
        if key is None:
            return
        entry = Entry(key, node)
        if not frame.flow:
            frame.entries.append(entry)
            return
        if self._is_nothing(node) and not node.used:
            between = self.raw[key.span.end : node.span.end + 1]
            if ":" not in between:
                frame.torn.append(entry)
                return
        self._torn(frame)
        frame.entries.append(entry)

    def _torn(self, frame: _Open) -> None:
        """Report the pieces of a text that its own commas tore apart: keys without a colon."""
        if not frame.torn:
            return
        first, last = frame.torn[0].key, frame.torn[-1].key
        frame.torn = []
        before = frame.entries[-1].value if frame.entries else None
        if isinstance(before, Scalar) and not before.used:
            text = self.raw[before.span.start : last.span.end]
            shown = '"' + text + '"' if '"' not in text else "'" + text.replace("'", "''") + "'"
            self.findings.error(
                "RK124",
                f"`{first.text}` has no value: inside `{{ }}` a comma ends a text",
                self.source.span(first.span.start, last.span.end),
                expected="a text with a comma in quotes, or outside `{ }`",
                help=f"{slips.QUOTES}: `{shown}`",
            )
        else:
            self.findings.error(
                "RK124",
                f"`{first.text}` has no value: `{{ }}` holds keys with values",
                self.source.span(first.span.start, last.span.end),
                expected="`key: value`",
                help=f"if this is a text or an expression, {slips.QUOTES}; a list stands in `[ ]`",
            )

    # ------------------------------------------------------------------ checks

    def _tag(self, tag: str, start: int) -> None:
        line = re.split(r"\s+#|\n", self.raw[start:], maxsplit=1)[0].rstrip()
        word = line.split(" ")[0] if line else tag
        wish = line.lstrip("! ")
        self.findings.error(
            "RK114",
            f"`{word}` is a tag in YAML, not part of the text",
            self.source.span(start, start + max(1, len(word))),
            expected="a text without `!` at its beginning",
            help=f"to negate a condition write `not {wish}`"
            if not word.startswith("!!")
            else "delete it: what a text means follows from where it stands",
        )

    def _too_deep(self, span: Span) -> None:
        self._stop(
            "RK123",
            f"more than {MAX_DEPTH} lists and mappings inside each other",
            span,
            help="give the inner parts names of their own: a define or a phase",
        )

    def _stop(
        self,
        code: str,
        message: str,
        span: Span,
        *,
        expected: str | None = None,
        help: str | None = None,
        notes: list[Note] | None = None,
    ) -> None:
        self.findings.error(code, message, span, expected=expected, help=help, notes=notes or [])
        raise _Stop
