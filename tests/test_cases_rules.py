"""Disputes about the rules of the first games, endings and exhausted stocks: one test a case, named after it.

Most stand as examples in the rule files; here are those that need several games, options or a whole family.
"""

from __future__ import annotations

import pytest

import rulekit

TOO_FEW = "the trump lies open on enough cards"
SIXTY_SIX = "trump: hearts, hand of P1: 9H KS, hand of P2: AC QD, closer: none"


def rulings(base: str, examples: str) -> None:
    """Every example holds in a ruleset that only adds them to ``base``."""
    text = f'rulekit: "1"\nname: rulings\ntitle: Rulings\nextends: {base}\nexamples:\n{examples}'
    failed = [str(r.diagnostic) for r in rulekit.load(text).play_examples() if not r.passed]
    assert failed == []


@pytest.mark.parametrize(
    ("options", "given", "refused"),
    [
        ("", "stock: AH up JC 9C JD, won of P1: empty, leader: P1", "you have taken a trick"),
        ("exchange_needs_trick: false", "stock: AH up JC 9C JD, won of P1: empty, leader: P1", None),
        ("", "stock: AH up JC 9C JD, won of P1: 9S QS, leader: P1", None),
        ("", "stock: AH up JC, won of P1: 9S QS, leader: P1", None),
        ("exchange_min_stock: 4", "stock: AH up JC, won of P1: 9S QS, leader: P1", TOO_FEW),
        ("", "stock: empty, won of P1: 9S QS, leader: P1", TOO_FEW),
        ("", "stock: AH down JC 9C JD, won of P1: 9S QS, leader: P1", TOO_FEW),
    ],
)  # fmt: skip
def test_rul_02_each_reading_of_the_exchange_can_be_chosen(
    options: str, given: str, refused: str | None
) -> None:
    chosen = "exchanging: optional" + (f", {options}" if options else "")
    ruling = (
        f"    refused: {{P1 exchange: {refused}}}"
        if refused
        else "    when: [P1 exchange]\n    then: [AH in hand of P1, 9H == bottom of stock]"
    )
    rulings(
        "sixty-six",
        f"""  - title: RUL-02
    options: {{{chosen}}}
    given: {{{SIXTY_SIX}, {given}}}
{ruling}
""",
    )


def test_rul_02_no_exchange_when_the_nine_itself_is_turned_up() -> None:
    rulings(
        "sixty-six",
        """  - title: RUL-02
    options: {exchanging: optional}
    given: {trump: hearts, hand of P1: AH KS, stock: 9H up JC 9C JD, won of P1: 9S QS, leader: P1}
    refused: {P1 exchange: you hold the lowest trump}
""",
    )


@pytest.mark.parametrize(
    ("duty", "hand", "allowed"),
    [
        ("win_or_trump", "AH JH 9S", "AH"),
        ("follow_or_trump", "AH JH 9S", "AH JH"),
        ("win_or_trump", "AC JC 9S", "9S"),
        ("follow_or_trump", "AC JC 9S", "9S"),
        ("follow_only", "AC JC 9S", "AC JC 9S"),
    ],
)
def test_rul_03_the_duties_once_the_stock_is_gone(duty: str, hand: str, allowed: str) -> None:
    rulings(
        "sixty-six",
        f"""  - title: RUL-03
    options: {{duty: {duty}}}
    given: {{trump: spades, stock: empty, closer: none, hand of P1: 10H KD, hand of P2: {hand}, leader: P1}}
    when: [P1 lead 10H]
    allowed: {{P2 follow: {allowed}}}
""",
    )


def test_rul_07_without_more_than_four_players_nobody_can_drop() -> None:
    for players in (3, 4):
        game = rulekit.load("hucklebuck").new_game(players=players, seed=3)
        asked = set()
        for _ in range(200):
            moves = game.legal_moves()
            if not moves:
                break
            asked |= {move.name for move in moves}
            game.play(moves[0])
        assert "drop" not in asked


def on_the_table(game: rulekit.Game) -> int:
    """How many cards lie in all zones together."""
    return sum(len(cards) for cards in game.view(0).zones.values())


def test_rul_09_schnapsen_is_sixty_six_with_twenty_cards() -> None:
    rules = rulekit.load("schnapsen")
    game = rules.new_game(seed=1)
    assert on_the_table(game) == 20
    assert len(game.view(0).zones["hand-P1"]) == 5
    for seed in range(20):
        game = rules.new_game(seed=seed)
        while moves := game.legal_moves():
            game.play(moves[seed % len(moves)])
            assert on_the_table(game) == 20


def all_drop(game: rulekit.Game) -> list[str]:
    """Everyone who may drop does; the names of the moves made until the first lead."""
    made = []
    while (moves := game.legal_moves()) and moves[0].name != "lead":
        chosen = next((move for move in moves if move.name == "drop"), moves[0])
        made.append(chosen.name)
        game.play(chosen)
    return made


def test_end_06_when_all_would_drop_the_last_one_plays_alone() -> None:
    rules = rulekit.load("hucklebuck", options={"dropping": "free"})
    for players in (3, 5, 7):
        game = rules.new_game(players=players, seed=4)
        assert all_drop(game).count("drop") == players - 1
        alone = game.to_move
        assert alone is not None
        for _ in range(5):
            assert game.to_move == alone
            game.play(game.legal_moves()[0])
        assert game.scores[alone] == 5


@pytest.mark.parametrize("when_short", ["discards_not_own", "discards", "folded"])
def test_stk_05_the_stock_ends_in_mid_exchange(when_short: str) -> None:
    """Seven players, three drop, four ask for five: 16 cards lie in the pile, 20 are wanted."""
    rules = rulekit.load("hucklebuck", options={"when_short": when_short})
    game = rules.new_game(players=7, seed=2)
    while (moves := game.legal_moves()) and moves[0].name in ("stay", "drop"):
        chosen = next((move for move in moves if move.name == "drop"), moves[0])
        game.play(chosen)
    thrown: dict[int, set[str]] = {}
    for _ in range(4):
        me = game.to_move
        assert me is not None
        everything = max(game.legal_moves(), key=lambda move: len(move.text.split()))
        thrown[me] = set(everything.text.split()[1:])
        assert len(thrown[me]) == 5
        game.play(everything)
        hand = set(game.view(me).zones[f"hand-P{me + 1}"])
        assert len(hand) == 5
        if when_short == "discards_not_own":
            assert not hand & thrown[me]
    assert on_the_table(game) == 52


def test_sco_10_without_a_floor_a_score_may_sink_far_and_the_order_is_right() -> None:
    rulings(
        "hucklebuck",
        "".join(
            f"""  - title: SCO-10
    players: 3
    options: {{floor: false}}
    run: scoring
    given: {{trick_number: 6, score of P1: {before}, tricks of P1: 0, tricks of P2: 3, tricks of P3: 2}}
    then: [score of P1 == {before} - 3, score of P1 < score of P2]
"""
            for before in (0, -3, -6, -9)
        ),
    )


@pytest.mark.parametrize("option", [{}, {"overshoot": "any_two_is_tie"}, {"play_off": "tied_only"}])
def test_end_01_a_tie_is_played_off_until_it_is_broken(option: dict[str, str]) -> None:
    report = rulekit.load("hucklebuck", options=option).simulate(games=60, seed=5, players=4)
    assert report.decided == 60
    assert report.tied == 0
    level = rulekit.load("hockey", options={"overtimes": 0}).simulate(games=60, seed=5)
    assert level.tied > 0  # without overtime a level game is drawn


def test_aut_01_one_file_serves_every_number_of_players() -> None:
    for name, counts in (("hucklebuck", range(3, 8)), ("hearts", range(3, 7))):
        rules = rulekit.load(name)
        for players in counts:
            game = rules.new_game(players=players, seed=9)
            assert game.legal_moves()


@pytest.mark.parametrize("name", ["hockey", "hucklebuck", "sixty-six"])
def test_hid_08_what_is_public_is_shown_whole_in_every_phase(name: str) -> None:
    rules = rulekit.load(name)
    public = {zone.name for zone in rules.program.zones.values() if zone.seen_by == "everyone"}
    game = rules.new_game(seed=6)
    for step in range(80):
        views = [game.view(seat) for seat in range(game.players)]
        for place, cards in views[0].zones.items():
            if place.split("-")[0] in public:
                assert "??" not in cards
                assert all(view.zones[place] == cards for view in views)
        assert views[game.to_move or 0].moves
        assert game.prompt() is not None
        moves = game.legal_moves()
        game.play(moves[step % len(moves)])
        if game.is_over:
            break
