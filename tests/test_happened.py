"""What a person at the screen is told of each move: what it changed, as far as he sees it."""

from __future__ import annotations

import pytest

import rulekit
from rulekit.cli.happened import Happenings, table_of
from rulekit.cli.words import Words
from rulekit.game.game import Game
from rulekit.players.seats import position

ASKING = """
rulekit: "1"
name: asking
title: Asking
players: 3
deck: {ranks: 7 8 9 10, suits: clubs diamonds hearts spades}
zones:
  stock: pile seen by nobody
  hand: set per player seen by owner
  heap: pile seen by everyone
state: {score: 0..99 per player}
play:
  - shuffle deck into stock
  - deal 3 to hand of players
  - repeat 9 times:
      - for p in players: [ask p: [take, shown, draw, throw, swap_hands]]
moves:
  take: {text: Take a rank., choose: {from_whom: players - me, wanted: ranks},
    do: [move hand of from_whom where rank == wanted to hand]}
  shown: {text: Show one., choose: {card: hand}, do: [reveal card to everyone]}
  draw: {text: Draw., if: {there is a card: any(stock)}, do: [move top of stock to hand]}
  throw: {text: Throw a card., choose: {card: hand}, do: [move card to heap]}
  swap_hands: {text: Throw one and draw one., if: {there is one: any(stock)}, choose: {card: hand},
    do: [move card to heap, move top of stock to hand]}
end: {ranking: highest score}
"""
GIVEN = {"hand of P1": "7C 8C 9C", "hand of P2": "7D 7H 10S", "hand of P3": "8D 9D 10D"}


def told(game: Game, text: str, seat: int) -> str:
    """What a seat is told of a move."""
    machine, before = position(game)
    named = frozenset(text.split()[1:])
    then = table_of(machine, before, seat)
    game.play(text)
    happenings = Happenings(machine, Words(machine.setup, signs=False))
    return happenings.told(then, table_of(machine, position(game)[1], seat), named)


@pytest.mark.parametrize(
    ("move", "mover", "other"),
    [
        ("take P2 7", "hand of P1 gets 7D 7H", "hand of P1 gets 2 cards; hand of P2 loses 7D 7H"),
        ("take P2 8", "", ""),
        ("shown 8C", "", "hand of P1 shows 8C"),
        ("throw 8C", "", ""),
    ],
)
def test_a_seat_is_told_what_it_sees_of_a_move(move: str, mover: str, other: str) -> None:
    for seat, expected in ((0, mover), (1, other)):
        game = rulekit.load(ASKING).new_game(given=GIVEN)
        assert told(game, move, seat) == expected


def test_a_new_deal_is_told_in_a_word() -> None:
    game = rulekit.load("hockey").new_game(seed=1)
    deals = 0
    for _ in range(60):
        held = len(game.view(0).zones["hand-P1"])
        line = told(game, str(game.legal_moves()[0]), 0)
        dealt = len(game.view(0).zones["hand-P1"]) > held
        assert (line == "cards are dealt") == dealt
        deals += dealt
    assert deals >= 4


def test_a_card_that_is_drawn_is_told_to_who_drew_it() -> None:
    game = rulekit.load(ASKING).new_game(given=GIVEN)
    drawn = game.copy()
    drawn.play("draw")
    (card,) = set(drawn.view(0).zones["hand-P1"]) - {"7C", "8C", "9C"}
    assert told(game.copy(), "draw", 0) == f"hand of P1 gets {card}"
    assert told(game.copy(), "draw", 1) == "hand of P1 gets a card"
    assert told(game.copy(), "swap_hands 7C", 0) == f"hand of P1 gets {card}"


@pytest.mark.parametrize("name", ["sixty-six", "cheat", "gin-rummy", "tichu", "cribbage"])
def test_no_card_is_told_that_the_seat_does_not_see(name: str) -> None:
    """No card is named that the seat sees neither before nor after."""
    game = rulekit.load(name).new_game(seed=4)
    words = Words(position(game)[0].setup, signs=False)
    tried = 0
    for number in range(40):
        if game.is_over:
            break
        machine, before = position(game)
        tables = [table_of(machine, before, seat) for seat in range(game.players)]
        moves = game.legal_moves()
        game.play(moves[number * 7 % len(moves)])
        after = position(game)[1]
        for seat, then in enumerate(tables):
            now = table_of(machine, after, seat)
            shown = {card for table in (then, now) for cards in table.values() for card in cards}
            text = Happenings(machine, words).told(then, now, frozenset())
            hidden = {machine.setup.pack.format_cards([c]) for c in range(len(after.place)) if c not in shown}
            seen = {machine.setup.pack.format_cards([c]) for c in shown if c is not None}
            assert not (hidden - seen) & set(text.replace(";", " ").split())
            tried += bool(text)
    assert tried > 5
