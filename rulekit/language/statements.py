"""Statements: from syntax to typed program. Blocks are expanded where they are used."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields, is_dataclass, replace

from rulekit.diagnostics import Span, nearest
from rulekit.language import syntax as s
from rulekit.language.blocks import Blocks
from rulekit.language.coerce import as_cards, as_pile, element, fit, is_collection, strip
from rulekit.language.expressions import Expressions, present_if
from rulekit.language.names import index_type
from rulekit.language.tree import Table
from rulekit.language.world import LocalRef, Scope, Unknown, World
from rulekit.program import expressions as e
from rulekit.program import statements as st
from rulekit.program import types as t


class Statements:
    """Checks lists of statements."""

    def __init__(self, world: World, expressions: Expressions, blocks: Blocks) -> None:
        self.world = world
        self.x = expressions
        self.blocks = blocks
        blocks.statements = self

    def body(self, nodes: Iterable[s.Stmt], scope: Scope) -> tuple[st.Stmt, ...]:
        """A list of statements; a `let` is seen by those that follow it."""
        nodes = tuple(nodes)
        found: list[st.Stmt] = []
        if reads_answered(nodes):
            cell = self.world.new_local("answer", t.Optional(t.Int(0, 999)), lasting=True)
            scope = replace(scope, answers=(*scope.answers, cell))
            nothing = e.Constant(None, type=t.NOTHING)
            found.append(st.Assign(st.LocalPlace(cell), "=", nothing))
        for node in nodes:
            made, scope = self.statement(node, scope)
            found += made
        return tuple(found)

    def statement(self, node: s.Stmt, scope: Scope) -> tuple[list[st.Stmt], Scope]:
        """What a statement becomes, and the scope of the statements after it."""
        match node:
            case s.Let():
                return self.let(node, scope)
            case s.LetNew():
                return self.let_new(node, scope)
            case s.If():
                return [self.if_(node, scope)], scope
            case s.For():
                return [self.for_(node, scope)], scope
            case s.Repeat(times, body):
                count = self.x.number(times, scope)
                return [st.Repeat(count, self.body(body, scope), span=node.span)], scope
            case s.Until(condition, body):
                done = self.x.condition(condition, scope)
                inner = scope.knowing(present_if(done, False))
                return [st.Until(done, self.body(body, inner), span=node.span)], scope
            case s.Ask():
                return self.ask(node, scope), scope
            case s.Use():
                return self.blocks.use(node, scope), scope
            case s.Do():
                return self.do(node, scope), scope
            case _:
                made = self.leaf(node, scope)
                return ([made] if made is not None else []), scope

    # ------------------------------------------------------------ locals

    def bind(
        self, node: s.Name, of: t.Type, kind: str, scope: Scope, *, check: bool = True
    ) -> tuple[int, Scope]:
        """A new local, and the scope that sees it."""
        if check:
            self.x.check_local(node, scope)
        number = self.world.new_local(node.id, of, lasting=True)
        return number, scope.with_names({node.id: LocalRef(number, of, kind, node.span)})

    def let(self, node: s.Let, scope: Scope) -> tuple[list[st.Stmt], Scope]:
        value = self.assigned(node.value, scope, None)
        of = value.type
        if isinstance(of, t.SelectionsOf):
            self.world.findings.error(
                "RK501", "a selection is chosen from, not kept", node.value.span, help="write it in `choose`"
            )
            of = value.type
        old = scope.names.get(node.name.id)
        if old is not None and old.kind == "let":
            self.world.findings.error(
                "RK411", f"`{node.name.id}` is already a local here", node.name.span,
                help=f"to change it, write `{node.name.id} = ...`",
            )  # fmt: skip
            return [st.Assign(st.LocalPlace(old.number), "=", value, span=node.span)], scope
        if isinstance(of, t.Int):  # may be assigned again: its range is not that of its first value
            of = t.Int(-1_000_000, 1_000_000) if abs(of.low) < 1_000_000 and of.high <= 1_000_000 else of
        number, inner = self.bind(node.name, of, "let", scope)
        return [st.Assign(st.LocalPlace(number), "=", value, span=node.span)], inner

    def let_new(self, node: s.LetNew, scope: Scope) -> tuple[list[st.Stmt], Scope]:
        place = self.zone_place(node.place.name, node.place.target, node.place.span, scope)
        zone = place.zone if isinstance(place, st.ZonePlace) else ""
        number, inner = self.bind(node.name, t.Pile(zone or None), "let", scope)
        if not isinstance(place, st.ZonePlace):
            return [], inner
        if self.world.zones[zone].kind != "slots":
            self.not_slots(zone, node.place.span)
        return [st.Claim(number, zone, place.index, span=node.span)], inner

    def assigned(self, node: s.Expr, scope: Scope, want: t.Type | None) -> e.Expr:
        """The right side of an assignment, the one place where `random(X)` may stand."""
        if isinstance(node, s.Call) and node.name.id == "random" and len(node.args) == 1:
            domain = self.x.collection(node.args[0], scope)
            return e.Random(domain, type=element(domain.type), span=node.span)
        return self.x.expr(node, scope, want)

    # ------------------------------------------------------------ compound statements

    def if_(self, node: s.If, scope: Scope) -> st.Stmt:
        branches: list[tuple[e.Expr, tuple[st.Stmt, ...]]] = []
        otherwise: tuple[st.Stmt, ...] = ()
        for branch in node.branches:
            if branch.condition is None:
                otherwise = self.body(branch.body, scope)
                continue
            condition = self.x.condition(branch.condition, scope)
            inner = scope.knowing(present_if(condition, True))
            branches.append((condition, self.body(branch.body, inner)))
            scope = scope.knowing(present_if(condition, False))
        return st.If(tuple(branches), otherwise, span=node.span)

    def for_(self, node: s.For, scope: Scope) -> st.Stmt:
        domain = self.x.collection(node.domain, scope)
        number, inner = self.bind(node.name, element(domain.type), "for", scope)
        return st.For(number, domain, self.body(node.body, inner), span=node.span)

    def ask(self, node: s.Ask, scope: Scope) -> list[st.Stmt]:
        moves = [move for name in node.moves for move in self.x.move_names(name, scope)]
        moves = list(dict.fromkeys(moves))
        for move in moves:
            self.world.asked_moves[move] = None
        self.world.asked_cells.update(scope.answers)
        if node.together:
            who = self.x.value(node.who, scope, t.PLAYERS)
            if not moves:
                return []
            return [st.Ask(who, tuple(moves), together=True, answers=scope.answers, span=node.span)]
        who = self.x.value(node.who, scope, t.PLAYER)
        whom = self.x.value(node.whom, scope, t.PLAYER) if node.whom is not None else None
        if not moves:
            return []
        return [st.Ask(who, tuple(moves), whom, answers=scope.answers, span=node.span)]

    def do(self, node: s.Do, scope: Scope) -> list[st.Stmt]:
        """`do PHASE(args)`, or in a block `do SLOT`."""
        name, use = node.name.id, scope.use
        if use is not None and name in use.slots:
            slot = use.slots[name]
            if slot.declaration.type.name.id == "statements":
                if slot.value is None or slot.value.body is None or slot.scope is None:
                    return []
                return list(self.body(slot.value.body, replace(slot.scope, answers=slot.scope.answers)))
        phase = self.world.phase_trees.get(name)
        if phase is None:
            near = nearest(name, self.world.phase_trees)
            self.world.findings.error(
                "RK407", f"there is no phase `{name}`", node.name.span,
                expected="a phase declared under `phases`",
                help=f"did you mean `{near}`?" if near else None, suggestion=near,
            )  # fmt: skip
            return []
        parameters = phase[0].signature.parameters
        if len(parameters) != len(node.args):
            wanted = len(parameters)
            self.world.findings.error(
                "RK421", f"phase `{name}` is given {len(node.args)} thing{'s' * (len(node.args) != 1)}",
                node.span, expected=f"{wanted} thing{'s' * (wanted != 1)}",
            )  # fmt: skip
            return []
        given = [
            self.x.value(arg, scope, self.blocks.parameter_type(parameter), f"`{parameter.name.id}`")
            for arg, parameter in zip(node.args, parameters, strict=True)
        ]
        return [st.Call(name, tuple(given), span=node.span)]

    # ------------------------------------------------------------ leaf statements

    def leaf(self, node: s.Stmt, scope: Scope) -> st.Stmt | None:
        match node:
            case s.Assign():
                return self.assign(node, scope)
            case s.Move():
                return self.move(node, scope)
            case s.Deal():
                return self.deal(node, scope)
            case s.Shuffle():
                return self.shuffle(node, scope)
            case s.Swap(left, right):
                a, b = self.x.cards(left, scope), self.x.cards(right, scope)
                return st.Swap(a, b, span=node.span)
            case s.Flip(cards, up):
                return st.Flip(self.x.cards(cards, scope), up, span=node.span)
            case s.Reveal():
                return self.reveal(node, scope)
            case s.Stop(name):
                if name.id not in self.world.phase_trees:
                    near = nearest(name.id, self.world.phase_trees)
                    self.world.findings.error(
                        "RK407", f"there is no phase `{name.id}`", name.span,
                        help=f"did you mean `{near}`?" if near else None, suggestion=near,
                    )  # fmt: skip
                    return None
                return st.Stop(name.id, span=node.span)
        return None

    def value_place(self, place: s.Place, scope: Scope) -> tuple[st.ValuePlace, t.Type] | None:
        """What an assignment changes, and its type."""
        name, world = place.name.id, self.world
        if place.target is None and name in scope.names:
            ref = scope.names[name]
            if ref.kind != "let":
                world.findings.error(
                    "RK414", f"`{name}` is a {ref.kind} and cannot be changed", place.span,
                    expected="a state variable or a `let`",
                )  # fmt: skip
                return None
            return st.LocalPlace(ref.number), ref.type
        if name in world.state:
            state = world.state[name]
            if place.target is None:
                found = self.x.name(place.name, scope, None)
                index = found.index if isinstance(found, e.StateOf) else None
                return (st.StatePlace(name, index), state.type) if isinstance(found, e.StateOf) else None
            of = self.x.of(s.Of(place.name, place.target, span=place.span), scope, None)
            if isinstance(of, e.StateOf):
                return st.StatePlace(name, of.index), state.type
            if not isinstance(of.type, Unknown):
                world.findings.error(
                    "RK501", f"`{place.span.text}` is several things, and only one can be changed at a time",
                    place.span, help=f"write `for x in ...: [{name} of x = ...]`",
                )  # fmt: skip
            return None
        if place.target is not None:
            field = self.x.field_of(s.Of(place.name, place.target, span=place.span), scope)
            if isinstance(field, e.PileField):
                return st.FieldPlace(field.zone, field.field, field.pile), field.type
        declared = self.x.is_declared(name, scope)
        if declared:
            world.findings.error(
                "RK414", f"`{name}` cannot be assigned", place.span, expected="a state variable or a `let`",
                help="an option is fixed for a match" if name in world.options else None,
            )  # fmt: skip
        else:
            lets = [n for n, ref in scope.names.items() if ref.kind == "let"]
            near = nearest(name, [*world.state, *lets])
            world.findings.error(
                "RK401", f"nothing is called `{name}` here", place.name.span, expected="a state variable",
                help=f"did you mean `{near}`?" if near else "declare it under `state`", suggestion=near,
            )  # fmt: skip
        return None

    def assign(self, node: s.Assign, scope: Scope) -> st.Stmt | None:
        place = self.value_place(node.place, scope)
        because = self.because(node.because, scope)
        if place is None:
            self.assigned(node.value, scope, None)
            return None
        target, of = place
        value = self.assigned(node.value, scope, of)
        if is_collection(of) or node.op == "=":
            fitted = fit(value, of, self.world)
        elif isinstance(of, t.Int):
            fitted = value if isinstance(value.type, (t.Int, Unknown)) else None
        else:
            self.world.findings.error(
                "RK504", f"`{node.place.span.text}` is {of}, and `{node.op}` is for numbers and sets",
                node.span, help=f"write `{node.place.span.text} = ...`",
            )  # fmt: skip
            return None
        if fitted is None:
            self.world.findings.error(
                "RK501", f"`{node.place.span.text}` is {of}, and is given {value.type}", node.value.span,
                expected=str(of),
                help="guard it against none" if isinstance(value.type, t.Optional) else None,
            )  # fmt: skip
            return None
        if because is not None and not isinstance(of, t.Int):
            self.world.findings.error(
                "RK504", f"`{node.place.span.text}` is {of}, and only numbers leave receipts", node.span
            )
        return st.Assign(target, node.op, fitted, because, span=node.span)

    def because(self, node: s.Because | None, scope: Scope) -> st.Because | None:
        if node is None:
            return None
        self.world.reasons[node.reason.id] = None
        cards = self.x.cards(node.cards, scope) if node.cards is not None else None
        return st.Because(node.reason.id, cards)

    # ------------------------------------------------------------ cards change place

    def move(self, node: s.Move, scope: Scope) -> st.Stmt | None:
        cards = self.x.cards(node.cards, scope)
        if isinstance(node.to, s.Place):
            place = self.zone_place(node.to.name, node.to.target, node.to.span, scope)
            if not isinstance(place, st.ZonePlace):
                return None
            if self.world.zones[place.zone].kind != "slots":
                self.not_slots(place.zone, node.to.span)
            return st.Move(cards, replace(place, new=True), span=node.span)
        to = self.card_place(node.to, scope)
        return st.Move(cards, to, span=node.span) if to is not None else None

    def not_slots(self, zone: str, span: Span) -> None:
        self.world.findings.error(
            "RK413", f"`{zone}` has no slots to claim", span, expected="a zone of `up to N piles`"
        )

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
                            "RK512", f"`{target.span.text}` is a set and has no bottom", node.span,
                            expected="a pile",
                        )  # fmt: skip
                    return replace(place, bottom=True)
                return place
            case s.Name() if node.id in scope.names or not self.names_zone(node.id, scope):
                return self.pile_place(node, scope)
            case s.Name():
                return self.zone_place(node, None, node.span, scope)
            case s.Of(name, target) if self.names_zone(name.id, scope):
                return self.zone_place(name, target, node.span, scope)
        return self.pile_place(node, scope)

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
        self, name: s.Name, target: s.Expr | None, span: Span, scope: Scope, *, whole: bool = False
    ) -> st.CardPlace | None:
        """A zone as a place: one member of a family, unless the ``whole`` family is wanted."""
        world, use = self.world, scope.use
        if use is not None and name.id in use.slots and name.id not in scope.names:
            slot = use.slots[name.id]
            if slot.value is not None and slot.scope is not None:
                place = slot.value.place
                if place is not None and target is None:
                    return self.zone_place(place.name, place.target, span, slot.scope, whole=whole)
                if place is not None and place.target is None:
                    return self.indexed_place(place.name, target, span, scope, slot.scope)
            return None
        zone = world.zones.get(name.id)
        if zone is None:
            near = nearest(name.id, world.zones)
            known = self.x.is_declared(name.id, scope)
            world.findings.error(
                "RK413", f"`{name.id}` is not a zone" if known else f"there is no zone `{name.id}`",
                name.span, expected="a zone declared under `zones`",
                help=f"did you mean `{near}`?" if near else None, suggestion=near,
            )  # fmt: skip
            return None
        if target is not None:
            return self.indexed_place(name, target, span, scope, scope)
        if zone.per is None or whole:
            return st.ZonePlace(zone.name)
        index = self.x.whose_member(zone.per, scope)
        if index is None:
            self.x.whose(name, zone.per)
            return None
        return st.ZonePlace(zone.name, index)

    def indexed_place(
        self, name: s.Name, target: s.Expr | None, span: Span, scope: Scope, zone_scope: Scope
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
            self.world.findings.error(
                "RK501", f"`{span.text}` is several places", target.span, expected=str(kind),
                help=f"write `for x in {target.span.text}: [...]`",
            )  # fmt: skip
            return None
        fitted = fit(index, kind, self.world)
        if fitted is None:
            self.world.findings.error(
                "RK501", f"`{name.id}` is per {zone.per}, and here stands {index.type}", target.span,
                expected=str(kind),
            )  # fmt: skip
            return None
        return st.ZonePlace(zone.name, fitted)

    def deal(self, node: s.Deal, scope: Scope) -> st.Stmt | None:
        count = self.x.number(node.count, scope) if node.count is not None else None
        source: st.CardPlace | None
        if node.source is not None:
            source = self.zone_place(node.source.name, node.source.target, node.source.span, scope)
        elif "stock" in self.world.zones:
            source = st.ZonePlace("stock")
        else:
            self.world.findings.error(
                "RK413", "there is no zone `stock` to deal from", node.span, help="write `from ZONE`"
            )
            source = None
        if source is None or isinstance(source, st.EitherPlace):
            return None
        to, players = self.dealt_to(node, scope)
        if to is None:
            return None
        return st.Deal(count, to, source, players, span=node.span)

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
        place = self.card_place(node.cards, scope)
        if isinstance(place, st.ZonePlace):
            if self.world.zones[place.zone].kind == "set":
                self.world.findings.error(
                    "RK512", f"`{node.cards.span.text}` is a set and has no order to shuffle",
                    node.cards.span, expected="a pile",
                )  # fmt: skip
            return st.Shuffle(place, span=node.span)
        return None

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


def reads_answered(nodes: object) -> bool:
    """Does `answered` stand anywhere in this syntax?"""
    if isinstance(nodes, s.Call) and nodes.name.id == "answered":
        return True
    if isinstance(nodes, tuple):
        return any(reads_answered(node) for node in nodes)
    if is_dataclass(nodes) and not isinstance(nodes, (type, Span)):
        if isinstance(nodes, s.Use):
            return False
        return any(reads_answered(getattr(nodes, f.name)) for f in fields(nodes) if f.name != "span")
    return False


__all__ = ["Statements", "Table", "reads_answered"]
