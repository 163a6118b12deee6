"""Measures how much better the search bot plays than others: the table of docs/bots.md.

    python benchmarks/bots.py [--phase round] [--deals 20] [--rollouts 100] [--seconds 20] [NAME ...]

Each deal is played several times, by the same cards: once by each side as the one that searches, all others
being of the other kind, and once with nobody searching. Told is what the searching side receives more than it
does when it plays like the others: the mean over the sides is one value, and the interval is Student's, of
95%, from the values of the deals. What is received are payoffs; of a game for one player scores. Needs the
extra ``[bench]``.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field

from scipy import stats

import rulekit
from rulekit.engine import Machine
from rulekit.players import BOTS, Bot, Draws, SearchBot, choose

SEED = 1
AGAINST = ("random", "greedy")


class Counting:
    """A search that counts its decisions and their CPU time."""

    def __init__(self, bot: SearchBot) -> None:
        self.bot, self.count, self.seconds = bot, 0, 0.0

    def choose(self, turn: object) -> int:
        begun = time.process_time()
        place = self.bot.choose(turn)  # type: ignore[arg-type]
        self.seconds += time.process_time() - begun
        self.count += 1
        return place


@dataclass
class Measured:
    """What the searching side received more than the other kind, deal by deal."""

    values: list[float] = field(default_factory=list)
    games: int = 0

    def __str__(self) -> str:
        """Mean and half the width of the interval, the number of deals."""
        mean, deals = statistics.fmean(self.values), len(self.values)
        if deals < 2:
            return f"{mean:+.3g} ({deals})"
        if len(set(self.values)) == 1:
            return f"{mean:+.3g} ± 0 ({deals})"
        low, high = stats.ttest_1samp(self.values, 0).confidence_interval(0.95)
        return f"{mean:+.3g} ± {(high - low) / 2:.2g} ({deals})"


def received(machine: Machine, deal: int, bots: list[Bot]) -> list[float]:
    """What each player receives when these bots play the deal."""
    state, draws = machine.start(SEED, deal), Draws.for_game(SEED, deal)
    while (decision := machine.decision(state)) is not None:
        machine.apply(state, choose(machine, state, bots[decision.actor], draws))
    outcome = machine.outcome(state)
    if machine.setup.players == 1:
        return [float(score or 0) for score in outcome.scores]
    return list(outcome.payoffs)


def sides(machine: Machine) -> Iterator[tuple[int, ...]]:
    """The players of each side."""
    setup = machine.setup
    for side in range(setup.teams or setup.players):
        yield setup.team_players(side) if setup.teams else (side,)


def measure(machine: Machine, search: Counting, against: str, deals: int, seconds: float) -> Measured:
    """So many deals, or those for which the time is enough, but at least two."""
    found, begun = Measured(), time.process_time()
    for deal in range(deals):
        base = received(machine, deal, [BOTS[against]() for _ in range(machine.setup.players)])
        more = []
        for side in sides(machine):
            bots: list[Bot] = [search if p in side else BOTS[against]() for p in range(machine.setup.players)]
            got = received(machine, deal, bots)
            more.append(statistics.fmean(got[player] - base[player] for player in side))
        found.games += len(more)
        found.values.append(statistics.fmean(more))
        if time.process_time() - begun > seconds and deal:
            break
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("names", nargs="*", help="rulesets; all that are shipped, if none is named")
    parser.add_argument("--phase", help="one phase as a whole game, where a ruleset has it: round")
    parser.add_argument("--players", type=int, help="as near to so many as the rules allow; the fewest")
    parser.add_argument("--deals", type=int, default=20, help="deals of each cell")
    parser.add_argument("--rollouts", type=int, default=100, help="roll-outs for a decision")
    parser.add_argument("--seconds", type=float, default=20.0, help="CPU time for a cell, after two deals")
    parser.add_argument("--against", choices=AGAINST, action="append", help="the other kind; both")
    chosen = parser.parse_args()
    against, out = chosen.against or AGAINST, sys.stdout
    out.write(f"| game | players | {' | '.join(f'against {kind}' for kind in against)} | ms a decision |\n")
    out.write(f"|---|--:|{'--:|' * len(against)}--:|\n")
    for name in chosen.names or rulekit.shipped_rulesets():
        rules = rulekit.load(name)
        if not rules.moves:
            continue
        fewest, most = rules.players
        players = min(most, max(fewest, chosen.players or 2))
        phase = chosen.phase if chosen.phase in rules.phases else None
        machine, search = rules.machine(players, phase), Counting(SearchBot(chosen.rollouts))
        cells = [str(measure(machine, search, kind, chosen.deals, chosen.seconds)) for kind in against]
        title = name if phase is None else f"{name}, one {phase}"
        speed = f"{1000 * search.seconds / max(1, search.count):.1f}"
        out.write(f"| {title} | {players} | {' | '.join(cells)} | {speed} |\n")
        out.flush()


if __name__ == "__main__":
    main()
