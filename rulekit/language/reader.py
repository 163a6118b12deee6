"""Reads a whole rule file or block file: the located document in, the tree of the file out.

Shapes are checked before (`check_structure`); what does not have the shape it should is left out
here, and reported only if nothing has been said about that place.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import TypeVar

from rulekit.diagnostics import Findings, Span
from rulekit.language import parser
from rulekit.language import syntax as s
from rulekit.language import tree as t
from rulekit.language.reading import Parse, Reading
from rulekit.language.reading_examples import read_examples
from rulekit.language.reading_prose import read_prose
from rulekit.language.reading_statements import read_statements
from rulekit.language.spoken import players_of
from rulekit.source.document import Entry, Mapping, Node, Scalar, Sequence
from rulekit.source.unread import unread_names

T = TypeVar("T")

_DECLARATION = "a declaration: `0..99 per player`"
_EXPRESSION = "an expression"


def read_ruleset(
    document: Mapping,
    findings: Findings,
    blocks: Callable[[str], t.BlockTree | None] | None = None,
    block_names: Iterable[str] = (),
) -> t.RulesetTree | None:
    """The tree of a ruleset, or None if its document is empty.

    ``blocks`` gives a block by name, so that its slots can be read by their types; ``block_names`` are
    the names to suggest where one is misspelt. Without ``blocks`` every name is taken for a block.
    """
    if not document.entries:
        return None
    reading = Reading(findings, blocks, tuple(block_names))
    reading.unread(unread_names(document, findings))
    get = document.get
    name = reading.scalar(get("name"), "a name")
    return t.RulesetTree(
        language=_text(reading, get("rulekit")) or "",
        name=s.Name(name.text if name else "", span=name.span if name else document.span),
        title=reading.prose(get("title")),
        family=_text(reading, get("family")),
        text=reading.prose(get("text")),
        sources=tuple(prose for item in reading.items(get("sources")) if (prose := reading.prose(item))),
        players=_players(reading, get("players")),
        teams=_teams(reading, get("teams")),
        options=tuple(t.OptionTree(*part, span=part[0].span) for part in _declared(reading, get("options"))),
        requires=reading.parse(parser.parse_expression, get("requires"), _EXPRESSION),
        fixed=reading.names(get("fix"), "a list of options"),
        deck=_deck(reading, get("deck") or document),
        words=tuple(t.WordsTree(*part, span=part[0].span) for part in _word_lists(reading, get("words"))),
        orders=tuple(t.OrderTree(*part, span=part[0].span) for part in _word_lists(reading, get("orders"))),
        facts=_facts(reading, get("card")),
        patterns=_patterns(reading, get("patterns")),
        zones=_zones(reading, get("zones")),
        state=_states(reading, get("state")),
        defines=_defines(reading, get("define")),
        play=read_statements(reading, get("play")),
        phases=_phases(reading, get("phases")),
        moves=_moves(reading, get("moves")),
        end=_end(reading, document.entry("end")),
        examples=read_examples(reading, get("examples")),
        broken=tuple(reading.broken),
        players_span=_span(get("players")),
        teams_span=_span(get("teams")),
        span=document.span,
    )


def read_block(
    document: Mapping,
    findings: Findings,
    blocks: Callable[[str], t.BlockTree | None] | None = None,
    block_names: Iterable[str] = (),
) -> t.BlockTree | None:
    """The tree of a block file, or None if it has no name. Arguments as for `read_ruleset`."""
    reading = Reading(findings, blocks, tuple(block_names))
    reading.unread(unread_names(document, findings))
    get = document.get
    name = reading.scalar(get("block"), "the name of the block")
    if name is None:
        return None
    reading.unreadable.add(name.text)  # a block that uses itself is found later
    expands = reading.bare(get("expands"))
    return t.BlockTree(
        name=reading.name(name, reserved=False),
        text=reading.prose(get("text")),
        slots=tuple(_slot_types(reading, get("slots"))),
        needs=tuple(t.NeedTree(*part, span=part[0].span) for part in _slot_types(reading, get("needs"))),
        state=_states(reading, get("state")),
        defines=_defines(reading, get("define")),
        body=read_statements(reading, get("do")),
        phases=_phases(reading, get("phases")),
        moves=_moves(reading, get("moves")),
        expands=expands if isinstance(expands, Mapping) else None,
        prose=read_prose(reading, get("prose"), get("slots")),
        broken=tuple(reading.broken),
        span=name.span,
    )


# ---------------------------------------------------------------- front matter


def _span(node: Node | None) -> Span | None:
    return None if node is None else node.span


def _text(reading: Reading, node: Node | None) -> str | None:
    scalar = reading.scalar(node, "a text")
    return None if scalar is None else scalar.text


def _players(reading: Reading, node: Node | None) -> tuple[int, int]:
    """`2`, or `3..7`. Where it cannot be read, what may be meant, else two."""
    if node is not None and not isinstance(node, Scalar):
        reading.scalar(node, "a number of players: `2`, `3..7`")
        return players_of(node.span.text) or (2, 2)
    scalar = reading.scalar(node, "a number of players: `2`, `3..7`")
    if scalar is None:
        return (2, 2)
    match = re.fullmatch(r"\s*([0-9]{1,3})\s*(?:\.\.\s*([0-9]{1,3})\s*)?", scalar.text)
    if match is None:
        reading.wrong_text(scalar, "a number of players: `2`, `3..7`")
        return players_of(scalar.text) or (2, 2)
    return int(match[1]), int(match[2] or match[1])


def _teams(reading: Reading, node: Node | None) -> str | int | None:
    scalar = reading.scalar(node, "`across`, or a number of teams")
    if scalar is None or scalar.text == "across":
        return None if scalar is None else scalar.text
    return reading.whole(scalar, "`across`, or a number of teams")


def _deck(reading: Reading, node: Node) -> t.DeckTree:
    bare = reading.bare(node)
    parts = bare if isinstance(bare, Mapping) and "rulekit" not in bare else Mapping((), node.span)
    ranks, suits = parts.get("ranks"), parts.get("suits")
    return t.DeckTree(
        ranks=None if ranks is None else reading.words(ranks, "ranks, low to high"),
        suits=None if suits is None else _suits(reading, suits),
        copies=reading.parse(parser.parse_expression, parts.get("copies"), "a number"),
        without=_left_out(reading, parts.get("without")),
        extra=reading.words(parts.get("extra"), "names of cards"),
        parts=node,
        rank_spots=reading.spots(ranks),
        suit_spots=_suit_spots(reading, suits),
        extra_spots=reading.spots(parts.get("extra")),
        span=node.span,
    )


def _left_out(reading: Reading, node: Node | None) -> s.Expr | t.Table | None:
    """Cards, or a table of cards."""
    bare = reading.bare(node)
    if isinstance(bare, Mapping):
        return _table(reading, bare)
    return reading.parse(parser.parse_expression, bare, "cards")


def _suits(reading: Reading, node: Node) -> tuple[tuple[str, str | None], ...]:
    """`clubs hearts`, or names with their letters: `{coins: D, cups: C}`."""
    node = reading.bare(node) or node
    if not isinstance(node, Mapping):
        return tuple((word, None) for word in reading.words(node, "suits, low to high"))
    return tuple((reading.name(entry.key).id, _text(reading, entry.value)) for entry in node)


def _suit_spots(reading: Reading, node: Node | None) -> t.Spots:
    node = reading.bare(node)
    return tuple(entry.key.span for entry in node) if isinstance(node, Mapping) else reading.spots(node)


def _word_lists(reading: Reading, node: Node | None) -> Iterable[tuple[s.Name, tuple[str, ...], t.Spots]]:
    """`strain: clubs diamonds notrump`"""
    for entry in reading.entries(node, "names and their words"):
        words = reading.words(entry.value, "words with blanks between them")
        yield reading.name(entry.key), words, reading.spots(entry.value)


# ---------------------------------------------------------------- declarations


def _named(
    reading: Reading, node: Node | None, parse: Parse[T], expected: str
) -> Iterable[tuple[s.Name, T, t.Prose | None, Node]]:
    """The entries `name: declaration`; those that cannot be read are noted as broken."""
    for entry in reading.entries(node, f"names and what they are, {expected}"):
        name = reading.name(entry.key)
        declaration = reading.parse(parse, entry.value, expected)
        if declaration is None:
            fields = entry.value.get("has") if isinstance(entry.value, Mapping) else None
            reading.miss([name.id, *(fields.keys() if isinstance(fields, Mapping) else ())])
        else:
            yield name, declaration, reading.comment(entry.value), entry.value


def _declared(reading: Reading, node: Node | None) -> Iterable[tuple[s.Name, s.Declaration, t.Prose | None]]:
    for name, declaration, text, _ in _named(reading, node, parser.parse_declaration, _DECLARATION):
        yield name, declaration, text


def _states(reading: Reading, node: Node | None) -> tuple[t.StateTree, ...]:
    return tuple(t.StateTree(*part, span=part[0].span) for part in _declared(reading, node))


def _zones(reading: Reading, node: Node | None) -> tuple[t.ZoneTree, ...]:
    found = []
    for name, zone, text, value in _named(
        reading, node, parser.parse_zone, "a zone: `set per player seen by owner`"
    ):
        fields = _states(reading, reading.beside(value, "has"))
        found.append(t.ZoneTree(name, zone, text, fields, span=name.span))
    return tuple(found)


def _slot_types(reading: Reading, node: Node | None) -> Iterable[tuple[s.Name, s.SlotDeclaration]]:
    for name, slot, _, _ in _named(reading, node, parser.parse_slot, "the type of a slot: `player`"):
        yield name, slot


# ---------------------------------------------------------------- facts, patterns, defines


def _facts(reading: Reading, node: Node | None) -> tuple[t.FactTree, ...]:
    found = []
    for entry in reading.entries(node, "facts about a card"):
        name = reading.name(entry.key)
        body = _formula(reading, entry.value)
        if body is None:
            reading.miss([name.id])
        else:
            found.append(t.FactTree(name, body, reading.comment(entry.value), span=name.span))
    return tuple(found)


def _defines(reading: Reading, node: Node | None) -> tuple[t.DefineTree, ...]:
    found = []
    for entry in reading.entries(node, "names and what they stand for"):
        signature = _signature(reading, entry, reserved=True)
        body = _formula(reading, entry.value)
        if signature is None or body is None:
            reading.miss(_first_word(entry))
        else:
            found.append(t.DefineTree(signature, body, reading.comment(entry.value), span=signature.span))
    return tuple(found)


def _signature(reading: Reading, entry: Entry, *, reserved: bool) -> s.Signature | None:
    signature = parser.parse_signature(entry.key, reading.findings)
    if signature is not None:
        head = Scalar(signature.name.id, signature.name.span)
        reading.name(head, reserved=reserved)
    return signature


def _first_word(entry: Entry) -> list[str]:
    return re.findall(r"[a-z][a-z0-9_]*", entry.key.text)[:1]


def _formula(reading: Reading, node: Node) -> s.Expr | t.Table | None:
    """An expression, a key, or a table."""
    bare = reading.bare(node)
    if isinstance(bare, Mapping):
        return _table(reading, bare)
    return reading.parse(parser.parse_key, bare, "an expression or a table")


def _table(reading: Reading, node: Mapping) -> t.Table | None:
    """`{by: count(players), 2: 7, else: 5}`; without `by` the rows are about a card."""
    by: s.Expr | None = None
    rows: list[t.TableRow] = []
    whole = True
    for entry in node:
        value = reading.parse(parser.parse_expression, entry.value, _EXPRESSION)
        if value is None:
            whole = False
        elif entry.key.text == "by":
            by = value
        elif entry.key.text == "else":
            rows.append(t.TableRow(None, value, span=entry.key.span))
        else:
            rows.append(t.TableRow(reading.lookup_words(entry.key), value, span=entry.key.span))
    return t.Table(by, tuple(rows), span=node.span) if whole else None


def _patterns(reading: Reading, node: Node | None) -> tuple[t.PatternTree, ...]:
    found = []
    for entry in reading.entries(node, "names and patterns"):
        pattern = _pattern(reading, entry)
        if pattern is None:
            reading.miss(_first_word(entry))
        else:
            found.append(pattern)
    return tuple(found)


def _pattern(reading: Reading, entry: Entry) -> t.PatternTree | None:
    """A pattern under its name: a text, or a list of named patterns."""
    signature = _signature(reading, entry, reserved=True)
    value = entry.value
    bare = reading.bare(value)
    pattern: s.Pattern | None = None
    classes: tuple[t.PatternTree, ...] = ()
    if isinstance(bare, Sequence):
        classes = _classes(reading, bare)
    else:
        pattern = reading.parse(parser.parse_pattern, bare, "a pattern: `3.. cards same rank`")
    if signature is None or (pattern is None and not classes):
        return None
    return t.PatternTree(
        signature=signature,
        pattern=pattern,
        classes=classes,
        by=reading.parse(parser.parse_key, reading.beside(value, "by"), _EXPRESSION),
        weight=reading.parse(parser.parse_expression, reading.beside(value, "weight"), _EXPRESSION),
        wild=reading.parse(parser.parse_expression, reading.beside(value, "wild"), "cards"),
        text=reading.comment(value),
        most_wild=reading.whole(reading.beside(value, "most_wild"), "a number of wild cards"),
        span=signature.span,
    )


def _classes(reading: Reading, node: Sequence) -> tuple[t.PatternTree, ...]:
    """`- flush: 5 cards same suit`, weakest first."""
    found: list[t.PatternTree] = []
    for item in node:
        if not isinstance(item, Mapping):
            reading.wrong_shape(item, "a named pattern: `- flush: 5 cards same suit`")
            continue
        found.extend(pattern for entry in item if (pattern := _pattern(reading, entry)) is not None)
    return tuple(found)


# ---------------------------------------------------------------- phases, moves, end


def _phases(reading: Reading, node: Node | None) -> tuple[t.PhaseTree, ...]:
    found = []
    for entry in reading.entries(node, "phases and their statements"):
        signature = _signature(reading, entry, reserved=False)
        bare = reading.bare(entry.value)
        parts = bare if isinstance(bare, Mapping) else Mapping((), entry.value.span)
        state = _states(reading, parts.get("state"))
        stop_when = reading.parse(parser.parse_expression, parts.get("stop when"), "a condition")
        body = read_statements(reading, parts.get("do") if isinstance(bare, Mapping) else bare)
        after = read_statements(reading, parts.get("after"))
        text = reading.comment(entry.value) or reading.prose(parts.get("text"))
        if signature is None:
            reading.miss(_first_word(entry))
        else:
            found.append(t.PhaseTree(signature, text, state, stop_when, body, after, span=signature.span))
    return tuple(found)


def _moves(reading: Reading, node: Node | None) -> tuple[t.MoveTree, ...]:
    found: list[t.MoveTree] = []
    for entry in reading.entries(node, "moves and what they do"):
        name = reading.name(entry.key, reserved=False)
        bare = reading.bare(entry.value)
        if not isinstance(bare, Mapping):
            reading.wrong_shape(entry.value, "the parts of a move: `text`, `choose`, `if`, `do`")
            bare = Mapping((), entry.value.span)
        layout = reading.bare(bare.get("layout"))
        found.append(
            t.MoveTree(
                name=name,
                text=reading.prose(bare.get("text")),
                choices=_choices(reading, bare.get("choose")),
                conditions=_conditions(reading, bare.get("if")),
                body=read_statements(reading, bare.get("do")),
                again=reading.parse(parser.parse_expression, bare.get("again"), "a condition"),
                layout=layout if isinstance(layout, Mapping) else None,
                span=name.span,
            )
        )
    return tuple(found)


def _choices(reading: Reading, node: Node | None) -> tuple[t.ChoiceTree, ...]:
    """`card: hand`, or a cascade of labelled domains."""
    found = []
    for entry in reading.entries(node, "what is chosen, and from what: `card: hand`"):
        name = reading.name(entry.key)
        bare = reading.bare(entry.value)
        items = bare.items if isinstance(bare, Sequence) else () if bare is None else (bare,)
        domains = tuple(domain for item in items for domain in _domains(reading, item))
        if domains:
            found.append(t.ChoiceTree(name, domains, reading.comment(entry.value), span=name.span))
        else:
            reading.miss([name.id])
    return tuple(found)


def _domains(reading: Reading, node: Node) -> Iterable[t.EntryTree]:
    """`follow suit: hand where suit == led`, or a domain without a label."""
    node = reading.bare(node) or node
    labelled = ((entry.key, entry.value) for entry in node) if isinstance(node, Mapping) else ((None, node),)
    for label, value in labelled:
        domain = reading.parse(parser.parse_expression, value, "a domain: `hand where suit == led`")
        if domain is not None:
            prose = None if label is None else t.Prose(label.text, span=label.span)
            yield t.EntryTree(prose, domain, span=(label or value).span)


def _conditions(reading: Reading, node: Node | None) -> tuple[t.ConditionTree, ...]:
    found = []
    for entry in reading.entries(node, "labels and conditions: `{the stock is open: open}`"):
        condition = reading.parse(parser.parse_expression, entry.value, "a condition")
        if condition is not None:
            label = t.Prose(entry.key.text, span=entry.key.span)
            found.append(t.ConditionTree(label, condition, span=entry.key.span))
    return tuple(found)


def _end(reading: Reading, entry: Entry | None) -> t.EndTree | None:
    if entry is None:
        return None
    value = reading.bare(entry.value)
    if not isinstance(value, Mapping):
        reading.wrong_shape(entry.value, "the parts of the end: `ranking`, `payoff`, `score`, `limit`")
        return None
    return t.EndTree(
        ranking=reading.parse(parser.parse_ranking, value.get("ranking"), "a ranking: `highest score`"),
        payoff=reading.parse(parser.parse_expression, value.get("payoff"), _EXPRESSION),
        score=reading.parse(parser.parse_expression, value.get("score"), _EXPRESSION),
        limit=reading.whole(value.get("limit"), "a whole number"),
        span=entry.key.span,
    )
