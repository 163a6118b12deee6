"""Options that change nothing are told; one that matters only at a full table is not among them."""

from __future__ import annotations

from programs import program

from rulekit.playtest.idle import DECISIONS, idle_options
from rulekit.playtest.options import Combination

RULES = """
players: 2..4
options:
  shown: {is: bool = false, text: Are hands shown when four play?}
  long: {is: 1 | 200 = 1, text: Deals.}
zones:
  stock: pile seen by nobody
  hand: set per player seen by owner
play:
  - repeat long times:
      - shuffle deck into stock
      - deal 1 to hand from stock
      - if shown and count(players) == 4: [reveal hand to everyone]
      - for p in players: [ask p: [sit]]
moves:
  sit: {text: Sit., do: []}
"""


def test_each_number_of_players_has_its_turn_before_the_effort_is_used_up() -> None:
    made = program(RULES)
    tables = [
        Combination(players, {"shown": shown, "long": 200})
        for players in (2, 3, 4)
        for shown in (False, True)
        for _ in range(5)
    ]
    assert DECISIONS <= 5 * 2 * 200 * 2, "tables for two alone would use it up"
    assert [idle.option for idle in idle_options(made, tables)] == []
