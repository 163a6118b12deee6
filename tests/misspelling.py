"""Slips of the pen: every key and every name of a rule file, misspelt by one edit.

Prose is left alone: titles, texts, sources, labels. What is left are keys, names that the file declares
or uses, and words of the language.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from rulekit.diagnostics import Diagnostic, Findings, SourceFile
from rulekit.language.keywords import KEYWORDS
from rulekit.language.vocabulary import BUILT_IN, TYPES, WORD_TYPES
from rulekit.source.document import Node, Scalar, Sequence
from rulekit.source.order import BLOCK_KEYS, RULESET_KEYS, VARIANT_KEYS
from rulekit.source.yaml import read_document

PROSE = frozenset({"title", "family", "text", "sources", "refused", "name", "rulekit", "extends", "remove"})
#: Keys below these are labels or paths, what stands beside them is not.
LABELS = frozenset({"if", "change", "add"})
CONTEXTUAL = frozenset(
    re.findall(
        r"\w+",
        """up down times together per seen set pile piles to highest lowest maximal cards card same different
        consecutive each by owner others team nobody everyone face zone moves statements key at most least""",
    )
)
LANGUAGE = (
    KEYWORDS | BUILT_IN | frozenset(TYPES) | CONTEXTUAL | {w for words in WORD_TYPES.values() for w in words}
)
LETTERS = "abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True)
class Token:
    """A word in a rule file. ``kind``: "key", "name", "word" (of the language) or "reason"."""

    start: int
    text: str
    kind: str


@dataclass(frozen=True)
class Edit:
    """A token, misspelt."""

    token: Token
    wrong: str

    def apply(self, text: str) -> str:
        return text[: self.token.start] + self.wrong + text[self.token.start + len(self.token.text) :]


def tokens(text: str) -> list[Token]:
    """All keys and names of a file that are no prose, in order."""
    node = read_document(SourceFile("rules.yaml", text), Findings())
    assert node is not None
    found: dict[int, Token] = {}
    for scalar, structural in _scalars(node):
        for match in re.finditer(r"[A-Za-z0-9_]+", scalar.text):
            word = match.group()
            if not re.fullmatch(r"[a-z][a-z_0-9]*", word):
                continue
            span = scalar.at(*match.span())
            if span.text != word:
                continue
            kind = "key" if structural else "word" if word in LANGUAGE else "name"
            if re.search(r"=.*\bfor $", scalar.text[: match.start()]):
                kind = "reason"  # whatever is written is one
            found[span.start] = Token(span.start, word, kind)
    return [found[start] for start in sorted(found)]


#: Keys of the structure; all other keys are names or labels.
STRUCTURE = {
    *(*RULESET_KEYS, *VARIANT_KEYS, *BLOCK_KEYS, "is", "has", "ranks", "suits", "copies", "without", "extra"),
    *("stop when", "do", "after", "choose", "if", "again", "layout", "ranking", "payoff", "limit", "given"),
    *("when", "then", "allowed", "run", "result", "by", "weight", "wild", "else"),
}


def _scalars(root: Node) -> Iterator[tuple[Scalar, bool]]:
    """Every scalar that is no prose, and whether it is a key of the structure."""
    pending: list[tuple[Node, str]] = [(root, "")]
    while pending:
        part, under = pending.pop()
        if isinstance(part, Scalar):
            yield part, False
        elif isinstance(part, Sequence):
            pending.extend((item, under) for item in part)
        else:
            for entry in part:
                key = entry.key.text
                label = under in LABELS or under == "a choice" or under.endswith(".if")
                if not label:
                    yield entry.key, key in STRUCTURE
                if key not in PROSE:
                    pending.append(
                        (entry.value, "a choice" if under == "choose" else key if not label else "")
                    )


def misspelt(token: Token, rng: random.Random) -> Edit:
    """One letter left out, put in, changed, or two exchanged."""
    word = token.text
    while True:
        at = rng.randrange(len(word))
        letter = rng.choice(LETTERS)
        wrong = rng.choice(
            (
                word[:at] + word[at + 1 :],
                word[:at] + letter + word[at:],
                word[:at] + letter + word[at + 1 :],
                word[:at] + word[at + 1 : at + 2] + word[at] + word[at + 2 :],
            )
        )
        if wrong != word and re.fullmatch(r"[a-z][a-z_0-9]*", wrong):
            return Edit(token, wrong)


def spells_another(edit: Edit, all_tokens: list[Token]) -> bool:
    """The edit gives a word that has a meaning in the file or in the language."""
    return edit.wrong in LANGUAGE or any(token.text == edit.wrong for token in all_tokens)


def stands_alone(edit: Edit, all_tokens: list[Token]) -> bool:
    """Nothing else in the file is called so: another name is as good."""
    return Counter(token.text for token in all_tokens)[edit.token.text] == 1


def is_told(edit: Edit, found: list[Diagnostic]) -> bool:
    """The right spelling is suggested where the slip is, or the slip where the right spelling stands."""
    right, wrong = edit.token.text, edit.wrong
    for item in found:
        span, help = item.span, item.help or ""
        if span is None:
            continue
        near = span.start <= edit.token.start < max(span.end, span.start + 1)
        words = (item.suggestion or "").split() if " " in span.text else [item.suggestion]
        if near and (right in words or f"`{right}`" in help):
            return True
        if right in span.text.split() and wrong in words:
            return True
        if f"`{right}`" in item.message and f"`{wrong}`" in help:
            return True
    return False
