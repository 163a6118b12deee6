"""`rulekit list`: the rulesets that come with rulekit."""

from __future__ import annotations

import json
from typing import Any

import click

from rulekit.cli.output import echo, players_text, table


@click.command("list")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="Output form.",
)
def command(form: str) -> None:
    """List the rulesets that come with rulekit, by name, with title, players and family."""
    from rulekit.diagnostics import RulesetError
    from rulekit.game.ruleset import load
    from rulekit.source.load import shipped_rulesets

    rows: list[dict[str, Any]] = []
    for name in shipped_rulesets():
        try:
            program = load(name).program
        except RulesetError:
            rows.append({"name": name, "title": "(has mistakes)", "players": None, "family": None})
            continue
        rows.append(
            {
                "name": name,
                "title": program.title,
                "players": list(program.players),
                "family": program.family,
            }
        )
    if form == "json":
        echo(json.dumps({"kind": "list", "version": 1, "rulesets": rows}, indent=2))
        return
    shown = [(row["name"], row["title"], players_text(row["players"]), row["family"] or "") for row in rows]
    echo(table(shown, ("name", "title", "players", "family")))
    if rows:
        echo()
        echo(f"`rulekit show {rows[0]['name']}` tells more of one")
