"""A quick way along the tables of the parser, for texts that are right.

lark looks at a text with one regular expression for each state of the parser, a few dozen of them, and takes
every step from `atom` up to `expression` one by one. Here a text is cut into words by one regular expression,
what a word is follows from the tables, and steps that change nothing are taken together, once for each place
in the tables. The tables and what is built are lark's. A text that does not parse in this way is given to
lark, which alone decides what is wrong with it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from lark import Lark, Token
from lark.lexer import PatternStr, TerminalDef
from lark.parse_tree_builder import ExpandSingleChild
from lark.parsers.lalr_analysis import Shift

_END = "$END"
_WORD = "[a-z][a-z0-9_]*(?![A-Za-z0-9_])"
_LITERAL = "([0-9]*[A-Z][A-Z0-9]*|[0-9]+)(?![A-Za-z0-9_])"
_BLANKS = r"\s+"


class _Words(NamedTuple):
    """What the terminals say about texts; of several that one may be, the first counts that can stand there.

    ``kinds``: of a word that means something; of any other, ``plain``. ``pairs``: of two words together.
    ``signs``: of what is no word; a literal has no text.
    """

    kinds: dict[str, tuple[str, ...]]
    plain: tuple[str, ...]
    pairs: dict[tuple[str, str], str]
    signs: dict[str, str]


def _words(terminals: Iterable[TerminalDef]) -> _Words | None:
    """The words of a grammar; None if the pattern of a terminal is of a kind not known here."""
    kinds: dict[str, list[str]] = {}
    reserved: dict[str, frozenset[str]] = {}
    pairs: dict[tuple[str, str], str] = {}
    signs: dict[str, str] = {}
    for terminal in terminals:
        name, pattern = terminal.name, terminal.pattern.value
        keyword = terminal.priority > 0
        if terminal.pattern.flags:
            return None
        if isinstance(terminal.pattern, PatternStr) and not keyword:
            signs[pattern] = name
        elif keyword and (found := re.fullmatch(r"\(?([a-z|]+)\)?\\b", pattern)):
            for word in found[1].split("|"):
                kinds.setdefault(word, []).append(name)
        elif keyword and (found := re.fullmatch(r"([a-z]+)s\?\\b", pattern)):
            for word in (found[1], f"{found[1]}s"):
                kinds.setdefault(word, []).append(name)
        elif keyword and (found := re.fullmatch(r"([a-z]+)\\s\+([a-z]+)\\b", pattern)):
            pairs[found[1], found[2]] = name
        elif not keyword and (found := re.fullmatch(r"\(\?!\(([a-z|]+)\)\\b\)" + re.escape(_WORD), pattern)):
            reserved[name] = frozenset(found[1].split("|"))
        elif not keyword and re.fullmatch(r"[=!<>]+(\|[=!<>]+)*", pattern):
            signs |= dict.fromkeys(pattern.split("|"), name)
        elif not keyword and pattern == _LITERAL:
            signs[""] = name
        elif pattern != _BLANKS:
            return None
    # That with the longer pattern goes first.
    names = sorted(reserved, key=lambda name: -len(reserved[name]))
    if any(len(of) > 1 for of in kinds.values()) or "" not in signs:
        return None
    of_words = {
        word: (*of, *(name for name in names if word not in reserved[name])) for word, of in kinds.items()
    }
    if any(word not in kinds for words in reserved.values() for word in words):
        return None
    return _Words(of_words, tuple(names), pairs, signs)


class _Step(NamedTuple):
    """A rule that is complete: how many parts it takes, what it is then, and who puts it together.

    ``same``: it is its one part.
    """

    size: int
    origin: str
    build: Callable[[list[Any]], Any]
    same: bool


class Quick:
    """The tables of a parser, ready to go along quickly."""

    def __init__(self, lark: Lark, words: _Words) -> None:
        parser: Any = lark.parser.parser
        table, callbacks = parser._parse_table, parser.parser.callbacks
        self._starts: dict[str, int] = table.start_states
        self._ends: dict[str, int] = table.end_states
        steps = {rule: _step(rule, build) for rule, build in callbacks.items()}
        #: For each state, by the next word or part: the state that follows, or the step that is due.
        self._table: dict[int, dict[str, int | _Step]] = {
            state: {name: to if action is Shift else steps[to] for name, (action, to) in row.items()}
            for state, row in table.states.items()
        }
        self._words = words
        self._firsts = frozenset(first for first, _ in words.pairs)
        signs = sorted((sign for sign in words.signs if sign), key=lambda sign: (-len(sign), sign))
        self._match = re.compile(rf"\s*(?:({_WORD})|{_LITERAL}|({'|'.join(map(re.escape, signs))}))").match
        #: Where steps lead that change nothing, by the states below and at the top, and the next word.
        self._climbs: dict[tuple[int, int, str], int] = {}

    @classmethod
    def of(cls, lark: Lark) -> Quick | None:
        """The quick way through a parser; None if its grammar, or this lark, is not as expected here."""
        try:
            words = _words(lark.terminals)
            return None if words is None else cls(lark, words)
        except (AttributeError, KeyError, TypeError):
            return None

    def parse(self, text: str, start: str) -> Any | None:
        """What is built of a text; None if this is not the way. Raises what the builder raises."""
        found = self._cut(text) if text.isascii() else None
        return None if found is None else self._follow(found, text, start)

    def _cut(self, text: str) -> list[tuple[str, int, int, int]] | None:
        """The words of a text, each with its group (1 a word, 2 a literal, 3 a sign) and its place."""
        found: list[tuple[str, int, int, int]] = []
        match, at, end = self._match, 0, len(text)
        while at < end:
            word = match(text, at)
            if word is None:
                return None if text[at:].strip() else found
            group = word.lastindex or 0
            at = word.end()
            found.append((word[group], group, word.start(group), at))
        return found

    def _follow(self, words: list[tuple[str, int, int, int]], text: str, start: str) -> Any | None:
        table, kinds, plain = self._table, self._words.kinds, self._words.plain
        signs, literal = self._words.signs, self._words.signs[""]
        states: list[Any] = [self._starts[start]]
        values: list[Any] = []
        skipped = False
        for number, (word, group, begin, end) in enumerate(words):
            if skipped:
                skipped = False
                continue
            row = table[states[-1]]
            if group == 3:
                name = signs[word]
            elif group == 2:
                name = literal
            else:
                name = ""
                if word in self._firsts and number + 1 < len(words):
                    second, _, _, last = words[number + 1]
                    pair = self._words.pairs.get((word, second))
                    if pair is not None and pair in row:
                        name, end, skipped = pair, last, True
                        word = text[begin:end]
                if not name:
                    for name in kinds.get(word, plain):
                        if name in row:
                            break
            if not self._take(name, states, values):
                return None
            states.append(table[states[-1]][name])
            values.append(_token(name, word, begin, end))
        if not self._take(_END, states, values, self._ends[start]):
            return None
        return values[-1]

    def _take(self, name: str, states: list[Any], values: list[Any], end: int = -1) -> bool:
        """All steps that are due before the next word; False: it cannot stand there."""
        table = self._table
        while True:
            state = states[-1]
            if state == end:
                return True
            step = table[state].get(name)
            if step is None:
                return False
            if isinstance(step, int):
                return end < 0
            if step.same:
                states[-1] = self._climb(states[-2], state, name)
                continue
            if step.size:
                parts = values[-step.size :]
                del values[-step.size :], states[-step.size :]
            else:
                parts = []
            values.append(step.build(parts))
            states.append(table[states[-1]][step.origin])

    def _climb(self, below: int, state: int, name: str) -> int:
        """The state in which no more steps are due that change nothing."""
        found = self._climbs.get((below, state, name))
        if found is None:
            found = state
            step = self._table[found].get(name)
            while isinstance(step, _Step) and step.same:
                found = self._table[below][step.origin]  # type: ignore[assignment]
                step = self._table[found].get(name)
            self._climbs[below, state, name] = found
        return found


def _step(rule: Any, build: Callable[[list[Any]], Any]) -> _Step:
    size = len(rule.expansion)
    return _Step(size, rule.origin.name, build, size == 1 and isinstance(build, ExpandSingleChild))


def _token(name: str, word: str, start: int, end: int) -> Token:
    """A token with what the builder looks at; `Token` counts lines too, and takes three times as long."""
    token = str.__new__(Token, word)
    token.type, token.start_pos, token.end_pos = name, start, end
    return token


__all__ = ["Quick"]
