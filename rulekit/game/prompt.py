"""What the player who is asked is told: the moves to choose from, their prose, the duty that binds."""

from __future__ import annotations

from dataclasses import dataclass

from rulekit.engine import Decision, FaultError, Machine, State
from rulekit.game.moves import Move, describe_move
from rulekit.game.notation import Notation
from rulekit.program.texts import told


@dataclass(frozen=True)
class Offer:
    """One move of those asked for. ``rule`` is the duty that leaves these choices (None: no named one).

    ``moves`` are the legal ways to make it; none if a condition or a duty stands against it now, which
    `Game.why` explains.
    """

    name: str
    text: str | None
    rule: str | None
    moves: tuple[Move, ...]


@dataclass(frozen=True)
class Prompt:
    """What ``seat`` is asked, for the player ``whom`` (another than himself only where he plays for him).

    ``sealed``: nobody sees the choice until all have chosen.
    """

    seat: int
    whom: int
    sealed: bool
    offers: tuple[Offer, ...]

    @property
    def moves(self) -> tuple[Move, ...]:
        """All legal moves, in the order of their numbers."""
        return tuple(move for offer in self.offers for move in offer.moves)

    def __str__(self) -> str:
        """`P2: follow (follow suit): 4C, QC`, in one line."""
        parts = []
        for offer in self.offers:
            if offer.moves:
                rule = f" ({offer.rule})" if offer.rule else ""
                values = [move.text[len(move.name) + 1 :] or "none" for move in offer.moves]
                parts.append(f"{offer.name}{rule}" + (f": {', '.join(values)}" if len(values) > 1 else ""))
        whose = "" if self.whom == self.seat else f" for P{self.whom + 1}"
        return f"P{self.seat + 1}{whose}: " + " | ".join(parts)


def make_prompt(machine: Machine, notation: Notation, state: State, decision: Decision) -> Prompt:
    """The prompt for the seat that is asked."""
    by_name: dict[str, list[Move]] = {name: [] for name in decision.moves}
    for action in state.legal:
        by_name[action.move].append(describe_move(notation, action.move, action.values))
    offers = tuple(
        Offer(
            name,
            told(notation.program.moves[name].text, notation.setup),
            _rule(machine, notation, state, decision.whom, name) if moves else None,
            tuple(moves),
        )
        for name, moves in by_name.items()
    )
    return Prompt(decision.actor, decision.whom, decision.kind == "sealed", offers)


def _rule(machine: Machine, notation: Notation, state: State, whom: int, move: str) -> str | None:
    """The label of the duty that leaves the first choice of a move, if it is one of several."""
    choices = notation.program.moves[move].choices
    if not choices or len(choices[0].entries) < 2:
        return None
    for entry in choices[0].entries:
        try:
            if machine.evaluate(state, entry.domain, whom):
                return entry.label
        except FaultError:
            return None
    return None
