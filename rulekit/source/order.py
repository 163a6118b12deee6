"""The order of keys, which JSON Schema cannot see: a rule file is read from top to bottom."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence as Listing

from rulekit.diagnostics import Findings, Note
from rulekit.source.document import Mapping, Node, Scalar, Sequence

RULESET_KEYS = (
    "rulekit",
    "name",
    "title",
    "family",
    "text",
    "sources",
    "fix",
    "players",
    "teams",
    "options",
    "requires",
    "deck",
    "words",
    "orders",
    "card",
    "patterns",
    "zones",
    "state",
    "define",
    "play",
    "phases",
    "moves",
    "end",
    "examples",
)
VARIANT_KEYS = (
    "rulekit",
    "name",
    "title",
    "family",
    "text",
    "sources",
    "extends",
    "options",
    "fix",
    "change",
    "add",
    "remove",
    "examples",
)
BLOCK_KEYS = (
    "block",
    "text",
    "prose",
    "slots",
    "needs",
    "gives",
    "state",
    "define",
    "do",
    "phases",
    "moves",
    "expands",
)

LOCALE_KEYS = ("rulekit", "language", "of", "direction", "card", "texts", "sentences")

# What differs may be told in the order that reads best.
_ANYHOW = {"add": "change", "remove": "change"}


def check_order(node: Mapping, keys: Listing[str], findings: Findings) -> None:
    """Report the keys of ``node`` that do not stand in the order of ``keys``, as few as possible."""
    place = {key: index for index, key in enumerate(keys)}
    if "change" in place:
        place.update({key: place[other] for key, other in _ANYHOW.items()})
    known = [entry.key for entry in node if entry.key.text in place]
    good = _longest_run([place[key.text] for key in known])
    kept = [known[index] for index in good]
    for index, key in enumerate(known):
        if index in good:
            continue
        follower = next((k for k in kept if place[k.text] > place[key.text]), None)
        leader = next((k for k in reversed(kept) if place[k.text] <= place[key.text]), None)
        moved_up = follower is not None and follower.span.start < key.span.start
        neighbour = follower if moved_up else leader
        where = "before" if moved_up else "after"
        if neighbour is None:
            continue
        findings.error(
            "RK203",
            f"`{key.text}` stands in the wrong place",
            key.span,
            expected=f"`{key.text}` {where} `{neighbour.text}`",
            help="the order is: " + ", ".join(k for k in keys if k in node),
            notes=[Note(f"`{neighbour.text}` stands here", neighbour.span)],
        )


def _longest_run(places: list[int]) -> set[int]:
    """Indices of a longest part of ``places`` that never falls."""
    tails: list[int] = []
    ends: list[int] = []
    before: list[int] = []
    for index, place in enumerate(places):
        at = bisect_left(tails, place + 1)
        tails[at : at + 1] = [place]
        ends[at : at + 1] = [index]
        before.append(ends[at - 1] if at else -1)
    run: set[int] = set()
    at = ends[-1] if ends else -1
    while at >= 0:
        run.add(at)
        at = before[at]
    return run


def check_branches(root: Node, findings: Findings) -> None:
    """Report `else` without `if`, and branches in an order that cannot be read."""
    pending: list[tuple[Node, bool]] = [(root, False)]
    while pending:
        node, listed = pending.pop()
        if isinstance(node, Sequence):
            pending.extend((item, True) for item in node)
        elif isinstance(node, Mapping):
            pending.extend((entry.value, False) for entry in node)
            if listed or any(entry.key.text.startswith("if ") for entry in node):
                _branches(node, findings)


def _branches(node: Mapping, findings: Findings) -> None:
    expected_first = True
    closed: Scalar | None = None
    for entry in node:
        kind = _branch(entry.key.text)
        if kind is None or not isinstance(entry.value, Sequence):
            if not expected_first:
                return  # another head: the schema says so
            expected_first = False
            continue
        if expected_first and kind != "if":
            findings.error(
                "RK215",
                f"`{entry.key.text}` without an `if` before it",
                entry.key.span,
                expected="`else` in the same mapping as its `if`",
                help="take away the `-`, and give it the indentation of the `if`",
            )
            return
        if not expected_first and (kind == "if" or closed is not None):
            after = closed.text if closed else node.entries[0].key.text
            findings.error(
                "RK215",
                f"`{entry.key.text}` after `{after}`",
                entry.key.span,
                expected="one `if`, any number of `else if`, and at last one `else`",
                help="a second `if` begins an entry of its own with `-`",
            )
            return
        expected_first = False
        closed = entry.key if kind == "else" else closed


def _branch(key: str) -> str | None:
    words = key.split(None, 2)
    if words[:1] == ["if"] and len(words) > 1:
        return "if"
    if words[:2] == ["else", "if"] and len(words) > 2:
        return "else if"
    return "else" if words == ["else"] else None
