"""What a ruleset declares and never uses."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from rulekit.checks.study import PLAY, Study, Unit
from rulekit.diagnostics import Findings, Span
from rulekit.program import expressions as e
from rulekit.program import patterns as pt
from rulekit.program import statements as s
from rulekit.program.origins import target_zones
from rulekit.program.patterns import PatternDef
from rulekit.program.uses import Reads
from rulekit.program.walk import own_expressions, walk, walk_expressions


def check(study: Study, findings: Findings) -> None:
    """Options, state, zones, defines, facts, phases, moves and locals without a use; missing texts."""
    used = Used(study)
    options(study, used, findings)
    states(study, used, findings)
    zones(study, used, findings)
    names(study, used, findings)
    units(study, used, findings)
    variables(study, findings)
    texts(study, findings)


class Used:
    """What is used: by any part of the game, at the end, and in the pack.

    What stands in a phase or move that is never reached counts as used there: that is told of the phase or
    move, and nothing else of what follows from it.
    """

    def __init__(self, study: Study) -> None:
        self.study = study
        program = study.program
        reached = set(study.reached())
        tried = {example.run[0] for example in program.examples if example.run is not None}
        waiting: list[Unit] = [("phase", name) for name in sorted(tried) if name in program.phases]
        while waiting:
            unit = waiting.pop()
            if unit not in reached:
                reached.add(unit)
                waiting += [site.callee for site in study.sites_from[unit]]
        self.units = reached

    @cached_property
    def nodes(self) -> list[object]:
        """All that may be evaluated."""
        study, program = self.study, self.study.program
        found: list[object] = []
        for unit in study.units:
            found += study.nodes(unit)
            for stmt in study.statements(unit):
                found += own_expressions(stmt)
        found += [program.end.ranking, program.end.payoff, program.end.score, program.requires]
        found += [program.deck.copies, *(condition for condition, _ in program.deck.without)]
        found += [state.start for state in program.state.values() if not study.owners[state.name]]
        for zone in program.zones.values():
            found += [field.start for field in zone.fields]
        return [node for node in found if node is not None]

    @cached_property
    def reads(self) -> Reads:
        """All that may be read."""
        return self.study.uses.reads_all(self.nodes)

    @cached_property
    def named(self) -> set[tuple[str, str]]:
        """Kinds and names of defines, facts and patterns in use, also through others and in the examples."""
        program = self.study.program
        waiting: list[object] = list(self.nodes)
        for example in program.examples:
            waiting += [then.condition for then in example.then]
            waiting += [] if example.run is None else list(example.run[1])
        seen: set[tuple[str, str]] = {("define", name) for name in program.settled}
        waiting += [program.defines[name].body for name in program.settled]
        while waiting:
            for part in walk(waiting.pop()):
                name = _named(part)
                if name is None or name in seen:
                    continue
                seen.add(name)
                match name:
                    case "define", str(define) if define in program.defines:
                        waiting.append(program.defines[define].body)
                    case "fact", str(fact) if fact in program.facts:
                        waiting.append(program.facts[fact].body)
                    case "pattern", str(pattern) if pattern in program.patterns:
                        waiting.append(program.patterns[pattern])
                        seen |= {("pattern", inner) for inner in program.patterns[pattern].classes}
                        waiting += [program.patterns[inner] for inner in program.patterns[pattern].classes]
        return seen

    @property
    def defines(self) -> set[str]:
        return {name for kind, name in self.named if kind == "define"}

    @property
    def facts(self) -> set[str]:
        return {name for kind, name in self.named if kind == "fact"}

    @property
    def patterns(self) -> set[str]:
        return {name for kind, name in self.named if kind == "pattern"}

    @cached_property
    def statements(self) -> list[s.Stmt]:
        """All statements."""
        return [stmt for unit in self.study.units for stmt in self.study.statements(unit)]


def _named(part: object) -> tuple[str, str] | None:
    match part:
        case e.CallDefine(name):
            return "define", name
        case e.FactOf(name):
            return "fact", name
    pattern = getattr(part, "pattern", None)
    return ("pattern", pattern) if isinstance(pattern, str) else None


# ---------------------------------------------------------------- options, state, zones


def options(study: Study, used: Used, findings: Findings) -> None:
    """Options that nothing reads."""
    for option in study.program.options.values():
        if option.name not in used.reads.options:
            findings.warning(
                "RK650",
                f"option `{option.name}` is never read, so choosing it changes nothing",
                option.span,
                help="read it where the rule differs, or leave it out",
            )


def states(study: Study, used: Used, findings: Findings) -> None:
    """State that nothing reads, or that never changes."""
    written: set[str] = set()
    shown: set[str] = set()
    for stmt in used.statements:
        match stmt:
            case s.Assign(s.StatePlace(name)):
                written.add(name)
            case s.RevealState(name):
                shown.add(name)
    for state in study.program.state.values():
        if state.block is not None:
            continue
        reads = state.name in used.reads.states and not _only_by_itself(study, used, state.name)
        if not reads and state.name not in shown:
            findings.warning(
                "RK651",
                f"state `{state.name}` is never read"
                + ("" if state.name in written else " and never changes"),
                state.span,
                help="leave it out, or read it where it matters",
            )
        elif state.name not in written and (state.start is None or study.uses.reads(state.start) == Reads()):
            findings.warning(
                "RK652",
                f"state `{state.name}` never changes",
                state.span,
                help="what never changes is a define: write it under `define`",
            )


def _only_by_itself(study: Study, used: Used, name: str) -> bool:
    """Is it read only to be assigned anew, as in `x = x + 1`?"""
    for unit in study.units:
        for node in study.nodes(unit):
            if name in study.uses.reads(node).states:
                return False
    for stmt in used.statements:
        match stmt:
            case s.Assign(s.StatePlace(written)) if written == name:
                continue
        if any(name in study.uses.reads(expr).states for expr in own_expressions(stmt)):
            return False
    end = study.program.end
    late = [end.ranking, end.payoff, end.score, *(x.start for x in study.program.state.values())]
    return not any(name in study.uses.reads(node).states for node in late if node is not None)


def zones(study: Study, used: Used, findings: Findings) -> None:
    """Zones that no card enters, or that none leaves."""
    entered: set[str] = set()
    left: set[str] = set()
    every = set(study.program.zones)
    origins = study.uses.origins
    for stmt in used.statements:
        match stmt:
            case s.Move(cards, to):
                left |= every if (found := origins.of(cards)) is None else found
                entered |= target_zones(to, study.program)
            case s.Deal(_, to, source):
                left |= target_zones(source, study.program)
                entered |= target_zones(to, study.program)
            case s.Shuffle(into, cards) if cards is not None:
                left |= every if (found := origins.of(cards)) is None else found
                entered.add(into.zone)
            case s.Swap(one, other):
                for side in (one, other):
                    swapped = origins.of(side)
                    left |= every if swapped is None else swapped
                    entered |= every if swapped is None else swapped
            case s.Claim(_, slots):
                entered.add(slots)
    for zone in study.program.zones.values():
        if zone.name not in entered:
            seen = zone.name in used.reads.zones
            findings.warning(
                "RK658" if seen else "RK657",
                f"no card ever comes into zone `{zone.name}`" + ("" if seen else ", and nothing uses it"),
                zone.span,
                help="move or deal cards to it, or leave it out",
            )
        elif zone.name not in left:
            findings.warning(
                "RK659",
                f"no card ever leaves zone `{zone.name}`",
                zone.span,
                help="gather the cards before the next deal: `shuffle deck into ...`",
            )


# ---------------------------------------------------------------- names


def names(study: Study, used: Used, findings: Findings) -> None:
    """Defines and card facts that nothing uses. One used only by another unused one is not named."""
    program = study.program
    idle = [x for x in program.defines.values() if x.name not in used.defines and x.block is None]
    inner = {
        part.define
        for define in idle
        for part in walk_expressions(define.body)
        if isinstance(part, e.CallDefine)
    }
    waiting_facts = {
        part.fact for define in idle for part in walk_expressions(define.body) if isinstance(part, e.FactOf)
    }
    for define in idle:
        if define.name not in inner:
            findings.warning(
                "RK653",
                f"define `{define.name}` is never used",
                define.span,
                help="use it, or leave it out",
            )
    for pattern in program.patterns.values():
        if pattern.name not in used.patterns and not _in_pattern(
            pattern.name, list(program.patterns.values())
        ):
            findings.warning(
                "RK663",
                f"pattern `{pattern.name}` is never used",
                pattern.span,
                help=f"use it (`... is {pattern.name}`, `{pattern.name} from ...`), or leave it out",
            )
    for fact in program.facts.values():
        if fact.name not in used.facts and fact.name not in waiting_facts:
            findings.warning(
                "RK654",
                f"card fact `{fact.name}` is never used",
                fact.span,
                help="use it (`... of card`), or leave it out",
            )


def _in_pattern(name: str, patterns: list[PatternDef]) -> bool:
    """Is it a part of another pattern?"""
    return any(
        name in other.classes
        or any(
            isinstance(part, pt.NamedPart | pt.RepeatedPart) and part.pattern == name for part in walk(other)
        )
        for other in patterns
        if other.name != name
    )


def units(study: Study, used: Used, findings: Findings) -> None:
    """Phases that never run and moves that are never asked. One used only by another of them is not named."""
    program = study.program
    idle = [unit for unit in study.units if unit not in used.units and unit != PLAY]
    for unit in idle:
        kind, name = unit
        if any(site.caller in idle for site in study.sites_to[unit]):
            continue
        if kind == "phase" and program.phases[name].block is None:
            findings.warning(
                "RK655",
                f"phase `{name}` never runs",
                program.phases[name].span,
                help=f"run it with `do {name}`, or leave it out",
            )
        elif kind == "move" and program.moves[name].block is None:
            findings.warning(
                "RK656",
                f"move `{name}` is never asked",
                program.moves[name].span,
                help=f"offer it: `ask ...: [{name}]`, or leave it out",
            )


def variables(study: Study, findings: Findings) -> None:
    """`let` variables that nothing reads."""
    program = study.program
    read: set[int] = set()
    for node in _everything(study):
        for part in walk_expressions(node):
            if isinstance(part, e.Local | e.Answered):
                read.add(part.number if isinstance(part, e.Local) else part.local)
    seen: set[int] = set()
    for stmt in study.everything:
        match stmt:
            case s.Assign(s.LocalPlace(number)) if number not in read and number not in seen:
                seen.add(number)
                if stmt.span is not None and study.own(stmt.span):
                    findings.warning(
                        "RK660",
                        f"`{program.locals[number].name}` is never read",
                        _name_span(stmt.span, program.locals[number].name),
                        help="leave the `let` out",
                    )


def _everything(study: Study) -> Iterator[object]:
    program = study.program
    yield from (program.play, program.end)
    for parts in (program.phases, program.moves, program.defines, program.facts, program.state):
        yield from parts.values()


def _name_span(span: Span | None, name: str) -> Span | None:
    """Where the name stands in `let name = ...`."""
    if span is None:
        return None
    at = span.text.find(name, len("let "))
    return span if at < 0 else span.source.span(span.start + at, span.start + at + len(name))


# ---------------------------------------------------------------- texts


def texts(study: Study, findings: Findings) -> None:
    """Every option, and every move under a condition, says in prose what it is."""
    for option in study.program.options.values():
        if not option.text and study.own(option.span):
            findings.warning(
                "RK661",
                f"option `{option.name}` has no text",
                option.span,
                help=f"say what is chosen: `{option.name}: {{is: ..., text: ...}}`",
            )
    for move in study.program.moves.values():
        if move.conditions and not move.text and study.own(move.span):
            findings.warning(
                "RK662",
                f"move `{move.name}` has conditions and no text",
                move.span,
                help="say what the move is with `text: ...`",
            )
