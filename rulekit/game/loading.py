"""From a rule file to a checked program: source, structure, variants, language, proofs."""

from __future__ import annotations

import gc
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from rulekit.checks import run_checks
from rulekit.diagnostics import Diagnostic, Findings
from rulekit.language import read_block, read_ruleset
from rulekit.language.compile import Compiler, run
from rulekit.language.hosts import check_block
from rulekit.language.tree import BlockTree, RulesetTree
from rulekit.program import Program
from rulekit.source.document import Mapping
from rulekit.source.load import (
    Lookup,
    Opened,
    Shelf,
    noting_lookups,
    open_source,
    open_text,
    shipped_blocks,
    shipped_rulesets,
)
from rulekit.source.mend import mended
from rulekit.source.schema import check_structure
from rulekit.source.variants import load_document
from rulekit.source.yaml import read_document

__all__ = ["Blocks", "open_rules", "read_program", "shipped_rulesets", "validate"]

Source = str | os.PathLike[str]  #: a path, the name of a shipped ruleset, or YAML text (it holds a line end)


_MOST_KEPT = 64  #: trees of blocks that are kept
_KEPT: dict[tuple[str, str], BlockTree] = {}
_MOST_PROGRAMS = 16  #: programs that are kept
_PROGRAMS: dict[tuple[str, str, Path | None, str], tuple[list[Lookup], Program]] = {}


@dataclass
class Blocks:
    """The blocks that one rule file may use, read when first asked for."""

    shelf: Shelf
    findings: Findings
    _read: dict[str, BlockTree | None] = field(default_factory=dict)

    def __call__(self, name: str) -> BlockTree | None:
        """The block of that name, None if there is none or it cannot be read (then that is reported)."""
        if name not in self._read:
            self._read[name] = None  # a block that uses itself is found by the checker
            if self.shelf.has_block(name):
                opened = self.shelf.block(name, None, self.findings)
                if opened is not None:
                    self._read[name] = self._tree(opened)
        return self._read[name]

    def _tree(self, opened: Opened) -> BlockTree | None:
        """The tree of a block; of a right one that uses no others it is kept for the next file."""
        key = (opened.source.name, opened.source.text)
        if key in _KEPT:
            return _KEPT[key]
        before, others = len(self.findings.items), len(self._read)
        tree = block_tree(opened, self.findings, self)
        if tree is not None and len(self.findings.items) == before and len(self._read) == others:
            while len(_KEPT) >= _MOST_KEPT:
                _KEPT.pop(next(iter(_KEPT)), None)
            _KEPT[key] = tree
        return tree

    def used(self) -> dict[str, BlockTree]:
        """The blocks that were asked for and could be read, by name."""
        return {name: tree for name, tree in self._read.items() if tree is not None}


def block_tree(opened: Opened, findings: Findings, blocks: Blocks) -> BlockTree | None:
    """The tree of a block file."""
    node = read_document(opened.source, findings)
    if node is None:
        return None
    check_structure(node, findings, "block")
    if not isinstance(node, Mapping):
        return None
    return read_block(mended(node, findings), findings, blocks, shipped_blocks())


def open_rules(source: Source, findings: Findings) -> Opened | None:
    """The text of a ruleset by path, by name, or as it stands (a text with a line end).

    Raises TypeError for what is none of these.
    """
    if not isinstance(source, (str, os.PathLike)):
        kind = type(source).__name__
        raise TypeError(
            f"a ruleset is given by its path, its name or its text, not by a value of type {kind}"
        )
    if isinstance(source, str) and "\n" in source:
        return open_text(source)
    return open_source(source, findings)


@dataclass
class Rules:
    """What came of reading a rule file, as far as it went; for editors also where there are errors.

    ``program`` is there only without errors, and has not been through the checks.
    """

    document: Mapping | None = None
    tree: RulesetTree | None = None
    compiler: Compiler | None = None
    program: Program | None = None


def read_rules(opened: Opened, findings: Findings, *, noting: bool = False) -> Rules:
    """A rule file read, understood and compiled. ``noting``: the types of all parts are kept, for editors."""
    rules = Rules(load_document(opened, findings))
    if rules.document is None:
        return rules
    blocks = Blocks(opened.shelf, findings)
    rules.tree = read_ruleset(rules.document, findings, blocks, shipped_blocks())
    if rules.tree is None:
        return rules
    rules.compiler = Compiler(rules.tree, findings, blocks)
    if noting:
        rules.compiler.world.types = {}
    rules.program = run(rules.compiler)
    if findings.has_errors:
        rules.program = None
    return rules


@contextmanager
def uncollected() -> Iterator[None]:
    """No search for garbage meanwhile: what is read here are trees that live on, and many of them."""
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def read_program(opened: Opened, findings: Findings) -> Program | None:
    """The program of a rule file. None if there are errors; all findings are recorded.

    The program of a file without any is kept in memory, for the same text with the same bases and blocks.
    """
    shelf = opened.shelf
    key = (opened.source.name, opened.source.text, shelf.folder, shelf.shown)
    kept = _PROGRAMS.get(key) if not (shelf.edited or findings.items) else None
    if kept is not None and all(lookup.holds() for lookup in kept[0]):
        return kept[1]
    with uncollected(), noting_lookups() as lookups:
        program = read_rules(opened, findings).program
        if program is None:
            return None
        program = run_checks(program, findings)
    if not (findings.items or shelf.edited):
        while len(_PROGRAMS) >= _MOST_PROGRAMS:
            _PROGRAMS.pop(next(iter(_PROGRAMS)), None)
        _PROGRAMS[key] = lookups, program
    return None if findings.has_errors else program


def forget() -> None:
    """No program is kept any more: all are read anew."""
    _PROGRAMS.clear()


def is_block(text: str) -> bool:
    """Does the text of a rule file look like that of a block?"""
    return re.search(r"^block\s*:", text, re.MULTILINE) is not None


def is_catalogue(text: str) -> bool:
    """Does the text look like that of a catalogue of translations? One of its keys may be misspelt."""
    keys = set(re.findall(r"^(language|of|texts|sentences|players)\s*:", text, re.MULTILINE))
    return len(keys) > 1 and "players" not in keys


def validate(source: Source) -> list[Diagnostic]:
    """All that is wrong with a ruleset or a block file, errors and warnings, in the order of the file.

    ``source`` is a path, the name of a shipped ruleset, or YAML text. Never raises for a bad file: one that
    is missing, a folder or no text is a finding (RK100 to RK102). An empty list means all is well.
    """
    findings = Findings()
    opened = open_rules(source, findings)
    if opened is None:
        return findings.sorted()
    if is_catalogue(opened.source.text):
        validate_catalogue(opened, findings)
    elif is_block(opened.source.text):
        blocks = Blocks(opened.shelf, findings)
        block = block_tree(opened, findings, blocks)
        if block is not None and not findings.has_errors:
            check_block(block, findings, lambda name: block if name == block.name.id else blocks(name))
    else:
        read_program(opened, findings)
    return findings.sorted()


def validate_catalogue(opened: Opened, findings: Findings) -> None:
    """Record what is wrong with a catalogue of translations, and where it no longer fits the rules."""
    from rulekit.game.languages import check_catalogue

    found = re.search(r"^of\s*:\s*([a-z0-9-]+)\s*$", opened.source.text, re.MULTILINE)
    program = None
    if found is not None and found[1] != "common":
        beside = Path(opened.source.name).parent.parent.parent / f"{found[1]}.yaml"
        own = Findings()
        rules = open_source(beside if beside.is_file() else found[1], own)
        program = None if rules is None else read_program(rules, own)
        if program is None:
            findings.error(
                "RK129", f"there is no ruleset `{found[1]}` that could be translated",
                opened.source.span(found.start(1), found.end(1)),
            )  # fmt: skip
    check_catalogue(opened, program, findings)
