"""`rulekit rulebook`: the rules as prose."""

from __future__ import annotations

import click

from rulekit.cli.loading import open_ruleset, player_count, read_settings
from rulekit.cli.output import echo


@click.command("rulebook")
@click.argument("name")
@click.option("--players", type=int, help="Number of players; the fewest if not said.")
@click.option(
    "--set", "settings", multiple=True, metavar="OPTION=VALUE", help="Set an option; may be repeated."
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["markdown", "html"]),
    default="markdown",
    show_default=True,
    help="Markdown, or one HTML page that needs nothing else.",
)
def command(name: str, players: int | None, settings: tuple[str, ...], form: str) -> None:
    """Print the rules of NAME (or a file) as a person would read them, for these players and options."""
    rules = open_ruleset(name, read_settings(settings))
    echo(rules.rulebook(player_count(rules, players), form), nl=False)
