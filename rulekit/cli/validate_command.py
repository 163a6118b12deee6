"""`rulekit validate`: mistakes in rule files."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from rulekit.cli.loading import unreadable
from rulekit.cli.output import clean, counted, echo, in_colour
from rulekit.diagnostics import Diagnostic, Severity

FORMS = ("text", "json", "sarif", "github")


@click.command("validate")
@click.argument("files", nargs=-1, required=True)
@click.option(
    "--format", "form", type=click.Choice(FORMS), default="text", show_default=True, help="Output form."
)
@click.option("--strict", is_flag=True, help="Exit with 1 for warnings too.")
def command(files: tuple[str, ...], form: str, strict: bool) -> int:
    """Look for mistakes in FILES: rule files, block files, folders of them, or names of shipped rulesets.

    All mistakes of all files are told in one run. The exit code is 1 if there is an error, 2 if a file
    cannot be read.
    """
    from rulekit.game.loading import validate

    names = list(rule_files(files))
    # A mistake in a block is found again from every ruleset that uses it, and told once.
    told: dict[tuple[str, str], Diagnostic] = {}
    for name in names:
        for one in validate(name):
            told.setdefault((str(one), str(one.span)), one)
    found = list(told.values())
    _print(found, form)
    if form == "text":
        echo(_verdict(names, found), err=False)
    if unreadable(found):
        return 2
    return int(any(strict or one.severity is Severity.ERROR for one in found))


def _print(found: Sequence[Diagnostic], form: str) -> None:
    if form == "text":
        from rulekit.diagnostics.render import render_text

        if found:
            echo(render_text(found, in_colour))
        return
    from rulekit.diagnostics.reports import render_github, render_json, render_sarif

    render = {"json": render_json, "sarif": render_sarif, "github": render_github}[form]
    echo(render(found), nl=False)


def _verdict(names: Sequence[str], found: Sequence[Diagnostic]) -> str:
    from rulekit.diagnostics.render import summary

    what = clean(names[0]) if len(names) == 1 else counted(len(names), "file")
    return f"{what}: {summary(found) if found else 'no mistakes found'}"


def rule_files(arguments: Sequence[str]) -> Iterator[str]:
    """Each argument; a folder gives the YAML files in it and below, by name, hidden ones left out.

    Raises UsageError for a folder without any.
    """
    seen: set[str] = set()
    for argument in arguments:
        found = [argument]
        if _is_folder(argument):
            found = sorted(_files_below(argument), key=lambda name: name.rpartition(".")[0])
            if not found:
                raise click.UsageError(f"there are no `.yaml` files in `{clean(argument)}`")
        for name in found:
            if name not in seen:
                seen.add(name)
                yield name


def _is_folder(argument: str) -> bool:
    try:
        return Path(argument).is_dir() and ("/" in argument or os.sep in argument or not _shipped(argument))
    except (OSError, ValueError):
        return False


def _shipped(argument: str) -> bool:
    from rulekit.source.load import shipped_rulesets

    return argument in shipped_rulesets()


def _files_below(folder: str) -> Iterator[str]:
    for base, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in files:
            if name.endswith((".yaml", ".yml")) and not name.startswith("."):
                yield os.path.join(base, name)


def is_block(name: str) -> bool:
    """A block file has no games of its own."""
    try:
        text = Path(name).read_text(encoding="utf-8", errors="replace")
    except (OSError, ValueError):
        return False
    return re.search(r"^block\s*:", text, re.MULTILINE) is not None
