"""Random modules of the low-level form: generated Python and WebAssembly agree on every state."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import Any

import pytest
import wasm_random
from hypothesis import HealthCheck, given, settings
from wasm_agree import compare, compare_rolls
from wasm_random import Seeded, make, modules

from rulekit.compiled import lir
from rulekit.compiled.verify import problems

QUIET = settings(
    max_examples=15,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example],
)


@QUIET
@given(modules())
def test_random_modules_agree(module: lir.Module) -> None:
    assert problems(module) == []
    compare(module, 1)
    compare(module, 2, games=1)


@pytest.mark.parametrize("seed", range(40))
def test_seeded_modules_agree(seed: int) -> None:
    module = make(Seeded(seed))
    assert problems(module) == []
    compare(module, seed)


@pytest.mark.parametrize("width", range(1, 129, 9))
def test_packs_of_1_to_128_cards_agree(width: int) -> None:
    compare(make(Seeded(1000 + width), width), width)


@pytest.mark.parametrize("seed", range(40, 60))
def test_random_play_is_stepping(seed: int) -> None:
    """At once, in parts, side by side or alone: the same games."""
    compare_rolls(make(Seeded(seed)), seed)


def test_random_modules_use_the_whole_form() -> None:
    """Every expression, statement and operator turns up; else the tests above would prove little."""
    seen: set[str] = set()

    def look(node: Any) -> None:
        if isinstance(node, tuple):
            for item in node:
                look(item)
        elif is_dataclass(node):
            seen.add(type(node).__name__)
            if isinstance(node, lir.Binary | lir.BitOp):
                seen.add(node.op)
            for field in fields(node):
                look(getattr(node, field.name))

    for seed in range(60):
        look(make(Seeded(seed)))
    nodes = {
        item.__name__
        for item in vars(lir).values()
        if isinstance(item, type)
        and issubclass(item, lir.Expr | lir.Stmt)
        and item not in (lir.Expr, lir.Stmt)
    }
    operators = {*"+-*<>%", "//", "==", "!=", "<=", ">=", "min", "max", "and", "or", "xor", "without"}
    assert nodes | operators <= seen


@pytest.mark.long
def test_thousands_of_random_modules_agree() -> None:
    decisions = 0
    for seed in range(10_000, 13_000):
        module = make(Seeded(seed), seed % 128 + 1)
        assert problems(module) == [], seed
        decisions += compare(module, seed)
    assert decisions > 50_000
    assert wasm_random.FUEL > 0
