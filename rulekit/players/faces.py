"""Faces: which cards lie where a seat does not see them, and positions in which others lie there.

A *token* stands for a card that a seat does not know: where it lay, and when. Which card it is, its face, can
be exchanged for another.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rulekit.compiled.lir import NONE
from rulekit.players.past import Flat, Slots, bits


def tokens(
    slots: Slots, flat: Flat, hidden: int, trail: Iterable[Flat] = (), marks: Iterable[int] = ()
) -> list[int]:
    """The hidden cards of a position, in an order that does not depend on which they are.

    Told apart are also cards that lay at different places in the positions of the ``trail``, and those of
    which one is in a set of ``marks`` and the other is not.
    """
    others, sets = list(trail), list(marks)

    def way(card: int) -> tuple[Any, ...]:
        place = flat[slots.place + card]
        pile = slots.pile_at.get(place)
        lies = flat[pile].index(card) if pile is not None else 0
        mover = flat[slots.mover + card] if slots.mover is not None else 0
        shown = flat[slots.shown + card] if slots.shown is not None else 0
        named = tuple(_names(flat[slot], several, card) for slot, several in slots.card_locals)
        marked = [cards >> card & 1 for cards in sets]
        return (place, lies, mover, shown, named, [other[slots.place + card] for other in others], marked)

    return sorted(bits(hidden), key=way)


def _names(value: Any, several: bool, card: int) -> bool:
    return bool(value >> card & 1) if several else value == card


def renamed(mask: int, hidden: int, face: Sequence[int]) -> int:
    """A set of cards with other faces for those that are hidden."""
    some = mask & hidden
    if not some:
        return mask
    mask &= ~hidden
    while some:
        low = some & -some
        mask |= 1 << face[low.bit_length() - 1]
        some ^= low
    return mask


def relabelled(slots: Slots, flat: Flat, face: Sequence[int], hidden: int, among: Sequence[int]) -> Flat:
    """A position with other faces: for each card its face. ``among``: the hidden cards."""
    other = flat[:]
    if not hidden:
        return other
    for at in range(slots.zm, slots.zm + len(slots.places)):
        if flat[at] & hidden:
            other[at] = renamed(flat[at], hidden, face)
    for _, pile in slots.piles:
        if flat[pile]:
            other[pile] = tuple([face[card] for card in flat[pile]])
    for first in (slots.place, slots.mover, slots.shown):
        if first is not None:
            for token in among:
                other[first + face[token]] = flat[first + token]
    if slots.up is not None:
        other[slots.up] = renamed(flat[slots.up], hidden, face)
    for slot, several in slots.card_locals:
        if several:
            other[slot] = renamed(flat[slot], hidden, face)
        elif flat[slot] != NONE:
            other[slot] = face[flat[slot]]
    return other


def faced(cards: int, now: Mapping[int, int]) -> list[int]:
    """For each card its face, where some have another than their own."""
    found = list(range(cards))
    for token, face in now.items():
        found[token] = face
    return found


__all__ = ["faced", "relabelled", "renamed", "tokens"]
