"""A ruleset in kernel form: every use of a block replaced by the statements it stands for.

What a block brings (state, defines, phases, moves) becomes part of the game, unless the game declares
something of that name, which then serves instead. State of a block starts afresh with each part of the
game that holds a use. If that is one phase the state becomes the phase's; if it is the play, the state
of the match; if there are several, or it is a move, the state of the match, and each of them begins by
assigning its START. State of a block that this game neither names nor needs is left out. All else in the
document stays as it is written.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace

from rulekit.diagnostics import Findings
from rulekit.language import parser
from rulekit.language import syntax as s
from rulekit.language import tree as t
from rulekit.language.answers import everything_in
from rulekit.language.belonging import Belonging, kind_of_name
from rulekit.language.brought import Brought
from rulekit.language.reader import read_ruleset
from rulekit.language.reading import Reading
from rulekit.language.reading_statements import read_statements
from rulekit.language.substitute import Site, Substitution, locals_of
from rulekit.language.unneeded import Unneeded, unneeded
from rulekit.language.written import Written
from rulekit.source.document import Entry, Mapping, Node, Scalar, Sequence
from rulekit.source.order import RULESET_KEYS

Find = Callable[[str], t.BlockTree | None]

_PHASE_KEYS = ("text", "state", "stop when", "do", "after")
_WORD = re.compile(r"[a-z][a-z0-9_]*")


def expand(document: Mapping, findings: Findings, blocks: Find) -> Mapping:
    """The document of a ruleset without blocks, which plays exactly like ``document``.

    ``document`` is whole: of a variant it is what `load_document` makes of it. It should have no errors;
    ``blocks`` gives the tree of a block by name. Without a use of a block the result is ``document``
    itself. What cannot be written out is reported (RK707); then too ``document`` comes back.
    """
    tree = read_ruleset(document, findings, blocks)
    used = used_blocks(tree, blocks) if tree is not None else {}
    if tree is None or not used or findings.has_errors:
        return document
    without = Unneeded()
    while True:
        expansion = _Expansion(document, tree, used, findings, without)
        whole = expansion.whole()
        if findings.has_errors:
            return document
        more = expansion.unneeded(whole)
        if not more:
            return whole
        without |= more


def used_blocks(tree: t.RulesetTree, blocks: Find) -> dict[str, t.BlockTree]:
    """The blocks that a game uses, also inside others, in the order in which they number their moves."""
    found: dict[str, t.BlockTree] = {}

    def visit(bodies: Iterable[Iterable[s.Stmt]]) -> None:
        for body in bodies:
            for node in everything_in(body):
                block = blocks(node.name.id) if isinstance(node, s.Use) else None
                if block is not None and block.name.id not in found:
                    found[block.name.id] = block
                    inner = [block.body, *(p.body for p in block.phases), *(p.after for p in block.phases)]
                    visit([*inner, *(m.body for m in block.moves)])

    visit([tree.play, *(p.body for p in tree.phases), *(p.after for p in tree.phases)])
    visit(m.body for m in tree.moves)
    return found


class _Expansion:
    """One ruleset being written out."""

    def __init__(
        self,
        document: Mapping,
        tree: t.RulesetTree,
        used: dict[str, t.BlockTree],
        findings: Findings,
        without: Unneeded,
    ) -> None:
        self.document = document
        self.tree = tree
        self.used = used
        self.written = Written(document.span)
        self.belonging = Belonging(tree, used.values())
        self.substitution = Substitution(self.belonging, used.get, findings, without)
        self.brought = Brought(tree, used, self.substitution)
        self.phases = {phase.signature.name.id: phase for phase in tree.phases}
        self.moves = {move.name.id: move for move in tree.moves}

    def whole(self) -> Mapping:
        """The document with everything in its place."""
        parts = {entry.key.text: entry for entry in self.document}
        if (play := parts.get("play")) is not None:
            parts["play"] = Entry(
                play.key, self._list(play.value, self.tree.play, self.brought.site("play", {}))
            )
        phases = self._each(parts.get("phases"), self._phase)
        moves = self._each(parts.get("moves"), self._move)
        self.brought.bring()
        self.brought.bring_state()
        all_phases = [self._with_state(name, entry) for name, entry in phases]
        own = (self._own_phase(phase) for phase in self.brought.phases.values())
        all_phases += self._entries(map(self.written.phase, own))
        all_moves = [self._with_starts(f"move {name}", entry) for name, entry in moves]
        all_moves += self._entries(self._own_move(move) for move in self.brought_moves())
        self._put(parts, "phases", all_phases, fresh=True)
        self._put(parts, "moves", all_moves, fresh=True)
        self._put(parts, "state", self._entries(map(self.written.state, self.brought.state[""])))
        self._put(parts, "define", self._entries(map(self.written.define, self.brought.defines)))
        place = {key: index for index, key in enumerate(RULESET_KEYS)}
        ordered = sorted(parts.values(), key=lambda entry: place.get(entry.key.text, len(place)))
        return Mapping(tuple(ordered), self.document.span)

    def unneeded(self, whole: Mapping) -> Unneeded:
        """What ``whole`` would be better without."""
        again = read_ruleset(whole, Findings(), self.used.get)
        if again is None:
            return Unneeded()
        moves = [move.name.id for move in self.brought_moves()]
        return unneeded(self.tree, again, self.brought.all_state(), moves, self.belonging.all_words)

    def brought_moves(self) -> list[t.MoveTree]:
        """The moves of blocks that are asked."""
        idle = self.substitution.unneeded.moves
        return [move for name, move in self.brought.moves.items() if name not in idle]

    def _put(self, parts: dict[str, Entry], key: str, entries: list[Entry], *, fresh: bool = False) -> None:
        """Entries added to a chapter, or put in place of it."""
        old = parts.get(key)
        before = old.value.entries if old and isinstance(old.value, Mapping) and not fresh else ()
        if entries:
            name = old.key if old is not None else self.written.text(key)
            parts[key] = Entry(name, Mapping((*before, *entries), self.document.span))

    def _entries(self, pairs: Iterable[tuple[str, Node]]) -> list[Entry]:
        return [Entry(self.written.text(key), value) for key, value in pairs]

    # ------------------------------------------------------------ parts of the game

    def _each(self, chapter: Entry | None, change: Callable[[str, Node], Node]) -> list[tuple[str, Entry]]:
        """The entries of a chapter, each with its name and changed."""
        found = []
        for entry in chapter.value if chapter and isinstance(chapter.value, Mapping) else ():
            name = entry.key.text.partition("(")[0].strip()
            found.append((name, Entry(entry.key, change(name, entry.value))))
        return found

    def _phase(self, name: str, node: Node) -> Node:
        phase = self.phases[name]
        locals = {x.name.id: kind_of_name(x.type.name.id) for x in phase.signature.parameters}
        site = self.brought.site(f"phase {name}", dict(locals))
        return _inside(node, lambda bare: self._phase_parts(bare, phase, site))

    def _phase_parts(self, bare: Node, phase: t.PhaseTree, site: Site) -> Node:
        if not isinstance(bare, Mapping):
            return self._list(bare, phase.body, site)
        changed = {"do": phase.body, "after": phase.after}
        return _mapped(bare, lambda key, x: self._list(x, changed[key], site) if key in changed else x)

    def _move(self, name: str, node: Node) -> Node:
        move = self.moves[name]
        locals: dict[str, str | None] = {}
        for choice in move.choices:
            locals[choice.name.id] = self.belonging.kind(choice.entries[0].domain, locals)
        if move.layout is not None:
            locals |= {"card": "card", "target": "pile", "source": "pile"}
        site = self.brought.site(f"move {name}", locals)
        return _inside(
            node,
            lambda bare: (
                _mapped(bare, lambda key, x: self._list(x, move.body, site) if key == "do" else x)
                if isinstance(bare, Mapping)
                else bare
            ),
        )

    # ------------------------------------------------------------ statement lists

    def _list(self, node: Node, trees: tuple[s.Stmt, ...], site: Site) -> Node:
        """A list of statements of the game, without blocks."""
        if not any(isinstance(x, s.Use) for x in everything_in(trees)):
            return node
        self.substitution.own_lists(trees)
        return self._statements(node, site, Counter(_words(node)))

    def _statements(self, node: Node, site: Site, words: Counter[str]) -> Node:
        def items(bare: Node) -> Node:
            nonlocal site
            found: list[Node] = []
            for item in bare if isinstance(bare, Sequence) else (bare,):
                made, site = self._item(item, site, words)
                found += made
            return Sequence(tuple(found), bare.span)

        return _inside(node, items)

    def _item(self, node: Node, site: Site, words: Counter[str]) -> tuple[list[Node], Site]:
        """What a statement of the game becomes, and the site of the statements after it."""
        bare = _bare(node)
        if not isinstance(bare, Mapping):
            text = bare.text if isinstance(bare, Scalar) else ""
            let = re.match(r"\s*let\s+([a-z][a-z0-9_]*)\s*=", text)
            return [node], site if let is None else self._with_let(let[1], bare, site)
        head = parser.parse_head(bare.entries[0].key, Findings())
        if isinstance(head, s.UseHead | s.OfferHead):
            use = self._parsed(node)
            if not isinstance(use, s.Use):
                return [node], site
            elsewhere = frozenset((words - Counter(_words(node))).keys())
            made = self.substitution.use(use, replace(site, elsewhere=elsewhere))
            for local in locals_of(made):
                site = site.with_local(local)
            return [self.written.statement(x) for x in made], site
        if isinstance(head, s.AskHead):
            return [node], site
        inner = site
        if isinstance(head, s.ForHead):
            inner = site.with_local(head.name.id, self.belonging.kind(head.domain, site.locals))
        changed = _mapped(bare, lambda _, body: self._statements(body, inner, words))
        return [_inside(node, lambda _: changed)], site

    def _with_let(self, name: str, node: Node, site: Site) -> Site:
        let = self._parsed(node)
        kind = self.belonging.kind(let.value, site.locals) if isinstance(let, s.Let) else "pile"
        return site.with_local(name, kind)

    def _parsed(self, node: Node) -> s.Stmt | None:
        reading = Reading(Findings(), self.used.get)
        found = read_statements(reading, Sequence((node,), node.span))
        return found[0] if found else None

    # ------------------------------------------------------------ what blocks bring

    def _with_state(self, name: str, entry: Entry) -> Entry:
        """A phase of the game with the state that blocks bring into it."""
        entry = self._with_starts(f"phase {name}", entry)
        added = self._entries(self.written.state(x) for x in self.brought.state.get(name, ()))
        if not added:
            return entry
        bare = _bare(entry.value)
        parts = {x.key.text: x for x in bare} if isinstance(bare, Mapping) else {}
        if not isinstance(bare, Mapping):
            parts["do"] = Entry(self.written.text("do"), bare)
        if bare is not entry.value and isinstance(entry.value, Mapping):
            parts.update((x.key.text, x) for x in entry.value if x.key.text == "text")
        self._put(parts, "state", added)
        ordered = sorted(parts.values(), key=lambda x: _PHASE_KEYS.index(x.key.text))
        return Entry(entry.key, Mapping(tuple(ordered), entry.value.span))

    def _own_phase(self, tree: t.PhaseTree) -> t.PhaseTree:
        """A phase that a block brought, with the state that other blocks bring into it."""
        name = tree.signature.name.id
        begin = tuple(self.brought.starts.get(f"phase {name}", ()))
        return replace(
            tree, state=(*tree.state, *self.brought.state.get(name, ())), body=(*begin, *tree.body)
        )

    def _own_move(self, tree: t.MoveTree) -> tuple[str, Node]:
        """A move that a block brought."""
        begin = tuple(self.brought.starts.get(f"move {tree.name.id}", ()))
        return self.written.move(replace(tree, body=(*begin, *tree.body)))

    def _with_starts(self, owner: str, entry: Entry) -> Entry:
        """A phase or move that begins by assigning block state its START."""
        begin = [self.written.statement(x) for x in self.brought.starts.get(owner, ())]
        if not begin:
            return entry

        def longer(bare: Node) -> Node:
            if isinstance(bare, Mapping):
                return _mapped(bare, lambda key, x: _inside(x, longer) if key == "do" else x)
            return Sequence((*begin, *(bare if isinstance(bare, Sequence) else (bare,))), bare.span)

        return Entry(entry.key, _inside(entry.value, longer))


# ---------------------------------------------------------------- nodes


def _bare(node: Node) -> Node:
    """The value itself, where `{is: X, text: ...}` may stand for X."""
    while isinstance(node, Mapping) and (inner := node.get("is")) is not None:
        node = inner
    return node


def _inside(node: Node, change: Callable[[Node], Node]) -> Node:
    """The node with the value inside its prose changed."""
    if isinstance(node, Mapping) and "is" in node:
        return _mapped(node, lambda key, x: _inside(x, change) if key == "is" else x)
    return change(node)


def _mapped(node: Mapping, change: Callable[[str, Node], Node]) -> Mapping:
    entries = tuple(Entry(x.key, change(x.key.text, x.value)) for x in node)
    return Mapping(entries, node.span)


def _words(node: Node) -> Iterable[str]:
    """Every word in small letters in a document, as often as it stands there."""
    if isinstance(node, Scalar):
        yield from _WORD.findall(node.text)
    elif isinstance(node, Sequence):
        for item in node:
            yield from _words(item)
    else:
        for entry in node:
            yield from _WORD.findall(entry.key.text)
            yield from _words(entry.value)
