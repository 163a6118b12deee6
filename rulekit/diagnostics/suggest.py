"""The nearest right name."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


def nearest(name: str, candidates: Iterable[str], *, cutoff: float = 0.6) -> str | None:
    """The candidate most like ``name``, or None if none is near. Ties go to the first listed.

    What differs by a single slip of the pen is nearer than anything else.
    """
    pool = list(dict.fromkeys(candidates))
    lowered = {c.lower(): c for c in reversed(pool)}
    if name.lower() in lowered:
        return lowered[name.lower()]
    slips = [c for c in lowered if len(c) > 1 and one_slip(name.lower(), c)]
    pool, cutoff = (slips, 0.0) if slips else (list(lowered), cutoff)
    close = difflib.get_close_matches(name.lower(), reversed(pool), n=1, cutoff=cutoff)
    return lowered[close[0]] if close else None


def one_slip(a: str, b: str) -> bool:
    """One letter is left out, put in or changed, or two neighbours are exchanged.

    Words of two letters that differ in one (`of`, `or`) are simply different words.
    """
    if abs(len(a) - len(b)) > 1 or a == b:
        return False
    if len(a) == len(b) == 2 and sorted(a) != sorted(b):
        return False
    start = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    left, right = a[start:], b[start:]
    if left[1:] == right[1:] or left[1:] == right or left == right[1:]:
        return True
    return len(left) > 1 and left[:2] == right[1::-1] and left[2:] == right[2:]
