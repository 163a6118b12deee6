"""What a name means: locals, declarations, built-ins, words; and whose it is if nobody says."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from rulekit.cards import PIPS
from rulekit.diagnostics import Span
from rulekit.language import syntax as s
from rulekit.language.coerce import element, is_collection, optional, orderable, retyped, same_kind, strip
from rulekit.language.keywords import KEYWORDS
from rulekit.language.vocabulary import BUILT_IN, CARD_FACTS, FUNCTIONS, HIDEABLE, PLACES, SEATS
from rulekit.language.world import UNKNOWN, It, Scope, Slot, Unknown, World, nearest_local
from rulekit.program import expressions as e
from rulekit.program import types as t

#: Where words stand that mean a person or a number only there.
SPEAKERS = {
    "everyone": "`everyone` after `reveal ... to` and `seen by`",
    "nobody": "`nobody` after `seen by`",
    "all": "`all` in `deal all to ...`",
}

#: The type of the index of a family.
INDEX_TYPES: dict[str, t.Type] = {"player": t.PLAYER, "team": t.TEAM, "suit": t.SUIT, "rank": t.RANK}


def index_type(per: str) -> t.Type:
    """What picks a member of a family `per` this."""
    return INDEX_TYPES.get(per, t.Word(per))


class Names:
    """The part of the expression checker that knows names."""

    world: World

    if TYPE_CHECKING:

        def expr(self, node: s.Expr, scope: Scope, want: t.Type | None = None) -> e.Expr: ...
        def value(self, node: s.Expr, scope: Scope, want: t.Type, what: str | None = None) -> e.Expr: ...
        def condition(self, node: s.Expr, scope: Scope) -> e.Expr: ...
        def fact_type(self, name: str, span: Span) -> t.Type: ...
        def call_define(self, name: str, node: s.Call | s.Name, scope: Scope) -> e.Expr: ...

    # ------------------------------------------------------------ names

    def is_declared(self, name: str, scope: Scope) -> bool:
        """The name means something whatever is expected (it is not merely a word)."""
        world = self.world
        return (
            name in scope.names
            or name in scope.known
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

    def check_local(self, node: s.Name, scope: Scope) -> None:
        """Report a local whose name means something already."""
        name, world = node.id, self.world
        taken: str | None = None
        if name in KEYWORDS or (name in BUILT_IN and name not in HIDEABLE):
            taken = "is a word of the language"
        elif name in scope.names:
            taken = "is already a local here"
        elif scope.use is None and (
            name in world.options or name in world.zones or name in world.state or name == "box"
            or name in world.define_trees or name in world.fact_trees
        ):  # fmt: skip
            taken = "is declared in this file"
            if name not in world.declared_at or world.declared_at[name].source is not node.span.source:
                taken = "belongs to a block that this file uses"
        elif scope.use is None and (name in world.words or world.types_with_word(name)):
            taken = "is a word"
        elif scope.use is None and name in world.suit_names():
            taken = "is a suit"
        if taken and not world.reported(node.span):
            world.findings.error(
                "RK411", f"a local cannot be called `{name}`: it {taken}", node.span,
                expected="a name with no other meaning", help="choose another name",
            )  # fmt: skip

    def name(self, node: s.Name, scope: Scope, want: t.Type | None) -> e.Expr:
        """A bare name: locals, declarations, built-ins, then words of the type expected."""
        name, span, world = node.id, node.span, self.world
        if name in scope.known:
            return scope.known[name]
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
                return self.whose(node, "card", scope)
            return self.fact_of(name, card, span)
        if name in world.define_trees or (scope.use is not None and name in scope.use.defines):
            return self.call_define(name, node, scope)
        word = self.word(name, want, span)
        if word is not None:
            return word
        if name in world.refused:
            return world.unknown(span)
        return self.built_in(node, scope, want)

    def built_in(self, node: s.Name, scope: Scope, want: t.Type | None) -> e.Expr:
        """A name of the language, or the one word so spelt."""
        name, span, world = node.id, node.span, self.world
        match name:
            case "players":
                return e.Players(type=t.PLAYERS, span=span)
            case "teams" if world.tree.teams is None:
                self.no_teams(span)
                return world.unknown(span)
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
            return self.whose(node, "card", scope)
        if name in SEATS or name == "team":
            player = self.nearest_player(scope)
            if player is None:
                return self.whose(node, "player", scope)
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
        if name in world.tree.broken:  # perhaps a choice that could not be read
            return world.unknown(span)
        if name in FUNCTIONS:
            world.findings.error(
                "RK417", f"`{name}` needs something to work on", span,
                expected="parentheses after it", help=f"write `{name}(...)`",
            )  # fmt: skip
            return world.unknown(span)
        if name in SPEAKERS:
            world.findings.error(
                "RK417", f"`{name}` means nothing here", span, expected=SPEAKERS[name],
                help="all players are `players`" if name == "everyone" else None,
            )  # fmt: skip
            return world.unknown(span)
        if name in world.field_names:
            return self.whose(node, "pile", scope)
        if name == "under":
            world.findings.error(
                "RK453", "`under`, the card being covered, means something only in a layout's `on`", span
            )
            return world.unknown(span)
        if name in PLACES or name in ("next", "other", "stacked", "cards"):
            world.findings.error(
                "RK417", f"`{name}` needs something to look at", span,
                expected="`of` after it", help=f"write `{name} of ...`",
            )  # fmt: skip
            return world.unknown(span)
        if isinstance(strip(want) if want else None, t.Word):
            self.unknown_word(node, strip(want) if want else UNKNOWN, scope)
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

    def unknown_word(self, node: s.Name, of: t.Type, scope: Scope) -> None:
        words = self.world.words[of.name] if isinstance(of, t.Word) else ()
        near = nearest_local(node.id, scope.names) or self.world.near(
            node.id, [*words, *self.world.define_trees, *self.world.state, *self.world.options]
        )
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

    def whose(self, node: s.Name, kind: str, scope: Scope | None = None) -> e.Expr:
        """A name declared per something, and nothing in sight says whose."""
        world = self.world
        if scope is not None and any(isinstance(it.type, Unknown) for it in scope.its):
            return world.unknown(node.span)  # of that, perhaps
        of = {"card": "top of stock", "player": "dealer", "team": "team of dealer", "pile": "it"}.get(kind)
        if of is None:
            of = {"suit": world.suit_names(), "rank": world.ranks}.get(kind, world.words.get(kind, ("X",)))[0]
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
            return self.whose(node, state.per, scope)
        return e.StateOf(state.name, member, type=state.type, span=node.span)

    def zone(self, node: s.Name, scope: Scope) -> e.Expr:
        """The cards (or piles) of a zone; of a family nobody's in particular, all of it."""
        zone = self.world.zones.get(node.id)
        if zone is None:
            return e.ZoneCards("box", type=t.CARDS, span=node.span)
        member = None if zone.per is None else self.whose_member(zone.per, scope)
        if zone.per is not None and member is None:
            if zone.kind in ("piles", "slots"):
                return e.ZonePiles(zone.name, type=t.SeqOf(t.Pile(zone.name)), span=node.span)
            return e.FamilyCards(zone.name, type=t.CARDS, span=node.span)
        return self.zone_member(node.id, member, node.span)

    def zone_member(self, name: str, index: e.Expr | None, span: Span) -> e.Expr:
        zone = self.world.zones[name]
        if zone.kind in ("piles", "slots"):
            return e.ZonePiles(name, index, type=t.SeqOf(t.Pile(name)), span=span)
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
                return self.whose(node, per.id, scope)
            its = (match[-1],)
        return self.marked(self.slot_value(slot, its, node, scope, want), node, scope)

    def marked(self, found: e.Expr, node: s.Name, scope: Scope) -> e.Expr:
        """The expression that a slot holds, with a note that it does."""
        told = scope.use.told if scope.use is not None else None
        return found if told is None else replace(found, slot=e.InSlot(told, node.id))

    def slot_value(
        self, slot: Slot, its: tuple[It, ...], node: s.Name, scope: Scope, want: t.Type | None
    ) -> e.Expr:
        if slot.value is not None and slot.value.place is not None and slot.scope is not None:
            place = slot.value.place  # a zone, read for its cards
            if place.target is None:
                return self.name(place.name, slot.scope, want)
            return self.expr(s.Of(place.name, place.target, span=place.span), slot.scope, want)
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
            found = self.expr(body, inner)
            if orderable(strip(found.type)):
                return found
            self.world.findings.error(
                "RK511", f"slot `{node.id}` is {found.type}, which has no order", body.span,
                expected="a number, condition, rank, suit, word or key",
                help="count it: `count(...)`" if is_collection(found.type) else None,
            )  # fmt: skip
            return self.world.unknown(node.span)
        declared = self.slot_type(slot.declaration)
        if isinstance(declared, t.Bool):
            return self.condition(body, inner)
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

    # ------------------------------------------------------------ one thing's own

    def seat(self, name: str, player: e.Expr, span: Span) -> e.Expr:
        world = self.world
        teams = world.tree.teams if isinstance(world.tree.teams, int) else 0
        if name == "team":
            if world.tree.teams is None:
                self.no_teams(name_span(span))
                return world.unknown(span)
            return e.TeamOf(player, type=t.TEAM, span=span)
        if name == "opponent" and world.tree.players != (2, 2):
            world.findings.error(
                "RK420", "`opponent` is for games of two players", name_span(span),
                expected="`players: 2`", help="write `left of ...`",
            )  # fmt: skip
            return world.unknown(span)
        if name == "partner" and world.tree.teams is None:
            self.no_teams(name_span(span))
            return world.unknown(span)
        if name == "partner" and world.tree.teams != "across" and world.tree.players[1] != 2 * teams:
            world.findings.error(
                "RK420", "`partner` is for teams of two", name_span(span),
                expected=f"`players: {2 * teams}`, which makes {teams} teams of two",
                help="write `players of team of ...`",
            )  # fmt: skip
            return world.unknown(span)
        return e.Seat(name, player, type=t.PLAYER, span=span)

    def no_teams(self, span: Span) -> None:
        if self.world.said_often("RK419", "teams"):
            return
        self.world.findings.error(
            "RK419", "this game has no teams", span,
            expected="`teams` after `players`", help="declare `teams: across`, or how many there are",
        )  # fmt: skip

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

        if isinstance(card.type, t.Optional):
            return retyped(found, optional(found.type))
        return found

    def pile_index(self, pile: e.Expr, span: Span) -> e.Expr:
        of: t.Type = t.Int(1, 512)
        zone = self.world.zones.get(pile.type.zone or "") if isinstance(pile.type, t.Pile) else None
        if zone is not None and zone.per is not None and zone.kind == "pile":
            of = index_type(zone.per)
        return e.PileIndex(pile, type=of, span=span)


def name_span(span: Span) -> Span:
    """The first word of a place: `opponent` of `opponent of dealer`."""
    word = re.match("[a-z_0-9]*", span.text)
    return Span(span.source, span.start, span.start + word.end()) if word and word[0] else span


__all__ = ["INDEX_TYPES", "Names", "index_type"]
