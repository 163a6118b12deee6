"""Where cards come from: the zones in which the cards of an expression may lie."""

from __future__ import annotations

from collections.abc import Iterable

from rulekit.program import expressions as e
from rulekit.program import patterns as pt
from rulekit.program import program as p
from rulekit.program import statements as s
from rulekit.program.expressions import Expr
from rulekit.program.statements import Stmt
from rulekit.program.walk import own_expressions, parts, walk, walk_expressions


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
                self._homes.setdefault(choice.local, []).append(None)  # bound once, by one of its duties
                self._sources.setdefault(choice.local, []).extend(entry.domain for entry in choice.entries)
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
