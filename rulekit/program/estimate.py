"""Bounds of expressions at a place where something is known."""

from __future__ import annotations

from rulekit.program import expressions as e
from rulekit.program import types as t
from rulekit.program.bounds import (
    ANYTHING,
    BIG,
    EITHER,
    FALSE,
    NONE,
    TRUE,
    Known,
    Range,
    Size,
    Table,
    Value,
    clip,
    join,
    most,
    top,
)
from rulekit.program.program import Program
from rulekit.program.walk import operands

BUDGET = 20_000  #: defines looked into for one statement; beyond it anything may be
DEPTH = 40  #: defines inside defines beyond this are taken to be anything


class Values:
    """Bounds over one program at one table (or at all tables at once)."""

    def __init__(self, program: Program, table: Table) -> None:
        self.program = program
        self.table = table
        self._tops: dict[t.Type, Value] = {}
        self.depth = 0
        self.budget = BUDGET
        self.plain_zones = {zone.name for zone in program.zones.values() if zone.kind in ("set", "pile")}

    def top(self, kind: t.Type) -> Value:
        """What is sure of any value of a type."""
        found = self._tops.get(kind)
        if found is None:
            found = self._tops[kind] = top(kind, self.program, self.table)
        return found

    def members(self, per: str | None) -> Range:
        """How many members a family has."""
        match per:
            case None:
                return Range(1, 1)
            case "player":
                return self.table.players
            case "team":
                return self.table.teams
            case "suit":
                count = len(self.program.deck.suits)
            case "rank":
                count = len(self.program.deck.ranks) + len(set(self.program.deck.extra))
            case _:
                count = len(self.program.words.get(per, ()))
        return Range(count, count)

    def refine(self, known: Known, condition: e.Expr, truth: bool) -> Known | None:
        """What is known where the condition holds (or does not); None: that cannot be."""
        raise NotImplementedError

    def split(self, known: Known, condition: e.Expr) -> tuple[Known | None, Known | None]:
        """What is known where the condition holds, and where it does not."""
        raise NotImplementedError

    # ------------------------------------------------------------ values

    def number(self, expr: e.Expr, known: Known) -> Range:
        """Bounds of one value."""
        found = self.value(expr, known)
        return found if isinstance(found, Range) else ANYTHING

    def size(self, expr: e.Expr, known: Known) -> Size:
        """Bounds of a collection; of one value taken as a collection."""
        found = self.value(expr, known)
        if isinstance(found, Size):
            return found
        return Size(0 if found.none else 1, 0 if found.nothing else 1, found)

    def sure(self, expr: e.Expr, known: Known) -> bool | None:
        """Does the condition surely hold, surely not, or (None) may it be either?"""
        found = self.value(expr, known)
        if isinstance(found, Range) and found.certain:
            return bool(found.low)
        return None

    def value(self, expr: e.Expr, known: Known) -> Value:
        """Bounds of the value."""
        match expr:
            case e.Constant(value):
                return self._constant(value, expr.type)
            case e.Local(number):
                return known.locals.get(number) or self.top(expr.type)
            case e.StateOf(state):
                return known.states.get(state) or self.top(expr.type)
            case e.Option(name):
                return known.options.get(name) or self.table.options[name]
            case e.Same(left, right):
                return self._same(left, right, known)
            case e.ZoneCards(zone):
                return self._cards(zone, known, Range(1, 1))
            case e.CallDefine(name, arguments):
                return self._call(name, arguments, expr.type, known)
            case e.And() | e.Or():
                return self._row(expr, known, stop=isinstance(expr, e.Or))
            case e.Less(left, right, or_equal):
                return self._less(left, right, or_equal, known)
            case e.Count(of):
                counted = self.size(of, known)
                return Range(counted.low, counted.high)
            case e.CardFact(_, of) | e.FactOf(_, of) | e.SuitColor(of) | e.Next(of) | e.Other(of):
                return self._fact(expr.type, self.number(of, known))
            case e.If(condition, yes, no):
                return self._if(condition, yes, no, known)
            case e.Not(operand):
                sure = self.sure(operand, known)
                return EITHER if sure is None else FALSE if sure else TRUE
            case e.FamilyCards(zone):
                return self._cards(zone, known, self.members(self.program.zones[zone].per))
            case e.One(of):
                return self.size(of, known)
            case e.Best(of=of) | e.End(of):
                return one_of(self.size(of, known))
            case e.PileCards(e.ZonePile(zone)) | e.ZonePile(zone):
                if isinstance(expr, e.ZonePile):
                    return self.top(t.PILE)
                return self._cards(zone, known, Range(1, 1))
            case e.ZonePiles(zone):
                return self._piles(zone)
            case e.PileCards():
                return self._any_cards(0)
            case e.Deck():
                return self._any_cards(self.table.cards.low)
            case e.Cards(faces):
                return self._faces(faces, expr.type)
            case e.Players():
                return Size(self.table.players.low, self.table.players.high, self.top(t.PLAYER))
            case e.Teams():
                return Size(self.table.teams.low, self.table.teams.high, self.top(t.TEAM))
            case e.TeamPlayers():
                return Size(1, self.table.players.high, self.top(t.PLAYER))
            case e.Seat(_, of) | e.TeamOf(of):
                return self._fact(expr.type, self.number(of, known))
            case e.Arithmetic(op, left, right):
                return arithmetic(op, self.number(left, known), self.number(right, known))
            case e.Negative(operand):
                found = self.number(operand, known)
                return Range(-found.high, -found.low, found.none)
            case e.Minimum(left, right):
                one, two = self.number(left, known), self.number(right, known)
                return Range(min(one.low, two.low), min(one.high, two.high), one.none or two.none)
            case e.Maximum(left, right):
                one, two = self.number(left, known), self.number(right, known)
                return Range(max(one.low, two.low), max(one.high, two.high), one.none or two.none)
            case e.Choose():
                return self._choose(expr, known)
            case e.Numbers(first, last):
                one, two = self.number(first, known), self.number(last, known)
                fewest, highest = two.low - one.high + 1, two.high - one.low + 1
                return Size(clip(max(0, fewest)), clip(max(0, highest)), Range(one.low, two.high))
            case e.Contains(item, collection):
                return self._contains(item, collection, known)
            case e.Subset(part, whole):
                if self.size(part, known).high <= 0 or isinstance(whole, e.Players | e.Deck):
                    return TRUE
                return EITHER
            case e.Union(left, right):
                some, more = self.size(left, known), self.size(right, known)
                high = min(some.high + more.high, self._most(expr.type))
                return Size(max(some.low, more.low), high, join(some.of, more.of))
            case e.Intersection(left, right):
                some, more = self.size(left, known), self.size(right, known)
                return Size(0, min(some.high, more.high), some.of)
            case e.Difference(left, right):
                some, more = self.size(left, known), self.size(right, known)
                return Size(max(0, some.low - more.high), some.high, some.of)
            case e.Filter(domain, local, condition):
                return self._filter(domain, local, condition, known)
            case e.Collect():
                return self._collect(expr, known)
            case e.Rounds(players):
                return self.size(players, known)
            case e.Extreme(kind, domain):
                found_in = self.size(domain, known)
                if kind.startswith("all"):
                    return Size(min(1, found_in.low), found_in.high, found_in.of)
                return one_of(found_in)
            case e.Sum(of):
                return self._sum(self.size(of, known))
            case e.AnyOf(of):
                return self._any(of, known)
            case e.Every(domain, local, condition):
                return self._every(domain, local, condition, known)
            case e.Only(of):
                found_in = self.size(of, known)
                if found_in.low == 1 == found_in.high:
                    return one_of(found_in)
                if found_in.high <= 0 or found_in.low > 1:
                    return NONE
                return _maybe(found_in.of)
            case e.Stacked(card):
                return self._any_cards(0 if self.number(card, known).none else 1)
            case e.Selections(low, high, of):
                return self._selections(low, high, of, known)
            case e.Random(domain):
                found_in = self.size(domain, known)
                return found_in.of
        return self.top(expr.type)

    def _constant(self, value: object, kind: t.Type) -> Value:
        match value:
            case None:
                return NONE
            case bool() | int():
                return Range(int(value), int(value))
            case ():
                return Size(0, 0, self._element(kind))
            case tuple():
                return Size(len(value), len(value), Range(min(value), max(value)))
        return self.top(kind)

    def _element(self, kind: t.Type) -> Value:
        found = self.top(kind)
        return found.of if isinstance(found, Size) else ANYTHING

    def _most(self, kind: t.Type) -> int:
        return most(kind.of, self.table) if isinstance(kind, t.SetOf | t.SeqOf) else BIG

    def _cards(self, zone: str, known: Known, members: Range) -> Size:
        cards = self.table.cards.high
        each = known.zones.get(zone, Range(0, cards)) if zone in self.plain_zones else Range(0, cards)
        low, high = each.low * members.low, each.high * members.high
        return Size(min(low, cards), min(high, cards), self.top(t.CARD))

    def _any_cards(self, low: int) -> Size:
        return Size(low, self.table.cards.high, self.top(t.CARD))

    def _piles(self, zone: str) -> Size:
        family = self.program.zones.get(zone)
        if family is None:
            return Size(0, BIG, self.top(t.PILE))
        slots = family.count if family.kind in ("piles", "slots") else 1
        high = slots * self.members(family.per).high
        return Size(slots if family.kind == "piles" else 0, high, self.top(t.PILE))

    def _faces(self, faces: tuple[object, ...], kind: t.Type) -> Value:
        if isinstance(kind, t.Card | t.Optional):
            return self.top(kind)
        return Size(0, self.table.cards.high, self.top(t.CARD))

    def _fact(self, kind: t.Type, of: Range) -> Value:
        if of.nothing:
            return NONE
        found = self.top(kind)
        if isinstance(found, Range) and of.none:
            return Range(found.low, found.high, True)
        return found

    def _row(self, expr: e.Expr, known: Known, *, stop: bool) -> Range:
        """A row of `and` (stop False) or `or` (stop True): each one counts only if none before decides."""
        decided = True
        here: Known | None = known
        for operand in operands(expr):
            sure = None if here is None else self.sure(operand, here)
            if here is None or sure is stop:
                return TRUE if stop else FALSE
            if sure is None:
                decided = False
                # Inside defines the others are not looked into: that would cost more than it tells.
                if self.depth == 0:
                    here = self.refine(here, operand, not stop)
        if here is None:
            return TRUE if stop else FALSE
        return EITHER if not decided else FALSE if stop else TRUE

    def _if(self, condition: e.Expr, yes: e.Expr, no: e.Expr, known: Known) -> Value:
        if self.depth > 0:
            sure = self.sure(condition, known)
            if sure is not None:
                return self.value(yes if sure else no, known)
            return join(self.value(yes, known), self.value(no, known))
        there, elsewhere = self.split(known, condition)
        if there is None:
            return self.value(no, elsewhere or known)
        if elsewhere is None:
            return self.value(yes, there)
        return join(self.value(yes, there), self.value(no, elsewhere))

    def _choose(self, expr: e.Choose, known: Known) -> Value:
        subject = self.number(expr.subject, known)
        found: Value | None = None
        covered = 0
        for keys, value in expr.rows:
            hits = sum(
                1 for key in keys if (subject.none if key is None else subject.low <= key <= subject.high)
            )
            if hits:
                here = self.value(value, known)
                found = here if found is None else join(found, here)
                covered += hits
        wanted = max(0, subject.high - subject.low + 1) + subject.none
        if expr.default is not None and (found is None or covered < wanted):
            here = self.value(expr.default, known)
            found = here if found is None else join(found, here)
        return self.top(expr.type) if found is None else found

    def _same(self, left: e.Expr, right: e.Expr, known: Known) -> Range:
        one, two = self.value(left, known), self.value(right, known)
        if isinstance(one, Size) and isinstance(two, Size):
            if one.high <= 0 and two.high <= 0:
                return TRUE
            return FALSE if one.high < two.low or two.high < one.low else EITHER
        if isinstance(one, Size) or isinstance(two, Size):
            return EITHER
        if one.nothing and two.nothing:
            return TRUE
        if one.nothing or two.nothing:
            return EITHER if one.none and two.none else FALSE
        if one.certain and one == two:
            return TRUE
        apart = one.high < two.low or two.high < one.low
        return FALSE if apart and not (one.none and two.none) else EITHER

    def _less(self, left: e.Expr, right: e.Expr, or_equal: bool, known: Known) -> Range:
        if isinstance(left.type, t.Key):
            return EITHER
        one, two = self.number(left, known), self.number(right, known)
        if one.nothing or two.nothing:
            return FALSE
        if (one.low > two.high) if or_equal else (one.low >= two.high):
            return FALSE
        if one.none or two.none:
            return EITHER
        if (one.high <= two.low) if or_equal else (one.high < two.low):
            return TRUE
        return EITHER

    def _contains(self, item: e.Expr, collection: e.Expr, known: Known) -> Range:
        one, many = self.number(item, known), self.size(collection, known)
        if one.nothing or many.high <= 0:
            return FALSE
        if isinstance(collection, e.Players | e.Deck) and not one.none:
            return TRUE
        if isinstance(collection, e.Constant) and isinstance(collection.value, tuple) and one.certain:
            return TRUE if one.low in collection.value else FALSE
        if isinstance(many.of, Range) and (one.high < many.of.low or many.of.high < one.low):
            return FALSE
        if isinstance(item, e.Local) and item.number in known.member:
            same = _same_members(collection, known)
            if any(base in same for base in _bases(known.member[item.number], known)):
                return TRUE
        return EITHER

    def _filter(self, domain: e.Expr, local: int, condition: e.Expr, known: Known) -> Size:
        found = self.size(domain, known)
        if found.high <= 0:
            return found
        sure, _ = self._about(local, found.of, condition, known)
        if sure is None:
            return Size(0, found.high, found.of)
        return found if sure else Size(0, 0, found.of)

    def _about(
        self, local: int, element: Value, condition: e.Expr, known: Known
    ) -> tuple[bool | None, Value]:
        """Does the condition hold for every element, for none, or (None) for some?"""
        before = known.locals.get(local)
        known.locals[local] = element
        found = self.sure(condition, known)
        if before is None:
            del known.locals[local]
        else:
            known.locals[local] = before
        return found, element

    def _collect(self, expr: e.Collect, known: Known) -> Size:
        domain = self.size(expr.domain, known)
        before = known.locals.get(expr.local)
        known.locals[expr.local] = domain.of
        value = self.size(expr.value, known) if expr.flatten else self.value(expr.value, known)
        if before is None:
            del known.locals[expr.local]
        else:
            known.locals[expr.local] = before
        if expr.flatten and isinstance(value, Size):
            low = value.low if domain.low else 0
            return Size(low, min(clip(domain.high * value.high), self._most(expr.type)), value.of)
        if isinstance(expr.type, t.BagOf):
            return Size(domain.low, domain.high, value)
        return Size(min(1, domain.low), min(domain.high, self._most(expr.type)), value)

    def _sum(self, bag: Size) -> Range:
        of = bag.of if isinstance(bag.of, Range) else ANYTHING
        if bag.high <= 0 or of.nothing:
            return Range(0, 0, bag.high > 0)
        low = of.low * (bag.low if of.low > 0 else bag.high)
        high = of.high * (bag.high if of.high > 0 else bag.low)
        return Range(clip(low), clip(high), of.none)

    def _any(self, of: e.Expr, known: Known) -> Range:
        found = self.size(of, known)
        if found.high <= 0:
            return FALSE
        if isinstance(of.type, t.BagOf) and isinstance(of.type.of, t.Bool):
            each = found.of if isinstance(found.of, Range) else EITHER
            if each.high <= 0:
                return FALSE
            return TRUE if each.low >= 1 and found.low >= 1 else EITHER
        return TRUE if found.low >= 1 else EITHER

    def _every(self, domain: e.Expr, local: int, condition: e.Expr, known: Known) -> Range:
        found = self.size(domain, known)
        if found.high <= 0:
            return TRUE
        sure, _ = self._about(local, found.of, condition, known)
        if sure:
            return TRUE
        return FALSE if sure is False and found.low >= 1 else EITHER

    def _selections(self, low: e.Expr, high: e.Expr | None, of: e.Expr, known: Known) -> Size:
        domain = self.size(of, known)
        fewest = self.number(low, known)
        highest = domain.high if high is None else min(self.number(high, known).high, domain.high)
        each = Size(max(0, fewest.low), max(0, highest), domain.of)
        possible = fewest.low <= domain.high and fewest.low <= highest
        cap = BIG if high is None else self.number(high, known).low
        certain = fewest.high <= 0 <= cap or (fewest.high <= domain.low and fewest.high <= cap)
        return Size(1 if certain else 0, BIG if possible else 0, each)

    def _call(self, name: str, arguments: tuple[e.Expr, ...], kind: t.Type, known: Known) -> Value:
        define = self.program.defines.get(name)
        if define is None or self.depth > DEPTH:
            return self.top(kind)
        if not arguments and name in known.defines:
            return known.defines[name]
        values = tuple(self.value(argument, known) for argument in arguments)
        if (name, values) in known.memo:
            return known.memo[name, values]
        self.budget -= 1
        if self.budget < 0:
            return self.top(kind)
        before = {number: known.locals.get(number) for number in define.parameters}
        known.locals.update(zip(define.parameters, values, strict=False))
        self.depth += 1
        found = self.value(define.body, known)
        self.depth -= 1
        for number, old in before.items():
            if old is None:
                known.locals.pop(number, None)
            else:
                known.locals[number] = old
        known.memo[name, values] = found
        return found


# ---------------------------------------------------------------- members


def _bases(domain: e.Expr, known: Known) -> list[e.Expr]:
    """Collections that hold every member of ``domain``."""
    found = [domain]
    for expr in found:
        match expr:
            case e.Rounds(inner) | e.Filter(inner) | e.Difference(inner):
                found.append(inner)
            case e.Intersection(left, right):
                found += [left, right]
            case e.StateOf(name, None) if name in known.equal and known.equal[name] not in found:
                found.append(known.equal[name])
    return found


def _same_members(collection: e.Expr, known: Known) -> list[e.Expr]:
    """Expressions that have just these members."""
    found = [collection]
    for expr in found:
        match expr:
            case e.Rounds(inner):
                found.append(inner)
            case e.StateOf(name, None) if name in known.equal and known.equal[name] not in found:
                found.append(known.equal[name])
    return found


# ---------------------------------------------------------------- arithmetic


def one_of(many: Size) -> Value:
    """One element of a collection, none if it is empty."""
    if many.high <= 0:
        return NONE
    return many.of if many.low >= 1 else _maybe(many.of)


def _maybe(value: Value) -> Value:
    return Range(value.low, value.high, True) if isinstance(value, Range) else value


def arithmetic(op: str, left: Range, right: Range) -> Range:
    """`+ - * // %` of bounds; a divisor is taken not to be 0."""
    none = left.none or right.none
    if left.nothing or right.nothing:
        return NONE
    match op:
        case "+":
            return Range(clip(left.low + right.low), clip(left.high + right.high), none)
        case "-":
            return Range(clip(left.low - right.high), clip(left.high - right.low), none)
        case "*":
            corners = [a * b for a in (left.low, left.high) for b in (right.low, right.high)]
            return Range(clip(min(corners)), clip(max(corners)), none)
        case "//":
            divisors = {d for d in (right.low, right.high, -1, 1) if right.low <= d <= right.high and d}
            quotients = [a // d for a in (left.low, left.high) for d in divisors]
            return Range(min(quotients), max(quotients), none) if quotients else ANYTHING
        case "%":
            if right.low > 0:
                if left.low >= 0 and left.high < right.low:
                    return Range(left.low, left.high, none)
                return Range(0, right.high - 1, none)
            if right.high < 0:
                return Range(right.low + 1, 0, none)
            return Range(right.low, right.high, none)
    return ANYTHING
