"""Catalogues of translations: found beside the rule file and among the shipped ones, read, checked."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from rulekit.diagnostics import Findings, SourceFile, nearest
from rulekit.program import Program
from rulekit.program.program import OptionDef
from rulekit.program.setup import Setup, prepare
from rulekit.program.texts import filled
from rulekit.rulebook import rulebook
from rulekit.rulebook.catalogue import (
    COMMON,
    Catalogue,
    Translation,
    ids,
    marks,
    normal,
    read_catalogue,
    says_something,
)
from rulekit.rulebook.document import texts
from rulekit.rulebook.translate import NOTE, UI, Translated, translate
from rulekit.source.document import Mapping
from rulekit.source.load import Opened, data_folder
from rulekit.source.schema import check_structure
from rulekit.source.yaml import read_document

if TYPE_CHECKING:
    from rulekit.diagnostics import Span

FOLDER = "locale"


def parts_of(program: Program) -> Iterator[str]:
    """The files that a program is made of, itself first: `hockey-1961`, `hockey`, `blocks/turns`."""
    yield program.name
    seen = {program.name}
    for part in (
        *program.moves.values(), *program.phases.values(), *program.zones.values(), *program.options.values(),
        *program.defines.values(), *program.state.values(),
    ):  # fmt: skip
        span: Span | None = part.span
        if span is None:
            continue
        path = Path(span.source.name)
        name = f"blocks/{path.stem}" if path.parent.name == "blocks" else path.stem
        if name not in seen:
            seen.add(name)
            yield name


def folders(program: Program) -> Iterator[Path]:
    """Where catalogues of a program may lie."""
    if program.span is not None:
        beside = Path(program.span.source.name).parent / FOLDER
        if beside.is_dir():
            yield beside
    yield data_folder("rulesets") / FOLDER


def languages(program: Program) -> list[str]:
    """The languages that a ruleset has a catalogue in: its own, or its base's."""
    own = [name for name in parts_of(program) if not name.startswith("blocks/")]
    found = {
        path.parent.name
        for folder in folders(program)
        for name in own
        for path in folder.glob(f"*/{name}.yaml")
    }
    return sorted(found)


def catalogues(program: Program, language: str) -> list[Catalogue]:
    """The catalogues of a language for a ruleset, the nearest first: its own, its base's, blocks', common.

    Raises ValueError if there is none for the ruleset itself. A file with mistakes is left out;
    `rulekit validate` tells them.
    """
    known = languages(program)
    if language not in known:
        near = nearest(str(language), known)
        there = f"did you mean `{near}`?" if near else "there is " + (", ".join(["en", *known]))
        raise ValueError(f"`{program.name}` is not translated into `{language}`: {there}")
    found = []
    for name in (*parts_of(program), COMMON):
        for folder in folders(program):
            path = folder / language / f"{name}.yaml"
            if path.is_file():
                catalogue = read(SourceFile(str(path), path.read_text(encoding="utf-8")), Findings())
                if catalogue is not None:
                    found.append(catalogue)
                break
    return found


def read(source: SourceFile, findings: Findings) -> Catalogue | None:
    """A catalogue file; None if its structure is wrong, which is reported."""
    node = read_document(source, findings)
    if node is None:
        return None
    check_structure(node, findings, "locale")
    return None if findings.has_errors or not isinstance(node, Mapping) else read_catalogue(node)


def translated(setup: Setup, language: str) -> Translated:
    """The rulebook of a setup in a language."""
    setup = filled(setup)
    return translate(rulebook(setup), catalogues(setup.program, language), setup)


def to_translate(setup: Setup, language: str) -> list[str]:
    """The sentences of a setup's rulebook that are not translated, numbers left open, each once."""
    if language == "en":
        said = texts(rulebook(filled(setup)).blocks)
        return list(dict.fromkeys(normal(text) for text in said if says_something(text)))
    return list(dict.fromkeys(normal(text) for text in translated(setup, language).missing))


# ---------------------------------------------------------------- checks


def check_catalogue(opened: Opened, program: Program | None, findings: Findings) -> None:
    """Report what is wrong with a catalogue of ``program`` (None: of a block, or common)."""
    catalogue = read(opened.source, findings)
    if catalogue is None:
        return
    for sentence, entry in (*catalogue.sentences.items(), *catalogue.texts.items()):
        of = sentence if entry in catalogue.sentences.values() else entry.of or ""
        if entry.key is not None and marks(entry.text) - marks(normal(of) if of else entry.text):
            wrong = sorted(marks(entry.text) - marks(normal(of)))[0]
            findings.error(
                "RK771", f"`{{{wrong}}}` stands for nothing", entry.span,
                expected="the numbers that stand in the English sentence",
            )  # fmt: skip
    if program is None:
        return
    known = ids(program)
    for key, entry in catalogue.texts.items():
        check_id(key, entry, known, findings)
    said = spoken(program) if catalogue.sentences else set()
    for sentence, entry in catalogue.sentences.items():
        if sentence not in said:
            near = nearest(sentence, said)
            findings.warning(
                "RK772", "the rulebook says no such sentence", entry.key,
                help=f"now it says: {near}" if near else "the rules have changed: leave it out",
            )  # fmt: skip


def check_id(key: str, entry: Translation, known: dict[str, str], findings: Findings) -> None:
    """Report an id that the rules have not, or a text that has changed since it was translated."""
    if key not in known:
        near = nearest(key, known)
        findings.error(
            "RK770", f"the rules have no text `{key}`", entry.key,
            expected="`title`, `text`, `moves.NAME`, `options.NAME` ...",
            help=f"did you mean `{near}`?" if near else None, suggestion=near,
        )  # fmt: skip
    elif entry.of is not None and entry.of != known[key]:
        findings.warning(
            "RK773", f"`{key}` has changed since it was translated", entry.key,
            help=f"it now says: {known[key]}",
        )  # fmt: skip


def spoken(program: Program) -> set[str]:
    """All sentences that the rulebook may say: for each number of players, and each option changed."""
    found = {normal(text) for text in (NOTE, *UI)}
    for setup in setups(program):
        book = rulebook(setup)
        parts = [
            part for text in texts(book.blocks) for part in (text, *text.split(" ... "), *text.split(", "))
        ]
        found |= {normal(part) for part in parts}
        found |= {part for _, name in book.card_names for part in (name, *name.split(" of "))}
    return found


def setups(program: Program) -> Iterator[Setup]:
    """The tables whose rulebooks are looked at."""
    low, high = program.players
    for players in range(low, high + 1):
        yield prepare(program, players)
    for option in program.options.values():
        for value in values(option):
            for players in dict.fromkeys((low, high)):
                try:
                    yield prepare(program, players, {option.name: value})
                except ValueError:
                    continue


def values(option: OptionDef) -> tuple[int | bool, ...]:
    """The other values of an option that the rulebook may tell in other words."""
    if option.fixed:
        return ()
    if option.words:
        return tuple(n for n in range(len(option.words)) if n != option.start)
    if isinstance(option.start, bool):
        return (not option.start,)
    low, high = getattr(option.type, "low", 0), getattr(option.type, "high", 0)
    found = option.values or tuple(dict.fromkeys((low, option.start + 1, high)))
    return tuple(value for value in found if value != option.start and option.accepts(value))


__all__ = ["catalogues", "check_catalogue", "languages", "to_translate", "translated"]
