"""The nearest right name."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


def nearest(name: str, candidates: Iterable[str], *, cutoff: float = 0.6) -> str | None:
    """The candidate most like ``name``, or None if none is near. Ties go to the first listed."""
    pool = list(dict.fromkeys(candidates))
    lowered = {c.lower(): c for c in reversed(pool)}
    if name.lower() in lowered:
        return lowered[name.lower()]
    close = difflib.get_close_matches(name.lower(), list(lowered), n=1, cutoff=cutoff)
    return lowered[close[0]] if close else None
