"""Bots: what they may know, and that they always make a legal move."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import rulekit
from rulekit.engine import Decision, Machine, State
from rulekit.players import BOTS, BotError, Draws, GreedyBot, RandomBot, Turn, bot_move, choose, play_out
from rulekit.players.imagine import sees
from rulekit.program import prepare

TABLES = [("hockey", 2), ("sixty-six", 2), ("hucklebuck", 3), ("hucklebuck", 5), ("hucklebuck", 7)]

LOWEST = """rulekit: "1"
name: lowest
title: Lowest
text: Play a card; its points count against you.
sources: [A test]
players: 2
deck: {ranks: 2 3 4, suits: hearts spades}
zones:
  stock: pile seen by nobody
  hand: set per player seen by owner
  table: set seen by everyone
state:
  score: {is: 0..99 per player, text: Points.}
play:
  - shuffle deck into stock
  - deal 3 to hand
  - for p in players: [ask p: [play]]
moves:
  play:
    text: Play any card.
    choose: {card: hand}
    do: [move card to table, score of me += number of card for points with card]
end: {ranking: lowest score}
"""


def machine(name: str, players: int) -> Machine:
    return Machine(prepare(rulekit.load(name).program, players))


def positions(table: Machine, games: int) -> Iterator[tuple[State, Decision]]:
    """Every decision of some random games."""
    for game in range(games):
        state, draws = table.start(17, game), Draws.for_game(17, game)
        while (decision := table.decision(state)) is not None:
            yield state, decision
            table.apply(state, choose(table, state, RandomBot(), draws))


@pytest.mark.parametrize("name", BOTS)
def test_sim_08_every_bot_makes_a_legal_move_in_ten_thousand_positions(name: str) -> None:
    tables = [machine(ruleset, players) for ruleset, players in TABLES]
    seen = forced = game = 0
    wanted = 10_000 if name != "search" else 400  # the search takes its time
    while seen < wanted:
        table = tables[game % len(tables)]
        make = BOTS[name] if name != "search" else BOTS["search:20"]
        bots = [make() for _ in range(table.setup.players)]
        state, draws = table.start(3, game), Draws.for_game(3, game)
        while (decision := table.decision(state)) is not None:
            action = choose(table, state, bots[decision.actor], draws)
            assert action in table.legal(state)
            seen, forced = seen + 1, forced + (len(state.legal) == 1)
            table.apply(state, action)
        game += 1
    assert forced > wanted / 20, "forced moves are among them"


def test_sim_08_with_one_card_a_bot_plays_it() -> None:
    game = rulekit.load("hockey").new_game(seed=1, given={"hand of P1": "QS", "hand of P2": "QH"})
    for make in BOTS.values():
        assert bot_move(game, make(), Draws(0)).text in {"play QS", "play QH"}


class Cheat:
    """Names a move that is not in the list."""

    def choose(self, turn: Turn) -> int:
        return len(turn.moves)


def test_a_bot_that_names_no_legal_move_is_stopped() -> None:
    table = machine("hockey", 2)
    with pytest.raises(BotError, match="Cheat chose"):
        play_out(table, table.start(), [Cheat(), Cheat()], Draws(0))


def test_a_bot_is_told_its_view_and_no_state() -> None:
    """HID-04: bots get an information-state object, not the state."""
    table, told = machine("hockey", 2), []

    class Curious:
        def choose(self, turn: Turn) -> int:
            told.append(turn)
            return 0

    choose(table, table.start(), Curious(), Draws(0))
    turn = told[0]
    public = {name for name in dir(turn) if not name.startswith("_")}
    assert public == {
        *("seat", "whom", "moves", "draws", "view", "imagine", "rollouts", "allies", "highest"),
    }
    hands = {place.member: place.cards for place in turn.view.zones["hand"]}
    assert None not in hands[turn.seat]
    assert set(hands[1 - turn.seat]) == {None}


def exchanged(table: Machine, state: State, one: int, other: int) -> State:
    """The same position with two cards in each other's place."""
    found = state.copy()
    swap = {one: other, other: one}
    for number, cards in enumerate(state.zones):
        changed = tuple(swap.get(card, card) for card in cards)
        found.zones[number] = changed if table.layout.is_pile[number] else tuple(sorted(changed))
    for values in (found.place, found.up, found.mover, found.shown):
        values[one], values[other] = values[other], values[one]  # type: ignore[index]
    return found


@pytest.mark.parametrize("name", ["random", "greedy"])  # of the search: test_search.py
@pytest.mark.parametrize(("ruleset", "players"), [("hockey", 2), ("sixty-six", 2), ("hucklebuck", 4)])
def test_hid_04_hidden_cards_do_not_change_what_a_bot_does(name: str, ruleset: str, players: int) -> None:
    table, compared = machine(ruleset, players), 0
    for number, (state, decision) in enumerate(positions(table, 3)):
        unseen = [c for c in range(len(state.place)) if not sees(table, state, decision.actor, c)]
        if len(unseen) < 2 or number % 3:
            continue
        one, other = unseen[number % len(unseen)], unseen[(number * 7 + 1) % len(unseen)]
        if one == other:
            continue
        twin = exchanged(table, state, one, other)
        first = choose(table, state, BOTS[name](), Draws(number))
        assert choose(table, twin, BOTS[name](), Draws(number)) == first
        compared += 1
    assert compared > 50


def test_greedy_scores_the_goal_it_can_score() -> None:
    rules = rulekit.load("hockey")
    for seed in range(5):
        game = rules.new_game(seed=seed)
        seat = (game.to_move or 0) + 1
        hand = {f"hand of P{seat}": "4S KH 9D 2C 7H"}
        game = rules.new_game(seed=seed, given={"ice": "9C up", "breakaway": f"P{seat}", **hand})
        assert bot_move(game, GreedyBot(), Draws(seed)).text == "play 9D"


def test_greedy_takes_the_fewest_points_where_the_lowest_score_wins() -> None:
    rules = rulekit.load(LOWEST)
    for seed in range(20):
        game = rules.new_game(seed=seed)
        order = [move.text.split()[1][:-1] for move in game.legal_moves()]
        assert bot_move(game, GreedyBot(), Draws(seed)).text.split()[1][:-1] == min(order)


def test_greedy_beats_random_at_hockey() -> None:
    report = rulekit.load("hockey").simulate(60, seed=2, bots=("greedy", "random"))
    assert report.seats[0].interval[0] > 0.6


def test_random_draws_every_place_equally_often() -> None:
    draws, counts = Draws(5), [0] * 6
    for _ in range(60_000):
        counts[draws.below(6)] += 1
    chi_square = sum((count - 10_000) ** 2 / 10_000 for count in counts)
    assert chi_square < 20.5, "p = 0.001 with 5 degrees of freedom"


def test_a_draw_is_taken_for_a_forced_move_too() -> None:
    """So that every engine draws the same numbers: one a decision."""
    draws = Draws(1)
    draws.below(1)
    other = Draws(1)
    other.below(100)
    assert draws.state == other.state != 1
