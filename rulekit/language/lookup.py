"""`NAME of X`: the one way to look something up."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from rulekit.diagnostics import Note, Span
from rulekit.language import syntax as s
from rulekit.language.coerce import (
    as_cards,
    as_pile,
    element,
    in_range,
    is_collection,
    optional,
    retyped,
    same_kind,
    strip,
    surely_some,
)
from rulekit.language.known import present_if
from rulekit.language.names import Names, index_type
from rulekit.language.one_form import one_form
from rulekit.language.vocabulary import CARD_FACTS, FUNCTIONS, PLACES, SEATS
from rulekit.language.world import It, Scope, Slot, Unknown
from rulekit.program import expressions as e
from rulekit.program import types as t
from rulekit.program.program import ZoneDef


class Lookup(Names):
    """The part of the expression checker that knows `of`."""

    if TYPE_CHECKING:

        def cards(self, node: s.Expr, scope: Scope) -> e.Expr: ...
        def collection(self, node: s.Expr, scope: Scope, want: t.Type | None = None) -> e.Expr: ...
        def over(self, domain: e.Expr, each: e.Expr, local: int, span: Span) -> e.Expr: ...

    def of(self, node: s.Of, scope: Scope, want: t.Type | None) -> e.Expr:
        """`A of X`: X's type decides whether it is one value or one each."""
        name, span, world = node.name.id, node.span, self.world
        if scope.use is not None and name in scope.use.slots and name not in scope.names:
            return self.slot_of(scope.use.slots[name], node, scope, want)
        if name in world.state:
            state = world.state[name]
            if state.per is None:
                return self.not_per(node)
            return self.member_of(
                state.per, node, scope,
                lambda index: e.StateOf(name, index, type=state.type, span=span),
            )  # fmt: skip
        if name in world.zones:
            zone = world.zones[name]
            if zone.per is not None:
                return self.member_of(
                    zone.per, node, scope, lambda index: self.zone_member(name, index, span)
                )
            if zone.kind in ("piles", "slots"):
                return self.numbered_pile(name, self.slot_number(zone, node.target, scope), span)
            return self.not_per(node)
        if name in world.refused:
            self.expr(node.target, scope)
            return world.unknown(span)
        if name in world.fact_trees:
            return self.each_card(node, scope, lambda card: self.fact_of(name, card, span))
        if name == "color":
            return self.color(node, scope)
        if name in CARD_FACTS:
            return self.each_card(node, scope, lambda card: self.card_fact(name, card, span))
        return self.built_in_of(node, scope, want)

    def built_in_of(self, node: s.Of, scope: Scope, want: t.Type | None) -> e.Expr:
        name, span, world = node.name.id, node.span, self.world
        if name in PLACES:
            return self.place(node, scope)
        if name in SEATS or name == "team":
            target = self.expr(node.target, scope, t.PLAYER)
            if isinstance(strip(target.type), t.Team):
                target = e.TeamPlayers(target, type=t.PLAYERS, span=target.span)
            return self.each(target, t.Player, node, lambda p: self.seat(name, p, span))
        match name:
            case "next" | "other":
                return self.neighbour(node, scope, want)
            case "stacked":
                card = self.value(node.target, scope, t.CARD)
                return e.Stacked(card, type=t.SeqOf(t.CARD), span=span)
            case "cards":
                return self.cards(node.target, scope)
            case "index":
                pile = self.expr(node.target, scope)
                found = as_pile(pile)
                if found is not None and not self.stands_alone(found):
                    return self.pile_index(found, span)
                if not isinstance(pile.type, Unknown):
                    what = "stands alone" if found is not None else f"is {pile.type}"
                    world.findings.error(
                        "RK501", f"`{node.target.span.text}` {what}, and has no index", node.target.span,
                        expected="a pile of several",
                    )  # fmt: skip
                return world.unknown(span)
            case "players":
                team = self.value(node.target, scope, t.TEAM)
                return e.TeamPlayers(team, type=t.PLAYERS, span=span)
            case "under":
                world.findings.error(
                    "RK453", "`under`, the card being covered, means something only in a layout's `on`", span
                )
                return world.unknown(span)
        field = self.field_of(node, scope)
        if field is not None:
            return field
        if name in FUNCTIONS:
            world.findings.error(
                "RK417", f"`{name}` looks at what stands in parentheses", node.name.span,
                expected="parentheses after it", help=f"write `{name}({node.target.span.text})`",
            )  # fmt: skip
            return world.unknown(span)
        if self.is_declared(name, scope):
            return self.not_per(node)
        lookups = [*CARD_FACTS, *SEATS, *PLACES, "next", "other", "stacked", "cards", "index", "team"]
        return world.unknown_name(node.name, scope, lookups)

    def stands_alone(self, pile: e.Expr) -> bool:
        """The pile is a zone of its own, not one of a family."""
        zone = self.world.zones.get(pile.type.zone or "") if isinstance(pile.type, t.Pile) else None
        return zone is not None and zone.kind == "pile" and zone.per is None

    def field_of(self, node: s.Of, scope: Scope) -> e.Expr | None:
        """A field of piles: `total of b`."""
        name = node.name.id
        owners = [z for z in self.world.zones.values() if any(f.name == name for f in z.fields)]
        if not owners:
            return None
        target = self.expr(node.target, scope)

        def read(pile: e.Expr) -> e.Expr:
            of = pile.type.zone if isinstance(pile.type, t.Pile) else None
            zone = next((z for z in owners if z.name == of), owners[0])
            field = next(f for f in zone.fields if f.name == name)
            return e.PileField(zone.name, name, pile, type=field.type, span=node.span)

        return self.each(target, t.Pile, node, read)

    def one_place(self, place: s.Place, slot: s.Name) -> e.Expr:
        """Report a slot that holds one place where the block says whose."""
        self.world.findings.error(
            "RK418", f"`{place.span.text}` is one place, and slot `{slot.id}` wants one of each", place.span,
            expected="a zone declared `per` something, alone", help=f"write `{place.name.id}`",
        )  # fmt: skip
        return self.world.unknown(place.span)

    def not_per(self, node: s.Of) -> e.Expr:
        """Report what is one thing; once, for it may be the declaration that lacks its `per`."""
        name, world = node.name.id, self.world
        declared = world.state.get(name) or world.zones.get(name)
        if world.said_often("RK418", name, most=1):
            return world.unknown(node.span)
        alone = f"write `{name}` alone"
        world.findings.error(
            "RK418", f"`{name}` is one thing, not one of each", node.name.span,
            expected="a name declared `per` something, a fact or a place before `of`",
            help=alone if declared is None else f"{alone}, or declare it `per player`",
            notes=[Note("declared here", declared.span)] if declared and declared.span else [],
        )  # fmt: skip
        return world.unknown(node.span)

    def member_of(self, per: str, node: s.Of, scope: Scope, read: Callable[[e.Expr], e.Expr]) -> e.Expr:
        """A member of a family, or one each for several indices."""
        kind = index_type(per)
        target = self.expr(node.target, scope, kind)
        if isinstance(target.type, Unknown):
            return self.world.unknown(node.span)
        of = element(target.type) if is_collection(target.type) else strip(target.type)
        if per == "player" and isinstance(of, t.Team):
            if is_collection(target.type):
                target = self.each(
                    target, t.Team, node, lambda x: e.TeamPlayers(x, type=t.PLAYERS, span=node.span)
                )
            else:
                target = e.TeamPlayers(target, type=t.PLAYERS, span=target.span)
        elif per == "team" and isinstance(of, t.Player):
            target = self.each(target, t.Player, node, lambda x: e.TeamOf(x, type=t.TEAM, span=node.span))
        elif not same_kind(of, kind):
            self.world.findings.error(
                "RK501", f"`{node.name.id}` is per {per}, and `{node.target.span.text}` is {target.type}",
                node.target.span, expected=str(kind),
            )  # fmt: skip
            return self.world.unknown(node.span)
        return self.each(target, type(kind), node, read)

    def each(
        self, target: e.Expr, kind: type[t.Type], node: s.Of, read: Callable[[e.Expr], e.Expr]
    ) -> e.Expr:
        """`read` of one thing, or of each of several."""
        if isinstance(target.type, Unknown):
            return target
        if is_collection(target.type):
            of = element(target.type)
            if is_collection(of) and isinstance(element(of), kind):
                target = as_cards(target, self.world) or target
                of = element(target.type)
            if isinstance(of, t.Pile) and kind is t.Card:
                target = as_cards(target, self.world) or target
                of = element(target.type)
            if isinstance(of, (kind, Unknown)):
                local = self.world.new_local("it", of, lasting=False)
                each = read(e.Local(local, type=of))
                if isinstance(each.type, t.Optional) and picked_for(target, read):
                    each = retyped(each, each.type.of)
                return self.over(target, each, local, node.span)
        elif isinstance(strip(target.type), kind):
            found = read(target)
            if isinstance(target.type, t.Optional) and not isinstance(found.type, t.Optional):
                return retyped(found, optional(found.type))
            return found
        elif kind is t.Card and isinstance(strip(target.type), t.Pile):
            several = as_cards(target, self.world)
            if several is not None:
                return self.each(several, kind, node, read)
        self.world.findings.error(
            "RK501", f"`{node.name.id} of` looks at {kind().__str__()}, and here stands {target.type}",
            node.target.span, expected=str(kind()),
        )  # fmt: skip
        return self.world.unknown(node.span)

    def each_card(self, node: s.Of, scope: Scope, read: Callable[[e.Expr], e.Expr]) -> e.Expr:
        return self.each(self.expr(node.target, scope, t.CARD), t.Card, node, read)

    def slot_of(self, slot: Slot, node: s.Of, scope: Scope, want: t.Type | None) -> e.Expr:
        """`chooser of p`: the slot's expression about `it`, `it` being p."""
        per = slot.declaration.per
        if per is None:
            place = slot.value.place if slot.value is not None else None
            if place is None or slot.scope is None:
                return self.not_per(node)
            if place.target is not None:
                return self.one_place(place, node.name)
            return self.of(s.Of(place.name, node.target, span=node.span), scope, want)
        kind = t.CARD if per.id == "card" else index_type(per.id)
        target = self.value(node.target, scope, kind)
        if isinstance(target, e.Local):
            return self.marked(
                self.slot_value(slot, (It(target.number, kind),), node.name, scope, want), node.name, scope
            )
        local = self.world.new_local("it", kind, lasting=False)
        body = self.marked(
            self.slot_value(slot, (It(local, kind),), node.name, scope, want), node.name, scope
        )
        picked = e.Collect(
            e.One(target, type=t.SetOf(kind)), local, body, type=t.SetOf(body.type), span=node.span
        )
        return e.Only(picked, type=body.type, span=node.span)

    # ------------------------------------------------------------ built-in lookups

    def color(self, node: s.Of, scope: Scope) -> e.Expr:
        """`color of trump` looks at a suit, `color of card` at a card."""
        target, span = self.expr(node.target, scope, t.CARD), node.span
        of = element(target.type) if is_collection(target.type) else target.type
        if not isinstance(strip(of), t.Suit):
            return self.each(target, t.Card, node, lambda card: self.card_fact("color", card, span))
        return self.each(
            target, t.Suit, node, lambda suit: e.SuitColor(suit, type=t.Optional(t.COLOR), span=span)
        )

    def place(self, node: s.Of, scope: Scope) -> e.Expr:
        """`top of stock`, `first of (live starting p)`."""
        name = node.name.id
        if name == "last" or name == "first":
            target = self.collection(node.target, scope)
        else:
            target = self.cards(node.target, scope)
        if isinstance(target.type, Unknown):
            return target
        if not isinstance(target.type, t.SeqOf):
            self.world.findings.error(
                "RK512", f"`{node.target.span.text}` has no {name}: it is {target.type}", node.target.span,
                expected="a pile or a sequence",
                help="say where to begin: `players starting left of dealer`"
                if isinstance(element(target.type), t.Player)
                else "declare the zone as a `pile`, or say which: `highest(X by ...)`, `only(X)`",
            )  # fmt: skip
            return self.world.unknown(node.span)
        of = target.type.of if surely_some(target, scope.present) else optional(target.type.of)
        return e.End(target, PLACES[name], type=of, span=node.span)

    def slot_number(self, zone: ZoneDef, node: s.Expr, scope: Scope) -> e.Expr:
        """The `3` of `column of 3`."""
        slot = self.value(node, scope, t.Int(1, zone.count))
        if not in_range(slot, t.Int(1, zone.count)):
            self.world.findings.error(
                "RK425", f"`{zone.name}` has no pile {node.span.text}", node.span,
                expected=f"a number from 1 to {zone.count}",
            )  # fmt: skip
        return slot

    def numbered_pile(self, zone: str, slot: e.Expr, span: Span) -> e.Expr:
        """`column of 3`."""
        piles = e.ZonePiles(zone, type=t.SeqOf(t.Pile(zone)), span=span)
        local = self.world.new_local("it", t.Pile(zone), lasting=False)
        here = e.PileIndex(e.Local(local, type=t.Pile(zone)), type=t.Int(1, 512))
        picked = e.Filter(piles, local, e.Same(here, slot, type=t.BOOL), type=piles.type, span=span)
        return e.Only(picked, type=t.Pile(zone), span=span)

    def neighbour(self, node: s.Of, scope: Scope, want: t.Type | None) -> e.Expr:
        """`next of passing`, `other of direction`."""
        target = self.expr(node.target, scope, want)
        of = strip(target.type)
        count = len(self.world.words[of.name]) if isinstance(of, t.Word) else None
        if node.name.id == "next" and isinstance(of, (t.Rank, t.Word)):
            size = count if count is not None else self.world.plain_ranks
            return e.Next(target, size, type=target.type, span=node.span)
        if node.name.id == "other" and (isinstance(of, t.Team) or count == 2):
            return e.Other(target, type=target.type, span=node.span)
        if not isinstance(of, Unknown):
            self.world.findings.error(
                "RK501", f"`{node.name.id} of` cannot look at {target.type}", node.target.span,
                expected="a rank or word" if node.name.id == "next" else "one of two words or two teams",
            )  # fmt: skip
        return self.world.unknown(node.span)


def picked_for(domain: e.Expr, read: Callable[[e.Expr], e.Expr]) -> bool:
    """The elements were picked by a condition that shows that this, read of each, is not none: the bids of
    `players where bid != none`.
    """
    while isinstance(domain, e.Filter | e.Rounds):
        if isinstance(domain, e.Rounds):
            domain = domain.players
            continue
        alike = one_form(read(e.Local(domain.local, type=element(domain.type))))
        if any(one_form(fact) == alike for fact in present_if(domain.condition, True)):
            return True
        domain = domain.domain
    return False
