"""`rulekit list`: the rulesets that come with rulekit."""

from __future__ import annotations

import json
import re
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
    from rulekit.source.load import shipped_rulesets

    rows = [_heading(name) for name in shipped_rulesets()]
    if form == "json":
        echo(json.dumps({"kind": "list", "version": 1, "rulesets": rows}, indent=2))
        return
    shown = [(row["name"], row["title"], players_text(row["players"]), row["family"] or "") for row in rows]
    echo(table(shown, ("name", "title", "players", "family")))
    if rows:
        echo()
        echo(f"`rulekit show {rows[0]['name']}` tells more of one")


def _heading(name: str) -> dict[str, Any]:
    """What stands at the head of a shipped rule file; the rules themselves are not looked at."""
    from rulekit.diagnostics import Findings
    from rulekit.source.document import Scalar
    from rulekit.source.load import open_source
    from rulekit.source.variants import load_document

    opened = open_source(name, findings := Findings())
    document = load_document(opened, findings) if opened else None

    def told(key: str) -> str | None:
        value = document.get(key) if document is not None else None
        return value.text if isinstance(value, Scalar) else None

    counts = [int(number) for number in re.findall(r"[0-9]{1,3}", told("players") or "")]
    return {
        "name": name,
        "title": told("title") or "(cannot be read)",
        "players": [counts[0], counts[-1]] if counts else None,
        "family": told("family"),
    }
