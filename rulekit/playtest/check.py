"""Tries a ruleset out: its examples, then random games over players and options, looking for trouble."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rulekit.checks.product import check_tables
from rulekit.diagnostics import Diagnostic, Severity
from rulekit.diagnostics.reports import as_data
from rulekit.playtest.balance import SeatBias, biased
from rulekit.playtest.coverage import CoveredMachine, RuleCoverage, Unreached
from rulekit.playtest.idle import IdleOption, idle_options
from rulekit.playtest.options import Combination, covering
from rulekit.playtest.simulate import Progress
from rulekit.playtest.trial import PATIENCE, Problem, Repetition, TableTally, Trial
from rulekit.program import Program

if TYPE_CHECKING:
    from rulekit.game.examples import ExampleResult
    from rulekit.game.ruleset import Ruleset

GAMES = 240  #: random games, unless told otherwise; at least one for each table
DECISIONS = 60_000  #: ... and at most so many decisions in them, unless told otherwise
REST = 500  #: decisions of a first game at a table, once all others are used up
LOOKED_AT = 256  #: tables up to which all are looked at without playing, not only all pairs of options
VERSION = 1  #: of the JSON form


@dataclass(frozen=True)
class CheckReport:
    """What came of a check. ``ok``: no example failed and no game went wrong.

    ``tables`` were tried with ``games`` random games and ``decisions`` decisions in all. ``unended`` of
    them met the limit of the rules or were given up after 20,000 decisions, ``looped`` came back to an
    earlier position without a decision; ``cut`` were left early for want of decisions. Of ``watched`` games
    ``repeating`` came back to an earlier position by decisions of the players, the first in ``repetition``.
    ``matrix`` is what was played at each table. ``bias`` are seats that win too often or too seldom.
    ``unreached`` parts of the rules and ``idle`` options are no mistakes: they may just be rare. ``found`` is
    what the checks that need no games find at single tables, ``looked_at`` how many these were; errors among
    it make the report not ``ok``.
    """

    program: Program
    examples: tuple[ExampleResult, ...]
    tables: tuple[Combination, ...]
    games: int
    decisions: int
    unended: int
    looped: int
    cut: int
    watched: int
    repeating: int
    repetition: Repetition | None
    problems: tuple[Problem, ...]
    matrix: tuple[TableTally, ...]
    bias: tuple[SeatBias, ...]
    coverage: RuleCoverage
    idle: tuple[IdleOption, ...]
    found: tuple[Diagnostic, ...] = ()
    looked_at: int = 0

    @property
    def failed_examples(self) -> tuple[ExampleResult, ...]:
        return tuple(example for example in self.examples if not example.passed)

    @property
    def unreached(self) -> tuple[Unreached, ...]:
        """The parts of the rules that no game and no example came to."""
        return self.coverage.unreached

    @property
    def ok(self) -> bool:
        wrong = any(found.severity is Severity.ERROR for found in self.found)
        return not self.problems and not self.failed_examples and not wrong

    def to_json(self) -> dict[str, Any]:
        """The report as plain data (documented in docs/json.md)."""
        return {
            "kind": "check",
            "version": VERSION,
            "ruleset": self.program.name,
            "hash": self.program.fingerprint(),
            "ok": self.ok,
            "examples": [
                {
                    "title": example.title,
                    "passed": example.passed,
                    "findings": [as_data(found) for found in example.diagnostics],
                }
                for example in self.examples
            ],
            "looked_at": self.looked_at,
            "at_tables": [as_data(found) for found in self.found],
            "tables": len(self.tables),
            "games": self.games,
            "decisions": self.decisions,
            "unended": self.unended,
            "looped": self.looped,
            "cut": self.cut,
            "watched": self.watched,
            "repeating": self.repeating,
            "repetition": self._repetition_json(),
            "problems": [
                {
                    "kind": problem.kind,
                    "text": problem.text,
                    "place": str(problem.span) if problem.span else None,
                    "table": problem.table.describe(self.program),
                    "seed": problem.seed,
                    "game": problem.game,
                }
                for problem in self.problems
            ],
            "matrix": [
                {
                    "table": table.describe(self.program),
                    "games": tally.games,
                    "decisions": tally.decisions,
                    "problems": tally.problems,
                }
                for table, tally in zip(self.tables, self.matrix, strict=True)
            ],
            "bias": [bias.to_json() for bias in self.bias],
            "coverage": self.coverage.to_json(),
            "unreached": [
                {"kind": part.kind, "text": part.text, "place": part.place} for part in self.unreached
            ],
            "idle_options": [{"option": idle.option, "value": idle.value} for idle in self.idle],
        }

    def _repetition_json(self) -> dict[str, Any] | None:
        found = self.repetition
        if found is None:
            return None
        table = found.table.describe(self.program)
        return {"table": table, "seed": found.seed, "game": found.game, "decision": found.decision}


def check(
    ruleset: Ruleset,
    games: int = GAMES,
    seed: int = 0,
    players: int | None = None,
    decisions: int = DECISIONS,
    progress: Progress | None = None,
) -> CheckReport:
    """Looks at single tables, runs the examples of a ruleset, then random games at a covering set of tables.

    Without playing, the checks of `validate` are made for every table, or where these are many for a covering
    set. The tables are all player counts (or ``players`` alone) with options such that every pair of values
    stands together in one. Every table gets at least one game; then there are more until there are
    ``games``, or ``decisions`` have been made. After each statement every card must lie in exactly one place.
    How long it takes does not depend on the clock, and the report is the same every time.
    """
    from rulekit.game.examples import ExampleRunner

    program = ruleset.program
    closed = [(one.players, one.options) for one in covering(program, players, LOOKED_AT)]
    found = check_tables(program, closed, ruleset.warnings)
    runner = ExampleRunner(ruleset, machine=CoveredMachine)
    examples = tuple(runner.run(example) for example in program.examples)
    tables = covering(program, players)
    trial = Trial(program, tables, seed)
    wanted, played = max(games, len(tables)), 0
    while played < len(tables) or (played < wanted and trial.decisions < decisions):
        trial.play(played, min(PATIENCE, max(REST, decisions - trial.decisions)))
        played += 1
        if progress is not None:
            progress(played, wanted)
    if progress is not None:
        progress(wanted, wanted)
    return CheckReport(
        program=program,
        examples=examples,
        tables=tuple(tables),
        games=played,
        decisions=trial.decisions,
        unended=trial.endings.get("limit", 0) + trial.given_up,
        looped=trial.endings.get("loop", 0),
        cut=trial.cut,
        watched=trial.watched,
        repeating=trial.repeating,
        repetition=trial.repetition,
        problems=tuple(trial.problems),
        matrix=tuple(trial.tallies),
        bias=tuple(biased(trial.wins)),
        coverage=trial.coverage(runner.machines),
        idle=tuple(idle_options(program, tables, seed)),
        found=tuple(found),
        looked_at=len(closed),
    )
