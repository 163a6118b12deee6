"""Where rule files come from: a path, a name among the shipped ones, or text at hand."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from pathlib import Path
from stat import S_ISDIR, S_ISREG
from typing import NamedTuple

from rulekit.diagnostics import Findings, SourceFile, Span, nearest
from rulekit.source.yaml import MAX_BYTES, too_large

RULESET_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
BLOCK_NAME = re.compile(r"[a-z][a-z0-9_]*")
MARK = "\ufeff"  #: the byte order mark that some editors put before the text: it says nothing


def data_folder(kind: str) -> Path:
    """The folder ``kind`` (`rulesets`, `schemas`): of the installed package, else of the repository."""
    package = Path(__file__).resolve().parent.parent
    installed = package / "_data" / kind
    return installed if installed.is_dir() else package.parent / kind


def shipped_rulesets() -> list[str]:
    """Names of the rulesets that come with rulekit, in alphabetical order."""
    return sorted(path.stem for path in data_folder("rulesets").glob("*.yaml"))


def shipped_blocks() -> list[str]:
    """Names of the blocks that come with rulekit, in alphabetical order."""
    return sorted(path.stem for path in (data_folder("rulesets") / "blocks").glob("*.yaml"))


@dataclass(frozen=True)
class Shelf:
    """Where the names in one rule file are looked up: beside that file, then among the shipped ones.

    ``folder`` is that of the file, None for a text that lies in no folder; ``shown`` is how messages
    call the folder, ending with a slash, or empty. ``edited`` are texts that count instead of those
    of the files, by absolute path: what an editor has not saved yet.
    """

    folder: Path | None = None
    shown: str = ""
    edited: Mapping[Path, str] = field(default_factory=dict)

    def ruleset(self, name: str, at: Span | None, findings: Findings) -> Opened | None:
        """The ruleset ``name``, as `extends` at the place ``at`` asks for it."""
        found = self._find(name, at, findings, RULESET_NAME, "", shipped_rulesets, "ruleset")
        return self._noted("ruleset", name, found)

    def block(self, name: str, at: Span | None, findings: Findings) -> Opened | None:
        """The block file ``name``, as a statement at the place ``at`` uses it.

        A block lies beside the ruleset or in a folder `blocks` there, else among the shipped ones.
        """
        found = self._find(name, at, findings, BLOCK_NAME, "blocks", shipped_blocks, "block")
        return self._noted("block", name, found)

    def _noted(self, kind: str, name: str, found: Opened | None) -> Opened | None:
        noted = _lookups.get()
        if noted is not None:
            what = None if found is None else (found.source.name, found.source.text)
            noted.append(Lookup(self, kind, name, what))
        return found

    def has_block(self, name: str) -> bool:
        """Is there a block file of this name?"""
        noted = _lookups.get()
        if noted is not None:
            noted.append(Lookup(self, "has_block", name, self._has_block(name)))
        return self._has_block(name)

    def _has_block(self, name: str) -> bool:
        if not BLOCK_NAME.fullmatch(name):
            return False
        return any((folder / f"{name}.yaml").is_file() for folder, _ in self._folders("blocks"))

    def is_block(self, name: str) -> bool:
        """Is the file that `block` finds by this name really a block, and not a ruleset?"""
        paths = (folder / f"{name}.yaml" for folder, _ in self._folders("blocks"))
        path = next((path for path in paths if path.is_file()), None)
        if path is None:
            return False
        with path.open("rb") as stream:
            return re.search(rb"^block\s*:", stream.read(4096), re.MULTILINE) is not None

    def blocks(self) -> list[str]:
        """Names that may be blocks: of files in the folder, and of those that come with rulekit."""
        stems = [path.stem for folder, _ in self._folders("blocks") for path in folder.glob("*.yaml")]
        return sorted({stem for stem in stems if BLOCK_NAME.fullmatch(stem)})

    def _folders(self, inner: str) -> list[tuple[Path, str]]:
        """The folders to search, each with what messages call it."""
        shipped = data_folder("rulesets")
        found: list[tuple[Path, str]] = []
        if self.folder is not None:
            found.append((self.folder, self.shown))
            if inner:
                found.append((self.folder / inner, f"{self.shown}{inner}/"))
        shown = f"rulesets/{inner}/" if inner else "rulesets/"
        found.append((shipped / inner if inner else shipped, shown))
        return found

    def _find(
        self,
        name: str,
        at: Span | None,
        findings: Findings,
        pattern: re.Pattern[str],
        inner: str,
        shipped: Callable[[], list[str]],
        kind: str,
    ) -> Opened | None:
        if not pattern.fullmatch(name):
            findings.error(
                "RK130",
                f"`{name}` is not the name of a {kind}",
                at,
                expected="small letters, digits and hyphens: a name, not a path"
                if kind == "ruleset"
                else "small letters, digits and underscores: a name, not a path",
                help="the file must lie in the same folder, or be one of those that come with rulekit",
            )
            return None
        for folder, shown in self._folders(inner):
            path = folder / f"{name}.yaml"
            if not path.is_file():
                continue
            if path.resolve().parent != folder.resolve():
                findings.error(
                    "RK130",
                    f"`{name}.yaml` is a link that leads out of its folder",
                    at,
                    help="put the file itself into the folder",
                )
                return None
            return self._opened(path, f"{shown}{name}.yaml", findings, at)
        beside = sorted(path.stem for path in self.folder.glob("*.yaml")) if self.folder else []
        close, listed = nearest(name, [*shipped(), *beside]), _listed(shipped())
        findings.error(
            "RK129",
            f"there is no {kind} `{name}`",
            at,
            expected=f"the name of a {kind} in the same folder or of one that comes with rulekit",
            help=f"did you mean `{close}`?" if close else f"those that come with rulekit: {listed}",
            suggestion=close,
        )
        return None

    def _opened(self, path: Path, shown: str, findings: Findings, at: Span | None) -> Opened | None:
        text = self.edited.get(path.absolute()) if self.edited else None
        opened = _opened(path, shown, findings, at) if text is None else _shelved(path, shown, text)
        return opened and replace(opened, shelf=replace(opened.shelf, edited=self.edited))


class Lookup(NamedTuple):
    """What a shelf had under a name: of a file what messages call it and its text, or whether it is there."""

    shelf: Shelf
    kind: str
    name: str
    found: tuple[str, str] | bool | None

    def holds(self) -> bool:
        """Would the shelf still give the same?"""
        if self.kind == "has_block":
            return self.shelf.has_block(self.name) is self.found
        look = self.shelf.ruleset if self.kind == "ruleset" else self.shelf.block
        opened = look(self.name, None, Findings())
        return (None if opened is None else (opened.source.name, opened.source.text)) == self.found


_lookups: ContextVar[list[Lookup] | None] = ContextVar("lookups", default=None)


@contextmanager
def noting_lookups() -> Iterator[list[Lookup]]:
    """All that shelves are asked for inside."""
    noted: list[Lookup] = []
    token = _lookups.set(noted)
    try:
        yield noted
    finally:
        _lookups.reset(token)


@dataclass(frozen=True)
class Opened:
    """The text of a rule file, and the shelf for the names in it."""

    source: SourceFile
    shelf: Shelf


def open_source(name_or_path: str | os.PathLike[str], findings: Findings) -> Opened | None:
    """A ruleset by the name of a shipped one (`sixty-six`) or by path (`my/game.yaml`).

    What has a slash or ends with `.yaml` or `.yml` is a path. None if it cannot be read; why is among
    the findings. Messages call a file as the user did.
    """
    given = os.fspath(name_or_path)
    path_like = "/" in given or os.sep in given or given.endswith((".yaml", ".yml"))
    if not path_like and RULESET_NAME.fullmatch(given) and given in shipped_rulesets():
        return _opened(data_folder("rulesets") / f"{given}.yaml", f"rulesets/{given}.yaml", findings, None)
    if path_like or _kind_of(given) is not None:
        return _opened(Path(given) if "\0" not in given else None, given, findings, None)
    close = nearest(given, shipped_rulesets())
    findings.error(
        "RK129",
        f"there is no ruleset `{given}`",
        None,
        expected="a path, or the name of a ruleset that comes with rulekit",
        help=f"did you mean `{close}`?" if close else f"there are {_listed(shipped_rulesets())}",
        suggestion=close,
    )
    return None


def open_text(text: str, name: str = "<text>") -> Opened:
    """A ruleset from text at hand. Blocks and bases are looked up among the shipped ones."""
    return Opened(SourceFile(name, text.removeprefix(MARK)), Shelf())


def _listed(names: list[str]) -> str:
    return ", ".join(f"`{name}`" for name in names) or "none"


def _kind_of(path: str) -> int | None:
    """The mode bits of a path, None if there is nothing there."""
    try:
        return os.stat(path).st_mode
    except (OSError, ValueError):
        return None


def _opened(path: Path | None, shown: str, findings: Findings, at: Span | None) -> Opened | None:
    data = _read(path, shown, findings, at)
    if data is None or path is None:
        return None
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        before = data[: error.start]
        source = SourceFile(shown, data.decode("utf-8", "replace"))
        place = len(before.decode("utf-8", "replace"))
        findings.error(
            "RK102",
            f"the file is not UTF-8 text: byte 0x{data[error.start]:02X} in line {before.count(10) + 1}",
            source.span(place, place + 1),
            help="save the file with the encoding UTF-8",
        )
        return None
    return _shelved(path, shown, text)


def _shelved(path: Path, shown: str, text: str) -> Opened:
    """A text, and the shelf of the folder that it lies in."""
    folder, _, _ = shown.rpartition("/")
    return Opened(
        SourceFile(shown, text.removeprefix(MARK)), Shelf(path.parent, f"{folder}/" if "/" in shown else "")
    )


def _read(path: Path | None, shown: str, findings: Findings, at: Span | None) -> bytes | None:
    """The bytes of a file, at most one more than allowed; a device or a pipe is never opened."""
    reason = "there is no such file"
    mode = _kind_of(str(path)) if path is not None else None
    if path is not None and mode is not None:
        if S_ISDIR(mode):
            reason = "it is a folder"
        elif not S_ISREG(mode):
            reason = "it is not an ordinary file"
        else:
            try:
                with path.open("rb") as stream:
                    data = stream.read(MAX_BYTES + 1)
            except OSError as error:
                reason = (error.strerror or "the system refuses").lower()
            else:
                if len(data) <= MAX_BYTES:
                    return data
                too_large(SourceFile(shown, "").span(0, 0), findings)
                return None
    findings.error("RK100", f"`{shown}` cannot be read: {reason}", at, help="check the path")
    return None
