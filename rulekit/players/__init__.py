"""Bots: programs that play, told no more than their seat may know."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from rulekit.players.bot import Bot, Draws, Turn
from rulekit.players.greedy import GreedyBot
from rulekit.players.random import RandomBot
from rulekit.players.seats import BotError, bot_move, choose, play_out

#: The bots by name.
BOTS: Mapping[str, Callable[[], Bot]] = {"random": RandomBot, "greedy": GreedyBot}

__all__ = [
    "BOTS",
    "Bot",
    "BotError",
    "Draws",
    "GreedyBot",
    "RandomBot",
    "Turn",
    "bot_move",
    "choose",
    "play_out",
]
