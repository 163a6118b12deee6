"""Moves and values as text, and back.

A move is written as its name, then its values in the order of its choices: `marry KS`, `give 4H 9H P2`.

=============  ======================================================================
card           `10H`; `TH` and small letters are read too; a card not seen is `??`
cards          in deck order, with blanks between; none at all is written as nothing (`none` is read too)
player, team   `P1`, `T1`: the first has number 1
suit, rank     `hearts`, `10`, `K`
word, number   as in the rules: `notrump`, `3`
condition      `true`, `false` (`yes` and `no` are read too)
pile           `stock`; of several `column-3`, `melds-P2-1`, `foundation-hearts`
=============  ======================================================================

Where a move has two or more choices of several cards each stands in parentheses, so that no text means
two things: `meld (4H 5H 6H) ()`. Parentheses are read wherever several cards may stand.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from rulekit.cards import Face
from rulekit.diagnostics import nearest
from rulekit.game.wording import listed, quoted, whole_number
from rulekit.program import Setup
from rulekit.program.program import Choice, MoveDef
from rulekit.program.types import (
    Bool,
    Card,
    Collection,
    Int,
    Optional,
    Pile,
    Player,
    Rank,
    Suit,
    Team,
    Type,
    Word,
)

HIDDEN = "??"  #: a card whose face is not seen
LONGEST = 4096  #: characters; no move is longer
MOST_CARDS = 512  #: no pack is larger

Value = int | bool | tuple[int | None, ...] | None
PublicValue = int | bool | str | None | tuple[int | str, ...]
Item = str | tuple[str, ...]  #: a word, or the words of one pair of parentheses


class NotationError(ValueError):
    """The text is no move or value of this game."""


@dataclass(frozen=True)
class Reading:
    """What a text says: a move and a value for each choice, and how that is canonically written.

    ``values`` is None if the words can be shared out among the choices in several ways; ``words`` are then
    the canonical words, to be compared with those of legal moves.
    """

    move: str
    values: tuple[Value, ...] | None
    text: str
    words: tuple[str, ...] = ()


def is_wide(choice: Choice) -> bool:
    """Does the choice take several values (cards, players ...)?"""
    return isinstance(choice.type, Collection)


def element(of: Type) -> Type:
    """The type of one element of a collection, of the value of an optional, else the type itself."""
    while isinstance(of, Collection | Optional):
        of = of.of
    return of


class Notation:
    """Text and values at one table: so many seats, this pack."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.program = setup.program
        self.pack = setup.pack

    # ------------------------------------------------------------ values to text

    def card(self, card: int) -> str:
        """A card: `10H`."""
        return self.pack.format_card(card)

    def cards(self, cards: Sequence[int]) -> tuple[str, ...]:
        """Cards one by one, in the order given."""
        return tuple(self.pack.format_card(card) for card in cards)

    def place(self, number: int) -> str:
        """A place where cards lie: `stock`, `hand-P2`, `column-3`, `foundation-hearts`."""
        place = self.setup.places[number]
        parts = [place.zone]
        if place.member is not None:
            per = self.program.zones[place.zone].per
            parts.append(self.member(per or "", place.member))
        if place.slot:
            parts.append(str(place.slot))
        return "-".join(parts)

    def member(self, per: str, number: int) -> str:
        """A member of a family: `P2`, `hearts`, `10`, a word."""
        match per:
            case "player":
                return f"P{number + 1}"
            case "team":
                return f"T{number + 1}"
            case "suit":
                return self.pack.suits[number].name
            case "rank":
                return self.pack.ranks[number]
        return self.program.words[per][number]

    def value(self, of: Type, value: Value) -> str:
        """One value, or several with blanks between; none is `none`, but a card that is None is hidden."""
        if isinstance(value, tuple):
            return " ".join(self.value(element(of), one) for one in value)
        if value is None:
            return HIDDEN if isinstance(of, Card) else "none"
        match element(of):
            case Bool():
                return "true" if value else "false"
            case Card():
                return self.card(value)
            case Player():
                return self.member("player", value)
            case Team():
                return self.member("team", value)
            case Suit():
                return self.member("suit", value)
            case Rank():
                return self.member("rank", value)
            case Word(name):
                return self.program.words[name][value]
            case Pile():
                return self.place(value)
        return str(value)

    def public(self, of: Type, value: Value) -> PublicValue:
        """A value for Python code: numbers, conditions and seats (from 0) as themselves, the rest as text."""
        if isinstance(value, tuple):
            several: list[int | str] = []
            for one in value:
                shown = self.public(element(of), one)
                several.append(shown if isinstance(shown, int | str) else str(shown))
            return tuple(several)
        if isinstance(of, Card) and value is None:
            return HIDDEN
        if value is None or isinstance(element(of), Bool | Int | Player | Team):
            return value
        return self.value(of, value)

    def move(self, name: str, values: Sequence[Value]) -> str:
        """A move as text; a card that is None is hidden: `??`."""
        definition = self.program.moves[name]
        brackets = sum(map(is_wide, definition.choices)) > 1
        parts = [name]
        for choice, value in zip(definition.choices, values, strict=True):
            text = self.value(choice.type, value)
            if is_wide(choice) and brackets:
                text = f"({text})"
            if text:
                parts.append(text)
        return " ".join(parts)

    # ------------------------------------------------------------ text to values

    def faces(self, text: str) -> list[Face]:
        """The faces of a list of cards; raises NotationError for a word that is no card of the pack."""
        return [self._face(word) for word in text.split()]

    def deal_out(self, faces: Sequence[Face]) -> tuple[int, ...]:
        """A card for each face, in this order; equal faces get different copies.

        Raises NotationError if a face stands more often than the pack has copies of it.
        """
        used: dict[Face, int] = {}
        found = []
        for face in faces:
            copies = self.pack.by_face[face]
            place = used.get(face, 0)
            if place == len(copies):
                name = self.pack.face_text(face)
                raise NotationError(
                    f"{name} stands twice, but there is only one in the pack"
                    if place == 1
                    else f"{name} stands more than {place} times, but there are no more in the pack"
                )
            used[face] = place + 1
            found.append(copies[place])
        return tuple(found)

    def _face(self, word: str) -> Face:
        face = self.pack.parse_face(word) if len(word) <= 40 else None
        if face is None:
            raise NotationError(f"{quoted(word)} is no card")
        if face not in self.pack.by_face:
            raise NotationError(f"there is no {self.pack.face_text(face)} in this pack")
        return face

    def read_move(self, text: str) -> Reading:
        """What a text says; raises NotationError if it is not of the notation. Legality is not looked at."""
        if len(text) > LONGEST:
            raise NotationError("the text is too long for a move")
        items = _items(text)
        if not items:
            raise NotationError("there is no move in an empty text")
        first, *rest = items
        name = first.casefold() if isinstance(first, str) else ""
        definition = self.program.moves.get(name)
        if definition is None:
            raise NotationError(self._no_move(first))
        shares = self._share(definition, rest)
        if shares is None:
            words = tuple(self._loose(definition, item) for item in rest if isinstance(item, str))
            return Reading(name, None, " ".join((name, *words)), words)
        values: list[Value] = []
        for choice, words in zip(definition.choices, shares, strict=True):
            values.append(
                self._several(choice, words) if is_wide(choice) else self.read(choice.type, words[0])
            )
        return Reading(name, tuple(values), self.move(name, values))

    def _share(self, definition: MoveDef, items: Sequence[Item]) -> list[tuple[str, ...]] | None:
        """The words for each choice. None: two choices want several, and no parentheses tell them apart."""
        choices = definition.choices
        wide = [place for place, choice in enumerate(choices) if is_wide(choice)]
        grouped = any(not isinstance(item, str) for item in items)
        if len(wide) > 1 and not grouped:
            if len(items) > MOST_CARDS + len(choices):
                raise NotationError(self._expected(definition))
            return None
        if len(wide) == 1 and not grouped:
            at, after = wide[0], len(choices) - wide[0] - 1
            words = [item for item in items if isinstance(item, str)]
            if len(words) < at + after or len(words) > at + after + MOST_CARDS:
                raise NotationError(self._expected(definition))
            end = len(words) - after
            return [*((w,) for w in words[:at]), tuple(words[at:end]), *((w,) for w in words[end:])]
        if len(items) != len(choices):
            raise NotationError(self._expected(definition))
        shares = []
        for choice, item in zip(choices, items, strict=True):
            if not isinstance(item, str) and not is_wide(choice):
                raise NotationError(f"`{definition.name}` takes a single value for `{choice.name}`")
            shares.append((item,) if isinstance(item, str) else item)
        return shares

    def _several(self, choice: Choice, words: Sequence[str]) -> tuple[int, ...]:
        of = element(choice.type)
        if [word.casefold() for word in words] == ["none"]:
            return ()
        if isinstance(of, Card):
            return tuple(sorted(self.deal_out([self._face(word) for word in words])))
        values = [self.read(of, word) for word in words]
        numbers = sorted({int(v) for v in values if isinstance(v, int)})
        if len(numbers) != len(words):
            raise NotationError(f"`{choice.name}` takes each value once")
        return tuple(numbers)

    def _loose(self, definition: MoveDef, word: str) -> str:
        """A word in its canonical form, whichever of the choices it belongs to."""
        for choice in definition.choices:
            try:
                return self.value(choice.type, self.read(choice.type, word))
            except NotationError:
                continue
        raise NotationError(f"{quoted(word)} is no value for `{definition.name}`")

    def read(self, of: Type, word: str) -> int | bool | None:
        """One value from one word, in either case; raises NotationError saying what was expected."""
        folded = word.casefold()
        if isinstance(of, Optional) and folded == "none":
            return None
        of = element(of)
        match of:
            case Card():
                return self.pack.by_face[self._face(word)][0]
            case Int(low, high):
                number = whole_number(word)
                if number is None or not low <= number <= high:
                    raise NotationError(f"{quoted(word)} is no number from {low} to {high}")
                return number
            case Bool():
                truth = {"true": True, "yes": True, "false": False, "no": False}.get(folded)
                if truth is None:
                    raise NotationError(f"{quoted(word)} is neither `true` nor `false`")
                return truth
        names = self._names(of)
        for number, name in enumerate(names):
            if name is not None and name.casefold() == folded:
                return number
        known = [name for name in names if name is not None]
        close = nearest(word, known)
        hint = f"did you mean `{close}`?" if close else f"there are {listed(known)}"
        raise NotationError(f"{quoted(word)} is not {of}: {hint}")

    def _names(self, of: Type) -> list[str | None]:
        """The names of all values of a type, by number."""
        match of:
            case Player():
                return [f"P{seat + 1}" for seat in range(self.setup.players)]
            case Team():
                return [f"T{team + 1}" for team in range(self.setup.teams)]
            case Suit():
                return [suit.name for suit in self.pack.suits]
            case Rank():
                return list(self.pack.ranks)
            case Word(name):
                return list(self.program.words[name])
            case Pile():
                return [self.place(p.number) if p.kind == "pile" else None for p in self.setup.places]
        return []

    def _no_move(self, first: Item) -> str:
        word = first if isinstance(first, str) else "("
        if self.pack.parse_face(word[:40]) is not None:
            return f"a move begins with its name, not with a card: {quoted(word)}"
        close = nearest(word[:40], self.program.moves)
        hint = f"did you mean `{close}`?" if close else f"the moves are {listed(self.program.moves)}"
        return f"{quoted(word)} is no move of this game: {hint}"

    def _expected(self, definition: MoveDef) -> str:
        """`lead` takes one card: what the text of a move must hold."""
        if not definition.choices:
            return f"`{definition.name}` takes no values"
        wanted = [f"`{c.name}` ({c.type})" for c in definition.choices]
        return f"`{definition.name}` takes {len(wanted)}: {', '.join(wanted)}"


def _items(text: str) -> list[Item]:
    """Words, and what stands in parentheses as one item each."""
    found: list[Item] = []
    group: list[str] | None = None
    for token in re.findall(r"[()]|[^\s()]+", text):
        if token == "(":
            if group is not None:
                raise NotationError("a parenthesis inside a parenthesis")
            group = []
        elif token == ")":
            if group is None:
                raise NotationError("`)` without `(`")
            found.append(tuple(group))
            group = None
        elif group is not None:
            group.append(token)
        else:
            found.append(token)
    if group is not None:
        raise NotationError("`(` without `)`")
    return found
