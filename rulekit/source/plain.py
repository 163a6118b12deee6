"""A located document as plain data, for tools that know nothing of places."""

from __future__ import annotations

import re
from typing import TypeAlias

from rulekit.source.document import Mapping, Node, Scalar

Plain: TypeAlias = "str | int | bool | list[Plain] | dict[str, Plain]"

_WHOLE = re.compile(r"[-+]?[0-9]{1,18}")


def to_plain(node: Node) -> Plain:
    """``node`` as dictionaries, lists, texts, whole numbers and truth values.

    Keys are texts always (`10:` is `"10"`). Texts without quotes are read by the core schema of
    YAML 1.2: `true` and `false` are truth values, `7` is a number, and all else, `no` and `1.5`
    too, is text. Numbers too long for any rule stay text; they are reported elsewhere.
    """
    if isinstance(node, Scalar):
        return scalar_value(node)
    if isinstance(node, Mapping):
        return {entry.key.text: to_plain(entry.value) for entry in node}
    return [to_plain(item) for item in node]


def scalar_value(node: Scalar) -> str | int | bool:
    """What a single text means in YAML 1.2."""
    if not node.plain:
        return node.text
    if node.text in ("true", "false"):
        return node.text == "true"
    if _WHOLE.fullmatch(node.text):
        return int(node.text)
    return node.text
