"""`rulekit rulebook`: the rules as prose."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from rulekit.cli.loading import check_language, open_ruleset, player_count, read_settings
from rulekit.cli.output import echo

if TYPE_CHECKING:
    from rulekit import Ruleset


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
@click.option("--language", default="en", show_default=True, help="A language that NAME has a catalogue in.")
@click.option("--untranslated", is_flag=True, help="Print what is not translated, as a catalogue to fill in.")
def command(
    name: str, players: int | None, settings: tuple[str, ...], form: str, language: str, untranslated: bool
) -> None:
    """Print the rules of NAME (or a file) as a person would read them, for these players and options."""
    rules = open_ruleset(name, read_settings(settings))
    count = player_count(rules, players)
    check_language(rules, language)
    if untranslated:
        echo(to_fill_in(rules, language, count), nl=False)
        return
    echo(rules.rulebook(count, form, language=language), nl=False)
    if language != "en" and (missing := rules.translation(language, count).missing):
        passages = "passage is" if len(missing) == 1 else "passages are"
        told = f"{len(missing)} {passages} not translated and stand{'s' * (len(missing) == 1)} in English"
        click.echo(f"{told}; `--untranslated` lists them", err=True)


def to_fill_in(rules: Ruleset, language: str, players: int | None) -> str:
    """The sentences that no catalogue translates, as a catalogue. In English: all of them."""
    from rulekit.game.languages import to_translate

    lines = [f'rulekit: "1"\nlanguage: {language}\nof: {rules.name}\nsentences:']
    missing = to_translate(rules.machine(players or rules.players[0]).setup, language)
    if not missing:
        return "# everything is translated\n"
    return "\n".join([*lines, *(f"  {json.dumps(text, ensure_ascii=False)}: ''" for text in missing)]) + "\n"
