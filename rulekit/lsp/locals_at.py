"""The locals that may be read at a place: parameters, choices, `let` and the variables of `for`."""

from __future__ import annotations

from rulekit.diagnostics import Findings, SourceFile
from rulekit.language import parser
from rulekit.language import syntax as s
from rulekit.lsp.context import Context, plain_path
from rulekit.source.document import Mapping, Node, Scalar, Sequence


def locals_at(context: Context) -> dict[str, str]:
    """Names, each with what it is: `choice`, `parameter`, `let`, `for`."""
    found: dict[str, str] = {}
    path = plain_path(context.path)
    nodes = context.above
    if path[:1] and path[0] in ("define", "phases", "patterns") and len(path) > 1:
        found.update(_parameters(str(path[1])))
    for step, node in zip(context.path, nodes, strict=False):
        if isinstance(node, Sequence) and isinstance(step, int):
            for item in node.items[:step]:
                found.update(_let(item))
        elif isinstance(node, Mapping) and isinstance(step, str):
            found.update(_for(step, node))
            if step in ("do", "if", "again", "choose") and "choose" in node:
                found.update(_choices(node.get("choose"), context if step == "choose" else None))
            if step == "do" and "layout" in node:
                found.update(dict.fromkeys(("card", "target", "source"), "choice"))
    return found


def _parameters(key: str) -> dict[str, str]:
    signature = parser.parse_signature(Scalar(key, SourceFile("", key).span(0, len(key))), Findings())
    names = signature.parameters if signature is not None else ()
    return {parameter.name.id: "parameter" for parameter in names}


def _let(node: Node) -> dict[str, str]:
    if isinstance(node, Scalar) and node.text.lstrip().startswith("let "):
        statement = parser.parse_statement(node, Findings())
        if isinstance(statement, s.Let | s.LetNew):
            return {statement.name.id: "let"}
    return {}


def _for(key: str, node: Mapping) -> dict[str, str]:
    entry = node.entry(key)
    if entry is not None and key.startswith("for "):
        head = parser.parse_head(entry.key, Findings())
        if isinstance(head, s.ForHead):
            return {head.name.id: "for"}
    return {}


def _choices(node: Node | None, before: Context | None) -> dict[str, str]:
    """The choices of a move; where one is being typed, those before it."""
    names: dict[str, str] = {}
    for entry in node if isinstance(node, Mapping) else ():
        if before is not None and entry.key.text in before.path:
            break
        names[entry.key.text] = "choice"
    return names


__all__ = ["locals_at"]
