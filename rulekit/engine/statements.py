"""Leaf statements become effects: functions that change the state."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulekit.engine.evaluate import Fn, Scope, needed
from rulekit.engine.fault import DEAL_OUTRUNS, NONE_NEEDED, OUT_OF_RANGE, SLOT_FREED, FaultError
from rulekit.engine.layout import Family, default
from rulekit.engine.record import Receipt
from rulekit.engine.state import State
from rulekit.engine.table import Fields, Table
from rulekit.program import expressions as e
from rulekit.program import statements as st
from rulekit.program import types as t
from rulekit.program.program import StateDef

Effect = Callable[[State], None]
Check = Callable[[Any], str | None]


class Effects:
    """Makes effects for the statements of one setup."""

    def __init__(self, scope: Scope, table: type[Table] = Table) -> None:
        self.scope = scope
        self.layout = scope.layout
        self.everyone = scope.layout.everyone
        self.table = table(scope.layout, self._field_starts())

    def effect(self, stmt: st.Stmt) -> Effect:
        """What the statement does. Calls, stops, asks and compound statements are no leaves."""
        match stmt:
            case st.Assign():
                return self._assign(stmt)
            case st.Claim(local, zone, index):
                slots = self._slots(zone, index)
                keep = self.scope.setter(local)
                return lambda s: keep(s, self.table.claim(s, slots(s), stmt.span))
            case st.Move():
                return self._move(stmt)
            case st.Deal():
                return self._deal(stmt)
            case st.Shuffle(into, cards):
                place = self.place(into)
                gathered = None if cards is None else self.scope.compile(cards)

                def shuffle(s: State) -> None:
                    found = () if gathered is None else gathered(s)
                    self.table.shuffle(s, found, place(s), stmt.span)

                return shuffle
            case st.Swap(left, right):
                one, other = self.scope.compile(left), self.scope.compile(right)
                return lambda s: self.table.swap(s, one(s), other(s), stmt.span)
            case st.Flip(cards, up):
                turned = self.scope.compile(cards)
                return lambda s: self.table.flip(s, turned(s), up, stmt.span)
            case st.RevealCards(cards, to):
                revealed, seats = self.scope.compile(cards), self._seats(to)
                return lambda s: self.table.reveal(s, revealed(s), seats(s))
            case st.RevealState():
                return self._reveal_state(stmt)
        raise TypeError(f"{type(stmt).__name__} is no leaf statement")

    # ------------------------------------------------------------ places

    def place(self, place: st.CardPlace) -> Callable[[State], int]:
        """The number of the place where cards are put; claims a slot if a new one is meant."""
        match place:
            case st.ZonePlace(zone, index, new=True):
                slots = self._slots(zone, index)
                return lambda s: self.table.claim(s, slots(s), index.span if index else None)
            case st.ZonePlace(zone, index):
                pile = self.scope.compile(e.ZonePile(zone, index, type=t.PILE))
                return needed(pile, index, f"whose `{zone}` it is")
            case st.PilePlace(pile):
                which = needed(self.scope.compile(pile), pile, "the pile")

                def in_use(s: State) -> int:
                    number: int = which(s)
                    if not s.used[number]:
                        raise FaultError(SLOT_FREED, "this pile has been given up", pile.span)
                    return number

                return in_use
            case st.EitherPlace(condition, yes, no):
                test, one, other = self.scope.compile(condition), self.place(yes), self.place(no)
                return lambda s: one(s) if test(s) else other(s)

    def _slots(self, zone: str, index: e.Expr | None) -> Callable[[State], tuple[int, ...]]:
        members = self.scope.setup.zone_places[zone]
        if index is None:
            return lambda s: members[0]
        which = needed(self.scope.compile(index), index, f"whose `{zone}` it is")
        return lambda s: members[which(s)]

    def _seats(self, to: e.Expr | None) -> Callable[[State], int]:
        """The mask of some players; None is everyone."""
        if to is None:
            return lambda s: self.everyone
        players = self.scope.compile(to)
        if not isinstance(to.type, t.Collection):
            player = needed(players, to, "the player to reveal to")
            return lambda s: 1 << player(s)
        return lambda s: sum(1 << player for player in players(s))

    # ------------------------------------------------------------ cards

    def _move(self, stmt: st.Move) -> Effect:
        cards, place = self.scope.compile(stmt.cards), self.place(stmt.to)
        bottom = self._at_bottom(stmt.to)
        move = self.table.move

        def effect(s: State) -> None:
            found = cards(s)
            if found:  # else no slot is claimed either
                move(s, found, place(s), bottom(s))

        return effect

    def _at_bottom(self, place: st.CardPlace) -> Callable[[State], bool]:
        if isinstance(place, st.EitherPlace):
            test = self.scope.compile(place.condition)
            yes, no = self._at_bottom(place.yes), self._at_bottom(place.no)
            return lambda s: yes(s) if test(s) else no(s)
        bottom = place.bottom
        return lambda s: bottom

    def _deal(self, stmt: st.Deal) -> Effect:
        count = None
        if stmt.count is not None:
            count = needed(self.scope.compile(stmt.count), stmt.count, "the number to deal")
        source = self.place(stmt.source)
        bottom, move = stmt.to.bottom, self.table.move
        if stmt.players is None:
            place = self.place(stmt.to)

            def deal(s: State) -> None:
                start = source(s)
                amount = len(s.zones[start]) if count is None else max(count(s), 0)
                self._enough(s, start, amount, stmt)
                if amount:
                    to = place(s)
                    for card in s.zones[start][: -amount - 1 : -1]:
                        move(s, (card,), to, bottom)

            return deal
        assert isinstance(stmt.to, st.ZonePlace)
        players = self.scope.compile(stmt.players)
        assert isinstance(stmt.to, st.ZonePlace), "a deal round the table goes to a zone of each player"
        members = self.scope.setup.zone_places[stmt.to.zone]

        def deal_round(s: State) -> None:
            start = source(s)
            seats = players(s)
            amount = len(s.zones[start]) if count is None else max(count(s), 0) * len(seats)
            self._enough(s, start, amount, stmt)
            if seats:
                # One at a time round the table; `all` may end in the middle of a round.
                for turn, card in enumerate(s.zones[start][: -amount - 1 : -1]):
                    move(s, (card,), members[seats[turn % len(seats)]][0], bottom)

        return deal_round

    def _enough(self, s: State, source: int, amount: int, stmt: st.Deal) -> None:
        there = len(s.zones[source])
        if amount > there:
            zone = self.layout.places[source].zone
            message = f"{amount} cards are to be dealt from `{zone}`, which holds {there}"
            raise FaultError(DEAL_OUTRUNS, message, stmt.span)

    # ------------------------------------------------------------ values

    def _assign(self, stmt: st.Assign) -> Effect:
        value = self.scope.compile(stmt.value)
        if isinstance(stmt.place, st.LocalPlace):
            number = stmt.place.number
            keep = self.scope.setter(number)
            if stmt.op == "=":
                return lambda s: keep(s, value(s))
            local = self.scope.program.locals[number]
            old = self.scope.compile(e.Local(number, type=local.type))
            combined = _combined(stmt.op, local.type)
            return lambda s: keep(s, combined(old(s), value(s)))
        cell, family, bit = self._target(stmt.place)
        check = self.check(family.type)
        combine = _combined(stmt.op, family.type)
        receipt = None if stmt.because is None else self._receipt(stmt.because)
        span = stmt.span

        def assign(s: State) -> None:
            new = value(s)
            at = cell(s)
            old = s.cells[at]
            new = combine(old, new)
            problem = check(new)
            if problem is not None:
                code = NONE_NEEDED if new is None else OUT_OF_RANGE
                raise FaultError(code, f"`{family.name}` {problem}", span)
            if receipt is not None and (amount := (new or 0) - (old or 0)) != 0:
                receipt(s, at, amount)  # before the assignment: it shows whom the counter was shown to
            s.cells[at] = new
            s.cells_shown[at] = 0
            s.dirty |= bit

        return assign

    def _target(self, place: st.StatePlace | st.FieldPlace) -> tuple[Callable[[State], int], Family, int]:
        """The cell assigned, its family, and the bit of its name."""
        if isinstance(place, st.StatePlace):
            family = self.layout.states[place.state]
            bit = self.layout.bit[place.state]
            first = family.first
            if place.index is None:
                return lambda s: first, family, bit
            index = needed(self.scope.compile(place.index), place.index, f"whose `{place.state}` it is")
            return lambda s: first + index(s), family, bit
        pile = self.place(st.PilePlace(place.pile))
        cells = {
            number: family
            for (zone, name, number), family in self.layout.fields.items()
            if (zone, name) == (place.zone, place.field)
        }
        some = next(iter(cells.values()))
        return lambda s: cells[pile(s)].first, some, self.layout.bit[some.name]

    def _receipt(self, because: st.Because) -> Callable[[State, int, int], None]:
        counted = (lambda s: ()) if because.cards is None else self.scope.compile(because.cards)
        names, sees, reason = self.layout.cell_names, self.layout.cell_sees, because.reason
        seen = self.table.seen
        lives = self.layout.lives

        def leave(s: State, cell: int, amount: int) -> None:
            name, index = names[cell]
            cards = tuple(counted(s))
            s.receipts = (
                s.receipts,
                Receipt(
                    name,
                    index,
                    amount,
                    reason,
                    cards,
                    tuple(seen(s, card) for card in cards),
                    sees[cell] | s.cells_shown[cell],
                    s.lives[lives[name]] if name in lives else 0,
                    s.decisions,
                ),
            )

        return leave

    def _reveal_state(self, stmt: st.RevealState) -> Effect:
        family, seats = self.layout.states[stmt.state], self._seats(stmt.to)
        if stmt.index is None:
            cells: Fn = lambda s: family.cells  # noqa: E731
        else:
            index = needed(self.scope.compile(stmt.index), stmt.index, f"whose `{stmt.state}` it is")
            cells = lambda s: (family.first + index(s),)  # noqa: E731

        def reveal(s: State) -> None:
            mask = seats(s)
            for cell in cells(s):
                s.cells_shown[cell] |= mask

        return reveal

    # ------------------------------------------------------------ ranges and starts

    def check(self, of: t.Type) -> Check:
        """What is wrong with a value, or None: "cannot be 12, only 0 to 10"."""
        match of:
            case t.Optional(inner):
                within = self.check(inner)
                return lambda value: None if value is None else within(value)
            case t.Int(low, high):

                def in_range(value: Any) -> str | None:
                    if value is None:
                        return "needs a value, not none"
                    return None if low <= value <= high else f"cannot be {value}, only {low} to {high}"

                return in_range
            case t.Collection():
                return lambda value: None
        return lambda value: "needs a value, not none" if value is None else None

    def start(self, state: StateDef) -> Effect:
        """Gives a variable, or each of a family, its START. No statement: it leaves nothing dirty."""
        family = self.layout.states[state.name]
        check = self.check(family.type)
        cells = family.cells
        if state.start is None:
            plain = default(family.type)

            def fresh(s: State) -> None:
                for cell in cells:
                    s.cells[cell] = plain
                    s.cells_shown[cell] = 0

            return fresh
        value = self.scope.compile(state.start)
        canonical = _combined("=", family.type)
        note = None if state.start_local is None else self.scope.setter(state.start_local)

        def begin(s: State) -> None:
            for cell in cells:
                if note is not None:
                    note(s, cell - family.first)
                new = canonical(None, value(s))
                problem = check(new)
                if problem is not None:
                    code = NONE_NEEDED if new is None else OUT_OF_RANGE
                    raise FaultError(code, f"`{state.name}` {problem}", state.span)
                s.cells[cell] = new
                s.cells_shown[cell] = 0

        return begin

    def _field_starts(self) -> Fields:
        found: Fields = {}
        for (zone, name, number), family in self.layout.fields.items():
            for field in self.scope.program.zones[zone].fields:
                if field.name == name:
                    plain = default(field.type)
                    start = (lambda s, v=plain: v) if field.start is None else self.scope.compile(field.start)
                    found.setdefault(number, []).append((family.first, start))
        return found


def _combined(op: str, of: t.Type) -> Callable[[Any, Any], Any]:
    """Old and new value of an assignment to what is stored."""
    if isinstance(of, t.SetOf):
        match op:
            case "=":
                return lambda old, new: tuple(sorted(set(new)))
            case "+=":
                return lambda old, new: tuple(sorted({*old, *_several(new)}))
            case _:
                return lambda old, new: tuple([value for value in old if value not in _several(new)])
    match op:
        case "=":
            return lambda old, new: new
        case "+=":
            return lambda old, new: None if old is None or new is None else old + new
        case _:
            return lambda old, new: None if old is None or new is None else old - new


def _several(value: Any) -> tuple[Any, ...]:
    return value if isinstance(value, tuple) else (value,)
