"""The code registry: what every diagnostic code means, with an example that is wrong and one that is right.

The pages are YAML lists in the folder `pages`, one file for each area, read when first asked for.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml


@dataclass(frozen=True)
class Page:
    """What `rulekit explain CODE` prints.

    ``what`` says what was found, ``why`` why it is wrong or doubtful; ``bad`` and ``good`` are examples
    of the ``kind`` told: a whole rule file (`ruleset`, `variant`, `block`), or a part of one
    (`expression`, `statement`, ...). They are data for tests too: the bad one yields the code, the good
    one yields nothing. ``area`` is the name of the file the page stands in.
    """

    code: str
    title: str
    severity: str
    what: str
    why: str
    bad: str
    good: str
    kind: str
    area: str

    def text(self) -> str:
        """The page as plain text, ending with a line end."""
        parts = [f"{self.code}: {self.title} ({self.severity})", self.what, self.why]
        for label, example in (("Wrong", self.bad), ("Right", self.good)):
            if example:
                indented = "\n".join(f"    {line}".rstrip() for line in example.rstrip("\n").split("\n"))
                parts.append(f"{label}:\n\n{indented}")
        return "\n\n".join(part.strip("\n") for part in parts) + "\n"


def page(code: str) -> Page | None:
    """The page of a code, however its letters are written, or None if there is no such code."""
    return _pages().get(code.strip().upper())


def all_pages() -> list[Page]:
    """All pages in the order of their codes."""
    return [page for _, page in sorted(_pages().items())]


def areas() -> list[str]:
    """Names of the areas, which are the files in the folder `pages`."""
    return sorted({page.area for page in _pages().values()})


@cache
def _pages() -> dict[str, Page]:
    found: dict[str, Page] = {}
    for path in sorted((Path(__file__).parent / "pages").glob("*.yaml")):
        for entry in yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader) or ():
            new = _page(entry, path.stem)
            if new.code in found:
                raise ValueError(f"{new.code} has a page in {found[new.code].area} and in {new.area}")
            found[new.code] = new
    return found


def _page(entry: dict[str, Any], area: str) -> Page:
    return Page(
        code=str(entry["code"]),
        title=str(entry["title"]),
        severity=str(entry.get("severity", "error")),
        what=str(entry["what"]).strip(),
        why=str(entry["why"]).strip(),
        bad=str(entry.get("bad", "")),
        good=str(entry.get("good", "")),
        kind=str(entry.get("kind", "ruleset")),
        area=area,
    )
