"""Chains of one operator, `a + b + c ...`: taken apart, and joined without getting deep."""

from __future__ import annotations

from collections.abc import Callable

from rulekit.language import syntax as s
from rulekit.program import expressions as e


def spine(node: s.Logic | s.Arith) -> list[s.Expr]:
    """The terms of a chain of one operator, first to last."""
    terms: list[s.Expr] = []
    rest: s.Expr = node
    while isinstance(rest, type(node)) and rest.op == node.op:
        terms.append(rest.right)
        rest = rest.left
    return [rest, *reversed(terms)]


def balanced(terms: list[e.Expr], join_two: Callable[[e.Expr, e.Expr], e.Expr]) -> e.Expr:
    """Terms joined in halves: as deep as the logarithm of their number."""
    while len(terms) > 1:
        pairs = [join_two(a, b) for a, b in zip(terms[::2], terms[1::2], strict=False)]
        terms = pairs + terms[len(pairs) * 2 :]
    return terms[0]
