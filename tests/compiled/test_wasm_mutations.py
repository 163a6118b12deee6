"""Faults planted in the WebAssembly emitter are found (see `wasm_mutations`)."""

from __future__ import annotations

import pytest
import wasm_mutations

#: A file of the emitter, what is changed there, and into what.
SLIPS = (
    ("wat_library", "shifted(30)", "shifted(29)"),
    ("wat_expressions", '"and": "i64.and"', '"and": "i64.or"'),
    ("wat_statements", 'put(f"local.get {word}", "i64.ctz"', 'put(f"local.get {word}", "i64.clz"'),
)


@pytest.mark.parametrize(("file", "old", "new"), SLIPS)
def test_a_planted_slip_is_found(file: str, old: str, new: str) -> None:
    start = wasm_mutations.source_of(file).index(old)
    assert wasm_mutations.run(wasm_mutations.Mutant(file, start, start + len(old), new), seeds=12)


@pytest.mark.long
def test_nine_of_ten_mutants_are_found() -> None:
    """The rest are mostly no faults at all: a sign that never matters, a bound that is never reached."""
    chosen = list(wasm_mutations.mutants())[::11]
    found = [mutant for mutant in chosen if wasm_mutations.run(mutant, seeds=60)]
    assert len(found) >= 0.85 * len(chosen)
