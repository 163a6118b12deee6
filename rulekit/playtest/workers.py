"""Workers: they play games of a job by their numbers, and count them. Game g is the same game in each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from math import comb
from typing import TYPE_CHECKING, Protocol

from rulekit.engine import Outcome, State
from rulekit.engine.chance import below, mix, streams
from rulekit.game.ended import NONE, REASONS, firsts, outcome_of
from rulekit.game.engines import Engines
from rulekit.players import BOTS, Bot, Draws, choose
from rulekit.playtest.job import Job
from rulekit.playtest.tally import FAULTS_KEPT, Tally
from rulekit.program import Setup
from rulekit.program.actions import sizes

if TYPE_CHECKING:
    from rulekit.compiled import Games, Lowered

WIDE = 256  #: games that WebAssembly plays side by side
AT_ONCE = 4096  #: decisions of each of them between two looks at whether to stop
MOST_CHOICES = 1 << 20  #: no decision has more legal moves: the language sees to it

Stopped = Callable[[], bool]


class Worker(Protocol):
    """Plays games of one job; one thread may use it at a time."""

    def parts(self, first: int, last: int, stopped: Stopped = ...) -> Iterator[Tally]:
        """Games ``first`` up to but not including ``last``, counted, some at a time; no more once stopped."""
        ...


def never() -> bool:
    return False


def make_worker(job: Job, engines: Engines | None = None) -> Worker:
    """A worker for the engine of the job; where WebAssembly is missing, one that does the same slower."""
    engines = engines or job.engines()
    if not job.by_chance or job.engine in (None, "reference"):
        return ReferenceWorker(job, engines)
    found, _ = engines.take(
        None, ("wasm", "python", "reference") if job.engine == "wasm" else ("python", "reference")
    )
    kinds: dict[str, Callable[[Job, Engines], Worker]] = {
        "wasm": WasmWorker,
        "python": PythonWorker,
        "reference": ReferenceWorker,
    }
    return kinds[found](job, engines)


class ReferenceWorker:
    """Plays on the reference engine, with any bots."""

    def __init__(self, job: Job, engines: Engines | None = None) -> None:
        self.job = job
        self.machine = (engines or job.engines()).machine
        self.bots: list[Bot] | None = None  # None: all seats play at random, the quick way
        if not job.by_chance:
            self.bots = [BOTS[name]() for name in job.bots]

    def parts(self, first: int, last: int, stopped: Stopped = never) -> Iterator[Tally]:
        for game in range(first, last):
            if stopped():
                return
            tally = Tally.empty(self.job.players)
            self.play_one(game, tally)
            yield tally

    def play(self, first: int, last: int) -> Tally:
        """Games ``first`` up to but not including ``last``, counted."""
        tally = Tally.empty(self.job.players)
        for game in range(first, last):
            self.play_one(game, tally)
        return tally

    def play_one(self, game: int, tally: Tally) -> State:
        """One game, counted; returns its last position."""
        state, chosen = self.to_the_end(game)
        tally.lengths[len(chosen)] += 1
        tally.choices.update(chosen)
        count_outcome(tally, game, self.machine.outcome(state), self.machine.setup)
        return state

    def to_the_end(self, game: int) -> tuple[State, list[int]]:
        """The last position of a game, and how many moves were legal at each decision."""
        machine = self.machine
        state = machine.start(self.job.seed, game)
        chosen: list[int] = []
        if self.bots is None:
            stream = streams(self.job.seed, game)[1]
            while state.ending is None:
                legal = state.legal
                chosen.append(len(legal))
                stream, place = below(stream, len(legal))
                machine.apply(state, legal[place])
        else:
            draws = Draws.for_game(self.job.seed, game)
            while (decision := machine.decision(state)) is not None:
                chosen.append(len(state.legal))
                machine.apply(state, choose(machine, state, self.bots[decision.actor], draws))
        return state, chosen


def count_outcome(tally: Tally, game: int, outcome: Outcome, setup: Setup) -> None:
    """How a game ended, counted."""
    if outcome.fault is not None:
        tally.add_fault(game, str(outcome.fault))
    else:
        tally.add_finished(outcome.reason, outcome.scores, outcome.ranking[0], setup.teams)


class _Compiled:
    """What both compiled engines need: the reference engine tells of games that are out of the ordinary."""

    def __init__(self, job: Job, engines: Engines) -> None:
        self.job, self.engines, self.setup = job, engines, engines.setup
        self._reference: ReferenceWorker | None = None

    def again(self, game: int) -> tuple[Outcome, list[int]]:
        """How the game ends in the reference engine, and how many moves were legal at each decision."""
        if self._reference is None:
            self._reference = ReferenceWorker(self.job)  # of its own: the engines may be shared by threads
        state, chosen = self._reference.to_the_end(game)
        return self._reference.machine.outcome(state), chosen

    def play_again(self, game: int, tally: Tally, played: int) -> tuple[int, bool]:
        """Counts a game of which the compiled engine could play and count so many decisions only.

        Gives its length, and whether it ended in a fault.
        """
        outcome, chosen = self.again(game)
        tally.choices.update(chosen[played:])
        tally.replayed += 1
        count_outcome(tally, game, outcome, self.setup)
        return len(chosen), outcome.fault is not None


class PythonWorker(_Compiled):
    """Plays at random on the generated Python."""

    def parts(self, first: int, last: int, stopped: Stopped = never) -> Iterator[Tally]:
        told = 0
        for game in range(first, last):
            if stopped():
                return
            tally = Tally.empty(self.job.players)
            told += self._play_one(game, tally, told < FAULTS_KEPT)
            yield tally

    def _play_one(self, game: int, tally: Tally, tell: bool) -> bool:
        """One game, counted; gives whether it ended in a fault. ``tell``: with the text of the fault."""
        engine = self.engines.python
        choices = engine.layout.slots["choices"]
        chance, policy = streams(self.job.seed, game)
        state = engine.start(chance)
        apply = engine.apply
        chosen: list[int] = []
        while (legal := state[choices]) > 0:
            chosen.append(legal)
            policy, place = below(policy, legal)
            apply(state, place)
        tally.choices.update(chosen)
        if engine.beyond(state):
            length, faulted = self.play_again(game, tally, len(chosen))
            tally.lengths[length] += 1
            return faulted
        tally.lengths[len(chosen)] += 1
        if engine.load(state, "fault"):
            if tell:
                count_outcome(tally, game, self.again(game)[0], self.setup)
            else:
                tally.add_untold_fault()
            return True
        found = outcome_of(engine, state) or self.again(game)[0]
        count_outcome(tally, game, found, self.setup)
        return False


class WasmWorker(_Compiled):
    """Plays at random in WebAssembly, many games side by side."""

    def __init__(self, job: Job, engines: Engines) -> None:
        super().__init__(job, engines)
        self._games: Games = engines.wasm().games(WIDE, most_choices=most_choices(engines.lowered))
        self._seed = mix(job.seed)
        self._sites = engines.lowered.module.faults
        # Rounds of a loop that may not end take from the same budget as decisions.
        self._other_rounds = any(field.name == "rounds" for field in engines.lowered.module.fields)

    def parts(self, first: int, last: int, stopped: Stopped = never) -> Iterator[Tally]:
        told = 0
        self._games.choice_counts()  # those of a batch that was stopped
        for start in range(first, last, WIDE):
            tally = Tally.empty(self.job.players)
            lengths = self._roll(start, min(WIDE, last - start), stopped)
            if lengths is None:
                return
            tally.choices.update(self._games.choice_counts())
            told += self._count(start, min(WIDE, last - start), lengths, tally, FAULTS_KEPT - told)
            yield tally

    def _roll(self, first: int, count: int, stopped: Stopped) -> Sequence[int] | None:
        """Plays games to the end; gives their lengths, or of no use if empty; None: it was stopped."""
        games = self._games
        games.begin_many(self._seed, first, count=count)
        if not self._other_rounds:
            while games.roll_many(AT_ONCE, count=count):
                if stopped():
                    return None
            return ()
        lengths = [0] * count
        for game in range(count):
            while made := games.roll(game, AT_ONCE):
                lengths[game] += made
                if stopped():
                    return None
        return lengths

    def _count(self, first: int, count: int, lengths: Sequence[int], tally: Tally, tell: int) -> int:
        """Counts how the games ended; gives how many faults there were, ``tell`` of which are told."""
        players, teams = self.job.players, self.setup.teams
        rows = list(self._games.outcomes(count=count))
        played = list(lengths) or [row[1] for row in rows]
        faults = 0
        odd = {row for row in set(rows) if row[2] or row[0] not in REASONS}
        if odd:
            for at, row in enumerate(rows):
                if row not in odd:
                    continue
                if row[2] > 0 and self._sites[row[2] - 1].beyond:
                    played[at], faulted = self.play_again(first + at, tally, played[at])
                    faults += faulted
                    continue
                if row[2] > 0 and faults >= tell:
                    tally.add_untold_fault()
                else:
                    count_outcome(tally, first + at, self.again(first + at)[0], self.setup)
                faults += row[2] > 0
            rows = [row for row in rows if row not in odd]
        tally.lengths.update(played)
        for row, times in Counter(rows).items():
            scores = [None if score == NONE else score for score in row[3 : 3 + players]]
            ranks = row[3 + players :]
            reason, first_seats = firsts(row[0], ranks)
            tally.add_finished(reason, scores, first_seats, teams, times)
        return faults


def most_choices(lowered: Lowered) -> int:
    """As many legal moves as a decision can have, or more."""
    from rulekit.compiled.legality import MOST_ROWS

    most = 0
    for site in lowered.sites.values():
        total = 0
        for number in site.moves:
            legal = lowered.legal[number]
            if legal.form == "flag":
                total += 1
            elif legal.form == "mask" and legal.domain is not None:
                total += legal.domain.width
            elif legal.form == "subsets" and legal.domain is not None:
                width = legal.domain.width
                low, high = sizes(legal.move.choices[0], width)
                total += sum(comb(width, size) for size in range(low, high + 1))
            elif legal.form == "rows":
                total += MOST_ROWS
            else:
                total += MOST_CHOICES
        most = max(most, total)
    return min(most, MOST_CHOICES)
