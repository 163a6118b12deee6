"""How a game ended, read from a compiled engine. What is out of the ordinary the reference engine tells."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rulekit.compiled.endings import LIMIT, LOOP, PLAYED_OUT
from rulekit.diagnostics import Span
from rulekit.engine import Fault, Outcome

if TYPE_CHECKING:
    from rulekit.compiled.lir import FaultSite
    from rulekit.compiled.reading import Engine

REASONS = {
    PLAYED_OUT: "played out",
    LIMIT: "limit",
    LOOP: "loop",
}  #: by the field `ending`; a fault is told otherwise
NONE = -(2**31)  #: stands for none


def firsts(ending: int, ranks: Sequence[int]) -> tuple[str, tuple[int, ...]]:
    """The reason, and the seats in the first place, by how many are ranked before each."""
    reason = REASONS[ending]
    everyone = tuple(range(len(ranks)))
    return reason, tuple(seat for seat in everyone if not ranks[seat]) if ending == 1 else everyone


def scores_of(engine: Engine, state: Any) -> tuple[int | None, ...]:
    """The score of each seat as things stand; all None if one of them faults, as in the reference engine."""
    players = range(engine.lowered.setup.players)
    try:
        engine.call("scores", state)
    except Exception as error:
        if not _is_fault(error):
            raise
        return (None,) * len(players)
    return tuple(_number(engine.load(state, "score", seat)) for seat in players)


def outcome_of(engine: Engine, state: Any) -> Outcome | None:
    """The outcome of a game that is over. None: the reference engine must tell (a fault)."""
    ending = engine.load(state, "ending")
    if engine.load(state, "fault") or ending not in REASONS:
        return None
    players = range(engine.lowered.setup.players)
    scores = scores_of(engine, state)
    if ending != 1:
        length = engine.load(state, "length") if ending == 3 else 0
        return Outcome(REASONS[ending], (tuple(players),), scores, (0.0,) * len(players), length)
    try:
        engine.call("ranking", state)
        ranks = [engine.load(state, "rank", seat) for seat in players]
        given = None
        if engine.lowered.has_payoff:
            engine.call("payoffs", state)
            given = tuple(float(_number(engine.load(state, "payoff", seat)) or 0) for seat in players)
    except Exception as error:
        if not _is_fault(error):
            raise
        return None
    ranking = tuple(tuple(seat for seat in players if ranks[seat] == rank) for rank in sorted(set(ranks)))
    return Outcome(
        REASONS[1], ranking, scores, given if given is not None else payoffs(ranking, len(players))
    )


def faulted(engine: Engine, state: Any) -> Outcome:
    """The outcome of a game that faulted, or whose ranking does, as far as the compiled engine knows."""
    lowered = engine.lowered
    number = engine.load(state, "fault")
    arguments: tuple[int, ...] = ()
    if number:
        arguments = tuple(engine.load(state, "fault_arguments", at) for at in (0, 1))
    site = lowered.module.faults[number - 1] if number else _faulting(engine, state)
    span = site.span if isinstance(site.span, Span) else None
    fault = Fault(site.code, site.message.format(*arguments, "?", "?"), span)
    players = range(lowered.setup.players)
    level = (tuple(players),)
    return Outcome("fault", level, scores_of(engine, state), (0.0,) * len(players), 0, fault)


def _faulting(engine: Engine, state: Any) -> FaultSite:
    """Where the ranking or the payoffs fault."""
    for function in ("ranking", "payoffs"):
        try:
            engine.call(function, state)
        except Exception as error:
            if not _is_fault(error):
                raise
            known: FaultSite = (
                error.fault.site
                if hasattr(error, "fault")
                else engine.lowered.module.faults[error.args[0] - 1]
            )
            return known
    raise ValueError("the game did not fault")


def payoffs(ranking: tuple[tuple[int, ...], ...], players: int) -> tuple[float, ...]:
    """Where the rules say nothing: +1 divided among the first, -1 among the rest; 0 if all tie."""
    if len(ranking) == 1:
        return (0.0,) * players
    first = ranking[0]
    lost = players - len(first)
    return tuple(1 / len(first) if seat in first else -1 / lost for seat in range(players))


def _number(value: int) -> int | None:
    return None if value == NONE else value


def _is_fault(error: Exception) -> bool:
    """A fault of the rules in a function that was called, in either compiled engine."""
    return type(error).__name__ in ("Trapped", "FunctionFault")
