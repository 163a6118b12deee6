"""How parts of a tree are put together: their places, their depth, and what is refused.

The parser calls a method as soon as its rule is complete, innermost first, so that no text, however
long, is walked by recursion.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from lark import Token

from rulekit.source.document import Scalar

MAX_DEPTH = 150
"""How deep a text may be nested. Trees are walked by recursion later on, which has its own bound."""


class Builds(Protocol):
    """What has rules: it knows the text being parsed."""

    scalar: Scalar


class TooDeep(Exception):
    """A text is nested deeper than `MAX_DEPTH`; ``start`` and ``end`` say where."""

    def __init__(self, start: int, end: int) -> None:
        super().__init__(start, end)
        self.start = start
        self.end = end


class Part:
    """A piece of tree under construction: its node, its place in the text, and its depth."""

    __slots__ = ("depth", "end", "node", "parentheses", "start")

    def __init__(self, node: Any, start: int, end: int, depth: int, parentheses: int) -> None:
        self.node = node
        self.start = start
        self.end = end
        self.depth = depth
        self.parentheses = parentheses


Rule = Callable[[Any, list[Any]], Part]


def rule(method: Callable[..., Any], *, in_chain: bool = False) -> Rule:
    """A method `(builder, span, *nodes)` as the parser calls it: with a list of parts and tokens.

    In a chain (`a + b + c`) the first part is no deeper than the whole.
    """

    def build(builder: Builds, children: list[Any]) -> Part:
        nodes: list[Any] = []
        start = end = -1
        depth = parentheses = 0
        for child in children:
            if child is None:
                nodes.append(None)
                continue
            if isinstance(child, Part):
                first, end = child.start, child.end
                below = child.depth - 1 if in_chain and not nodes else child.depth
                depth = max(depth, below)
                parentheses = max(parentheses, child.parentheses)
                nodes.append(child.node)
            else:
                first, end = child.start_pos, child.end_pos
                nodes.append(child)
            if start < 0:
                start = first
        if depth >= MAX_DEPTH:
            raise TooDeep(start, end)
        node = method(builder, builder.scalar.at(start, end), *nodes)
        same = isinstance(node, tuple) or (len(nodes) == 1 and node is nodes[0])
        return Part(node, start, end, depth if same else depth + 1, parentheses)

    return build


def chain(method: Callable[..., Any]) -> Rule:
    return rule(method, in_chain=True)


class NotWhole(Exception):
    """A whole number is due, and something else stands there."""

    def __init__(self, token: Token) -> None:
        super().__init__(str(token))
        self.token = token


def whole(token: Token) -> int:
    """The number a token says."""
    if not token.removeprefix("-").isdecimal() or len(token) > 12:
        raise NotWhole(token)
    return int(token)
