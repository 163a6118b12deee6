"""The symbols that a file declares, with those of its bases and blocks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from rulekit.diagnostics import Span
from rulekit.language import syntax as s
from rulekit.language import tree as t
from rulekit.language.world import World
from rulekit.lsp.index import Symbol


@dataclass
class Declared:
    """What each name means, by the kind of place where it stands.

    ``values``: what stands in expressions. ``words``: by word type and word. ``labels``: by move and label.
    """

    values: dict[str, Symbol] = field(default_factory=dict)
    fields: dict[str, Symbol] = field(default_factory=dict)
    patterns: dict[str, Symbol] = field(default_factory=dict)
    orders: dict[str, Symbol] = field(default_factory=dict)
    types: dict[str, Symbol] = field(default_factory=dict)
    words: dict[tuple[str, str], Symbol] = field(default_factory=dict)
    phases: dict[str, Symbol] = field(default_factory=dict)
    moves: dict[str, Symbol] = field(default_factory=dict)
    blocks: dict[str, Symbol] = field(default_factory=dict)
    slots: dict[tuple[str, str], Symbol] = field(default_factory=dict)
    labels: dict[tuple[str, str], Symbol] = field(default_factory=dict)
    reasons: dict[str, Symbol] = field(default_factory=dict)

    def all(self) -> Iterable[Symbol]:
        """Every symbol that has a place."""
        tables: tuple[Mapping[object, Symbol], ...] = (
            self.values, self.fields, self.patterns, self.orders, self.types, self.words,
            self.phases, self.moves, self.blocks, self.slots, self.labels,
        )  # type: ignore[assignment]  # fmt: skip
        for table in tables:
            yield from (symbol for symbol in table.values() if symbol.span is not None)


def prose_of(text: t.Prose | None) -> str | None:
    return None if text is None else text.text


def head_of(name: s.Name, rest: Span | None) -> str:
    """`score: 0..99 per team`, as it stands in the file."""
    return name.id if rest is None else f"{name.id}: {' '.join(rest.text.split())}"


def signature_of(signature: s.Signature) -> str:
    return " ".join(signature.span.text.split())


class Declaring:
    """Collects the declarations of one game."""

    def __init__(self, tree: t.RulesetTree, blocks: Iterable[t.BlockTree], world: World) -> None:
        self.world = world
        self.found = Declared()
        self.ruleset(tree)
        for block in blocks:
            self.block(block)
        self.all_words()

    def of(self, name: str) -> str:
        """The type of a value in words, as far as the checker got."""
        world = self.world
        for table in (world.state, world.options, world.defines, world.facts):
            entry = table.get(name)
            if entry is not None:
                return str(entry.type)
        return ""

    def add(
        self,
        table: dict[str, Symbol],
        kind: str,
        name: s.Name,
        head: str,
        text: t.Prose | None,
        place: str = "",
    ) -> None:
        if name.span is not None:
            symbol = Symbol(kind, name.id, name.span, head, self.of(name.id), prose_of(text), place)
            table.setdefault(name.id, symbol)

    def ruleset(self, tree: t.RulesetTree) -> None:
        found = self.found
        for option in tree.options:
            self.add(
                found.values,
                "option",
                option.name,
                head_of(option.name, option.declaration.span),
                option.text,
            )
        for zone in tree.zones:
            self.add(found.values, "zone", zone.name, head_of(zone.name, zone.declaration.span), zone.text)
            for each in zone.fields:
                head = head_of(each.name, each.declaration.span)
                self.add(found.fields, "field", each.name, head, each.text, f"zone `{zone.name.id}`")
        self.states(tree.state, "")
        for fact in tree.facts:
            self.add(found.values, "fact", fact.name, fact_head(fact), fact.text)
        self.parts(tree.defines, tree.phases, tree.moves, "")
        self.patterns(tree.patterns)
        for words in tree.words:
            self.add(found.types, "word type", words.name, f"{words.name.id}: {' '.join(words.words)}", None)
        for order in tree.orders:
            self.add(found.orders, "order", order.name, f"{order.name.id}: {' '.join(order.words)}", None)

    def patterns(self, trees: Iterable[t.PatternTree]) -> None:
        for pattern in trees:
            head = signature_of(pattern.signature)
            if pattern.pattern is not None and pattern.pattern.span is not None:
                head = f"{head}: {' '.join(pattern.pattern.span.text.split())}"
            self.add(self.found.patterns, "pattern", pattern.signature.name, head, pattern.text)
            self.patterns(pattern.classes)

    def states(self, trees: Iterable[t.StateTree], place: str) -> None:
        for state in trees:
            head = head_of(state.name, state.declaration.span)
            self.add(self.found.values, "state", state.name, head, state.text, place)

    def parts(
        self,
        defines: Iterable[t.DefineTree],
        phases: Iterable[t.PhaseTree],
        moves: Iterable[t.MoveTree],
        place: str,
    ) -> None:
        found = self.found
        for define in defines:
            name = define.signature.name
            self.add(found.values, "define", name, define_head(define), define.text, place)
        for phase in phases:
            name = phase.signature.name
            self.add(found.phases, "phase", name, signature_of(phase.signature), phase.text, place)
            self.states(phase.state, f"phase `{name.id}`")
        for move in moves:
            choices = "; ".join(choice.name.id for choice in move.choices)
            head = f"{move.name.id}({choices})" if choices else move.name.id
            self.add(found.moves, "move", move.name, head, move.text, place)
            self.move_labels(move)

    def move_labels(self, move: t.MoveTree) -> None:
        parts = [(entry.label, entry.domain.span) for choice in move.choices for entry in choice.entries]
        parts += [(condition.label, condition.condition.span) for condition in move.conditions]
        for label, span in parts:
            if label is not None:
                head = f"{label.text}: {' '.join(span.text.split())}"
                symbol = Symbol("rule", label.text, label.span, head, "", None, f"move `{move.name.id}`")
                self.found.labels.setdefault((move.name.id, label.text), symbol)

    def block(self, block: t.BlockTree) -> None:
        """What a block brings, unless the game has it; and its slots."""
        place = f"block `{block.name.id}`"
        symbol = Symbol("block", block.name.id, block.name.span, block.name.id, "", prose_of(block.text))
        self.found.blocks.setdefault(block.name.id, symbol)
        for name, declared in block.slots:
            head = head_of(name, declared.span)
            self.found.slots[block.name.id, name.id] = Symbol(
                "slot", name.id, name.span, head, "", None, place
            )
        self.states(block.state, place)
        self.parts(block.defines, block.phases, block.moves, place)

    def all_words(self) -> None:
        """Words stand where their type is declared, be it a type of its own or that of a variable."""
        for (home, word), span in self.world.word_spots.items():
            words = " ".join(self.world.words.get(home, ()))
            of = f"a word of `{home}`"
            place = (
                span if span.text == word else None
            )  # what a variant gives a new default is written elsewhere
            self.found.words[home, word] = Symbol("word", word, place, f"{home}: {words}", of)


def define_head(define: t.DefineTree) -> str:
    head = signature_of(define.signature)
    return head if isinstance(define.body, t.Table) else f"{head}: {' '.join(define.body.span.text.split())}"


def fact_head(fact: t.FactTree) -> str:
    return fact.name.id if isinstance(fact.body, t.Table) else head_of(fact.name, fact.body.span)


__all__ = ["Declared", "Declaring", "prose_of"]
