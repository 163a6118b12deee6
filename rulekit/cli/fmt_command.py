"""`rulekit fmt`: rule files in canonical order and spacing."""

from __future__ import annotations

import difflib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rulekit.cli.loading import FOUND, OK, USAGE, unreadable
from rulekit.cli.output import clean, counted, echo, in_colour

if TYPE_CHECKING:
    from rulekit.diagnostics import Diagnostic
    from rulekit.source.load import Opened

STDIN = "-"


@click.command("fmt")
@click.argument("files", nargs=-1, required=True)
@click.option("--check", is_flag=True, help="Write nothing; list what would change and exit with 1 for it.")
@click.option("--diff", is_flag=True, help="Write nothing; show what would change and exit with 1 for it.")
@click.option(
    "--stdin-filename",
    metavar="FILE",
    default="<stdin>",
    show_default=True,
    help="What `-` is called, and where its bases and blocks are looked up.",
)
def command(files: tuple[str, ...], check: bool, diff: bool, stdin_filename: str) -> int:
    """Format FILES in place: rule files, block files, folders of them, or `-` from standard input to output.

    Keys are put into the order of the language, lines are indented, and blanks stand where they belong, in
    the expressions too. Lines are neither joined nor broken, comments stay where they are, and the rules
    mean the same. A file that cannot be read as rules is left alone, and its mistakes are told.
    """
    from rulekit.formatting import format_opened

    found: list[Diagnostic] = []
    changed, total = 0, 0
    for path, opened in _opened(files, stdin_filename, found):
        total += 1
        mistakes, text = format_opened(opened)
        found += mistakes
        if text is None:
            continue
        same = text == opened.source.text
        changed += not same
        if diff:
            _show_diff(opened.source.name, opened.source.text, text)
        elif check:
            if not same:
                echo(f"would format {clean(opened.source.name)}")
        elif path is None:
            echo(text, nl=False)
        elif not same:
            _write(path, text)
            echo(f"formatted {clean(opened.source.name)}")
    _tell(found, total, changed, dry=check or diff, quiet=STDIN in files and not check)
    if unreadable(found):
        return USAGE
    return FOUND if found or (changed and (check or diff)) else OK


def _opened(
    files: tuple[str, ...], stdin_name: str, found: list[Diagnostic]
) -> Iterator[tuple[Path | None, Opened]]:
    """Each file with its path, None for standard input; those that cannot be read are among ``found``."""
    from rulekit.cli.validate_command import rule_files
    from rulekit.diagnostics import Findings
    from rulekit.source.load import open_source, shipped_rulesets

    for name in rule_files([name for name in files if name != STDIN]):
        if not name.endswith((".yaml", ".yml")) and name in shipped_rulesets() and not Path(name).exists():
            raise click.UsageError(f"`{clean(name)}` comes with rulekit: give the path of a file to format")
        findings = Findings()
        opened = open_source(name, findings)
        found += findings.sorted()
        if opened is not None:
            yield Path(name), opened
    if STDIN in files:
        findings = Findings()
        opened = _stdin(stdin_name)
        yield None, opened


def _stdin(name: str) -> Opened:
    from rulekit.diagnostics import SourceFile
    from rulekit.source.load import Opened, Shelf

    try:
        text = sys.stdin.buffer.read().decode("utf-8")
    except UnicodeDecodeError as error:
        raise click.UsageError(f"standard input is not UTF-8 text: byte {error.start + 1}") from None
    folder = Path(name).parent
    return Opened(SourceFile(name, text), Shelf(folder, "" if str(folder) == "." else f"{folder}/"))


def _write(path: Path, text: str) -> None:
    try:
        path.write_bytes(text.encode("utf-8"))
    except OSError as error:
        raise click.UsageError(f"`{clean(str(path))}` cannot be written: {error.strerror or error}") from None


def _show_diff(name: str, before: str, after: str) -> None:
    lines = difflib.unified_diff(
        before.splitlines(), after.splitlines(), clean(name), f"{clean(name)} (formatted)", lineterm=""
    )
    for line in lines:
        colour = {"+": "green", "-": "red", "@": "cyan"}.get(line[:1])
        echo(click.style(clean(line), fg=colour))


def _tell(found: list[Diagnostic], total: int, changed: int, *, dry: bool, quiet: bool) -> None:
    """What is wrong, and how many files there were."""
    from rulekit.diagnostics.render import render_text, summary

    if found:
        echo(render_text(found, in_colour), err=True)
        if not unreadable(found):
            echo(f"not formatted: {summary(found)}", err=True)
    if quiet:
        return
    files = counted(total, "file")
    if changed:
        echo(f"{files}: {changed} {'would change' if dry else 'changed'}", err=True)
    elif total and not found:
        echo(f"{files}: all formatted already", err=True)
