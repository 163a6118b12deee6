"""Where a local name is known, for somebody who reads it where it is not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from rulekit.diagnostics import Note
from rulekit.language import syntax as s
from rulekit.language.known import statements_in

if TYPE_CHECKING:
    from rulekit.language.world import World

KEEP = "to read it elsewhere, keep it in `state`"


def is_it(node: s.Name, world: World) -> bool:
    """The name stands in the set whose elements it is to name: `for s in suits where s != hearts`."""
    moves = [move for move, use in world.move_trees.values() if use is None]
    phases = [phase for phase, use in world.phase_trees.values() if use is None]
    sets: list[s.Expr] = [
        entry.domain
        for move in moves
        for choice in move.choices
        if choice.name.id == node.id
        for entry in choice.entries
    ]
    lists = [world.tree.play, *(move.body for move in moves), *((*p.body, *p.after) for p in phases)]
    for body in lists:
        sets += [x.domain for x in statements_in(body) if isinstance(x, s.For) and x.name.id == node.id]
    return any(
        found.span is not None
        and node.span is not None
        and found.span.source is node.span.source
        and found.span.start <= node.span.start < found.span.end
        for found in sets
    )


def home_of(name: str, world: World) -> tuple[str, list[Note]] | None:
    """Help for a name that is a parameter, a choice or a `let` of another part of the file, and its place."""
    found = world.homes.get(name)
    if found is None:
        return None
    help, declared = found
    return help, [Note("declared here", declared.span)] if declared.span else []


def homes(world: World) -> dict[str, tuple[str, s.Name]]:
    """The first local of each name, with what to say of it."""
    found: dict[str, tuple[str, s.Name]] = {}
    for help, name in _locals(world):
        found.setdefault(name.id, (help, name))
    return found


def _locals(world: World) -> Iterator[tuple[str, s.Name]]:
    """Every local of the file, with what to say of it."""
    for name, (phase, use) in world.phase_trees.items():
        if use is not None:
            continue
        here = f"known in the phase `{name}` alone"
        for parameter in phase.signature.parameters:
            known = f"the parameter `{parameter.name.id}` is {here}, not in moves and defines"
            yield (
                f"{known}: keep it in a state of the phase, `NAME: TYPE = {parameter.name.id}`",
                parameter.name,
            )
        yield from _lets((*phase.body, *phase.after), f"of the phase `{name}`")
    for name, (move, use) in world.move_trees.items():
        if use is not None:
            continue
        for choice in move.choices:
            yield (
                f"`{choice.name.id}` is a choice of the move `{name}`, known there alone; {KEEP}",
                choice.name,
            )
        yield from _lets(move.body, f"of the move `{name}`")
    yield from _lets(world.tree.play, "of `play`")
    for name, (define, use) in world.define_trees.items():
        if use is not None:
            continue
        for parameter in define.signature.parameters:
            given = f"`{parameter.name.id}` is a parameter of `{name}`, known there alone"
            yield f"{given}; hand it on as a parameter", parameter.name


def _lets(body: Iterable[s.Stmt], where: str) -> Iterator[tuple[str, s.Name]]:
    for node in statements_in(body):
        if isinstance(node, s.Let | s.LetNew | s.For):
            yield (
                f"`{node.name.id}` is a local of a list {where}, known in that list alone; {KEEP}",
                node.name,
            )


__all__ = ["home_of", "homes", "is_it"]
