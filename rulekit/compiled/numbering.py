"""Legal actions as their static numbers (`rulekit.program.actions`), worked out by the module itself.

`numbered` adds three functions to a module:

``mark()``  sets to 1, in the scratch field `marks`, the number of each legal action. Who calls clears it
before
``place_of(number)``  the place of that action among the legal ones; `ILLEGAL` if it is none of them,
`MORE` if
    it begins or goes on with a row of numbers, as an action with a staged choice has
``stage(number)``  notes a number of a row: from then on `mark` and `place_of` are about what may follow it.
    With a number below 0 the row is given up, as it must be once its action is taken
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from rulekit.compiled import fold, lir
from rulekit.compiled.asks import Site
from rulekit.compiled.fold import FALSE, TRUE
from rulekit.compiled.legality import Legal
from rulekit.compiled.lir import MORE, NUMBER, Bits, Expr, Int
from rulekit.compiled.lowering import Lowered
from rulekit.compiled.number_values import Values, of_cards
from rulekit.compiled.subsets import Subsets
from rulekit.program import types as t
from rulekit.program.actions import BASE, ActionSpace
from rulekit.program.program import Choice

ILLEGAL = -1  #: what `place_of` gives for a number that is not legal

Emit = Callable[[Expr], None]
Ended = Callable[[], None]


def numbered(lowered: Lowered) -> tuple[Lowered, ActionSpace]:
    """The module with numbers for its actions."""
    return _Numbering(lowered).done()


class _Numbering(Values):
    """``dispatch`` writes one reading of what is legal for each ask; `mark` and `place_of` are two."""

    def __init__(self, lowered: Lowered) -> None:
        super().__init__(lowered)
        self.staged = any(self.space.is_staged(legal.move.name) for legal in lowered.legal)
        b = self.b
        # Whole words, so that a row can be copied by words.
        b.field("marks", count=-(-max(1, self.space.size) // 8) * 8, scratch=True, small=True)
        if self.staged:
            b.field("staged_count")
            b.field(
                "staged",
                count=1 + max(self._most(legal) for legal in lowered.legal),
                small=self.space.size <= 256,
            )

    def done(self) -> tuple[Lowered, ActionSpace]:  # type: ignore[override]
        self._mark()
        self._place_of()
        self._stage()
        return super().done(), self.space

    def _most(self, legal: Legal) -> int:
        """The most numbers that an action of the move takes."""
        return 1 + sum(
            domain.step_size + 1 if domain.size == 0 else 1
            for domain in self.space.moves[legal.move.name].domains
        )

    # ------------------------------------------------------------ functions

    def _mark(self) -> None:
        b = self.b
        with b.collect() as body:
            b.if_(fold.equal(b.load("choices"), FALSE), [lir.Return()])
            self.dispatch(self.mark_site)
            b.emit(lir.Return())
        b.function("mark", [], None, body)

    def _place_of(self) -> None:
        b = self.b
        number = self.number()
        with b.collect() as body:
            b.if_(fold.equal(b.load("choices"), FALSE), [lir.Return(Int(ILLEGAL))])
            self.dispatch(lambda site: self.place_site(site, lir.Get(number)))
            b.emit(lir.Return(Int(ILLEGAL)))
        b.function("place_of", [number], NUMBER, body)

    def _stage(self) -> None:
        b = self.b
        number = self.number()
        with b.collect() as body:
            if self.staged:
                with b.collect() as noted:
                    count = b.atom(b.load("staged_count"))
                    b.store("staged", lir.Get(number), count)
                    b.store("staged_count", fold.add(count, 1))
                given_up: list[lir.Stmt] = [lir.Store("staged_count", None, FALSE)]
                b.if_(fold.binary("<", lir.Get(number), FALSE), given_up, noted)
            b.emit(lir.Return())
        b.function("stage", [number], None, body)

    def dispatch(self, write: Callable[[Site], None]) -> None:
        """Writes something for each ask, done where that one waits."""
        b = self.b
        pc = b.atom(b.load("pc"))
        for site in self.lowered.sites.values():
            with b.when(fold.equal(pc, Int(site.wait))):
                write(site)
                b.emit(lir.Return(Int(ILLEGAL)) if write != self.mark_site else lir.Return())

    # ------------------------------------------------------------ marks

    def set_mark(self, number: Expr, value: Expr = TRUE) -> None:
        self.b.store("marks", value, number)

    def mark_site(self, site: Site) -> None:
        b = self.b
        legal = [self.lowered.legal[number] for number in site.moves]
        staged = [one for one in legal if self.space.is_staged(one.move.name)]
        if not staged:
            for one in legal:
                self.mark_plain(site, one)
            return
        with b.collect() as plain:
            for one in legal:
                if one not in staged:
                    self.mark_plain(site, one)
        b.if_(fold.equal(b.load("staged_count"), FALSE), plain)
        for one in staged:
            self.mark_staged(site, one)

    def mark_plain(self, site: Site, legal: Legal) -> None:
        b, first = self.b, self.space.moves[legal.move.name].first
        name = f"legal_{legal.number}"
        match legal.form:
            case "flag":
                self.set_mark(Int(first), b.load(name))
            case "mask":
                member = self.number()
                with b.collect() as each:
                    self.set_mark(
                        fold.add(self.of_member(legal.move.choices[0], legal, lir.Get(member)), first)
                    )
                b.emit(lir.ForBits(member, b.load(name), tuple(each)))
            case "interval":
                low, high = (b.load(column) for column in legal.columns)
                value = self.number()
                with b.collect() as each:
                    self.set_mark(fold.add(lir.Get(value), first - self.lowest(legal)))
                b.emit(lir.ForRange(value, low, fold.add(high, 1), tuple(each)))
            case _:
                self.rows(site, legal, lambda row: self.set_mark(self.row_number(legal, row)))

    def mark_staged(self, site: Site, legal: Legal) -> None:
        b = self.b
        count = b.atom(b.load("staged_count"))
        if legal.form == "interval":
            self.mark_digits(legal, count)
            return
        if legal.form == "subsets":
            self.within_set(legal, count, self.mark_members)
            return

        def reached(number: Expr, live: lir.Var) -> None:
            self.set_mark(number)
            b.set(live, FALSE)

        def row(at: Expr) -> None:
            self.row_steps(legal, at, _Steps(self, count, reached))

        self.rows(site, legal, row)

    # ------------------------------------------------------------ places

    def place_site(self, site: Site, number: Expr) -> None:
        b = self.b
        before = self.number()
        b.set(before, FALSE)
        more = self.number()
        b.set(more, FALSE)
        staged = any(self.space.is_staged(self.lowered.legal[move].move.name) for move in site.moves)
        begun = fold.equal(b.load("staged_count"), FALSE) if staged else TRUE
        unstaged = b.atom(begun)
        for move in site.moves:
            legal = self.lowered.legal[move]
            if self.space.is_staged(legal.move.name):
                self.find_staged(site, legal, number, before, more)
            else:
                with b.when(unstaged):
                    self.find_plain(site, legal, number, lir.Get(before))
                b.set(before, fold.add(lir.Get(before), self.count(legal)))
        b.if_(lir.Get(more), [lir.Return(Int(MORE))])

    def count(self, legal: Legal) -> Expr:
        """How many legal actions of a move there are."""
        b = self.b
        match legal.form:
            case "flag":
                return b.load(f"legal_{legal.number}")
            case "mask":
                return fold.count(b.load(f"legal_{legal.number}"))
            case "interval":
                low, high = (b.load(column) for column in legal.columns)
                return fold.add(fold.binary("-", high, low), 1)
        return b.load(legal.count)

    def find_plain(self, site: Site, legal: Legal, number: Expr, before: Expr) -> None:
        b = self.b
        space = self.space.moves[legal.move.name]
        name = f"legal_{legal.number}"
        size = 1
        for domain in space.domains:
            size *= domain.size
        offset = b.atom(fold.add(number, -space.first))
        inside = fold.both(
            fold.binary(">=", number, Int(space.first)), fold.binary("<", number, Int(space.first + size))
        )
        with b.when(inside):
            match legal.form:
                case "flag":
                    b.if_(b.load(name), [lir.Return(before)])
                case "mask":
                    self.find_in_mask(legal, offset, before)
                case "interval":
                    low, high = (b.load(column) for column in legal.columns)
                    value = b.atom(fold.add(offset, self.lowest(legal)))
                    there = fold.both(fold.binary(">=", value, low), fold.binary("<=", value, high))
                    place = fold.add(before, fold.binary("-", value, low))
                    b.if_(there, [lir.Return(place)])
                case _:

                    def row(at: Expr) -> None:
                        same = fold.equal(self.row_number(legal, at), number)
                        b.if_(same, [lir.Return(fold.add(before, at))])

                    self.rows(site, legal, row)
            b.emit(lir.Return(Int(ILLEGAL)))

    def find_in_mask(self, legal: Legal, offset: Expr, before: Expr) -> None:
        b = self.b
        (choice,) = legal.move.choices
        legal_bits = b.load(f"legal_{legal.number}")
        assert isinstance(legal_bits.kind, Bits)
        kind = legal_bits.kind
        members: dict[int, int] = {}
        assert legal.domain is not None
        for member in range(legal.domain.width):
            at = self.place_of_member(choice, legal, member)
            if at is not None:
                members[at] = members.get(at, 0) | 1 << member
        masks = [members.get(at, 0) for at in range(max(members, default=0) + 1)]
        found = b.atom(fold.intersect(legal_bits, b.lookup(masks, offset, kind)))
        with b.when(fold.some(found)):
            below = fold.count(fold.intersect(legal_bits, lir.FirstBits(fold.lowest(found), kind)))
            b.emit(lir.Return(fold.add(before, below)))

    def find_staged(self, site: Site, legal: Legal, number: Expr, before: lir.Var, more: lir.Var) -> None:
        """Gives the place of the action that the number completes, or notes that it is on the way to one."""
        b = self.b
        count = b.atom(b.load("staged_count"))
        if legal.form == "interval":
            self.find_digits(legal, number, count, lir.Get(before), more)
            b.set(before, fold.add(lir.Get(before), self.count(legal)))
            return
        if legal.form == "subsets":
            first = self.space.moves[legal.move.name].first
            begins = fold.both(fold.equal(count, FALSE), fold.equal(number, Int(first)))
            begins = fold.both(begins, fold.binary(">", b.load(legal.count), FALSE))
            b.if_(begins, [lir.Let(more, TRUE)])
            self.within_set(legal, count, partial(self.find_member, number, before, more))
            b.set(before, fold.add(lir.Get(before), b.load(legal.count)))
            return

        def row(at: Expr) -> None:
            met = self.number()
            b.set(met, FALSE)  # 1: the number is met, 2: and others follow

            def reached(given: Expr, live: lir.Var) -> None:
                b.if_(
                    lir.Get(met),
                    [lir.Let(met, Int(2)), lir.Let(live, FALSE)],
                    [lir.If(fold.equal(given, number), (lir.Let(met, TRUE),), (lir.Let(live, FALSE),))],
                )

            self.row_steps(legal, at, _Steps(self, count, reached))
            b.if_(fold.equal(lir.Get(met), TRUE), [lir.Return(fold.add(lir.Get(before), at))])
            b.if_(lir.Get(met), [lir.Let(more, TRUE)])

        self.rows(site, legal, row)
        b.set(before, fold.add(lir.Get(before), b.load(legal.count)))

    # ------------------------------------------------------------ rows

    def rows(self, site: Site, legal: Legal, write: Callable[[Expr], None]) -> None:
        """Writes something for each legal action that is listed, by its row."""
        b = self.b
        if legal.form == "rows":
            b.emit(lir.Call(None, legal.function, (b.load(f"{site.name}_whom"),)))
        row = self.number()
        with b.collect() as each:
            write(lir.Get(row))
        b.emit(lir.ForRange(row, FALSE, b.load(legal.count), tuple(each)))

    def row_value(self, legal: Legal, at: int, row: Expr) -> Expr:
        """What a row has for a choice."""
        if legal.form != "subsets":
            return self.b.let(self.b.load(legal.columns[at], row))
        assert legal.domain is not None
        low, high = (self.b.atom(self.b.load(column)) for column in legal.columns)
        items = self.b.atom(self.b.load(f"legal_{legal.number}"))
        return self.b.atom(Subsets(self, legal.domain.width).nth(items, low, high, row))

    def row_number(self, legal: Legal, row: Expr) -> Expr:
        """The number of an action that takes only one."""
        space = self.space.moves[legal.move.name]
        return fold.add(self.mixed(legal, row, len(space.domains)), space.first)

    def mixed(self, legal: Legal, row: Expr, many: int) -> Expr:
        """The first choices as one number."""
        b, place = self.b, FALSE
        domains = self.space.moves[legal.move.name].domains
        found: Expr = place
        for at in range(many):
            value = self.row_value(legal, at, row)
            scaled = fold.binary("*", found, Int(domains[at].size)) if found != FALSE else FALSE
            found = b.atom(fold.add(scaled, self.of_value(legal, at, value)))
        return found

    def row_steps(self, legal: Legal, row: Expr, steps: _Steps) -> None:
        """Writes the numbers of an action with a staged choice, one after another."""
        move = legal.move
        space = self.space.moves[move.name]
        first_step = next(
            at for at in range(len(space.domains)) if self.space.steps(move.name, at) is not None
        )
        steps.emit(fold.add(self.mixed(legal, row, first_step), space.first))
        for at in range(first_step, len(space.domains)):
            extra = self.space.steps(move.name, at)
            assert extra is not None
            value = self.row_value(legal, at, row)
            if space.domains[at].size:
                steps.emit(fold.add(self.of_value(legal, at, value), extra))
            elif isinstance(value.kind, Bits):
                self.set_steps(legal, at, value, extra, steps)
            else:
                self.digit_steps(move.choices[at], value, extra, steps)

    def set_steps(self, legal: Legal, at: int, value: Expr, extra: int, steps: _Steps) -> None:
        """The members one by one, then `done`."""
        choice = legal.move.choices[at]
        if of_cards(choice):
            self.by_face(value, lambda face, _: steps.emit(fold.add(face, extra)), steps.live)
            steps.emit(Int(extra + self.faces))
            return
        member = self.number()
        with self.b.collect() as each:
            self.b.if_(fold.negate(lir.Get(steps.live)), [lir.Break()])
            steps.emit(fold.add(self.inner_member(legal, at, lir.Get(member)), extra))
        self.b.emit(lir.ForBits(member, value, tuple(each)))
        steps.emit(Int(extra + self.space.moves[legal.move.name].domains[at].step_size - 1))

    def digit_steps(self, choice: Choice, value: Expr, extra: int, steps: _Steps) -> None:
        low, digits = self.digits(choice)
        rest = self.b.atom(fold.add(value, -low))
        for power in reversed(range(digits)):
            digit = fold.binary("%", fold.binary("//", rest, Int(BASE**power)), Int(BASE))
            steps.emit(fold.add(digit, extra))

    # ------------------------------------------------------------ members of a set, one by one

    def within_set(self, legal: Legal, count: Expr, write: Callable[[Legal, _Chosen], None]) -> None:
        """Writes something for a choice among all subsets that was begun; marks how one begins."""
        b, name = self.b, f"legal_{legal.number}"
        first = self.space.moves[legal.move.name].first
        if write == self.mark_members:
            some = fold.binary(">", b.load(legal.count), FALSE)
            begins = fold.both(fold.equal(count, FALSE), some)
            b.if_(begins, [lir.Store("marks", Int(first), TRUE)])
        began = fold.both(fold.binary(">", count, FALSE), fold.equal(b.load("staged", 0), Int(first)))
        with b.when(began):
            extra = self.space.steps(legal.move.name, 0)
            assert extra is not None
            assert legal.domain is not None
            low, high = (b.atom(b.load(column)) for column in legal.columns)
            items = b.atom(b.load(name))
            assert isinstance(items.kind, Bits)
            size = b.atom(fold.add(count, -1))
            last = fold.add(b.load("staged", size), 1 - extra)
            beyond = b.atom(fold.choose(fold.equal(size, FALSE), FALSE, last))
            left = b.atom(fold.without(items, lir.FirstBits(beyond, items.kind)))
            done = extra + self.space.moves[legal.move.name].domains[0].step_size - 1
            write(legal, _Chosen(items, low, high, size, left, extra, done))

    def mark_members(self, legal: Legal, chosen: _Chosen) -> None:
        b = self.b
        b.if_(fold.binary(">=", chosen.size, chosen.low), [lir.Store("marks", Int(chosen.done), TRUE)])
        rest, member = self.number(), self.number()
        b.set(rest, fold.count(chosen.left))
        with b.collect() as each:
            b.set(rest, fold.add(lir.Get(rest), -1))
            reach = fold.binary("+", fold.add(chosen.size, 1), lir.Get(rest))
            b.if_(fold.binary("<", reach, chosen.low), [lir.Break()])
            self.set_mark(fold.add(lir.Get(member), chosen.extra))
        with b.when(fold.binary("<", chosen.size, chosen.high)):
            b.emit(lir.ForBits(member, chosen.left, tuple(each)))

    def find_member(
        self, number: Expr, before: lir.Var, more: lir.Var, legal: Legal, chosen: _Chosen
    ) -> None:
        b, kind = self.b, chosen.items.kind
        assert isinstance(kind, Bits)
        complete = fold.both(fold.equal(number, Int(chosen.done)), fold.binary(">=", chosen.size, chosen.low))
        with b.when(complete):
            b.emit(lir.Return(fold.binary("+", lir.Get(before), self.subset_place(legal, chosen))))
        member = b.atom(fold.add(number, -chosen.extra))
        inside = fold.both(fold.binary(">=", member, FALSE), fold.binary("<", member, Int(kind.width)))
        fits = fold.both(inside, fold.binary("<", chosen.size, chosen.high))
        with b.when(fold.both(fits, fold.has(chosen.left, member))):
            rest = fold.count(fold.without(chosen.left, lir.FirstBits(member, kind)))
            reach = fold.binary("+", chosen.size, rest)
            b.if_(fold.binary(">=", reach, chosen.low), [lir.Let(more, TRUE)])

    def subset_place(self, legal: Legal, chosen: _Chosen) -> Expr:
        """The place of the members noted among all subsets, a beginning before its extensions."""
        b, kind = self.b, chosen.items.kind
        assert isinstance(kind, Bits)
        subsets = Subsets(self, kind.width)
        place, size, rest, item = (self.number() for _ in range(4))
        b.set(place, fold.both(fold.equal(chosen.low, FALSE), fold.binary(">", chosen.size, FALSE)))
        b.set(size, FALSE)
        b.set(rest, fold.count(chosen.items))
        with b.collect() as each:
            b.set(rest, fold.add(lir.Get(rest), -1))
            b.if_(fold.equal(lir.Get(size), chosen.size), [lir.Break()])
            next_ = fold.add(b.load("staged", fold.add(lir.Get(size), 1)), -chosen.extra)
            more = b.atom(fold.add(lir.Get(size), 1))
            with b.collect() as taken:
                b.set(size, more)
                # What is chosen so far comes before its extensions, if it is a subset itself.
                extends = fold.both(fold.binary(">=", more, chosen.low), fold.binary("<", more, chosen.size))
                b.if_(extends, [lir.Let(place, fold.add(lir.Get(place), 1))])
            with b.collect() as skipped:
                least = fold.binary("max", FALSE, fold.binary("-", chosen.low, more))
                most = b.atom(fold.binary("-", chosen.high, more))
                with b.when(fold.binary(">=", most, FALSE)):
                    passed = subsets.among(lir.Get(rest), least, most)
                    b.set(place, fold.binary("+", lir.Get(place), passed))
            b.if_(fold.equal(next_, lir.Get(item)), taken, skipped)
        b.emit(lir.ForBits(item, chosen.items, tuple(each)))
        return lir.Get(place)

    # ------------------------------------------------------------ digits of an interval

    def digits(self, choice: Choice) -> tuple[int, int]:
        """The lowest number of a staged number, and how many digits it takes."""
        of = choice.type.of if isinstance(choice.type, t.Optional) else choice.type
        assert isinstance(of, t.Int)
        return of.low, len(str(of.high - of.low))

    def prefix(self, legal: Legal, count: Expr) -> tuple[Expr, int, int]:
        """The digits chosen so far as a number; the first number of a digit; how many digits there are."""
        b = self.b
        extra = self.space.steps(legal.move.name, 0)
        assert extra is not None
        _, digits = self.digits(legal.move.choices[0])
        chosen, at = self.number(), self.number()
        b.set(chosen, FALSE)
        with b.collect() as each:
            digit = fold.add(b.load("staged", lir.Get(at)), -extra)
            b.set(chosen, fold.add(fold.binary("*", lir.Get(chosen), Int(BASE)), digit))
        b.emit(lir.ForRange(at, TRUE, count, tuple(each)))
        return lir.Get(chosen), extra, digits

    def within(self, legal: Legal, start: Expr, width: Expr) -> Expr:
        """Some legal number is among ``width`` ones from ``start`` on, counted from the lowest."""
        low, high = (fold.add(self.b.load(column), -self.lowest(legal)) for column in legal.columns)
        last = fold.add(fold.binary("+", start, width), -1)
        return fold.both(fold.binary("<=", low, last), fold.binary(">=", high, start))

    def mark_digits(self, legal: Legal, count: Expr) -> None:
        b = self.b
        first = self.space.moves[legal.move.name].first
        low, high = (b.load(column) for column in legal.columns)
        with b.collect() as begin:
            b.if_(fold.binary("<=", low, high), [lir.Store("marks", Int(first), TRUE)])
        with b.collect() as follow:
            chosen, extra, digits = self.prefix(legal, count)
            width = b.atom(b.lookup([1] + [BASE ** (digits - k) for k in range(1, digits + 1)], count))
            digit = self.number()
            with b.collect() as each:
                start = fold.add(fold.binary("*", chosen, Int(BASE)), lir.Get(digit))
                start = b.atom(fold.binary("*", start, width))
                with b.when(self.within(legal, start, width)):
                    self.set_mark(fold.add(lir.Get(digit), extra))
            b.emit(lir.ForRange(digit, FALSE, Int(BASE), tuple(each)))
        with b.collect() as ours:
            b.if_(fold.equal(b.load("staged", 0), Int(first)), follow)
        b.if_(fold.equal(count, FALSE), begin, ours)

    def find_digits(self, legal: Legal, number: Expr, count: Expr, before: Expr, more: lir.Var) -> None:
        b = self.b
        first = self.space.moves[legal.move.name].first
        low, high = (b.load(column) for column in legal.columns)
        begins = fold.both(fold.equal(number, Int(first)), fold.binary("<=", low, high))
        with b.collect() as begin:
            b.if_(begins, [lir.Let(more, TRUE)])
        with b.collect() as follow:
            chosen, extra, digits = self.prefix(legal, count)
            digit = b.atom(fold.add(number, -extra))
            is_digit = fold.both(fold.binary(">=", digit, FALSE), fold.binary("<", digit, Int(BASE)))
            with b.when(is_digit):
                width = b.atom(b.lookup([1] + [BASE ** (digits - k) for k in range(1, digits + 1)], count))
                start = fold.binary("+", fold.binary("*", chosen, Int(BASE)), digit)
                start = b.atom(fold.binary("*", start, width))
                with b.when(self.within(legal, start, width)):
                    value = fold.add(start, self.lowest(legal))
                    place = fold.binary("+", before, fold.binary("-", value, low))
                    b.if_(fold.equal(count, Int(digits)), [lir.Return(place)], [lir.Let(more, TRUE)])
        with b.collect() as ours:
            b.if_(fold.equal(b.load("staged", 0), Int(first)), follow)
        b.if_(fold.equal(count, FALSE), begin, ours)


@dataclass(frozen=True)
class _Chosen:
    """A subset that is being chosen: ``size`` members so far; those of ``left`` may follow."""

    items: Expr
    low: Expr
    high: Expr
    size: Expr
    left: Expr
    extra: int
    done: int


class _Steps:
    """The numbers of one row, as they come: those noted must be met, the next is told to ``reached``.

    ``live``  is 0 once the row is of no more interest
    """

    def __init__(self, owner: _Numbering, count: Expr, reached: Callable[[Expr, lir.Var], object]) -> None:
        self.b, self.count, self.reached = owner.b, count, reached
        self.live, self.at = owner.number(), owner.number()
        self.b.set(self.live, TRUE)
        self.b.set(self.at, FALSE)

    def emit(self, number: Expr) -> None:
        b, at = self.b, lir.Get(self.at)
        with b.when(lir.Get(self.live)):
            number = b.atom(number)
            with b.collect() as before:
                met = fold.equal(b.load("staged", at), number)
                b.if_(fold.negate(met), [lir.Let(self.live, FALSE)])
            with b.collect() as here:
                self.reached(number, self.live)
            b.if_(fold.binary("<", at, self.count), before, here)
            b.set(self.at, fold.add(at, 1))


__all__ = ["ILLEGAL", "numbered"]
