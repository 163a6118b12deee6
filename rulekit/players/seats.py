"""Bots in their seats: asks the one that is to move, and takes only a legal move from it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rulekit.engine import Action, Decision, Machine, State
from rulekit.game.game import Game
from rulekit.game.moves import Move
from rulekit.players.bot import Bot, Draws, Turn
from rulekit.players.imagine import Imagined

if TYPE_CHECKING:
    from rulekit.players.rollouts import Rollouts


class BotError(RuntimeError):
    """A bot chose something that is not in the list of legal moves. The fix is in the bot."""


def choose(machine: Machine, state: State, bot: Bot, draws: Draws) -> Action:
    """The legal action that the bot, sitting where the decision is, wants to make.

    Raises BotError if it does not choose one, and ValueError if the game is over.
    """
    decision = machine.decision(state)
    if decision is None:
        raise ValueError("the game is over: there is nothing to choose")
    legal = state.legal
    place = bot.choose(turn(machine, state, decision, draws))
    if not isinstance(place, int) or isinstance(place, bool) or not 0 <= place < len(legal):
        raise BotError(f"{type(bot).__name__} chose {place!r} among {len(legal)} legal moves")
    return legal[place]


def turn(machine: Machine, state: State, decision: Decision, draws: Draws) -> Turn:
    """What the bot is told that must decide."""
    seat = decision.actor

    def imagined() -> Imagined | None:
        return None if decision.kind == "sealed" else Imagined(machine, state, decision, draws)

    def rolled() -> Rollouts | None:
        from rulekit.players.rollouts import rollouts

        return rollouts(machine, state, decision, draws)

    setup = machine.setup
    return Turn(
        seat,
        decision.whom,
        state.legal,
        draws,
        lambda: machine.view(state, seat),
        imagined,
        rolled,
        setup.team_players(setup.team_of(seat)) if setup.teams else (seat,),
        setup.program.end.highest,
    )


def play_out(machine: Machine, state: State, bots: Sequence[Bot], draws: Draws) -> None:
    """The bots play to the end of the game, one in each seat; the state changes in place."""
    while (decision := machine.decision(state)) is not None:
        machine.apply(state, choose(machine, state, bots[decision.actor], draws))


def position(game: Game) -> tuple[Machine, State]:
    """The engine and the state behind a game: for those who run a table, never for a bot."""
    return game._machine, game._state


def bot_move(game: Game, bot: Bot, draws: Draws) -> Move:
    """The move that a bot wants to make in a game, sitting where the decision is."""
    machine, state = position(game)
    action = choose(machine, state, bot, draws)
    return game.legal_moves()[state.legal.index(action)]
