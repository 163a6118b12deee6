"""What is known of numbers: bounds that grow from round to round settle."""

from __future__ import annotations

from programs import whole

import rulekit


def test_a_local_that_grows_by_more_than_its_own_range_does_not_end_the_following_of_a_file() -> None:
    rules = """
players: 2..10
state: {pot: 0..100000 per player = 9, rounds: 0..99}
play:
  - let sum_of = 0
  - for p in players: [sum_of += pot of p]
  - until rounds > 2: [rounds += 1]
  - ask first of (players starting random_seat): [stay]
"""
    rules = rules.replace("random_seat", "lowest(players by sum_of)") + "moves: {stay: {do: []}}\n"
    assert "RK620" not in [found.code for found in rulekit.validate(whole(rules))]
