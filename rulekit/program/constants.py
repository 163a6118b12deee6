"""Values known once options and player count are: the expressions that decide the pack's make-up."""

from __future__ import annotations

from collections.abc import Mapping

from rulekit.program import expressions as e


class NotConstant(ValueError):
    """The expression reads more than options and the player count."""


def constant_value(expr: e.Expr, options: Mapping[str, int | bool], players: int) -> int | bool | None:
    """The value of an expression over options, player count and numbers alone.

    Raises NotConstant if it reads anything else, or divides by zero.
    """

    def value(x: e.Expr) -> int | bool | None:
        match x:
            case e.Constant(value=int() | bool() | None as constant):
                return constant
            case e.Option(name):
                return options[name]
            case e.Count(e.Players()):
                return players
            case e.Negative(operand):
                return -number(operand)
            case e.Not(operand):
                return not value(operand)
            case e.And(left, right):
                return bool(value(left) and value(right))
            case e.Or(left, right):
                return bool(value(left) or value(right))
            case e.If(condition, yes, no):
                return value(yes) if value(condition) else value(no)
            case e.Same(left, right):
                return value(left) == value(right)
            case e.Less(left, right, or_equal):
                return number(left) <= number(right) if or_equal else number(left) < number(right)
            case e.Minimum(left, right):
                return min(number(left), number(right))
            case e.Maximum(left, right):
                return max(number(left), number(right))
            case e.Arithmetic(op, left, right):
                return arithmetic(op, number(left), number(right))
            case e.Choose(subject, rows, default):
                key = value(subject)
                for keys, result in rows:
                    if key in keys:
                        return value(result)
                if default is not None:
                    return value(default)
        raise NotConstant

    def number(x: e.Expr) -> int:
        found = value(x)
        if found is None:
            raise NotConstant
        return int(found)

    return value(expr)


def arithmetic(op: str, left: int, right: int) -> int:
    """`+ - * // %` on numbers; raises NotConstant for a divisor of zero."""
    if op in ("//", "%") and right == 0:
        raise NotConstant
    match op:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
        case "//":
            return left // right
        case "%":
            return left % right
    raise NotConstant
