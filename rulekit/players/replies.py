"""What roll-outs bring, and what those bring that follow the best replies.

Where few cards are hidden the same situation is met again and again for the player who moves next: then each
of his replies is tried in turn, and what counts is the best one, for him if he is a rival, for us if he is an
ally or ourselves. A situation is what that player sees, so he does not reply to what he cannot see, but for
one thing: the hand of the seat that searches, which is the same in all its worlds.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field

ENOUGH = 6  #: tries of each reply, before the best one counts and not the mean
SHARE = 0.75  #: of the difference that the best reply of a rival makes: he may not see what we see
MOST_REPLIES = 12  #: where there are more, all play on at random
MOST_AHEAD = 8  #: moves, after which all play on at random


@dataclass
class Brought:
    """What some roll-outs brought together: to the seat that searches, less what its rivals received."""

    count: int = 0
    payoff: float = 0.0
    margin: float = 0.0

    def add(self, other: Brought) -> None:
        self.count += other.count
        self.payoff += other.payoff
        self.margin += other.margin


@dataclass
class Move:
    """A move, and the situations it led to."""

    brought: Brought = field(default_factory=Brought)
    situations: dict[Hashable, Situation] = field(default_factory=dict)

    def worth(self, worth: Callable[[Brought], float]) -> float:
        """The mean of what it brought, but for situations in which the best reply is known."""
        if not self.brought.count:
            return 0.0
        total = worth(self.brought) * self.brought.count
        for situation in self.situations.values():
            if situation.known:
                gain = situation.worth(worth) - worth(situation.brought)
                total += (1.0 if situation.ours else SHARE) * gain * situation.brought.count
        return total / self.brought.count


@dataclass
class Situation:
    """Where somebody must reply: ``ours``, if it is the side that searches."""

    ours: bool
    replies: list[Move]
    brought: Brought = field(default_factory=Brought)

    @property
    def known(self) -> bool:
        """All replies have been tried often enough."""
        return all(reply.brought.count >= ENOUGH for reply in self.replies)

    def worth(self, worth: Callable[[Brought], float]) -> float:
        """What the best reply brings."""
        return (max if self.ours else min)(reply.worth(worth) for reply in self.replies)


@dataclass(frozen=True)
class Ahead:
    """Where a move has led: who must reply in which situation, and how many replies there are."""

    actor: int
    situation: Hashable
    replies: int


@dataclass
class Explorer:
    """Tries moves with the replies to them.

    ``look``  where the move at a place leads, from the position reached; None where there is nothing to learn
    ``enter``, ``leave``  goes there, and back
    ``play``  so many roll-outs of a move from the position reached
    """

    allies: Sequence[int]
    look: Callable[[int], Ahead | None]
    enter: Callable[[], None]
    leave: Callable[[], None]
    play: Callable[[int, int], Brought]

    def explore(self, move: Move, place: int, times: int, depth: int = 0) -> Brought:
        """So many tries of a move; what they brought is added to it."""
        ahead = self.look(place) if depth < MOST_AHEAD else None
        known = None if ahead is None else move.situations.get(ahead.situation)
        if ahead is None or known is None:
            brought = self.play(place, times)
            if ahead is not None and ahead.replies <= MOST_REPLIES:
                replies = [Move() for _ in range(ahead.replies)]
                known = Situation(ahead.actor in self.allies, replies)
                move.situations[ahead.situation] = known
        else:
            brought = Brought()
            self.enter()
            for number in range(times):
                reply = (known.brought.count + number) % len(known.replies)
                brought.add(self.explore(known.replies[reply], reply, 1, depth + 1))
            self.leave()
        if known is not None:
            known.brought.add(brought)
        move.brought.add(brought)
        return brought
