"""`rulekit explain`: what an error code means."""

from __future__ import annotations

import click

from rulekit.cli.output import clean, echo
from rulekit.diagnostics import nearest


@click.command("explain")
@click.argument("code", required=False)
def command(code: str | None) -> None:
    """Print what the error code CODE means, why it is an error, and a bad and a good example.

    Without CODE all codes are listed.
    """
    from rulekit.diagnostics.codes import all_pages, page

    if code is None:
        for known in all_pages():
            echo(f"{known.code}  {known.title}")
        return
    wanted = f"RK{code}" if code.isdigit() else code
    found = page(wanted)
    if found is None:
        close = nearest(wanted, [known.code for known in all_pages()])
        advice = f"did you mean `{close}`?" if close else "`rulekit explain` lists them all"
        raise click.UsageError(f"no code `{clean(code)}`: {advice}")
    echo(found.text(), nl=False)
