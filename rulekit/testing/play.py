"""Playing on by numbers, whatever the legal moves are."""

from __future__ import annotations

from collections.abc import Iterable

from rulekit.game.game import Game


def play_on(game: Game, picks: Iterable[int]) -> list[str]:
    """Plays on until the picks are used up or the game is over.

    A pick is a number from 0: with n legal moves it chooses the one at place ``pick % n``. Returns the texts
    of the moves made.
    """
    made = []
    for pick in picks:
        moves = game.legal_moves()
        if not moves:
            break
        made.append(moves[pick % len(moves)].text)
        game.play(made[-1])
    return made
