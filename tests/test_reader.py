"""Whole rule files and block files as trees."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from syntax_strategies import texts

from rulekit.diagnostics import Findings, SourceFile
from rulekit.diagnostics.codes import all_pages
from rulekit.language import syntax as s
from rulekit.language.formatter import (
    format_declaration,
    format_expression,
    format_key,
    format_place,
    format_type,
)
from rulekit.language.reader import read_block, read_ruleset
from rulekit.language.tree import BlockTree, RulesetTree, Table
from rulekit.source.document import Entry, Mapping, Node, Scalar, Sequence
from rulekit.source.yaml import read_document

SHIPPED = Path(__file__).parent.parent / "rulesets"


def document(text: str) -> tuple[Mapping, Findings]:
    findings = Findings()
    node = read_document(SourceFile("rules.yaml", text), findings)
    assert isinstance(node, Mapping)
    assert not findings.items
    return node, findings


@cache
def block(name: str) -> BlockTree | None:
    """A block that comes with rulekit."""
    path = SHIPPED / "blocks" / f"{name}.yaml"
    if not path.exists():
        return None
    node, findings = document(path.read_text("utf-8"))
    tree = read_block(node, findings, block)
    assert not findings.items
    return tree


def attempt(text: str) -> tuple[RulesetTree, Findings]:
    node, findings = document(text)
    tree = read_ruleset(node, findings, block, ("offer", "trick", "turns"))
    assert tree is not None
    return tree, findings


def read(text: str) -> RulesetTree:
    tree, findings = attempt(text)
    assert findings.items == []
    return tree


def play(text: str) -> tuple[s.Stmt, ...]:
    return read(f"play:\n{text}").play


def codes(text: str) -> list[tuple[str, str]]:
    """The findings of a text: the code, and what it is underlined."""
    return [(item.code, item.span.text) for item in attempt(text)[1].sorted() if item.span]


# ---------------------------------------------------------------- shipped files


@pytest.mark.parametrize("path", sorted(SHIPPED.glob("blocks/*.yaml")), ids=lambda path: path.stem)
def test_shipped_blocks_read_without_findings(path):
    assert block(path.stem) is not None


WHOLE = [path for path in sorted(SHIPPED.glob("*.yaml")) if "\nextends:" not in path.read_text("utf-8")]


@pytest.mark.parametrize("path", WHOLE, ids=lambda path: path.stem)
def test_shipped_rulesets_read_without_findings(path):
    node, findings = document(path.read_text("utf-8"))
    assert read_ruleset(node, findings, block) is not None
    assert findings.items == []


# ---------------------------------------------------------------- the front of a file


def test_front_matter():
    tree = read("""
rulekit: "1"
name: high-card
title: High Card
family: other
text: {is: The highest card wins., text: a note}
sources: [A book, https://example.org]
players: 3..7
teams: 2
requires: target > 3
deck: {ranks: 2 3 4, suits: {coins: C, cups: K}, copies: 2, without: 2C, extra: JOKER JOKER}
words: {strain: clubs notrump}
orders: {row: A 2 3 A}
end: {ranking: highest score then tricks, payoff: score - 3, limit: 500}
""")
    assert (tree.language, tree.name.id, tree.family, tree.players, tree.teams) == (
        "1",
        "high-card",
        "other",
        (3, 7),
        2,
    )
    assert tree.text.text == "The highest card wins."
    assert [source.text for source in tree.sources] == ["A book", "https://example.org"]
    assert format_expression(tree.requires) == "target > 3"
    assert tree.deck.ranks == ("2", "3", "4")
    assert tree.deck.suits == (("coins", "C"), ("cups", "K"))
    assert tree.deck.extra == ("JOKER", "JOKER")
    assert tree.words[0].words == ("clubs", "notrump")
    assert tree.orders[0].words == ("A", "2", "3", "A")
    assert tree.end.ranking.highest
    assert format_key(tree.end.ranking.key) == "score then tricks"
    assert tree.end.limit == 500


def test_the_standard_deck_leaves_everything_open():
    deck = read("deck: standard").deck
    assert (deck.ranks, deck.suits, deck.copies) == (None, None, None)


@pytest.mark.parametrize(("written", "players"), [("2", (2, 2)), ("2..10", (2, 10)), ("3 .. 7", (3, 7))])
def test_players(written, players):
    assert read(f"players: {written}").players == players


def test_prose_may_stand_round_any_value():
    tree = read("""
options: {target: {is: 1..9 = 5, text: Points that win.}}
define: {big: {is: 9, text: A big number.}}
zones: {melds: {is: up to 3 piles seen by everyone, has: {worth: {is: 0..9, text: Value.}}, text: Melds.}}
play:
  - {is: big = 3, text: odd}
""")
    assert tree.options[0].text.text == "Points that win."
    assert format_declaration(tree.options[0].declaration) == "1..9 = 5"
    assert tree.defines[0].text.text == "A big number."
    assert tree.zones[0].fields[0].text.text == "Value."
    assert isinstance(tree.play[0], s.Assign)


# ---------------------------------------------------------------- facts, tables, patterns


def test_facts_and_tables():
    facts = read(
        "card: {points: {QS: 13, K Q: 3, hearts: 1, else: 0}, height: suit == trump then rank}"
    ).facts
    points, height = facts
    assert isinstance(points.body, Table)
    assert points.body.by is None
    assert [row.keys for row in points.body.rows] == [
        ("QS",),
        ("K", "Q"),
        (s.Name("hearts", span=points.span),),
        None,
    ]
    assert isinstance(height.body, s.Key)


def test_tables_by_something():
    (define,) = read("define: {hand_size(int n): {by: n + 1, 2: 7, -1: 6, else: 5}}").defines
    assert isinstance(define.body, Table)
    assert format_expression(define.body.by) == "n + 1"
    assert [row.keys for row in define.body.rows] == [("2",), ("-1",), None]
    assert define.signature.parameters[0].name.id == "n"


def test_patterns_and_ranked_classes():
    meld, hand = read("""
patterns:
  meld: {is: 3.. cards same rank, by: max(rank of it) then 3, weight: value, wild: JOKER}
  hand:
    - flush: 5 cards same suit
    - straight: {is: 5 cards consecutive row, by: rank}
""").patterns
    assert isinstance(meld.pattern, s.CardsPattern)
    assert isinstance(meld.by, s.Key)
    assert format_expression(meld.wild) == "JOKER"
    assert hand.pattern is None
    assert [part.signature.name.id for part in hand.classes] == ["flush", "straight"]
    assert hand.classes[1].by == s.Name("rank", span=hand.span)


# ---------------------------------------------------------------- phases and moves


def test_phases_are_lists_or_mappings():
    short, long = read("""
phases:
  deal(player p): [shuffle deck into stock]
  round:
    text: One round.
    state: {leader: player}
    stop when: over
    do: [do deal(leader)]
    after: [do scoring]
""").phases
    assert short.signature.name.id == "deal"
    assert len(short.body) == 1
    assert long.text.text == "One round."
    assert format_expression(long.stop_when) == "over"
    assert (len(long.state), len(long.body), len(long.after)) == (1, 1, 1)


def test_moves():
    (move,) = read("""
moves:
  follow:
    text: Follow suit.
    choose:
      card:
        - follow suit: hand where suit == led
        - hand
      named: suits
    if: {you may: open, and again: {is: any(hand), text: a note}}
    do: [move card to trick]
    again: any(hand)
""").moves
    card, named = move.choices
    assert [(entry.label and entry.label.text) for entry in card.entries] == ["follow suit", None]
    assert named.entries[0].label is None
    assert [condition.label.text for condition in move.conditions] == ["you may", "and again"]
    assert move.again is not None


def test_layout_keeps_its_document():
    (move,) = read("moves: {carry: {layout: {waste: {lift: top of pile}}, do: []}}").moves
    assert move.layout is not None
    assert move.layout.keys() == ("waste",)


# ---------------------------------------------------------------- statements


def test_if_and_else_are_one_statement():
    (statement,) = play("""
  - if a: [x = 1]
    else if b: [x = 2]
    else:
      - x = 3
      - x = 4
""")
    assert isinstance(statement, s.If)
    assert [branch.condition is None for branch in statement.branches] == [False, False, True]
    assert [len(branch.body) for branch in statement.branches] == [1, 1, 2]


def test_compound_statements():
    loop, times, until, ask, other, sealed = play("""
  - for p in players: [x = 1]
  - repeat 3 times: [x = 1]
  - until over: [x = 1]
  - ask dealer: [play, pass]
  - ask dealer for p: [play]
  - ask players together: play
""")
    assert isinstance(loop, s.For)
    assert isinstance(times, s.Repeat)
    assert isinstance(until, s.Until)
    assert [move.id for move in ask.moves] == ["play", "pass"]
    assert other.whom is not None
    assert (sealed.together, [move.id for move in sealed.moves]) == (True, ["play"])


def test_offer_is_a_use_of_the_block():
    (use,) = play("  - offer players - me: [doubt]")
    assert isinstance(use, s.Use)
    assert use.name.id == "offer"
    whom, asked = use.slots
    assert (whom.name.id, format_expression(whom.value)) == ("whom", "players - me")
    assert (asked.name.id, [move.id for move in asked.moves]) == ("asked", ["doubt"])


def test_slots_are_read_by_their_types():
    (use,) = play("""
  - trick:
      leader: leader
      lead: lead
      follow: [follow, announce]
      winner: suit == trump then rank
      taken: [do bonus(taker)]
      won_to: won of me
""")
    slots = {slot.name.id: slot for slot in use.slots}
    assert slots["leader"].value == s.Name("leader", span=use.span)
    assert [move.id for move in slots["lead"].moves] == ["lead"]
    assert [move.id for move in slots["follow"].moves] == ["follow", "announce"]
    assert isinstance(slots["winner"].value, s.Key)
    assert isinstance(slots["taken"].body[0], s.Do)
    assert format_place(slots["won_to"].place) == "won of me"


def test_no_moves_and_no_statements():
    (turns,) = play("  - turns: {leader: dealer, moves: [play], after: none, end: over}")
    assert {slot.name.id: slot for slot in turns.slots}["after"].moves == ()
    (trick,) = play("  - trick: {leader: x, lead: [l], follow: [f], winner: rank, taken: none, won_to: won}")
    assert {slot.name.id: slot for slot in trick.slots}["taken"].body == ()


# ---------------------------------------------------------------- examples


def test_examples():
    (example,) = read("""
examples:
  - title: Follow suit if you can
    players: 3
    options: {target: 9}
    given: {trump: hearts, hand of P2: 4C  QC, column of 3: 9H up, games of team of P2: 1}
    when: [P1 play 4S, P2 pass]
    then: [score of P1 == 2]
    allowed: {P2 follow: 4C QC, P2 lay: (4C 5C) 6C, P2 meld: [4C 5C, 6C]}
    refused: {P2 follow AH: follow suit}
    run: show(P1; 5C 5D)
""").examples
    assert (example.title.text, example.players) == ("Follow suit if you can", 3)
    assert [(name.id, value) for name, value in example.options] == [("target", "9")]
    assert [(given.place_name.id, given.target, given.words) for given in example.given] == [
        ("trump", None, ("hearts",)),
        ("hand", "P2", ("4C", "QC")),
        ("column", "3", ("9H", "up")),
        ("games", "team of P2", ("1",)),
    ]
    assert [(event.seat, event.move.id, event.values) for event in example.events] == [
        (0, "play", ("4S",)),
        (1, "pass", ()),
    ]
    assert format_expression(example.then[0]) == "score of P1 == 2"
    assert [(allowed.event.move.id, allowed.words) for allowed in example.allowed] == [
        ("follow", ("4C", "QC")),
        ("lay", ("4C 5C", "6C")),
        ("meld", ("4C 5C", "6C")),
    ]
    (refused,) = example.refused
    assert (refused.event.values, refused.label.text) == (("AH",), "follow suit")
    assert (example.run.name.id, len(example.run.args)) == ("show", 2)


# ---------------------------------------------------------------- blocks


def test_blocks():
    node, findings = document("""
block: ring
text: Round and round.
slots:
  {leader: player, chooser: player per player = it, lead: moves, after: moves = none, last: statements = none}
needs: {trick: zone, stack: int per player}
state: {taker: player?}
do:
  - ask chooser of leader: [lead]
  - do last
moves: {pass: {text: Pass., do: []}}
""")
    tree = read_block(node, findings)
    assert findings.items == []
    assert tree.name.id == "ring"
    types = {name.id: slot for name, slot in tree.slots}
    assert format_type(types["chooser"].type) == "player"
    assert types["chooser"].per.id == "player"
    assert types["chooser"].default == s.Name("it", span=tree.span)
    assert types["after"].default == s.Nothing(span=tree.span)
    assert [need.name.id for need in tree.needs] == ["trick", "stack"]
    assert isinstance(tree.body[1], s.Do)


def test_a_block_without_a_name_is_none():
    node, findings = document("text: nothing")
    assert read_block(node, findings) is None


# ---------------------------------------------------------------- what is wrong


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("play: [moev x to y, x = 1, a b]", [("RK320", "moev"), ("RK320", "a")]),
        ("play: [{dael: {leader: x}}]", [("RK320", "dael")]),
        ("play: [{turms: {leader: x}}]", [("RK320", "turms")]),
        ("play: [{turns: {leeder: x}}]", [("RK321", "leeder")]),
        ("play: [{turns: {leader: a b}}]", [("RK328", "b")]),
        ("play:\n  - if a: [x = 1]\n  - else: [x = 2]", [("RK323", "else")]),
        ("play:\n  - if a: [x = 1]\n    else: [x = 2]\n    else if b: [x = 3]", [("RK323", "else if b")]),
        ("play:\n  - if a: [x = 1]\n    for p in q: [x = 2]", [("RK324", "for p in q")]),
        ("play:\n  - until a: [x = 1]\n    until b: [x = 2]", [("RK324", "until b")]),
        ("play:\n  - if a = b: [x == 1]", [("RK308", "="), ("RK308", "==")]),
        ("play:\n  - for P in q: [x == 1]", [("RK312", "P"), ("RK308", "==")]),
        ("play: [[x = 1]]", [("RK370", "[")]),
        ("define: {Size: 5}", [("RK312", "Size")]),
        ("define: {hand_size: [5, 6]}", [("RK370", "[")]),
        ("define: {then: 5}", [("RK319", "then")]),
        ("define: {size: {by: x, 1-2: 5}}", [("RK333", "1-2")]),
        ("state: {deal: bool}", [("RK319", "deal")]),
        ("state: {my-state: bool}", [("RK312", "my-state")]),
        ("players: two", [("RK371", "two")]),
        ("teams: diagonal", [("RK371", "diagonal")]),
        ("end: {limit: many}", [("RK371", "many")]),
        ("moves: {play: [x = 1]}", [("RK370", "[")]),
        ("patterns: {hand: [flush]}", [("RK370", "flush")]),
        ("examples: [{title: x, when: [play]}]", [("RK360", "play")]),
        ("examples: [{title: x, allowed: {follow: AS}}]", [("RK361", "follow")]),
        ("examples: [{title: x, given: {P1 hand: AS}}]", [("RK362", "P1 hand")]),
    ],
)
def test_findings(text, found):
    assert codes(text) == found


def test_a_head_or_block_is_suggested():
    _, findings = attempt("play: [{trik: {leader: x}}, {repeet 3 times: []}]")
    assert [item.suggestion for item in findings.items] == ["trick", "repeat"]


def test_names_whose_declaration_is_broken_are_remembered():
    tree, findings = attempt("""
state: {score: 0-9, dealer: player}
define: {size: 5 5 x}
card: {value: a b}
patterns: {pair: 2 cards of rank}
play:
  - let x = a b
  - for q = players: []
moves: {play: {choose: {card: hand hand}, do: []}}
""")
    assert set(tree.broken) == {"score", "size", "value", "pair", "x", "q", "card"}
    assert len(findings.items) == 7


def test_slots_that_cannot_be_read_are_remembered():
    tree, findings = attempt("play: [{turns: {leader: a b, moves: [play], end: over}}]")
    assert tree.play[0].unread == ("leader",)
    assert len(findings.items) == 1


def test_a_misspelt_block_or_slot_is_read_as_the_one_that_is_meant():
    tree, findings = attempt("play: [{turms: {leeder: p, moves: [play], end: over}}]")
    assert [item.code for item in findings.items] == ["RK320", "RK321"]
    assert tree.play[0].name.id == "turns"
    assert [slot.name.id for slot in tree.play[0].slots] == ["leader", "moves", "end"]


def test_what_the_structure_has_said_is_not_said_again():
    node, findings = document("define: {hand_size: [5, 6]}")
    wrong = node.get("define").get("hand_size")
    findings.error("RK203", "a list cannot stand here", wrong.span)
    read_ruleset(node, findings, block)
    assert [item.code for item in findings.items] == ["RK203"]


def test_a_block_that_cannot_be_read_is_not_called_unknown():
    node, findings = document("play: [{turns: {leader: x}}, {turns: {leader: y}}]")

    def blocks(name: str) -> None:
        findings.error("RK103", "the block is broken", node.span)

    read_ruleset(node, findings, blocks)
    assert [item.code for item in findings.items] == ["RK103"]


def test_without_blocks_slots_are_read_by_their_look():
    node, findings = document("play: [{spin: {leader: a then b, moves: [play, pass], taken: [x = 1]}}]")
    (use,) = read_ruleset(node, findings).play
    assert findings.items == []
    leader, moves, taken = use.slots
    assert isinstance(leader.value, s.Key)
    assert [move.id for move in moves.moves] == ["play", "pass"]
    assert isinstance(taken.body[0], s.Assign)


_KEYS = st.one_of(
    st.sampled_from(
        [
            *(
                "rulekit",
                "name",
                "title",
                "text",
                "sources",
                "players",
                "teams",
                "options",
                "requires",
                "fix",
            ),
            *("deck", "ranks", "suits", "copies", "words", "orders", "card", "patterns", "zones", "state"),
            *("define", "play", "phases", "moves", "end", "examples", "is", "has", "by", "weight", "wild"),
            *(
                "else",
                "do",
                "after",
                "choose",
                "if",
                "again",
                "layout",
                "ranking",
                "payoff",
                "limit",
                "given",
            ),
            *(
                "when",
                "then",
                "allowed",
                "refused",
                "run",
                "block",
                "slots",
                "needs",
                "expands",
                "trick",
                "turns",
            ),
        ]
    ),
    st.sampled_from(
        ["stop when", "for p in players", "else if x", "ask p", "repeat 3 times", "offer p", "f(int n)"]
    ),
    texts,
)
_VALUES = st.one_of(
    st.sampled_from(["none", "3", "hand", "0..9", "set seen by owner", "P1 play 4S", "x = 1"]), texts
)


def _written(value: object) -> Node:
    """A value as a document, every part at a place of its own."""
    return _located(value, SourceFile("rules.yaml", "x" * 10_000), [0])


def _located(value: object, source: SourceFile, place: list[int]) -> Node:
    place[0] += 2
    span = source.span(place[0], place[0] + 1)
    if isinstance(value, dict):
        entries = [
            Entry(_located(key, source, place), _located(item, source, place)) for key, item in value.items()
        ]
        return Mapping(tuple(entries), span)
    if isinstance(value, list):
        return Sequence(tuple(_located(item, source, place) for item in value), span)
    return Scalar(str(value), span)


_DOCUMENTS = st.dictionaries(
    _KEYS,
    st.recursive(
        _VALUES,
        lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(_KEYS, inner, max_size=3)),
        max_leaves=12,
    ),
    min_size=1,
    max_size=5,
)


@given(_DOCUMENTS)
@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_no_document_fails(value):
    node = _written(value)
    findings = Findings()
    assert read_ruleset(node, findings, block, ("trick", "turns")) is not None
    read_block(node, findings, block)
    for item in findings.items:
        assert item.span is not None


SECTIONS = {"statements": "play", "define": "define", "example": "examples"}
PAGES = [page for page in all_pages() if page.area == "syntax" and page.kind in SECTIONS and page.bad]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.code)
def test_the_pages_show_what_they_explain(page):
    def section(text: str) -> str:
        indented = "".join(f"    {line}\n" for line in text.splitlines())
        item = indented.replace("    ", "  - ", 1) if page.kind == "example" else indented
        return f"{SECTIONS[page.kind]}:\n{item}"

    assert [code for code, _ in codes(section(page.bad))] == [page.code]
    assert codes(section(page.good)) == []
