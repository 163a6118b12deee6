"""A WebAssembly function under construction: its instructions, and the locals they use."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


class Code:
    """``lines``: the instructions so far, in text form.

    Locals are taken from a pool, and go back to it when the `locals_here` around them ends, so a long
    function gets along with few of them.
    """

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.declared: list[tuple[str, str]] = []
        self._free: dict[str, list[str]] = {"i32": [], "i64": []}
        self._open: list[list[tuple[str, str]]] = [[]]
        self._labels = 0

    def put(self, *lines: str) -> None:
        self.lines += lines

    def local(self, type: str) -> str:
        """A local of one's own until the `locals_here` around it ends; what it holds is not known."""
        if self._free[type]:
            name = self._free[type].pop()
        else:
            name = f"${type}_{len(self.declared)}"
            self.declared.append((name, type))
        self._open[-1].append((type, name))
        return name

    @contextmanager
    def locals_here(self) -> Iterator[None]:
        """Locals taken inside are free again afterwards."""
        self._open.append([])
        yield
        for type, name in reversed(self._open.pop()):
            self._free[type].append(name)

    @contextmanager
    def captured(self) -> Iterator[list[str]]:
        """Instructions put inside go to the list it gives, and not into the function."""
        before, self.lines = self.lines, []
        yield self.lines
        self.lines = before

    def label(self, name: str) -> str:
        """A new label."""
        self._labels += 1
        return f"${name}_{self._labels}"

    def declarations(self) -> list[str]:
        return [f"(local {name} {type})" for name, type in self.declared]
