"""Bridge against OpenSpiel: legal calls and cards, whose turn, dummy, and the duplicate score of a deal."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from random import Random

import pytest
from openspiel import Pack, Record, Table, at_random, machine, theirs

from rulekit.engine import Action

RANKS = "2 3 4 5 6 7 8 9 10 J Q K A"
TEXTS = [rank + suit for rank in RANKS.split() for suit in "CDHS"]
#: A board on which the side of its dealer, and the other side, are vulnerable or not.
BOARDS = {(False, False): 1, (False, True): 3, (True, False): 5, (True, True): 7}
CALLS = 52  #: their numbers: cards below, from here pass, double, redouble, then the bids from 1 clubs
STRAINS = 5


def play_deal(dealer_vulnerable: bool, others_vulnerable: bool, random: Random) -> tuple[int, bool]:
    """One deal in both programs. Returns the decisions made, and whether it was played."""
    m = machine("bridge", 4, "round", scoring="duplicate")
    pack = Pack(m, TEXTS)
    order = random.sample(pack.all, 52)
    parameters = {"dealer_vul": dealer_vulnerable, "non_dealer_vul": others_vulnerable}
    other = theirs("bridge", use_double_dummy_result=False, **parameters).new_initial_state()
    for card in order:
        other.apply_action(card)
    # P1 deals; the first card of theirs is his, of ours it is his left neighbour's.
    stock = [order[4 * (place // 4) + (place + 1) % 4] for place in range(52)]
    ours = m.blank(deal=[[pack.ours[card] for card in stock]], draws=[0])
    ours.cells[m.layout.states["deal_number"].first] = BOARDS[dealer_vulnerable, others_vulnerable]
    m.run_phase(ours, "round")
    table = Table(m, ours, other)
    while not table.over and m.decision(ours).moves == ("bid", "double", "redouble", "pass"):  # type: ignore[union-attr]
        table.choose(call, calling(random))
    played = not table.over
    while not table.over:
        table.choose(partial(card_of, pack, m.legal(ours)[0].move), at_random(random))
    score = [table.state("score", side) for side in range(2)]
    assert other.is_terminal()
    assert list(other.returns()) == [score[0] - score[1], score[1] - score[0]] * 2, str(other)
    return table.decisions, played


def call(number: int) -> Action:
    """A call of theirs as a move of ours."""
    if number < CALLS + 3:
        return Action(("pass", "double", "redouble")[number - CALLS])
    level, strain = divmod(number - CALLS - 3, STRAINS)
    return Action("bid", (level + 1, strain))


def card_of(pack: Pack, move: str, number: int) -> Action:
    """A card of theirs as a move of ours."""
    return Action(move, (pack.ours[number],))


def calling(random: Random) -> Callable[[Sequence[Action]], Action]:
    """Passes half the time, and seldom bids high, so that all contracts come up."""

    def pick(legal: Sequence[Action]) -> Action:
        others = [action for action in legal if action.move != "pass"]
        if not others or random.random() < 0.5:
            return Action("pass")
        doubles = [action for action in others if action.move != "bid"]
        if doubles and random.random() < 0.6:
            return random.choice(doubles)
        return others[min(random.randrange(len(others)), random.randrange(len(others)))]

    return pick


@pytest.mark.parametrize("vulnerable", BOARDS)
def test_deals_of_bridge_go_as_in_openspiel(vulnerable: tuple[bool, bool], record_property: Record) -> None:
    compare(vulnerable, 15, record_property)


@pytest.mark.long
@pytest.mark.parametrize("vulnerable", BOARDS)
def test_many_deals_of_bridge_go_as_in_openspiel(
    vulnerable: tuple[bool, bool], record_property: Record
) -> None:
    compare(vulnerable, 1000, record_property)


def compare(vulnerable: tuple[bool, bool], deals: int, record: Record) -> None:
    """Plays so many deals; tells what was played."""
    random = Random(f"bridge {vulnerable}")
    played = decisions = 0
    for _ in range(deals):
        made, whole = play_deal(*vulnerable, random)
        played += whole
        decisions += made
    assert played > deals // 2
    record("played", f"{deals} deals, {played} of them not passed out, {decisions} decisions")
