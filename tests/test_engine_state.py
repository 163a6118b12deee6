"""The state: copied, compared, hashed, saved and restored at every decision."""

from __future__ import annotations

import copy
import json
import pickle
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from programs import at_random, machine, play, program

from rulekit.engine import Machine, State, chance
from rulekit.program import prepare

#: A game with everything a state may have to carry across an ask.
EVERYTHING = """
players: 3
deck: {ranks: 2 3 4 5, suits: clubs hearts spades, copies: 2}
zones:
  stock: pile seen by face
  hand:  set per player seen by owner
  row:   pile seen by everyone
  melds: {is: up to 4 piles seen by everyone, has: {total: 0..9, builder: player?}}
state:
  score: 0..99 per player
  keen:  players
define: {one: lowest(players by 0)}
play:
  - shuffle deck into stock
  - deal 4 to hand from stock
  - flip top of stock up
  - ask players together: [give]
  - repeat 3 times: [do round(count(row) at most 3)]
phases:
  round(int n):
    state: {first_card: card?, rolled: 0..3 = n}
    stop when: count(stock) == 0 or any(players where score >= 9)
    do:
      - let start = one
      - for p in players starting start:
          - rolled = random(1..3)
          - ask p: [lay, keep, meld]
          - if answered(lay): [score of p += rolled for laying with top of row]
          - ask left of p for p: [keep]
    after: [for p in keen: [ask p: [keep]]]
moves:
  give: {choose: {cards: 1..2 from hand}, do: [move cards to hand of left of me]}
  lay:
    choose: {card: hand}
    do:
      - first_card = card
      - move card to row
      - ask left of me: [keep, doubt]
      - reveal hand where rank == 2 to left of me
    again: count(row) == 1
  doubt: {do: [keen += me, if any(stock): [deal 1 to hand of me]]}
  meld:
    choose: {card: hand, sure: bool}
    do: [let here = new melds, move card to here, total of here = rolled, builder of here = me]
  keep: {do: []}
end: {ranking: highest score}
"""


@cache
def everything() -> Machine:
    return machine(EVERYTHING)


def go_on(m: Machine, s: State, stream: int) -> State:
    """Plays on at random to the end."""
    while s.ending is None:
        stream, pick = chance.below(stream, len(s.legal))
        m.apply(s, m.legal(s)[pick])
    return s


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32))
def test_a_state_is_saved_and_restored_at_every_decision(seed: int) -> None:
    m = everything()
    for s in at_random(m, seed):
        data = s.dump()
        for other in (
            s.copy(),
            copy.copy(s),
            copy.deepcopy(s),
            pickle.loads(pickle.dumps(s)),
            m.load(json.loads(json.dumps(data))),
        ):
            assert other == s
            assert hash(other) == hash(s)
            assert other.dump() == data
            assert m.legal(other) == m.legal(s)
            assert m.decision(other) == m.decision(s)


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 2**32), st.integers(0, 30))
def test_a_restored_state_plays_on_as_the_one_saved(seed: int, at: int) -> None:
    m, other_machine = everything(), Machine(everything().setup)
    positions = at_random(m, seed)
    s = next(positions)
    for _ in range(at):
        if s.ending is None:
            s = next(positions)
    saved = json.dumps(s.dump())
    ended = go_on(m, s.copy(), seed).dump()
    assert go_on(other_machine, other_machine.load(json.loads(saved)), seed).dump() == ended


def test_a_copy_goes_its_own_way() -> None:
    m = everything()
    s = m.start(5)
    before = s.dump()
    go_on(m, s.copy(), 1)
    assert s.dump() == before


def test_states_differ_when_a_card_lies_elsewhere_or_chance_differs() -> None:
    m = everything()
    assert m.start(1) == m.start(1)
    assert m.start(1) != m.start(2)
    s, other = m.start(1), m.start(1)
    m.apply(s, m.legal(s)[0])
    m.apply(other, m.legal(other)[1])
    assert s != other
    assert s != "a state"


def test_what_is_over_leaves_no_trace() -> None:
    """Two ways to one position lead to equal states: what is over is forgotten."""
    m = machine("""
state: {total: 0..9}
play:
  - do part
  - ask lowest(players by 0): [add, wait]
phases:
  part:
    state: {inner: 0..9}
    do:
      - let x = 0
      - for p in players:
          - ask p: [add, wait]
          - x = total
      - inner = x
moves:
  add: {choose: {n: 1..3}, do: [total += n]}
  wait: {do: []}
""")
    one = play(m, m.start(), "add 1", "add 2")
    other = play(m, m.start(), "add 3", "wait")
    assert one == other
    assert hash(one) == hash(other)
    assert one.dump() != other.dump()  # the history differs


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 2**32))
def test_every_card_lies_in_exactly_one_place_after_every_statement(seed: int) -> None:
    m = Machine(everything().setup)
    seen = 0

    def conserved(s: State) -> None:
        nonlocal seen
        seen += 1
        lying = sorted(card for cards in s.zones for card in cards)
        assert lying == list(range(len(m.setup.pack)))
        assert all(card in s.zones[s.place[card]] for card in lying)
        for place in m.layout.places:
            assert s.used[place.number] or not s.zones[place.number]
            if place.kind == "set":
                assert list(s.zones[place.number]) == sorted(s.zones[place.number])
            if place.seen_by != "face":
                assert not any(s.up[card] for card in s.zones[place.number])

    m.on_statement = conserved
    for s in at_random(m, seed):
        conserved(s)
    assert seen > 20


def test_the_same_seed_gives_the_same_game_and_other_games_of_a_batch_differ() -> None:
    m = everything()
    deals = [m.start(3, game).dump()["zones"] for game in range(20)]
    assert deals == [m.start(3, game).dump()["zones"] for game in range(20)]
    assert len({json.dumps(deal) for deal in deals}) == 20


def test_coverage_notes_what_was_reached() -> None:
    from rulekit.engine import Coverage

    m = Machine(everything().setup)
    m.coverage = Coverage()
    for game in range(30):
        for _ in at_random(m, 1, game):
            pass
    assert m.coverage.statements == set(m.statements)
    assert m.coverage.moves == {"give", "lay", "doubt", "meld", "keep"}
    assert m.coverage.reasons == {"laying"}
    assert ("lay", "card", 0) in m.coverage.entries


@pytest.mark.parametrize("players", [2, 3])
def test_laying_a_position_and_asking_again(players: int) -> None:
    rules = """
players: 2..3
zones: {stock: pile seen by nobody, hand: set per player seen by owner, row: pile seen by everyone}
state: {turn: player, trump: suit = clubs}
play:
  - shuffle deck into stock
  - deal 2 to hand from stock
  - turn = lowest(players by 0)
  - ask turn: [lay]
moves:
  lay: {choose: {card: {is: hand where suit == trump, text: Trump only.}}, do: [move card to row]}
deck: {ranks: 2 3 4, suits: clubs hearts}
"""
    m = Machine(
        prepare(program(rules.replace("{is: hand where suit == trump, text: Trump only.}", "hand")), players)
    )
    s = m.start(1)
    hand = [places[0] for places in m.setup.zone_places["hand"]]
    (stock,) = m.setup.zone_places["stock"][0]
    rest = [card for card in range(6) if card not in (4, 5)]
    m.lay(
        s,
        zones={hand[1]: (4, 5), stock: rest, **{place: () for place in hand if place != hand[1]}},
        states={("turn", None): 1},
        movers={4: 0},
    )
    m.resume(s)
    decision = m.decision(s)
    assert decision is not None
    assert decision.actor == 1
    assert [action.values for action in m.legal(s)] == [(4,), (5,)]
    assert s.mover[4] == 0
    with pytest.raises(ValueError, match="exactly one place"):
        m.lay(s, zones={stock: (0, 1)})
