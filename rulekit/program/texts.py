"""Values in texts: `{target}` in a `text` stands for what that option or fixed number is at this table.

Nothing else in braces means anything: it is printed as it stands.
"""

from __future__ import annotations

import re

from rulekit.program.constants import NotConstant, constant_value
from rulekit.program.setup import Setup

MARK = re.compile(r"(?<!\{)\{([a-z][a-z0-9_]*)\}(?!\})")


def fill(text: str, setup: Setup) -> str:
    """The text with the values of this table in it."""
    if "{" not in text:
        return text
    return MARK.sub(lambda found: value_of(found[1], setup) or found[0], text)


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
