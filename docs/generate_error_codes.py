"""Writes `docs/error-codes.md` from the pages that `rulekit explain` shows.

python docs/generate_error_codes.py            writes the file anew
python docs/generate_error_codes.py --check    tells whether it is out of date (exit code 1)
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path

from rulekit.diagnostics.codes import Page, all_pages

FILE = Path(__file__).parent / "error-codes.md"

HEADING = """\
# Error codes

Every finding has a code. An error keeps a file from being played, a warning does not.
`rulekit explain CODE` prints the same pages; this file is made from them by `docs/generate_error_codes.py`.
"""


def document() -> str:
    """The whole file."""
    pages = all_pages()
    return "".join([HEADING, "\n", *_contents(pages), *(_section(page) for page in pages)])


def _contents(pages: Iterable[Page]) -> Iterable[str]:
    yield "| code | | |\n|---|---|---|\n"
    for page in pages:
        yield f"| [{page.code}](#{page.code.lower()}) | {page.severity} | {page.title} |\n"
    yield "\n"


def _section(page: Page) -> str:
    parts = [f"## {page.code}", f"**{page.title}** ({page.severity})", page.what, page.why]
    for label, example in (("Wrong:", page.bad), ("Right:", page.good)):
        if example:
            text = example.rstrip("\n")
            ticks = "````" if "```" in text else "```"
            parts.append(f"{label}\n\n{ticks}yaml\n{text}\n{ticks}")
    return "\n\n".join(part.strip("\n") for part in parts) + "\n\n"


def main(arguments: list[str]) -> int:
    new = document()
    if "--check" in arguments:
        stale = not FILE.exists() or FILE.read_text(encoding="utf-8") != new
        if stale:
            sys.stderr.write("docs/error-codes.md is out of date: run docs/generate_error_codes.py\n")
        return int(stale)
    FILE.write_text(new, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
