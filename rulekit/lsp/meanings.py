"""Finds what every name of a file means: each kind of name where it may stand, locals by their scope.

The order is that of the language: locals, what a block's slots hold, declarations, words of the type that the
checker found at the place, words of the language.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields

from rulekit.diagnostics import Span
from rulekit.language import syntax as s
from rulekit.language import tree as t
from rulekit.language.vocabulary import FUNCTIONS, TYPES
from rulekit.language.world import World
from rulekit.lsp.built_in import built_in
from rulekit.lsp.declared import Declared
from rulekit.lsp.index import Mention, Symbol
from rulekit.program import types as pt
from rulekit.program.texts import MARK

Locals = dict[str, Symbol]


class Meanings:
    """The mentions of one game: of its own tree and of the blocks that it uses."""

    def __init__(self, declared: Declared, world: World) -> None:
        self.declared = declared
        self.world = world
        self.types = world.types or {}
        self.found: list[Mention] = []
        self.block: t.BlockTree | None = None
        for symbol in declared.all():
            if symbol.span is not None:
                self.found.append(Mention(symbol.span, symbol, True))

    # ------------------------------------------------------------ mentions

    def mention(self, span: Span | None, symbol: Symbol | None) -> None:
        """Note a mention. What is not written out there, as the slots of `offer`, is none."""
        if span is not None and symbol is not None and span.text == symbol.name:
            declares = symbol.span is not None and symbol.span == span
            self.found.append(Mention(span, symbol, declares))

    def local(self, kind: str, name: s.Name, head: str = "") -> Symbol:
        """A local, declared here."""
        of = self.types.get(name.span)
        symbol = Symbol(kind, name.id, name.span, head or name.id, "" if of is None else str(of))
        self.mention(name.span, symbol)
        return symbol

    def prose(self, text: t.Prose | None, names: Locals | None = None) -> None:
        """The values that a text holds: `First to {target} wins.`"""
        for mark in MARK.finditer(text.span.text) if text is not None else ():
            known = (names or {}).get(mark[1]) or self.declared.values.get(mark[1])
            start = text.span.start if text is not None else 0
            if text is not None and known is not None and known.kind in ("option", "define", "parameter"):
                self.mention(text.span.source.span(start + mark.start(1), start + mark.end(1)), known)

    # ------------------------------------------------------------ whole files

    def ruleset(self, tree: t.RulesetTree) -> None:
        values = self.declared.values
        texts = [tree.text, *(option.text for option in tree.options), *(zone.text for zone in tree.zones)]
        texts += [*(state.text for state in tree.state), *(fact.text for fact in tree.facts)]
        for text in texts:
            self.prose(text)
        for name in tree.fixed:
            self.mention(name.span, values.get(name.id))
        self.nodes(
            (tree.options, tree.state, tree.zones, tree.requires, tree.deck.copies, tree.deck.without), {}
        )
        for fact in tree.facts:
            self.nodes(fact.body, {})
        self.patterns(tree.patterns)
        self.parts(tree.defines, tree.phases, tree.moves)
        self.body(tree.play, {})
        if tree.end is not None:
            self.nodes((tree.end.ranking, tree.end.payoff, tree.end.score), {})
        for example in tree.examples:
            self.example(example)

    def blocks(self, blocks: Iterable[t.BlockTree]) -> None:
        for block in blocks:
            self.block = block
            for need in block.needs:
                known = self.declared.values.get(need.name.id)
                self.mention(need.name.span, known or need_symbol(block, need))
                self.nodes(need.type, {})
            self.nodes(tuple(declared for _, declared in block.slots), {})
            self.nodes(block.state, {})
            self.parts(block.defines, block.phases, block.moves)
            self.body(block.body, {})
        self.block = None

    def patterns(self, trees: Iterable[t.PatternTree]) -> None:
        for pattern in trees:
            names = self.parameters(pattern.signature)
            self.nodes((pattern.pattern, pattern.by, pattern.weight, pattern.wild), names)
            self.patterns(pattern.classes)

    def parts(
        self, defines: Iterable[t.DefineTree], phases: Iterable[t.PhaseTree], moves: Iterable[t.MoveTree]
    ) -> None:
        for define in defines:
            names = self.parameters(define.signature)
            self.nodes(define.body, names)
            self.prose(define.text, names)
        for phase in phases:
            names = self.parameters(phase.signature)
            self.prose(phase.text, names)
            for state in phase.state:
                self.prose(state.text)
            self.nodes((phase.state, phase.stop_when), names)
            self.body(phase.body, names)
            self.body(phase.after, names)
        for move in moves:
            self.move(move)

    def move(self, move: t.MoveTree) -> None:
        names: Locals = {}
        self.prose(move.text)
        for entry in move.layout or ():
            self.mention(entry.key.span, self.declared.values.get(entry.key.text))
        if move.layout is not None:
            for name in ("card", "target", "source"):
                names[name] = Symbol("choice", name, move.name.span, name, "", "Chosen by the layout.")
        for choice in move.choices:
            self.prose(choice.text)
            self.nodes(choice.entries, names)
            names = {**names, choice.name.id: self.local("choice", choice.name)}
        self.nodes(move.conditions, names)
        self.body(move.body, names)
        self.nodes(move.again, names)

    def parameters(self, signature: s.Signature) -> Locals:
        names: Locals = {}
        for parameter in signature.parameters:
            self.type_name(parameter.type.name)
            names[parameter.name.id] = self.local("parameter", parameter.name, parameter.span.text)
        return names

    # ------------------------------------------------------------ examples

    def example(self, example: t.ExampleTree) -> None:
        declared = self.declared
        for (name, value), spot in zip(example.options, example.option_spots, strict=False):
            self.mention(name.span, declared.values.get(name.id))
            self.word_of(name.id, value, spot)
        for given in example.given:
            name = given.place_name
            self.mention(name.span, declared.values.get(name.id) or declared.fields.get(name.id))
            for word, spot in zip(given.words, given.spots, strict=False):
                self.word_of(name.id, word, spot)
        names = [event.move for event in example.events]
        names += [allowed.event.move for allowed in example.allowed]
        names += [refused.event.move for refused in example.refused]
        for name in names:
            self.mention(name.span, declared.moves.get(name.id))
        for refused in example.refused:
            label = declared.labels.get((refused.event.move.id, refused.label.text))
            self.mention(refused.label.span, label)
        if example.run is not None:
            self.mention(example.run.name.span, declared.phases.get(example.run.name.id))
            self.nodes(example.run.args, {})
        self.nodes(example.then, {})

    def word_of(self, name: str, word: str, spot: Span) -> None:
        """A word that stands for the value of a state or an option."""
        entry = self.world.state.get(name) or self.world.options.get(name)
        of = None if entry is None else stripped(entry.type)
        if isinstance(of, pt.Word):
            self.mention(spot, self.declared.words.get((of.name, word)))

    # ------------------------------------------------------------ statements

    def body(self, statements: Iterable[s.Stmt], names: Locals) -> None:
        """A list of statements; a `let` is seen by those that follow it."""
        for statement in statements:
            names = self.statement(statement, names)

    def statement(self, node: s.Stmt, names: Locals) -> Locals:
        match node:
            case s.Let(name, value):
                self.nodes(value, names)
                return {**names, name.id: self.local("let", name, name.id)}
            case s.LetNew(name, place):
                self.nodes(place, names)
                return {**names, name.id: self.local("let", name, name.id)}
            case s.For(name, domain, body):
                self.nodes(domain, names)
                self.body(body, {**names, name.id: self.local("for", name, name.id)})
            case s.Repeat(times, body):
                self.nodes(times, names)
                self.body(body, names)
            case s.Until(condition, body):
                self.nodes(condition, names)
                self.body(body, names)
            case s.If(branches):
                for branch in branches:
                    self.nodes(branch.condition, names)
                    self.body(branch.body, names)
            case s.Ask(who, moves, whom):
                self.nodes((who, whom), names)
                self.move_names(moves)
            case s.Use():
                self.use(node, names)
            case s.Do(name, args):
                self.mention(name.span, self.slot(name.id) or self.declared.phases.get(name.id))
                self.nodes(args, names)
            case s.Stop(name):
                self.mention(name.span, self.declared.phases.get(name.id))
            case s.Assign(place, _, value, because):
                self.nodes((place, value), names)
                if because is not None:
                    reason = because.reason
                    known = Symbol("reason", reason.id, reason.span, f"for {reason.id}")
                    self.mention(reason.span, self.declared.reasons.setdefault(reason.id, known))
                    self.nodes(because.cards, names)
            case _:
                self.nodes(tuple(getattr(node, f.name) for f in fields(node) if f.name != "span"), names)
        return names

    def use(self, node: s.Use, names: Locals) -> None:
        block = node.name.id
        if block != "offer" or node.name.span.text == "offer":
            self.mention(node.name.span, self.declared.blocks.get(block))
        for slot in node.slots:
            if slot.name.span.text == slot.name.id:
                self.mention(slot.name.span, self.declared.slots.get((block, slot.name.id)))
            if slot.moves is not None:
                self.move_names(slot.moves)
            if slot.body is not None:
                self.body(slot.body, names)
            self.nodes((slot.value, slot.place), names)

    def move_names(self, moves: Iterable[s.Name]) -> None:
        for name in moves:
            self.mention(name.span, self.slot(name.id) or self.declared.moves.get(name.id))

    def slot(self, name: str) -> Symbol | None:
        """The slot of that name, inside a block."""
        return None if self.block is None else self.declared.slots.get((self.block.name.id, name))

    # ------------------------------------------------------------ expressions and declarations

    def nodes(self, part: object, names: Locals) -> None:
        """All names in a part of the tree that binds none."""
        todo: list[object] = [part]
        while todo:
            node = todo.pop()
            match node:
                case tuple():
                    todo += reversed(node)
                case s.Name():
                    self.mention(node.span, self.value(node, names))
                case s.Of(name, target):
                    self.mention(name.span, self.looked_up(name))
                    todo.append(target)
                case s.Place(name, target):
                    symbol = self.value(name, names) if target is None else self.looked_up(name)
                    self.mention(name.span, symbol)
                    todo.append(target)
                case s.Call(name, args):
                    self.mention(name.span, self.called(name))
                    if name.id == "answered":
                        self.move_names(arg for arg in args if isinstance(arg, s.Name))
                    else:
                        todo += reversed(args)
                case s.From(s.Name() as name, right) if name.id in self.declared.patterns:
                    self.mention(name.span, self.declared.patterns[name.id])
                    todo.append(right)
                case s.PatternRef(name, args):
                    self.mention(name.span, self.declared.patterns.get(name.id))
                    todo += reversed(args)
                case s.Constraint(_, fact, condition):
                    if fact is not None:
                        self.mention(fact.span, self.declared.orders.get(fact.id) or self.looked_up(fact))
                    todo.append(condition)
                case s.NamedType(name):
                    self.type_name(name)
                case s.SetType(element):
                    self.type_name(element)
                case s.Declaration(of, per, _, start):
                    self.per(per)
                    todo += (start, of)
                case s.ZoneDeclaration(_, _, per):
                    self.per(per)
                case s.SlotDeclaration(s.NamedType(s.Name(id="moves")) as of, _, s.Name() as move):
                    self.move_names([move])
                    todo.append(of)
                case s.SlotDeclaration(of, per, default):
                    self.per(per)
                    todo += (default, of)
                case t.TableRow(keys, value):
                    for key in keys or ():
                        if isinstance(key, s.Name):
                            self.mention(key.span, self.value(key, names))
                    todo.append(value)
                case t.OptionTree(declaration=declaration) | t.StateTree(declaration=declaration):
                    todo.append(declaration)
                case t.ZoneTree(declaration=declaration, fields=each):
                    todo += (each, declaration)
                case s.Syntax():
                    todo += [getattr(node, f.name) for f in reversed(fields(node)) if f.name != "span"]

    def per(self, name: s.Name | None) -> None:
        if name is not None:
            self.type_name(name)

    def type_name(self, name: s.Name) -> None:
        known = self.declared.types.get(name.id)
        if known is None and name.id in (*TYPES, "key", "zone", "moves", "statements"):
            known = built_in(name.id)
        self.mention(name.span, known)

    def value(self, name: s.Name, names: Locals) -> Symbol | None:
        """What a bare name means."""
        declared, id = self.declared, name.id
        found = names.get(id) or self.slot(id) or declared.values.get(id) or declared.fields.get(id)
        if found is not None:
            return found
        of = stripped(self.types.get(name.span))
        if isinstance(of, pt.Word) and (of.name, id) in declared.words:
            return declared.words[of.name, id]
        if id in declared.types:
            return declared.types[id]
        if id in self.world.suit_names():
            return Symbol("suit", id, None, id, "a suit")
        homes = self.world.types_with_word(id)
        if len(homes) == 1 and (homes[0], id) in declared.words:
            return declared.words[homes[0], id]
        if isinstance(of, pt.Word):
            return Symbol("word", id, None, id, str(of))
        return built_in(id)

    def looked_up(self, name: s.Name) -> Symbol | None:
        """What stands before `of`."""
        declared = self.declared
        found = self.slot(name.id) or declared.values.get(name.id) or declared.fields.get(name.id)
        return found or built_in(name.id)

    def called(self, name: s.Name) -> Symbol | None:
        """What stands before parentheses."""
        declared = self.declared
        found = declared.values.get(name.id) or declared.patterns.get(name.id)
        return found or (built_in(name.id) if name.id in FUNCTIONS else None)


def stripped(of: pt.Type | None) -> pt.Type | None:
    """The type itself, without `or none`, and of several things that of one."""
    while isinstance(of, pt.Optional | pt.Collection):
        of = of.of
    return of


def need_symbol(block: t.BlockTree, need: t.NeedTree) -> Symbol:
    head = f"{need.name.id}: {need.type.span.text}"
    return Symbol("need", need.name.id, need.name.span, head, "", None, f"block `{block.name.id}`")


__all__ = ["Meanings", "stripped"]
