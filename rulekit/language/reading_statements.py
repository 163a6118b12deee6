"""Reads lists of statements: sentences, and mappings whose key is a head."""

from __future__ import annotations

import re
from collections.abc import Sequence as Several
from itertools import takewhile

from rulekit.diagnostics import nearest
from rulekit.language import parser
from rulekit.language import syntax as s
from rulekit.language.keywords import HEADS
from rulekit.language.reading import Reading
from rulekit.language.tree import BlockTree
from rulekit.source.document import Entry, Mapping, Node, Scalar, Sequence

_LET = re.compile(r"\s*let\s+([a-z][a-z0-9_]*)\s*=")
_STATEMENT = "a statement: a sentence, or a head and its list"
_MOVES = "a list of moves: `[play, pass]`"


def read_statements(reading: Reading, node: Node | None) -> tuple[s.Stmt, ...]:
    """A list of statements; `none` and an absent list are the empty one."""
    bare = reading.bare(node)
    if isinstance(bare, Scalar) and bare.text == "none":
        return ()
    found = (_statement(reading, item) for item in reading.items(bare))
    return tuple(statement for statement in found if statement is not None)


def _statement(reading: Reading, node: Node) -> s.Stmt | None:
    node = reading.bare(node) or node
    if isinstance(node, Scalar):
        statement = parser.parse_statement(node, reading.findings)
        if statement is None and (lost := _LET.match(node.text)):
            reading.miss([lost[1]])
        return statement
    if isinstance(node, Sequence) or not node.entries:
        reading.wrong_shape(node, _STATEMENT)
        return None
    return _compound(reading, node)


def _compound(reading: Reading, node: Mapping) -> s.Stmt | None:
    first, *rest = node.entries
    head = parser.parse_head(first.key, reading.findings)
    if isinstance(head, s.IfHead) or (head is None and first.key.text.startswith("if")):
        return _if(reading, head, first, rest)
    for entry in rest:
        _one_head_only(reading, first, entry)
    return _body_without_head(reading, first) if head is None else _headed(reading, head, first)


def _headed(reading: Reading, head: s.Head, entry: Entry) -> s.Stmt | None:
    """A statement of one head and its body."""
    body = entry.value
    span = head.span
    match head:
        case s.ForHead():
            return s.For(head.name, head.domain, read_statements(reading, body), span=span)
        case s.RepeatHead():
            return s.Repeat(head.times, read_statements(reading, body), span=span)
        case s.UntilHead():
            return s.Until(head.condition, read_statements(reading, body), span=span)
        case s.AskHead():
            moves = reading.names(body, _MOVES)
            return s.Ask(head.who, moves, head.whom, head.together, span=span)
        case s.OfferHead():
            return _offer(reading, head, entry)
        case s.UseHead():
            return _use(reading, head.name, entry)
        case _:
            reading.findings.error(
                "RK323",
                f"`{entry.key.text}` has no `if` before it",
                entry.key.span,
                help="`if`, `else if` and `else` stand below each other, without a dash between them",
            )
            read_statements(reading, body)
            return None


def _body_without_head(reading: Reading, entry: Entry) -> s.Stmt | None:
    """The body below a head that could not be read, if it is plain what it is.

    It stays, with a condition in place of the head's, lest what its blocks bring be called unknown.
    """
    first, _, _ = entry.key.text.strip().partition(" ")
    if first == "for":
        words = takewhile(str.isidentifier, entry.key.text.partition(" in ")[0].split()[1:])
        reading.miss(list(words)[:3])
    if first not in ("for", "repeat", "until", "else"):
        return None
    span = entry.key.span
    return s.Until(s.Truth(True, span=span), read_statements(reading, entry.value), span=span)


def _if(reading: Reading, head: s.Head | None, first: Entry, rest: Several[Entry]) -> s.If | None:
    """`if`, `else if` and `else` of one mapping."""
    branches: list[s.Branch] = []
    if isinstance(head, s.IfHead):
        branches.append(s.Branch(head.condition, read_statements(reading, first.value), span=head.span))
    else:
        lost = s.Truth(True, span=first.key.span)
        branches.append(s.Branch(lost, read_statements(reading, first.value), span=first.key.span))
    closed: Entry | None = None
    for entry in rest:
        if not entry.key.text.lstrip().startswith("else"):
            _one_head_only(reading, first, entry)
            continue
        other = parser.parse_head(entry.key, reading.findings)
        body = read_statements(reading, entry.value)
        if closed is not None:
            reading.findings.error(
                "RK323",
                f"`{entry.key.text}` comes after `else`, which is the last",
                entry.key.span,
                help="put `else:` at the end",
            )
        elif isinstance(other, s.ElseIfHead):
            branches.append(s.Branch(other.condition, body, span=other.span))
        elif isinstance(other, s.ElseHead):
            branches.append(s.Branch(None, body, span=other.span))
            closed = entry
    return s.If(tuple(branches), span=branches[0].span)


def _one_head_only(reading: Reading, first: Entry, entry: Entry) -> None:
    """A second statement stands in the mapping of the first."""
    reading.findings.error(
        "RK324",
        f"`{entry.key.text}` stands in the same list item as `{first.key.text}`",
        entry.key.span,
        expected="one statement in a list item",
        help=f"begin it with a dash: `- {entry.key.text}:`",
    )


def _offer(reading: Reading, head: s.OfferHead, entry: Entry) -> s.Use:
    """`offer PLAYERS: [moves]` is a use of the block `offer`."""
    slots = (
        s.SlotValue(s.Name("whom", span=head.who.span), value=head.who, span=head.who.span),
        s.SlotValue(
            s.Name("asked", span=head.span),
            moves=reading.names(entry.value, _MOVES),
            span=entry.value.span,
        ),
    )
    return s.Use(s.Name("offer", span=head.span), slots, span=head.span)


def _use(reading: Reading, name: s.Name, entry: Entry) -> s.Use | None:
    """A block and what goes into its slots."""
    block = reading.block(name.id)
    if block is None and reading.blocks and name.id not in reading.unreadable:
        near = _unknown_head(reading, name)
        block = reading.block(near) if near in reading.block_names else None
        if near is None or block is None:
            return None
        name = s.Name(near, span=name.span)  # read on as if it were so, lest what it brings be missed
    value = reading.bare(entry.value)
    if isinstance(value, Scalar) and not value.text:
        return s.Use(name, (), span=name.span)
    entries = list(reading.entries(value, "slots and their values"))
    given = {entry.key.text for entry in entries}
    slots: list[s.SlotValue] = []
    unread: list[str] = []
    for entry in entries:
        slot = _slot(reading, block, entry, given)
        if slot is None:
            unread.append(entry.key.text)
        else:
            slots.append(slot)
    return s.Use(name, tuple(slots), tuple(unread), span=name.span)


def _unknown_head(reading: Reading, name: s.Name) -> str | None:
    """Report a name that begins no statement; the one that is meant, if that can be told."""
    near = nearest(name.id, [*reading.block_names, *HEADS])
    reading.findings.error(
        "RK320",
        f"there is no statement or block `{name.id}`",
        name.span,
        expected="if, for, repeat, until, ask, offer, or the name of a block",
        help=f"did you mean `{near}`?" if near else None,
        suggestion=near,
    )
    return near


def _slot(reading: Reading, block: BlockTree | None, entry: Entry, given: set[str]) -> s.SlotValue | None:
    """One slot of a use, read by the slot's type, or without a block by the look of its value."""
    name = s.Name(entry.key.text, span=entry.key.span)
    if block is None:
        return slot_value(reading, name, _look(entry.value), entry.value)
    types = {slot.id: declared.type.name.id for slot, declared in block.slots}
    if name.id not in types:
        near = nearest(name.id, types)
        reading.findings.error(
            "RK321",
            f"`{block.name.id}` has no slot `{name.id}`",
            name.span,
            expected=f"one of {', '.join(types)}" if types else None,
            help=f"did you mean `{near}`?" if near else None,
            suggestion=near,
        )
        if near is None or near in given:
            return None
        name = s.Name(near, span=name.span)
    return slot_value(reading, name, types[name.id], entry.value)


def _look(node: Node) -> str:
    """The type that the shape of a value suggests."""
    if not isinstance(node, Sequence):
        return "key"
    plain = all(isinstance(item, Scalar) and re.fullmatch(r"[a-z0-9_]+", item.text) for item in node)
    return "moves" if plain else "statements"


def slot_value(reading: Reading, name: s.Name, type: str, node: Node) -> s.SlotValue | None:
    """What is put into a slot of the given type."""
    span = node.span
    match type:
        case "moves":
            return s.SlotValue(name, moves=reading.names(node, _MOVES), span=span)
        case "statements":
            return s.SlotValue(name, body=read_statements(reading, node), span=span)
        case "zone":
            place = reading.parse(parser.parse_place, node, "a zone: `won`, `hand of p`")
            return None if place is None else s.SlotValue(name, place=place, span=span)
    parse = parser.parse_key if type == "key" else parser.parse_expression
    value = reading.parse(parse, node, "an expression")
    return None if value is None else s.SlotValue(name, value=value, span=span)
