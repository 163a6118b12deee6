"""Worlds: positions as they may be, for all that one seat can tell, in the states of the compiled engines.

The cards of which the seat does not know where they are get other faces, which are shuffled among them; what
it cannot see of the state is at START or drawn. A face does not go where a move of another player has shown
that it is not (`rulekit.players.shown`), or what came of a move (`rulekit.players.answers`); and where one
of some faces must have been, one of them goes. Moves that show more than that are looked at with the new
faces: one that would not have been legal speaks against a world. It is mended by exchanging faces, as long as
that leaves no more such moves, for a bounded number of tries; then it is taken as it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import comb

from rulekit.compiled import Lowered, PythonEngine
from rulekit.engine import Decision, Machine, State, chance
from rulekit.players import faces as f
from rulekit.players.answers import answers
from rulekit.players.bot import Draws
from rulekit.players.imagine import hidden_cells, offered
from rulekit.players.judge import Judge, card_values
from rulekit.players.past import Did, Flat, Past, Slots, bits
from rulekit.players.shown import Cells, Shown, shown

MOST_CHECKED = 24  #: moves of others that are looked at in each world, the latest
MOST_TRIES = 32  #: exchanges of two faces to mend a world
MOST_LAID = 4  #: worlds laid until one has as many legal moves


class Worlds:
    """Draws worlds for one decision. It is told all, and what it gives does not depend on what is hidden."""

    def __init__(
        self, machine: Machine, state: State, decision: Decision, past: Past, lowered: Lowered
    ) -> None:
        self.machine, self.past, self.lowered = machine, past, lowered
        self.slots: Slots = past.slots
        self.engine: PythonEngine = past.engine
        self.judge = Judge(machine, lowered, past.engine, past.slots)
        self.seat, self.whom = decision.actor, decision.whom
        self.legal = len(state.legal)
        self.before_me = state.decisions - past.now[self.slots.decisions]  # sealed choices not yet told
        known, self.first = past.known(self.seat)
        if self.whom != self.seat:
            seen = self.slots.seen(past.now, self.whom)
            known |= sum(1 << c for c in bits(seen & ~known) if offered(machine, state, c))
        self.known = known
        self.hidden = self.slots.whole & ~known
        moves = past.moves[self.first :]
        named = [card_values(did, self.judge.form(did)) & self.hidden for did in moves]
        trail = [did.before for did in moves]
        self.tokens = f.tokens(self.slots, past.now, self.hidden, trail, filter(None, named))
        self.faces = sorted(self.tokens)
        self.hidden_cells = self.judge.cells(hidden_cells(machine, state, self.seat))
        self.lacking = [0] * len(self.tokens)  #: for each token the faces that it cannot have
        self.needed: list[tuple[list[int], int]] = []  #: tokens of which one has one of these faces
        self.checked = self._checked()

    def _checked(self) -> list[Did]:
        """Moves of others that show more than single cards. What those show is noted."""
        if len(self.tokens) < 2:
            return []
        cells: Cells = tuple(self.hidden_cells)
        found = []
        for number, did in enumerate(self.past.moves[self.first :], self.first):
            if self.judge.site(did.before).stmt.together:
                continue
            if self.judge.quick:
                for answer in answers(self.judge, self.past, number, self.seat, cells):
                    self._note(did, answer)
            if did.seat == self.seat or not self.judge.reads(did) or not self._held(did) & self.hidden:
                continue
            told = shown(self.judge, self.past, number, self.seat, cells)
            self._note(did, told)
            if not told.whole:
                found.append(did)
        return found[-MOST_CHECKED:]

    def _note(self, did: Did, told: Shown) -> None:
        """What a move showed about the faces of tokens."""
        if not (told.lacking | told.needed) & self.hidden:
            return
        there = did.before[self.slots.zm + told.place]
        held = [at for at, token in enumerate(self.tokens) if there >> token & 1]
        for at in held:
            self.lacking[at] |= told.lacking
        if told.needed and held and not there & ~self.hidden & told.needed:
            self.needed.append((held, told.needed))

    def _held(self, did: Did) -> int:
        """The cards that lay at places of the player who moved."""
        slots, found = self.slots, 0
        for place in slots.places:
            if slots.layout.owner[place] == did.seat:
                found |= did.before[slots.zm + place]
        return found

    def layouts(self) -> int:
        """In how many ways the hidden cards may lie where somebody else sees them."""
        layout, now = self.slots.layout, self.past.now
        left, found = len(self.tokens), 1
        for place in self.slots.places:
            count = (now[self.slots.zm + place] & self.hidden).bit_count()
            if layout.sees[place]:
                found *= comb(left, count)
                left -= count
        return found

    # ------------------------------------------------------------ drawing

    def draw(self, draws: Draws) -> Flat | None:
        """A world, at the decision of the seat; None if none has as many legal moves."""
        for _ in range(MOST_LAID):
            flat = self.lay(draws)
            if flat is not None and self.judge.count(flat) == self.legal:
                return flat
        return None

    def lay(self, draws: Draws) -> Flat | None:
        """A world in which the legal moves are not listed yet; None if it is another's turn there."""
        draws.state, faces = chance.shuffle(draws.state, self.faces)
        self._place(faces, draws)
        self._meet(faces, draws)
        self._mend(faces, draws)
        flat = self.relabelled(self.past.now, self._map(faces))
        self.judge.hide(flat, self.hidden_cells, draws)
        for _ in range(self.before_me):  # what others choose, sealed
            if not self.judge.count(flat):
                return None
            self.engine.apply(flat, draws.below(flat[self.slots.choices]))
        waits = not self.before_me or flat[self.slots.choices]
        return flat if waits and flat[self.slots.actor] == self.seat else None

    def _map(self, faces: Sequence[int]) -> list[int]:
        """For each card the face it has in the world."""
        return f.faced(self.slots.cards, dict(zip(self.tokens, faces, strict=True)))

    def relabelled(self, flat: Flat, face: Sequence[int]) -> Flat:
        """A position with other faces."""
        return f.relabelled(self.slots, flat, face, self.hidden, self.tokens)

    # ------------------------------------------------------------ what single cards show

    def _place(self, faces: list[int], draws: Draws) -> None:
        """Exchanges faces until none is where it cannot be, or tries are used up."""
        lacking, count = self.lacking, len(faces)
        if not any(lacking):
            return
        wrong = [at for at in range(count) if lacking[at] >> faces[at] & 1]
        for _ in range(4 * count):
            if not wrong:
                return
            at = wrong[draws.below(len(wrong))]
            fits = [other for other in range(count) if not lacking[at] >> faces[other] & 1]
            both = [other for other in fits if not lacking[other] >> faces[at] & 1]
            if not fits:
                return
            some = both or fits
            other = some[draws.below(len(some))]
            faces[at], faces[other] = faces[other], faces[at]
            wrong = [at for at in range(count) if lacking[at] >> faces[at] & 1]

    def _meet(self, faces: list[int], draws: Draws) -> None:
        """Exchanges faces until one of those needed is wherever one must be, or tries are used up."""
        lacking, unmet = self.lacking, self._unmet(faces)
        for _ in range(MOST_TRIES):
            if not unmet:
                return
            held, needed = unmet[draws.below(len(unmet))]
            there = [at for at, face in enumerate(faces) if needed >> face & 1]
            if not there:
                return
            one, other = held[draws.below(len(held))], there[draws.below(len(there))]
            if (lacking[one] >> faces[other] | lacking[other] >> faces[one]) & 1:
                continue
            faces[one], faces[other] = faces[other], faces[one]
            now = self._unmet(faces)
            if len(now) <= len(unmet):
                unmet = now
            else:
                faces[one], faces[other] = faces[other], faces[one]

    def _unmet(self, faces: Sequence[int]) -> list[tuple[list[int], int]]:
        return [
            (held, needed) for held, needed in self.needed if not any(needed >> faces[at] & 1 for at in held)
        ]

    # ------------------------------------------------------------ the past with other faces

    def _mend(self, faces: list[int], draws: Draws) -> None:
        """Exchanges faces until no move of the past speaks against them, or tries are used up."""
        checked, lacking = self.checked, self.lacking
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
            mine = [index[token] for token in self.tokens if held >> token & 1]
            others = [index[token] for token in self.tokens if not held >> token & 1]
            if not mine or not others:
                return
            one, other = mine[draws.below(len(mine))], others[draws.below(len(others))]
            if (lacking[one] >> faces[other] | lacking[other] >> faces[one]) & 1:
                continue
            a, b = self.tokens[one], self.tokens[other]
            face[a], face[b] = face[b], face[a]
            now = [did for did in checked if not self.legal_then(did, face)]
            if len(now) <= len(wrong):
                wrong = now
                faces[one], faces[other] = faces[other], faces[one]
            else:
                face[a], face[b] = face[b], face[a]

    def legal_then(self, did: Did, face: Sequence[int]) -> bool:
        """The move would have been legal with other faces."""
        flat = self.relabelled(did.before, face)
        self.judge.hide(flat, self.hidden_cells, Draws(0))  # whatever it was, it must not tell
        return self.judge.legal(flat, did, face)
