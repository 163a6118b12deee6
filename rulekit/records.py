"""Frozen dataclasses that are quick to define.

A program and its syntax are some two hundred small frozen classes, and `dataclasses` compiles six methods
for each of them: a fifth of the time in which `rulekit` starts. Here `__eq__`, `__hash__` and `__repr__`
are made without compiling anything; they say the same.
"""

from __future__ import annotations

import dataclasses
from operator import attrgetter
from typing import TYPE_CHECKING, Any

_NAMES = ("__repr__", "__eq__", "__hash__")

if TYPE_CHECKING:
    from dataclasses import dataclass
else:

    def dataclass(cls: type | None = None, /, **options: Any) -> Any:
        """`dataclasses.dataclass`; what is frozen and has no slots is made in the quick way."""
        if cls is None:
            return lambda cls: dataclass(cls, **options)
        if not options.get("frozen") or not options.keys() <= {"frozen", "kw_only"}:
            return dataclasses.dataclass(cls, **options)
        written = [cls.__dict__.get(name) is not None for name in _NAMES]
        if cls.__doc__ is None:
            cls.__doc__ = cls.__name__  # else a signature is worked out to make one
        made = dataclasses.dataclass(cls, repr=False, eq=False, **options)
        for there, name, method in zip(written, _NAMES, _methods(made), strict=True):
            if not there:
                setattr(made, name, method)
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


__all__ = ["dataclass"]
