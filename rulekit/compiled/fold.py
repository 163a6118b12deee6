"""Expressions of the low-level form, made simpler as they are built: constants are worked out, what cannot
matter falls away.
"""

from __future__ import annotations

from collections.abc import Callable

from rulekit.compiled import lir
from rulekit.compiled.lir import NONE, Bits, Expr, Int

TRUE, FALSE, NOTHING = Int(1), Int(0), Int(NONE)

_OPERATIONS: dict[str, Callable[[int, int], int]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "//": lambda a, b: a // b,
    "%": lambda a, b: a % b,
    "min": min,
    "max": max,
    "==": lambda a, b: int(a == b),
    "!=": lambda a, b: int(a != b),
    "<": lambda a, b: int(a < b),
    "<=": lambda a, b: int(a <= b),
    ">": lambda a, b: int(a > b),
    ">=": lambda a, b: int(a >= b),
}

_CONDITIONS = (lir.And, lir.Or, lir.Not, lir.Has, lir.Some, lir.SameBits)
_OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}


def is_condition(x: Expr) -> bool:
    """Surely 0 or 1."""
    return isinstance(x, _CONDITIONS) or (
        (isinstance(x, lir.Binary) and x.op in _OPPOSITE) or x in (TRUE, FALSE)
    )


def binary(op: str, left: Expr, right: Expr) -> Expr:
    """An operation on two numbers. Never folds a division by 0."""
    if isinstance(left, Int) and isinstance(right, Int) and not (op in ("//", "%") and right.value == 0):
        return Int(_OPERATIONS[op](left.value, right.value))
    if op in ("+", "-") and right == FALSE:
        return left
    if op == "+" and left == FALSE:
        return right
    if op == "*" and left == TRUE:
        return right
    if op == "*" and right == TRUE:
        return left
    if op == "+" and isinstance(right, Int) and isinstance(left, lir.Binary):
        match left:
            case lir.Binary("+", inner, Int(value)):
                return binary("+", inner, Int(value + right.value))
    match left, right:
        case lir.Cond(_, Int(), Int()), Int() if op in _OPPOSITE:
            return choose(left.condition, binary(op, left.yes, right), binary(op, left.no, right))
    if left == right and isinstance(left, lir.Get):
        if op in ("==", "<=", ">="):
            return TRUE
        if op in ("!=", "<", ">"):
            return FALSE
    return lir.Binary(op, left, right)


def equal(left: Expr, right: Expr) -> Expr:
    return binary("==", left, right)


def add(left: Expr, right: Expr | int) -> Expr:
    return binary("+", left, Int(right) if isinstance(right, int) else right)


def both(left: Expr, right: Expr) -> Expr:
    if isinstance(left, Int):
        return right if left.value else FALSE
    if isinstance(right, Int):
        return left if right.value else FALSE
    return lir.And(left, right)


def either(left: Expr, right: Expr) -> Expr:
    if isinstance(left, Int):
        return TRUE if left.value else right
    if isinstance(right, Int):
        return TRUE if right.value else left
    return lir.Or(left, right)


def negate(x: Expr) -> Expr:
    if isinstance(x, Int):
        return Int(int(not x.value))
    if isinstance(x, lir.Not) and is_condition(x.of):
        return x.of
    if isinstance(x, lir.Binary) and x.op in _OPPOSITE:
        return lir.Binary(_OPPOSITE[x.op], x.left, x.right)
    return lir.Not(x)


def choose(condition: Expr, yes: Expr, no: Expr) -> Expr:
    if isinstance(condition, Int):
        return yes if condition.value else no
    if yes == no:
        return yes
    if yes == TRUE and no == FALSE and is_condition(condition):
        return condition
    if yes == FALSE and no == TRUE:
        return negate(condition)
    return lir.Cond(condition, yes, no)


# ---------------------------------------------------------------- bit sets


def empty(kind: Bits) -> lir.Set:
    return lir.Set(0, kind)


def full(kind: Bits) -> lir.Set:
    return lir.Set((1 << kind.width) - 1, kind)


def bit_op(op: str, left: Expr, right: Expr) -> Expr:
    kind = left.kind
    assert isinstance(kind, Bits), "an operation on bit sets"
    if isinstance(left, lir.Set) and isinstance(right, lir.Set):
        a, b = left.value, right.value
        return lir.Set({"and": a & b, "or": a | b, "xor": a ^ b, "without": a & ~b}[op], kind)
    nothing, all_ = empty(kind), full(kind)
    if op == "and":
        if nothing in (left, right):
            return nothing
        if left in (all_, right):
            return right
        if right == all_:
            return left
    elif op == "or":
        if left in (nothing, right):
            return right
        if right == nothing:
            return left
        if all_ in (left, right):
            return all_
    elif op == "without":
        if right == nothing or left == nothing:
            return left
        if right == all_ or left == right:
            return nothing
    return lir.BitOp(op, left, right)


def intersect(left: Expr, right: Expr) -> Expr:
    return bit_op("and", left, right)


def unite(left: Expr, right: Expr) -> Expr:
    return bit_op("or", left, right)


def without(left: Expr, right: Expr) -> Expr:
    return bit_op("without", left, right)


def single(member: Expr, kind: Bits) -> Expr:
    """The set of one member; of a constant that is none of the members, which a guard keeps out, nothing."""
    if not isinstance(member, Int):
        return lir.Single(member, kind)
    return lir.Set(1 << member.value if 0 <= member.value < kind.width else 0, kind)


def has(bits: Expr, member: Expr) -> Expr:
    if isinstance(bits, lir.Set):
        if isinstance(member, Int):
            return Int(bits.value >> member.value & 1)
        if not bits.value:
            return FALSE
    if isinstance(bits, lir.Single):
        return equal(bits.member, member)
    return lir.Has(bits, member)


def count(bits: Expr) -> Expr:
    if isinstance(bits, lir.Set):
        return Int(bits.value.bit_count())
    return TRUE if isinstance(bits, lir.Single) else lir.Count(bits)


def some(bits: Expr) -> Expr:
    if isinstance(bits, lir.Set):
        return Int(int(bits.value != 0))
    if isinstance(bits, lir.Single):
        return TRUE
    if isinstance(bits, lir.Cond):
        return choose(bits.condition, some(bits.yes), some(bits.no))
    return lir.Some(bits)


def same_bits(left: Expr, right: Expr) -> Expr:
    if isinstance(left, lir.Set) and isinstance(right, lir.Set):
        return Int(int(left.value == right.value))
    if isinstance(right, lir.Set) and not right.value:
        return negate(some(left))
    if isinstance(left, lir.Set) and not left.value:
        return negate(some(right))
    return TRUE if left == right else lir.SameBits(left, right)


def lowest(bits: Expr) -> Expr:
    if isinstance(bits, lir.Set) and bits.value:
        return Int((bits.value & -bits.value).bit_length() - 1)
    return bits.member if isinstance(bits, lir.Single) else lir.Lowest(bits)


def highest(bits: Expr) -> Expr:
    if isinstance(bits, lir.Set) and bits.value:
        return Int(bits.value.bit_length() - 1)
    return bits.member if isinstance(bits, lir.Single) else lir.Highest(bits)
