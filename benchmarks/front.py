"""How long it takes until a rule file is understood: `python benchmarks/front.py [--cold] [RULESET ...]`.

Of each ruleset, in milliseconds of CPU time: *read* (text to program), *checks* (what is proven about it),
both together, warm: in a process that has read others before, nothing of this file kept from the time before.
The least of several trials, since other programs only ever make it slower. `--cold` adds `rulekit validate
FILE` as a command of its own, start of Python included.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT)]

from tabulate import tabulate  # noqa: E402

from rulekit.checks import run_checks  # noqa: E402
from rulekit.diagnostics import Findings  # noqa: E402
from rulekit.game.loading import open_rules, read_rules, shipped_rulesets  # noqa: E402

TRIALS, COLD_TRIALS = 7, 3


def warm(name: str) -> tuple[float, float]:
    """Milliseconds to read, and to check."""
    findings = Findings()
    begin = time.process_time()
    opened = open_rules(name, findings)
    assert opened is not None
    program = read_rules(opened, findings).program
    assert program is not None
    between = time.process_time()
    run_checks(program, findings)
    return (between - begin) * 1000, (time.process_time() - between) * 1000


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
    read, checks = min(trials, key=sum)
    row: list[object] = [name, *(round(part, 1) for part in (read, checks, read + checks))]
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
    rows.sort(key=lambda row: -float(str(row[3])))
    head = ["ruleset", "read", "checks", "warm"] + ["cold"] * given.cold
    print(tabulate(rows, head, floatfmt=".1f"))  # noqa: T201


if __name__ == "__main__":
    main()
