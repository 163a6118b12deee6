"""Rule files with one fault each, in the folder `broken`, and what is told of each.

Beside `NAME.yaml` stands `NAME.told`: code, line and column, the text underlined, message, what was
expected, help and suggestion. `python tests/broken_files.py` writes these files anew: read the
difference before you keep it.

A fault is found by validating the file. If that says nothing it is found by running the examples, and if they
hold by playing.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import rulekit
from rulekit.diagnostics import Diagnostic, codes
from rulekit.engine.chance import streams
from rulekit.playtest.options import covering
from rulekit.playtest.wander import wander
from rulekit.program import prepare

FOLDER = Path(__file__).parent / "broken"
DEALS = 3  #: in which examples are run
GAMES = 40  #: random games, in search of a fault of the rules
DECISIONS = 300  #: of each

#: Codes that no rule file of the folder can have, and why.
ELSEWHERE = {
    "RK100": "a file that is not there (test_load, test_cli)",
    "RK101": "a file of more than a mebibyte (test_yaml)",
    "RK102": "a file that is not text (test_load)",
    "RK301": "a text of thousands of characters (test_parser)",
    "RK302": "parentheses by the hundred (test_parser)",
    "RK323": "told by the structure of the file first, as RK215 (test_reader)",
    "RK324": "told by the structure of the file first, as RK206 (test_reader)",
    "RK370": "told by the structure of the file first, as RK204 (test_reader)",
    "RK371": "told by the structure of the file first, as RK204 (test_reader)",
    "RK520": "thousands of operations in a row (test_checker_types)",
    "RK521": "hundreds of defines, each on the next (test_checker_types)",
    "RK909": "a divisor that may be 0 is told as RK518 (test_engine_values)",
    "RK707": "written out by `expand` only (test_expand)",
    "RK709": "more than a thousand uses of blocks (test_checker_blocks)",
    "RK750": "needs a base with errors beside it (test_variants)",
    "RK751": "needs files that extend each other (test_variants)",
    "RK752": "needs a long chain of files (test_variants)",
    "RK760": "more than 500 patches (test_broken_files)",
}
#: Codes of moves, options, records and snapshots, which are no findings about a file.
OF_PLAY = ("RK91", "RK92", "RK93")


def broken_files() -> list[Path]:
    """All files of the folder, by area and name."""
    return sorted(FOLDER.rglob("*.yaml"))


def told(path: Path) -> list[Diagnostic]:
    """All that is said of a file. Warnings do not count where the fault shows only while playing."""
    found = rulekit.validate(path)
    page = codes.page(path.stem.partition("-")[0])
    played = page is not None and page.code > "RK8" and page.severity == "error"
    if any(not played or one.severity is rulekit.Severity.ERROR for one in found) or not _is_ruleset(path):
        return found
    rules = rulekit.load(path)
    failed = [one for result in rules.play_examples(DEALS) for one in result.diagnostics]
    return failed or list(_faults(rules))[:1]


def _is_ruleset(path: Path) -> bool:
    """No block, and no catalogue of translations."""
    return not re.search(r"^(block|language):", path.read_text(encoding="utf-8"), re.MULTILINE)


def _faults(rules: rulekit.Ruleset) -> Iterator[Diagnostic]:
    """The faults of random games at all tables by turns."""
    from rulekit.engine import Machine

    tables = covering(rules.program)
    machines = [Machine(prepare(rules.program, table.players, table.options)) for table in tables]
    for game in range(GAMES):
        machine = machines[game % len(machines)]
        state, stream = machine.start(0, game), streams(0, game)[1]
        for _ in range(DECISIONS):
            if state.ending is not None:
                break
            stream, place = wander(stream, state.legal)
            machine.apply(state, state.legal[place])
        fault = state.ending.fault if state.ending else None
        if fault is not None:
            yield Diagnostic(fault.code, fault.message, fault.span, help="; ".join(fault.hints) or None)


def as_text(found: Diagnostic) -> str:
    """What stands in the `.told` file: a line for each thing that is said."""
    span = found.span
    assert span is not None, found
    lines = {
        "code": f"{found.code} ({found.severity.value})",
        "place": f"{span.line}:{span.column}",
        "underlined": json.dumps(span.text, ensure_ascii=False),
        "message": _plain(found.message),
        "expected": _plain(found.expected),
        "help": _plain(found.help),
        "suggestion": None if found.suggestion is None else json.dumps(found.suggestion, ensure_ascii=False),
        **{
            f"note {number}": f"{_where(note.span, span)} {_plain(note.message)}"
            for number, note in enumerate(found.notes, 1)
        },
    }
    text = "".join(f"{key}: {value}\n" for key, value in lines.items() if value is not None)
    # Long lists of a variant are of what ships, which changes for reasons of its own.
    variant = "\nextends:" in span.source.text
    return re.sub(r"(?:`[^`]+`, ){7,}`[^`]+`", "(a long list)", text) if variant else text


def _where(place: rulekit.Span, span: rulekit.Span) -> str:
    """Line and column; of another file, which changes for reasons of its own, the name alone."""
    same = place.source is span.source
    return f"{place.line}:{place.column}" if same else Path(place.file).name


def _plain(text: str | None) -> str | None:
    """On one line, without characters that cannot be seen."""
    return None if text is None else json.dumps(text, ensure_ascii=False)[1:-1].replace('\\"', '"')


def count_by_code() -> dict[str, int]:
    """How many files there are for each code that a rule file can have."""
    found = {
        page.code: 0
        for page in codes.all_pages()
        if page.code not in ELSEWHERE and not page.code.startswith(OF_PLAY)
    }
    for path in broken_files():
        code = path.stem.partition("-")[0].upper()
        found[code] = found.get(code, 0) + 1
    return found


def main() -> None:
    """Write what is told of every file."""
    for path in broken_files():
        found = told(path)
        text = "\n".join(as_text(one) for one in found)
        other = path.with_suffix(".told")
        if not other.is_file() or other.read_text(encoding="utf-8") != text:
            other.write_text(text, encoding="utf-8")
            sys.stdout.write(f"{path.relative_to(FOLDER)}: {text.partition(chr(10))[0]}\n")


if __name__ == "__main__":
    main()
