"""Replays the transcripts of a page, so that what it shows is what the commands print.

    python docs/replay.py docs/tutorial.md     writes the page anew
    python docs/replay.py --check PAGE         tells whether a page is out of date (exit code 1)

For pages whose transcripts need a shell (`command-line.md`, `json.md`) there is `tests/transcripts.py`.

In a page, fences with these words after the ticks are read in order, in a folder of their own:

``yaml FILE``        the text of a file
``diff FILE``        a change to it for the next transcript only: lines that go (`-`), come (`+`) and stay;
                     `@@` parts places that are not next to each other
``diff FILE keep``   a change that stays
``console``          a transcript: lines that begin with `$ ` are run; `...` stands for lines left out
``python``           lines after `>>> ` are run, all of a page in one go; what they show follows them
"""

from __future__ import annotations

import doctest
import io
import os
import re
import shlex
import sys
import tempfile
from contextlib import chdir, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any
from unittest import mock


class OtherProgram(ValueError):
    """A transcript runs something else than rulekit."""


FENCE = re.compile(r"^```(\S.*)\n((?:(?!```).*\n)*)```$", re.MULTILINE)


def replayed(page: str) -> str:
    """The page with every transcript as the commands print it now."""
    pieces: list[str] = []
    at = 0
    undo: tuple[Path, str] | None = None
    names: dict[str, Any] = {"__name__": "page"}
    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        for match in FENCE.finditer(page):
            kind, *words = match[1].split()
            pieces.append(page[at : match.start(2)])
            at = match.end(2)
            text = match[2]
            if kind == "yaml" and words and words[0].endswith(".yaml"):
                Path(words[0]).write_text(text, encoding="utf-8")
            elif kind == "diff":
                path = Path(words[0])
                before = path.read_text(encoding="utf-8")
                path.write_text(changed(before, text), encoding="utf-8")
                undo = None if words[1:] == ["keep"] else (path, before)
            elif kind == "python" and text.startswith(">>> "):
                text = session(text, names)
            elif kind == "console":
                text = transcript(text)
                if undo is not None:
                    undo[0].write_text(undo[1], encoding="utf-8")
                    undo = None
            pieces.append(text)
    return "".join(pieces) + page[at:]


def changed(text: str, diff: str) -> str:
    """A text after a change; raises ValueError if the lines that go or stay are not there just once."""
    for hunk in re.split(r"^@@.*\n", diff, flags=re.MULTILINE):
        lines = hunk.splitlines(keepends=True)
        old = "".join(line[1:] for line in lines if line[0] in " -")
        new = "".join(line[1:] for line in lines if line[0] in " +")
        if text.count(old) != 1:
            raise ValueError(f"these lines stand {text.count(old)} times in the file:\n{old}")
        text = text.replace(old, new)
    return text


def transcript(text: str) -> str:
    """The commands of a transcript, each followed by what it prints, shortened as it was."""
    found: list[str] = []
    for part in re.split(r"^(?=\$ )", text, flags=re.MULTILINE):
        if not part:
            continue
        command, *shown = part.splitlines()
        printed = run(command.removeprefix("$ "))
        if "..." in shown:
            head = shown.index("...")
            tail = len(shown) - head - 1
            printed = [*printed[:head], "...", *(printed[-tail:] if tail else [])]
        found += [command, *printed]
    return "".join(f"{line}\n" for line in found)


def session(text: str, names: dict[str, Any]) -> str:
    """Python statements, each followed by what it shows."""
    found: list[str] = []
    for example in doctest.DocTestParser().get_examples(text):
        first, *rest = example.source.splitlines()
        output = io.StringIO()
        with redirect_stdout(output):
            exec(compile(example.source, "<page>", "single"), names)
        printed = [line.rstrip() or "<BLANKLINE>" for line in output.getvalue().splitlines()]
        found += [f">>> {first}", *(f"... {line}".rstrip() for line in rest), *printed]
    return "".join(f"{line}\n" for line in found)


def run(command: str) -> list[str]:
    """The lines that `rulekit ...` prints, on either stream."""
    from rulekit.cli.main import run as run_rulekit

    program, *arguments = shlex.split(command, comments=True)
    if program != "rulekit":
        raise OtherProgram(f"`{program}` needs a shell, and here only rulekit is run")
    output = io.StringIO()
    with (
        mock.patch.dict(os.environ, {"COLUMNS": "100", "NO_COLOR": "1"}),
        redirect_stdout(output),
        redirect_stderr(output),
    ):
        run_rulekit(arguments)
    return [line.rstrip() for line in output.getvalue().splitlines()]


def main(arguments: list[str]) -> int:
    check = "--check" in arguments
    stale = False
    for name in arguments:
        if name == "--check":
            continue
        path = Path(name).resolve()
        old = path.read_text(encoding="utf-8")
        try:
            new = replayed(old)
        except OtherProgram as error:
            sys.stderr.write(f"{name}: {error}: run `python tests/transcripts.py {name}`\n")
            return 2
        if new != old:
            stale = True
            sys.stderr.write(f"{name}: {'out of date' if check else 'written anew'}\n")
            if not check:
                path.write_text(new, encoding="utf-8")
    return 1 if check and stale else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
