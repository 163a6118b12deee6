"""The structure of a rule file, checked against its JSON Schema and told in plain words.

The schema in `schemas/` is the one statement of the structure: editors read it for help, jsonschema
validates with it here. What jsonschema says of it is for programmers; each of its errors becomes a
finding at the key or value concerned, once.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection
from functools import cache
from typing import TYPE_CHECKING, Any, Literal

from rulekit.diagnostics import Findings
from rulekit.source.document import Mapping, Node, Scalar, Sequence
from rulekit.source.load import data_folder, shipped_blocks
from rulekit.source.order import (
    BLOCK_KEYS,
    LOCALE_KEYS,
    RULESET_KEYS,
    VARIANT_KEYS,
    check_branches,
    check_order,
)
from rulekit.source.plain import Plain, to_plain
from rulekit.source.shape import Check, check_of
from rulekit.source.structure import Translator, first_line
from rulekit.source.texts import check_texts

if TYPE_CHECKING:
    from jsonschema import Draft7Validator

Kind = Literal["ruleset", "variant", "block", "locale"]

#: Keys of a catalogue of translations; two of them make one, so that one may be misspelt.
_CATALOGUE = ("language", "of", "texts", "sentences")

VERSION = "1"
"""The version of the rule language that this rulekit reads."""

_KEYS = {"ruleset": RULESET_KEYS, "variant": VARIANT_KEYS, "block": BLOCK_KEYS, "locale": LOCALE_KEYS}


def kind_of(node: Node) -> Kind:
    """What kind of rule file a document is: a `block:`, a variant (`extends:`), or a ruleset."""
    if isinstance(node, Mapping):
        if "block" in node and "rulekit" not in node:
            return "block"
        if "extends" in node:
            return "variant"
        if "players" not in node and sum(key in node for key in _CATALOGUE) > 1:
            return "locale"
    return "ruleset"


def read_schema(name: str) -> dict[str, Any]:
    """The JSON Schema ``name`` (`ruleset`, `block`) as it is shipped."""
    text = (data_folder("schemas") / f"{name}.schema.json").read_text(encoding="utf-8")
    schema: dict[str, Any] = json.loads(text)
    return schema


def check_structure(
    node: Node, findings: Findings, kind: Kind | None = None, blocks: Collection[str] | None = None
) -> None:
    """Report all that is wrong with the structure of a rule file.

    ``kind`` is what the file must be, by default what it looks like; a variant is checked before it is
    resolved, and its result as a ruleset. ``blocks`` are the names that may be used as statements
    besides those of the shipped blocks.
    """
    kind = kind or kind_of(node)
    if not isinstance(node, Mapping):
        found = "a list" if isinstance(node, Sequence) else "a text"
        findings.error(
            "RK204",
            f"the file holds {found}",
            first_line(node.span),
            expected='keys with values: `rulekit: "1"`, `name: ...`',
        )
        return
    if kind != "block" and not _known_version(node, findings):
        return
    told = check_texts(node, findings) if kind != "locale" else set()  # a catalogue is all prose
    check_order(node, _KEYS[kind], findings)
    check_branches(node, findings)
    plain = to_plain(node)
    if fits(plain, kind):
        return
    names = {*shipped_blocks(), *(blocks or ())}
    findings.extend(Translator(node, names, told).findings(_validator(kind).iter_errors(plain)))


def fits(plain: Plain, kind: Kind) -> bool:
    """Is surely nothing wrong with the structure of a document?"""
    check = _quick_check(kind)
    return check is not None and check(plain)


@cache
def linked_schema(kind: Kind) -> dict[str, Any]:
    """The JSON Schema of a kind of rule file, with what it refers to in place of each `$ref`."""
    definitions = _linked(read_schema("ruleset")["definitions"])
    if kind == "block":
        definitions = _linked({"block": read_schema("block")}, definitions)
    if kind == "locale":
        own = read_schema("locale")
        definitions = _linked({**own["definitions"], "locale": own}, definitions)
    schema: dict[str, Any] = definitions[kind]
    return schema


@cache
def _quick_check(kind: Kind) -> Check | None:
    return check_of(linked_schema(kind))


@cache
def _validator(kind: Kind) -> Draft7Validator:
    from jsonschema import Draft7Validator  # it takes long to be imported, and is seldom needed

    return Draft7Validator(linked_schema(kind))


def _linked(parts: dict[str, Any], known: dict[str, Any] | None = None) -> dict[str, Any]:
    """Schemas with each `$ref` replaced by the schema it refers to: a third of the time to validate is
    spent on looking them up. A description beside a `$ref` stands before that of the schema."""
    linked: dict[str, Any] = {**(known or {}), **{name: {} for name in parts}}
    described: list[tuple[dict[str, Any], str, str]] = []

    def link(node: Any) -> Any:
        if isinstance(node, list):
            return [link(item) for item in node]
        if not isinstance(node, dict):
            return node
        if "$ref" not in node:
            return {key: link(value) for key, value in node.items()}
        name = node["$ref"].rpartition("/")[2]
        if "description" not in node:
            return linked[name]
        own: dict[str, Any] = {}
        described.append((own, name, node["description"]))
        return own

    for name, part in parts.items():
        linked[name].update(link(part))
    for own, name, description in described:
        own.update(linked[name], description=description)
    return linked


def _known_version(node: Mapping, findings: Findings) -> bool:
    version = node.get("rulekit")
    if not isinstance(version, Scalar) or version.text in (VERSION, ""):
        return True
    numbers = re.fullmatch(r"[0-9]+(\.[0-9]+)*", version.text)
    newer = bool(numbers) and int(version.text.split(".")[0]) > int(VERSION)
    findings.error(
        "RK210",
        f"version `{version.text}` of the rule language is not known",
        version.span,
        expected=f'`"{VERSION}"`',
        help="install a newer rulekit" if newer else f'write `rulekit: "{VERSION}"`',
    )
    return False
