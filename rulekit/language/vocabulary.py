"""The words that the language itself uses: nobody may declare one of them anew."""

from __future__ import annotations

#: Facts every card has.
CARD_FACTS = ("suit", "rank", "color", "number", "pip", "owner", "player", "pile", "face")

#: Other players by where they sit.
SEATS = ("left", "right", "across", "partner", "opponent")

#: Places in a pile or sequence, and whether they are its last element.
PLACES = {"top": True, "bottom": False, "first": False, "last": True}

REDUCTIONS = ("count", "sum", "min", "max", "any", "every", "only")
EXTREMES = ("highest", "lowest", "all_highest", "all_lowest")
FUNCTIONS = (*REDUCTIONS, *EXTREMES, "answered", "random")

CONSTANTS = ("players", "teams", "deck", "suits", "ranks", "empty", "everyone", "nobody", "all", "me", "it")

#: What stands only before `of`, besides facts, seats and places.
LOOKUPS = ("next", "other", "stacked", "cards", "index", "team", "under")

TYPES = ("bool", "int", "player", "team", "suit", "rank", "card", "pile", "players", "cards")

#: A local may be called so, and then hides the fact.
HIDEABLE = frozenset(("card", "cards", "pile", "player"))

BUILT_IN = frozenset((*CARD_FACTS, *SEATS, *PLACES, *FUNCTIONS, *CONSTANTS, *LOOKUPS, "card"))

WORD_TYPES = {"color": ("red", "black"), "face": ("down", "up")}
