"""Id paths: how a variant names a part of its base, and the tools to replace that part.

`moves.follow.choose.card.follow suit` goes from key to key; in a chain of duties the label is the key,
in a ranked pattern the name. A define, a pattern or a phase is named without its parameters:
`define.mate` is the key `mate(card c)`. `phases.scoring.do` is the list of statements even where the
phase is written as a bare list. Statements have no ids.
"""

from __future__ import annotations

from collections.abc import Sequence as Listing
from dataclasses import dataclass

from rulekit.source.document import Entry, Mapping, Node, Scalar, Sequence

WITH_PARAMETERS = frozenset({"define", "patterns", "phases"})

Trail = tuple[str, ...]


@dataclass(frozen=True)
class Spot:
    """Where a path leads: the indices from the root, the ids passed, the part there, and what of the
    path is left over because there is no such part."""

    steps: tuple[int, ...]
    trail: Trail
    node: Node
    rest: str

    @property
    def found(self) -> bool:
        return not self.rest


def base_name(key: str) -> str:
    """A key without its parameters: `mate(card c)` is called `mate`."""
    return key.partition("(")[0].strip()


def ids(node: Node, trail: Trail) -> list[str]:
    """The ids of the parts of ``node``, in the order of their indices; empty if they have none."""
    if isinstance(node, Mapping):
        keys = list(node.keys())
        return [base_name(key) for key in keys] if len(trail) == 1 and trail[0] in WITH_PARAMETERS else keys
    if isinstance(node, Sequence) and is_labelled(node, trail):
        return [item.entries[0].key.text for item in node if isinstance(item, Mapping)]
    return []


def is_labelled(node: Node, trail: Trail) -> bool:
    """Is this a chain of duties or a ranked pattern, whose entries have names?"""
    place = (len(trail) == 4 and trail[0] == "moves" and trail[2] == "choose") or (
        len(trail) == 2 and trail[0] == "patterns"
    )
    return (
        place
        and isinstance(node, Sequence)
        and all(isinstance(item, Mapping) and len(item.entries) == 1 for item in node)
    )


def find(root: Mapping, path: str) -> Spot:
    """Follow ``path`` as far as it goes. Of several readings (labels may hold dots) the longest counts."""
    return _walk(root, path, (), ())


def _walk(node: Node, rest: str, steps: tuple[int, ...], trail: Trail) -> Spot:
    best = Spot(steps, trail, node, rest)
    if not rest:
        return best
    if isinstance(node, Sequence) and len(trail) == 2 and trail[0] == "phases" and rest == "do":
        return Spot(steps, (*trail, "do"), node, "")
    names = ids(node, trail)
    for index in sorted(range(len(names)), key=lambda i: -len(names[i])):
        name = names[index]
        asked = base_name(rest) if len(trail) == 1 and trail[0] in WITH_PARAMETERS else rest
        if asked == name:
            remaining = ""
        elif rest.startswith(name + "."):
            remaining = rest[len(name) + 1 :]
        else:
            continue
        further = (*steps, index)
        if isinstance(node, Mapping):
            spot = _walk(node.entries[index].value, remaining, further, (*trail, name))
        else:
            item = node.items[index] if isinstance(node, Sequence) else node
            value = item.entries[0].value if isinstance(item, Mapping) else item
            spot = _walk(value, remaining, further, (*trail, name))
        if spot.found:
            return spot
        if len(spot.rest) < len(best.rest):
            best = spot
    return best


def replace_part(root: Node, steps: Listing[int], value: Node, key: Scalar | None = None) -> Node:
    """``root`` with another part where ``steps`` lead, and another key if one is given."""
    if not steps:
        return value
    index, rest = steps[0], steps[1:]
    if isinstance(root, Mapping):
        entry = root.entries[index]
        new = Entry(
            key if key and not rest else entry.key,
            replace_part(entry.value, rest, value, key),
        )
        return Mapping((*root.entries[:index], new, *root.entries[index + 1 :]), root.span)
    if isinstance(root, Sequence):
        item = root.items[index]
        if isinstance(item, Mapping):
            inner = item.entries[0]
            changed: Node = Mapping(
                (Entry(inner.key, replace_part(inner.value, rest, value, key)),), item.span
            )
        else:
            changed = replace_part(item, rest, value, key)
        return Sequence((*root.items[:index], changed, *root.items[index + 1 :]), root.span)
    return value


def remove_part(root: Node, steps: Listing[int]) -> Node | None:
    """``root`` without the part where ``steps`` lead; None if nothing is left of a mapping."""
    index, rest = steps[0], steps[1:]
    if isinstance(root, Mapping):
        kept = remove_part(root.entries[index].value, rest) if rest else None
        if kept is not None:
            return replace_part(root, (index,), kept)
        entries = (*root.entries[:index], *root.entries[index + 1 :])
        return Mapping(entries, root.span) if entries else None
    if isinstance(root, Sequence):
        if rest:
            item = root.items[index]
            value = item.entries[0].value if isinstance(item, Mapping) else item
            kept = remove_part(value, rest)
            if kept is not None:
                return replace_part(root, (index,), kept)
        return Sequence((*root.items[:index], *root.items[index + 1 :]), root.span)
    return root


def same_texts(one: Node, other: Node) -> bool:
    """Do two parts read the same, wherever they stand?"""
    if isinstance(one, Scalar) and isinstance(other, Scalar):
        return one.text == other.text
    if isinstance(one, Sequence) and isinstance(other, Sequence):
        return len(one.items) == len(other.items) and all(map(same_texts, one.items, other.items))
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one.keys() == other.keys() and all(
            same_texts(mine.value, its.value) for mine, its in zip(one, other, strict=True)
        )
    return False
