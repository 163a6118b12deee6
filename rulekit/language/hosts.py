"""A game around a block, so that a block file can be checked by itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from rulekit.diagnostics import Findings, SourceFile, nearest
from rulekit.language import syntax as s
from rulekit.language.compile import Compiler, run
from rulekit.language.reader import read_ruleset
from rulekit.language.tree import BlockTree
from rulekit.source.document import Mapping
from rulekit.source.yaml import read_document

HOST = "a game"  #: what the game that is made up is called
#: What a slot of each type holds in the game, and how that is declared.
VALUES = {
    "bool": "bool", "int": "0..99", "player": "player", "suit": "suit", "rank": "rank", "card": "card",
    "pile": "pile", "players": "players", "cards": "cards", "team": "team",
}  # fmt: skip
#: Unless it is a slip, said of a block only because its game is another one: ranks, types of words.
ABOUT_THE_GAME = ("RK408", "RK415")
#: What a slot about `it` holds, by the type.
ABOUT_IT = {"key": "3", "bool": "true", "int": "3", "player": "it", "players": "players", "cards": "deck"}


def check_block(block: BlockTree, findings: Findings, blocks: Callable[[str], BlockTree | None]) -> None:
    """Record what is wrong with a block, whatever game may use it. A block inside moves is not looked at."""
    if block.expands is not None or block.name.span is None:
        return
    own = Findings()
    compiler = host_compiler(block, own, blocks)
    if compiler is not None:
        run(compiler)
    source = block.name.span.source
    for item in own.items:
        theirs = item.code in ABOUT_THE_GAME and item.suggestion is None
        if item.span is not None and item.span.source is source and not theirs:
            findings.extend([item])
    if not findings.has_errors:
        idle(block, findings)


def host_compiler(
    block: BlockTree, findings: Findings, blocks: Callable[[str], BlockTree | None]
) -> Compiler | None:
    """What compiles a game that uses the block; None if no such game can be made up."""
    document = read_document(SourceFile(HOST, host(block)), findings)
    tree = read_ruleset(document, findings, blocks) if isinstance(document, Mapping) else None
    return None if tree is None else Compiler(tree, findings, blocks)


def idle(block: BlockTree, findings: Findings) -> None:
    """Warn of what a block declares and nowhere mentions."""
    defaults = tuple(slot.default for _, slot in block.slots)
    starts = tuple(state.declaration for state in block.state)
    used = {node.id for node in nodes(block, defaults, starts) if isinstance(node, s.Name)}
    for kind, declared in (
        ("slot", [name for name, _ in block.slots]),
        ("need", [need.name for need in block.needs]),
        ("state", [state.name for state in block.state]),
    ):
        for name in declared:
            if name.id not in used:
                near = nearest(name.id, used)
                findings.warning(
                    "RK710", f"{kind} `{name.id}` is never used in the block", name.span,
                    help=f"is `{near}` meant?" if near else "use it, or leave it out", suggestion=near,
                )  # fmt: skip


def nodes(block: BlockTree, *more: object) -> Iterator[s.Syntax]:
    """What a block says, down to the names."""
    todo: list[object] = [block.body, block.phases, block.moves, block.defines, *more]
    while todo:
        node = todo.pop()
        if isinstance(node, tuple):
            todo += node
        elif isinstance(node, s.Syntax):
            yield node
            todo += [value for key, value in vars(node).items() if key != "span"]


def host(block: BlockTree) -> str:
    """A small game that uses the block once, with something fitting in every slot that must be filled."""
    zones = ["stock: pile seen by nobody"]
    state = ["host_score: 0..9 per player"]
    slots: list[str] = []
    for need in block.needs:
        kind, per = need.type.type.name.id, f" per {need.type.per.id}" if need.type.per else ""
        if kind == "zone":
            zones.append(f"{need.name.id}: pile{per} seen by face")
        else:
            state.append(f"{need.name.id}: {VALUES.get(kind, kind)}{'?' * need.type.type.optional}{per}")
    for name, declared in block.slots:
        if declared.default is not None:
            continue
        kind, held = declared.type.name.id, f"host_{name.id}"
        if kind == "moves":
            slots.append(f"{name.id}: [host_move]")
        elif kind == "statements":
            slots.append(f"{name.id}: none")
        elif kind == "zone":
            zones.append(f"{held}: pile{' per player' * is_indexed(name.id, block)} seen by face")
            slots.append(f"{name.id}: {held}")
        elif declared.per is not None or kind == "key":
            slots.append(f"{name.id}: {ABOUT_IT.get(kind, 'it')}")
        else:
            state.append(f"{held}: {VALUES.get(kind, kind)}{'?' * declared.type.optional}")
            slots.append(f"{name.id}: {held}")
    use = f"{block.name.id}: {{{', '.join(slots)}}}"
    if block.name.id == "offer":  # the one block with a statement of its own
        use = "offer players: [host_move]"
    return f"""\
rulekit: "1"
name: host
title: Host
players: 4
teams: across
deck: standard
zones: {{{", ".join(zones)}}}
state: {{{", ".join(state)}}}
play: [{{{use}}}]
moves: {{host_move: {{text: x, do: []}}}}
end: {{ranking: highest host_score}}
"""


def is_indexed(slot: str, block: BlockTree) -> bool:
    """The block says `SLOT of` something: it wants a zone of each player."""
    return any(
        isinstance(node, (s.Of, s.Place)) and node.name.id == slot and node.target is not None
        for node in nodes(block)
    )


__all__ = ["HOST", "check_block", "host", "host_compiler"]
