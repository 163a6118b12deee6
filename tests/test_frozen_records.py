"""The quick frozen dataclasses are like those of the standard library."""

from __future__ import annotations

import dataclasses
import pickle
from typing import Any

import pytest

from rulekit import records


def classes(dataclass: Any) -> tuple[type, type, type]:
    @dataclass(frozen=True, kw_only=True)
    class Base:
        place: int = dataclasses.field(default=0, compare=False, repr=False)

    @dataclass(frozen=True)
    class Pair(Base):
        left: int
        right: tuple[int, ...] = ()

    @dataclass(frozen=True)
    class Named(Pair):
        def __repr__(self) -> str:
            return "named"

    return Base, Pair, Named


def test_a_change_is_refused() -> None:
    _, pair, _ = classes(records.dataclass)
    one = pair(1, (2,), place=3)
    assert (one.left, one.right, one.place) == (1, (2,), 3)
    assert pair(left=4).right == ()
    with pytest.raises(dataclasses.FrozenInstanceError):
        one.left = 2
    with pytest.raises(dataclasses.FrozenInstanceError):
        del one.left


@pytest.mark.parametrize("dataclass", [dataclasses.dataclass, records.dataclass])
def test_they_compare_hash_and_print_alike(dataclass: Any) -> None:
    base, pair, named = classes(dataclass)
    assert pair(1, (2,), place=3) == pair(1, (2,), place=4) != pair(1)
    assert hash(pair(1, (2,), place=3)) == hash(pair(1, (2,)))
    assert pair(1) != named(1)
    assert base() == base(place=2)
    assert repr(pair(1, (2,), place=3)).endswith("Pair(left=1, right=(2,))")
    assert repr(named(1)) == "named"
    assert dataclasses.replace(pair(1), left=2) == pair(2)
    assert [f.name for f in dataclasses.fields(pair)] == ["place", "left", "right"]


def test_programs_are_pickled() -> None:
    from rulekit.program.expressions import Constant
    from rulekit.program.types import BOOL

    value = Constant(True, type=BOOL)
    assert pickle.loads(pickle.dumps(value)) == value
