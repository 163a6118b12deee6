"""Every code has a page, and the examples on the page do what it says."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from rulekit.diagnostics import Findings, SourceFile, codes
from rulekit.source.load import open_text
from rulekit.source.schema import check_structure
from rulekit.source.variants import load_document
from rulekit.source.yaml import read_document

PACKAGE = Path(codes.__file__).parent.parent
# Areas whose codes are raised by the rooms `source` and `diagnostics`, and can be told from the file alone.
OURS = ("source", "structure", "variants")
# No text can show these: they are about files, not about what is in them.
WITHOUT_EXAMPLE = {"RK100", "RK101", "RK102", "RK214", "RK750", "RK752", "RK760"}

PAGES = [page for page in codes.all_pages() if page.area in OURS]


def run(text: str, kind: str) -> set[str]:
    """The codes that a text yields, as far as its YAML, its structure and its bases go."""
    findings = Findings()
    if kind == "variant":
        load_document(open_text(text), findings)
    else:
        node = read_document(SourceFile("page.yaml", text), findings)
        if node is not None and kind != "yaml":
            check_structure(node, findings)
    return {found.code for found in findings.items}


def raised() -> set[str]:
    """Codes that stand in the source of the rooms concerned."""
    found: set[str] = set()
    for room in ("source", "diagnostics"):
        for path in (PACKAGE / room).rglob("*.py"):
            text = re.sub(r'"""[\s\S]*?"""', "", path.read_text(encoding="utf-8"))
            found |= set(re.findall(r'"(RK\d{3})"', text))
    return {code for code in found if not code.startswith("RK3")}  # named where echoes are left out


def test_every_code_that_is_raised_has_a_page_and_every_page_is_raised() -> None:
    assert raised() == {page.code for page in PAGES}


def test_codes_stand_in_the_area_of_their_hundred() -> None:
    for page in PAGES:
        assert {"source": "RK1", "structure": "RK2", "variants": "RK7"}[page.area] in page.code


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.code)
def test_the_bad_example_yields_the_code_and_the_good_one_nothing(page: codes.Page) -> None:
    assert bool(page.bad) == bool(page.good) == (page.code not in WITHOUT_EXAMPLE)
    if page.bad:
        assert run(page.bad, page.kind) == {page.code}
        assert run(page.good, page.kind) == set()


@pytest.mark.parametrize("page", codes.all_pages(), ids=lambda page: page.code)
def test_every_page_is_complete(page: codes.Page) -> None:
    assert re.fullmatch(r"RK\d{3}", page.code)
    assert page.severity in ("error", "warning")
    assert page.title
    assert page.what
    assert page.why
    assert page.text().startswith(f"{page.code}: {page.title}")


def test_a_page_is_found_however_the_code_is_written() -> None:
    assert codes.page(" rk205 ") == codes.page("RK205") is not None
    assert codes.page("RK999999") is None


def test_pages_are_read_only_when_asked_for() -> None:
    program = "import rulekit.diagnostics, sys; sys.exit('yaml' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], cwd=PACKAGE.parent, check=False).returncode == 0
