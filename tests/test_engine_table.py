"""The table: moving, dealing, shuffling, swapping, faces, reveals, provenance, slots."""

from __future__ import annotations

import pytest
from programs import cards, machine, play, state, texts, zone

from rulekit.engine import Machine, State

TABLE = """
zones:
  stock: pile seen by nobody
  hand:  set per player seen by owner
  row:   pile seen by everyone
  faced: pile seen by face
state: {log: 0..9999999}
"""


def ended(rules: str, deal: str | None = None) -> tuple[Machine, State]:
    """Rules without asks, run to their end."""
    m = machine(TABLE + rules)
    s = m.start(deal=None if deal is None else [cards(m, deal)])
    assert s.ending is not None
    return m, s


def fault(rules: str, deal: str | None = None) -> str:
    """The code of the fault in which the rules end; its place in the file is told."""
    m, s = ended(rules, deal)
    assert s.ending is not None
    assert s.ending.fault is not None, s.ending
    assert s.ending.fault.span is not None
    assert m.legal(s) == []
    assert m.decision(s) is None
    return s.ending.fault.code


DEAL = "2H 3H 4H 2S 3S 4S"


def test_a_forced_deal_lists_the_cards_as_they_leave() -> None:
    m, s = ended("play: [shuffle deck into stock, deal 3 to row]", DEAL)
    assert zone(m, s, "row") == "2H 3H 4H"
    assert zone(m, s, "stock") == "4S 3S 2S"


def test_after_a_short_forced_deal_the_others_follow_by_chance() -> None:
    m = machine(TABLE + "play: [shuffle deck into stock, deal all to row]")
    rows = {zone(m, m.start(seed, deal=[cards(m, "4S 2H")]), "row") for seed in range(30)}
    assert all(row.startswith("4S 2H ") for row in rows)
    assert len(rows) > 10


def test_a_forced_deal_of_cards_that_are_not_shuffled_is_a_fault() -> None:
    rules = "play: [shuffle deck into stock, deal 3 to row, shuffle stock]"
    m = machine(TABLE + rules)
    s = m.start(deal=[cards(m, DEAL), cards(m, "2H")])
    assert s.ending is not None
    assert s.ending.fault is not None
    assert s.ending.fault.code == "RK911"


def test_a_deal_goes_one_card_at_a_time_round_the_table() -> None:
    rules = (
        "play: [shuffle deck into stock, deal 2 to hand from stock starting left of (lowest(players by 0))]"
    )
    m, s = ended(rules, DEAL)
    assert [zone(m, s, "hand", p) for p in range(2)] == ["3H 2S", "2H 4H"]
    _, s = ended(rules.replace("2 to hand", "all to hand"), DEAL)
    assert [zone(m, s, "hand", p) for p in range(2)] == ["3H 2S 4S", "2H 4H 3S"]


def test_a_deal_that_outruns_its_source_is_a_fault() -> None:
    assert fault("play: [shuffle deck into stock, deal 7 to row]") == "RK902"
    assert fault("play: [shuffle deck into stock, deal 4 to hand from stock]") == "RK902"


def test_a_pile_keeps_order_and_the_last_card_lies_on_top() -> None:
    m, s = ended("play: [shuffle deck into stock, deal 3 to row, move stock to row]", DEAL)
    assert zone(m, s, "row") == "2H 3H 4H 4S 3S 2S"
    m, s = ended("play: [shuffle deck into stock, deal 3 to row, move stock to bottom of row]", DEAL)
    assert zone(m, s, "row") == "4S 3S 2S 2H 3H 4H"


def test_a_set_goes_in_deck_order_from_wherever_its_cards_lie() -> None:
    m, s = ended("play: [shuffle deck into stock, deal 3 to row, move 4S 3H 2S to row]", DEAL)
    assert zone(m, s, "row") == "2H 4H 3H 2S 4S"
    assert zone(m, s, "stock") == "3S"


def test_a_card_keeps_its_face_or_lies_as_it_was_seen() -> None:
    rules = """
play:
  - shuffle deck into stock
  - deal 1 to row
  - move stock to faced
  - flip 4H up
  - move row to faced
  - move 4H 4S to bottom of faced
"""
    m, s = ended(rules, DEAL)
    assert zone(m, s, "faced") == "4H 4S 3S 2S 3H 2H"
    up = {m.setup.pack.format_card(card) for card in range(6) if s.up[card]}
    assert up == {"4H", "2H"}


def test_a_revealed_card_lies_up_where_faces_count() -> None:
    rules = "play: [shuffle deck into stock, reveal 4H to everyone, move 4H 3H to faced]"
    m, s = ended(rules, DEAL)
    assert [s.up[card] for card in s.zones[m.setup.zone_places["faced"][0][0]]] == [False, True]


def test_swap_keeps_the_face_of_the_place() -> None:
    rules = """
play:
  - shuffle deck into stock
  - deal 1 to hand from stock starting lowest(players by 0)
  - move stock to faced
  - flip bottom of faced up
  - swap 2H with bottom of faced
"""
    m, s = ended(rules, DEAL)
    assert zone(m, s, "faced") == "2H 3S 2S 4H"
    assert zone(m, s, "hand", 0) == "4S"
    assert [s.up[card] for card in cards(m, "2H 3S 4S")] == [True, False, False]


def test_swap_of_unequal_counts_is_a_fault() -> None:
    rules = "play: [shuffle deck into stock, deal 3 to row, swap stock with CARDS]"
    assert fault(rules.replace("CARDS", "row where rank == 2")) == "RK907"
    m, s = ended(rules.replace("CARDS", "row"), DEAL)
    assert (zone(m, s, "row"), zone(m, s, "stock")) == ("4S 3S 2S", "2H 3H 4H")


def test_flip_outside_a_zone_seen_by_face_is_a_fault_and_flip_of_nothing_is_not() -> None:
    assert fault("play: [shuffle deck into stock, flip 2H up]") == "RK908"
    _, s = ended("play: [flip faced up, shuffle deck into stock]")
    assert s.ending is not None
    assert s.ending.fault is None


def test_flip_to_the_side_that_shows_does_nothing_and_is_not_tested() -> None:
    rules = """
play: [shuffle deck into stock, move stock to faced, do part]
phases:
  part:
    stop when: count(faced) == 6
    do: [flip 2H down, log = 1, flip 2H up, log = 2]
"""
    m, s = ended(rules)
    assert state(m, s, "log") == 1


def test_shuffling_forgets_faces_provenance_and_reveals() -> None:
    rules = """
play:
  - shuffle deck into stock
  - deal 2 to hand from stock
  - ask lowest(players by 0): [lay]
  - move 4S to faced
  - flip faced up
  - reveal 3S to everyone
  - shuffle STAYS into stock
moves:
  lay: {choose: {card: hand}, do: [move card to row]}
"""
    m = machine(TABLE + rules.replace("STAYS", "deck where it == 4S or it == 2H"))
    s = m.start(deal=[cards(m, "2H 4H 3H 2S 3S 4S")])
    play(m, s, "lay 2H")
    two, three, four = cards(m, "2H 3S 4S")
    assert (s.mover[two], s.shown[three], s.up[four]) == (None, 0, False)
    m = machine(TABLE + rules.replace("  - shuffle STAYS into stock\n", ""))
    s = m.start(deal=[cards(m, "2H 4H 3H 2S 3S 4S")])
    play(m, s, "lay 2H")
    assert (s.mover[two], s.shown[three], s.up[four]) == (0, 3, True)


def test_player_is_who_moved_a_card_himself_and_the_flow_leaves_it_alone() -> None:
    m = machine(
        TABLE
        + """
play:
  - shuffle deck into stock
  - deal 2 to hand from stock
  - for p in players: [ask p: [lay]]
  - move row to faced
  - log = count(faced where player == lowest(players by 0))
moves:
  lay: {choose: {card: hand}, do: [move card to row, deal 1 to row]}
"""
    )
    s = m.start(1)
    play(m, s, texts(m, s)[0])
    play(m, s, texts(m, s)[0])
    assert [s.mover[card] for card in s.zones[m.setup.zone_places["faced"][0][0]]] == [0, 0, 1, 1]
    assert state(m, s, "log") == 2


def test_a_reveal_is_forgotten_when_the_card_moves() -> None:
    m, s = ended("play: [shuffle deck into stock, reveal 2H 3H to everyone, move 2H to stock]", DEAL)
    assert [s.shown[card] for card in cards(m, "2H 3H")] == [0, 3]


def test_out_of_range_and_none_where_a_value_is_needed_are_faults() -> None:
    assert fault("play: [log = 0 - count(deck)]") == "RK903"
    assert fault("play: [for n in 1..2: [log += 9999998]]") == "RK903"
    assert fault("play: [let p = owner of 2H, for q in players starting p: [log = 1]]") == "RK904"


SLOTS = """
zones:
  stock: pile seen by nobody
  melds: {is: up to 2 piles seen by everyone, has: {total: 0..99}}
state: {log: 0..9999999}
"""


def test_slots_are_claimed_lowest_first_and_free_again_when_emptied() -> None:
    m = machine(
        SLOTS
        + """
play:
  - shuffle deck into stock
  - let a = new melds
  - move 2H to a
  - total of a = 5
  - let b = new melds
  - move 3H to b
  - log = index_of(a) * 10 + index_of(b)
  - move 2H to stock
  - let c = new melds
  - move 4H to c
  - log = log * 100 + (index of c) * 10 + total of c
define:
  index_of(pile p): index of p
"""
    )
    s = m.start()
    assert s.ending is not None
    assert s.ending.fault is None, s.ending.fault
    assert state(m, s, "log") == 1210


def test_a_third_slot_of_two_is_a_fault() -> None:
    m = machine(SLOTS + "play: [shuffle deck into stock, for c in stock: [move c to new melds]]")
    s = m.start()
    assert s.ending is not None
    assert s.ending.fault is not None
    assert s.ending.fault.code == "RK905"
    assert s.ending.fault.span is not None


def test_a_claimed_slot_without_a_card_is_free_at_the_end_of_its_list() -> None:
    m = machine(
        SLOTS + "play: [if true: [let a = new melds, log = count(melds)], log = log * 10 + count(melds)]"
    )
    assert state(m, m.start(), "log") == 10


def test_a_pile_whose_slot_is_free_again_is_a_fault() -> None:
    m = machine(
        SLOTS
        + """
play:
  - shuffle deck into stock
  - let a = new melds
  - move 2H to a
  - move 2H to stock
  - move 3H to a
"""
    )
    s = m.start()
    assert s.ending is not None
    assert s.ending.fault is not None
    assert s.ending.fault.code == "RK906"


@pytest.mark.parametrize("players", [2, 3])
def test_forced_draws_take_the_place_of_chance(players: int) -> None:
    m = machine(
        """
players: 2..3
state: {dealer: player, score: 0..9 per player}
play: [dealer = random(players), score of dealer = 1]
""",
        players,
    )
    for seat in range(players):
        assert state(m, m.start(draws=[seat]), "dealer") == seat
    assert m.start(draws=[7]).ending.fault.code == "RK911"  # type: ignore[union-attr]
    assert len({state(m, m.start(seed), "dealer") for seed in range(40)}) == players


def test_a_phase_alone_draws_its_dealer_first() -> None:
    rules = """
players: 4
state: {dealer: player, chosen: player = lowest(players by 0), log: 0..9 = 3}
play: [log = 4, dealer = random(players), do hand]
phases: {hand: [chosen = left of dealer]}
"""
    m = machine(rules, phase="hand")
    assert {state(m, m.start(seed), "chosen") for seed in range(40)} == {0, 1, 2, 3}
    s = m.start(draws=[2])
    assert (state(m, s, "chosen"), state(m, s, "log")) == (3, 3)


def test_a_pile_taken_from_a_set_of_piles_is_that_pile_not_its_cards() -> None:
    rules = (
        SLOTS
        + """
play:
  - shuffle deck into stock
  - let a = new melds
  - move 2H 3H to a
  - let b = new melds
  - move 4H to b
  - log = count(melds - a) * 100 + count(a & melds) * 10 + count(b | melds)
"""
    )
    m = machine(rules)
    assert state(m, m.start(), "log") == 112
