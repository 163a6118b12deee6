"""Functions: reductions, extremes, defines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulekit.diagnostics import Span
from rulekit.language import syntax as s
from rulekit.language.coerce import (
    as_collection,
    element,
    is_collection,
    optional,
    orderable,
    strip,
    surely_some,
)
from rulekit.language.vocabulary import CARD_FACTS, EXTREMES, FUNCTIONS, LOOKUPS, PLACES, REDUCTIONS, SEATS
from rulekit.language.world import It, Scope, Unknown, World
from rulekit.program import expressions as e
from rulekit.program import types as t


class Functions:
    """The part of the expression checker that knows calls."""

    world: World

    if TYPE_CHECKING:

        def expr(self, node: s.Expr, scope: Scope, want: t.Type | None = None) -> e.Expr: ...
        def condition(self, node: s.Expr, scope: Scope) -> e.Expr: ...
        def collection(self, node: s.Expr, scope: Scope, want: t.Type | None = None) -> e.Expr: ...
        def misplaced(self, node: s.Expr, why: str) -> e.Expr: ...
        def is_declared(self, name: str, scope: Scope) -> bool: ...
        def call_define(self, name: str, node: s.Call | s.Name, scope: Scope) -> e.Expr: ...

    def call(self, node: s.Call, scope: Scope, want: t.Type | None) -> e.Expr:
        name = node.name.id
        world = self.world
        if name in world.define_trees or (scope.use is not None and name in scope.use.defines):
            return self.call_define(name, node, scope)
        if name in REDUCTIONS or name in EXTREMES:
            if len(node.args) != 1:
                return self.wrong_count(node, 1)
            if name in EXTREMES:
                return self.extreme(node, scope)
            return self.reduction(node, scope)
        if name == "answered":
            return self.answered(node, scope)
        if name == "random":
            return self.misplaced(node, "`random(...)` stands only as the whole right side of an assignment")
        if name in world.patterns:
            return self.misplaced(node, f"a pattern stands in `X is {name}(...)` or `{name}(...) from X`")
        if name in world.tree.broken or name in world.refused:
            self.arguments(node, scope)
            return world.unknown(node.span)
        near, help = world.near(name, [*FUNCTIONS, *world.define_trees, *world.patterns]), None
        if self.is_declared(name, scope) or name in (*PLACES, *LOOKUPS):
            near, help = None, f"write `{name}` without parentheses"
            if self.goes_before_of(name):
                help = f"write `{name} of ...`"
        elif near:
            help = f"did you mean `{near}`?"
        world.findings.error(
            "RK401", f"there is no function `{name}`", node.name.span,
            expected="a function of the language or a define with parameters", help=help, suggestion=near,
        )  # fmt: skip
        self.arguments(node, scope)
        return world.unknown(node.span)

    def goes_before_of(self, name: str) -> bool:
        """`NAME of X` has a meaning."""
        world = self.world
        state, zone = world.state.get(name), world.zones.get(name)
        if state is not None or zone is not None:
            return any(family is not None and family.per is not None for family in (state, zone))
        return name in (*world.fact_trees, *world.field_names, *CARD_FACTS, *SEATS, *PLACES, *LOOKUPS)

    def arguments(self, node: s.Call, scope: Scope) -> None:
        """Look for findings in arguments of what is no function."""
        for arg in node.args:
            if not isinstance(arg, s.By):
                self.expr(arg, scope)

    def wrong_count(self, node: s.Call, wanted: int) -> e.Expr:
        found = len(node.args)
        self.world.findings.error(
            "RK421", f"`{node.name.id}` is given {found or 'no'} thing{'s' * (found != 1)}", node.span,
            expected=f"{wanted} thing{'s' * (wanted != 1)}",
            help=self.how_many(node),
        )  # fmt: skip
        return self.world.unknown(node.span)

    def how_many(self, node: s.Call) -> str | None:
        """What was probably meant by too many or too few arguments."""
        name = node.name.id
        if not node.args and name == "answered":
            return "write `answered(MOVE)`"
        if not node.args:
            return f"write `{name}(...)`, with a set in the parentheses"
        if name in ("min", "max") and len(node.args) == 2:
            one, other = (arg.span.text for arg in node.args)
            return f"write `{one} {'at most' if name == 'min' else 'at least'} {other}`"
        return None

    # ------------------------------------------------------------ reductions

    def reduction(self, node: s.Call, scope: Scope) -> e.Expr:
        name, span, arg = node.name.id, node.span, node.args[0]
        if isinstance(arg, s.By):
            return self.misplaced(arg, f"`by` goes with {', '.join(f'`{x}`' for x in EXTREMES)}")
        if name == "every":
            return self.every(node, scope)
        domain = self.collection(arg, scope)
        if isinstance(domain.type, Unknown):
            return domain
        of = element(domain.type)
        match name:
            case "count":
                least = int(surely_some(domain, scope.present))
                if isinstance(domain, e.Players):
                    least = self.world.tree.players[0]
                return e.Count(domain, type=t.Int(least, self.most(of)), span=span)
            case "any":
                return e.AnyOf(domain, type=t.BOOL, span=span)
            case "only":
                return e.Only(domain, type=optional(of), span=span)
            case "sum":
                return self.sum(domain, of, arg, span)
        if not orderable(strip(of)):
            self.world.findings.error(
                "RK511", f"`{arg.span.text}` is {domain.type}, of which none is the largest", arg.span,
                expected="numbers or keys", help=f"write `{name}(FACT of {arg.span.text})`",
            )  # fmt: skip
            return self.world.unknown(span)
        return e.Best(
            name == "max", domain, type=of if surely_some(domain, scope.present) else optional(of), span=span
        )

    def most(self, of: t.Type) -> int:
        """The most elements that a collection of this type can have."""
        match strip(of):
            case t.Card():
                return self.world.max_cards
            case t.Player():
                return self.world.tree.players[1]
            case t.Team() | t.Suit():
                return max(self.world.tree.players[1], len(self.world.suits))
            case t.Rank():
                return len(self.world.ranks)
            case t.Word(name):
                return len(self.world.words[name])
            case t.Int(low, high) if high - low < 1_000_000:
                return max(self.world.max_cards, high - low + 1)
        return 1_000_000

    def sum(self, domain: e.Expr, of: t.Type, arg: s.Expr, span: Span) -> e.Expr:
        number = strip(of)
        if isinstance(number, Unknown):
            return self.world.unknown(span)
        if not isinstance(number, t.Int):
            self.world.findings.error(
                "RK504", f"`{arg.span.text}` is {domain.type}, which cannot be added up", arg.span,
                expected="numbers",
                help=f"write `sum(FACT of {arg.span.text})`, or `count({arg.span.text})`"
                if isinstance(number, (t.Card, t.Player)) else None,
            )  # fmt: skip
            return self.world.unknown(span)
        low = min(number.low, 0) * self.world.max_cards
        high = max(number.high, 0) * self.world.max_cards
        total: t.Type = t.Int(max(low, -t.LIMIT), min(high, t.LIMIT))
        if isinstance(of, t.Optional):
            total = t.Optional(total)
        return e.Sum(domain, type=total, span=span)

    def every(self, node: s.Call, scope: Scope) -> e.Expr:
        arg = node.args[0]
        if isinstance(arg, s.Where):
            domain = self.collection(arg.domain, scope)
            of = element(domain.type)
            local = self.world.new_local("it", of, lasting=False)
            condition = self.condition(arg.condition, scope.with_it(It(local, of)))
            return e.Every(domain, local, condition, type=t.BOOL, span=node.span)
        domain = self.collection(arg, scope)
        of = element(domain.type)
        if not isinstance(of, (t.Bool, Unknown)):
            self.world.findings.error(
                "RK503", f"`every` is given {domain.type}", arg.span, expected="`every(X where C)`"
            )
            return self.world.unknown(node.span)
        local = self.world.new_local("it", t.BOOL, lasting=False)
        here = e.Local(local, type=t.BOOL)
        return e.Every(domain, local, here, type=t.BOOL, span=node.span)

    def extreme(self, node: s.Call, scope: Scope) -> e.Expr:
        name, span, arg = node.name.id, node.span, node.args[0]
        if not isinstance(arg, s.By):
            self.world.findings.error(
                "RK515", f"`{name}` does not say by what", span, expected=f"`{name}(X by KEY)`"
            )
            self.expr(arg, scope)
            return self.world.unknown(span)
        domain = self.collection(arg.domain, scope)
        if isinstance(domain.type, Unknown):
            return domain
        of = element(domain.type)
        local = self.world.new_local("it", of, lasting=False)
        key = self.expr(arg.key, scope.with_it(It(local, of)))
        if not orderable(strip(key.type)):
            self.world.findings.error(
                "RK511", f"`{arg.key.span.text}` is {key.type}, which has no order", arg.key.span,
                expected="a number, rank, suit, word or key",
                help="count it: `count(...)`" if is_collection(key.type) else None,
            )  # fmt: skip
        many = name.startswith("all_")
        result: t.Type = of if surely_some(domain, scope.present) else optional(of)
        if many:
            result = domain.type if isinstance(domain.type, t.SeqOf) else t.SetOf(of)
        return e.Extreme(name, domain, local, key, type=result, span=span)

    def answered(self, node: s.Call, scope: Scope) -> e.Expr:
        """Was one of these moves the last one made in this list?"""
        if not node.args:
            return self.wrong_count(node, 1)
        moves: list[str] = []
        before = len(self.world.findings.items)
        for arg in node.args:
            if not isinstance(arg, s.Name):
                return self.misplaced(arg, "`answered` takes the names of moves")
            moves += self.move_names(arg, scope)
        if len(self.world.findings.items) > before:
            return self.world.unknown(node.span)
        if not moves:  # an unfilled slot: never asked, never answered
            return e.Constant(False, type=t.BOOL, span=node.span)
        cells = [cell for cell in scope.answers if cell in self.world.asked_cells]
        if not cells:
            self.world.findings.error(
                "RK422", "nothing has been asked in this list of statements", node.span,
                expected="an ask before `answered`, in the same list",
            )  # fmt: skip
            return self.world.unknown(node.span)
        return e.Answered(cells[-1], tuple(moves), type=t.BOOL, span=node.span)

    def move_names(self, node: s.Name, scope: Scope) -> list[str]:
        """The moves that a name stands for: one, or a slot's."""
        slot = scope.use.slots.get(node.id) if scope.use is not None else None
        if slot is not None and slot.declaration.type.name.id == "moves":
            if slot.value is not None and slot.value.moves is not None and slot.scope is not None:
                return [m for name in slot.value.moves for m in self.move_names(name, slot.scope)]
            default = slot.declaration.default
            if isinstance(default, s.Name):
                return self.move_names(default, Scope(use=None))
            return []
        if node.id in self.world.move_trees:
            return [node.id]
        self.no_move(node, scope)
        return []

    def no_move(self, name: s.Name, scope: Scope | None = None) -> None:
        """Report a name that should be a move's."""
        world = self.world
        if name.id in world.tree.broken or world.said_often("RK406", name.id):
            return
        slots = scope.use.slots if scope is not None and scope.use is not None else ()
        near = world.near(name.id, [*world.move_trees, *slots])
        help = f"did you mean `{near}`?" if near else None
        if name.id in world.phase_trees:
            help, near = f"`{name.id}` is a phase: `do {name.id}`", None
        world.findings.error(
            "RK406", f"there is no move `{name.id}`", name.span, expected="a move declared under `moves`",
            help=help, suggestion=near,
        )  # fmt: skip


__all__ = ["Functions", "as_collection"]
