"""Card games written as YAML rule files: checked, explained and played by one engine.

    rules = rulekit.load("sixty-six")
    game = rules.new_game(seed=7)
    game.play(game.legal_moves()[0])

Everything listed in `__all__` is public. Names are imported when first used, so that `import rulekit`
costs next to nothing.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rulekit.adapters.vector import vector
    from rulekit.diagnostics import Diagnostic, Note, RulesetError, Severity, SourceFile, Span
    from rulekit.engine import Outcome
    from rulekit.game.engines import EngineError
    from rulekit.game.errors import (
        AmbiguousMove,
        IllegalMove,
        InvalidMove,
        MoveError,
        RecordError,
        SettingError,
    )
    from rulekit.game.examples import ExampleResult
    from rulekit.game.explain import Explanation
    from rulekit.game.game import Game
    from rulekit.game.loading import shipped_rulesets, validate
    from rulekit.game.moves import Move
    from rulekit.game.options import Option
    from rulekit.game.prompt import Offer, Prompt
    from rulekit.game.record import Record
    from rulekit.game.ruleset import Ruleset, load, replay
    from rulekit.game.stepper import Stepper
    from rulekit.game.view import Played, Receipt, View

__version__ = "0.1.0"

_PLACES = {
    "AmbiguousMove": "game.errors",
    "Diagnostic": "diagnostics",
    "EngineError": "game.engines",
    "ExampleResult": "game.examples",
    "Explanation": "game.explain",
    "Game": "game.game",
    "IllegalMove": "game.errors",
    "InvalidMove": "game.errors",
    "Move": "game.moves",
    "MoveError": "game.errors",
    "Note": "diagnostics",
    "Option": "game.options",
    "Offer": "game.prompt",
    "Outcome": "engine",
    "Played": "game.view",
    "Prompt": "game.prompt",
    "Receipt": "game.view",
    "Record": "game.record",
    "RecordError": "game.errors",
    "Ruleset": "game.ruleset",
    "RulesetError": "diagnostics",
    "SettingError": "game.errors",
    "Severity": "diagnostics",
    "SourceFile": "diagnostics",
    "Span": "diagnostics",
    "Stepper": "game.stepper",
    "View": "game.view",
    "load": "game.ruleset",
    "replay": "game.ruleset",
    "shipped_rulesets": "game.loading",
    "validate": "game.loading",
    "vector": "adapters.vector",
}

__all__ = [
    "AmbiguousMove",
    "Diagnostic",
    "EngineError",
    "ExampleResult",
    "Explanation",
    "Game",
    "IllegalMove",
    "InvalidMove",
    "Move",
    "MoveError",
    "Note",
    "Offer",
    "Option",
    "Outcome",
    "Played",
    "Prompt",
    "Receipt",
    "Record",
    "RecordError",
    "Ruleset",
    "RulesetError",
    "SettingError",
    "Severity",
    "SourceFile",
    "Span",
    "Stepper",
    "View",
    "__version__",
    "load",
    "replay",
    "shipped_rulesets",
    "validate",
    "vector",
]


def __getattr__(name: str) -> object:
    if name not in _PLACES:
        raise AttributeError(f"module `rulekit` has no `{name}`")
    found = getattr(importlib.import_module(f"rulekit.{_PLACES[name]}"), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
