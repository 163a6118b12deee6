"""Tries a ruleset out: its examples, then random games over players and options, looking for trouble."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rulekit.diagnostics import Span
from rulekit.diagnostics.reports import as_data
from rulekit.engine import Coverage, Machine, State
from rulekit.engine.chance import streams
from rulekit.playtest.coverage import Reached, Unreached
from rulekit.playtest.idle import IdleOption, idle_options
from rulekit.playtest.options import Combination, covering
from rulekit.playtest.simulate import Progress
from rulekit.playtest.wander import wander
from rulekit.program import Program, prepare

if TYPE_CHECKING:
    from rulekit.game.examples import ExampleResult
    from rulekit.game.ruleset import Ruleset

GAMES = 240  #: random games, unless told otherwise; at least one for each table
DECISIONS = 60_000  #: ... and at most so many decisions in them, unless told otherwise
PATIENCE = 20_000  #: decisions after which a random game is given up
REST = 500  #: decisions of a first game at a table, once all others are used up
VERSION = 1  #: of the JSON form


@dataclass(frozen=True)
class Problem:
    """Something that went wrong in a random game: game ``game`` of seed ``seed`` at the table ``table``."""

    kind: str
    text: str
    table: Combination
    seed: int
    game: int
    span: Span | None = None


@dataclass(frozen=True)
class CheckReport:
    """What came of a check. ``ok``: no example failed and no game went wrong.

    ``tables`` were tried with ``games`` random games and ``decisions`` decisions in all. ``unended`` of
    them met the limit of the rules or were given up after 20,000 decisions, ``looped`` came back to an
    earlier position; ``cut`` were left early for want of decisions.
    ``unreached`` parts of the rules and ``idle`` options are no mistakes: they may just be rare.
    """

    program: Program
    examples: tuple[ExampleResult, ...]
    tables: tuple[Combination, ...]
    games: int
    decisions: int
    unended: int
    looped: int
    cut: int
    problems: tuple[Problem, ...]
    unreached: tuple[Unreached, ...]
    idle: tuple[IdleOption, ...]

    @property
    def failed_examples(self) -> tuple[ExampleResult, ...]:
        return tuple(example for example in self.examples if not example.passed)

    @property
    def ok(self) -> bool:
        return not self.problems and not self.failed_examples

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
            "tables": len(self.tables),
            "games": self.games,
            "decisions": self.decisions,
            "unended": self.unended,
            "looped": self.looped,
            "cut": self.cut,
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
            "unreached": [
                {"kind": part.kind, "text": part.text, "place": part.place} for part in self.unreached
            ],
            "idle_options": [{"option": idle.option, "value": idle.value} for idle in self.idle],
        }


def check(
    ruleset: Ruleset,
    games: int = GAMES,
    seed: int = 0,
    players: int | None = None,
    decisions: int = DECISIONS,
    progress: Progress | None = None,
) -> CheckReport:
    """Runs the examples of a ruleset, then random games at a covering set of tables.

    The tables are all player counts (or ``players`` alone) with options such that every pair of values
    stands together in one. Every table gets at least one game; then there are more until there are
    ``games``, or ``decisions`` have been made. After each statement every card must lie in exactly one place.
    How long it takes does not depend on the clock, and the report is the same every time.
    """
    from rulekit.game.examples import run_examples

    program = ruleset.program
    examples = tuple(run_examples(ruleset))
    tables = covering(program, players)
    trial = _Trial(program, tables, seed)
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
        problems=tuple(trial.problems),
        unreached=tuple(trial.unreached()),
        idle=tuple(idle_options(program, tables, seed)),
    )


class _Trial:
    """Random games at several tables in rotation."""

    def __init__(self, program: Program, tables: Sequence[Combination], seed: int) -> None:
        self.tables = tables
        self.seed = seed
        self.machines = [Machine(prepare(program, table.players, table.options)) for table in tables]
        self.found = [Coverage() for _ in tables]
        self.reached = Reached(program)
        self.problems: list[Problem] = []
        self.endings: dict[str, int] = {}
        self.decisions = self.given_up = self.cut = 0
        for machine, coverage in zip(self.machines, self.found, strict=True):
            machine.coverage = coverage
            machine.on_statement = _conserved

    def play(self, game: int, most: int = PATIENCE) -> None:
        """One random game, of at most so many decisions."""
        place = game % len(self.tables)
        machine, table = self.machines[place], self.tables[place]

        def problem(kind: str, text: str, span: Span | None = None) -> None:
            self.problems.append(Problem(kind, text, table, self.seed, game, span))

        try:
            state = machine.start(self.seed, game)
            stream = streams(self.seed, game)[1]
            made = 0
            while state.ending is None and made < most:
                made += 1
                self.decisions += 1
                stream, choice = wander(stream, state.legal)
                machine.apply(state, state.legal[choice])
            _noted(state)
            outcome = machine.outcome(state)
        except CardsAstray as astray:
            problem("cards", str(astray))
            return
        except Exception as error:
            # Whatever the reference engine lets through is a mistake in it, and a finding here.
            problem("crash", f"{type(error).__name__}: {error}")
            return
        if state.ending is None:
            self.given_up += most == PATIENCE
            self.cut += most < PATIENCE
            return
        self.endings[outcome.reason] = self.endings.get(outcome.reason, 0) + 1
        if outcome.fault is not None:
            problem("fault", f"{outcome.fault.code}: {outcome.fault.message}", outcome.fault.span)

    def unreached(self) -> list[Unreached]:
        """What no game came to."""
        for machine, coverage in zip(self.machines, self.found, strict=True):
            self.reached.add(machine, coverage)
        return self.reached.unreached()


class CardsAstray(AssertionError):
    """A card lies in no place, or in two."""


def _conserved(state: State) -> None:
    """Raises CardsAstray unless every card lies in exactly one place. Called after every statement."""
    lying = [card for cards in state.zones for card in cards]
    if len(lying) != len(state.place) or len(set(lying)) != len(lying):
        twice = sorted({card for card in lying if lying.count(card) > 1})
        missing = sorted(set(range(len(state.place))) - set(lying))
        raise CardsAstray(f"cards {missing} lie nowhere, cards {twice} lie twice")


def _noted(state: State) -> None:
    """Raises CardsAstray unless every card is noted for the place where it lies. Called once a game."""
    for place, cards in enumerate(state.zones):
        for card in cards:
            if state.place[card] != place:
                raise CardsAstray(f"card {card} lies in place {place} and is noted for {state.place[card]}")
