"""Which parts of a ruleset games and examples reached and which they did not, part by part, line by line."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from rulekit.diagnostics import Span
from rulekit.diagnostics.span import SourceFile
from rulekit.engine import Machine
from rulekit.engine.coverage import Coverage
from rulekit.program import Program, Setup
from rulekit.program.statements import Ask


@dataclass(frozen=True)
class Unreached:
    """A part of the rules that no game and no example came to.

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


@dataclass(frozen=True)
class RuleCoverage:
    """All parts of the rules that can be reached (by kind and place), and those that were not.

    A part is counted where it begins. A statement of a block is there once, however often it is used, and
    counts as reached if any use of it was.
    """

    parts: tuple[tuple[str, Span | None], ...]
    unreached: tuple[Unreached, ...]

    @property
    def reached(self) -> int:
        return len(self.parts) - len(self.unreached)

    @property
    def share(self) -> float:
        """From 0 to 1."""
        return self.reached / len(self.parts) if self.parts else 1.0

    def lines(self) -> list[Line]:
        """The lines on which a part begins, file by file; the ruleset's own file comes as it came first."""
        missing: dict[tuple[str, int], int] = {}
        for part in self.unreached:
            if part.span is not None:
                key = part.span.file, part.span.line
                missing[key] = missing.get(key, 0) + 1
        found: dict[tuple[str, int], Line] = {}
        for _, span in self.parts:
            if span is not None:
                key = span.file, span.line
                there = found[key].parts + 1 if key in found else 1
                found[key] = Line(span.source, span.line, there, there - missing.get(key, 0))
        files = dict.fromkeys(file for file, _ in found)
        return [line for file in files for key, line in sorted(found.items()) if key[0] == file]

    def to_json(self) -> dict[str, Any]:
        """Plain data (documented in docs/json.md)."""
        kinds: dict[str, list[int]] = {}
        for kind, _ in self.parts:
            kinds.setdefault(kind, [0, 0])[0] += 1
        for part in self.unreached:
            kinds[part.kind][1] += 1
        return {
            "parts": len(self.parts),
            "reached": self.reached,
            "kinds": {
                kind: {"parts": there, "reached": there - missed} for kind, (there, missed) in kinds.items()
            },
            "lines": [
                {"file": line.source.name, "line": line.number, "parts": line.parts, "reached": line.reached}
                for line in self.lines()
            ],
        }

    def listing(self) -> Iterator[str]:
        """The files of the rules, each line with a mark: `+` all of it was reached, `~` some, `-` nothing; no
        mark where no rule begins."""
        by_file: dict[SourceFile, dict[int, Line]] = {}
        for line in self.lines():
            by_file.setdefault(line.source, {})[line.number] = line
        for source, marked in by_file.items():
            yield f"{source.name}: {sum(line.reached for line in marked.values())} of " + (
                f"{sum(line.parts for line in marked.values())} parts reached"
            )
            width = len(str(len(source.line_starts)))
            for number in range(1, max(marked) + 1):
                mark = marked[number].mark if number in marked else " "
                yield f"{mark} {number:>{width}} {source.line(number)}".rstrip()


@dataclass(frozen=True)
class Line:
    """A line of a rule file: how many parts begin on it, and how many of them were reached."""

    source: SourceFile
    number: int
    parts: int
    reached: int

    @property
    def mark(self) -> str:
        return "+" if self.reached == self.parts else "~" if self.reached else "-"


class CoveredMachine(Machine):
    """A machine that notes from the beginning what it reaches."""

    def __init__(self, setup: Setup) -> None:
        super().__init__(setup)
        self.coverage = Coverage()


class Reached:
    """What the games of several tables reached together."""

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

    def coverage(self) -> RuleCoverage:
        """All parts and what was never reached, in the order of the file.

        Of a move that nobody ever made only that is told, not that its parts did nothing.
        """
        parts: list[tuple[str, Span | None]] = []
        missed: list[Unreached] = []
        for kind, span, problem in self._parts():
            parts.append((kind, span))
            if problem is not None:
                missed.append(Unreached(kind, problem, span))
        return RuleCoverage(tuple(parts), tuple(missed))

    def _parts(self) -> Iterator[tuple[str, Span | None, str | None]]:
        """Kind and place of each part, and what is to be said if it was never reached."""
        for place, span in self.known.items():
            yield "statement", span, None if place in self.places else self._statement(place, span)
        totals = self.totals
        for move in self.program.moves.values():
            made = move.name in totals.moves
            yield "move", move.span, None if made else f"nobody ever made the move `{move.name}`"
            if not made:
                continue
            for choice in move.choices:
                for number, entry in enumerate(choice.entries):
                    what = f"`{entry.label}`" if entry.label else f"choice {number + 1}"
                    text = f"{what} never decided the {choice.name} of `{move.name}`"
                    decided = (move.name, choice.name, number) in totals.entries
                    yield "duty", entry.span, None if decided else text
            for number, condition in enumerate(move.conditions):
                held = (move.name, number, True) in totals.conditions
                failed = (move.name, number, False) in totals.conditions
                never = "refused a move" if held else "held" if failed else "was looked at"
                text = f"the condition `{condition.label}` of `{move.name}` never {never}"
                yield "condition", condition.span, None if held and failed else text
        for reason in self.program.reasons:
            yield "reason", None, None if reason in totals.reasons else f"nobody ever scored for `{reason}`"

    def _statement(self, place: str, span: Span) -> str:
        text = " ".join(span.text.split())
        shown = text if len(text) <= 60 else text[:57] + "..."
        return f"never asked: `{shown}`" if place in self.asks else f"never reached: `{shown}`"
