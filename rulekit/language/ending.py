"""The end of a game: who is first, what it pays, when it is broken off."""

from __future__ import annotations

from rulekit.language import syntax as s
from rulekit.language.coerce import is_collection, orderable, strip
from rulekit.language.definitions import Definitions
from rulekit.language.world import It, Scope, Unknown, World
from rulekit.program import expressions as e
from rulekit.program import types as t
from rulekit.program.program import EndDef
from rulekit.program.walk import walk_expressions


class Ending:
    """Reads the `end` of a file."""

    def __init__(self, world: World, expressions: Definitions, scope: Scope) -> None:
        self.world = world
        self.x = expressions
        self.scope = scope

    def end(self) -> EndDef:
        tree, world = self.world.tree.end, self.world
        if tree is None or tree.ranking is None:
            if not world.findings.has_errors:
                span = tree.span if tree else self.world.tree.span
                world.findings.error("RK202", "the end needs `ranking`", span, expected="`ranking:`")
            return EndDef()
        teams = False
        if self.world.tree.teams is not None:
            before = list(world.findings.items)
            self.about(tree.ranking.key, t.TEAM)
            teams = world.findings.items == before
            world.findings.items[:] = before
        key, local = self.about(tree.ranking.key, t.TEAM if teams else t.PLAYER)
        self.check_ranking(key, local, tree.ranking.key)
        payoff, payoff_local = self.amount(tree.payoff)
        score, score_local = self.amount(tree.score)
        declared = tree.limit is not None
        limit = tree.limit if tree.limit is not None else 100_000
        return EndDef(
            tree.ranking.highest, key, local, teams, payoff, payoff_local, score, score_local, limit, declared
        )

    def about(self, node: s.Expr, of: t.Type) -> tuple[e.Expr, int]:
        """An expression about each player or team."""
        local = self.world.new_local("it", of, lasting=False)
        return self.x.expr(node, self.scope.with_it(It(local, of))), local

    def check_ranking(self, key: e.Expr, local: int, node: s.Expr) -> None:
        """A ranking has an order, and is not the same for everybody."""
        if not orderable(strip(key.type)):
            self.world.findings.error(
                "RK511", f"`{node.span.text}` is {key.type}, which has no order", node.span,
                expected="a number, rank, suit, word or key",
                help="count it: `count(...)`" if is_collection(key.type) else None,
            )  # fmt: skip
        elif (
            self.world.tree.players[1] > 1
            and not isinstance(key.type, Unknown)
            and not any(
                isinstance(x, e.StateOf) and ("RK418", x.state) in self.world.said
                for x in walk_expressions(key)
            )
            and not any(isinstance(x, e.Local) and x.number == local for x in walk_expressions(key))
        ):
            self.world.findings.error(
                "RK432", f"`{node.span.text}` is the same for all", node.span,
                expected="something each player or team has of his own",
                help="name it without `of`: `highest score`",
            )  # fmt: skip

    def amount(self, node: s.Expr | None) -> tuple[e.Expr | None, int]:
        """A payoff or a score: a number for each player."""
        if node is None:
            return None, 0
        local = self.world.new_local("it", t.PLAYER, lasting=False)
        return self.x.number(node, self.scope.with_it(It(local, t.PLAYER))), local


__all__ = ["Ending"]
