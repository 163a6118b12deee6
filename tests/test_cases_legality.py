"""Cases of legality from bug reports of other engines, each told with a few lines of rules.

Each test bears the id of its case.
"""

from __future__ import annotations

import random
from itertools import combinations

import pytest
from programs import whole
from tables import play_on

import rulekit

STANDARD = "{ranks: 2 3 4 5 6 7 8 9 10 J Q K A, suits: clubs diamonds hearts spades}"


def rules_of(text: str) -> rulekit.Ruleset:
    """A ruleset of which only what matters is given."""
    return rulekit.load(whole(text))


def legal(game: rulekit.Game, move: str) -> list[str]:
    """The first values of the legal ways to make a move."""
    return [str(m).removeprefix(move).strip() for m in game.legal_moves() if m.name == move]


MINI_HEARTS = f"""
players: 4
options:
  queen_breaks: {{is: bool = false, text: Does the queen of spades break hearts?}}
deck: {STANDARD}
card:
  points: {{QS: 13, hearts: 1, else: 0}}
zones:
  stock: pile seen by nobody
  hand: set per player seen by owner
  trick: pile seen by everyone
  won: set per player seen by everyone
state:
  dealer: player
  score: {{is: 0..999 per player, text: Points.}}
define:
  led: suit of first of trick
play:
  - dealer = random(players)
  - repeat 2 times:
      - do deal_of_hearts
      - dealer = left of dealer
phases:
  deal_of_hearts:
    state:
      broken: {{is: bool, text: May hearts be led?}}
      leader: player = left of dealer
    do:
      - shuffle deck into stock
      - deal 3 to hand
      - until count(hand of leader) == 0:
          - trick:
              {{leader: leader, lead: [lead], follow: [follow], winner: suit == led then rank, won_to: won}}
          - leader = taker
    after:
      - for p in players: [score of p += sum(points of won of p) for hearts_taken]
moves:
  lead:
    text: Hearts may be led once they are broken.
    choose:
      card:
        - hearts are not broken: hand where suit != hearts or broken
        - any card: hand
    do: [broken = broken or suit of card == hearts, move card to trick]
  follow:
    text: Follow suit; no points on the first trick.
    choose:
      card:
        - follow suit: hand where suit == led
        - no points on the first trick: hand where trick_number > 1 or points == 0
        - any card: hand
    do: [broken = broken or suit of card == hearts or queen_breaks and card == QS, move card to trick]
end: {{ranking: lowest score}}
"""


REST = {"hand of P3": "2C 7D 8D", "hand of P4": "3C 9D JD"}


@pytest.fixture(scope="module")
def hearts() -> rulekit.Ruleset:
    return rules_of(MINI_HEARTS)


def test_leg_01_an_unbroken_suit_is_led_only_if_there_is_no_other(hearts: rulekit.Ruleset) -> None:
    mixed = hearts.new_game(draws=["P4"], given={"hand of P1": "5C 2H"})
    assert legal(mixed, "lead") == ["5C"]
    assert mixed.why("lead 2H").message == "hearts are not broken: you hold 5C"
    only_hearts = hearts.new_game(draws=["P4"], given={"hand of P1": "2H 9H AH"})
    assert legal(only_hearts, "lead") == ["2H", "9H", "AH"]


def test_leg_01_a_heart_thrown_off_breaks_them_for_all_to_see_until_the_next_deal(
    hearts: rulekit.Ruleset,
) -> None:
    hands = {
        "hand of P1": "KC 2H 3H",
        "hand of P2": "4H 5D 6D",
        "hand of P3": "2C 7D 8D",
        "hand of P4": "3C 9D JD",
    }
    game = hearts.new_game(draws=["P4"], given=hands)
    for move in ("lead KC", "follow 5D", "follow 2C", "follow 3C"):
        game.play(move)
    assert legal(game, "lead") == ["2H", "3H"]
    for move in ("lead 2H", "follow 4H", "follow 7D", "follow 9D"):
        game.play(move)
    assert [game.view(seat).state["broken"] for seat in range(4)] == [True] * 4
    while game.view(0).state["dealer"] == 3:
        play_on(game, [0])
    assert game.view(0).state["broken"] is False


@pytest.mark.parametrize("queen_breaks", [False, True])
def test_leg_01_the_queen_of_spades_breaks_hearts_only_by_option(
    hearts: rulekit.Ruleset, queen_breaks: bool
) -> None:
    hands = {
        "hand of P1": "KC 2D AH",
        "hand of P2": "QS 5H 6H",
        "hand of P3": "2C 7D 8D",
        "hand of P4": "3C 9D JD",
    }
    game = hearts.with_options(queen_breaks=queen_breaks).new_game(draws=["P4"], given=hands)
    for move in ("lead KC", "follow QS", "follow 2C", "follow 3C"):
        game.play(move)
    assert game.view(1).state["broken"] is queen_breaks
    assert legal(game, "lead") == (["2D", "AH"] if queen_breaks else ["2D"])


def test_leg_03_a_ban_is_waived_where_it_would_leave_nothing(hearts: rulekit.Ruleset) -> None:
    game = hearts.new_game(draws=["P4"], given={"hand of P1": "2C", "hand of P2": "2H 3H 4H AH QS"})
    game.play("lead 2C")
    assert legal(game, "follow") == ["2H", "3H", "4H", "AH", "QS"]
    banned = hearts.new_game(draws=["P4"], given={"hand of P1": "2C", "hand of P2": "2H 3D QS"})
    banned.play("lead 2C")
    assert legal(banned, "follow") == ["3D"]
    assert banned.why("follow QS").rule == "no points on the first trick"


EUCHRE = """
players: 4
deck: {ranks: 9 10 J Q K A, suits: clubs diamonds hearts spades}
card:
  plays_as: if rank == J and color of suit == color of trump then trump else suit
  bower: rank == J and plays_as == trump
  strength: plays_as == trump then plays_as == led then bower then suit == trump then rank
zones:
  stock: pile seen by nobody
  hand: set per player seen by owner
  trick: pile seen by everyone
  won: set per player seen by everyone
state:
  trump: suit = hearts
  leader: player
  score: {is: 0..99 per player, text: Tricks.}
define:
  led: plays_as of first of trick
play:
  - leader = random(players)
  - shuffle deck into stock
  - deal 3 to hand from stock starting leader
  - until count(hand of leader) == 0:
      - trick: {leader: leader, lead: [lead], follow: [follow], winner: strength, won_to: won}
      - leader = taker
      - score of leader += 1 for trick
moves:
  lead: {text: Lead any card., choose: {card: hand}, do: [move card to trick]}
  follow:
    text: Follow suit; the left bower is a trump.
    choose:
      card:
        - follow suit: hand where plays_as == led
        - any card: hand
    do: [move card to trick]
end: {ranking: highest score}
"""


def test_leg_04_the_left_bower_belongs_to_the_trump_suit() -> None:
    rules = rules_of(EUCHRE)
    diamonds_led = rules.new_game(draws=["P1"], given={"hand of P1": "9D", "hand of P2": "JD KC"})
    diamonds_led.play("lead 9D")
    assert legal(diamonds_led, "follow") == ["KC", "JD"]
    hearts_led = rules.new_game(draws=["P1"], given={"hand of P1": "9H", "hand of P2": "JD 9S"})
    hearts_led.play("lead 9H")
    assert legal(hearts_led, "follow") == ["JD"]
    assert hearts_led.why("follow 9S").message == "follow suit: you hold JD"


def test_leg_04_bowers_take_tricks_by_the_suit_they_play_as() -> None:
    game = rules_of(EUCHRE).new_game(
        draws=["P1"],
        given={
            "hand of P1": "AD 9C 9S",
            "hand of P2": "JD AC 10S",
            "hand of P3": "JH KC QS",
            "hand of P4": "KD AH AS",
        },
    )
    for move in ("lead AD", "follow JD", "follow JH", "follow KD"):
        game.play(move)
    assert game.to_move == 2  # the right bower beats the left
    for move in ("lead KC", "follow AH", "follow 9C", "follow AC"):
        game.play(move)
    assert game.to_move == 3  # the ace of trumps
    for move in ("lead AS", "follow 9S", "follow 10S", "follow QS"):
        game.play(move)
    assert game.scores == (0, 0, 1, 2)


EIGHTS = f"""
players: 2
deck: {STANDARD}
zones:
  stock: pile seen by nobody
  hand: set per player seen by owner
  heap: pile seen by everyone
state:
  dealer: player
  score: {{is: 0..99 per player, text: Hands won.}}
define:
  suit_now: if declared != none then declared else suit of top of heap
  fits(card c): suit of c == suit_now or rank of c == rank of top of heap
play:
  - dealer = random(players)
  - repeat 2 times:
      - do hand_of_eights
      - dealer = left of dealer
phases:
  hand_of_eights:
    state:
      declared: {{is: suit?, text: The suit named with an eight.}}
      turn_of: player = left of dealer
      turns: 0..99
    do:
      - shuffle deck into stock
      - deal 3 to hand
      - move top of stock to heap
      - until any(players where count(hand) == 0) or turns == 20:
          - turns += 1
          - ask turn_of: [put, eight, no_card]
          - turn_of = left of turn_of
moves:
  put:
    text: Match the top card by suit or rank.
    choose: {{card: hand where rank != 8 and fits(it)}}
    do: [move card to heap, declared = none]
  eight:
    text: An eight may always be played and names a suit.
    choose: {{card: hand where rank == 8, named: suits}}
    do: [move card to heap, declared = named]
  no_card:
    text: Play nothing.
    if: {{you have no card that fits: not any(hand where rank == 8 or fits(it))}}
    do: []
end: {{ranking: highest score}}
"""


def test_leg_06_what_was_declared_counts_and_not_what_is_printed() -> None:
    game = rules_of(EIGHTS).new_game(
        draws=["P2"], given={"heap": "5H", "hand of P1": "8H 3D", "hand of P2": "2H 3S 8C"}
    )
    game.play("eight 8H spades")
    assert [str(move) for move in game.legal_moves()] == [
        "put 3S", "eight 8C clubs", "eight 8C diamonds", "eight 8C hearts", "eight 8C spades"
    ]  # fmt: skip
    assert game.why("put 2H").legal is False
    assert [game.view(seat).state["declared"] for seat in (0, 1)] == ["spades", "spades"]


def test_leg_07_what_was_declared_does_not_outlive_the_hand() -> None:
    game = rules_of(EIGHTS).new_game(
        draws=["P2"], given={"heap": "5H", "hand of P1": "8H", "hand of P2": "2H"}
    )
    game.play("eight 8H diamonds")
    assert game.view(0).state["dealer"] == 0
    assert game.view(0).state["declared"] is None


PEGGING = f"""
players: 2
deck: {STANDARD}
card:
  value: {{J Q K: 10, A: 1, 10: 10, 9: 9, 8: 8, 7: 7, 6: 6, 5: 5, 4: 4, 3: 3, 2: 2}}
zones:
  stock: pile seen by nobody
  hand: set per player seen by owner
  row: pile seen by everyone
state:
  pone: player
  total: 0..31
  passes: 0..2
  score: {{is: 0..9 per player, text: Points.}}
define:
  most: 31
play:
  - pone = random(players)
  - shuffle deck into stock
  - deal 4 to hand
  - let p = pone
  - until every(players where count(hand) == 0) or passes == 2:
      - ask p: [peg, go]
      - p = left of p
moves:
  peg:
    text: Not beyond 31.
    choose: {{card: hand where value + total <= most}}
    do: [total += value of card, move card to row, passes = 0]
  go:
    text: Say go.
    if: {{you have no card that fits: not any(hand where value + total <= most)}}
    do: [passes += 1]
end: {{ranking: highest score}}
"""


def test_leg_08_a_count_never_passes_its_limit() -> None:
    rules = rules_of(PEGGING)
    near = rules.new_game(draws=["P1"], given={"total": "27", "hand of P1": "4C 5C KC"})
    assert [str(move) for move in near.legal_moves()] == ["peg 4C"]
    assert near.why("go").message == "`go` is allowed only if you have no card that fits"
    over = rules.new_game(draws=["P1"], given={"total": "27", "hand of P1": "5C KC"})
    assert [str(move) for move in over.legal_moves()] == ["go"]
    for seed in range(200):
        game = rules.new_game(seed=seed)
        while not game.is_over:
            assert (("go" in {m.name for m in game.legal_moves()}) and len(game.legal_moves()) == 1) or all(
                move.name == "peg" for move in game.legal_moves()
            )
            play_on(game, [seed * 7919 + len(game.log())])
        assert isinstance(total := game.view(0).state["total"], int)
        assert total <= 31


KLAVERJASSEN = """
players: 4
teams: across
deck: {ranks: 9 10 J A, suits: clubs diamonds hearts spades}
card:
  strength: suit == trump then suit == led then rank
zones:
  stock: pile seen by nobody
  hand: set per player seen by owner
  trick: pile seen by everyone
  won: set per player seen by everyone
state:
  trump: suit = hearts
  leader: player
  score: {is: 0..9 per player, text: Tricks.}
define:
  led: suit of first of trick
  winning: highest(trick by strength)
  mates: player of winning == partner of me
play:
  - leader = random(players)
  - shuffle deck into stock
  - deal 4 to hand
  - until count(hand of leader) == 0:
      - trick: {leader: leader, lead: [lead], follow: [follow], winner: strength, won_to: won}
      - leader = taker
moves:
  lead: {text: Lead any card., choose: {card: hand}, do: [move card to trick]}
  follow:
    text: Follow; else trump higher, unless your partner wins.
    choose:
      card:
        - follow and rise: hand where suit == led and led == trump and strength > strength of winning
        - follow suit: hand where suit == led
        - your partner has it: hand where mates
        - trump higher: hand where suit == trump and strength > strength of winning
        - trump: hand where suit == trump and not any(trick where suit == trump)
        - any card: hand
    do: [move card to trick]
end: {ranking: highest score}
"""


def test_leg_10_a_chain_of_duties_always_leaves_something_and_one_duty_at_a_time() -> None:
    """Two cards on the table, one of the hands of two of the rest: all that may lie before the third."""
    rules = rules_of(KLAVERJASSEN)
    deck = [r + s for s in "CDHS" for r in ("9", "10", "J", "A")]
    rank = {"9": 0, "10": 1, "J": 2, "A": 3}

    def beats(card: str, other: str, led: str) -> bool:
        return strength(card, led) > strength(other, led)

    def strength(card: str, led: str) -> tuple[bool, bool, int]:
        return card[-1] == "H", card[-1] == led, rank[card[:-1]]

    def expected(table: list[str], hand: list[str]) -> list[str]:
        led = table[0][-1]
        best = max(table, key=lambda c: strength(c, led))
        suit = [c for c in hand if c[-1] == led]
        if led == "H" and (higher := [c for c in suit if beats(c, best, led)]):
            return higher
        if suit:
            return suit
        if best == table[0]:  # the first of two cards is the partner's
            return hand
        trumps = [c for c in hand if c[-1] == "H"]
        if higher := [c for c in trumps if beats(c, best, led)]:
            return higher
        return hand if any(c[-1] == "H" for c in table) or not trumps else trumps

    chance = random.Random(10)
    positions = list(combinations(deck, 4))
    for cards in chance.sample(positions, 150):
        order = chance.sample(cards, 4)
        table, hand = order[:2], order[2:]
        game = rules.new_game(
            draws=["P1"], given={"hand of P1": table[0], "hand of P2": table[1], "hand of P3": " ".join(hand)}
        )
        game.play(f"lead {table[0]}")
        game.play(f"follow {table[1]}")
        allowed = legal(game, "follow")
        assert sorted(allowed) == sorted(expected(table, hand)), (table, hand)
        for card in set(hand) - set(allowed):
            found = game.why(f"follow {card}")
            assert found.rule is not None
            assert list(found.cards) == allowed
