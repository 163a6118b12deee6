"""One of two rulesets that are compared: its document in full, and what its texts mean."""

from __future__ import annotations

from dataclasses import dataclass

from rulekit.diagnostics import Findings, SourceFile
from rulekit.game.loading import Blocks, Source, open_rules
from rulekit.language import compile_ruleset, read_ruleset
from rulekit.language.heard import Heard, listening
from rulekit.language.parser import parse_statement
from rulekit.language.spacing import spaced
from rulekit.language.syntax import Assign
from rulekit.language.tree import BlockTree
from rulekit.source.document import Entry, Mapping, Node, Scalar, Sequence
from rulekit.source.load import shipped_blocks
from rulekit.source.variants import load_document

_Place = tuple[SourceFile, int, str]


@dataclass(frozen=True)
class Side:
    """A ruleset: its name and title, its document with every text spaced alike, the reasons of its
    receipts in the order of the file, and the blocks it uses."""

    name: str
    title: str
    document: Mapping
    reasons: tuple[str, ...]
    blocks: dict[str, BlockTree]


def read_side(source: Source, findings: Findings) -> Side | None:
    """A ruleset by path, name or text; None if it cannot be read or has errors, which are then among
    the findings."""
    own = Findings()
    opened = open_rules(source, own)
    document = load_document(opened, own) if opened is not None else None
    if opened is None or document is None:
        findings.extend(own.items)
        return None
    blocks = Blocks(opened.shelf, own)
    with listening() as heard:
        tree = read_ruleset(document, own, blocks, shipped_blocks())
    program = None if tree is None else compile_ruleset(tree, own, blocks)
    if program is None or own.has_errors:
        findings.extend(own.items)
        return None
    forms = {_place(scalar): form for form, scalar in heard}
    name, title = document.get("name"), document.get("title")
    return Side(
        name.text if isinstance(name, Scalar) else "",
        title.text if isinstance(title, Scalar) else "",
        Mapping(tuple(Entry(e.key, _spaced(e.value, forms)) for e in document), document.span),
        tuple(dict.fromkeys(_reasons(heard))),
        blocks.used(),
    )


def _place(scalar: Scalar) -> _Place:
    return scalar.span.source, scalar.span.start, scalar.text


def _spaced(node: Node, forms: dict[_Place, str]) -> Node:
    if isinstance(node, Scalar):
        form = forms.get(_place(node))
        return node if form is None else Scalar(spaced(form, node.text), node.span, node.plain)
    if isinstance(node, Sequence):
        return Sequence(tuple(_spaced(item, forms) for item in node), node.span)
    entries = ((_spaced(entry.key, forms), _spaced(entry.value, forms)) for entry in node)
    return Mapping(tuple(Entry(key, value) for key, value in entries if isinstance(key, Scalar)), node.span)


def _reasons(heard: list[Heard]) -> list[str]:
    found = []
    for form, scalar in heard:
        if form == "statement" and " for " in scalar.text:
            statement = parse_statement(scalar, Findings())
            if isinstance(statement, Assign) and statement.because is not None:
                found.append(statement.because.reason.id)
    return found
