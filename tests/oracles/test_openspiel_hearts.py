"""Hearts for four against OpenSpiel: legal cards, whose turn, and the points of a deal."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import combinations
from random import Random
from typing import Any

import pytest
from openspiel import Pack, Record, Table, at_random, machine, theirs

from rulekit.engine import Action, Machine

#: Options of ours, and OpenSpiel's parameters that mean the same.
AGREED: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "usual": ({"queen_breaks": False}, {"qs_breaks_hearts": False}),
    "their defaults": ({"queen_breaks": True}, {}),
    "free": (
        {"breaking": False, "first_trick_points": True, "opening": "any_club"},
        {"must_break_hearts": False, "no_pts_on_first_trick": False, "can_lead_any_club": True},
    ),
    "bonuses": (
        {"jack_bonus": 10, "clean_bonus": 5, "spare_queen": True, "queen_breaks": False},
        {
            "jd_bonus": True,
            "avoid_all_tricks_bonus": True,
            "can_lead_hearts_instead_of_qs": True,
            "qs_breaks_hearts": False,
        },
    ),
    "no passing": ({"passing": False, "queen_breaks": True}, {"pass_cards": False}),
}
#: How OpenSpiel numbers the directions of passing.
WAYS = {"hold": 0, "left_hand": 1, "over": 2, "right_hand": 3}
POINTS = 26
RANKS = "2 3 4 5 6 7 8 9 10 J Q K A"
TEXTS = [rank + suit for rank in RANKS.split() for suit in "CDHS"]
HIGH = "AH KH QH JH 10H 9H AS KS QS AC KC AD KD"


def play_deal(agreed: str, way: str, random: Random, moonlit: bool) -> tuple[int, bool]:
    """One deal in both programs. Returns the decisions made, and whether the moon was shot.

    ``moonlit``: one player holds high cards and tries to take everything, and the others let him.
    """
    options, parameters = AGREED[agreed]
    m = machine("hearts", 4, "round", **options)
    pack = Pack(m, TEXTS)
    order = random.sample(pack.all, 52)
    shooter = random.randrange(4)
    if moonlit:
        high = [TEXTS.index(text) for text in HIGH.split()]
        rest = iter([card for card in order if card not in high])
        order = [high[place // 4] if place % 4 == shooter else next(rest) for place in range(52)]
    other = theirs("hearts", **parameters).new_initial_state()
    # A known slip: without passing OpenSpiel still offers four directions, and deals rightly only after 0.
    other.apply_action(0 if not parameters.get("pass_cards", True) else WAYS[way])
    for card in order:
        other.apply_action(card)
    # P4 deals, so the first card is P1's.
    ours = m.blank(deal=[[pack.ours[card] for card in order]], draws=[3])
    family = m.layout.states["way"]
    ours.cells[family.first] = m.setup.program.words["direction"].index(way)
    m.run_phase(ours, "round")
    table = Table(m, ours, other)
    while not table.over and m.legal(ours)[0].move == "pass_cards":
        pass_cards(table, pack, random)
    pick = at_random(random)
    while not table.over:
        if moonlit:
            pick = shooting(m, table.actor == shooter)
        table.choose(partial(play, pack, "follow" if table.cards("trick") else "lead"), pick)
    scores = [table.state("score", seat) for seat in range(4)]
    assert other.is_terminal()
    assert [POINTS - points for points in other.returns()] == scores, str(other)
    return table.decisions, sorted(score for score in scores if score > 0)[:3] == [POINTS] * 3


def play(pack: Pack, move: str, card: int) -> Action:
    """A card of theirs as a move of ours."""
    return Action(move, (pack.ours[card],))


def pass_cards(table: Table, pack: Pack, random: Random) -> None:
    """Three cards in one move of ours, in three of theirs, in any order."""
    seat = table.actor
    legal = table.m.legal(table.ours)
    hand = [pack.ours[card] for card in table.other.legal_actions()]
    three = {tuple(sorted(cards)) for cards in combinations(hand, 3)}
    assert {action.values[0] for action in legal} == three
    chosen = legal[random.randrange(len(legal))]
    for number, card in enumerate(random.sample(chosen.values[0], 3)):
        left = {pack.theirs[c] for c in hand if c == card or c not in chosen.values[0]}
        assert table.other.current_player() == seat
        assert left <= set(table.other.legal_actions())
        assert len(table.other.legal_actions()) == len(hand) - number
        table.other.apply_action(pack.theirs[card])
    table.m.apply(table.ours, chosen)


def shooting(m: Machine, shooter: bool) -> Callable[[Sequence[Action]], Action]:
    """The highest card, or of others the lowest that is no point card."""

    def pick(legal: Sequence[Action]) -> Action:
        def rank(action: Action) -> int:
            return int(m.setup.pack.cards[action.values[0]].rank)

        return max(legal, key=rank) if shooter else min(legal, key=rank)

    return pick


@pytest.mark.parametrize("agreed", AGREED)
def test_deals_of_hearts_go_as_in_openspiel(agreed: str, record_property: Record) -> None:
    compare(agreed, 15, record_property)


@pytest.mark.long
@pytest.mark.parametrize("agreed", AGREED)
def test_many_deals_of_hearts_go_as_in_openspiel(agreed: str, record_property: Record) -> None:
    compare(agreed, 800, record_property)


def compare(agreed: str, deals: int, record: Record) -> None:
    """Plays so many deals; tells what was played."""
    random = Random(f"hearts {agreed}")
    ways = ["hold"] if agreed == "no passing" else list(WAYS)
    moons = decisions = 0
    for deal in range(deals):
        made, moon = play_deal(agreed, ways[deal % len(ways)], random, moonlit=deal % 3 == 2)
        moons += moon
        decisions += made
    assert decisions == 52 * deals
    assert moons > 0
    record("played", f"{deals} deals, {decisions} plays, {moons} moons")
