"""What is simulated: a table, the seed, who plays, on which engine; and how it is sent to other processes."""

from __future__ import annotations

import pickle
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from rulekit.game.engines import EngineError, Engines
from rulekit.game.record import MAX_SEED
from rulekit.game.wording import described, whole
from rulekit.players import BOTS
from rulekit.program import Program, prepare

if TYPE_CHECKING:
    from rulekit.game.ruleset import Ruleset


@dataclass(frozen=True)
class Job:
    """A table to simulate: all that a worker needs. ``engine`` None: the reference."""

    program: Program
    players: int
    options: Mapping[str, int | bool]
    seed: int
    bots: tuple[str, ...]
    engine: str | None = None

    @property
    def by_chance(self) -> bool:
        """All seats play at random."""
        return all(name == "random" for name in self.bots)

    def engines(self) -> Engines:
        """Fresh engines of the table."""
        return Engines(prepare(self.program, self.players, self.options))


def make_job(
    ruleset: Ruleset,
    seed: int,
    players: int | None,
    options: Mapping[str, Any] | None,
    bots: str | Sequence[str],
) -> Job:
    """The table asked for; raises ValueError as `simulate` does."""
    if options:
        ruleset = ruleset.with_options(options)
    program = ruleset.program
    seats = whole(program.players[0] if players is None else players)
    if seats is None:
        raise ValueError(f"the number of players is a whole number, not {described(players)}")
    begin = whole(seed, 0, MAX_SEED)
    if begin is None:
        raise ValueError(f"the seed is a number from 0 to 2^64 - 1, not {described(seed)}")
    chosen = ruleset.chosen
    prepare(program, seats, chosen)
    if not isinstance(bots, str | Sequence):
        raise ValueError(f"bots are named by a text, or by a list, one for each seat, not {described(bots)}")
    names = (bots,) * seats if isinstance(bots, str) else tuple(bots)
    if len(names) != seats:
        raise ValueError(f"{len(names)} bots are named for {seats} seats")
    for name in names:
        if name not in BOTS:
            raise ValueError(f"there is no bot `{name}`: there are " + ", ".join(f"`{bot}`" for bot in BOTS))
    return Job(program, seats, chosen, begin, names)


def choose_engine(job: Job, engines: Engines, wanted: str | None) -> tuple[str, str | None]:
    """The engine that plays, and a note if it is not the fastest: why not.

    Raises EngineError if the one that is wanted does not exist or cannot play this.
    """
    if job.by_chance:
        return engines.take(wanted)
    if wanted not in (None, "reference"):
        engines.take(wanted)
        raise EngineError(f"the engine `{wanted}` is for random players; other bots play on `reference`")
    return "reference", None


def packed(job: Job) -> bytes:
    """A job as a few kilobytes."""
    return zlib.compress(pickle.dumps(job, protocol=5))


@lru_cache(maxsize=4)
def unpacked(data: bytes) -> Job:
    """The job; it is the same object for the same bytes."""
    job = pickle.loads(zlib.decompress(data))
    assert isinstance(job, Job), "made by `packed`"
    return job
