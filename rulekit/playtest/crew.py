"""Worker processes of a simulation: they play its pieces, and go as soon as nobody waits for them.

They go when the simulation is stopped, in the middle of a game if need be, and also when the process they
work for is gone, however it ended: each watches a pipe whose other end that process alone holds open.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing.connection import Connection

from rulekit.playtest.job import Job
from rulekit.playtest.tally import Tally
from rulekit.playtest.workers import Stopped, Worker, make_worker, never

Played = tuple[Tally, float]
"""A piece, counted, and how many seconds it took."""


class WorkerLost(RuntimeError):
    """A worker process ended before its games did."""


@contextmanager
def crew(job: Job, workers: int, start_method: str) -> Iterator[Callable[[tuple[int, int]], Future[Played]]]:
    """So many processes that play pieces of a job; gives what has a piece played.

    ``start_method``  as in `multiprocessing`

    Raises WorkerLost if one of them ends by itself.
    """
    context = multiprocessing.get_context(start_method)
    watched, held = context.Pipe(duplex=False)
    pool = ProcessPoolExecutor(workers, context, _begin, (job, watched, held))

    def submit(piece: tuple[int, int]) -> Future[Played]:
        with _blocked():
            return pool.submit(_work, *piece)

    finished = False
    try:
        yield submit
        finished = True
    except BrokenProcessPool:
        raise WorkerLost("a worker process was ended from outside, or ran out of memory") from None
    finally:
        with _ignored():
            if not finished:
                held.close()
            pool.shutdown(wait=True, cancel_futures=True)
            held.close()
            watched.close()


def play(worker: Worker, first: int, last: int, stopped: Stopped = never) -> Played:
    """Games ``first`` up to but not including ``last``."""
    began = time.monotonic()
    tally: Tally | None = None
    for part in worker.parts(first, last, stopped):
        if tally is None:
            tally = part
        else:
            tally.merge(part)
    assert tally is not None or stopped(), "there are no empty pieces"
    return tally or Tally.empty(0), time.monotonic() - began


# ---------------------------------------------------------------- Ctrl-C, which all processes hear


@contextmanager
def _blocked() -> Iterator[None]:
    """A process that is started in here never hears Ctrl-C; this one does so afterwards."""
    if not hasattr(signal, "pthread_sigmask"):  # not on this system
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def _ignored() -> Iterator[None]:
    """Ctrl-C once more while the workers go, which is soon done; to stop halfway would leave some."""
    if threading.current_thread() is not threading.main_thread() or signal.getsignal(signal.SIGINT) is None:
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


# ---------------------------------------------------------------- in a worker process

_worker: Worker | None = None


def _begin(job: Job, watched: Connection, held: Connection) -> None:
    global _worker
    held.close()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_go_with, args=(watched,), daemon=True).start()
    _worker = make_worker(job)


def _go_with(watched: Connection) -> None:
    """Ends this process once the pipe is closed at its other end; nothing is ever sent."""
    watched.poll(None)
    os._exit(1)


def _work(first: int, last: int) -> Played:
    assert _worker is not None, "the worker was begun"
    return play(_worker, first, last)
