"""Speed of the engines, side by side with other programs in one run.

    python benchmarks/speed.py                       # all tables, about five minutes
    python benchmarks/speed.py --only hearts --seconds 0.2
    python benchmarks/speed.py --write docs/performance.md

All is CPU time of one process on one pinned core; each figure is the median of several slices, and the
slices of all programs take turns, so that what disturbs the machine disturbs them alike. Needs the extra
`[bench]`.
"""

from __future__ import annotations

import os
import platform
import random
import resource
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

import click
import numpy
from tabulate import tabulate

import rulekit
from rulekit.compiled.lowering import lower
from rulekit.compiled.pyengine import PythonEngine
from rulekit.compiled.wasm import compile_module
from rulekit.engine import Machine
from rulekit.engine.chance import below, mix, streams
from rulekit.program import Setup, prepare

BATCH = 1024
Pair = tuple[int, int]  #: games and decisions of one slice


@dataclass(frozen=True)
class Shared:
    """A game that others play too; a game is what they call one: a deal of hearts, a game of cribbage."""

    name: str
    ruleset: str
    players: int
    options: dict[str, Any] = field(default_factory=dict)
    phase: str | None = None
    spiel: str = ""
    rlcard: str = ""
    bar: float | None = None  # games of WebAssembly for one of their C++


SHARED = (
    Shared("hearts", "hearts", 4, {"passing": False}, "round", "hearts(pass_cards=false)", bar=12),
    Shared("euchre", "euchre", 4, {}, "round", "euchre(stick_the_dealer=false)", bar=12),
    Shared("gin rummy", "gin-rummy", 2, {}, "round", "gin_rummy", "gin-rummy", bar=20),
    Shared("cribbage", "cribbage", 2, {}, None, "cribbage", bar=8),
    Shared(
        "crazy eights",
        "crazy-eights",
        5,
        {"draws": 5, "empty_stock": "passed"},
        "round",
        "crazy_eights(max_draw_cards=5)",
        bar=8,
    ),
    Shared("klondike", "klondike", 1, {}, None, "solitaire", bar=8),
    Shared("kuhn poker", "kuhn-poker", 2, {}, None, "kuhn_poker", bar=2),
    Shared("leduc poker", "leduc-poker", 2, {}, None, "leduc_poker", "leduc-holdem", bar=2),
    Shared("hold'em", "texas-holdem", 2, {}, "round", "", "no-limit-holdem"),
)


# ---------------------------------------------------------------- ours


def setup_of(shared: Shared) -> Setup:
    rules = rulekit.load(shared.ruleset)
    chosen = rules.with_options(shared.options).chosen if shared.options else rules.chosen
    return prepare(rules.program, shared.players, chosen)


def reference(setup: Setup, phase: str | None) -> Callable[[int], Pair]:
    """One game stepped in the reference engine, with its list of legal moves."""
    machine = Machine(setup, phase)

    def play(game: int) -> Pair:
        state = machine.start(7, game)
        policy, decisions = streams(7, game)[1], 0
        while state.ending is None:
            policy, place = below(policy, len(state.legal))
            machine.apply(state, state.legal[place])
            decisions += 1
        return 1, decisions

    return play


def stepper(shared: Shared, engine: str) -> Callable[[int], Pair]:
    """One game stepped from Python with the list of its legal actions at each decision."""
    rules = rulekit.load(shared.ruleset)
    if shared.options:
        rules = rules.with_options(shared.options)
    table = rules.stepper(players=shared.players, phase=shared.phase, engine=engine)
    pick = random.Random(7).random

    def play(game: int) -> Pair:
        table.begin(7, game)
        legal, apply, decisions = table.legal, table.apply, 0
        while actions := legal():
            apply(int(pick() * len(actions)))
            decisions += 1
        return 1, decisions

    return play


def python_fused(engine: PythonEngine) -> Callable[[int], Pair]:
    """A whole random game a call, in generated Python."""

    def play(game: int) -> Pair:
        state = engine.start(*streams(7, game))
        engine.roll(state)
        return 1, int(engine.load(state, "decisions"))

    return play


def wasm_stepped(compiled: Any) -> Callable[[int], Pair]:
    """One game at a time in WebAssembly, a call for each decision."""
    games = compiled.games(1)
    choices = games.view("choices")
    pick = random.Random(7).random

    def play(game: int) -> Pair:
        games.begin(0, *streams(7, game))
        decisions, step = 0, games.step
        while count := int(choices[0]):
            step(0, int(pick() * count))
            decisions += 1
        return 1, decisions

    return play


def wasm_batched(compiled: Any) -> Callable[[int], Pair]:
    """Games side by side, stepped together; numpy chooses the moves; games that are over begin again."""
    games = compiled.games(BATCH)
    choices = games.view("choices")
    generator = numpy.random.default_rng(7)
    games.begin_many(mix(7), 0)
    state = {"next": BATCH}

    def play(game: int) -> Pair:
        finished = 0
        for _ in range(20):
            games.places[:] = generator.random(BATCH) * choices
            games.step_placed()
            over = games.begin_over(mix(7), state["next"])
            state["next"] += over
            finished += over
        return finished, 20 * BATCH

    return play


def wasm_fused(compiled: Any) -> Callable[[int], Pair]:
    """Whole random games, many a call."""
    games = compiled.games(BATCH)

    def play(game: int) -> Pair:
        return BATCH, int(games.play_many(mix(7), game * BATCH))

    return play


def vectorised(shared: Shared, *, observed: bool) -> Callable[[int], Pair]:
    """The vector environment with its mask matrix: `advance`, or `step` with what the seats see. The same
    steps again and again, chosen from the masks beforehand: what is measured is the environment alone."""
    rules = rulekit.load(shared.ruleset)
    if shared.options:
        rules = rules.with_options(shared.options)
    env = rulekit.vector(rules, BATCH, players=shared.players, phase=shared.phase, seed=7)
    generator = numpy.random.default_rng(7)
    steps, over = [], 0
    for _ in range(200):
        steps.append((env.action_mask * generator.random(env.action_mask.shape)).argmax(axis=1))
        env.advance(steps[-1])
        over += int(env.terminations.sum())
    move = env.step if observed else env.advance

    def play(game: int) -> Pair:
        env.reset(seed=7)
        for step in steps:
            move(step)
        return over, len(steps) * BATCH

    return play


# ---------------------------------------------------------------- theirs


def spiel_plain(name: str) -> Callable[[int], Pair]:
    """OpenSpiel stepped from Python, as its examples do it."""
    import pyspiel

    theirs = pyspiel.load_game(name)
    generator = numpy.random.default_rng(7)

    def play(game: int) -> Pair:
        state, decisions = theirs.new_initial_state(), 0
        while not state.is_terminal():
            if state.is_chance_node():
                actions, odds = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(generator.choice(actions, p=odds))
            else:
                state.apply_action(generator.choice(state.legal_actions(state.current_player())))
                decisions += 1
        return 1, decisions

    return play


def spiel_lean(name: str) -> Callable[[int], Pair]:
    """OpenSpiel stepped from Python, as lean as it can be."""
    import pyspiel

    theirs = pyspiel.load_game(name)
    pick = random.Random(7).random

    def play(game: int) -> Pair:
        state, decisions = theirs.new_initial_state(), 0
        terminal, chance, apply, legal = (
            state.is_terminal,
            state.is_chance_node,
            state.apply_action,
            state.legal_actions,
        )
        while not terminal():
            at_chance = chance()
            actions = legal()
            apply(actions[int(pick() * len(actions))])
            decisions += not at_chance
        return 1, decisions

    return play


def spiel_native(name: str) -> Callable[[int], Pair]:
    """OpenSpiel's own C++: its uniform random bots, a whole game a call. Decisions are not told."""
    import pyspiel

    theirs = pyspiel.load_game(name)
    bots = [pyspiel.make_uniform_random_bot(p, 7 + p) for p in range(theirs.num_players())]

    def play(game: int) -> Pair:
        pyspiel.evaluate_bots(theirs.new_initial_state(), bots, game)
        return 1, 0

    return play


def rlcard_run(name: str) -> Callable[[int], Pair]:
    """RLCard's own environment with its random agents."""
    import rlcard
    from rlcard.agents import RandomAgent

    environment = rlcard.make(name, {"seed": 7})
    environment.set_agents([RandomAgent(environment.num_actions) for _ in range(environment.num_players)])

    def play(game: int) -> Pair:
        trajectories, _ = environment.run()
        return 1, sum(len(steps) // 2 for steps in trajectories)

    return play


# ---------------------------------------------------------------- measuring


def measure(
    ways: dict[str, Callable[[int], Pair]], seconds: float, repeats: int
) -> dict[str, tuple[float, float]]:
    """Median games and decisions a second of each way; their slices take turns."""
    found: dict[str, list[tuple[float, float]]] = {name: [] for name in ways}
    for play in ways.values():
        play(0)
    number = 1
    for _ in range(repeats):
        for name, play in ways.items():
            games = decisions = 0
            begun = time.process_time()
            while (spent := time.process_time() - begun) < seconds:
                more, made = play(number)
                number += 1
                games += more
                decisions += made
            found[name].append((games / spent, decisions / spent))
    return {
        name: (statistics.median(g for g, _ in rows), statistics.median(d for _, d in rows))
        for name, rows in found.items()
    }


def ways_of(shared: Shared) -> dict[str, Callable[[int], Pair]]:
    setup = setup_of(shared)
    lowered = lower(setup, shared.phase)
    engine, compiled = PythonEngine(lowered), compile_module(lowered.module)
    ways: dict[str, Callable[[int], Pair]] = {
        "ours: reference, stepped": reference(setup, shared.phase),
        "ours: Python, stepped, legal list": stepper(shared, "python"),
        "ours: Python, fused": python_fused(engine),
        "ours: WebAssembly, stepped, legal list": stepper(shared, "wasm"),
        "ours: WebAssembly, stepped by places": wasm_stepped(compiled),
        f"ours: WebAssembly, {BATCH} games stepped together": wasm_batched(compiled),
        f"ours: vector of {BATCH}, numbers and masks": vectorised(shared, observed=False),
        f"ours: vector of {BATCH}, observations too": vectorised(shared, observed=True),
        "ours: WebAssembly, fused": wasm_fused(compile_module(lowered.module, window=True)),
    }
    if shared.spiel:
        ways["OpenSpiel, Python, plain loop"] = spiel_plain(shared.spiel)
        ways["OpenSpiel, Python, leanest loop"] = spiel_lean(shared.spiel)
        ways["OpenSpiel, its C++ bots"] = spiel_native(shared.spiel)
    if shared.rlcard:
        ways["RLCard"] = rlcard_run(shared.rlcard)
    return ways


def number(value: float) -> str:
    if not value:
        return ""
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}"


def shared_table(shared: Shared, seconds: float, repeats: int) -> tuple[str, float | None]:
    """The table of one game, and how many games of ours go into one of their C++."""
    figures = measure(ways_of(shared), seconds, repeats)
    rows = [[name, number(games), number(decisions)] for name, (games, decisions) in figures.items()]
    ratio = None
    if shared.spiel:
        ratio = figures["ours: WebAssembly, fused"][0] / figures["OpenSpiel, its C++ bots"][0]
    return tabulate(rows, ["", "games/s", "decisions/s"], tablefmt="github", disable_numparse=True), ratio


def ready_table(names: Sequence[str]) -> str:
    """How long it takes until a ruleset runs, and what it takes in memory."""
    rows = []
    for name in names:
        times = []
        begun = time.process_time()
        rules = rulekit.load(name)
        times.append(time.process_time() - begun)
        setup = prepare(rules.program, rules.program.players[0], rules.chosen)
        begun = time.process_time()
        lowered = lower(setup)
        times.append(time.process_time() - begun)
        begun = time.process_time()
        PythonEngine(lowered)
        times.append(time.process_time() - begun)
        begun = time.process_time()
        compiled = compile_module(lowered.module, cached=False)
        times.append(time.process_time() - begun)
        compile_module(lowered.module)
        begun = time.process_time()
        compile_module(lowered.module)
        times.append(time.process_time() - begun)
        rows.append(
            [name, *(f"{1000 * t:.0f}" for t in times), compiled.layout.size, *copies(lowered, compiled)]
        )
    head = ["", "load", "lower", "Python", "WebAssembly", "from the cache", "bytes a game"]
    head += ["copy, Python (µs)", "copy, in a batch (ns)"]
    return tabulate(rows, head, tablefmt="github", disable_numparse=True)


def copies(lowered: Any, compiled: Any) -> tuple[str, str]:
    """What a copy of a state costs: in Python, and of one among many in WebAssembly."""
    state = PythonEngine(lowered).start(*streams(7))
    begun = time.process_time()
    for _ in range(20_000):
        state[:]
    python = (time.process_time() - begun) / 20_000
    games = compiled.games(BATCH + 1)
    games.begin(0, *streams(7))
    begun = time.process_time()
    for _ in range(100):
        games.fork_many(0, mix(7), start=1)
    return f"{1e6 * python:.2f}", f"{1e9 * (time.process_time() - begun) / (100 * BATCH):.0f}"


WIDE = """\
rulekit: "1"
name: wide
title: One card each
family: tricks
text: Whoever plays the highest card takes all, for as long as there are cards.
sources: [made for a benchmark]
players: 2..10
deck: {ranks: RANKS, suits: clubs diamonds hearts spades, copies: COPIES}
zones:
  stock: pile seen by nobody
  hand: set per player seen by owner
  table: pile seen by everyone
  won: set per player seen by everyone
state: {leader: player}
play:
  - shuffle deck into stock
  - leader = random(players)
  - deal (count(deck) // count(players)) to hand from stock starting leader
  - until count(hand of leader) == 0:
      - for p in players starting leader: [ask p: [play]]
      - leader = player of highest(table by rank)
      - move table to won of leader
moves:
  play:
    text: Play a card.
    choose: {card: [the suit led: hand where suit == suit of bottom of table, any card: hand]}
    do: [move card to table]
end: {ranking: highest count(won)}
"""


def growth_table(seconds: float, repeats: int) -> str:
    """Nanoseconds of one decision, fused, as players and packs grow."""
    ranks = {24: "9 10 J Q K A", 32: "7 8 9 10 J Q K A", 52: "2 3 4 5 6 7 8 9 10 J Q K A"}
    rows = []
    folder = Path(os.environ.get("TMPDIR", "/tmp"))
    for pack, copies in ((24, 1), (32, 1), (52, 1), (52, 2)):
        path = folder / "wide.yaml"
        path.write_text(WIDE.replace("RANKS", ranks[pack]).replace("COPIES", str(copies)))
        rules = rulekit.load(str(path))
        row = [pack * copies]
        for players in (2, 4, 6, 10):
            module = lower(prepare(rules.program, players, rules.chosen)).module
            compiled = compile_module(module, window=True)
            (_, decisions) = measure({"": wasm_fused(compiled)}, seconds, repeats)[""]
            row.append(f"{1e9 / decisions:.0f}")
        path.unlink()
        rows.append(row)
    return tabulate(rows, ["cards", "2 players", "4", "6", "10"], tablefmt="github", disable_numparse=True)


def cores_table(games: int = 200_000) -> str:
    """How long `simulate` takes, on the clock, with one worker and with more."""
    rows = []
    for name, players in (("hearts", 4), ("euchre", 4), ("leduc-poker", 2)):
        rules = rulekit.load(name)
        rules.simulate(1000, players=players)  # compiled by now
        row: list[object] = [name, f"{games:,}"]
        for workers in (1, 2):
            begun = time.perf_counter()
            rules.simulate(games, players=players, workers=workers)
            row.append(f"{time.perf_counter() - begun:.2f}")
        rows.append(row)
    head = ["", "games", "seconds, one worker", "two workers"]
    return tabulate(rows, head, tablefmt="github", disable_numparse=True)


def games_table() -> str:
    """Time and memory of 10^3 to 10^7 games of Leduc poker through `play_many`."""
    setup = prepare(rulekit.load("leduc-poker").program, 2)
    games = compile_module(lower(setup).module, window=True).games(BATCH)
    rows = []
    for power in range(3, 8):
        wanted, begun = 10**power, time.process_time()
        for first in range(0, wanted, BATCH):
            games.play_many(mix(7), first, count=min(BATCH, wanted - first))
        spent = time.process_time() - begun
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        rows.append([f"10^{power}", f"{spent:.3f}", f"{memory:.0f}"])
    return tabulate(rows, ["games", "seconds", "MB of the process"], tablefmt="github", disable_numparse=True)


def machine_line() -> str:
    model = "unknown processor"
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        lines = [line for line in cpuinfo.read_text().splitlines() if line.startswith("model name")]
        model = lines[0].split(":", 1)[1].strip() if lines else model
    load = os.getloadavg()[0]
    version, cores = platform.python_version(), os.cpu_count()
    return f"{model}, Python {version}, {date.today()}, load {load:.1f} of {cores} cores"


@click.command()
@click.option("--only", multiple=True, help="Names of shared games; none: all.")
@click.option("--seconds", default=0.3, show_default=True, help="Length of a slice.")
@click.option("--repeats", default=5, show_default=True, help="Slices of each way.")
@click.option(
    "--write", type=click.Path(path_type=Path), help="Put the tables between the marks of this file."
)
def main(only: tuple[str, ...], seconds: float, repeats: int, write: Path | None) -> None:
    """Prints the tables of docs/performance.md."""
    cores = "" if only else cores_table()
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    parts = [f"Measured on: {machine_line()}."]
    ratios = []
    for shared in SHARED:
        if only and shared.name not in only:
            continue
        table, ratio = shared_table(shared, seconds, repeats)
        parts.append(f"### {shared.name[0].upper()}{shared.name[1:]}\n\n{table}")
        click.echo(f"\n{parts[-1]}", err=bool(write))
        if ratio is not None:
            ratios.append([shared.name, f"{ratio:.1f}", "" if shared.bar is None else f"{shared.bar:g}"])
    head = ["games/s, WebAssembly fused : their C++ bots", "ratio", "bar"]
    parts.insert(1, tabulate(ratios, head, tablefmt="github", disable_numparse=True))
    click.echo(f"\n{parts[1]}", err=bool(write))
    if not only:
        extra = [
            ("How a decision grows (nanoseconds, WebAssembly fused)", growth_table(seconds, repeats)),
            ("How many games grow", games_table()),
            ("What a second core brings (`simulate`, seconds on the clock)", cores),
            ("Until a ruleset runs (milliseconds of CPU)", ready_table(rulekit.shipped_rulesets())),
        ]
        for title, table in extra:
            parts.append(f"### {title}\n\n{table}")
            click.echo(f"\n{parts[-1]}", err=bool(write))
    if write is not None:
        begin, end = "<!-- measured -->", "<!-- end -->"
        text = write.read_text()
        before, after = text[: text.index(begin) + len(begin)], text[text.index(end) :]
        write.write_text(before + "\n\n" + "\n\n".join(parts) + "\n\n" + after)


if __name__ == "__main__":
    main()
