"""Codes of the faults that a game can meet while it is played, whichever engine plays it."""

from __future__ import annotations

NO_LEGAL_MOVE = "RK901"
DEAL_OUTRUNS = "RK902"
OUT_OF_RANGE = "RK903"
NONE_NEEDED = "RK904"
NO_FREE_SLOT = "RK905"
SLOT_FREED = "RK906"
UNEQUAL_SWAP = "RK907"
FLIP_UNFACED = "RK908"
DIVIDE_BY_ZERO = "RK909"
TOO_LARGE = "RK910"
FORCED_CHANCE = "RK911"
