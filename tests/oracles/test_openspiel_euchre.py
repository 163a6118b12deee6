"""Euchre against OpenSpiel: bidding, going alone, legal cards, and the points of a deal."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from openspiel import Pack, Record, Table, at_random, machine, theirs

from rulekit.engine import Action

#: Options of ours, and OpenSpiel's parameters that mean the same.
AGREED: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "usual": ({}, {"stick_the_dealer": False}),
    "stick the dealer": ({"stick_the_dealer": True}, {}),
    "lone defenders": ({"defending": "always"}, {"stick_the_dealer": False, "allow_lone_defender": True}),
}
TEXTS = [rank + suit for rank in ("9", "10", "J", "Q", "K", "A") for suit in "CDHS"]
SUITS = {"Clubs": 0, "Diamonds": 1, "Hearts": 2, "Spades": 3}
DEALT = 21  #: cards that are dealt, the one turned up among them; the others play no part


def play_deal(agreed: str, random: Random, timid: bool) -> tuple[int, str]:
    """One deal in both programs. Returns the decisions made, and how the deal was scored.

    ``timid``: all pass as long as they may.
    """
    options, parameters = AGREED[agreed]
    m = machine("euchre", 4, "round", **options)
    pack = Pack(m, TEXTS)
    dealer = random.randrange(4)
    order = random.sample(pack.all, DEALT)
    other = theirs("euchre", **parameters).new_initial_state()
    other.apply_action(dealer)
    for card in order:
        other.apply_action(card)
    # Theirs gives the dealer the first card of each round, ours the last.
    rounds = [order[first : first + 4] for first in range(0, DEALT - 1, 4)]
    dealt = [card for first, *rest in rounds for card in (*rest, first)] + order[-1:]
    ours = m.start(deal=[[pack.ours[card] for card in dealt]], draws=[dealer])
    table = Table(m, ours, other)
    names = {action: other.action_to_string(action) for action in range(len(TEXTS), 31)}
    pick = at_random(random)

    def read(action: int) -> Action:
        """An action of theirs as a move of ours."""
        decision = m.decision(table.ours)
        assert decision is not None
        name = names.get(action, "")
        if name in SUITS:
            if "order_up" in decision.moves:
                (turned,) = table.cards("faceup")
                assert m.setup.pack.cards[turned].suit == SUITS[name]
                return Action("order_up")
            return Action("name_trump", (SUITS[name],))
        if name == "Pass":
            return Action("pass")
        if name == "Alone":
            return Action("go_alone" if "go_alone" in decision.moves else "defend_alone")
        if name == "Partner":
            return Action("with_partner" if "with_partner" in decision.moves else "pass")
        (move,) = decision.moves
        return Action(move, (pack.ours[action],))

    while not table.over:
        hopeful = timid and Action("pass") in m.legal(table.ours)
        table.choose(read, (lambda legal: Action("pass")) if hopeful else pick)
    assert other.is_terminal()
    scores = [table.state("score", team) for team in range(2)]
    won = [scores[m.setup.team_of(seat)] - scores[1 - m.setup.team_of(seat)] for seat in range(4)]
    assert other.returns() == won, str(other)
    reasons = [receipt.reason for receipt in table.ours.receipt_list()]
    return table.decisions, f"{reasons[0]} {max(scores)}" if reasons else "thrown in"


@pytest.mark.parametrize("agreed", AGREED)
def test_deals_of_euchre_go_as_in_openspiel(agreed: str, record_property: Record) -> None:
    compare(agreed, 200, record_property)


@pytest.mark.long
@pytest.mark.parametrize("agreed", AGREED)
def test_many_deals_of_euchre_go_as_in_openspiel(agreed: str, record_property: Record) -> None:
    compare(agreed, 1_500, record_property)


def compare(agreed: str, deals: int, record: Record) -> None:
    """Plays so many deals; tells what was played."""
    random = Random(f"euchre {agreed}")
    ends: dict[str, int] = {}
    decisions = 0
    for deal in range(deals):
        made, end = play_deal(agreed, random, timid=deal % 4 == 3)
        ends[end] = ends.get(end, 0) + 1
        decisions += made
    expected = {"made_it 1", "march 2", "euchred 2"}
    if deals > 1_000:
        expected |= {"march 4"}
    if agreed == "usual":
        expected |= {"thrown in"}
    if agreed == "lone defenders":
        expected |= {"euchred 4"}
    assert expected <= set(ends)
    record("played", f"{deals} deals, {decisions} decisions; {ends}")
