"""`rulekit schema`: the JSON Schema of rule files."""

from __future__ import annotations

import click

from rulekit.cli.output import clean
from rulekit.diagnostics import nearest


@click.command("schema")
@click.argument("name", default="ruleset")
def command(name: str) -> None:
    """Print the JSON Schema called NAME (default: `ruleset`), for editors and other tools.

    In an editor that knows YAML schemas, begin a rule file with
    `# yaml-language-server: $schema=ruleset.schema.json`.
    """
    from rulekit.source.load import data_folder

    paths = {
        p.name.removesuffix(".schema.json"): p for p in sorted(data_folder("schemas").glob("*.schema.json"))
    }
    if name not in paths:
        close = nearest(name, paths)
        advice = f"did you mean `{close}`?" if close else "there are " + ", ".join(f"`{n}`" for n in paths)
        raise click.UsageError(f"no schema `{clean(name)}`: {advice}")
    click.echo(paths[name].read_text(encoding="utf-8"), nl=False)
