"""What follows from what: conditions compared by their form, and a small table of truths."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from itertools import product
from operator import is_
from typing import Any

from rulekit.program import Program
from rulekit.program import expressions as e
from rulekit.program import patterns as pt
from rulekit.program import types as t
from rulekit.program.walk import operands, walk_expressions
from rulekit.records import dataclass, field_names

_ATOMS = 10  #: conditions beyond which nothing is tried
_DEPTH = 20  #: defines inside defines
_EXPANSIONS = 300  #: defines written out in one expression
_NONE = e.Constant(None, type=t.NOTHING)


# ---------------------------------------------------------------- formulas


@dataclass(frozen=True)
class Atom:
    """A condition taken as it stands."""

    condition: e.Expr


@dataclass(frozen=True)
class Every:
    """All of these hold."""

    parts: tuple[Formula, ...]


@dataclass(frozen=True)
class Some:
    """One of these holds."""

    parts: tuple[Formula, ...]


@dataclass(frozen=True)
class No:
    """This does not hold."""

    part: Formula


Formula = Atom | Every | Some | No
ALWAYS, NEVER = Every(()), Some(())


def follows(goal: Formula, facts: list[Formula]) -> bool:
    """Does the goal hold whenever the facts do? False too if there is too much to look at."""
    goal = _decided(simple(goal), {atom for fact in facts for atom in _atoms(fact)})
    if goal in (ALWAYS, NEVER):
        return goal == ALWAYS
    atoms = list(dict.fromkeys(_atoms(goal)))
    wanted = set(atoms)
    used: list[Formula] = []
    for fact in facts:  # only what speaks of the goal's own conditions helps
        inside = list(_atoms(fact))
        if wanted & set(inside):
            used.append(fact)
            atoms = list(dict.fromkeys([*atoms, *inside]))
    if len(atoms) > _ATOMS:
        return False
    above = _thresholds(atoms)
    for values in product((False, True), repeat=len(atoms)):
        world = dict(zip(atoms, values, strict=True))
        if any(world[higher] and not world[lower] for lower, higher in above):
            continue  # more than 3 and not more than 2: there is no such number
        if all(_true(fact, world) for fact in used) and not _true(goal, world):
            return False
    return True


def _thresholds(atoms: list[e.Expr]) -> list[tuple[e.Expr, e.Expr]]:
    """Pairs of conditions `x > 2`, `x > 3` of one x, the weaker first."""
    found: list[tuple[e.Expr, e.Expr]] = []
    for one, other in product(atoms, atoms):
        match one, other:
            case e.Less(e.Constant(int() as low), x, False), e.Less(e.Constant(int() as high), y, False):
                if x == y and low < high:
                    found.append((one, other))
    return found


def _decided(goal: Formula, told: set[e.Expr]) -> Formula:
    """The goal without conditions that no fact tells of and that can only help it, or only hurt it."""
    while True:
        helps, hurts = set(_atoms(goal, True)) - told, set(_atoms(goal, False)) - told
        worst: dict[e.Expr, Formula] = dict.fromkeys(helps - hurts, NEVER)
        worst |= dict.fromkeys(hurts - helps, ALWAYS)
        if not worst:
            return goal
        goal = simple(_settled(goal, worst))


def _settled(formula: Formula, known: Mapping[e.Expr, Formula]) -> Formula:
    match formula:
        case Atom(condition):
            return known.get(condition, formula)
        case Every(parts):
            return Every(tuple(_settled(part, known) for part in parts))
        case Some(parts):
            return Some(tuple(_settled(part, known) for part in parts))
        case No(part):
            return No(_settled(part, known))


def simple(formula: Formula) -> Formula:
    """The formula without the parts that decide nothing."""
    match formula:
        case Every(parts):
            inner = [part for part in map(simple, parts) if part != ALWAYS]
            if NEVER in inner:
                return NEVER
            return inner[0] if len(inner) == 1 else Every(tuple(inner))
        case Some(parts):
            inner = [part for part in map(simple, parts) if part != NEVER]
            if ALWAYS in inner:
                return ALWAYS
            return inner[0] if len(inner) == 1 else Some(tuple(inner))
        case No(part):
            found = simple(part)
            if found in (ALWAYS, NEVER):
                return NEVER if found == ALWAYS else ALWAYS
            return No(found)
    return formula


def conditions_of(formula: Formula) -> Iterator[e.Expr]:
    """The conditions of which a formula is made."""
    return _atoms(formula)


def _atoms(formula: Formula, bare: bool | None = None) -> Iterator[e.Expr]:
    """The conditions of a formula: all, or those that stand bare (True) or denied (False)."""
    match formula:
        case Atom(condition):
            if bare is not False:
                yield condition
        case Every(parts) | Some(parts):
            for part in parts:
                yield from _atoms(part, bare)
        case No(part):
            yield from _atoms(part, None if bare is None else not bare)


def _true(formula: Formula, world: dict[e.Expr, bool]) -> bool:
    match formula:
        case Atom(condition):
            return world[condition]
        case Every(parts):
            return all(_true(part, world) for part in parts)
        case Some(parts):
            return any(_true(part, world) for part in parts)
        case No(part):
            return not _true(part, world)


# ---------------------------------------------------------------- one form for one meaning


class Forms:
    """Brings expressions into one form, so that two ways to say a thing compare equal.

    Defines are written out; the variables of `where` are numbered afresh; ``me`` is
    the player who is asked.
    """

    def __init__(self, program: Program, me: e.Expr | None = None) -> None:
        self.program = program
        self.me = me
        self._left = _EXPANSIONS

    def formula(self, condition: e.Expr) -> Formula:
        """A condition as a formula."""
        return self._formula(self.whole(condition))

    def some(self, domain: e.Expr) -> Formula:
        """The condition that a collection is not empty."""
        return self._some(self.whole(domain))

    def choosable(self, domain: e.Expr) -> Formula:
        """The condition that there is something to choose, whole zones and states taken to hold something."""
        return self._choosable(self.whole(domain))

    def _choosable(self, domain: e.Expr) -> Formula:
        match domain:
            case e.Union(left, right):
                return Some((self._choosable(left), self._choosable(right)))
            case e.If(test, yes, no):
                chosen = self._formula(test)
                yes_, no_ = self._choosable(yes), self._choosable(no)
                return Some((Every((chosen, yes_)), Every((No(chosen), no_))))
            case e.Choose(_, rows, default):
                every = [self._choosable(value) for _, value in rows]
                return Every((*every, *([] if default is None else [self._choosable(default)])))
            case e.Filter(of, local, condition):
                bound, free = _apart(condition, local)
                one_card = len(bound) == 1 and of.type == t.CARDS and _excludes_one(bound[0], local)
                if bound and not one_card:  # cards but one count as a whole zone does: there are others
                    return Some((self._some(domain), self._whole_zone(of, bound, free, local)))
                return Every((*(self._formula(part) for part in free), self._choosable(of)))
            case e.Selections(low, _, of):
                return ALWAYS if low == e.Constant(0, type=t.BOOL) else self._choosable(of)
            case e.Rounds(of):
                return self._choosable(of)
            case e.Difference() | e.Intersection() | e.Constant() | e.One():
                return self._some(domain)
            case pt.Instances(of, pattern) if self._takes_any_card(pattern):
                return self._choosable(of)
            case pt.Instances() | pt.Tail() | pt.Inside():
                return self._some(domain)
        return ALWAYS

    def _whole_zone(self, of: e.Expr, bound: list[e.Expr], free: list[e.Expr], local: int) -> Formula:
        """`hand where suit == led or leading`: where the player leads it is the whole zone."""
        ways = [[part for part in _disjuncts(condition) if not _mentions(part, local)] for condition in bound]
        always = [Some(tuple(self._formula(part) for part in some)) for some in ways]
        return Every((*always, *(self._formula(part) for part in free), self._choosable(of)))

    def _takes_any_card(self, name: str, depth: int = 0) -> bool:
        """Is any single card an instance of the pattern?"""
        pattern = self.program.patterns.get(name)
        if pattern is None or depth > _DEPTH:
            return False

        def takes(part: pt.Part | None) -> bool:
            match part:
                case pt.CardsPart(low, high, constraints, False):
                    return low <= 1 and (high is None or high >= 1) and not constraints
                case pt.NamedPart(other):
                    return self._takes_any_card(other, depth + 1)
                case pt.OrPart(inner):
                    return any(takes(one) for one in inner)
            return False

        return takes(pattern.part) or any(self._takes_any_card(one, depth + 1) for one in pattern.classes)

    def _formula(self, condition: e.Expr) -> Formula:
        match condition:
            case e.Constant(value):
                return ALWAYS if value else NEVER
            case e.Not(operand):
                return No(self._formula(operand))
            case e.And():
                return Every(tuple(self._formula(part) for part in operands(condition)))
            case e.Or():
                return Some(tuple(self._formula(part) for part in operands(condition)))
            case e.If(test, yes, no) if isinstance(condition.type, t.Bool):
                chosen, yes_, no_ = self._formula(test), self._formula(yes), self._formula(no)
                return Some((Every((chosen, yes_)), Every((No(chosen), no_))))
            case e.AnyOf(of) if not (isinstance(of.type, t.BagOf) and isinstance(of.type.of, t.Bool)):
                return self._some(of)
            case e.Same(e.Count(of), e.Constant(value)) if value == 0:
                return No(self._some(of))
            case e.Same(left, e.Constant(value=())):
                return No(self._some(left))
            case e.Same(x, e.Constant(int() as value)) if isinstance(x.type, t.Int):
                return Every((self._more_than(x, value - 1), No(self._more_than(x, value))))
            case e.Less(e.Constant(int() as low), x, or_equal) if isinstance(x.type, t.Int):
                return self._more_than(x, low - 1 if or_equal else low)
            case e.Less(x, e.Constant(int() as high), or_equal) if isinstance(x.type, t.Int):
                return No(self._more_than(x, high if or_equal else high - 1))
            case e.Less(e.Constant(low), e.Count(of), or_equal) if low == (1 if or_equal else 0):
                return self._some(of)
            case e.Less(e.Count(of), e.Constant(high), or_equal) if high == (0 if or_equal else 1):
                return No(self._some(of))
            case e.Every(domain, local, holds):
                failing = e.Filter(domain, local, e.Not(holds, type=t.BOOL), type=domain.type)
                return No(self._some(self.form(failing)))
            case e.Same(e.Next(of), e.Constant(None)):
                return self._formula(e.Same(of, _NONE, type=t.BOOL))
            case e.Same(left, right) if left == right:
                return ALWAYS
            case e.Less(left, right, True) if _never_none(left) and _never_none(right):
                return No(Atom(e.Less(right, left, type=t.BOOL)))
        return Atom(condition)

    def _more_than(self, x: e.Expr, value: int) -> Formula:
        """`x > value`, the one form of all comparisons of a number with one that is known."""
        match x:
            case e.Count(of) if value == 0:
                return self._some(of)
            case e.Count() if value < 0:
                return ALWAYS
        assert isinstance(x.type, t.Int)
        if value < x.type.low:
            return ALWAYS
        if value >= x.type.high:
            return NEVER
        return Atom(e.Less(e.Constant(value, type=t.Int(value, value)), x, type=t.BOOL))

    def _some(self, domain: e.Expr) -> Formula:
        match domain:
            case e.Union(left, right):
                return Some((self._some(left), self._some(right)))
            case e.Rounds(of):
                return self._some(of)
            case e.One(of) if not isinstance(of.type, t.Optional | t.Nothing):
                return ALWAYS
            case e.Players() | e.Teams() | e.Deck():
                return ALWAYS
            case e.Constant(value):
                return ALWAYS if value else NEVER
            case e.If(test, yes, no):
                chosen = self._formula(test)
                return Some((Every((chosen, self._some(yes))), Every((No(chosen), self._some(no)))))
            case e.Filter(of, local, condition):
                return self._some_where(domain, of, local, condition)
        return Atom(e.AnyOf(domain, type=t.BOOL))

    def _some_where(self, domain: e.Expr, of: e.Expr, local: int, condition: e.Expr) -> Formula:
        """Some element meets the condition."""
        bound, free = _apart(condition, local)
        inner: Formula = self._some(of)
        if len(bound) == 1 and isinstance(bound[0], e.Or) and not self._members(of):
            each = [_joined([*free, part]) for part in _disjuncts(bound[0])]
            return Some(tuple(self._some_where(domain, of, local, part) for part in each))
        if bound:
            rest = e.Filter(of, local, _joined(bound), type=domain.type)
            ways: list[Formula] = [Atom(e.AnyOf(rest, type=t.BOOL))]
            members = self._members(of)
            if len(bound) < (members or _fewest(of)) and all(_excludes_one(part, local) for part in bound):
                return Every(tuple(self._formula(part) for part in free))
            if members and len(bound) == 1:
                for part in _disjuncts(bound[0]):
                    if not _mentions(part, local):
                        ways.append(self._formula(part))
                    elif (witness := _witness(part, local)) is not None:
                        there = No(self._formula(e.Same(witness, _NONE, type=t.BOOL)))
                        ways.append(ALWAYS if _never_none(witness) else there)
            inner = Some(tuple(ways))
        return Every((*(self._formula(part) for part in free), inner))

    def _members(self, of: e.Expr) -> int:
        """How many there are for sure if the collection is all of its kind; 0: it is not."""
        match of:
            case e.Players() | e.Rounds(e.Players()):
                return self.program.players[0]
            case e.Constant(value=tuple() as value):
                whole = {t.SUIT: len(self.program.deck.suits), t.RANK: len(self.program.deck.ranks)}
                kind = getattr(of.type, "of", None)
                if isinstance(kind, t.Word):
                    return len(value) if len(value) == len(self.program.words.get(kind.name, ())) else 0
                return len(value) if kind is not None and len(value) >= whole.get(kind, 1 << 30) else 0
        return 0

    # ------------------------------------------------------------ forms

    def whole(self, expr: e.Expr) -> e.Expr:
        """The one form of a whole expression."""
        self._left = _EXPANSIONS
        return self.form(expr)

    def form(
        self, expr: e.Expr, names: Mapping[int, e.Expr] | None = None, depth: int = 0, around: int = 0
    ) -> e.Expr:
        """The expression in its one form; ``names``: what locals stand for, ``around``: how many `where` it
        stands inside.
        """
        names = names or {}
        match expr:
            case e.Me() if self.me is not None:
                return self.me
            case e.Local(number):
                return names.get(number, expr)
            case e.CallDefine(name, arguments) if self._written_out(name, depth):
                define = self.program.defines[name]
                given = [self.form(argument, names, depth, around) for argument in arguments]
                return self.form(
                    define.body, dict(zip(define.parameters, given, strict=False)), depth + 1, around
                )
            case e.Not(e.Not(inner)):
                return self.form(inner, names, depth, around)
            case e.And() | e.Or():
                row = [self.form(operand, names, depth, around) for operand in operands(expr)]
                found = row[0]
                for right in row[1:]:
                    found = replace(expr, left=found, right=right)
                return found
        if not _binds(expr):
            return _rebuilt(expr, lambda _, inner: self.form(inner, names, depth, around))
        # The variable of a `where` is numbered by how many there are around it; its domain stands outside.
        local: int = getattr(expr, "local")  # noqa: B009
        own = -1 - around
        inside = {**names, local: e.Local(own, type=t.BOOL)}

        def part(name: str, inner: e.Expr) -> e.Expr:
            outside = name == "domain"
            return self.form(inner, names if outside else inside, depth, around + (not outside))

        return replace(_rebuilt(expr, part), local=own)  # type: ignore[call-arg]

    def _written_out(self, name: str, depth: int) -> bool:
        """May another define be written out?"""
        self._left -= 1
        return name in self.program.defines and depth < _DEPTH and self._left >= 0


def _rebuilt(expr: e.Expr, change: Callable[[str, e.Expr], e.Expr]) -> e.Expr:
    """The expression with each part changed."""
    changed: dict[str, Any] = {}
    same = True
    for name in field_names(type(expr)):
        if name in ("type", "span"):
            continue
        value = getattr(expr, name)
        if isinstance(value, e.Expr):
            changed[name] = change(name, value)
            same = same and changed[name] is value
        elif name in ("arguments", "parts"):
            changed[name] = tuple(change(name, inner) for inner in value)
            same = same and all(map(is_, changed[name], value))
        elif name == "rows":
            changed[name] = tuple((keys, change(name, inner)) for keys, inner in value)
            same = False
    return expr if same else replace(expr, **changed)


def _binds(expr: e.Expr) -> bool:
    return isinstance(expr, e.Filter | e.Every | e.Collect | e.Extreme)


def _conjuncts(condition: e.Expr) -> list[e.Expr]:
    if isinstance(condition, e.And):
        return [part for operand in operands(condition) for part in _conjuncts(operand)]
    return [condition]


def _disjuncts(condition: e.Expr) -> list[e.Expr]:
    if isinstance(condition, e.Or):
        return [part for operand in operands(condition) for part in _disjuncts(operand)]
    return [condition]


def _fewest(of: e.Expr) -> int:
    """So many numbers a range holds at least."""
    match of:
        case e.Numbers(low, high) if isinstance(low.type, t.Int) and isinstance(high.type, t.Int):
            return max(0, high.type.low - low.type.high + 1)
    return 0


def _excludes_one(condition: e.Expr, local: int) -> bool:
    """`it != x`."""
    return isinstance(condition, e.Not) and _witness(condition.operand, local) is not None


def _witness(condition: e.Expr, local: int) -> e.Expr | None:
    """`it == x`: the x."""
    match condition:
        case e.Same(e.Local(number), other) if number == local and not _mentions(other, local):
            return other
        case e.Same(other, e.Local(number)) if number == local and not _mentions(other, local):
            return other
    return None


def _joined(parts: list[e.Expr]) -> e.Expr:
    found = parts[0]
    for part in parts[1:]:
        found = e.And(found, part, type=t.BOOL)
    return found


def _apart(condition: e.Expr, local: int) -> tuple[list[e.Expr], list[e.Expr]]:
    """The parts of a condition that speak of the element, and those that do not."""
    parts = _conjuncts(condition)
    bound = [part for part in parts if _mentions(part, local)]
    return bound, [part for part in parts if part not in bound]


def _mentions(expr: e.Expr, local: int) -> bool:
    return any(isinstance(part, e.Local) and part.number == local for part in walk_expressions(expr))


def _never_none(expr: e.Expr) -> bool:
    return not isinstance(expr.type, t.Optional | t.Nothing | t.Key)


# ---------------------------------------------------------------- domains


@dataclass(frozen=True)
class Sieve:
    """A domain as what it is taken from and the conditions it must meet."""

    base: e.Expr
    conditions: frozenset[e.Expr]

    def covers(self, other: Sieve) -> bool:
        """Is everything in ``other`` in this one too?"""
        return self.base == other.base and self.conditions <= other.conditions


def sieve(domain: e.Expr) -> Sieve:
    """``domain`` in its one form, taken apart."""
    conditions: set[e.Expr] = set()
    while True:
        match domain:
            case e.Filter(of, _, condition):
                conditions |= set(_conjuncts(condition))
                domain = of
            case e.Difference(left, right):
                conditions.add(e.Not(right, type=t.BOOL))  # stands for "not one of these"
                domain = left
            case _:
                return Sieve(domain, frozenset(conditions))
