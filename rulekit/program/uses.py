"""What the parts of a program read and change."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from rulekit.program import expressions as e
from rulekit.program import patterns as pt
from rulekit.program import program as p
from rulekit.program import statements as s
from rulekit.program.origins import Origins, pile_zones, target_zones
from rulekit.program.statements import Stmt
from rulekit.program.walk import PROVENANCE, walk


@dataclass(frozen=True)
class Reads:
    """What an expression depends on. ``provenance``: facts of where a card lies; ``fields``: `zone.field`."""

    states: frozenset[str] = frozenset()
    zones: frozenset[str] = frozenset()
    options: frozenset[str] = frozenset()
    locals: frozenset[int] = frozenset()
    fields: frozenset[str] = frozenset()
    provenance: frozenset[str] = frozenset()
    me: bool = False

    def __or__(self, other: Reads) -> Reads:
        return Reads(
            self.states | other.states,
            self.zones | other.zones,
            self.options | other.options,
            self.locals | other.locals,
            self.fields | other.fields,
            self.provenance | other.provenance,
            self.me or other.me,
        )


@dataclass(frozen=True)
class Writes:
    """What a statement changes. ``cards``: some card changes place (or its face)."""

    states: frozenset[str] = frozenset()
    zones: frozenset[str] = frozenset()
    locals: frozenset[int] = frozenset()
    fields: frozenset[str] = frozenset()
    cards: bool = False

    def __or__(self, other: Writes) -> Writes:
        return Writes(
            self.states | other.states,
            self.zones | other.zones,
            self.locals | other.locals,
            self.fields | other.fields,
            self.cards or other.cards,
        )

    def touches(self, reads: Reads) -> bool:
        """May this change what is read?"""
        return bool(
            self.states & reads.states
            or self.zones & reads.zones
            or self.locals & reads.locals
            or self.fields & reads.fields
            or (self.cards and reads.provenance)
        )


_NOTHING_READ, _NOTHING_WRITTEN = Reads(), Writes()


class Uses:
    """What the parts of one program read and change, each found once."""

    def __init__(self, program: p.Program) -> None:
        self.program = program
        self.origins = Origins(program)
        self._defines: dict[str, Reads] = {}
        self._facts: dict[str, Reads] = {}
        self._patterns: dict[str, Reads] = {}
        self._reads: dict[int, Reads] = {}
        self._writes: dict[int, Writes] = {}
        self._units: dict[tuple[str, str], Writes] = {}
        self._kept: list[object] = []  # keeps what is known by its identity alive

    # ------------------------------------------------------------ reads

    def reads(self, node: object) -> Reads:
        """All that the expressions in ``node`` read, through defines and facts too."""
        found = self._reads.get(id(node))
        if found is None:
            found = self._reads[id(node)] = self._read(node)
            self._kept.append(node)
        return found

    def reads_all(self, nodes: Iterable[object]) -> Reads:
        """All that the expressions in several nodes read."""
        every = [self.reads(node) for node in nodes]
        return Reads(
            frozenset().union(*(one.states for one in every)),
            frozenset().union(*(one.zones for one in every)),
            frozenset().union(*(one.options for one in every)),
            frozenset().union(*(one.locals for one in every)),
            frozenset().union(*(one.fields for one in every)),
            frozenset().union(*(one.provenance for one in every)),
            any(one.me for one in every),
        )

    def _read(self, node: object) -> Reads:
        states, zones, options, places, provenance = set(), set(), set(), set(), set()
        numbers: set[int] = set()
        me = False
        more = _NOTHING_READ
        for part in walk(node):
            match part:
                case e.StateOf(name):
                    states.add(name)
                case e.ZoneCards(zone) | e.FamilyCards(zone) | e.ZonePiles(zone):
                    zones.add(zone)
                case e.PileCards(pile):
                    zones |= pile_zones(pile, self.program)
                case e.PileField(zone, field):
                    places.add(f"{zone}.{field}")
                case e.Option(name):
                    options.add(name)
                case e.Local(number) | e.Answered(number):
                    numbers.add(number)
                case e.CardFact(fact) if fact in PROVENANCE:
                    provenance.add(fact)
                case e.Stacked():
                    provenance.add("pile")
                    zones |= {z.name for z in self.program.zones.values() if z.kind != "set"}
                case e.Me():
                    me = True
                case e.CallDefine(name):
                    more |= self.define(name)
                case e.FactOf(name):
                    more |= self.fact(name)
                case e.Expr() | pt.RepeatedPart() | pt.NamedPart() if hasattr(part, "pattern"):
                    more |= self.pattern(part.pattern)
        found = Reads(
            frozenset(states),
            frozenset(zones),
            frozenset(options),
            frozenset(numbers),
            frozenset(places),
            frozenset(provenance),
            me,
        )
        return found | more

    def define(self, name: str) -> Reads:
        """What a define reads besides its parameters."""
        if name not in self._defines:
            self._defines[name] = _NOTHING_READ  # a define in a circle: nobody evaluates it
            if name in self.program.defines:
                found = self._read(self.program.defines[name].body)
                self._defines[name] = _without_locals(found)
        return self._defines[name]

    def fact(self, name: str) -> Reads:
        """What a card fact reads besides the card."""
        if name not in self._facts:
            self._facts[name] = _NOTHING_READ
            if name in self.program.facts:
                self._facts[name] = _without_locals(self._read(self.program.facts[name].body))
        return self._facts[name]

    def pattern(self, name: str) -> Reads:
        """What a pattern reads besides the cards."""
        if name not in self._patterns:
            self._patterns[name] = _NOTHING_READ
            if name in self.program.patterns:
                pattern = self.program.patterns[name]
                found = self._read(pattern)
                for other in pattern.classes:
                    found |= self.pattern(other)
                self._patterns[name] = _without_locals(found)
        return self._patterns[name]

    # ------------------------------------------------------------ writes

    def writes(self, stmt: Stmt) -> Writes:
        """All that a statement may change, with the statements inside it, phases called and moves asked."""
        found = self._writes.get(id(stmt))
        if found is None:
            found = self._writes[id(stmt)] = self._write(stmt)
            self._kept.append(stmt)
        return found

    def writes_all(self, body: Iterable[Stmt]) -> Writes:
        """All that a list of statements may change."""
        found = _NOTHING_WRITTEN
        for stmt in body:
            found |= self.writes(stmt)
        return found

    def phase(self, name: str) -> Writes:
        """All that a run of a phase may change, its own state included."""
        if ("phase", name) not in self._units:
            self._units["phase", name] = _NOTHING_WRITTEN
            if name in self.program.phases:
                phase = self.program.phases[name]
                own = Writes(states=frozenset(phase.state), locals=frozenset(phase.parameters))
                self._units["phase", name] = own | self.writes_all((*phase.body, *phase.after))
        return self._units["phase", name]

    def move(self, name: str) -> Writes:
        """All that a move may change."""
        if ("move", name) not in self._units:
            self._units["move", name] = _NOTHING_WRITTEN
            if name in self.program.moves:
                move = self.program.moves[name]
                own = Writes(
                    states=frozenset(move.state), locals=frozenset(choice.local for choice in move.choices)
                )
                self._units["move", name] = own | self.writes_all(move.body)
        return self._units["move", name]

    def _write(self, stmt: Stmt) -> Writes:
        match stmt:
            case s.Assign(s.StatePlace(name)):
                return Writes(states=frozenset({name}))
            case s.Assign(s.LocalPlace(number)):
                return Writes(locals=frozenset({number}))
            case s.Assign(s.FieldPlace(zone, field)):
                return Writes(fields=frozenset({f"{zone}.{field}"}))
            case s.Claim(local, zone):
                fields = frozenset(f"{zone}.{f.name}" for f in self.program.zones[zone].fields)
                return Writes(locals=frozenset({local}), zones=frozenset({zone}), fields=fields)
            case s.Move(cards, to):
                return self._carried(self.origins.of(cards), target_zones(to, self.program))
            case s.Deal(_, to, source):
                return self._carried(target_zones(source, self.program), target_zones(to, self.program))
            case s.Shuffle(into, cards):
                origin = frozenset({into.zone}) if cards is None else self.origins.of(cards)
                return self._carried(origin, frozenset({into.zone}))
            case s.Swap(left, right):
                return self._carried(self.origins.of(left), self.origins.of(right))
            case s.Flip():
                return Writes(cards=True)
            case s.Call(phase):
                return self.phase(phase)
            case s.Ask(_, moves, answers=answers):
                found = Writes(locals=frozenset(answers))
                for move in moves:
                    found |= self.move(move)
                return found
            case s.If(branches, otherwise):
                inner = [inner for _, body in branches for inner in body]
                return self.writes_all([*inner, *otherwise])
            case s.For(local, _, body):
                return self.writes_all(body) | Writes(locals=frozenset({local}))
            case s.Repeat(_, body) | s.Until(_, body):
                return self.writes_all(body)
        return _NOTHING_WRITTEN

    def _carried(self, origin: frozenset[str] | None, target: frozenset[str] | None) -> Writes:
        every = frozenset(self.program.zones)
        return Writes(zones=(every if origin is None else origin) | (target or every), cards=True)


def reads_of(node: object, program: p.Program) -> Reads:
    """What an expression (or the expressions of anything else) reads, through defines and facts."""
    return Uses(program).reads(node)


def writes_of(stmt: Stmt, program: p.Program) -> Writes:
    """What a statement may change, through phases called and moves asked."""
    return Uses(program).writes(stmt)


def _without_locals(found: Reads) -> Reads:
    return Reads(
        found.states,
        found.zones,
        found.options,
        frozenset(),
        found.fields,
        found.provenance,
        found.me,
    )
