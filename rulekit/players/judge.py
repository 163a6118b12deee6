"""Judges moves of the past at positions with other faces: would they have been legal there?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rulekit.compiled import Lowered, PythonEngine
from rulekit.compiled.legality import Legal
from rulekit.compiled.lir import NONE
from rulekit.engine import Machine
from rulekit.players.bot import Draws
from rulekit.players.imagine import cell_type, some_value
from rulekit.players.past import Did, Flat, Slots
from rulekit.program import types as t

SINGLE = ("mask", "subsets")  #: forms whose legal choices are cards, each on its own


class Judge:
    """Asks the generated Python which moves are legal at a position."""

    def __init__(self, machine: Machine, lowered: Lowered, engine: PythonEngine, slots: Slots) -> None:
        self.machine, self.lowered, self.engine, self.slots = machine, lowered, engine, slots
        self.sites = lowered.sites
        self._at = engine.layout.slots

    def form(self, did: Did) -> Legal:
        """How the legal choices of the move that was made are listed."""
        return next(one for one in self.lowered.legal if one.move.name == did.move)

    def site(self, flat: Flat) -> Any:
        """Where in the program a position waits."""
        return self.sites[flat[self._at["pc"]]]

    def whom(self, flat: Flat) -> int:
        """For whom the choice is made."""
        return int(flat[self._at[f"{self.site(flat).name}_whom"]])

    def functions(self, flat: Flat) -> list[str]:
        """What lists the legal moves of the position, one function for each kind of move."""
        return [self.lowered.legal[move].function for move in self.site(flat).moves]

    def count(self, flat: Flat) -> int:
        """Lists the legal moves anew; gives how many there are."""
        whom = self.whom(flat)
        total = sum(self._call(function, flat, whom) for function in self.functions(flat))
        flat[self.slots.choices] = total
        return total

    def _call(self, function: str, flat: Flat, whom: int) -> int:
        try:
            return int(self.engine.call(function, flat, whom) or 0)
        except self.engine.space["Trapped"]:
            return 0

    def hide(self, flat: Flat, cells: Sequence[tuple[str, int, t.Type]], draws: Draws) -> None:
        """These cells of the state are at START, or drawn."""
        for name, member, of in cells:
            at = self._at[f"s_{name}"] + member
            value = some_value(self.machine, of, draws)
            if isinstance(self.machine.layout.states[name].type, t.Collection):
                flat[at] = 0
            elif flat[at] != NONE and value is not None:
                flat[at] = int(value)

    def cells(self, numbers: Sequence[int]) -> list[tuple[str, int, t.Type]]:
        """Name, member and type of cells of the state."""
        names = self.machine.layout.cell_names
        return [(names[cell][0], names[cell][1] or 0, cell_type(self.machine, cell)) for cell in numbers]

    def legal(self, flat: Flat, did: Did, face: Sequence[int]) -> bool:
        """The move would be legal at that position, in which cards have these faces. Changes ``flat``."""
        site = self.site(flat)
        number = next(n for n in site.moves if self.lowered.legal[n].move.name == did.move)
        legal = self.lowered.legal[number]
        if not self._call(legal.function, flat, self.whom(flat)):
            return False
        if legal.form not in SINGLE:
            return True
        values = [
            renamed_value(value, choice.type, face)
            for value, choice in zip(did.values, legal.move.choices, strict=True)
        ]
        assert legal.domain is not None
        allowed, first = flat[self._at[f"legal_{number}"]], legal.domain.first
        if legal.form == "mask":
            return bool(allowed >> values[0] - first & 1)
        return not sum(1 << value - first for value in values[0]) & ~allowed


def card_values(did: Did, form: Legal) -> int:
    """The cards that a move names, as bits."""
    found = 0
    for value, choice in zip(did.values, form.move.choices, strict=True):
        of = choice.type.of if isinstance(choice.type, t.Optional) else choice.type
        if isinstance(of, t.Card):
            found |= 1 << value
        elif of == t.SetOf(t.CARD):
            found |= sum(1 << card for card in value)
    return found


def renamed_value(value: Any, of: t.Type, face: Sequence[int]) -> Any:
    """A value of a move, with other faces for the cards it names."""
    of = of.of if isinstance(of, t.Optional) else of
    if isinstance(of, t.Card):
        return face[value]
    if of == t.SetOf(t.CARD):
        return tuple(sorted(face[card] for card in value))
    return int(value) if isinstance(value, bool) else value
