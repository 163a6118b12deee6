"""Keys: values compared left to right. None is lowest, and is the lowest number, so numbers compare as they
are.
"""

from __future__ import annotations

from dataclasses import dataclass

from rulekit.compiled import fold
from rulekit.compiled.lir import NONE, Expr, Int


@dataclass(frozen=True)
class Key:
    """``parts`` are numbers; keys that are compared with each other have as many."""

    parts: tuple[Expr, ...]

    def above(self, other: Key) -> Expr:
        """This key is higher."""
        mine, theirs = self.parts[-1], other.parts[-1]
        found = fold.binary(">", mine, theirs)
        for mine, theirs in zip(self.parts[-2::-1], other.parts[-2::-1], strict=True):
            found = fold.either(fold.binary(">", mine, theirs), fold.both(fold.equal(mine, theirs), found))
        return found

    def there(self) -> Expr:
        """It is a key at all: where there is none, all parts are none."""
        found: Expr = fold.FALSE
        for part in self.parts:
            found = fold.either(found, fold.binary("!=", part, Int(NONE)))
        return found

    def same(self, other: Key) -> Expr:
        found: Expr = fold.TRUE
        for mine, theirs in zip(self.parts, other.parts, strict=True):
            found = fold.both(found, fold.equal(mine, theirs))
        return found
