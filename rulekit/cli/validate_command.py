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

MOST_ENTRIES = 10_000  #: files and folders of a folder that is looked through for rule files
MOST_READ = 64 * 1024  #: bytes of a file by which it is known as a rule file


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
    """Each argument; a folder gives the rule files in it and below, by name, hidden ones left out.

    How many there are, and how many other YAML files, is said on standard error.
    Raises UsageError for a folder without any, and for one that is too large to be of rule files.
    """
    seen: set[str] = set()
    for argument in arguments:
        found = [argument]
        if _is_folder(argument):
            every = sorted(_files_below(argument), key=lambda name: name.rpartition(".")[0])
            found = [name for name in every if _is_rule_file(name)]
            if not found:
                raise click.UsageError(f"there are no rule files (`.yaml`) in `{clean(argument)}`")
            others = len(every) - len(found)
            left_out = f", leaving out {counted(others, 'other YAML file')}" if others else ""
            echo(f"reading {counted(len(found), 'rule file')} in {clean(argument)}{left_out}", err=True)
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
    looked_at = 0
    for base, folders, files in os.walk(folder):
        looked_at += 1 + len(files)
        if looked_at > MOST_ENTRIES:
            raise click.UsageError(
                f"`{clean(folder)}` holds more than {MOST_ENTRIES} files and folders: "
                "name the folder in which the rules lie"
            )
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in files:
            if name.endswith((".yaml", ".yml")) and not name.startswith("."):
                yield os.path.join(base, name)


def _is_rule_file(name: str) -> bool:
    """Has it one of the keys that only rule files have together? Others of a folder are not ours to judge."""
    try:
        with Path(name).open("rb") as stream:
            start = stream.read(MOST_READ)
    except (OSError, ValueError):
        return True  # why it cannot be read is for the reader to say
    keys = set(re.findall(rb"^(?:\xef\xbb\xbf)?([a-z]+)\s*:", start, re.MULTILINE))
    return (
        bool(keys & {b"rulekit", b"block"})
        or len(keys & {b"deck", b"zones", b"play", b"moves", b"extends"}) > 1
    )


def has_no_games(name: str) -> bool:
    """A block, and a catalogue of translations, has no games of its own."""
    try:
        text = Path(name).read_text(encoding="utf-8", errors="replace")
    except (OSError, ValueError):
        return False
    return re.search(r"^(block|language)\s*:", text, re.MULTILINE) is not None
