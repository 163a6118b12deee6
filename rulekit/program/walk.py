"""Going through a typed program: its parts, what they read, what they change."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields
from typing import Any

from rulekit.program import expressions as e
from rulekit.program import patterns as pt
from rulekit.program import program as p
from rulekit.program import statements as s
from rulekit.program.expressions import Expr
from rulekit.program.statements import Stmt

Part = (
    Expr
    | Stmt
    | s.ValuePlace
    | s.CardPlace
    | s.Because
    | p.Choice
    | p.Entry
    | p.Condition
    | pt.Constraint
    | pt.Part
)

_PARTS = (
    Expr,
    Stmt,
    s.StatePlace,
    s.LocalPlace,
    s.FieldPlace,
    s.ZonePlace,
    s.PilePlace,
    s.EitherPlace,
    s.Because,
    p.Choice,
    p.Entry,
    p.Condition,
    pt.Constraint,
    pt.CardsPart,
    pt.RepeatedPart,
    pt.NamedPart,
    pt.WithPart,
    pt.OrPart,
)
_fields: dict[type, tuple[str, ...]] = {}

PROVENANCE = frozenset({"owner", "player", "pile", "face"})  #: card facts that depend on where a card lies


def parts(node: object) -> Iterator[Part]:
    """The parts that stand directly in ``node`` (a part, a definition, or a tuple of such), in order."""
    if isinstance(node, tuple):
        for item in node:
            if isinstance(item, _PARTS):
                yield item
            elif isinstance(item, tuple):
                yield from parts(item)
        return
    kind = type(node)
    names = _fields.get(kind)
    if names is None:
        names = tuple(f.name for f in fields(node) if f.name not in ("type", "span"))  # type: ignore[arg-type]
        _fields[kind] = names
    for name in names:
        value: Any = getattr(node, name)
        if isinstance(value, _PARTS):
            yield value
        elif isinstance(value, tuple):
            yield from parts(value)


def walk(node: object) -> Iterator[Part]:
    """All parts below ``node``, itself included if it is a part; outer before inner, first before last."""
    if isinstance(node, _PARTS):
        yield node
    stack = [parts(node)]
    while stack:
        part = next(stack[-1], None)
        if part is None:
            stack.pop()
            continue
        yield part
        stack.append(parts(part))


def walk_expressions(node: object) -> Iterator[Expr]:
    """All expressions in ``node``, those inside statements included."""
    return (part for part in walk(node) if isinstance(part, Expr))


def walk_statements(node: object) -> Iterator[Stmt]:
    """All statements in ``node``, those inside others included, in the order of the file."""
    return (part for part in walk(node) if isinstance(part, Stmt))


def operands(condition: Expr) -> list[Expr]:
    """The conditions joined by `and`, or by `or`, first to last; of anything else, itself."""
    kind = type(condition)
    if not isinstance(condition, e.And | e.Or):
        return [condition]
    found: list[Expr] = []
    waiting: list[Expr] = [condition]
    while waiting:
        part = waiting.pop()
        if isinstance(part, e.And | e.Or) and type(part) is kind:
            waiting += (part.right, part.left)
        else:
            found.append(part)
    return found


def own_expressions(stmt: Stmt) -> Iterator[Expr]:
    """The outermost expressions of one statement: those of the statements inside it are left out."""
    stack: list[Iterator[Part]] = [parts(stmt)]
    while stack:
        part = next(stack[-1], None)
        if part is None:
            stack.pop()
        elif isinstance(part, Expr):
            yield part
        elif not isinstance(part, Stmt):
            stack.append(parts(part))


def bodies(program: p.Program) -> Iterator[tuple[str, str, tuple[Stmt, ...]]]:
    """Every list of statements: kind (`play`, `phase`, `after`, `move`), name, statements."""
    yield "play", "play", program.play
    for phase in program.phases.values():
        yield "phase", phase.name, phase.body
        yield "after", phase.name, phase.after
    for move in program.moves.values():
        yield "move", move.name, move.body


# ---------------------------------------------------------------- reading and changing


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


# ---------------------------------------------------------------- where cards come from


def pile_zones(pile: Expr, program: p.Program) -> frozenset[str]:
    """The zones a pile value may belong to."""
    match pile:
        case e.ZonePile(zone) | e.ZonePiles(zone):
            return frozenset({zone})
    named = getattr(pile.type, "zone", None) or getattr(getattr(pile.type, "of", None), "zone", None)
    if named:
        return frozenset({named})
    return frozenset(zone.name for zone in program.zones.values() if zone.kind != "set")


def target_zones(place: s.CardPlace, program: p.Program) -> frozenset[str]:
    """The zones a place may belong to."""
    match place:
        case s.ZonePlace(zone):
            return frozenset({zone})
        case s.PilePlace(pile):
            return pile_zones(pile, program)
        case s.EitherPlace(_, yes, no):
            return target_zones(yes, program) | target_zones(no, program)


class Origins:
    """From which zones the cards of an expression may come."""

    def __init__(self, program: p.Program) -> None:
        self.program = program
        self._sources: dict[int, list[Expr | None]] = {}  # what a local may be bound to; None: any card
        self._homes: dict[int, list[Stmt | None]] = {}  # the innermost loop round each place of binding
        self._moved: dict[int, list[tuple[Stmt | None, frozenset[str]]]] = {}  # ... and of moving; whereto
        self._locals: dict[int, frozenset[str] | None] = {}
        self._defines: dict[str, frozenset[str] | None] = {}
        for fact in program.facts.values():
            self._bind(fact.local, None, None)
            self._note(fact.body)
        for define in program.defines.values():
            self._note(define.body)
        for move in program.moves.values():
            for choice in move.choices:
                for entry in choice.entries:
                    self._bind(choice.local, entry.domain, None)
            self._note((move.choices, move.conditions))
            self._body(move.body, None)
        for phase in program.phases.values():
            self._body((*phase.body, *phase.after), None)
        for pattern in program.patterns.values():
            self._note(pattern)
        self._body(program.play, None)
        self._note(program.end)
        for state in program.state.values():
            self._note(state)

    def _bind(self, local: int, source: Expr | None, home: Stmt | None) -> None:
        self._sources.setdefault(local, []).append(source)
        self._homes.setdefault(local, []).append(home)

    def _body(self, body: Iterable[Stmt], loop: Stmt | None) -> None:
        for stmt in body:
            self._statement(stmt, loop)
            inside = stmt if isinstance(stmt, s.For | s.Repeat | s.Until) else loop
            self._body((part for part in parts(stmt) if isinstance(part, Stmt)), inside)

    def _statement(self, stmt: Stmt, loop: Stmt | None) -> None:
        for expr in own_expressions(stmt):
            self._note(expr)
        match stmt:
            case s.Call(name, arguments) if name in self.program.phases:
                parameters = self.program.phases[name].parameters
                for parameter, argument in zip(parameters, arguments, strict=False):
                    self._bind(parameter, argument, None)
            case s.For(local, domain):
                self._bind(local, domain, stmt)
            case s.Assign(s.LocalPlace(local), _, value):
                self._bind(local, value, loop)
            case s.Move(cards, to):
                for local in _named_locals(cards):
                    self._moved.setdefault(local, []).append((loop, target_zones(to, self.program)))
            case s.Swap(left, right):
                for cards, other in ((left, right), (right, left)):
                    for local in _named_locals(cards):
                        self._bind(local, other, loop)

    def _note(self, node: object) -> None:
        for part in walk(node):
            match part:
                case e.Filter(domain, local) | e.Every(domain, local) | e.Extreme(_, domain, local):
                    self._bind(local, domain, None)
                case e.Collect(domain, local):
                    self._bind(local, domain, None)
                case e.CallDefine(name, arguments) if name in self.program.defines:
                    parameters = self.program.defines[name].parameters
                    for parameter, argument in zip(parameters, arguments, strict=False):
                        self._bind(parameter, argument, None)

    def of(self, cards: Expr) -> frozenset[str] | None:
        """The zones; None: any."""
        match cards:
            case e.ZoneCards(zone) | e.FamilyCards(zone):
                return frozenset({zone})
            case e.ZonePile() | e.ZonePiles():
                return pile_zones(cards, self.program)
            case e.PileCards(pile):
                return pile_zones(pile, self.program)
            case e.Constant(value=None | ()):
                return frozenset()
            case e.Local(number):
                return self._of_local(number)
            case e.Filter(domain) | e.Extreme(_, domain) | e.Random(domain):
                return self.of(domain)
            case e.Collect(_, _, value):
                return self.of(value)
            case e.One(of) | e.Only(of) | e.End(of) | e.Stacked(of) | e.Selections(of=of):
                return self.of(of)
            case pt.Instances(of) | pt.Tail(of) | pt.Inside(of):
                return self.of(of)
            case e.Difference(left):
                return self.of(left)
            case e.Intersection(left, right):
                found = self.of(left)
                return self.of(right) if found is None else found
            case e.Union(left, right) | e.If(_, left, right):
                return _either(self.of(left), self.of(right))
            case e.Choose(_, rows, default):
                found = frozenset() if default is None else self.of(default)
                for _, value in rows:
                    found = _either(found, self.of(value))
                return found
            case e.CallDefine(name) if name in self.program.defines:
                if name not in self._defines:
                    self._defines[name] = None
                    self._defines[name] = self.of(self.program.defines[name].body)
                return self._defines[name]
        return None

    def _of_local(self, number: int) -> frozenset[str] | None:
        if number not in self._locals:
            self._locals[number] = None  # bound to itself: any card
            found: frozenset[str] | None = frozenset()
            moved = self._moved.get(number, [])
            if len(moved) != 1 or self._homes.get(number) != [moved[0][0]]:
                for _, zones in moved:  # when it is moved again it lies where it was moved to
                    found = _either(found, zones)
            for source in self._sources.get(number, [None]):
                found = _either(found, None if source is None else self.of(source))
            self._locals[number] = found
        return self._locals[number]


def _named_locals(cards: Expr) -> list[int]:
    return [part.number for part in walk_expressions(cards) if isinstance(part, e.Local)]


def _either(left: frozenset[str] | None, right: frozenset[str] | None) -> frozenset[str] | None:
    return None if left is None or right is None else left | right
