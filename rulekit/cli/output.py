"""How things are printed: nothing an author wrote can steer the terminal, tables, colour, card signs."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Any

import click

from rulekit.diagnostics.render import visible

SIGNS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}

WIDTH = 110  #: columns of text where the output is no terminal

COLOURS: dict[str, dict[str, Any]] = {
    "error": {"fg": "red", "bold": True},
    "warning": {"fg": "yellow", "bold": True},
    "code": {"bold": True},
    "place": {"fg": "blue"},
    "caret": {"fg": "red"},
    "label": {"fg": "cyan"},
}


def clean(text: str, *, keep_lines: bool = False) -> str:
    """The text with every character that could steer a terminal written out: `\\x1b`, `\\u{202e}`.

    With ``keep_lines`` line ends stay (all others are escaped too).
    """
    return "\n".join(map(visible, text.split("\n"))) if keep_lines else visible(text)


def in_colour(text: str, role: str) -> str:
    """The style of findings on a terminal; `echo` takes colours out again where they are not wanted."""
    return click.style(text, **COLOURS.get(role, {}))


def prepare_streams() -> None:
    """Characters the terminal's encoding lacks are written out instead of raising."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(AttributeError, OSError, ValueError):
            stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]


def coloured() -> bool | None:
    """What click's `color` should be: never with NO_COLOR, else as the stream allows."""
    return False if os.environ.get("NO_COLOR") else None


def echo(text: str = "", *, err: bool = False, nl: bool = True) -> None:
    """Print a line; styled text loses its colours where they are not wanted."""
    click.echo(text, err=err, nl=nl, color=coloured())


def strong(text: str) -> str:
    """Text that stands out on a terminal."""
    return click.style(text, bold=True)


def faint(text: str) -> str:
    """Text of less weight on a terminal."""
    return click.style(text, dim=True)


def table(rows: Iterable[Sequence[object]], headers: Sequence[str], right: Sequence[int] = ()) -> str:
    """A plain table; columns numbered in ``right`` (from 0) are flush right.

    A last column of prose is left out if it is empty throughout, and wrapped where the screen is narrow.
    """
    from tabulate import tabulate

    body = [[clean(str(cell)) for cell in row] for row in rows]
    heads = list(headers)
    if body and len(heads) > 1 and not any(row[-1] for row in body):
        body, heads = [row[:-1] for row in body], heads[:-1]
    widths = [max(len(row[i]) for row in [heads, *body]) for i in range(len(heads))]
    room = max(30, shutil.get_terminal_size((WIDTH, 24)).columns - sum(widths[:-1]) - 2 * (len(heads) - 1))
    wrap = [None] * (len(heads) - 1) + [room] if len(heads) - 1 not in right else None
    align = ["right" if i in right else "left" for i in range(len(heads))]
    return tabulate(
        body,
        headers=heads,
        tablefmt="simple",
        disable_numparse=True,
        colalign=align if body else None,
        maxcolwidths=wrap if body else None,
    )


def counted(number: int, one: str, many: str | None = None) -> str:
    """`1 game`, `2,000 games`."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def seat_name(seat: int) -> str:
    """Seats are counted from 0 in Python, and are P1, P2 ... to people."""
    return f"P{seat + 1}"


def can_show_signs(ascii_only: bool) -> bool:
    """May suits be drawn as ♣♦♥♠: not asked otherwise, and the output's encoding has them?"""
    if ascii_only:
        return False
    try:
        "".join(SIGNS.values()).encode(getattr(sys.stdout, "encoding", None) or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def progress_wanted() -> bool:
    """Progress is shown only to people: standard error must be a terminal."""
    try:
        return sys.stderr.isatty()
    except (AttributeError, ValueError):
        return False


def players_text(players: Sequence[int] | None) -> str:
    """`2`, `3 to 7`; a dash where it is not known."""
    if not players:
        return "-"
    low, high = players
    return str(low) if low == high else f"{low} to {high}"
