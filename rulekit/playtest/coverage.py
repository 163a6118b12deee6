"""Which parts of a ruleset random games reached, and which they never did."""

from __future__ import annotations

from dataclasses import dataclass

from rulekit.diagnostics import Span
from rulekit.engine import Machine
from rulekit.engine.coverage import Coverage
from rulekit.program import Program
from rulekit.program.statements import Ask


@dataclass(frozen=True)
class Unreached:
    """A part of the rules that no game came to.

    ``kind``: `statement`, `move` (never made), `duty` (an entry of a choice that never decided),
    `condition` (never held, or never refused anything), `reason` (nobody ever scored for it).
    """

    kind: str
    text: str
    span: Span | None = None

    @property
    def place(self) -> str | None:
        """`hockey.yaml:31:6`."""
        return str(self.span) if self.span else None

    def __str__(self) -> str:
        return f"{self.place}: {self.text}" if self.span else self.text


class Reached:
    """What the games of several tables reached together.

    A statement of a block is there once for each use; it counts as reached if any of them was.
    """

    def __init__(self, program: Program) -> None:
        self.program = program
        self.known: dict[str, Span] = {}
        self.asks: set[str] = set()
        self.places: set[str] = set()
        self.totals = Coverage()

    def add(self, machine: Machine, found: Coverage) -> None:
        """What games of one machine reached. Statement numbers mean something only to that machine."""
        for number, stmt in machine.statements.items():
            if stmt.span is None:
                continue
            self.known.setdefault(str(stmt.span), stmt.span)
            if isinstance(stmt, Ask):
                self.asks.add(str(stmt.span))
            if number in found.statements:
                self.places.add(str(stmt.span))
        self.totals.entries |= found.entries
        self.totals.conditions |= found.conditions
        self.totals.moves |= found.moves
        self.totals.reasons |= found.reasons

    def unreached(self) -> list[Unreached]:
        """All that was never reached, in the order of the file."""
        found = [
            Unreached("statement", self._statement(place, span), span)
            for place, span in self.known.items()
            if place not in self.places
        ]
        for move in self.program.moves.values():
            if move.name not in self.totals.moves:
                found.append(Unreached("move", f"nobody ever made the move `{move.name}`", move.span))
                continue
            for choice in move.choices:
                for number, entry in enumerate(choice.entries):
                    if (move.name, choice.name, number) not in self.totals.entries:
                        what = f"`{entry.label}`" if entry.label else f"choice {number + 1}"
                        text = f"{what} never decided the {choice.name} of `{move.name}`"
                        found.append(Unreached("duty", text, entry.span))
            for number, condition in enumerate(move.conditions):
                held = (move.name, number, True) in self.totals.conditions
                failed = (move.name, number, False) in self.totals.conditions
                if held and failed:
                    continue
                never = "refused a move" if held else "held" if failed else "was looked at"
                text = f"the condition `{condition.label}` of `{move.name}` never {never}"
                found.append(Unreached("condition", text, condition.span))
        for reason in self.program.reasons:
            if reason not in self.totals.reasons:
                text = f"nobody ever scored for `{reason}`"
                found.append(Unreached("reason", text))
        return found

    def _statement(self, place: str, span: Span) -> str:
        text = " ".join(span.text.split())
        shown = text if len(text) <= 60 else text[:57] + "..."
        return f"never asked: `{shown}`" if place in self.asks else f"never reached: `{shown}`"
