"""The flow: statements, phases, `stop when`, asks, loops and the match budget."""

from __future__ import annotations

import pytest
from programs import at_random, cards, machine, play, state, texts, zone

from rulekit.engine import IllegalAction

SIMPLE = """
players: 2
zones: {pool: set seen by everyone}
state:
  total: 0..99
  log: 0..9999999
"""


def log_of(rules: str) -> int:
    """Runs rules without asks to their end; what they wrote down, a digit at a time."""
    m = machine(SIMPLE + rules)
    s = m.start()
    assert s.ending is not None
    assert s.ending.reason == "played out", s.ending.fault
    found = state(m, s, "log")
    assert isinstance(found, int)
    return found


def test_stop_when_is_tested_in_the_middle_of_a_loop() -> None:
    assert (
        log_of("""
play: [do count, log = log * 100 + total]
phases:
  count:
    stop when: total >= 3
    do:
      - for n in 1..9: [total += 1]
""")
        == 3
    )


def test_the_variable_of_a_loop_belongs_to_the_game_and_not_to_the_machine() -> None:
    m = machine("""
play:
  - for p in players: [ask p: [nod], ask p: [nod]]
moves: {nod: {do: []}}
""")
    one, two = m.start(), m.start()
    play(m, two, "nod", "nod")
    play(m, one, "nod")
    decision = m.decision(one)
    assert decision is not None
    assert decision.actor == 0


@pytest.mark.parametrize(
    ("condition", "there"), [("false", 0), ("not true", 0), ("true", 1), ("count(pool) > 99", 1)]
)
def test_statements_under_a_condition_written_to_fail_are_left_out(condition: str, there: int) -> None:
    m = machine(
        SIMPLE
        + f"""
play:
  - if {condition}: [total = 5]
    else: [log = 1]
"""
    )
    assert sum("total = 5" in str(stmt.span and stmt.span.text) for stmt in m.statements.values()) == there
    assert state(m, m.start(), "log") == (0 if condition == "true" else 1)


def test_stop_when_is_not_tested_on_entry() -> None:
    assert (
        log_of("""
play: [total = 5, do count, log = log * 10 + 9]
phases:
  count:
    stop when: total >= 3
    do: [log = 1, log = 12]
""")
        == 129
    )


def test_an_assignment_of_the_same_value_is_tested() -> None:
    assert (
        log_of("""
play: [total = 5, do count, log = log * 10 + 9]
phases:
  count:
    stop when: total >= 3
    do: [log = 1, total = 5, log = 12]
""")
        == 19
    )


def test_a_start_is_no_statement() -> None:
    assert (
        log_of("""
play: [do outer]
phases:
  outer:
    state: {seen: 0..9 = 0}
    stop when: seen >= 1 or total >= 1
    do: [do inner, log = log * 10 + 2, total = 1, log = log * 10 + 3]
  inner:
    state: {fresh: 0..9 = 7}
    do: [log = log * 10 + 1]
""")
        == 12
    )


def test_of_several_phases_whose_condition_holds_the_outermost_is_left() -> None:
    assert (
        log_of("""
play: [do outer, log = log * 10 + 9]
phases:
  outer:
    stop when: total >= 3
    do: [do inner, log = log * 10 + 8]
    after: [log = log * 10 + 2]
  inner:
    stop when: total >= 3
    do: [total = 3, log = log * 10 + 7]
    after: [log = log * 10 + 1]
""")
        == 129
    )


def test_only_the_phase_whose_condition_holds_is_left() -> None:
    assert (
        log_of("""
play: [do outer, log = log * 10 + 9]
phases:
  outer:
    stop when: total >= 5
    do: [do inner, log = log * 10 + 8]
    after: [log = log * 10 + 2]
  inner:
    stop when: total >= 3
    do: [total = 3, log = log * 10 + 7]
    after: [log = log * 10 + 1]
""")
        == 1829
    )


def test_after_runs_however_a_phase_ends() -> None:
    rules = """
play: [do part, log = log * 10 + 9]
phases:
  part:
    do: [log = 1, HOW, log = log * 10 + 2]
    after: [log = log * 10 + 3]
"""
    assert log_of(rules.replace("HOW, ", "")) == 1239
    assert log_of(rules.replace("HOW", "stop part")) == 139


def test_stop_when_is_disarmed_while_after_runs() -> None:
    assert (
        log_of("""
play: [do part, log = log * 10 + 9]
phases:
  part:
    stop when: total >= 3
    do: [total = 3, log = 5]
    after: [total = 4, log = log * 10 + 1, total = 5, log = log * 10 + 2]
""")
        == 129
    )


def test_an_outer_phase_may_cut_an_after_short() -> None:
    assert (
        log_of("""
play: [do outer, log = log * 10 + 9]
phases:
  outer:
    stop when: total >= 5
    do: [do middle, log = log * 10 + 8]
    after: [log = log * 10 + 3]
  middle:
    stop when: total >= 3
    do: [do inner, log = log * 10 + 8]
    after: [log = log * 10 + 2]
  inner:
    do: [total = 3, log = log * 10 + 7]
    after: [log = log * 10 + 1, total = 5, log = log * 10 + 6]
""")
        == 1239
    )


def test_a_phase_called_by_after_is_left_on_its_own() -> None:
    assert (
        log_of("""
play: [do outer, log = log * 10 + 9]
phases:
  outer:
    stop when: total >= 3
    do: [total = 3]
    after: [do count, log = log * 10 + 4]
  count:
    stop when: total >= 5
    do: [total = 4, log = log * 10 + 1, total = 5, log = log * 10 + 7]
    after: [log = log * 10 + 2]
""")
        == 1249
    )


def test_state_of_a_phase_starts_afresh_in_the_order_written() -> None:
    assert (
        log_of("""
play: [do part(2), do part(3)]
phases:
  part(int n):
    state: {a: 0..9 = n, b: 0..9 = a + 1}
    do: [log = log * 100 + a * 10 + b, a = 9, b = 9]
""")
        == 2334
    )


def test_repeat_and_for_evaluate_once_and_until_tests_first() -> None:
    assert (
        log_of("""
play:
  - total = 2
  - repeat total times: [total += 1]
  - for n in 1..total: [total += 1]
  - until total >= 1: [log = 7]
  - log = log * 100 + total
""")
        == 8
    )


def test_answered_tells_the_last_move_of_the_list() -> None:
    m = machine(
        SIMPLE
        + """
play:
  - for p in players:
      - ask p: [yes, no_]
      - if answered(yes): [log = log * 10 + 1]
        else: [log = log * 10 + 2]
moves:
  yes: {do: []}
  no_: {do: []}
"""
    )
    s = play(m, m.start(), "no_", "yes")
    assert state(m, s, "log") == 21


MOVES = """
play: [do part, log = log * 10 + 9]
phases:
  part:
    stop when: total >= 3
    do:
      - ask lowest(players by 0): [add]
      - log = log * 10 + 8
    after: [log = log * 10 + 2]
moves:
  add: {do: [total = 3, log = log * 10 + 1, total = 4, log = log * 10 + 1], again: total < 5}
"""


def test_a_move_is_atomic_and_stop_when_is_tested_before_again() -> None:
    m = machine(SIMPLE + MOVES)
    s = play(m, m.start(), "add")
    assert s.ending is not None
    assert state(m, s, "log") == 1129


def test_again_asks_the_same_player_the_same_ask_until_nothing_is_legal() -> None:
    m = machine(
        SIMPLE
        + """
play:
  - for p in players: [ask p: [add, pass_on]]
moves:
  add: {if: {room: total < 4}, do: [total += 1, log = log * 10 + 1], again: total < 4 and total != 3}
  pass_on: {if: {some: total > 0}, do: [log = log * 10 + 2]}
"""
    )
    s = m.start()
    assert texts(m, s) == ["add"]
    play(m, s, "add", "add")
    assert m.decision(s).actor == 0  # type: ignore[union-attr]
    play(m, s, "add")
    assert m.decision(s).actor == 1  # type: ignore[union-attr]
    play(m, s, "add")
    assert s.ending is not None
    assert state(m, s, "log") == 1111


def test_without_a_legal_move_after_again_the_ask_is_over() -> None:
    m = machine(
        SIMPLE
        + """
play:
  - for p in players: [ask p: [add]]
moves:
  add: {if: {room: total < (if me == lowest(players by 0) then 2 else 3)}, do: [total += 1], again: true}
"""
    )
    s = play(m, m.start(), "add", "add")
    assert m.decision(s).actor == 1  # type: ignore[union-attr]
    play(m, s, "add")
    assert s.ending is not None
    assert s.ending.reason == "played out"


def test_an_ask_without_a_legal_move_is_a_fault() -> None:
    m = machine(
        SIMPLE
        + """
play:
  - for p in players: [ask p: [add]]
moves:
  add: {if: {room: total < 1}, do: [total += 1]}
"""
    )
    s = play(m, m.start(), "add")
    assert s.ending is not None
    assert s.ending.reason == "fault"
    assert s.ending.fault is not None
    assert s.ending.fault.code == "RK901"
    assert s.ending.fault.span is not None
    assert m.outcome(s).payoffs == (0, 0)
    assert m.outcome(s).ranking == ((0, 1),)


NESTED = """
players: 3
state: {log: 0..9999999}
play:
  - for p in players: [ask p: [claim]]
moves:
  claim:
    choose: {n: 1..2}
    do:
      - log = log * 10 + index_of(me)
      - ask left of me: [doubt, believe]
      - log = log * 10 + index_of(me)
    again: n == 2 and me != lowest(players by 0)
  doubt: {do: [log = log * 10 + index_of(me)]}
  believe: {do: []}
define:
  index_of(player p): count(players where it == p or not (it == p) and seat(it) < seat(p))
  seat(player p): if p == lowest(players by 0) then 1 else if left of p == lowest(players by 0) then 3 else 2
"""


def test_a_nested_ask_gives_me_back() -> None:
    m = machine(NESTED)
    s = play(m, m.start(), "claim 1")
    assert m.decision(s).actor == 1  # type: ignore[union-attr]
    play(m, s, "doubt")
    assert state(m, s, "log") == 121
    assert m.decision(s).actor == 1  # type: ignore[union-attr]
    play(m, s, "claim 2", "believe")
    # `again` reads `me` and the choice of the outer move, after the nested ask.
    assert m.decision(s).actor == 1  # type: ignore[union-attr]
    assert texts(m, s) == ["claim 1", "claim 2"]
    numbers = [(event.number, event.seat, event.move) for event in s.events()]
    assert numbers == [(1, 0, "claim"), (2, 1, "doubt"), (3, 1, "claim"), (4, 2, "believe")]


SEALED = """
players: 3
zones: {stock: pile seen by nobody, hand: set per player seen by owner, pot: pile seen by everyone}
state: {log: 0..9999999}
play:
  - shuffle deck into stock
  - deal 2 to hand from stock starting lowest(players by 0)
  - ask (players starting left of (lowest(players by 0))) together: [give]
  - log = log * 10 + 9
deck: {ranks: 2 3 4, suits: hearts spades}
moves:
  give: {choose: {card: hand}, do: [move card to hand of left of me, log = log * 10 + 1]}
"""


def test_sealed_choices_come_from_one_state_and_take_effect_in_order() -> None:
    m = machine(SEALED)
    s = m.start(deal=[cards(m, "2H 3H 4H 2S 3S 4S")])
    assert [zone(m, s, "hand", p) for p in range(3)] == ["2H 2S", "3H 3S", "4H 4S"]
    decision = m.decision(s)
    assert decision is not None
    assert (decision.kind, decision.actor, decision.pending) == ("sealed", 1, (1, 2, 0))
    play(m, s, "give 3H")
    # Nothing has happened yet, and nobody is told.
    assert zone(m, s, "hand", 1) == "3H 3S"
    assert all(m.view(s, seat).events == () for seat in range(3))
    play(m, s, "give 4S")
    assert texts(m, s) == ["give 2H", "give 2S"]
    play(m, s, "give 2S")
    assert [zone(m, s, "hand", p) for p in range(3)] == ["2H 4S", "2S 3S", "3H 4H"]
    assert state(m, s, "log") == 1119
    # The giver and the taker know which card went across; the third does not.
    given = [[event.values[0] for event in m.view(s, seat).events] for seat in range(3)]
    three, four, two = (cards(m, name)[0] for name in ("3H", "4S", "2S"))
    assert given == [[None, four, two], [three, None, two], [three, four, None]]


def test_a_sealed_ask_of_nobody_does_nothing() -> None:
    m = machine(SEALED.replace("(players starting left of (lowest(players by 0)))", "(players - players)"))
    s = m.start()
    assert s.ending is not None
    assert state(m, s, "log") == 9


def test_asking_for_another_makes_him_me_and_shows_the_cards_offered() -> None:
    m = machine("""
players: 3
deck: {ranks: 2 3 4, suits: hearts spades}
zones: {stock: pile seen by nobody, hand: set per player seen by owner, trick: pile seen by everyone}
play:
  - shuffle deck into stock
  - deal 2 to hand from stock starting lowest(players by 0)
  - ask lowest(players by 0) for left of (lowest(players by 0)): [lead]
moves:
  lead: {choose: {card: hand}, do: [move card to trick]}
""")
    s = m.start(3)
    decision = m.decision(s)
    assert decision is not None
    assert (decision.actor, decision.whom) == (0, 1)
    assert [action.values[0] for action in m.legal(s)] == list(s.zones[m.setup.zone_places["hand"][1][0]])
    offered = m.view(s, 0).zones["hand"]
    assert None not in offered[1].cards
    assert offered[2].cards == (None, None)
    assert m.view(s, 2).zones["hand"][1].cards == (None, None)
    card = m.legal(s)[0].values[0]
    m.apply(s, m.legal(s)[0])
    assert s.mover[card] == 1
    assert s.events()[0][1:3] == (0, 1)


LOOP = """
players: 2
state: {a: 0..999}
play:
  - until a == 999:
      - a = (a + 1) % MODULUS
"""


@pytest.mark.parametrize("modulus", [1, 3, 64, 100, 333])
def test_a_position_that_comes_back_ends_the_match_as_a_loop(modulus: int) -> None:
    m = machine(LOOP.replace("MODULUS", str(modulus)))
    s = m.start()
    assert s.ending is not None
    assert (s.ending.reason, s.ending.length) == ("loop", modulus)


def test_rounds_of_an_unproven_loop_count_against_the_limit() -> None:
    m = machine(LOOP.replace("MODULUS", "900") + "end: {ranking: highest count(players - it), limit: 50}\n")
    s = m.start()
    assert s.ending is not None
    assert (s.ending.reason, s.decisions, state(m, s, "a")) == ("limit", 50, 50)


def test_the_limit_ends_the_match_unfinished() -> None:
    m = machine("""
players: 2
state: {score: 0..999 per player}
play:
  - until any(players where score >= 500):
      - for p in players: [ask p: [go]]
moves:
  go: {do: [score += 1]}
end: {ranking: highest score, limit: 7}
""")
    s = list(at_random(m))[-1]
    assert s.ending is not None
    assert s.ending.reason == "limit"
    outcome = m.outcome(s)
    assert (outcome.ranking, outcome.payoffs) == (((0, 1),), (0, 0))
    assert outcome.scores == (4, 3)
    assert s.decisions == 7


def test_an_illegal_action_leaves_the_state_as_it_was() -> None:
    m = machine(SEALED)
    s = m.start(1)
    before = s.dump()
    other = next(card for card in range(6) if (card,) not in [action.values for action in m.legal(s)])
    with pytest.raises(IllegalAction) as caught:
        m.apply(s, m.legal(s)[0]._replace(values=(other,)))
    assert caught.value.refusal.kind == "choice"
    assert s.dump() == before
