"""Many games of one table, played by bots, counted as they end."""

from __future__ import annotations

import os
import threading
import time
from collections import deque
from collections.abc import Callable, Generator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Protocol

from rulekit.game.wording import described, whole
from rulekit.playtest.crew import Played, crew, play
from rulekit.playtest.job import Job, choose_engine, make_job, packed, unpacked
from rulekit.playtest.report import Report, summarise
from rulekit.playtest.tally import Tally
from rulekit.playtest.workers import Worker, make_worker

if TYPE_CHECKING:
    from rulekit.game.engines import Engines
    from rulekit.game.ruleset import Ruleset

FIRST_PIECE = 10  #: games (of bots that think, one); further pieces grow until one takes `PIECE` seconds
PIECE = 0.2
REMOTE_PIECE = 2.0
SOON = 1.0  #: so many seconds one process plays alone before others are started
REMOTE = 8  #: pieces that an executor holds at a time, if it does not say how many workers it has

Progress = Callable[[int, int], None]
"""Called with the number of games done and wanted."""


class Promise(Protocol):
    """What an executor gives: a future."""

    def result(self) -> Any: ...


class Executor(Protocol):
    """Whoever runs pieces of a simulation: `submit` as in `concurrent.futures`; a Dask client is one."""

    def submit(self, function: Callable[..., Any], /, *arguments: Any) -> Any: ...


def simulate(
    ruleset: Ruleset,
    games: int,
    seed: int = 0,
    players: int | None = None,
    options: Mapping[str, Any] | None = None,
    bots: str | Sequence[str] = "random",
    progress: Progress | None = None,
    workers: int | None = None,
    start_method: str | None = None,
    engine: str | None = None,
    executor: Executor | None = None,
) -> Report:
    """Plays ``games`` games of one table and counts them.

    ``players``  how many play; by default the fewest
    ``options``  are added to those of the ruleset
    ``bots``  one bot for all seats, or one for each
    ``engine``  `wasm`, `python` or `reference`; None: the fastest that can play this, for random players.
    Other bots play on the reference engine
    ``workers``  how many play at a time; None: as many as there are cores. WebAssembly plays in threads, the
    other engines in processes (``start_method`` as in `multiprocessing`), but if neither is given in this
    one
    ``executor``  plays the pieces instead: `submit` as in `concurrent.futures`, such as a Dask client

    The figures depend on seed, table, bots and number of games alone: game g of seed s is the same game on
    every engine and whoever plays it, and deals do not depend on the bots. Memory does not grow with the
    number of games. After Ctrl-C the report tells what was played until then.

    Raises ValueError for a wrong number of games or workers, an unknown bot, option, value or engine, an
    engine that cannot play this, or a number of players that the game is not for; `crew.WorkerLost`, a
    RuntimeError, if a worker process is ended from outside.
    """
    games = _number("games", games)
    workers = None if workers is None else _number("workers", workers)
    if executor is not None and not callable(getattr(executor, "submit", None)):
        raise ValueError(f"an executor has a method `submit`, unlike {described(executor)}")
    job = make_job(ruleset, seed, players, options, bots)
    engines = job.engines()
    chosen, note = choose_engine(job, engines, engine)
    job = replace(job, engine=chosen)
    tally, interrupted = Tally.empty(job.players), False
    with closing(_ways(job, engines, games, workers, start_method, executor)) as parts:
        try:
            for part in parts:
                tally.merge(part)
                if progress is not None:
                    progress(tally.games, games)
        except KeyboardInterrupt:
            interrupted = True
    program = job.program
    return summarise(
        tally,
        ruleset=program.name,
        fingerprint=program.fingerprint(),
        teams=engines.setup.teams,
        options={name: o.format(engines.setup.options[name]) for name, o in program.options.items()},
        seed=seed,
        asked=games,
        bots=job.bots,
        interrupted=interrupted,
        engine=chosen,
        note=note or again(tally),
    )


def again(tally: Tally) -> str | None:
    """What is said of games that the engine could not play to the end."""
    if not tally.replayed:
        return None
    games = "1 game was" if tally.replayed == 1 else f"{tally.replayed:,} games were"
    return f"{games} played again on the reference engine, for more legal moves or sets than others hold"


Parts = Generator[Tally, None, None]


def _ways(
    job: Job,
    engines: Engines,
    games: int,
    workers: int | None,
    start_method: str | None,
    executor: Executor | None,
) -> Parts:
    """The games, counted, in order, by whoever is to play them."""
    pieces = Pieces(games, FIRST_PIECE if job.by_chance else 1)
    if executor is not None:
        return _by_executor(job, pieces, executor)
    cores = workers or _cores()
    if cores == 1:
        return _in_turn(make_worker(job, engines), pieces)
    if job.engine == "wasm":
        return _by_threads(job, engines, pieces, cores)
    if workers is None and start_method is None:
        return _in_turn(make_worker(job, engines), pieces)
    return _by_processes(job, engines, pieces, cores, start_method or "spawn", at_once=workers is not None)


def _cores() -> int:
    """How many cores this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on this system
        return os.cpu_count() or 1


class Pieces:
    """Shares out games by their numbers, in pieces that each take about so many seconds.

    How the games are cut decides nothing about them.
    """

    def __init__(self, games: int, least: int = FIRST_PIECE, seconds: float = PIECE) -> None:
        self.left = games
        self._next, self._size, self._least, self._seconds = 0, least, least, seconds

    def next(self) -> tuple[int, int] | None:
        """The first game of a piece, and the one after its last; None if there are no more."""
        if not self.left:
            return None
        size = min(self._size, self.left)
        self.left -= size
        self._next += size
        return self._next - size, self._next

    def took(self, games: int, seconds: float) -> None:
        """So many games took so long."""
        if games >= self._size // 2:
            fitting = int(games * self._seconds / max(seconds, 1e-6))
            self._size = max(self._least, min(fitting, 4 * self._size))


# ---------------------------------------------------------------- in this process


def _in_turn(worker: Worker, pieces: Pieces, seconds: float | None = None) -> Parts:
    """The games one after the other, for so many seconds. Stopped in a piece, it has given those before."""
    until = None if seconds is None else time.monotonic() + seconds
    while (until is None or time.monotonic() < until) and (piece := pieces.next()) is not None:
        began = time.monotonic()
        yield from worker.parts(*piece)
        pieces.took(piece[1] - piece[0], time.monotonic() - began)


def _by_threads(job: Job, engines: Engines, pieces: Pieces, workers: int) -> Parts:
    """The games by threads, each with a worker of its own: compiled code runs without Python's lock."""
    free: list[Worker] = []
    lock, stop = threading.Lock(), threading.Event()

    def played(first: int, last: int) -> Played:
        with lock:
            worker = free.pop() if free else None
        worker = worker or make_worker(job, engines)  # what is shared never changes
        try:
            return play(worker, first, last, stop.is_set)
        finally:
            with lock:
                free.append(worker)

    pool = ThreadPoolExecutor(workers, "rulekit")
    try:
        yield from _streamed(lambda piece: pool.submit(played, *piece), pieces, 2 * workers)
    finally:
        stop.set()
        pool.shutdown(wait=True, cancel_futures=True)


def _streamed(submit: Callable[[tuple[int, int]], Promise], pieces: Pieces, most: int) -> Parts:
    """Pieces that others play, in the order of the games, a few ahead at a time."""
    waiting: deque[tuple[int, Promise]] = deque()

    def taken() -> Tally:
        size, future = waiting.popleft()
        tally, seconds = future.result()
        assert isinstance(tally, Tally), "what was submitted gives a tally"
        pieces.took(size, seconds)
        return tally

    try:
        while (piece := pieces.next()) is not None:
            waiting.append((piece[1] - piece[0], submit(piece)))
            if len(waiting) >= most:
                yield taken()
        while waiting:
            yield taken()
    finally:
        for _, future in waiting:
            cancel = getattr(future, "cancel", None)
            if cancel is not None:
                cancel()


# ---------------------------------------------------------------- in other processes


def _by_processes(
    job: Job, engines: Engines, pieces: Pieces, workers: int, start_method: str, at_once: bool
) -> Parts:
    """The games by several processes. Unless ``at_once``, only if it takes longer than a moment."""
    if not at_once:
        yield from _in_turn(make_worker(job, engines), pieces, SOON)
    if not pieces.left:
        return
    with crew(job, workers, start_method) as submit:
        yield from _streamed(submit, pieces, 2 * workers)


def _number(what: str, given: int) -> int:
    found = whole(given, 1)
    if found is None:
        raise ValueError(f"the number of {what} is a whole number from 1, not {described(given)}")
    return found


def _by_executor(job: Job, pieces: Pieces, executor: Executor) -> Parts:
    """The games by an executor, which may run on other machines."""
    data = packed(job)
    pieces._seconds = REMOTE_PIECE
    return _streamed(
        lambda piece: executor.submit(play_piece, data, *piece), pieces, REMOTE * _width(executor)
    )


def _width(executor: Executor) -> int:
    """How many workers an executor has, if that can be found out; else 1."""
    count: Any = getattr(executor, "_max_workers", None)
    if count is None and callable(ncores := getattr(executor, "ncores", None)):
        count = sum(ncores().values())  # a Dask client
    return count if isinstance(count, int) and count > 0 else 1


def play_piece(data: bytes, first: int, last: int) -> Played:
    """A piece of a job that was packed, counted, and how many seconds it took. This is what executors run."""
    free = _free_workers(data)
    worker = free.pop() if free else make_worker(unpacked(data))
    try:
        return play(worker, first, last)
    finally:
        free.append(worker)


@lru_cache(maxsize=4)
def _free_workers(data: bytes) -> deque[Worker]:
    """Workers of a job that nobody uses now: an executor may have several threads in one process."""
    return deque()
