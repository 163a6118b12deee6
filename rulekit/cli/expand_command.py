"""`rulekit expand`: a ruleset in full."""

from __future__ import annotations

import click

from rulekit.cli.loading import BrokenRuleset
from rulekit.cli.output import echo


@click.command("expand")
@click.argument("name")
@click.option("--keep-blocks", is_flag=True, help="Leave the uses of blocks (`trick: ...`) as they are.")
def command(name: str, keep_blocks: bool) -> None:
    """Print the ruleset NAME (or a file) in full: all that it extends and changes, and what its blocks do.

    The output is a rule file of its own that plays the same game.
    """
    from rulekit.diagnostics import Findings
    from rulekit.game.loading import Blocks, open_rules, read_program
    from rulekit.language.expand import expand
    from rulekit.source.variants import load_document
    from rulekit.source.write import to_yaml

    findings = Findings()
    opened = open_rules(name, findings)
    if opened is None or read_program(opened, findings) is None:
        raise BrokenRuleset(findings.sorted())
    again = Findings()
    document = load_document(opened, again)
    if document is not None and not keep_blocks:
        document = expand(document, again, Blocks(opened.shelf, again))
    if document is None or again.has_errors:
        raise BrokenRuleset(again.sorted())
    echo(to_yaml(document), nl=False)
