"""Examples: positions, events and what must hold, with every name resolved."""

from __future__ import annotations

import re

from rulekit.cards import Face
from rulekit.diagnostics import Span, nearest
from rulekit.language import syntax as s
from rulekit.language.coerce import fit
from rulekit.language.definitions import Definitions
from rulekit.language.names import index_type
from rulekit.language.tree import ExampleTree, GivenTree
from rulekit.language.world import Scope, Unknown, World
from rulekit.program import expressions as e
from rulekit.program import types as t
from rulekit.program.program import Allowed, EventDef, ExampleDef, Given, Refused, Then

SEAT = re.compile(r"P([0-9]{1,2})")


class Rulings:
    """Checks examples."""

    def __init__(self, world: World, expressions: Definitions) -> None:
        self.world = world
        self.x = expressions

    def example(self, tree: ExampleTree) -> ExampleDef:
        """One example, ready to run."""
        world = self.world
        scope = Scope(seats=True, owner="examples", me=world.tree.players == (1, 1))
        players = tree.players if tree.players is not None else world.tree.players[1]
        if tree.players is not None and not world.tree.players[0] <= tree.players <= world.tree.players[1]:
            low, high = world.tree.players
            world.findings.error(
                "RK824", f"an example with {tree.players} players", tree.span, expected=f"{low} to {high}"
            )
        given = [g for node in tree.given if (g := self.given(node, scope, players)) is not None]
        self.check_twice(given, tree)
        events = tuple(self.event(node, players) for node in tree.events)
        refused = tuple(
            Refused(self.event(r.event, players), r.label.text, span=r.span) for r in tree.refused
        )
        for refusal in refused:
            self.check_label(refusal)
        allowed = tuple(
            Allowed(a.event.seat, self.move(a.event.move), a.words, span=a.span) for a in tree.allowed
        )
        then = tuple(
            Then(self.x.condition(node, scope), node.span.text, span=node.span) for node in tree.then
        )
        run = None
        if tree.run is not None:
            run = self.run(tree.run.name, tree.run.args, tree.run.span, scope)
        options = tuple(
            (name.id, value) for name, text in tree.options
            if (value := self.option(name, text)) is not None
        )  # fmt: skip
        return ExampleDef(
            tree.title.text, tree.players, options, tuple(given), events, then, allowed, refused, run,
            span=tree.title.span,
        )  # fmt: skip

    # ------------------------------------------------------------ parts

    def option(self, name: s.Name, text: str) -> int | bool | None:
        """An option's value as the example writes it."""
        option = self.world.options.get(name.id)
        if option is None:
            near = nearest(name.id, self.world.options)
            self.world.findings.error(
                "RK401", f"there is no option `{name.id}`", name.span,
                help=f"did you mean `{near}`?" if near else None, suggestion=near,
            )  # fmt: skip
            return None
        value: int | bool | None = None
        if isinstance(option.type, t.Bool):
            value = {"true": True, "false": False}.get(text)
        elif option.words:
            value = option.words.index(text) if text in option.words else None
        elif text.lstrip("-").isdigit():
            value = int(text)
        if value is None or not option.accepts(value):
            self.world.findings.error(
                "RK405", f"`{text}` is not a value of `{name.id}`", name.span,
                expected=" or ".join(f"`{w}`" for w in option.words) or str(option.type),
            )  # fmt: skip
            return None
        return value

    def event(self, node: s.Event, players: int) -> EventDef:
        if node.seat >= players:
            self.world.findings.error(
                "RK824", f"there is no seat P{node.seat + 1} among {players} players", node.span,
                help="say `players:` in the example",
            )  # fmt: skip
        return EventDef(node.seat, self.move(node.move), node.values, span=node.span)

    def move(self, name: s.Name) -> str:
        if name.id not in self.world.move_trees:
            self.x.no_move(name)
        return name.id

    def check_label(self, refusal: Refused) -> None:
        """The label must be a cascade entry or a condition of the move."""
        entry = self.world.move_trees.get(refusal.event.move)
        if entry is None:
            return
        move = entry[0]
        labels = [x.label.text for choice in move.choices for x in choice.entries if x.label]
        labels += [c.label.text for c in move.conditions]
        if refusal.label not in labels:
            near = nearest(refusal.label, labels)
            self.world.findings.error(
                "RK825", f"move `{move.name.id}` has no rule `{refusal.label}`", refusal.span,
                expected=", ".join(f"`{x}`" for x in labels) or "a labelled rule",
                help=f"did you mean `{near}`?" if near else None,
            )  # fmt: skip

    def run(
        self, name: s.Name, args: tuple[s.Expr, ...], span: Span, scope: Scope
    ) -> tuple[str, tuple[e.Expr, ...]] | None:
        arguments = self.x.phase_arguments(name, args, scope)
        return None if arguments is None else (name.id, arguments)

    # ------------------------------------------------------------ given

    def given(self, tree: GivenTree, scope: Scope, players: int) -> Given | None:
        name, world = tree.place_name.id, self.world
        zone, state = world.zones.get(name), world.state.get(name)
        if zone is None and state is None:
            near = nearest(name, [*world.zones, *world.state])
            kind = "an option: write it under `options:`" if name in world.options else None
            world.findings.error(
                "RK401", f"there is no zone or state `{name}`", tree.place_name.span,
                help=kind or (f"did you mean `{near}`?" if near else None), suggestion=None if kind else near,
            )  # fmt: skip
            return None
        per = zone.per if zone is not None else state.per if state is not None else None
        slots = zone is not None and zone.kind in ("piles", "slots")
        index = None
        if per is not None or slots:
            kind_of = index_type(per) if per is not None else t.Int(1, 512)
            index = self.index(tree, kind_of, scope, players)
            if index is None:
                return None
        elif tree.target is not None:
            world.findings.error(
                "RK418", f"`{name}` is one thing, not one of each", tree.span, help=f"write `{name}` alone"
            )
            return None
        if zone is not None:
            cards = self.given_cards(tree, zone.seen_by == "face")
            return None if cards is None else Given(name, index, cards, span=tree.span)
        assert state is not None
        value = self.given_value(tree, state.type, scope)
        return None if value is None else Given(name, index, None, value, span=tree.span)

    def index(self, tree: GivenTree, of: t.Type, scope: Scope, players: int) -> e.Expr | None:
        if tree.target is None:
            self.world.findings.error(
                "RK404",
                f"whose `{tree.place_name.id}`?",
                tree.span,
                help=f"write `{tree.place_name.id} of P1`",
            )
            return None
        text = tree.target
        if isinstance(of, t.Team) and (seat := re.fullmatch(r"team of P([0-9]{1,2})", text)):
            player = e.Constant(int(seat[1]) - 1, type=t.PLAYER, span=tree.span)
            return e.TeamOf(player, type=t.TEAM, span=tree.span)
        found = self.x.expr(self.text_expr(text, tree.span), scope, of)
        if isinstance(of, t.Team) and isinstance(found.type, t.Player):
            found = e.TeamOf(found, type=t.TEAM, span=tree.span)
        fitted = fit(found, of, self.world)
        if fitted is None:
            self.world.findings.error(
                "RK501", f"`{text}` is {found.type}, and `{tree.place_name.id}` is per {of}", tree.span,
                expected=str(of),
            )  # fmt: skip
            return None
        seat = SEAT.fullmatch(text)
        if seat and int(seat[1]) > players:
            self.world.findings.error(
                "RK824", f"there is no seat {text} among {players} players", tree.span,
                help="say `players:` in the example",
            )  # fmt: skip
        return None if isinstance(fitted.type, Unknown) else fitted

    def text_expr(self, text: str, span: Span) -> s.Expr:
        """A single word as syntax."""
        if text == "none":
            return s.Nothing(span=span)
        if text in ("true", "false"):
            return s.Truth(text == "true", span=span)
        if text[0] == "-" and text[1:].isdigit():
            return s.Negate(s.Literals((text[1:],), span=span), span=span)
        if text[0].isdigit() or text[0].isupper():
            return s.Literals(tuple(text.split()), span=span)
        return s.Name(text, span=span)

    def given_cards(self, tree: GivenTree, faced: bool) -> tuple[tuple[Face, bool | None], ...] | None:
        """`9H up`, bottom first; `empty` gives none."""
        found: list[tuple[Face, bool | None]] = []
        for word in tree.words:
            if word == "empty" and len(tree.words) == 1:
                return ()
            if word in ("up", "down") and found:
                if not faced:
                    self.world.findings.error(
                        "RK826", f"cards in `{tree.place_name.id}` have no face", tree.span,
                        expected="a zone `seen by face` for `up` and `down`",
                    )  # fmt: skip
                found[-1] = (found[-1][0], word == "up")
                continue
            face = self.world.face(word)
            if face is None:
                self.x.unknown_literal(s.Literals((word,), span=tree.span), word)
                return None
            found.append((face, None))
        return tuple(found)

    def given_value(self, tree: GivenTree, of: t.Type, scope: Scope) -> e.Expr | None:
        """The value of a state: one word, or several for a set."""
        if not tree.words:
            self.world.findings.error("RK827", f"`{tree.place}` is given no value", tree.span)
            return None
        if isinstance(of, t.Collection):
            if tree.words == ("empty",):
                return e.Constant((), type=of, span=tree.span)
            parts = [self.x.expr(self.text_expr(w, tree.span), scope, of) for w in tree.words]
            found: e.Expr | None = None
            for part in parts:
                fitted = fit(part, of, self.world)
                if fitted is None:
                    self.wrong_value(tree, part, of)
                    return None
                found = fitted if found is None else e.Union(found, fitted, type=of, span=tree.span)
            return found
        value = self.x.expr(self.text_expr(" ".join(tree.words), tree.span), scope, of)
        fitted = fit(value, of, self.world)
        if fitted is None:
            self.wrong_value(tree, value, of)
        return fitted

    def wrong_value(self, tree: GivenTree, value: e.Expr, of: t.Type) -> None:
        self.world.findings.error(
            "RK501", f"`{tree.place}` is {of}, and is given {value.type}", tree.span, expected=str(of)
        )

    def check_twice(self, given: list[Given], tree: ExampleTree) -> None:
        """The same card cannot lie in two places, unless the pack has copies of it (CON-06)."""
        if self.world.many_copies:
            return
        seen: dict[Face, Given] = {}
        for place in given:
            for face, _ in place.cards or ():
                if face in seen:
                    world = self.world
                    rank = world.ranks[face.rank]
                    text = rank if face.suit is None else rank + world.suits[face.suit].letter
                    first, here = (g.span.text if g.span is not None else g.name for g in (seen[face], place))
                    where = f"`{first}` and `{here}`" if first != here else f"`{here}`, twice"
                    world.findings.error(
                        "RK828", f"`{text}` lies in {where}", place.span, expected="each card in one place"
                    )
                seen[face] = place
