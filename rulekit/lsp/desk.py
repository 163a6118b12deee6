"""The files that an editor has open, what is known of each, and the files that hang together with them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from rulekit.game.loading import is_block
from rulekit.lsp.analysis import Analysis
from rulekit.lsp.index import Mention, Symbol
from rulekit.source.load import data_folder
from rulekit.source.variants import MAX_VARIANTS
from rulekit.source.yaml import MAX_BYTES

_EXTENDS = re.compile(r"^extends\s*:\s*[\"']?([a-z0-9-]+)", re.MULTILINE)
_MOST_FILES = 200  #: files of a folder that are looked through for mentions of a name


@dataclass
class Open:
    """A file that is open: its text as the editor has it, with the version that the editor counts."""

    path: Path
    text: str
    version: int


@dataclass
class Desk:
    """All open files by path, and what was found out about them.

    ``folders``: those that the editor has open, in which files may be changed by a rename.
    """

    folders: tuple[Path, ...] = ()
    files: dict[Path, Open] = field(default_factory=dict)
    _known: dict[Path, Analysis] = field(default_factory=dict)
    _last: dict[Path, Analysis] = field(default_factory=dict)

    # ------------------------------------------------------------ open files

    def put(self, path: Path, text: str, version: int) -> None:
        """A file was opened or changed."""
        self.files[path] = Open(path, text, version)
        self.forget(path)

    def close(self, path: Path) -> None:
        self.forget(path)
        self.files.pop(path, None)
        self._last.pop(path, None)

    def forget(self, path: Path) -> None:
        """A file has changed: what was known of it and of those that read it counts no more."""
        for other in [path, *self.readers(path)]:
            self._known.pop(other, None)

    def readers(self, path: Path) -> list[Path]:
        """The open files that were read together with this one."""
        return [other for other, known in self._known.items() if other != path and path in known.reads]

    def edited(self) -> dict[Path, str]:
        return {path: file.text for path, file in self.files.items()}

    # ------------------------------------------------------------ what is known

    def analysis(self, path: Path) -> Analysis | None:
        """What is known of a file, open or not; None if it cannot be read."""
        known = self._known.get(path)
        if known is None:
            text = self.text(path)
            if text is None:
                return None
            known = Analysis(text, path, self.edited())
            self.keep(known)
        return known

    def last(self, path: Path) -> Analysis | None:
        """What was last known of an open file, be it of an earlier text; now, if nothing was."""
        return self._last.get(path) or self.analysis(path)

    def keep(self, known: Analysis) -> None:
        """Take over what was found out elsewhere, unless the text has changed since."""
        file = self.files.get(known.path)
        if file is not None and file.text == known.text:
            self._known[known.path] = known
            if known.rules.compiler is not None or known.path not in self._last:
                self._last[known.path] = known

    def text(self, path: Path) -> str | None:
        file = self.files.get(path)
        if file is not None:
            return file.text
        try:
            return path.read_text(encoding="utf-8") if path.stat().st_size <= MAX_BYTES else None
        except (OSError, UnicodeDecodeError):
            return None

    # ------------------------------------------------------------ mentions in all files

    def mentions(self, analysis: Analysis, symbol: Symbol) -> dict[Path, list[Mention]]:
        """Every mention of a symbol that the file knows: in it, in what it reads, and in what reads that."""
        home = analysis.path if symbol.home is None else analysis.path_of(symbol.home.file)
        found: dict[Path, dict[tuple[int, int], Mention]] = {}
        start = None if symbol.home is None else symbol.home.start
        for other in self._related(analysis, home, symbol):
            for mention in other.index.all():
                if not _same(mention.symbol, other, symbol, home, start):
                    continue
                path = other.path_of(mention.span.file)
                found.setdefault(path, {})[mention.span.start, mention.span.end] = mention
        return {path: [found[path][place] for place in sorted(found[path])] for path in sorted(found)}

    def _related(self, analysis: Analysis, home: Path, symbol: Symbol) -> Iterator[Analysis]:
        """The file itself, where the symbol is declared, and what may build on that."""
        for path in dict.fromkeys((analysis.path, home, *self.related(analysis, symbol))):
            known = analysis if path == analysis.path else self.analysis(path)
            if known is not None:
                yield known

    def related(self, analysis: Analysis, symbol: Symbol) -> list[Path]:
        """The files that may read what is declared where the symbol is, and hold its name."""
        if symbol.home is None:
            return []
        home = analysis.path_of(symbol.home.file)
        needed = re.compile(rf"\b{re.escape(symbol.name)}\b")
        found = []
        for path in self._near(analysis.path, home):
            text = self.text(path)
            if text is not None and needed.search(text) and self._builds_on(path, text, home):
                found.append(path)
        return found

    def _builds_on(self, path: Path, text: str, home: Path) -> bool:
        """Is this the file, a variant of it (of a variant ...), or what may use it as a block?"""
        used = is_block(self.text(home) or "")
        block = re.compile(rf"\b{re.escape(home.stem)}\b") if used else None
        for _ in range(MAX_VARIANTS + 1):
            if path == home or (block is not None and block.search(text)):
                return True
            base = _EXTENDS.search(text)
            if base is None:
                return False
            beside = path.parent / f"{base[1]}.yaml"
            path = beside if self.text(beside) is not None else data_folder("rulesets") / beside.name
            text = self.text(path) or ""
        return False

    def _near(self, *paths: Path) -> list[Path]:
        """The open files, and those in the folders of these files, each with its folder `blocks`."""
        folders: dict[Path, None] = {}
        for path in paths:
            folder = path.parent.parent if path.parent.name == "blocks" else path.parent
            folders[folder] = None
            folders[folder / "blocks"] = None
        found = dict.fromkeys(self.files)
        for folder in folders:
            for path in sorted(folder.glob("*.yaml"))[:_MOST_FILES]:
                found[path] = None
        return list(found)

    def may_change(self, path: Path) -> bool:
        """Does a file belong to the author? Those that come with rulekit only if he works in their folder."""
        if path in self.files or any(folder in path.parents for folder in self.folders):
            return True
        shipped = data_folder("rulesets")
        beside = any(path.parent in (file.parent, file.parent / "blocks") for file in self.files)
        return beside and shipped not in path.parents


def _same(found: Symbol, of: Analysis, symbol: Symbol, home: Path, start: int | None) -> bool:
    """Two files read one symbol: of one name, declared at one place."""
    if (found.kind, found.name) != (symbol.kind, symbol.name):
        return False
    if found.home is None or start is None:
        return found.home is None and start is None
    return found.home.start == start and of.path_of(found.home.file) == home


def applied(text: str, edits: Mapping[tuple[int, int], str]) -> str:
    """A text with stretches of it replaced."""
    for start, end in sorted(edits, reverse=True):
        text = text[:start] + edits[start, end] + text[end:]
    return text


__all__ = ["Desk", "Open", "applied"]
