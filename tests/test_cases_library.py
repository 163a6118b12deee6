"""Cases from bug reports of other engines, told with our games or with a few lines of rules.

Each test bears the id of its case: LEG legality, CON conservation, HID hidden information, RNG chance,
SIM interface, AUT explanations. (REP, replay and undo: `test_undo`, `test_records`.)
"""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from itertools import combinations

import pytest
from programs import whole
from tables import load, play_on

import rulekit

GAMES = ["hockey", "hucklebuck", "sixty-six"]
STANDARD = "{ranks: 2 3 4 5 6 7 8 9 10 J Q K A, suits: clubs diamonds hearts spades}"


def rules_of(text: str) -> rulekit.Ruleset:
    """A ruleset of which only what matters is given."""
    return rulekit.load(whole(text))


def legal(game: rulekit.Game, move: str) -> list[str]:
    """The first values of the legal ways to make a move."""
    return [str(m).removeprefix(move).strip() for m in game.legal_moves() if m.name == move]


def cards_in_play(game: rulekit.Game) -> Counter[int]:
    """All cards, wherever they lie."""
    return Counter(card for cards in game._state.zones for card in cards)


# ---------------------------------------------------------------- LEG: legality

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


# ---------------------------------------------------------------- CON: conservation and identity


@pytest.mark.parametrize("name", GAMES)
def test_con_01_a_card_that_is_elsewhere_cannot_be_played(name: str) -> None:
    game = load(name).new_game(seed=4)
    for step in range(40):
        if game.is_over:
            break
        before, whole_pack = game.fingerprint, cards_in_play(game)
        mine = {str(value) for move in game.legal_moves() for value in _texts(move)}
        for move in {move.name for move in game.legal_moves() if move.choices}:
            for card in game._machine.setup.pack.format_cards(range(len(whole_pack))).split():
                if card not in mine:
                    with pytest.raises(rulekit.IllegalMove):
                        game.play(f"{move} {card}")
        assert game.fingerprint == before
        play_on(game, [step * 13])
        assert cards_in_play(game) == whole_pack
        assert set(whole_pack.values()) == {1}


def _texts(move: rulekit.Move) -> list[object]:
    found: list[object] = []
    for value in move.values.values():
        found += value if isinstance(value, tuple) else [value]
    return found


def test_con_02_a_card_named_twice_is_refused() -> None:
    game = load("hucklebuck").new_game(4, draws=["P3"], given={"hand of P1": "4C 9D 2S KH 3D"})
    before = game.fingerprint
    with pytest.raises(rulekit.InvalidMove, match="4C stands twice, but there is only one in the pack"):
        game.play("exchange 4C 4C")
    with pytest.raises(rulekit.InvalidMove):
        game.play("exchange " + " ".join(["4C"] * 600))
    with pytest.raises(rulekit.IllegalMove, match="you do not hold 5C 6C 7C 8C"):
        game.play("exchange 5C 6C 7C 8C")
    assert game.fingerprint == before
    game.play("exchange")
    assert game.to_move == 1


PAIRS = """
players: 2
deck: {ranks: 5 6 7, suits: clubs hearts, copies: 2}
zones:
  stock: pile seen by nobody
  hand: set per player seen by owner
  table: set seen by everyone
state:
  score: {is: 0..9 per player, text: Points.}
play:
  - shuffle deck into stock
  - deal 4 to hand
  - for p in players: [ask p: [lay]]
moves:
  lay: {text: Lay down two cards., choose: {cards: 2 from hand}, do: [move cards to table]}
end: {ranking: highest score}
"""


def test_con_02_two_equal_cards_can_be_played_together_only_if_both_are_held() -> None:
    rules = rules_of(PAIRS)
    both = rules.new_game(given={"hand of P1": "6C 6C 7H 5H"})
    assert "lay 6C 6C" in [str(move) for move in both.legal_moves()]
    both.play("lay 6c 6c")
    assert both.view(1).zones["table"] == ("6C", "6C")
    one = rules.new_game(given={"hand of P1": "6C 7C 7H 5H", "hand of P2": "6C"})
    with pytest.raises(rulekit.IllegalMove, match="you do not hold 6C"):
        one.play("lay 6C 6C")


def test_con_04_equal_cards_are_one_choice_and_one_card() -> None:
    game = rules_of(PAIRS).new_game(given={"hand of P1": "6C 6C 7H 7H"})
    assert [str(move) for move in game.legal_moves()] == ["lay 6C 6C", "lay 6C 7H", "lay 7H 7H"]
    before = game.fingerprint
    game.play("lay 6C 7H")
    assert game.view(0).zones["hand-P1"] == ("6C", "7H")
    assert game.view(0).zones["table"] == ("6C", "7H")
    game.undo()
    assert game.fingerprint == before
    assert game.rules.restore(game.snapshot()).fingerprint == before


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"hand of P1": "6C 6C", "hand of P2": "6C"}, "6C cannot lie in `hand-P1` and `hand-P2` at once"),
        ({"hand of P1": "1X"}, "`hand of P1` cannot be given `1X`: `1X` is no card"),
        ({"hand of P1": "AC"}, "`hand of P1` cannot be given `AC`: `AC` is no card"),
    ],
)
def test_con_06_a_position_with_a_card_in_two_places_is_refused(given: dict[str, str], message: str) -> None:
    with pytest.raises(rulekit.SettingError) as caught:
        rules_of(PAIRS).new_game(given=given)
    assert str(caught.value) == message


def test_con_06_copies_may_lie_in_two_places() -> None:
    game = rules_of(PAIRS).new_game(given={"hand of P1": "6C", "hand of P2": "6C"})
    assert game.view(0).zones["hand-P1"] == game.view(1).zones["hand-P2"] == ("6C",)
    assert set(cards_in_play(game).values()) == {1}


# ---------------------------------------------------------------- HID: hidden information


def unseen_cards(game: rulekit.Game, seat: int) -> set[str]:
    """Cards that the seat has never seen: not now, and in no move that was told to it."""
    view = game.view(seat)
    told = set(re.findall(r"\b(?:10|[2-9JQKA])[CDHS]\b", " ".join(view.as_json()["history"])))
    lying = {card for cards in view.zones.values() for card in cards}
    pack = game._machine.setup.pack
    return set(pack.format_cards(range(len(pack))).split()) - told - lying


@pytest.mark.parametrize("name", GAMES)
def test_hid_02_nothing_a_player_receives_names_a_card_he_has_not_seen(name: str) -> None:
    seed = 987654321987654321
    game = load(name).new_game(seed=seed)
    for step in range(60):
        if game.is_over:
            break
        for seat in range(game.players):
            received = [json.dumps(game.view(seat).as_json()), *game.log(seat), str(game.prompt(seat))]
            if game.to_move == seat:
                for offer in game.prompt(seat).offers:  # type: ignore[union-attr]
                    for text in (offer.name, f"{offer.name} 1X", "nonsense"):
                        try:
                            received.append(game.why(text).message)
                        except rulekit.InvalidMove as error:
                            received.append(f"{error} {error.near}")
            words = set(re.findall(r"\w+", " ".join(received)))
            assert not words & unseen_cards(game, seat)
            assert str(seed) not in words
        play_on(game, [step * 101])


def test_hid_03_others_are_told_only_how_many_cards_were_exchanged() -> None:
    game = load("hucklebuck").new_game(4, draws=["P3"], given={"hand of P1": "4C 9D 2S KH 3D"})
    game.play("exchange 4C 9D 2S")
    assert game.log(0) == ["P1 exchange 4C 9D 2S"]
    for seat in (1, 2, 3):
        assert game.log(seat) == ["P1 exchange ?? ?? ??"]
        (played,) = game.view(seat).history
        assert played.move.values == {"cards": ("??", "??", "??")}
        assert game.view(seat).zones["discard"] == ("??",) * 3
    game.play("exchange")
    assert game.log(0)[-1] == game.log(3)[-1] == "P2 exchange"


def test_hid_03_a_card_played_openly_is_told_though_it_is_turned_down_at_once() -> None:
    game = load("sixty-six").new_game(
        draws=["P2"], given={"hand of P1": "AC 9D", "hand of P2": "9C KD", "trump": "spades"}
    )
    game.play("lead AC")
    game.play("follow 9C")
    assert game.log(0) == game.log(1) == ["P1 lead AC", "P2 follow 9C"]
    assert game.view(0).zones["won-P1"] == ("??", "??")


SEALED = """
players: 2
deck: {ranks: 5 6 7, suits: clubs hearts}
zones:
  stock: pile seen by nobody
  hand: set per player seen by owner
  shown: pile seen by everyone
state:
  score: {is: 0..9 per player, text: Points.}
play:
  - shuffle deck into stock
  - deal 3 to hand
  - ask players together: [choose]
moves:
  choose: {text: Choose a card; both are shown at once., choose: {card: hand}, do: [move card to shown]}
end: {ranking: highest score}
"""


def test_a_sealed_choice_is_not_told_until_all_are_in() -> None:
    game = rules_of(SEALED).new_game(given={"hand of P1": "5C 6C", "hand of P2": "7H 6H"})
    before = game.view(1).as_json()
    played = game.play("choose 6C")
    assert str(played) == "P1 choose 6C"
    after = game.view(1).as_json()
    assert (before.pop("to_move"), before.pop("moves")) == (0, [])
    assert (after.pop("to_move"), after.pop("moves")) == (1, ["choose 6H", "choose 7H"])
    assert after == before
    prompt = game.prompt()
    assert prompt is not None
    assert prompt.sealed
    assert game.record().moves == ("P1 choose 6C",)
    assert game.rules.restore(game.snapshot()).record() == game.record()
    game.play("choose 7H")
    assert game.log(1) == ["P1 choose 6C", "P2 choose 7H"]


# ---------------------------------------------------------------- RNG: chance


def test_rng_02_chance_of_others_does_not_matter() -> None:
    game = load("hucklebuck").new_game(seed=6)
    quiet = load("hucklebuck").new_game(seed=6)
    for step in range(50):
        random.seed(step)
        random.random()
        other = load("hockey").new_game(seed=step)
        play_on(other, [step])
        assert play_on(game, [step]) == play_on(quiet, [step])
    assert game.fingerprint == quiet.fingerprint


def test_rng_03_the_deal_does_not_depend_on_who_plays() -> None:
    """Another choice of moves, the same cards: the first deal of every game of a seed."""
    hands = set()
    for picks in ([0], [1, 2, 3], [5]):
        game = load("hockey").new_game(seed=30)
        hands.add(game.view(0).zones["hand-P1"])
        play_on(game, picks)
    assert len(hands) == 1
    assert len({load("hockey").new_game(seed=seed).view(0).zones["hand-P1"] for seed in range(50)}) == 50


# ---------------------------------------------------------------- SIM: the interface


@pytest.mark.parametrize("name", GAMES)
def test_sim_01_a_finished_game_takes_no_move_and_says_so(name: str) -> None:
    game = load(name).new_game(seed=2)
    play_on(game, list(range(0, 20_000, 3)))
    assert game.is_over
    before = game.fingerprint
    last = game.log()[-1].split(" ", 1)[1]
    with pytest.raises(rulekit.IllegalMove, match="the game is over") as caught:
        game.play(last)
    assert (caught.value.code, caught.value.explanation.kind) == ("RK921", "over")
    with pytest.raises(rulekit.InvalidMove):
        game.play("nonsense")
    assert game.fingerprint == before
    assert all(game.legal_moves(seat) == [] for seat in range(game.players))


@pytest.mark.parametrize("name", GAMES)
def test_sim_01_who_is_not_asked_has_no_legal_move(name: str) -> None:
    game = load(name).new_game(seed=2)
    for seat in range(game.players):
        assert bool(game.legal_moves(seat)) == (seat == game.to_move)
        assert (game.prompt(seat) is None) == (seat != game.to_move)
    assert game.legal_moves(99) == []
    for seat in (-1, 7, 99, True, "P1"):
        with pytest.raises(ValueError, match="there is no seat"):
            game.view(seat)  # type: ignore[arg-type]


def test_sim_01_every_error_is_a_value_error_and_names_its_kind() -> None:
    game = load("hucklebuck").new_game(4, draws=["P3"], given={"hand of P1": "4C 9D 2S KH 3D"})
    for text, kind in [
        ("lead 4C", rulekit.IllegalMove),
        ("exchange 5C", rulekit.IllegalMove),
        ("exchange 1X", rulekit.InvalidMove),
        ("exchnage 4C", rulekit.InvalidMove),
        ("4C", rulekit.InvalidMove),
        ("", rulekit.InvalidMove),
        ("exchange (4C) (9D)", rulekit.InvalidMove),
    ]:
        with pytest.raises(kind) as caught:
            game.play(text)
        assert isinstance(caught.value, ValueError)
        assert game.log() == []


def test_sim_02_a_misspelt_move_names_the_legal_ones_that_look_like_it() -> None:
    game = load("hucklebuck").new_game(4, draws=["P3"], given={"hand of P1": "4C 9D 2S KH 3D"})
    with pytest.raises(rulekit.InvalidMove) as caught:
        game.play("exchnage 4C 9D")
    assert str(caught.value) == "`exchnage` is no move of this game: did you mean `exchange`?"
    assert "exchange 4C 9D" in caught.value.near
    with pytest.raises(rulekit.InvalidMove, match="`1D` is no card; did you mean `exchange"):
        game.play("exchange 1D")


@pytest.mark.parametrize("name", GAMES)
def test_sim_02_no_card_is_ever_taken_for_another(name: str) -> None:
    """Each text of a card, in either case and with T for 10, names that card or nothing."""
    game = load(name).new_game(seed=12)
    for step in range(30):
        if game.is_over:
            break
        by_text = {move.text: move for move in game.legal_moves()}
        for text in by_text:
            for written in {text, text.lower(), text.replace("10", "T"), text.lower().replace("10", "t")}:
                found = game.why(written)
                assert (found.legal, found.move) == (True, text)
        play_on(game, [step * 17])


MELDS = """
players: 2
deck: {ranks: 5 6 7 8, suits: clubs hearts}
zones:
  stock: pile seen by nobody
  hand: set per player seen by owner
  table: set seen by everyone
state:
  score: {is: 0..9 per player, text: Points.}
play:
  - shuffle deck into stock
  - deal 4 to hand
  - for p in players: [ask p: [meld]]
moves:
  meld:
    text: Lay down one or two sets.
    choose: {first_set: 1.. from hand, second_set: 0.. from hand - first_set}
    do: [move first_set | second_set to table]
end: {ranking: highest score}
"""


def test_a_text_that_fits_several_moves_is_ambiguous() -> None:
    game = rules_of(MELDS).new_game(given={"hand of P1": "5C 6C 7C"})
    before = game.fingerprint
    with pytest.raises(rulekit.AmbiguousMove) as caught:
        game.play("meld 5C 6C")
    assert str(caught.value) == "`meld 5C 6C` fits several moves: write `meld (5C) (6C)` or `meld (5C 6C) ()`"
    assert caught.value.code == "RK922"
    assert game.fingerprint == before
    game.play("meld 5c")
    assert game.log() == ["P1 meld (5C) ()"]
    game.undo()
    game.play("meld (5c) (6c)")
    assert game.log() == ["P1 meld (5C) (6C)"]


# ---------------------------------------------------------------- AUT-07: why not?

CLOSED = {"closer": "P2", "stock": "AH 9C 10C"}
OPEN = {"stock": "AH up 9C 10C JD", "closer": "none", "claimant": "none"}

CLUB_LED = ["exchange", "exchange", "exchange", "lead 9C"]
OPTIONAL = {"exchanging": "optional"}

#: ruleset, options, given, moves before, move, the rule (in brackets: how the words underlined begin, where
#: it has no name), the cards that it leaves. P1 moves first.
WHY_NOT: list[tuple[str, dict[str, object], dict[str, str], list[str], str, str, str]] = [
    ("hockey", {}, {"hand of P1": "7H JD"}, [], "play QS", "[hand]", "JD 7H"),
    ("hockey", {}, {}, [], "choose_dealer P1", "[choose_dealer]", ""),
    ("hucklebuck", {}, {"hand of P1": "4C 9D"}, [], "lead 4C", "[lead]", ""),
    ("hucklebuck", {}, {"hand of P1": "4C 9D"}, [], "exchange 5C", "[0..]", "4C 9D"),
    (
        "hucklebuck",
        {},
        {"hand of P1": "9C", "hand of P2": "4C AS"},
        CLUB_LED,
        "follow AS",
        "follow suit",
        "4C",
    ),
    (
        "hucklebuck",
        {},
        {"hand of P1": "9C", "hand of P2": "4D AS"},
        CLUB_LED,
        "follow KD",
        "any card",
        "4D AS",
    ),
    *[
        (
            "hucklebuck",
            {duty: True},
            {"trump": "spades", "hand of P1": "9C", "hand of P2": hand},
            CLUB_LED,
            *rest,
        )
        for duty, hand, rest in [
            ("must_trump", "4D AS", ("follow 4D", "trump", "AS")),
            ("must_beat", "4C KC", ("follow 4C", "follow suit and beat", "KC")),
        ]
    ],
    *[
        (
            "sixty-six",
            options,
            {"trump": "hearts", **lying, "hand of P1": hand, "won of P1": won},
            [],
            move,
            rule,
            "",
        )
        for options, lying, hand, won, move, rule in [
            ({}, OPEN, "KS QD", "empty", "exchange", "the exchange is a choice"),
            (OPTIONAL, OPEN, "9H KS", "empty", "exchange", "you have taken a trick"),
            (OPTIONAL, OPEN, "JH KS", "QC KC", "exchange", "you hold the lowest trump"),
            (OPTIONAL, CLOSED, "9H KS", "QC KC", "exchange", "the trump lies open on enough cards"),
            ({}, CLOSED, "KS QD", "empty", "close", "the stock is open"),
            ({"close_min_stock": 6}, OPEN, "KS QD", "empty", "close", "enough cards lie in the stock"),
            ({"close_early": False}, OPEN, "KS QD", "empty", "close", "you have taken a trick"),
            ({}, OPEN, "KS QD", "empty", "marry KS", "[hand where rank in Q K and any(mate(it))]"),
            ({"marriage_early": "forbidden"}, OPEN, "KS QS", "empty", "marry KS", "it is not too early"),
            ({"marriage_late": False}, CLOSED, "KS QS", "QC KC", "marry KS", "it is not too late"),
        ]
    ],
    *[
        (
            "sixty-six",
            options,
            {"trump": "hearts", **CLOSED, "hand of P1": "KS QD", "hand of P2": hand},
            ["lead KS"],
            *rest,
        )
        for options, hand, rest in [
            ({}, "9S AD", ("follow AD", "follow suit", "9S")),
            ({}, "9H AD", ("follow AD", "trump", "9H")),
            ({"duty": "win_or_trump"}, "9S AS", ("follow 9S", "follow suit and win", "AS")),
        ]
    ],
]


@pytest.mark.parametrize(("name", "options", "given", "before", "move", "rule", "cards"), WHY_NOT)
def test_aut_07_why_a_move_is_not_offered_names_the_rule_and_its_place(
    name: str,
    options: dict[str, object],
    given: dict[str, str],
    before: list[str],
    move: str,
    rule: str,
    cards: str,
) -> None:
    game = load(name).with_options(options).new_game(draws=["P2"], given=given)
    for made in before:
        game.play(made)
    position = game.fingerprint
    found = game.why(move)
    assert not found.legal
    assert found.rule == (None if rule.startswith("[") else rule)
    assert " ".join(found.cards) == cards
    assert found.text == game.rules.moves[move.split()[0]].text
    assert found.span is not None
    assert found.span.text.startswith(rule.strip("[]"))
    assert re.fullmatch(rf"rulesets/{name}\.yaml:\d+:\d+", found.place or "")
    with pytest.raises(rulekit.IllegalMove) as caught:
        game.play(move)
    assert caught.value.explanation == found
    assert str(caught.value) == found.message
    if found.rule:
        assert found.rule in found.message
    assert game.fingerprint == position


def test_aut_07_why_a_move_is_legal_is_told_too() -> None:
    game = load("hockey").new_game(draws=["P2"], given={"hand of P1": "7H JD"})
    found = game.why("play 7h")
    assert (found.legal, found.move, found.message) == (True, "play 7H", "`play 7H` is legal")
    assert found.text is not None
