"""The legal actions of a compiled engine as numbers, looked up from what the engine keeps.

It keeps most of them as a bit set. Sixteen bits at a time are looked up; what never was is worked out once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from math import comb
from typing import TYPE_CHECKING, Any, overload

from rulekit.compiled.reading import members, subsets
from rulekit.program.actions import ActionSpace

if TYPE_CHECKING:
    from rulekit.compiled.asks import Site
    from rulekit.compiled.legality import Legal
    from rulekit.compiled.lowering import Lowered

Number = int | tuple[int, ...]  #: a row where an action takes several numbers
Codes = Sequence[Number]
Get = Callable[[], int]  #: reads one value of the game under way
CHUNK = 16


class _Chunk(dict[int, tuple[Number, ...]]):
    """The numbers of the members in a chunk of a bit set."""

    def __init__(self, numbers: Sequence[Number]) -> None:
        super().__init__()
        self._numbers = numbers

    def __missing__(self, bits: int) -> tuple[Number, ...]:
        found = self[bits] = tuple(n for at, n in enumerate(self._numbers) if bits >> at & 1)
        return found


class Lazy(Sequence[Number]):
    """Actions that are worked out when they are looked at; how many there are is known."""

    def __init__(self, count: int, one: Callable[[int], Number], every: Callable[[], list[Number]]) -> None:
        self._count, self._one, self._every = count, one, every
        self._all: list[Number] | None = None

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, place: int) -> Number: ...
    @overload
    def __getitem__(self, place: slice) -> list[Number]: ...
    def __getitem__(self, place: int | slice) -> Number | list[Number]:
        if self._all is None and isinstance(place, int) and -self._count <= place < self._count:
            return self._one(place % self._count)
        return self._listed()[place]

    def __iter__(self) -> Iterator[Number]:
        return iter(self._listed())

    def _listed(self) -> list[Number]:
        if self._all is None:
            self._all = self._every()
        return self._all


class Numbers:
    """Reads the legal actions at every ask of one table.

    ``get``  gives for a field of the state what reads it;  ``listed``  all legal actions as name and values
    """

    def __init__(
        self,
        lowered: Lowered,
        get: Callable[[str], Get],
        listed: Callable[[], list[tuple[str, tuple[Any, ...]]]],
    ) -> None:
        self.space = ActionSpace(lowered.setup)
        self._lowered, self._get, self._listed = lowered, get, listed
        self.sites = {block: self._site(site) for block, site in lowered.sites.items()}

    def encode(self, move: str, values: Sequence[Any]) -> Number:
        row = self.space.encode(move, values)
        return row[0] if len(row) == 1 else row

    def _site(self, site: Site) -> Callable[[], Codes]:
        moves = [self._lowered.legal[number] for number in site.moves]
        if all(legal.form in ("flag", "mask") for legal in moves):
            parts = [self._flag(m) if m.form == "flag" else self._mask(m) for m in moves]
            if len(parts) == 1:
                return parts[0]
            return lambda: [number for part in parts for number in part()]
        if len(moves) == 1 and moves[0].form == "subsets":
            return self._subsets(moves[0])
        choices = self._get("choices")

        def every() -> list[Number]:
            return [self.encode(*action) for action in self._listed()]

        return lambda: Lazy(choices(), lambda place: every()[place], every)

    def _flag(self, legal: Legal) -> Callable[[], Codes]:
        held, yes = self._get(f"legal_{legal.number}"), (self.encode(legal.move.name, ()),)
        return lambda: yes if held() else ()

    def _mask(self, legal: Legal) -> Callable[[], Codes]:
        assert legal.domain is not None
        first, width = legal.domain.first, legal.domain.width
        get = self._get(f"legal_{legal.number}")
        name = legal.move.name
        numbers = [self._member(name, first + at) for at in range(width)]
        chunks = [_Chunk(numbers[at : at + CHUNK]) for at in range(0, width, CHUNK)]
        a, *rest = chunks
        if not rest:
            return lambda: a[get()]
        if len(chunks) == 4:
            _, b, c, d = chunks

            def four() -> Codes:
                bits = get()
                return a[bits & 65535] + b[bits >> 16 & 65535] + c[bits >> 32 & 65535] + d[bits >> 48]

            return four

        def several() -> Codes:
            bits = get()
            found: tuple[Number, ...] = ()
            for chunk in chunks:
                found += chunk[bits & 65535]
                bits >>= CHUNK
            return found

        return several

    def _member(self, move: str, value: int) -> Number:
        """The number of a choice; of a value that can never be chosen, -1."""
        try:
            return self.encode(move, (value,))
        except (LookupError, ValueError):
            return -1

    def _subsets(self, legal: Legal) -> Callable[[], Codes]:
        low, high = (self._get(column) for column in legal.columns)
        count, mask = self._get(legal.count), self._get(f"legal_{legal.number}")
        name, domain = legal.move.name, legal.domain

        def codes() -> Codes:
            least, most, items = low(), high(), members(mask(), domain)
            return Lazy(
                count(),
                lambda place: self.encode(name, (unranked(items, least, most, place),)),
                lambda: [self.encode(name, (chosen,)) for chosen in subsets(items, least, most)],
            )

        return codes


def unranked(items: tuple[int, ...], low: int, high: int, place: int) -> tuple[int, ...]:
    """The subset at a place of `reading.subsets`."""
    if low == high and len(items) < 8:
        return next(c for at, c in enumerate(combinations(items, low)) if at == place)
    chosen: tuple[int, ...] = ()
    start = 0
    while True:
        if len(chosen) >= low:
            if place == 0:
                return chosen
            place -= 1
        for at in range(start, len(items)):
            rest, made = len(items) - at - 1, len(chosen) + 1
            below = sum(comb(rest, more) for more in range(max(0, low - made), high - made + 1))
            if place < below:
                chosen, start = (*chosen, items[at]), at + 1
                break
            place -= below
        else:
            raise IndexError("there is no such subset")
