"""Options as people give them: Python values or text, checked against what the rules allow."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rulekit.diagnostics import nearest
from rulekit.game.errors import SettingError
from rulekit.game.wording import described, listed, quoted, whole, whole_number
from rulekit.program import Program
from rulekit.program.program import OptionDef
from rulekit.program.types import LIMIT, Bool, Int

OptionValue = bool | int | str  #: a word option has its word as a str
LISTED = 12  #: so many values are listed one by one, more as a range


@dataclass(frozen=True)
class Option:
    """An option of a ruleset: what may be chosen, what is chosen if nobody does, and what it means.

    ``value`` is chosen and ``default`` what stands in the file. ``values`` lists all that may be chosen
    (None: every number from ``low`` to ``high``). ``fixed``: a variant has made it a constant.
    """

    name: str
    value: OptionValue
    default: OptionValue
    values: tuple[OptionValue, ...] | None
    low: int | None = None
    high: int | None = None
    text: str | None = None
    fixed: bool = False

    def allowed(self) -> str:
        """The values in words: `true, false` or `5 to 31`."""
        if self.values is None:
            return f"{self.low} to {self.high}"
        return ", ".join(option_text(value) for value in self.values)


def describe_option(option: OptionDef, value: int | bool | None = None) -> Option:
    """What people are told about an option of the program; ``value`` is chosen (None: the default)."""
    low = high = None
    values: tuple[OptionValue, ...] | None
    if option.words:
        values = option.words
    elif option.values:
        values = option.values
    elif isinstance(option.type, Bool):
        values = (True, False)
    else:
        values = None
        if isinstance(option.type, Int):
            low, high = option.type.low, option.type.high
            if high - low < LISTED:
                values = tuple(range(low, high + 1))
    start = shown(option, option.start)
    chosen = start if value is None else shown(option, value)
    return Option(option.name, chosen, start, values, low, high, option.text, option.fixed)


def shown(option: OptionDef, value: int | bool) -> OptionValue:
    """A value as Python code gets it: a word as its text, numbers and conditions as themselves."""
    if option.words and not isinstance(value, bool):
        return option.words[value]
    return value


def option_text(value: OptionValue) -> str:
    """A value as it is written in files and on the command line."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def read_options(program: Program, given: Mapping[str, Any] | None) -> dict[str, int | bool]:
    """The program's own values for options given by name, as Python values or text.

    Raises SettingError (RK925) for an unknown name, a value that is not allowed, or a fixed option.
    """
    chosen: dict[str, int | bool] = {}
    if given is not None and not isinstance(given, Mapping):
        message = f"options are given by name, as in `{{'target': 11}}`, not as {described(given)}"
        raise SettingError("RK925", message)
    for name, value in (given or {}).items():
        option = program.options.get(name)
        if option is None:
            raise SettingError("RK925", _no_such(program, str(name)))
        read = read_value(option, value)
        if option.fixed and read != option.start:
            raise SettingError(
                "RK925", f"option `{name}` is fixed at `{option.format(option.start)}` in `{program.name}`"
            )
        chosen[name] = read
    return chosen


def read_value(option: OptionDef, value: object) -> int | bool:
    """The program's own value for one given as a Python value or text; raises SettingError (RK925)."""
    found = _own(option, value)
    if found is None or not option.accepts(found):
        told = describe_option(option)
        text = option_text(value) if isinstance(value, bool | int | str) else str(value)
        choice = "a number from" if told.values is None else "one of"
        message = f"option `{option.name}` cannot be {quoted(text)}: it is {choice} {told.allowed()}"
        close = nearest(text, option.words) if option.words else None
        raise SettingError("RK925", message + (f"; did you mean `{close}`?" if close else ""))
    return found


def _own(option: OptionDef, value: object) -> int | bool | None:
    if isinstance(value, Option):
        value = value.value
    if isinstance(value, str):
        text = value.strip()
        if option.words:
            folded = text.casefold().replace("-", "_")
            return option.words.index(folded) if folded in option.words else None
        if isinstance(option.type, Bool) or any(isinstance(v, bool) for v in option.values):
            return {"true": True, "yes": True, "false": False, "no": False}.get(text.casefold())
        return whole_number(text)
    if isinstance(value, bool):
        return None if option.words else value
    number = whole(value, -LIMIT, LIMIT)
    return None if option.words or isinstance(option.type, Bool) else number


def _no_such(program: Program, name: str) -> str:
    close = nearest(name, program.options)
    if close:
        return f"`{program.name}` has no option {quoted(name)}: did you mean `{close}`?"
    return f"`{program.name}` has no option {quoted(name)}: it has {listed(program.options)}"
