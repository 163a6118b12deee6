"""Syntax trees back to document nodes, as the reader expects them."""

from __future__ import annotations

from collections.abc import Iterable

from rulekit.diagnostics import Span
from rulekit.language import syntax as s
from rulekit.language import tree as t
from rulekit.language.formatter import (
    format_declaration,
    format_expression,
    format_head,
    format_key,
    format_signature,
    format_statement,
)
from rulekit.source.document import Entry, Mapping, Node, Scalar, Sequence


class Written:
    """Writes nodes that all stand at one place, ``span``."""

    def __init__(self, span: Span) -> None:
        self.span = span

    # ------------------------------------------------------------ shapes

    def text(self, text: str) -> Scalar:
        return Scalar(text, self.span)

    def mapping(self, parts: Iterable[tuple[str, Node | None]]) -> Mapping:
        """A mapping of the parts that are there."""
        entries = (Entry(self.text(key), value) for key, value in parts if value is not None)
        return Mapping(tuple(entries), self.span)

    def list(self, items: Iterable[Node]) -> Sequence:
        return Sequence(tuple(items), self.span)

    def prose(self, text: t.Prose | None) -> Scalar | None:
        return None if text is None else self.text(text.text)

    def commented(self, node: Node, text: t.Prose | None) -> Node:
        """`{is: X, text: ...}` where there is a text."""
        return node if text is None else self.mapping((("is", node), ("text", self.prose(text))))

    def expression(self, node: s.Expr | None) -> Scalar | None:
        return None if node is None else self.text(format_expression(node))

    # ------------------------------------------------------------ statements

    def statements(self, nodes: Iterable[s.Stmt]) -> Sequence:
        return self.list(self.statement(node) for node in nodes)

    def statement(self, node: s.Stmt) -> Node:
        """A sentence, or a mapping from a head to its body."""
        span = node.span
        match node:
            case s.If(branches):
                return self.mapping(
                    (self._branch(number, branch), self.statements(branch.body))
                    for number, branch in enumerate(branches)
                )
            case s.For(name, domain, body):
                return self._compound(s.ForHead(name, domain, span=span), self.statements(body))
            case s.Repeat(times, body):
                return self._compound(s.RepeatHead(times, span=span), self.statements(body))
            case s.Until(condition, body):
                return self._compound(s.UntilHead(condition, span=span), self.statements(body))
            case s.Ask(who, moves, whom, together):
                head = s.AskHead(who, whom, together, span=span)
                return self._compound(head, self.list(self.text(move.id) for move in moves))
        return self.text(format_statement(node))

    def _compound(self, head: s.Head, body: Node) -> Mapping:
        return self.mapping(((format_head(head), body),))

    def _branch(self, number: int, branch: s.Branch) -> str:
        if branch.condition is None:
            return format_head(s.ElseHead(span=branch.span))
        head = s.ElseIfHead if number else s.IfHead
        return format_head(head(branch.condition, span=branch.span))

    # ------------------------------------------------------------ parts of a game

    def state(self, tree: t.StateTree) -> tuple[str, Node]:
        return tree.name.id, self.commented(self.text(format_declaration(tree.declaration)), tree.text)

    def define(self, tree: t.DefineTree) -> tuple[str, Node]:
        body: Node
        if isinstance(tree.body, t.Table):
            rows = ((_row(row), self.expression(row.value)) for row in tree.body.rows)
            body = self.mapping((("by", self.expression(tree.body.by)), *rows))
        else:
            body = self.text(format_key(tree.body))
        return format_signature(tree.signature), self.commented(body, tree.text)

    def phase(self, tree: t.PhaseTree) -> tuple[str, Node]:
        state = self.mapping(self.state(part) for part in tree.state) if tree.state else None
        after = self.statements(tree.after) if tree.after else None
        parts: list[tuple[str, Node | None]] = [
            ("text", self.prose(tree.text)),
            ("state", state),
            ("stop when", self.expression(tree.stop_when)),
            ("do", self.statements(tree.body)),
            ("after", after),
        ]
        bare = [value for key, value in parts if value is not None and key != "do"]
        signature = format_signature(tree.signature)
        return signature, self.mapping(parts) if bare else self.statements(tree.body)

    def move(self, tree: t.MoveTree) -> tuple[str, Node]:
        choices = self.mapping((x.name.id, self._choice(x)) for x in tree.choices) if tree.choices else None
        conditions = None
        if tree.conditions:
            conditions = self.mapping((x.label.text, self.expression(x.condition)) for x in tree.conditions)
        return tree.name.id, self.mapping(
            (
                ("text", self.prose(tree.text)),
                ("choose", choices),
                ("if", conditions),
                ("layout", tree.layout),
                ("do", self.statements(tree.body)),
                ("again", self.expression(tree.again)),
            )
        )

    def _choice(self, tree: t.ChoiceTree) -> Node:
        entries: list[Node] = []
        for entry in tree.entries:
            domain = self.text(format_expression(entry.domain))
            entries.append(domain if entry.label is None else self.mapping(((entry.label.text, domain),)))
        single = len(entries) == 1 and isinstance(entries[0], Scalar)
        return self.commented(entries[0] if single else self.list(entries), tree.text)


def _row(row: t.TableRow) -> str:
    if row.keys is None:
        return "else"
    return " ".join(key.id if isinstance(key, s.Name) else key for key in row.keys)
