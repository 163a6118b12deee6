"""Texts of the language: what they parse to, where the parts stand, what is said when they do not parse."""

from __future__ import annotations

import logging
import re
import subprocess
import sys
import threading
import time
from dataclasses import fields
from importlib import resources
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from syntax_strategies import NOWHERE, TREES, texts

from rulekit.diagnostics import Findings, SourceFile
from rulekit.diagnostics.codes import all_pages
from rulekit.language import formatter, grammar, parser
from rulekit.language import syntax as s
from rulekit.language.keywords import KEYWORDS
from rulekit.source.document import Scalar

KINDS = {"call": "running"} | {form: form for form in grammar.FORMS if form != "running"}


def located(text: str) -> Scalar:
    return Scalar(text, SourceFile("rules", text).span(0, len(text)), offsets=tuple(range(len(text) + 1)))


def read(kind: str, text: str):
    """The tree and the findings of a text."""
    findings = Findings()
    return getattr(parser, f"parse_{kind}")(located(text), findings), findings.items


def parse(kind: str, text: str):
    tree, found = read(kind, text)
    assert not found
    return tree


def finding(kind: str, text: str):
    """The one finding of a text that does not parse."""
    tree, found = read(kind, text)
    assert tree is None
    assert len(found) == 1, found
    return found[0]


def name(word: str) -> s.Name:
    return s.Name(word, span=NOWHERE)


# ---------------------------------------------------------------- the grammar


def _grammar_text() -> str:
    return resources.files("rulekit.language").joinpath("grammar.lark").read_text("utf-8")


def test_the_grammar_has_no_conflicts(caplog):
    from lark import Lark, logger

    level, logger.level = logger.level, logging.DEBUG
    try:
        with caplog.at_level(logging.DEBUG, logger="lark"):
            logger.addHandler(caplog.handler)
            Lark(_grammar_text(), parser="lalr", lexer="contextual", start=list(grammar.FORMS), debug=True)
    finally:
        logger.removeHandler(caplog.handler)
        logger.level = level
    assert [record.getMessage() for record in caplog.records if "onflict" in record.getMessage()] == []


def test_names_leave_out_exactly_the_keywords():
    excluded = re.search(r"^NAME: /\(\?!\(([^)]*)\)", _grammar_text(), re.MULTILINE)
    assert excluded is not None
    assert set(excluded[1].split("|")) == KEYWORDS


def test_importing_the_parser_does_not_load_lark():
    code = "import sys, rulekit.language.parser; print('lark' in sys.modules)"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "False"


def test_threads_do_not_mix_their_places():
    wrong: list[str] = []

    def work(word: str) -> None:
        for _ in range(60):
            tree = parse("expression", f"count({word}) + {word}")
            if tree.right.span.text != word or tree.span.source.text != f"count({word}) + {word}":
                wrong.append(word)

    threads = [threading.Thread(target=work, args=(word,)) for word in ("a", "hand", "foundation")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


# ---------------------------------------------------------------- what texts parse to


@pytest.mark.parametrize(
    ("loose", "tight"),
    [
        ("x where a or b", "x where (a or b)"),
        ("a or b and c", "a or (b and c)"),
        ("not a and b", "(not a) and b"),
        ("not a == b", "not (a == b)"),
        ("not a in b", "not (a in b)"),
        ("a == b starting c", "a == (b starting c)"),
        ("x in 0..3", "x in (0..3)"),
        ("1..2 from a | b", "(1..2) from (a | b)"),
        ("best hand_rank from hole | board", "best hand_rank from (hole | board)"),
        ("1..a + b", "1..(a + b)"),
        ("a - b - c", "(a - b) - c"),
        ("a + b at most c", "(a + b) at most c"),
        ("a at most b * c", "a at most (b * c)"),
        ("a // b * c", "(a // b) * c"),
        ("-a * b", "(-a) * b"),
        ("-score of p", "-(score of p)"),
        ("suit of first of trick", "suit of (first of trick)"),
        ("if a then b else c + d", "if a then b else (c + d)"),
        ("if a then b else if c then d else e", "if a then b else (if c then d else e)"),
        ("a and b beats c as pair", "a and (b beats c as pair)"),
        ("if x where a then b else c", "if (x where a) then b else c"),
        ("highest(x where a or b by c)", "highest(x where (a or b) by c)"),
    ],
)
def test_precedence(loose, tight):
    assert parse("expression", loose) == parse("expression", tight)


def test_keywords_end_at_their_last_letter():
    assert parse("expression", "order") == name("order")
    assert parse("expression", "not nothing") == s.Not(name("nothing"), span=NOWHERE)
    assert finding("expression", "a orb").code == "RK328"


def test_any_white_space_is_one_blank():
    assert parse("expression", "a\n  at\tmost\nb") == parse("expression", "a at most b")


def test_cards_and_ranks_stand_side_by_side():
    assert parse("expression", "10H QS JOKER 2") == s.Literals(("10H", "QS", "JOKER", "2"), span=NOWHERE)


def test_moving_to_the_bottom_is_moving_to_a_place_of_a_pile():
    tree = parse("statement", "move faceup to bottom of stock")
    assert tree == s.Move(name("faceup"), s.Of(name("bottom"), name("stock"), span=NOWHERE), span=NOWHERE)


def test_the_end_of_a_move_may_depend():
    tree = parse("statement", "move pairs to if gives_up then hand of defender else gone")
    assert isinstance(tree.to, s.Cond)


def test_dealing_all():
    assert parse("statement", "deal all to hand").count is None


def test_phases_reasons_and_moves_may_be_called_like_keywords():
    assert parse("statement", "do deal").name.id == "deal"
    assert parse("statement", "score += 1 for in with hand").because.reason.id == "in"
    assert parse("signature", "deal(int n)").name.id == "deal"


def test_soft_words_are_names_elsewhere():
    assert parse("expression", "face == up and times > cards") is not None
    assert parse("statement", "flip up up").cards == name("up")
    assert parse("head", "repeat times times").times == name("times")


def test_a_block_alone_is_a_use_without_slots():
    assert parse("head", "trick") == s.UseHead(name("trick"), span=NOWHERE)


@pytest.mark.parametrize(
    ("text", "seat", "move", "values"),
    [
        ("P1 play 4S", 0, "play", ("4S",)),
        ("P10 claim 4 4C 4D", 9, "claim", ("4", "4C", "4D")),
        (" P2  pass ", 1, "pass", ()),
        ("P1 bid 1 spades", 0, "bid", ("1", "spades")),
    ],
)
def test_events(text, seat, move, values):
    event = parse("event", text)
    assert (event.seat, event.move.id, event.values) == (seat, move, values)
    assert event.move.span.text == move


@pytest.mark.parametrize("text", ["", "play 4S", "P0 play", "P11 play", "p1 play", "P1", "P1 4S"])
def test_no_events(text):
    assert finding("event", text).code == "RK360"


def test_a_seat_and_its_move():
    assert parse("seat_move", "P2 follow") == s.SeatMove(1, name("follow"), span=NOWHERE)
    assert finding("seat_move", "P2 follow 4C").code == "RK361"


# ---------------------------------------------------------------- places


def _nodes(node):
    yield node
    for item in fields(node):
        value = getattr(node, item.name)
        for part in value if isinstance(value, tuple) else (value,):
            if isinstance(part, s.Syntax):
                yield from _nodes(part)


@given(TREES["expression"])
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_the_place_of_every_part_holds_its_text(tree):
    text = formatter.format_expression(tree)
    for node in _nodes(parse("expression", text)):
        if isinstance(node, s.By | s.Key):
            continue
        if isinstance(node, s.Expr):
            assert parse("expression", node.span.text) == node
        if isinstance(node, s.PatternRef):
            assert parse("pattern", node.span.text).pattern == node


@pytest.mark.parametrize(
    "kind", ["statement", "head", "declaration", "slot", "zone", "signature", "ranking", "pattern"]
)
def test_the_place_of_a_text_is_all_of_it(kind):
    @given(TREES[kind])
    @settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])
    def check(tree):
        text = getattr(formatter, f"format_{kind}")(tree)
        for node in _nodes(parse(kind, text)):
            assert node.span.text in text
            if isinstance(node, s.Name):
                assert node.span.text == node.id
        assert parse(kind, f"  {text} ").span.text == text

    check()


def test_places_lead_through_the_offsets_of_the_text():
    # the text of `x: "a \u002b b"`: the sign is six characters in the file
    source = SourceFile("rules", '"a \\u002b b"')
    scalar = Scalar("a + b", source.span(0, 12), plain=False, offsets=(1, 2, 3, 9, 10, 11))
    tree = parser.parse_expression(scalar, Findings())
    assert tree.right.span.text == "b"


# ---------------------------------------------------------------- limits


def test_long_chains_parse():
    for text in (" or ".join(["a"] * 5000), "+".join(["1"] * 20000)):
        assert parse("expression", text) is not None


@pytest.mark.parametrize(
    "text", ["(" * 100 + "a" + ")" * 100, "f(" * 100 + "a" + ")" * 100, "not " * 100 + "a"]
)
def test_a_hundred_levels_are_fine(text):
    tree = parse("expression", text)
    assert tree == parse("expression", text)


@pytest.mark.parametrize(
    "text",
    [
        "(" * 300 + "a" + ")" * 300,
        "f(" * 300 + "a" + ")" * 300,
        "(a+" * 300 + "a" + ")" * 300,
        "- " * 10_000 + "a",
        "not " * 10_000 + "a",
        "a of " * 5_000 + "a",
        "if a then b else " * 500 + "a",
    ],
)
def test_deep_texts_are_refused(text):
    assert finding("expression", text).code == "RK302"


@pytest.mark.parametrize("text", ["(" * 100_000 + "a" + ")" * 100_000, "a" * 1_000_000, "1+" * 500_000 + "1"])
def test_huge_texts_are_refused_at_once(text):
    scalar, findings = located(text), Findings()
    begin = time.perf_counter()
    assert parser.parse_expression(scalar, findings) is None
    assert time.perf_counter() - begin < 0.05
    assert [found.code for found in findings.items] == ["RK301"]


def test_unfinished_nesting_is_no_trouble():
    assert finding("expression", "(" * 20_000).code == "RK316"


# ---------------------------------------------------------------- messages


@pytest.mark.parametrize(
    ("kind", "text", "code", "under", "suggestion"),
    [
        # what people write who know other languages
        ("expression", "a && b", "RK307", "&&", "and"),
        ("expression", "a || b", "RK307", "||", "or"),
        ("expression", "! open", "RK307", "!", "not"),
        ("expression", "!open", "RK307", "!", "not "),
        ("expression", "a === b", "RK307", "===", "=="),
        ("expression", "a <> b", "RK307", "<>", "!="),
        ("expression", "a =< b", "RK307", "=<", "<="),
        ("expression", "a / 2", "RK307", "/", "//"),
        ("expression", "a ** 2", "RK307", "**", None),
        ("expression", "a ≠ b", "RK307", "≠", "!="),
        ("expression", "a equals b", "RK307", "equals", "=="),
        ("expression", "a is greater than 3", "RK307", "is greater than", ">"),
        ("expression", "a mod 2", "RK307", "mod", "%"),
        ("expression", "a = b", "RK308", "=", "=="),
        ("head", "if a = b", "RK308", "=", "=="),
        ("statement", "let x == 3", "RK308", "==", "="),
        ("statement", "score of p == 3", "RK308", "==", "="),
        ("expression", "hand.count > 3", "RK309", "hand.count", "count(hand)"),
        ("expression", "hand.count() > 3", "RK309", "hand.count()", "count(hand)"),
        ("expression", "trick.first.suit", "RK309", "trick.first.suit", "suit of first of trick"),
        ("expression", "1.5", "RK310", "1.5", None),
        ("expression", "1_000", "RK310", "1_000", "1000"),
        ("expression", "f(a, b)", "RK306", ",", ";"),
        ("expression", "rank in (A, K)", "RK306", ",", ""),
        ("declaration", "red, black", "RK306", ",", " |"),
        ("statement", "x = 1, y = 2", "RK306", ",", None),
        ("statement", "x = 1; y = 2", "RK345", ";", None),
        ("expression", 'suit == "hearts"', "RK304", '"hearts"', "hearts"),
        ("expression", "hand[0]", "RK305", "[", None),
        ("expression", "x in {A}", "RK305", "{", None),
        ("expression", "$x", "RK303", "$", None),
        ("expression", "x if y else z", "RK314", "if", None),
        ("expression", "a ? b : c", "RK314", "a ? b : c", "if a then b else c"),
        ("expression", "f(a ? b : c; 3)", "RK314", "a ? b : c", "if a then b else c"),
        ("expression", "a < b < c", "RK315", "<", "and b <"),
        ("expression", "1 <= f(x) <= 5 and open", "RK315", "<=", "and f(x) <="),
        # letters
        ("expression", "a AND b", "RK313", "AND", "and"),
        ("expression", "None", "RK313", "None", "none"),
        ("statement", "Move hand to won", "RK313", "Move", "move"),
        ("expression", "handSize", "RK312", "handSize", "hand_size"),
        ("expression", "x.__class__", "RK309", ".", None),
        ("expression", "__import__", "RK312", "__import__", "import"),
        ("expression", "10h in hand", "RK311", "10h", "10H"),
        ("statement", "let X = 3", "RK312", "X", "x"),
        # misspelt and misplaced words
        ("statement", "moev top of stock to hand", "RK320", "moev", "move"),
        ("head", "repat 3 times", "RK320", "repat", "repeat"),
        ("head", "aks dealer", "RK320", "aks", "ask"),
        ("head", "elif open", "RK320", "elif", "else if"),
        ("statement", "put hand in won", "RK320", "put", None),
        ("expression", "a adn b", "RK331", "adn", "and"),
        ("expression", "nto a", "RK331", "nto", "not"),
        ("expression", "if a thne b else c", "RK331", "thne", "then"),
        ("statement", "move hand into won", "RK331", "into", "to"),
        ("statement", "swap a for b", "RK331", "for", "with"),
        ("head", "for p of players", "RK331", "of", "in"),
        ("head", "for i in 1 to 7", "RK331", "to", ".."),
        ("zone", "7 pile seen by face", "RK331", "pile", "piles"),
        ("ranking", "higest score", "RK331", "higest", "highest"),
        ("statement", "let deal = 3", "RK319", "deal", None),
        ("expression", "x is none", "RK332", "is", "=="),
        ("expression", "x is not none", "RK332", "is not", "!="),
        # missing parts
        ("expression", "", "RK322", "", None),
        ("expression", "score(", "RK316", "score(", None),
        ("expression", "a >", "RK316", ">", None),
        ("expression", "if a then b", "RK334", "b", None),
        ("expression", "(a + b", "RK317", "(", None),
        ("expression", "a + b)", "RK318", ")", None),
        ("expression", "a and or b", "RK329", "or", None),
        ("expression", "a b", "RK328", "b", None),
        ("expression", "count hand", "RK328", "count hand", "count(hand)"),
        ("expression", "x where a where b", "RK335", "where", "and"),
        ("expression", "x where if a then b else c", "RK335", "if a then b else c", "(if a then b else c)"),
        ("statement", "move top of stock hand", "RK327", "hand", "to hand"),
        ("statement", "move top of stock", "RK327", "stock", None),
        ("statement", "flip top of stock", "RK327", "stock", None),
        ("statement", "ask dealer", "RK325", "ask dealer", None),
        ("head", "move hand to won", "RK325", "move", None),
        ("statement", "draw_up(p)", "RK326", "draw_up(p)", None),
        ("statement", "round", "RK326", "round", None),
        ("declaration", "100", "RK340", "100", None),
        ("declaration", "true", "RK340", "true", "bool = true"),
        ("declaration", "0-99", "RK340", "-", ".."),
        ("declaration", "0..99 = 0 per player", "RK340", "per", None),
        ("declaration", "A..K", "RK310", "A", None),
        ("zone", "set per player", "RK341", "set per player", None),
        ("signature", "cost(p)", "RK342", "p", None),
        ("ranking", "score", "RK343", "score", None),
        ("pattern", "three cards same rank", "RK344", "three", "3"),
        ("pattern", "cards same rank", "RK344", "cards", None),
        ("pattern", "3+ cards", "RK344", "+", ".."),
        ("expression", "QS of hand", "RK330", "of", None),
    ],
)
def test_messages(kind, text, code, under, suggestion):
    found = finding(kind, text)
    assert (found.code, found.span.text, found.suggestion) == (code, under, suggestion)


def test_a_second_comparison_is_underlined_where_it_stands():
    assert finding("expression", "a < b < c").span.start == 6


@given(st.sampled_from(sorted(KINDS)), texts)
@settings(max_examples=600, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_no_text_fails_without_a_finding(kind, text):
    tree, found = read(kind, text)
    if tree is not None:
        assert found == []
        return
    assert len(found) == 1
    (one,) = found
    said = " ".join(filter(None, (one.message, one.expected, one.help)))
    quoted = re.sub(r"`[^`]*`", "", said.replace(text, ""))
    assert not re.search(
        r"\b(LPAR|RPAR|NAME|LITERAL|LABEL|COMPARE|MINUS|SEMICOLON|QUALIFIER|\$END)\b", quoted
    )
    assert one.message[0].islower() or one.message[0] in "`'\"" or one.message.startswith(text[:1])
    assert not one.message.endswith(".")
    assert 0 <= one.span.start <= one.span.end <= len(text)


@given(st.sampled_from(sorted(KINDS)), texts)
@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_a_suggestion_brings_the_text_further(kind, text):
    tree, found = read(kind, text)
    if tree is None and found[0].suggestion is not None:
        span = found[0].span
        fixed = text[: span.start] + found[0].suggestion + text[span.end :]
        again, later = read(kind, fixed)
        assert again is not None or later[0].span.end >= span.start


def test_every_code_has_a_page_and_every_page_a_code():
    raised: set[str] = set()
    for path in Path(parser.__file__).parent.glob("*.py"):
        raised |= set(re.findall(r'"(RK3\d\d)"', path.read_text("utf-8")))
    assert raised == {page.code for page in all_pages() if page.area == "syntax"}


def test_messages_stay_short_whatever_the_text():
    for text in ("a" * 40_000 + "B", "a.b" + ".b" * 10_000, "a ? b : " * 5_000 + "c", "x if y else " * 4_000):
        found = finding("expression", text)
        assert len(found.message) < 200
        assert len(found.help or "") < 200


PAGES = [
    page for page in all_pages() if page.area == "syntax" and page.kind in KINDS and (page.bad or page.good)
]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.code)
def test_the_pages_show_what_they_explain(page):
    assert finding(page.kind, page.bad).code == page.code
    assert parse(page.kind, page.good) is not None
