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
        #: Rules that look for patterns take too long to be asked about many hands.
        self.quick = not machine.setup.program.patterns

    def form(self, did: Did) -> Legal:
        """How the legal choices of the move that was made are listed."""
        return next(one for one in self.lowered.legal if one.move.name == did.move)

    def reads(self, did: Did) -> bool:
        """Moves like this one are looked at with other faces; with some it would take too long."""
        form = self.form(did)
        return form.form in SINGLE or (self.quick and not any(form.domains))

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
        values = self.named(did, face)
        if legal.form in SINGLE:
            assert legal.domain is not None
            allowed, first = flat[self._at[f"legal_{number}"]], legal.domain.first
            if legal.form == "mask":
                return bool(allowed >> values[0] - first & 1)
            return not sum(1 << value - first for value in values[0]) & ~allowed
        if legal.form == "rows" and not any(legal.domains):
            columns = [self.engine.column(name, flat[self._at[legal.count]]) for name in legal.columns]
            return tuple(values) in zip(*columns, strict=True)
        return True

    def named(self, did: Did, face: Sequence[int]) -> list[Any]:
        """The values of a move, where cards have other faces."""
        choices = self.form(did).move.choices
        return [renamed_value(value, one.type, face) for value, one in zip(did.values, choices, strict=True)]

    def made(self, flat: Flat, did: Did, face: Sequence[int]) -> Flat:
        """Where the move leads from a position in which cards have these faces, legal there or not: all play
        on until the next decision. Changes ``flat``."""
        values = self.named(did, face)
        for number in self.site(flat).moves:
            legal = self.lowered.legal[number]
            self._only(flat, legal, values if legal.move.name == did.move else None)
        self.engine.take(flat, 0)
        return flat

    def _only(self, flat: Flat, legal: Legal, values: Sequence[Any] | None) -> None:
        """The only legal choice of a move is this one, or there is none."""
        some = values is not None
        if legal.count:
            flat[self._at[legal.count]] = int(some)
        if legal.form in ("flag", *SINGLE):
            flat[self._at[f"legal_{legal.number}"]] = 0 if values is None else _only_bits(legal, values)
        if legal.form in ("subsets", "interval"):
            low, high = (self._at[name] for name in legal.columns)
            chosen = 1 if values is None else values[0] if legal.form == "interval" else len(values[0])
            flat[low], flat[high] = chosen, chosen if some else chosen - 1
        if legal.form == "rows" and values is not None:
            for name, value, domain in zip(legal.columns, values, legal.domains, strict=True):
                self.engine.set_row(name, value if domain is None else _as_bits(value, domain.first))


def _only_bits(legal: Legal, values: Sequence[Any]) -> int:
    if legal.form == "flag":
        return 1
    assert legal.domain is not None
    return _as_bits([values[0]] if legal.form == "mask" else values[0], legal.domain.first)


def _as_bits(values: Sequence[int], first: int) -> int:
    return sum(1 << value - first for value in values)


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
