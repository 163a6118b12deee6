"""How long the language server takes for a keystroke: `python benchmarks/keystroke.py [RULESET ...]`.

A real client types a character into the ruleset and waits. Medians in milliseconds, seen from the client: the
diagnostics (the pause before a file is looked at is taken off), help and completion asked for at once, and
help once more when the file has been looked at.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from editor import CURSOR, Editor  # noqa: E402
from lsprotocol import types as lsp  # noqa: E402
from tabulate import tabulate  # noqa: E402

from rulekit.lsp.server import PAUSE  # noqa: E402

TRIALS = 9


def measured(run: Callable[[], object]) -> float:
    """Milliseconds."""
    begin = time.perf_counter()
    run()
    return (time.perf_counter() - begin) * 1000


def of_ruleset(name: str) -> list[object]:
    """A row of the table: the ruleset, its lines, and what each took."""
    text = (ROOT / "rulesets" / f"{name}.yaml").read_text("utf-8")
    times: dict[str, list[float]] = {"diagnostics": [], "help": [], "help again": [], "completion": []}
    with tempfile.TemporaryDirectory() as folder:
        editor = Editor(Path(folder))
        uri = editor.open(f"{name}.yaml", text)
        editor.diagnostics(uri)
        line = next(line for line in text.split("\n") if line.startswith("  - "))
        mark = line[:6] + CURSOR + line[6:]
        place = lsp.HoverParams(lsp.TextDocumentIdentifier(uri), editor.place(uri, mark))
        for trial in range(TRIALS):
            editor.type(uri, f"{text}\n# {'x' * trial}")
            times["help"].append(measured(lambda: editor.run(editor.client.text_document_hover_async(place))))
            editor.diagnostics(uri)
            again = measured(lambda: editor.run(editor.client.text_document_hover_async(place)))
            times["help again"].append(again)
            editor.type(uri, f"{text}\n# y{'x' * trial}")
            times["completion"].append(measured(lambda: editor.complete(uri, mark)))
            editor.diagnostics(uri)
            editor.type(uri, f"{text}\n# z{'x' * trial}")
            times["diagnostics"].append(measured(lambda: editor.diagnostics(uri)) - PAUSE * 1000)
        editor.quit()
    return [name, text.count("\n"), *(round(statistics.median(found)) for found in times.values())]


def main() -> None:
    names = sys.argv[1:] or ["sixty-six", "tichu", "hearts"]
    head = ["ruleset", "lines", "diagnostics", "help", "help again", "completion"]
    print(tabulate([of_ruleset(name) for name in names], head))  # noqa: T201


if __name__ == "__main__":
    main()
