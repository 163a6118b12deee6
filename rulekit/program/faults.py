"""Codes of the faults a game can meet while it is played, on any engine, and how many ways are too many."""

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
TOO_MANY = "RK912"

MOST_WAYS = 1_000_000  #: legal ways of a move, sets of a selection, instances of a pattern
MOST_TRIED = 4_000_000  #: values that are tried to find the legal ways of a move
