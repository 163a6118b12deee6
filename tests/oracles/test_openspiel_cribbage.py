"""Cribbage against OpenSpiel: whole matches, the same legal cards and points at every decision.

It counts a flush of four in the crib (our `crib_flush`), and asks for a pass where ours passes over who
cannot play. Where a match ends it counts the rest of the hands all the same, so that another may be ahead:
then its points must be those that ours would have given without an end.
"""

from __future__ import annotations

from random import Random

import pytest
from openspiel import Record, machine, theirs

from rulekit.engine import Action, Machine, State

RANKS = "A23456789TJQK"
SUITS = "CDHS"
ROUNDS = 60  #: deals prepared for a match; more are never needed


def number(text: str) -> int:
    """A card of ours for `9C`."""
    return SUITS.index(text[1]) * 13 + RANKS.index(text[0])


class Match:
    """One match in both."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.m: Machine = machine("cribbage", 2, crib_flush=True)
        deals = [random.sample(range(52), 52) for _ in range(ROUNDS)]
        self.ours: State = self.m.start(deal=deals, draws=[0])
        self.other = theirs("cribbage", winner_bonus_reward=0.0).new_initial_state()
        self.decisions = 0
        self.counted_on = self.overtaken = False
        self.deal()

    def zone(self, name: str, member: int = 0) -> tuple[int, ...]:
        return self.ours.zones[self.m.setup.zone_places[name][member][0]]

    def pegs(self, s: State) -> list[int]:
        first = self.m.layout.states["peg"].first
        return [s.cells[first], s.cells[first + 1]]

    def name(self, action: int) -> str:
        return str(self.other.action_to_string(self.other.current_player(), action))

    # ------------------------------------------------------------ playing

    def play(self) -> None:
        while self.ours.ending is None:
            self.decide()
        assert self.ours.ending.reason == "played out"
        assert self.other.is_terminal()

    def deal(self) -> None:
        """Deals what ours has dealt; makes passes that ours does not ask for."""
        while not self.other.is_terminal():
            if self.other.is_chance_node():
                cards = {self.name(action): action for action, _ in self.other.chance_outcomes()}
                self.other.apply_action(cards["Deal " + self.next_card()])
            elif [self.name(action) for action in self.other.legal_actions()] == ["Pass"]:
                self.other.apply_action(self.other.legal_actions()[0])
            else:
                return

    def next_card(self) -> str:
        text = str(self.other)
        hands = [line.split(":")[1].split() for line in text.splitlines() if line[:2] in ("P0", "P1")]
        for seat in (0, 1):
            if "Starter" not in text and len(self.zone("crib")) == 0 and len(hands[seat]) < 6:
                return self.written(self.zone("hand", seat)[len(hands[seat])])
        return self.written(self.zone("starter")[0])

    def written(self, card: int) -> str:
        return RANKS[card % 13] + SUITS[card // 13]

    def decide(self) -> None:
        decision = self.m.decision(self.ours)
        assert decision is not None
        assert decision.actor == self.other.current_player()
        assert self.pegs(self.ours) == [int(points) for points in self.other.returns()]
        legal = self.m.legal(self.ours)
        expected = {self.read(self.name(action)): action for action in self.other.legal_actions()}
        assert set(expected) == set(legal), (legal, expected)
        self.decisions += 1
        chosen = self.random.choice(legal)
        before = self.ours.copy()
        self.m.apply(self.ours, chosen)
        self.other.apply_action(expected[chosen])
        self.deal()
        if self.ours.ending is not None:
            self.compare_end(before, chosen)

    def read(self, text: str) -> Action:
        """`Choose 5S`, `Choose 5S KH` as an action of ours."""
        cards = sorted(number(word) for word in text.split()[1:])
        if len(cards) == 2:
            return Action("lay_away", (tuple(cards),))
        return Action("play", (cards[0],))

    def compare_end(self, before: State, last: Action) -> None:
        """Theirs has counted on: what ours would have given if the target were out of reach."""
        ours, other = self.pegs(self.ours), [int(points) for points in self.other.returns()]
        if ours == other:
            return
        was = self.pegs(before)
        self.m.lay(before, states={("peg", 0): 0, ("peg", 1): 0})
        self.m.apply(before, last)
        assert other == [a + b for a, b in zip(was, self.pegs(before), strict=True)]
        self.counted_on = True
        self.overtaken = (ours[0] > ours[1]) is not (other[0] > other[1])


def play(record: Record, matches: int, seed: int) -> None:
    random = Random(seed)
    decisions = counted_on = overtaken = 0
    for _ in range(matches):
        match = Match(random)
        match.play()
        decisions += match.decisions
        counted_on += match.counted_on
        overtaken += match.overtaken
    record("matches", matches)
    record("decisions", decisions)
    record("matches counted on beyond the end in theirs", counted_on)
    record("matches won by the other player there", overtaken)


def test_matches_of_cribbage_are_those_of_openspiel(record_property: Record) -> None:
    play(record_property, 20, 1)


@pytest.mark.long
def test_many_matches_of_cribbage_are_those_of_openspiel(record_property: Record) -> None:
    play(record_property, 1_000, 2)
