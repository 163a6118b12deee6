"""Cases that people met in other programs, on the shipped games they are about.

Most are examples of the rule files, whose titles name the case; here it is seen that they are there and hold.
The others play on: from deal to deal, through a log, with every choice of options.
"""

from __future__ import annotations

import random
from functools import cache
from itertools import product

import pytest

import rulekit
from rulekit.game.examples import ExampleResult
from rulekit.game.loading import validate


@cache
def examples(name: str) -> list[ExampleResult]:
    return rulekit.load(name).play_examples()


@pytest.mark.parametrize(
    ("case", "name", "least"),
    [
        ("LEG-01", "hearts", 5),
        ("LEG-03", "hearts", 1),
        ("LEG-04", "euchre", 3),
        ("LEG-06", "crazy-eights", 1),
        ("LEG-07", "crazy-eights", 1),
        ("SCO-01", "hearts", 3),
        ("STK-01", "crazy-eights", 1),
        ("STK-07", "crazy-eights", 1),
    ],
)
def test_the_rule_file_shows_the_case(case: str, name: str, least: int) -> None:
    found = [example for example in examples(name) if example.title.startswith(case)]
    assert len(found) >= least
    assert [example.title for example in found if not example.passed] == []


def legal(game: rulekit.Game, move: str) -> set[str]:
    """The first values of the legal ways to make a move."""
    return {str(m).split()[1] for m in game.legal_moves() if m.name == move}


def in_zone(game: rulekit.Game, zone: str) -> set[str]:
    """The cards of a zone of whoever is to move, or of everybody."""
    seat = game.to_move or 0
    return {str(card) for card in game.view(seat).zones[zone]}


# ---------------------------------------------------------------- LEG-01


@pytest.mark.parametrize("queen_breaks", [False, True])
def test_leg_01_hearts_are_whole_again_in_each_deal(queen_breaks: bool) -> None:
    rules = rulekit.load("hearts").with_options(passing=False, queen_breaks=queen_breaks)
    dice = random.Random(1)
    seen = {"whole": 0, "broken": 0, "forced": 0}
    game = rules.new_game(4, seed=1)
    while sum(seen.values()) < 40:  # some four deals
        if game.legal_moves()[0].name == "lead":
            zones = game.view(game.to_move or 0).zones
            taken = {str(card) for seat in range(1, 5) for card in zones[f"won-P{seat}"]}
            hand = {str(card) for card in zones[f"hand-P{(game.to_move or 0) + 1}"]}
            broken = any(card.endswith("H") for card in taken) or (queen_breaks and "QS" in taken)
            plain = {card for card in hand if not card.endswith("H")}
            assert legal(game, "lead") == ({"2C"} if not taken else hand if broken or not plain else plain)
            seen["broken" if broken else "whole" if plain else "forced"] += 1
        game.play(dice.choice(game.legal_moves()))
    assert seen["whole"] > 10
    assert seen["broken"] > 10


# ---------------------------------------------------------------- LEG-04


def test_leg_04_the_log_of_three_tricks() -> None:
    """TricksterBots #278: the dealer sits West, so North is P1; hearts are trumps, North led both bowers."""
    north, east, south, west = "QS 10D KC JD JH", "KS KH QD AC JC", "JS AH QH 9H KD", "AS 10S AD 9D QC"
    rounds = zip(*(hand.split() for hand in (north, east, south, west)), strict=True)
    deal = [card for dealt in rounds for card in dealt] + ["10H"]
    game = rulekit.load("euchre").new_game(phase="round", deal=[deal], draws=["P4"])
    log = """
        P1 pass, P2 pass, P3 order_up, P4 take_up QC, P3 with_partner,
        P1 lead JH, P2 follow KH, P3 follow 9H, P4 follow 10H,
        P1 lead 10D, P2 follow QD, P3 follow KD, P4 follow AD,
        P4 lead 9D, P1 follow JD, P2 follow JC
    """
    for line in log.split(","):
        seat, move = line.strip().split(" ", 1)
        assert f"P{(game.to_move or 0) + 1}" == seat
        game.play(move)
    assert len(in_zone(game, "won-T1")) == len(in_zone(game, "won-T2")) == 4
    assert legal(game, "follow") == {"JS", "AH", "QH"}
    game.play("follow JS")
    assert game.to_move == 0, "the left bower took the trick: it is a heart"


def test_leg_04_a_diamond_led_does_not_call_for_the_jack_of_diamonds() -> None:
    east = "KS KH JD AC JC"
    hands = [hand.split() for hand in ("QS 10D KC 9S JH", east, "JS AH QH 9H KD", "AS 10S AD 9D QC")]
    deal = [card for dealt in zip(*hands, strict=True) for card in dealt] + ["10H"]
    game = rulekit.load("euchre").with_options(alone=False)
    started = game.new_game(phase="round", deal=[deal], draws=["P4"])
    for move in ("pass", "pass", "order_up", "take_up QC", "lead 10D"):
        started.play(move)
    assert legal(started, "follow") == set(east.split())


# ---------------------------------------------------------------- LEG-06 and LEG-07


def test_leg_06_the_suit_named_is_there_for_everybody_to_see() -> None:
    game = rulekit.load("crazy-eights").new_game(
        2, given={"hand of P1": "8H 3C", "hand of P2": "2H 3S 8C", "discards": "9D", "suit_named": "diamonds"}
    )
    if game.to_move == 1:
        game = game.rules.new_game(
            2,
            given={
                "hand of P2": "8H 3C",
                "hand of P1": "2H 3S 8C",
                "discards": "9D",
                "suit_named": "diamonds",
            },
        )
    game.play("play_wild 8H spades")
    assert [game.view(seat).state["suit_named"] for seat in range(2)] == ["spades", "spades"]
    assert legal(game, "play") == {"3S"}
    assert legal(game, "play_wild") == {"8C"}


def test_leg_07_a_suit_named_last_does_not_outlive_the_deal() -> None:
    rules = rulekit.load("crazy-eights")
    position = {"hand of P1": "8H", "discards": "9D", "suit_named": "diamonds", "score of P1": "0"}
    seed = next(seed for seed in range(50) if rules.new_game(2, seed).to_move == 0)
    game = rules.new_game(2, seed, given={**position, "hand of P2": "2C"})
    game.play("play_wild 8H diamonds")
    view = game.view(0)
    assert view.state["score"] == (2, 0)
    (starter,) = (str(card) for card in view.zones["discards"])
    suits = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}
    assert view.state["suit_named"] == suits[starter[-1]]
    assert (view.state["owed"], view.state["drawn"], view.state["stuck"]) == (0, 0, 0)
    assert legal(game, "play") == {
        card
        for card in in_zone(game, f"hand-P{(game.to_move or 0) + 1}")
        if card[:-1] != "8" and (card[-1] == starter[-1] or card[:-1] == starter[:-1])
    }


# ---------------------------------------------------------------- SCO-01

ALL_POINTS = "2H 3H 4H 5H 6H 7H 8H 9H 10H JH QH KH AH QS"


@pytest.mark.parametrize(
    ("bonus", "taken", "others", "expected"),
    [
        (0, ALL_POINTS, "2C", (0, 26, 26, 26)),
        (10, ALL_POINTS, "JD", (0, 16, 26, 26)),
        (10, f"{ALL_POINTS} JD", "2C", (-10, 26, 26, 26)),
        (0, ALL_POINTS.replace("2H ", ""), "2H", (25, 1, 0, 0)),
        (10, ALL_POINTS.replace("2H ", "JD "), "2H", (15, 1, 0, 0)),
        (0, "2H 3H 4H QS", "5H 6H 7H 8H 9H 10H JH QH KH AH", (16, 10, 0, 0)),
        (10, "2H 3H 4H QS JD", "5H 6H 7H 8H 9H 10H JH QH KH AH", (6, 10, 0, 0)),
    ],
)
def test_sco_01_only_all_the_points_are_a_moon(
    bonus: int, taken: str, others: str, expected: tuple[int, ...]
) -> None:
    rules = rulekit.load("hearts").with_options(jack_bonus=bonus, passing=False)
    last = {
        "hand of P1": "AC",
        "hand of P2": "9C",
        "hand of P3": "8C",
        "hand of P4": "7C",
        "trick_number": "2",
    }
    won = {"won of P1": taken, "won of P2": others, "won of P3": "3D", "won of P4": "4D"}
    seed = next(s for s in range(50) if rules.new_game(4, s, phase="round").to_move == 0)
    game = rules.new_game(4, seed, phase="round", given=last | won)
    for move in ("lead AC", "follow 9C", "follow 8C", "follow 7C"):
        game.play(move)
    assert game.scores == expected
    reasons = {receipt.reason for receipt in game.receipts}
    assert ("jack_of_diamonds" in reasons) == (bonus > 0)
    assert ("shot_the_moon" in reasons) == (26 in expected)


# ---------------------------------------------------------------- STK-01 and STK-07


def test_stk_01_who_draws_the_last_card_and_cannot_play_is_not_asked_again() -> None:
    rules = rulekit.load("crazy-eights").with_options(draws=1, empty_stock="passed")
    seed = next(seed for seed in range(50) if rules.new_game(2, seed).to_move == 0)
    given = {"stock": "7C", "hand of P1": "2C KC", "hand of P2": "2S 3S", "discards": "4H 9D"}
    game = rules.new_game(2, seed, given={**given, "suit_named": "diamonds"})
    assert {move.name for move in game.legal_moves()} == {"draw"}
    game.play("draw")
    assert [str(move) for move in game.legal_moves()] == ["pass"]
    game.play("pass")
    assert game.to_move == 1
    assert [str(move) for move in game.legal_moves()] == ["pass"]
    assert game.why("draw").rule == "there are cards to draw"


@pytest.mark.parametrize(
    ("draws", "empty_stock", "must_play"), list(product((1, 3, 99), ("reshuffled", "passed"), (False, True)))
)
def test_stk_01_every_way_to_draw_goes_with_every_end_of_the_stock(
    draws: int, empty_stock: str, must_play: bool
) -> None:
    rules = rulekit.load("crazy-eights").with_options(
        draws=draws, empty_stock=empty_stock, must_play=must_play, twos="add_up"
    )
    dice = random.Random(draws)
    for players in (2, 5, 7):
        game = rules.new_game(players, seed=players, phase="round")
        for _ in range(3_000):
            if game.is_over:
                break
            game.play(dice.choice(game.legal_moves()))
        outcome = game.outcome
        assert outcome is None or outcome.reason == "played out"


@pytest.mark.parametrize(
    ("starter", "turn", "owed", "direction"),
    [
        ("5C", 0, 0, "clockwise"),
        ("QC", 1, 0, "clockwise"),
        ("AC", 1, 0, "counter"),
        ("2C", 0, 2, "clockwise"),
    ],
)
def test_stk_07_a_special_starter_is_as_if_the_dealer_had_played_it(
    starter: str, turn: int, owed: int, direction: str
) -> None:
    rules = rulekit.load("crazy-eights").with_options(twos="draw_two", queen_skips=True, ace_reverses=True)
    hands = "3C 3D 3H 3S 4C 4D 4H 4S 6C 6D 6H 6S 7C 7D 7H"
    game = rules.new_game(3, phase="round", deal=f"{hands} {starter}", draws=["P3"])
    state = game.view(0).state
    assert (game.to_move, state["owed"], state["direction"]) == (turn, owed, direction)
    assert {move.name for move in game.legal_moves()} <= ({"draw_owed"} if owed else {"play", "draw"})


def test_stk_07_an_eight_turned_up_is_buried_the_same_way_each_time() -> None:
    rules = rulekit.load("crazy-eights")
    hands = "3C 3D 3H 3S 4C 4D 4H 4S 6C 6D 6H 6S 7C 7D 7H"
    games = [rules.new_game(3, 7, phase="round", deal=f"{hands} 8C 8D 9S", draws=["P3"]) for _ in range(2)]
    assert games[0].fingerprint == games[1].fingerprint
    assert in_zone(games[0], "discards") == {"9S"}
    other = rules.new_game(3, 8, phase="round", deal=f"{hands} 8C 8D 9S", draws=["P3"])
    assert other.fingerprint != games[0].fingerprint, "the stock is shuffled again"


# ---------------------------------------------------------------- TRM-02

#: Found by B. Casella in 2024: what each player turns up, first to last; the numbers are no matter.
ENDLESS = "---K---Q-KQAJ-----AAJ--J--", "----------Q----KQ-J-----KA"


def dealt(*hands: str) -> list[str]:
    """The cards as they are dealt: what is turned up first is dealt last."""
    numbers = iter([f"{rank}{suit}" for rank in range(2, 11) for suit in "CDHS"])
    suits = {rank: iter("CDHS") for rank in "JQKA"}
    faces = [[next(numbers) if x == "-" else x + next(suits[x]) for x in hand] for hand in hands]
    return [face for pair in zip(*map(reversed, faces), strict=True) for face in pair]


def test_trm_02_a_deal_of_beggar_my_neighbour_that_never_ends_is_a_loop() -> None:
    game = rulekit.load("beggar-my-neighbour").new_game(deal=[dealt(*ENDLESS)], draws=["P1"])
    assert game.outcome is not None
    assert game.outcome.reason == "loop"
    assert game.outcome.length == 440  # cards; 34 are turned up before, so all comes back after 474
    assert game.outcome.ranking == ((0, 1),)
    assert game.outcome.payoffs == (0.0, 0.0)


def test_trm_02_most_deals_end() -> None:
    rules = rulekit.load("beggar-my-neighbour")
    for seed in range(50):
        outcome = rules.new_game(seed=seed).outcome
        assert outcome is not None
        assert outcome.reason == "played out"
        assert sorted(score or 0 for score in outcome.scores) == [0, 52]


def test_trm_02_the_file_has_said_that_it_may_not_end() -> None:
    text = rulekit.load("beggar-my-neighbour").program.span
    assert text is not None
    rules = text.source.text
    assert validate(rules) == []
    (found,) = validate(rules.replace(", limit: 50000", ""))
    assert found.code == "RK621"
    assert found.message.startswith("a game without choices may not end")
