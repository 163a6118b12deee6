"""Values in texts: `{target}` in what an author writes is the option's value at this table."""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from typing import Any

from rulekit.program import Setup
from rulekit.program.texts import fill


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
