"""What the checks share: the program, what its parts read, who calls whom, what is known where."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property

from rulekit.checks.watching import Watching
from rulekit.diagnostics import Span
from rulekit.program import Program
from rulekit.program import expressions as e
from rulekit.program import statements as s
from rulekit.program.bounds import Table, open_table
from rulekit.program.flow import Flow, follow
from rulekit.program.progress import own_flow
from rulekit.program.uses import Uses
from rulekit.program.walk import parts, walk_statements
from rulekit.records import dataclass

Unit = tuple[str, str]  #: `play`, a phase or a move: its kind and its name
PLAY: Unit = ("play", "play")


@dataclass(frozen=True)
class Site:
    """A place from which a phase is called or a move is asked. ``after``: in the `after` of a phase."""

    caller: Unit
    callee: Unit
    stmt: s.Stmt
    after: bool = False


class Study:
    """One program, looked at by every check."""

    def __init__(self, program: Program, table: Table | None = None, uses: Uses | None = None) -> None:
        self.program = program
        self.uses = uses or Uses(program)
        self.watching = Watching(program, table or open_table(program))
        self._of_locals: dict[int, frozenset[str]] = {}

    @cached_property
    def flow(self) -> Flow:
        """What is known where, at all tables at once or the one given; fills ``watching``."""
        return follow(self.program, self.watching.estimator.table, self.uses, self.watching)

    def own(self, span: Span | None) -> bool:
        """Is this in the ruleset's own file (not in a block's or a base's)?"""
        mine = self.program.span
        return mine is None or span is None or span.source.name == mine.source.name

    def key(self, name: str, inner: str | None = None) -> Span | None:
        """Where a key of the file stands, or a key inside it; the start of the file if it is not written."""
        whole = self.program.span
        if whole is None:
            return None
        text = whole.source.text
        found = re.search(rf"^{name}(?=\s*:)", text, re.MULTILINE)
        if found is not None and inner is not None:
            found = re.compile(rf"\b{inner}(?=\s*:)").search(text, found.end())
        return whole.source.span(*(found.span() if found is not None else (whole.start, whole.start + 1)))

    def inside(self, *body: s.Stmt) -> list[s.Stmt]:
        """These statements with those inside them and in the phases called; not what moves do."""
        return own_flow(body, self.program)

    def sources(self, node: object) -> frozenset[str]:
        """The states on which a value depends: through defines, facts, locals, and what states are set to."""
        found: set[str] = set()
        seen: set[int] = set()
        waiting = [self.uses.reads(node)]
        while waiting:
            reads = waiting.pop()
            for number in reads.locals - seen:
                seen.add(number)
                waiting += [self.uses.reads(expr) for expr in self.bindings.get(number, ())]
            for name in reads.states - found:
                found.add(name)
                waiting += [self.uses.reads(stmt.value) for stmt in self.assignments.get(name, ())]
        return frozenset(found)

    def sources_of_local(self, number: int) -> frozenset[str]:
        """The states on which a local depends."""
        found = self._of_locals.get(number)
        if found is None:
            local = e.Local(number, type=self.program.locals[number].type)
            found = self._of_locals[number] = self.sources(local)
        return found

    @cached_property
    def _statements(self) -> dict[Unit, tuple[s.Stmt, ...]]:
        return {unit: tuple(walk_statements(self.bodies(unit))) for unit in self.units}

    @cached_property
    def everything(self) -> tuple[s.Stmt, ...]:
        """All statements."""
        return tuple(stmt for unit in self.units for stmt in self.statements(unit))

    @cached_property
    def assignments(self) -> dict[str, list[s.Assign]]:
        """The assignments to each state."""
        found: dict[str, list[s.Assign]] = {}
        for stmt in self.everything:
            if isinstance(stmt, s.Assign) and isinstance(stmt.place, s.StatePlace):
                found.setdefault(stmt.place.state, []).append(stmt)
        return found

    @cached_property
    def bindings(self) -> dict[int, list[e.Expr]]:
        """What each local may be: what is put into a `let`, a parameter of a phase, chosen, or visited."""
        found: dict[int, list[e.Expr]] = {}
        for stmt in self.everything:
            match stmt:
                case s.Assign(s.LocalPlace(number), _, value):
                    found.setdefault(number, []).append(value)
                case s.For(number, domain):
                    found.setdefault(number, []).append(domain)
                case s.Call(name, arguments) if name in self.program.phases:
                    for number, value in zip(self.program.phases[name].parameters, arguments, strict=False):
                        found.setdefault(number, []).append(value)
        for move in self.program.moves.values():
            for choice in move.choices:
                found.setdefault(choice.local, []).extend(entry.domain for entry in choice.entries)
        return found

    # ------------------------------------------------------------ who calls whom

    @cached_property
    def units(self) -> tuple[Unit, ...]:
        """`play`, the phases, the moves."""
        phases: list[Unit] = [("phase", name) for name in self.program.phases]
        moves: list[Unit] = [("move", name) for name in self.program.moves]
        return (PLAY, *phases, *moves)

    def bodies(self, unit: Unit) -> tuple[tuple[s.Stmt, ...], tuple[s.Stmt, ...]]:
        """The statements of a unit, and those of its `after`."""
        kind, name = unit
        if kind == "play":
            return self.program.play, ()
        if kind == "phase":
            phase = self.program.phases[name]
            return phase.body, phase.after
        return self.program.moves[name].body, ()

    @cached_property
    def sites(self) -> tuple[Site, ...]:
        """All calls and asks, in the order of the file."""
        return tuple(site for unit in self.units for site in self._sites(unit))

    def _sites(self, unit: Unit) -> Iterator[Site]:
        for after, body in enumerate(self.bodies(unit)):
            for stmt in walk_statements(body):
                match stmt:
                    case s.Call(name) if name in self.program.phases:
                        yield Site(unit, ("phase", name), stmt, bool(after))
                    case s.Ask(_, moves):
                        for name in moves:
                            if name in self.program.moves:
                                yield Site(unit, ("move", name), stmt, bool(after))

    @cached_property
    def sites_from(self) -> dict[Unit, list[Site]]:
        found: dict[Unit, list[Site]] = {unit: [] for unit in self.units}
        for site in self.sites:
            found[site.caller].append(site)
        return found

    @cached_property
    def sites_to(self) -> dict[Unit, list[Site]]:
        found: dict[Unit, list[Site]] = {unit: [] for unit in self.units}
        for site in self.sites:
            found[site.callee].append(site)
        return found

    def reached(
        self, without: frozenset[Unit] = frozenset(), *, leaving: bool = False
    ) -> dict[Unit, tuple[Unit, ...]]:
        """The units that `play` reaches, not passing through ``without``, and a way to each.

        ``leaving``: the `after` of those left out, where they are being left, is passed through.
        """
        if PLAY in without:
            return {}
        found: dict[Unit, tuple[Unit, ...]] = {PLAY: (PLAY,)}
        waiting = [PLAY]
        while waiting:
            unit = waiting.pop(0)
            for site in self.sites_from[unit]:
                here = found[unit]
                if site.callee in without and leaving:
                    here = (*here, site.callee)
                    sites = [x for x in self.sites_from[site.callee] if x.after]
                else:
                    sites = [site]
                for onward in sites:
                    if onward.callee not in found and onward.callee not in without:
                        found[onward.callee] = (*here, onward.callee)
                        waiting.append(onward.callee)
        return found

    # ------------------------------------------------------------ state

    @cached_property
    def owners(self) -> dict[str, frozenset[Unit]]:
        """The units with which a state starts afresh; empty for what lasts the match."""
        found: dict[str, set[Unit]] = {name: set() for name in self.program.state}
        for name in self.program.play_state:
            found[name].add(PLAY)
        for phase in self.program.phases.values():
            for name in phase.state:
                found[name].add(("phase", phase.name))
        for move in self.program.moves.values():
            for name in move.state:
                found[name].add(("move", move.name))
        return {name: frozenset(units) for name, units in found.items()}

    def nodes(self, unit: Unit) -> Iterator[object]:
        """What is evaluated in a unit besides its statements: starts, `stop when`, choices, conditions."""
        kind, name = unit
        state: tuple[str, ...] = self.program.play_state
        if kind == "phase":
            phase = self.program.phases[name]
            state = phase.state
            if phase.stop_when is not None:
                yield phase.stop_when
        elif kind == "move":
            move = self.program.moves[name]
            state = move.state
            yield from parts((move.choices, move.conditions))
            if move.again is not None:
                yield move.again
        for own in state:
            start = self.program.state[own].start
            if start is not None:
                yield start

    def statements(self, unit: Unit) -> tuple[s.Stmt, ...]:
        """All statements of a unit, those inside others included."""
        return self._statements[unit]


def named(unit: Unit) -> str:
    """How messages name a unit: "phase `round`", "`play`"."""
    kind, name = unit
    return "`play`" if kind == "play" else f"{kind} `{name}`"


def way(units: tuple[Unit, ...]) -> str:
    """How messages write a way through the program: "`play`, then phase `round`"."""
    return ", then ".join(named(unit) for unit in units)
