"""Two rulesets, part by part: the ids are the paths by which a variant would name the parts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from rulekit.diagnostics import Findings, RulesetError
from rulekit.difference.side import Side, read_side
from rulekit.game.loading import Source
from rulekit.source.document import Entry, Mapping, Node, Scalar, Sequence
from rulekit.source.order import RULESET_KEYS
from rulekit.source.paths import Trail, ids, is_labelled, same_texts

Kind = Literal["added", "removed", "changed", "fixed", "freed", "reordered"]

_DECLARED = frozenset({"options", "card", "patterns", "zones", "state", "define"})
_SECTIONS = _DECLARED | {"words", "orders", "phases", "moves", "deck", "end"}
_FRONT = frozenset({"rulekit", "name", "title", "family", "text", "sources", "fix", "examples"})
_START = re.compile(r" = (?=[^=]*$)")


@dataclass(frozen=True)
class Change:
    """A part that is not the same in both. ``before`` and ``after`` are None where it is not there.

    ``fixed`` and ``freed`` are about options that can be changed in one of the two only; ``reordered``
    about parts whose order counts.
    """

    id: str
    kind: Kind
    before: Node | None = None
    after: Node | None = None

    @property
    def section(self) -> str:
        return self.id.partition(".")[0]

    @property
    def defaults(self) -> tuple[str, str] | None:
        """The defaults before and after, if that is all that is different about an option."""
        old, new = _declaration(self.before), _declaration(self.after)
        if self.section != "options" or old is None or new is None or old[0] != new[0]:
            return None
        return old[1], new[1]


@dataclass(frozen=True)
class Difference:
    """What differs from ``before`` to ``after``, in the order of a rule file."""

    before: Side
    after: Side
    changes: tuple[Change, ...]

    @property
    def same(self) -> bool:
        """Are the rules the same, whatever they are called?"""
        return not self.changes

    @property
    def lost_reasons(self) -> tuple[str, ...]:
        """Reasons of receipts that are gone."""
        return tuple(reason for reason in self.before.reasons if reason not in self.after.reasons)

    @property
    def new_reasons(self) -> tuple[str, ...]:
        """Reasons of receipts that have come."""
        return tuple(reason for reason in self.after.reasons if reason not in self.before.reasons)


def compare(before: Source, after: Source) -> Difference:
    """Two rulesets by path, name or text. Names, titles, sources and examples are not compared.

    Raises RulesetError if one of them cannot be read or has errors.
    """
    findings = Findings()
    one, other = read_side(before, findings), read_side(after, findings)
    if one is None or other is None:
        raise RulesetError(findings.sorted())
    return between(one, other)


def between(one: Side, other: Side) -> Difference:
    """What differs from one ruleset that has been read to another."""
    return Difference(one, other, tuple(_differences(one, other)))


def _differences(one: Side, other: Side) -> Iterator[Change]:
    place = {key: index for index, key in enumerate(RULESET_KEYS)}
    found = [*_fixed(one.document, other.document)]
    found += _inside(_rules(one.document), _rules(other.document), ())
    yield from sorted(found, key=lambda change: place.get(change.section, len(place)))
    for name in sorted({*one.blocks, *other.blocks}):
        mine, its = one.blocks.get(name), other.blocks.get(name)
        if mine is not None and its is not None and mine != its:
            yield Change(f"block {name}", "changed")


def _rules(document: Mapping) -> Mapping:
    return Mapping(tuple(e for e in document if e.key.text not in _FRONT), document.span)


def _fixed(one: Mapping, other: Mapping) -> Iterator[Change]:
    mine, its = _names(one.get("fix")), _names(other.get("fix"))
    options = other.get("options"), one.get("options")
    for name in its:
        if name not in mine:
            yield Change(f"options.{name}", "fixed", after=_option(options[0], name))
    for name in mine:
        if name not in its:
            yield Change(f"options.{name}", "freed", after=_option(options[0], name))


def _option(options: Node | None, name: str) -> Node | None:
    return options.get(name) if isinstance(options, Mapping) else None


def _names(node: Node | None) -> list[str]:
    return [item.text for item in node if isinstance(item, Scalar)] if isinstance(node, Sequence) else []


# ---------------------------------------------------------------- walking


def _walk(one: Node, other: Node, trail: Trail) -> Iterator[Change]:
    if same_texts(one, other):
        return
    mine, its = _shaped(one, other, trail), _shaped(other, one, trail)
    if _has_parts(mine, its, trail):
        yield from _inside(mine, its, trail)
    else:
        yield Change(_id(trail), "changed", one, other)


def _inside(one: Node, other: Node, trail: Trail) -> Iterator[Change]:
    """What differs between two mappings, or two orders of duties."""
    mine, its = _parts(one, trail), _parts(other, trail)
    if not trail:
        _complete(mine, its)
        _complete(its, mine)
    for name, part in mine.items():
        if name not in its:
            yield Change(_id((*trail, name)), "removed", before=part.value)
            continue
        counterpart = its[name]
        if part.key.text != counterpart.key.text:  # other parameters
            yield Change(_id((*trail, name)), "changed", part.key, counterpart.key)
        yield from _walk(part.value, counterpart.value, (*trail, name))
    for name, part in its.items():
        if name not in mine:
            yield Change(_id((*trail, name)), "added", after=part.value)
    if _ordered(one, trail):
        common = [name for name in mine if name in its]
        if common != [name for name in its if name in mine]:
            yield Change(_id(trail), "reordered", one, other)


def _parts(node: Node, trail: Trail) -> dict[str, Entry]:
    if isinstance(node, Mapping):
        entries = list(node)
    else:
        items = node.items if isinstance(node, Sequence) else ()
        entries = [item.entries[0] for item in items if isinstance(item, Mapping)]
    return dict(zip(ids(node, trail), entries, strict=True))


def _complete(parts: dict[str, Entry], other: dict[str, Entry]) -> None:
    """Give a ruleset the sections that only the other has, empty: their parts are then told one by one."""
    for name in sorted((_DECLARED | {"words", "orders", "phases", "moves"}) & (other.keys() - parts.keys())):
        key = other[name].key
        parts[name] = Entry(key, Mapping((), key.span))


def _ordered(node: Node, trail: Trail) -> bool:
    """Does the order of the parts count? Legal moves are offered in the order of the file."""
    return trail == ("moves",) or isinstance(node, Sequence)


def _shaped(node: Node, other: Node, trail: Trail) -> Node:
    """A part in its full form, if the other has it or for what has always parts: a phase, `{is: ...}`."""
    if isinstance(node, Mapping):
        return node
    if len(trail) == 2 and trail[0] == "phases":
        return _under("do", node)
    if _is_declared(trail) and isinstance(other, Mapping) and "is" in other:
        return _under("is", node)
    return node


def _under(key: str, node: Node) -> Mapping:
    return Mapping((Entry(Scalar(key, node.span), node),), node.span)


def _is_declared(trail: Trail) -> bool:
    """Is this the place of something declared, for which `{is: X, text: ...}` may stand?"""
    if len(trail) == 2:
        return trail[0] in _DECLARED
    return len(trail) == 4 and (trail[0], trail[2]) in (("phases", "state"), ("moves", "choose"))


def _has_parts(one: Node, other: Node, trail: Trail) -> bool:
    """Are these to be compared part by part?"""
    if is_labelled(one, trail) and is_labelled(other, trail):
        return True
    if not isinstance(one, Mapping) or not isinstance(other, Mapping):
        return False
    if _is_declared(trail):
        return "is" in one and "is" in other
    depth, section = len(trail), trail[0] if trail else ""
    if depth <= 1:
        return section in _SECTIONS or not trail
    if section == "phases":
        return depth == 2 or trail[2:] == ("state",)
    return section == "moves" and (depth == 2 or trail[2] in ("choose", "if", "layout"))


def _id(trail: Trail) -> str:
    """`is` is the part itself."""
    return ".".join(trail[:-1] if trail[-1:] == ("is",) else trail)


def _declaration(node: Node | None) -> tuple[str, str] | None:
    """Type and start of `3..21 = 7`."""
    if isinstance(node, Mapping):
        node = node.get("is")
    if not isinstance(node, Scalar):
        return None
    parts = _START.split(node.text)
    return (parts[0], parts[1]) if len(parts) == 2 else None
