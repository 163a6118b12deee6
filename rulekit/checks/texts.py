"""What stands in braces in a text is an option, or a number that options and players decide."""

from __future__ import annotations

from collections.abc import Iterator

from rulekit.checks.study import Study
from rulekit.diagnostics import Findings, Span, nearest
from rulekit.program.constants import NotConstant, constant_value
from rulekit.program.program import DefineDef, Part, Program
from rulekit.program.texts import MARK


def check(study: Study, findings: Findings) -> None:
    """Warn of `{name}` in a text where no such value is known before the game begins."""
    program = study.program
    known = {*program.options, *settled(program)}
    for text, span, own in texts(program):
        for found in MARK.finditer(text):
            name = found[1]
            if name not in known and name not in own and study.own(span):
                near = nearest(name, known)
                findings.warning(
                    "RK664", f"`{found[0]}` in a text stands for nothing", where(span, found[0]),
                    expected="the name of an option, or of a define that options and players decide",
                    help=f"did you mean `{{{near}}}`?" if near else None, suggestion=near,
                )  # fmt: skip


def where(span: Span | None, mark: str) -> Span | None:
    """The mark itself, which stands in or after the place of the part."""
    at = -1 if span is None else span.source.text.find(mark, span.start)
    return span if span is None or at < 0 else span.source.span(at, at + len(mark))


def settled(program: Program) -> Iterator[str]:
    """Defines that options and the number of players decide."""
    options = {option.name: option.start for option in program.options.values()}
    for define in program.defines.values():
        try:
            if not define.parameters and isinstance(
                constant_value(define.body, options, program.players[0]), int
            ):
                yield define.name
        except NotConstant:
            continue


def texts(program: Program) -> Iterator[tuple[str, Span | None, tuple[str, ...]]]:
    """Every text of the file that a value may stand in, with the place of its part and its parameters."""
    if program.text:
        yield program.text, program.span, ()
    parts: list[Part] = [
        part
        for group in (
            program.options, program.zones, program.state, program.facts, program.defines, program.phases,
            program.moves,
        )
        for part in group.values()
    ]  # fmt: skip
    parts += [choice for move in program.moves.values() for choice in move.choices]
    for part in parts:
        if part.text:
            own = part.parameters if isinstance(part, DefineDef) else ()
            yield part.text, part.span, tuple(program.locals[number].name for number in own)
