"""The vector environment: the games of the reference engine, and no more seen than a seat may see."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rulekit
from rulekit.adapters.vector import IllegalAction, VectorEnv
from rulekit.compiled.builder import Unsupported
from rulekit.compiled.lowering import Lowered, lower
from rulekit.compiled.numbering import ILLEGAL, MORE, numbered
from rulekit.compiled.observing import Part, observed, place_name
from rulekit.compiled.pyengine import PythonEngine
from rulekit.compiled.subset_ranks import rank_tables
from rulekit.compiled.verify import problems
from rulekit.engine import Machine, View, chance
from rulekit.engine.view import HIDDEN
from rulekit.program import Setup
from rulekit.program import types as t
from rulekit.program.actions import multisets

RULESETS = Path(__file__).parent.parent / "rulesets"


def played() -> list[str]:
    """Shipped rulesets in which somebody chooses, without their variants."""
    found = []
    for name in rulekit.shipped_rulesets():
        rules = rulekit.load(name)
        if rules.moves and "\nextends:" not in (RULESETS / f"{name}.yaml").read_text():
            found.append(name)
    return found


PLAYED = played()


def skip_unless_compiled(rules: rulekit.Ruleset) -> None:
    """What the compiled engines cannot do they name; then there is nothing to compare."""
    try:
        lower(rules.machine(most_players(rules)).setup)
    except Unsupported as error:
        pytest.skip(f"{rules.name}: {error.construct}")


def most_players(rules: rulekit.Ruleset) -> int:
    return min(4, rules.players[1])


def pick(env: VectorEnv, rng: np.random.Generator) -> Any:
    """A legal number for each game, each as likely as the others."""
    return (env.action_mask * rng.random(env.action_mask.shape)).argmax(axis=1)


# ---------------------------------------------------------------- the games are those of the reference engine


class Reference:
    """The games of an environment, stepped by the reference engine with the same numbers."""

    def __init__(self, rules: rulekit.Ruleset, players: int, n: int, seed: int, phase: str | None) -> None:
        self.machine: Machine = rules.machine(players, phase)
        self.space = rules.actions(players)
        self.seed = seed
        self.states = [self.machine.start(seed, game) for game in range(n)]
        self.begun: list[tuple[int, ...]] = [()] * n
        self.following = n

    def rows(self, game: int) -> dict[tuple[int, ...], Any]:
        legal = self.states[game].legal
        return {self.space.encode(action.move, action.values): action for action in legal}

    def numbers(self, game: int) -> set[int]:
        begun = self.begun[game]
        return {row[len(begun)] for row in self.rows(game) if row[: len(begun)] == begun}

    def step(self, game: int, number: int) -> Any:
        """Gives the outcome if the game ends."""
        row = (*self.begun[game], number)
        action = self.rows(game).get(row)
        self.begun[game] = row if action is None else ()
        if action is None:
            return None
        state = self.states[game]
        self.machine.apply(state, action)
        return self.machine.outcome(state) if state.ending else None

    def begin_next(self, game: int) -> None:
        self.states[game] = self.machine.start(self.seed, self.following)
        self.following += 1


@pytest.mark.parametrize("name", PLAYED)
def test_an_environment_plays_the_games_of_the_reference_engine(name: str) -> None:
    rules = rulekit.load(name)
    skip_unless_compiled(rules)
    compare(rules, most_players(rules), None, steps=10)


@pytest.mark.parametrize(("name", "phase"), [("hearts", "round"), ("kuhn-poker", "round"), ("whist", None)])
def test_a_phase_is_a_game_of_its_own(name: str, phase: str | None) -> None:
    rules = rulekit.load(name)
    assert compare(rules, most_players(rules), phase, steps=150) > 0


def compare(rules: rulekit.Ruleset, players: int, phase: str | None, steps: int) -> int:
    n, seed = 3, 11
    env = rulekit.vector(rules, n, players=players, phase=phase, seed=seed)
    assert env.engine == "wasm"
    known = Reference(rules, players, n, seed, phase)
    rng = np.random.default_rng(5)
    ended = 0
    for _ in range(steps):
        for game in range(n):
            assert set(env.action_mask[game].nonzero()[0].tolist()) == known.numbers(game)
            decision = known.machine.decision(known.states[game])
            assert decision is not None
            assert env.to_move[game] == decision.actor
        actions = pick(env, rng)
        env.advance(actions)
        for game in range(n):
            outcome = known.step(game, int(actions[game]))
            done = outcome is not None
            assert bool(env.terminations[game] | env.truncations[game]) == done
            if outcome is not None:
                ended += 1
                assert env.rewards[game] == pytest.approx(outcome.payoffs)
                scores = [-(2**31) if score is None else score for score in outcome.scores]
                assert env.final_scores[game].tolist() == scores
                assert bool(env.truncations[game]) == (outcome.reason != "played out")
                known.begin_next(game)
            else:
                assert not env.rewards[game].any()
    return ended


@pytest.mark.parametrize("name", ["hearts", "pinochle", "gin-rummy", "hucklebuck"])
def test_python_and_webassembly_give_the_same_arrays(name: str) -> None:
    fast = rulekit.vector(name, 3, seed=2)
    slow = rulekit.vector(name, 3, seed=2, engine="python")
    assert (fast.engine, slow.engine) == ("wasm", "python")
    rng = np.random.default_rng(1)
    for _ in range(40):
        assert (fast.action_mask == slow.action_mask).all()
        actions = pick(fast, rng)
        for one, other in zip(fast.step(actions)[:4], slow.step(actions)[:4], strict=True):
            assert (one == other).all()
        assert (fast.observe(0) == slow.observe(0)).all()


def test_a_seed_gives_the_same_games_and_reset_gives_them_again() -> None:
    env = rulekit.vector("hearts", 4, players=4, seed=9)
    first = env.observe()
    env.advance(env.action_mask.argmax(axis=1))
    again, infos = env.reset()
    assert (first == again).all()
    assert infos["games"].tolist() == [0, 1, 2, 3]
    other, _ = env.reset(seed=10)
    assert (first != other).any()


# ---------------------------------------------------------------- numbers


def engine_with_numbers(setup: Setup) -> tuple[PythonEngine, Any]:
    lowered, space = numbered(lower(setup))
    assert not [p for p in problems(lowered.module) if p.where.endswith((" mark", " place_of", " stage"))]
    return PythonEngine(lowered), space


@pytest.mark.parametrize("name", ["hearts", "pinochle", "gin-rummy", "cribbage"])
def test_no_number_is_taken_for_an_action_that_is_not_legal(name: str) -> None:
    rules = rulekit.load(name)
    setup = rules.machine(most_players(rules)).setup
    engine, space = engine_with_numbers(setup)
    state = engine.start(*chance.streams(3))
    rng = np.random.default_rng(0)
    for _ in range(12):
        choices = engine.load(state, "choices")
        if not choices:
            break
        found = [engine.call("place_of", state, number) for number in range(space.size)]
        places = [place for place in found if place >= 0]
        assert len(set(places)) == len(places)
        assert all(place < choices for place in places)
        assert all(place in (ILLEGAL, MORE) for place in found if place < 0)
        for number in (-1, space.size, 2**30):
            assert engine.call("place_of", state, number) == ILLEGAL
        engine.apply(state, int(rng.integers(choices)))


@pytest.mark.parametrize(
    ("copies", "low", "high"), [([1] * 7, 0, 3), ([2, 1, 2, 3], 0, 5), ([4, 4], 2, 4), ([1] * 24, 2, 2)]
)
def test_the_rank_of_a_set_is_its_place_among_all(copies: list[int], low: int, high: int) -> None:
    tables = rank_tables(copies, low, high)
    rows = sorted(multisets(copies, low, high))
    assert [tables.rank(row) for row in rows] == list(range(len(rows)))


def test_a_staged_action_is_several_steps_in_which_nothing_else_changes() -> None:
    env = rulekit.vector("hearts", 2, players=4, seed=1)
    moves = env.legal_moves(0)
    row, text = next(iter(moves.items()))
    assert text.startswith("pass_cards")
    assert len(row) == 5, "the move, three cards, done"
    before = env.observe()
    for at, number in enumerate(row):
        assert all(left[0] in env.action_mask[0].nonzero()[0] for left in env.legal_moves(0))
        assert (env.observe() == before).all()
        assert env.to_move.tolist() == [0, 0]
        env.advance([number, next(iter(env.legal_moves(1)))[0]])
        if at + 1 < len(row):
            assert row[at + 1 :] in env.legal_moves(0)
    assert env.to_move.tolist() == [1, 1]


def test_an_illegal_action_names_the_game_and_changes_nothing() -> None:
    env = rulekit.vector("whist", 5, seed=4)
    before, mask = env.observe(), env.action_mask.copy()
    actions = mask.argmax(axis=1)
    wrong = int((~mask[3]).argmax())
    actions[3] = wrong
    with pytest.raises(IllegalAction, match=f"game 3: {wrong} is not legal; P2 may") as caught:
        env.advance(actions)
    assert (caught.value.game, caught.value.action) == (3, wrong)
    assert (env.observe() == before).all()
    assert (env.action_mask == mask).all()
    actions[3] = 10**12
    with pytest.raises(IllegalAction, match="game 3: 1000000000000 is no action number"):
        env.advance(actions)
    with pytest.raises(ValueError, match="5 whole numbers, not float64"):
        env.advance(mask.argmax(axis=1) * 1.0)
    with pytest.raises(ValueError, match="of shape"):
        env.advance(actions[:3])
    assert (env.observe() == before).all()


# ---------------------------------------------------------------- ends

WAITING = """rulekit: "1"
name: waiting
title: Waiting
text: Somebody waits, or counts to three and fails.
sources: [A test]
players: 2
deck: {ranks: 2 3 4, suits: hearts}
zones: {stock: pile seen by nobody}
state: {turns: {is: 0..2 per player = 0, text: Turns.}}
play:
  - shuffle deck into stock
  - repeat 100 times: [for p in players: [ask p: [wait, count]]]
moves:
  wait: {text: Wait., do: [shuffle stock into stock]}
  count: {text: Count., do: [turns of me += 1]}
end: {ranking: highest turns, limit: 20}
"""


def test_a_game_cut_off_at_the_limit_is_truncated() -> None:
    env = rulekit.vector(rulekit.load(WAITING), 2)
    steps = 0
    while not env.truncations.any():
        env.advance([0, 0])
        steps += 1
    assert steps == 20
    assert env.truncations.tolist() == [True, True]
    assert not env.terminations.any()
    assert not env.rewards.any()
    assert env.faults == {}
    assert env.games.tolist() == [2, 3]


@pytest.mark.parametrize("engine", ["wasm", "python"])
def test_a_fault_of_the_rules_is_told_and_the_next_game_begins(engine: str) -> None:
    env = rulekit.vector(rulekit.load(WAITING), 3, engine=engine)
    for _ in range(4):
        env.advance([0, 1, 0])
        assert env.faults == {}
    *_, truncations, infos = env.step([0, 1, 0])
    assert truncations.tolist() == [False, True, False]
    assert infos["faults"] == {1: env.faults[1]}
    assert "`turns` cannot be 3, only 0 to 2" in env.faults[1]
    assert env.games.tolist() == [0, 3, 2]
    env.advance([0, 1, 0])
    assert env.faults == {}


def test_without_autoreset_a_game_that_is_over_stays_as_it_is() -> None:
    env = rulekit.vector("kuhn-poker", 3, phase="round", seed=0, autoreset=False)
    rng = np.random.default_rng(0)
    total = np.zeros(3)
    for _ in range(6):
        env.advance(pick(env, rng))
        total += np.abs(env.rewards).sum(axis=1)
        env.rewards[:] = 0
    assert (env.to_move == -1).all()
    assert not env.action_mask.any()
    assert (total > 0).all()


def test_scores_can_be_the_reward() -> None:
    env = rulekit.vector("hearts", 2, players=4, phase="round", seed=3, rewards="score")
    rng = np.random.default_rng(0)
    while not env.terminations.any():
        env.advance(pick(env, rng))
    done = env.terminations.nonzero()[0]
    assert (env.rewards[done] == -env.final_scores[done]).all(), "the lowest score wins"
    assert (env.final_scores[done].sum(axis=1) != 0).all()


def test_what_cannot_be_is_refused() -> None:
    with pytest.raises(ValueError, match="whole number from 1"):
        rulekit.vector("whist", 0)
    with pytest.raises(ValueError, match="nobody ever has to choose"):
        rulekit.vector("beggar-my-neighbour", 2)
    with pytest.raises(ValueError, match="`rewards` is one of payoff, score"):
        rulekit.vector("whist", 1, rewards="gold")
    with pytest.raises(rulekit.SettingError):
        rulekit.vector("whist", 1, players=9)
    with pytest.raises(rulekit.SettingError):
        rulekit.vector("whist", 1, options={"nosuch": 1})
    env = rulekit.vector("whist", 1)
    with pytest.raises(ValueError, match="seats are numbers from 0 to 3"):
        env.observe(4)
    with pytest.raises(ValueError, match="options of the rules"):
        env.reset(options={"a": 1})


# ---------------------------------------------------------------- observations


def faces(setup: Setup) -> list[int]:
    found: dict[Any, int] = {}
    return [found.setdefault(face, len(found)) for face in setup.pack.cards]


def expected(view: View, lowered: Lowered, face_of: list[int]) -> dict[str, list[int] | int]:
    """What the parts of an observation must be, from the view of the reference engine and nothing else."""
    setup, found = lowered.setup, {}
    many = max(face_of) + 1
    for views in view.zones.values():
        for place in views:
            name = place_name(setup.places[place.place], None)
            counts, order = [0] * many, [0] * many
            for at, card in enumerate(place.cards):
                if card is not None:
                    counts[face_of[card]] += 1
                    order[face_of[card]] = len(place.cards) - at
            found[name], found[f"{name} order"] = counts, order
            found[f"{name} size"] = [len(place.cards)]
            found[f"{name} in use"] = [1]
    for state, values in view.state.items():
        definition = setup.program.state[state]
        of = definition.type.of if isinstance(definition.type, t.Optional) else definition.type
        for member, value in enumerate(values):
            name = state if definition.per is None else f"{state} {member + 1}"
            found[f"{name} seen"] = [int(value is not HIDDEN)]
            if value is HIDDEN or value is None:
                found[name] = 0  # all of it
            elif isinstance(of, t.Int | t.Bool):
                found[name] = [int(value)]
            elif isinstance(value, int):
                found[name] = -(face_of[value] if isinstance(of, t.Card) else value) - 1  # the one that is 1
    for seat in range(setup.players):
        if seat == view.seat:
            found["seat"] = -seat - 1
    if view.decision is not None:
        found["to move"] = -view.decision.actor - 1
        found["for whom"] = -view.decision.whom - 1
    return found


def agrees(numbers: list[int], wanted: list[int] | int) -> bool:
    if isinstance(wanted, list):
        return numbers == wanted
    return numbers == [int(at == -wanted - 1) for at in range(len(numbers))]


@pytest.mark.parametrize("name", PLAYED)
def test_hid_01_an_observation_is_what_the_view_of_the_seat_tells_and_nothing_else(name: str) -> None:
    rules = rulekit.load(name)
    skip_unless_compiled(rules)
    machine = rules.machine(most_players(rules))
    lowered, parts = observed(lower(machine.setup, views=True))
    assert not [p for p in problems(lowered.module) if p.where.endswith(" observe")]
    engine, face_of = PythonEngine(lowered), faces(machine.setup)
    rng = np.random.default_rng(4)
    compared: set[str] = set()
    for game in range(1):
        state, reference = engine.start(*chance.streams(6, game)), machine.start(6, game)
        for number in range(48):
            if reference.ending:
                break
            if number % 8 == 0 or machine.decision(reference).kind == "sealed":  # type: ignore[union-attr]
                for seat in range(machine.setup.players):
                    row = observation(engine, parts, state, seat)
                    wanted = expected(machine.view(reference, seat), lowered, face_of)
                    for part in parts:
                        if part.name in wanted:
                            compared.add(part.name)
                            mine = row[part.first : part.first + part.size]
                            assert agrees(mine, wanted[part.name]), (part, seat, wanted[part.name], mine)
            place = int(rng.integers(len(reference.legal)))
            machine.apply(reference, reference.legal[place])
            engine.apply(state, place)
    kinds = {part.kind for part in parts if part.name in compared}
    assert {"flags", "number"} <= kinds


def observation(engine: PythonEngine, parts: tuple[Part, ...], state: list[Any], seat: int) -> list[int]:
    size, first = sum(part.size for part in parts), engine.layout.scratch["seen"]
    engine.space["T"][first : first + size] = [0] * size
    engine.call("observe", state, seat)
    return list(engine.space["T"][first : first + size])


def test_parts_of_an_observation_lie_side_by_side() -> None:
    env = rulekit.vector("bridge", 1)
    end = 0
    for part in env.observation_parts:
        assert part.first == end
        end += part.size
    assert env.observe().shape == (1, end) == (1, env.observation_size)
    names = [part.name for part in env.observation_parts]
    assert len(set(names)) == len(names)
