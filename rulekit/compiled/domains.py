"""Domains: which member of a bit set stands for which value."""

from __future__ import annotations

from dataclasses import dataclass

from rulekit.compiled.builder import Unsupported
from rulekit.compiled.fold import add
from rulekit.compiled.lir import Bits, Expr
from rulekit.program import Setup
from rulekit.program import types as t

MOST_NUMBERS = 256  #: a set of numbers of a wider range is no bit set


@dataclass(frozen=True)
class Domain:
    """``width`` values; value v is member v - ``first``."""

    width: int
    first: int = 0

    @property
    def kind(self) -> Bits:
        return Bits(max(1, self.width))

    def member(self, value: Expr) -> Expr:
        return add(value, -self.first)

    def value(self, member: Expr) -> Expr:
        return add(member, self.first)


def domain_of(setup: Setup, of: t.Type) -> Domain:
    """The domain of a simple type."""
    match of:
        case t.Optional(inner):
            return domain_of(setup, inner)
        case t.Bool():
            return Domain(2)
        case t.Card():
            return Domain(len(setup.pack))
        case t.Player():
            return Domain(setup.players)
        case t.Team():
            return Domain(setup.teams)
        case t.Suit():
            return Domain(len(setup.pack.suits))
        case t.Rank():
            return Domain(len(setup.pack.ranks))
        case t.Word(name):
            return Domain(len(setup.program.words[name]))
        case t.Pile():
            return Domain(len(setup.places))
        case t.Int(low, high) if high - low < MOST_NUMBERS:
            return Domain(high - low + 1, low)
        case t.Int():
            raise Unsupported("a set of numbers of a wide range")
    raise Unsupported(f"a set of {type(of).__name__.lower()}s")
