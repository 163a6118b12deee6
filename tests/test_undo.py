"""Taking back, making again, beginning again."""

from __future__ import annotations

import pytest
from tables import load, play_on

import rulekit

GAMES = ["hockey", "hucklebuck", "sixty-six"]


def random_picks(count: int) -> list[int]:
    """Numbers without pattern, the same every time."""
    found, number = [], 17
    for _ in range(count):
        number = (number * 48271 + 11) % (2**31 - 1)
        found.append(number >> 8)
    return found


@pytest.mark.parametrize("name", GAMES)
def test_rep_01_restarting_any_number_of_times_gives_the_same_deal(name: str) -> None:
    game = load(name).new_game(seed=42)
    first, view = game.fingerprint, game.view(0)
    play_on(game, random_picks(5))
    for _ in range(2):
        game.restart()
        assert (game.fingerprint, game.view(0)) == (first, view)
    restored = game.rules.restore(game.snapshot())
    assert (restored.fingerprint, restored.view(0)) == (first, view)
    play_on(restored, random_picks(7))
    restored = game.rules.restore(restored.snapshot())
    restored.restart()
    assert (restored.fingerprint, restored.view(0)) == (first, view)


def test_rep_01_a_restarted_game_can_be_played_forth_again() -> None:
    game = load("sixty-six").new_game(seed=42)
    moves = play_on(game, random_picks(30))
    end = game.fingerprint
    game.restart()
    assert game.log() == []
    assert [str(game.redo()) for _ in moves] == moves
    assert game.fingerprint == end


def test_rep_02_redo_restores_the_same_cards_over_a_reshuffle() -> None:
    game = load("sixty-six").new_game(seed=3)
    trumps = set()
    while game.view(0).state["game"] == (0, 0):
        moves = play_on(game, [len(game.log()) * 7])
        trumps.add(game.view(0).state["trump"])
        assert moves
    next_deal, view = game.fingerprint, game.view(0)
    last = game.undo()
    assert game.view(0).state["game"] == (0, 0)
    assert game.redo() == last
    assert (game.fingerprint, game.view(0)) == (next_deal, view)


def test_rep_02_after_another_branch_the_first_one_is_as_it_was() -> None:
    game = load("hockey").new_game(seed=8)
    play_on(game, random_picks(6))
    here = game.fingerprint
    first, second = game.legal_moves()[0], game.legal_moves()[-1]
    game.play(first)
    after_first = game.fingerprint
    game.undo()
    game.play(second)
    assert not game.can_redo
    assert game.fingerprint != after_first
    game.undo()
    assert game.fingerprint == here
    game.play(first)
    assert game.fingerprint == after_first


@pytest.mark.parametrize("name", GAMES)
def test_rep_06_a_whole_game_is_undone_to_its_start_and_redone_to_its_end(name: str) -> None:
    game = load(name).new_game(seed=1)
    start = game.fingerprint
    picks = random_picks(5000)
    moves = play_on(game, picks)
    assert game.is_over
    end, receipts, outcome = game.fingerprint, game.receipts, game.outcome
    assert [str(game.undo()) for _ in moves] == moves[::-1]
    assert (game.fingerprint, game.receipts, game.outcome) == (start, (), None)
    assert [str(game.redo()) for _ in moves] == moves
    assert (game.fingerprint, game.receipts, game.outcome) == (end, receipts, outcome)


def test_rep_07_a_card_taken_back_counts_for_nothing() -> None:
    rules = load("hucklebuck")
    given = {
        "trump": "spades",
        "hand of P1": "10D 3D",
        "hand of P2": "AD 4D",
        "hand of P3": "2S 3C",
        "hand of P4": "KS 5C",
    }

    def table() -> rulekit.Game:
        game = rules.new_game(4, draws=["P3"], phase=None, given=given)
        for move in ("exchange",) * 4 + ("lead 10D", "follow AD", "follow 2S"):
            game.play(move)
        return game

    game = table()
    assert game.to_move == 3
    game.play("follow KS")
    assert game.to_move == 3
    assert game.view(0).state["tricks"] == (0, 0, 0, 1)
    game.undo()
    game.play("follow 5C")
    direct = table()
    direct.play("follow 5C")
    assert game.to_move == 2
    assert game.view(0).state["tricks"] == (0, 0, 1, 0)
    assert game.fingerprint == direct.fingerprint
    assert game.record() == direct.record()


def test_rep_08_the_library_undoes_over_cards_that_were_turned_up() -> None:
    """Whether people may is for who lets them play: the command line does not."""
    game = load("hucklebuck").new_game(3, seed=2)
    before = game.view(game.to_move or 0)
    game.play(game.legal_moves()[-1])
    game.undo()
    assert game.view(before.seat) == before
    assert game.rules.replay(game.record()).fingerprint == game.fingerprint


def test_what_was_undone_is_not_in_the_record() -> None:
    game = load("hockey").new_game(seed=8)
    moves = play_on(game, random_picks(9))
    for _ in range(4):
        game.undo()
    assert [move.split(" ", 1)[1] for move in game.record().moves] == moves[:5]
    assert game.rules.replay(game.record()).fingerprint == game.fingerprint


def test_there_is_nothing_to_undo_at_the_start_nor_to_redo_at_the_end() -> None:
    game = load("hockey").new_game()
    assert (game.undo(), game.redo(), game.can_undo, game.can_redo) == (None, None, False, False)
    play_on(game, [0])
    assert (game.redo(), game.can_undo, game.can_redo) == (None, True, False)


def test_undo_far_back_in_a_long_game_does_not_keep_every_position() -> None:
    game = load("hockey").new_game(seed=1)
    play_on(game, random_picks(150))
    assert len(game._reference._kept) < 40
    positions = {}
    while game.can_undo:
        game.undo()
        positions[len(game.log())] = game.fingerprint
    fresh = load("hockey").new_game(seed=1)
    for number, pick in enumerate(random_picks(150)):
        if fresh.is_over:
            break
        assert fresh.fingerprint == positions[number]
        play_on(fresh, [pick])
