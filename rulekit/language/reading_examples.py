"""Reads examples: positions, events and what must come of them."""

from __future__ import annotations

import re

from rulekit.diagnostics import Span
from rulekit.language import parser
from rulekit.language import syntax as s
from rulekit.language import tree as t
from rulekit.language.heard import WORDS, hear
from rulekit.language.reading import Reading
from rulekit.source.document import Entry, Mapping, Node, Scalar, Sequence

_GIVEN = re.compile(r"\s*([a-z][a-z0-9_]*)(?:\s+of\s+(\S.*?))?\s*")
_SEAT = re.compile(r"P(?:[1-9]|10)")
_SCORE = re.compile(r"-?[0-9]{1,9}")
_CHOICE = re.compile(r"\(([^()]*)\)|\S+")


def read_examples(reading: Reading, node: Node | None) -> tuple[t.ExampleTree, ...]:
    """The list of examples."""
    found = []
    for item in reading.items(node):
        if isinstance(item, Mapping):
            found.append(_example(reading, item))
        else:
            reading.wrong_shape(item, "an example: `title`, `given`, `when`, `then`")
    return tuple(found)


def _example(reading: Reading, node: Mapping) -> t.ExampleTree:
    title = reading.prose(node.get("title"))
    span = title.span if title else node.span
    when = (_event(reading, item) for item in reading.items(node.get("when")))
    then = (
        reading.parse(parser.parse_expression, item, "a condition")
        for item in reading.items(node.get("then"))
    )
    result = (_place(reading, item) for item in reading.items(node.get("result")))
    options = tuple(reading.entries(node.get("options"), "options and their values"))
    given = reading.entries(node.get("given"), "places and what lies there: `hand of P1: 4C QC`")
    run = reading.parse(parser.parse_call, node.get("run"), "a phase: `show(P1; 5C 5D)`")
    return t.ExampleTree(
        title=title or t.Prose("", span=span),
        players=reading.whole(node.get("players"), "a number of players"),
        options=tuple(_option(reading, entry) for entry in options),
        given=tuple(place for entry in given if (place := _given(reading, entry))),
        events=tuple(event for event in when if event is not None),
        then=tuple(condition for condition in then if condition is not None),
        allowed=_allowed(reading, node.get("allowed")),
        refused=_refused(reading, node.get("refused")),
        run=None if run is None else t.RunTree(run.name, run.args, span=run.span),
        result=tuple(place for place in result if place is not None),
        players_span=_span(node.get("players")),
        option_spots=tuple(entry.value.span for entry in options),
        span=span,
    )


def _span(node: Node | None) -> Span | None:
    return None if node is None else node.span


def _option(reading: Reading, entry: Entry) -> tuple[s.Name, str]:
    words = reading.words(entry.value, "the value of an option")
    return reading.name(entry.key), " ".join(words)


def _as_place(text: str) -> str | None:
    """`P2 hand` as `hand of P2`, `Trick` as `trick`, if that is what is meant."""
    turned = re.sub(r"(P\d+)(?:'s)? +([a-z_0-9]+)", r"\2 of \1", text)
    for right in (turned, text.lower(), re.sub(r"\bp(\d+)\b", r"P\1", text.lower())):
        if right != text and _GIVEN.fullmatch(right):
            return right
    return None


def _given(reading: Reading, entry: Entry) -> t.GivenTree | None:
    """`hand of P2: 4C QC`"""
    match = _GIVEN.fullmatch(entry.key.text)
    if match is None:
        reading.findings.error(
            "RK362",
            f"`{entry.key.text}` is not a place or a state",
            entry.key.span,
            expected="a name, or a name of something: `trump`, `hand of P2`, `column of 3`",
            help=f"write `{right}`" if (right := _as_place(entry.key.text)) else None,
            suggestion=right if entry.key.span.text == entry.key.text else None,
        )
        return None
    hear(WORDS, entry.key)
    place_name = s.Name(match[1], span=entry.key.at(match.start(1), match.end(1)))
    target = " ".join(match[2].split()) if match[2] else None
    place = f"{match[1]} of {target}" if target else match[1]
    return t.GivenTree(
        place,
        place_name,
        target,
        reading.words(entry.value, "cards or a value"),
        entry.key.at(match.start(2), match.end(2)) if match[2] else None,
        reading.spots(entry.value),
        span=entry.key.span,
    )


def _place(reading: Reading, node: Node) -> t.PlaceTree | None:
    """`P1 P3 52`: who shares a place in the end, and with which score."""
    expected = "seats that share a place, and perhaps their score: `P1 P3 52`"
    scalar = reading.scalar(node, expected)
    if scalar is None:
        return None
    words = list(re.finditer(r"\S+", scalar.text))
    score = int(words.pop()[0]) if len(words) > 1 and _SCORE.fullmatch(words[-1][0]) else None
    if not words or not all(_SEAT.fullmatch(word[0]) for word in words):
        reading.wrong_text(scalar, expected)
        return None
    hear(WORDS, scalar)
    seats = tuple(int(word[0][1:]) - 1 for word in words)
    return t.PlaceTree(seats, score, tuple(scalar.at(*word.span()) for word in words), span=scalar.span)


def _event(reading: Reading, node: Node) -> s.Event | None:
    return reading.parse(parser.parse_event, node, "an event: `P1 play 4S`")


def _allowed(reading: Reading, node: Node | None) -> tuple[t.AllowedTree, ...]:
    """`P2 follow: 4C QC`: the first choices, each a word, a text in parentheses or a list item."""
    found = []
    for entry in reading.entries(node, "a seat's move and its choices: `P2 follow: 4C QC`"):
        event = parser.parse_seat_move(entry.key, reading.findings)
        if event is None:
            continue
        choices: list[str] = []
        spots: list[Span] = []
        value = reading.bare(entry.value)
        for item in reading.items(value):
            scalar = reading.scalar(item, "the choices: `4C QC`")
            if scalar is not None:
                hear(WORDS, scalar)
            if scalar is not None and isinstance(value, Sequence):
                choices.append(" ".join(scalar.text.replace("(", " ").replace(")", " ").split()))
                spots.append(scalar.span)
            elif scalar is not None:
                choices.extend(_choices(scalar))
                spots.extend(scalar.at(*match.span()) for match in _CHOICE.finditer(scalar.text))
        found.append(t.AllowedTree(event, tuple(choices), tuple(spots), span=entry.key.span))
    return tuple(found)


def _choices(scalar: Scalar) -> list[str]:
    """The words of a text, and what stands in parentheses as one."""
    found = (match[0] if match[1] is None else match[1] for match in _CHOICE.finditer(scalar.text))
    return [" ".join(choice.split()) for choice in found]


def _refused(reading: Reading, node: Node | None) -> tuple[t.RefusedTree, ...]:
    """`P2 follow AH: follow suit`: an event, and the label that forbids it."""
    found = []
    for entry in reading.entries(node, "an event and the rule against it: `P2 follow AH: follow suit`"):
        event = parser.parse_event(entry.key, reading.findings)
        label = reading.prose(entry.value)
        if event is not None and label is not None:
            found.append(t.RefusedTree(event, label, span=entry.key.span))
    return tuple(found)
