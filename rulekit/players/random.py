"""The bot that plays any legal move, each as likely as the others."""

from __future__ import annotations

from rulekit.players.bot import Turn


class RandomBot:
    """Uniform over the legal moves: one draw each turn, a forced move included, so all engines agree."""

    def choose(self, turn: Turn) -> int:
        return turn.draws.below(len(turn.moves))
