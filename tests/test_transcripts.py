"""The transcripts in the documentation are what the commands print."""

from __future__ import annotations

import pytest
from transcripts import ROOT, blocks, rendered

PAGES = ["docs/command-line.md", "docs/json.md"]


@pytest.mark.parametrize("path", PAGES)
def test_transcripts_are_real(path: str) -> None:
    page = (ROOT / path).read_text("utf-8")
    now = rendered(page)
    assert len(blocks(page)) > 2
    for (tested, written), (_, printed) in zip(blocks(page), blocks(now), strict=True):
        if tested:
            assert written == printed, "`make docs` brings the pages up to date"
        else:
            commands = [line for line in written.splitlines() if line.startswith("$ ")]
            assert [line for line in printed.splitlines() if line.startswith("$ ")] == commands
            assert "this is a bug" not in printed
