"""The engines behind the product: which is taken, and that no figure and no move depends on it."""

from __future__ import annotations

import importlib.util
import os
import pickle
import re
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_simulate import FAULTY, UNEVEN

import rulekit
import rulekit.game.game as game_module
from rulekit.game.engines import ENGINES, EngineError, Engines
from rulekit.playtest.job import make_job, packed
from rulekit.playtest.report import Report
from rulekit.playtest.simulate import simulate
from rulekit.program import prepare

#: A loop that the players may keep going for ever, and a score that does not exist before the end.
ENDLESS = """rulekit: "1"
name: endless
title: Endless
text: Who stops ends the game.
sources: [A test]
players: 2
deck: {ranks: 2 3, suits: hearts}
zones:
  stock: pile seen by nobody
state:
  on: {is: bool = true, text: The game goes on.}
  score: {is: 0..9 per player, text: Points.}
play:
  - shuffle deck into stock
  - until not on: [for p in players: [ask p: [stop, wait]]]
moves:
  stop: {text: End it., do: [on = false]}
  wait: {text: Go on., choose: {why: 1..9}, do: []}
end: {ranking: highest score, limit: 12}
"""


def figures(report: Report) -> dict[str, Any]:
    """A report without the name of the engine."""
    data = report.to_json()
    assert data.pop("engine") in ENGINES
    return data


def table(source: str, players: int | None = None, **options: Any) -> Engines:
    rules = rulekit.load(source, options=options)
    return Engines(prepare(rules.program, players or rules.players[0], rules.chosen))


# ---------------------------------------------------------------- the same figures


@pytest.mark.parametrize(
    ("source", "players", "games"),
    [
        ("hockey", 2, 12),
        ("hearts", 4, 4),
        ("kuhn-poker", 2, 20),
        ("beggar-my-neighbour", 2, 6),
        ("klondike", 1, 2),
        (UNEVEN, 3, 40),
        (FAULTY, 2, 40),
        (ENDLESS, 2, 60),
    ],
    ids=lambda value: value.splitlines()[1] if isinstance(value, str) and "\n" in value else str(value),
)
def test_rep_sim_every_engine_gives_the_same_report(source: str, players: int, games: int) -> None:
    rules = rulekit.load(source)
    reports = [simulate(rules, games, seed=5, players=players, engine=one, workers=1) for one in ENGINES]
    assert [report.engine for report in reports] == list(ENGINES)
    assert figures(reports[0]) == figures(reports[2])
    assert figures(reports[1]) == figures(reports[2])


def test_trm_01_a_game_that_does_not_end_is_stopped_by_its_limit_in_every_engine() -> None:
    for engine in ENGINES:
        report = simulate(rulekit.load(ENDLESS), 300, engine=engine, workers=1)
        ended = {ending.reason: ending.games for ending in report.endings}
        assert ended["limit"] > 0
        assert report.length.most == 12


def test_more_faults_than_are_told_are_counted_alike() -> None:
    reports = [simulate(rulekit.load(FAULTY), 300, seed=2, engine=one, workers=1) for one in ENGINES]
    assert reports[0].faulty > 100
    assert [fault.text for fault in reports[0].faults] == [fault.text for fault in reports[2].faults]
    assert figures(reports[0]) == figures(reports[1]) == figures(reports[2])


#: A move with 19,900 legal ways, more than compiled engines list, comes in some games.
BEYOND = """rulekit: "1"
name: beyond
title: Beyond
text: The higher number wins.
sources: [A test]
players: 2
deck: {ranks: 2 3, suits: hearts}
state:
  total: {is: 0..300 per player, text: What was named.}
  wide: {is: bool, text: Two numbers are named.}
play:
  - for p in players: [ask p: [narrow]]
  - wide = random(bool)
  - for p in players: [ask p: [pass, name_two]]
moves:
  pass: {text: Do nothing., do: []}
  narrow: {text: Name a number., choose: {one: 0..9}, do: [total = one]}
  name_two:
    text: Name two numbers.
    choose: {one: 0..199, two: 0..99}
    if: {it is time: wide, they differ: one != two}
    do: [total = one + two]
end: {ranking: highest total}
"""


def test_what_compiled_engines_do_not_hold_is_played_again_on_the_reference() -> None:
    reports = [simulate(rulekit.load(BEYOND), 9, seed=2, engine=one, workers=1) for one in ENGINES]
    assert figures(reports[0]) == figures(reports[1]) == figures(reports[2])
    assert (reports[2].length.least, reports[2].choices.most) == (4, 19_901)
    for report in reports[:2]:
        assert re.match(r"[2-7] games were played again on the reference engine", report.note or "")
    assert reports[2].note is None


def test_a_game_goes_over_to_the_reference_where_there_is_more_than_the_other_holds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rules = rulekit.load(BEYOND)
    seen = set()
    for seed in range(4):
        game, other = (rules.new_game(seed=seed, engine=engine) for engine in ("python", "reference"))
        while not other.is_over:
            assert game.legal_moves() == other.legal_moves()
            move = other.legal_moves()[-1]
            game.play(move)
            other.play(move)
        assert (game.outcome, game.log(), game.receipts) == (other.outcome, other.log(), other.receipts)
        seen.add(game.engine)
        for _ in range(3):
            game.undo()
        while game.redo():
            pass
        assert game.outcome == other.outcome
    assert seen == {"python", "reference"}
    monkeypatch.setattr(game_module, "WARM", 3)
    game = rulekit.load(BEYOND).new_game(seed=next(seed for seed in range(4) if is_wide(rules, seed)))
    for _ in range(4):
        game.play(game.legal_moves()[-1])
    assert (game.is_over, game.engine) == (True, "reference")


def is_wide(rules: rulekit.Ruleset, seed: int) -> bool:
    game = rules.new_game(seed=seed)
    game.play("narrow 1")
    game.play("narrow 2")
    return len(game.legal_moves()) > 1


def test_a_batch_wider_than_those_that_are_played_side_by_side() -> None:
    whole = simulate(rulekit.load(UNEVEN), 700, seed=1, engine="wasm", workers=1)
    assert figures(whole) == figures(simulate(rulekit.load(UNEVEN), 700, seed=1, engine="python", workers=1))


# ---------------------------------------------------------------- whoever plays them


@pytest.fixture(scope="module")
def alone() -> dict[str, Any]:
    return figures(simulate(rulekit.load("hockey"), 3000, seed=1, workers=1))


@pytest.mark.parametrize("workers", [2, 4, None])
def test_rng_05_threads_give_the_same_report(alone: dict[str, Any], workers: int | None) -> None:
    assert figures(simulate(rulekit.load("hockey"), 3000, seed=1, workers=workers)) == alone


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_rng_05_processes_on_the_generated_python_give_the_same_report(method: str) -> None:
    rules = rulekit.load(UNEVEN)
    one = simulate(rules, 60, seed=1, workers=1)
    shared = simulate(rules, 60, seed=1, engine="python", workers=2, start_method=method)
    assert figures(shared) == figures(one)


class Elsewhere:
    """The least that an executor is: everything waits until it is asked for, and all of it can be sent."""

    def submit(self, function: Callable[..., Any], *arguments: Any) -> Result:
        return Result(function, pickle.dumps(arguments))


class Result:
    def __init__(self, function: Callable[..., Any], arguments: bytes) -> None:
        self.function, self.arguments = function, arguments

    def result(self) -> Any:
        return pickle.loads(pickle.dumps(self.function))(*pickle.loads(self.arguments))


class StandInForRay(ModuleType):
    """Those of Ray's functions that the adapter uses, as they behave in Ray 2.60: a remote function gives
    references, whose `future` is one of `concurrent.futures`. Three workers, in this process."""

    def __init__(self) -> None:
        super().__init__("ray")
        self.threads: ThreadPoolExecutor | None = None
        self.options: list[dict[str, Any]] = []
        self.wrapped = 0

    def is_initialized(self) -> bool:
        return self.threads is not None

    def init(self) -> None:
        assert self.threads is None, "called once"
        self.threads = ThreadPoolExecutor(3)

    def cluster_resources(self) -> dict[str, float]:
        return {"CPU": 3.0, "memory": 1e9}

    def remote(self, function: Callable[..., Any]) -> Any:
        self.wrapped += 1

        class Remote:
            def options(_, **options: Any) -> Any:
                self.options.append(options)
                return Remote()

            def remote(_, *arguments: Any) -> Any:
                assert self.threads is not None
                sent = pickle.dumps((function, arguments))
                future = self.threads.submit(lambda: pickle.loads(sent)[0](*pickle.loads(sent)[1]))
                return SimpleNamespace(future=lambda: future)

        return Remote()


def test_the_adapter_for_ray_gives_the_same_report(
    alone: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    ray = StandInForRay()
    monkeypatch.setitem(sys.modules, "ray", ray)
    from rulekit.adapters.ray_executor import RayExecutor

    executor = RayExecutor(num_cpus=1)
    assert sum(executor.ncores().values()) == 3
    assert figures(simulate(rulekit.load("hockey"), 3000, seed=1, executor=executor)) == alone
    assert (ray.wrapped, ray.options) == (1, [{"num_cpus": 1}])
    assert figures(simulate(rulekit.load("hockey"), 3000, seed=1, executor=RayExecutor())) == alone


def test_without_ray_the_adapter_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    from rulekit.adapters.ray_executor import RayExecutor

    with pytest.raises(ImportError, match="pip install ray"):
        RayExecutor()


def test_any_executor_gives_the_same_report(alone: dict[str, Any]) -> None:
    rules = rulekit.load("hockey")
    assert figures(simulate(rules, 3000, seed=1, executor=Elsewhere())) == alone
    with ThreadPoolExecutor(2) as threads:
        assert figures(simulate(rules, 3000, seed=1, executor=threads)) == alone
    with ProcessPoolExecutor(1) as processes:
        assert figures(simulate(rules, 3000, seed=1, executor=processes)) == alone


def test_bots_that_think_may_play_by_an_executor_too() -> None:
    rules = rulekit.load("hockey")
    one = simulate(rules, 3, seed=1, bots="greedy", workers=1)
    assert figures(simulate(rules, 3, seed=1, bots="greedy", executor=Elsewhere())) == figures(one)


def test_a_local_dask_cluster_of_two_workers_gives_the_same_report(alone: dict[str, Any]) -> None:
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        assert figures(simulate(rulekit.load("hockey"), 3000, seed=1, executor=client)) == alone


def test_what_is_sent_to_an_executor_is_small() -> None:
    for name in ("hearts", "tichu", "pinochle"):
        job = make_job(rulekit.load(name), 1, 4, None, "random")
        assert len(packed(job)) < 64 * 1024


def test_stopped_in_the_middle_compiled_engines_tell_what_was_played() -> None:
    def stop(done: int, wanted: int) -> None:
        if done >= 600:
            raise KeyboardInterrupt

    rules = rulekit.load("hockey")
    for workers in (1, 2):
        report = simulate(rules, 1_000_000, seed=1, progress=stop, workers=workers)
        assert report.interrupted
        assert 600 <= report.games < 1_000_000
        assert simulate(rules, report.games, seed=1, workers=1).seats == report.seats


# ---------------------------------------------------------------- which engine plays


@pytest.fixture
def no_wasmtime(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if the package were not installed."""
    find = importlib.util.find_spec
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None if name == "wasmtime" else find(name))


@pytest.mark.usefixtures("no_wasmtime")
def test_without_wasmtime_the_generated_python_plays_and_it_is_said() -> None:
    report = simulate(rulekit.load("hockey"), 3, workers=1)
    assert (report.engine, report.note) == (
        "python",
        "not WebAssembly: the package wasmtime is not installed",
    )
    with pytest.raises(EngineError, match="`wasm` cannot play this: the package wasmtime is not installed"):
        simulate(rulekit.load("hockey"), 3, engine="wasm")
    assert rulekit.load("hockey").stepper().engine == "python"


def test_what_the_compiled_engines_lack_is_named_with_its_place(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = rulekit.load("hockey")
    span = rules.program.moves["play"].span

    def lower(*_: object) -> None:
        from rulekit.compiled import Unsupported

        raise Unsupported("juggling", span)

    monkeypatch.setattr("rulekit.compiled.lower", lower, raising=False)
    engines = Engines(prepare(rules.program, 2))
    support = engines.support()
    assert [one.can for one in support] == [False, False, True]
    assert support[0].why == f"the compiled engines lack juggling ({span})"
    assert engines.take() == ("reference", f"not WebAssembly: {support[0].why}")
    report = simulate(rules, 2, workers=1)
    assert report.engine == "reference"
    assert "juggling" in (report.note or "")


def test_an_engine_that_does_not_exist_or_does_not_fit_is_an_error() -> None:
    rules = rulekit.load("hockey")
    with pytest.raises(EngineError, match="no engine `pyton`: did you mean `python`"):
        simulate(rules, 3, engine="pyton")
    with pytest.raises(EngineError, match="`wasm` is for random players"):
        simulate(rules, 3, engine="wasm", bots="greedy")
    with pytest.raises(EngineError, match="`python` or `reference`"):
        rules.new_game(engine="wasm")
    assert issubclass(EngineError, ValueError)


def test_nothing_heavy_is_imported_by_loading_and_playing() -> None:
    code = (
        "import sys, rulekit; game = rulekit.load('hockey').new_game(); game.play(game.legal_moves()[0]);"
        "heavy = ('wasmtime', 'numpy', 'rulekit.compiled.lowering', 'distributed');"
        "print([name for name in heavy if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


# ---------------------------------------------------------------- one game


def both(name: str, seed: int, players: int | None = None) -> tuple[rulekit.Game, rulekit.Game]:
    rules = rulekit.load(name)
    return rules.new_game(players, seed, engine="python"), rules.new_game(players, seed, engine="reference")


@pytest.mark.parametrize("name", ["hockey", "sixty-six", "hearts", "gin-rummy", "cribbage", "euchre"])
@settings(max_examples=3, deadline=None)
@given(seed=st.integers(0, 10**6), picks=st.lists(st.integers(0, 10**4), min_size=20, max_size=60))
def test_a_game_on_the_generated_python_is_the_same_game(name: str, seed: int, picks: list[int]) -> None:
    game, other = both(name, seed)
    assert (game.engine, other.engine) == ("python", "reference")
    for number, pick in enumerate(picks):
        moves = game.legal_moves()
        assert moves == other.legal_moves()
        assert (game.to_move, game.scores, game.is_over) == (other.to_move, other.scores, other.is_over)
        if not moves:
            break
        played = game.play(moves[pick % len(moves)])
        assert played == other.play(str(moves[pick % len(moves)]))
        if number % 9 == 4:
            assert game.undo() == other.undo()
            assert game.legal_moves() == other.legal_moves()
            assert game.redo() == other.redo()
    assert game.outcome == other.outcome
    assert (game.fingerprint, game.log(), game.receipts) == (other.fingerprint, other.log(), other.receipts)
    assert game.snapshot() == other.snapshot()
    assert game.rules.restore(game.snapshot()).legal_moves() == game.legal_moves()


def test_rep_06_all_moves_undone_and_made_again_on_the_generated_python() -> None:
    game, _ = both("hockey", 3)
    while not game.is_over:
        game.play(game.legal_moves()[-1])
    end, outcome = game.fingerprint, game.outcome
    twin = game.copy()
    while game.can_undo:
        game.undo()
    assert game.fingerprint == rulekit.load("hockey").new_game(seed=3).fingerprint
    while game.can_redo:
        game.redo()
    assert (game.fingerprint, game.outcome) == (end, outcome)
    game.restart()
    game.play(game.legal_moves()[0])
    assert twin.outcome == outcome, "a copy goes its own way"


def test_refusals_and_reasons_are_those_of_the_reference() -> None:
    game, other = both("hearts", 4, 4)
    for _ in range(9):
        move = game.legal_moves()[0]
        game.play(move)
        other.play(move)
    for text in ("play 2C", "play KH", "paly KH", "close", "play"):
        found = []
        for one in (game, other):
            try:
                found.append(one.why(text))
            except rulekit.InvalidMove as error:
                found.append(error.args)
        assert found[0] == found[1]
    assert game.view(1) == other.view(1)
    assert str(game.prompt()) == str(other.prompt())


def test_a_game_goes_over_to_the_generated_python_in_the_middle(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game_module, "WARM", 30)
    rules = rulekit.load("hockey")
    game, other = rules.new_game(seed=8), rules.new_game(seed=8, engine="reference")
    engines = []
    for _ in range(60):
        assert game.legal_moves() == other.legal_moves()
        move = game.legal_moves()[0]
        game.play(move)
        other.play(move)
        engines.append(game.engine)
    assert engines[0] == "reference"
    assert engines[-1] == "python"
    assert game.fingerprint == other.fingerprint
    assert rules.new_game(deal="AS AH").engine == "reference", "a forced deal is for the reference"


def test_a_fault_is_told_as_the_reference_does() -> None:
    rules = rulekit.load(FAULTY)
    for seed in range(6):
        game, other = (
            rules.new_game(seed=seed, engine="python"),
            rules.new_game(seed=seed, engine="reference"),
        )
        while not game.is_over:
            game.play("go")
            other.play("go")
        assert game.outcome == other.outcome
        assert str(game.outcome.fault) == str(other.outcome.fault)  # type: ignore[union-attr]


# ---------------------------------------------------------------- steppers


@pytest.mark.parametrize(
    ("name", "players", "phase"),
    [
        ("hearts", 4, "round"),
        ("sixty-six", 2, None),
        ("gin-rummy", 2, "round"),
        ("kuhn-poker", 2, None),
        ("euchre", 4, None),
    ],
)
def test_sim_01_steppers_of_all_engines_play_the_same_games(
    name: str, players: int, phase: str | None
) -> None:
    rules = rulekit.load(name)
    steppers = [rules.stepper(players, phase=phase, engine=one) for one in ENGINES]
    assert [stepper.engine for stepper in steppers] == list(ENGINES)
    space = rules.actions(players)
    for stepper in steppers:
        stepper.begin(seed=11, game=1)
    for turn in range(80):
        first, *rest = [list(stepper.legal()) for stepper in steppers]
        assert rest == [first, first]
        assert len({(stepper.to_move, stepper.count, stepper.scores) for stepper in steppers}) == 1
        rows = [space.encode(action.move, action.values) for action in steppers[2].actions()]
        assert first == [row[0] if len(row) == 1 else row for row in rows]
        lazily = steppers[0].legal()
        assert [lazily[place] for place in range(-len(first), len(first), 7)] == [
            first[place] for place in range(-len(first), len(first), 7)
        ]
        for stepper in steppers:
            for wrong in (-1, len(first), 10**12):
                with pytest.raises(IndexError):
                    stepper.apply(wrong)
        if not first:
            break
        for stepper in steppers:
            stepper.apply(turn * 7 % len(first))
    assert len({str(stepper.outcome) for stepper in steppers}) == 1


@pytest.mark.parametrize("engine", ENGINES)
def test_rep_04_a_position_that_was_saved_comes_back(engine: str) -> None:
    stepper = rulekit.load("hockey").stepper(engine=engine)
    stepper.begin(seed=2)
    for _ in range(40):
        stepper.apply(0)
    kept, legal, scores = stepper.save(), list(stepper.legal()), stepper.scores

    def on() -> object:
        while stepper.count:
            stepper.apply(stepper.count // 2)
        return stepper.outcome

    ended = on()
    assert stepper.to_move is None
    for _ in range(2):
        stepper.load(kept)
        assert (list(stepper.legal()), stepper.scores, stepper.outcome) == (legal, scores, None)
        assert on() == ended


@pytest.mark.parametrize("engine", ENGINES)
def test_a_position_of_another_table_is_refused(engine: str) -> None:
    stepper, other = (rulekit.load(name).stepper(engine=engine) for name in ("hockey", "whist"))
    for position in (other.save(), b"", [], None):
        with pytest.raises(ValueError, match="no position of this table"):
            stepper.load(position)


def test_a_stepper_plays_the_games_of_the_library_and_tells_of_faults() -> None:
    rules = rulekit.load("hockey")
    game, stepper = rules.new_game(seed=9), rules.stepper()
    stepper.begin(seed=9)
    for _ in range(30):
        assert stepper.moves() == game.legal_moves()
        game.play(game.legal_moves()[-1])
        stepper.apply(stepper.count - 1)
    faulty = rulekit.load(FAULTY)
    for engine in ENGINES:
        one = faulty.stepper(engine=engine)
        reasons = set()
        for number in range(12):
            one.begin(1, number)
            while one.count:
                one.apply(0)
            assert one.outcome is not None
            reasons.add((one.outcome.reason, one.outcome.fault and one.outcome.fault.code))
        assert reasons == {("played out", None), ("fault", "RK903")}


def test_where_addresses_are_limited_another_engine_plays(monkeypatch: pytest.MonkeyPatch) -> None:
    """A WebAssembly instance reserves four gigabytes of addresses: `ulimit -v` may forbid that."""
    from rulekit.compiled.wasm import CompiledModule

    def games(*_: object, **__: object) -> None:
        raise MemoryError("mmap failed to reserve 0x104000000 bytes")

    monkeypatch.setattr(CompiledModule, "games", games)
    report = rulekit.load("kuhn-poker", {"hands": 33}).simulate(5, seed=1)
    assert report.engine == "python"
    with pytest.raises(EngineError, match="there is no memory for it: mmap failed"):
        rulekit.load("kuhn-poker", {"hands": 34}).simulate(5, engine="wasm")


#: `ulimit -v` of three gigabytes, and a wasmtime of another kind.
LIMITED = """
import resource
resource.setrlimit(resource.RLIMIT_AS, (3 << 30, 3 << 30))
import rulekit
"""
ODD = """
import sys
sys.path.insert(0, "odd")
import rulekit
"""
PLAYS = """
import warnings
rules = rulekit.load("kuhn-poker")
report = rules.simulate(3, workers=1)
print(report.engine, report.note.split(":")[0], rules.stepper().engine)
print(rules.simulate(1, bots="search", workers=1).games)
with warnings.catch_warnings(record=True) as told:
    print(rulekit.vector(rules, 3).engine, [str(one.message).split(":")[0] for one in told])
"""


@pytest.mark.parametrize("where", [LIMITED, ODD], ids=["limited", "odd"])
@pytest.mark.skipif(os.name != "posix", reason="limits of POSIX")
def test_where_webassembly_does_not_work_everything_does(tmp_path: Path, where: str) -> None:
    (tmp_path / "odd" / "wasmtime").mkdir(parents=True)
    (tmp_path / "odd" / "wasmtime" / "__init__.py").touch()
    done = subprocess.run(
        [sys.executable, "-c", where + PLAYS], capture_output=True, text=True, check=True, cwd=tmp_path
    )
    assert done.stdout.splitlines() == [
        "python not WebAssembly python",
        "1",
        "python ['WebAssembly cannot be used here, so games run in Python, much slower']",
    ]
