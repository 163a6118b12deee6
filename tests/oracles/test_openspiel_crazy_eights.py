"""Crazy Eights against OpenSpiel: legal plays, draws and passes, whose turn, and the hands at the end.

Where OpenSpiel goes its own way, the comparison says so and stays exact:

- It ends a blocked game one pass late: after one pass more than there are players. Ours ends when all have
  passed; then it must be waiting for that one pass, and be over after it.
- It offers no suit after an eight that goes out, where ours names one all the same.
- It shuffles the discards at the moment the stock runs out, ours when a card is needed. As many can be drawn
  in both; where the stocks differ, a card is drawn that lies in both.
- Its points are wrong: it adds up 2 and the number of the card (0 to 51) where the rank is meant, and counts
  an ace 10. So the hands are compared, through its formula, and our points with our own table.
"""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from openspiel import Record, machine, theirs

from rulekit.engine import Action, Machine, State

SPECIAL = {"twos": "add_up", "queen_skips": True, "ace_reverses": True}
#: Options of ours, and OpenSpiel's parameters that mean the same.
AGREED: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "their defaults": ({"draws": 5, "empty_stock": "passed"}, {"max_draw_cards": 5}),
    "one draw, shuffled": ({"draws": 1}, {"max_draw_cards": 1, "reshuffle": True}),
    "special cards": (
        {"draws": 3, "empty_stock": "passed", **SPECIAL},
        {"max_draw_cards": 3, "use_special_cards": True},
    ),
    "special cards, shuffled": (
        {"draws": 3, **SPECIAL},
        {"max_draw_cards": 3, "use_special_cards": True, "reshuffle": True},
    ),
}
RANKS = "2 3 4 5 6 7 8 9 10 J Q K A"
SUITS = "CDHS"
EIGHT = RANKS.split().index("8")
POINTS = {"8": 50, "K": 10, "Q": 10, "J": 10, "10": 10, "A": 1}


class Round:
    """One deal of both games, at the same decision."""

    def __init__(self, agreed: str, players: int, random: Random) -> None:
        options, parameters = AGREED[agreed]
        self.m: Machine = machine("crazy-eights", players, "round", **options)
        self.random = random
        self.players = players
        self.stock, self.discards = self.place("stock"), self.place("discards")
        self.hands = [self.place("hand", seat) for seat in range(players)]
        self.other = theirs(
            "crazy_eights", players=players, max_turns=10**6, **parameters
        ).new_initial_state()
        dealer = random.randrange(players)
        (named,) = [a for a in self.other.legal_actions() if f"Player {dealer} " in self.name(a)]
        self.other.apply_action(named)
        self.ours = self.m.start(deal=[self.deal()], draws=[dealer])
        self.names = {a: self.name(a) for a in range(52, 58)}
        self.decisions = 0

    def place(self, zone: str, member: int = 0) -> int:
        return self.m.setup.zone_places[zone][member][0]

    def name(self, action: int) -> str:
        return str(self.other.action_to_string(self.other.current_player(), action))

    def face(self, card: int) -> int:
        """A card of ours as theirs, which counts the suits of each rank."""
        face = self.m.setup.pack.cards[card]
        return int(face.rank * len(SUITS) + (face.suit or 0))

    def copies(self, face: int) -> list[int]:
        """The cards of ours that are this card of theirs."""
        return [card for card in range(len(self.m.setup.pack)) if self.face(card) == face]

    # ------------------------------------------------------------ chance

    def deal(self) -> list[int]:
        """Deals theirs, up to the starter; returns the cards as ours must be dealt."""
        dealt: list[int] = []
        while self.other.is_chance_node():
            face = self.random.choice([face for face, _ in self.other.chance_outcomes()])
            eight = face // len(SUITS) == EIGHT
            starter = len(dealt) >= self.players * (7 if self.players == 2 else 5)
            self.other.apply_action(face)
            if starter and eight:
                continue  # it puts the eight back; ours would shuffle, which the examples show
            dealt.append(next(card for card in self.copies(face) if card not in dealt))
        return dealt

    def draw(self) -> None:
        """Theirs draws, one card or those that are owed; ours is made to draw the same."""
        zones = self.ours.zones
        stock, below = list(zones[self.stock]), list(zones[self.discards][:-1])
        drawn: list[int] = []
        shuffled: list[int] = []
        while self.other.is_chance_node():
            pool, taken = (stock, drawn) if stock else (below, shuffled)
            faces = {face for face, _ in self.other.chance_outcomes()}
            card = self.random.choice([card for card in pool if self.face(card) in faces])
            self.other.apply_action(self.face(card))
            pool.remove(card)
            taken.append(card)
        zones[self.stock] = (*stock, *reversed(drawn))
        if shuffled:
            self.ours.deal = (tuple(shuffled),)

    # ------------------------------------------------------------ decisions

    def play(self) -> None:
        """One decision: the same seat and the same legal moves, of which one is made in both."""
        decision = self.m.decision(self.ours)
        assert decision is not None
        assert decision.actor == self.other.current_player(), self.other
        legal = self.m.legal(self.ours)
        actions = {self.read(action): action for action in self.other.legal_actions()}
        assert {self.plain(action) for action in legal} == set(actions), (legal, str(self.other))
        assert len({(self.plain(action), action.values[1:]) for action in legal}) == len(legal)
        eights = [action for action in legal if action.move == "play_wild"]
        assert len(eights) == 4 * len({self.plain(action) for action in eights})
        chosen = self.random.choice(legal)
        self.other.apply_action(actions[self.plain(chosen)])
        if chosen.move == "play_wild" and not self.other.is_terminal():
            suits = {self.names[action][-1]: action for action in self.other.legal_actions()}
            assert sorted(suits) == sorted(SUITS)
            self.other.apply_action(suits[SUITS[chosen.values[1]]])
        elif chosen.move in ("draw", "draw_owed"):
            self.draw()
        self.m.apply(self.ours, chosen)
        self.decisions += 1

    def plain(self, action: Action) -> tuple[str, int | None]:
        """A move of ours without the suit named."""
        return action.move, self.face(action.values[0]) if action.values else None

    def read(self, action: int) -> tuple[str, int | None]:
        """An action of theirs as a move of ours."""
        owed = self.ours.cells[self.m.layout.states["owed"].first] > 0
        if self.names.get(action) == "Draw":
            return ("draw_owed" if owed else "draw"), None
        if self.names.get(action) == "Pass":
            return "pass", None
        if owed:
            return "add_two", action
        return ("play_wild" if action // len(SUITS) == EIGHT else "play"), action

    # ------------------------------------------------------------ the end

    def end(self) -> str:
        """Compares how it ended; returns it in a word."""
        hands = [self.ours.zones[hand] for hand in self.hands]
        blocked = all(hands)
        if blocked and not self.other.is_terminal():
            (action,) = [a for a in self.other.legal_actions() if self.names.get(a) == "Pass"]
            self.other.apply_action(action)
        assert self.other.is_terminal(), self.other
        assert self.other.returns() == [-sum(map(self.their_points, hand)) for hand in hands]
        points = [sum(map(self.our_points, hand)) for hand in hands]
        winners = [seat for seat in range(self.players) if points[seat] == min(points)]
        expected = [0] * self.players
        for seat in winners:
            expected[seat] = sum(points[p] - points[seat] for p in range(self.players) if p not in winners)
        scores = self.m.layout.states["score"]
        assert [self.ours.cells[scores.first + seat] for seat in range(self.players)] == expected
        return "blocked" if blocked else "out"

    def our_points(self, card: int) -> int:
        rank = RANKS.split()[self.m.setup.pack.cards[card].rank]
        return POINTS.get(rank) or int(rank)

    def their_points(self, card: int) -> int:
        rank = self.m.setup.pack.cards[card].rank
        if rank == EIGHT:
            return 50
        return 10 if rank > RANKS.split().index("10") else self.face(card) + 2


def play_deal(agreed: str, players: int, random: Random) -> tuple[int, str]:
    """One deal in both programs. Returns the decisions made, and how it ended."""
    deal = Round(agreed, players, random)
    state: State = deal.ours
    while state.ending is None:
        deal.play()
    assert state.ending.reason == "played out"
    return deal.decisions, deal.end()


@pytest.mark.parametrize("agreed", AGREED)
def test_deals_of_crazy_eights_go_as_in_openspiel(agreed: str, record_property: Record) -> None:
    compare(agreed, 24, record_property)


@pytest.mark.long
@pytest.mark.parametrize("agreed", AGREED)
def test_many_deals_of_crazy_eights_go_as_in_openspiel(agreed: str, record_property: Record) -> None:
    compare(agreed, 600, record_property)


def compare(agreed: str, deals: int, record: Record) -> None:
    """Plays so many deals, at every table; tells what was played."""
    random = Random(f"crazy eights {agreed}")
    ends = {"out": 0, "blocked": 0}
    decisions = 0
    for deal in range(deals):
        made, end = play_deal(agreed, 2 + deal % 6, random)
        ends[end] += 1
        decisions += made
    assert ends["out"] > 0
    record("played", f"{deals} deals, {decisions} decisions; {ends}")
