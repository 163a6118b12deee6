"""Frozen dataclasses that are quick to define and to make.

A program and its syntax are some two hundred small frozen classes, of which a ruleset is made by tens of
thousands. `dataclasses` compiles eight methods for each class, which was a third of the time in which
`rulekit` starts. Here nothing is compiled but `__init__`, and that only when the first object is made; the
methods say the same.
"""

from __future__ import annotations

import dataclasses
from operator import attrgetter
from typing import TYPE_CHECKING, Any

_NAMES = ("__repr__", "__eq__", "__hash__")
_PLAIN = {"init": False, "repr": False, "eq": False}  #: what the standard library is to leave to us

if TYPE_CHECKING:
    from dataclasses import dataclass
else:

    def dataclass(cls: type | None = None, /, **options: Any) -> Any:
        """`dataclasses.dataclass`; what is frozen and has no slots is made in the quick way."""
        if cls is None:
            return lambda cls: dataclass(cls, **options)
        if not options.get("frozen") or not options.keys() <= {"frozen", "kw_only", "eq"}:
            return dataclasses.dataclass(cls, **options)
        del options["frozen"]
        own = [cls.__dict__.get(name) is not None for name in _NAMES]
        if not options.pop("eq", True):
            own[1:] = True, True
        if cls.__doc__ is None:
            cls.__doc__ = cls.__name__  # else a signature is worked out to make one
        made = dataclasses.dataclass(cls, **_PLAIN, **options)
        for there, name, method in zip(own, _NAMES, _methods(made), strict=True):
            if not there:
                setattr(made, name, method)
        if "__init__" not in cls.__dict__:
            made.__init__ = _first_init
        made.__setattr__, made.__delattr__ = _no_assignment, _no_deletion
        return made


def _methods(cls: type) -> tuple[Any, Any, Any]:
    """`__repr__`, `__eq__` and `__hash__` of a dataclass."""
    fields = dataclasses.fields(cls)
    compared = [field.name for field in fields if field.compare]
    shown = [field.name for field in fields if field.repr]
    content: Any = attrgetter(*compared) if compared else lambda self: ()

    def __repr__(self: Any) -> str:
        parts = ", ".join(f"{name}={getattr(self, name)!r}" for name in shown)
        return f"{type(self).__qualname__}({parts})"

    def __eq__(self: Any, other: object) -> bool:
        if other.__class__ is self.__class__:
            return self is other or bool(content(self) == content(other))
        return NotImplemented

    def __hash__(self: Any) -> int:
        return hash(content(self))

    return __repr__, __eq__, __hash__


_names_of: dict[type, tuple[str, ...]] = {}


def field_names(cls: type) -> tuple[str, ...]:
    """The names of the fields of a dataclass, in their order."""
    found = _names_of.get(cls)
    if found is None:
        found = _names_of[cls] = tuple(field.name for field in dataclasses.fields(cls))
    return found


# ---------------------------------------------------------------- making an object


def _first_init(self: Any, *args: Any, **values: Any) -> None:
    """Stands for `__init__` until the first object of the class is made."""
    cls = next(cls for cls in type(self).__mro__ if cls.__dict__.get("__init__") is _first_init)
    init = _init(cls)
    cls.__init__ = init  # type: ignore[misc]
    init(self, *args, **values)


def _init(cls: type) -> Any:
    """`__init__` of a dataclass."""
    names: dict[str, Any] = {"_set": object.__setattr__}
    given: dict[bool, list[str]] = {False: [], True: []}
    body = []
    for field in dataclasses.fields(cls):
        value, keyword = field.name, field.kw_only is True
        if not field.init:
            raise TypeError(f"{cls.__name__}.{field.name}: every field is given when an object is made")
        if field.default is not dataclasses.MISSING:
            names[f"_of_{field.name}"] = field.default
            given[keyword].append(f"{field.name}=_of_{field.name}")
        elif field.default_factory is not dataclasses.MISSING:
            names[f"_make_{field.name}"] = field.default_factory
            names["_missing"] = dataclasses.MISSING
            given[keyword].append(f"{field.name}=_missing")
            value = f"_make_{field.name}() if {field.name} is _missing else {field.name}"
        else:
            given[keyword].append(field.name)
        body.append(f"    _set(self, {field.name!r}, {value})")
    keywords = ["*", *given[True]] if given[True] else []
    head = ", ".join(["self", *given[False], *keywords])
    if hasattr(cls, "__post_init__"):
        body.append("    self.__post_init__()")
    exec("\n".join([f"def __init__({head}):", *body, "    return"]), names)
    init = names["__init__"]
    init.__qualname__ = f"{cls.__qualname__}.__init__"
    return init


def _no_assignment(self: Any, name: str, value: object) -> None:
    raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")


def _no_deletion(self: Any, name: str) -> None:
    raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")


__all__ = ["dataclass", "field_names"]
