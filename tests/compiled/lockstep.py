"""The reference engine, generated Python and WebAssembly, move for move."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

from rulekit.compiled import lir
from rulekit.compiled.lowering import lower
from rulekit.compiled.pyengine import PythonEngine
from rulekit.compiled.reading import cards_at, legal_actions, value_of
from rulekit.compiled.wasm import compile_module
from rulekit.engine import Machine, State
from rulekit.engine.chance import below, streams
from rulekit.program import Program, prepare

ENDINGS = {"played out": 1, "limit": 2, "loop": 3}


class Lockstep:
    """One table in three engines. Every difference is an AssertionError that says where."""

    def __init__(
        self,
        program: Program,
        players: int | None = None,
        options: Mapping[str, Any] | None = None,
        phase: str | None = None,
        *,
        wasm: bool = True,
    ) -> None:
        self.setup = prepare(program, players or program.players[0], options)
        self.machine = Machine(self.setup, phase)
        lowered = lower(self.setup, phase)
        self.python = PythonEngine(lowered)
        self.wasm = compile_module(lowered.module, cached=False).games(2) if wasm else None
        self.decisions = 0
        self.endings: list[str] = []

    def play(self, seed: int = 1, game: int = 0, most: int = 100_000) -> str:
        """One random game, compared after every decision; returns a hash of all that happened."""
        chance, policy = streams(seed, game)
        s = self.machine.start(seed, game)
        flat = self.python.start(chance, policy)
        if self.wasm is not None:
            self.wasm.begin(0, chance, policy)
            self.wasm.begin(1, policy, chance)  # a neighbour, which nothing may touch
            neighbour = self.wasm.image(1)
        trace = hashlib.sha256()
        made = 0
        while True:
            if self.python.beyond(flat):  # the reference engine plays on; there is nothing to compare
                self.endings.append("beyond")
                return trace.hexdigest()
            self.compare(s, flat, f"game {game} of seed {seed}, after {made} decisions")
            trace.update(repr((s.zones, s.cells, s.chance, s.legal)).encode())
            if s.ending is not None or made == most:
                break
            policy, place = below(policy, len(s.legal))
            self.machine.apply(s, s.legal[place])
            self.python.apply(flat, place)
            if self.wasm is not None:
                self.wasm.step(0, place)
            made += 1
        self.decisions += made
        if s.ending is not None:
            self.ended(s, flat)
        if self.wasm is not None:
            assert self.wasm.image(1) == neighbour, "a game wrote into another one"
        self.fused(seed, game, flat, made, policy)
        return trace.hexdigest()

    # ------------------------------------------------------------ comparing

    def compare(self, s: State, flat: list[Any], where: str) -> None:
        python, lowered = self.python, self.python.lowered
        if self.wasm is not None:
            other = self.wasm.read(0)
            differ = [(n, a, b) for n, (a, b) in enumerate(zip(flat, other, strict=True)) if a != b]
            assert not differ, f"{where}: WebAssembly differs from Python in {differ[:5]}"
        if s.ending is not None and s.ending.reason == "fault":
            return  # a fault leaves a statement in the middle
        for place in self.setup.places:
            theirs = cards_at(python, flat, place.number)
            assert s.zones[place.number] == theirs, f"{where}: {place} {s.zones[place.number]} {theirs}"
        for name, (_, count, _) in lowered.cells.items():
            first = self.machine.layout.states[name].first
            for member in range(count):
                mine = s.cells[first + member]
                if mine is not None:  # state of what is over has no value, and is not read
                    theirs = value_of(python, flat, name, member)
                    assert mine == theirs, f"{where}: {name} of {member} is {mine}, not {theirs}"
        assert s.chance == flat[python.layout.chance], f"{where}: chance"
        assert s.decisions == python.load(flat, "decisions"), f"{where}: decisions"
        legal = [(action.move, action.values) for action in s.legal]
        theirs = legal_actions(python, flat)
        assert legal == theirs, f"{where}: legal {legal[:6]} ... {theirs[:6]} ..."
        assert len(legal) == python.load(flat, "choices"), f"{where}: number of choices"
        decision = self.machine.decision(s)
        if decision is not None:
            assert decision.actor == python.load(flat, "actor"), f"{where}: whose turn it is"

    def ended(self, s: State, flat: list[Any]) -> None:
        assert s.ending is not None
        python = self.python
        self.endings.append(s.ending.reason)
        if s.ending.reason == "fault":
            assert s.ending.fault is not None
            site = python.lowered.module.faults[python.load(flat, "fault") - 1]
            told = (s.ending.fault.code, s.ending.fault.span)
            assert (site.code, site.span) == told, f"{site} is not {s.ending.fault}"
            if self.wasm is not None:
                trapped = self.wasm.fault(0)
                assert trapped is not None
                assert trapped.site is site
            return
        assert python.load(flat, "ending") == ENDINGS[s.ending.reason]
        if s.ending.reason == "loop":
            assert python.load(flat, "length") == s.ending.length
        if s.ending.reason == "played out":
            self.outcomes(s, flat)

    def outcomes(self, s: State, flat: list[Any]) -> None:
        """Scores, ranking and payoffs."""
        python, players = self.python, range(self.setup.players)
        outcome = self.machine.outcome(s)
        if outcome.fault is not None:
            return
        for function in ("scores", "ranking"):
            python.call(function, flat)
        scores = [python.load(flat, "score", p) for p in players]
        assert tuple(None if score == lir.NONE else score for score in scores) == outcome.scores
        ranks = [python.load(flat, "rank", p) for p in players]
        groups = [tuple(p for p in players if ranks[p] == rank) for rank in sorted(set(ranks))]
        assert tuple(groups) == outcome.ranking
        if python.lowered.has_payoff:
            python.call("payoffs", flat)
            payoffs = [python.load(flat, "payoff", p) for p in players]
            assert tuple(float(0 if p == lir.NONE else p) for p in payoffs) == outcome.payoffs

    def fused(self, seed: int, game: int, flat: list[Any], made: int, drawn: int) -> None:
        """Random play in one call comes to the same end as stepping, and draws as often: ``drawn`` is the
        stream of the random players then."""
        chance, policy = streams(seed, game)
        whole = self.python.start(chance, policy)
        self.python.roll(whole, made)
        at = self.python.layout.policy
        assert whole == [*flat[:at], drawn, *flat[at + 1 :]], "fused Python differs from stepping"
        if self.wasm is not None:
            self.wasm.begin(1, chance, policy)
            self.wasm.roll(1, made)
            assert self.wasm.read(1) == whole, "fused WebAssembly differs from Python"
