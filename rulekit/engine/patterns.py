"""Patterns: instances, strength, wild cards, the best partition; and the expressions that ask for them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, combinations_with_replacement
from typing import Any

from rulekit.engine.evaluate import Fn, Scope, maker, sortable
from rulekit.engine.fault import MOST_TRIED, MOST_WAYS, TOO_MANY, FaultError
from rulekit.engine.parts import CardsFit, Fit, OrFit, WithFit, bounds
from rulekit.engine.repeated import RepeatedFit
from rulekit.engine.state import State
from rulekit.engine.tokens import Tokens, printed, without
from rulekit.program import expressions as e
from rulekit.program import patterns as p
from rulekit.program import types as t

Cards = tuple[int, ...]
CACHE = 10_000  #: answers kept for each pattern before all are forgotten
NEARLY = 2  #: cards by which sets differ that are looked at together


class PatternFit:
    """One compiled pattern. Parameters must be set before it is asked anything, with `bind`."""

    def __init__(self, patterns: Patterns, definition: p.PatternDef) -> None:
        scope = patterns.scope
        self.definition = definition
        self.n = len(scope.setup.pack)
        self.scratch = scope.scratch
        self.part: Fit | None = None if definition.part is None else patterns.part(definition.part)
        self.classes = [patterns.pattern(name) for name in definition.classes]
        self.alternatives = self._alternatives(patterns)
        types = [scope.program.locals[number].type for number in definition.parameters]
        self.parameters = tuple(
            (number, not isinstance(of, t.Optional))
            for number, of in zip(definition.parameters, types, strict=True)
        )
        self.by = (
            None if definition.by is None else sortable(scope.compile(definition.by), definition.by.type)
        )
        self.weights = self._weights(scope)
        self.wild = None if definition.wild is None else scope.compile(definition.wild)
        #: what a wild card may stand for: any card of ranks and suits, no extra card
        faces = scope.setup.pack.by_face.items()
        self.stand_ins = tuple(cards[0] for face, cards in faces if face.suit is not None)
        self.least, self.most = bounds(self.classes) if self.part is None else bounds([self.part])
        self.free = self.part is not None and self.part.free
        self.alone: bool = all(part.alone for part in (self.classes if self.part is None else [self.part]))
        self.constant = patterns.is_constant(definition)
        self.cache: dict[Any, Any] = {}
        #: what is known of sets asked about before, if the cards alone decide
        self.known = self.constant and not definition.parameters
        self.known_fits: dict[Tokens, bool] = {}
        self.last: tuple[frozenset[int], list[Tokens]] = frozenset(), []
        self.known_strengths: dict[Tokens, tuple[Any, ...] | None] = {}

    def _alternatives(self, patterns: Patterns) -> list[tuple[PatternFit, tuple[Fn, ...]]] | None:
        """The patterns of `A or B`, if all are named: each compares by its own order."""
        part = self.definition.part
        if not isinstance(part, p.OrPart) or self.definition.by is not None:
            return None
        if not all(isinstance(x, p.NamedPart) for x in part.parts):
            return None
        return [
            (patterns.pattern(x.pattern), tuple(patterns.scope.compile(a) for a in x.arguments))
            for x in part.parts
            if isinstance(x, p.NamedPart)
        ]

    def bind(self, values: Sequence[Any]) -> bool:
        """Sets the parameters. Where one that needs a value is none, nothing is an instance: false."""
        for (number, wanted), value in zip(self.parameters, values, strict=True):
            if wanted and value is None:
                return False
            self.scratch[number] = value
        return True

    # ------------------------------------------------------------ wild cards

    def readings(self, s: State, cards: Tokens) -> Iterator[Tokens]:
        """The cards as they stand, and with each wild card standing for any card of the pack."""
        yield cards
        if self.wild is None:
            return
        for using in self.wild_used(s, cards):
            natural = without(cards, using)
            for tokens in self.standing(len(using)):
                yield tuple(sorted((*natural, *tokens)))

    def wild_used(self, s: State, cards: Tokens) -> Iterator[Tokens]:
        """The sets of wild cards that may stand for others in one instance."""
        assert self.wild is not None
        wild = [card for card in self.wild(s) if card in cards]
        most = len(wild) if self.definition.most_wild is None else min(len(wild), self.definition.most_wild)
        for count in range(1, most + 1):
            yield from combinations(wild, count)

    def standing(self, count: int) -> Iterator[Tokens]:
        """Tokens for so many wild cards: each stands for a card of the pack."""
        for stand_ins in combinations_with_replacement(self.stand_ins, count):
            yield tuple(self.n * (k + 1) + card for k, card in enumerate(stand_ins))

    # ------------------------------------------------------------ questions

    def fits(self, s: State, cards: Tokens) -> bool:
        """The cards as a whole are an instance."""
        if len(cards) < self.least or (self.most is not None and len(cards) > self.most):
            return False
        if not self.known:
            return self._fits(s, cards)
        known = self.known_fits
        if cards not in known:
            if len(known) >= CACHE:
                known.clear()
            known[cards] = self._fits(s, cards)
        return known[cards]

    def _fits(self, s: State, cards: Tokens) -> bool:
        if self.part is None:
            return any(each.fits(s, cards) for each in self.classes)
        if self.wild is None:
            return self.part.fits(s, cards)
        part = self.part
        return any(part.fits(s, reading) for reading in self.readings(s, cards))

    def find(self, s: State, cards: Tokens) -> Iterator[Tokens]:
        """All instances inside the cards."""
        if self.part is None:
            for each in self.classes:
                yield from each.find(s, cards)
            return
        yield from self.part.find(s, cards)
        if self.wild is None:
            return
        for using in self.wild_used(s, cards):
            natural = without(cards, using)
            for tokens in self.standing(len(using)):
                for instance in self.part.find(s, tuple(sorted((*natural, *tokens)))):
                    if set(tokens) <= set(instance):
                        yield tuple(sorted((*(card for card in instance if card < self.n), *using)))

    def instances(self, s: State, cards: Tokens) -> list[Tokens]:
        """All instances inside the cards, each once, in order.

        One question is often followed by others about nearly the same cards (`hand - it`), so what lies
        inside all of them together is kept, if the cards alone decide.
        """
        if not self.known or not self.alone:
            return self._listed(s, cards)
        wanted, (around, found) = frozenset(cards), self.last
        if not wanted <= around:
            around = wanted | around if len(around - wanted) <= NEARLY else wanted
            found = self._listed(s, tuple(sorted(around)))
            self.last = around, found
        return [one for one in found if wanted.issuperset(one)]

    def _listed(self, s: State, cards: Tokens) -> list[Tokens]:
        """What is found, each once, in order; more than anybody could go through are a fault."""
        found: set[Tokens] = set()
        for number, one in enumerate(self.find(s, cards)):
            if number > MOST_TRIED or len(found) > MOST_WAYS:
                definition = self.definition
                raise FaultError(TOO_MANY, f"too many sets are a `{definition.name}`", definition.span)
            if one:
                found.add(one)
        return sorted(found)

    def keys(self, s: State, cards: Tokens) -> Iterator[tuple[Any, ...]]:
        """The key of each way in which the cards are an instance: by `by`, else natural."""
        if self.part is None:
            strength = self.strength(s, cards)
            if strength is not None:
                yield strength
            return
        for reading in self.readings(s, cards):
            if self.by is None:
                yield from self.part.keys(s, reading)
            elif self.part.fits(s, reading):
                self.scratch[self.definition.local] = tuple(sorted(card % self.n for card in reading))
                key = self.by(s)
                yield key if isinstance(key, tuple) else (key,)

    def strength(self, s: State, cards: Tokens) -> tuple[Any, ...] | None:
        """Class and key of the strongest reading, to compare; None if the cards are no instance."""
        if not self.known:
            return self._strength(s, cards)
        known = self.known_strengths
        if cards not in known:
            if len(known) >= CACHE:
                known.clear()
            known[cards] = self._strength(s, cards)
        return known[cards]

    def _strength(self, s: State, cards: Tokens) -> tuple[Any, ...] | None:
        if not self.classes:
            return max(self.keys(s, cards), default=None)
        for number in range(len(self.classes) - 1, -1, -1):
            key = self.classes[number].strength(s, cards)
            if key is not None:
                return (number, *key)
        return None

    def best(self, s: State, cards: Tokens) -> tuple[Any, ...] | None:
        """The strength of the strongest instance inside the cards."""
        if not self.classes:
            keys = (key for found in self.instances(s, cards) for key in self.keys(s, found))
            return max(keys, default=None)
        for number in range(len(self.classes) - 1, -1, -1):
            key = self.classes[number].best(s, cards)
            if key is not None:
                return (number, *key)
        return None

    def beats(self, s: State, a: Tokens, b: Tokens) -> bool:
        """A beats B: a higher class; or the same class, or alternative, and a higher key."""
        if self.classes:
            for each in reversed(self.classes):
                first, second = each.fits(s, a), each.fits(s, b)
                if first or second:
                    return first and (not second or each.beats(s, a, b))
            return False
        if self.alternatives is not None:
            for pattern, arguments in self.alternatives:
                bound = pattern.bind([argument(s) for argument in arguments])
                if bound and pattern.fits(s, a) and pattern.fits(s, b):
                    return pattern.beats(s, a, b)
            return False
        high, low = self.strength(s, a), self.strength(s, b)
        if high is None or low is None:
            return False
        return high > low and (self.by is not None or len(a) == len(b))

    # ------------------------------------------------------------ partitions

    def _weights(self, scope: Scope) -> Callable[[State, int], int]:
        """The weight of a card; one that has none weighs nothing."""
        expr, local = self.definition.weight, self.definition.weight_local
        if expr is None:
            return lambda s, card: 1
        table, weight = printed(scope, expr, local), scope.compile(expr)
        if table is not None:
            return lambda s, card: table[card] or 0

        def weigh(s: State, card: int) -> int:
            self.scratch[local] = card
            return weight(s) or 0

        return weigh

    def partition(self, s: State, cards: Tokens) -> tuple[Tokens, ...]:
        """Disjoint instances that cover most weight; of these the fewest, then the first in order."""
        instances = self.instances(s, cards)
        if not instances:
            return ()
        weights = {card: self.weights(s, card) for card in {card for found in instances for card in found}}
        bits = {card: 1 << at for at, card in enumerate(weights)}
        firsts: list[
            list[tuple[int, int, Tokens]]
        ] = []  # instances with one first card: weight, cards, itself
        for found in instances:
            if not firsts or firsts[-1][0][2][0] != found[0]:
                firsts.append([])
            mask = sum(bits[card] for card in found)
            firsts[-1].append((sum(weights[card] for card in found), mask, found))
        later = [0] * (len(firsts) + 1)  # cards that instances from here on hold
        for at in range(len(firsts) - 1, -1, -1):
            later[at] = later[at + 1]
            for _, mask, _ in firsts[at]:
                later[at] |= mask
        known: dict[tuple[int, int], tuple[int, int, tuple[Tokens, ...]]] = {}
        tried = 0

        def best(at: int, used: int) -> tuple[int, int, tuple[Tokens, ...]]:
            """Least of (weight covered, negative; number of sets; the sets), from there on."""
            if at == len(firsts):
                return 0, 0, ()
            nonlocal tried
            key = at, used & later[at]
            if key not in known:
                tried += len(firsts[at])
                if tried > MOST_TRIED:
                    told = f"too many ways to part {len(cards)} cards into `{self.definition.name}`"
                    raise FaultError(TOO_MANY, told, self.definition.span)
                answer = best(at + 1, used)
                for weight, mask, found in firsts[at]:
                    if not used & mask:
                        covered, count, sets = best(at + 1, used | mask)
                        answer = min(answer, (covered - weight, count + 1, (found, *sets)))
                known[key] = answer
            return known[key]

        return best(0, 0)[2]


class Patterns:
    """The patterns of one setup, compiled when first needed."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self._made: dict[str, PatternFit] = {}

    def pattern(self, name: str) -> PatternFit:
        if name not in self._made:
            self._made[name] = PatternFit(self, self.scope.program.patterns[name])
        return self._made[name]

    def part(self, part: p.Part) -> Fit:
        """The compiled part."""
        match part:
            case p.CardsPart():
                return CardsFit(self.scope, part)
            case p.WithPart(parts):
                return WithFit([self.part(inner) for inner in parts])
            case p.OrPart(parts):
                return OrFit([self.part(inner) for inner in parts])
            case p.NamedPart(name, arguments):
                return self.called(name, arguments)
            case p.RepeatedPart(_, _, name, arguments):
                return RepeatedFit(self.scope, part, self.called(name, arguments))

    def called(self, name: str, arguments: Sequence[e.Expr]) -> Fit:
        pattern = self.pattern(name)
        if not arguments:
            return pattern
        return CalledFit(self.scope, pattern, [self.scope.compile(argument) for argument in arguments])

    def is_constant(self, definition: p.PatternDef) -> bool:
        """Whether cards fit depends on what is printed on them (and on parameters) alone."""
        reads = self.scope.reader.pattern_reads(definition.name)
        return reads.steady and not reads.names and reads.locals <= set(definition.parameters)


class CalledFit:
    """A pattern with arguments."""

    def __init__(self, scope: Scope, pattern: PatternFit, arguments: Sequence[Fn]) -> None:
        self.pattern, self.arguments = pattern, arguments
        self.least, self.most, self.free = pattern.least, pattern.most, pattern.free
        self.alone = pattern.alone
        self.scratch = scope.scratch

    def bound(self, s: State) -> bool:
        return self.pattern.bind([argument(s) for argument in self.arguments])

    def fits(self, s: State, cards: Tokens) -> bool:
        return self.bound(s) and self.pattern.fits(s, cards)

    def find(self, s: State, cards: Tokens) -> Iterator[Tokens]:
        if self.bound(s):
            yield from list(self.pattern.find(s, cards))

    def keys(self, s: State, cards: Tokens) -> Iterator[tuple[Any, ...]]:
        if self.bound(s):
            yield from list(self.pattern.keys(s, cards))


def asked(
    scope: Scope,
    x: p.Matches | p.Instances | p.BestInstance | p.Tail | p.Inside | p.Beats,
    answer: Callable[[PatternFit, State, Any], Any],
    subject: Fn,
    otherwise: Callable[[Any], Any],
) -> Fn:
    """The function that binds the arguments and asks; answers that depend on the cards alone are kept.

    ``otherwise``  the answer if there is no instance at all
    """
    pattern = scope.patterns.pattern(x.pattern)
    arguments = tuple(scope.compile(argument) for argument in x.arguments)
    cache = pattern.cache
    kind = type(x).__name__ + str(getattr(x, "outside", ""))

    def ask(s: State) -> Any:
        about = subject(s)
        values = tuple([argument(s) for argument in arguments])
        if pattern.constant:
            key = (kind, values, about)
            if key in cache:
                return cache[key]
        found = answer(pattern, s, about) if pattern.bind(values) else otherwise(about)
        if pattern.constant:
            if len(cache) >= CACHE:
                cache.clear()
            cache[key] = found
        return found

    return ask


def in_order(cards: Fn) -> Fn:
    """The cards in deck order, each once."""
    return lambda s: tuple(sorted(cards(s)))


@maker(p.Matches)
def _matches(scope: Scope, x: p.Matches) -> Fn:
    def fits(pattern: PatternFit, s: State, cards: Cards) -> bool:
        return pattern.fits(s, cards)

    return asked(scope, x, fits, in_order(scope.compile(x.cards)), lambda cards: False)


@maker(p.Instances)
def _instances(scope: Scope, x: p.Instances) -> Fn:
    def find(pattern: PatternFit, s: State, cards: Cards) -> tuple[Cards, ...]:
        return tuple(pattern.instances(s, cards))

    return asked(scope, x, find, in_order(scope.compile(x.cards)), lambda cards: ())


@maker(p.BestInstance)
def _best_instance(scope: Scope, x: p.BestInstance) -> Fn:
    def best(pattern: PatternFit, s: State, cards: Cards) -> tuple[Any, ...] | None:
        return pattern.best(s, cards)

    return asked(scope, x, best, in_order(scope.compile(x.cards)), lambda cards: None)


@maker(p.Tail)
def _tail(scope: Scope, x: p.Tail) -> Fn:
    def tail(pattern: PatternFit, s: State, cards: Cards) -> Cards:
        for start in range(len(cards)):
            if pattern.fits(s, tuple(sorted(cards[start:]))):
                return cards[start:]
        return ()

    return asked(scope, x, tail, scope.compile(x.cards), lambda cards: ())


@maker(p.Inside)
def _inside(scope: Scope, x: p.Inside) -> Fn:
    def inside(pattern: PatternFit, s: State, cards: Cards) -> Any:
        sets = tuple(sorted(pattern.partition(s, cards)))
        if x.outside:
            return without(cards, tuple(card for one in sets for card in one))
        return sets

    return asked(scope, x, inside, in_order(scope.compile(x.cards)), lambda cards: cards if x.outside else ())


@maker(p.Beats)
def _beats(scope: Scope, x: p.Beats) -> Fn:
    left, right = in_order(scope.compile(x.left)), in_order(scope.compile(x.right))

    def beats(pattern: PatternFit, s: State, both: tuple[Cards, Cards]) -> bool:
        return pattern.beats(s, *both)

    return asked(scope, x, beats, lambda s: (left(s), right(s)), lambda both: False)
