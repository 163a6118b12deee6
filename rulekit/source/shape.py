"""Whether plain data fits a JSON Schema: a quick look before jsonschema, which tells what is wrong.

Nearly every file that is read is right, and jsonschema takes a tenth of the time of reading it to find
nothing, and as long again to be imported. Here a schema becomes functions, once. They answer as jsonschema
does; of a schema with a keyword that they do not know there is no such function.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

Check = Callable[[Any], bool]

_MOST_KEYS = 4096  #: keys of a mapping whose checks are remembered
_TYPES: dict[str, Check] = {
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list),
    "string": lambda value: isinstance(value, str),
    "integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "boolean": lambda value: isinstance(value, bool),
}
_ABOUT = frozenset(
    {"title", "description", "default", "examples", "definitions", "$schema", "$id", "$comment"}
)
_OF_MAPPINGS = frozenset({"properties", "patternProperties", "additionalProperties"})


class _Unknown(Exception):
    """A keyword that is not understood here."""


def check_of(schema: Any) -> Check | None:
    """A function that says if plain data (dict, list, str, int, bool) fits.

    None if the schema is not understood. It may hold itself, as one does whose `$ref` have been replaced by
    what they refer to.
    """
    try:
        return _Maker().check(schema)
    except _Unknown:
        return None


class _Maker:
    def __init__(self) -> None:
        self.known: dict[int, list[Check]] = {}  # by the identity of the schema; empty while it is being made

    def check(self, schema: Any) -> Check:
        if isinstance(schema, bool):
            return lambda value: schema
        made = self.known.get(id(schema))
        if made is None:
            made = self.known[id(schema)] = []
            made.append(_all(self._checks(schema)))
        if made:
            return made[0]
        return lambda value: made[0](value)  # a schema inside itself

    def _checks(self, schema: dict[str, Any]) -> list[Check]:
        found: list[Check] = []
        for keyword, content in schema.items():
            if keyword in _OF_MAPPINGS or keyword in _ABOUT or keyword in ("then", "else"):
                continue
            if keyword == "if":
                found.append(self.either(content, schema))
            elif keyword in _KEYWORDS:
                found.append(_KEYWORDS[keyword](self, content))
            else:
                raise _Unknown
        if _OF_MAPPINGS & schema.keys():
            found.append(self._entries(schema))
        return found

    # ------------------------------------------------------------ keywords

    def type(self, names: str | list[str]) -> Check:
        kinds = [names] if isinstance(names, str) else names
        if not set(kinds) <= _TYPES.keys():
            raise _Unknown
        if len(kinds) == 1:
            return _TYPES[kinds[0]]
        checks = [_TYPES[kind] for kind in kinds]
        return lambda value: any(check(value) for check in checks)

    def enum(self, values: list[Any]) -> Check:
        if not all(isinstance(value, str | int) for value in values):
            raise _Unknown
        listed = {(type(value), value) for value in values}  # `true` is not 1
        return lambda value: isinstance(value, str | int) and (type(value), value) in listed

    def min_length(self, least: int) -> Check:
        return lambda value: not isinstance(value, str) or len(value) >= least

    def pattern(self, pattern: str) -> Check:
        search = re.compile(pattern).search
        return lambda value: not isinstance(value, str) or search(value) is not None

    def minimum(self, least: int) -> Check:
        number = _TYPES["integer"]
        return lambda value: not number(value) or value >= least

    def items(self, schema: Any) -> Check:
        if not isinstance(schema, dict):
            raise _Unknown
        check = self.check(schema)
        return lambda value: not isinstance(value, list) or all(map(check, value))

    def min_items(self, least: int) -> Check:
        return lambda value: not isinstance(value, list) or len(value) >= least

    def min_properties(self, least: int) -> Check:
        return lambda value: not isinstance(value, dict) or len(value) >= least

    def max_properties(self, most: int) -> Check:
        return lambda value: not isinstance(value, dict) or len(value) <= most

    def required(self, names: list[str]) -> Check:
        return lambda value: not isinstance(value, dict) or all(name in value for name in names)

    def property_names(self, schema: Any) -> Check:
        check = self.check(schema)
        return lambda value: not isinstance(value, dict) or all(map(check, value))

    def either(self, condition: Any, schema: dict[str, Any]) -> Check:
        holds = self.check(condition)
        then, other = self.check(schema.get("then", True)), self.check(schema.get("else", True))
        return lambda value: then(value) if holds(value) else other(value)

    def _entries(self, schema: dict[str, Any]) -> Check:
        """The values of a mapping, each by the schemas that its key calls for."""
        named = {key: self.check(part) for key, part in schema.get("properties", {}).items()}
        patterns = [
            (re.compile(pattern).search, self.check(part))
            for pattern, part in schema.get("patternProperties", {}).items()
        ]
        others = self.check(schema.get("additionalProperties", True))
        remembered: dict[str, Check] = {}

        def check_of_key(key: str) -> Check:
            checks = [check for search, check in patterns if search(key)]
            if key in named:
                checks.append(named[key])
            found = _all(checks) if checks else others
            if len(remembered) >= _MOST_KEYS:
                remembered.clear()
            remembered[key] = found
            return found

        def check(value: Any) -> bool:
            if not isinstance(value, dict):
                return True
            for key, part in value.items():  # noqa: SIM110 - a third faster than `all`
                if not (remembered.get(key) or check_of_key(key))(part):
                    return False
            return True

        return check


_KEYWORDS: dict[str, Callable[[_Maker, Any], Check]] = {
    "type": _Maker.type,
    "enum": _Maker.enum,
    "minLength": _Maker.min_length,
    "pattern": _Maker.pattern,
    "minimum": _Maker.minimum,
    "items": _Maker.items,
    "minItems": _Maker.min_items,
    "minProperties": _Maker.min_properties,
    "maxProperties": _Maker.max_properties,
    "required": _Maker.required,
    "propertyNames": _Maker.property_names,
}


def _all(checks: list[Check]) -> Check:
    match checks:
        case []:
            return lambda value: True
        case [one]:
            return one
        case [one, two]:
            return lambda value: one(value) and two(value)
    return lambda value: all(check(value) for check in checks)


__all__ = ["check_of"]
