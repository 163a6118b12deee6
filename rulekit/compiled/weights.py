"""Weights of members of a set: what they add up to, without a loop."""

from __future__ import annotations

from collections.abc import Sequence

from rulekit.compiled import fold, lir
from rulekit.compiled.fold import FALSE
from rulekit.compiled.lir import Bits, Expr, Int

MOST_COUNTS = 8  #: counts of members that one sum is made of


def weighed(bits: Expr, masks: Sequence[tuple[int, int]]) -> Expr:
    """What the members of a set weigh together, by masks as `weight_masks` makes them."""
    assert isinstance(bits.kind, Bits), "a set"
    total: Expr = FALSE
    for amount, mask in masks:
        there = fold.count(fold.intersect(bits, lir.Set(mask, bits.kind)))
        total = fold.binary("+", total, fold.binary("*", Int(amount), there))
    return total


def weight_masks(weights: Sequence[int]) -> list[tuple[int, int]]:
    """Amounts, each with the members that it counts for, so that what counts for a member adds up to its
    weight: by weight, or by binary digits of the weights, whichever is less."""
    by_weight: dict[int, int] = {}
    by_digit: dict[int, int] = {}
    for place, weight in enumerate(weights):
        if weight:
            by_weight[weight] = by_weight.get(weight, 0) | 1 << place
        for digit in range(abs(weight).bit_length()):
            if abs(weight) >> digit & 1:
                amount = (1 << digit) * (1 if weight > 0 else -1)
                by_digit[amount] = by_digit.get(amount, 0) | 1 << place
    return sorted(min(by_weight, by_digit, key=len).items())
