"""Where the parts of a state stand in the flat list that the Python engine keeps."""

from __future__ import annotations

from rulekit.compiled import lir


class StateLayout:
    """``slots``, ``scratch``: the first place of each field in the state and in scratch; then come
    ``piles``, and
    the streams ``chance`` and ``policy``. ``start`` and ``scratch_start`` are both lists as a game finds
    them."""

    def __init__(self, module: lir.Module) -> None:
        self.slots: dict[str, int] = {}
        self.scratch: dict[str, int] = {}
        self.start: list[int | tuple[int, ...]] = []
        self.scratch_start: list[int] = []
        for field in module.fields:
            if field.scratch:
                self.scratch[field.name] = len(self.scratch_start)
                self.scratch_start += [field.start] * field.count
            else:
                self.slots[field.name] = len(self.start)
                self.start += [field.start] * field.count
        self.piles = len(self.start)
        self.start += [()] * module.piles
        self.chance = len(self.start)
        self.policy = self.chance + 1
        self.start += [0, 0]
