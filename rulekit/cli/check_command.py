"""`rulekit check`: tries rulesets out."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from rulekit.cli.loading import FOUND, OK, SEED, USAGE, unreadable
from rulekit.cli.output import clean, counted, echo, in_colour, strong
from rulekit.cli.simulate_command import progress_bar
from rulekit.cli.validate_command import has_no_games, rule_files
from rulekit.diagnostics import Diagnostic, RulesetError

if TYPE_CHECKING:
    from rulekit.game.ruleset import Ruleset
    from rulekit.playtest.check import CheckReport
    from rulekit.playtest.simulate import Progress

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
@click.option(
    "--decisions",
    type=click.IntRange(1, 1_000_000_000),
    default=60_000,
    show_default=True,
    help="Decisions in these games, at most; the rest are left out.",
)
@click.option("--seed", type=SEED, default=0, show_default=True, help="Seed of the games.")
@click.option(
    "--workers", type=click.IntRange(1, 64), default=1, show_default=True, help="Rulesets checked at a time."
)
@click.option(
    "--strict", is_flag=True, help="Exit with 1 for warnings, unreached rules and idle options too."
)
@click.option(
    "--coverage",
    is_flag=True,
    help="Show the rule files, each line marked as reached (+), partly (~) or not (-).",
)
@click.option("--tables", is_flag=True, help="Show what was played at each table of players and options.")
@click.option(
    "--mutate",
    is_flag=True,
    help="Put single mistakes into the rules instead of playing, and tell which no example notices.",
)
@click.option(
    "--mutants",
    type=click.IntRange(1, 100_000),
    default=100,
    show_default=True,
    help="With --mutate: how many, at most.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="Output form.",
)
def command(
    names: tuple[str, ...],
    games: int,
    decisions: int,
    seed: int,
    workers: int,
    strict: bool,
    coverage: bool,
    tables: bool,
    mutate: bool,
    mutants: int,
    form: str,
) -> int:
    """Try rulesets out, by name, by file or by folder.

    Each is validated, then once more for every number of players with every choice of options (where these
    are many, with every pair of values); its examples are run; then bots play random games with every number
    of players and options in all pairs of values. Faults of the rules, positions without a legal move, lost
    cards and games without end are told, and every rule, reason and move that no game came to.

    Exit code 1 if an example failed or a game went wrong.
    """
    wanted = Wanted(games, decisions, seed, strict, coverage, tables, mutants if mutate else None)
    checked: list[Checked] = []
    for one in _checked([name for name in rule_files(names) if not has_no_games(name)], wanted, workers):
        checked.append(one)
        if form == "text":
            for line in one.lines:
                echo(line)
    code = max((one.code for one in checked), default=OK)
    if form == "json":
        data = [one.data for one in checked]
        echo(json.dumps({"kind": "checks", "version": 1, "ok": code == OK, "checks": data}, indent=2))
    return code


@dataclass(frozen=True)
class Wanted:
    """How much of a check is wanted."""

    games: int
    decisions: int
    seed: int
    strict: bool = False
    coverage: bool = False
    tables: bool = False
    mutants: int | None = None  # no games, but so many mutants


@dataclass(frozen=True)
class Checked:
    """What came of one ruleset: lines for people, data for machines, exit code."""

    lines: tuple[str, ...]
    data: dict[str, Any]
    code: int


def _checked(names: Sequence[str], wanted: Wanted, workers: int) -> Iterator[Checked]:
    """The rulesets one by one in their order, checked here or by several processes."""
    if workers == 1 or len(names) < 2:
        for name in names:
            with progress_bar(wanted.mutants or wanted.games, name) as progress:
                one = check_one(name, wanted, progress)
            yield one
        return
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor

    with ProcessPoolExecutor(workers, multiprocessing.get_context("spawn")) as pool:
        yield from pool.map(check_one, names, [wanted] * len(names))


def check_one(name: str, wanted: Wanted, progress: Progress | None = None) -> Checked:
    """One ruleset, validated and tried out."""
    from rulekit.diagnostics.reports import as_data
    from rulekit.game.ruleset import load
    from rulekit.playtest.check import check

    try:
        ruleset = load(name)
    except RulesetError as error:
        findings = [as_data(found) for found in error.diagnostics]
        data = {"kind": "check", "version": 1, "ruleset": name, "ok": False, "findings": findings}
        code = USAGE if unreadable(error.diagnostics) else FOUND
        return Checked((*_findings(error.diagnostics), f"{clean(name)}: not checked"), data, code)
    if wanted.mutants is not None:
        return _mutated(name, ruleset, wanted, wanted.mutants, progress)
    report = check(ruleset, wanted.games, wanted.seed, decisions=wanted.decisions, progress=progress)
    doubtful = bool(ruleset.warnings or report.found or report.unreached or report.idle)
    return Checked(
        (*_findings(ruleset.warnings), *lines(report), *_details(report, wanted)),
        {**report.to_json(), "findings": [as_data(found) for found in ruleset.warnings]},
        OK if report.ok and not (wanted.strict and doubtful) else FOUND,
    )


def _mutated(name: str, ruleset: Ruleset, wanted: Wanted, size: int, progress: Progress | None) -> Checked:
    """What the examples notice of single mistakes."""
    from rulekit.playtest.mutation import ExamplesFail, mutate

    data = {"kind": "mutation", "version": 1, "ruleset": ruleset.name, "hash": ruleset.fingerprint}
    try:
        report = mutate(ruleset, size, wanted.seed, progress)
    except ExamplesFail as failure:
        text = f"{clean(str(failure))}: `rulekit test {clean(name)}` shows which"
        return Checked((text,), {**data, "ok": False}, FOUND)
    mistakes = report.noticed + len(report.survivors)
    of = f" of {report.possible:,}" if report.possible > report.tried else ""
    told = [
        f"{strong(f'{report.score:.0%}')}  {clean(ruleset.name)}: examples notice {report.noticed:,} of "
        f"{counted(mistakes, 'mistake')} "
        f"({report.tried:,}{of} tried, {len(report.equal):,} made no difference)"
    ]
    told += [f"    {clean(str(one))}" for one in report.survivors]
    return Checked(tuple(told), {**data, "ok": True, **report.to_json()}, OK)


def _details(report: CheckReport, wanted: Wanted) -> Iterator[str]:
    """What is told only if asked for."""
    from rulekit.cli.output import table

    if wanted.tables:
        rows = [
            (one.describe(report.program), tally.games, tally.decisions, tally.problems)
            for one, tally in zip(report.tables, report.matrix, strict=True)
        ]
        yield table(rows, ("table", "games", "decisions", "went wrong"), right=(1, 2, 3))
    if wanted.coverage:
        yield from (clean(line) for line in report.coverage.listing())


def _findings(found: Sequence[Diagnostic]) -> list[str]:
    from rulekit.diagnostics.render import render_text

    return [render_text(found, in_colour)] if found else []


def lines(report: CheckReport) -> Iterator[str]:
    """The report for people: a line if all is well, and a line for each thing that is not."""
    from rulekit.diagnostics.render import render_text
    from rulekit.playtest.idle import grouped
    from rulekit.playtest.trial import PATIENCE

    program, failed = report.program, report.failed_examples
    passed = len(report.examples) - len(failed)
    verdict = strong(click.style("ok", fg="green")) if report.ok else strong(click.style("FAILED", fg="red"))
    yield (
        f"{verdict}  {clean(program.name)}: {passed} of {counted(len(report.examples), 'example')}, "
        f"{counted(report.games, 'random game')} at {counted(len(report.tables), 'table')}, "
        f"{counted(report.decisions, 'decision')}"
    )
    if report.found:
        yield render_text(report.found, in_colour)
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
    if report.cut:
        yield f"    {counted(report.cut, 'game')} left early, for all decisions were used up"
    if report.looped:
        yield f"    {counted(report.looped, 'game')} came back to an earlier position"
    if report.repetition is not None:
        first = report.repetition
        yield (
            f"    in {report.repeating:,} of {counted(report.watched, 'game')} watched players came back to "
            f"an earlier position, first in game {first.game} of seed {first.seed} "
            f"at decision {first.decision}, {clean(first.table.describe(program))}"
        )
    for bias in report.bias:
        yield f"    {bias}"
    for part in report.unreached:
        yield f"    {clean(str(part))}"
    for line in grouped(report.idle):
        yield f"    {clean(line)}"


_KINDS = {
    "fault": "a fault of the rules",
    "cards": "cards were lost or doubled",
    "crash": "rulekit itself failed (please report this)",
}
