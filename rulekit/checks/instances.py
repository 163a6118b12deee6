"""How many sets of cards a search looks at, at worst: bounds by counting, without looking at any.

The bounds follow how instances are found: what is the same parts the cards into groups, what is consecutive
is taken window by window, what must add up is taken as far as the sum allows; all else is every set of a
fitting size. They err on the high side, but for odd divisions of the cards among groups by little.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from math import comb

from rulekit.cards import Face
from rulekit.checks.faces import FaceEstimator
from rulekit.program import Program
from rulekit.program import expressions as e
from rulekit.program import patterns as p
from rulekit.program.bounds import FALSE, Known, Range
from rulekit.program.walk import walk

MOST = 10**15  #: where counting stops


class Instances:
    """Counts for one program: what is printed on the cards is known, what lies where is not."""

    def __init__(self, program: Program, estimator: FaceEstimator, known: Known) -> None:
        self.program = program
        self.estimator = estimator
        self.known = known
        self.pack: list[Face] = []
        for face in estimator.all_faces():
            self.pack += [face] * (1 if face.suit is None else estimator.copies)
        self._found: dict[tuple[str, int], int] = {}
        self._values: dict[tuple[int, int], dict[Face, object]] = {}

    # ------------------------------------------------------------ searches

    def inside(self, name: str, cards: int) -> int:
        """Sets looked at for all instances of a pattern inside so many cards."""
        return min(MOST, self._natural(name, cards) * self._readings(name, cards))

    def _natural(self, name: str, cards: int) -> int:
        """The same with every card for what it is."""
        key = name, cards
        if key not in self._found:
            self._found[key] = 0  # patterns have no circles; a program with errors never comes here
            definition = self.program.patterns[name]
            if definition.part is None:
                count = sum(self._natural(each, cards) for each in definition.classes)
            else:
                count = self._part(definition.part, cards)
            self._found[key] = min(count, MOST)
        return self._found[key]

    def whole(self, name: str, cards: int) -> int:
        """Readings and partings looked at to see whether so many cards as a whole are an instance."""
        definition = self.program.patterns[name]
        if definition.part is None:
            return min(MOST, sum(self.whole(each, cards) for each in definition.classes))
        return min(MOST, self._whole(definition.part, cards) * self._readings(name, cards))

    def _whole(self, part: p.Part, cards: int) -> int:
        match part:
            case p.CardsPart():
                return 1
            case p.NamedPart(name):
                inside = self.program.patterns[name]
                return 1 if inside.part is None else self._whole(inside.part, cards)
            case p.OrPart(inner):
                return sum(self._whole(one, cards) for one in inner)
            case p.RepeatedPart(pattern=name):
                return self._natural(name, cards)
            case p.WithPart(inner):
                count = 1
                for one in inner[:-1]:
                    count = min(MOST, count * max(1, self._part(one, cards)))
                return count

    def wild(self, name: str) -> bool:
        """Are there wild cards in the pattern, or in one that it is made of?"""
        definition = self.program.patterns[name]
        inner = [x.pattern for x in walk(definition) if isinstance(x, p.NamedPart | p.RepeatedPart)]
        return definition.wild is not None or any(self.wild(one) for one in (*definition.classes, *inner))

    def subsets(self, low: int, high: int | None, of: int) -> int:
        """How many sets of ``low`` to ``high`` things there are among so many."""
        if of > 200:
            return MOST
        most = of if high is None else min(high, of)
        return min(MOST, sum(comb(of, size) for size in range(max(0, low), most + 1)))

    # ------------------------------------------------------------ parts

    def _part(self, part: p.Part, cards: int) -> int:
        """Sets looked at for the instances of a part."""
        match part:
            case p.CardsPart():
                return self._cards(part, cards)
            case p.NamedPart(name):
                return self._natural(name, cards)
            case p.OrPart(inner):
                return min(MOST, sum(self._part(one, cards) for one in inner))
            case p.WithPart(inner):
                count = 1
                for one in inner:
                    count = min(MOST, count * max(1, self._part(one, cards)))
                    cards -= self.least(one)
                return count
            case p.RepeatedPart():
                return self._repeated(part, cards)

    def least(self, part: p.Part) -> int:
        """The fewest cards of an instance."""
        match part:
            case p.CardsPart(low):
                return low
            case p.RepeatedPart(low, _, name):
                return low * max(1, self._least(name))
            case p.NamedPart(name):
                return self._least(name)
            case p.WithPart(inner):
                return sum(self.least(one) for one in inner)
            case p.OrPart(inner):
                return min(self.least(one) for one in inner)

    def _least(self, name: str) -> int:
        definition = self.program.patterns[name]
        if definition.part is None:
            return min((self._least(each) for each in definition.classes), default=0)
        return self.least(definition.part)

    def _cards(self, part: p.CardsPart, cards: int) -> int:
        kinds: dict[str, list[p.Constraint]] = {}
        for constraint in part.constraints:
            kinds.setdefault(constraint.kind, []).append(constraint)
        pool = self.pack
        for constraint in kinds.get("each", ()):
            holds = self._each(constraint)
            pool = [face for face in pool if holds[face] is not False]
        groups = [pool]
        for constraint in kinds.get("same", ()):
            groups = [some for group in groups for some in _parted(group, self._each(constraint))]
        runs, sums = kinds.get("consecutive", []), kinds.get("where", [])
        left, count = min(cards, len(pool)), 0
        for group in sorted(groups, key=len, reverse=True):
            here = min(left, len(group))
            left -= here
            if runs:
                count += self._windows(runs[0], part, group, here)
            else:
                count += min(self.subsets(part.low, part.high, here), self._adding_up(sums, part, group))
        return min(MOST, count)

    def _windows(self, run: p.Constraint, part: p.CardsPart, group: Sequence[Face], cards: int) -> int:
        """Sets of cards that stand in a row: for each window, one card at each of its places."""
        values = self._each(run)
        held = Counter(values[face] for face in group if values[face] is not None)
        if not held:
            return 0
        places = len(self.program.orders[run.order]) if run.order is not None else len(held)
        return rows(part.low, part.high, places, cards, lambda each: min(each, max(held.values())))

    def _adding_up(self, sums: Iterable[p.Constraint], part: p.CardsPart, group: Sequence[Face]) -> int:
        """Sets of the whole group that a sum named by the pattern lets a search look at."""
        fewest = MOST
        for constraint in sums:
            match constraint.fact:
                case e.Same(e.Sum(e.Collect(e.Local(whole), local, value)), wanted) | e.Same(
                    wanted, e.Sum(e.Collect(e.Local(whole), local, value))
                ) if whole == constraint.local:
                    most = self.estimator.number(wanted, self.known).high
                    worths = [self.estimator.at(local, face, value, self.known) for face in group]
                    known = [one for one in worths if isinstance(one, Range) and not one.nothing]
                    if most <= 10_000 and all(one.certain and one.low >= 0 for one in known):
                        fewest = min(fewest, _up_to([one.low for one in known], most))
        return fewest

    def _repeated(self, part: p.RepeatedPart, cards: int) -> int:
        """Sets of instances that do not overlap."""
        size = max(1, self._least(part.pattern))
        most = cards // size if part.high is None else min(part.high, cards // size)
        runs = [one for one in part.constraints if one.kind == "consecutive"]
        if runs:
            values = self._each(runs[0])
            held = Counter(values[face] for face in self.pack if values[face] is not None)
            order = runs[0].order
            places = len(self.program.orders[order]) if order is not None else len(held)
            widest = max(held.values(), default=0)
            return rows(
                part.low, most, places, cards, lambda each: self._natural(part.pattern, min(each, widest))
            )
        found = self._natural(part.pattern, cards)
        count = 0
        for number in range(max(1, part.low), most + 1):
            count += comb(min(found, 10**6), number) if number < 40 else MOST
            if count >= MOST:
                break
        every: int = 2 ** min(cards, 60)
        return min(MOST, count, every)

    def _readings(self, name: str, cards: int) -> int:
        """In how many ways wild cards may stand for others, at most, in this pattern or one inside it."""
        definition = self.program.patterns[name]
        inner = [x.pattern for x in walk(definition) if isinstance(x, p.NamedPart | p.RepeatedPart)]
        ways = max((self._readings(one, cards) for one in (*definition.classes, *inner)), default=1)
        if definition.wild is None:
            return ways
        wild = definition.wild.of if isinstance(definition.wild, e.One) else definition.wild
        number = cards
        if isinstance(wild, e.Cards):
            number = min(number, sum(1 for face in self.pack if face in wild.faces))
        most = number if definition.most_wild is None else min(number, definition.most_wild)
        others = len({face for face in self.pack if face.suit is not None})
        count = sum(comb(number, used) * comb(others + used - 1, used) for used in range(min(most, 20) + 1))
        return min(MOST, max(ways, count))

    def _each(self, constraint: p.Constraint) -> dict[Face, object]:
        """What the fact of a constraint is for each face; where the face does not tell, one value for all."""
        key = constraint.local, id(constraint.fact)
        if key not in self._values:
            found: dict[Face, object] = {}
            for face in dict.fromkeys(self.pack):
                value = self.estimator.at(constraint.local, face, constraint.fact, self.known)
                if value == FALSE and constraint.kind == "each":
                    found[face] = False
                elif isinstance(value, Range) and value.certain:
                    found[face] = value.low
                else:
                    found[face] = None if isinstance(value, Range) and value.nothing else "?"
            self._values[key] = found
        return self._values[key]


def rows(low: int, high: int | None, places: int, cards: int, ways: Callable[[int], int]) -> int:
    """Windows of ``low`` to ``high`` of so many places, and in each the ways to fill it.

    ``ways`` tells for so many cards of one place in how many ways it is filled.
    """
    count = 0
    for length in range(max(1, low), (places if high is None else min(high, places)) + 1):
        if length > cards:
            break
        each, more = divmod(cards, length)
        filled = int(ways(each + 1) ** more * ways(each) ** (length - more))
        count += (places - length + 1) * filled
        if count >= MOST:
            return MOST
    return count


def _parted(group: Sequence[Face], values: dict[Face, object]) -> list[list[Face]]:
    found: dict[object, list[Face]] = {}
    for face in group:
        if values[face] is not None:
            found.setdefault(values[face], []).append(face)
    return list(found.values())


def _up_to(worths: Sequence[int], most: int) -> int:
    """How many sets of these have a sum of at most ``most``."""
    ways = [1] + [0] * most
    for worth in worths:
        if worth <= most:
            for total in range(most, worth - 1, -1):
                ways[total] = min(MOST, ways[total] + ways[total - worth])
    return min(MOST, sum(ways))
