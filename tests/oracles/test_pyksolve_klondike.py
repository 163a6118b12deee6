"""Klondike against pyksolve, which solves deals: its solutions are played here, move by move.

Every move of a solution must be legal in ours, and at the end the game must be solved. Its solver may take
cards back from the foundations and turns the stock over as often as it likes, as ours does by default.
"""

from __future__ import annotations

import re
from random import Random
from typing import Any

import pytest
from openspiel import Record, machine

from rulekit.engine import Action, Machine, State

solver = pytest.importorskip("pyksolve.solver")

RANKS = "A23456789TJQK"
SUITS = "CDHS"
MOVE = re.compile(r"DR(\d+)|(NEW)|F(\d)|([W1-7CDSH])([1-7CDSH])(?:-(\d+))?")


class Deal:
    """A deal that is solved by theirs and played in ours."""

    def __init__(self, seed: int, draw: int) -> None:
        self.draw = draw
        self.other: Any = solver.Solitaire()
        self.other.draw_count = draw
        self.other.shuffle1(seed)
        self.other.reset_game()

    def solve(self, states: int) -> list[str]:
        """The moves of a solution; none if there is none, or none was found in so many states."""
        layout = self.other.get_pysol()
        found = self.other.solve_fast(max_closed_count=states)
        if abs(found.value) != 1:
            return []
        self.layout = layout
        return str(self.other.moves_made()).split()

    def cards(self) -> list[int]:
        """The cards in the order in which they leave our stock."""
        rows = self.layout.splitlines()
        columns = [re.findall(r"[A2-9TJQK][CDHS]", row) for row in rows[1:8]]
        talon = re.findall(r"[A2-9TJQK][CDHS]", rows[0].partition(":")[2])
        assert [len(column) for column in columns] == [1, 2, 3, 4, 5, 6, 7]
        texts = [text for column in columns for text in column] + talon
        return [RANKS.index(text[0]) + 13 * SUITS.index(text[1]) for text in texts]


class Play:
    """A game of ours that follows their moves."""

    def __init__(self, deal: Deal) -> None:
        self.m: Machine = machine("klondike", 1, draw=deal.draw)
        self.s: State = self.m.start(deal=[deal.cards()])
        self.made = 0

    def place(self, name: str) -> int:
        """The number of a pile that they call W, 1 to 7, C, D, H or S."""
        places = self.m.setup.zone_places
        if name == "W":
            return places["waste"][0][0]
        if name in SUITS:
            return places["foundation"][SUITS.index(name)][0]
        ((*columns,),) = places["column"]
        return int(columns[int(name) - 1])

    def make(self, action: Action) -> None:
        assert action in self.m.legal(self.s), (action, self.m.legal(self.s))
        self.m.apply(self.s, action)
        self.made += 1

    def follow(self, move: str) -> None:
        match = MOVE.fullmatch(move)
        assert match is not None, move
        times, new, turned, source, target, count = match.groups()
        if times is not None:
            for _ in range(int(times)):
                self.make(Action("draw_cards"))
        elif new is not None:
            self.make(Action("turn_over"))
        elif turned is not None:
            top = self.s.zones[self.place(turned)][-1]
            assert self.s.up[top], "a card is turned up as soon as it lies free"
        else:
            cards = self.s.zones[self.place(source)]
            self.make(Action("carry", (cards[-int(count or 1)], self.place(target))))


def play(record: Record, deals: int, draw: int, seed: int, states: int) -> None:
    random = Random(seed)
    solved = moves = 0
    for _ in range(deals):
        deal = Deal(random.randrange(2**31), draw)
        solution = deal.solve(states)
        if not solution:
            continue
        game = Play(deal)
        for move in solution:
            assert game.s.ending is None
            game.follow(move)
        assert game.s.ending is not None
        assert game.s.ending.reason == "played out"
        outcome = game.m.outcome(game.s)
        assert outcome.scores == (52,)
        solved += 1
        moves += game.made
    assert solved > deals // 4
    record("deals", deals)
    record("solutions played", solved)
    record("moves", moves)


@pytest.mark.parametrize("draw", [1, 3])
def test_solutions_are_legal_and_solve_the_game(draw: int, record_property: Record) -> None:
    play(record_property, 12, draw, seed=1, states=20_000)


@pytest.mark.long
@pytest.mark.parametrize("draw", [1, 3])
def test_many_solutions_are_legal_and_solve_the_game(draw: int, record_property: Record) -> None:
    play(record_property, 500, draw, seed=2, states=100_000)
