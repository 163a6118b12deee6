"""Compiled WebAssembly kept from one run to the next, in the user's own cache folder and nowhere else.

What is loaded is machine code and is trusted, so a folder that somebody else may write to is not used, nor a
link that leads out of it. A file that is damaged, or stood under another name, or that nobody can read or
write, is as good as none: nothing here raises.
"""

from __future__ import annotations

import hashlib
import os
import stat
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

MAGIC = b"rulekit compiled module 2\n"
MOST_FILES = 512  #: beyond so many, those not used for longest go


def folder() -> Path | None:
    """Where compiled modules are kept; None if there is no such place. `RULEKIT_CACHE` names another folder,
    or if empty none."""
    named = os.environ.get("RULEKIT_CACHE")
    if named is not None:
        return Path(named) / "wasm" if named else None
    try:
        home = Path.home()
    except RuntimeError:
        return None
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or str(home / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = str(home / "Library" / "Caches")
    else:
        base = os.environ.get("XDG_CACHE_HOME") or str(home / ".cache")
    return Path(base) / "rulekit" / "wasm"


def key(*parts: str) -> str:
    """A name for what depends on all of these texts."""
    digest = hashlib.sha256()
    for part in parts:
        data = part.encode()
        digest.update(len(data).to_bytes(8, "little") + data)
    return digest.hexdigest()


def load(name: str) -> bytes | None:
    """What was saved under a name, or None."""
    where = folder()
    if where is None or not _own(where):
        return None
    path = where / name
    try:
        with open(path, "rb", opener=_plain) as file:
            data = file.read()
    except OSError:
        return None
    head = len(MAGIC) + 32
    if data[:head] != _head(name, data[head:]):
        return None
    with suppress(OSError):
        os.utime(path)
    return data[head:]


def _head(name: str, data: bytes) -> bytes:
    """What a file begins with."""
    return MAGIC + hashlib.sha256(name.encode() + b"\n" + data).digest()


def _plain(path: str, flags: int) -> int:
    """Opens a regular file: no link, and nothing that could keep its reader waiting."""
    opened = os.open(path, flags | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    if not stat.S_ISREG(os.fstat(opened).st_mode):
        os.close(opened)
        raise OSError(f"{path} is no regular file")
    return opened


def save(name: str, data: bytes) -> None:
    """Keeps bytes under a name. Readers and other writers see the whole file or none."""
    where = folder()
    if where is None:
        return
    try:
        where.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not _own(where):
            return
        handle, temporary = tempfile.mkstemp(prefix=".", dir=where)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(_head(name, data) + data)
            os.replace(temporary, where / name)
        except OSError:
            Path(temporary).unlink(missing_ok=True)
            return
        _prune(where)
    except OSError:
        return


def _own(where: Path) -> bool:
    """The folder is the user's, and only the user can write to it."""
    try:
        found = where.stat()
    except OSError:
        return False
    if not hasattr(os, "geteuid"):
        return True  # Windows: the folder is in the user's profile
    return found.st_uid == os.geteuid() and not found.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


def _prune(where: Path) -> None:
    aged = []
    for path in where.iterdir():
        try:
            aged.append((path.stat().st_mtime, path.name))
        except OSError:
            continue
    for _, name in sorted(aged)[: max(0, len(aged) - MOST_FILES)]:
        (where / name).unlink(missing_ok=True)
