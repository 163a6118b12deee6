"""One rule file looked at: what is wrong with it, and what everything in it means.

A file is looked at in two steps. `Analysis` reads and compiles it, which is enough to know the meaning of
every name; its `diagnostics` add the checks. A file whose YAML is broken is read once more without the lines
at fault, so that names keep their meaning while a line is being typed.
"""

from __future__ import annotations

from collections.abc import Mapping as Table
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from rulekit.checks import run_checks
from rulekit.diagnostics import Diagnostic, Findings, Severity, SourceFile
from rulekit.game.loading import Blocks, Rules, block_tree, is_block, read_rules
from rulekit.language import read_ruleset
from rulekit.language import tree as t
from rulekit.language.compile import Compiler, run
from rulekit.language.hosts import HOST, check_block, host_compiler
from rulekit.lsp.declared import Declared, Declaring
from rulekit.lsp.index import Index, Mention, Symbol
from rulekit.lsp.meanings import Meanings, need_symbol
from rulekit.lsp.patch_paths import declared_anew, path_mentions
from rulekit.lsp.repair import repaired
from rulekit.program import Program
from rulekit.source.document import Mapping
from rulekit.source.load import Opened, Shelf, data_folder, shipped_blocks
from rulekit.source.schema import kind_of
from rulekit.source.variants import load_document, resolve
from rulekit.source.yaml import read_document


@dataclass
class Analysis:
    """What is known about the text of a file.

    ``path``: where it lies (a mere name if it lies nowhere yet); ``edited``: texts that are not saved yet.
    """

    text: str
    path: Path
    edited: Table[Path, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.source = SourceFile(self.path.name, self.text)
        self.findings = Findings()
        self.shelf = Shelf(self.path.parent if self.path.is_absolute() else None, "", self.edited)
        self.block: t.BlockTree | None = None
        self.rules = self._read()
        self.declared, self.index = self._understood()

    # ------------------------------------------------------------ reading

    def _read(self) -> Rules:
        opened = Opened(self.source, self.shelf)
        if is_block(self.text):
            return self._read_block(opened, self.findings)
        rules = read_rules(opened, self.findings, noting=True)
        return rules if rules.compiler is not None else self._read_anyway()

    def _read_block(self, opened: Opened, findings: Findings) -> Rules:
        """A block, with a game around it."""
        blocks = Blocks(opened.shelf, findings)
        block = self.block = block_tree(opened, findings, blocks)
        rules = Rules()
        if block is None:
            return rules if findings is not self.findings else self._read_anyway()
        try:
            rules.compiler = host_compiler(block, Findings(), lambda name: self._block_or(name, blocks))
        except RecursionError:
            return rules
        if rules.compiler is not None:
            rules.compiler.world.types = {}
            run(rules.compiler)
            rules.tree = rules.compiler.tree
        return rules

    def _block_or(self, name: str, blocks: Blocks) -> t.BlockTree | None:
        return self.block if self.block is not None and name == self.block.name.id else blocks(name)

    def _read_anyway(self) -> Rules:
        """A file with errors, as far as it can be read; what is wrong with it is told already."""
        text = repaired(self.text)
        if text is None:
            return Rules()
        source = SourceFile(self.source.name, text)
        silent = Findings()
        if is_block(text):
            return self._read_block(Opened(source, self.shelf), silent)
        node = read_document(source, silent)
        if not isinstance(node, Mapping):
            return Rules()
        whole = resolve(node, self.shelf, silent) if kind_of(node) == "variant" else node
        rules = Rules(whole or node)
        blocks = Blocks(self.shelf, silent)
        rules.tree = read_ruleset(whole or node, silent, blocks, shipped_blocks())
        if rules.tree is not None:
            rules.compiler = Compiler(rules.tree, silent, blocks)
            rules.compiler.world.types = {}
            run(rules.compiler)
        return rules

    def _understood(self) -> tuple[Declared, Index]:
        """What is declared, and every mention of it."""
        compiler, tree = self.rules.compiler, self.rules.tree
        if compiler is None or tree is None:
            return Declared(), Index()
        used = compiler.blocks.used.values()
        declared = Declaring(tree, used, compiler.world).found
        if self.document is not None and "extends" in self.document:
            declared_anew(self.document, self._base, declared)
        if self.block is not None:
            for need in self.block.needs:
                declared.values[need.name.id] = need_symbol(self.block, need)
        meanings = Meanings(declared, compiler.world)
        meanings.ruleset(tree)
        meanings.blocks(used)
        found = [*meanings.found, *self._file_mentions(declared)]
        return declared, Index(mention for mention in found if mention.span.file != HOST)

    def _base(self) -> Mapping | None:
        """The ruleset that this variant builds on, in full."""
        extends = None if self.document is None else self.document.get("extends")
        opened = self.shelf.ruleset(getattr(extends, "text", ""), None, Findings())
        return None if opened is None else load_document(opened, Findings())

    def _file_mentions(self, declared: Declared) -> list[Mention]:
        """What stands beside the language: the base of a variant, and the paths of what it changes."""
        own = self.document
        if own is None or own.get("extends") is None:
            return []
        base = own.get("extends")
        found = list(path_mentions(own, declared))
        opened = self.shelf.ruleset(getattr(base, "text", ""), None, Findings())
        if opened is not None and base is not None:
            start = opened.source.span(0, 0)
            title = read_document(opened.source, Findings())
            prose = title.get("title") if isinstance(title, Mapping) else None
            text = getattr(prose, "text", None)
            symbol = Symbol("ruleset", getattr(base, "text", ""), start, opened.source.name, "", text)
            found.append(Mention(base.span, symbol))
        return found

    # ------------------------------------------------------------ what is there

    @cached_property
    def document(self) -> Mapping | None:
        """The document of this file alone, without its base; without lines that cannot be read."""
        read = self.rules.document
        if read is not None and read.span.source is self.source and "extends" not in self.text:
            return read  # of a variant that is the whole ruleset
        node = read_document(self.source, Findings())
        if node is None:
            text = repaired(self.text)
            node = None if text is None else read_document(SourceFile(self.source.name, text), Findings())
        return node if isinstance(node, Mapping) else None

    def path_of(self, file: str) -> Path:
        """Where a file lies that messages call so."""
        if file == self.source.name:
            return self.path
        if file.startswith("rulesets/"):
            return data_folder("rulesets") / file.removeprefix("rulesets/")
        return self.path.parent / file

    @cached_property
    def reads(self) -> frozenset[Path]:
        """The files that were read besides this one."""
        files = {*self.index.files, *(d.span.file for d in self.findings.items if d.span is not None)}
        return frozenset(self.path_of(name) for name in files - {self.source.name})

    # ------------------------------------------------------------ what is wrong

    @cached_property
    def diagnostics(self) -> list[Diagnostic]:
        """All that `rulekit validate` says of the file."""
        if self.block is not None:
            blocks = Blocks(self.shelf, self.findings)
            if not self.findings.has_errors:
                check_block(self.block, self.findings, lambda name: self._block_or(name, blocks))
        elif self.rules.program is not None:
            self._check(self.rules.program)
        return self.findings.sorted()

    def _check(self, program: Program) -> None:
        """What is proven about the program; if nothing was found about the very same one, nothing is now.

        So it is while a comment is written, or blanks.
        """
        if self.findings.items or not _alike(program, _CLEAN.get(self.path)):
            before = len(self.findings.items)
            run_checks(program, self.findings)
            _CLEAN.pop(self.path, None)
            if len(self.findings.items) == before:
                while len(_CLEAN) >= _MOST_CLEAN:
                    _CLEAN.pop(next(iter(_CLEAN)), None)
                _CLEAN[self.path] = program

    @property
    def errors(self) -> list[Diagnostic]:
        return [item for item in self.findings.items if item.severity is Severity.ERROR]


_MOST_CLEAN = 32
_CLEAN: dict[Path, Program] = {}  #: of files, the program about which the checks found nothing


def _alike(program: Program, other: Program | None) -> bool:
    """Do two programs say the same, in the same order, wherever it stands in the file?"""
    if other is None or program != other:
        return False
    one, two = vars(program), vars(other)
    return all(list(part) == list(two[name]) for name, part in one.items() if isinstance(part, dict))


__all__ = ["Analysis"]
