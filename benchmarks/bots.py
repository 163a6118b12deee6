"""Measures how much better the search bot plays than others: the table of docs/bots.md.

    python benchmarks/bots.py --games 24 --rollouts 200 [NAME ...]

In each game one side searches and all others are of the other kind; the seats change from game to game.
Told is what
the searching side receives on average, in payoffs, with a 95% interval. A side that plays like the others
would
receive 0, where payoffs of a game add up to nothing.
"""

from __future__ import annotations

import argparse
import math
import sys
import time

import rulekit
from rulekit.engine import Machine
from rulekit.players import BOTS, Draws, SearchBot, choose

PHASES = {"hearts": "round", "kuhn-poker": "round", "leduc-poker": "round"}
SEED = 1


def payoffs(machine: Machine, games: int, rollouts: int, against: str, seconds: float) -> list[float]:
    """What the searching side received in each game; fewer games if time is up."""
    setup, found, begun = machine.setup, [], time.process_time()
    for game in range(games):
        state, draws, seat = machine.start(SEED, game), Draws.for_game(SEED, game), game % setup.players
        side = setup.team_players(setup.team_of(seat)) if setup.teams else (seat,)
        bots = [SearchBot(rollouts) if p in side else BOTS[against]() for p in range(setup.players)]
        while (decision := machine.decision(state)) is not None:
            machine.apply(state, choose(machine, state, bots[decision.actor], draws))
        found.append(machine.outcome(state).payoffs[seat])
        if time.process_time() - begun > seconds and len(found) > 3:
            break
    return found


def interval(values: list[float]) -> str:
    """Mean, and half the width of its 95% interval."""
    mean = sum(values) / len(values)
    if len(values) < 2:
        return f"{mean:+.2f}"
    spread = math.sqrt(sum((value - mean) ** 2 for value in values) / (len(values) - 1))
    return f"{mean:+.2f} ± {1.96 * spread / math.sqrt(len(values)):.2f} ({len(values)})"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("names", nargs="*", help="rulesets; all that are shipped, if none is named")
    parser.add_argument("--games", type=int, default=24, help="games of each row")
    parser.add_argument("--rollouts", type=int, default=200, help="roll-outs for a decision")
    parser.add_argument("--seconds", type=float, default=20.0, help="CPU time for a cell, after four games")
    chosen = parser.parse_args()
    out = sys.stdout
    out.write("| game | players | against random | against greedy |\n|---|--:|--:|--:|\n")
    for name in chosen.names or rulekit.shipped_rulesets():
        rules = rulekit.load(name)
        if not rules.moves or rules.players[1] == 1:
            continue
        players, phase = max(2, rules.players[0]), PHASES.get(name)
        machine = rules.machine(players, phase)
        cells = [
            interval(payoffs(machine, chosen.games, chosen.rollouts, against, chosen.seconds))
            for against in ("random", "greedy")
        ]
        title = name if phase is None else f"{name}, one {phase}"
        out.write(f"| {title} | {players} | {' | '.join(cells)} |\n")
        out.flush()


if __name__ == "__main__":
    main()
