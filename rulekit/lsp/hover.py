"""What stands at a place, told in a few lines: the meaning of a name, of a key, the type of an expression."""

from __future__ import annotations

from rulekit.diagnostics import Span
from rulekit.lsp.analysis import Analysis
from rulekit.lsp.built_in import keyword
from rulekit.lsp.context import node_at, schema_at
from rulekit.lsp.index import Mention, Symbol
from rulekit.source.document import Scalar
from rulekit.source.schema import kind_of


def hover(analysis: Analysis, offset: int) -> tuple[Span, str] | None:
    """The place that is told about and the text in Markdown; None if there is nothing to tell."""
    mention = analysis.index.at(analysis.source.name, offset)
    if mention is not None:
        return mention.span, told(analysis, mention)
    found = None if analysis.document is None else node_at(analysis.document, offset)
    if found is None or analysis.document is None:
        return None
    path, key, scalar = found
    schema = schema_at(kind_of(analysis.document), path)
    if key and scalar.text in schema_at(kind_of(analysis.document), path[:-1]).get("properties", {}):
        return scalar.span, _key(scalar.text, schema.get("title", ""), schema.get("description", ""))
    return _word(scalar, offset) or _expression(analysis, offset) or _place(scalar, schema, key)


def told(analysis: Analysis, mention: Mention) -> str:
    """All that is known of a name: how it is declared, its type here, its prose, where it stands."""
    symbol = mention.symbol
    types = analysis.rules.compiler.world.types if analysis.rules.compiler is not None else None
    here = (types or {}).get(mention.span)
    of = str(here) if here is not None else symbol.of
    kind = "word of the language" if symbol.kind == "built-in" else symbol.kind
    lines = [f"```rulekit\n{symbol.head or symbol.name}\n```", f"**{kind}**" + (f" · {of}" if of else "")]
    if symbol.place:
        lines[-1] += f" · {symbol.place}"
    if symbol.prose:
        lines.append(symbol.prose)
    if symbol.span is not None and not mention.declares:
        lines.append(f"*{symbol.span.file}, line {symbol.span.line}*")
    return "\n\n".join(lines)


def _key(name: str, title: str, description: str) -> str:
    return f"**{name}**" + (f" · {title}" if title else "") + (f"\n\n{description}" if description else "")


def _word(scalar: Scalar, offset: int) -> tuple[Span, str] | None:
    """A word that joins or begins something: `where`, `move`."""
    text = scalar.span.source.text
    start = end = offset
    while start > scalar.span.start and (text[start - 1].isalnum() or text[start - 1] == "_"):
        start -= 1
    while end < scalar.span.end and (text[end].isalnum() or text[end] == "_"):
        end += 1
    word: Symbol | None = keyword(text[start:end])
    if word is None or not _in_language(scalar):
        return None
    return Span(scalar.span.source, start, end), f"```rulekit\n{word.head}\n```\n\n{word.prose}"


def _in_language(scalar: Scalar) -> bool:
    """Prose may hold any word: a text with a capital first or a full stop is prose."""
    text = scalar.text.strip()
    return bool(text) and not (text[0].isupper() and text[1:2].islower()) and not text.endswith((".", "?"))


def _expression(analysis: Analysis, offset: int) -> tuple[Span, str] | None:
    """The smallest expression around a place, and its type."""
    compiler = analysis.rules.compiler
    types = (compiler.world.types if compiler is not None else None) or {}
    around = [
        span
        for span in types
        if span.start <= offset < span.end and span.file == analysis.source.name and span.text.strip()
    ]
    if not around:
        return None
    span = min(around, key=lambda span: span.end - span.start)
    return span, f"```rulekit\n{' '.join(span.text.split())}\n```\n\n{types[span]}"


def _place(scalar: Scalar, schema: dict[str, object], key: bool) -> tuple[Span, str] | None:
    description = schema.get("description")
    if not isinstance(description, str) or key:
        return None
    return scalar.span, description


__all__ = ["hover", "told"]
