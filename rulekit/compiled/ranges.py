"""What numbers an expression of the low-level form can have: bounds, and whether it may be none."""

from __future__ import annotations

from dataclasses import dataclass

from rulekit.compiled import lir
from rulekit.compiled.lir import NONE

LIMIT = 2**31 - 1


@dataclass(frozen=True)
class Span:
    """From ``low`` to ``high`` (nothing if low is above high), or with ``none`` also `NONE`."""

    low: int
    high: int
    none: bool = False

    @property
    def size(self) -> int:
        """How many values, none among them."""
        return max(0, self.high - self.low + 1) + self.none

    @property
    def fits(self) -> bool:
        """All of it is within 32 bits."""
        return self.low > self.high or (self.low >= -LIMIT and self.high <= LIMIT)


ANY = Span(-LIMIT, LIMIT, True)
TRUTH = Span(0, 1)


def join(a: Span, b: Span) -> Span:
    none = a.none or b.none
    if a.low > a.high:
        return Span(b.low, b.high, none)
    if b.low > b.high:
        return Span(a.low, a.high, none)
    return Span(min(a.low, b.low), max(a.high, b.high), none)


class Ranges:
    """What is known of fields and locals, and from that of expressions."""

    def __init__(self) -> None:
        self.fields: dict[str, Span] = {}
        self.vars: dict[int, Span] = {}
        self.tables: dict[str, Span] = {}
        self.lengths: dict[str, int] = {}  #: of fields and tables
        self.capacity = 255

    def of(self, x: lir.Expr) -> Span:
        match x:
            case lir.Int(value):
                return Span(1, 0, True) if value == NONE else Span(value, value)
            case lir.Get(var):
                return self.vars.get(var.number, ANY)
            case lir.Load(field):
                return self.fields.get(field, ANY)
            case lir.Lookup(table):
                return self.tables[table]
            case lir.Binary(op, left, right):
                return _binary(op, self.of(left), self.of(right))
            case lir.Cond(_, yes, no):
                return join(self.of(yes), self.of(no))
            case lir.Count(bits):
                assert isinstance(bits.kind, lir.Bits)
                return Span(0, bits.kind.width)
            case lir.Lowest(bits) | lir.Highest(bits) | lir.Nth(bits):
                assert isinstance(bits.kind, lir.Bits)
                return Span(0, bits.kind.width - 1)
            case lir.Ways():
                return Span(0, min((1 << x.lane) - 1, LIMIT))
            case lir.PileSize():
                return Span(0, self.capacity)
            case lir.PileAt():
                return Span(0, self.capacity - 1)
        return TRUTH


def _binary(op: str, a: Span, b: Span) -> Span:
    match op:
        case "+":
            return Span(a.low + b.low, a.high + b.high)
        case "-":
            return Span(a.low - b.high, a.high - b.low)
        case "*":
            ends = [x * y for x in (a.low, a.high) for y in (b.low, b.high)]
            return Span(min(ends), max(ends))
        case "//":
            if b.low > 0 or b.high < 0:
                ends = [x // y for x in (a.low, a.high) for y in (b.low, b.high)]
                return Span(min(ends), max(ends))
            most = max(abs(a.low), abs(a.high))
            return Span(-most, most)
        case "%":
            if b.low > 0:
                return Span(0, b.high - 1)
            return Span(min(b.low + 1, 0), max(b.high - 1, 0))
        case "min":
            return Span(min(a.low, b.low), min(a.high, b.high))
        case "max":
            return Span(max(a.low, b.low), max(a.high, b.high))
    return TRUTH


def of_tables(values: tuple[int, ...]) -> Span:
    there = [value for value in values if value != NONE]
    return Span(min(there, default=1), max(there, default=0), len(there) < len(values))
