"""The order of keys, where the language has one: whole entries change places, with their comments."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulekit.formatting.edits import Edit
from rulekit.source.document import Entry, Mapping, Node, Scalar
from rulekit.source.document import Sequence as Items
from rulekit.source.order import BLOCK_KEYS, LOCALE_KEYS, RULESET_KEYS, VARIANT_KEYS
from rulekit.source.schema import kind_of

_FILES = {"ruleset": RULESET_KEYS, "variant": VARIANT_KEYS, "block": BLOCK_KEYS, "locale": LOCALE_KEYS}
_PHASE: tuple[str, ...] = ("text", "state", "stop when", "do", "after")
_MOVE = ("text", "choose", "if", "layout", "do", "again")
_END = ("ranking", "payoff", "score", "limit")
_DECK = ("ranks", "suits", "copies", "without", "extra")
_EXAMPLE = ("title", "players", "options", "given", "run", "when", "then", "allowed", "refused", "result")
# What may stand beside `is`; other keys there (of tables, of neighbours in a variant) leave the order alone.
_PROSE = ("is", "has", "by", "weight", "wild", "most_wild", "text")
_BESIDE = ("before", "after")
_DECLARED = frozenset({"options", "card", "patterns", "zones", "state", "define"})


def order_edits(root: Node) -> list[Edit]:
    """The edits that bring entries into order, of mappings that do not lie inside each other.

    To be repeated until there are none: then all is in order.
    """
    if not isinstance(root, Mapping):
        return []
    wrong: list[tuple[Mapping, list[int]]] = []
    for node, keys in _ordered(root):
        target = _target(node, keys)
        if target is not None:
            wrong.append((node, target))
    wrong.sort(key=lambda pair: (pair[0].span.start, -pair[0].span.end))
    edits: list[Edit] = []
    for index, (node, target) in enumerate(wrong):
        if not any(_holds(node, other) for other, _ in wrong[index + 1 : index + 2]):
            edits += _moved(node, target)
    return edits


def _ordered(root: Mapping) -> Iterator[tuple[Mapping, Sequence[str]]]:
    """Every mapping whose keys have an order, with that order."""
    kind = kind_of(root)
    yield root, _keys_of_file(root, _FILES[kind])
    parts: tuple[tuple[str, tuple[str, ...]], ...]
    parts = (("phases", _PHASE), ("moves", _MOVE), ("examples", _EXAMPLE))
    for section, keys in parts:
        for part in _parts(root.get(section)):
            yield from _fixed(part, keys)
            if section == "phases" and isinstance(part, Mapping):
                yield from _declarations(part.get("state"))
    for key, keys in (("end", _END), ("deck", _DECK)):
        yield from _fixed(root.get(key), keys)
    for section in sorted(_DECLARED):
        yield from _declarations(root.get(section))
    for key in ("change", "add"):
        yield from _patches(root.get(key))


def _patches(node: Node | None) -> Iterator[tuple[Mapping, Sequence[str]]]:
    """The parts that a variant changes or adds; where a new one goes is said first."""
    for entry in node if isinstance(node, Mapping) and node.used is None else ():
        section, _, rest = entry.key.text.partition(".")
        inner = rest.rpartition(".")[0]
        if section in ("end", "deck") and not rest:
            yield from _fixed(entry.value, _END if section == "end" else _DECK)
        elif section in ("phases", "moves") and rest and not inner:
            yield from _fixed(entry.value, _PHASE if section == "phases" else (*_BESIDE, *_MOVE))
        elif (section in _DECLARED and rest and not inner) or (
            section == "phases" and inner.endswith(".state")
        ):
            yield from _fixed(entry.value, (*_BESIDE, *_PROSE))


def _keys_of_file(root: Mapping, keys: Sequence[str]) -> Sequence[str]:
    """What a variant changes, adds and removes stands in the order in which it is told."""
    told = [entry.key.text for entry in root if entry.key.text in ("change", "add", "remove")]
    if "extends" not in root:
        return keys
    at = keys.index("change")
    return (*keys[:at], *told, *keys[at + 3 :])


def _declarations(node: Node | None) -> Iterator[tuple[Mapping, Sequence[str]]]:
    for part in _parts(node):
        yield from _fixed(part, _PROSE)


def _fixed(node: Node | None, keys: Sequence[str]) -> Iterator[tuple[Mapping, Sequence[str]]]:
    if isinstance(node, Mapping) and node.used is None and all(entry.key.text in keys for entry in node):
        yield node, keys


def _parts(node: Node | None) -> Iterator[Node]:
    if isinstance(node, Mapping) and node.used is None:
        yield from (entry.value for entry in node)
    elif isinstance(node, Items) and node.used is None:
        yield from node


def _holds(outer: Node, inner: Node) -> bool:
    return outer.span.start <= inner.span.start and inner.span.end <= outer.span.end


def _target(node: Mapping, keys: Sequence[str]) -> list[int] | None:
    """The places of the entries in the order wanted; None if they stand so already. Unknown keys go last."""
    place = {key: index for index, key in enumerate(keys)}
    wanted = sorted(range(len(node.entries)), key=lambda i: place.get(node.entries[i].key.text, len(place)))
    return None if wanted == list(range(len(wanted))) else wanted


def _moved(node: Mapping, target: Sequence[int]) -> list[Edit]:
    raw = node.span.source.text
    flow = raw[node.span.start : node.span.start + 1] == "{"
    chunks = [_in_brackets(entry) for entry in node] if flow else list(_lines(node, raw))
    texts = [raw[start:end] for start, end in chunks]
    if not flow and target[0] != 0 and not _begins_line(raw, chunks[0][0]):
        # The first entry stands behind a dash: what comes there leaves its indentation to the other.
        first, margin = texts[target[0]], " " * _column(raw, chunks[0][0])
        if first.lstrip(" ").startswith(("#", "\n")):
            return []  # its comment would have to stand behind the dash
        texts[target[0]] = first.lstrip(" ")
        texts[0] = margin + texts[0]
    if not flow:
        texts = [text if text.endswith("\n") else text + "\n" for text in texts]
    return [Edit(*chunk, texts[index]) for chunk, index in zip(chunks, target, strict=True)]


def _in_brackets(entry: Entry) -> tuple[int, int]:
    return entry.key.span.start, _end(entry)


def _end(entry: Entry) -> int:
    value = entry.value
    return value.used.end if value.used else max(value.span.end, entry.key.span.end + 1)


def _lines(node: Mapping, raw: str) -> Iterator[tuple[int, int]]:
    """The lines of each entry, with the comments right above it; the first begins with its key."""
    column = _column(raw, node.entries[0].key.span.start)
    start = node.entries[0].key.span.start
    if _begins_line(raw, start):
        start -= column
    for entry, following in zip(node.entries, (*node.entries[1:], None), strict=True):
        end = _line_end(raw, _end(entry))
        if following is None:
            yield start, end
            return
        limit = following.key.span.start - column
        while end < limit:  # comments further in belong to what stands above them
            line = raw[end : _line_end(raw, end)]
            if not line.strip() or len(line) - len(line.lstrip(" ")) <= column:
                break
            end += len(line)
        yield start, end
        start = end


def _line_end(raw: str, at: int) -> int:
    """The beginning of the next line."""
    if at and raw[at - 1 : at] == "\n":
        return at
    end = raw.find("\n", at)
    return len(raw) if end < 0 else end + 1


def _column(raw: str, at: int) -> int:
    return at - (raw.rfind("\n", 0, at) + 1)


def _begins_line(raw: str, at: int) -> bool:
    return not raw[raw.rfind("\n", 0, at) + 1 : at].strip()


def texts_of(node: Node) -> object:
    """What a document says, whatever the order of its keys: to compare two of them."""
    if isinstance(node, Scalar):
        return node.text
    if isinstance(node, Mapping):
        return {entry.key.text: texts_of(entry.value) for entry in node}
    return [texts_of(item) for item in node]
