"""Layouts of patience: which cards of which piles may be lifted, and where they may go.

A move with `layout` gets two choices, `card` and `target`, and begins by carrying the card with all that
lie on it. Families are the zones of piles it names; `lift` says which cards of a pile may be taken, `on`
which a pile that has cards accepts, `empty` which an empty one does.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from rulekit.diagnostics import nearest
from rulekit.language import syntax as s
from rulekit.language.coerce import as_cards
from rulekit.language.parser import parse_expression
from rulekit.language.tree import MoveTree
from rulekit.language.world import It, LocalRef, Scope, World
from rulekit.program import expressions as e
from rulekit.program import statements as st
from rulekit.program import types as t
from rulekit.program.program import Choice, Entry
from rulekit.source.document import Mapping, Scalar

if TYPE_CHECKING:
    from rulekit.language.definitions import Definitions

SLOTS = ("lift", "on", "empty")
LIFTED, ACCEPTING = "cards that may be lifted", "piles that accept it"  #: labels of the two choices


class Layouts:
    """Builds the choices and the first statements of a layout move."""

    def __init__(self, world: World, expressions: Definitions) -> None:
        self.world = world
        self.x = expressions

    def layout(self, tree: MoveTree, scope: Scope) -> tuple[tuple[Choice, ...], tuple[st.Stmt, ...], Scope]:
        """Choices, statements and the scope of the move's own `do`, which may read `source`."""
        world = self.world
        families = self.families(tree)
        span = tree.name.span
        lifted: e.Expr = e.Constant((), type=t.CARDS)
        for zone, slots in families:
            if "lift" in slots:
                cards = self.lift(zone, slots["lift"], scope)
                lifted = cards if isinstance(lifted, e.Constant) else e.Union(lifted, cards, type=t.CARDS)
        card = world.new_local("card", t.CARD, lasting=True)
        scope = scope.with_names({"card": LocalRef(card, t.CARD, "choice", span)})
        targets: e.Expr = e.Constant((), type=t.SetOf(t.PILE))
        for zone, slots in families:
            if "on" in slots or "empty" in slots:
                piles = self.targets(zone, slots, card, scope)
                of = t.SetOf(t.PILE)
                targets = piles if isinstance(targets, e.Constant) else e.Union(targets, piles, type=of)
        target = world.new_local("target", t.PILE, lasting=True)
        source = world.new_local("source", t.PILE, lasting=True)
        choices = (
            Choice("card", card, t.CARD, (Entry(LIFTED, lifted, span=span),), span=span),
            Choice("target", target, t.PILE, (Entry(ACCEPTING, targets, span=span),), span=span),
        )
        here = e.Local(card, type=t.CARD, span=span)
        pile = e.CardFact("pile", here, type=t.Optional(t.PILE), span=span)
        goal = st.PilePlace(e.Local(target, type=t.PILE, span=span))
        carried = e.Stacked(here, type=t.SeqOf(t.CARD), span=span)
        statements = (
            st.Assign(st.LocalPlace(source), "=", pile, span=span),
            st.Move(carried, goal, span=span),
        )
        inner = scope.with_names(
            {
                "target": LocalRef(target, t.PILE, "choice", span),
                "source": LocalRef(source, t.PILE, "parameter", span),
            }
        )
        return choices, statements, inner

    def families(self, tree: MoveTree) -> list[tuple[str, dict[str, s.Expr]]]:
        """The zones named, with their parsed slots."""
        found: list[tuple[str, dict[str, s.Expr]]] = []
        world = self.world
        for entry in tree.layout or ():
            name = entry.key.text
            zone = world.zones.get(name)
            if zone is None and (name in world.tree.broken or name in world.refused):
                continue
            if zone is None or zone.kind == "set":
                near = nearest(name, [z.name for z in world.zones.values() if z.kind != "set"])
                world.findings.error(
                    "RK452", f"`{name}` is no family of piles" if zone else f"there is no zone `{name}`",
                    entry.key.span, expected="a zone of piles",
                    help=f"did you mean `{near}`?" if near else None, suggestion=near,
                )  # fmt: skip
                continue
            slots: dict[str, s.Expr] = {}
            for slot in entry.value if isinstance(entry.value, Mapping) else ():
                if slot.key.text in SLOTS and isinstance(slot.value, Scalar):
                    parsed = parse_expression(slot.value, world.findings)
                    if parsed is not None:
                        slots[slot.key.text] = parsed
            found.append((name, slots))
        return found

    def piles(self, zone: str) -> tuple[e.Expr, int, e.Expr]:
        """All piles of a family, a local for one of them, and that local."""
        of = t.Pile(zone)
        local = self.world.new_local("pile", of, lasting=False)
        piles = e.ZonePiles(zone, type=t.SeqOf(of))
        return piles, local, e.Local(local, type=of)

    def lift(self, zone: str, node: s.Expr, scope: Scope) -> e.Expr:
        """The cards of a family's piles that may be taken."""
        piles, local, pile = self.piles(zone)
        ref = LocalRef(local, pile.type, "parameter", node.span)
        inner = scope.with_it(It(local, pile.type)).with_names({"pile": ref})
        cards = as_cards(self.x.expr(node, inner), self.world)
        if cards is None:
            self.world.findings.error(
                "RK505", "`lift` does not say which cards", node.span, expected="cards of the pile"
            )
            return self.world.unknown(node.span)
        return e.Collect(piles, local, cards, flatten=True, type=t.CARDS, span=node.span)

    def targets(self, zone: str, slots: dict[str, s.Expr], card: int, scope: Scope) -> e.Expr:
        """The piles of a family that accept the card: never the one it lies in."""
        piles, local, pile = self.piles(zone)
        ref = LocalRef(local, pile.type, "parameter", None)
        inner = scope.with_it(It(card, t.CARD)).with_it(It(local, pile.type)).with_names({"pile": ref})
        cards = e.PileCards(pile, type=t.SeqOf(t.CARD))
        under = e.End(cards, True, type=t.CARD)
        no = e.Constant(False, type=t.BOOL)
        on: e.Expr = no
        empty: e.Expr = no
        if "on" in slots:
            on = self.x.condition(slots["on"], replace(inner, known={**inner.known, "under": under}))
        if "empty" in slots:
            empty = self.x.condition(slots["empty"], inner)
        accepts = e.If(e.AnyOf(cards, type=t.BOOL), on, empty, type=t.BOOL)
        own = e.CardFact("pile", e.Local(card, type=t.CARD), type=t.Optional(t.PILE))
        other = e.Not(e.Same(pile, own, type=t.BOOL), type=t.BOOL)
        condition = e.And(other, accepts, type=t.BOOL)
        return e.Filter(piles, local, condition, type=t.SetOf(t.PILE))
