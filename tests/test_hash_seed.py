"""RNG-01: a seed means the same game in every process, whatever PYTHONHASHSEED is."""

from __future__ import annotations

import os
import subprocess
import sys

PROGRAM = """
import rulekit
from rulekit.engine import Machine
from rulekit.playtest.trace import trace_hash
from rulekit.program import prepare

for name in ("hockey", "hucklebuck", "sixty-six"):
    program = rulekit.load(name).program
    print(name, program.fingerprint())
    for players in program.players:
        machine = Machine(prepare(program, players))
        print(players, *(trace_hash(machine, 5, game) for game in range(2)))
"""


def test_rng_01_traces_are_equal_in_fresh_processes_under_any_hash_seed() -> None:
    running = [
        subprocess.Popen(
            [sys.executable, "-c", PROGRAM],
            env={**os.environ, "PYTHONHASHSEED": seed},
            stdout=subprocess.PIPE,
            text=True,
        )
        for seed in ("0", "1", "2", "random")
    ]
    found = [process.communicate()[0] for process in running]
    assert [process.returncode for process in running] == [0] * 4
    assert found[0].count("\n") == 9
    assert len(set(found)) == 1
