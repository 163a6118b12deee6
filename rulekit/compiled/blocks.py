"""Blocks that have only one way in are joined to the one they follow."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace

from rulekit.compiled import lir


def merged(module: lir.Module, named: Iterable[int]) -> lir.Module:
    """The same module with fewer blocks. Numbers stay; a block that is gone is left empty.

    ``named``  blocks whose numbers stand in tables
    """
    ways: Counter[int] = Counter()
    fixed = {module.start, *named}
    for block in module.blocks:
        for stmt in block:
            for target, direct in _targets(stmt):
                ways[target] += 1
                if not direct:
                    fixed.add(target)
    for function in module.functions:
        for stmt in function.body:
            for target, _ in _targets(stmt):
                fixed.add(target)
    blocks = list(module.blocks)
    for number in range(len(blocks)):
        if not blocks[number]:
            continue
        body = blocks[number]
        seen = {number}
        while isinstance(body[-1], lir.Goto) and isinstance(body[-1].block, lir.Int):
            target = body[-1].block.value
            if target < 0 or target in fixed or ways[target] != 1 or target in seen or not blocks[target]:
                break
            seen.add(target)
            body = (*body[:-1], *blocks[target])
            blocks[target] = ()
        blocks[number] = body
    return replace(module, blocks=tuple(block or (lir.Goto(lir.Int(lir.OVER)),) for block in blocks))


def _targets(stmt: lir.Stmt) -> Iterator[tuple[int, bool]]:
    """Numbers of blocks that a statement names; and whether it goes there itself."""
    match stmt:
        case lir.Goto(lir.Int(target)):
            yield target, True
        case lir.Store("back" | "move_back", _, lir.Int(target)):
            yield target, False
        case lir.Return(lir.Int(target)):
            yield target, False
        case lir.If(_, then, otherwise):
            for inner in (*then, *otherwise):
                yield from _targets(inner)
        case lir.While(_, body) | lir.ForBits(_, _, body) | lir.ForRange(_, _, _, body):
            for inner in body:
                yield from _targets(inner)
