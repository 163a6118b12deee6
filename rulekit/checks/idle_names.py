"""Words, orders and fields of slots that nothing reads."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rulekit.checks.study import Study
from rulekit.diagnostics import Findings
from rulekit.program import patterns as p
from rulekit.program import types as t
from rulekit.program.walk import walk

_BUILT_IN = ("color", "face")  #: word types of the language


def check(study: Study, findings: Findings) -> None:
    """Declared and named nowhere else."""
    _words(study, findings)
    _orders(study, findings)
    _fields(study, findings)


def _named_once(study: Study, name: str) -> bool:
    """The file says the name once, where it is declared. In a variant it may be the base that uses it."""
    text = study.program.span.source.text if study.program.span is not None else "extends:"
    return not re.search("^extends:", text, re.MULTILINE) and len(re.findall(rf"\b{name}\b", text)) == 1


def _words(study: Study, findings: Findings) -> None:
    program = study.program
    used = {name for of in _types(study) for name in _word_types(of)}
    used |= {state.per for state in program.state.values() if state.per}
    used |= {zone.per for zone in program.zones.values() if zone.per}
    for name in program.words:
        if name not in used and name not in _BUILT_IN and _named_once(study, name):
            help = f"declare something of it: `mine: {name}`"
            _report(study, findings, f"word type `{name}`", "words", name, help)


def _types(study: Study) -> Iterator[t.Type]:
    program = study.program
    parts = (program.state, program.options, program.defines, program.facts)
    for group in parts:
        yield from (part.type for part in group.values())
    yield from (local.type for local in program.locals)
    yield from (field.type for zone in program.zones.values() for field in zone.fields)


def _word_types(of: t.Type) -> Iterator[str]:
    match of:
        case t.Word(name):
            yield name
        case t.Optional(inner) | t.SetOf(inner) | t.SeqOf(inner) | t.BagOf(inner) | t.SelectionsOf(inner):
            yield from _word_types(inner)
        case t.Key(parts):
            for part in parts:
                yield from _word_types(part)


def _orders(study: Study, findings: Findings) -> None:
    program = study.program
    used = {
        x.order for pattern in program.patterns.values() for x in walk(pattern) if isinstance(x, p.Constraint)
    }
    for name in program.orders:
        if name not in used and _named_once(study, name):
            help = f"use it in a pattern: `consecutive {name}`"
            _report(study, findings, f"order `{name}`", "orders", name, help)


def _fields(study: Study, findings: Findings) -> None:
    for zone in study.program.zones.values():
        for field in zone.fields:
            if _named_once(study, field.name):
                help = f"read it somewhere: `{field.name} of pile`"
                _report(study, findings, f"field `{field.name}` of `{zone.name}`", "zones", field.name, help)


def _report(study: Study, findings: Findings, what: str, section: str, name: str, help: str) -> None:
    findings.warning(
        "RK665", f"{what} is never used", study.key(section, name), help=f"{help}; or leave it out"
    )
