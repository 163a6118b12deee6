"""OpenSpiel beside our engine: the same deal in both, then random play, compared at every decision.

A game module says how the deal is forced and how an action of theirs reads as ours. `Table` then compares
who is asked and what is legal, and makes the same choice in both.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from random import Random
from typing import Any

import pyspiel  # type: ignore[import-not-found]

import rulekit
from rulekit.engine import Action, Machine, State

#: pytest's `record_property`: what was played, for reports (`--junit-xml`).
Record = Callable[[str, object], None]


@cache
def rules(name: str) -> rulekit.Ruleset:
    """A shipped ruleset, loaded once."""
    return rulekit.load(name)


@cache
def machine(name: str, players: int, phase: str | None = None, **options: Any) -> Machine:
    """The engine for a shipped ruleset with these options."""
    return rules(name).with_options(options).machine(players, phase)


@cache
def theirs(name: str, **parameters: Any) -> Any:
    """A game of OpenSpiel."""
    return pyspiel.load_game(name, parameters)


class Pack:
    """Card numbers of OpenSpiel for those of ours, and back. ``texts`` are ours (`10H`), in their order."""

    def __init__(self, m: Machine, texts: Iterable[str]) -> None:
        self.ours: list[int] = []
        for text in texts:
            face = m.setup.pack.parse_face(text)
            assert face is not None, text
            (card,) = m.setup.pack.by_face[face]
            self.ours.append(card)
        self.theirs = {card: number for number, card in enumerate(self.ours)}
        self.all = list(range(len(self.ours)))


class Table:
    """One game in both engines, at the same decision."""

    def __init__(self, m: Machine, ours: State, other: Any) -> None:
        self.m, self.ours, self.other = m, ours, other
        self.decisions = 0

    @property
    def over(self) -> bool:
        assert self.ours.ending is None or self.ours.ending.reason == "played out", self.ours.ending
        return self.ours.ending is not None

    @property
    def actor(self) -> int:
        """The seat asked, the same in both."""
        decision = self.m.decision(self.ours)
        assert decision is not None
        assert decision.actor == self.other.current_player(), self.other
        return decision.actor

    def choose(self, read: Callable[[int], Action], pick: Callable[[Sequence[Action]], Action]) -> Action:
        """The same legal actions in both; one of them is made in both. Returns it.

        ``read`` says what an action of theirs is in ours.
        """
        assert self.actor >= 0
        actions = {read(action): action for action in self.other.legal_actions()}
        legal = self.m.legal(self.ours)
        assert len(set(legal)) == len(legal)
        assert set(legal) == set(actions), (legal, actions, str(self.other))
        chosen = pick(legal)
        self.other.apply_action(actions[chosen])
        self.m.apply(self.ours, chosen)
        self.decisions += 1
        return chosen

    def state(self, name: str, member: int = 0) -> Any:
        """The value of a state variable of ours."""
        return self.ours.cells[self.m.layout.states[name].first + member]

    def cards(self, zone: str, member: int = 0) -> tuple[int, ...]:
        """The cards of a zone of ours."""
        (place,) = self.m.setup.zone_places[zone][member]
        return self.ours.zones[place]


def at_random(random: Random) -> Callable[[Sequence[Action]], Action]:
    """Picks any of the legal actions."""
    return lambda legal: legal[random.randrange(len(legal))]
