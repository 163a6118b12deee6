"""An ask is warned of unless a legal move is sure: what counts as sure."""

from __future__ import annotations

from programs import whole

import rulekit

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
