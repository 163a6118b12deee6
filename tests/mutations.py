"""Rule files gone wrong: words left out, doubled or exchanged, parts exchanged, values changed."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path

from rulekit.diagnostics import Findings, SourceFile
from rulekit.source.document import Node, Scalar, Sequence
from rulekit.source.yaml import read_document

RULESETS = Path(__file__).parent.parent / "rulesets"

#: What may stand instead of a value.
VALUES = (
    *(
        "0",
        "1",
        "-1",
        "3",
        "99",
        "2147483647",
        "0..9",
        "1..",
        "QS",
        "Q K",
        "XX",
        "P1",
        "true",
        "none",
        "empty",
    ),
    *(
        "it",
        "me",
        "players",
        "deck",
        "hand",
        "suit",
        "top of stock",
        "left of dealer",
        "(",
        ")",
        "..",
        "==",
        "=",
    ),
    *(
        "where",
        "of",
        "if",
        "then",
        "by",
        "random(players)",
        "answered(pass)",
        "count()",
        "max(hand)",
        ";",
        "|",
    ),
)


def words(text: str) -> list[tuple[int, int]]:
    """Where the words and signs of a file stand, prose and all."""
    return [match.span() for match in re.finditer(r"[A-Za-z0-9_]+|[^\sA-Za-z0-9_]+", text)]


def parts(text: str) -> list[Node]:
    """Keys' values and list items, those inside others too."""
    return list(_parts(read_document(SourceFile("rules.yaml", text), Findings())))


def _parts(node: Node | None) -> Iterator[Node]:
    if node is None or isinstance(node, Scalar):
        return
    for value in node.items if isinstance(node, Sequence) else [entry.value for entry in node]:
        yield value
        yield from _parts(value)


def mutate(text: str, rng: random.Random) -> str:
    """The file with one thing changed."""
    match rng.randrange(6):
        case 0:
            start, end = rng.choice(words(text))
            return text[:start] + text[end:]
        case 1:
            start, end = rng.choice(words(text))
            return text[:end] + " " + text[start:end] + text[end:]
        case 2:
            (a, b), (c, d) = sorted(rng.sample(words(text), 2))
            return text[:a] + text[c:d] + text[b:c] + text[a:b] + text[d:]
        case 3:
            start, end = rng.choice([span for span in words(text) if text[span[0]].isalnum()])
            return text[:start] + rng.choice(VALUES) + text[end:]
        case 4:
            first, second = sorted(rng.sample(parts(text) or [], 2), key=lambda node: node.span.start)
            a, b, c, d = first.span.start, first.span.end, second.span.start, second.span.end
            return text if b > c else text[:a] + text[c:d] + text[b:c] + text[a:b] + text[d:]
        case _:
            node = rng.choice([part for part in parts(text) if isinstance(part, Scalar)])
            other = rng.choice([part for part in parts(text) if isinstance(part, Scalar)])
            return text[: node.span.start] + other.span.text + text[node.span.end :]


def mutated(name: str, seed: int, times: int = 1) -> str:
    """A shipped ruleset, changed as often as told; the same for the same seed."""
    rng = random.Random(seed)
    text = (RULESETS / f"{name}.yaml").read_text(encoding="utf-8")
    for _ in range(times):
        try:
            text = mutate(text, rng)
        except (ValueError, IndexError):  # too little is left to change
            break
    return text
