"""Tables in rule files: by the number of players, rows that give one thing or several, the pack."""

from __future__ import annotations

from programs import machine, program, whole

import rulekit
from rulekit.program.statements import Until
from rulekit.program.walk import walk_statements

RULES = """
players: 3..5
deck:
  ranks: 2 3 4
  suits: hearts spades
  without: removed
zones:
  stock: pile seen by everyone
  hand: set per player seen by owner
define:
  removed: {by: count(players), 3: empty, 4: 2H, 5: 2H 2S}
  name: {by: count(players), 3: false, 4: true, 5: true}
play:
  - shuffle deck into stock
  - deal all to hand from stock
  - until count(hand) == 0: [do round]
phases:
  round:
    - for p in players where name or any(hand): [ask p: [play]]
moves:
  play: {choose: {card: hand}, do: [move card to stock]}
"""


def test_a_table_by_the_number_of_players_needs_rows_for_those_who_may_play() -> None:
    assert program(RULES).players == (3, 5)


def test_a_row_that_gives_one_card_gives_a_set_where_others_give_several() -> None:
    packs = {players: len(machine(RULES, players).setup.pack) for players in (3, 4, 5)}
    assert packs == {3: 6, 4: 5, 5: 4}


def test_a_table_by_an_option_needs_rows_for_the_numbers_that_may_be_chosen() -> None:
    rules = RULES.replace("deck:", "options: {size: {is: 2 | 4 = 4, text: Size.}}\ndeck:")
    rules = rules.replace("  without: removed", "  without: {by: size, 2: 3 4, 4: empty}")
    assert [len(machine(rules, size=size).setup.pack) for size in (2, 4)] == [2, 6]


def test_the_pack_may_leave_cards_out_by_a_table() -> None:
    rules = RULES.replace(
        "  without: removed", "  without: {by: count(players), 3: empty, 4: 2H, else: 2H 2S}"
    )
    rules = rules.replace("  removed: {by: count(players), 3: empty, 4: 2H, 5: 2H 2S}\n", "")
    assert {n: len(machine(rules, n).setup.pack) for n in (3, 4, 5)} == {3: 6, 4: 5, 5: 4}
    found = rulekit.validate(whole(rules.replace("else:", "7:")))
    assert [(finding.code, finding.message) for finding in found] == [
        ("RK508", "the table has no row for `5`")
    ]


def test_a_define_that_only_the_pack_reads_is_used() -> None:
    rules = RULES.replace("  without: removed", "  without: removed\n  copies: packs")
    rules = rules.replace(
        "  removed:", "  packs: if count(players) > most then 2 else 1\n  most: 4\n  removed:"
    )
    found = rulekit.validate(whole(rules))
    assert [finding.message for finding in found if finding.code == "RK653"] == []


def outer_loop_ends(players: str, ranks: str) -> bool:
    """Is it shown that each deal of this game asks somebody?"""
    made = program(f"""
players: {players}
deck: {{ranks: {ranks}, suits: hearts spades}}
zones:
  stock: pile seen by everyone
  hand: set per player seen by owner
state: {{points: 0..9}}
play:
  - until points > 2:
      - shuffle deck into stock
      - deal all to hand from stock
      - for p in players:
          - until count(hand of p) == 0: [ask p: [play]]
moves:
  play: {{choose: {{card: hand}}, do: [move card to stock]}}
""")
    return next(stmt.proven for stmt in walk_statements(made.play) if isinstance(stmt, Until))


def test_when_all_cards_are_dealt_nobody_is_left_without_if_there_are_enough() -> None:
    assert outer_loop_ends("3..4", "2 3")
    assert not outer_loop_ends("3..5", "2 3")
