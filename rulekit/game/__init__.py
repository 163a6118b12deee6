"""Rulesets and games: one face over the language and the engine."""

from rulekit.game.errors import AmbiguousMove, IllegalMove, InvalidMove, MoveError, RecordError, SettingError
from rulekit.game.examples import ExampleResult
from rulekit.game.explain import Explanation
from rulekit.game.game import Game
from rulekit.game.loading import shipped_rulesets, validate
from rulekit.game.moves import Move
from rulekit.game.options import Option
from rulekit.game.prompt import Offer, Prompt
from rulekit.game.record import Record
from rulekit.game.ruleset import Ruleset, load, replay
from rulekit.game.view import Played, Receipt, View

__all__ = [
    "AmbiguousMove",
    "ExampleResult",
    "Explanation",
    "Game",
    "IllegalMove",
    "InvalidMove",
    "Move",
    "MoveError",
    "Offer",
    "Option",
    "Played",
    "Prompt",
    "Receipt",
    "Record",
    "RecordError",
    "Ruleset",
    "SettingError",
    "View",
    "load",
    "replay",
    "shipped_rulesets",
    "validate",
]
