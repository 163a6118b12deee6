"""Cards and ranks as people say or draw them: what they are called in a rule file, for advice."""

from __future__ import annotations

import re

_RANKS = {
    "ace": "A",
    "king": "K",
    "queen": "Q",
    "jack": "J",
    "knave": "J",
    "deuce": "2",
    "ten": "10",
    "two": "2",
    "three": "3",
    "four": "4",
    "five": "5",
    "six": "6",
    "seven": "7",
    "eight": "8",
    "nine": "9",
}
_COURTS = frozenset({"ace", "king", "queen", "jack", "knave", "deuce"})
_SUITS = {"club": "C", "diamond": "D", "heart": "H", "spade": "S"}
_SIGNS = str.maketrans("♣♦♥♠♧♢♡♤", "CDHSCDHS")


def rank_of(word: str) -> str | None:
    """`queen`, `aces`: the rank that is meant; numbers in words are numbers."""
    plain = word.lower().removesuffix("s")
    return _RANKS[plain] if plain in _COURTS else None


def card_of(text: str) -> str | None:
    """`queen of spades`, `Q of spades`, `Q♠`: the card that is meant, `QS`."""
    drawn = text.strip().translate(_SIGNS)
    if drawn != text.strip() and re.fullmatch(r"(10|[2-9AKQJT])[CDHS]", drawn.upper()):
        return drawn.upper()
    found = re.fullmatch(r"\s*(?:the\s+)?(\w+)\s+of\s+(\w+)\s*", text, re.IGNORECASE)
    if found is None:
        return None
    said, suit = found[1].lower().removesuffix("s"), _SUITS.get(found[2].lower().removesuffix("s"))
    rank = _RANKS.get(said) or (found[1].upper() if re.fullmatch(r"(?i)10|[2-9akqj]", found[1]) else None)
    return rank + suit if rank and suit else None


def players_of(text: str) -> tuple[int, int] | None:
    """`3-6`, `3 to 6`, `3, 4, 5`, `two or three`: the numbers of players that are meant."""
    words = re.findall(r"[0-9]{1,3}|[a-z]+", text.lower())
    numbers = [int(_RANKS.get(word, word)) for word in words if word.isdigit() or word in _RANKS]
    rest = {word for word in words if not word.isdigit() and word not in _RANKS}
    if not numbers or not rest <= {"to", "or", "and", "players", "player", "up"}:
        return None
    return min(numbers), max(numbers)
