"""Worker processes of a simulation: they never outlive what they work for, however it ends."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable

import pytest
from test_simulate import UNEVEN

import rulekit
from rulekit.cli import main
from rulekit.playtest.crew import WorkerLost
from rulekit.playtest.simulate import simulate

POSIX = pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")

#: A simulation without an end, which tells the numbers of its workers as soon as they play.
ENDLESS_WORK = f"""
import multiprocessing, rulekit
from rulekit.playtest.simulate import simulate

def progress(done, wanted, told=[]):
    if not told:
        told.append(print(*(one.pid for one in multiprocessing.active_children()), flush=True))

if __name__ == "__main__":
    rules = rulekit.load('''{UNEVEN}''')
    report = simulate(rules, 10**9, players=3, BOTS, workers=2, start_method="spawn", progress=progress)
    print(report.interrupted, report.games > 0, flush=True)
"""


@pytest.fixture
def endless(tmp_path: os.PathLike[str]) -> Callable[[str], tuple[subprocess.Popen[str], list[int]]]:
    """Begins such a simulation; gives it and its workers."""

    def begin(bots: str) -> tuple[subprocess.Popen[str], list[int]]:
        path = os.path.join(tmp_path, "work.py")
        with open(path, "w", encoding="utf-8") as file:
            file.write(ENDLESS_WORK.replace("BOTS", bots))
        begun = subprocess.Popen(
            [sys.executable, path], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        assert begun.stdout is not None
        return begun, [int(word) for word in begun.stdout.readline().split()]

    return begin


def gone(process: int, seconds: float = 20) -> bool:
    """Whether a process ends within so many seconds."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        try:
            os.kill(process, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.02)
    return False


@POSIX
@pytest.mark.parametrize("bots", ['engine="python"', 'bots="greedy"'])
def test_ctrl_c_pressed_twice_tells_what_was_played_and_leaves_no_worker(
    endless: Callable[[str], tuple[subprocess.Popen[str], list[int]]], bots: str
) -> None:
    begun, workers = endless(bots)
    assert len(workers) == 2
    for process in (*workers, begun.pid, begun.pid):  # from a terminal all of them hear it
        os.kill(process, signal.SIGINT)
    out, err = begun.communicate(timeout=30)
    assert (out, err) == ("True True\n", "")
    assert all(gone(worker) for worker in workers)


@POSIX
def test_workers_go_when_who_they_work_for_is_killed(
    endless: Callable[[str], tuple[subprocess.Popen[str], list[int]]],
) -> None:
    begun, workers = endless('engine="python"')
    begun.kill()
    begun.communicate(timeout=30)
    assert len(workers) == 2
    assert all(gone(worker) for worker in workers)


def kill_a_worker(done: int, wanted: int) -> None:
    multiprocessing.active_children()[0].kill()


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_a_worker_that_is_killed_is_told_of(method: str) -> None:
    with pytest.raises(WorkerLost, match="ended from outside, or ran out of memory"):
        simulate(
            rulekit.load(UNEVEN),
            10**9,
            engine="python",
            workers=2,
            start_method=method,
            progress=kill_a_worker,
        )
    assert multiprocessing.active_children() == []


def test_the_command_line_tells_of_it_too(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def lost(*_: object, **__: object) -> None:
        raise WorkerLost("a worker was lost")

    monkeypatch.setattr(sys.modules["rulekit.playtest.simulate"], "simulate", lost)
    assert main.run(["simulate", "hockey"]) == 1
    assert capsys.readouterr().err == "rulekit: a worker was lost\n"
