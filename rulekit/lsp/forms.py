"""Which kind of text stands at a place: an expression, a sentence, a zone, a list of moves ..."""

from __future__ import annotations

from rulekit.lsp.context import Context, Path, schema_at

#: By the title of the place in the JSON Schema: the entry of the grammar.
_BY_TITLE = {
    "an expression": "expression",
    "an expression or a table": "key",
    "a define": "key",
    "a fact about cards": "key",
    "a declaration": "declaration",
    "an option": "declaration",
    "a state": "declaration",
    "a zone": "zone",
    "a kind of zone": "zone",
    "a pattern": "pattern",
    "a statement": "statement",
    "a set to choose from, or a list of labelled sets": "expression",
    "`highest` or `lowest` and a key": "ranking",
    "a phase to run": "running",
    "the type of a slot": "slot",
    "a type": "slot",
}
#: Places that hold names or texts of another kind.
_SPECIAL = {
    "a list of moves": "moves",
    "a name in `snake_case`": "moves",
    "a move, `P1 play 4S`": "event",
    "a path": "path",
    "the name of a ruleset": "ruleset",
    "the value of a slot": "slot value",
}


_IN_EXAMPLES = {"given": "given", "allowed": "event", "refused": "event", "options": "options"}


def form_of(context: Context) -> str:
    """The form of the value that is being typed; empty where it is prose or nothing known."""
    title = str(context.schema.get("title", ""))
    path = context.path
    if path and isinstance(path[-1], int) and _title(context, path[:-1]) == "the value of a slot":
        return "slot value"
    if path[:1] == ("fix",) or path[-2:-1] == ("fix",):
        return "options"
    if "examples" in path[:1] and "given" in path:
        return "value"
    return _BY_TITLE.get(title) or _SPECIAL.get(title, "")


def _title(context: Context, path: Path) -> str:
    return str(schema_at(context.kind, path).get("title", ""))


def key_form(context: Context) -> str:
    """The form of the key that is being typed: `head`, `slots` ...; empty for the schema's own keys."""
    path = context.path
    title = str(context.schema.get("title", ""))
    if title == "a statement":
        return "head"
    if title == "the slots of a block":
        return "slots"
    if path[:1] in (("change",), ("add",)) and len(path) == 2:
        return "path"
    if path[:1] == ("examples",) and len(path) == 4:
        return _IN_EXAMPLES.get(str(path[2]), "")
    if path[:1] == ("options",) and context.kind == "variant" and len(path) == 2:
        return "options"
    return ""


__all__ = ["form_of", "key_form"]
