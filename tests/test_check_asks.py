"""An ask is warned of unless a legal move is sure: what counts as sure."""

from __future__ import annotations

from programs import whole

import rulekit
from rulekit.checks.logic import Forms
from rulekit.program import expressions as e
from rulekit.program.walk import walk_expressions

RULES = """
zones:
  stock: pile seen by nobody
  hand:  set per player seen by owner
  gone:  pile seen by everyone
state:
  leader: player
  taken: card?
play:
  - leader = random(players)
  - shuffle deck into stock
  - deal 3 to hand from stock starting leader
  - ask leader: [discard]
moves:
  discard: {choose: {card: CHOICE}, do: [move card to gone, taken = card]}
"""


def codes(choice: str) -> list[str]:
    return [found.code for found in rulekit.validate(whole(RULES.replace("CHOICE", choice)))]


def test_a_whole_zone_is_taken_to_hold_something() -> None:
    assert "RK640" not in codes("hand")


def test_a_zone_but_for_one_card_is_taken_to_hold_another() -> None:
    assert "RK640" not in codes("hand where it != taken")


def test_a_zone_that_is_narrowed_needs_a_proof() -> None:
    assert "RK640" in codes("hand where suit == hearts")
    assert "RK640" in codes("hand where it != taken and suit == hearts")


def test_two_moves_may_cover_every_case_among_many() -> None:
    """However many other moves there are: what can only help need not be looked at."""
    others = "".join(
        f"  odd{n}: {{choose: {{card: hand where number == {n}, at: hand where number > {n}}}, do: []}}\n"
        for n in range(9)
    )
    moves = others + (
        "  red: {choose: {card: hand where suit == hearts}, do: []}\n"
        "  rest: {if: {no heart is held: not any(hand where suit == hearts)}, do: []}\n"
    )
    names = ", ".join(f"odd{n}" for n in range(9))
    head, _, _ = RULES.partition("moves:")

    def found(*more: str) -> list[str]:
        rules = head.replace("[discard]", f"[{', '.join((names, *more))}]") + f"moves:\n{moves}"
        return [found.code for found in rulekit.validate(whole(rules))]

    assert "RK640" not in found("red", "rest")
    assert "RK640" in found("red")
    assert "RK640" in found("rest")


BIDDING = """
zones: {stock: pile seen by nobody}
state:
  turn: player
  size: 1..10
  least: 0..10
  bid: 0..10? per player
define:
  so_far: sum(bid of (players where bid != none))
  barred: if me == turn then size - so_far else none
  held(player p): count(players where it == p)
play:
  - turn = random(players)
  - ask turn: [say]
moves:
  say: {choose: {number_bid: CHOICE}, do: [bid = number_bid]}
"""


def bids(choice: str) -> bool:
    """Is a bid shown to be possible?"""
    text = whole(BIDDING.replace("CHOICE", choice))
    return "RK640" not in [found.code for found in rulekit.validate(text)]


def test_a_range_but_for_one_number_holds_another_if_it_has_two() -> None:
    """The hook of Oh Hell: the dealer may not bid what would make the bids come out even."""
    assert bids("(0..size) where it != barred")
    assert bids("(1..9) where it != barred and it != least")
    assert not bids("(1..size) where it != barred")
    assert not bids("(0..size) where it != barred and it != least")
    assert not bids("(least..size) where it != barred")
    assert not bids("(0..size) where it < so_far")


def test_the_element_of_a_define_is_not_that_around_its_use() -> None:
    """`held(left of it)`: written out, `it` of the define and `it` around it are two."""
    text = whole(BIDDING.replace("number_bid: CHOICE", "who: players where held(left of it) == 1"))
    made = rulekit.load(text.replace("bid = number_bid", "turn = who")).program
    outer = Forms(made).whole(made.moves["say"].choices[0].entries[0].domain)
    assert isinstance(outer, e.Filter)
    (inner,) = [x for x in walk_expressions(outer.condition) if isinstance(x, e.Filter)]
    assert inner.local != outer.local
    locals_ = {x.number for x in walk_expressions(inner.condition) if isinstance(x, e.Local)}
    assert locals_ == {inner.local, outer.local}
