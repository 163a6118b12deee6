"""How long it takes until a rule file is understood: `python benchmarks/front.py [--cold] [RULESET ...]`.

Of each ruleset, in milliseconds of CPU time: *read* (text to program) and *warm* (read and checked, all that
`validate` does), in a process that has read others before, nothing of this file being kept from the time
before; *again*: the same once more, when it is.
The least of several trials, since other programs only ever make it slower. `--cold` adds `rulekit validate
FILE` as a command of its own, start of Python included.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import time
from itertools import pairwise
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT)]

from tabulate import tabulate  # noqa: E402

from rulekit.diagnostics import Findings  # noqa: E402
from rulekit.game.loading import (  # noqa: E402
    forget,
    open_rules,
    read_rules,
    shipped_rulesets,
    uncollected,
    validate,
)

TRIALS, COLD_TRIALS = 7, 3


def warm(name: str) -> tuple[float, ...]:
    """Milliseconds to read, to read and check, and to do so again."""
    forget()
    begin = time.process_time()
    findings = Findings()
    opened = open_rules(name, findings)
    assert opened is not None
    with uncollected():
        read_rules(opened, findings)
    between = time.process_time()
    validate(name)
    after = time.process_time()
    validate(name)
    laps = (begin, between, after, time.process_time())
    return tuple((end - start) * 1000 for start, end in pairwise(laps))


def cold(name: str) -> float:
    """Milliseconds of the whole command."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, "-m", "rulekit", "validate", f"rulesets/{name}.yaml"]
    subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) * 1000


def row(name: str, with_cold: bool) -> list[object]:
    """A row of the table."""
    trials = [warm(name) for _ in range(TRIALS)]
    row: list[object] = [name, *(round(min(trial[part] for trial in trials), 1) for part in range(3))]
    if with_cold:
        row.append(round(min(cold(name) for _ in range(COLD_TRIALS))))
    return row


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("names", nargs="*", metavar="RULESET")
    parser.add_argument("--cold", action="store_true", help="also `rulekit validate FILE`, from the start")
    given = parser.parse_args()
    warm("hearts")
    rows = [row(name, given.cold) for name in given.names or shipped_rulesets()]
    rows.sort(key=lambda row: -float(str(row[2])))
    head = ["ruleset", "read", "warm", "again"] + ["cold"] * given.cold
    print(tabulate(rows, head, floatfmt=".1f"))  # noqa: T201


if __name__ == "__main__":
    main()
