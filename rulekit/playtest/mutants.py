"""Mutants: rulesets with one small mistake put in, as an author might make it.

A good set of examples notices most of them. Only what the rule file itself says is changed, not the
blocks that it uses, and what a block repeats is changed everywhere at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import Any

from rulekit.diagnostics import Span
from rulekit.diagnostics.span import SourceFile
from rulekit.playtest.footprint import Key, keys_in
from rulekit.playtest.options import values_to_try
from rulekit.program import Program
from rulekit.program import expressions as e
from rulekit.program import program as p
from rulekit.program import statements as st
from rulekit.program.rebuild import GONE, rebuild, rebuild_rules
from rulekit.program.types import Bool, Int
from rulekit.program.walk import walk

ROUNDS = 5_000  #: limit of decisions and rounds of a mutant, which may not end

ARITHMETIC = {"+": "-", "-": "+", "*": "+", "//": "*", "%": "//"}
EXTREMES = {
    "highest": "lowest",
    "lowest": "highest",
    "all_highest": "all_lowest",
    "all_lowest": "all_highest",
}
SEATS = {"left": "right", "right": "left"}
ASSIGNMENTS = {"+=": "-=", "-=": "+="}
#: Whose own opposite is the same mistake as leaving a `not` around it out: `a != b`, `x not in y`.
_WITH_OPPOSITE = (e.Same, e.Contains, e.Subset, e.AnyOf, e.Every)
SETS: dict[type, type] = {e.Union: e.Intersection, e.Intersection: e.Union, e.Difference: e.Union}


@dataclass(frozen=True)
class Mutant:
    """One mistake: what is done (``text``) to what stands at ``span``.

    ``kind``  operator, number, branch, dropped; or option: another default than a variant gives it
    """

    kind: str
    text: str
    span: Span
    _program: Program = field(repr=False, compare=False)
    _node: Any = field(repr=False, compare=False)
    _key: tuple[Any, ...] = field(repr=False, compare=False)

    @property
    def place(self) -> str:
        """`hockey.yaml:31:6`."""
        return str(self.span)

    def __str__(self) -> str:
        source = " ".join(self.span.text.split())
        return f"{self.place}: {self.text}: `{source if len(source) <= 60 else source[:57] + '...'}`"

    def program(self) -> Program:
        """The rules with this mistake. Their loops are counted, and a game ends after 5,000 decisions."""
        if isinstance(self._node, p.OptionDef):
            options = {**self._program.options, self._node.name: self._key[-1]}
            return counted(replace(self._program, options=options))
        return counted(rebuild_rules(self._program, self._change))

    @property
    def keys(self) -> frozenset[Key]:
        """The parts of the rules of which one must be evaluated, or nothing can tell the mistake."""
        return frozenset() if isinstance(self._node, p.OptionDef) else keys_in(self._node)

    def _change(self, node: Any) -> Any:
        if _span(node) is None or _place(node) != self._key[:3]:
            return node
        for change in _changes(node):
            if change.text == self._key[3]:
                return change.instead
        return node

    def order(self, seed: int) -> str:
        """A number that depends on the mistake and the seed alone: mutants are drawn by it."""
        return sha256(f"{seed} {self.span.start} {self.span.end} {self.text}".encode()).hexdigest()


def mutants(program: Program) -> list[Mutant]:
    """All mutants of a ruleset in the order of its file."""
    own = program.span.source if program.span else None
    found: dict[tuple[Any, ...], Mutant] = {}
    parts = [program.play, program.end]
    for family in (program.state, program.facts, program.defines, program.phases, program.moves):
        parts += list(family.values())
    parts += list(program.patterns.values())
    for node in (program.end, *(node for part in parts for node in walk(part))):
        for target in _targets(node):
            span = _span(target)
            if span is None or span.source is not own or not span.text.strip():
                continue
            for change in _changes(target):
                key = (*_place(target), change.text)
                found.setdefault(key, Mutant(change.kind, change.text, span, program, target, key))
    for one in _defaults(program, own):
        found[one.span.start, one.span.end, "OptionDef", one.text] = one
    return sorted(found.values(), key=lambda mutant: (mutant.span.start, mutant.span.end, mutant.text))


def _defaults(program: Program, own: SourceFile | None) -> Iterator[Mutant]:
    """Other defaults of the options to which this file, a variant, gives one."""
    for option in program.options.values():
        span = option.start_span
        if span is None or option.span is None or span.source is not own or option.span.source is own:
            continue
        for value in values_to_try(replace(option, fixed=False)):
            if value != option.start:
                text = f"`{option.name}` is {option.format(value)}"
                yield Mutant("option", text, span, program, option, (replace(option, start=value),))


def sample(all_mutants: list[Mutant], size: int, seed: int = 0) -> list[Mutant]:
    """So many of them, drawn by the seed, in their order."""
    drawn = set(sorted(range(len(all_mutants)), key=lambda i: all_mutants[i].order(seed))[:size])
    return [mutant for number, mutant in enumerate(all_mutants) if number in drawn]


def _span(node: Any) -> Span | None:
    """Where a part stands; `end` where its ranking does."""
    if isinstance(node, p.EndDef):
        node = node.ranking
    return getattr(node, "span", None)


def _place(node: Any) -> tuple[int, int, str]:
    span = _span(node)
    assert span is not None
    return span.start, span.end, type(node).__name__


def _targets(node: Any) -> Iterator[Any]:
    """Where mistakes are put in. An entry that stands alone is no choice between several."""
    if isinstance(node, e.Expr | st.Stmt | p.Condition | p.EndDef):
        yield node
    elif isinstance(node, p.Choice) and len(node.entries) > 1:
        yield from node.entries


def counted(program: Program) -> Program:
    """The rules with the rounds of all loops counted, and games of 5,000 decisions and rounds at most."""
    found = rebuild_rules(program, _counted)
    return replace(found, end=replace(found.end, limit=min(found.end.limit, ROUNDS)))


def _counted(node: Any) -> Any:
    """A loop that was shown to end need not do so in a mutant: its rounds are counted."""
    if isinstance(node, st.Until) and node.proven:
        return replace(node, proven=False, body=rebuild(node.body, _counted))
    return node


# ---------------------------------------------------------------- the mistakes


@dataclass(frozen=True)
class _Change:
    kind: str
    text: str
    instead: Any


def _changes(node: Any) -> Iterator[_Change]:
    for family in (_numbers, _operators, _branches, _dropped):
        yield from family(node)


def _numbers(node: Any) -> Iterator[_Change]:
    if not isinstance(node, e.Constant):
        return
    value = node.value
    if isinstance(value, bool):
        yield _Change(
            "number", f"{_word(not value)} instead of {_word(value)}", replace(node, value=not value)
        )
    elif isinstance(value, int) and isinstance(node.type, Int):
        for other in (value + 1, value - 1):
            yield _Change(
                "number",
                f"{other} instead of {value}",
                replace(node, value=other, type=Int(other, other)),
            )


def _word(value: bool) -> str:
    return "true" if value else "false"


def _operators(node: Any) -> Iterator[_Change]:
    swap: Callable[[str, Any], _Change] = lambda text, instead: _Change("operator", text, instead)  # noqa: E731
    match node:
        case e.Arithmetic(op=op):
            yield swap(f"`{ARITHMETIC[op]}` instead of `{op}`", replace(node, op=ARITHMETIC[op]))
        case e.Less(or_equal=closed):
            yield swap(
                "the bound itself " + ("left out" if closed else "let in"),
                replace(node, or_equal=not closed),
            )
            yield swap("compared the other way", replace(node, left=node.right, right=node.left))
        case e.Same():
            yield swap("`!=` and `==` exchanged", e.Not(node, type=node.type, span=node.span))
        case e.And(left=left, right=right):
            yield swap("`or` instead of `and`", e.Or(left, right, type=node.type, span=node.span))
        case e.Or(left=left, right=right):
            yield swap("`and` instead of `or`", e.And(left, right, type=node.type, span=node.span))
        case e.Not(operand=operand) if not isinstance(operand, _WITH_OPPOSITE):
            yield swap("the opposite", operand)
        case e.Contains() | e.Subset() | e.AnyOf() | e.Every():
            yield swap("the opposite", e.Not(node, type=Bool(), span=node.span))
        case e.Union() | e.Intersection() | e.Difference():
            other = SETS[type(node)]
            yield swap(
                "other cards or members taken together",
                other(node.left, node.right, type=node.type, span=node.span),
            )
        case e.Minimum(left=left, right=right):
            yield swap(
                "`at least` instead of `at most`", e.Maximum(left, right, type=node.type, span=node.span)
            )
        case e.Maximum(left=left, right=right):
            yield swap(
                "`at most` instead of `at least`", e.Minimum(left, right, type=node.type, span=node.span)
            )
        case e.Extreme(kind=kind):
            yield swap(f"`{EXTREMES[kind]}` instead of `{kind}`", replace(node, kind=EXTREMES[kind]))
        case p.EndDef(highest=highest):
            words = ("lowest", "highest") if highest else ("highest", "lowest")
            yield swap(f"`{words[0]}` instead of `{words[1]}` in the end", replace(node, highest=not highest))
        case e.Best(largest=largest):
            words = ("min", "max") if largest else ("max", "min")
            yield swap(f"`{words[0]}` instead of `{words[1]}`", replace(node, largest=not largest))
        case e.End(last=last):
            yield swap("the other end", replace(node, last=not last))
        case e.Seat(kind=kind) if kind in SEATS:
            yield swap(f"`{SEATS[kind]}` instead of `{kind}`", replace(node, kind=SEATS[kind]))
        case e.KeyOf(parts=(first, second, *rest)):
            yield swap("the first two parts exchanged", replace(node, parts=(second, first, *rest)))
        case st.Assign(op=op) if op in ASSIGNMENTS:
            yield swap(f"`{ASSIGNMENTS[op]}` instead of `{op}`", replace(node, op=ASSIGNMENTS[op]))
        case st.Flip(up=up):
            yield swap("turned the other way", replace(node, up=not up))


def _branches(node: Any) -> Iterator[_Change]:
    match node:
        case e.If(yes=yes, no=no):
            yield _Change("branch", "the two values exchanged", replace(node, yes=no, no=yes))
        case st.If(branches=((condition, body), *others), otherwise=otherwise):
            opposite = e.Not(condition, type=Bool(), span=None)
            yield _Change(
                "branch",
                "done where its condition does not hold",
                replace(node, branches=((opposite, body), *others)),
            )
            if otherwise and not others:
                swapped = replace(node, branches=((condition, otherwise),), otherwise=body)
                yield _Change("branch", "the two branches exchanged", swapped)


def _dropped(node: Any) -> Iterator[_Change]:
    match node:
        case st.Ask(moves=moves) if len(moves) > 1:
            for move in moves:
                left = tuple(name for name in moves if name != move)
                yield _Change("dropped", f"`{move}` is not offered", replace(node, moves=left))
        case st.Claim() | st.Assign(place=st.LocalPlace()):
            return  # what comes after it would mean nothing
        case st.Stmt():
            yield _Change("dropped", "left out", GONE)
        case p.Condition() | p.Entry():
            yield _Change("dropped", "left out", GONE)
        case e.Filter(domain=domain):
            yield _Change("dropped", "the condition after `where` left out", domain)
