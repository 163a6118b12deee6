"""`rulekit diff`: what differs between two rulesets."""

from __future__ import annotations

import json

import click

from rulekit.cli.loading import FOUND, OK, USAGE
from rulekit.cli.output import clean, echo, in_colour


@click.command("diff")
@click.argument("before")
@click.argument("after")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="Output form.",
)
def command(before: str, after: str, form: str) -> int:
    """Say what is different in AFTER from BEFORE: a variant and its base, or any two rulesets.

    They are given by name or path. Every part is named by the path that a variant would use for it; names,
    titles, sources and examples are not compared. The exit code is 0 if the rules are the same, 1 if not,
    2 if one cannot be read.
    """
    from rulekit.diagnostics import RulesetError
    from rulekit.diagnostics.render import render_text
    from rulekit.difference import as_data, as_text, compare

    try:
        difference = compare(before, after)
    except RulesetError as error:
        echo(render_text(error.diagnostics, in_colour), err=True)
        return USAGE
    if form == "json":
        echo(json.dumps(as_data(difference), indent=2, ensure_ascii=False))
    else:
        echo(clean(as_text(difference), keep_lines=True))
    return OK if difference.same else FOUND
