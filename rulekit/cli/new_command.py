"""`rulekit new`: a starter rule file."""

from __future__ import annotations

import re
from pathlib import Path

import click

from rulekit.cli.output import clean, echo

NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
LONGEST = 60

STARTER = Path(__file__).with_name("starter.yaml")


@click.command("new")
@click.argument("name")
def command(name: str) -> None:
    """Write NAME.yaml: a commented rule file that validates and plays, to begin with.

    NAME is made of small letters, digits and hyphens; it may stand in a folder that exists: `games/my-game`.
    An existing file is never overwritten.
    """
    from rulekit.source.load import shipped_rulesets

    folder, _, stem = name.removesuffix(".yaml").rpartition("/")
    if not NAME.fullmatch(stem) or len(stem) > LONGEST:
        proposal = "-".join(re.findall(r"[a-z0-9]+", stem.lower()))[:LONGEST].strip("-")
        advice = f"; how about `{proposal}`?" if proposal and proposal != stem else ""
        raise click.UsageError(
            f"`{clean(stem)}` cannot name a ruleset: use small letters, digits and hyphens{advice}"
        )
    if stem in shipped_rulesets():
        raise click.UsageError(
            f"`{stem}` comes with rulekit: choose another name, or write `extends: {stem}`"
        )
    path = Path(folder or ".") / f"{stem}.yaml"
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(starter_text(stem))
    except FileExistsError:
        raise click.UsageError(f"`{clean(str(path))}` exists, and is left as it is") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "not a path"
        raise click.UsageError(f"`{clean(str(path))}` cannot be written: {reason.lower()}") from None
    echo(f"wrote {clean(str(path))}")
    echo(f"try:  rulekit play {clean(str(path))}")


def starter_text(name: str) -> str:
    """The starter file under another name."""
    text = STARTER.read_text(encoding="utf-8")
    title = name.replace("-", " ").title()
    text = text.replace("title: Starter\n", f'title: "{title}"\n' if title.isdigit() else f"title: {title}\n")
    return re.sub(r"\bname: starter\b", _name_line(name), text).replace("starter.yaml", f"{name}.yaml")


def _name_line(name: str) -> str:
    return f'name: "{name}"' if name.isdigit() else f"name: {name}"
