"""`rulekit expand`: a ruleset in full."""

from __future__ import annotations

import click

from rulekit.cli.loading import BrokenRuleset
from rulekit.cli.output import echo


@click.command("expand")
@click.argument("name")
def command(name: str) -> None:
    """Print the ruleset NAME (or a file) in full: what it extends, with all that it changes.

    The output is a rule file that plays the same game.
    """
    from rulekit.diagnostics import Findings
    from rulekit.game.loading import open_rules, read_program
    from rulekit.source.variants import load_document
    from rulekit.source.write import to_yaml

    findings = Findings()
    opened = open_rules(name, findings)
    if opened is None or read_program(opened, findings) is None:
        raise BrokenRuleset(findings.sorted())
    document = load_document(opened, Findings())
    if document is None:
        raise BrokenRuleset(findings.sorted())
    echo(to_yaml(document), nl=False)
