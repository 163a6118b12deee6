"""Writes docs/scores.md: of every shipped ruleset how many mistakes its examples notice, what is reached.

A row depends on nothing but the ruleset: where rules and examples are as they were it stays, and only others
are worked out (all with `--afresh`). `python docs/generate_scores.py NAME ...` looks at some only.
"""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path

import rulekit
from rulekit.game.examples import ExampleRunner
from rulekit.playtest.check import GAMES, REST
from rulekit.playtest.coverage import CoveredMachine, RuleCoverage
from rulekit.playtest.mutation import mutate
from rulekit.playtest.options import covering
from rulekit.playtest.trial import PATIENCE, Trial

DOCS = Path(__file__).parent
PAGE = DOCS / "scores.md"
ALL = 100_000  #: mutants: every one
DECISIONS = 20_000  #: of random games

HEAD = """# How good the examples are

Written by `python docs/generate_scores.py`, which works out the rows of rulesets that have changed
(`--afresh`: all of them, the better part of an hour on one core). What a row says of a ruleset is printed by

```text
rulekit check NAME --mutate --mutants 100000     # mistakes, and which of them no example notices
rulekit check NAME --coverage --decisions 20000  # the lines that no game and no example reaches
```

**Mistakes noticed.** Each is one small change of the rules, put in alone: an operator exchanged, a number
one off, two branches swapped, a statement, duty or condition left out, the ranking turned round, another
default of an option that a variant sets. It is noticed if an example fails. What makes no difference in the
random games that come to the place is no mistake, and stands under *no difference*. Of a variant only what
its own file says is changed. Most of what remains is what examples cannot speak of: who has seen a card,
payoffs, the cards of a receipt.

**Coverage.** The statements, moves, duties, conditions and reasons that were reached in random games of
20,000 decisions at tables that cover players and pairs of options, or by an example; a condition counts if it
has both held and failed. The last column stands for the state of the ruleset that was looked at.

"""


def page(names: list[str], old: dict[str, str], wanted: list[str] | None) -> str:
    """The text of the page; rows in ``old`` are kept if they are of the same ruleset."""
    lines = [
        HEAD + "| ruleset | mistakes noticed | score | no difference | parts reached | coverage | state |",
        "|---|--:|--:|--:|--:|--:|---|",
    ]
    for name in names:
        known = old.get(name)
        if known is not None and (known.endswith(f"| `{state(name)}` |") or (wanted and name not in wanted)):
            lines.append(known)
        elif wanted and name not in wanted:
            continue
        else:
            lines.append(row(name))
            sys.stderr.write(f"{lines[-1]}\n")
    return "\n".join(lines) + "\n"


def row(name: str) -> str:
    rules = rulekit.load(name)
    found = mutate(rules, ALL)
    coverage = reached(rules)
    score = f"{found.score:.0%}" if found.mistakes else "-"
    return (
        f"| `{name}` | {found.noticed}/{found.mistakes} | {score} | {len(found.equal)} "
        f"| {coverage.reached}/{len(coverage.parts)} | {coverage.share:.0%} | `{state(name)}` |"
    )


def reached(rules: rulekit.Ruleset) -> RuleCoverage:
    """As `check` finds it, without what else it looks for."""
    runner = ExampleRunner(rules, machine=CoveredMachine)
    for example in rules.program.examples:
        runner.run(example)
    tables = covering(rules.program)
    trial = Trial(rules.program, tables, seed=0)
    played = 0
    while played < len(tables) or (played < GAMES and trial.decisions < DECISIONS):
        trial.play(played, min(PATIENCE, max(REST, DECISIONS - trial.decisions)))
        played += 1
    return trial.coverage(runner.machines)


def state(name: str) -> str:
    """Eight digits that change with the file of a ruleset, and with what it extends."""
    text = (DOCS.parent / "rulesets" / f"{name}.yaml").read_bytes()
    rules = rulekit.load(name).fingerprint.encode()
    return hashlib.sha256(text + rules).hexdigest()[:8]


def rows(text: str) -> dict[str, str]:
    """The rows of a page by ruleset."""
    found = (line for line in text.splitlines() if line.startswith("| `"))
    return {line.split("`")[1]: line for line in found}


if __name__ == "__main__":
    arguments = [argument for argument in sys.argv[1:] if argument != "--afresh"]
    afresh = "--afresh" in sys.argv[1:] or not PAGE.exists()
    before = {} if afresh else rows(PAGE.read_text(encoding="utf-8"))
    PAGE.write_text(page(rulekit.shipped_rulesets(), before, arguments or None), encoding="utf-8")
