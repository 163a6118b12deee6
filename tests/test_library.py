"""The public face: loading, options, setting up a game, playing it from Python."""

from __future__ import annotations

import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import rulekit
from rulekit.diagnostics import codes

GAMES = ["hockey", "hucklebuck", "sixty-six"]

TINY = """rulekit: "1"
name: tiny
title: Tiny
text: Each plays one card; the higher one wins.
sources: [A test]
players: 2..3
options:
  each: {is: 1..5 = 2, text: Cards each.}
  ties: {is: earlier | drawn = earlier, text: Who wins a tie.}
deck: standard
zones:
  stock: pile seen by nobody
  hand: set per player seen by owner
  trick: pile seen by everyone
state:
  score: {is: 0..9 per player, text: Points.}
define:
  top_cards: all_highest(trick by rank)
play:
  - shuffle deck into stock
  - deal each to hand
  - for p in players: [ask p: [play]]
  - if ties == earlier or count(top_cards) == 1: [score of player of highest(trick by rank) += 1 for high]
moves:
  play: {text: Play any card., choose: {card: hand}, do: [move card to trick]}
end: {ranking: highest score}
"""


@pytest.fixture(scope="module")
def tiny() -> rulekit.Ruleset:
    return rulekit.load(TINY)


# ---------------------------------------------------------------- the package


def test_every_public_name_is_there() -> None:
    for name in rulekit.__all__:
        assert getattr(rulekit, name) is not None
    assert set(rulekit.__all__) <= set(dir(rulekit))
    with pytest.raises(AttributeError, match="no `frobnicate`"):
        _ = rulekit.frobnicate  # type: ignore[attr-defined]


def test_importing_the_package_imports_none_of_its_rooms() -> None:
    code = "import sys, rulekit; print([m for m in sys.modules if m.startswith(('rulekit.', 'lark'))])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


# ---------------------------------------------------------------- loading


@pytest.mark.parametrize("name", GAMES)
def test_a_shipped_ruleset_loads_by_name_and_tells_what_it_offers(name: str) -> None:
    rules = rulekit.load(name)
    assert rules.name == name
    assert rules.title
    assert rules.text
    assert rules.sources
    assert "hand" in rules.zones
    assert rules.zones["hand"].seen_by == "owner"
    assert rules.moves
    assert rules.phases
    for option in rules.options.values():
        assert option.text
        assert option.value == option.default
        assert option.values is None or option.value in option.values


def test_a_ruleset_loads_from_a_path_and_from_text(tmp_path: Path, tiny: rulekit.Ruleset) -> None:
    path = tmp_path / "tiny.yaml"
    path.write_text(TINY, encoding="utf-8")
    assert rulekit.load(path) == rulekit.load(str(path)) == tiny
    assert tiny.name == "tiny"
    assert tiny.players == (2, 3)


def test_comments_and_layout_do_not_change_the_fingerprint(tiny: rulekit.Ruleset) -> None:
    other = rulekit.load("# a comment\n" + TINY.replace("deck: standard", "deck:    standard"))
    assert other.fingerprint == tiny.fingerprint
    changed = rulekit.load(TINY.replace("highest score", "lowest score"))
    assert changed.fingerprint != tiny.fingerprint


@pytest.mark.parametrize("text", ["sixtysix", "no/such/file.yaml", "", "a: b\n", "\0\n", "\n", "- a\n- b\n"])
def test_what_cannot_be_loaded_is_told_with_diagnostics(text: str) -> None:
    with pytest.raises(rulekit.RulesetError) as caught:
        rulekit.load(text)
    assert caught.value.diagnostics
    assert [str(one) for one in rulekit.validate(text)] == [str(one) for one in caught.value.diagnostics]
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


def test_a_misspelt_name_gets_the_nearest() -> None:
    (found,) = rulekit.validate("sixtysix")
    assert found.suggestion == "sixty-six"


def test_validate_never_raises_for_a_bad_file(tmp_path: Path) -> None:
    binary = tmp_path / "binary.yaml"
    binary.write_bytes(b"\xff\xfe\x00name: x")
    empty = tmp_path / "empty.yaml"
    empty.write_text("")
    for path in (binary, empty, tmp_path, tmp_path / "missing.yaml"):
        found = rulekit.validate(path)
        assert found
        assert all(isinstance(one, rulekit.Diagnostic) for one in found)
    assert rulekit.validate("hockey") == []


def test_an_error_in_the_language_names_its_place(tmp_path: Path) -> None:
    path = tmp_path / "tiny.yaml"
    path.write_text(TINY.replace("move card to trick", "move crad to trick"), encoding="utf-8")
    with pytest.raises(rulekit.RulesetError) as caught:
        rulekit.load(path)
    (found,) = caught.value.diagnostics
    assert found.span is not None
    assert found.span.text == "crad"
    assert found.suggestion == "card"


@pytest.mark.parametrize("name", GAMES)
def test_a_ruleset_can_be_pickled(name: str) -> None:
    rules = rulekit.load(name)
    game = rules.new_game(seed=5)
    again = pickle.loads(pickle.dumps(rules))
    assert again == rules
    assert hash(again) == hash(rules)
    assert again.new_game(seed=5).fingerprint == game.fingerprint


# ---------------------------------------------------------------- options


def test_options_are_given_as_values_or_as_text() -> None:
    rules = rulekit.load("hockey", {"lapse": "until_cancelled", "jack_scores": "true", "overtimes": "3"})
    assert rules.options["lapse"].value == "until_cancelled"
    assert rules.options["jack_scores"].value is True
    assert rules.options["overtimes"].value == 3
    assert rules.options["lapse"].default == "next_own_turn"
    assert rules == rulekit.load("hockey").with_options(
        lapse="until-cancelled", jack_scores=True, overtimes=3
    )
    assert rules.new_game().options["jack_scores"] is True


def test_options_are_kept_when_others_are_chosen() -> None:
    rules = rulekit.load("hockey", {"overtimes": 3}).with_options(jack_scores=True)
    assert (rules.options["overtimes"].value, rules.options["jack_scores"].value) == (3, True)


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("overtmes", 3, "`hockey` has no option `overtmes`: did you mean `overtimes`?"),
        ("overtimes", 51, "option `overtimes` cannot be `51`: it is a number from 0 to 50"),
        ("overtimes", "many", "option `overtimes` cannot be `many`: it is a number from 0 to 50"),
        ("overtimes", True, "option `overtimes` cannot be `true`: it is a number from 0 to 50"),
        ("overtimes", 3.0, "option `overtimes` cannot be `3.0`: it is a number from 0 to 50"),
        (
            "overtimes",
            "9" * 5000,
            "option `overtimes` cannot be `" + "9" * 45 + "...`: it is a number from 0 to 50",
        ),
        ("jack_scores", 1, "option `jack_scores` cannot be `1`: it is one of true, false"),
        (
            "lapse",
            "until_canceled",
            "option `lapse` cannot be `until_canceled`: it is one of next_own_turn, until_cancelled; "
            "did you mean `until_cancelled`?",
        ),
        ("lapse", 0, "option `lapse` cannot be `0`: it is one of next_own_turn, until_cancelled"),
    ],
)
def test_a_wrong_option_names_the_nearest_or_the_values(name: str, value: object, message: str) -> None:
    with pytest.raises(rulekit.SettingError) as caught:
        rulekit.load("hockey", {name: value})
    assert str(caught.value) == message
    assert caught.value.code == "RK925"


def test_a_fixed_option_cannot_be_changed() -> None:
    text = 'rulekit: "1"\nname: my-hockey\ntitle: Mine\nextends: hockey\n'
    text += "options: {overtimes: 3}\nfix: [overtimes]\n"
    rules = rulekit.load(text)
    assert rules.options["overtimes"].fixed
    assert rules.with_options(overtimes=3) == rules
    with pytest.raises(rulekit.SettingError, match="option `overtimes` is fixed at `3` in `my-hockey`"):
        rules.with_options(overtimes=4)


# ---------------------------------------------------------------- setting up


@pytest.mark.parametrize("players", [0, 1, 8, -1, True, "3", 2.0])
def test_a_wrong_number_of_players_is_an_error(players: object) -> None:
    with pytest.raises(rulekit.SettingError, match="`hucklebuck` is for 3 to 7 players") as caught:
        rulekit.load("hucklebuck").new_game(players=players)  # type: ignore[arg-type]
    assert caught.value.code == "RK926"


def test_without_a_number_of_players_the_fewest_play_and_the_seed_is_0() -> None:
    rules = rulekit.load("hucklebuck")
    assert rules.new_game().players == 3
    assert rules.new_game().fingerprint == rules.new_game(players=3, seed=0).fingerprint
    assert rules.new_game().fingerprint != rules.new_game(seed=1).fingerprint


@pytest.mark.parametrize("seed", [-1, 2**64, True, "7", 1.0, None])
def test_a_seed_is_a_number_of_64_bits(seed: object) -> None:
    with pytest.raises(rulekit.SettingError, match="the seed is a number from 0 to 2\\^64 - 1"):
        rulekit.load("hockey").new_game(seed=seed)  # type: ignore[arg-type]


def test_a_deal_is_forced_in_the_order_in_which_the_cards_leave(tiny: rulekit.Ruleset) -> None:
    deal = "AS KH 2C TD"
    game = tiny.new_game(deal=deal)
    assert game.view(0).zones["hand-P1"] == ("2C", "AS")
    assert game.view(1).zones["hand-P2"] == ("10D", "KH")
    for same in ([deal], [deal.split()], deal.lower()):
        assert tiny.new_game(deal=same).fingerprint == game.fingerprint
    assert game.record().deal == ("AS KH 2C 10D",)


@pytest.mark.parametrize(
    ("deal", "message"),
    [
        ("AS 1X", "shuffle 1 of the deal: `1X` is no card"),
        (["AS", "2C AS as"], "shuffle 2 of the deal: AS stands twice, but there is only one in the pack"),
        ([7], "shuffle 1 of the deal: it is not a list of cards"),
    ],
)
def test_a_deal_of_cards_that_are_not_there_is_an_error(
    tiny: rulekit.Ruleset, deal: object, message: str
) -> None:
    with pytest.raises(rulekit.SettingError) as caught:
        tiny.new_game(deal=deal)  # type: ignore[arg-type]
    assert (str(caught.value), caught.value.code) == (message, "RK928")


def test_draws_are_forced_by_text_or_number() -> None:
    rules = rulekit.load("hockey")
    for draw in ("P2", "p2", 1):
        assert rules.new_game(draws=[draw]).view(0).state["dealer"] == 1
    with pytest.raises(rulekit.SettingError, match="`hearts` is no result of a random draw"):
        rules.new_game(draws=["hearts"])


def test_a_position_is_laid_over_the_first_decision() -> None:
    rules = rulekit.load("hockey")
    game = rules.new_game(
        given={"hand of P1": "4S KH", "hand of P2": "4D KS", "ice": "empty", "breakaway": "none"},
        draws=["P2"],
    )
    for move in ("play 4S", "play 4D", "play KH", "play KS"):
        game.play(move)
    assert game.scores == (0, 1)
    assert rules.replay(game.record()).fingerprint == game.fingerprint


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"hand of P1": "AC", "hand of P2": "AC"}, "AC cannot lie in `hand-P1` and `hand-P2` at once"),
        ({"hand of P1": "1X"}, "`hand of P1` cannot be given `1X`: `1X` is no card"),
        ({"hand": "AC"}, "`hand` cannot be given `AC`: say whose: there are `P1`, `P2`"),
        ({"hand of P3": "AC"}, "`hand of P3` cannot be given `AC`: say whose: there are `P1`, `P2`"),
        ({"ice of P1": "AC"}, "`ice of P1` cannot be given `AC`: it is one thing, not one of each"),
        (
            {"hnad of P1": "AC"},
            "`hnad of P1` cannot be given `AC`: there is no such zone or state, did you mean `hand`?",
        ),
        ({"period": "99"}, "`period` cannot be given `99`: `99` is no number from 0 to 53"),
        ({"breakaway": "P1 P2"}, "`breakaway` cannot be given `P1 P2`: it takes a player or none"),
    ],
)
def test_con_06_a_position_that_cannot_be_is_refused(given: dict[str, str], message: str) -> None:
    with pytest.raises(rulekit.SettingError) as caught:
        rulekit.load("hockey").new_game(given=given)
    assert (str(caught.value), caught.value.code) == (message, "RK928")


def test_a_named_phase_is_a_whole_game() -> None:
    rules = rulekit.load("sixty-six")
    game = rules.new_game(seed=3, phase="round")
    while game.to_move is not None:
        game.play(game.legal_moves()[0])
    assert game.outcome is not None
    assert game.outcome.reason == "played out"
    assert sum(score or 0 for score in game.scores) <= 3
    assert rules.replay(game.record()).fingerprint == game.fingerprint
    with pytest.raises(rulekit.SettingError, match="`sixty-six` has no phase `rond`: did you mean `round`"):
        rules.new_game(phase="rond")
    with pytest.raises(rulekit.SettingError, match="phase `round` takes 0 arguments, not 1"):
        rules.new_game(phase="round", arguments=[1])


# ---------------------------------------------------------------- playing


def test_a_game_is_played_to_its_end(tiny: rulekit.Ruleset) -> None:
    game = tiny.new_game(deal="AS KH 2C TD")
    assert (game.to_move, game.is_over, game.outcome) == (0, False, None)
    assert [str(move) for move in game.legal_moves()] == ["play 2C", "play AS"]
    move = game.legal_moves()[1]
    assert (move.name, move.values, str(move)) == ("play", {"card": "AS"}, "play AS")
    assert move == rulekit.Move("play", (("card", "AS"),), "play AS")
    played = game.play(move)
    assert (str(played), played.seat, played.number) == ("P1 play AS", 0, 1)
    game.play("PLAY td")
    assert game.is_over
    assert game.to_move is None
    assert game.legal_moves() == []
    assert game.prompt() is None
    assert game.scores == (1, 0)
    assert game.outcome is not None
    assert game.outcome.ranking == ((0,), (1,))
    assert game.outcome.payoffs == (1.0, -1.0)
    assert [str(receipt) for receipt in game.receipts] == ["score of P1 +1 for high"]
    assert game.log() == ["P1 play AS", "P2 play 10D"]
    assert game.record().result == {
        "reason": "played out", "places": [1, 2], "scores": [1, 0], "payoffs": [1.0, -1.0]
    }  # fmt: skip


def test_a_prompt_tells_the_moves_and_the_duty_that_binds() -> None:
    rules = rulekit.load("hucklebuck")
    game = rules.new_game(4, phase="round", given={"hand of P1": "4C"})
    while game.prompt() is not None and "follow" not in {o.name for o in game.prompt().offers}:  # type: ignore[union-attr]
        game.play(game.legal_moves()[0])
    prompt = game.prompt()
    assert prompt is not None
    (offer,) = prompt.offers
    assert offer.text == "Follow suit if you can."
    assert offer.rule in ("follow suit", "any card")
    assert prompt.moves == tuple(game.legal_moves())
    assert str(prompt).startswith(f"P{prompt.seat + 1}: follow (")
    assert game.prompt(prompt.seat) == prompt
    assert game.prompt((prompt.seat + 1) % 4) is None


def test_shared_places_are_counted_as_people_do(tiny: rulekit.Ruleset) -> None:
    game = tiny.with_options(ties="drawn").new_game(3, deal="AS AH AC 2S 2H 2C")
    for move in ("play AS", "play AH", "play AC"):
        game.play(move)
    assert game.record().result is not None
    assert game.record().result["places"] == [1, 1, 1]  # type: ignore[index]
    game = tiny.new_game(3, deal="KS AH KC 2S 2H 2C")
    for move in ("play KS", "play AH", "play KC"):
        game.play(move)
    assert game.record().result["places"] == [2, 1, 2]  # type: ignore[index]


def test_a_copy_goes_its_own_way(tiny: rulekit.Ruleset) -> None:
    game = tiny.new_game()
    other = game.copy()
    other.play(other.legal_moves()[0])
    assert game.log() == []
    assert other.log() != []
    other.undo()
    assert other.fingerprint == game.fingerprint
    game.play(game.legal_moves()[1])
    assert other.can_redo
    assert not game.can_redo


def test_a_game_is_the_same_in_every_process() -> None:
    code = (
        "import rulekit\n"
        "g = rulekit.load('hucklebuck').new_game(5, seed=11)\n"
        "n = 0\n"
        "while not g.is_over:\n"
        "    m = g.legal_moves(); n = (n * 5 + 3) % 1009; g.play(m[n % len(m)])\n"
        "print(g.fingerprint, g.record().text())"
    )
    found = set()
    for hashing in ("0", "1", "2"):
        done = subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            check=True,
            env={"PYTHONHASHSEED": hashing},
        )
        found.add(done.stdout)
    assert len(found) == 1


# ---------------------------------------------------------------- pages


def code_of_move(text: str) -> str | None:
    """The code with which a move is refused where P1 may lead 10S, or P2 must follow clubs."""
    game = rulekit.load("hucklebuck").new_game(
        4, draws=["P3"], given={"hand of P1": "10S" if "lead" in text else "9C", "hand of P2": "4C AS"}
    )
    while "exchange" in {move.name for move in game.legal_moves()}:
        game.play("exchange")
    if "follow" in text:
        game.play("lead 9C")
    return code_of(lambda: game.play(text))


def code_of_command(text: str) -> str | None:
    """The code with which the table of a command line is refused."""
    _, _, name, flag, value = text.split()
    options = dict([value.split("=")]) if flag == "--set" else {}
    return code_of(lambda: rulekit.load(name, options).new_game(int(value) if flag == "--players" else None))


def code_of(act: Callable[[], object]) -> str | None:
    try:
        act()
    except (rulekit.MoveError, rulekit.SettingError, rulekit.RecordError) as error:
        return error.code
    return None


@pytest.mark.parametrize(
    "page", [p for p in codes.all_pages() if p.area == "play" and p.bad], ids=lambda p: p.code
)
def test_the_pages_of_play_show_what_they_say(page: codes.Page) -> None:
    kinds = {
        "move": code_of_move,
        "command": code_of_command,
        "record": lambda text: code_of(lambda: rulekit.Record.parse(text)),
    }
    assert kinds[page.kind](page.bad) == page.code
    assert kinds[page.kind](page.good) is None


def test_a_game_can_be_pickled_with_its_past() -> None:
    game = rulekit.load("sixty-six").new_game(seed=9)
    for _ in range(7):
        game.play(game.legal_moves()[0])
    again = pickle.loads(pickle.dumps(game))
    assert again.fingerprint == game.fingerprint
    assert again.record() == game.record()
    assert again.undo() == game.undo()
    assert again.fingerprint == game.fingerprint


def test_a_game_is_simulated_many_times(tiny: rulekit.Ruleset) -> None:
    report = tiny.simulate(40, seed=1)
    assert report == tiny.simulate(40, seed=1)
    with pytest.raises(ValueError, match="for 2 to 3 players"):
        tiny.simulate(1, players=4)
