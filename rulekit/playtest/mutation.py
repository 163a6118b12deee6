"""Do the examples of a ruleset notice mistakes in it? Mutants are made, and the examples run on each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from rulekit.engine import Machine
from rulekit.playtest.mutants import Mutant, counted, mutants, sample
from rulekit.playtest.options import Combination, covering
from rulekit.playtest.trace import trace
from rulekit.program import Program, prepare

if TYPE_CHECKING:
    from rulekit.game.ruleset import Ruleset
    from rulekit.playtest.simulate import Progress

MUTANTS = 100  #: tried, unless told otherwise
DEALS = 5  #: in which each example is run
PATIENCE = 5_000  #: decisions in search of where an example begins, if the rules need no more
GAMES = 24  #: random games that may tell a mutant from the rules
DECISIONS = 300  #: of each of these games that are looked at


@dataclass(frozen=True)
class Survivor:
    """A mutant that no example noticed, though random games went another way. ``breaks``: with a fault."""

    mutant: Mutant
    breaks: bool = False

    def __str__(self) -> str:
        return f"{self.mutant}" + (" (random games break down)" if self.breaks else "")


@dataclass(frozen=True)
class MutationReport:
    """What came of the mutants of a ruleset.

    Of ``possible`` mutants ``tried`` were drawn; ``noticed`` made an example fail, ``equal`` made no
    difference in random games either (most of them are no mistakes), the ``survivors`` did.
    """

    ruleset: str
    possible: int
    tried: int
    noticed: int
    equal: tuple[Mutant, ...]
    survivors: tuple[Survivor, ...]

    @property
    def score(self) -> float:
        """The share of mistakes that examples noticed, from 0 to 1; 1 if there was none."""
        mistakes = self.noticed + len(self.survivors)
        return self.noticed / mistakes if mistakes else 1.0

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
                    "breaks": one.breaks,
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
    patience = _patience(ruleset)
    drawn = sample(every, size, seed)
    usual = _Usual(counted(ruleset.program), seed)
    noticed, equal, survivors = 0, [], []
    for number, mutant in enumerate(drawn, 1):
        program = mutant.program()
        if _noticed(ruleset, program, patience):
            noticed += 1
        elif (breaks := usual.differs(program)) is None:
            equal.append(mutant)
        else:
            survivors.append(Survivor(mutant, breaks))
        if progress is not None:
            progress(number, len(drawn))
    return MutationReport(
        ruleset.program.name, len(every), len(drawn), noticed, tuple(equal), tuple(survivors)
    )


def _patience(ruleset: Ruleset) -> int:
    """How long to search for where an example begins; raises ExamplesFail if some fail in any case."""
    from rulekit.game.examples import PATIENCE as MOST

    patience = PATIENCE
    while _noticed(ruleset, ruleset.program, patience):
        if patience >= MOST:
            raise ExamplesFail(f"examples of `{ruleset.name}` fail: mend them, or the rules, first")
        patience = min(4 * patience, MOST)
    return patience


class ExamplesFail(ValueError):
    """Examples fail by the rules as they are, so that they can tell nothing of mutants."""


def _noticed(ruleset: Ruleset, program: Program, patience: int) -> bool:
    """Does an example fail by these rules? All are tried with one deal before any is with several."""
    from rulekit.game.examples import ExampleRunner
    from rulekit.game.ruleset import Ruleset

    mutated = Ruleset(program, ruleset.chosen)
    try:
        for deals in (1, DEALS):
            runner = ExampleRunner(mutated, deals, patience)
            if not all(runner.run(example).passed for example in program.examples):
                return True
    except Exception:
        # The program is not one that the checker lets through: the engine may do anything.
        return True
    return False


class _Usual:
    """How some random games go by the rules as they are."""

    def __init__(self, program: Program, seed: int) -> None:
        self.program = program
        self.seed = seed
        self.tables = _some(covering(program))
        self._games: dict[int, list[Any]] = {}

    def differs(self, program: Program) -> bool | None:
        """Do games go another way by these rules: None if not, True if they break down."""
        if program.fingerprint() == self.program.fingerprint():
            return None
        machines: dict[int, Machine] = {}
        for game in range(GAMES):
            place = game % len(self.tables)
            try:
                if place not in machines:
                    table = self.tables[place]
                    machines[place] = Machine(prepare(program, table.players, table.options))
                steps = list(_steps(machines[place], self.seed, game))
            except Exception:
                return True
            if any(a != b for a, b in zip_longest(steps, self._usual(game))):
                return bool(steps) and steps[-1][0] == "fault"
        return None

    def _usual(self, game: int) -> list[Any]:
        if game not in self._games:
            table = self.tables[game % len(self.tables)]
            machine = Machine(prepare(self.program, table.players, table.options))
            self._games[game] = list(_steps(machine, self.seed, game))
        return self._games[game]


def _some(tables: Sequence[Combination]) -> list[Combination]:
    """Up to a dozen of the tables, from the first to the last."""
    step = max(1, len(tables) // 12)
    return list(tables[::step][:12])


def _steps(machine: Machine, seed: int, game: int) -> Iterator[list[Any]]:
    """The beginning of a random game, and how it ended if it did."""
    for number, step in enumerate(trace(machine, seed, game)):
        if number == DECISIONS:
            return
        yield step
