"""What holds of every game of every ruleset, with any options, players, seed and moves."""

from __future__ import annotations

import pickle

from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tables import games, picks, play_on, tables

import rulekit
from rulekit.testing.secrets import told, unseen, with_cards_exchanged

SEATS = st.integers(0, 6)

#: Counters that change for a reason only.
COUNTERS = {"hockey": "goals", "hucklebuck": "score", "sixty-six": "game"}


@settings(deadline=None, max_examples=30)
@given(games())
def test_rep_04_a_game_is_restored_as_it_was_kept(game: rulekit.Game) -> None:
    data = game.snapshot()
    again = game.rules.restore(data)
    assert again.fingerprint == game.fingerprint
    assert again._state == game._state
    assert again.to_move == game.to_move
    assert again.legal_moves() == game.legal_moves()
    assert [again.view(seat) for seat in range(game.players)] == [game.view(s) for s in range(game.players)]
    assert again.record() == game.record()
    assert again.snapshot() == data


@settings(deadline=None, max_examples=30)
@given(games(40), picks(10))
def test_a_restored_game_goes_on_like_the_one_that_was_kept(game: rulekit.Game, more: list[int]) -> None:
    again = game.rules.restore(game.snapshot())
    assert play_on(again, more) == play_on(game, more)
    assert again.fingerprint == game.fingerprint
    while game.can_undo:
        assert game.undo() == again.undo()
        assert again.fingerprint == game.fingerprint
    assert not again.can_undo


@settings(deadline=None, max_examples=30)
@given(tables(), picks())
def test_rep_06_undo_goes_back_over_every_border_and_redo_forth(game: rulekit.Game, moves: list[int]) -> None:
    before = [game.fingerprint]
    views = [game.view(0)]
    for pick in moves:
        if play_on(game, [pick]):
            before.append(game.fingerprint)
            views.append(game.view(0))
    for number in range(len(before) - 2, -1, -1):
        game.undo()
        assert (game.fingerprint, game.view(0)) == (before[number], views[number])
    assert game.undo() is None
    for number in range(1, len(before)):
        game.redo()
        assert (game.fingerprint, game.view(0)) == (before[number], views[number])
    assert game.redo() is None


@settings(deadline=None, max_examples=30)
@given(games())
def test_a_record_played_again_leads_to_the_same_position(game: rulekit.Game) -> None:
    record = game.record()
    again = game.rules.replay(rulekit.Record.parse(record.text()))
    assert again.fingerprint == game.fingerprint == record.state
    assert again.receipts == game.receipts
    assert again.log() == game.log()
    assert again.record() == record


@settings(deadline=None, max_examples=30)
@given(games(30), SEATS, st.data())
def test_hid_01_cards_not_seen_change_nothing_that_a_player_is_told(
    game: rulekit.Game, seat: int, data: st.DataObject
) -> None:
    seat %= game.players
    hidden = unseen(game, seat)
    assume(len(hidden) > 1)
    one, other = data.draw(st.lists(st.sampled_from(hidden), min_size=2, max_size=2, unique=True))
    assert told(with_cards_exchanged(game, one, other), seat) == told(game, seat)


@settings(deadline=None, max_examples=30)
@given(games())
def test_there_is_a_legal_move_unless_the_game_is_over(game: rulekit.Game) -> None:
    moves = game.legal_moves()
    assert bool(moves) != game.is_over
    assert (game.to_move is None) == game.is_over
    assert game.is_over == (game.outcome is not None)
    for seat in range(game.players):
        assert game.legal_moves(seat) == (moves if seat == game.to_move else [])
    if game.outcome is not None:
        assert game.outcome.reason == "played out"
        assert sorted(seat for group in game.outcome.ranking for seat in group) == list(range(game.players))


@settings(deadline=None, max_examples=30)
@given(games())
def test_sim_02_each_legal_move_has_a_text_of_its_own_in_any_case(game: rulekit.Game) -> None:
    moves = game.legal_moves()
    texts = [str(move) for move in moves]
    assert len({text.casefold() for text in texts}) == len(texts)
    for move in moves:
        for text in (move.text, move.text.upper(), move.text.lower(), f"  {move.text}  "):
            found = game.why(text)
            assert found.legal
            assert found.move == move.text


@settings(deadline=None, max_examples=30)
@given(games(), st.text() | st.from_regex(r"[a-z_]{1,8}( [0-9A-Z]{1,3}){0,6}", fullmatch=True))
def test_no_text_raises_anything_but_a_move_error_and_none_changes_the_game(
    game: rulekit.Game, text: str
) -> None:
    before = game.fingerprint
    try:
        game.play(text)
    except rulekit.MoveError:
        assert game.fingerprint == before


@settings(deadline=None, max_examples=30)
@given(games())
def test_rules_can_be_pickled_and_play_the_same(game: rulekit.Game) -> None:
    rules = pickle.loads(pickle.dumps(game.rules))
    assert rules.replay(game.record()).fingerprint == game.fingerprint


@settings(deadline=None, max_examples=30)
@given(games(names=list(COUNTERS)))
def test_the_score_sheet_adds_up(game: rulekit.Game) -> None:
    counter = COUNTERS[game.rules.name]
    totals = [0] * game.players
    for receipt in game.receipts:
        if receipt.counter == counter and isinstance(receipt.member, int):
            totals[receipt.member] += receipt.amount
    assert tuple(totals) == game.view(0).state[counter]
