"""Blocks: files of rules that a game uses as statements, expanded where they are used."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any

from rulekit.diagnostics import Note, nearest
from rulekit.language import syntax as s
from rulekit.language.coerce import same_kind
from rulekit.language.definitions import Definitions
from rulekit.language.known import names_in, statements_in
from rulekit.language.tree import BlockTree, NeedTree
from rulekit.language.world import Scope, Slot, Use, World
from rulekit.program import statements as st

if TYPE_CHECKING:
    from rulekit.language.statements import Statements


#: What a slot or a need may be; and what only a slot may be.
SIMPLE = ("bool", "int", "player", "team", "suit", "rank", "card", "pile", "players", "cards")
ONLY_SLOTS = ("zone", "moves", "statements", "key")
MOST_USES = 1000  #: how many uses of blocks a game may have, those inside others counted each time


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
        self.first: dict[str, s.Use] = {}  # where each is used first
        self.uses: dict[str, list[Use]] = {}
        self.count = 0
        self.owners: dict[str, dict[str, None]] = {}  # block → phases, moves, "play" with a use of it
        self.unfit: set[str] = set()  # cannot be used in this game, which is reported

    def find(self, bodies: Iterable[Iterable[s.Stmt]]) -> None:
        """Note every block used in these lists and in the blocks' own, in order of first use."""
        for body in bodies:
            for node in statements_in(body):
                if isinstance(node, s.Use) and node.name.id not in self.used:
                    block = self.file(node.name.id)
                    if block is None:
                        continue
                    self.used[node.name.id] = block
                    self.first[node.name.id] = node
                    self.world.needed.update(need.name.id for need in block.needs)
                    inner = [block.body, *(p.body for p in block.phases), *(p.after for p in block.phases)]
                    self.find([*inner, *(m.body for m in block.moves)])

    # ------------------------------------------------------------ does it fit the game?

    def unfitting(self, block: BlockTree, name: s.Name, kind: str) -> None:
        """The game means something else by a name that a block brings."""
        world = self.world
        self.unfit.add(block.name.id)
        span = world.declared_at.get(name.id)
        if span is None or span.source is not world.tree.span.source:
            span = self.first[block.name.id].name.span
        world.findings.error(
            "RK708", f"block `{block.name.id}` has {kind} called `{name.id}`, and here it is something else",
            span, expected=f"{kind} like the block's own, or another name",
            notes=[Note("the block's own", name.span)] if name.span is not None else [],
        )  # fmt: skip

    def check_needs(self) -> None:
        """Report what used blocks need and the game lacks."""
        for block in self.used.values():
            for need in block.needs:
                if self.known_type(need.type, (*SIMPLE, "zone")):
                    self.check_need(block, need)
            for _, declared in block.slots:
                self.known_type(declared, (*SIMPLE, *ONLY_SLOTS))

    def known_type(self, declared: s.SlotDeclaration, known: Sequence[str]) -> bool:
        """A slot or need is of a type that there is; reported if not."""
        world, words = self.world, [name for name in self.world.words if name not in known]
        for name, allowed in ((declared.type.name, known), (declared.per, SIMPLE)):
            if name is None or name.id in allowed or name.id in words or world.reported(name.span):
                continue
            near = nearest(name.id, [*allowed, *words])
            world.findings.error(
                "RK415", f"there is no type `{name.id}`", name.span,
                expected=", ".join(f"`{x}`" for x in allowed) + ", or a word type of the game",
                help=f"did you mean `{near}`?" if near else None, suggestion=near,
            )  # fmt: skip
            return False
        return True

    def check_need(self, block: BlockTree, need: NeedTree) -> None:
        world, name, kind = self.world, need.name.id, need.type.type.name.id
        wanted = "" if need.type.per is None else f" per {need.type.per.id}"
        thing = f"a zone `{name}`{wanted}" if kind == "zone" else f"a state `{name}`, {kind}{wanted}"
        if name in world.tree.broken or name in world.refused:
            self.unfit.add(block.name.id)  # what is wrong with it is said already
            return
        per: str | None = None
        fits = False
        if kind == "zone" and name in world.zones:
            per, fits = world.zones[name].per, True
        elif kind != "zone" and name in world.state:
            per = world.state[name].per
            fits = same_kind(world.state[name].type, self.x.slot_type(need.type))
        elif kind != "zone" and name in world.define_trees:
            return
        if fits and (need.type.per is None or per == need.type.per.id):
            return
        self.unfit.add(block.name.id)
        near = nearest(name, world.zones if kind == "zone" else world.state)
        if kind == "zone" and name not in world.zones:
            world.refused.add(name)  # said once
        world.findings.error(
            "RK704", f"block `{block.name.id}` needs {thing}", self.first[block.name.id].name.span,
            expected=f"`{name}` under `{'zones' if kind == 'zone' else 'state'}`",
            help=f"is `{near}` meant? the block calls it `{name}`" if near and near != name else None,
            notes=[Note("needed here", need.name.span)],
        )  # fmt: skip

    # ------------------------------------------------------------ uses

    def use(self, node: s.Use, scope: Scope) -> list[st.Stmt]:
        """The statements that a use of a block stands for."""
        world, name = self.world, node.name.id
        block = self.file(name)
        if block is None or name in self.unfit or self.count > MOST_USES:
            return []
        self.count += 1
        if self.count > MOST_USES:
            world.findings.error(
                "RK709", f"blocks are used more than {MOST_USES} times, those inside others counted",
                node.name.span, expected="fewer uses",
                help="put a use that is needed in many places into a phase",
            )  # fmt: skip
            return []
        if name in scope.running:
            world.findings.error(
                "RK705", f"`{name}` is used inside itself", node.name.span,
                expected="the one to end before the other begins",
            )  # fmt: skip
            return []
        slots = self.slots(node, block, scope)
        if slots is None:
            return []
        use = Use(block, len(self.uses.get(name, ())), slots, node.name.span, scope.use)
        use.told = self.told(use, scope)
        self.uses.setdefault(name, []).append(use)
        self.owners.setdefault(name, {})[scope.owner] = None
        self.bind_parts(use)
        running = (*scope.running, name)
        inner = Scope(me=scope.me, use=use, owner=scope.owner, running=running)
        made = self.statements.body(block.body, inner)
        return [x if x.slot is not None else replace(x, use=use.told) for x in made]

    def told(self, use: Use, scope: Scope) -> st.BlockUse:
        """What the rulebook needs to know of a use."""
        inner = Scope(me=scope.me, use=use, owner=scope.owner)
        moves, places = [], []
        for name, declared in use.block.slots:
            slot, kind = use.slots[name.id], declared.type.name.id
            if kind == "moves":
                moves.append((name.id, tuple(self.x.move_names(name, inner))))
            elif kind == "zone" and slot.value is not None and slot.value.place is not None:
                zone = slot.value.place.name.id
                if zone in self.world.zones and slot.value.place.target is None:
                    places.append((name.id, zone))
        lines = tuple(
            st.BlockLine(line.text.text, (line.slot, line.holds) if line.slot is not None else None)
            for line in use.block.prose
        )
        given = tuple(name for name, slot in use.slots.items() if slot.value is not None)
        usual = tuple(
            (name.id, int(words[0]))
            for name, declared in use.block.slots
            if isinstance(declared.default, s.Literals)
            and len(words := declared.default.words) == 1
            and words[0].isdigit()
        )
        return st.BlockUse(use.block.name.id, lines, given, tuple(moves), tuple(places), usual)

    def slots(self, node: s.Use, block: BlockTree, scope: Scope) -> dict[str, Slot] | None:
        """What each slot holds; None if one that must be given is not."""
        given = {slot.name.id: slot for slot in node.slots}
        slots: dict[str, Slot] = {}
        missing = []
        for name, declaration in block.slots:
            if name.id in given:
                outside = replace(scope, present=frozenset())  # the slot is read again and again
                slots[name.id] = Slot(declaration, given[name.id], outside)
            elif declaration.default is not None:
                slots[name.id] = Slot(declaration, None, None)
            else:
                missing.append(name.id)
        if not missing:
            return slots
        if not self.world.reported(node.name.span):
            listed = ", ".join(f"`{m}`" for m in missing)
            self.world.findings.error(
                "RK703", f"block `{block.name.id}` is not told its {listed}", node.name.span,
                expected=f"{listed} among its slots",
            )  # fmt: skip
        return None

    # ------------------------------------------------------------ what a block brings

    def bind_parts(self, use: Use) -> None:
        """Let the block's own defines, phases and moves mean this use; several uses must then agree."""
        world, block = self.world, use.block
        first = self.uses[block.name.id][0]
        tables: tuple[dict[str, Any], ...] = (world.define_trees, world.phase_trees, world.move_trees)
        for table in tables:
            for name, (tree, bound) in table.items():
                if bound is None or bound.block is not block:
                    continue  # the game's own, or another block's
                if use is first:
                    table[name] = (tree, use)
                    continue
                for slot in self.read_by(tree, use):
                    if not means_the_same(use.slots[slot], first.slots[slot]):
                        world.findings.error(
                            "RK706",
                            f"`{name}` of block `{block.name.id}` reads `{slot}`, which is not the same "
                            "in all uses", use.span, expected=f"the same `{slot}` in all uses",
                            help=f"declare `{name}` in the game",
                            notes=[Note("another use", first.span)],
                        )  # fmt: skip
                        break

    def read_by(self, tree: Any, use: Use) -> list[str]:
        """The slots that a part of a block reads, itself or through the block's defines."""
        defines = {define.signature.name.id: define for define in use.block.defines}
        found: dict[str, None] = {}
        seen: set[str] = set()
        todo = [tree]
        while todo:
            part = todo.pop()
            for name in names_in(tuple(getattr(part, f.name) for f in fields(part) if f.name != "name")):
                if name in use.slots:
                    found[name] = None
                elif name in defines and name not in seen:
                    seen.add(name)
                    todo.append(defines[name])
        return list(found)


def kinds_of(signature: s.Signature) -> list[str]:
    """The types of parameters, as written."""
    return [parameter.type.name.id for parameter in signature.parameters]


def alike(a: s.Declaration, b: s.Declaration) -> bool:
    """One state may serve for the other: the same type (numbers of any range), of the same families."""
    per_a, per_b = (x.per.id if x.per is not None else None for x in (a, b))
    kinds = (a.type, b.type)
    if per_a != per_b:
        return False
    if isinstance(a.type, s.RangeType) and isinstance(b.type, s.RangeType):
        return True
    if isinstance(a.type, s.WordsType) and isinstance(b.type, s.WordsType):
        return set(a.type.words) == set(b.type.words)
    return kinds[0] == kinds[1]


def means_the_same(a: Slot, b: Slot) -> bool:
    """Two uses put the same into a slot, and it means the same wherever it stands."""
    if a.value is None or b.value is None:
        return a.value is b.value
    locals_read = a.scope is not None and any(name in a.scope.names for name in names_in(a.value))
    return a.value == b.value and not locals_read


def placeholder(block: BlockTree) -> Use:
    """The use that stands for all until the first is met."""
    return Use(block, -1, {}, block.span)


__all__ = ["Blocks", "alike", "kinds_of", "placeholder", "statements_in"]
