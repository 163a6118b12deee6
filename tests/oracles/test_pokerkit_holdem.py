"""Texas Hold'em against PokerKit: at every decision the same moves and amounts, at the end the same chips.

Two to six players with unequal stacks, antes or none, the same cards in both; folds, calls, raises of all
sizes and all-ins at random, so that side pots, short all-ins and odd chips are common. Differences:

- PokerKit has no fold where nothing is owed (in its tournament mode). Ours has: it is compared and not made.
- Of a pot that cannot be shared equally PokerKit gives all odd chips to the first winner left of the button,
  and it puts pots together that differ only in players who win nothing. Ours gives one odd chip to each in
  turn and shares each pot by itself (Robert's Rules of Poker: "no player may receive more than one odd chip",
  "side pots and the main pot will be split as separate pots"). So both are compared with what a third
  reckoning makes of the payments, each way.
- To PokerKit the first raise of a street is a full one even if it is an all-in of less than the big blind,
  so that who has called may raise again. By Robert's Rules (and ours) he may not, until short raises add up
  to a full one. It is compared and not made.
- PokerKit asks who can do nothing but check since all others are all in; ours asks nobody then.
- PokerKit lets others call a big blind that was all that its player had left with just that; ours asks for
  the whole big blind. So who posts it has enough here. It also finds who speaks first by the larger
  blind, so the blinds differ.
"""

from __future__ import annotations

import warnings
from random import Random
from typing import Any

import pytest
from openspiel import Record, machine
from pokerkit import Automation, Mode, NoLimitTexasHoldem, StandardHighHand

from rulekit.engine import Action, Machine, State

RANKS = "23456789TJQKA"
SUITS = "cdhs"
AUTOMATIC = (
    Automation.ANTE_POSTING,
    Automation.BET_COLLECTION,
    Automation.BLIND_OR_STRADDLE_POSTING,
    Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
    Automation.HAND_KILLING,
    Automation.CHIPS_PUSHING,
    Automation.CHIPS_PULLING,
)


class Hand:
    """One hand of poker in both."""

    def __init__(self, random: Random, players: int) -> None:
        self.random, self.players = random, players
        self.small, self.big = random.choice([(1, 2), (5, 10), (0, 3), (3, 4)])
        ante = random.choice([0, 0, 1, 3])
        self.button = random.randrange(players)
        self.seats = [(self.button + 1 + i) % players for i in range(players)]  # their order
        deep = random.choice([3, 10, 40])
        stacks = [random.randint(ante + 1, deep * self.big + ante) for _ in range(players)]
        blind = self.seats[0 if players == 2 else 1]
        stacks[blind] = max(stacks[blind], ante + self.big)
        self.pack = random.sample(range(52), 52)
        if random.random() < 0.3:  # a board that is everybody's best hand, so that pots are shared
            for at, rank in zip((1, 2, 3, 5, 7), "TJQKA", strict=True):
                card = RANKS.index(rank) + 13 * (at % 4)
                place, here = 2 * players + at, self.pack.index(card)
                self.pack[place], self.pack[here] = self.pack[here], self.pack[place]
        self.m: Machine = machine(
            "texas-holdem", players, "round", small_blind=self.small, big_blind=self.big, ante=ante
        )
        self.ours = self.m.blank(deal=[self.pack])
        states: dict[tuple[str, int | None], Any] = {("stack", seat): n for seat, n in enumerate(stacks)}
        self.m.lay(self.ours, states={**states, ("button", None): self.button})
        self.m.run_phase(self.ours, "round")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            self.other = NoLimitTexasHoldem.create_state(
                AUTOMATIC, True, ante, (self.small, self.big), self.big, [stacks[s] for s in self.seats],
                players, mode=Mode.TOURNAMENT,
            )  # fmt: skip
        self.start = list(stacks)
        self.decisions = self.small_raises = self.odd = 0
        self.differ = False

    def written(self, cards: list[int]) -> str:
        return "".join(RANKS[card % 13] + SUITS[card // 13] for card in cards)

    def deal_theirs(self) -> None:
        """Deals to them what our deal says, wherever they wait for cards."""
        other, n = self.other, self.players
        while True:
            if other.can_deal_hole():
                dealt = sum(len(cards) for cards in other.hole_cards)
                other.deal_hole(self.written([self.pack[dealt]]))
            elif other.can_burn_card():
                other.burn_card("??")
            elif other.can_deal_board():
                dealt = sum(len(cards) for cards in other.board_cards)
                street = {0: [1, 2, 3], 3: [5], 4: [7]}[dealt]
                other.deal_board(self.written([self.pack[2 * n + at] for at in street]))
            else:
                return

    def value(self, name: str, seat: int | None = None) -> Any:
        return self.ours.cells[self.m.layout.states[name].first + (seat or 0)]

    def play(self) -> None:
        self.deal_theirs()
        while self.ours.ending is None:
            self.decide()
            self.pass_over()
        assert self.ours.ending.reason == "played out", self.ours.ending
        assert not self.other.status
        self.compare_chips()

    def pass_over(self) -> None:
        """Deals, and makes the checks of theirs that nobody is asked for in ours."""
        self.deal_theirs()
        while (player := self.other.actor_index) is not None:
            decision = self.m.decision(self.ours)
            if decision is not None and decision.actor == self.seats[player]:
                return
            assert not self.other.can_fold()
            assert not self.other.can_complete_bet_or_raise_to()
            assert all(
                self.other.stacks[other] == 0 or not self.other.statuses[other]
                for other in range(self.players)
                if other != player
            )
            self.other.check_or_call()
            self.deal_theirs()

    def decide(self) -> None:
        decision = self.m.decision(self.ours)
        assert decision is not None
        seat = decision.actor
        assert self.other.actor_index is not None
        assert self.seats[self.other.actor_index] == seat
        before = self.value("paid", seat) - self.other.bets[self.other.actor_index]  # paid in earlier streets
        owes = self.value("price") > self.value("paid", seat)
        legal = self.m.legal(self.ours)
        # What they allow, in our words.
        low, high = (
            self.other.min_completion_betting_or_raising_to_amount,
            self.other.max_completion_betting_or_raising_to_amount,
        )
        most = self.value("paid", seat) + self.value("stack", seat)
        expected = {Action("fold")} | {Action("call" if owes else "check")}
        assert self.other.can_fold() is owes
        assert self.other.can_check_or_call()
        if self.other.can_complete_bet_or_raise_to() and not self.opened_by_less(legal):
            assert low is not None
            assert high is not None
            assert high + before == most
            least = self.value("price") + self.value("step")
            if low + before < least:  # all he has is less than a full raise
                assert low == high
                expected.add(Action("all_in"))
            else:
                expected |= {Action("raise", (total + before,)) for total in range(low, high + 1)}
        assert set(legal) == expected, (legal, expected, self.other)
        self.decisions += 1
        self.choose(legal, owes, before, most)

    def opened_by_less(self, legal: list[Action]) -> bool:
        """Raising is open to him in theirs because of a raise that was too small to open it."""
        if any(action.move in ("raise", "all_in") for action in legal):
            return False
        if self.other.completion_betting_or_raising_amount >= self.value("step"):
            return False
        refusal = self.m.refusal(self.ours, "raise")
        assert refusal is not None
        assert refusal.label == "raising is open to you"
        self.small_raises += 1
        return True

    def choose(self, legal: list[Action], owes: bool, before: int, most: int) -> None:
        """One of the legal actions in both."""
        raises = [a for a in legal if a.move == "raise"]
        choices = ["stay", "stay"]
        if owes:
            choices.append("fold")
        if any(a.move == "all_in" for a in legal):
            choices += ["all_in", "all_in"]
        if raises:
            choices += ["least", "some", "most"]
        match self.random.choice(choices):
            case "stay":
                action = Action("call" if owes else "check")
            case "fold":
                action = Action("fold")
            case "all_in":
                action = Action("all_in")
            case "least":
                action = raises[0]
            case "some":
                action = self.random.choice(raises)
            case _:
                action = raises[-1]
        self.m.apply(self.ours, action)
        match action.move:
            case "fold":
                self.other.fold()
            case "call" | "check":
                self.other.check_or_call()
            case "all_in":
                self.other.complete_bet_or_raise_to(most - before)
            case _:
                self.other.complete_bet_or_raise_to(action.values[0] - before)

    def compare_chips(self) -> None:
        """The chips of both are what the payments and hands make them, each by its way with odd chips."""
        ours = [self.value("stack", seat) for seat in range(self.players)]
        theirs = [int(self.other.stacks[self.seats.index(seat)]) for seat in range(self.players)]
        assert sum(ours) == sum(theirs) == sum(self.start), "chips are neither made nor lost"
        won = [0] * self.players
        for receipt in receipts(self.ours):
            if receipt.reason in ("pot", "odd_chip"):
                won[receipt.member] += receipt.amount
        paid = [self.start[seat] - ours[seat] + won[seat] for seat in range(self.players)]
        kept = [self.start[seat] - paid[seat] for seat in range(self.players)]
        one, several = self.shares(paid, True), self.shares(paid, False)
        assert theirs == [kept[seat] + one[seat] for seat in range(self.players)]
        assert ours == [kept[seat] + several[seat] for seat in range(self.players)]
        self.odd = sum(r.reason == "odd_chip" for r in receipts(self.ours))
        self.differ = one != several

    def shares(self, paid: list[int], merged: bool) -> list[int]:
        """What each wins. ``merged``: PokerKit's way, else each pot by itself and odd chips one each."""
        live = [seat for seat in self.seats if seat in self.value("live")]
        board = self.written(list(self.cards("board")))
        strength = {
            seat: StandardHighHand.from_game(self.written(list(self.cards("hole", seat))), board)
            for seat in live
            if len(live) > 1
        }
        pots: list[tuple[int, list[int], list[int]]] = []
        below = 0
        for level in sorted({paid[seat] for seat in live if paid[seat]}):
            amount = sum(min(chips, level) - min(chips, below) for chips in paid)
            there = [seat for seat in live if paid[seat] >= level]
            best = max((strength[seat] for seat in there), default=None) if strength else None
            pots.append((amount, there, [seat for seat in there if not strength or strength[seat] == best]))
            below = level
        if merged:
            winners = {seat for _, _, some in pots for seat in some}
            together: dict[frozenset[int], int] = {}
            for amount, there, _ in pots:
                who = frozenset(winners.intersection(there))
                together[who] = together.get(who, 0) + amount
            first = {frozenset(winners.intersection(there)): some for _, there, some in pots[::-1]}
            pots = [(amount, [], first[who]) for who, amount in together.items()]
        shares = [0] * self.players
        for amount, _, some in pots:
            for at, seat in enumerate(some):
                odd = amount % len(some)
                shares[seat] += amount // len(some) + ((odd if at == 0 else 0) if merged else at < odd)
        return shares

    def cards(self, zone: str, member: int = 0) -> tuple[int, ...]:
        return self.ours.zones[self.m.setup.zone_places[zone][member][0]]


def receipts(s: State) -> list[Any]:
    """The receipts of a game, the earliest first."""
    found = []
    chain = s.receipts
    while chain is not None:
        chain, receipt = chain
        found.append(receipt)
    return found[::-1]


def play(record: Record, hands: int, seed: int) -> None:
    random = Random(seed)
    decisions = side_pots = odd = differ = small = 0
    for number in range(hands):
        hand = Hand(random, 2 + number % 5)
        hand.play()
        decisions += hand.decisions
        side_pots += sum(r.reason == "pot" for r in receipts(hand.ours)) > 1
        small += hand.small_raises
        odd += hand.odd
        differ += hand.differ
    record("hands", hands)
    record("decisions", decisions)
    record("hands with more than one share", side_pots)
    record("odd chips", odd)
    record("decisions at which PokerKit lets a short all-in open the betting", small)
    record("hands whose odd chips PokerKit shares otherwise", differ)


def test_hands_of_holdem_are_those_of_pokerkit(record_property: Record) -> None:
    play(record_property, 300, 1)


@pytest.mark.long
def test_many_hands_of_holdem_are_those_of_pokerkit(record_property: Record) -> None:
    play(record_property, 10_000, 2)
