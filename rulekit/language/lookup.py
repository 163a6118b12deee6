"""What a name means, and `NAME of X`: the one way to look something up."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from rulekit.cards import PIPS
from rulekit.diagnostics import Span
from rulekit.language import syntax as s
from rulekit.language.coerce import (
    as_cards,
    as_collection,
    as_pile,
    element,
    is_collection,
    optional,
    same_kind,
    strip,
)
from rulekit.language.vocabulary import CARD_FACTS, FUNCTIONS, PLACES, SEATS
from rulekit.language.world import UNKNOWN, It, Scope, Slot, Unknown, World
from rulekit.program import expressions as e
from rulekit.program import types as t

#: The type of the index of a family.
INDEX_TYPES: dict[str, t.Type] = {"player": t.PLAYER, "team": t.TEAM, "suit": t.SUIT, "rank": t.RANK}


def index_type(per: str) -> t.Type:
    """What picks a member of a family `per` this."""
    return INDEX_TYPES.get(per, t.Word(per))


class Lookup:
    """The part of the expression checker that knows names."""

    world: World

    if TYPE_CHECKING:

        def expr(self, node: s.Expr, scope: Scope, want: t.Type | None = None) -> e.Expr: ...
        def value(self, node: s.Expr, scope: Scope, want: t.Type, what: str | None = None) -> e.Expr: ...
        def cards(self, node: s.Expr, scope: Scope) -> e.Expr: ...
        def collection(self, node: s.Expr, scope: Scope, want: t.Type | None = None) -> e.Expr: ...
        def over(self, domain: e.Expr, each: e.Expr, local: int, span: Span) -> e.Expr: ...
        def define_type(self, name: str, span: Span) -> t.Type: ...
        def fact_type(self, name: str, span: Span) -> t.Type: ...
        def call_define(self, name: str, node: s.Call | s.Name, scope: Scope) -> e.Expr: ...

    # ------------------------------------------------------------ names

    def is_declared(self, name: str, scope: Scope) -> bool:
        """The name means something whatever is expected (it is not merely a word)."""
        world = self.world
        return (
            name in scope.names
            or (scope.use is not None and (name in scope.use.slots or name in scope.use.defines))
            or name in world.options
            or name in world.zones
            or name in world.state
            or name in world.define_trees
            or name in world.fact_trees
            or (name in world.words and name not in ("color", "face"))
            or name in ("it", "me", "players", "teams", "deck", "suits", "ranks", *CARD_FACTS, *SEATS)
            or self.field_of_it(name, scope) is not None
        )

    def name(self, node: s.Name, scope: Scope, want: t.Type | None) -> e.Expr:
        """A bare name: locals, declarations, built-ins, then words of the type expected."""
        name, span, world = node.id, node.span, self.world
        if name in scope.names:
            ref = scope.names[name]
            return e.Local(ref.number, type=ref.type, span=span)
        if name == "it":
            return self.it(node, scope)
        if name == "me":
            return self.me(node, scope)
        if scope.use is not None and name in scope.use.slots:
            return self.slot(scope.use.slots[name], node, scope, want)
        if name in world.options:
            return e.Option(name, type=world.options[name].type, span=span)
        if name in world.state:
            return self.state(node, scope)
        if name in world.zones or name == "box":
            return self.zone(node, scope)
        if (field := self.field_of_it(name, scope)) is not None:
            return field
        if name in world.fact_trees:
            card = self.nearest_it(scope, t.Card)
            if card is None:
                return self.whose(node, "card")
            return self.fact_of(name, card, span)
        if name in world.define_trees or (scope.use is not None and name in scope.use.defines):
            return self.call_define(name, node, scope)
        word = self.word(name, want, span)
        if word is not None:
            return word
        return self.built_in(node, scope, want)

    def built_in(self, node: s.Name, scope: Scope, want: t.Type | None) -> e.Expr:
        """A name of the language, or the one word so spelt."""
        name, span, world = node.id, node.span, self.world
        match name:
            case "players":
                return e.Players(type=t.PLAYERS, span=span)
            case "teams":
                return e.Teams(type=t.SetOf(t.TEAM), span=span)
            case "deck":
                return e.Deck(type=t.CARDS, span=span)
            case "suits":
                places = tuple(range(len(world.suits)))
                return e.Constant(places, type=t.SetOf(t.SUIT), span=span)
            case "ranks":
                places = tuple(range(world.plain_ranks))
                return e.Constant(places, type=t.SetOf(t.RANK), span=span)
            case "empty":
                return e.Constant((), type=t.SetOf(UNKNOWN), span=span)
            case "bool":
                return e.Constant((0, 1), type=t.SetOf(t.BOOL), span=span)
        if name in world.suit_names():
            return e.Constant(world.suit_names().index(name), type=t.SUIT, span=span)
        if name in CARD_FACTS:
            card = self.nearest_it(scope, t.Card)
            if card is not None:
                return self.card_fact(name, card, span)
            suit = self.nearest_it(scope, t.Suit)
            if name == "color" and suit is not None:
                return e.SuitColor(suit, type=t.Optional(t.COLOR), span=span)
            return self.whose(node, "card")
        if name in SEATS or name == "team":
            player = self.nearest_player(scope)
            if player is None:
                return self.whose(node, "player")
            return self.seat(name, player, span)
        if name in world.words and name not in ("color", "face"):
            places = tuple(range(len(world.words[name])))
            return e.Constant(places, type=t.SetOf(t.Word(name)), span=span)
        if name == "index":
            pile = self.nearest_it(scope, t.Pile)
            if pile is not None:
                return self.pile_index(pile, span)
        homes = world.types_with_word(name)
        if len(homes) == 1:
            return e.Constant(world.words[homes[0]].index(name), type=t.Word(homes[0]), span=span)
        if homes:
            world.findings.error(
                "RK416", f"`{name}` is a word of {' and of '.join(f'`{h}`' for h in homes)}", span,
                expected="a place where one of them is expected",
            )  # fmt: skip
            return world.unknown(span)
        if name in FUNCTIONS:
            world.findings.error(
                "RK417", f"`{name}` needs something to work on", span, help=f"write `{name}(...)`"
            )
            return world.unknown(span)
        if name in PLACES or name in ("next", "other", "stacked", "cards", "under"):
            world.findings.error(
                "RK417", f"`{name}` needs something to look at", span, help=f"write `{name} of ...`"
            )
            return world.unknown(span)
        if isinstance(strip(want) if want else None, t.Word):
            self.unknown_word(node, strip(want) if want else UNKNOWN)
            return world.unknown(span)
        return world.unknown_name(node, scope)

    def word(self, name: str, want: t.Type | None, span: Span) -> e.Expr | None:
        """A word of the type expected here."""
        wanted = strip(want) if want is not None else None
        if isinstance(wanted, t.Collection):
            wanted = element(wanted)
        if isinstance(wanted, t.Word) and name in self.world.words[wanted.name]:
            return e.Constant(self.world.words[wanted.name].index(name), type=wanted, span=span)
        return None

    def unknown_word(self, node: s.Name, of: t.Type) -> None:
        from rulekit.diagnostics import nearest

        words = self.world.words[of.name] if isinstance(of, t.Word) else ()
        near = nearest(node.id, [*words, *self.world.define_trees, *self.world.state, *self.world.options])
        self.world.findings.error(
            "RK405", f"`{node.id}` is not {of}", node.span, expected=" or ".join(f"`{w}`" for w in words),
            help=f"did you mean `{near}`?" if near else None, suggestion=near,
        )  # fmt: skip

    def it(self, node: s.Name, scope: Scope) -> e.Expr:
        if not scope.its:
            self.world.findings.error(
                "RK409", "`it` means nothing here", node.span,
                expected="`it` inside `X where ...`, `X by ...` or a fact about cards",
            )  # fmt: skip
            return self.world.unknown(node.span)
        return e.Local(scope.its[-1].local, type=scope.its[-1].type, span=node.span)

    def me(self, node: s.Name, scope: Scope) -> e.Expr:
        if not scope.me:
            self.world.findings.error(
                "RK410", "`me` is read where nobody is asked", node.span,
                expected="`me` in a move, or in what only moves use", help="name the player",
            )  # fmt: skip
            return self.world.unknown(node.span)
        self.world.read_me()
        return e.Me(type=t.PLAYER, span=node.span)

    def whose(self, node: s.Name, kind: str) -> e.Expr:
        """A name declared per something, and nothing in sight says whose."""
        of = {"card": "top of stock", "player": "dealer"}.get(kind, "X")
        self.world.findings.error(
            "RK404", f"whose `{node.id}`?", node.span, expected=f"a {kind} whose `{node.id}` is meant",
            help=f"write `{node.id} of ...`, as in `{node.id} of {of}`",
        )  # fmt: skip
        return self.world.unknown(node.span)

    # ------------------------------------------------------------ whose?

    def nearest_it(self, scope: Scope, kind: type[t.Type]) -> e.Expr | None:
        """The nearest element of that kind."""
        for it in reversed(scope.its):
            if isinstance(it.type, kind):
                return e.Local(it.local, type=it.type)
        return None

    def nearest_player(self, scope: Scope) -> e.Expr | None:
        """The nearest player that an expression is about, else the player asked."""
        player = self.nearest_it(scope, t.Player)
        if player is None and scope.me:
            self.world.read_me()
            return e.Me(type=t.PLAYER)
        return player

    def whose_member(self, per: str, scope: Scope) -> e.Expr | None:
        """The member of a family that a bare name means, or None: the whole family."""
        for it in reversed(scope.its):
            here = e.Local(it.local, type=it.type)
            if same_kind(it.type, index_type(per)) and not is_collection(it.type):
                return here
            if per == "team" and isinstance(it.type, t.Player):
                return e.TeamOf(here, type=t.TEAM)
        if scope.me and per == "player":
            self.world.read_me()
            return e.Me(type=t.PLAYER)
        if scope.me and per == "team":
            self.world.read_me()
            return e.TeamOf(e.Me(type=t.PLAYER), type=t.TEAM)
        return None

    def state(self, node: s.Name, scope: Scope) -> e.Expr:
        state = self.world.state[node.id]
        if state.per is None:
            return e.StateOf(state.name, type=state.type, span=node.span)
        member = self.whose_member(state.per, scope)
        if member is None:
            return self.whose(node, state.per)
        return e.StateOf(state.name, member, type=state.type, span=node.span)

    def zone(self, node: s.Name, scope: Scope) -> e.Expr:
        """The cards (or piles) of a zone; of a family nobody's in particular, all of it."""
        zone = self.world.zones.get(node.id)
        if zone is None:
            return e.ZoneCards("box", type=t.CARDS, span=node.span)
        member = None if zone.per is None else self.whose_member(zone.per, scope)
        if zone.per is not None and member is None:
            if zone.kind in ("piles", "slots"):
                return e.ZonePiles(zone.name, type=t.SetOf(t.Pile(zone.name)), span=node.span)
            return e.FamilyCards(zone.name, type=t.CARDS, span=node.span)
        return self.zone_member(node.id, member, node.span)

    def zone_member(self, name: str, index: e.Expr | None, span: Span) -> e.Expr:
        zone = self.world.zones[name]
        if zone.kind in ("piles", "slots"):
            return e.ZonePiles(name, index, type=t.SetOf(t.Pile(name)), span=span)
        of = t.SeqOf(t.CARD) if zone.kind == "pile" else t.CARDS
        return e.ZoneCards(name, index, type=of, span=span)

    def field_of_it(self, name: str, scope: Scope) -> e.Expr | None:
        """A field of the nearest pile, if its family has one so called."""
        for it in reversed(scope.its):
            if isinstance(it.type, t.Pile) and it.type.zone in self.world.zones:
                for field in self.world.zones[it.type.zone].fields:
                    if field.name == name:
                        pile = e.Local(it.local, type=it.type)
                        return e.PileField(it.type.zone, name, pile, type=field.type)
        return None

    # ------------------------------------------------------------ slots of blocks

    def slot(self, slot: Slot, node: s.Name, scope: Scope, want: t.Type | None) -> e.Expr:
        """What stands in a slot, meaning what it means where the block is used."""
        per = slot.declaration.per
        its: tuple[It, ...] = ()
        if per is not None:
            kind = (
                index_type(per.id)
                if per.id not in ("card", "pile")
                else (t.CARD if per.id == "card" else t.PILE)
            )
            match = [it for it in scope.its if same_kind(it.type, kind)]
            if not match:
                return self.whose(node, per.id)
            its = (match[-1],)
        return self.slot_value(slot, its, node, scope, want)

    def slot_value(
        self, slot: Slot, its: tuple[It, ...], node: s.Name, scope: Scope, want: t.Type | None
    ) -> e.Expr:
        if slot.value is not None and slot.value.value is not None and slot.scope is not None:
            inner = slot.scope
            for it in its:
                inner = inner.with_it(it)
            body = slot.value.value
        elif slot.declaration.default is not None:
            inner = Scope(its=its, me=scope.me, use=scope.use, owner=scope.owner)
            body = slot.declaration.default
        else:
            return self.world.unknown(node.span)
        kind = slot.declaration.type.name.id
        if kind == "key":
            return self.expr(body, inner)
        declared = self.slot_type(slot.declaration)
        return self.value(body, inner, declared, f"slot `{node.id}`")

    def slot_type(self, declaration: s.SlotDeclaration) -> t.Type:
        """The type that a slot asks for."""
        name = declaration.type.name.id
        simple: dict[str, t.Type] = {
            "bool": t.BOOL, "int": t.Int(), "player": t.PLAYER, "team": t.TEAM, "suit": t.SUIT,
            "rank": t.RANK, "card": t.CARD, "pile": t.PILE, "players": t.PLAYERS, "cards": t.CARDS,
        }  # fmt: skip
        of = simple.get(name) or (t.Word(name) if name in self.world.words else UNKNOWN)
        return optional(of) if declaration.type.optional else of

    # ------------------------------------------------------------ NAME of X

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
                slot = self.value(node.target, scope, t.Int(1, zone.count))
                return self.numbered_pile(name, slot, span)
            return self.not_per(node)
        if name in world.fact_trees:
            return self.each_card(node, scope, lambda card: self.fact_of(name, card, span))
        if name in CARD_FACTS and not (name == "color" and self.is_suit(node.target, scope)):
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
            case "color":
                suit = self.expr(node.target, scope, t.SUIT)
                return self.each(
                    suit, t.Suit, node, lambda x: e.SuitColor(x, type=t.Optional(t.COLOR), span=span)
                )
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
                if found is not None:
                    return self.pile_index(found, span)
            case "players":
                team = self.value(node.target, scope, t.TEAM)
                return e.TeamPlayers(team, type=t.PLAYERS, span=span)
            case "under":
                world.findings.error(
                    "RK790", "`under` belongs to layouts, which are not part of this version", span
                )
                return world.unknown(span)
        field = self.field_of(node, scope)
        if field is not None:
            return field
        if self.is_declared(name, scope):
            return self.not_per(node)
        lookups = [*CARD_FACTS, *SEATS, *PLACES, "next", "other", "stacked", "cards", "index", "team"]
        return world.unknown_name(node.name, scope, lookups)

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

    def not_per(self, node: s.Of) -> e.Expr:
        self.world.findings.error(
            "RK418", f"`{node.name.id}` is one thing, not one of each", node.span,
            expected="a name declared `per` something, a fact or a place before `of`",
            help=f"write `{node.name.id}` alone",
        )  # fmt: skip
        return self.world.unknown(node.span)

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
                return self.over(target, read(e.Local(local, type=of)), local, node.span)
        elif isinstance(strip(target.type), kind):
            found = read(target)
            if isinstance(target.type, t.Optional) and not isinstance(found.type, t.Optional):
                from rulekit.language.coerce import retyped

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
            if slot.value is not None and slot.value.place is not None:
                place = slot.value.place
                if place.target is None and slot.scope is not None:
                    inner = s.Of(place.name, node.target, span=node.span)
                    return self.of(inner, scope, want)
            return self.not_per(node)
        kind = t.CARD if per.id == "card" else index_type(per.id)
        target = self.value(node.target, scope, kind)
        if isinstance(target, e.Local):
            return self.slot_value(slot, (It(target.number, kind),), node.name, scope, want)
        local = self.world.new_local("it", kind, lasting=False)
        body = self.slot_value(slot, (It(local, kind),), node.name, scope, want)
        picked = e.Collect(
            e.One(target, type=t.SetOf(kind)), local, body, type=t.SetOf(body.type), span=node.span
        )
        return e.Only(picked, type=body.type, span=node.span)

    # ------------------------------------------------------------ built-in lookups

    def is_suit(self, target: s.Expr, scope: Scope) -> bool:
        """`color of trump` looks at a suit, `color of card` at a card."""
        before = len(self.world.findings.items)
        found = self.expr(target, scope)
        del self.world.findings.items[before:]
        of = found.type
        return isinstance(strip(of), t.Suit) or (is_collection(of) and isinstance(element(of), t.Suit))

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
                help="declare the zone as a `pile`, or say which: `highest(X by ...)`, `only(X)`",
            )  # fmt: skip
            return self.world.unknown(node.span)
        of = optional(target.type.of)
        return e.End(target, PLACES[name], type=of, span=node.span)

    def seat(self, name: str, player: e.Expr, span: Span) -> e.Expr:
        world = self.world
        if name == "team":
            if world.tree.teams is None:
                world.findings.error("RK419", "this game has no teams", span, help="declare `teams:`")
                return world.unknown(span)
            return e.TeamOf(player, type=t.TEAM, span=span)
        if name == "opponent" and world.tree.players != (2, 2):
            world.findings.error(
                "RK420", "`opponent` is for games of two players", span, help="write `left of ...`"
            )
            return world.unknown(span)
        return e.Seat(name, player, type=t.PLAYER, span=span)

    def card_fact(self, name: str, card: e.Expr, span: Span) -> e.Expr:
        extras = len(self.world.ranks) > self.world.plain_ranks
        plain = self.world.ranks[: self.world.plain_ranks]
        usual = all(suit.color is not None for suit in self.world.suits)
        of: dict[str, t.Type] = {
            "suit": t.Optional(t.SUIT) if extras else t.SUIT,
            "rank": t.RANK,
            "color": t.COLOR if usual and not extras else t.Optional(t.COLOR),
            "number": t.Optional(t.Int(1, len(plain))) if extras else t.Int(1, len(plain)),
            "pip": t.Int(1, 10) if all(r in PIPS for r in plain) and not extras else t.Optional(t.Int(1, 10)),
            "owner": t.Optional(t.PLAYER),
            "player": t.Optional(t.PLAYER),
            "pile": t.Optional(t.PILE),
            "face": t.FACE,
        }
        return self.of_card(e.CardFact(name, card, type=of[name], span=span), card)

    def fact_of(self, name: str, card: e.Expr, span: Span) -> e.Expr:
        return self.of_card(e.FactOf(name, card, type=self.fact_type(name, span), span=span), card)

    def of_card(self, found: e.Expr, card: e.Expr) -> e.Expr:
        """A fact of a card that may be none may be none."""
        from rulekit.language.coerce import retyped

        if isinstance(card.type, t.Optional):
            return retyped(found, optional(found.type))
        return found

    def pile_index(self, pile: e.Expr, span: Span) -> e.Expr:
        of: t.Type = t.Int(1, 512)
        zone = self.world.zones.get(pile.type.zone or "") if isinstance(pile.type, t.Pile) else None
        if zone is not None and zone.per is not None and zone.kind == "pile":
            of = index_type(zone.per)
        return e.PileIndex(pile, type=of, span=span)

    def numbered_pile(self, zone: str, slot: e.Expr, span: Span) -> e.Expr:
        """`column of 3`."""
        piles = e.ZonePiles(zone, type=t.SetOf(t.Pile(zone)), span=span)
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


__all__ = ["INDEX_TYPES", "Lookup", "as_collection", "index_type"]
