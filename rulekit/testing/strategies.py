"""Hypothesis strategies for rulesets: options, players, positions, sequences of moves.

    @given(strategies.games("games/my-game.yaml"))
    def test_somebody_may_move(game):
        assert game.legal_moves() or game.is_over

Where a ruleset is wanted, a name, a path, a `Ruleset` or a list of these will do; of a list one is drawn.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import cache

try:
    from hypothesis import strategies as st
except ModuleNotFoundError as error:  # pragma: no cover
    raise ModuleNotFoundError("strategies need Hypothesis: pip install 'rulekit[testing]'") from error

from rulekit.game.errors import SettingError
from rulekit.game.game import Game
from rulekit.game.ruleset import Ruleset, load
from rulekit.program.program import OptionDef
from rulekit.program.types import Int
from rulekit.testing.play import play_on

Rules = Ruleset | str | os.PathLike[str]


@cache
def _loaded(source: str) -> Ruleset:
    return load(source)


def _ruleset(source: Rules) -> Ruleset:
    return source if isinstance(source, Ruleset) else _loaded(os.fspath(source))


def rulesets(source: Rules | Sequence[Rules]) -> st.SearchStrategy[Ruleset]:
    """The ruleset, or one of them; each is loaded once."""
    if isinstance(source, Sequence) and not isinstance(source, str):
        return st.sampled_from(source).map(_ruleset)
    return st.builds(_ruleset, st.just(source))


def option_values(option: OptionDef) -> st.SearchStrategy[int | bool]:
    """Any value of an option, as the program has it; its default more often than others."""
    if option.fixed:
        return st.just(option.start)
    if option.words:
        return st.one_of(st.just(option.start), st.integers(0, len(option.words) - 1))
    if option.values:
        return st.sampled_from(option.values)
    if isinstance(option.type, Int):
        return st.one_of(st.just(option.start), st.integers(option.type.low, option.type.high))
    return st.booleans()


@st.composite
def options(draw: st.DrawFn, source: Rules | Sequence[Rules]) -> dict[str, str]:
    """Values for all options of a ruleset, as text. They need not go together (`requires`)."""
    return _options(draw, draw(rulesets(source)))


def _options(draw: st.DrawFn, rules: Ruleset) -> dict[str, str]:
    declared = rules.program.options
    return {
        name: option.format(draw(option_values(option)))
        for name, option in declared.items()
        if not option.fixed
    }


def player_counts(source: Rules) -> st.SearchStrategy[int]:
    """Any number of players that the game is for."""
    return st.integers(*_ruleset(source).players)


def seeds() -> st.SearchStrategy[int]:
    """Any seed."""
    return st.integers(0, 2**64 - 1)


def picks(most: int = 60) -> st.SearchStrategy[list[int]]:
    """Up to so many numbers that choose among legal moves, whatever these are (see `play_on`)."""
    return st.lists(st.integers(0, 10_000), max_size=most)


@st.composite
def new_games(draw: st.DrawFn, source: Rules | Sequence[Rules]) -> Game:
    """A new game with any options that go together, any number of players and any seed."""
    rules = draw(rulesets(source))
    chosen = _options(draw, rules)
    players = draw(st.integers(*rules.players))
    seed = draw(seeds())
    try:
        return rules.with_options(chosen).new_game(players, seed)
    except SettingError:
        return rules.new_game(players, seed)


@st.composite
def games(draw: st.DrawFn, source: Rules | Sequence[Rules], most: int = 60) -> Game:
    """A game played up to so many moves into: a random position."""
    game = draw(new_games(source))
    play_on(game, draw(picks(most)))
    return game


@st.composite
def move_sequences(
    draw: st.DrawFn, source: Rules | Sequence[Rules], most: int = 60
) -> tuple[Game, list[str]]:
    """A new game, and the texts of up to so many moves that can be made in it one after another."""
    game = draw(new_games(source))
    return game, play_on(game.copy(), draw(picks(most)))
