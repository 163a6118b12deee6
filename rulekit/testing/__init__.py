"""Help for those who test rulesets, their own or ours.

`check_ruleset` runs one checklist over any ruleset. `rulekit.testing.strategies` has Hypothesis strategies
for tests of your own. `rulekit.testing.pytest_plugin` collects the examples of rule files.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rulekit.testing.checklist import Checklist, ChecklistFailed, ItemResult, check_ruleset
    from rulekit.testing.play import play_on
    from rulekit.testing.secrets import told, with_cards_exchanged

_PLACES = {
    "Checklist": "checklist",
    "ChecklistFailed": "checklist",
    "ItemResult": "checklist",
    "check_ruleset": "checklist",
    "play_on": "play",
    "told": "secrets",
    "with_cards_exchanged": "secrets",
}

__all__ = [
    "Checklist",
    "ChecklistFailed",
    "ItemResult",
    "check_ruleset",
    "play_on",
    "told",
    "with_cards_exchanged",
]


def __getattr__(name: str) -> object:
    # Loaded when used: the plugin of pytest imports this package in every project.
    if name not in _PLACES:
        raise AttributeError(f"module `rulekit.testing` has no `{name}`")
    return getattr(importlib.import_module(f"rulekit.testing.{_PLACES[name]}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
