"""The tables of the parser, made from the grammar once and kept beside it.

To make them takes a tenth of a second, to read them a tenth of that. The file is JSON: no code is in it. It
says for which grammar and which version of lark it was made; for any other it is not used, and the tables are
made anew in memory. `python -m rulekit.language.tables` writes it, and a test tells when that was forgotten.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import lark
from lark.grammar import Rule
from lark.lexer import TerminalDef

GRAMMAR = "grammar.lark"
TABLES = "grammar.tables.json"


def machine(forms: tuple[str, ...], builder: object) -> lark.Lark:
    """The parser for the ``forms``, whose parts ``builder`` builds."""
    grammar = _read(GRAMMAR)
    kept = _kept(grammar, forms)
    if kept is None:
        return made(grammar, forms, builder)
    data, memo = kept
    parser: lark.Lark = lark.Lark._load_from_dict(data, memo, transformer=builder)  # type: ignore[no-untyped-call]
    return parser


def made(grammar: str, forms: tuple[str, ...], builder: object = None) -> lark.Lark:
    """The parser, made from the grammar."""
    return lark.Lark(grammar, parser="lalr", lexer="contextual", start=list(forms), transformer=builder)


def written(forms: tuple[str, ...]) -> str:
    """The text of the file of tables."""
    grammar = _read(GRAMMAR)
    data, memo = made(grammar, forms).memo_serialize([TerminalDef, Rule])
    _put_in_order(data["parser"]["parser"], forms)
    content = {"made_from": _mark(grammar, forms), "data": data, "memo": memo}
    return json.dumps(content, separators=(",", ":"), ensure_ascii=True) + "\n"


def _put_in_order(table: dict[str, Any], forms: tuple[str, ...]) -> None:
    """Number tokens by name and states as they are met: lark numbers them by chance."""
    names, rows, shift = table["tokens"], table["states"], 0
    number = {name: place for place, name in enumerate(sorted(names.values()))}
    order: dict[int, int] = {}
    todo = [table["start_states"][form] for form in reversed(forms)]
    while todo:
        state = todo.pop()
        if state not in order:
            order[state] = len(order)
            row = sorted(
                (names[token], arg) for token, (action, arg) in rows[state].items() if action == shift
            )
            todo += [arg for _, arg in reversed(row)]

    def renumbered(row: dict[int, Any]) -> dict[int, Any]:
        moved = {
            number[names[token]]: (action, order[arg] if action == shift else arg)
            for token, (action, arg) in row.items()
        }
        return dict(sorted(moved.items()))

    table["tokens"] = dict(sorted((place, name) for name, place in number.items()))
    table["states"] = {place: renumbered(rows[state]) for state, place in order.items()}
    for ends in ("start_states", "end_states"):
        table[ends] = {form: order[table[ends][form]] for form in forms}


def _read(name: str) -> str:
    return Path(__file__).with_name(name).read_text("utf-8")


def _mark(grammar: str, forms: tuple[str, ...]) -> list[Any]:
    """All that the tables are made from."""
    return [grammar, list(forms), str(lark.__version__)]


def _kept(grammar: str, forms: tuple[str, ...]) -> tuple[dict[str, Any], dict[int, Any]] | None:
    """The tables of the file, None if they are for another grammar or lark."""
    try:
        content = json.loads(_read(TABLES))
    except (OSError, ValueError):
        return None
    if content.get("made_from") != _mark(grammar, forms):
        return None
    data = content["data"]
    table = data["parser"]["parser"]
    table["tokens"] = _numbered(table["tokens"])
    table["states"] = {int(state): _numbered(row) for state, row in table["states"].items()}
    return data, _numbered(content["memo"])


def _numbered(part: dict[str, Any]) -> dict[int, Any]:
    """JSON has only texts for keys."""
    return {int(key): value for key, value in part.items()}


if __name__ == "__main__":
    from rulekit.language.grammar import FORMS

    Path(__file__).with_name(TABLES).write_text(written(FORMS), encoding="utf-8")
