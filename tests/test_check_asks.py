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
