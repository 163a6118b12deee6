"""Variants: a ruleset told by what differs from another one.

`extends` names the base; `options` gives new defaults, `fix` names options that cannot be changed,
and `change`, `add` and `remove` name parts by id path (see `paths`). The result is a ruleset in full,
each part of which still knows the file it stands in.

What the design leaves open is decided like this. A list (of statements, of duties) is replaced whole by
`change`; one entry of a chain of duties has a path of its own. `add` makes the mapping around a new part
if there is none (`phases.round.state.x` where the phase has no state yet, even if it is a bare list), and
puts it last, or where the order of keys wants it, unless `before:` or `after:` names a neighbour; the part
itself then is the rest of the mapping, or its `is`. Parts are removed first, then changed, then added. The
examples of the base are not inherited: a change may make them false. `sources` are added to those of the
base; `fix` stays in the result, for whoever builds the options, and what it names is closed for variants
of the variant too.
"""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import PurePath

from rulekit.diagnostics import Findings, Note, Span, nearest
from rulekit.source.document import Entry, Mapping, Node, Scalar, Sequence
from rulekit.source.load import Opened, Shelf
from rulekit.source.mend import mended
from rulekit.source.order import RULESET_KEYS
from rulekit.source.patches import Patches
from rulekit.source.paths import same_texts
from rulekit.source.schema import check_structure, kind_of
from rulekit.source.yaml import read_document

MAX_VARIANTS = 3
"""A variant of a variant of a variant can still be followed by a reader."""

_OWN = ("rulekit", "name", "title", "family", "text")
_ASSIGN = re.compile(r"\s*(?<![=!<>])=(?!=)\s*")


def load_document(opened: Opened, findings: Findings) -> Mapping | None:
    """The whole ruleset in a file: read, checked, and with its bases if it is a variant.

    None if nothing can be done with it; the findings then hold errors. A document with errors in single
    places is returned, so that later checks can say more.
    """
    node = read_document(opened.source, findings)
    if node is None:
        return None
    kind = kind_of(node)
    blocks = opened.shelf.blocks()
    check_structure(node, findings, "variant" if kind == "variant" else "ruleset", blocks)
    if not isinstance(node, Mapping):
        return None
    _check_name(node, opened, findings)
    if any(item.suggestion == "extends" for item in findings.items):
        return None  # a variant, and nobody knows of what
    if kind != "variant":
        return mended(node, findings)
    if findings.has_errors:
        return None
    whole = resolve(node, opened.shelf, findings)
    if whole is not None and not findings.has_errors:
        check_structure(whole, findings, "ruleset", blocks)
    return whole


def _check_name(node: Mapping, opened: Opened, findings: Findings) -> None:
    """A ruleset is found by its file's name, so it had better be called so."""
    name = node.get("name")
    stem = PurePath(opened.source.name).stem
    if opened.shelf.folder is not None and isinstance(name, Scalar) and name.text not in ("", stem):
        findings.warning(
            "RK214",
            f"`{name.text}` stands in the file `{PurePath(opened.source.name).name}`",
            name.span,
            expected=f"the file `{name.text}.yaml`",
            help="rename the file or the ruleset: others extend it by the name of its file",
        )


def resolve(node: Mapping, shelf: Shelf, findings: Findings) -> Mapping | None:
    """``node`` in full: itself if it is no variant, else its base with all that differs.

    ``shelf`` is where the base is looked up. None if a base cannot be read or is no ruleset.
    """
    chain = [node]
    names = [_name(node)]
    while (extends := chain[-1].get("extends")) is not None:
        if not isinstance(extends, Scalar):
            return None
        if len(chain) > MAX_VARIANTS:
            findings.error(
                "RK752",
                f"`{names[0]}` is more than {MAX_VARIANTS} variants away from a whole ruleset",
                extends.span,
                help="extend a ruleset nearer to the root: " + ", ".join(f"`{name}`" for name in names[1:]),
            )
            return None
        if extends.text in names:
            findings.error(
                "RK751",
                "variants that go round in a circle: "
                + ", ".join(f"`{name}` extends `{base}`" for name, base in pairwise([*names, extends.text])),
                extends.span,
                help="one of them must be a whole ruleset",
            )
            return None
        opened = shelf.ruleset(extends.text, extends.span, findings)
        base = _read_base(opened, extends, findings)
        if opened is None or base is None:
            return None
        shelf = opened.shelf
        chain.append(base)
        names.append(extends.text)
    whole = chain.pop()
    while chain:
        whole = _apply(whole, chain.pop(), findings)
    return whole


def _name(node: Mapping) -> str:
    name = node.get("name")
    return name.text if isinstance(name, Scalar) else ""


def _read_base(opened: Opened | None, extends: Scalar, findings: Findings) -> Mapping | None:
    if opened is None:
        return None
    own = Findings()
    base = read_document(opened.source, own)
    if base is not None:
        check_structure(base, own, blocks=opened.shelf.blocks())
    findings.extend(own.items)
    if own.has_errors or not isinstance(base, Mapping):
        findings.error(
            "RK750",
            f"the base `{extends.text}` has errors of its own",
            extends.span,
            help=f"correct `{opened.source.name}` first",
        )
        return None
    return base


def _apply(base: Mapping, variant: Mapping, findings: Findings) -> Mapping:
    """``base`` with all that ``variant`` says."""
    _check_fixed(base, variant, findings)
    patches = Patches(findings)
    whole = patches.apply(base, variant)
    parts = {entry.key.text: entry for entry in whole if entry.key.text != "examples"}
    for key in (*_OWN, "examples"):
        own = variant.entry(key)
        if own is not None:
            parts[key] = own
    for key in ("sources", "fix"):
        own = variant.entry(key)
        if own is not None:
            parts[key] = _joined(parts.get(key), own)
    options = variant.get("options")
    declared = parts.get("options")
    names = declared.value if declared and isinstance(declared.value, Mapping) else None
    if isinstance(options, Mapping):
        for entry in options:
            names = _new_default(names, entry, findings)
    if declared and names is not None:
        parts["options"] = Entry(declared.key, names)
    for item in _scalars(variant.get("fix")):
        if names is None or item.text not in names:
            _no_option(item, names, findings)
    place = {key: index for index, key in enumerate(RULESET_KEYS)}
    ordered = sorted(parts.values(), key=lambda entry: place.get(entry.key.text, len(place)))
    return Mapping(tuple(ordered), variant.span)


def _check_fixed(base: Mapping, variant: Mapping, findings: Findings) -> None:
    """Report what touches an option that the base has fixed."""
    closed = {item.text: item for item in _scalars(base.get("fix"))}
    wishes = {key.text: key for key in _keys(variant.get("options"))}
    paths = [*_keys(variant.get("change")), *_keys(variant.get("add")), *_scalars(variant.get("remove"))]
    for path in paths:
        section, _, rest = path.text.partition(".")
        if section == "options":
            wishes.setdefault(rest.partition(".")[0], path)
    for name, at in wishes.items():
        if name in closed:
            findings.error(
                "RK761",
                f"the base has fixed `{name}`",
                at.span,
                expected="an option that is still open",
                help="extend the ruleset in which it can be chosen",
                notes=[Note("fixed here", closed[name].span)],
            )
    for again in _scalars(variant.get("fix")):
        if again.text in closed:
            findings.warning(
                "RK755",
                f"`{again.text}` is fixed in the base already",
                again.span,
                help="leave it out",
                notes=[Note("fixed here", closed[again.text].span)],
            )


def _keys(node: Node | None) -> list[Scalar]:
    return [entry.key for entry in node] if isinstance(node, Mapping) else []


def _scalars(node: Node | None) -> list[Scalar]:
    return [item for item in node if isinstance(item, Scalar)] if isinstance(node, Sequence) else []


def _joined(first: Entry | None, second: Entry) -> Entry:
    """One list after another, what is said twice once."""
    if first is None or not isinstance(first.value, Sequence) or not isinstance(second.value, Sequence):
        return second
    fresh = [item for item in second.value if not any(same_texts(item, old) for old in first.value)]
    return Entry(second.key, Sequence((*first.value.items, *fresh), second.value.span))


def _new_default(options: Mapping | None, wish: Entry, findings: Findings) -> Mapping | None:
    """The options with another default for one of them."""
    name = wish.key.text
    entry = options.entry(name) if options is not None else None
    if options is None or entry is None:
        _no_option(wish.key, options, findings)
        return options
    option = entry.value
    declaration = option.get("is") if isinstance(option, Mapping) else option
    if not isinstance(declaration, Scalar) or not isinstance(wish.value, Scalar):
        return options
    parted = _ASSIGN.search(declaration.text)
    kind = declaration.text[: parted.start()] if parted else declaration.text
    before = declaration.text[parted.end() :].strip() if parted else None
    if before == wish.value.text.strip():
        findings.warning(
            "RK755",
            f"`{before}` is the default of `{name}` in the base already",
            wish.value.span,
            help="leave the line out",
            notes=[Note("declared here", declaration.span)],
        )
        return options
    new = _declared(kind, wish.value)
    value: Node = new
    if isinstance(option, Mapping):
        value = Mapping(tuple(Entry(e.key, new) if e.key.text == "is" else e for e in option), option.span)
    entries = tuple(Entry(e.key, value) if e.key.text == name else e for e in options)
    return Mapping(entries, options.span)


def _declared(kind: str, default: Scalar) -> Scalar:
    """`TYPE = START` with the type of the base and the start of the variant, that is the place to blame."""
    text = f"{kind} = {default.text}"
    at = default.span.start
    places = default.offsets or (*[at] * len(default.text), default.span.end)
    return Scalar(text, default.span, True, (*[at] * (len(kind) + 3), *places))


def _no_option(name: Scalar, options: Mapping | None, findings: Findings) -> None:
    close = nearest(name.text, options.keys() if options is not None else ())
    listed = ", ".join(f"`{key}`" for key in options.keys()) if options is not None else "none"  # noqa: SIM118
    span: Span = name.span
    findings.error(
        "RK758",
        f"the base has no option `{name.text}`",
        span,
        expected=None if close else f"one of its options: {listed}",
        help=f"did you mean `{close}`?"
        if close
        else f"to make a new one write `options.{name.text}` under `add`",
        suggestion=close,
    )
