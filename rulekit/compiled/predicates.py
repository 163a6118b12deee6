"""Predicates over the members of a set become mask algebra and tables of masks, worked out once."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Sequence
from itertools import product
from math import prod
from typing import TYPE_CHECKING

from rulekit.compiled import fold, lir
from rulekit.compiled.domains import Domain
from rulekit.compiled.fold import TRUE  # noqa: F401
from rulekit.compiled.hoist import hoisted
from rulekit.compiled.lir import NONE, Bits, Expr, Int
from rulekit.compiled.ranges import Span
from rulekit.compiled.trees import children, compiled, mentions, pure_constant, rebuilt, size

if TYPE_CHECKING:
    from rulekit.compiled.context import Lower

MOST_ROWS = 1024  #: of a table, for all that a predicate reads besides the member
MOST_WORK = 60_000  #: evaluations for one table
MOST_GROUPS = 24  #: members that are told apart by a set that is not known


def filtered(lower: Lower, base: Expr, domain: Domain, condition: Callable[[Expr], Expr]) -> Expr:
    """The members of ``base`` for which the condition, given the value, holds."""
    mask = algebra(lower, domain, condition)
    if mask is not None:
        return fold.intersect(base, mask)
    b = lower.b
    found = b.var(domain.kind)
    b.set(found, fold.empty(domain.kind))
    var = b.var(span=Span(0, domain.width - 1))
    with b.collect() as stmts:
        holds = condition(domain.value(lir.Get(var)))
        keep = lir.Let(found, fold.unite(lir.Get(found), fold.single(lir.Get(var), domain.kind)))
        b.if_(holds, [keep])
    b.loop(lambda rest: lir.ForBits(var, base, rest), stmts, var)
    return lir.Get(found)


def algebra(lower: Lower, domain: Domain, condition: Callable[[Expr], Expr]) -> Expr | None:
    """All members for which the condition holds, without a loop; None if it takes one."""
    var = lower.b.var(span=Span(0, domain.width - 1))
    with lower.b.collect() as stmts, lower.speculating():
        holds = condition(domain.value(lir.Get(var)))
    before, rest = hoisted(stmts, [var])
    if rest:
        return None
    mark = len(lower.b.statements)
    lower.b.emit(*before)
    mask = _Masks(lower, var, domain.kind).mask(holds)
    if mask is None:
        del lower.b.statements[mark:]
    return mask


class _Masks:
    def __init__(self, lower: Lower, var: lir.Var, kind: Bits) -> None:
        self.lower, self.var, self.kind = lower, var, kind

    def mask(self, x: Expr) -> Expr | None:
        """The members for which ``x`` holds."""
        if not mentions(x, self.var):
            return fold.choose(x, fold.full(self.kind), fold.empty(self.kind))
        match x:
            case lir.And(left, right):
                return self.two(fold.intersect, left, right)
            case lir.Or(left, right):
                return self.two(fold.unite, left, right)
            case lir.Not(of):
                inside = self.mask(of)
                return None if inside is None else fold.without(fold.full(self.kind), inside)
            case lir.Cond(condition, yes, no):
                test, one, other = self.mask(condition), self.mask(yes), self.mask(no)
                if test is None or one is None or other is None:
                    return None
                test = self.lower.b.atom(test)
                return fold.unite(fold.intersect(test, one), fold.without(other, test))
            case lir.Has(bits, lir.Get(var)) if (
                var == self.var and not mentions(bits, self.var) and bits.kind == self.kind
            ):
                return bits
            case lir.Has(bits, member) if not mentions(bits, self.var):
                if not pure_constant(bits):
                    return self.grouped(bits, member)
            case lir.Binary("!=", left, right):
                inside = self.mask(lir.Binary("==", left, right))
                return None if inside is None else fold.without(fold.full(self.kind), inside)
            case lir.Binary("==", left, right):
                for one, other in ((left, right), (right, left)):
                    if isinstance(one, lir.Get) and one.var == self.var and not mentions(other, self.var):
                        return self.single(other)
        return self.tabulated(x)

    def two(self, op: Callable[[Expr, Expr], Expr], left: Expr, right: Expr) -> Expr | None:
        one = self.mask(left)
        if one is None:
            return None
        other = self.mask(right)
        return None if other is None else op(one, other)

    def single(self, value: Expr) -> Expr:
        """The member equal to a value, if it is one."""
        span = self.lower.b.ranges.of(value)
        if not span.none and span.low >= 0 and span.high < self.kind.width:
            return fold.single(value, self.kind)
        value = self.lower.b.atom(value)
        inside = fold.both(fold.binary(">=", value, Int(0)), fold.binary("<", value, Int(self.kind.width)))
        return fold.choose(inside, fold.single(value, self.kind), fold.empty(self.kind))

    def grouped(self, bits: Expr, member: Expr) -> Expr | None:
        """Members whose fact lies in a set that is not known: a mask for each member of that set."""
        values = worked_out(self.lower, [member], self.var, self.kind.width)
        assert isinstance(bits.kind, Bits)
        if values is None:
            return None
        groups: dict[int, int] = {}
        for place, (value,) in enumerate(values):
            if 0 <= value < bits.kind.width:
                groups[value] = groups.get(value, 0) | 1 << place
        if len(groups) > MOST_GROUPS:
            return None
        bits = self.lower.b.atom(bits)
        found: Expr = fold.empty(self.kind)
        for value, mask in sorted(groups.items()):
            there = fold.has(bits, Int(value))
            found = fold.unite(found, fold.choose(there, lir.Set(mask, self.kind), fold.empty(self.kind)))
        return found

    def tabulated(self, x: Expr) -> Expr | None:
        """A table of masks, by all that is read besides the member."""
        table = Tabulated.of(self.lower, [x], self.var, self.kind.width)
        if table is None:
            return None
        masks = []
        width = self.kind.width
        for start in range(0, len(table.rows), width):
            masks.append(sum(1 << n for n, (holds,) in enumerate(table.rows[start : start + width]) if holds))
        return self.lower.b.lookup(masks, table.index, self.kind)


class Tabulated:
    """Expressions worked out for every member and all values of what else they read.

    ``rows``  the values, members side by side; ``index`` which group of rows holds
    """

    def __init__(self, rows: list[tuple[int, ...]], index: Expr) -> None:
        self.rows, self.index = rows, index

    @staticmethod
    def of(lower: Lower, parts: Sequence[Expr], var: lir.Var, width: int) -> Tabulated | None:
        """None if they read too much, or what cannot be told beforehand."""
        atoms: dict[Expr, lir.Var] = {}

        def freed(x: Expr) -> Expr:
            if mentions(x, var):
                return x if isinstance(x, lir.Get) else rebuilt(x, freed)
            if pure_constant(x):
                return x
            if x not in atoms and _is_wider(lower, x, atoms):
                return rebuilt(x, freed)
            if x not in atoms:
                atoms[x] = lower.b.var()
            return lir.Get(atoms[x])

        if any(
            isinstance(node, lir.Load | lir.PileSize | lir.PileAt)
            for part in parts
            for node in _reads(part, var)
        ):
            return None
        changed = [freed(part) for part in parts]
        spans = []
        rows = 1
        for atom in atoms:
            if isinstance(atom.kind, Bits):
                return None
            span = lower.b.ranges.of(atom)
            rows *= max(1, span.size)
            if rows > MOST_ROWS or rows * width > MOST_WORK:
                return None
            spans.append(span)
        tables = {table.name: table.values for table in lower.b.tables.values()}
        work = compiled(changed, [*atoms.values(), var], tables)
        found = []
        try:
            for values in product(*(_values(span) for span in spans)):
                for member in range(width):
                    found.append(work(*values, member))
        except (IndexError, ZeroDivisionError, ValueError):
            return None  # it is guarded where it stands, not for all values
        index: Expr = Int(0)
        for atom, span in zip(atoms, spans, strict=True):
            index = fold.add(fold.binary("*", index, Int(span.size)), _place(lower, atom, span))
        return Tabulated(found, index)


def _is_wider(lower: Lower, x: Expr, known: Container[Expr]) -> bool:
    """An expression can have more values than all that it reads has together: a place in a table has gaps."""
    read = {part for part in _sources(x) if part not in known}
    if x in read or isinstance(x.kind, Bits) or any(isinstance(part.kind, Bits) for part in read):
        return False
    ranges = lower.b.ranges
    return prod(max(1, ranges.of(part).size) for part in read) < ranges.of(x).size


def _sources(x: Expr) -> Iterator[Expr]:
    """What an expression reads of the state and of locals."""
    if isinstance(x, lir.Get | lir.Load | lir.PileSize | lir.PileAt):
        yield x
    else:
        for child in children(x):
            yield from _sources(child)


def _reads(x: Expr, var: lir.Var) -> list[Expr]:
    """The parts of an expression that read the member and more than tables of it."""
    if not mentions(x, var):
        return []
    found: list[Expr] = [x]
    for child in children(x):
        found += _reads(child, var)
    return found


def _values(span: Span) -> list[int]:
    return [*([NONE] if span.none else ()), *range(span.low, span.high + 1)]


def _place(lower: Lower, value: Expr, span: Span) -> Expr:
    """The place of a value among `_values`."""
    if not span.none:
        return fold.add(value, -span.low)
    if span.low > span.high:
        return Int(0)
    return fold.add(fold.binary("max", value, Int(span.low - 1)), 1 - span.low)


def worked_out(lower: Lower, parts: Sequence[Expr], var: lir.Var, width: int) -> list[tuple[int, ...]] | None:
    """The values for each member, if nothing else is read."""
    table = Tabulated.of(lower, parts, var, width)
    return table.rows if table is not None and table.index == Int(0) and len(table.rows) == width else None


def key_table(lower: Lower, parts: Sequence[Expr], var: lir.Var, width: int) -> Expr | None:
    """One number that orders as the parts do, from a table; None if it takes more than a table."""
    if all(size(part) <= 1 for part in parts) and len(parts) == 1:
        return None
    table = Tabulated.of(lower, parts, var, width)
    if table is None:
        return None
    if len(parts) == 1:
        values = [value for (value,) in table.rows]
    else:
        places = {row: place for place, row in enumerate(sorted(set(table.rows)))}
        values = [places[row] for row in table.rows]
    at = fold.add(fold.binary("*", table.index, Int(width)), lir.Get(var))
    return lower.b.lookup(values, at)
