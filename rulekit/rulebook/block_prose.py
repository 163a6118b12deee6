"""What a use of a block does, told by the block's own prose with what the game put into its slots."""

from __future__ import annotations

import re
from collections.abc import Callable

from rulekit.program import expressions as e
from rulekit.program import statements as s
from rulekit.program import types as t
from rulekit.program.program import Program
from rulekit.program.walk import bodies, walk_expressions, walk_statements
from rulekit.rulebook.document import Item
from rulekit.rulebook.english import joined, title
from rulekit.rulebook.markup import literal, term
from rulekit.rulebook.naming import kind_of
from rulekit.rulebook.phrases import Phrases

MARK = re.compile(r"\{([a-z][a-z0-9_]*)\}")

Tell = Callable[[tuple[s.Stmt, ...]], tuple[Item, ...]]


class BlockProse:
    """Tells uses of blocks; ``tell`` tells lists of statements."""

    def __init__(self, phrases: Phrases, tell: Tell) -> None:
        self.p = phrases
        self.tell = tell
        self.held = slots_of(phrases.program)
        self.telling: list[s.BlockUse] = []  # uses of which a slot is being told

    def owner(self, stmt: s.Stmt) -> s.BlockUse | None:
        """The use of a block that a statement belongs to, in its own right or as what fills a slot."""
        if stmt.slot is not None and stmt.slot.use not in self.telling:
            assert isinstance(stmt.slot.use, s.BlockUse)
            return stmt.slot.use
        return stmt.use if stmt.use not in self.telling else None

    def items(self, use: s.BlockUse, body: tuple[s.Stmt, ...]) -> list[Item]:
        """The lines of the block's prose that apply here."""
        held = self.held.get(id(use), {})
        inside: dict[str, list[s.Stmt]] = {}
        for stmt in walk_statements(body):
            if stmt.slot is not None and stmt.slot.use is use:
                inside.setdefault(stmt.slot.name, []).append(stmt)
        found = []
        for line in use.prose:
            if line.condition is not None and self.applies(use, held, line.condition[0]) != line.condition[1]:
                continue
            item = self.line(use, line.text, held, inside)
            if item is not None:
                found.append(item)
        return found

    def applies(self, use: s.BlockUse, held: dict[str, e.Expr], slot: str) -> bool:
        """A slot that is a condition holds; any other is given by the game, and is not what it would be
        anyway."""
        value = held.get(slot)
        if value is not None and isinstance(value.type, t.Bool):
            folded = self.p.folding.expr(value)
            return isinstance(folded, e.Constant) and bool(folded.value)
        if value is not None and slot in use.given:
            folded = self.p.folding.expr(value)
            return not (isinstance(folded, e.Constant) and (slot, folded.value) in use.usual)
        return slot in use.given

    def line(
        self, use: s.BlockUse, text: str, held: dict[str, e.Expr], inside: dict[str, list[s.Stmt]]
    ) -> Item | None:
        """A line with its slots filled; None if one of them holds nothing."""
        below: tuple[Item, ...] = ()
        pieces: list[str] = []
        place = 0
        for mark in MARK.finditer(text):
            pieces.append(literal_piece(text[place : mark.start()]))
            place = mark.end()
            name = mark[1]
            if name in inside:
                self.telling.append(use)
                below = self.tell(tuple(inside[name]))
                self.telling.pop()
                continue
            said = self.slot(use, name, held, in_full=text[: mark.start()].endswith(": "))
            if said is None:
                return None
            pieces.append(said)
        pieces.append(literal_piece(text[place:]))
        said = "".join(pieces).strip().replace("each of all players", "each player")
        said = title(said.replace("each of both players", "each player"))
        if said.endswith(":") and not below:
            return None
        return Item(said, below)

    def slot(self, use: s.BlockUse, name: str, held: dict[str, e.Expr], *, in_full: bool) -> str | None:
        """What a slot holds. ``in_full``: what a define says, and not its name."""
        for slot, moves in use.moves:
            if slot == name:
                said = [term(self.p.move(move)) for move in moves if self.p.possible(move)]
                return joined(said, "or") if said else None
        for slot, zone in use.places:
            if slot == name:
                per = self.p.program.zones[zone].per
                whose = {"player": "their own ", "team": "the side's "}.get(per or "", "the ")
                return whose + self.p.zone(zone)
        value = held.get(name)
        if value is None:
            return None
        folded = self.p.folding.expr(value)
        for x in walk_expressions(folded):
            if isinstance(x, e.Local) and self.p.program.locals[x.number].name == "it":
                self.p.names.setdefault(x.number, f"the {kind_of(self.p.program.locals[x.number].type)}")
        if in_full and isinstance(folded, e.CallDefine):
            folded = self.written_out(folded)
        if isinstance(folded.type, t.Bool):
            return self.p.clause(folded)
        if isinstance(folded, e.FactOf):
            return term(self.p.named_fact(folded.fact))
        return self.p.noun(folded)

    def written_out(self, call: e.CallDefine) -> e.Expr:
        """What a define says, of anybody."""
        program = self.p.program
        for number in program.defines[call.define].parameters:
            self.p.names[number] = f"that {kind_of(program.locals[number].type)}"
        return self.p.folding.define(call.define)


def slots_of(program: Program) -> dict[int, dict[str, e.Expr]]:
    """For each use of a block, what its slots hold, before options decide anything."""
    found: dict[int, dict[str, e.Expr]] = {}
    moves = ((move.choices, move.conditions) for move in program.moves.values())
    for part in (*(body for _, _, body in bodies(program)), *moves):
        for x in walk_expressions(part):
            if x.slot is not None:
                found.setdefault(id(x.slot.use), {}).setdefault(x.slot.name, x)
    return found


def literal_piece(text: str) -> str:
    """Text of the block with its blanks kept."""
    before = " " if text[:1] == " " else ""
    after = " " if len(text) > 1 and text[-1:] == " " else ""
    return before + literal(text) + after
