"""What a bot is, and what it is told: one seat's view and legal moves, never the state of the game."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

from rulekit.engine import Action, View, chance
from rulekit.players.imagine import Imagined

if TYPE_CHECKING:
    from rulekit.players.rollouts import Rollouts


class Draws:
    """A stream of random numbers for players: splitmix64, as in the engine, from a stream of its own."""

    def __init__(self, state: int) -> None:
        self.state = state

    @classmethod
    def for_game(cls, seed: int, game: int = 0) -> Draws:
        """The stream of random players of game ``game`` in a batch: what they draw never moves a deal."""
        return cls(chance.streams(seed, game)[1])

    def below(self, n: int) -> int:
        """A number from 0 up to but not including ``n``. Always takes one draw."""
        self.state, number = chance.below(self.state, n)
        return number


class Turn:
    """What a bot is told when it is to move.

    ``seat`` is the bot's seat and ``whom`` the one it moves for (itself but for a dummy), ``moves`` the
    legal moves in the order of their numbers, ``draws`` the random numbers it may use; ``allies`` are the
    seats of
    its team, itself among them, and ``highest`` tells whether the highest score wins. The view is made
    when it is
    looked at.
    """

    def __init__(
        self,
        seat: int,
        whom: int,
        moves: Sequence[Action],
        draws: Draws,
        view: Callable[[], View],
        imagine: Callable[[], Imagined | None],
        rollouts: Callable[[], Rollouts | None],
        allies: Sequence[int],
        highest: bool,
    ) -> None:
        self.seat = seat
        self.whom = whom
        self.moves = moves
        self.draws = draws
        self._view = view
        self._imagine = imagine
        self._rollouts = rollouts
        self.allies = tuple(allies)
        self.highest = highest

    @cached_property
    def view(self) -> View:
        """What the seat may see."""
        return self._view()

    def imagine(self) -> Imagined | None:
        """A table like this one as far as the seat can tell, to try moves at.

        None where others have made sealed choices: what follows from a move is then no business of the bot.
        """
        return self._imagine()

    def rollouts(self) -> Rollouts | None:
        """Tables like this one as far as the seat can tell, at which moves can be tried to the end.

        What they bring does not depend on what the seat cannot know. None where that cannot be had.
        """
        return self._rollouts()


class Bot(Protocol):
    """A player that is a program."""

    def choose(self, turn: Turn) -> int:
        """The place in ``turn.moves`` of the move to make."""
        ...
