"""Values in texts: `{target}` in a `text` stands for what that option or fixed number is at this table.

Nothing else in braces means anything: it is printed as it stands.
"""

from __future__ import annotations

import re
from dataclasses import fields, is_dataclass, replace
from typing import Any

from rulekit.program.constants import NotConstant, constant_value
from rulekit.program.setup import Setup

MARK = re.compile(r"(?<!\{)\{([a-z][a-z0-9_]*)\}(?!\})")


def fill(text: str, setup: Setup) -> str:
    """The text with the values of this table in it."""
    if "{" not in text:
        return text
    return MARK.sub(lambda found: value_of(found[1], setup) or found[0], text)


def told(text: str | None, setup: Setup) -> str | None:
    """The same for a text that may be missing."""
    return None if text is None else fill(text, setup)


def value_of(name: str, setup: Setup) -> str | None:
    """What an option, or a define that options and players decide, is here; None for any other name."""
    program = setup.program
    if name in program.options:
        option = program.options[name]
        said = option.format(setup.options[name])
        return {"true": "yes", "false": "no"}.get(said, said.replace("_", " "))
    define = program.defines.get(name)
    if define is None or define.parameters:
        return None
    try:
        value = constant_value(define.body, setup.options, setup.players)
    except NotConstant:
        return None
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else None


def filled(setup: Setup) -> Setup:
    """The setup with every `text` of its program filled in."""
    program = setup.program

    def text(said: str) -> str:
        return fill(said, setup)

    def change(part: Any) -> Any:
        """The part with its texts filled, and those of its choices."""
        changes: dict[str, Any] = {}
        if getattr(part, "text", None):
            changes["text"] = text(part.text)
        if hasattr(part, "choices"):
            changes["choices"] = tuple(change(choice) for choice in part.choices)
        return replace(part, **changes) if changes else part

    told: dict[str, Any] = {}
    for field in fields(program):
        value = getattr(program, field.name)
        if isinstance(value, dict) and value and all(is_dataclass(part) for part in value.values()):
            told[field.name] = {name: change(part) for name, part in value.items()}
    told["text"] = text(program.text) if program.text else program.text
    return Setup(replace(program, **told), setup.players, setup.options)
