"""Expressions as written."""

from __future__ import annotations

from dataclasses import field

from rulekit.diagnostics import Span
from rulekit.records import dataclass


@dataclass(frozen=True, kw_only=True)
class Syntax:
    """Any part of the tree, with its place in the file."""

    span: Span = field(compare=False, repr=False)


class Expr(Syntax):
    """Something with a value."""


@dataclass(frozen=True)
class Name(Expr):
    """A word in small letters: `hand`."""

    id: str


@dataclass(frozen=True)
class Literals(Expr):
    """Cards, ranks or a number, as they stand: `QS 10H`, `Q K`, `8`. Never empty."""

    words: tuple[str, ...]


@dataclass(frozen=True)
class Nothing(Expr):
    """`none`."""


@dataclass(frozen=True)
class Truth(Expr):
    """`true` or `false`."""

    value: bool


@dataclass(frozen=True)
class Of(Expr):
    """`NAME of X`, the one way to look something up. Right-associative: `suit of first of trick`."""

    name: Name
    target: Expr


@dataclass(frozen=True)
class Call(Expr):
    """`NAME(A; B)`. Arguments are expressions, or one `By` for `highest(X by KEY)`."""

    name: Name
    args: tuple[Expr, ...]


@dataclass(frozen=True)
class By(Expr):
    """`X by KEY` or `X where C by KEY`, only inside a call (the `where` is in `domain`)."""

    domain: Expr
    key: Expr


@dataclass(frozen=True)
class Key(Expr):
    """`A then B then C`: two or more parts."""

    parts: tuple[Expr, ...]


@dataclass(frozen=True)
class Negate(Expr):
    """`-X`."""

    operand: Expr


@dataclass(frozen=True)
class Not(Expr):
    """`not X`."""

    operand: Expr


@dataclass(frozen=True)
class Logic(Expr):
    """`A or B`, `A and B`; `op` is "or" or "and"."""

    op: str
    left: Expr
    right: Expr


@dataclass(frozen=True)
class Compare(Expr):
    """`A == B`; `op` is one of == != < <= > >=. Comparisons do not chain."""

    op: str
    left: Expr
    right: Expr


@dataclass(frozen=True)
class In(Expr):
    """`A in B`, `A not in B`."""

    left: Expr
    right: Expr
    negated: bool = False


@dataclass(frozen=True)
class Arith(Expr):
    """`A + B`; `op` is one of + - | & * // %."""

    op: str
    left: Expr
    right: Expr


@dataclass(frozen=True)
class Clip(Expr):
    """`A at most B`, `A at least B`; `op` is "at most" or "at least"."""

    op: str
    left: Expr
    right: Expr


@dataclass(frozen=True)
class Range(Expr):
    """`A..B`, or `A..` (high is None)."""

    low: Expr
    high: Expr | None


@dataclass(frozen=True)
class From(Expr):
    """`N from X` (selections) or `PATTERN from X`: which of the two, the checker decides."""

    left: Expr
    right: Expr


@dataclass(frozen=True)
class Starting(Expr):
    """`X starting P`: round the table."""

    left: Expr
    right: Expr


@dataclass(frozen=True)
class Where(Expr):
    """`X where C`."""

    domain: Expr
    condition: Expr


@dataclass(frozen=True)
class Cond(Expr):
    """`if C then A else B`."""

    condition: Expr
    yes: Expr
    no: Expr


@dataclass(frozen=True)
class PatternRef(Syntax):
    """A pattern by name, perhaps with arguments: `set_of(5)`."""

    name: Name
    args: tuple[Expr, ...] = ()


@dataclass(frozen=True)
class Is(Expr):
    """`X is PATTERN`."""

    left: Expr
    pattern: PatternRef


@dataclass(frozen=True)
class Beats(Expr):
    """`A beats B as PATTERN`."""

    left: Expr
    right: Expr
    pattern: PatternRef


@dataclass(frozen=True)
class Qualified(Expr):
    """`best PATTERN from X`, `tail PATTERN from X`."""

    qualifier: str
    pattern: PatternRef
    source: Expr


@dataclass(frozen=True)
class Outside(Expr):
    """`X outside PATTERN`."""

    left: Expr
    pattern: PatternRef


@dataclass(frozen=True)
class Inside(Expr):
    """`X inside PATTERN`."""

    left: Expr
    pattern: PatternRef
