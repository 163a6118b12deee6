"""A located document as YAML text again, in the style in which rule files are written.

What is short stands on one line, in `{ }` and `[ ]`; what is long is spread out, one entry a line.
Statements stand one below the other. Reading the text gives the same document: `read(to_yaml(x))` has
the texts of `x` in the same places.
"""

from __future__ import annotations

import re

from rulekit.source.document import Entry, Mapping, Node, Scalar, Sequence

WIDTH = 100
"""Lines are broken where they would be longer."""

# Always spread out, however short: these are the chapters of a rule file.
_CHAPTERS = frozenset(
    {
        "options",
        "card",
        "words",
        "patterns",
        "zones",
        "state",
        "define",
        "play",
        "phases",
        "moves",
        "examples",
    }
)
# Lists of short sentences that are no statements.
_LISTS = frozenset({"when", "then", "result", "sources", "fix", "remove"})
_PLAIN_START = re.compile(r"[^\s\-?:,\[\]{}#&*!|>'\"%@`]|-(?=[^\s,\[\]{}])")
_UNQUOTABLE = re.compile(
    r": |:$| #|[\n\t\r\x00-\x1f\x7f-\xa0\xad\u200b-\u200f\u2028-\u202f\u2060-\u2069\ufeff]"
)
_FLOW_SIGNS = re.compile(r"[,\[\]{}]|:(?=[,?\[\]{}])")
_MARKS = re.compile(r"\s*(?:---|\.\.\.)(?:\s|$)")


def to_yaml(node: Node) -> str:
    """``node`` as the text of a YAML file, ending with a line end."""
    if isinstance(node, Scalar):
        return scalar(node.text, flow=False) + "\n"
    lines: list[str] = []
    _block(node, 0, lines, top=True)
    return "\n".join(lines) + "\n" if lines else ("{}\n" if isinstance(node, Mapping) else "[]\n")


def scalar(text: str, *, flow: bool) -> str:
    """A text, quoted if it would not be read back otherwise. ``flow``: inside brackets."""
    plain = (
        text
        and text == text.strip(" ")
        and "  " not in text  # a plain text may be folded, and would lose one of the blanks
        and _PLAIN_START.match(text)
        and not _UNQUOTABLE.search(text)
        and not _MARKS.match(text)
        and not (flow and _FLOW_SIGNS.search(text))
        and text not in ("~", "null", "Null", "NULL")
    )
    if plain:
        return text
    if text.isprintable() or all(c.isprintable() or c == " " for c in text):
        if '"' not in text and "\\" not in text:
            return f'"{text}"'
        return "'" + text.replace("'", "''") + "'"
    return '"' + "".join(map(_escaped, text)) + '"'


def _escaped(character: str) -> str:
    named = {"\n": "\\n", "\t": "\\t", "\r": "\\r", '"': '\\"', "\\": "\\\\"}.get(character)
    if named:
        return named
    if character.isprintable():
        return character
    code = ord(character)
    return f"\\x{code:02X}" if code < 256 else f"\\u{code:04X}" if code < 0x10000 else f"\\U{code:08X}"


def _value(node: Scalar, *, flow: bool) -> str:
    # A text that was quoted and reads like a number or a truth value stays quoted: `rulekit: "1"`.
    if not node.plain and re.fullmatch(r"[-+]?[0-9.]+|true|false", node.text):
        return f'"{node.text}"'
    return scalar(node.text, flow=flow)


def _inline(node: Node) -> str:
    """``node`` on one line."""
    if isinstance(node, Scalar):
        return _value(node, flow=True)
    if isinstance(node, Sequence):
        return "[" + ", ".join(map(_inline, node)) + "]"
    return "{" + ", ".join(_pair(entry) for entry in node) + "}"


def _pair(entry: Entry) -> str:
    return f"{scalar(entry.key.text, flow=True)}: {_inline(entry.value)}"


def _fits(node: Node, used: int, simple: bool = False) -> bool:
    """Does ``node`` read well on one line of which ``used`` characters are taken?"""
    if isinstance(node, Scalar):
        return True
    if not simple and _statements_inside(node):
        return False
    return used + len(_inline(node)) <= WIDTH


def _statements_inside(node: Node) -> bool:
    """Lists of several entries inside others, and mappings with such lists, are spread out."""
    if isinstance(node, Scalar):
        return False
    if isinstance(node, Sequence):
        if any(isinstance(item, Mapping) for item in node):
            return True
        return len(node.items) > 1 and any(" " in item.text for item in node if isinstance(item, Scalar))
    return len(node.entries) > 8 or any(_statements_inside(entry.value) for entry in node)


def _block(node: Mapping | Sequence, indent: int, lines: list[str], *, top: bool = False) -> None:
    margin = " " * indent
    if isinstance(node, Sequence):
        for item in node:
            _item(item, indent, lines)
        return
    for entry in node:
        key = f"{margin}{scalar(entry.key.text, flow=False)}:"
        value = entry.value
        chapter = top and entry.key.text in _CHAPTERS
        if isinstance(value, Scalar):
            lines.append(f"{key} {_value(value, flow=False)}")
        elif not _parts(value) or (not chapter and _fits(value, len(key) + 1, entry.key.text in _LISTS)):
            lines.append(f"{key} {_inline(value)}")
        else:
            lines.append(key)
            _block(value, indent + 2, lines)


def _item(item: Node, indent: int, lines: list[str]) -> None:
    margin = " " * indent
    if isinstance(item, Scalar):
        lines.append(f"{margin}- {_value(item, flow=False)}")
    elif not _parts(item) or (isinstance(item, Sequence) and _fits(item, indent + 2)):
        lines.append(f"{margin}- {_inline(item)}")
    else:
        inner: list[str] = []
        _block(item, indent + 2, inner)
        inner[0] = f"{margin}- {inner[0].lstrip(' ')}"
        lines.extend(inner)


def _parts(node: Mapping | Sequence) -> int:
    return len(node.entries) if isinstance(node, Mapping) else len(node.items)
