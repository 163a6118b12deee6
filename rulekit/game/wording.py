"""Small pieces of message text: quoting what somebody typed, listing names."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from operator import index

SHORT = 48  #: longer texts are cut when quoted
MANY = 8  #: so many names are listed, then dots


def quoted(text: str) -> str:
    """The text in backticks, cut if long, with characters that would upset a terminal written as `\\x1b`."""
    if len(text) > SHORT:
        text = text[: SHORT - 3] + "..."
    safe = "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)
    return f"`{safe.replace('`', chr(39))}`"


def listed(names: Iterable[str], *, empty: str = "none") -> str:
    """Names in backticks with commas."""
    return ", ".join(f"`{name}`" for name in names) or empty


def several(names: Sequence[str]) -> str:
    """The first few names with commas, and dots if there are more."""
    return ", ".join(names[:MANY]) + (", ..." if len(names) > MANY else "")


def whole_number(text: str) -> int | None:
    """A number in plain digits, with or without a sign, of at most nine digits; else None."""
    digits = text[1:] if text[:1] in ("-", "+") else text
    if not digits.isascii() or not digits.isdigit() or len(digits) > 9:
        return None
    return int(text)


def whole(value: object, least: int = 0, most: int | None = None) -> int | None:
    """The whole number that a value is, if it lies within the bounds, else None.

    Numbers of other libraries that stand for whole ones will do, such as numpy's; conditions will not.
    """
    if isinstance(value, bool):
        return None
    try:
        number = index(value)  # type: ignore[arg-type]
    except TypeError:
        return None
    return number if least <= number and (most is None or number <= most) else None


def described(value: object) -> str:
    """A value as a caller gave it, told with its kind where the value alone would mislead: `4` as a text."""
    if isinstance(value, str):
        return f"the text {quoted(value)}"
    if isinstance(value, bool | int | float) or value is None:
        return quoted(str(value))
    return f"a value of type {type(value).__name__}"
