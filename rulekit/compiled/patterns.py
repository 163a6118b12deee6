"""Patterns: functions that tell whether cards fit, find instances and compare them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any

from rulekit.compiled import fold, lir
from rulekit.compiled.builder import Unsupported
from rulekit.compiled.collections import BitsColl, Coll, EmptyColl
from rulekit.compiled.context import Lower
from rulekit.compiled.fold import FALSE, TRUE
from rulekit.compiled.keys import Key
from rulekit.compiled.lir import NONE, NUMBER, Expr, Int
from rulekit.compiled.pattern_counts import counted
from rulekit.compiled.pattern_joins import OrFit, WithFit, standing_for, takes_wild
from rulekit.compiled.pattern_parts import CardsFit, Fit, Sink, StandIns, each_listed, listing
from rulekit.compiled.pattern_repeats import RepeatedFit
from rulekit.compiled.ranges import Span
from rulekit.compiled.selections import SelectionsColl
from rulekit.program import patterns as p
from rulekit.program import types as t

MOST_WILD = 3  #: wild cards that stand for others in one instance
MOST_FOUND = 1 << 13  #: instances that one question may find


class PatternFit(Fit):
    """One pattern, with functions of its own. Made anew where it is asked while it is being gone through."""

    def __init__(self, lower: Lower, name: str) -> None:
        self.lower, self.b = lower, lower.b
        self.definition = lower.program.patterns[name]
        self.name = lower.fresh(f"pattern_{name}")
        definition = self.definition
        self.part = None if definition.part is None else part_of(lower, definition.part)
        self.classes = [PatternFit(lower, each) for each in definition.classes]
        inner: Sequence[Fit] = self.classes if self.part is None else [self.part]
        sizes = [fit.most for fit in inner]
        self.least = min(fit.least for fit in inner)
        self.most = None if None in sizes else max(size for size in sizes if size is not None)
        self.free = self.part is not None and self.part.free
        self.alternatives = self._alternatives()
        self._functions: dict[str, str] = {}
        self._list = ""
        self.busy = False
        if definition.wild is not None:
            takes_wild(self.part)
        self.length = self._length()

    def _alternatives(self) -> list[CalledFit | PatternFit] | None:
        part = self.definition.part
        if not isinstance(part, p.OrPart) or self.definition.by is not None:
            return None
        if not all(isinstance(x, p.NamedPart) for x in part.parts):
            return None
        assert isinstance(self.part, OrFit)
        return self.part.parts  # type: ignore[return-value]

    def _length(self) -> int:
        if self.definition.by is not None:
            return self.by_length()
        if self.part is not None:
            return self.part.length
        return 1 + max(each.length for each in self.classes)

    def by_length(self) -> int:
        """How many numbers `by` gives: told by writing it once, for nothing."""
        lower = self.lower
        assert self.definition.by is not None
        cards = BitsColl(lir.Get(self.b.var(lower.cards)), lower.domain(t.CARD))
        _, values = self.parameters()
        outer, lower.env = lower.env, {**lower.env, **values, self.definition.local: cards}
        try:
            with self.b.collect():
                return len(lower.key(self.definition.by).parts)
        finally:
            lower.env = outer

    # ------------------------------------------------------------ wild cards

    def wild(self) -> Expr:
        """The wild cards, as a bit set."""
        assert self.definition.wild is not None
        lower = self.lower
        value = lower.value(self.definition.wild)
        if isinstance(value, Coll):
            return fold.empty(lower.cards) if isinstance(value, EmptyColl) else value.bits(lower)
        return lower.b.atom(fold.single(value, lower.cards))

    def stand_ins(self) -> Expr:
        """What a wild card may stand for: a card of each face of ranks and suits, as far as it matters."""
        faces = self.lower.pack.by_face.items()
        cards = sum(1 << cards[0] for face, cards in faces if face.suit is not None)
        return lir.Set(standing_for(self.lower, self.part, cards), self.lower.cards)

    def with_wild(self, cards: Expr, each: Callable[[Expr, Expr, StandIns], None]) -> None:
        """Writes ``each``, given the natural cards, the wild ones and what these stand for, for all wild
        cards
        that may stand for others and all that they may stand for."""
        b = self.b
        value = self.wild()
        most = value.value.bit_count() if isinstance(value, lir.Set) else self.lower.n
        if self.definition.most_wild is not None:
            most = min(most, self.definition.most_wild)
        if most > MOST_WILD:
            raise Unsupported(f"more than {MOST_WILD} wild cards in one instance", self.definition.span)
        wild = b.let(fold.intersect(cards, value))
        domain = self.lower.domain(t.CARD)
        for count in range(1, most + 1):

            def using(some: Expr, count: int = count) -> None:
                using_cards = b.atom(some)
                natural = b.let(fold.without(cards, using_cards))
                self.standing(count, (), lambda stand_ins: each(natural, using_cards, stand_ins))

            with b.when(fold.binary(">=", fold.count(wild), Int(count))):
                SelectionsColl(wild, Int(count), Int(count), domain).loop(self.lower, using)

    def standing(self, count: int, made: StandIns, each: Callable[[StandIns], None]) -> None:
        """Writes ``each`` for all that so many wild cards may stand for, in ascending order."""
        if count == len(made):
            each(made)
            return
        b = self.b
        one = b.var(span=Span(0, self.lower.n - 1))
        with b.collect() as stmts:
            if made:
                with b.when(fold.binary(">=", lir.Get(one), made[-1])):
                    self.standing(count, (*made, lir.Get(one)), each)
            else:
                self.standing(count, (lir.Get(one),), each)
        b.emit(lir.ForBits(one, self.stand_ins(), tuple(stmts)))

    # ------------------------------------------------------------ functions

    def parameters(self) -> tuple[list[lir.Var], dict[int, Any]]:
        """Locals of a function for the parameters of the pattern, and what these stand for then."""
        lower, b = self.lower, self.b
        found, values = [], {}
        for number in self.definition.parameters:
            of = lower.program.locals[number].type
            if isinstance(of, t.Collection):
                raise Unsupported("a pattern with a set as parameter", self.definition.span)
            var = b.var(span=lower.span(of, isinstance(of, t.Optional)))
            found.append(var)
            values[number] = lir.Get(var)
        return found, values

    @contextmanager
    def written(self, kind: str, more: Sequence[lir.Var], result: lir.Kind | None) -> Iterator[None]:
        """The function of this kind is written inside."""
        parameters, values = self.parameters()
        outer = self.lower.env
        self.lower.env = {**outer, **values}
        try:
            with self.b.collect() as body:
                yield
        finally:
            self.lower.env = outer
        name = f"{self.name}_{kind}"
        self.b.function(name, [*more, *parameters], result, body)
        self._functions[kind] = name

    def arguments(self) -> list[Expr]:
        """The parameters as they stand now."""
        return [self.lower.env[number] for number in self.definition.parameters]

    def fits(self, cards: Expr) -> Expr:
        if "fits" not in self._functions:
            var = self.b.var(self.lower.cards)
            with self.written("fits", [var], NUMBER):
                self.b.emit(lir.Return(self._fits(lir.Get(var))))
        return self.b.call(self._functions["fits"], [cards, *self.arguments()], NUMBER, Span(0, 1))

    def _fits(self, cards: Expr) -> Expr:
        from rulekit.compiled.scalars import lazily

        if self.part is None:
            found: Expr = FALSE
            for each in self.classes:
                found = lazily(self.lower, found, partial(each.fits, cards), stop=True)
            return found
        plain = self.part.fits(cards)
        if self.definition.wild is None:
            return plain
        result = self.b.var(span=Span(0, 1))
        self.b.set(result, plain)
        part = takes_wild(self.part)

        def look(natural: Expr, using: Expr, stand_ins: StandIns) -> None:
            with self.b.when(fold.negate(lir.Get(result))), self.b.when(part.fits(natural, stand_ins)):
                self.b.set(result, TRUE)

        self.with_wild(cards, look)
        return lir.Get(result)

    def find(self, cards: Expr, sink: Sink) -> None:
        count = self.found(cards)
        outer, self.busy = self.busy, True
        each_listed(self.lower, self._list, count, sink)
        self.busy = outer

    def found(self, cards: Expr) -> Expr:
        """Calls the function that lists all instances, in order; gives how many."""
        if self.busy:
            raise AssertionError("a pattern is asked again while its instances are gone through")
        if "find" not in self._functions:
            var = self.b.var(self.lower.cards)
            with self.written("find", [var], NUMBER):
                with listing(self.lower, MOST_FOUND) as (add, field, count):
                    self._list = field
                    self._find(lir.Get(var), add)
                total = self.b.var(span=Span(0, MOST_FOUND))
                self.b.set(total, count)
                if not (self.part is not None and self.part.in_order and self.definition.wild is None):
                    self.b.emit(lir.SortUnique(total, (field,)))
                self.b.emit(lir.Return(lir.Get(total)))
        return self.b.call(self._functions["find"], [cards, *self.arguments()], NUMBER, Span(0, MOST_FOUND))

    def counted(self, cards: Expr) -> Expr:
        """How many instances there are; they are not listed if that can be told otherwise."""
        part = self.part
        if not isinstance(part, CardsFit) or self.definition.wild is not None:
            return self.found(cards)
        if "count" not in self._functions:
            var = self.b.var(self.lower.cards)
            with self.written("count", [var], NUMBER):
                number = counted(part, lir.Get(var), lambda: self.found(lir.Get(var)), MOST_FOUND)
                self.b.emit(lir.Return(self.found(lir.Get(var)) if number is None else number))
        return self.b.call(self._functions["count"], [cards, *self.arguments()], NUMBER, Span(0, MOST_FOUND))

    def _find(self, cards: Expr, add: Sink) -> None:
        b = self.b

        def some(found: Expr) -> None:
            found = b.atom(found)
            with b.when(TRUE if self.least > 0 else fold.some(found)):
                add(found)

        if self.part is None:
            for each in self.classes:
                each.find(cards, some)
            return
        self.part.find(cards, some)
        if self.definition.wild is None:
            return
        part = takes_wild(self.part)

        def look(natural: Expr, using: Expr, stand_ins: StandIns) -> None:
            part.find(natural, lambda cards: some(fold.unite(cards, using)), stand_ins)

        self.with_wild(cards, look)

    def key(self, cards: Expr) -> tuple[Expr, ...]:
        """Class and key of cards, the strongest reading; `NONE` first if they are no instance."""
        fields = [f"{self.name}_key_{at}" for at in range(self.length)]
        if "key" not in self._functions:
            for field in fields:
                self.b.field(field, scratch=True, span=Span(-(2**31) + 1, 2**31 - 1, True))
            var = self.b.var(self.lower.cards)
            with self.written("key", [var], None):
                for field in fields:
                    self.b.store(field, NONE)
                self._key(lir.Get(var), fields)
                self.b.emit(lir.Return())
        self.b.call(self._functions["key"], [cards, *self.arguments()], None)
        return tuple(self.b.let(self.b.load(field)) for field in fields)

    def _key(self, cards: Expr, fields: list[str]) -> None:
        b = self.b
        if self.part is None:
            self.by_class(fields, lambda each: (each.fits(cards), lambda: each.key(cards)))
            return
        with b.when(self.part.fits(cards)):
            self.raised(fields, self.part_key(cards))
        if self.definition.wild is not None:
            part = takes_wild(self.part)

            def look(natural: Expr, using: Expr, stand_ins: StandIns) -> None:
                with b.when(part.fits(natural, stand_ins)):
                    self.raised(fields, self.part_key(natural, stand_ins))

            self.with_wild(cards, look)

    def part_key(self, cards: Expr, stand_ins: StandIns = ()) -> tuple[Expr, ...]:
        """The key of cards that fit: by `by`, else natural."""
        by = self.definition.by
        if by is None:
            if stand_ins:
                return takes_wild(self.part).key(cards, stand_ins)
            assert self.part is not None
            return self.part.key(cards)
        if stand_ins:
            raise Unsupported("`by` with wild cards", self.definition.span)
        with self.lower.bound(self.definition.local, BitsColl(cards, self.lower.domain(t.CARD))):
            return self.lower.key(by).parts

    def raised(self, fields: list[str], parts: tuple[Expr, ...]) -> None:
        """The key kept becomes this one, if it is higher."""
        b = self.b
        made = Key(tuple(b.atom(part) for part in parts) + (Int(NONE),) * (len(fields) - len(parts)))
        kept = Key(tuple(b.load(field) for field in fields))
        b.if_(made.above(kept), [lir.Store(f, None, x) for f, x in zip(fields, made.parts, strict=True)])

    def by_class(
        self, fields: list[str], asked: Callable[[PatternFit], tuple[Expr, Callable[[], tuple[Expr, ...]]]]
    ) -> None:
        """The strongest class for which a question is answered with yes; returns then."""
        b = self.b
        for number in range(len(self.classes) - 1, -1, -1):
            yes, key = asked(self.classes[number])
            with b.when(yes):
                for field, value in zip(fields, (Int(number), *key()), strict=False):
                    b.store(field, value)
                b.emit(lir.Return())

    def best(self, cards: Expr) -> tuple[Expr, ...]:
        """The key of the strongest instance inside the cards; `NONE` first if there is none."""
        fields = [f"{self.name}_best_{at}" for at in range(self.length)]
        if "best" not in self._functions:
            for field in fields:
                self.b.field(field, scratch=True, span=Span(-(2**31) + 1, 2**31 - 1, True))
            var = self.b.var(self.lower.cards)
            with self.written("best", [var], None):
                for field in fields:
                    self.b.store(field, NONE)
                if self.classes:

                    def asked(each: PatternFit) -> tuple[Expr, Callable[[], tuple[Expr, ...]]]:
                        key = each.best(lir.Get(var))
                        return fold.binary("!=", key[0], Int(NONE)), lambda: key

                    self.by_class(fields, asked)
                else:
                    self.find(lir.Get(var), lambda one: self.raised(fields, self.part_or_wild_key(one)))
                self.b.emit(lir.Return())
        self.b.call(self._functions["best"], [cards, *self.arguments()], None)
        return tuple(self.b.let(self.b.load(field)) for field in fields)

    def part_or_wild_key(self, cards: Expr) -> tuple[Expr, ...]:
        return self.part_key(cards) if self.definition.wild is None else self.key(cards)

    # ------------------------------------------------------------ comparing

    def beats(self, left: Expr, right: Expr) -> Expr:
        if "beats" not in self._functions:
            one, other = self.b.var(self.lower.cards), self.b.var(self.lower.cards)
            with self.written("beats", [one, other], NUMBER):
                self._beats(lir.Get(one), lir.Get(other))
        return self.b.call(self._functions["beats"], [left, right, *self.arguments()], NUMBER, Span(0, 1))

    def _beats(self, left: Expr, right: Expr) -> None:
        """Writes the whole body, with returns."""
        b = self.b
        if self.classes:
            for each in reversed(self.classes):
                first, second = b.atom(each.fits(left)), b.atom(each.fits(right))
                with b.when(first):
                    b.if_(fold.negate(second), [lir.Return(TRUE)])
                    b.emit(lir.Return(each.beats(left, right)))
                b.if_(second, [lir.Return(FALSE)])
            b.emit(lir.Return(FALSE))
            return
        if self.alternatives is not None:
            for fit in self.alternatives:
                with b.when(fit.fits(left)), b.when(fit.fits(right)):
                    b.emit(lir.Return(fit.beats(left, right)))
            b.emit(lir.Return(FALSE))
            return
        high = Key(self.key(left))
        low = Key(self.key(right))
        known = fold.both(
            fold.binary("!=", high.parts[0], Int(NONE)), fold.binary("!=", low.parts[0], Int(NONE))
        )
        found = fold.both(known, high.above(low))
        if self.definition.by is None:
            found = fold.both(found, fold.equal(fold.count(left), fold.count(right)))
        b.emit(lir.Return(found))


class CalledFit(Fit):
    """A pattern with arguments."""

    def __init__(self, lower: Lower, pattern: PatternFit, arguments: Sequence[Any]) -> None:
        self.lower, self.pattern, self.given = lower, pattern, arguments
        self.least, self.most, self.free = pattern.least, pattern.most, pattern.free
        self.length = pattern.length
        for number in pattern.definition.parameters:
            if isinstance(lower.program.locals[number].type, t.Collection):
                raise Unsupported("a pattern with a set as parameter", pattern.definition.span)

    @contextmanager
    def bound(self) -> Iterator[None]:
        """The parameters are bound; nothing happens where one that needs a value has none."""
        lower, b = self.lower, self.lower.b
        outer = dict(lower.env)
        guard: Expr = TRUE
        values = {}
        for number, argument in zip(self.pattern.definition.parameters, self.given, strict=True):
            value = b.atom(lower.num(argument))
            wanted = not isinstance(lower.program.locals[number].type, t.Optional)
            if wanted and b.ranges.of(value).none:
                guard = fold.both(guard, fold.binary("!=", value, Int(NONE)))
            values[number] = value
        with b.when(guard):
            lower.env = {**outer, **values}
            try:
                yield
            finally:
                lower.env = outer

    def fits(self, cards: Expr) -> Expr:
        found = self.lower.b.var(span=Span(0, 1))
        self.lower.b.set(found, FALSE)
        with self.bound():
            self.lower.b.set(found, self.pattern.fits(cards))
        return lir.Get(found)

    def find(self, cards: Expr, sink: Sink) -> None:
        with self.bound():
            self.pattern.find(cards, sink)

    def key(self, cards: Expr) -> tuple[Expr, ...]:
        b = self.lower.b
        found = [b.var(span=Span(-(2**31) + 1, 2**31 - 1, True)) for _ in range(self.length)]
        for var in found:
            b.set(var, Int(NONE))
        with self.bound():
            for var, part in zip(found, self.pattern.key(cards), strict=True):
                b.set(var, part)
        return tuple(lir.Get(var) for var in found)

    def beats(self, left: Expr, right: Expr) -> Expr:
        found = self.lower.b.var(span=Span(0, 1))
        self.lower.b.set(found, FALSE)
        with self.bound():
            self.lower.b.set(found, self.pattern.beats(left, right))
        return lir.Get(found)


def part_of(lower: Lower, part: p.Part) -> Fit:
    match part:
        case p.CardsPart():
            return CardsFit(lower, part)
        case p.WithPart(parts):
            return WithFit(lower, [part_of(lower, inner) for inner in parts])
        case p.OrPart(parts):
            return OrFit(lower, [part_of(lower, inner) for inner in parts])
        case p.NamedPart(name, arguments):
            return CalledFit(lower, PatternFit(lower, name), arguments)
        case p.RepeatedPart(_, _, name, arguments):
            pattern = PatternFit(lower, name)
            wild = None if pattern.definition.wild is None else pattern.wild
            return RepeatedFit(lower, part, CalledFit(lower, pattern, arguments), wild)
