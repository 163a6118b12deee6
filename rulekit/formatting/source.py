"""A rule file in the one form in which rule files are written."""

from __future__ import annotations

from rulekit.diagnostics import Diagnostic, Findings, RulesetError, Severity, SourceFile
from rulekit.formatting import layout, order, texts
from rulekit.formatting.edits import Edit, apply
from rulekit.game.loading import Blocks, block_tree
from rulekit.language import read_ruleset
from rulekit.language.heard import Heard, listening
from rulekit.source.document import Mapping, Node, Scalar
from rulekit.source.load import MARK, Opened, Shelf, shipped_blocks
from rulekit.source.schema import check_structure, kind_of
from rulekit.source.variants import load_document
from rulekit.source.yaml import read_document

COMMENT_GAP = 2
"""At least so many blanks in front of a comment behind something."""
_MOST_ROUNDS = 8  # mappings with an order lie at most four deep


def format_source(text: str, name: str = "<text>", shelf: Shelf | None = None) -> str:
    """The text of a ruleset, variant, block or catalogue, the same rules in canonical order and spacing.

    ``name`` is what messages call the file; ``shelf`` says where bases and blocks are looked up, among the
    shipped ones if it is missing. Formatting twice changes nothing. Lines are neither joined nor broken, and
    comments stay at the lines they belong to.

    Raises RulesetError, with ``.diagnostics``, for a file that cannot be read as rules. One that can, but has
    mistakes of names and types, is formatted all the same.
    """
    found, formatted = format_opened(Opened(SourceFile(name, text), shelf or Shelf()))
    if formatted is None:
        raise RulesetError(found)
    return formatted


def format_opened(opened: Opened) -> tuple[list[Diagnostic], str | None]:
    """What is wrong with a file so that it cannot be formatted; or nothing, and its formatted text."""
    text = opened.source.text.removeprefix(MARK).replace("\r\n", "\n")
    source = SourceFile(opened.source.name, text)
    source = _in_order(source)
    findings = Findings()
    heard = _heard(Opened(source, opened.shelf), findings)
    errors = [found for found in findings.sorted() if found.severity is Severity.ERROR]
    if errors:
        return _of_original(opened, errors), None
    formatted = laid_out(source, heard)
    _check_same(source, formatted)
    return [], formatted


def _of_original(opened: Opened, errors: list[Diagnostic]) -> list[Diagnostic]:
    """The errors as they are in the file as given, where entries stand in their old places."""
    again = Findings()
    _heard(opened, again)
    return [found for found in again.sorted() if found.severity is Severity.ERROR] or errors


def _in_order(source: SourceFile) -> SourceFile:
    """The file with its keys in order; as it is, if it cannot be read or would then say something else."""
    for _ in range(_MOST_ROUNDS):
        findings = Findings()
        root = read_document(source, findings)
        edits = order.order_edits(root) if root is not None and not findings.has_errors else []
        if not edits:
            break
        ordered = SourceFile(source.name, apply(source.text, edits))
        again = read_document(ordered, Findings())
        if again is None or root is None or order.texts_of(again) != order.texts_of(root):
            break
        source = ordered
    return source


def _heard(opened: Opened, findings: Findings) -> list[Heard]:
    """All texts of the language in a file, read by whoever reads such a file."""
    blocks = Blocks(opened.shelf, findings)
    with listening() as heard:
        document = read_document(opened.source, Findings())
        kind = kind_of(document) if document is not None else ""
        if document is not None and kind == "locale":  # all of it is prose
            check_structure(document, findings, "locale")
            return heard
        if kind == "block":
            block_tree(opened, findings, blocks)
            return heard
        whole = load_document(opened, findings)
        if isinstance(whole, Mapping):
            read_ruleset(whole, findings, blocks, shipped_blocks())
    return heard


def _check_same(source: SourceFile, formatted: str) -> None:
    """A mistake here must never spoil anybody's rules."""
    before = read_document(source, Findings())
    after = read_document(SourceFile(source.name, formatted), Findings())
    if before is None or after is None or _letters(before) != _letters(after):
        raise RuntimeError(f"formatting {source.name} would change what it says")


def _letters(node: Node) -> object:
    """A document without the blanks in its texts."""
    if isinstance(node, Scalar):
        return "".join(node.text.split())
    if isinstance(node, Mapping):
        return [("".join(entry.key.text.split()), _letters(entry.value)) for entry in node]
    return [_letters(item) for item in node]


def laid_out(source: SourceFile, heard: list[Heard]) -> str:
    """The text of a file that can be read, every line in its place and the texts in ``heard`` spaced."""
    spacing = texts.spacing_edits(heard, source)
    plan = layout.Layout(source, spacing)
    edits = sorted({*spacing, *plan.edits})
    inner = [line.inner for line in plan.lines] + [False]
    lines: list[str] = []
    at = 0
    for number, line in enumerate(plan.lines):
        first = at
        while at < len(edits) and edits[at].start < line.end:
            at += 1
        text = _line(source.text, line, edits[first:at])
        blank = not text.strip() and not line.inner
        if not (blank and (not lines or not lines[-1].strip()) and not inner[number - 1]):
            lines.append(text)
    while lines and not lines[-1].strip():
        lines.pop()
    return "\n".join(lines) + "\n"


def _line(raw: str, line: layout.Line, edits: list[Edit]) -> str:
    """One line with its edits, its indentation, and its comment where it was, if there is room."""
    stop = line.end if line.comment is None else line.comment
    whole = raw[line.start : stop]
    content = apply(whole, [Edit(e.start - line.start, e.end - line.start, e.text) for e in edits])
    content = content.lstrip(" \t")
    if content or line.inner:
        content = " " * line.indent + content
    if line.comment is None:
        return content if line.whole else content.rstrip(" \t")
    content = content.rstrip(" \t")
    column = max(line.comment - line.start, len(content) + COMMENT_GAP)
    return content.ljust(column) + raw[line.comment : line.end].rstrip(" \t")
