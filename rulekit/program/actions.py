"""Action numbers: every action of a game as one number, or a short row of numbers, fixed by setup alone.

The space is: the game's moves in file order (then those of its blocks), each with mixed radix over the
static domains of its choices: faces, suits, ranks, players, words, numbers, piles, sets. A choice whose
domain has more than `STAGED` values is *staged*: after the number of the move (and of the choices before it)
come the faces of the set one by one in deck order, then `done`; a large number comes digit by digit. A row
of numbers names one action, and no row is the beginning of another.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any

from rulekit.program import expressions as e
from rulekit.program import types as t
from rulekit.program.program import Choice
from rulekit.program.setup import Setup
from rulekit.program.walk import walk_expressions

STAGED = 10_000  #: a domain with more values than this is chosen step by step
BASE = 10  #: of the digits of a staged number


@dataclass(frozen=True)
class Domain:
    """The static domain of a choice: ``size`` values and the place of a value among them.

    ``size`` 0: the domain is staged, and ``steps`` gives the row of step numbers, counted from 0.
    """

    size: int
    place: Callable[[Any], int] | None = None
    steps: Callable[[Any], tuple[int, ...]] | None = None
    step_size: int = 0


@dataclass(frozen=True)
class MoveSpace:
    """Where a move's numbers lie: ``radix`` of the choices before the first staged one, then the rest."""

    name: str
    first: int
    domains: tuple[Domain, ...]


class ActionSpace:
    """The numbers of one setup. ``size`` is one more than the largest number that can occur."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.moves: dict[str, MoveSpace] = {}
        self._extra: dict[tuple[str, int], int] = {}  # first number of a step block, by move and choice
        size = 0
        for move in setup.program.moves.values():
            domains = tuple(self.domain(choice) for choice in move.choices)
            self.moves[move.name] = MoveSpace(move.name, size, domains)
            radix = 1
            for domain in domains:
                if domain.size == 0:
                    break
                radix *= domain.size
                if radix > STAGED * STAGED:
                    break
            size += radix
        for move_space in self.moves.values():
            staged = False
            for number, domain in enumerate(move_space.domains):
                staged = staged or domain.size == 0
                if staged:
                    self._extra[move_space.name, number] = size
                    size += domain.size or domain.step_size
        self.size = size

    # ------------------------------------------------------------ encoding

    def encode(self, move: str, values: Sequence[Any]) -> tuple[int, ...]:
        """The row of numbers of an action: one number unless a choice is staged."""
        space = self.moves[move]
        place = 0
        row: list[int] = []
        staged = False
        for number, (domain, value) in enumerate(zip(space.domains, values, strict=True)):
            staged = staged or domain.size == 0
            if not staged and domain.place is not None:
                place = place * domain.size + domain.place(value)
            elif domain.place is not None and domain.size:
                row.append(self._extra[move, number] + domain.place(value))
            elif domain.steps is not None:
                row += [self._extra[move, number] + step for step in domain.steps(value)]
        return (space.first + place, *row)

    def is_staged(self, move: str) -> bool:
        """An action of this move takes several numbers."""
        return any(domain.size == 0 for domain in self.moves[move].domains)

    def steps(self, move: str, number: int) -> int | None:
        """The first number of the steps of a choice; None if it is part of the number of the move."""
        return self._extra.get((move, number))

    # ------------------------------------------------------------ domains

    @cached_property
    def face_of(self) -> tuple[int, ...]:
        """For each card the number of its face, in deck order."""
        faces: dict[Any, int] = {}
        return tuple(faces.setdefault(face, len(faces)) for face in self.setup.pack.cards)

    def domain(self, choice: Choice) -> Domain:
        """The static domain of a choice, by its type."""
        of = choice.type.of if isinstance(choice.type, t.Optional) else choice.type
        faces = max(self.face_of, default=-1) + 1
        match of:
            case t.Card():
                return Domain(faces, lambda card: self.face_of[card])
            case t.Bool():
                return Domain(2, int)
            case t.Int(low, high):
                return numbers(low, high)
            case t.Pile():
                return self.among(self.piles(choice))
            case t.SetOf(t.Card()):
                return self.sets_of_cards(choice, faces)
            case t.SetOf(t.Pile()):
                return subsets(self.piles(choice))
            case t.SetOf(inner):
                return subsets(range(self.count(inner)))
        return self.among(range(self.count(of)))

    def count(self, of: t.Type) -> int:
        """How many values a simple type has."""
        match of:
            case t.Player():
                return self.setup.players
            case t.Team():
                return self.setup.teams
            case t.Suit():
                return len(self.setup.pack.suits)
            case t.Rank():
                return len(self.setup.pack.ranks)
            case t.Word(name):
                return len(self.setup.program.words[name])
        return 1

    def among(self, values: Iterable[Any]) -> Domain:
        places = {value: place for place, value in enumerate(values)}
        return Domain(max(1, len(places)), lambda value: places[value])

    def piles(self, choice: Choice) -> list[int]:
        """The places that a pile chosen here may be."""
        zones = {
            x.zone
            for entry in choice.entries
            for x in walk_expressions(entry.domain)
            if isinstance(x, (e.ZonePiles, e.ZonePile))
        }
        places = self.setup.places
        return [p.number for p in places if p.kind == "pile" and (not zones or p.zone in zones)]

    def sets_of_cards(self, choice: Choice, faces: int) -> Domain:
        """Sets of cards, by their faces: numbered if they are few, else staged."""
        low, high = sizes(choice, len(self.setup.pack))
        copies = [0] * faces
        for face in self.face_of:
            copies[face] += 1
        total = count_multisets(copies, low, high)
        if total <= STAGED:
            known = {row: place for place, row in enumerate(sorted(multisets(copies, low, high)))}
            return Domain(
                max(1, total), lambda cards: known[tuple(sorted(self.face_of[card] for card in cards))]
            )
        done = faces

        def steps(cards: Iterable[int]) -> tuple[int, ...]:
            return (*sorted(self.face_of[card] for card in cards), done)

        return Domain(0, steps=steps, step_size=faces + 1)


def numbers(low: int, high: int) -> Domain:
    """Whole numbers: one number each, or digits if they are many."""
    if high - low < STAGED:
        return Domain(high - low + 1, lambda value: value - low)
    digits = len(str(high - low))

    def steps(value: int) -> tuple[int, ...]:
        return tuple(int(digit) for digit in str(value - low).zfill(digits))

    return Domain(0, steps=steps, step_size=BASE)


def subsets(values: Iterable[Any]) -> Domain:
    """Sets of few things, by the bits of their members; staged if there are many."""
    places = {value: place for place, value in enumerate(values)}
    if 2 ** len(places) <= STAGED:
        return Domain(2 ** len(places), lambda chosen: sum(1 << places[value] for value in chosen))
    done = len(places)
    return Domain(
        0, steps=lambda chosen: (*sorted(places[v] for v in chosen), done), step_size=len(places) + 1
    )


def sizes(choice: Choice, most: int) -> tuple[int, int]:
    """The smallest and largest number of cards that may be chosen, as far as the rules tell."""
    low, high = most, 0
    for entry in choice.entries:
        domain = entry.domain
        while isinstance(domain, e.Filter):
            domain = domain.domain
        if not isinstance(domain, e.Selections):
            return 0, most
        least, greatest = domain.low.type, domain.high.type if domain.high is not None else None
        low = min(low, least.low if isinstance(least, t.Int) else 0)
        high = max(high, greatest.high if isinstance(greatest, t.Int) else most)
    return max(0, min(low, most)), max(0, min(high, most))


def count_multisets(copies: Sequence[int], low: int, high: int) -> int:
    """How many multisets of ``low`` to ``high`` faces there are, ``copies`` of each."""
    ways = [1] + [0] * high
    for many in copies:
        ways = [sum(ways[size - k] for k in range(min(many, size) + 1)) for size in range(high + 1)]
    return sum(ways[low:])


def multisets(copies: Sequence[int], low: int, high: int) -> Iterable[tuple[int, ...]]:
    """Those multisets, as sorted tuples of faces."""
    pool = [face for face, many in enumerate(copies) for _ in range(many)]
    for size in range(low, high + 1):
        yield from dict.fromkeys(combinations(pool, size))
