"""Cases from bug reports of other engines, told with our games or with a few lines of rules.

Each test bears the id of its case: CON conservation, HID hidden information, RNG chance,
SIM interface, AUT explanations. (REP, replay and undo: `test_undo`, `test_records`.)
"""

from __future__ import annotations

import json
import random
import re
from collections import Counter

import pytest
from programs import whole
from tables import load, play_on

import rulekit

GAMES = ["hockey", "hucklebuck", "sixty-six"]


def rules_of(text: str) -> rulekit.Ruleset:
    """A ruleset of which only what matters is given."""
    return rulekit.load(whole(text))


def cards_in_play(game: rulekit.Game) -> Counter[int]:
    """All cards, wherever they lie."""
    return Counter(card for cards in game._state.zones for card in cards)


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
