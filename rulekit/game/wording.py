"""Small pieces of message text: quoting what somebody typed, listing names."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

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


def is_whole(value: object, least: int = 0) -> bool:
    """Is it a whole number, and not less?"""
    return isinstance(value, int) and not isinstance(value, bool) and value >= least


def described(value: object) -> str:
    """A value as a caller gave it, told with its kind where the value alone would mislead: `4` as a text."""
    if isinstance(value, str):
        return f"the text {quoted(value)}"
    if isinstance(value, bool | int | float) or value is None:
        return quoted(str(value))
    return f"a value of type {type(value).__name__}"
