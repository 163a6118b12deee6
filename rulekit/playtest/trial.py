"""Random games at several tables in rotation, watched for trouble."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rulekit.diagnostics import Span
from rulekit.engine import Coverage, Machine, State
from rulekit.engine.chance import streams
from rulekit.playtest.balance import Wins
from rulekit.playtest.coverage import Reached, RuleCoverage
from rulekit.playtest.options import Combination
from rulekit.playtest.wander import wander
from rulekit.program import Program, prepare

PATIENCE = 20_000  #: decisions after which a random game is given up
WATCHED = 4  #: in one of so many games it is watched whether a position comes back


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
class Repetition:
    """The first game seen in which players came back to a position they had left."""

    table: Combination
    seed: int
    game: int
    decision: int


@dataclass
class TableTally:
    """What was played at one table."""

    games: int = 0
    decisions: int = 0
    problems: int = 0


class Trial:
    """Plays random games and remembers what came of them.

    After each statement every card must lie in exactly one place. ``endings`` counts games by how they ended;
    ``given_up`` had not after 20,000 decisions, ``cut`` were left earlier for want of decisions.
    """

    def __init__(self, program: Program, tables: Sequence[Combination], seed: int) -> None:
        self.program = program
        self.tables = tables
        self.seed = seed
        self.machines = [Machine(prepare(program, table.players, table.options)) for table in tables]
        self.found = [Coverage() for _ in tables]
        self.tallies = [TableTally() for _ in tables]
        self.wins: dict[int, Wins] = {}
        self.problems: list[Problem] = []
        self.endings: Counter[str] = Counter()
        self.decisions = self.given_up = self.cut = self.watched = self.repeating = 0
        self.repetition: Repetition | None = None
        for machine, coverage in zip(self.machines, self.found, strict=True):
            machine.coverage = coverage
            machine.on_statement = _conserved

    def play(self, game: int, most: int = PATIENCE) -> None:
        """One random game, of at most so many decisions."""
        place = game % len(self.tables)
        machine, tally = self.machines[place], self.tallies[place]
        tally.games += 1
        watch = _Watch(self, place, game) if game // len(self.tables) % WATCHED == 0 else None
        try:
            state = machine.start(self.seed, game)
            stream = streams(self.seed, game)[1]
            made = 0
            while state.ending is None and made < most:
                if watch is not None:
                    watch.look(state, made)
                made += 1
                self.decisions += 1
                tally.decisions += 1
                stream, choice = wander(stream, state.legal)
                machine.apply(state, state.legal[choice])
            _noted(state)
        except CardsAstray as astray:
            self._problem(place, game, "cards", str(astray))
        except Exception as error:
            # Whatever the reference engine lets through is a mistake in it, and a finding here.
            self._problem(place, game, "crash", f"{type(error).__name__}: {error}")
        else:
            if state.ending is None:
                self.given_up += most == PATIENCE
                self.cut += most < PATIENCE
                return
            self._ended(place, game, state)

    def _ended(self, place: int, game: int, state: State) -> None:
        machine, table = self.machines[place], self.tables[place]
        outcome = machine.outcome(state)
        self.endings[outcome.reason] += 1
        if outcome.fault is not None:
            fault = outcome.fault
            self._problem(place, game, "fault", f"{fault.code}: {fault.message}", fault.span)
        elif outcome.reason == "played out":
            wins = self.wins.setdefault(table.players, Wins(table.players, machine.setup.teams))
            wins.add(outcome.ranking[0])

    def _problem(self, place: int, game: int, kind: str, text: str, span: Span | None = None) -> None:
        self.tallies[place].problems += 1
        self.problems.append(Problem(kind, text, self.tables[place], self.seed, game, span))

    def coverage(self, others: Iterable[Machine] = ()) -> RuleCoverage:
        """What the games came to, and what was played on other machines that took note of it."""
        reached = Reached(self.program)
        for machine, found in zip(self.machines, self.found, strict=True):
            reached.add(machine, found)
        for machine in others:
            if machine.coverage is not None:
                reached.add(machine, machine.coverage)
        return reached.coverage()


class _Watch:
    """Looks in one game for a position that comes back: players might go round in circles for ever."""

    def __init__(self, trial: Trial, place: int, game: int) -> None:
        self.trial = trial
        self.place = place
        self.game = game
        self.seen: set[int] = set()
        self.found = False
        trial.watched += 1

    def look(self, state: State, decision: int) -> None:
        """At a decision. Chance belongs to the position: what it has still to give is the same too."""
        if self.found:
            return
        here = hash(state.position())
        if here in self.seen:
            self.found = True
            trial = self.trial
            trial.repeating += 1
            if trial.repetition is None:
                trial.repetition = Repetition(trial.tables[self.place], trial.seed, self.game, decision)
        self.seen.add(here)


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
