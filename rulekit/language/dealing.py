"""Statements by which cards change place, and the places where they go."""

from __future__ import annotations

from dataclasses import replace

from rulekit.diagnostics import Span
from rulekit.language import syntax as s
from rulekit.language.coerce import as_cards, as_pile, element, fit, is_collection, not_one_of, strip
from rulekit.language.deck import MOST_CARDS
from rulekit.language.definitions import Definitions
from rulekit.language.names import index_type
from rulekit.language.vocabulary import BUILT_IN
from rulekit.language.world import Scope, Unknown, World, nearest_local
from rulekit.program import expressions as e
from rulekit.program import statements as st
from rulekit.program import types as t
from rulekit.program.program import ZoneDef


class Dealing:
    """The part of the statement checker that knows moves, deals, shuffles and what shows cards."""

    world: World
    x: Definitions

    def move(self, node: s.Move, scope: Scope) -> st.Stmt | None:
        cards = self.x.cards(node.cards, scope)
        if isinstance(node.to, s.Place):
            place = self.zone_place(node.to.name, node.to.target, node.to.span, scope, slots=True)
            if not isinstance(place, st.ZonePlace) or not self.check_slots(place, node.to):
                return None
            return st.Move(cards, replace(place, new=True), span=node.span)
        to = self.card_place(node.to, scope)
        return st.Move(cards, to, span=node.span) if to is not None else None

    def check_slots(self, place: st.ZonePlace, node: s.Place) -> bool:
        """The place has slots that can be claimed."""
        zone = self.world.zones[place.zone]
        if zone.kind != "slots":
            self.world.findings.error(
                "RK413", f"`{zone.name}` has no slots to claim", node.span,
                expected="a zone of `up to N piles`",
            )  # fmt: skip
            return False
        return True

    def card_place(self, node: s.Expr, scope: Scope) -> st.CardPlace | None:
        """Where cards are put."""
        match node:
            case s.Cond(condition, yes, no):
                when = self.x.condition(condition, scope)
                a, b = self.card_place(yes, scope), self.card_place(no, scope)
                return st.EitherPlace(when, a, b) if a is not None and b is not None else None
            case s.Of(s.Name("bottom"), target):
                place = self.card_place(target, scope)
                if isinstance(place, (st.ZonePlace, st.PilePlace)):
                    if isinstance(place, st.ZonePlace) and self.world.zones[place.zone].kind == "set":
                        self.world.findings.error(
                            "RK512", f"`{target.span.text}` is a set and has no bottom", target.span,
                            expected="a pile",
                        )  # fmt: skip
                    return replace(place, bottom=True)
                return place
            case s.Of(s.Name("top"), target) if isinstance(target, (s.Name, s.Of)):
                self.world.findings.error(
                    "RK413", f"`{node.span.text}` is a card, and cards cannot be put there", node.span,
                    expected="a zone or a pile",
                    help=f"cards go on top by themselves: write `{target.span.text}`",
                )  # fmt: skip
                return None
            case s.Name() if node.id not in scope.names and (
                self.names_zone(node.id, scope) or not self.means_something(node, scope)
            ):
                return self.zone_place(node, None, node.span, scope)
            case s.Of(name, target) if self.names_zone(name.id, scope):
                return self.zone_place(name, target, node.span, scope)
        return self.pile_place(node, scope)

    def means_something(self, node: s.Name, scope: Scope) -> bool:
        """The name is known, so that it is no misspelt zone."""
        name, world = node.id, self.world
        known = name in BUILT_IN or name in world.suit_names() or bool(world.types_with_word(name))
        return name != "box" and (known or self.x.is_declared(name, scope))

    def names_zone(self, name: str, scope: Scope) -> bool:
        if scope.use is not None and name in scope.use.slots:
            return scope.use.slots[name].declaration.type.name.id == "zone"
        return name in self.world.zones

    def pile_place(self, node: s.Expr, scope: Scope) -> st.CardPlace | None:
        found = self.x.expr(node, scope)
        pile = as_pile(found)
        if pile is not None and isinstance(pile.type, (t.Pile, t.Optional)):
            return st.PilePlace(pile)
        if not isinstance(found.type, Unknown):
            self.world.findings.error(
                "RK413", f"`{node.span.text}` is {found.type}, and cards cannot be put there", node.span,
                expected="a zone or a pile",
            )  # fmt: skip
        return None

    def zone_place(
        self, name: s.Name, target: s.Expr | None, span: Span, scope: Scope, *, slots: bool = False
    ) -> st.CardPlace | None:
        """A zone as a place, one member of a family; ``slots``: all its piles, to claim one of them."""
        world, use = self.world, scope.use
        if use is not None and name.id in use.slots and name.id not in scope.names:
            slot = use.slots[name.id]
            if slot.value is not None and slot.scope is not None:
                place = slot.value.place
                if place is not None and target is None:
                    return self.zone_place(place.name, place.target, span, slot.scope, slots=slots)
                if place is not None and place.target is None:
                    return self.indexed_place(place.name, target, span, scope, slot.scope)
                if place is not None:
                    self.x.one_place(place, name)
            return None
        zone = world.zones.get(name.id)
        ref = scope.names.get(name.id)
        if ref is not None and target is None and isinstance(strip(ref.type), t.Pile):
            return st.PilePlace(e.Local(ref.number, type=ref.type, span=name.span))
        if zone is None:
            self.no_zone(name, scope)
            return None
        if target is not None:
            return self.indexed_place(name, target, span, scope, scope, slots=slots)
        if zone.per is None:
            return self.one_of(zone, span, slots=slots)
        index = self.x.whose_member(zone.per, scope)
        if index is None:
            self.x.whose(name, zone.per)
            return None
        return self.one_of(zone, span, index, slots=slots)

    def one_of(
        self, zone: ZoneDef, span: Span, index: e.Expr | None = None, *, slots: bool = False
    ) -> st.CardPlace | None:
        """The zone, if it is one place; of several piles it must be said which."""
        if zone.kind in ("piles", "slots") and not slots:
            self.world.findings.error(
                "RK413", f"`{span.text}` is several piles, and cards go to one", span, expected="one pile",
                help=f"write `{zone.name} of 3`, or take one: `first of ({span.text} where ...)`"
                if zone.kind == "piles" else f"write `new {span.text}` for a free one",
            )  # fmt: skip
            return None
        return st.ZonePlace(zone.name, index)

    def no_zone(self, name: s.Name, scope: Scope) -> None:
        """Report a place for cards that is none."""
        world = self.world
        if name.id in world.tree.broken or name.id in world.refused or world.said_often("RK413", name.id):
            return
        slots = scope.use.slots if scope.use is not None else ()
        near = nearest_local(name.id, scope.names) or world.near(name.id, [*world.zones, *slots])
        message = f"there is no zone `{name.id}`"
        help = f"did you mean `{near}`?" if near else None
        if name.id == "box":
            message, near = "cards do not go back to the `box`", None
            help = "declare a zone for cards that are out of the game"
        elif self.means_something(name, scope) or name.id in scope.names:
            message = f"`{name.id}` is not a zone"
            if name.id in ("players", "me", "everyone") and "hand" in world.zones:
                near, help = "hand", "cards go to a zone of the players: `hand`"
        world.findings.error(
            "RK413", message, name.span, expected="a zone declared under `zones`", help=help, suggestion=near
        )

    def indexed_place(
        self,
        name: s.Name,
        target: s.Expr | None,
        span: Span,
        scope: Scope,
        zone_scope: Scope,
        *,
        slots: bool = False,
    ) -> st.CardPlace | None:
        """`hand of p`, `column of 3`; a per-team zone also by a player of the team."""
        zone = self.world.zones.get(name.id)
        if zone is None or target is None:
            return self.zone_place(name, None, span, zone_scope)
        if zone.per is None:
            if zone.kind in ("piles", "slots"):
                slot = self.x.slot_number(zone, target, scope)
                return st.PilePlace(self.x.numbered_pile(zone.name, slot, span))
            self.x.not_per(s.Of(name, target, span=span))
            return None
        kind = index_type(zone.per)
        index = self.x.expr(target, scope, kind)
        if zone.per == "team" and isinstance(strip(index.type), t.Player):
            index = e.TeamOf(index, type=t.TEAM, span=index.span)
        if isinstance(index.type, Unknown):
            return None
        if is_collection(index.type):
            help = f"write `for x in {target.span.text}: [...]`"
            not_one_of(index, kind, self.world, f"`{span.text}` is several places", target.span, help)
            return None
        fitted = fit(index, kind, self.world)
        if fitted is None:
            self.world.findings.error(
                "RK501", f"`{name.id}` is per {zone.per}, and here stands {index.type}", target.span,
                expected=str(kind),
            )  # fmt: skip
            return None
        return self.one_of(zone, span, fitted, slots=slots)

    def deal(self, node: s.Deal, scope: Scope) -> st.Stmt | None:
        count = self.x.number(node.count, scope) if node.count is not None else None
        if node.count is not None and count is not None:
            self.check_count(count, node.count)
        source: st.CardPlace | None = None
        if node.source is not None:
            source = self.zone_place(node.source.name, node.source.target, node.source.span, scope)
        elif "stock" in self.world.zones:
            source = self.zone_place(s.Name("stock", span=node.to.span), None, node.to.span, scope)
        elif "stock" not in self.world.tree.broken:
            self.world.findings.error(
                "RK413", "there is no zone `stock` to deal from", node.to.span,
                expected="`from` and a zone", help=f"write `to {node.to.span.text} from ...`",
            )  # fmt: skip
        to, players = self.dealt_to(node, scope)
        if to is None or source is None or isinstance(source, st.EitherPlace):
            return None
        return st.Deal(count, to, source, players, span=node.span)

    def check_count(self, count: e.Expr, node: s.Expr) -> None:
        """A number of cards that can be dealt."""
        if not isinstance(count.type, t.Int) or (count.type.high >= 0 and count.type.low <= MOST_CARDS):
            return
        self.world.findings.error(
            "RK425",
            f"`{node.span.text}` cards cannot be dealt",
            node.span,
            expected=f"a number from 0 to {MOST_CARDS}",
        )

    def dealt_to(
        self, node: s.Deal, scope: Scope
    ) -> tuple[st.ZonePlace | st.PilePlace | None, e.Expr | None]:
        """The zone dealt to and, for a zone per player, the players in dealing order."""
        name, target = node.to.name, node.to.target
        zone = self.world.zones.get(name.id)
        if zone is not None and zone.per == "player" and name.id not in scope.names:
            players: e.Expr = e.Players(type=t.PLAYERS)
            if target is not None:
                found = self.x.expr(target, scope, t.PLAYERS)
                if not is_collection(found.type) and not isinstance(strip(found.type), t.Team):
                    place = self.zone_place(name, target, node.to.span, scope)
                    return (place if isinstance(place, st.ZonePlace) else None), None
                players = self.x.value(target, scope, t.PLAYERS)
            start = self.dealing_start(node, scope)
            if start is not None:
                players = e.Rounds(players, start, type=t.SeqOf(t.PLAYER))
            return st.ZonePlace(zone.name), players
        place = self.zone_place(name, target, node.to.span, scope)
        if node.starting is not None and place is not None:
            self.world.findings.error(
                "RK517", "`starting` says who of several players is dealt to first", node.starting.span,
                expected="a zone per player after `to`", help="leave it out",
            )  # fmt: skip
        return (place if isinstance(place, (st.ZonePlace, st.PilePlace)) else None), None

    def dealing_start(self, node: s.Deal, scope: Scope) -> e.Expr | None:
        """Who gets the first card: as written, else left of the dealer, else the first seat."""
        if node.starting is not None:
            return self.x.value(node.starting, scope, t.PLAYER)
        dealer = self.world.state.get("dealer")
        if dealer is None or dealer.per is not None or not isinstance(strip(dealer.type), t.Player):
            return None
        return e.Seat("left", e.StateOf("dealer", type=t.PLAYER), type=t.PLAYER)

    def shuffle(self, node: s.Shuffle, scope: Scope) -> st.Stmt | None:
        if node.into is not None:
            cards = self.x.cards(node.cards, scope)
            into = self.zone_place(node.into.name, node.into.target, node.into.span, scope)
            if not isinstance(into, st.ZonePlace):
                return None
            return st.Shuffle(into, cards, span=node.span)
        found = self.shuffled(node.cards, scope)
        return None if found is None else st.Shuffle(found, span=node.span)

    def shuffled(self, node: s.Expr, scope: Scope) -> st.ZonePlace | None:
        """A zone whose order is changed."""
        name = node.name if isinstance(node, s.Of) else node
        place: st.CardPlace | None = None
        if isinstance(name, s.Name) and (
            self.names_zone(name.id, scope) or not self.means_something(name, scope)
        ):
            target = node.target if isinstance(node, s.Of) else None
            place = self.zone_place(name, target, node.span, scope)
            if place is None:
                return None
        if isinstance(place, st.ZonePlace) and self.world.zones[place.zone].kind == "pile":
            return place
        if place is None and isinstance(self.x.cards(node, scope).type, Unknown):
            return None
        what = "one of several piles" if isinstance(place, st.PilePlace) else "a set"
        self.world.findings.error(
            "RK512", f"`{node.span.text}` is {what}, and only a zone that is a pile is shuffled", node.span,
            expected="a zone that is a `pile`",
            help=f"write `shuffle {node.span.text} into ...`" if not isinstance(node, s.Cond) else None,
        )  # fmt: skip
        return None

    def flip(self, node: s.Expr, up: bool, whole: s.Stmt, scope: Scope) -> st.Stmt | None:
        """Cards that lie up or down are turned."""
        cards = self.x.cards(node, scope)
        zone = zone_of(cards)
        if zone is not None and zone in self.world.zones and self.world.zones[zone].seen_by != "face":
            self.world.findings.error(
                "RK436", f"cards in `{zone}` lie neither up nor down", node.span,
                expected="cards of a zone `seen by face`", help=f"declare `{zone}` as `seen by face`",
            )  # fmt: skip
        return st.Flip(cards, up, span=whole.span)

    def reveal(self, node: s.Reveal, scope: Scope) -> st.Stmt | None:
        to: e.Expr | None = None
        if not (isinstance(node.to, s.Name) and node.to.id == "everyone"):
            to = self.x.value(node.to, scope, t.PLAYERS)
        head = node.what.name if isinstance(node.what, s.Of) else node.what
        if isinstance(head, s.Name) and head.id in self.world.state and head.id not in scope.names:
            found = self.x.expr(node.what, scope)
            if isinstance(found, e.Collect) and isinstance(found.value, e.StateOf):
                each = self.world.new_local("it", element(found.domain.type), lasting=True)
                member = e.Local(each, type=element(found.domain.type))
                shown = st.RevealState(found.value.state, member, to, span=node.span)
                return st.For(each, found.domain, (shown,), span=node.span)
            if isinstance(found, e.StateOf):
                if as_cards(found, self.world) is None:
                    return st.RevealState(found.state, found.index, to, span=node.span)
                if self.world.state[found.state].seen_by != "everyone":
                    return st.RevealState(found.state, found.index, to, span=node.span)
        return st.RevealCards(self.x.cards(node.what, scope), to, span=node.span)


def zone_of(cards: e.Expr) -> str | None:
    """The zone in which cards surely lie, if the expression tells."""
    match cards:
        case e.ZoneCards(zone) | e.FamilyCards(zone):
            return zone
        case e.One(of) | e.End(of) | e.Filter(of):
            return zone_of(of)
    return None


__all__ = ["Dealing"]
