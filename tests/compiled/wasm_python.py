"""A module of the low-level form run by what the Python emitter makes of it, one game at a time."""

from __future__ import annotations

import re
from typing import Any

from rulekit.compiled import lir
from rulekit.compiled.layout import StateLayout
from rulekit.compiled.python import emit_python
from rulekit.engine.chance import below


class PythonGame:
    """``state``: the flat list. The methods are those of `rulekit.compiled.wasm.Games` for one game."""

    def __init__(self, module: lir.Module) -> None:
        self.module = module
        self.layout = StateLayout(module)
        self.names: dict[str, Any] = {}
        source = re.sub(r"(?<![\w.])(\d+)\.bit_", r"(\1).bit_", emit_python(module))
        exec(compile(source, module.name, "exec"), self.names)
        self.state = list(self.layout.start)

    def begin(self, chance: int, policy: int) -> int:
        self.state = list(self.layout.start)
        self.state[self.layout.chance], self.state[self.layout.policy] = chance, policy
        return self._go(self.module.start)

    @property
    def choices(self) -> int:
        return self.state[self.layout.slots["choices"]]

    def step(self, place: int) -> int:
        if not 0 <= place < self.choices:
            raise IndexError(place)
        return self._go(None, place)

    def roll(self, most: int) -> int:
        made = 0
        while made < most and self.choices:
            policy = self.layout.policy
            self.state[policy], place = below(self.state[policy], self.choices)
            made += 1
            self.step(place)
        return made

    def _go(self, block: int | None, place: int = 0) -> int:
        try:
            if block is None:
                block = int(self.names["f_apply"](self.state, place, 0))
            while block >= 0:
                block = int(self.names["blocks"][block](self.state))
        except self.names["Trapped"] as fault:
            block = lir.FAULT
            site, *arguments = fault.args
            self.state[self.layout.slots["fault"]] = site
            first = self.layout.slots["fault_arguments"]
            self.state[first : first + len(arguments)] = arguments
        if block != lir.WAIT:
            self.state[self.layout.slots["choices"]] = 0
        return block
