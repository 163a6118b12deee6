"""Simulations: the same figures for any number of workers, honest intervals, bias told from chance."""

from __future__ import annotations

import json
import random
from collections import Counter
from itertools import combinations, pairwise
from math import sqrt
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rulekit
from rulekit.engine import Machine, chance
from rulekit.players import BOTS, Draws, choose
from rulekit.playtest.intervals import deviation, mean_interval, wilson
from rulekit.playtest.job import Job
from rulekit.playtest.report import Report
from rulekit.playtest.simulate import simulate
from rulekit.playtest.tally import Tally, average, middle
from rulekit.playtest.trace import trace_hash
from rulekit.playtest.workers import ReferenceWorker as Worker
from rulekit.program import prepare

#: Each plays a card; the higher one scores. P1 gets one card more, and so may play one trick unopposed.
UNEVEN = """rulekit: "1"
name: uneven
title: Uneven
text: A race for points; the first player may be given a head start.
sources: [A test]
players: 2..3
options:
  head_start: {is: 0..3 = 0, text: Cards more for the first player.}
deck: standard
zones:
  stock: pile seen by nobody
  hand: set per player seen by owner
  table: set seen by everyone
state:
  score: {is: 0..99 per player, text: Points.}
play:
  - shuffle deck into stock
  - deal 3 to hand
  - deal head_start to hand of lowest(players by 0) from stock
  - for p in players: [ask p: [play]]
moves:
  play:
    text: Show a card; its number and one more for each card you hold are your points.
    choose: {card: hand}
    do: [move card to table, score of me += number of card + count(hand) for points]
end: {ranking: highest score}
"""

FAULTY = """rulekit: "1"
name: faulty
title: Faulty
text: Who is asked twice scores more than the range allows.
sources: [A test]
players: 2
deck: {ranks: 2 3, suits: hearts}
zones:
  stock: pile seen by nobody
state:
  lucky: player
  score: {is: 0..1 per player, text: Points.}
play:
  - shuffle deck into stock
  - repeat 2 times:
      - lucky = random(players)
      - ask lucky: [go]
moves:
  go: {text: Go on., do: [score of me += 1 for going]}
end: {ranking: highest score}
"""


# ---------------------------------------------------------------- intervals


@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"),
    [
        # Values of the Wilson score interval as published (Newcombe 1998, method 3; Brown et al. 2001).
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
        (29, 29, 0.8830, 1.0),
    ],
)
def test_wilson_gives_published_values(successes: int, trials: int, low: float, high: float) -> None:
    assert wilson(successes, trials) == pytest.approx((low, high), abs=5e-5)


@given(st.integers(1, 10_000), st.data())
def test_wilson_holds_the_share_and_narrows_with_more_trials(trials: int, data: st.DataObject) -> None:
    successes = data.draw(st.integers(0, trials))
    low, high = wilson(successes, trials)
    assert 0 <= low <= successes / trials <= high <= 1
    assert wilson(trials - successes, trials) == pytest.approx((1 - high, 1 - low))
    wider = wilson(successes, trials, 0.99)
    assert wider[0] <= low
    assert high <= wider[1]
    narrow = wilson(4 * successes, 4 * trials)
    assert narrow[1] - narrow[0] < high - low


def test_no_games_tell_nothing() -> None:
    assert wilson(0, 0) == (0, 1)
    assert mean_interval(0, 0, 0) == (0, 0)
    assert deviation(5, 25, 1) == 0


@given(st.lists(st.integers(-1000, 1000), min_size=2, max_size=50))
def test_deviation_is_the_textbook_one(values: list[int]) -> None:
    mean = sum(values) / len(values)
    by_hand = sqrt(sum((value - mean) ** 2 for value in values) / (len(values) - 1))
    assert deviation(sum(values), sum(v * v for v in values), len(values)) == pytest.approx(by_hand)


@given(st.lists(st.integers(0, 40), min_size=1, max_size=60))
def test_mean_and_median_from_counts(values: list[int]) -> None:
    from statistics import mean, median

    assert average(Counter(values)) == pytest.approx(mean(values))
    assert middle(Counter(values)) == median(values)


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=30), st.randoms())
def test_tallies_merge_to_the_same_in_any_order(
    games: list[tuple[int, int]], shuffled: random.Random
) -> None:
    def one(number: int, scores: tuple[int, int]) -> Tally:
        tally = Tally.empty(2)
        first = [seat for seat in (0, 1) if scores[seat] == max(scores)]
        tally.add_finished("played out", scores, first, 0)
        tally.lengths[sum(scores)] += 1
        if scores == (3, 3):
            tally.add_fault(number, "a fault")
        return tally

    parts = [one(number, scores) for number, scores in enumerate(games)]
    in_order, mixed = Tally.empty(2), Tally.empty(2)
    for part in parts:
        in_order.merge(part)
    shuffled.shuffle(parts)
    for part in parts:
        mixed.merge(part)
    assert in_order == mixed
    assert len(in_order.faults) <= 10, "memory does not grow with the number of games"


# ---------------------------------------------------------------- streams and workers


def test_rng_02_foreign_random_numbers_and_other_games_change_nothing() -> None:
    program = rulekit.load("hockey").program
    alone = trace_hash(Machine(prepare(program, 2)), 4)
    table, other = Machine(prepare(program, 2)), Machine(prepare(program, 2))

    state, second = table.start(4), other.start(99)
    stream = chance.streams(4)[1]
    numbers = []
    while state.ending is None:
        random.seed(len(numbers))
        numbers.append(random.random())
        other.apply(second, second.legal[0])
        stream, place = chance.below(stream, len(state.legal))
        table.apply(state, state.legal[place])
        if second.ending is not None:
            second = other.start(len(numbers))
    again = Machine(prepare(program, 2))
    assert trace_hash(again, 4) == alone
    assert table.outcome(state) == _played(program, 4)


def _played(program: rulekit.Ruleset, seed: int) -> object:
    table = Machine(prepare(program, 2))  # type: ignore[arg-type]
    state, stream = table.start(seed), chance.streams(seed)[1]
    while state.ending is None:
        stream, place = chance.below(stream, len(state.legal))
        table.apply(state, state.legal[place])
    return table.outcome(state)


def test_rng_03_deals_do_not_depend_on_the_bots_and_differ_from_game_to_game() -> None:
    table = Machine(prepare(rulekit.load("sixty-six").program, 2))

    def deals(game: int, bots: tuple[str, str]) -> list[int]:
        """Where the stream of chance stands, as often as it moves: once a deal."""
        state, draws = table.start(30, game), Draws.for_game(30, game)
        players = [BOTS[name]() for name in bots]
        found = [state.chance]
        while (decision := table.decision(state)) is not None:
            table.apply(state, choose(table, state, players[decision.actor], draws))
            if state.chance != found[-1]:
                found.append(state.chance)
        return found

    firsts = []
    for game in range(8):
        one, other = deals(game, ("greedy", "random")), deals(game, ("random", "greedy"))
        together = min(len(one), len(other))
        assert together > 2
        assert one[:together] == other[:together]
        firsts.append(one[0])
    assert len(set(firsts)) == 8


@pytest.fixture(scope="module")
def one_worker() -> Report:
    return simulate(rulekit.load("hockey"), 60, seed=1)


@pytest.mark.parametrize(("workers", "method"), [(2, "fork"), (2, "spawn"), (4, "spawn")])
def test_rng_05_any_number_of_workers_gives_the_same_report(
    one_worker: Report, workers: int, method: str
) -> None:
    shared = simulate(rulekit.load("hockey"), 60, seed=1, workers=workers, start_method=method)
    assert shared.json_text() == one_worker.json_text()


def test_rng_05_no_game_is_played_twice() -> None:
    table = Machine(prepare(rulekit.load("hockey").program, 2))
    traces = [trace_hash(table, seed, game) for seed in (1, 2) for game in range(30)]
    assert len(set(traces)) == len(traces)


def test_the_quick_way_of_random_players_plays_the_same_games_as_bots_do() -> None:
    program = rulekit.load("hucklebuck").program
    job = Job(
        program, 4, {name: option.start for name, option in program.options.items()}, 9, ("random",) * 4
    )
    quick, slow = Worker(job), Worker(job)
    slow.bots = [BOTS["random"]() for _ in range(4)]
    assert quick.play(0, 6) == slow.play(0, 6)


# ---------------------------------------------------------------- what a report says


def test_sim_05_a_planted_bias_is_found_and_a_fair_game_is_cleared() -> None:
    rules = rulekit.load(UNEVEN)
    fair = simulate(rules, 600, seed=5)
    assert fair.uneven == ()
    planted = simulate(rules, 600, seed=5, options={"head_start": 3})
    assert planted.uneven == (0, 1)
    assert planted.seats[0].interval[0] > fair.seats[0].interval[0]
    assert planted.seats[0].wins > planted.seats[1].wins


def test_sim_05_a_bias_among_three_is_found_too() -> None:
    report = simulate(rulekit.load(UNEVEN), 600, seed=3, players=3, options={"head_start": 3})
    assert 0 in report.uneven
    assert report.fair_share == pytest.approx(1 / 3)


def test_the_figures_of_a_report_add_up(one_worker: Report) -> None:
    report = one_worker
    assert report.games == report.asked == 60
    assert sum(ending.games for ending in report.endings) == 60
    assert report.decided + report.tied == 60
    assert sum(seat.wins for seat in report.seats) == report.decided
    for seat in report.seats:
        assert seat.interval[0] <= seat.share <= seat.interval[1]
        assert seat.score_interval[0] <= seat.score_mean <= seat.score_interval[1]
    assert report.length.least >= 156, "a match of hockey has three periods of 52 plays"
    assert report.length.least <= report.length.median <= report.length.most
    assert report.choices.most <= 6


def test_partners_win_together() -> None:
    tally = Tally.empty(4)
    tally.add_finished("played out", (5, 2, 5, 2), (0, 2), 2)
    assert [seat.wins for seat in tally.seats] == [1, 0, 1, 0]
    assert (tally.decided, tally.tied) == (1, 0)


def test_a_fault_is_counted_and_told_with_its_place() -> None:
    report = simulate(rulekit.load(FAULTY), 40, seed=1)
    assert 0 < report.faulty < 40
    assert len(report.faults) == min(10, report.faulty)
    assert "RK903" in report.faults[0].text
    assert report.faults[0].text.startswith("<text>:19:")
    assert [fault.game for fault in report.faults] == sorted(fault.game for fault in report.faults)


def test_trm_04_an_ended_game_has_no_legal_move_and_stays_within_its_bounds() -> None:
    for name, players in [("hockey", 2), ("sixty-six", 2), ("hucklebuck", 3), ("hucklebuck", 7)]:
        program = rulekit.load(name).program
        worker = Worker(Job(program, players, prepare(program, players).options, 2, ("random",) * players))
        tally = Tally.empty(players)
        for game in range(25):
            state = worker.play_one(game, tally)
            outcome = worker.machine.outcome(state)
            assert worker.machine.legal(state) == []
            assert worker.machine.decision(state) is None
            assert state.decisions <= program.end.limit
            assert all(-1 <= payoff <= 1 for payoff in outcome.payoffs)
            assert sum(outcome.payoffs) == pytest.approx(0)
        assert max(tally.lengths) <= program.end.limit


@pytest.mark.long
@pytest.mark.parametrize("name", ["hockey", "hucklebuck", "sixty-six"])
def test_trm_04_in_ten_thousand_games_none_outlasts_its_limit(name: str) -> None:
    rules = rulekit.load(name)
    for players in range(rules.players[0], rules.players[1] + 1):
        report = simulate(rules, 10_000, seed=7, players=players, workers=2)
        assert report.faulty == 0
        assert report.length.most < rules.program.end.limit


def test_stopped_in_the_middle_a_report_tells_what_was_played() -> None:
    def stop(done: int, wanted: int) -> None:
        if done >= 20:
            raise KeyboardInterrupt

    report = simulate(rulekit.load("hockey"), 1000, seed=1, progress=stop)
    assert report.interrupted
    assert 20 <= report.games < 1000
    assert simulate(rulekit.load("hockey"), report.games, seed=1).seats == report.seats


def test_progress_is_told_up_to_the_end() -> None:
    told: list[tuple[int, int]] = []
    simulate(rulekit.load("hockey"), 23, progress=lambda done, wanted: told.append((done, wanted)))
    assert told[-1] == (23, 23)
    assert all(one[0] < other[0] for one, other in pairwise(told))


def test_wrong_settings_are_refused_by_name() -> None:
    rules = rulekit.load("hockey")
    for settings, message in [
        ({"games": 0}, "the number of games is a whole number from 1, not `0`"),
        ({"games": "5"}, "the number of games is a whole number from 1, not the text `5`"),
        ({"games": 5, "workers": 0}, "the number of workers is a whole number from 1"),
        ({"games": 5, "workers": 1.5}, "the number of workers is a whole number from 1, not `1.5`"),
        ({"games": 5, "seed": "x"}, "the seed is a number from 0 to"),
        ({"games": 5, "seed": -1}, "the seed is a number from 0 to"),
        ({"games": 5, "players": "2"}, "the number of players is a whole number, not the text `2`"),
        ({"games": 5, "bots": 7}, "bots are named by a text, or by a list, one for each seat, not `7`"),
        ({"games": 5, "options": 7}, "options are given by name"),
        ({"games": 5, "players": 3}, "2 players, not 3|2 to 2 players"),
        ({"games": 5, "bots": "clever"}, "no bot `clever`"),
        ({"games": 5, "bots": ["random"]}, "1 bots are named for 2 seats"),
        ({"games": 5, "options": {"laps": 3}}, "did you mean `lapse`"),
    ]:
        with pytest.raises(ValueError, match=message):
            simulate(rules, **settings)  # type: ignore[arg-type]


def test_the_json_form_is_the_documented_one(one_worker: Report) -> None:
    data = json.loads(one_worker.json_text())
    assert list(data) == [
        "kind",
        "version",
        "ruleset",
        "hash",
        "players",
        "options",
        "seed",
        "engine",
        "games",
        "seats",
        "balance",
        "decisions",
        "choices",
        "endings",
        "faults",
    ]
    page = (Path(__file__).parent.parent / "docs" / "json.md").read_text("utf-8")
    keys = {*data, *data["games"], *data["seats"][0], *data["seats"][0]["score"], *data["choices"]}
    assert [key for key in sorted(keys) if f"`{key}`" not in page] == []


def test_games_are_told_apart_by_seed() -> None:
    reports = [simulate(rulekit.load("hockey"), 20, seed=seed).seats for seed in range(4)]
    assert all(one != other for one, other in combinations(reports, 2))
