"""What a game leaves behind, and what is said about it: actions, events, receipts, endings, decisions.

All are tuples or frozen, so that copies of a state may share them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from rulekit.diagnostics import Span
from rulekit.engine.fault import Fault

#: A growing list that copies of a state share: the earlier part, then the newest item. Empty is None.
Chain = tuple[Any, Any] | None


def chain(items: Iterable[Any]) -> Chain:
    """The items as a chain, the last one newest."""
    link: Chain = None
    for item in items:
        link = (link, item)
    return link


def unchain(link: Chain) -> list[Any]:
    """The items of a chain, oldest first."""
    items = []
    while link is not None:
        link, item = link
        items.append(item)
    items.reverse()
    return items


class Action(NamedTuple):
    """A move with its values, one for each choice: cards and piles by number, selections as sorted tuples."""

    move: str
    values: tuple[Any, ...] = ()


class Event(NamedTuple):
    """An action that was made. ``number`` counts decisions from 1; ``whom`` is the player it was made for.

    ``seen`` has for each value None (public), or for a card the mask of seats that could see it at some
    moment of the move, or for a selection of cards a tuple of masks.
    """

    number: int
    seat: int
    whom: int
    move: str
    values: tuple[Any, ...]
    seen: tuple[Any, ...]


class Receipt(NamedTuple):
    """Why a number changed.

    ``member`` is a seat, a team ... (None if the state is no family); ``cards`` are those the reason counts
    and ``cards_seen`` the masks of seats that could see each of them then; ``seen`` is the mask of seats that
    see the counter, ``life`` the lifetime of the counter it belongs to; ``decision`` how many decisions had
    been made.
    """

    state: str
    member: int | None
    amount: int
    reason: str
    cards: tuple[int, ...]
    cards_seen: tuple[int, ...]
    seen: int
    life: int
    decision: int


@dataclass(frozen=True)
class Ending:
    """How a game ended: "played out", "limit", "loop" (``length`` rounds) or "fault"."""

    reason: str
    length: int = 0
    fault: Fault | None = None


@dataclass(frozen=True)
class Decision:
    """Who must choose. ``whom`` is the player he chooses for, `me` in the moves.

    ``kind`` is "single" or "sealed"; ``pending`` the seats yet to choose, ``actor`` first.
    """

    actor: int
    whom: int
    moves: tuple[str, ...]
    kind: str
    pending: tuple[int, ...]
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True)
class Refusal:
    """Why an action is not legal.

    ``kind``: "over" (the game is), "not asked" (the ask lists no such move), "condition" (``label`` is the
    condition that fails), "choice" (``value`` is none of ``binding``, the values that the entry ``label`` of
    choice ``choice`` allows), "values" (too many or too few), "dead end" (what was chosen fits, but leaves
    nothing to choose for ``choice``), "copy" (an equal card that comes first is offered instead).
    """

    kind: str
    move: str
    choice: str | None = None
    label: str | None = None
    binding: tuple[Any, ...] = ()
    value: Any = None
    span: Span | None = field(default=None, compare=False, repr=False)


class IllegalAction(ValueError):
    """The action is not legal now; ``refusal`` says why. The state is unchanged."""

    def __init__(self, action: Action, refusal: Refusal) -> None:
        reason = f": {refusal.label}" if refusal.label else f" ({refusal.kind})"
        super().__init__(f"`{action.move}` is not legal{reason}")
        self.action = action
        self.refusal = refusal


@dataclass(frozen=True)
class Outcome:
    """``ranking`` holds groups of seats that share a place, the first place first; the rest goes by seat."""

    reason: str
    ranking: tuple[tuple[int, ...], ...]
    scores: tuple[int | None, ...]
    payoffs: tuple[float, ...]
    length: int = 0
    fault: Fault | None = None
