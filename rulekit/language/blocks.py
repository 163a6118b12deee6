"""Blocks: files of rules that a game uses as statements, expanded where they are used."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from rulekit.diagnostics import nearest
from rulekit.language import syntax as s
from rulekit.language.definitions import Definitions
from rulekit.language.known import statements_in
from rulekit.language.tree import BlockTree
from rulekit.language.world import Scope, Slot, Use, World
from rulekit.program import statements as st
from rulekit.program import types as t

if TYPE_CHECKING:
    from rulekit.language.statements import Statements


class Blocks:
    """The blocks a file uses."""

    statements: Statements

    def __init__(
        self, world: World, expressions: Definitions, find: Callable[[str], BlockTree | None]
    ) -> None:
        self.world = world
        self.x = expressions
        self.file = find
        self.used: dict[str, BlockTree] = {}  # in order of first use
        self.uses: dict[str, list[Use]] = {}
        self.owners: dict[str, dict[str, None]] = {}  # block → phases, moves, "play" with a use of it

    def parameter_type(self, parameter: s.Parameter) -> t.Type:
        return self.x.parameter_type(parameter)

    def find(self, bodies: Iterable[Iterable[s.Stmt]]) -> None:
        """Note every block used in these lists and in the blocks' own, in order of first use."""
        for body in bodies:
            for node in statements_in(body):
                if isinstance(node, s.Use) and node.name.id not in self.used:
                    block = self.file(node.name.id)
                    if block is None:
                        continue
                    self.used[node.name.id] = block
                    inner = [block.body, *(p.body for p in block.phases), *(p.after for p in block.phases)]
                    self.find([*inner, *(m.body for m in block.moves)])

    def use(self, node: s.Use, scope: Scope) -> list[st.Stmt]:
        """The statements that a use of a block stands for."""
        world = self.world
        block = self.file(node.name.id)
        if block is None:
            near = nearest(node.name.id, self.used)
            world.findings.error(
                "RK701", f"there is no block `{node.name.id}`", node.name.span,
                expected="the name of a block file", help=f"did you mean `{near}`?" if near else None,
                suggestion=near,
            )  # fmt: skip
            return []
        outer = scope.use
        while outer is not None:
            if outer.block is block:
                world.findings.error(
                    "RK705", f"`{node.name.id}` is used inside itself", node.span,
                    help="put the inner one into a phase of its own before or after",
                )  # fmt: skip
                return []
            outer = outer.outer
        given = {slot.name.id: slot for slot in node.slots}
        slots: dict[str, Slot] = {}
        missing = []
        for name, declaration in block.slots:
            if name.id in given:
                slots[name.id] = Slot(declaration, given[name.id], scope)
            elif declaration.default is not None:
                slots[name.id] = Slot(declaration, None, None)
            else:
                missing.append(name.id)
        for slot in node.slots:
            if slot.name.id not in {name.id for name, _ in block.slots}:
                known = [name.id for name, _ in block.slots]
                near = nearest(slot.name.id, known)
                world.findings.error(
                    "RK702", f"block `{block.name.id}` has no slot `{slot.name.id}`", slot.name.span,
                    expected=", ".join(f"`{k}`" for k in known),
                    help=f"did you mean `{near}`?" if near else None, suggestion=near,
                )  # fmt: skip
        if missing:
            listed = ", ".join(f"`{m}`" for m in missing)
            world.findings.error(
                "RK703", f"block `{block.name.id}` is not told its {listed}", node.name.span,
                expected=f"{listed} among its slots",
            )  # fmt: skip
            return []
        use = Use(block, len(self.uses.get(block.name.id, ())), slots, node.span, scope.use)
        self.uses.setdefault(block.name.id, []).append(use)
        self.owners.setdefault(block.name.id, {})[scope.owner] = None
        self.bind_parts(use)
        inner = Scope(me=scope.me, use=use, owner=scope.owner)
        return list(self.statements.body(block.body, inner))

    def bind_parts(self, use: Use) -> None:
        """Let the block's own defines, phases and moves mean this use; several uses must then agree."""
        world, block = self.world, use.block
        first = self.uses[block.name.id][0]
        agree = use is first or all(
            same_value(use.slots[name].value, first.slots[name].value) for name in use.slots
        )
        tables: tuple[dict[str, Any], ...] = (world.define_trees, world.phase_trees, world.move_trees)
        for table in tables:
            for name, (tree, bound) in table.items():
                if bound is None or bound.block is not block:
                    continue  # the game's own, or another block's
                parts = [getattr(tree, f.name) for f in fields(tree) if f.name not in ("name", "signature")]
                if not agree and reads_slot(tuple(parts), set(use.slots)):
                    world.findings.error(
                        "RK706", f"`{name}` of block `{block.name.id}` depends on the slots, "
                        "and the uses of the block differ", use.span,
                        help="give all uses the same slots, or declare it in the game",
                    )  # fmt: skip
                elif use is first:
                    table[name] = (tree, use)

    def check_needs(self) -> None:
        """Report what a used block needs and the game lacks."""
        world = self.world
        for block in self.used.values():
            for need in block.needs:
                name, kind = need.name.id, need.type.type.name.id
                known = world.zones if kind == "zone" else {**world.state, **world.define_trees}
                found = name in known
                if not found and not (kind == "zone" and name == "zone"):
                    span = self.uses[block.name.id][0].span if self.uses.get(block.name.id) else need.span
                    where = "zones" if kind == "zone" else "state"
                    world.findings.error(
                        "RK704", f"block `{block.name.id}` needs a {'zone' if kind == 'zone' else 'state'} "
                        f"called `{name}`", span, help=f"declare `{name}` under `{where}`",
                    )  # fmt: skip


def same_value(a: s.SlotValue | None, b: s.SlotValue | None) -> bool:
    """Two uses put the same into a slot."""
    return a == b


def reads_slot(nodes: object, names: set[str]) -> bool:
    """Does a name of a slot stand in this syntax?"""
    todo: list[object] = [nodes]
    while todo:
        node = todo.pop()
        if isinstance(node, s.Name) and node.id in names:
            return True
        if isinstance(node, tuple):
            todo += node
        elif isinstance(node, s.Syntax):
            todo += [getattr(node, f.name) for f in fields(node) if f.name != "span"]
    return False


def placeholder(block: BlockTree) -> Use:
    """The use that stands for all until the first is met."""
    return Use(block, -1, {}, block.span)


__all__ = ["Blocks", "placeholder", "statements_in"]
