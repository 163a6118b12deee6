"""`rulekit expand`: a ruleset in full."""

from __future__ import annotations

import click

from rulekit.cli.loading import BrokenRuleset, open_ruleset, player_count, read_settings
from rulekit.cli.output import clean, echo


@click.command("expand")
@click.argument("name")
@click.option("--keep-blocks", is_flag=True, help="Leave the uses of blocks (`trick: ...`) as they are.")
@click.option("--python", is_flag=True, help="Print the Python that is generated to play it.")
@click.option("--wat", is_flag=True, help="Print the WebAssembly that is generated to play it, as text.")
@click.option("--players", type=int, help="Of generated code: number of players; the fewest if not said.")
@click.option(
    "--set",
    "settings",
    multiple=True,
    metavar="OPTION=VALUE",
    help="Of generated code: set an option; may be repeated.",
)
def command(
    name: str, keep_blocks: bool, python: bool, wat: bool, players: int | None, settings: tuple[str, ...]
) -> None:
    """Print the ruleset NAME (or a file) in full: all that it extends and changes, and what its blocks do.

    The output is a rule file of its own that plays the same game. With `--python` or `--wat` it is the code
    that plays the game for so many players and with these options.
    """
    if python or wat:
        if keep_blocks or (python and wat):
            raise click.UsageError("`--keep-blocks`, `--python` and `--wat` exclude each other")
        echo(generated(name, "python" if python else "wasm", players, settings), nl=False)
        return
    if players is not None or settings:
        raise click.UsageError("`--players` and `--set` go with `--python` or `--wat`")
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


def generated(name: str, engine: str, players: int | None, settings: tuple[str, ...]) -> str:
    """The code generated for a table; raises UsageError if there is none."""
    ruleset = open_ruleset(name, read_settings(settings))
    engines = ruleset.engines(player_count(ruleset, players))
    why = engines.why_not("python")  # text can be written without wasmtime
    if why is not None:
        raise click.ClickException(f"no code can be generated for `{clean(ruleset.name)}`: {clean(why)}")
    return clean(engines.source() if engine == "python" else engines.wat(), keep_lines=True)
