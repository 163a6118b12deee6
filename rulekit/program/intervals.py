"""Arithmetic with bounds instead of numbers, and what is sure of one element of many."""

from __future__ import annotations

from rulekit.program.bounds import ANYTHING, NONE, Range, Size, Value, clip


def one_of(many: Size) -> Value:
    """One element of a collection, none if it is empty."""
    if many.high <= 0:
        return NONE
    return many.of if many.low >= 1 else maybe(many.of)


def maybe(value: Value) -> Value:
    return Range(value.low, value.high, True) if isinstance(value, Range) else value


def arithmetic(op: str, left: Range, right: Range) -> Range:
    """`+ - * // %` of bounds; a divisor is taken not to be 0."""
    none = left.none or right.none
    if left.nothing or right.nothing:
        return NONE
    match op:
        case "+":
            return Range(clip(left.low + right.low), clip(left.high + right.high), none)
        case "-":
            return Range(clip(left.low - right.high), clip(left.high - right.low), none)
        case "*":
            corners = [a * b for a in (left.low, left.high) for b in (right.low, right.high)]
            return Range(clip(min(corners)), clip(max(corners)), none)
        case "//":
            divisors = {d for d in (right.low, right.high, -1, 1) if right.low <= d <= right.high and d}
            quotients = [a // d for a in (left.low, left.high) for d in divisors]
            return Range(min(quotients), max(quotients), none) if quotients else ANYTHING
        case "%":
            if right.low > 0:
                if left.low >= 0 and left.high < right.low:
                    return Range(left.low, left.high, none)
                return Range(0, right.high - 1, none)
            if right.high < 0:
                return Range(right.low + 1, 0, none)
            return Range(right.low, right.high, none)
    return ANYTHING
