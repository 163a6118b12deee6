"""Chance: splitmix64, counter-based, the same numbers in every engine and on every machine.

All arithmetic is modulo 2**64. With ``G = 0x9E3779B97F4A7C15``::

    finish(z):  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9
                z = (z ^ z >> 27) * 0x94D049BB133111EB
                return z ^ z >> 31
    mix(z)    = finish(z + G)
    draw      : state += G, then the result is finish(state)
    below(n)  = (draw >> 32) * n >> 32
    shuffle   : Fisher-Yates, i from the last place down to 1, j = bits * (i + 1) >> 32, swap i and j;
                `bits` are 32 bits, two from each draw, the high half first

The user's seed is hashed first: ``s = mix(seed)``. Game g of a batch draws chance from a stream that starts
at ``mix(s + 2g)`` and random players from one that starts at ``mix(s + 2g + 1)``, so a deal depends neither
on who plays nor on how a batch is split.

Test vectors: from state 0 the draws are E220A8397B1DCDAF, 6E789E6AA1B965F4, 06C45D188009454F; ``mix(0)`` is
E220A8397B1DCDAF; the streams of seed 7, game 0 start at B8B4C2977EABCE45 and 27E8AC81E7BC3B89; the numbers
0 to 7 shuffled from state 0 are 4 5 1 0 6 2 3 7.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

GAMMA = 0x9E3779B97F4A7C15
MASK = 2**64 - 1
OPEN = -1  #: instead of a stream: nothing is drawn, chance is laid open (see `explicit`)


class Undecided(Exception):
    """Chance is laid open and must decide what comes next.

    ``outcomes``  each value that may come up, once, with its probability
    ``kind``  the type of the values; None for cards of a pile that was shuffled
    """

    def __init__(self, values: Sequence[Any], kind: Any = None, names: Sequence[Any] | None = None) -> None:
        """``values`` are equally likely; those with equal ``names`` are one outcome, the first of them."""
        super().__init__("chance must decide")
        self.kind = kind
        self.outcomes: dict[Any, Fraction] = {}
        first: dict[Any, Any] = {}
        for value, name in zip(values, values if names is None else names, strict=True):
            value = first.setdefault(name, value)
            self.outcomes[value] = self.outcomes.get(value, Fraction(0)) + Fraction(1, len(values))


def finish(z: int) -> int:
    """The output function of splitmix64."""
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & MASK
    z = (z ^ z >> 27) * 0x94D049BB133111EB & MASK
    return z ^ z >> 31


def mix(z: int) -> int:
    """A number that looks nothing like ``z``: what the stream at state ``z`` draws first."""
    return finish(z + GAMMA & MASK)


def streams(seed: int, game: int = 0) -> tuple[int, int]:
    """Where the streams of chance and of random players start, for one game of a batch."""
    hashed = mix(seed & MASK)
    return mix(hashed + 2 * game & MASK), mix(hashed + 2 * game + 1 & MASK)


def draw(state: int) -> tuple[int, int]:
    """The stream one step on, and 64 bits."""
    state = state + GAMMA & MASK
    return state, finish(state)


def below(state: int, n: int) -> tuple[int, int]:
    """The stream one step on, and a number from 0 up to but not including ``n``."""
    state, bits = draw(state)
    return state, (bits >> 32) * n >> 32


def shuffle(state: int, items: Iterable[int]) -> tuple[int, list[int]]:
    """The stream some steps on, and the items in a new order."""
    order = list(items)
    low = None  # the half of the last draw that waits to be used
    for i in range(len(order) - 1, 0, -1):
        if low is None:
            state, bits = draw(state)
            half, low = bits >> 32, bits & 0xFFFFFFFF
        else:
            half, low = low, None
        j = half * (i + 1) >> 32
        order[i], order[j] = order[j], order[i]
    return state, order
