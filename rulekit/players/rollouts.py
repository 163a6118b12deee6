"""Roll-outs: the moves of one turn tried at worlds as they may be, each played on at random.

A roll-out ends with the game, or when chance decides something more, such as the next deal: what comes then
is the same for all moves. It runs in WebAssembly if that can be had, else in the generated Python, with the
same results; where neither can play the position (a ruleset they lack, a position that was laid, or a forced
deal) in the reference engine, much slower.
"""

from __future__ import annotations

import struct
import weakref
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

from rulekit.compiled import (
    Lowered,
    PythonEngine,
    Unsupported,
    WasmUnavailable,
    compile_module,
    lower,
)
from rulekit.compiled.counting import counted
from rulekit.compiled.endings import PLAYED_OUT
from rulekit.compiled.lir import NONE
from rulekit.compiled.wasm import FunctionFault
from rulekit.compiled.wat_vector import ARITY, MOST_ROLLED, SHARES
from rulekit.engine import Decision, Machine, State, chance
from rulekit.players.bot import Draws
from rulekit.players.imagine import imagine
from rulekit.players.past import Flat, Past, Slots
from rulekit.players.replies import MOST_AHEAD, Ahead
from rulekit.players.worlds import MOST_LAID, Worlds

MOST_PASTS = 8  #: games whose past is kept at a time


@dataclass(frozen=True)
class Sums:
    """What some roll-outs brought all players together: payoffs (0 where none was reached) and scores."""

    payoffs: tuple[float, ...]
    scores: tuple[float, ...]


class Rollouts(Protocol):
    """Roll-outs for one turn."""

    engine: str

    @property
    def layouts(self) -> int:
        """In how many ways hidden cards may lie, as far as others could tell them apart."""
        ...

    def next_world(self) -> bool:
        """Goes on to another world; False if there is none to be had."""
        ...

    def count_more(self) -> bool:
        """If what was played hardly ever changed a score: from the next world on scores count all that
        receipts tell of, if that is more. Gives whether it is so."""
        ...

    def onward(self, places: list[int]) -> list[int]:
        """Once the seat has come back to a position: those of the moves that lead to none in which it has
        been, if there are any; else all. Goes on to another world."""
        ...

    def look(self, place: int) -> Ahead | None:
        """Where the move at that place leads; None if the game or what can be known of it ends there."""
        ...

    def enter(self) -> None:
        """Goes to where `look` has looked: places are of moves there."""
        ...

    def leave(self) -> None:
        """Goes back one move."""
        ...

    def play(self, place: int, times: int) -> Sums:
        """The move at that place of the list, so many times; the same chance for each move tried first."""
        ...


class Roller(Protocol):
    """Plays roll-outs on a compiled engine."""

    name: str

    def load(self, flat: Flat, functions: Sequence[str], whom: int) -> int:
        """Takes a position, lists its legal moves by these functions; gives how many there are."""
        ...

    def look(self, depth: int, place: int) -> Flat | None:
        """Makes a move at the position so deep; the next is one deeper. None if game or knowledge ends."""
        ...

    def play(self, place: int, times: int, seed: int, first: int = 0, depth: int = 0) -> Sums:
        """So many roll-outs of the move at that place from the position so deep, with the streams of games
        ``first``, ``first`` + 1 ..."""
        ...


class Tables:
    """The compiled engines of one machine, and the games they follow."""

    def __init__(self, machine: Machine) -> None:
        self.lowered: Lowered = lower(machine.setup, machine.phase, machine.arguments, views=True)
        self.engine = PythonEngine(self.lowered)
        self.slots = Slots(machine, self.lowered, self.engine)
        self.roller = self._roller(self.lowered)
        self._pasts: dict[int, Past] = {}

    def _roller(self, lowered: Lowered) -> Roller:
        try:
            return WasmRoller(lowered, self.slots)
        except WasmUnavailable:
            engine = self.engine if lowered is self.lowered else PythonEngine(lowered)
            return PythonRoller(lowered, engine, self.slots)

    @cached_property
    def counting(self) -> Roller | None:
        """A roller whose scores count more than those of the rules; None if there is no more to count."""
        lowered = counted(self.lowered)
        return None if lowered is None else self._roller(lowered)

    def past(self, state: State) -> Past | None:
        """The past of a game, followed to where it is; None if it cannot be."""
        if state.origin is None:
            return None
        past = self._pasts.pop(state.origin, None)
        if past is None or not past.follow(state):
            past = Past(self.slots, self.engine, state.origin)
            if not past.follow(state):
                return None
        while len(self._pasts) >= MOST_PASTS:
            del self._pasts[next(iter(self._pasts))]
        self._pasts[state.origin] = past
        return past


_TABLES: weakref.WeakKeyDictionary[Machine, Tables | None] = weakref.WeakKeyDictionary()


def tables(machine: Machine) -> Tables | None:
    """The compiled engines of a machine; None if they lack what its rules need."""
    if machine not in _TABLES:
        try:
            _TABLES[machine] = Tables(machine)
        except Unsupported:
            _TABLES[machine] = None
    return _TABLES[machine]


def rollouts(machine: Machine, state: State, decision: Decision, draws: Draws) -> Rollouts | None:
    """Roll-outs for the seat that must decide; None if its turn cannot be imagined."""
    known = tables(machine)
    past = None if known is None else known.past(state)
    if known is not None and past is not None:
        worlds = Worlds(machine, state, decision, past, known.lowered)
        return CompiledRollouts(worlds, known, draws)
    if decision.kind == "sealed":
        return None
    return ReferenceRollouts(machine, state, decision, draws)


class CompiledRollouts:
    """On a compiled engine."""

    def __init__(self, worlds: Worlds, known: Tables, draws: Draws) -> None:
        self._worlds, self._known, self._draws = worlds, known, draws
        self._roller = known.roller
        self._seed = self._depth = self._deep = 0
        self._present: list[float] = []  #: the scores as they are
        self._played = self._told = 0
        self.engine = self._roller.name

    @property
    def layouts(self) -> int:
        return self._worlds.layouts()

    def next_world(self) -> bool:
        worlds, judge = self._worlds, self._worlds.judge
        found = False
        for _ in range(MOST_LAID):
            flat = worlds.lay(self._draws)
            if flat is not None:
                choices = self._roller.load(flat, judge.functions(flat), judge.whom(flat))
                found = choices == worlds.legal
            if found and flat is not None:
                self._present = self._present or self._scores(flat)
                break
        self._draws.state, self._seed = chance.draw(self._draws.state)
        self._depth = self._deep = 0
        return found

    def _scores(self, flat: Flat) -> list[float]:
        engine, players = self._worlds.engine, range(self._worlds.machine.setup.players)
        try:
            engine.call("scores", flat)
        except engine.space["Trapped"]:
            return [0.0 for _ in players]
        scores = [engine.load(flat, "score", seat) for seat in players]
        return [0.0 if score == NONE else float(score) for score in scores]

    def count_more(self) -> bool:
        if 2 * self._told >= self._played or self._known.counting is None:
            return False
        self._roller = self._known.counting
        return True

    def onward(self, places: list[int]) -> list[int]:
        been, back = self._worlds.past.been(self._worlds.seat)
        if not back or not self.next_world():
            return places
        ahead = [self.look(place) for place in places]
        return [p for p, to in zip(places, ahead, strict=True) if not (to and to.situation in been)] or places

    def look(self, place: int) -> Ahead | None:
        flat = self._roller.look(self._depth, place)
        if flat is None:
            return None
        slots = self._worlds.slots
        actor = flat[slots.actor]
        return Ahead(actor, slots.situation(flat, actor), flat[slots.choices])

    def enter(self) -> None:
        self._depth += 1

    def leave(self) -> None:
        self._depth -= 1

    def play(self, place: int, times: int) -> Sums:
        if self._depth:
            self._deep += times
            sums = self._roller.play(place, times, self._seed, self._deep, self._depth)
        else:
            sums = self._roller.play(place, times, self._seed)
        self._played += 1
        self._told += sums.scores != tuple(times * score for score in self._present)
        return sums


# ---------------------------------------------------------------- rollers


class WasmRoller:
    """Roll-outs in WebAssembly, all of one move in one call."""

    name = "wasm"

    def __init__(self, lowered: Lowered, slots: Slots) -> None:
        listing = tuple(legal.function for legal in lowered.legal)
        compiled = compile_module(lowered.module, ("scores", "ranking", "payoffs", *listing))
        self.players, self.slots = lowered.setup.players, slots
        self._form = struct.Struct(f"<{2 * self.players}q")
        self._games = games = compiled.games(2 + MOST_AHEAD, room=self._form.size)
        self._call = games.driver("rollouts", ARITY["rollouts"])
        self._work = games.address(1 + MOST_AHEAD)
        self._addresses = [games.address(depth) for depth in range(1 + MOST_AHEAD)]
        self._chance = 0

    def load(self, flat: Flat, functions: Sequence[str], whom: int) -> int:
        games = self._games
        games.write(0, flat)
        total = 0
        for function in functions:
            with suppress(FunctionFault):
                total += games.call(function, 0, whom)
        games.compiled.codec.store(games.bytes, games.address(0), "choices", 0, total)
        self._chance = flat[self.slots.chance]
        return total

    def look(self, depth: int, place: int) -> Flat | None:
        games = self._games
        games.copy(depth + 1, depth)
        games.step(depth + 1, place)
        flat = games.read(depth + 1)
        return flat if flat[self.slots.choices] and flat[self.slots.chance] == self._chance else None

    def play(self, place: int, times: int, seed: int, first: int = 0, depth: int = 0) -> Sums:
        memory, room = self._games.bytes, self._games.room
        memory[room : room + self._form.size] = bytes(self._form.size)
        signed = seed - 2**64 if seed >> 63 else seed
        self._call(self._addresses[depth], self._work, place, times, signed, first, room)
        found = self._form.unpack_from(memory, room)
        payoffs = tuple(value / SHARES for value in found[: self.players])
        return Sums(payoffs, tuple(float(value) for value in found[self.players :]))


class PythonRoller:
    """The same in the generated Python."""

    name = "python"

    def __init__(self, lowered: Lowered, engine: PythonEngine, slots: Slots) -> None:
        self.lowered, self.engine, self.slots = lowered, engine, slots
        self.players = lowered.setup.players
        self._flats: list[Flat] = [[]]

    def load(self, flat: Flat, functions: Sequence[str], whom: int) -> int:
        self._flats, total = [flat], 0
        for function in functions:
            with suppress(self.engine.space["Trapped"]):
                total += int(self.engine.call(function, flat, whom) or 0)
        flat[self.slots.choices] = total
        return total

    def look(self, depth: int, place: int) -> Flat | None:
        flat, slots = self._flats[depth][:], self.slots
        self.engine.apply(flat, place)
        self._flats[depth + 1 :] = [flat]
        return flat if flat[slots.choices] and flat[slots.chance] == self._flats[0][slots.chance] else None

    def play(self, place: int, times: int, seed: int, first: int = 0, depth: int = 0) -> Sums:
        payoffs, scores = [0] * self.players, [0] * self.players
        for number in range(first, first + times):
            flat = self._roll(self._flats[depth], place, seed, number)
            for seat, score in enumerate(self._called("scores", "score", flat)):
                scores[seat] += score if score != NONE else 0
            over = not flat[self.slots.choices]
            if over and self.engine.load(flat, "ending") == PLAYED_OUT:
                for seat, payoff in enumerate(self._payoffs(flat)):
                    payoffs[seat] += payoff
        return Sums(tuple(value / SHARES for value in payoffs), tuple(float(value) for value in scores))

    def _roll(self, source: Flat, place: int, seed: int, number: int) -> Flat:
        flat, slots = source[:], self.slots
        for which, slot in enumerate((slots.chance, slots.policy)):
            flat[slot] = chance.mix(seed + 2 * number + which & chance.MASK)
        start = flat[slots.chance]
        self.engine.apply(flat, place)
        for _ in range(MOST_ROLLED):
            if not flat[slots.choices] or flat[slots.chance] != start:
                break
            self.engine.roll(flat, 1)
        return flat

    def _called(self, function: str, field: str, flat: Flat) -> list[int]:
        try:
            self.engine.call(function, flat)
        except self.engine.space["Trapped"]:
            return [0] * self.players
        return [self.engine.load(flat, field, seat) for seat in range(self.players)]

    def _payoffs(self, flat: Flat) -> list[int]:
        """Payoffs in `SHARES`ths."""
        if self.lowered.has_payoff:
            found = self._called("payoffs", "payoff", flat)
            return [SHARES * value if value != NONE else 0 for value in found]
        first = [rank == 0 for rank in self._called("ranking", "rank", flat)]
        won, lost = first.count(True), first.count(False)
        if not lost or not won:
            return [0] * self.players
        return [SHARES // won if one else -(SHARES // lost) for one in first]


class ReferenceRollouts:
    """On the reference engine; replies are not looked at."""

    engine = "reference"
    layouts = 2**32

    def __init__(self, machine: Machine, state: State, decision: Decision, draws: Draws) -> None:
        self._machine, self._real, self._decision, self._draws = machine, state, decision, draws
        self._state: State = state
        self._seed = 0

    def next_world(self) -> bool:
        self._state = imagine(self._machine, self._real, self._decision, self._draws)
        self._draws.state, self._seed = chance.draw(self._draws.state)
        return True

    def count_more(self) -> bool:
        return False

    def onward(self, places: list[int]) -> list[int]:
        return places

    def look(self, place: int) -> Ahead | None:
        return None

    def enter(self) -> None:
        raise NotImplementedError("replies are not looked at on the reference engine")

    leave = enter

    def play(self, place: int, times: int) -> Sums:
        players = self._machine.setup.players
        payoffs, scores = [0.0] * players, [0.0] * players
        for number in range(times):
            outcome = self._machine.outcome(self._roll(place, number))
            for seat in range(players):
                payoffs[seat] += outcome.payoffs[seat]
                scores[seat] += outcome.scores[seat] or 0
        return Sums(tuple(payoffs), tuple(scores))

    def _roll(self, place: int, number: int) -> State:
        state = self._state.copy()
        state.chance = start = chance.mix(self._seed + 2 * number & chance.MASK)
        draws = Draws(chance.mix(self._seed + 2 * number + 1 & chance.MASK))
        self._machine.apply(state, state.legal[place])
        for _ in range(MOST_ROLLED):
            if state.ending is not None or state.chance != start:
                break
            self._machine.apply(state, state.legal[draws.below(len(state.legal))])
        return state


__all__ = ["Rollouts", "Sums", "Tables", "rollouts", "tables"]
