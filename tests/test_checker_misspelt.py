"""VAL-03: a slip of the pen in a rule file is found, and the right spelling is suggested."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

import pytest
from checking import check
from misspelling import Edit, Token, is_told, misspelt, spells_another, stands_alone, tokens
from mutations import RULESETS

from rulekit.diagnostics import nearest
from rulekit.diagnostics.suggest import one_slip
from rulekit.game.loading import validate

ALL = sorted(path.stem for path in RULESETS.glob("*.yaml"))
QUICK = ("hockey", "hucklebuck-bid", "schnapsen", "klondike", "cribbage", "euchre")


@dataclass
class Result:
    """What came of many slips. ``as_good``: another name, or one that nothing else in the file speaks of."""

    tried: int = 0
    found: int = 0
    told: int = 0
    as_good: list[str] = field(default_factory=list)
    missed: list[str] = field(default_factory=list)
    untold: list[str] = field(default_factory=list)


def slips(name: str, chosen: Iterable[Token], everything: list[Token], text: str, seed: int) -> Result:
    """One slip in each of the chosen words."""
    rng = random.Random(seed)
    result = Result()
    for token in chosen:
        edit = misspelt(token, rng)
        while spells_another(edit, everything):
            edit = misspelt(token, rng)
        record(name, edit, everything, text, result)
    return result


def record(name: str, edit: Edit, everything: list[Token], text: str, result: Result) -> None:
    line = text.count("\n", 0, edit.token.start) + 1
    where = f"{name}:{line}: `{edit.token.text}` as `{edit.wrong}`"
    _, found = check(edit.apply(text))
    found = found or validate(edit.apply(text))
    result.tried += 1
    if found:
        result.found += 1
        told = is_told(edit, found)
        result.told += told
        if not told:
            result.untold.append(f"{where}: {found[0].message}")
    elif stands_alone(edit, everything) or edit.token.kind == "reason":
        result.as_good.append(where)
    else:
        result.missed.append(where)


@pytest.mark.parametrize("name", QUICK)
def test_val_03_a_slip_in_a_shipped_ruleset_is_found_and_told(name: str) -> None:
    text = (RULESETS / f"{name}.yaml").read_text(encoding="utf-8")
    everything = tokens(text)
    words = [token for token in everything if token.kind in ("key", "name") and len(token.text) > 1]
    result = slips(name, random.Random(name).sample(words, 15), everything, text, seed=1)
    assert result.missed == []
    assert result.told >= 0.9 * result.found, result.untold


@pytest.mark.long
@pytest.mark.parametrize("name", ALL)
def test_val_03_every_key_and_every_name_of_every_ruleset(
    name: str, record_property: Callable[[str, object], None]
) -> None:
    text = (RULESETS / f"{name}.yaml").read_text(encoding="utf-8")
    everything = tokens(text)
    words = [token for token in everything if token.kind in ("key", "name")]
    result = slips(name, words, everything, text, seed=2)
    record_property("slips", f"{result.tried} tried, {result.found} found, {result.told} told")
    record_property("another name as good", "; ".join(result.as_good))
    record_property("found, but not the right spelling", "; ".join(result.untold))
    assert result.missed == []
    assert result.told >= 0.95 * result.found, result.untold


@pytest.mark.parametrize(
    ("wrong", "right"),
    [("hnad", "hand"), ("satck", "stack"), ("haand", "hand"), ("hnd", "hand"), ("hamd", "hand")],
)
def test_one_slip_of_the_pen_is_nearer_than_anything_else(wrong: str, right: str) -> None:
    assert one_slip(wrong, right)
    assert one_slip(right, wrong)
    assert nearest(wrong, ["stock", "stack", "hand", "handful", "hands"]) == right


@pytest.mark.parametrize(
    ("a", "b"), [("hand", "hand"), ("hand", "dnah"), ("hand", "trick"), ("a", "bcd"), ("", "ab")]
)
def test_other_words_are_further_away(a: str, b: str) -> None:
    assert not one_slip(a, b)
