"""Faults planted in the WebAssembly emitter, one at a time: do the tests find them?

    python wasm_mutations.py [--every N] [--seeds M]

lists every mutant that is not found. A mutant is an instruction (or number) in the text of a file of the
emitter that is changed to a similar one. Each runs in a process of its own, since it may loop for ever.
"""

from __future__ import annotations

import argparse
import importlib.util
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import rulekit.compiled

FILES = (
    "wat_layout",
    "wat_code",
    "wat_facts",
    "wat_library",
    "wat_expressions",
    "wat_sort",
    "wat_statements",
    "wat_blocks",
    "wat_drivers",
    "wat",
)
SECONDS = 90

#: What is looked for in the source of the emitter, and what comes in its place.
SWAPS = (
    (r"i(32|64)\.add\b", r"i\1.sub"),
    (r"i(32|64)\.sub\b", r"i\1.add"),
    (r"i(32|64)\.mul\b", r"i\1.add"),
    (r"i(32|64)\.and\b", r"i\1.or"),
    (r"i(32|64)\.or\b", r"i\1.xor"),
    (r"i(32|64)\.xor\b", r"i\1.or"),
    (r"i(32|64)\.shl\b", r"i\1.shr_u"),
    (r"i(32|64)\.shr_u\b", r"i\1.shr_s"),
    (r"i32\.shr_s\b", r"i32.shr_u"),
    (r"i(32|64)\.eq\b", r"i\1.ne"),
    (r"i(32|64)\.ne\b", r"i\1.eq"),
    (r"i32\.eqz\b", r"i32.popcnt"),
    (r"i32\.lt_s\b", r"i32.le_s"),
    (r"i32\.le_s\b", r"i32.lt_s"),
    (r"i32\.gt_s\b", r"i32.ge_s"),
    (r"i32\.ge_s\b", r"i32.gt_s"),
    (r"i32\.ge_u\b", r"i32.gt_u"),
    (r"i64\.ctz\b", r"i64.clz"),
    (r"i64\.clz\b", r"i64.ctz"),
    (r"i64\.popcnt\b", r"i64.ctz"),
    (r"i32\.div_([su])\b", r"i32.rem_\1"),
    (r"i32\.rem_([su])\b", r"i32.div_\1"),
    (r"i32\.div_u\b", r"i32.div_s"),
    (r"\.load8_u\b", r".load8_s"),
    (r"\.load16_u\b", r".load16_s"),
    (r"\.load16_s\b", r".load16_u"),
    (r"\.load8_s\b", r".load8_u"),
    (r"extend_i32_u\b", r"extend_i32_s"),
    (r"i(32|64)\.const 1\b", r"i\1.const 2"),
    (r"i(32|64)\.const 0\b", r"i\1.const 1"),
    (r"i32\.const 63\b", r"i32.const 62"),
    (r"64 \* (word|number|after)", r"63 * \1"),
    (r"offset \+ 1\b", r"offset"),
    (r"\breversed\(", r"list("),
)


@dataclass(frozen=True)
class Mutant:
    file: str
    start: int
    end: int
    new: str

    def source(self) -> str:
        text = source_of(self.file)
        return text[: self.start] + self.new + text[self.end :]

    def __str__(self) -> str:
        text = source_of(self.file)
        line = text.count("\n", 0, self.start) + 1
        shown = text[text.rfind("\n", 0, self.start) + 1 : text.find("\n", self.end)].strip()
        return f"{self.file}.py:{line}: {text[self.start : self.end]} -> {self.new}    {shown}"


def source_of(file: str) -> str:
    return (Path(next(iter(rulekit.compiled.__path__))) / f"{file}.py").read_text()


def mutants() -> Iterator[Mutant]:
    """All there are, in the order of the files."""
    for file in FILES:
        text = source_of(file)
        for pattern, new in SWAPS:
            for match in re.finditer(pattern, text):
                # Tables from names to instructions and words of the prose are not code.
                if not text[text.rfind("\n", 0, match.start()) + 1 :].lstrip().startswith(("#", ";;")):
                    yield Mutant(file, match.start(), match.end(), match.expand(new))


def plant(mutant: Mutant) -> None:
    """The emitter is loaded anew, with the mutant's file changed."""
    for file in FILES:
        sys.modules.pop(f"rulekit.compiled.{file}", None)
    for file in FILES:
        name = f"rulekit.compiled.{file}"
        spec = importlib.util.spec_from_loader(name, loader=None)
        assert spec is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        setattr(rulekit.compiled, file, module)
        text = mutant.source() if file == mutant.file else source_of(file)
        exec(compile(text, f"{file}.py", "exec"), module.__dict__)


def survives(mutant: Mutant, seeds: range) -> bool:
    """No random module shows a difference, nor do the tests made by hand. Whatever else goes wrong is a
    difference too."""
    plant(mutant)
    from wasm_agree import compare, compare_rolls
    from wasm_random import Seeded, make

    from rulekit.compiled import wasm

    assert wasm.emit_wat is sys.modules["rulekit.compiled.wat"].emit_wat
    for seed in seeds:
        try:
            module = make(Seeded(seed))
            compare(module, seed)
            if seed % 4 == 0:
                compare_rolls(module, seed)
        except Exception:
            return False
    import pytest

    folder = Path(__file__).parent
    files = [str(folder / f"test_wasm_{name}.py") for name in ("expressions", "statements", "runtime")]
    # A handler for signals that comes after that of wasmtime would end the process at the first trap.
    plain = ["-x", "-q", "-n", "0", "-p", "no:cacheprovider", "-p", "no:faulthandler", "-k", "not writers"]
    return pytest.main([*plain, *files]) == 0


def run(mutant: Mutant, seeds: int) -> bool:
    """Whether a mutant is found, tried in a process of its own; one that never ends is found."""
    planted = (mutant.file, str(mutant.start), str(mutant.end), mutant.new)
    command = [sys.executable, __file__, "--seeds", str(seeds), "--planted", *planted]
    try:
        result = subprocess.run(command, timeout=SECONDS, capture_output=True, check=False)
    except subprocess.TimeoutExpired:
        return True
    ended = result.stdout.split()[-1:]
    if ended not in ([b"survives"], [b"found"]) and result.returncode >= 0:  # not even a signal
        raise RuntimeError(f"{mutant} could not be tried:\n{result.stderr.decode()}")
    return ended != [b"survives"]


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--every", type=int, default=1, help="only each of so many mutants")
    parser.add_argument("--seeds", type=int, default=60, help="how many random modules are tried")
    parser.add_argument("--planted", nargs=4, help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.planted:
        file, start, end, new = chosen.planted
        planted = Mutant(file, int(start), int(end), new)
        sys.stdout.write("\nsurvives" if survives(planted, range(chosen.seeds)) else "\nfound")
        return
    some = list(mutants())[:: chosen.every]
    alive = [mutant for mutant in some if not run(mutant, chosen.seeds)]
    for mutant in alive:
        sys.stdout.write(f"not found: {mutant}\n")
    sys.stdout.write(f"{len(some) - len(alive)} of {len(some)} mutants found\n")


if __name__ == "__main__":
    main()
