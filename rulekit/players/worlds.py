"""Worlds: positions as they may be, for all that one seat can tell, in the states of the compiled engines.

The cards of which the seat does not know where they are get other faces, which are shuffled among them;
what it
cannot see of the state is at START or drawn. The whole past is looked at with the new faces: a move of
another
player that would not have been legal with them speaks against a world. It is mended by exchanging faces,
as long as
that leaves no more such moves, for a bounded number of tries; then it is taken as it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rulekit.compiled import Lowered, PythonEngine
from rulekit.compiled.lir import NONE
from rulekit.engine import Decision, Machine, State, chance
from rulekit.players.bot import Draws
from rulekit.players.imagine import _cell_type, _hidden_cells, _offered, _some_value
from rulekit.players.past import Did, Flat, Past, Slots, bits
from rulekit.program import types as t

MOST_CHECKED = 24  #: moves of others that are looked at, the latest
MOST_TRIES = 32  #: exchanges of two faces


class Worlds:
    """Draws worlds for one decision. It is told all, and what it gives does not depend on what is hidden."""

    def __init__(
        self, machine: Machine, state: State, decision: Decision, past: Past, lowered: Lowered
    ) -> None:
        self.machine, self.past, self.lowered = machine, past, lowered
        self.slots: Slots = past.slots
        self.engine: PythonEngine = past.engine
        self.seat, self.whom = decision.actor, decision.whom
        self.legal = len(state.legal)
        self.before_me = state.decisions - past.now[self.slots.decisions]  # sealed choices not yet told
        self.sites = lowered.sites
        known, self.first = past.known(self.seat)
        if self.whom != self.seat:
            seen = self.slots.seen(past.now, self.whom)
            known |= sum(1 << c for c in bits(seen & ~known) if _offered(machine, state, c))
        self.known = known
        self.tokens = self._tokens()
        self.faces = sorted(self.tokens)
        self.checked = self._checked()
        names = machine.layout.cell_names
        self.hidden_cells = [
            (names[cell][0], names[cell][1] or 0, _cell_type(machine, cell))
            for cell in _hidden_cells(machine, state, self.seat)
        ]

    def _tokens(self) -> list[int]:
        """The cards that are not known, in an order that does not depend on which they are."""
        slots, now = self.slots, self.past.now
        trails = [did.before for did in self.past.moves[self.first :]]

        def way(card: int) -> tuple[Any, ...]:
            place = now[slots.place + card]
            pile = slots.pile_at.get(place)
            lies = now[pile].index(card) if pile is not None else 0
            mover = now[slots.mover + card] if slots.mover is not None else 0
            shown = now[slots.shown + card] if slots.shown is not None else 0
            named = tuple(self._names(now[slot], several, card) for slot, several in slots.card_locals)
            return (place, lies, mover, shown, named, [before[slots.place + card] for before in trails])

        return sorted(bits(slots.whole & ~self.known), key=way)

    @staticmethod
    def _names(value: Any, several: bool, card: int) -> bool:
        return bool(value >> card & 1) if several else value == card

    def _checked(self) -> list[Did]:
        """Moves of others whose legality may tell something about the cards that are not known."""
        if len(self.tokens) < 2:
            return []
        hidden = self.slots.whole & ~self.known
        found = []
        for did in self.past.moves[self.first :]:
            site = self.sites[did.before[self.engine.layout.slots["pc"]]]
            form = next(one.form for one in self.lowered.legal if one.move.name == did.move)
            others = did.seat != self.seat and not site.stmt.together
            # What is listed row by row takes too long to be looked at so often.
            if others and form in ("mask", "subsets") and self._held(did) & hidden:
                found.append(did)
        return found[-MOST_CHECKED:]

    def _held(self, did: Did) -> int:
        """The cards that lay at places of the player who moved."""
        slots, found = self.slots, 0
        for place in slots.places:
            if slots.layout.owner[place] == did.seat:
                found |= did.before[slots.zm + place]
        return found

    # ------------------------------------------------------------ drawing

    def draw(self, draws: Draws) -> Flat | None:
        """A world, at the decision of the seat; None if none has as many legal moves."""
        for _ in range(4):
            draws.state, faces = chance.shuffle(draws.state, self.faces)
            self._mend(faces, draws)
            flat = self.relabelled(self.past.now, self._map(faces))
            self._hide(flat, draws)
            if self._asked(flat, draws):
                return flat
        return None

    def _map(self, faces: Sequence[int]) -> list[int]:
        """For each card the face it has in the world."""
        found = list(range(self.slots.cards))
        for token, face in zip(self.tokens, faces, strict=True):
            found[token] = face
        return found

    def relabelled(self, flat: Flat, face: list[int]) -> Flat:
        """A position with other faces."""
        slots, hidden, other = self.slots, self.slots.whole & ~self.known, flat[:]
        if not hidden:
            return other

        def renamed(mask: int) -> int:
            some = mask & hidden
            if not some:
                return mask
            mask &= ~hidden
            while some:
                low = some & -some
                mask |= 1 << face[low.bit_length() - 1]
                some ^= low
            return mask

        for at in range(slots.zm, slots.zm + len(slots.places)):
            if flat[at] & hidden:
                other[at] = renamed(flat[at])
        for _, pile in slots.piles:
            if flat[pile]:
                other[pile] = tuple([face[card] for card in flat[pile]])
        for first in (slots.place, slots.mover, slots.shown):
            if first is not None:
                for token in self.tokens:
                    other[first + face[token]] = flat[first + token]
        if slots.up is not None:
            other[slots.up] = renamed(flat[slots.up])
        for slot, several in slots.card_locals:
            if several:
                other[slot] = renamed(flat[slot])
            elif flat[slot] != NONE:
                other[slot] = face[flat[slot]]
        return other

    def _hide(self, flat: Flat, draws: Draws) -> None:
        """What the seat cannot see of the state is at START, or drawn."""
        slots = self.engine.layout.slots
        for name, member, of in self.hidden_cells:
            at = slots[f"s_{name}"] + member
            value = _some_value(self.machine, of, draws)
            if isinstance(self.machine.layout.states[name].type, t.Collection):
                flat[at] = 0
            elif flat[at] != NONE and value is not None:
                flat[at] = int(value)

    def _asked(self, flat: Flat, draws: Draws) -> bool:
        """Makes the sealed choices of others before, and tells whether the seat has its legal moves then."""
        if not self._list(flat):
            return False
        for _ in range(self.before_me):
            self.engine.apply(flat, draws.below(flat[self.slots.choices]))
        right = flat[self.slots.actor] == self.seat
        return bool(right) and flat[self.slots.choices] == self.legal

    def _list(self, flat: Flat) -> bool:
        """Finds the legal actions anew."""
        slots = self.engine.layout.slots
        site = self.sites[flat[slots["pc"]]]
        whom = flat[slots[f"{site.name}_whom"]]
        total = 0
        for move in site.moves:
            total += self._call(self.lowered.legal[move].function, flat, whom)
        flat[slots["choices"]] = total
        return total > 0

    def _call(self, function: str, flat: Flat, whom: int) -> int:
        try:
            return int(self.engine.call(function, flat, whom) or 0)
        except self.engine.space["Trapped"]:
            return 0

    # ------------------------------------------------------------ the past with other faces

    def _mend(self, faces: list[int], draws: Draws) -> None:
        """Exchanges faces until no move of the past speaks against them, or tries are used up."""
        checked = self.checked
        if not checked:
            return
        index = {token: at for at, token in enumerate(self.tokens)}
        face = self._map(faces)
        wrong = [did for did in checked if not self.legal_then(did, face)]
        for _ in range(MOST_TRIES):
            if not wrong:
                return
            did = wrong[draws.below(len(wrong))]
            held = self._held(did)
            mine = [token for token in self.tokens if held >> token & 1]
            others = [token for token in self.tokens if not held >> token & 1]
            if not mine or not others:
                return
            one, other = mine[draws.below(len(mine))], others[draws.below(len(others))]
            face[one], face[other] = face[other], face[one]
            now = [did for did in checked if not self.legal_then(did, face)]
            if len(now) <= len(wrong):
                wrong = now
                a, b = index[one], index[other]
                faces[a], faces[b] = faces[b], faces[a]
            else:
                face[one], face[other] = face[other], face[one]

    def legal_then(self, did: Did, face: list[int]) -> bool:
        """The move would have been legal with other faces."""
        slots = self.engine.layout.slots
        flat = self.relabelled(did.before, face)
        if self.hidden_cells:
            self._hide(flat, Draws(0))  # whatever it was, it must not tell
        site = self.sites[flat[slots["pc"]]]
        number = next(n for n in site.moves if self.lowered.legal[n].move.name == did.move)
        legal = self.lowered.legal[number]
        if not self._call(legal.function, flat, flat[slots[f"{site.name}_whom"]]):
            return False
        values = [
            self._renamed(value, choice.type, face)
            for value, choice in zip(did.values, legal.move.choices, strict=True)
        ]
        match legal.form:
            case "mask":
                assert legal.domain is not None
                return bool(flat[slots[f"legal_{number}"]] >> values[0] - legal.domain.first & 1)
            case "subsets":
                assert legal.domain is not None
                chosen = sum(1 << value - legal.domain.first for value in values[0])
                return not chosen & ~flat[slots[f"legal_{number}"]]
        return True

    def _renamed(self, value: Any, of: t.Type, face: list[int]) -> Any:
        of = of.of if isinstance(of, t.Optional) else of
        if isinstance(of, t.Card):
            return face[value]
        if of == t.SetOf(t.CARD):
            return tuple(sorted(face[card] for card in value))
        return int(value) if isinstance(value, bool) else value
