"""More functions for a module that is lowered already: a builder that knows what the module has."""

from __future__ import annotations

from dataclasses import replace

from rulekit.compiled import lir
from rulekit.compiled.builder import Builder
from rulekit.compiled.lowering import Lowered
from rulekit.compiled.ranges import Span


class Extension:
    """``b`` adds fields, tables and functions to those of ``lowered``; `done` gives the result."""

    def __init__(self, lowered: Lowered) -> None:
        self.lowered, self.setup, module = lowered, lowered.setup, lowered.module
        self.b = b = Builder()
        b.fields = {field.name: field for field in module.fields}
        b.tables = {(table.kind, table.values): table for table in module.tables}
        for table in module.tables:
            if isinstance(table.kind, lir.Number):
                b.ranges.tables[table.name] = Span(min(table.values), max(table.values))
        b.functions = list(module.functions)
        b.faults = list(module.faults)
        self.cards = lir.Bits(max(1, len(self.setup.pack)))
        self.seats = lir.Bits(self.setup.players)

    def done(self) -> Lowered:
        """What was lowered, with all that was added."""
        b = self.b
        module = replace(
            self.lowered.module,
            fields=tuple(b.fields.values()),
            tables=tuple(b.tables.values()),
            functions=tuple(b.functions),
            faults=tuple(b.faults),
        )
        return replace(self.lowered, module=module)

    def number(self) -> lir.Var:
        """A local that holds a number."""
        return self.b.var()
