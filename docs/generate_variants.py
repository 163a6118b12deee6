"""Writes the table at the end of docs/variants.md: the variants that come with rulekit.

Run it after a variant has been added or changed; a test says when the page is not up to date.
"""

from __future__ import annotations

import re
from pathlib import Path

DOCS = Path(__file__).parent
RULESETS = DOCS.parent / "rulesets"
HEAD = "| variant | of | lines | text |\n|---|---|--:|---|\n"


def page() -> str:
    """The page with its table as it is now."""
    text = (DOCS / "variants.md").read_text(encoding="utf-8")
    start = text.index(HEAD)
    return text[:start] + HEAD + "".join(map(row, variants()))


def variants() -> list[Path]:
    """The files of variants, by base and name."""
    extending = [path for path in RULESETS.glob("*.yaml") if key(path, "extends")]
    return sorted(extending, key=lambda path: (key(path, "extends"), path.stem))


def row(path: Path) -> str:
    base, text = key(path, "extends"), key(path, "text").strip('"')
    return f"| `{path.stem}` | `{base}` | {lines(path)} | {text} |\n"


def key(path: Path, name: str) -> str:
    """What stands behind a key at the beginning of a line."""
    found = re.search(rf"^{name}: (.+)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    return found[1] if found else ""


def lines(path: Path) -> int:
    """Lines of rules: no examples, blank lines and comments."""
    rules = re.split(r"^examples:", path.read_text(encoding="utf-8"), maxsplit=1, flags=re.MULTILINE)[0]
    return sum(1 for line in rules.splitlines() if line.strip() and not line.lstrip().startswith("#"))


if __name__ == "__main__":
    (DOCS / "variants.md").write_text(page(), encoding="utf-8")
