"""Patterns: what fits, what is found, how strong it is, how cards are best parted.

The claims are those of the language reference; what is found is compared with every subset there is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import combinations, pairwise
from textwrap import dedent, indent
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from programs import cards, machine

from rulekit.engine import Machine

PACK = "{ranks: A 2 3 4 5 6 7 8 9 10 J Q K, suits: clubs diamonds hearts spades}"
TABLE = """
deck: {deck}
orders:
  {orders}
card:
  value: {value}
patterns:
{patterns}
zones:
  stock: pile seen by nobody
  x: pile seen by everyone
  y: pile seen by everyone
define:
  answer: {answer}
play: [shuffle deck into stock]
"""


@cache
def table(
    patterns: str, answer: str, deck: str = PACK, orders: str = "row: A 2 3 4 5 6 7 8 9 10 J Q K A"
) -> Machine:
    """A table with patterns, one a line, and something to find out about the cards of `x` and `y`."""
    lines = indent(dedent(patterns).strip(), "  ")
    rules = TABLE
    for name, text in (
        ("deck", deck),
        ("value", "1" if "JOKER" in deck else "number at most 10"),
        ("orders", orders),
        ("patterns", lines),
        ("answer", answer),
    ):
        rules = rules.replace("{" + name + "}", text)
    return machine(rules)


def find_out(m: Machine, x: str = "", y: str = "") -> Any:
    """The answer with these cards in the piles `x` and `y`, bottom first."""
    s = m.start()
    both = cards(m, f"{x} {y}")
    at = len(x.split())
    (stock,), (px,), (py,) = (m.setup.zone_places[zone][0] for zone in ("stock", "x", "y"))
    rest = tuple(card for card in range(len(m.setup.pack)) if card not in both)
    places = dict.fromkeys(range(len(s.zones)), ())
    m.lay(s, {**places, stock: rest, px: both[:at], py: both[at:]})
    return m.evaluate(s, m.setup.program.defines["answer"].body)


def named(m: Machine, found: Any) -> list[str]:
    """Sets of cards as text."""
    return [m.setup.pack.format_cards(some) for some in found]


# ---------------------------------------------------------------- what fits


@pytest.mark.parametrize(
    ("pattern", "x", "fits"),
    [
        ("2 cards same rank", "4C 4H", True),
        ("2 cards same rank", "4C 5H", False),
        ("2 cards same rank", "4C 4H 4S", False),
        ("2.. cards same rank", "4C 4H 4S", True),
        ("2..3 cards same rank", "4C 4D 4H 4S", False),
        ("3 cards different suit", "4C 9D 9S", True),
        ("3 cards different suit", "4C 9D 9C", False),
        ("3 cards same pip", "JC QD KS", False),  # courts have no pip, so none that is the same
        ("2 cards same rank different color", "4C 4H", True),
        ("2 cards same rank different color", "4C 4S", False),
        ("3.. cards same suit consecutive rank", "9H 10H JH QH", True),
        ("3.. cards same suit consecutive rank", "9H 10H QH", False),
        ("3 cards consecutive rank", "QH KC AS", False),  # in the deck's order the ace is low
        ("3 cards consecutive row", "QH KC AS", True),
        ("3 cards consecutive row", "AH 2C 3S", True),
        ("3 cards consecutive row", "KH AC 2S", False),  # not round the corner
        ("13 cards consecutive row", "AH 2H 3H 4H 5H 6H 7H 8H 9H 10H JH QH KH", True),
        ("2 cards consecutive row", "AH AS", False),  # a rank twice in the order takes one place
        ("3 cards consecutive value", "8C 9C 10H", True),
        ("2 cards consecutive value", "10H JH", False),  # both count ten
        ("2.. cards each suit == hearts", "4H 9H", True),
        ("2.. cards each suit == hearts", "4H 9S", False),
        ("3.. cards each rank != 2 with 0..1 cards each rank == 2", "4C 4D 9H 2S", True),
        ("3.. cards each rank != 2 with 0..1 cards each rank == 2", "4C 4D 9H", True),
        ("3.. cards each rank != 2 with 0..1 cards each rank == 2", "4C 4D 2H 2S", False),
        ("2.. cards where sum(value of it) == 15", "5C KH", True),
        ("2.. cards where sum(value of it) == 15", "5C KH AS", False),
        ("2 cards where sum(pip of it) == 15", "5C KH", False),  # a king has no pip
        ("3.. cards where count(it where suit == hearts) > count(it where suit == spades)", "4H 5H 6S", True),
        ("3 cards same rank with 2 cards same rank", "4C 4D 4H 9C 9H", True),
        ("3 cards same rank with 2 cards same rank", "4C 4D 9D 9C 9H", True),
        ("3 cards same rank with 2 cards same rank", "4C 4D 4H 4S 9H", False),
        ("2 cards same rank or 3 cards same suit", "4C 9C JC", True),
        ("2.. couple consecutive rank", "4C 4H 5S 5D 6C 6S", True),
        ("2.. couple consecutive rank", "4C 4H 6C 6S", False),
        ("2.. couple consecutive rank", "4C 4H 5S", False),
        ("2 couple", "4C 4D 4H 4S", True),
        ("2 couple different rank", "4C 4D 4H 4S", False),
    ],
)  # fmt: skip
def test_what_fits(pattern: str, x: str, fits: bool) -> None:
    m = table(f"couple: 2 cards same rank\nfit: {pattern}", "x is fit")
    assert find_out(m, x) is fits


def test_a_pattern_may_take_parameters() -> None:
    patterns = """
        set_of(int n): 1.. cards where sum(value of it) == n
        sets_of(int n): 1.. set_of(n)
        taken_by(card c): 1.. set_of(value of c) or 1 card each rank == rank of c
    """
    assert find_out(table(patterns, "x is sets_of(9)"), "9C 4D 5H AS 8S")
    assert not find_out(table(patterns, "x is sets_of(9)"), "9C 4D 6H AS 8S")
    assert find_out(table(patterns, "every(y where x is taken_by(it))"), "3C 6D 9H", "9C 9S")
    found = table(patterns, "taken_by(first of y) from x")
    assert named(found, find_out(found, "3C 6D 9H 2S", "9C")) == ["3C 6D", "3C 6D 9H", "9H"]


@pytest.mark.parametrize(
    ("answer", "nothing"),
    [
        ("x is set_of(pip of first of y)", False),
        ("set_of(pip of first of y) from x", ()),
        ("sets_of(pip of first of y) from x", ()),
        ("tail set_of(pip of first of y) from x", ()),
        ("x inside set_of(pip of first of y)", ()),
        ("count(x outside set_of(pip of first of y))", 3),
        ("x beats x as set_of(pip of first of y)", False),
        ("(best set_of(pip of first of y) from x) == none", True),
    ],
)
def test_a_pattern_that_is_given_none_has_no_instance(answer: str, nothing: object) -> None:
    """A king has no pip; nor are cards whose pips add up to none a set of it."""
    patterns = """
        set_of(int n): 1.. cards where sum(pip of it) == n
        sets_of(int n): 1.. set_of(n)
    """
    assert find_out(table(patterns, answer), "QC 4D 5H", "KC") == nothing


# ---------------------------------------------------------------- what is found


def test_instances_come_in_the_order_of_selections() -> None:
    m = table("couple: 2..3 cards same rank", "couple from x")
    found = find_out(m, "4S 4C 4H 9D 9H")
    assert named(m, found) == ["4C 4H", "4C 4H 4S", "4C 4S", "9D 9H", "4H 4S"]
    assert list(found) == sorted(found)


def test_maximal_leaves_out_what_lies_inside_a_larger_one() -> None:
    m = table("run: maximal 3.. cards consecutive rank", "run from x")
    assert sorted(named(m, find_out(m, "3C 4D 5H 6S"))) == ["3C 4D 5H 6S"]
    assert sorted(named(m, find_out(m, "3C 3H 4D 5H"))) == ["3C 4D 5H", "4D 3H 5H"]
    assert sorted(named(m, find_out(m, "3C 4D 5H 9C 10C JC"))) == ["3C 4D 5H", "9C 10C JC"]


def test_maximal_does_not_narrow_what_is() -> None:
    m = table("run: maximal 3.. cards consecutive rank", "x is run")
    assert find_out(m, "3C 4D 5H")


@pytest.mark.parametrize(
    ("x", "tail"),
    [
        ("6C 6D 6H", "6C 6D 6H"),
        ("6C 5C 6D 5D", ""),  # SCO-02: no pair across a gap
        ("5C 6C 6D", "6C 6D"),
        ("6C 6D 5C", ""),
        ("", ""),
    ],
)
def test_the_tail_is_the_longest_end_that_fits(x: str, tail: str) -> None:
    m = table("kind: 2.. cards same rank", "tail kind from x")
    assert m.setup.pack.format_cards(find_out(m, x)) == tail


@pytest.mark.parametrize(
    ("x", "tail"),
    [("4C 6D 5H", "4C 6D 5H"), ("9C 4C 6D 5H 3S", "4C 6D 5H 3S"), ("4C 6D 5H 5S", ""), ("4C 6D 5H 9S", "")],
)
def test_the_tail_of_a_run_need_not_be_played_in_order(x: str, tail: str) -> None:
    m = table("run: maximal 3.. cards consecutive rank", "tail run from x")
    assert m.setup.pack.format_cards(find_out(m, x)) == tail


# ---------------------------------------------------------------- compared with every subset

SMALL = "{ranks: A 2 3 4 5 6, suits: clubs hearts spades}"
ROW = "row: A 2 3 4 5 6 A"

Card = tuple[int, int]  #: rank and suit, from 0
Test = Callable[[Sequence[Card]], bool]


def ranks(some: Sequence[Card]) -> list[int]:
    return sorted(rank for rank, _ in some)


def alike(some: Sequence[Card]) -> bool:
    return len(set(ranks(some))) == 1


def one_suit(some: Sequence[Card]) -> bool:
    return len({suit for _, suit in some}) == 1


def row(values: Sequence[int]) -> bool:
    return all(b == a + 1 for a, b in pairwise(sorted(values)))


def in_ring(some: Sequence[Card]) -> bool:
    """A row in which the ace may be low or high."""
    values = ranks(some)
    return row(values) or (values[0] == 0 and row([*values[1:], 6]))


def parted(some: Sequence[Card], test: Test) -> bool:
    """All of the cards can be parted into instances."""
    if not some:
        return True
    first, others = some[0], some[1:]
    for size in range(len(some)):
        for more in combinations(others, size):
            if test((first, *more)) and parted([c for c in others if c not in more], test):
                return True
    return False


def couple(some: Sequence[Card]) -> bool:
    return len(some) == 2 and alike(some)


def value(some: Sequence[Card]) -> int:
    return sum(rank + 1 for rank, _ in some)


PATTERNS: dict[str, Test] = {
    "2.. cards same rank": lambda x: len(x) >= 2 and alike(x),
    "2..3 cards same suit": lambda x: 2 <= len(x) <= 3 and one_suit(x),
    "2.. cards different rank": lambda x: len(x) >= 2 and len(set(ranks(x))) == len(x),
    "3.. cards consecutive rank": lambda x: len(x) >= 3 and row(ranks(x)),
    "3..4 cards consecutive row": lambda x: 3 <= len(x) <= 4 and in_ring(x),
    "2.. cards same suit consecutive row": lambda x: len(x) >= 2 and one_suit(x) and in_ring(x),
    "3.. cards same rank or 3.. cards same suit consecutive rank": lambda x: (
        len(x) >= 3 and (alike(x) or (one_suit(x) and row(ranks(x))))
    ),
    "1.. cards where sum(value of it) == 7": lambda x: len(x) >= 1 and value(x) == 7,
    "2..3 cards same suit where sum(value of it) == 7": lambda x: (
        2 <= len(x) <= 3 and one_suit(x) and value(x) == 7
    ),
    "2.. cards each suit == hearts": lambda x: len(x) >= 2 and all(suit == 1 for _, suit in x),
    "3 cards same rank with 2 cards same rank": lambda x: (
        len(x) == 5 and sorted(Counter(ranks(x)).values()) in ([2, 3],)
    ),
    "2 cards same rank with 1 card": lambda x: len(x) == 3 and max(Counter(ranks(x)).values()) >= 2,
    "2 cards same rank with 0..1 cards each suit == hearts": lambda x: (
        couple(x) or (len(x) == 3 and any(couple([c for c in x if c != d]) for d in x if d[1] == 1))
    ),
    "1.. couple": lambda x: len(x) >= 2 and parted(x, couple),
    "2..3 couple consecutive rank": lambda x: (
        4 <= len(x) <= 6 and all(n == 2 for n in Counter(ranks(x)).values()) and row(sorted(set(ranks(x))))
    ),
    "2 couple same color": lambda x: len(x) == 4 and parted(x, lambda y: couple(y) and colours(y) == {1}),
    "1.. seven": lambda x: len(x) >= 1 and parted(x, lambda y: value(y) == 7),
}


def colours(some: Sequence[Card]) -> set[int]:
    return {1 if suit == 1 else 0 for _, suit in some}


# Two couples of one colour each must also share it, which black ones alone can do here.
PATTERNS["2 couple same color"] = lambda x: (
    len(x) == 4 and colours(x) == {0} and all(n == 2 for n in Counter(ranks(x)).values())
)


def small(pattern: str, answer: str) -> Machine:
    patterns = f"couple: 2 cards same rank\nseven: 1.. cards where sum(value of it) == 7\nfit: {pattern}"
    if "same color" in pattern:
        patterns = patterns.replace("2 cards same rank", "2 cards same rank same color", 1)
    return table(patterns, answer, SMALL, ROW)


hands = st.lists(st.integers(0, 17), min_size=0, max_size=9, unique=True)


def of(card: int) -> Card:
    """Rank and suit of a card of the small pack."""
    return card % 6, card // 6


def laid(m: Machine, hand: Sequence[int]) -> str:
    return m.setup.pack.format_cards(hand)


@pytest.mark.parametrize("pattern", PATTERNS)
@given(hand=hands)
def test_what_is_found_are_the_subsets_that_fit(pattern: str, hand: list[int]) -> None:
    m = small(pattern, "fit from x")
    test = PATTERNS[pattern]
    hand.sort()
    subsets = (some for size in range(1, len(hand) + 1) for some in combinations(hand, size))
    expected = sorted(some for some in subsets if test([of(card) for card in some]))
    assert list(find_out(m, laid(m, hand))) == expected


@pytest.mark.parametrize("pattern", PATTERNS)
@given(hand=hands)
def test_is_says_the_same(pattern: str, hand: list[int]) -> None:
    m = small(pattern, "x is fit")
    if hand:
        assert find_out(m, laid(m, hand)) is PATTERNS[pattern]([of(card) for card in hand])


# ---------------------------------------------------------------- the best partition


def partitions(instances: list[tuple[int, ...]]) -> Iterator[tuple[tuple[int, ...], ...]]:
    """All sets of disjoint instances."""
    if not instances:
        yield ()
        return
    first, rest = instances[0], instances[1:]
    yield from partitions(rest)
    for more in partitions([other for other in rest if not set(other) & set(first)]):
        yield (first, *more)


@pytest.mark.parametrize("weight", ["", "value"])
@pytest.mark.parametrize(
    "pattern",
    [
        "3.. cards same rank or 3.. cards same suit consecutive rank",
        "2 cards same rank",
        "2..3 cards same suit",
        "2 cards same rank with 1 card",
    ],
)
@given(hand=st.lists(st.integers(0, 17), min_size=0, max_size=7, unique=True))
def test_the_best_partition_covers_most_with_fewest_sets_first_in_order(
    pattern: str, weight: str, hand: list[int]
) -> None:
    fit = f"{{is: {pattern}, weight: {weight}}}" if weight else pattern
    inside, outside = small(fit, "x inside fit"), small(fit, "x outside fit")
    test = PATTERNS.get(pattern, couple)
    hand.sort()
    subsets = (some for size in range(1, len(hand) + 1) for some in combinations(hand, size))
    instances = sorted(some for some in subsets if test([of(card) for card in some]))

    def covered(sets: tuple[tuple[int, ...], ...]) -> int:
        return sum((of(card)[0] + 1 if weight else 1) for some in sets for card in some)

    best = min(partitions(instances), key=lambda sets: (-covered(sets), len(sets), sets))
    assert find_out(inside, laid(inside, hand)) == best
    left = [card for card in hand if not any(card in some for some in best)]
    assert list(find_out(outside, laid(outside, hand))) == left


@pytest.mark.parametrize(
    ("x", "deadwood"),
    [  # SCO-06
        ("JC 9D 8S 6D JS 8H 10D 8D 7D JD", 16),
        ("6H QH QC 5H KD KH 7H KC 4H QD", 0),
        ("10C 2H 3H 2S 10D 5H 3S 4H 4S 10S", 0),
    ],
)
def test_the_best_split_of_overlapping_sets_and_runs(x: str, deadwood: int) -> None:
    meld = "meld: {is: 3.. cards same rank or 3.. cards same suit consecutive rank, weight: value}"
    assert find_out(table(meld, "sum(value of (x outside meld))"), x) == deadwood


def test_of_equal_partitions_the_fewest_sets_count() -> None:
    """Six in a row are one run, not two."""
    m = table("run: 3.. cards same suit consecutive rank", "x inside run")
    assert named(m, find_out(m, "4C 5C 6C 7C 8C 9C")) == ["4C 5C 6C 7C 8C 9C"]


def test_twins_make_two_marriages() -> None:
    pack = "{ranks: 9 J Q K, suits: clubs hearts, copies: 2}"
    marriage = "marriage: 2 cards same suit consecutive rank each rank in Q K"
    assert find_out(table(marriage, "count(x inside marriage)", pack, "up: 9 J Q K"), "QH QH KH") == 1
    assert find_out(table(marriage, "count(x inside marriage)", pack, "up: 9 J Q K"), "QH QH KH KH") == 2


# ---------------------------------------------------------------- strength

POKER = """
hand:
    - high_card: 5 cards
    - one_pair: 2 cards same rank with 3 cards
    - two_pair: 2 cards same rank with 2 cards same rank with 1 card
    - three_of_a_kind: 3 cards same rank with 2 cards
    - straight: 5 cards consecutive row
    - flush: 5 cards same suit
    - full_house: 3 cards same rank with 2 cards same rank
    - four_of_a_kind: 4 cards same rank with 1 card
    - straight_flush: 5 cards same suit consecutive row
"""
STANDARD = "{ranks: 2 3 4 5 6 7 8 9 10 J Q K A, suits: clubs diamonds hearts spades}"


@pytest.mark.parametrize(
    ("x", "y"),
    [
        ("KC KD 2H 3S 4C", "AC KH QD JS 9C"),  # a pair beats any high card
        ("KC KD AH 3S 4C", "KH KS QH JS 10C"),  # equal pairs: the kickers from the top
        ("9C 9D 8H 8S 2C", "9H 9S 7H 7S AC"),  # the second pair counts before the kicker
        ("9C 9D 8H 8S 3C", "9H 9S 8C 8D 2C"),
        ("2C 2D 2H 3S 4C", "AC AD KH KS QC"),
        ("AC 2D 3H 4S 5C", "AH AD AS KS QC"),  # the wheel is a straight
        ("2C 3D 4H 5S 6C", "AC 2D 3H 4S 5C"),  # and the lowest one
        ("10C JD QH KS AC", "9C 10D JH QS KC"),
        ("2H 5H 7H 9H JH", "10C JD QH KS AC"),
        ("2H 5H 7H 9H JH", "2C 4C 7C 9C JC"),
        ("3C 3D 3H 2S 2C", "2H 5H 7H 9H AH"),
        ("4C 4D 4H 2S 2C", "3C 3D 3H AC AD"),  # the three of a full house counts first
        ("4C 4D 4H 4S 2C", "3C 3D 3H 3S AC"),
        ("AC 2C 3C 4C 5C", "KC KD KH KS AD"),
        ("2C 3C 4C 5C 6C", "AD 2D 3D 4D 5D"),
    ],
)
def test_poker_needs_no_numbers(x: str, y: str) -> None:
    beats, back = table(POKER, "x beats y as hand", STANDARD), table(POKER, "y beats x as hand", STANDARD)
    assert find_out(beats, x, y) is True
    assert find_out(back, x, y) is False


def test_equal_hands_beat_neither_way() -> None:
    x, y = "KC KD AH 3S 4C", "KH KS AC 3D 4D"
    assert find_out(table(POKER, "x beats y as hand", STANDARD), x, y) is False
    assert find_out(table(POKER, "y beats x as hand", STANDARD), x, y) is False
    assert find_out(table(POKER, "(best hand from x) == (best hand from y)", STANDARD), x, y) is True


def rated(five: Sequence[Card]) -> tuple[int, ...]:
    """The strength of a poker hand, by hand: class, then ranks (2 is 0, the ace 12)."""
    counts = sorted(((n, rank) for rank, n in Counter(rank for rank, _ in five).items()), reverse=True)
    shape, order = [n for n, _ in counts], [rank for _, rank in counts]
    flush, top = one_suit(five), None
    if len(order) == 5:
        top = order[0] if order[0] - order[4] == 4 else 3 if order == [12, 3, 2, 1, 0] else None
    if top is not None:
        return (8 if flush else 4, top)
    if flush:
        return (5, *order)
    kind = {(4, 1): 7, (3, 2): 6, (3, 1, 1): 3, (2, 2, 1): 2, (2, 1, 1, 1): 1}.get(tuple(shape), 0)
    return (kind, *order)


def poker(card: int) -> Card:
    return card % 13, card // 13


poker_hands = st.lists(st.integers(0, 51), min_size=5, max_size=5, unique=True)
#: hands of few ranks, so that pairs and straights are common
low_or_ace = [card for card in range(52) if card % 13 in (0, 1, 2, 3, 4, 12)]
close_hands = st.lists(st.sampled_from(low_or_ace), min_size=5, max_size=5, unique=True)


@given(first=st.one_of(poker_hands, close_hands), second=st.one_of(poker_hands, close_hands))
def test_poker_hands_compare_as_everywhere(first: list[int], second: list[int]) -> None:
    m = table(POKER, "best hand from x", STANDARD)
    one, other = find_out(m, laid(m, first)), find_out(m, laid(m, second))
    a, b = rated([poker(card) for card in first]), rated([poker(card) for card in second])
    assert (one > other) is (a > b)
    assert (one == other) is (a == b)


@given(seven=st.lists(st.integers(0, 51), min_size=14, max_size=14, unique=True))
def test_the_best_five_of_seven(seven: list[int]) -> None:
    m = table(POKER, "best hand from x", STANDARD)

    def best(some: list[int]) -> tuple[int, ...]:
        return max(rated([poker(card) for card in five]) for five in combinations(some, 5))

    first, second = seven[:7], seven[7:]
    one, other = find_out(m, laid(m, first)), find_out(m, laid(m, second))
    assert (one > other) is (best(first) > best(second))
    assert (one == other) is (best(first) == best(second))


def test_no_instance_has_no_strength() -> None:
    m = table("run: 3.. cards consecutive rank", "best run from x")
    assert find_out(m, "4C 5C 9C") is None
    assert find_out(m, "4C 5C 6C") is not None


def test_a_set_that_is_no_instance_beats_nothing_and_is_not_beaten() -> None:
    m = table("run: 3.. cards consecutive rank", "x beats y as run")
    assert find_out(m, "4C 5C 7C", "AC 2C 3C") is False
    assert find_out(m, "4C 5C 6C", "AC 2C 4D") is False


def test_sizes_must_be_equal_unless_an_order_is_given() -> None:
    assert (
        find_out(table("run: 3.. cards consecutive rank", "x beats y as run"), "4C 5C 6C 7C", "AC 2C 3C")
        is False
    )
    by = "run: {is: 3.. cards consecutive rank, by: count(it) then max(number of it)}"
    assert find_out(table(by, "x beats y as run"), "4C 5C 6C 7C", "JC QC KC") is True


def test_alternatives_compare_only_within_one() -> None:
    patterns = """
        single: {is: 1 card, by: max(number of it)}
        couple: {is: 2 cards same rank, by: max(number of it)}
        either: single or couple
    """
    m = table(patterns, "x beats y as either")
    assert find_out(m, "9C", "8C") is True
    assert find_out(m, "9C 9D", "8C 8D") is True
    assert find_out(m, "9C 9D", "8C") is False


def test_a_ranked_class_compares_by_class_first() -> None:
    patterns = """
        five:
          - straight: {is: 5 cards consecutive row, by: max(number of it)}
          - flush: {is: 5 cards same suit, by: max(number of it)}
    """
    m = table(patterns, "x beats y as five")
    assert find_out(m, "2C 4C 5C 7C 8C", "9C 10D JC QC KC") is True
    assert find_out(m, "9C 10D JC QC KC", "2C 4C 5C 7C 8C") is False


def test_a_set_counts_as_the_strongest_class_it_fits() -> None:
    m = table(POKER, "(best hand from x) == (best hand from y)", STANDARD)
    assert find_out(m, "2C 3C 4C 5C 6C", "2D 3D 4D 5D 6D") is True
    assert find_out(m, "2C 3C 4C 5C 6C", "2H 3D 4D 5D 6D") is False  # a straight flush is no mere straight


def test_the_key_of_pairs_in_a_row_is_the_place_of_the_top_one() -> None:
    m = table("couple: 2 cards same rank\nstairs: 2.. couple consecutive rank", "x beats y as stairs")
    assert find_out(m, "5C 5D 6C 6D", "4C 4D 5H 5S") is True
    assert find_out(m, "4H 4S 5H 5S", "4C 4D 5C 5D") is False


# ---------------------------------------------------------------- wild cards

JOKERS = "{ranks: A 2 3 4 5 6, suits: clubs hearts spades, extra: JOKER JOKER}"


def wild(pattern: str, answer: str, limit: str = "") -> Machine:
    text = f"fit: {{is: {pattern}, wild: JOKER{limit}}}"
    return table(text, answer, JOKERS, ROW)


@pytest.mark.parametrize(
    ("pattern", "x", "fits"),
    [
        ("3 cards same rank", "4C 4H JOKER", True),
        ("3 cards same rank", "4C 5H JOKER", False),
        ("3 cards same rank", "4C JOKER JOKER", True),
        ("3.. cards same suit consecutive rank", "3C 5C JOKER", True),
        ("3.. cards same suit consecutive rank", "3C 6C JOKER", False),
        ("3.. cards same suit consecutive rank", "3C 6C JOKER JOKER", True),
        ("4 cards same rank", "4C 4H 4S JOKER", True),  # also as a card that is there already
        ("2 cards different rank", "4C JOKER", True),
    ],
)
def test_a_wild_card_counts_as_any_card(pattern: str, x: str, fits: bool) -> None:
    assert find_out(wild(pattern, "x is fit"), x) is fits


def test_a_wild_card_counts_as_no_extra_card() -> None:
    deck = JOKERS.replace("JOKER JOKER", "DOG JOKER")
    m = table(
        "row_of_three: {is: 3 cards consecutive row, wild: JOKER}", "x is row_of_three", deck, "row: DOG A 2"
    )
    assert find_out(m, "DOG 2C JOKER") is True
    assert find_out(m, "AC 2C JOKER") is False


def test_only_so_many_wild_cards_count_in_one_instance() -> None:
    limited = wild("3 cards same rank", "x is fit", ", most_wild: 1")
    assert find_out(limited, "4C 4H JOKER") is True
    assert find_out(limited, "4C JOKER JOKER") is False


def test_wild_cards_are_found_with_what_they_complete() -> None:
    m = wild("3 cards same rank", "fit from x", ", most_wild: 1")
    assert sorted(named(m, find_out(m, "4C 4H 5C JOKER"))) == ["4C 4H JOKER"]


def test_the_strongest_reading_of_a_wild_card_counts() -> None:
    m = wild("3 cards consecutive rank", "x beats y as fit")
    assert find_out(m, "4C 5C JOKER", "3C 4H 5H") is True  # as a six
    assert find_out(m, "4C 5C JOKER", "4H 5H 6H") is False


def test_a_wild_card_has_its_own_facts_outside_the_pattern() -> None:
    m = wild("3 cards same rank", "count((x inside fit) where 4H in it)")
    assert find_out(m, "4C 4S JOKER") == 0
