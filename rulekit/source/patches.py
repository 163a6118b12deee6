"""`change`, `add` and `remove`: parts of a base replaced, brought in or taken away by their paths."""

from __future__ import annotations

from rulekit.diagnostics import Findings, Note, Span, nearest
from rulekit.source.document import Entry, Mapping, Node, Scalar, Sequence
from rulekit.source.order import RULESET_KEYS
from rulekit.source.paths import (
    WITH_PARAMETERS,
    Spot,
    Trail,
    find,
    ids,
    is_labelled,
    remove_part,
    replace_part,
    same_texts,
)

_SECTIONS = frozenset(
    {"options", "words", "orders", "card", "patterns", "zones", "state", "define", "phases", "moves"}
)
_ADDRESSED = _SECTIONS | {"players", "teams", "requires", "deck", "play", "end"}
_PHASE_KEYS = ("text", "state", "stop when", "do", "after")
_MOVE_KEYS = ("text", "choose", "if", "layout", "do", "again")
MOST_PATCHES = 500
"""Parts that a variant may touch; with more it is no variant."""
# Keys that may join a value written without them, once the value stands under `is`.
_EXTRA = frozenset({"text", "has", "by", "weight", "wild"})


class Patches:
    """Applies what a variant changes, adds and removes, and reports what does not fit."""

    def __init__(self, findings: Findings) -> None:
        self.findings = findings

    def apply(self, base: Mapping, variant: Mapping) -> Mapping:
        """``base`` after all patches of ``variant``."""
        whole = base
        removed, changed, added = _removed(variant), _entries(variant, "change"), _entries(variant, "add")
        if len(removed) + len(changed) + len(added) > MOST_PATCHES:
            self.findings.error(
                "RK760",
                f"more than {MOST_PATCHES} parts are changed, added and removed",
                _start(variant),
                help="write a whole ruleset: `rulekit expand` prints the base in full",
            )
            return base
        clashing = self._clashes(removed, [entry.key for entry in changed], [entry.key for entry in added])
        for path in removed:
            if path not in clashing:
                whole = self._remove(whole, path)
        for entry in changed:
            if entry.key not in clashing:
                whole = self._change(whole, entry)
        for entry in added:
            if entry.key not in clashing:
                whole = self._add(whole, entry)
        return whole

    # ------------------------------------------------------------------ the three kinds

    def _remove(self, whole: Mapping, path: Scalar) -> Mapping:
        spot = self._existing(whole, path)
        if spot is None:
            return whole
        if spot.trail[-1:] == ("do",) and len(spot.trail) == 3 and len(spot.steps) == 2:
            self._bad_path(
                path, "a phase without statements", "remove the phase itself, or `change` it to `[]`"
            )
            return whole
        left = remove_part(whole, spot.steps)
        return left if isinstance(left, Mapping) else whole

    def _change(self, whole: Mapping, entry: Entry) -> Mapping:
        path, value = entry.key, entry.value
        spot = self._existing(whole, path)
        if spot is None:
            return whole
        key = self._restated(spot, path)
        if key is None and same_texts(spot.node, value):
            self.findings.warning(
                "RK755",
                f"`{path.text}` reads the same in the base",
                path.span,
                help="leave the line out",
                notes=[Note("the base has it here", _start(spot.node))],
            )
            return whole
        changed = replace_part(whole, spot.steps, value, key)
        return changed if isinstance(changed, Mapping) else whole

    def _add(self, whole: Mapping, entry: Entry) -> Mapping:
        path = entry.key
        if not self._addressed(path):
            return whole
        spot = find(whole, path.text)
        if spot.found:
            self.findings.error(
                "RK754",
                f"`{path.text}` is in the base already",
                path.span,
                help="write it under `change`",
                notes=[Note("the base has it here", _start(spot.node))],
            )
            return whole
        node, steps, trail, rest = spot.node, spot.steps, spot.trail, spot.rest
        made: list[str] = []
        while "." in rest and (section := rest.partition(".")[0]) in _makeable(trail, node):
            made.append(section)
            node, trail, rest = Mapping((), path.span), (*trail, section), rest.partition(".")[2]
        if not self._may_hold(node, trail, rest, path, spot):
            return whole
        start = len(path.text) - len(rest)
        name = Scalar(rest, path.at(start, len(path.text)), path.plain, path.offsets[start:])
        grown = self._grown(node, trail, name, entry.value)
        if grown is None:
            return whole
        while made:
            section = made.pop()
            trail = trail[:-1]
            at = path.text.find(section)
            outer = spot.node if not made else Mapping((), path.span)
            key = Scalar(section, path.at(at, at + len(section)))
            grown = _inserted(outer, trail, Entry(key, grown), None)
        changed = replace_part(whole, steps, grown)
        return changed if isinstance(changed, Mapping) else whole

    # ------------------------------------------------------------------ adding

    def _may_hold(self, node: Node, trail: Trail, rest: str, path: Scalar, spot: Spot) -> bool:
        """May a part ``rest`` be added to ``node``? If not, why is among the findings."""
        prose = trail[-1:] == ("if",) or is_labelled(node, trail)
        if "." in rest and not prose:
            self._missing(spot, path)
            return False
        if len(trail) == 2 and trail[0] in ("phases", "moves"):
            keys = _PHASE_KEYS if trail[0] == "phases" else _MOVE_KEYS
            if rest not in keys:
                kind = "phase" if trail[0] == "phases" else "move"
                self._bad_path(
                    path, f"a {kind} has no `{rest}`", "it has " + ", ".join(f"`{k}`" for k in keys)
                )
                return False
            return True
        if isinstance(node, Mapping) or is_labelled(node, trail) or rest in _EXTRA:
            return True
        what = "a list without labels" if isinstance(node, Sequence) else "a single value"
        self._bad_path(
            path,
            f"`{'.'.join(trail)}` is {what}, to which nothing can be added",
            f"write the whole of it under `change`: `{'.'.join(trail)}`",
        )
        return False

    def _grown(self, node: Node, trail: Trail, name: Scalar, value: Node) -> Node | None:
        """``node`` with the new part, beside the neighbour that the value asks for."""
        value, neighbour = self._position(value)
        if neighbour is not None and neighbour[1].text not in ids(node, trail):
            close = nearest(neighbour[1].text, ids(node, trail))
            self.findings.error(
                "RK757",
                f"there is no `{neighbour[1].text}` beside `{name.text}`",
                neighbour[1].span,
                help=f"did you mean `{close}`?" if close else None,
                expected=None if close else "one of " + ", ".join(f"`{i}`" for i in ids(node, trail)),
                suggestion=close,
            )
            return None
        where = (neighbour[0], neighbour[1].text) if neighbour else None
        return _inserted(node, trail, Entry(name, value), where)

    def _position(self, value: Node) -> tuple[Node, tuple[str, Scalar] | None]:
        """The part itself, and `before` or `after` which neighbour it goes. An `after` that is a list is
        the end of a phase."""
        if not isinstance(value, Mapping):
            return value, None
        told = [e for e in value if e.key.text in ("before", "after") and isinstance(e.value, Scalar)]
        if not told:
            return value, None
        if len(told) > 1:
            self.findings.error(
                "RK757",
                "both `before` and `after`",
                told[1].key.span,
                expected="one neighbour",
                help="leave one out",
            )
        rest = tuple(e for e in value if e not in told)
        part: Node = rest[0].value if [e.key.text for e in rest] == ["is"] else Mapping(rest, value.span)
        beside = told[0].value
        return part, (told[0].key.text, beside) if isinstance(beside, Scalar) else None

    # ------------------------------------------------------------------ paths

    def _addressed(self, path: Scalar) -> bool:
        first = path.text.partition(".")[0]
        if first in _ADDRESSED:
            return True
        if first in RULESET_KEYS:
            advice = (
                "the examples of the base are not inherited: write `examples` in the variant"
                if first == "examples"
                else f"write `{first}:` at the top of the variant"
            )
            self._bad_path(path, f"`{first}` has no path", advice)
            return False
        close = nearest(first, sorted(_ADDRESSED))
        self.findings.error(
            "RK756",
            f"`{first}` is no part of a ruleset",
            path.at(0, len(first)),
            expected=None if close else ", ".join(f"`{key}`" for key in RULESET_KEYS if key in _ADDRESSED),
            help=f"did you mean `{close}`?" if close else None,
            suggestion=close,
        )
        return False

    def _existing(self, whole: Mapping, path: Scalar) -> Spot | None:
        if not self._addressed(path):
            return None
        spot = find(whole, path.text)
        if spot.found:
            return spot
        self._missing(spot, path)
        return None

    def _missing(self, spot: Spot, path: Scalar) -> None:
        start = len(path.text) - len(spot.rest)
        names = ids(spot.node, spot.trail)
        close, shown = nearest(spot.rest, names), spot.rest
        first = spot.rest.partition(".")[0]
        if first != spot.rest and (close is None or "." not in close):
            close, shown = nearest(first, names), first
        inside = f" in `{'.'.join(spot.trail)}`" if spot.trail else " in the base"
        listed = ", ".join(f"`{name}`" for name in names)
        self.findings.error(
            "RK753",
            f"there is no `{shown}`{inside}",
            path.at(start, start + len(shown)),
            expected=None if close else f"one of {listed}" if names else "a path that ends here",
            help=f"did you mean `{close}`?" if close else None,
            suggestion=close,
            notes=[Note("the base has this part here", _start(spot.node))] if spot.trail else (),
        )

    def _bad_path(self, path: Scalar, message: str, advice: str) -> None:
        self.findings.error("RK756", message, path.span, help=advice)

    def _restated(self, spot: Spot, path: Scalar) -> Scalar | None:
        """The new key, if the path tells new parameters: `define.worth(player p)`."""
        if len(spot.trail) != 2 or spot.trail[0] not in WITH_PARAMETERS or "(" not in path.text:
            return None
        start = path.text.index(".") + 1
        return Scalar(path.text[start:], path.at(start, len(path.text)), path.plain, path.offsets[start:])

    def _clashes(self, removed: list[Scalar], changed: list[Scalar], added: list[Scalar]) -> set[Scalar]:
        """Patches that touch the same part as one before: which one counts would depend on their order."""
        clashing: set[Scalar] = set()
        whole: dict[str, Scalar] = {}  # paths as they stand
        above: dict[str, Scalar] = {}  # what lies above them
        for later in (*removed, *changed, *added):
            parents = _parents(later.text)
            # A new part may get further parts of its own: `moves.x`, then `moves.x.if.y`.
            nested = (whole[p] for p in parents if p in whole and whole[p] not in added)
            other = whole.get(later.text) or next(nested, None) or above.get(later.text)
            if other is not None:
                clashing.add(later)
                self.findings.error(
                    "RK759",
                    f"`{later.text}` meets `{other.text}`",
                    later.span,
                    expected="one patch for each part",
                    help="say it in one of them; what is removed and added is a `change`",
                    notes=[Note(f"`{other.text}` stands here", other.span)],
                )
                continue
            whole[later.text] = later
            if later not in added:
                above.update((parent, later) for parent in parents)
        return clashing


def _parents(path: str) -> list[str]:
    """The paths above a path: `moves` and `moves.lead` for `moves.lead.do`."""
    return [path[:at] for at, sign in enumerate(path) if sign == "."]


def _removed(variant: Mapping) -> list[Scalar]:
    part = variant.get("remove")
    return [item for item in part if isinstance(item, Scalar)] if isinstance(part, Sequence) else []


def _entries(variant: Mapping, key: str) -> list[Entry]:
    part = variant.get(key)
    return list(part) if isinstance(part, Mapping) else []


def _start(node: Node) -> Span:
    """The first characters of a part, for a note."""
    span = node.span
    return Span(span.source, span.start, min(span.end, span.start + 1))


def _makeable(trail: Trail, node: Node) -> frozenset[str]:
    """Mappings that may be made for the sake of a part inside them."""
    if not trail:
        return _SECTIONS
    if len(trail) == 2 and trail[0] == "phases":
        return frozenset({"state"})
    if len(trail) == 2 and trail[0] == "moves" and isinstance(node, Mapping):
        return frozenset({"if", "choose", "layout"})
    return frozenset()


def _inserted(node: Node, trail: Trail, new: Entry, where: tuple[str, str] | None) -> Node:
    """``node`` with one more entry: beside a neighbour, else where its kind of mapping wants it."""
    if isinstance(node, Sequence) and is_labelled(node, trail):
        items = list(node.items)
        names = ids(node, trail)
        at = len(items) if where is None else names.index(where[1]) + (where[0] == "after")
        items.insert(at, Mapping((new,), new.key.span.to(new.value.span)))
        return Sequence(tuple(items), node.span)
    if not isinstance(node, Mapping):
        # A phase as a bare list, or a value without `{is: ...}`: give it the key it stands for.
        key = "do" if isinstance(node, Sequence) else "is"
        node = Mapping((Entry(Scalar(key, _start(node)), node),), node.span)
    entries = list(node.entries)
    if where is not None:
        at = ids(node, trail).index(where[1]) + (where[0] == "after")
    else:
        order = _order(trail)
        place = order.index(new.key.text) if new.key.text in order else len(order)
        later = (i for i, e in enumerate(entries) if e.key.text in order and order.index(e.key.text) > place)
        at = next(later, len(entries))
    entries.insert(at, new)
    return Mapping(tuple(entries), node.span)


def _order(trail: Trail) -> tuple[str, ...]:
    if not trail:
        return RULESET_KEYS
    if len(trail) == 2:
        return {"phases": _PHASE_KEYS, "moves": _MOVE_KEYS}.get(trail[0], ())
    return ()
