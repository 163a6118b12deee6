"""A vector environment: many games of one table at once, as numpy arrays.

    env = rulekit.vector(rulekit.load("my-game"), 1024, players=4)
    observations, infos = env.reset(seed=7)
    while True:
        actions = policy(observations, env.action_mask, env.to_move)
        observations, rewards, terminations, truncations, infos = env.step(actions)

Names are those of Gymnasium and PettingZoo where they have one. Several seats share a game, so rewards have a
column for each, and `to_move` says whose turn it is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rulekit.adapters.batch import Array, Batch, PythonBatch, Table, WasmBatch, make_table
from rulekit.compiled import lir
from rulekit.compiled.builder import Unsupported
from rulekit.compiled.endings import LIMIT
from rulekit.compiled.observing import Part
from rulekit.compiled.wasm import WasmUnavailable
from rulekit.engine import chance
from rulekit.game.notation import Notation
from rulekit.game.wording import described, whole

if TYPE_CHECKING:
    from rulekit.game.ruleset import Ruleset

ENGINES = ("auto", "wasm", "python")
REWARDS = ("payoff", "score")
MOST_NAMED = 8  #: legal numbers that an error lists
MOST_BEGUN = 100  #: games in a row that may end before anybody has to choose
MAX_NUMBER = 2**31 - 1  #: of an action


class IllegalAction(ValueError):
    """An action that is not legal. Nothing was changed: no game has moved.

    ``game``  the number of the environment;  ``action``  the number given
    """

    def __init__(self, message: str, game: int, action: int) -> None:
        super().__init__(message)
        self.game, self.action = game, action


def vector(
    rules: Ruleset | str,
    n: int,
    players: int | None = None,
    options: Mapping[str, Any] | None = None,
    phase: str | None = None,
    seed: int = 0,
    *,
    arguments: Sequence[Any] = (),
    rewards: str = "payoff",
    autoreset: bool = True,
    engine: str = "auto",
) -> VectorEnv:
    """``n`` games of one table side by side; see `VectorEnv`.

    ``rules``  a ruleset, or what `rulekit.load` takes
    ``players``  how many play; by default the fewest.  ``options``  are added to those of the ruleset
    ``phase``  one phase as a whole game (with ``arguments`` for its parameters), such as one deal
    ``seed``  all chance comes from it: environment i begins with game i of the batch with this seed
    ``rewards``  at the end of a game: `payoff`, as the rules say, else +1 shared by those who win and -1
    by the rest;
    `score`, the final score, negative where the lowest wins
    ``autoreset``  a game that ends is followed by the next of the batch at once
    ``engine``  `wasm`, `python`, or `auto`: the first where wasmtime can be used

    Raises SettingError for what the rules do not allow, ValueError for a wrong ``n`` or a game in which
    nobody ever
    chooses, ImportError if numpy is missing.
    """
    import rulekit

    need_numpy()
    number = whole(n, 1)
    if number is None:
        raise ValueError(f"the number of games is a whole number from 1, not {described(n)}")
    for name, value, known in (("rewards", rewards, REWARDS), ("engine", engine, ENGINES)):
        if value not in known:
            raise ValueError(f"`{name}` is one of {', '.join(known)}, not {value!r}")
    ruleset = rules if isinstance(rules, rulekit.Ruleset) else rulekit.load(rules)
    if options:
        ruleset = ruleset.with_options(options)
    engines, _ = ruleset._phase_engines(ruleset._number(players), phase, tuple(arguments))
    try:
        table = make_table(engines.setup, phase, engines.arguments)
    except Unsupported as error:
        raise ValueError(f"`{ruleset.name}` cannot be compiled: {error.construct}") from error
    return VectorEnv(table, _batch(table, number, engine), seed, rewards, autoreset)


def need_numpy() -> None:
    """Raises ImportError, and says what to install, if numpy is missing."""
    try:
        import numpy  # noqa: F401
    except ImportError as error:
        raise ImportError("`rulekit.vector` needs numpy: pip install 'rulekit[vector]'") from error


def _batch(table: Table, n: int, engine: str) -> Batch:
    if engine == "python":
        return PythonBatch(table, n)
    try:
        return WasmBatch(table, n)
    except WasmUnavailable as error:
        if engine == "wasm":
            raise
        import warnings

        why = str(error).splitlines()[0]
        warnings.warn(
            f"WebAssembly cannot be used here, so games run in Python, much slower: {why}",
            RuntimeWarning,
            stacklevel=3,
        )
        return PythonBatch(table, n)


class VectorEnv:
    """Many games of one table. Made by `rulekit.vector`, and begun: `reset` is needed only to begin anew.

    ``num_envs``  how many;  ``players``  seats in each;  ``engine``  which engine runs them
    ``actions``  how many action numbers there are: see `ActionSpace`. An action with a staged choice is
    several
    numbers, one a step, in which nothing else changes; the mask says which may follow
    ``observation_size``, ``observation_parts``  what an observation consists of

    After `reset`, `step` and `advance`, until the next of them:

    ``action_mask``  bool[n, actions]: the legal numbers;  ``to_move``  int32[n]: the seat that is to move
    ``rewards``  float64[n, players];  ``terminations``, ``truncations``  bool[n]: games that ended in the
    last step,
    and those cut off at the limit of decisions or by a fault of the rules
    ``final_scores``  int32[n, players]: of the games that ended, undefined elsewhere
    ``faults``  the faults of the last step: text by number of the environment
    ``games``  int64[n]: which game of the batch each environment plays
    """

    def __init__(self, table: Table, batch: Batch, seed: int, rewards: str, autoreset: bool) -> None:
        import numpy

        self._table, self._batch, self._kind, self._autoreset = table, batch, rewards, autoreset
        self._notation = Notation(table.lowered.setup)
        n, players = batch.count, table.players
        self.num_envs, self.players, self.engine = n, players, batch.engine
        self.actions, self.observation_size = table.space.size, table.observation_size
        self.observation_parts: tuple[Part, ...] = table.parts
        self.rewards = numpy.zeros((n, players))
        self.terminations, self.truncations = numpy.zeros(n, dtype=bool), numpy.zeros(n, dtype=bool)
        self.final_scores = numpy.zeros((n, players), dtype="<i4")
        self.games = numpy.arange(n)
        self.faults: dict[int, str] = {}
        self._highest = table.lowered.setup.program.end.highest
        self.action_mask = batch.marks
        self._begin(seed)

    def __repr__(self) -> str:
        program = self._table.lowered.setup.program
        return f"<{self.num_envs} games of {program.name}, {self.players} players, {self.engine}>"

    @property
    def to_move(self) -> Array:
        """int32[n]: the seat that is to move; -1 where the game is over."""
        import numpy

        actor = numpy.array(self._batch.field("actor"), dtype="<i4")
        if not self._autoreset:
            actor[self._batch.field("choices") == 0] = -1
        return actor

    # ------------------------------------------------------------ beginning

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[Array, dict[str, Any]]:
        """All games begin anew; gives what `step` gives without rewards. ``seed`` None: the same games again.

        ``options`` are those of Gymnasium and must be empty: options of the rules are chosen when the
        environment is
        made.
        """
        if options:
            raise ValueError("options of the rules are chosen when the environment is made")
        self._begin(self._seed if seed is None else seed)
        return self.observe(), self._infos()

    def _begin(self, seed: int) -> None:
        import numpy

        begin = whole(seed, 0, chance.MASK)
        if begin is None:
            raise ValueError(f"the seed is a number from 0 to 2^64 - 1, not {described(seed)}")
        self._seed, self._hashed = begin, chance.mix(begin)
        self._batch.begin(self._hashed)
        self.games = numpy.arange(self.num_envs)
        self._next = self.num_envs
        self._forget()
        if (self._batch.results != lir.WAIT).any():
            self._replace_ended()

    def _forget(self) -> None:
        self.rewards[:] = 0
        self.terminations[:] = False
        self.truncations[:] = False
        self.faults = {}
        self._told = False

    def _replace_ended(self) -> None:
        """Games that are over are followed by the next of the batch."""
        batch = self._batch
        over = (batch.results != lir.WAIT).nonzero()[0]
        for _ in range(MOST_BEGUN):
            self._note_faults(over)
            self.games[over] = range(self._next, self._next + len(over))
            batch.renew(self._hashed, self._next)
            self._next += len(over)
            over = over[batch.results[over] != lir.WAIT]
            if not len(over):
                return
        name = self._table.lowered.setup.program.name
        fault = next(iter(self.faults.values()), "")
        if fault:
            raise RuntimeError(f"each game of `{name}` ends in a fault: {fault}")
        raise ValueError(f"in `{name}` nobody ever has to choose, so there is nothing to step")

    def _note_faults(self, games: Array) -> None:
        for game in games[self._batch.field("fault")[games] != 0].tolist():
            number, *arguments = self._batch.fault(game)
            site = self._table.lowered.module.faults[number - 1]
            self.faults[game] = f"{site.code} {site.message.format(*arguments)}"

    # ------------------------------------------------------------ stepping

    def step(self, actions: Any) -> tuple[Array, Array, Array, Array, dict[str, Any]]:
        """Each game takes an action; gives observations of the seats to move, rewards, terminations,
        truncations, infos.

        Of a game that ended they are the rewards of its end, and the observation of the game that follows.
        All are
        copies. infos: `action_mask`, `to_move`, `games`, `final_scores`, and `faults` if there are any.

        Raises `IllegalAction` if an action is not legal, ValueError if there is not one whole number for
        each game;
        nothing is changed then.
        """
        self.advance(actions)
        return (
            self.observe(),
            self.rewards.copy(),
            self.terminations.copy(),
            self.truncations.copy(),
            self._infos(),
        )

    def advance(self, actions: Any) -> None:
        """As `step`, but gives nothing and looks at nothing: see `action_mask`, `rewards` and the others."""
        import numpy

        batch = self._batch
        given = numpy.asarray(actions)
        if given.shape != (self.num_envs,) or given.dtype.kind not in "iu":
            raise ValueError(
                f"actions are {self.num_envs} whole numbers, not {given.dtype} of shape {given.shape}"
            )
        if given.dtype.itemsize > 4 and int(numpy.bitwise_or.reduce(given)) >> 31:
            far = (((given < 0) | (given > MAX_NUMBER)) & (batch.results == lir.WAIT)).nonzero()[0]
            if far.size:  # cut to 32 bits it would be another number
                raise self._illegal(int(far[0]), int(given[far[0]]))
        numpy.copyto(batch.numbers, given, casting="unsafe")
        bad = batch.check()
        if bad >= 0:
            raise self._illegal(bad, int(given[bad]))
        if self._told:
            self._forget()
        if batch.advance():
            results = batch.results
            self._end(((results == lir.OVER) | (results == lir.FAULT)).nonzero()[0])

    def _end(self, ended: Array) -> None:
        batch = self._batch
        batch.rate()
        self._told = True
        self.terminations[ended] = True
        self._note_faults(ended)
        cut = (batch.field("ending")[ended] == LIMIT) | (batch.field("fault")[ended] != 0)
        self.truncations[ended[cut]] = True
        self.terminations[ended[cut]] = False
        scores = batch.outcomes[ended, 0]
        self.final_scores[ended] = scores
        self.rewards[ended] = self._rewards(ended, scores)
        self.rewards[ended[cut]] = 0
        if self._autoreset:
            self._replace_ended()

    def _rewards(self, ended: Array, scores: Array) -> Array:
        import numpy

        if self._kind == "score":
            known = numpy.where(scores == lir.NONE, 0, scores)
            return known if self._highest else -known
        if self._table.lowered.has_payoff:
            payoffs = self._batch.outcomes[ended, 2]
            return numpy.where(payoffs == lir.NONE, 0, payoffs)
        first = self._batch.outcomes[ended, 1] == 0
        winners = first.sum(axis=1, keepdims=True)
        losers = self.players - winners
        shares = numpy.where(first, 1 / winners, -1 / numpy.maximum(losers, 1))
        return numpy.where(losers == 0, 0.0, shares)

    def _illegal(self, game: int, action: int) -> IllegalAction:
        legal = [int(number) for number in self.action_mask[game].nonzero()[0]]
        named = ", ".join(str(number) for number in legal[:MOST_NAMED])
        if len(legal) > MOST_NAMED:
            named += f" and {len(legal) - MOST_NAMED} more"
        seat = int(self.to_move[game]) + 1
        what = "no action number" if not 0 <= action < self.actions else "not legal"
        return IllegalAction(f"game {game}: {action} is {what}; P{seat} may {named}", game, action)

    # ------------------------------------------------------------ looking

    def observe(self, seats: int | Sequence[int] | Array | None = None) -> Array:
        """int32[n, observation_size]: what one seat in each game may see; see `observation_parts`.

        ``seats``  None: the seats to move; one for all games, or one for each
        """
        import numpy

        if seats is None:
            looking = numpy.full(self.num_envs, -1)
        else:
            given = numpy.asarray(seats)
            if given.dtype.kind not in "iu" or given.shape not in ((), (self.num_envs,)):
                raise ValueError(f"seats are one whole number, or {self.num_envs}, one for each game")
            looking = numpy.broadcast_to(given, (self.num_envs,))
            if looking.min() < 0 or looking.max() >= self.players:
                raise ValueError(f"seats are numbers from 0 to {self.players - 1}")
        return numpy.array(self._batch.observe(looking))

    def legal_moves(self, game: int) -> dict[tuple[int, ...], str]:
        """The legal actions of one game: the numbers that are still to be given, and the move as text."""
        if not 0 <= game < self.num_envs:
            raise IndexError(f"game {game} of {self.num_envs}")
        begun = self._batch.staged(game)
        found = {}
        for name, values in self._batch.legal(game):
            row = self._table.space.encode(name, values)
            if row[: len(begun)] == begun:
                found[row[len(begun) :]] = self._notation.move(name, values)
        return found

    def _infos(self) -> dict[str, Any]:
        found = {
            "action_mask": self.action_mask.copy(),
            "to_move": self.to_move,
            "games": self.games.copy(),
            "final_scores": self.final_scores.copy(),
        }
        return found | ({"faults": dict(self.faults)} if self.faults else {})


__all__ = ["IllegalAction", "VectorEnv", "vector"]
