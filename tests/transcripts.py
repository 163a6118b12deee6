"""Runs the commands in documentation pages and writes down what they print.

    python tests/transcripts.py docs/command-line.md ...

Fenced blocks of the kind `console` hold commands after `$ ` and what they print; what is typed at a prompt
stands after it (`P1> 2`). All blocks of a page run in order in one empty folder. A block marked
`console changing` holds what changes with the rulesets that ship; it is kept up to date, but not tested.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BLOCK = re.compile(r"^```console( changing)?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PROMPT = re.compile(r"^(P\d+> )", re.MULTILINE)


def blocks(page: str) -> list[tuple[bool, str]]:
    """The blocks of a page: is it tested, and its text."""
    return [(not match[1], match[2]) for match in BLOCK.finditer(page)]


def rendered(page: str) -> str:
    """The page with the output that its commands have now."""
    with tempfile.TemporaryDirectory() as folder:
        run = _runner(Path(folder))
        return BLOCK.sub(lambda match: f"```console{match[1] or ''}\n{_block(match[2], run)}```", page)


def _block(text: str, run: Callable[[str, str], str]) -> str:
    """A block with what its commands print now."""
    found = []
    for part in re.split(r"^(?=\$ )", text, flags=re.MULTILINE):
        if not part.startswith("$ "):
            continue
        command = part.split("\n", 1)[0][2:]
        typed = re.findall(r"^P\d+> (.+)$", part, re.MULTILINE)
        output = run(command, "".join(line + "\n" for line in typed))
        output = _with_answers(output, typed)
        found.append(f"$ {command}\n{output.rstrip()}\n" if output.strip() else f"$ {command}\n")
    return "".join(re.sub(r"[ \t]+$", "", one, flags=re.MULTILINE) for one in found)


def _with_answers(output: str, typed: list[str]) -> str:
    """The output with what was typed after each prompt."""
    answers = iter(typed)
    return PROMPT.sub(lambda match: f"{match[1]}{next(answers, '')}\n", output)


def _runner(folder: Path) -> Callable[[str, str], str]:
    """Runs commands in a folder, with a `rulekit` that is the one of this repository."""
    tools, work = folder / "bin", folder / "work"
    tools.mkdir()
    work.mkdir()
    script = tools / "rulekit"
    script.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m rulekit "$@"\n')
    script.chmod(0o755)
    environment = {
        **os.environ,
        "PATH": f"{tools}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
        "PYTHONIOENCODING": "utf-8",
        "NO_COLOR": "1",
        "COLUMNS": "100",
    }

    def run(command: str, typed: str) -> str:
        done = subprocess.run(
            ["/bin/sh", "-c", command],
            input=typed,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            cwd=work,
            env=environment,
            timeout=300,
        )
        return done.stdout

    return run


def main(paths: list[str]) -> None:
    """Bring the pages up to date."""
    for path in map(Path, paths):
        page = path.read_text("utf-8")
        new = rendered(page)
        if new != page:
            path.write_text(new, encoding="utf-8")
        sys.stdout.write(f"{path}: {'as it was' if new == page else 'brought up to date'}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
