"""`rulekit.testing`: the checklist passes what is right and names what is not; what strategies draw."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rulekit
from rulekit.engine import Machine
from rulekit.game.game import Game
from rulekit.program.actions import ActionSpace
from rulekit.testing import ChecklistFailed, check_ruleset, checklist, play_on, strategies

GAME = """\
rulekit: "1"
name: game
title: Game
text: Highest card left wins.
sources: [A game made up for tests]
players: 2..3
options: {hand_size: {is: 2 | 3 = 2, text: Cards at the start.}}
requires: not (hand_size == 3 and count(players) == 3)
deck: {ranks: 2 3 4 5 6, suits: hearts spades}
zones: {stock: pile seen by nobody, hand: set per player seen by owner, table: pile seen by everyone}
play:
  - shuffle deck into stock
  - deal hand_size to hand from stock
  - for p in players: [ask p: [play]]
moves:
  play: {text: Play a card., choose: {card: hand}, do: [move card to table]}
end: {ranking: highest max(rank of hand)}
examples:
  - title: Any card
    given: {hand of P1: 2H 3S}
    allowed: {P1 play: 2H 3S}
"""
RULES = rulekit.load(GAME)


def failures(source: object, games: int = 3) -> dict[str, str]:
    found = check_ruleset(source, games, strict=False)  # type: ignore[arg-type]
    return {item.claim: item.failure for item in found.items if item.failure}


# ---------------------------------------------------------------- the checklist


def test_a_ruleset_that_is_right_passes_by_path_by_text_and_loaded(tmp_path: Path) -> None:
    path = tmp_path / "game.yaml"
    path.write_text(GAME, encoding="utf-8")
    for source in (path, GAME, RULES):
        found = check_ruleset(source, games=3)
        assert found.passed
        assert all(item.tried > 0 for item in found.items)
        assert str(found).count("ok") == len(found.items) == 4 + len(checklist.ITEMS)


def test_a_file_with_errors_fails_with_its_findings() -> None:
    with pytest.raises(ChecklistFailed, match="unknown key `mvoes`"):
        check_ruleset(GAME.replace("moves:", "mvoes:"))


def test_an_example_that_does_not_hold_fails() -> None:
    found = failures(GAME.replace("{P1 play: 2H 3S}", "{P1 play: 2H}"))
    assert list(found) == ["the examples hold"]
    assert "RK804" in found["the examples hold"]


def test_rules_that_break_down_fail_with_the_game() -> None:
    text = GAME.replace("{is: 2 | 3 = 2,", "{is: 1 | 2 = 2,").replace("hand_size == 3", "hand_size == 1")
    twice = "repeat 2 times: [for p in players: [ask p: [play]]]"
    found = failures(text.replace("for p in players: [ask p: [play]]", twice))
    assert "RK901" in found["the rules never break down"]
    assert "of seed 0" in found["the rules never break down"]


def test_a_checklist_is_the_same_every_time() -> None:
    assert check_ruleset(RULES, games=2, seed=5) == check_ruleset(RULES, games=2, seed=5)


PLANTED = {
    "a copy is equal, and a game of its own": (
        Game,
        "copy",
        lambda game: game.rules.new_game(game.players, 99),
    ),
    "a snapshot restores the position": (
        Game,
        "snapshot",
        lambda game: game.rules.new_game(game.players, 99).snapshot(),
    ),
    "a record played again leads to the same position": (
        Game,
        "record",
        lambda game: game.rules.new_game(game.players, 99).record(),
    ),
    "a move taken back and made again changes nothing": (Game, "undo", lambda game: None),
    "every legal move has a number of its own": (ActionSpace, "encode", lambda space, move, values: (1,)),
}


@pytest.mark.parametrize("claim", PLANTED)
def test_a_fault_of_the_engine_is_named(claim: str, monkeypatch: pytest.MonkeyPatch) -> None:
    owner, name, instead = PLANTED[claim]
    monkeypatch.setattr(owner, name, instead)
    assert claim in failures(RULES)


def test_a_view_that_leaks_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = Game.log

    def leaky(game: Game, seat: int | None = None) -> list[str]:
        stock = game._state.zones[game._machine.setup.zone_places["stock"][0][0]]
        return [*honest(game, seat), str(stock)]

    monkeypatch.setattr(Game, "log", leaky)
    found = failures(RULES)
    assert list(found) == ["nobody is told of cards he does not see"]
    assert "and sees neither, after" in found["nobody is told of cards he does not see"]


def test_a_move_that_goes_through_though_it_is_refused_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = Game.play

    def lax(game: Game, move: object) -> object:
        try:
            return honest(game, move)  # type: ignore[arg-type]
        except rulekit.MoveError:
            return honest(game, game.legal_moves()[0])

    monkeypatch.setattr(Game, "play", lax)
    assert "a refused move changes nothing" in failures(RULES)


def test_a_lost_card_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = Machine.apply

    def careless(machine: Machine, state: object, action: object) -> None:
        honest(machine, state, action)  # type: ignore[arg-type]
        zone = next(number for number, cards in enumerate(state.zones) if cards)  # type: ignore[attr-defined]
        state.zones[zone] = state.zones[zone][1:]  # type: ignore[attr-defined]

    monkeypatch.setattr(Machine, "apply", careless)
    assert failures(RULES)


@pytest.mark.parametrize("name", ["hockey-1961", "kuhn-poker", "klondike"])
def test_shipped_rulesets_pass_a_short_run(name: str) -> None:
    check_ruleset(name, games=2)


@pytest.mark.long
@pytest.mark.parametrize("name", rulekit.shipped_rulesets())
def test_every_shipped_ruleset_passes(name: str) -> None:
    check_ruleset(name, games=30)


# ---------------------------------------------------------------- strategies


@settings(deadline=None, max_examples=20)
@given(strategies.options(RULES), strategies.player_counts(RULES), strategies.seeds())
def test_options_and_players_are_those_of_the_rules(options: dict[str, str], players: int, seed: int) -> None:
    assert set(options) == {"hand_size"}
    assert options["hand_size"] in ("2", "3")
    assert players in (2, 3)
    assert 0 <= seed < 2**64


@settings(deadline=None, max_examples=30)
@given(strategies.games(RULES))
def test_games_obey_what_the_rules_require(game: rulekit.Game) -> None:
    assert game.options["hand_size"] != 3 or game.players != 3
    assert bool(game.legal_moves()) != game.is_over


@settings(deadline=None, max_examples=30)
@given(strategies.move_sequences(RULES))
def test_a_sequence_of_moves_can_be_made(drawn: tuple[rulekit.Game, list[str]]) -> None:
    game, moves = drawn
    assert game.log() == []
    for move in moves:
        game.play(move)
    assert len(game.log()) == len(moves)


@settings(deadline=None, max_examples=20)
@given(strategies.rulesets(["hockey", RULES]), st.data())
def test_of_several_rulesets_one_is_drawn(rules: rulekit.Ruleset, data: st.DataObject) -> None:
    assert rules.name in ("hockey", "game")
    game = data.draw(strategies.new_games(rules))
    assert game.rules.name == rules.name


def test_picks_are_taken_round_and_stop_at_the_end() -> None:
    game = RULES.new_game(2, seed=1)
    legal = [str(move) for move in game.legal_moves()]
    assert play_on(game, [5, 0, 7, 9])[0] == legal[5 % len(legal)]
    assert game.is_over


def test_the_package_loads_neither_pytest_nor_hypothesis_by_itself() -> None:
    code = "import sys, rulekit.testing; print({'pytest', 'hypothesis', 'rulekit.game'} & set(sys.modules))"
    root = str(Path(rulekit.__file__).parent.parent)
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env={"PYTHONPATH": root}, check=True
    )
    assert done.stdout.strip() == "set()"
