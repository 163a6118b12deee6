"""`rulekit check`: tries rulesets out."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from rulekit.cli.loading import SEED, unreadable
from rulekit.cli.output import clean, counted, echo, in_colour, strong
from rulekit.cli.simulate_command import progress_bar
from rulekit.cli.validate_command import rule_files
from rulekit.diagnostics import Diagnostic, RulesetError

if TYPE_CHECKING:
    from rulekit.playtest.check import CheckReport

MOST = 20  #: so many games that went wrong are told in full


@click.command("check")
@click.argument("names", nargs=-1, required=True, metavar="NAME|FILE...")
@click.option(
    "-n",
    "--games",
    type=click.IntRange(1, 10_000_000),
    default=240,
    show_default=True,
    help="Random games for each ruleset; at least one at each table.",
)
@click.option("--seed", type=SEED, default=0, show_default=True, help="Seed of the games.")
@click.option(
    "--strict", is_flag=True, help="Exit with 1 for warnings, unreached rules and idle options too."
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="Output form.",
)
def command(names: tuple[str, ...], games: int, seed: int, strict: bool, form: str) -> int:
    """Try rulesets out, by name, by file or by folder.

    Each is validated; its examples are run; then bots play random games with every number of players and
    options in all pairs of values. Faults of the rules, positions without a legal move, lost cards and
    games without end are told, and every rule, reason and move that no game came to.

    Exit code 1 if an example failed or a game went wrong.
    """
    from rulekit.diagnostics.reports import as_data
    from rulekit.game.ruleset import load
    from rulekit.playtest.check import check

    reports: list[dict[str, Any]] = []
    code = 0
    for name in rule_files(names):
        if _is_block(name):
            continue
        try:
            ruleset = load(name)
        except RulesetError as error:
            code = max(code, 2 if unreadable(error.diagnostics) else 1)
            if form == "text":
                _findings(error.diagnostics)
                echo(f"{clean(name)}: not checked")
            reports.append(
                {
                    "kind": "check",
                    "version": 1,
                    "ruleset": name,
                    "ok": False,
                    "findings": [as_data(d) for d in error.diagnostics],
                }
            )
            continue
        with progress_bar(games, ruleset.name) as progress:
            report = check(ruleset, games, seed, progress=progress)
        reports.append({**report.to_json(), "findings": [as_data(d) for d in ruleset.warnings]})
        doubtful = bool(ruleset.warnings or report.unreached or report.idle)
        if not report.ok or (strict and doubtful):
            code = max(code, 1)
        if form == "text":
            _findings(ruleset.warnings)
            for line in lines(report):
                echo(line)
    if form == "json":
        echo(json.dumps({"kind": "checks", "version": 1, "ok": code == 0, "checks": reports}, indent=2))
    return code


def _findings(found: tuple[Diagnostic, ...] | list[Diagnostic]) -> None:
    if found:
        from rulekit.diagnostics.render import render_text

        echo(render_text(found, in_colour))


def _is_block(name: str) -> bool:
    """A block file has no games of its own."""
    import re
    from pathlib import Path

    try:
        text = Path(name).read_text(encoding="utf-8", errors="replace")
    except (OSError, ValueError):
        return False
    return re.search(r"^block\s*:", text, re.MULTILINE) is not None


def lines(report: CheckReport) -> Iterator[str]:
    """The report for people: a line if all is well, and a line for each thing that is not."""
    from rulekit.diagnostics.render import render_text
    from rulekit.playtest.check import PATIENCE

    program, failed = report.program, report.failed_examples
    passed = len(report.examples) - len(failed)
    verdict = strong(click.style("ok", fg="green")) if report.ok else strong(click.style("FAILED", fg="red"))
    yield (
        f"{verdict}  {clean(program.name)}: {passed} of {counted(len(report.examples), 'example')}, "
        f"{counted(report.games, 'random game')} at {counted(len(report.tables), 'table')}, "
        f"{counted(report.decisions, 'decision')}"
    )
    for example in failed:
        yield f"    example `{clean(example.title)}` failed"
        yield render_text(example.diagnostics, in_colour)
    for problem in report.problems[:MOST]:
        where = f" at {problem.span}" if problem.span else ""
        yield f"    {_KINDS[problem.kind]}: {clean(problem.text)}{clean(where)}"
        yield f"      in game {problem.game} of seed {problem.seed}, {clean(problem.table.describe(program))}"
    if len(report.problems) > MOST:
        yield f"    and {counted(len(report.problems) - MOST, 'more game')} that went wrong"
    if report.unended:
        most = min(PATIENCE, program.end.limit)
        yield f"    {counted(report.unended, 'game')} had not ended after {counted(most, 'decision')}"
    if report.looped:
        yield f"    {counted(report.looped, 'game')} came back to an earlier position"
    for part in report.unreached:
        yield f"    {clean(str(part))}"
    for idle in report.idle:
        yield f"    {clean(str(idle))}"


_KINDS = {
    "fault": "a fault of the rules",
    "cards": "cards were lost or doubled",
    "crash": "rulekit itself failed (please report this)",
}
