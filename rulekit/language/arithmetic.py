"""Calculation: numbers from numbers, and sets from sets."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from rulekit.language import syntax as s
from rulekit.language.chains import balanced, spine
from rulekit.language.coerce import as_cards, as_collection, beside_piles, element, join, same_kind, strip
from rulekit.language.spans import shortened
from rulekit.language.world import UNKNOWN, Scope, Unknown, World
from rulekit.program import expressions as e
from rulekit.program import types as t

LONGEST = 100  #: terms in a row of an operator that cannot be joined in halves

SET_OPERATIONS = {"|": e.Union, "&": e.Intersection, "-": e.Difference}


class Arithmetic:
    """The part of the expression checker that calculates."""

    world: World

    if TYPE_CHECKING:

        def expr(self, node: s.Expr, scope: Scope, want: t.Type | None = None) -> e.Expr: ...
        def number(self, node: s.Expr, scope: Scope) -> e.Expr: ...
        def as_number(self, found: e.Expr, node: s.Expr) -> e.Expr: ...
        def misplaced(self, node: s.Expr, why: str) -> e.Expr: ...

    def arithmetic(self, node: s.Arith, scope: Scope, want: t.Type | None) -> e.Expr:
        if self.too_long(node):
            return self.world.unknown(node.span)
        terms = spine(node)
        if len(terms) > 2 and node.op == "+":
            return self.total([self.number(term, scope) for term in terms], node)
        if node.op in SET_OPERATIONS:
            a = self.expr(node.left, scope, want)
            of = a.type if not isinstance(a.type, Unknown) else want
            b = self.expr(node.right, scope, of)
            numbers = isinstance(strip(a.type), t.Int) or isinstance(strip(b.type), t.Int)
            if node.op != "-" or not numbers:
                return self.set_operation(node, a, b)
            return self.operation(node, self.as_number(a, node.left), self.as_number(b, node.right))
        left, right = self.number(node.left, scope), self.number(node.right, scope)
        return self.operation(node, left, right)

    def too_long(self, node: s.Arith | s.Clip) -> bool:
        """Report an operation at the end of a row that would be too deep."""
        steps = 0
        here: s.Arith | s.Clip = node
        while isinstance(here.left, (s.Arith, s.Clip)):
            steps += here.op != "+" or here.left.op != "+"
            here = here.left
        if steps < LONGEST:
            return False
        self.world.findings.error(
            "RK520", f"{steps + 1} operations stand in a row", node.span, expected=f"at most {LONGEST}",
            help="give parts of it names under `define`",
        )  # fmt: skip
        return True

    def total(self, terms: list[e.Expr], node: s.Arith) -> e.Expr:
        """A long sum: added up in halves, so that it is never deep."""
        return balanced(terms, lambda a, b: self.operation(node, a, b))

    def operation(self, node: s.Arith, left: e.Expr, right: e.Expr) -> e.Expr:
        """A number from two numbers."""
        if not isinstance(left.type, t.Int) or not isinstance(right.type, t.Int):
            return self.world.unknown(node.span)
        of = interval(node.op, left.type, right.type)
        if of is None:
            zero = right.type == t.Int(0, 0)
            self.world.findings.error(
                "RK518", f"`{node.right.span.text}` {'is' if zero else 'may be'} 0, which divides nothing",
                node.right.span, expected="a divisor that is never 0",
                help=None if zero else f"write `({node.right.span.text} at least 1)`",
            )  # fmt: skip
            return self.world.unknown(node.span)
        if of.low > t.LIMIT or of.high < -t.LIMIT:
            least = min(abs(of.low), abs(of.high))
            self.world.findings.error(
                "RK519", f"`{node.span.text}` is at least {least:,}".replace(",", " "), node.span,
                expected=f"numbers up to {t.LIMIT:,}".replace(",", " "),
            )  # fmt: skip
            return self.world.unknown(node.span)
        of = t.Int(max(of.low, -t.LIMIT), min(of.high, t.LIMIT))  # beyond that is a fault in play
        return e.Arithmetic(node.op, left, right, type=of, span=node.span)

    def set_operation(self, node: s.Arith, a: e.Expr, b: e.Expr) -> e.Expr:
        left = beside_piles(a, b) or as_collection(a, self.world)
        right = beside_piles(b, a) or as_collection(b, self.world)
        if left is None or right is None:
            at, side = (node.left, a) if left is None else (node.right, b)
            self.world.findings.error(
                "RK513", f"`{at.span.text}` is {side.type}, and `{node.op}` here joins sets", at.span,
                expected="a set",
            )  # fmt: skip
            return self.world.unknown(node.span)
        if isinstance(element(left.type), t.Pile) != isinstance(element(right.type), t.Pile):
            left, right = as_cards(left, self.world) or left, as_cards(right, self.world) or right
        if isinstance(left.type, Unknown) or isinstance(right.type, Unknown):
            return self.world.unknown(node.span)
        if not same_kind(left.type, right.type):
            self.world.findings.error(
                "RK502", f"`{node.op}` between {left.type} and {right.type}", node.span,
                expected="two sets of one kind",
            )  # fmt: skip
            return self.world.unknown(node.span)
        of = left.type
        if isinstance(element(of), (t.Int, Unknown)):
            of = t.SetOf(join(element(of), element(right.type)) or UNKNOWN)
        if node.op == "|" or not isinstance(of, t.SeqOf):
            of = t.SetOf(element(of))
        return SET_OPERATIONS[node.op](left, right, type=of, span=node.span)

    def clip(self, node: s.Clip, scope: Scope) -> e.Expr:
        if self.too_long(node):
            return self.world.unknown(node.span)
        a, b = self.number(node.left, scope), self.number(node.right, scope)
        if not isinstance(a.type, t.Int) or not isinstance(b.type, t.Int):
            return self.world.unknown(node.span)
        if node.op == "at most":
            of = t.Int(min(a.type.low, b.type.low), min(a.type.high, b.type.high))
            return e.Minimum(a, b, type=of, span=node.span)
        of = t.Int(max(a.type.low, b.type.low), max(a.type.high, b.type.high))
        return e.Maximum(a, b, type=of, span=node.span)

    def range(self, node: s.Range, scope: Scope) -> e.Expr:
        if node.high is None:
            return self.misplaced(node, "an open range stands only before `from`: `1.. from hand`")
        low, high = self.number(node.low, scope), self.number(node.high, scope)
        if not isinstance(low.type, t.Int) or not isinstance(high.type, t.Int):
            return self.world.unknown(node.span)
        if high.type.high < low.type.low:
            self.world.findings.error(
                "RK425", f"the range `{shortened(node.span)}` is empty", node.span,
                expected="the smaller number first",
            )  # fmt: skip
        of = t.Int(low.type.low, max(low.type.low, high.type.high))
        return e.Numbers(low, high, type=t.SetOf(of), span=node.span)


def interval(op: str, a: t.Int, b: t.Int) -> t.Int | None:
    """The numbers that `a op b` may be; None if the divisor may be 0."""
    if op in ("//", "%"):
        if b.low <= 0 <= b.high:
            return None
        if op == "%":
            return t.Int(0, b.high - 1) if b.low > 0 else t.Int(b.low + 1, 0)
        corners: Iterable[int] = [x // y for x in (a.low, a.high) for y in (b.low, b.high)]
    elif op == "+":
        corners = (a.low + b.low, a.high + b.high)
    elif op == "-":
        corners = (a.low - b.high, a.high - b.low)
    else:
        corners = [x * y for x in (a.low, a.high) for y in (b.low, b.high)]
    found = list(corners)
    return t.Int(min(found), max(found))
