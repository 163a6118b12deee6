"""Every game that comes with rulekit has a variant that is short, sourced and shows what it changes."""

from __future__ import annotations

import importlib.util
import random
import re
from pathlib import Path

import pytest

import rulekit
from rulekit.diagnostics import Findings, RulesetError
from rulekit.source.document import Mapping, Scalar, Sequence
from rulekit.source.load import open_source
from rulekit.source.yaml import read_document

RULESETS = Path(__file__).parent.parent / "rulesets"
MOST_LINES = 15


def document(name: str) -> Mapping:
    opened = open_source(name, Findings())
    assert opened is not None
    node = read_document(opened.source, Findings())
    assert isinstance(node, Mapping)
    return node


def base_of(name: str) -> str | None:
    base = document(name).get("extends")
    return base.text if isinstance(base, Scalar) else None


BASES = {name: base for name in rulekit.shipped_rulesets() if (base := base_of(name)) is not None}
"""Every variant and what it extends."""


def text_of(name: str) -> str:
    return (RULESETS / f"{name}.yaml").read_text(encoding="utf-8")


def lines_of(name: str) -> int:
    """Lines of rules: no examples, blank lines and comments."""
    rules = re.split(r"^examples:", text_of(name), maxsplit=1, flags=re.MULTILINE)[0]
    return sum(1 for line in rules.splitlines() if line.strip() and not line.lstrip().startswith("#"))


def test_the_page_of_variants_is_up_to_date():
    """`python docs/generate_variants.py` writes it."""
    folder = Path(__file__).parent.parent / "docs"
    spec = importlib.util.spec_from_file_location("generate_variants", folder / "generate_variants.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert (folder / "variants.md").read_text(encoding="utf-8") == module.page()


@pytest.mark.parametrize("game", [name for name in rulekit.shipped_rulesets() if name not in BASES])
def test_every_game_has_a_variant_of_at_most_fifteen_lines(game):
    lines = {variant: lines_of(variant) for variant, base in BASES.items() if base == game}
    assert lines
    assert min(lines.values()) <= MOST_LINES, lines


@pytest.mark.parametrize("name", BASES)
def test_every_variant_says_what_it_is_and_where_it_comes_from(name):
    own = document(name)
    assert {"text", "sources", "examples"} <= set(own.keys())
    assert own.get("sources") != Sequence((), own.span)
    base = rulekit.load(BASES[name])
    variant = rulekit.load(name)
    assert variant.text != base.text
    assert variant.title != base.title
    assert not variant.warnings


@pytest.mark.parametrize("name", BASES)
def test_a_game_of_a_variant_comes_to_its_end(name):
    rules = rulekit.load(name)
    game = rules.new_game(players=rules.players[0], seed=5)
    stream = random.Random(f"a game of {name}")
    for _ in range(400):
        moves = game.legal_moves()
        if not moves:
            break
        game.play(stream.choice(moves))
    assert game.outcome is None or game.outcome.reason != "fault"


@pytest.mark.parametrize("name", BASES)
def test_an_example_of_the_variant_does_not_hold_in_its_base(name):
    examples = re.search(r"^examples:.*", text_of(name), re.MULTILINE | re.DOTALL)
    assert examples is not None
    front = f'rulekit: "1"\nname: as-before\ntitle: As before\nextends: {BASES[name]}\n'
    try:
        results = list(rulekit.load(front + examples[0]).play_examples())
    except RulesetError:
        return  # it speaks of what the base has not
    assert not all(result.passed for result in results)
