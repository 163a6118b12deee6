"""Do the examples of a ruleset notice mistakes in it? Mutants are made, and examples run on each.

A mutant is shown only to the examples, and the random games, that evaluate what is mistaken in it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from rulekit.engine import Machine
from rulekit.playtest.footprint import Footprint, Key, WatchedMachine
from rulekit.playtest.mutants import Mutant, counted, mutants, sample
from rulekit.playtest.options import Combination, covering
from rulekit.playtest.trace import trace
from rulekit.program import Program, prepare

if TYPE_CHECKING:
    from rulekit.game.ruleset import Ruleset
    from rulekit.playtest.simulate import Progress

MUTANTS = 100  #: tried, unless told otherwise
DEALS = 5  #: in which each example is run
PATIENCE = 1_000  #: decisions in search of where an example begins, if the rules need no more
GAMES = 24  #: random games that may tell a mutant from the rules
DECISIONS = 300  #: of each of these games that are looked at
LONG, MANY = 6, 2_000  #: ... but of one game in so many this many
COMPARED = (
    10,
    2,
)  #: short and long games that come to a mistake, after which it is taken to make no difference


@dataclass(frozen=True)
class Survivor:
    """A mutant that no example noticed.

    ``why``: `differs`, random games went another way; `breaks`, and at once to a fault; `unplayed`, no random
    game came to this place, so that it may or may not be a mistake
    """

    mutant: Mutant
    why: str = "differs"

    def __str__(self) -> str:
        return f"{self.mutant}" + _WHY[self.why]


_WHY = {
    "differs": "",
    "breaks": " (random games break down)",
    "unplayed": " (no random game comes here)",
}


@dataclass(frozen=True)
class MutationReport:
    """What came of the mutants of a ruleset.

    Of ``possible`` mutants ``tried`` were drawn; ``noticed`` made an example fail, ``equal`` were played in
    random games and made no difference in them either (most are no mistakes), ``survivors`` are the rest.
    """

    ruleset: str
    possible: int
    tried: int
    noticed: int
    equal: tuple[Mutant, ...]
    survivors: tuple[Survivor, ...]

    @property
    def mistakes(self) -> int:
        """How many there were to notice."""
        return self.noticed + len(self.survivors)

    @property
    def score(self) -> float:
        """The share of mistakes that examples noticed, from 0 to 1; 1 if there was none."""
        return self.noticed / self.mistakes if self.mistakes else 1.0

    def to_json(self) -> dict[str, Any]:
        """The report as plain data (documented in docs/json.md)."""
        return {
            "possible": self.possible,
            "tried": self.tried,
            "noticed": self.noticed,
            "equal": len(self.equal),
            "score": round(self.score, 4),
            "survivors": [
                {
                    "kind": one.mutant.kind,
                    "text": one.mutant.text,
                    "place": one.mutant.place,
                    "source": one.mutant.span.text,
                    "why": one.why,
                }
                for one in self.survivors
            ],
        }


def mutate(
    ruleset: Ruleset, size: int = MUTANTS, seed: int = 0, progress: Progress | None = None
) -> MutationReport:
    """Puts single mistakes into a ruleset and runs its examples on each.

    ``size`` mutants are drawn by the seed (all, if there are no more). The report is the same every time.
    Raises ExamplesFail if an example fails without any mistake.
    """
    every = mutants(ruleset.program)
    examples = _Examples(ruleset)
    drawn = sample(every, size, seed)
    usual = _Usual(counted(ruleset.program), seed)
    noticed, equal, survivors = 0, [], []
    for number, mutant in enumerate(drawn, 1):
        program, keys = mutant.program(), mutant.keys
        if examples.notice(program, keys):
            noticed += 1
        elif mutant.kind == "option":  # games at tables with options of their own cannot tell a default
            survivors.append(Survivor(mutant))
        elif (why := usual.tells(program, keys)) is None:
            equal.append(mutant)
        else:
            survivors.append(Survivor(mutant, why))
        if progress is not None:
            progress(number, len(drawn))
    return MutationReport(
        ruleset.program.name, len(every), len(drawn), noticed, tuple(equal), tuple(survivors)
    )


class ExamplesFail(ValueError):
    """Examples fail by the rules as they are, so that they can tell nothing of mutants."""


class _Examples:
    """The examples of a ruleset, each with what it evaluates. Raises ExamplesFail if one fails."""

    def __init__(self, ruleset: Ruleset) -> None:
        from rulekit.game.examples import ExampleRunner

        options = ruleset.program.options
        self.chosen = {name: value for name, value in ruleset.chosen.items() if value != options[name].start}
        self.patience = PATIENCE
        self.footprints: list[tuple[Footprint, Footprint]] = []
        for example in ruleset.program.examples:
            runner = ExampleRunner(ruleset, DEALS, machine=WatchedMachine)
            if not runner.run(example).passed:
                raise ExamplesFail(f"examples of `{ruleset.name}` fail: mend them, or the rules, first")
            (machine,) = runner.machines
            assert isinstance(machine, WatchedMachine)
            self.footprints.append((machine.laid_footprint(), machine.footprint()))
            self.patience = max(self.patience, 4 * runner.searched)

    def notice(self, program: Program, keys: frozenset[Key]) -> bool:
        """Does an example fail by these rules, which differ at ``keys``?

        All are tried with one deal before any is with several, and those that come to the mistake in what
        they tell before those that come to it only on the way there.
        """
        from rulekit.game.examples import ExampleRunner
        from rulekit.game.ruleset import Ruleset

        numbered = list(enumerate(self.footprints))
        near = [number for number, (laid, _) in numbered if laid.holds(keys)]
        far = [number for number, (_, whole) in numbered if whole.holds(keys) and number not in near]
        runner = ExampleRunner(Ruleset(program, self.chosen), DEALS, self.patience)
        try:
            for deals in (1, DEALS):
                for number in (*near, *far):
                    if not runner.run(program.examples[number], deals).passed:
                        return True
        except Exception:
            # The program is not one that the checker lets through: the engine may do anything.
            return True
        return False


class _Usual:
    """How some random games go by the rules as they are, and what they evaluate."""

    def __init__(self, program: Program, seed: int) -> None:
        self.program = program
        self.seed = seed
        self.tables = _some(covering(program))
        self._games: dict[int, tuple[list[Any], Footprint]] = {}

    def tells(self, program: Program, keys: frozenset[Key]) -> str | None:
        """Why these rules, which differ at ``keys``, are others (see Survivor); None if games go the same
        way."""
        if program.fingerprint() == self.program.fingerprint():
            return None
        played = [0, 0]
        for game in sorted(range(GAMES), key=_most):
            long = game % LONG == 0
            if played[long] == COMPARED[long]:
                continue
            steps, footprint = self._usual(game)
            if not footprint.holds(keys):
                continue
            played[long] += 1
            table = self.tables[game % len(self.tables)]
            try:
                machine = Machine(prepare(program, table.players, table.options))
                for other, step in zip_longest(_steps(machine, self.seed, game), steps):
                    if other != step:
                        return "breaks" if other is not None and other[0] == "fault" else "differs"
            except Exception:
                return "breaks"
        return None if any(played) else "unplayed"

    def _usual(self, game: int) -> tuple[list[Any], Footprint]:
        if game not in self._games:
            table = self.tables[game % len(self.tables)]
            machine = WatchedMachine(prepare(self.program, table.players, table.options))
            steps = list(_steps(machine, self.seed, game))
            self._games[game] = steps, machine.footprint()
        return self._games[game]


def _some(tables: Sequence[Combination]) -> list[Combination]:
    """Up to a dozen of the tables, from the first to the last."""
    step = max(1, len(tables) // 12)
    return list(tables[::step][:12])


def _steps(machine: Machine, seed: int, game: int) -> Iterator[list[Any]]:
    """The beginning of a random game, and how it ended if it did."""
    for number, step in enumerate(trace(machine, seed, game)):
        if number == _most(game):
            return
        yield step


def _most(game: int) -> int:
    """How many decisions of a random game are looked at."""
    return DECISIONS if game % LONG else MANY
