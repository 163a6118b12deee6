"""Bots: programs that play, told no more than their seat may know."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial

from rulekit.players.bot import Bot, Draws, Turn
from rulekit.players.greedy import GreedyBot
from rulekit.players.random import RandomBot
from rulekit.players.search import SearchBot
from rulekit.players.seats import BotError, bot_move, choose, play_out


class _Bots(Mapping[str, Callable[[], Bot]]):
    """Bots by name. `search:2000` is the search with so many roll-outs for a decision."""

    _makers: Mapping[str, Callable[[], Bot]] = {
        "random": RandomBot,
        "greedy": GreedyBot,
        "search": SearchBot,
    }

    def __getitem__(self, name: str) -> Callable[[], Bot]:
        base, colon, strength = name.partition(":")
        if not colon:
            return self._makers[name]
        if base != "search" or not (strength.isascii() and strength.isdigit()):
            raise KeyError(name)
        if not 1 <= int(strength) <= MOST_ROLLOUTS:
            raise KeyError(name)
        return partial(SearchBot, int(strength))

    def __iter__(self) -> Iterator[str]:
        return iter(self._makers)

    def __len__(self) -> int:
        return len(self._makers)


MOST_ROLLOUTS = 10_000_000  #: for one decision of a search

#: The bots by name; `search:N` is a search with N roll-outs for a decision.
BOTS: Mapping[str, Callable[[], Bot]] = _Bots()

__all__ = [
    "BOTS",
    "Bot",
    "BotError",
    "Draws",
    "GreedyBot",
    "RandomBot",
    "SearchBot",
    "Turn",
    "bot_move",
    "choose",
    "play_out",
]
