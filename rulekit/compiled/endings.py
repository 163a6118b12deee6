"""How a game of the low-level form ended: the field `ending`, 0 while it goes on and after a fault."""

from __future__ import annotations

PLAYED_OUT, LIMIT, LOOP = 1, 2, 3
