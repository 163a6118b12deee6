"""One form for expressions that say the same with another `it`."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from rulekit.program import expressions as e
from rulekit.records import field_names


def one_form(x: e.Expr) -> e.Expr:
    """The expression with the locals that it binds itself numbered by their depth: -1, -2 ...

    Each `where` has a local of its own: `any(X where C)` and `max(number of (X where C))` speak of the same
    cards, and yet are built with different numbers.
    """
    return _form(x, {})


def _form(x: e.Expr, names: dict[int, int]) -> e.Expr:
    if isinstance(x, e.Local):
        return replace(x, number=names.get(x.number, x.number))
    inside = names
    own: int | None = None
    if isinstance(x, e.Filter | e.Every | e.Collect | e.Extreme):
        own = -1 - len(names)
        inside = {**names, x.local: own}
    changed: dict[str, Any] = {} if own is None else {"local": own}
    for name in field_names(type(x)):
        value = getattr(x, name)
        scope = names if name == "domain" else inside
        if isinstance(value, e.Expr):
            changed[name] = _form(value, scope)
        elif isinstance(value, tuple) and value and all(isinstance(item, e.Expr) for item in value):
            changed[name] = tuple(_form(item, scope) for item in value)
    return replace(x, **changed) if changed else x
