"""The rule language: from the document of a file to the typed program."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rulekit.language.compile import compile_ruleset
    from rulekit.language.reader import read_block, read_ruleset

__all__ = ["compile_ruleset", "read_block", "read_ruleset"]


def __getattr__(name: str) -> Any:
    if name == "compile_ruleset":
        from rulekit.language.compile import compile_ruleset

        return compile_ruleset
    if name in ("read_block", "read_ruleset"):
        from rulekit.language import reader

        return getattr(reader, name)
    raise AttributeError(name)
