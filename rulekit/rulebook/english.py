"""Small words of English: plurals, lists, articles, possessives."""

from __future__ import annotations

import re

RANK_NAMES = {"A": "ace", "K": "king", "Q": "queen", "J": "jack"}
NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
ALREADY_MANY = ("cards", "players", "points", "chips", "goals", "people", "dice")
AGENT = re.compile(r"(er|or|ant|ee|est|ent|small|big|button|partner|dummy|champion|out)$")


def words(name: str) -> str:
    """A name as it is read: underscores are blanks."""
    return name.replace("_", " ")


def number_word(value: int) -> str:
    """Small numbers as words."""
    return NUMBERS[value] if 0 < value < len(NUMBERS) else str(value)


def is_plural(noun: str) -> bool:
    """Does the noun name several things?"""
    last = noun.rstrip("*").rsplit(" ", 1)[-1]
    return last.endswith("s") and not last.endswith(("ss", "us", "is")) and len(last) > 2


def plural(noun: str) -> str:
    """More than one of it."""
    if is_plural(noun):
        return noun
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        return noun[:-1] + "ies"
    return noun + ("es" if noun.endswith(("s", "x", "ch")) else "s")


def joined(parts: list[str], word: str = "and") -> str:
    """`a, b and c`."""
    if len(parts) < 2:
        return "".join(parts)
    return ", ".join(parts[:-1]) + f" {word} {parts[-1]}"


def a(noun: str) -> str:
    """With its article: `a meld`, `an ace`, `*a* ...` looks through marks."""
    bare = noun.lstrip("*[")
    return ("an " if bare[:1].lower() in "aeio8" else "a ") + noun


def title(text: str) -> str:
    """With a capital at the start, marks skipped."""
    found = re.match(r"[*(\"']*([^\W\d_])", text)
    if found is None:
        return text
    return text[: found.start(1)] + found[1].upper() + text[found.end() :]


def singular(text: str) -> str:
    """`that are hearts` said of one."""
    text = re.sub(r"that are not (\w+?)s\b", lambda m: f"that is not {a(m[1])}", text)
    return re.sub(r"that are (\w+?)s\b", lambda m: f"that is {a(m[1])}", text)


def lowered(text: str) -> str:
    """A sentence as it stands after a colon or a comma; names of seats and terms keep their capitals."""
    first = text.split(" ", 1)[0]
    if (len(first) > 1 and (first[1:2].isupper() or first[1:2].isdigit())) or text[:1] in "[":
        return text
    if text[:1] == "*":
        return "*" + text[1:2].lower() + text[2:]
    return text[:1].lower() + text[1:]


def possessive(who: str) -> str | None:
    """`your`, `the dealer's`; None where `of` reads better."""
    if who == "you":
        return "your"
    if who in ("it", "the card"):
        return "its"
    if who.count(" ") > 1 or (who.endswith("s") and who not in ("boss",)):
        return None
    return f"{who}'s"


def counted(number: str, noun: str) -> str:
    """`1 card`, `5 cards`; the number as it is written."""
    return f"{number} {noun if number == '1' else plural(noun)}"


def is_agent(noun: str) -> bool:
    """Does the noun name one who does something (dealer, closer), so that one *is* it?"""
    return noun.startswith("player") or AGENT.search(noun) is not None
