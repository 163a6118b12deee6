"""Worked rows and transcripts of the rules pages: whole deals, forced card by card.

What one position and its outcome can say stands in the examples of the rule files; here is what takes a
whole deal, or looks at every step of one. Tests bear the ids of the rows: HK Hockey, HB Hucklebuck,
SX Sixty-Six, D a whole deal.
"""

from __future__ import annotations

import re
from itertools import chain, zip_longest

import pytest
from tables import load, play_on

import rulekit

# ---------------------------------------------------------------- Hockey

#: Deals of one period: A's hand (who leads), B's hand.
D1_HANDS = [
    ("7H JD QC KS QH", "6C 2D TC 2S 6H"),
    ("8D KH 3H 9C TH", "3S JH KC AC 8C"),
    ("3D 5H 4C 7D 4D", "KD 5C 4S 6S TS"),
    ("AD 8H JS 7S 5S", "3C 7C QS TD AH"),
    ("4H QD 6D 9S 9D 5D", "2C AS 9H 8S 2H JC"),
]

#: The plays, A and B in turn, each with what it brings: b breakaway, G goal, l the breakaway lapses.
D1_PLAYS = """
QH 2S QC 6C KS 6H 7H 2D JD:b TC
TH:G 3S 3H:b AC 9C:l KC KH:b 8C 8D:G JH:b
4D 4S:G 4C:b KD 5H:l 5C:b 3D TS:l 7D 6S
5S 7C 7S:b QS JS:b AH AD:G 3C 8H TD
6D AS QD 9H 9D:b 8S 9S:l 2H 4H 2C 5D JC:b
"""


def around(*hands: str) -> list[str]:
    """Cards in the order in which they are dealt, one at a time round the table."""
    rounds = zip_longest(*(hand.split() for hand in hands))
    return [card for card in chain.from_iterable(rounds) if card is not None]


def test_d1_a_whole_period_of_hockey() -> None:
    deal = [card for hands in D1_HANDS for card in around(*hands)]
    assert len(set(deal)) == 52
    game = load("hockey").new_game(deal=" ".join(deal), draws=["P2"])
    goals, holder = [0, 0], None
    plays = D1_PLAYS.split()
    for number, play in enumerate(plays):
        card, _, event = play.partition(":")
        seat = number % 2
        assert game.to_move == seat
        assert len(game.legal_moves()) == len(game.view(seat).zones[f"hand-P{seat + 1}"])
        game.play(f"play {card}")
        if event == "G":
            goals[seat] += 1
            holder = None
        elif event == "b":
            holder = seat
        elif event == "l":
            holder = None
        state = game.view(0).state
        assert state["goals"] == tuple(goals), play
        if number < len(plays) - 1:
            assert state["breakaway"] == holder, play
    assert goals == [3, 1]
    assert game.view(0).state["period"] == 2
    assert game.view(0).state["breakaway"] is None  # B's last breakaway dies with the period
    assert [receipt.cards for receipt in game.receipts] == [("10H",), ("8D",), ("4S",), ("AD",)]


def sizes(game: rulekit.Game) -> tuple[int, ...]:
    """Cards in the two hands and in the stock."""
    zones = game._machine.setup.zone_places
    places = [*(member for (member,) in zones["hand"]), zones["stock"][0][0]]
    return tuple(len(game._state.zones[place]) for place in places)


def remembered(game: rulekit.Game, name: str) -> object:
    """The value of a state; quicker than a view, which tells the whole history too."""
    return game._state.cells[game._machine.layout.states[name].first]


def play_period(game: rulekit.Game) -> tuple[list[tuple[int, ...]], int]:
    """Plays to the end of a period; the sizes after each deal, and how many cards were played."""
    period, deals, played = remembered(game, "period"), [sizes(game)], 0
    while not game.is_over and remembered(game, "period") == period:
        before = sizes(game)
        moves = game.legal_moves()
        game.play(moves[(played * 31 + 7) % len(moves)])
        played += 1
        if remembered(game, "period") == period and sum(sizes(game)[:2]) > sum(before[:2]):
            deals.append(sizes(game))
    return deals, played


def test_hk1_a_period_is_five_deals_and_52_plays() -> None:
    deals, played = play_period(load("hockey").new_game(seed=3))
    assert deals == [(5, 5, 42), (5, 5, 32), (5, 5, 22), (5, 5, 12), (6, 6, 0)]
    assert played == 52


def test_hk18_the_deal_changes_every_period() -> None:
    for seed in range(6):
        game = load("hockey").new_game(seed=seed)
        dealers, leaders = [], []
        while not game.is_over:
            dealers.append(remembered(game, "dealer"))
            leaders.append(game.to_move)
            play_period(game)
        first = dealers[0]
        assert isinstance(first, int)
        assert dealers == [(first + number) % 2 for number in range(len(dealers))]
        assert leaders == [1 - dealer for dealer in dealers if isinstance(dealer, int)]


def test_hk19_a_match_that_is_not_level_ends_after_three_periods() -> None:
    ended = 0
    for seed in range(8):
        game = load("hockey").new_game(seed=seed)
        for _ in range(3):
            play_period(game)
        goals = game.view(0).state["goals"]
        assert isinstance(goals, tuple)
        assert game.is_over == (goals[0] != goals[1])
        if game.is_over:
            ended += 1
            assert game.outcome is not None
            assert game.outcome.ranking[0] == (0 if goals > goals[::-1] else 1,)
    assert ended


def level_after_three(**options: object) -> rulekit.Game:
    """A match at the start of its fourth period."""
    for seed in range(100):
        game = load("hockey").with_options(options).new_game(seed=seed)
        for _ in range(3):
            play_period(game)
        if not game.is_over:
            return game
    raise AssertionError("no match was level after three periods")


def test_hk20_a_tie_break_period_deals_four_cards_each_and_six_at_the_end() -> None:
    game = level_after_three(overtime="whole_period")
    deals, played = play_period(game)
    assert deals == [(4, 4, 44), (4, 4, 36), (4, 4, 28), (4, 4, 20), (4, 4, 12), (6, 6, 0)]
    assert played == 52


def test_hk21_the_first_goal_of_a_tie_break_period_wins_at_once() -> None:
    given = {"goals of P1": "2", "goals of P2": "2", "hand of P1": "9C 4S KC", "hand of P2": "9D 4H KD"}
    game = load("hockey").new_game(draws=["P2"], given={"period": "4", **given})
    for move in ("play 9C", "play 9D", "play 4S", "play 4H"):
        game.play(move)
    assert game.is_over
    assert game.scores == (2, 3)
    assert game.legal_moves() == []
    assert game.view(0).zones["hand-P1"] == ("KC",)


# ---------------------------------------------------------------- Hucklebuck

D2_HANDS = (
    "4S 8S AC 9S 6S",
    "6H AD 8D 6D 3C",
    "4D JC QC 7D 2H",
    "JH AH TC 5H 8H",
    "QS AS 9C 7C 5C",
)
D2_STOCK = "TH 3D 4C 5D KD JD 2C TS 3H 8C QH"
D2_DRAWS = ["P2 8D 6D 3C", "P3 4D JC 7D", "P4 TC", "P5 9C 7C 5C"]

#: For each trick its plays and, for each that follows, what he may play.
D2_TRICKS = [
    ("P2 AD, P3 JD, P4 5H, P5 QH", {"P3": "KD JD", "P4": "JH AH 5H 8H TS", "P5": "QS AS 3H 8C QH"}),
    ("P5 AS, P2 6H, P3 2C, P4 TS", {"P2": "6H 3D 4C 5D", "P3": "QC 2H KD 2C", "P4": "TS"}),
    ("P2 5D, P3 KD, P4 8H, P5 8C", {"P3": "KD", "P4": "JH AH 8H", "P5": "QS 3H 8C"}),
    ("P4 AH, P5 3H, P2 3D, P3 2H", {"P5": "3H", "P2": "3D 4C", "P3": "2H"}),
    ("P4 JH, P5 QS, P2 4C, P3 QC", {}),
]


def seat_of(player: str) -> int:
    return int(player[1:]) - 1


def canonical(cards: str) -> list[str]:
    return sorted(cards.replace("T", "10").split())


def test_d2_a_whole_round_of_hucklebuck() -> None:
    before = (5, 4, 2, 8, 0)
    game = load("hucklebuck").new_game(
        5,
        deal=" ".join([*around(*D2_HANDS), *D2_STOCK.split()]),
        draws=["P4"],
        given={f"score of P{seat + 1}": str(score) for seat, score in enumerate(before)},
    )
    assert game.view(0).state["trump"] == "hearts"
    assert game.view(0).zones["faceup"] == ("10H",)
    assert len(game.view(0).zones["stock"]) == 26
    game.play("drop")
    assert len(game.view(0).zones["discard"]) == 5
    for draw in D2_DRAWS:
        player, cards = draw.split(" ", 1)
        assert game.to_move == seat_of(player)
        game.play(f"exchange {cards}")
    assert len(game.view(0).zones["stock"]) == 16
    assert len(game.view(0).zones["discard"]) == 15
    for plays, legal in D2_TRICKS:
        for number, play in enumerate(plays.split(", ")):
            player, card = play.split()
            assert game.to_move == seat_of(player)
            if player in legal:
                values = [str(move.values["card"]) for move in game.legal_moves()]
                assert sorted(values) == canonical(legal[player]), play
            game.play(f"{'follow' if number else 'lead'} {card}")
    assert game.is_over
    assert game.scores == (5, 5, 0, 11, 1)
    assert game.outcome is not None
    assert game.outcome.ranking == ((3,), (0, 1), (4,), (2,))
    assert sum(receipt.amount for receipt in game.receipts if receipt.reason == "tricks") == 5
    lost = [receipt for receipt in game.receipts if receipt.reason == "no_trick"]
    assert [(receipt.member, receipt.amount) for receipt in lost] == [(2, -2)]


@pytest.mark.parametrize(("players", "stock"), [(3, 36), (4, 31), (5, 26), (6, 21), (7, 16)])
def test_hb1_five_cards_each_and_one_turned_up(players: int, stock: int) -> None:
    for seed in range(5):
        view = load("hucklebuck").new_game(players, seed=seed).view(0)
        assert [len(view.zones[f"hand-P{seat + 1}"]) for seat in range(players)] == [5] * players
        assert (len(view.zones["stock"]), len(view.zones["faceup"])) == (stock, 1)


@pytest.mark.parametrize("players", [3, 4])
def test_hb2_without_more_than_four_nobody_drops(players: int) -> None:
    game = load("hucklebuck").new_game(players, seed=1)
    assert {move.name for move in game.legal_moves()} == {"exchange"}


@pytest.mark.parametrize(("players", "out"), [(5, 1), (6, 2), (7, 3)])
def test_hb3_hb5_so_many_may_drop_and_the_rest_are_not_asked(players: int, out: int) -> None:
    game = load("hucklebuck").new_game(players, seed=1)
    for _ in range(out):
        assert [str(move) for move in game.legal_moves()] == ["stay", "drop"]
        game.play("drop")
    assert {move.name for move in game.legal_moves()} == {"exchange"}
    staying = game.view(0).state["staying"]
    assert isinstance(staying, tuple)
    assert len(staying) == 4
    assert len(game.view(0).zones["discard"]) == 5 * out


def test_hb6_who_is_out_takes_no_further_turn_in_the_round() -> None:
    game = load("hucklebuck").new_game(5, seed=1, phase="round")
    game.play("stay")
    out = game.to_move
    game.play("drop")
    while not game.is_over:
        assert game.to_move != out
        play_on(game, [len(game.log()) * 17])


# ---------------------------------------------------------------- Sixty-Six

D3_HANDS = ("AH KD QD JC KC JH", "AD TH QH 9S AS JD")
D3_STOCK = "9H TD 9D JS KH 9C TC AC QS QC TS KS"


def points(game: rulekit.Game) -> list[int]:
    """Card points and marriages of both, as the rules count them: nothing before the first trick."""
    cards = {"9": 0, "J": 2, "Q": 3, "K": 4, "10": 10, "A": 11}
    found = []
    for seat, place in enumerate(("won-P1", "won-P2")):
        number = next(p.number for p in game._machine.setup.places if game._notation.place(p.number) == place)
        won = [game._notation.card(card) for card in game._state.zones[number]]
        extra = game._state.cells[game._machine.layout.states["extra"].first + seat]
        found.append(sum(cards[card[:-1]] for card in won) + (extra if won else 0))
    return found


def test_d3_a_deal_ended_by_a_marriage() -> None:
    deal = " ".join([*around(*D3_HANDS), *D3_STOCK.split()])
    game = load("sixty-six").new_game(deal=deal, draws=["P2"])
    assert game.view(0).state["trump"] == "spades"
    assert game.view(0).zones["stock"][0] == "KS"
    assert game.view(0).zones["stock"][1:] == ("??",) * 11

    def trick(lead: str, answer: str, winner: int, after: list[int], drawn: tuple[str, str]) -> None:
        leader = game.to_move
        assert leader is not None
        game.play(lead)
        game.play(f"follow {answer}")
        assert points(game) == after
        assert game.to_move == winner
        for seat, card in zip((winner, 1 - winner), drawn, strict=True):
            assert card in game.view(seat).zones[f"hand-P{seat + 1}"]

    trick("marry QD", "AD", 1, [0, 14], ("9H", "10D"))
    hand = game.view(1).zones["hand-P2"]
    assert "KS" in hand  # D's nine was exchanged by itself
    assert "9S" not in hand
    assert game.view(0).zones["stock"][0] == "9S"
    trick("lead 9H", "JH", 0, [22, 14], ("9D", "JS"))
    trick("lead 9D", "JD", 1, [22, 16], ("KH", "9C"))
    game.play("marry QH")
    assert points(game) == [22, 36]
    game.undo()
    trick("marry QH", "AH", 0, [36, 36], ("10C", "AC"))
    trick("lead 9C", "AC", 1, [36, 47], ("QS", "QC"))
    assert game.view(0).state["tricks"] == (2, 3)
    game.play("marry KS")
    assert game.scores == (0, 1)  # N has 33 or more: one point
    assert game.view(0).state["dealer"] == 0
    assert [str(r) for r in game.receipts if r.counter == "game"] == ["game of P2 +1 for deal won"]
    marriages = [(r.member, r.amount) for r in game.receipts if r.reason == "marriage"]
    assert marriages == [(0, 20), (1, 20), (1, 40)]


def test_sx1_six_cards_each_and_the_trump_under_the_stock() -> None:
    for seed in range(10):
        game = load("sixty-six").new_game(seed=seed)
        view = game.view(0)
        assert [len(view.zones[place]) for place in ("hand-P1", "hand-P2", "stock")] == [6, 6, 12]
        trump_card = view.zones["stock"][0]
        assert {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}[trump_card[-1]] == view.state[
            "trump"
        ]
        assert game.to_move == 1 - int(str(view.state["dealer"]))


def test_sx14_the_loser_of_the_sixth_trick_draws_the_trump_and_then_suits_are_followed() -> None:
    seen = 0
    for seed in range(40):
        game = load("sixty-six").new_game(seed=seed, phase="round")
        trump_card = game.view(0).zones["stock"][0]
        while not game.is_over and len(game.view(0).zones["stock"]) > 2:
            names = [m for m in game.legal_moves() if m.name in ("lead", "follow")]
            game.play(names[len(game.log()) % len(names)])
        if game.is_over or len(game.view(0).zones["trick"]):
            continue
        last = game.view(0).zones["stock"][0]
        leads = [m for m in game.legal_moves() if m.name == "lead"]
        game.play(leads[0])
        game.play(game.legal_moves()[0])
        if game.is_over:
            continue
        seen += 1
        winner = game.to_move
        assert winner is not None
        assert last[-1] == trump_card[-1]
        assert last in game.view(1 - winner).zones[f"hand-P{2 - winner}"]
        assert game.view(0).zones["stock"] == ()
        led = next(m for m in game.legal_moves() if m.name == "lead")
        game.play(led)
        if not game.is_over:
            suit = str(led.values["card"])[-1]
            held = [card for card in game.view(1 - winner).zones[f"hand-P{2 - winner}"] if card[-1] == suit]
            if held:
                assert [str(move.values["card"]) for move in game.legal_moves()] == held
    assert seen > 5


def test_sx18_after_a_close_nobody_draws_and_suits_are_followed_at_once() -> None:
    game = load("sixty-six").new_game(
        draws=["P2"],
        given={
            "trump": "hearts",
            "stock": "AH up 9C 10C JC QC KC AC 9D",
            "hand of P1": "KS QD",
            "hand of P2": "9S AD",
            "won of P1": "10D 10S",
        },
    )
    game.play("close")
    assert game.to_move == 0
    assert game.view(1).zones["stock"] == ("??",) * 8
    assert game.view(1).state["closer"] == 0
    game.play("lead KS")
    assert [str(move) for move in game.legal_moves()] == ["follow 9S"]
    game.play("follow 9S")
    assert len(game.view(0).zones["stock"]) == 8
    assert game.view(0).zones["hand-P1"] == ("QD",)


def test_sx27_a_marriage_that_reaches_66_needs_no_answer() -> None:
    game = load("sixty-six").new_game(
        phase="round",
        draws=["P2"],
        given={
            "trump": "hearts",
            "closer": "none",
            "hand of P1": "KH QH",
            "won of P1": "AC AD AS 10C JD KC 10S",
            "won of P2": "empty",
            "extra of P1": "0",
        },
    )
    before = points(game)
    assert before[0] < 66 <= before[0] + 40
    game.play("marry KH")
    assert game.is_over
    assert game.legal_moves() == []
    assert game.scores == (3, 0)


#: The rows of the rules pages. The gaps are theirs.
ROWS = """
HK1 HK2 HK3 HK4 HK5 HK6 HK7 HK8 HK10 HK11 HK12 HK13 HK15 HK17 HK18 HK19 HK20 HK21
HB1 HB2 HB3 HB5 HB6 HB7 HB8 HB9 HB10 HB11 HB13 HB14 HB15 HB16 HB17 HB18 HB20 HB21 HB22
SX1 SX2 SX3 SX4 SX5 SX6 SX7 SX8 SX10 SX11 SX12 SX14 SX15 SX17 SX18 SX19 SX20 SX22 SX23 SX25 SX27 SX28
D1 D2 D3
"""


def test_every_row_is_an_example_of_a_rule_file_or_a_test_here() -> None:
    games = [
        name for name in rulekit.shipped_rulesets() if name.startswith(("hockey", "hucklebuck", "sixty-six"))
    ]
    titles = [example.title for name in games for example in load(name).program.examples]
    names = [name.upper().replace("_", " ") for name in globals() if name.startswith("test_")]
    found = set(re.findall(r"\b(?:HK|HB|SX|D)\d+\b", "\n".join([*titles, *names])))
    assert set(ROWS.split()) - found == set()
