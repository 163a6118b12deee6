"""Durak for two against durakgame: the same legal moves at every decision, the same hands and result.

Its cards are dealt as ours are; it lets its first player begin, who here is the one to begin in ours (the
holder of the lowest trump). Otherwise it differs in four things:

- What is thrown in to a defender who has given up it adds to his hand and leaves in the thrower's as well, so
  that there are two of each: its error. The test takes these cards away from the thrower.
- It throws in all at once the cards that go to a defender who has given up; ours one after another. So a set
  of theirs must be made of cards that ours offers, and each is offered.
- Before any cards have been beaten off it allows five attacking cards while the defender beats, as
  `first_limit: 5` does, but six once he has given up, where ours keeps to five: its larger sets are left out.
- It asks the attacker to end a bout in which nothing more can be thrown in; ours asks nobody then.
"""

from __future__ import annotations

from itertools import combinations
from random import Random
from typing import Any

import pytest
from openspiel import Record, machine

from rulekit.engine import Action, Machine, State

durakgame = pytest.importorskip("durakgame")

SUITS = [durakgame.game.Suit[name] for name in ("Cross", "Diamond", "Heart", "Spade")]
VALUES = list(durakgame.game.CardValue)


class Bout:
    """One game in both, at the same decision."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.m: Machine = machine("durak", 2, first_limit=5)
        self.s: State = self.m.start(seed)
        self.cards = {self.theirs(card): card for card in range(36)}
        decision = self.m.decision(self.s)
        assert decision is not None
        self.first = decision.actor  # their first player
        hands = [self.zone("hand", self.first), self.zone("hand", 1 - self.first)]
        stock = self.zone("stock")[::-1]
        deck = [self.theirs(card) for pair in zip(*hands, strict=True) for card in pair]
        deck += [self.theirs(stock[-1]), *(self.theirs(card) for card in stock[:-1])]
        players = durakgame.Player(), durakgame.Player()
        self.other = durakgame.game.Game(deck, *players)
        self.decisions = 0
        self.larger = 0

    def theirs(self, card: int) -> Any:
        return durakgame.game.Card(VALUES[card % 9], SUITS[card // 9])

    def zone(self, name: str, member: int = 0) -> tuple[int, ...]:
        return self.s.zones[self.m.setup.zone_places[name][member][0]]

    def play(self) -> None:
        while self.s.ending is None:
            self.end_idle_bout()
            if not self.other.isFinished:
                self.decide()
        assert self.s.ending.reason == "played out"
        self.end_idle_bout()
        assert self.other.isFinished
        self.compare_hands()
        out = [not self.zone("hand", seat) for seat in (self.first, 1 - self.first)]
        assert self.other.result.name == {(True, True): "Draw", (True, False): "Win", (False, True): "Loss"}[
            out[0], out[1]
        ]  # fmt: skip

    def end_idle_bout(self) -> None:
        """Their attacker ends a bout to which nothing can be added, if ours has asked nobody."""
        attacking = self.other.turn == self.other.move and not self.other.table.isEmpty
        if not attacking or self.asked_to_throw_in():
            return
        (only,) = [move for move in self.other.generateOptions() if not getattr(move, "cards", None)]
        self.other.process(only)
        self.compare_hands()

    def asked_to_throw_in(self) -> bool:
        decision = self.m.decision(self.s)
        return decision is not None and "throw_in" in decision.moves

    def compare_hands(self) -> None:
        for seat, player in ((self.first, self.other.player1), (1 - self.first, self.other.player2)):
            assert sorted(self.cards[card] for card in player.hand) == list(self.zone("hand", seat))
        assert len(self.other.deck) == len(self.zone("stock"))

    def decide(self) -> None:
        decision = self.m.decision(self.s)
        assert decision is not None
        their_seat = self.first if self.other.move.name == "First" else 1 - self.first
        assert decision.actor == their_seat
        legal = self.m.legal(self.s)
        options = self.other.generateOptions()
        self.decisions += 1
        if self.other.table.isForfeited:
            self.finish(options)
            return
        expected = {self.read(option): option for option in options}
        assert set(expected) == set(legal), (expected, legal)
        chosen = self.random.choice(legal)
        self.other.process(expected[chosen])
        self.m.apply(self.s, chosen)
        if chosen.move == "pass":
            self.compare_hands()

    def read(self, move: Any) -> Action:
        """Their move as an action of ours."""
        match type(move).__name__:
            case "OpeningMove":
                return Action("attack", (self.cards[move.card],))
            case "AttackingMove":
                return Action("throw_in", (self.cards[move.card],))
            case "DefensiveMove":
                piles = self.m.setup.zone_places["pairs"][0]
                (pile,) = [place for place in piles if len(self.s.zones[place]) == 1]
                return Action("beat", (pile, self.cards[move.card]))
            case "ForfeitingMove":
                return Action("give_up")
            case "EndingMove":
                return Action("pass")
        raise AssertionError(move)

    def finish(self, options: list[Any]) -> None:
        """What is thrown in to a defender who has given up: all at once in theirs."""
        lying = len(self.other.table.attack)
        sets = [tuple(sorted(self.cards[card] for card in option.cards)) for option in options]
        if not self.other.discardPile:
            self.larger += sum(lying + len(some) > 5 for some in sets)
            kept = [at for at, some in enumerate(sets) if lying + len(some) <= 5]
            sets, options = [sets[at] for at in kept], [options[at] for at in kept]
        # Ours offers every card that is in one of the sets, and the sets are all that these can make.
        offered = sorted(a.values[0] for a in self.m.legal(self.s) if a.move == "throw_in")
        assert offered == sorted({card for some in sets for card in some})
        most = max(len(some) for some in sets)
        assert sorted(sets) == sorted(x for n in range(most + 1) for x in combinations(offered, n))
        at = self.random.randrange(len(sets))
        for thrown in options[at].cards:
            self.other.currentPlayer.hand.remove(thrown)
        self.other.process(options[at])
        for card in self.random.sample(sets[at], len(sets[at])):
            self.m.apply(self.s, Action("throw_in", (card,)))
        if len(sets[at]) < most or self.asked_to_throw_in():
            self.m.apply(self.s, Action("pass"))
        self.compare_hands()


def play(record: Record, games: int, seed: int) -> None:
    decisions = draws = larger = 0
    for number in range(games):
        game = Bout(seed * 1_000_000 + number)
        game.play()
        decisions += game.decisions
        draws += game.other.result.name == "Draw"
        larger += game.larger
    record("games", games)
    record("decisions", decisions)
    record("draws", draws)
    record("sets beyond five cards before the first beaten bout", larger)


def test_games_of_durak_are_those_of_durakgame(record_property: Record) -> None:
    play(record_property, 100, 1)


@pytest.mark.long
def test_many_games_of_durak_are_those_of_durakgame(record_property: Record) -> None:
    play(record_property, 5_000, 2)
