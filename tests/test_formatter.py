"""A tree, its text, and the tree of that text."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from syntax_strategies import TREES

from rulekit.diagnostics import Findings, SourceFile
from rulekit.language import formatter, parser
from rulekit.source.document import Scalar


def _parse(kind: str, text: str):
    findings = Findings()
    scalar = Scalar(text, SourceFile("rules", text).span(0, len(text)), offsets=tuple(range(len(text) + 1)))
    tree = getattr(parser, f"parse_{kind}")(scalar, findings)
    assert not findings.items, f"{text}: {findings.items}"
    return tree


def _format(kind: str, tree) -> str:
    return getattr(formatter, f"format_{kind}")(tree)


@pytest.mark.parametrize("kind", TREES)
def test_the_text_of_a_tree_gives_the_tree_again(kind):
    @given(TREES[kind])
    @settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.too_slow])
    def check(tree):
        text = _format(kind, tree)
        assert _parse(kind, text) == tree
        assert _format(kind, _parse(kind, text)) == text

    check()


@given(TREES["expression"], st.data())
@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_no_pair_of_parentheses_can_be_left_out(tree, data):
    text = formatter.format_expression(tree)
    pairs = _grouping_pairs(text)
    if not pairs:
        return
    first, last = data.draw(st.sampled_from(pairs))
    bare = text[:first] + text[first + 1 : last] + text[last + 1 :]
    findings = Findings()
    scalar = Scalar(bare, SourceFile("rules", bare).span(0, len(bare)))
    again = parser.parse_expression(scalar, findings)
    assert findings.items or again != tree or text[first + 1 : last] in ("up", "down", "times", "together")


def _grouping_pairs(text: str) -> list[tuple[int, int]]:
    """Pairs of parentheses that are not those of a call, nor round an upper bound that needs them."""
    pairs, opened = [], []
    for place, letter in enumerate(text):
        if letter == "(":
            opened.append(place)
        elif letter == ")":
            first = opened.pop()
            before = text[first - 1 : first]
            if not (before.isalnum() or before == "_") and before != ".":
                pairs.append((first, place))
    return pairs


@pytest.mark.parametrize(
    ("kind", "text", "canonical"),
    [
        ("expression", "((a))+(b*c)", "a + b * c"),
        ("expression", "(a+b)*c", "(a + b) * c"),
        ("expression", "a-(b-c)-d", "a - (b - c) - d"),
        ("expression", "not(a and b)or(not c)", "not (a and b) or not c"),
        ("expression", "if(a)then(b)else(if c then d else e)", "if a then b else if c then d else e"),
        ("expression", "(hand)where(a or b)", "hand where a or b"),
        ("expression", "any((hand where open))", "any(hand where open)"),
        ("expression", "highest(hand  where open by (a) then -b)", "highest(hand where open by a then -b)"),
        ("expression", "(0..5)from(hand)", "0..5 from hand"),
        ("expression", "x  at\n most 5", "x at most 5"),
        ("expression", "suit of(first of(trick))", "suit of first of trick"),
        ("expression", "rank of (x where natural)", "rank of (x where natural)"),
        ("expression", "(a == b) == c", "(a == b) == c"),
        ("key", "(a)then(b)", "a then b"),
        (
            "statement",
            "score of(p)+=(if a then 2 else 1)for bonus",
            "score of p += if a then 2 else 1 for bonus",
        ),
        ("statement", "deal all to hand  from stock", "deal all to hand from stock"),
        ("pattern", "3..3 cards same rank", "3 cards same rank"),
        ("pattern", "1 cards", "1 card"),
        ("declaration", "-5 .. 5 per player=0", "-5..5 per player = 0"),
        ("zone", "up  to 6 piles seen by everyone", "up to 6 piles seen by everyone"),
        ("signature", "f( player p;int n )", "f(player p; int n)"),
    ],
)
def test_canonical_text(kind, text, canonical):
    assert _format(kind, _parse(kind, text)) == canonical


def test_long_chains_are_formatted_without_recursion():
    text = " or ".join(["a"] * 5000)
    assert formatter.format_expression(_parse("expression", text)) == text
