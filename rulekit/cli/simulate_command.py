"""`rulekit simulate`: many games by bots, counted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from rulekit.cli.loading import INTERRUPTED, SEED, bot_names, open_ruleset, player_count, read_settings
from rulekit.cli.output import clean, counted, echo, progress_wanted, seat_name, strong, table

if TYPE_CHECKING:
    from collections.abc import Callable

    from rulekit.playtest.report import Report

MOST_GAMES = 10_000_000_000
ENGINES = ("wasm", "python", "reference")


@click.command("simulate")
@click.argument("name")
@click.option(
    "-n",
    "--games",
    type=click.IntRange(1, MOST_GAMES),
    default=1000,
    show_default=True,
    help="Number of games.",
)
@click.option("--seed", type=SEED, default=0, show_default=True, help="Seed of deals and of bots.")
@click.option("--players", type=int, help="Number of players; the fewest if not said.")
@click.option(
    "--set", "settings", multiple=True, metavar="OPTION=VALUE", help="Set an option; may be repeated."
)
@click.option(
    "--bots", metavar="BOT,...", help="`random`, `greedy` or `search`: one for all seats, or one for each."
)
@click.option(
    "--workers",
    type=click.IntRange(1, 256),
    help="How many play at a time; by default all cores. The result is the same for any number.",
)
@click.option(
    "--engine",
    type=click.Choice(ENGINES),
    help="Which engine plays; by default the fastest that can. The result is the same.",
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
    name: str,
    games: int,
    seed: int,
    players: int | None,
    settings: tuple[str, ...],
    bots: str | None,
    workers: int | None,
    engine: str | None,
    form: str,
) -> int:
    """Let bots play many games of the ruleset NAME (or a file).

    Tells wins and scores of each seat with 95% intervals, how games ended, how long they were, and how
    many choices a decision had. The same seed gives the same figures, on any machine. Ctrl-C stops and
    tells what was played so far.

    Exit code 1 if a game ended in a fault of the rules.
    """
    from rulekit.playtest.simulate import simulate

    ruleset = open_ruleset(name, read_settings(settings))
    seats = player_count(ruleset, players)
    names = bot_names(bots, seats)
    with progress_bar(games, "playing") as progress, failures():
        report = simulate(
            ruleset,
            games,
            seed=seed,
            players=seats,
            bots=names,
            progress=progress,
            workers=workers if workers is None else min(workers, games),
            start_method="spawn",
            engine=engine,
        )
    if form == "json":
        echo(report.json_text())
    else:
        defaults = {name: option.format(option.start) for name, option in ruleset.program.options.items()}
        for line in lines(report, defaults):
            echo(line)
    if report.interrupted:
        echo(f"interrupted after {counted(report.games, 'game')}", err=True)
        return INTERRUPTED
    return int(report.faulty > 0)


@contextmanager
def failures() -> Iterator[None]:
    """An engine that cannot play this is a wrong usage, the end of a worker a failure."""
    from rulekit.game.engines import EngineError
    from rulekit.playtest.crew import WorkerLost

    try:
        yield
    except EngineError as error:
        raise click.UsageError(clean(str(error))) from None
    except WorkerLost as error:
        raise click.ClickException(clean(str(error))) from None


@contextmanager
def progress_bar(length: int, label: str) -> Iterator[Callable[[int, int], None] | None]:
    """A bar on standard error, if that is a terminal; else None: nobody looks."""
    if not progress_wanted():
        yield None
        return
    import sys

    with click.progressbar(length=length, label=label, file=sys.stderr) as bar:
        yield lambda done, wanted: bar.update(done - bar.pos)


def lines(report: Report, defaults: Mapping[str, str]) -> Iterator[str]:
    """The report for people; options are told that differ from their defaults."""
    from rulekit.game.engines import TITLES

    told = f"{counted(report.games, 'game')}, {counted(report.players, 'player')}, seed {report.seed}"
    yield f"{strong(clean(report.ruleset))}: {told}"
    yield f"engine: {TITLES[report.engine]}" + (f" ({clean(report.note)})" if report.note else "")
    changed = [f"{name}={value}" for name, value in report.options.items() if value != defaults.get(name)]
    if changed:
        yield f"options: {clean(', '.join(changed))}"
    if not report.games:
        return
    yield ""
    several = report.players > 1
    rows = []
    for seat in report.seats:
        low, high = seat.interval
        score_low, score_high = seat.score_interval
        scored = seat.score_lowest is not None
        rows.append(
            (
                seat_name(seat.seat),
                seat.bot,
                f"{seat.wins:,}",
                f"{seat.share:.1%}",
                f"{low:.1%} - {high:.1%}",
                f"{seat.shared:,}",
                f"{seat.score_mean:.2f}" if scored else "-",
                f"{score_low:.2f} - {score_high:.2f}" if scored else "-",
                f"{seat.score_lowest} to {seat.score_highest}" if scored else "-",
            )
        )
    headers = ("seat", "bot", "wins", "share", "95% interval", "shared", "score", "95% interval", "range")
    yield table(rows, headers, right=(2, 3, 4, 5, 6, 7, 8))
    yield ""
    if several:
        yield _balance(report)
    length, choices = report.length, report.choices
    yield (
        f"decisions a game: mean {length.mean:,.1f}, median {length.median:,g}, "
        f"{length.least:,} to {length.most:,}"
    )
    yield (
        f"choices a decision: mean {choices.mean:,.1f}, median {choices.median:,g}, most {choices.most:,}; "
        f"forced {report.forced:.0%}"
    )
    yield "endings: " + ", ".join(f"{e.reason} {e.games:,} ({e.share:.1%})" for e in report.endings)
    for fault in report.faults:
        yield f"fault in game {fault.game}: {clean(fault.text)}"


def _balance(report: Report) -> str:
    """What the wins say about the seats, in a sentence."""
    decided = f"{report.decided:,} games had a winner, {report.tied:,} a shared first place"
    if len({seat.bot for seat in report.seats}) > 1:
        return f"{decided}."
    fair = f"{report.fair_share:.1%}"
    if not report.uneven:
        return f"{decided}; no seat is clearly better off than {fair} of the decided ones."
    named = " and ".join(seat_name(seat) for seat in report.uneven)
    verb = "is" if len(report.uneven) == 1 else "are"
    return f"{decided}; {named} {verb} clearly off the {fair} of the decided ones that a fair seat wins."
