"""Gin Rummy against OpenSpiel: one hand, the same legal moves at every decision, the same points at the end.

To declare a knock and to throw a card away are two steps of theirs and one move of ours; then melds are laid
down one by one in both, but ours can also lay all down at once (`arrange`). The other player lays off, and in
theirs lays his own melds down, which ours does for him. Differences:

- In theirs the discard just taken may be thrown back (`taken` forbids it in ours).
- Theirs parts all eleven cards for least deadwood and then takes the dearest card left away. That may be more
  than parting the ten that stay, and of partings that leave the same it takes any one (with 4 and 6 left one
  may knock with 4, with 5 and 5 not): it misses some knocks, its error. They are counted and not made.
- At the last two stock cards theirs asks the next player once more, who may knock or pass; ours is over. He
  passes, and nobody scores.
- Theirs ends undecided when discards have been taken 50 times; so does the comparison.
- With equal deadwood nobody scores in theirs; in ours the knocker is undercut, by 0.
- A run of six or more cards is two melds in theirs, which knows none of more than five.
- Theirs lays off two cards at an end of a run and no third.
- A card that fits two melds theirs lays off without saying on which, where ours names the meld. Such a card
  is compared, and not laid off.
"""

from __future__ import annotations

from collections.abc import Iterable
from random import Random
from typing import Any

import pytest
from openspiel import Record, machine, theirs

from rulekit.engine import Action, Machine, State

SUITS = "scdh"
RANKS = "A23456789TJQK"
UPCARD, STOCK, PASS, KNOCK, MELDS = 52, 53, 54, 55, 56
LIMIT = 10
LONGEST = 5  #: cards in a meld of theirs


class Hand:
    """One hand of gin in both."""

    def __init__(self, random: Random, oklahoma: bool) -> None:
        self.random = random
        parameters: dict[str, Any] = {"oklahoma": True} if oklahoma else {}
        self.m: Machine = machine("gin-rummy", 2, "round", oklahoma=oklahoma)
        self.other = theirs("gin_rummy", **parameters).new_initial_state()
        self.number = {card: 13 * SUITS.index("cdhs"[card // 13]) + card % 13 for card in range(52)}
        self.card = {theirs_: card for card, theirs_ in self.number.items()}
        self.pack = random.sample(range(52), 52)
        self.ours: State = self.m.start(deal=[self.pack], draws=[1])
        for card in (*self.pack[:20:2], *self.pack[1:20:2], self.pack[20]):
            self.other.apply_action(self.number[card])
        self.decisions = self.unseen = self.upcards = 0
        self.melds = {
            action: tuple(sorted(self.read(self.other.action_to_string(0, action).split()[-1])))
            for action in range(MELDS, 241)
        }
        self.end = ""
        self.runs: list[list[int]] = []  # the knocker's runs as theirs lie: first card and last

    def read(self, text: str) -> list[int]:
        """Cards of ours in a text such as `9hThJh`."""
        pairs = [text[at : at + 2] for at in range(0, len(text), 2)]
        return ["cdhs".index(pair[1]) * 13 + RANKS.index(pair[0]) for pair in pairs]

    def zone(self, name: str, member: int = 0) -> tuple[int, ...]:
        return self.ours.zones[self.m.setup.zone_places[name][member][0]]

    def value(self, name: str, seat: int = 0) -> Any:
        return self.ours.cells[self.m.layout.states[name].first + seat]

    # ------------------------------------------------------------ a hand

    def play(self) -> None:
        while self.ours.ending is None and not self.end:
            self.decide()
        assert self.end or self.ours.ending is not None
        if self.ours.ending is not None:
            assert self.ours.ending.reason == "played out"
            self.finish()

    def decide(self) -> None:
        if self.other.is_terminal():
            assert self.upcards == 50, self.upcards
            assert self.other.returns() == [0, 0]
            self.end = "fifty discards taken"
            return
        decision = self.m.decision(self.ours)
        assert decision is not None
        assert decision.actor == self.other.current_player(), self.other
        self.decisions += 1
        match decision.moves:
            case ("draw",) | ("draw", "take_discard") | ("take_discard", "pass"):
                self.draw()
            case ("discard", "knock", "big_gin"):
                self.discard(decision.actor)
            case ("spread", "arrange"):
                self.spread(decision.actor)
            case ("lay_off", "pass"):
                self.lay_off(decision.actor)
            case _:
                raise AssertionError(decision.moves)

    def draw(self) -> None:
        names = {"take_discard": UPCARD, "draw": STOCK, "pass": PASS}
        legal = self.m.legal(self.ours)
        assert sorted(names[action.move] for action in legal) == sorted(self.other.legal_actions())
        action = self.random.choice(legal)
        self.upcards += action.move == "take_discard" and legal[-1].move != "pass"  # but for the first one
        top = self.zone("stock")[-1]
        self.make(action, names[action.move])
        if self.other.is_chance_node():
            self.other.apply_action(self.number[top])

    def make(self, action: Action, *steps: int) -> None:
        """An action of ours and the steps that are the same in theirs."""
        self.m.apply(self.ours, action)
        for step in steps:
            self.other.apply_action(step)

    def discard(self, seat: int) -> None:
        legal = self.m.legal(self.ours)
        taken = self.value("taken")
        away = {self.number[action.values[0]] for action in legal if action.move == "discard"}
        down = {self.number[action.values[0]] for action in legal if action.move == "knock"}
        their_away = set(self.other.legal_actions()) - {KNOCK}
        their_down = set(self.other.child(KNOCK).legal_actions()) if self.knocks() else set()
        back = set() if taken is None else {self.number[taken]}
        assert their_away == away | back
        knocks = [action for action in legal if action.move == "knock"]
        if down and not their_down:
            hand = self.zone("hand", seat)
            least = min(map(sum, self.left(hand)))
            assert any(
                sum(left) == least and least - max(left, default=0) > self.limit() for left in self.left(hand)
            )
            self.unseen += 1
            knocks = []
        else:
            assert their_down - down <= back, (their_down, down)
            assert down <= their_down
        # Who only threw cards away at random would hardly ever knock: mostly the best card to go is chosen.
        if knocks and self.random.random() < 0.6:
            action = self.random.choice(knocks)
            self.make(action, KNOCK, self.number[action.values[0]])
            return
        discards = [action for action in legal if action.move == "discard"]
        action = self.random.choice(discards)
        if self.random.random() < 0.8:
            action = min(discards, key=lambda one: self.deadwood(seat, one.values[0]))
        self.make(action, self.number[action.values[0]])

    def knocks(self) -> bool:
        return KNOCK in self.other.legal_actions()

    def spread(self, seat: int) -> None:
        legal = self.m.legal(self.ours)
        ours = {action.values[0] for action in legal if action.move == "spread"}
        their = set(self.other.legal_actions())
        assert {cards for cards in ours if len(cards) <= LONGEST} == {self.melds[x] for x in their - {PASS}}
        number = {cards: action for action, cards in self.melds.items()}
        rest = sum(min(card % 13 + 1, 10) for card in self.zone("hand", seat))
        assert (PASS in their) is (rest <= self.limit())
        action = self.random.choice(legal)
        before = self.laid()
        if action.move == "spread":
            self.make(action, *(number[cards] for cards in parted(action.values[0])))
        else:
            self.make(action)
            for laid in sorted(self.laid() - before):
                for cards in parted(laid):
                    self.other.apply_action(number[cards])
        if self.asked() != (seat, ("spread", "arrange")):
            self.other.apply_action(PASS)

    def laid(self) -> set[tuple[int, ...]]:
        return {tuple(sorted(self.ours.zones[place])) for place in self.m.setup.zone_places["melds"][0]} - {
            ()
        }

    def asked(self) -> tuple[int, tuple[str, ...]] | None:
        decision = self.m.decision(self.ours)
        return None if decision is None else (decision.actor, decision.moves)

    def limit(self) -> int:
        upcard = self.value("upcard") % 13 + 1
        if not self.oklahoma():
            return LIMIT
        return 0 if upcard == 1 else min(upcard, 10)

    def oklahoma(self) -> bool:
        return bool(self.m.setup.options["oklahoma"])

    def lay_off(self, seat: int) -> None:
        legal = self.m.legal(self.ours)
        if not self.runs:
            parts = [part for cards in self.laid() for part in parted(cards)]
            self.runs = [[part[0], part[-1]] for part in parts if part[0] // 13 == part[-1] // 13]
        offers: dict[int, list[Action]] = {}
        for action in legal:
            if action.move == "lay_off" and self.fits_theirs(action.values[1]):
                offers.setdefault(self.number[action.values[1]], []).append(action)
        assert {*offers, PASS} == set(self.other.legal_actions())
        single = [actions[0] for actions in offers.values() if len(actions) == 1]
        action = self.random.choice([*single, *single, Action("pass")])
        self.make(action, PASS if action.move == "pass" else self.number[action.values[1]])

    def fits_theirs(self, card: int) -> bool:
        """The card goes to a set, or is the first or second at an end of a run as the knocker laid it."""
        if any({other % 13 for other in cards} == {card % 13} for cards in self.laid()):
            return True
        near = [run for run in self.runs if run[0] // 13 == card // 13]
        return any(run[0] - 2 <= card <= run[1] + 2 for run in near)

    # ------------------------------------------------------------ the end

    def finish(self) -> None:
        """What is left to do in theirs: laying down the other player's melds; then the points."""
        if self.value("knocker") is None:
            assert "Phase: Wall" in str(self.other)
            assert PASS in self.other.legal_actions()
            self.other.apply_action(PASS)
            self.end = "nobody"
        else:
            defender = 1 - self.value("knocker")
            while not self.other.is_terminal():
                assert self.other.current_player() == defender
                self.lay_down(defender)
        assert self.other.is_terminal()
        score = [self.value("score", seat) for seat in (0, 1)]
        amounts = {receipt.reason: receipt.amount for receipt in receipts(self.ours)}
        if "undercut" in amounts and "difference" not in amounts:
            self.end = "undercut with equal deadwood"
            score = [0, 0]
        assert self.other.returns() == [score[0] - score[1], score[1] - score[0]]
        self.end = self.end or next((reason for reason in ("gin", "undercut") if reason in amounts), "knock")

    def lay_down(self, defender: int) -> None:
        """The defender's melds, as ours parts his hand; laying off comes to an end first."""
        melds = {self.melds[action]: action for action in self.other.legal_actions() if action >= MELDS}
        best = [part for cards in self.best(self.zone("hand", defender)) for part in parted(cards)]
        here = [melds[cards] for cards in best if cards in melds]
        self.other.apply_action(here[0] if here else PASS)

    def best(self, cards: Iterable[int]) -> tuple[tuple[int, ...], ...]:
        """The cards parted for least deadwood."""
        meld = self.m._scope.patterns.pattern("meld")
        return meld.partition(self.ours, tuple(sorted(cards)))

    def left(self, cards: tuple[int, ...]) -> list[list[int]]:
        """What the cards left over are worth, for every way to lay melds of theirs down."""
        fitting = [meld for meld in self.melds.values() if set(meld) <= set(cards)]
        ways = [[min(card % 13 + 1, 10) for card in cards]]
        for meld in fitting:
            rest = tuple(card for card in cards if card not in meld)
            ways += self.left(rest)
        return ways

    def deadwood(self, seat: int, without: int) -> int:
        hand = [card for card in self.zone("hand", seat) if card != without]
        melded = {card for cards in self.best(hand) for card in cards}
        return sum(min(card % 13 + 1, 10) for card in hand if card not in melded)


def parted(cards: tuple[int, ...]) -> list[tuple[int, ...]]:
    """A meld of ours as melds of theirs."""
    if len(cards) <= LONGEST:
        return [cards]
    return [cards[:3], *parted(cards[3:])]


def receipts(s: State) -> list[Any]:
    found = []
    chain = s.receipts
    while chain is not None:
        chain, receipt = chain
        found.append(receipt)
    return found[::-1]


def play(record: Record, hands: int, seed: int, oklahoma: bool) -> None:
    random = Random(seed)
    ends: dict[str, int] = {}
    decisions = unseen = 0
    for _ in range(hands):
        hand = Hand(random, oklahoma)
        hand.play()
        decisions += hand.decisions
        unseen += hand.unseen
        ends[hand.end] = ends.get(hand.end, 0) + 1
    record("hands", hands)
    record("decisions", decisions)
    record("knocks that theirs misses", unseen)
    for end, count in sorted(ends.items()):
        record(end, count)


@pytest.mark.parametrize("oklahoma", [False, True])
def test_hands_of_gin_are_those_of_openspiel(oklahoma: bool, record_property: Record) -> None:
    play(record_property, 60, 1, oklahoma)


@pytest.mark.long
@pytest.mark.parametrize("oklahoma", [False, True])
def test_many_hands_of_gin_are_those_of_openspiel(oklahoma: bool, record_property: Record) -> None:
    play(record_property, 2_000, 2, oklahoma)
