"""Patterns of cards, and the relations that ask for them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulekit.diagnostics import Span
from rulekit.language import syntax as s
from rulekit.language.coerce import strip
from rulekit.language.tree import PatternTree
from rulekit.language.world import It, LocalRef, Scope, Unknown, World
from rulekit.program import expressions as e
from rulekit.program import patterns as p
from rulekit.program import types as t


class Combinations:
    """The part of the expression checker that knows patterns."""

    world: World

    if TYPE_CHECKING:

        def expr(self, node: s.Expr, scope: Scope, want: t.Type | None = None) -> e.Expr: ...
        def value(self, node: s.Expr, scope: Scope, want: t.Type, what: str | None = None) -> e.Expr: ...
        def cards(self, node: s.Expr, scope: Scope) -> e.Expr: ...
        def condition(self, node: s.Expr, scope: Scope) -> e.Expr: ...
        def fact_of(self, name: str, card: e.Expr, span: Span) -> e.Expr: ...
        def card_fact(self, name: str, card: e.Expr, span: Span) -> e.Expr: ...
        def parameter_type(self, parameter: s.Parameter) -> t.Type: ...

    # ------------------------------------------------------------ relations

    def relation(self, node: s.Is | s.Beats | s.Qualified | s.Outside | s.Inside, scope: Scope) -> e.Expr:
        """`X is P`, `A beats B as P`, `best P from X`, `tail P from X`, `X inside P`, `X outside P`."""
        span = node.span
        cards = self.cards(node.source if isinstance(node, s.Qualified) else node.left, scope)
        called = self.called(node.pattern, scope)
        if called is None or isinstance(cards.type, Unknown):
            return self.world.unknown(span)
        name, arguments = called
        match node:
            case s.Is():
                return p.Matches(cards, name, arguments, type=t.BOOL, span=span)
            case s.Beats():
                other = self.cards(node.right, scope)
                return p.Beats(cards, other, name, arguments, type=t.BOOL, span=span)
            case s.Outside():
                return p.Inside(cards, name, arguments, True, type=t.CARDS, span=span)
            case s.Inside():
                return p.Inside(cards, name, arguments, type=t.SetOf(t.CARDS), span=span)
        if node.qualifier == "best":
            return p.BestInstance(cards, name, arguments, type=t.Optional(t.Key()), span=span)
        if not isinstance(cards.type, t.SeqOf):
            self.world.findings.error(
                "RK512", f"`{node.source.span.text}` has no tail: it is {cards.type}", node.source.span,
                expected="a pile or a sequence",
            )  # fmt: skip
            return self.world.unknown(span)
        return p.Tail(cards, name, arguments, type=t.SeqOf(t.CARD), span=span)

    def instances(self, node: s.From, scope: Scope) -> e.Expr:
        """`P from X`: every instance inside the cards."""
        left = node.left
        ref = s.PatternRef(left.name, left.args, span=left.span) if isinstance(left, s.Call) else (
            s.PatternRef(left, (), span=left.span) if isinstance(left, s.Name) else None
        )  # fmt: skip
        cards = self.cards(node.right, scope)
        called = self.called(ref, scope) if ref is not None else None
        if called is None or isinstance(cards.type, Unknown):
            return self.world.unknown(node.span)
        return p.Instances(cards, *called, type=t.SelectionsOf(t.CARD), span=node.span)

    def called(self, ref: s.PatternRef, scope: Scope) -> tuple[str, tuple[e.Expr, ...]] | None:
        """A pattern's name and the arguments it is given."""
        name, world = ref.name.id, self.world
        tree = world.patterns.get(name)
        if tree is None:
            if name not in world.tree.broken:
                near = world.near(name, world.patterns)
                help = f"did you mean `{near}`?" if near else None
                if name in ("empty", "none"):
                    near, help = None, f"`is` asks for a pattern; values are compared: `== {name}`"
                world.findings.error(
                    "RK450", f"there is no pattern `{name}`", ref.name.span,
                    expected="a pattern declared under `patterns`", help=help, suggestion=near,
                )  # fmt: skip
            return None
        parameters = tree.signature.parameters
        if len(parameters) != len(ref.args):
            wanted = len(parameters)
            world.findings.error(
                "RK421", f"pattern `{name}` is given {len(ref.args)} thing{'s' * (len(ref.args) != 1)}",
                ref.span, expected=f"{wanted} thing{'s' * (wanted != 1)}",
            )  # fmt: skip
            return None
        given = tuple(
            self.value(arg, scope, self.parameter_type(parameter), f"`{parameter.name.id}`")
            for arg, parameter in zip(ref.args, parameters, strict=True)
        )
        return (name, given) if self.pattern(name, ref.span) is not None else None

    # ------------------------------------------------------------ definitions

    def pattern(self, name: str, span: Span) -> p.PatternDef | None:
        """The checked pattern; each is checked once, when first needed."""
        world = self.world
        if name in world.pattern_defs:
            return world.pattern_defs[name]
        if name in world.open_patterns:
            world.findings.error(
                "RK423", f"the pattern `{name}` is defined by itself", span, help="break the circle"
            )
            return None
        tree = world.patterns[name]
        world.open_patterns.append(name)
        names: dict[str, LocalRef] = {}
        numbers: list[int] = []
        for parameter in tree.signature.parameters:
            of = self.parameter_type(parameter)
            number = world.new_local(parameter.name.id, of, lasting=False)
            world.note(parameter.name.span, of)
            numbers.append(number)
            names[parameter.name.id] = LocalRef(number, of, "parameter", parameter.name.span)
        scope = Scope(names=names, owner=name)
        part = self.part(tree.pattern, scope) if tree.pattern is not None else None
        for each in tree.classes:
            self.pattern(each.signature.name.id, each.span)
        local = world.new_local("it", t.CARDS, lasting=False)
        by = self.expr(tree.by, scope.with_it(It(local, t.CARDS))) if tree.by is not None else None
        if by is not None and not isinstance(strip(by.type), (t.Int, t.Key, t.Rank, t.Word, Unknown)):
            world.findings.error(
                "RK511", f"instances cannot be ordered by {by.type}", by.span,
                expected="a number, rank or key", help="write `max(FACT of it)`",
            )  # fmt: skip
        weight_local = world.new_local("it", t.CARD, lasting=False)
        weight = None
        if tree.weight is not None:
            weight = self.value(tree.weight, scope.with_it(It(weight_local, t.CARD)), t.Int(), "the weight")
        wild = self.cards(tree.wild, scope) if tree.wild is not None else None
        world.open_patterns.pop()
        world.pattern_defs[name] = p.PatternDef(
            name, tuple(numbers), part, tuple(each.signature.name.id for each in tree.classes), by, local,
            weight, weight_local, wild, tree.most_wild,
            text=tree.text.text if tree.text else None, span=tree.signature.name.span,
        )  # fmt: skip
        return world.pattern_defs[name]

    def part(self, node: s.Pattern, scope: Scope) -> p.Part | None:
        """A part of a pattern."""
        match node:
            case s.CardsPattern(count, constraints, maximal):
                self.check_count(count)
                checked = self.constraints(constraints, scope)
                return p.CardsPart(count.low, count.high, checked, maximal)
            case s.RepeatedPattern(count, ref, constraints):
                self.check_count(count)
                called = self.called(ref, scope)
                checked = self.constraints(constraints, scope)
                return p.RepeatedPart(count.low, count.high, *called, checked) if called else None
            case s.NamedPattern(ref):
                called = self.called(ref, scope)
                return p.NamedPart(*called) if called else None
            case s.WithPattern(parts):
                return p.WithPart(tuple(x for part in parts if (x := self.part(part, scope)) is not None))
            case s.OrPattern(parts):
                return p.OrPart(tuple(x for part in parts if (x := self.part(part, scope)) is not None))
        return None

    def check_count(self, count: s.Count) -> None:
        if count.high is not None and count.low > count.high:
            self.world.findings.error(
                "RK425", f"the range `{count.span.text}` is empty", count.span,
                expected="the smaller number first",
            )  # fmt: skip

    def constraints(self, nodes: tuple[s.Constraint, ...], scope: Scope) -> tuple[p.Constraint, ...]:
        return tuple(x for node in nodes if (x := self.constraint(node, scope)) is not None)

    def constraint(self, node: s.Constraint, scope: Scope) -> p.Constraint | None:
        world = self.world
        if node.condition is not None:
            of = t.CARDS if node.kind == "where" else t.CARD
            local = world.new_local("it", of, lasting=False)
            condition = self.condition(node.condition, scope.with_it(It(local, of)))
            return p.Constraint(node.kind, local, condition)
        assert node.fact is not None
        name = node.fact.id
        local = world.new_local("it", t.CARD, lasting=False)
        card = e.Local(local, type=t.CARD)
        if name in world.orders:
            if node.kind != "consecutive":
                world.findings.error(
                    "RK451", f"`{name}` is an order, and cards have no {node.kind} order", node.fact.span,
                    expected="a fact about cards",
                )  # fmt: skip
                return None
            rank = self.card_fact("rank", card, node.fact.span)
            return p.Constraint("consecutive", local, rank, name)
        fact: e.Expr
        if name in world.fact_trees:
            fact = self.fact_of(name, card, node.fact.span)
        elif name in ("suit", "rank", "color", "number", "pip"):
            fact = self.card_fact(name, card, node.fact.span)
        else:
            known = [*world.fact_trees, "suit", "rank", "color", "number", "pip", *world.orders]
            near = world.near(name, known)
            world.findings.error(
                "RK401", f"cards have no fact `{name}`", node.fact.span, expected="a fact about cards",
                help=f"did you mean `{near}`?" if near else None, suggestion=near,
            )  # fmt: skip
            return None
        if node.kind == "consecutive" and not isinstance(
            strip(fact.type), (t.Int, t.Rank, t.Word, t.Suit, Unknown)
        ):
            world.findings.error(
                "RK511", f"`{name}` is {fact.type}, which has no neighbours", node.fact.span,
                expected="a rank, number or word",
            )  # fmt: skip
            return None
        return p.Constraint(node.kind, local, fact)


def class_trees(trees: tuple[PatternTree, ...]) -> list[PatternTree]:
    """The patterns and the classes inside them, each before what it holds."""
    found: list[PatternTree] = []
    for tree in trees:
        found.append(tree)
        found += class_trees(tree.classes)
    return found
