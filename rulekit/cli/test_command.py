"""`rulekit test`: runs the examples of rule files."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from rulekit.cli.loading import FOUND, OK, USAGE, unreadable
from rulekit.cli.output import clean, counted, echo, in_colour, strong
from rulekit.cli.validate_command import has_no_games, rule_files
from rulekit.diagnostics import Diagnostic, RulesetError

if TYPE_CHECKING:
    from rulekit.game.examples import ExampleResult

FORMS = ("text", "json", "junit", "sarif", "github")


@click.command("test")
@click.argument("files", nargs=-1, required=True, metavar="NAME|FILE...")
@click.option(
    "-k",
    "words",
    multiple=True,
    metavar="TEXT",
    help="Only examples whose title holds TEXT, in small letters or capitals; of several any will do.",
)
@click.option(
    "--deals",
    type=click.IntRange(1, 10_000),
    default=20,
    show_default=True,
    help="Deals in which each example must hold.",
)
@click.option("-v", "--verbose", is_flag=True, help="Name the examples that passed too.")
@click.option(
    "--format", "form", type=click.Choice(FORMS), default="text", show_default=True, help="Output form."
)
def command(files: tuple[str, ...], words: tuple[str, ...], deals: int, verbose: bool, form: str) -> int:
    """Run the examples of rulesets, by name, by file or by folder.

    An example that fails is shown as a finding: its place in the file, what should have come and what came.

    Exit code 1 if an example failed or a file has errors, 2 if a file cannot be read or `-k` fits nothing.
    """
    tested: list[Tested] = []
    for name in rule_files(files):
        if has_no_games(name):
            continue
        one = run_one(name, words, deals)
        tested.append(one)
        if form == "text":
            for line in one.lines(verbose):
                echo(line)
    if words and not any(one.results or one.errors for one in tested):
        told = " or ".join(f"`{clean(word)}`" for word in words)
        raise click.UsageError(f"no example has {told} in its title")
    if form == "text":
        echo(_verdict(tested))
    else:
        echo(_render(tested, form), nl=False)
    return max((one.code for one in tested), default=OK)


@dataclass(frozen=True)
class Tested:
    """The examples of one file that were run, or the ``errors`` for which none could be."""

    name: str
    results: tuple[ExampleResult, ...] = ()
    left_out: int = 0
    errors: tuple[Diagnostic, ...] = ()

    @property
    def failed(self) -> tuple[ExampleResult, ...]:
        return tuple(result for result in self.results if not result.passed)

    @property
    def code(self) -> int:
        if self.errors:
            return USAGE if unreadable(self.errors) else FOUND
        return FOUND if self.failed else OK

    @property
    def findings(self) -> list[Diagnostic]:
        """All that is wrong."""
        return [*self.errors, *(found for result in self.failed for found in result.diagnostics)]

    def lines(self, verbose: bool) -> Iterator[str]:
        """What there is to tell people: a line, and the findings."""
        if self.errors:
            yield _shown(self.errors)
            yield f"{_bad('FAILED')}  {clean(self.name)}: the examples cannot be run"
            return
        word = _bad("FAILED") if self.failed else strong(click.style("ok", fg="green"))
        passed = len(self.results) - len(self.failed)
        rest = f", {self.left_out} left out" if self.left_out else ""
        if self.results or not self.left_out:
            yield f"{word}  {clean(self.name)}: {passed} of {counted(len(self.results), 'example')}{rest}"
        for result in self.results:
            if verbose and result.passed:
                yield f"    passed  {clean(result.title)}"
            if not result.passed:
                yield _shown(result.diagnostics)

    def data(self) -> dict[str, Any]:
        """The same for programs."""
        from rulekit.diagnostics.reports import as_data

        return {
            "ruleset": self.name,
            "ok": self.code == OK,
            "left_out": self.left_out,
            "examples": [
                {
                    "title": result.title,
                    "place": str(result.span) if result.span else None,
                    "passed": result.passed,
                    "deals": result.deals,
                    "findings": [as_data(found) for found in result.diagnostics],
                }
                for result in self.results
            ],
            "findings": [as_data(found) for found in self.errors],
        }


def run_one(name: str, words: Sequence[str] = (), deals: int = 20) -> Tested:
    """The examples of one ruleset whose title holds one of the words (all, if there are none)."""
    from rulekit.game.examples import ExampleRunner
    from rulekit.game.ruleset import load

    try:
        ruleset = load(name)
    except RulesetError as error:
        return Tested(name, errors=tuple(error.diagnostics))
    runner = ExampleRunner(ruleset, deals)
    folded = [word.casefold() for word in words]
    wanted = [
        example
        for example in ruleset.program.examples
        if not folded or any(word in example.title.casefold() for word in folded)
    ]
    results = tuple(runner.run(example) for example in wanted)
    return Tested(name, results, len(ruleset.program.examples) - len(wanted))


def _shown(found: Sequence[Diagnostic]) -> str:
    from rulekit.diagnostics.render import render_text

    return render_text(found, in_colour)


def _bad(word: str) -> str:
    return strong(click.style(word, fg="red"))


def _verdict(tested: Sequence[Tested]) -> str:
    results = [result for one in tested for result in one.results]
    failed = sum(not result.passed for result in results)
    parts = [f"{len(results) - failed:,} passed"]
    parts += [f"{failed:,} failed"] if failed else []
    unread = sum(bool(one.errors) for one in tested)
    parts += [f"{counted(unread, 'file')} with errors"] if unread else []
    return f"{counted(len(tested), 'ruleset')}: {', '.join(parts)}"


def _render(tested: Sequence[Tested], form: str) -> str:
    from rulekit.diagnostics import reports

    if form == "json":
        ok = all(one.code == OK for one in tested)
        files = [one.data() for one in tested]
        return json.dumps({"kind": "examples", "version": 1, "ok": ok, "files": files}, indent=2) + "\n"
    if form == "junit":
        from rulekit.cli.junit import junit

        return junit(tested)
    render = {"sarif": reports.render_sarif, "github": reports.render_github}[form]
    return render([found for one in tested for found in one.findings])
