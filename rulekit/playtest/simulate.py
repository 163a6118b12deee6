"""Many games of one table, played by bots, counted as they end."""

from __future__ import annotations

import multiprocessing
import signal
from collections import deque
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rulekit.engine import Machine, State
from rulekit.engine.chance import below, streams
from rulekit.players import BOTS, Bot, Draws, choose
from rulekit.playtest.report import Report, summarise
from rulekit.playtest.tally import Tally
from rulekit.program import Program, prepare

if TYPE_CHECKING:
    from rulekit.game.ruleset import Ruleset

CHUNK = 10  #: games that are played at a time, between two words about progress

Progress = Callable[[int, int], None]
"""Called with the number of games done and wanted."""


@dataclass(frozen=True)
class Job:
    """A table to simulate: all that a worker needs."""

    program: Program
    players: int
    options: Mapping[str, int | bool]
    seed: int
    bots: tuple[str, ...]


class Worker:
    """Plays games of one job."""

    def __init__(self, job: Job) -> None:
        self.job = job
        self.machine = Machine(prepare(job.program, job.players, job.options))
        self.bots: list[Bot] | None = None  # None: all seats play at random, the quick way
        if any(name != "random" for name in job.bots):
            self.bots = [BOTS[name]() for name in job.bots]

    def play(self, first: int, last: int) -> Tally:
        """Games ``first`` up to but not including ``last``, counted."""
        tally = Tally.empty(self.job.players)
        for game in range(first, last):
            self.play_one(game, tally)
        return tally

    def play_one(self, game: int, tally: Tally) -> State:
        """One game, counted; returns its last position."""
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
        outcome = machine.outcome(state)
        tally.lengths[len(chosen)] += 1
        tally.choices.update(chosen)
        if outcome.fault is not None:
            tally.add_fault(game, str(outcome.fault))
        else:
            tally.add_finished(outcome.reason, outcome.scores, outcome.ranking[0], machine.setup.teams)
        return state


def simulate(
    ruleset: Ruleset,
    games: int,
    seed: int = 0,
    players: int | None = None,
    options: Mapping[str, Any] | None = None,
    bots: str | Sequence[str] = "random",
    progress: Progress | None = None,
    workers: int = 1,
    start_method: str = "spawn",
) -> Report:
    """Plays ``games`` games of one table and counts them.

    The result depends on everything but ``workers`` and ``progress``: game g of seed s is the same game
    whoever plays it, and deals do not depend on the bots. ``players`` defaults to the fewest; ``options``
    are added to those of the ruleset; ``bots`` names one bot for all seats or one for each. With several
    workers the games are shared out among processes (``start_method`` as in `multiprocessing`). Memory
    does not grow with the number of games. After Ctrl-C the report tells what was played until then.

    Raises ValueError for a wrong number of games or workers, an unknown bot, option or value, or a number
    of players that the game is not for.
    """
    job = make_job(ruleset, seed, players, options, bots)
    if games < 1 or workers < 1:
        raise ValueError("at least one game and one worker are needed")
    tally, interrupted = Tally.empty(job.players), False
    ways = _in_turn(job, games) if workers == 1 else _shared_out(job, games, workers, start_method)
    with closing(ways) as parts:
        try:
            for part in parts:
                tally.merge(part)
                if progress is not None:
                    progress(tally.games, games)
        except KeyboardInterrupt:
            interrupted = True
    program = job.program
    setup = prepare(program, job.players, job.options)
    return summarise(
        tally,
        ruleset=program.name,
        fingerprint=program.fingerprint(),
        teams=setup.teams,
        options={name: option.format(setup.options[name]) for name, option in program.options.items()},
        seed=seed,
        asked=games,
        bots=job.bots,
        interrupted=interrupted,
    )


def make_job(
    ruleset: Ruleset,
    seed: int,
    players: int | None,
    options: Mapping[str, Any] | None,
    bots: str | Sequence[str],
) -> Job:
    """The table asked for; raises ValueError as `simulate` does."""
    if options:
        ruleset = ruleset.with_options(options)
    program = ruleset.program
    seats = program.players[0] if players is None else players
    chosen = ruleset.chosen
    prepare(program, seats, chosen)
    names = (bots,) * seats if isinstance(bots, str) else tuple(bots)
    if len(names) != seats:
        raise ValueError(f"{len(names)} bots are named for {seats} seats")
    for name in names:
        if name not in BOTS:
            raise ValueError(f"there is no bot `{name}`: there are " + ", ".join(f"`{bot}`" for bot in BOTS))
    return Job(program, seats, chosen, seed, names)


def _chunks(games: int) -> Iterator[tuple[int, int]]:
    return ((first, min(first + CHUNK, games)) for first in range(0, games, CHUNK))


def _in_turn(job: Job, games: int) -> Generator[Tally, None, None]:
    """The games in this process. Stopped in the middle of a chunk, the games played so far are given."""
    worker = Worker(job)
    for first, last in _chunks(games):
        part = Tally.empty(job.players)
        try:
            for game in range(first, last):
                worker.play_one(game, part)
        except KeyboardInterrupt:
            yield part
            raise
        yield part


def _shared_out(job: Job, games: int, workers: int, start_method: str) -> Generator[Tally, None, None]:
    """The games by several processes; parts come in the order of the games, a few ahead at a time."""
    context = multiprocessing.get_context(start_method)
    pool = ProcessPoolExecutor(workers, context, _begin_work, (job,))
    waiting: deque[Future[Tally]] = deque()
    try:
        for first, last in _chunks(games):
            waiting.append(pool.submit(_work, first, last))
            if len(waiting) >= 4 * workers:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


_worker: Worker | None = None  # of this process, where it is a worker


def _begin_work(job: Job) -> None:
    """In a worker process: Ctrl-C is for the one who asked, who stops the workers."""
    global _worker
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _worker = Worker(job)


def _work(first: int, last: int) -> Tally:
    assert _worker is not None, "the worker was begun"
    return _worker.play(first, last)
