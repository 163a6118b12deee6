"""What jsonschema finds, told in plain words at the place in the file.

jsonschema speaks of instances, patterns and properties, and of the same slip more than once. Here each
of its errors is led back to the key or value concerned, and becomes one finding.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from rulekit.diagnostics import Diagnostic, Note, Severity, SourceFile, Span, nearest
from rulekit.diagnostics.suggest import one_slip
from rulekit.source.characters import plainly
from rulekit.source.document import Mapping, Node, Scalar, Sequence
from rulekit.source.order import RULESET_KEYS, VARIANT_KEYS
from rulekit.source.plain import to_plain

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError

HEADS = ("if", "else", "for", "repeat", "until", "ask", "offer")
SENTENCES = ("let", "move", "deal", "shuffle", "swap", "flip", "reveal", "do", "stop")
_FORMS = {
    "if": "if C",
    "else": "else",
    "for": "for x in X",
    "repeat": "repeat N times",
    "until": "until C",
    "ask": "ask P",
    "offer": "offer PLAYERS",
}

MOST_FAULTS = 200
"""Faults of the structure that are told; a file with more is no rule file."""


def first_line(span: Span) -> Span:
    """A span cut at the end of its first line, that a caret can underline."""
    text = span.text
    end = text.find("\n")
    return span if end < 0 else Span(span.source, span.start, span.start + len(text[:end].rstrip()))


#: Heads as other languages spell them.
OTHER_WORDS = {"elif": "else if", "elsif": "else if", "elseif": "else if", "otherwise": "else"}
OTHER_WORDS |= {"while": "until", "foreach": "for", "loop": "repeat"}


#: Keys as other languages, or plain English, would call them.
OTHER_KEYS = {
    "phases": "rounds stages parts steps procedures subroutines",
    "moves": "actions plays commands choices",
    "state": "variables variable vars values memory counters data",
    "define": "functions constants formulas macros helpers let",
    "zones": "piles areas locations places stacks",
    "deck": "cards pack",
    "options": "settings parameters config configuration rules",
    "play": "game flow setup main run start",
    "end": "ending winner winning result victory finish",
    "examples": "tests cases rulings",
    "card": "values points facts",
    "title": "label heading",
    "text": "description desc help summary comment doc",
    "sources": "references credits",
    "choose": "select pick parameters params args arguments options pickers",
    "if": "when condition conditions requires require only legal allowed",
    "do": "then effect effects action actions body result",
    "again": "repeat",
    "stop when": "until",
    "ranking": "winner order rank",
    "given": "setup position start with",
    "then": "expect expected expects result assert check",
}
_MEANT = [(word, key) for key, words in OTHER_KEYS.items() for word in words.split()]


_STARTS = ("default", "start", "value", "initial", "init")
#: What to write where something of another kind stands.
_ADVICE = {
    "the zones": "a line for each, with its name and its kind: `hand: set per player seen by owner`",
    "the state": "a line for each, with its name and its type: `score: 0..99 per player`",
    "the options": "a line for each, with its name and its values: `target: 5..20 = 10`",
    "the defines": "a line for each, with its name and its value: `hand_size: 5`",
    "the facts about cards": "a line for each, with its name and its value: `points: {A: 4, else: 0}`",
    "the phases": "a line for each, with its name and a list below it",
    "the moves": "a line for each, with its name and what it does: `draw: {do: [move top of stock to hand]}`",
    "the choices of a move": "a name for what is chosen, and from what: `choose: {card: hand}`",
    "the conditions of a move": "a label that says why, and a condition: `if: {it is your turn: me == turn}`",
    "the end of a match": "write `end: {ranking: highest score}`",
    "a position": "places and what lies there: `given: {hand of P1: AS 2H}`",
}
#: Where lists of words are written with blanks between them.
_SIDE_BY_SIDE = frozenset({
    "an expression", "an expression or a table", "the ranks, low to high", "the suits, low to high",
    "names of further cards", "words with blanks between", "ranks with blanks between", "a list of choices",
})  # fmt: skip


class _Place(NamedTuple):
    """What a path of jsonschema leads to."""

    node: Node
    key: Scalar | None
    notes: tuple[Note, ...]


class Translator:
    """Turns the errors of jsonschema for one document into findings."""

    def __init__(self, root: Mapping, blocks: set[str], told: set[tuple[SourceFile, int]]) -> None:
        self.root = root
        self.blocks = blocks
        self.told = told
        self.made: dict[tuple[Any, ...], Diagnostic] = {}

    def findings(self, errors: Iterable[ValidationError]) -> list[Diagnostic]:
        """One finding for each fault, in the order of the file."""
        missing: dict[tuple[str | int, ...], ValidationError] = {}
        crowded: set[tuple[str | int, ...]] = set()
        rest: list[ValidationError] = []
        for error in islice(errors, MOST_FAULTS):
            path = tuple(error.absolute_path)
            if error.validator == "maxProperties":
                crowded.add(path)
                self._crowded(error, self._place(path))
            elif error.validator == "required":
                missing.setdefault(path, error)  # jsonschema has one error for each key
            else:
                rest.append(error)
        for error in rest:
            path = tuple(error.absolute_path)
            # Of an entry with two heads it is enough to say that there are two.
            if path not in crowded and path[:-1] not in crowded:
                self._one(error, self._place(path))
        for path, error in missing.items():
            self._missing(error, self._place(path))
        found = list(self.made.values())
        return sorted(found, key=lambda d: d.span.start if d.span else 0)

    def _place(self, path: tuple[str | int, ...]) -> _Place:
        node: Node = self.root
        key: Scalar | None = None
        notes: list[Note] = []
        for step in path:
            if isinstance(node, Mapping) and isinstance(step, str):
                entry = node.entry(step)
                if entry is None:
                    break
                node, key = entry.value, entry.key
            elif isinstance(node, Sequence) and isinstance(step, int):
                node, key = node.items[step], None
            if node.used:
                notes.append(Note("used here through an alias", node.used))
        return _Place(node, key, tuple(notes))

    def _add(
        self,
        code: str,
        message: str,
        span: Span,
        place: _Place,
        *,
        expected: str | None = None,
        help: str | None = None,
        suggestion: str | None = None,
    ) -> None:
        """Record a finding, unless something was already said about this very place."""
        if (span.source, span.start) in self.told:
            return
        span = first_line(span)
        where = (span.source, span.start, code if code == "RK202" else "", message if code == "RK202" else "")
        known = self.made.get(where)
        if known is not None:
            # The same fault met once more, through an alias: tell that place too.
            more = tuple(note for note in place.notes if note not in known.notes)
            self.made[where] = replace(known, notes=known.notes + more)
        else:
            self.made[where] = Diagnostic(
                code, message, span, Severity.ERROR, expected, help, suggestion, place.notes
            )

    def _one(self, error: ValidationError, place: _Place) -> None:
        node, title = place.node, _title(error)
        if isinstance(node, Scalar) and node.plain and not node.text:
            self._no_value(place, title)
        elif error.validator == "additionalProperties":
            self._unknown_keys(error, place)
        elif error.validator == "type":
            self._wrong_type(place, title)
        elif error.validator in ("minItems", "minProperties", "minLength"):
            what = (
                f"`{place.key.text}` is empty" if place.key else f"an empty list entry where {title} is due"
            )
            self._add("RK207", message=what, span=_visible(node.span), place=place, expected=title)
        else:
            text = node.text if isinstance(node, Scalar) else "this"
            meant = _players(text) if title.startswith("a number of players, ") else None
            code = "RK208" if "snake_case" in title or "hyphens" in title else "RK209"
            self._add(
                code,
                f"`{place.key.text}` cannot be `{text}`" if place.key else f"`{text}` is not {title}",
                node.span,
                place,
                expected=title,
                help=f"write `{meant}`" if meant else None,
                suggestion=_as_name(text, "-") if "hyphens" in title else meant,
            )

    def _no_value(self, place: _Place, title: str) -> None:
        if place.key:
            self._add("RK211", f"`{place.key.text}` has no value", place.key.span, place, expected=title)
        else:
            self._add(
                "RK211", "a list entry without a value", _visible(place.node.span), place, expected=title
            )

    def _wrong_type(self, place: _Place, title: str) -> None:
        node, key = place.node, place.key
        if title == "the slots of a block" and key and key.text not in self.blocks:
            self._unknown_statement(key, place)
            return
        found = _kind_words(node)
        help = _ADVICE.get(title)
        suggestion = None
        if title in ("a list of statements", "a list of moves") and isinstance(node, Scalar):
            help = f"put it in brackets: `[{node.text}]`" if "," not in node.text else "begin it with `- `"
        elif title in _SIDE_BY_SIDE and (words := _words_of(node)):
            help, suggestion = f"what stands side by side needs no brackets and commas: `{words}`", words
        elif title.startswith("a number of players, ") and (counts := re.findall(r"\d+", node.span.text)):
            help = f"write `{min(map(int, counts))}..{max(map(int, counts))}`"
        elif title == "the choices of a move" and isinstance(node, Scalar):
            help = f"give what is chosen a name: `choose: {{card: {node.text}}}`"
        elif title == "the end of a match" and isinstance(node, Scalar):
            help = f"write `end: {{ranking: {node.text}}}`"
        elif title.startswith("a set to choose from") and isinstance(node, Mapping):
            help = "begin each label with `- `: first come the sets that must be chosen from if they can"
        elif title == "a labelled set":
            help = "write `- label: set`; a single set stands without brackets: `card: hand`"
        elif isinstance(node, Sequence) and key is None:
            help = "`- ` at the beginning of a text begins a list: put the whole text in quotes"
        elif isinstance(node, Mapping) and "expression" in title:
            help = "`: ` makes a key, and `{ }` a mapping: if it is a text, put it in quotes"
        elif isinstance(node, Sequence) and "expression" in title:
            help = "`[ ]` makes a list: if it is a text, put it in quotes"
        message = f"`{key.text}` is {found}" if key else f"{found} as a list entry"
        self._add(
            "RK204", message, _visible(node.span), place,
            expected=title, help=help, suggestion=suggestion,
        )  # fmt: skip

    def _crowded(self, error: ValidationError, place: _Place) -> None:
        if not isinstance(place.node, Mapping) or len(place.node.entries) < 2:
            return
        first, second = (entry.key for entry in place.node.entries[:2])
        what = "labels" if "title" in _schema(error) else "statements"
        word = second.text.split(None, 1)[0] if second.text.strip() else ""
        if word in OTHER_WORDS:
            self._add("RK205", f"unknown statement `{word}`", second.at(0, len(word)), place,
                      help=f"write `{OTHER_WORDS[word]}`", suggestion=OTHER_WORDS[word])  # fmt: skip
            return
        if first.text.startswith("if ") and one_slip(second.text, "else"):
            self._add("RK205", f"unknown statement `{second.text}`", second.span, place,
                      help="did you mean `else`?", suggestion="else")  # fmt: skip
            return
        self._add(
            "RK206",
            f"two {what} in one list entry: `{first.text}` and `{second.text}`",
            second.span,
            place,
            expected="one in each entry",
            help="begin each with a `- ` of its own",
        )

    def _missing(self, error: ValidationError, place: _Place) -> None:
        node = place.node
        if not isinstance(node, Mapping):
            return
        title = _title(error)
        # A misspelt key, or one with a look-alike letter, is one fault and not two.
        given = {plainly(entry.key.text) for entry in node}
        starts = {entry.key.span.start for entry in node}
        misspelt = (d for d in self.made.values() if d.code == "RK201" and d.span and d.span.start in starts)
        given |= {d.suggestion for d in misspelt}
        for name in _schema(error)["required"]:
            if name in given or "extends" in given:
                continue
            about = _about(_schema(error), name)
            span = place.key.span if place.key else node.entries[0].key.span if node.entries else node.span
            self._add(
                "RK202", f"{title} needs `{name}`", span, place, expected=f"`{name}:`", help=about or None
            )

    def _unknown_keys(self, error: ValidationError, place: _Place) -> None:
        node, schema = place.node, _schema(error)
        if not isinstance(node, Mapping):
            return
        known = schema.get("properties", {})
        patterns = schema.get("patternProperties", {})
        present = set(node.keys())
        absent = [name for name in known if name not in present]
        for entry in node:
            key = entry.key
            if len(self.made) >= MOST_FAULTS:
                return
            if key.text in known or any(re.search(pattern, key.text) for pattern in patterns):
                continue
            if schema.get("title") == "a statement":
                self._unknown_statement(key, place)
            elif patterns and (not known or re.search(r"[^a-z]", key.text)):
                self._bad_name(key, schema, place)
            else:
                self._unknown_key(key, schema, place, absent)

    def _unknown_key(self, key: Scalar, schema: dict[str, Any], place: _Place, absent: list[str]) -> None:
        title, known = schema.get("title", "this"), list(schema.get("properties", {}))
        if title == "a variant" and key.text in RULESET_KEYS:
            self._add(
                "RK213",
                f"a variant has no `{key.text}` of its own",
                key.span,
                place,
                expected="`options`, `change`, `add` or `remove`",
                help=f"write `change:` and below it `{key.text}: ...` or a path like `{key.text}.name: ...`",
            )
            return
        if title == "a ruleset" and key.text in VARIANT_KEYS:
            self._add(
                "RK213",
                f"`{key.text}` needs a base",
                key.span,
                place,
                expected="`extends: NAME` before it",
                help="name the ruleset that this one is a variant of",
            )
            return
        variants = [name for name in VARIANT_KEYS if name not in known] if title == "a ruleset" else []
        if title in ("an option", "a state") and key.text in _STARTS and "is" not in absent:
            self._add(
                "RK201", f"unknown key `{key.text}` in {title}", key.span, place,
                expected=", ".join(f"`{name}`" for name in known),
                help="the start stands behind the type: `is: 0..99 = 5`",
            )  # fmt: skip
            return
        close = nearest(key.text, [*absent, *variants])
        if close is None or not one_slip(key.text, close):
            meant = [name for word, name in _MEANT if word == key.text.lower() and name in absent]
            close = meant[0] if meant else close or nearest(key.text, known)
        needed = [name for name in schema.get("required", ()) if name in absent]
        if close is None and len(needed) == 1:
            close = needed[0]
        listed = ", ".join(f"`{name}`" for name in known)
        self._add(
            "RK201",
            f"unknown key `{key.text}` in {title}",
            key.span,
            place,
            expected=None if close else listed,
            help=f"did you mean `{close}`?" if close else None,
            suggestion=close,
        )

    def _bad_name(self, key: Scalar, schema: dict[str, Any], place: _Place) -> None:
        title = schema.get("title", "this")
        signature = any("\\(" in pattern for pattern in schema["patternProperties"])
        expected = "small letters, digits and `_`, with a letter first"
        if signature:
            expected += "; parameters follow in brackets: `worth(player p)`"
        if "card" in title and re.search("[♣♦♥♠♧♢♡♤]", key.text):
            return  # a card, drawn: told by whoever reads the row
        name = _as_name(key.text, "_")
        fits = name if name and any(re.search(p, name) for p in schema["patternProperties"]) else None
        self._add(
            "RK208",
            f"`{key.text}` cannot be a name in {title}",
            key.span,
            place,
            expected=expected,
            help=f"write `{fits}`" if fits else None,
            suggestion=fits,
        )

    def _unknown_statement(self, key: Scalar, place: _Place) -> None:
        first = key.text.split(None, 1)[0] if key.text.strip() else key.text
        if first in SENTENCES:
            self._add(
                "RK205",
                f"`{key.text}` with a value: `{first}` begins a sentence, which has none",
                key.span,
                place,
                expected=f"a sentence, like `{_SAMPLES[first]}`",
                help="write the whole sentence as one text, without `:`",
            )
            return
        if first in HEADS:
            self._add(
                "RK205",
                f"`{key.text}:` is not complete",
                key.span,
                place,
                expected=f"`{_FORMS[first]}:` and a list below it",
            )
            return
        if re.search(r"(?<![=!<>])=(?!=)", key.text):
            self._add(
                "RK205",
                f"`{key.text}` with a value: an assignment is a sentence, which has none",
                key.span,
                place,
                help="take away the `:`, or put the whole sentence in quotes",
            )
            return
        close = OTHER_WORDS.get(first) or nearest(first, [*HEADS, *SENTENCES, *sorted(self.blocks)])
        start = key.at(0, len(first)) if len(first) < len(key.text) else key.span
        self._add(
            "RK205",
            f"unknown statement `{first}`",
            start,
            place,
            expected="a sentence, or one of "
            + ", ".join(f"`{form}:`" for form in _FORMS.values())
            + ", or a block",
            help=f"did you mean `{close}`?" if close else None,
            suggestion=close,
        )


_SAMPLES = {
    "let": "let x = count(hand)",
    "move": "move card to trick",
    "deal": "deal 5 to hand from stock",
    "shuffle": "shuffle deck into stock",
    "swap": "swap card with top of stock",
    "flip": "flip top of stock up",
    "reveal": "reveal hand of p to everyone",
    "do": "do scoring",
    "stop": "stop round",
}


def _schema(error: ValidationError) -> dict[str, Any]:
    """The part of the schema that an error is about."""
    return error.schema if isinstance(error.schema, dict) else {}


def _title(error: ValidationError) -> str:
    """What was due there, in words, with its article: `a list of statements`."""
    title: str = _schema(error).get("title", "something else")
    return title


def _kind_words(node: Node) -> str:
    if isinstance(node, Mapping):
        return "a mapping"
    if isinstance(node, Sequence):
        return "a list"
    value = to_plain(node)
    if isinstance(value, bool):
        return f"`{node.text}`"
    return "a number" if isinstance(value, int) else "a text"


def _words_of(node: Node) -> str | None:
    """The entries of a list of single words, with blanks between them."""
    if not isinstance(node, Sequence):
        return None
    words = [item.text for item in node.items if isinstance(item, Scalar)]
    plain = len(words) == len(node.items) and all(re.fullmatch(r"\w+", word) for word in words)
    return " ".join(words) if words and plain else None


def _visible(span: Span) -> Span:
    """A span of at least one character, if the file has one more."""
    end = min(max(span.end, span.start + 1), len(span.source.text))
    return Span(span.source, span.start, max(span.start, end))


def _players(text: str) -> str | None:
    """`3-6`, `3 to 6`: as a range is written."""
    found = re.fullmatch(
        r"\s*([0-9]{1,3})\s*(?:-|–|—|to|\.\.\.|,|or|and)\s*([0-9]{1,3})(?:\s+players)?\s*", text
    )
    return f"{found[1]}..{found[2]}" if found else None


def _as_name(text: str, joint: str) -> str | None:
    """``text`` as a name: `Trump Suit` becomes `trump_suit`."""
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", text).lower()
    name = re.sub(r"[^a-z0-9]+", joint, words).strip(joint)
    return name if name and name != text and (joint == "-" or name[0].isalpha()) else None


def _about(schema: dict[str, Any], name: str) -> str:
    """The description of a key, as editors show it."""
    part = schema.get("properties", {}).get(name, {})
    text: str = part.get("description", "")
    return text[:1].lower() + text[1:].rstrip(".") if text else ""
