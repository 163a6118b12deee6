"""Legal actions of a move: the one reading of `choose` and `if`, as functions that fill fields."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial

from rulekit.compiled import fold, lir
from rulekit.compiled.builder import Unsupported
from rulekit.compiled.collections import BitsColl, Body, Coll, EmptyColl, FilterColl
from rulekit.compiled.context import Lower
from rulekit.compiled.domains import MOST_NUMBERS, Domain
from rulekit.compiled.fold import FALSE, TRUE
from rulekit.compiled.gather import converted, set_bits
from rulekit.compiled.lir import NUMBER, Bits, Expr, Int
from rulekit.compiled.ranges import Span
from rulekit.compiled.subsets import Subsets
from rulekit.program import expressions as e
from rulekit.program import types as t
from rulekit.program.faults import MOST_WAYS, TOO_MANY
from rulekit.program.program import Choice, Condition, MoveDef

MOST_ROWS = 1 << 14  #: legal actions of one move that are listed one by one


@dataclass
class Legal:
    """How the legal actions of a move are kept, and the function that finds them.

    ``form``  flag: there is nothing to choose; mask: the values are members of a bit set; subsets: all
    subsets of a bit set that have certain sizes; interval: all numbers from one to another; rows: one by one,
    in fields of which each holds one choice
    ``domain``  of the bit set; ``columns`` fields of the rows (or low and high of subsets and intervals)
    ``count``  the field that holds the number of legal actions, for subsets and rows
    ``exact``  how many members all subsets have, if that is known
    """

    move: MoveDef
    number: int
    form: str
    function: str = ""
    domain: Domain | None = None
    count: str = ""
    exact: int | None = None
    columns: tuple[str, ...] = ()
    domains: tuple[Domain | None, ...] = field(default=())


class Legality:
    """Writes the functions of all moves."""

    def __init__(self, lower: Lower) -> None:
        self.lower, self.b = lower, lower.b
        self.ascending = True  #: of the rows of a move: they are written in order
        self.moves = [self.move(number, move) for number, move in enumerate(lower.program.moves.values())]

    def move(self, number: int, move: MoveDef) -> Legal:
        b, lower = self.b, self.lower
        ready = self.ready(move)
        legal = Legal(move, number, "flag", f"legal_{number}")
        me = b.var(span=Span(0, lower.setup.players - 1))
        if move.choices:
            legal.form = self.form(move, ready)
        self.declare(legal)
        with b.collect() as body, lower.asked(lir.Get(me)):
            write = {
                "flag": self.flag,
                "mask": self.mask,
                "interval": self.interval,
                "subsets": self.subsets,
                "rows": self.rows,
            }
            b.emit(lir.Return(write[legal.form](legal, ready)))
        b.function(legal.function, [me], NUMBER, body)
        return legal

    def form(self, move: MoveDef, ready: list[list[Condition]]) -> str:
        if len(move.choices) > 1:
            return "rows"
        (choice,) = move.choices
        (domain, *others) = (entry.domain for entry in choice.entries)
        if isinstance(domain, e.Selections) and not others and not ready[1]:
            cards = choice.type == t.SetOf(t.CARD)
            return "rows" if cards and self.lower.copies else "subsets"
        match choice.type.of if isinstance(choice.type, t.Optional) else choice.type:
            case t.Collection():
                return "rows"
            case t.Int(low, high) if high - low >= MOST_NUMBERS:
                plain = len(choice.entries) == 1 and isinstance(choice.entries[0].domain, e.Numbers)
                return "interval" if plain and not ready[1] else "rows"
        return "mask"

    def ready(self, move: MoveDef) -> list[list[Condition]]:
        """The conditions that can be tested once so many choices are made."""
        order = [choice.local for choice in move.choices]
        found: list[list[Condition]] = [[] for _ in range(len(order) + 1)]
        for condition in move.conditions:
            after = max((order.index(local) + 1 for local in condition.reads if local in order), default=0)
            found[after].append(condition)
        return found

    def declare(self, legal: Legal) -> None:
        b, lower = self.b, self.lower
        name = f"legal_{legal.number}"
        choices = legal.move.choices
        if legal.form == "flag":
            b.field(name, span=Span(0, 1))
        elif legal.form == "mask":
            legal.domain = lower.domain(choices[0].type)
            b.field(name, legal.domain.kind)
        elif legal.form == "subsets":
            assert isinstance(choices[0].type, t.Collection)
            legal.domain = lower.domain(choices[0].type.of)
            b.field(name, legal.domain.kind)
            width = Span(0, legal.domain.width)
            legal.columns = b.field(f"{name}_low", span=width), b.field(f"{name}_high", span=width)
            legal.count = b.field(f"{name}_count", span=Span(0, MOST_WAYS))
        elif legal.form == "interval":
            span = lower.span(choices[0].type)
            legal.columns = b.field(f"{name}_low", span=span), b.field(f"{name}_high", span=span)
        else:
            legal.count = b.field(f"{name}_count", span=Span(0, MOST_ROWS))
            domains, columns = [], []
            for number, choice in enumerate(choices):
                kind: lir.Kind = NUMBER
                domain = None
                if isinstance(choice.type, t.Collection):
                    domain = lower.domain(choice.type.of)
                    kind = domain.kind
                columns.append(b.field(f"{name}_{number}", kind, MOST_ROWS, scratch=True))
                if domain is None:
                    b.ranges.fields[columns[-1]] = lower.span(choice.type)
                domains.append(domain)
            legal.columns, legal.domains = tuple(columns), tuple(domains)

    # ------------------------------------------------------------ forms

    def holds(self, conditions: list[Condition]) -> Expr:
        """All conditions hold; the later are looked at only if the earlier do."""
        from rulekit.compiled.scalars import lazily

        found: Expr = TRUE
        for condition in conditions:
            found = lazily(self.lower, found, partial(self.lower.condition, condition.condition), stop=False)
        return found

    def flag(self, legal: Legal, ready: list[list[Condition]]) -> Expr:
        value = self.b.atom(self.holds(ready[0]))
        self.b.store(f"legal_{legal.number}", value)
        return value

    def mask(self, legal: Legal, ready: list[list[Condition]]) -> Expr:
        b, lower, domain = self.b, self.lower, legal.domain
        assert domain is not None
        (choice,) = legal.move.choices
        found = b.var(domain.kind)
        b.set(found, fold.empty(domain.kind))
        before = self.holds(ready[0])
        with b.when(before):
            for number, entry in enumerate(choice.entries):
                with b.collect() as stmts:
                    coll = lower.coll(entry.domain)
                    if not isinstance(coll, EmptyColl):
                        if isinstance(coll, BitsColl) or coll.domain != domain:
                            bits = converted(lower, coll.bits(lower), coll.domain, domain)
                        else:
                            bits = coll.bits(lower)
                        b.set(found, bits)
                if number == 0:
                    b.emit(*stmts)
                else:
                    b.if_(fold.negate(fold.some(lir.Get(found))), stmts)
            if ready[1]:
                base: Coll = BitsColl(lir.Get(found), domain)
                for condition in ready[1]:
                    base = self.filtered(base, choice, condition)
                b.set(found, base.bits(lower))
            if self.lower.copies and isinstance(choice.type, t.Card):
                self.first_copies(found)
        b.store(f"legal_{legal.number}", lir.Get(found))
        return fold.count(lir.Get(found))

    def filtered(self, base: Coll, choice: Choice, condition: Condition) -> Coll:
        from rulekit.compiled.gather import filtered_by

        made = filtered_by(self.lower, base, choice.local, condition.condition)
        assert isinstance(made, FilterColl | BitsColl | EmptyColl)
        return made

    def first_copies(self, found: lir.Var) -> None:
        """Of equal copies of a card only the first stays."""
        b, lower = self.b, self.lower
        card = b.var(span=lower.span(t.CARD))
        faces = lower.pack.by_face.values()
        later: dict[int, int] = {}
        for copies in faces:
            for place, copy in enumerate(copies):
                later[copy] = sum(1 << other for other in copies[place + 1 :])
        with b.collect() as each:
            kind = lower.cards
            behind = b.lookup([later[c] for c in range(lower.n)], lir.Get(card), kind)
            with b.when(fold.has(lir.Get(found), lir.Get(card))):
                b.set(found, fold.without(lir.Get(found), behind))
        b.emit(lir.ForBits(card, lir.Get(found), tuple(each)))

    def interval(self, legal: Legal, ready: list[list[Condition]]) -> Expr:
        b, lower = self.b, self.lower
        (choice,) = legal.move.choices
        numbers = choice.entries[0].domain
        assert isinstance(numbers, e.Numbers)
        low_field, high_field = legal.columns
        count = b.var(span=Span(0, 2**31 - 1))
        b.set(count, FALSE)
        with b.when(self.holds(ready[0])):
            low = b.atom(lower.needed(numbers.low, "the lower end of the range"))
            high = b.atom(lower.needed(numbers.high, "the upper end of the range"))
            b.store(low_field, low)
            b.store(high_field, high)
            b.set(count, fold.binary("max", FALSE, fold.add(fold.binary("-", high, low), 1)))
        b.if_(
            fold.equal(lir.Get(count), FALSE),
            [lir.Store(low_field, None, Int(1)), lir.Store(high_field, None, Int(0))],
        )
        return lir.Get(count)

    def subsets(self, legal: Legal, ready: list[list[Condition]]) -> Expr:
        b, lower, domain = self.b, self.lower, legal.domain
        assert domain is not None
        (choice,) = legal.move.choices
        selections = choice.entries[0].domain
        assert isinstance(selections, e.Selections)
        count = b.var(span=Span(0, MOST_WAYS))
        b.set(count, FALSE)
        with b.when(self.holds(ready[0])):
            items = b.atom(set_bits(lower, lower.coll(selections.of), selections.of))
            size = b.atom(fold.count(items))
            low = fold.binary("max", FALSE, lower.needed(selections.low, "the number to select"))
            high: Expr = size
            if selections.high is not None:
                high = fold.binary("min", size, lower.needed(selections.high, "the number to select"))
            if isinstance(low, Int) and selections.low == selections.high:
                legal.exact = low.value
            low, high = b.atom(fold.binary("min", low, Int(domain.width))), b.atom(high)
            with b.when(fold.binary("<=", low, high)):
                found = b.atom(Subsets(lower, domain.width).among(size, low, high))
                full = b.trap(TOO_MANY, "there are too many sets to select", selections.span)
                b.if_(fold.binary(">", found, Int(MOST_WAYS)), [full])
                b.set(count, found)
                b.store(f"legal_{legal.number}", items)
                b.store(legal.columns[0], low)
                b.store(legal.columns[1], high)
        b.store(legal.count, lir.Get(count))
        return lir.Get(count)

    # ------------------------------------------------------------ rows

    def rows(self, legal: Legal, ready: list[list[Condition]]) -> Expr:
        b = self.b
        count = b.var(span=Span(0, MOST_ROWS))
        b.set(count, FALSE)
        self.ascending = True
        with b.when(self.holds(ready[0])):
            self.extend(legal, ready, 0, (), count)
        if not self.ascending:
            b.emit(lir.SortUnique(count, legal.columns))
        if self.lower.copies and any(is_cards(c.type) for c in legal.move.choices):
            self.first_of_faces(legal, count)
            b.emit(lir.SortUnique(count, legal.columns))
        b.store(legal.count, lir.Get(count))
        return lir.Get(count)

    def extend(
        self, legal: Legal, ready: list[list[Condition]], at: int, made: tuple[Expr, ...], count: lir.Var
    ) -> None:
        """Writes the loops that complete the choices made."""
        b, lower = self.b, self.lower
        choice = legal.move.choices[at]

        def one(value: Expr) -> None:
            value = b.atom(self.fitting(value, legal.domains[at]))
            with (
                lower.bound(choice.local, lower.element(choice.local, value)),
                b.when(self.holds(ready[at + 1])),
            ):
                if at + 1 == len(legal.move.choices):
                    self.push(legal, (*made, value), count)
                else:
                    self.extend(legal, ready, at + 1, (*made, value), count)

        def loop(domain: e.Expr, body: Body) -> None:
            coll = lower.coll(domain)
            # The elements of a set come in order, each once; so rows over sets are sorted as they are.
            self.ascending &= coll.domain is not None and coll.distinct and not coll.ordered
            coll.loop(lower, body)

        if len(choice.entries) == 1:
            loop(choice.entries[0].domain, one)
            return
        some = b.var(span=Span(0, 1))
        b.set(some, FALSE)

        def noted(value: Expr) -> None:
            b.set(some, TRUE)
            one(value)

        for number, entry in enumerate(choice.entries):
            with b.collect() as stmts:
                loop(entry.domain, noted)
            if number == 0:
                b.emit(*stmts)
            else:
                b.if_(fold.negate(lir.Get(some)), stmts)

    def fitting(self, value: Expr, domain: Domain | None) -> Expr:
        if domain is None or value.kind == domain.kind:
            return value
        raise Unsupported("a choice among sets of another domain")

    def push(self, legal: Legal, values: tuple[Expr, ...], count: lir.Var) -> None:
        b = self.b
        told = f"more than {MOST_ROWS} legal ways to `{legal.move.name}`, which compiled engines do not list"
        full = b.trap(TOO_MANY, told, legal.move.span, beyond=True)
        b.if_(fold.binary(">=", lir.Get(count), Int(MOST_ROWS)), [full])
        for column, value in zip(legal.columns, values, strict=True):
            b.store(column, value, lir.Get(count))
        b.set(count, fold.add(lir.Get(count), 1))

    def first_of_faces(self, legal: Legal, count: lir.Var) -> None:
        """Of rows that differ only in which copies of a card they hold, the first stays."""
        b = self.b
        name = f"legal_{legal.number}"
        kinds = [b.fields[column].kind for column in legal.columns]
        keys = [b.field(f"{name}_face_{at}", kind, MOST_ROWS, scratch=True) for at, kind in enumerate(kinds)]
        order = b.field(f"{name}_order", count=MOST_ROWS, scratch=True, span=Span(0, MOST_ROWS))
        copies = [
            b.field(f"{name}_copy_{at}", kind, MOST_ROWS, scratch=True) for at, kind in enumerate(kinds)
        ]
        row = b.var(span=Span(0, MOST_ROWS))
        with b.collect() as each:
            for choice, column, key, copy in zip(
                legal.move.choices, legal.columns, keys, copies, strict=True
            ):
                value = b.let(b.load(column, lir.Get(row)))
                b.store(copy, value, lir.Get(row))
                b.store(key, self.face_of(value, choice.type), lir.Get(row))
            b.store(order, lir.Get(row), lir.Get(row))
        b.emit(lir.ForRange(row, FALSE, lir.Get(count), tuple(each)))
        total = b.let(lir.Get(count))
        b.emit(lir.SortUnique(count, (*keys, order)))
        kept, at = b.var(span=Span(0, MOST_ROWS)), b.var(span=Span(0, MOST_ROWS))
        b.set(kept, FALSE)
        with b.collect() as each:
            same: Expr = fold.binary(">", lir.Get(at), FALSE)
            for key in keys:
                here, before = b.load(key, lir.Get(at)), b.load(key, fold.add(lir.Get(at), -1))
                equal = (
                    fold.same_bits(here, before) if isinstance(here.kind, Bits) else fold.equal(here, before)
                )
                same = fold.both(same, equal)
            with b.when(fold.negate(same)):
                found = b.let(b.load(order, lir.Get(at)))
                for column, copy in zip(legal.columns, copies, strict=True):
                    b.store(column, b.load(copy, found), lir.Get(kept))
                b.set(kept, fold.add(lir.Get(kept), 1))
        b.emit(lir.ForRange(at, FALSE, total, tuple(each)))
        b.set(count, lir.Get(kept))

    def face_of(self, value: Expr, of: t.Type) -> Expr:
        """The value with each card replaced by the first copies of its face."""
        b, lower = self.b, self.lower
        copies = lower.pack.by_face.values()
        if isinstance(of.of if isinstance(of, t.Optional) else of, t.Card):
            first = [0] * lower.n
            for some in copies:
                for one in some:
                    first[one] = some[0]
            return b.guarded(value, first, Int(lir.NONE))
        if of != t.SetOf(t.CARD):
            return value
        kind = lower.cards
        found = b.var(kind)
        b.set(found, fold.empty(kind))
        masks = [0] * lower.n
        for some in copies:
            for copy_of in some:
                masks[copy_of] = sum(1 << other for other in some)
        card = b.var(span=lower.span(t.CARD))
        # The k-th card of a face that is held becomes the k-th copy of it.
        starts = [min(i for i in range(lower.n) if masks[c] >> i & 1) for c in range(lower.n)]
        with b.collect() as each:
            mine = b.lookup(masks, lir.Get(card), kind)
            before = fold.count(
                fold.intersect(fold.intersect(value, mine), lir.FirstBits(lir.Get(card), kind))
            )
            copy = fold.add(b.lookup(starts, lir.Get(card)), before)
            b.set(found, fold.unite(lir.Get(found), fold.single(copy, kind)))
        b.emit(lir.ForBits(card, value, tuple(each)))
        return lir.Get(found)


def is_cards(of: t.Type) -> bool:
    return (of.of if isinstance(of, t.Optional) else of) == t.CARD or of == t.SetOf(t.CARD)
