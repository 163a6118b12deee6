"""Where in a document the cursor stands, while the document is still being written.

A mark is put at the cursor, and what is missing around it (a colon, closing brackets) is added until the text
can be read as YAML; then the mark is looked for in the tree.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from rulekit.diagnostics import Findings, SourceFile
from rulekit.lsp.repair import open_brackets, repaired
from rulekit.source.document import Mapping, Node, Scalar, Sequence
from rulekit.source.schema import Kind, kind_of, linked_schema
from rulekit.source.yaml import read_document

MARK = "zzcursorzz"
_WORD = re.compile(r"[A-Za-z0-9_]*$")

Path = tuple[str | int, ...]


@dataclass(frozen=True)
class Context:
    """Where the cursor stands.

    ``path``: keys and numbers of items from the root to the node; ``key``: it is a key that is being typed.
    ``before`` is the text of the node up to the word being typed, ``word`` what is there of that word,
    ``beside`` the other keys of the mapping; ``above`` the nodes passed, outermost first.
    """

    kind: Kind
    path: Path
    key: bool
    before: str
    word: str
    scalar: Scalar
    beside: tuple[str, ...]
    above: tuple[Node, ...]

    @property
    def schema(self) -> dict[str, Any]:
        """The part of the JSON Schema for the node; of a key, that of its mapping."""
        path = self.path[:-1] if self.key else self.path
        return schema_at(self.kind, path)


def contexts_at(text: str, offset: int) -> list[Context]:
    """What the place may be: a value, a key, or both; the likelier first."""
    patches = list(_patched(text, offset))
    found = _found(patches)
    if not found:  # another line is at fault
        found = _found([_Patch(_mended(patch.text) or "", patch.as_key) for patch in patches[:2]])
    return found


def _found(patches: list[_Patch]) -> list[Context]:
    found: list[Context] = []
    for patch in patches:
        if not patch.text or any(context.key == patch.as_key for context in found):
            continue
        node = read_document(SourceFile("", patch.text), Findings())
        context = None if node is None else next(_marked(node, kind_of(node)), None)
        if context is not None and context.key == patch.as_key:
            found.append(context)
    return found


@dataclass(frozen=True)
class _Patch:
    text: str
    as_key: bool


def _patched(text: str, offset: int) -> Iterator[_Patch]:
    """The text with the mark at the cursor, and with more and more added to make it readable."""
    end = re.compile(r"[\r\n]|$").search(text, offset)
    stop = len(text) if end is None else end.start()
    before, rest, after = text[:offset], text[offset:stop], text[stop:]
    closing = open_brackets(before[before.rfind("\n") + 1 :] + rest)
    for as_key, added in ((True, ": "), (False, "")):
        if as_key and rest.strip(" }]") and not re.match(r"[\w ]*:", rest):
            continue
        colon = "" if as_key and re.match(r"[\w ]*:(\s|$)", rest) else added
        for ending in dict.fromkeys((rest + closing, rest, closing, "")):
            yield _Patch(before + MARK + colon + ending + after, as_key)


def _mended(text: str) -> str | None:
    """The text without other lines that cannot be read; None if the line of the mark is at fault."""
    mended = repaired(text)
    return mended if mended is not None and MARK in mended else None


def _marked(root: Node, kind: Kind) -> Iterator[Context]:
    """Where the mark stands."""
    waiting: list[tuple[Node, Path, tuple[Node, ...]]] = [(root, (), ())]
    while waiting:
        node, path, above = waiting.pop()
        if isinstance(node, Scalar):
            if MARK in node.text:
                yield _context(kind, node, path, False, (), above)
        elif isinstance(node, Sequence):
            waiting += [(item, (*path, n), (*above, node)) for n, item in enumerate(node)]
        else:
            for entry in node:
                if MARK in entry.key.text:
                    others = tuple(key for key in node.keys() if MARK not in key)  # noqa: SIM118
                    yield _context(kind, entry.key, (*path, entry.key.text), True, others, (*above, node))
                else:
                    waiting.append((entry.value, (*path, entry.key.text), (*above, node)))


def _context(
    kind: Kind, scalar: Scalar, path: Path, key: bool, beside: tuple[str, ...], above: tuple[Node, ...]
) -> Context:
    text = scalar.text.partition(MARK)[0]
    match = _WORD.search(text)
    word = match[0] if match else ""
    return Context(kind, path, key, text[: len(text) - len(word)], word, scalar, beside, above)


def plain_path(path: Path) -> Path:
    """A path in a variant's `change` or `add`, as a path of the whole ruleset."""
    if path[:1] in (("change",), ("add",)) and len(path) > 1:
        return (*str(path[1]).split("."), *path[2:])
    return path


def schema_at(kind: Kind, path: Path) -> dict[str, Any]:
    """The part of the JSON Schema at a path; empty if there is none."""
    plain = plain_path(path)
    schema = linked_schema("ruleset" if plain is not path else kind)
    for step in plain:
        schema = _inside(schema, step)
        if not schema:
            return {}
    return schema


def _inside(schema: dict[str, Any], step: str | int) -> dict[str, Any]:
    if isinstance(step, int):
        items = schema.get("items", {})
        return items if isinstance(items, dict) else {}
    found: dict[str, Any] | None = schema.get("properties", {}).get(step)
    if found is not None:
        return found
    for pattern, part in schema.get("patternProperties", {}).items():
        if re.search(pattern, step):
            return dict(part)
    more = schema.get("additionalProperties", {})
    return more if isinstance(more, dict) else {}


def node_at(root: Mapping, offset: int) -> tuple[Path, bool, Scalar] | None:
    """The text at a place of a whole document: its path, whether it is a key, the text."""
    node: Node = root
    path: Path = ()
    while True:
        if isinstance(node, Scalar):
            span = node.span
            return (path, False, node) if span.start <= offset <= span.end and node.used is None else None
        inner: Node | None = None
        if isinstance(node, Sequence):
            for number, item in enumerate(node):
                if item.span.start <= offset <= item.span.end:
                    inner, step = item, number
                    break
            if inner is None:
                return None
            path = (*path, step)
        else:
            for entry in node:
                if entry.key.span.start <= offset <= entry.key.span.end:
                    return ((*path, entry.key.text), True, entry.key)
                if entry.value.span.start <= offset <= entry.value.span.end:
                    inner, path = entry.value, (*path, entry.key.text)
                    break
            if inner is None:
                return None
        node = inner


__all__ = ["MARK", "Context", "Path", "contexts_at", "node_at", "plain_path", "schema_at"]
