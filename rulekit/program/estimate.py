"""Bounds of expressions at a place where something is known."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

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
    exactly,
    join,
    most,
    top,
)
from rulekit.program.intervals import arithmetic, maybe, one_of
from rulekit.program.program import Program
from rulekit.program.walk import operands

BUDGET = 20_000  #: defines looked into for one statement; beyond it anything may be
DEPTH = 40  #: defines inside defines beyond this are taken to be anything

_ONE = Range(1, 1)


class Values:
    """Bounds over one program at one table (or at all tables at once)."""

    def __init__(self, program: Program, table: Table) -> None:
        self.program = program
        self.table = table
        self._tops: dict[int, tuple[t.Type, Value]] = {}
        self.depth = 0
        self.budget = BUDGET
        self.plain_zones = {zone.name for zone in program.zones.values() if zone.kind in ("set", "pile")}

    def top(self, kind: t.Type) -> Value:
        """What is sure of any value of a type."""
        known = self._tops.get(id(kind))
        if known is None:
            # The type is kept with the answer, so that its identity stays its own.
            known = self._tops[id(kind)] = kind, top(kind, self.program, self.table)
        return known[1]

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

    def assume(self, known: Known, condition: e.Expr, truth: bool) -> Known | None:
        """`refine` for a condition of which it is found out already that it may hold or not."""
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
        if isinstance(found, Range) and found.low == found.high and not found.none:
            return bool(found.low)
        return None

    def value(self, expr: e.Expr, known: Known) -> Value:
        """Bounds of the value."""
        rule = _RULES.get(type(expr))
        return self.top(expr.type) if rule is None else rule(self, expr, known)

    # ------------------------------------------------------------ what is read

    def _local(self, expr: e.Local, known: Known) -> Value:
        return known.locals.get(expr.number) or self.top(expr.type)

    def _state(self, expr: e.StateOf, known: Known) -> Value:
        return known.states.get(expr.state) or self.top(expr.type)

    def _option(self, expr: e.Option, known: Known) -> Value:
        return known.options.get(expr.name) or self.table.options[expr.name]

    def _zone_cards(self, expr: e.ZoneCards, known: Known) -> Value:
        return self._cards(expr.zone, known, _ONE)

    def _family_cards(self, expr: e.FamilyCards, known: Known) -> Value:
        return self._cards(expr.zone, known, self.members(self.program.zones[expr.zone].per))

    def _pile_cards(self, expr: e.PileCards, known: Known) -> Value:
        match expr.pile:
            case e.ZonePile(zone):
                return self._cards(zone, known, _ONE)
        return self._any_cards(0)

    def _zone_pile(self, expr: e.ZonePile, known: Known) -> Value:
        return self.top(t.PILE)

    def _deck(self, expr: e.Deck, known: Known) -> Value:
        return self._any_cards(self.table.cards.low)

    def _players(self, expr: e.Players, known: Known) -> Value:
        return Size(self.table.players.low, self.table.players.high, self.top(t.PLAYER))

    def _teams(self, expr: e.Teams, known: Known) -> Value:
        return Size(self.table.teams.low, self.table.teams.high, self.top(t.TEAM))

    def _team_players(self, expr: e.TeamPlayers, known: Known) -> Value:
        return Size(1, self.table.players.high, self.top(t.PLAYER))

    def _stacked(self, expr: e.Stacked, known: Known) -> Value:
        return self._any_cards(0 if self.number(expr.card, known).none else 1)

    def _constant(self, expr: e.Constant, known: Known) -> Value:
        match expr.value:
            case None:
                return NONE
            case bool() | int() as value:
                return exactly(value)
            case ():
                return Size(0, 0, self._element(expr.type))
            case tuple() as values:
                return Size(len(values), len(values), Range(min(values), max(values)))
        return self.top(expr.type)

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

    def _piles(self, expr: e.ZonePiles, known: Known) -> Size:
        family = self.program.zones.get(expr.zone)
        if family is None:
            return Size(0, BIG, self.top(t.PILE))
        slots = family.count if family.kind in ("piles", "slots") else 1
        high = slots * self.members(family.per).high
        return Size(slots if family.kind == "piles" else 0, high, self.top(t.PILE))

    def _faces(self, expr: e.Cards, known: Known) -> Value:
        if isinstance(expr.type, t.Card | t.Optional):
            return self.top(expr.type)
        return Size(0, self.table.cards.high, self.top(t.CARD))

    def _of_card(self, expr: e.CardFact | e.FactOf, known: Known) -> Value:
        return self._of_one(expr, expr.card, known)

    def _of_player(self, expr: e.Seat | e.TeamOf, known: Known) -> Value:
        return self._of_one(expr, expr.player, known)

    def _of_suit(self, expr: e.SuitColor, known: Known) -> Value:
        return self._of_one(expr, expr.suit, known)

    def _beside(self, expr: e.Next | e.Other, known: Known) -> Value:
        return self._of_one(expr, expr.of, known)

    def _of_one(self, expr: e.Expr, one: e.Expr, known: Known) -> Value:
        """What is said of one card, player or suit: nothing if there is none."""
        of = self.number(one, known)
        if of.low > of.high:
            return NONE
        found = self.top(expr.type)
        if of.none and isinstance(found, Range):
            return Range(found.low, found.high, True)
        return found

    # ------------------------------------------------------------ conditions

    def _row(self, expr: e.And | e.Or, known: Known) -> Range:
        """A row of `and` (stop False) or `or` (stop True): each one counts only if none before decides."""
        stop = isinstance(expr, e.Or)
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
                    here = self.assume(here, operand, not stop)
        if here is None:
            return TRUE if stop else FALSE
        return EITHER if not decided else FALSE if stop else TRUE

    def _not(self, expr: e.Not, known: Known) -> Range:
        sure = self.sure(expr.operand, known)
        return EITHER if sure is None else FALSE if sure else TRUE

    def _if(self, expr: e.If, known: Known) -> Value:
        condition, yes, no = expr.condition, expr.yes, expr.no
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

    def _same(self, expr: e.Same, known: Known) -> Range:
        one, two = self.value(expr.left, known), self.value(expr.right, known)
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

    def _less(self, expr: e.Less, known: Known) -> Range:
        if isinstance(expr.left.type, t.Key):
            return EITHER
        or_equal = expr.or_equal
        one, two = self.number(expr.left, known), self.number(expr.right, known)
        if one.nothing or two.nothing:
            return FALSE
        if (one.low > two.high) if or_equal else (one.low >= two.high):
            return FALSE
        if one.none or two.none:
            return EITHER
        if (one.high <= two.low) if or_equal else (one.high < two.low):
            return TRUE
        return EITHER

    def _contains(self, expr: e.Contains, known: Known) -> Range:
        item, collection = expr.item, expr.collection
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

    def _subset(self, expr: e.Subset, known: Known) -> Range:
        if self.size(expr.part, known).high <= 0 or isinstance(expr.whole, e.Players | e.Deck):
            return TRUE
        return EITHER

    # ------------------------------------------------------------ collections

    def _size(self, expr: e.One | e.Rounds, known: Known) -> Size:
        """What is taken as a collection, or in another order."""
        return self.size(expr.of if isinstance(expr, e.One) else expr.players, known)

    def _count(self, expr: e.Count, known: Known) -> Range:
        counted = self.size(expr.of, known)
        return Range(counted.low, counted.high)

    def _numbers(self, expr: e.Numbers, known: Known) -> Size:
        one, two = self.number(expr.low, known), self.number(expr.high, known)
        fewest, highest = two.low - one.high + 1, two.high - one.low + 1
        return Size(clip(max(0, fewest)), clip(max(0, highest)), Range(one.low, two.high))

    def _union(self, expr: e.Union, known: Known) -> Size:
        some, more = self.size(expr.left, known), self.size(expr.right, known)
        high = min(some.high + more.high, self._most(expr.type))
        return Size(max(some.low, more.low), high, join(some.of, more.of))

    def _intersection(self, expr: e.Intersection, known: Known) -> Size:
        some, more = self.size(expr.left, known), self.size(expr.right, known)
        return Size(0, min(some.high, more.high), some.of)

    def _difference(self, expr: e.Difference, known: Known) -> Size:
        some, more = self.size(expr.left, known), self.size(expr.right, known)
        return Size(max(0, some.low - more.high), some.high, some.of)

    def _one_of(self, expr: e.Best | e.End, known: Known) -> Value:
        return one_of(self.size(expr.of, known))

    def _extreme(self, expr: e.Extreme, known: Known) -> Value:
        found = self.size(expr.domain, known)
        if expr.kind.startswith("all"):
            return Size(min(1, found.low), found.high, found.of)
        return one_of(found)

    def _only(self, expr: e.Only, known: Known) -> Value:
        found = self.size(expr.of, known)
        if found.low == 1 == found.high:
            return one_of(found)
        if found.high <= 0 or found.low > 1:
            return NONE
        return maybe(found.of)

    def _random(self, expr: e.Random, known: Known) -> Value:
        return self.size(expr.domain, known).of

    def _filter(self, expr: e.Filter, known: Known) -> Size:
        found = self.size(expr.domain, known)
        if found.high <= 0:
            return found
        sure = self._about(expr.local, found.of, expr.condition, known)
        if sure is None:
            return Size(0, found.high, found.of)
        return found if sure else Size(0, 0, found.of)

    def _about(self, local: int, element: Value, condition: e.Expr, known: Known) -> bool | None:
        """Does the condition hold for every element, for none, or (None) for some?"""
        before = known.locals.get(local)
        known.locals[local] = element
        found = self.sure(condition, known)
        if before is None:
            del known.locals[local]
        else:
            known.locals[local] = before
        return found

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

    def _sum(self, expr: e.Sum, known: Known) -> Range:
        bag = self.size(expr.of, known)
        of = bag.of if isinstance(bag.of, Range) else ANYTHING
        if bag.high <= 0 or of.nothing:
            return Range(0, 0, bag.high > 0)
        low = of.low * (bag.low if of.low > 0 else bag.high)
        high = of.high * (bag.high if of.high > 0 else bag.low)
        return Range(clip(low), clip(high), of.none)

    def _any(self, expr: e.AnyOf, known: Known) -> Range:
        found, kind = self.size(expr.of, known), expr.of.type
        if found.high <= 0:
            return FALSE
        if isinstance(kind, t.BagOf) and isinstance(kind.of, t.Bool):
            each = found.of if isinstance(found.of, Range) else EITHER
            if each.high <= 0:
                return FALSE
            return TRUE if each.low >= 1 and found.low >= 1 else EITHER
        return TRUE if found.low >= 1 else EITHER

    def _every(self, expr: e.Every, known: Known) -> Range:
        found = self.size(expr.domain, known)
        if found.high <= 0:
            return TRUE
        sure = self._about(expr.local, found.of, expr.condition, known)
        if sure:
            return TRUE
        return FALSE if sure is False and found.low >= 1 else EITHER

    def _selections(self, expr: e.Selections, known: Known) -> Size:
        high = expr.high
        domain = self.size(expr.of, known)
        fewest = self.number(expr.low, known)
        highest = domain.high if high is None else min(self.number(high, known).high, domain.high)
        each = Size(max(0, fewest.low), max(0, highest), domain.of)
        possible = fewest.low <= domain.high and fewest.low <= highest
        cap = BIG if high is None else self.number(high, known).low
        certain = fewest.high <= 0 <= cap or (fewest.high <= domain.low and fewest.high <= cap)
        return Size(1 if certain else 0, BIG if possible else 0, each)

    # ------------------------------------------------------------ numbers

    def _arithmetic(self, expr: e.Arithmetic, known: Known) -> Range:
        return arithmetic(expr.op, self.number(expr.left, known), self.number(expr.right, known))

    def _negative(self, expr: e.Negative, known: Known) -> Range:
        found = self.number(expr.operand, known)
        return Range(-found.high, -found.low, found.none)

    def _minimum(self, expr: e.Minimum, known: Known) -> Range:
        one, two = self.number(expr.left, known), self.number(expr.right, known)
        return Range(min(one.low, two.low), min(one.high, two.high), one.none or two.none)

    def _maximum(self, expr: e.Maximum, known: Known) -> Range:
        one, two = self.number(expr.left, known), self.number(expr.right, known)
        return Range(max(one.low, two.low), max(one.high, two.high), one.none or two.none)

    # ------------------------------------------------------------ defines

    def _call(self, expr: e.CallDefine, known: Known) -> Value:
        name, arguments = expr.define, expr.arguments
        define = self.program.defines.get(name)
        if define is None or self.depth > DEPTH:
            return self.top(expr.type)
        if not arguments and name in known.defines:
            return known.defines[name]
        values = tuple(self.value(argument, known) for argument in arguments)
        if (name, values) in known.memo:
            return known.memo[name, values]
        self.budget -= 1
        if self.budget < 0:
            return self.top(expr.type)
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


#: How each kind of expression is bounded; of any other, its type says all.
_RULES: dict[type[e.Expr], Callable[[Values, Any, Known], Value]] = {
    e.AnyOf: Values._any,
    e.And: Values._row,
    e.Arithmetic: Values._arithmetic,
    e.Best: Values._one_of,
    e.CallDefine: Values._call,
    e.CardFact: Values._of_card,
    e.Cards: Values._faces,
    e.Choose: Values._choose,
    e.Collect: Values._collect,
    e.Constant: Values._constant,
    e.Contains: Values._contains,
    e.Count: Values._count,
    e.Deck: Values._deck,
    e.Difference: Values._difference,
    e.End: Values._one_of,
    e.Every: Values._every,
    e.Extreme: Values._extreme,
    e.FactOf: Values._of_card,
    e.FamilyCards: Values._family_cards,
    e.Filter: Values._filter,
    e.If: Values._if,
    e.Intersection: Values._intersection,
    e.Less: Values._less,
    e.Local: Values._local,
    e.Maximum: Values._maximum,
    e.Minimum: Values._minimum,
    e.Negative: Values._negative,
    e.Next: Values._beside,
    e.Not: Values._not,
    e.Numbers: Values._numbers,
    e.One: Values._size,
    e.Only: Values._only,
    e.Option: Values._option,
    e.Or: Values._row,
    e.Other: Values._beside,
    e.PileCards: Values._pile_cards,
    e.Players: Values._players,
    e.Random: Values._random,
    e.Rounds: Values._size,
    e.Same: Values._same,
    e.Seat: Values._of_player,
    e.Selections: Values._selections,
    e.Stacked: Values._stacked,
    e.StateOf: Values._state,
    e.Subset: Values._subset,
    e.SuitColor: Values._of_suit,
    e.Sum: Values._sum,
    e.TeamOf: Values._of_player,
    e.TeamPlayers: Values._team_players,
    e.Teams: Values._teams,
    e.Union: Values._union,
    e.ZoneCards: Values._zone_cards,
    e.ZonePile: Values._zone_pile,
    e.ZonePiles: Values._piles,
}


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
