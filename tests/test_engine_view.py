"""Views: what a seat may see, and nothing else."""

from __future__ import annotations

import pickle

from programs import cards, machine, play

from rulekit.engine import HIDDEN, Machine, State, View

SECRETS = """
players: 3
deck: {ranks: 2 3 4 5, suits: clubs hearts spades}
zones:
  stock:  pile seen by nobody
  hand:   set per player seen by owner
  back:   pile per player seen by others
  row:    pile seen by everyone
  faced:  pile seen by face
state:
  open_bid: 0..9
  bid: {is: 0..9 per player seen by owner, text: Bids.}
  tally: 0..99 per player seen by nobody
define: {one: lowest(players by 0)}
play:
  - shuffle deck into stock
  - deal 2 to hand from stock
  - deal 1 to back from stock
  - move top of stock to faced
  - move top of stock to faced
  - flip top of faced up
  - do round
phases:
  round:
    state: {secret: {is: 0..9 per player seen by nobody, text: Secret.}}
    do:
      - secret of one += 3 for bonus with hand of one
      - tally of one += 2 for treasure
      - ask one: [show, hide, whisper]
      - ask left of one: [stay]
    after: [tally of one += 1 for treasure]
moves:
  show: {choose: {card: hand}, do: [move card to row]}
  hide: {choose: {card: hand}, do: [move card to stock, bid of me = 4]}
  whisper:
    choose: {card: hand}
    do: [reveal card to left of me, reveal bid of me to everyone]
  stay: {do: [bid of one = 5]}
"""


def dealt() -> tuple[Machine, State]:
    m = machine(SECRETS)
    s = m.start(deal=[cards(m, "2C 3C 4C 2H 3H 4H 2S 3S 4S 5C 5H 5S")])
    return m, s


def seen(m: Machine, view: View, name: str, member: int = 0) -> str:
    """The cards of a zone in a view, `??` for a hidden one."""
    shown = view.zones[name][member].cards
    return " ".join("??" if card is None else m.setup.pack.format_card(card) for card in shown)


def test_zones_show_what_their_visibility_says() -> None:
    m, s = dealt()
    views = [m.view(s, seat) for seat in range(3)]
    assert [seen(m, views[0], "hand", p) for p in range(3)] == ["2C 2H", "?? ??", "?? ??"]
    assert [seen(m, views[1], "back", p) for p in range(3)] == ["2S", "??", "4S"]
    assert [seen(m, view, "stock") for view in views] == ["??"] * 3
    assert [seen(m, view, "faced") for view in views] == ["?? 5H"] * 3
    assert views[0].zones["faced"][0].up == (False, True)
    assert all(view.zones["box"][0].cards == () for view in views)


def test_state_shows_what_its_visibility_says_and_phase_state_only_while_it_lasts() -> None:
    m, s = dealt()
    view = m.view(s, 1)
    assert view.state["bid"] == (HIDDEN, 0, HIDDEN)
    assert view.state["tally"] == (HIDDEN,) * 3
    assert view.state["open_bid"] == (0,)
    assert view.state["secret"] == (HIDDEN,) * 3
    play(m, s, "show 2C", "stay")
    assert "secret" not in m.view(s, 1).state
    assert pickle.loads(pickle.dumps(HIDDEN)) is HIDDEN


def test_only_who_is_to_move_is_told_the_legal_moves() -> None:
    m, s = dealt()
    assert len(m.view(s, 0).legal) == 6
    assert m.view(s, 1).legal == ()
    assert m.view(s, 1).decision == m.decision(s)


def test_a_card_chosen_is_told_to_those_who_saw_it_at_some_moment() -> None:
    m, s = dealt()
    card = cards(m, "2C")[0]
    told = {
        move: [m.view(after, seat).events[0].values[0] for seat in range(3)]
        for move in ("show", "hide", "whisper")
        for after in [play(m, s.copy(), f"{move} 2C")]
    }
    assert told == {"show": [card] * 3, "hide": [card, None, None], "whisper": [card, card, None]}


def test_a_reveal_lasts_as_long_as_the_card_stays_and_the_value_is_not_assigned() -> None:
    m, s = dealt()
    play(m, s, "whisper 2C")
    assert [seen(m, m.view(s, seat), "hand", 0) for seat in range(3)] == ["2C 2H", "2C ??", "?? ??"]
    assert m.view(s, 2).state["bid"] == (0, HIDDEN, 0)
    play(m, s, "stay")
    assert m.view(s, 2).state["bid"] == (HIDDEN, HIDDEN, 0)


def test_receipts_are_told_with_their_counter_and_at_the_end_of_its_life() -> None:
    m, s = dealt()
    assert [m.view(s, seat).receipts for seat in range(3)] == [(), (), ()]
    play(m, s, "show 2C", "stay")
    # The phase is over, and with it the life of its counter; the match too.
    assert s.ending is not None
    told = [[(r.state, r.member, r.amount, r.reason) for r in m.view(s, seat).receipts] for seat in range(3)]
    assert told[1] == [
        ("secret", 0, 3, "bonus"),
        ("tally", 0, 2, "treasure"),
        ("tally", 0, 1, "treasure"),
    ]
    # The cards are those it counted, for who could see them then.
    assert [m.view(s, seat).receipts[0].cards for seat in range(2)] == [cards(m, "2C 2H"), (None, None)]


def test_a_counter_of_the_match_stays_secret_until_the_match_is_over() -> None:
    m = machine(SECRETS.replace("  - do round\n", "  - do round\n  - ask one: [stay]\n"))
    s = m.start(1)
    m.apply(s, m.legal(s)[0])
    m.apply(s, m.legal(s)[0])
    assert s.ending is None
    assert {receipt.state for receipt in m.view(s, 1).receipts} == {"secret"}
    m.apply(s, m.legal(s)[0])
    assert {receipt.state for receipt in m.view(s, 1).receipts} == {"secret", "tally"}
