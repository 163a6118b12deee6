"""Statements whose results nobody uses fall away."""

from __future__ import annotations

from dataclasses import replace

from rulekit.compiled import lir
from rulekit.compiled.lir import Stmt
from rulekit.compiled.trees import inner_bodies, inside


def swept(body: lir.Body) -> lir.Body:
    """The body without locals that are set and never matter, and without loops and branches that do no more
    than set such."""
    live: set[int] = set()
    reads: _Reads = {}
    while _mark(body, live, reads):
        pass
    return _kept(body, live)


_Reads = dict[int, set[int]]  #: the locals that a statement itself reads, by its identity


def _matters(stmt: Stmt, live: set[int]) -> bool:
    """Apart from how it leaves a loop that it stands in."""
    match stmt:
        case lir.Let(var):
            return var.number in live
        case lir.If() | lir.ForBits() | lir.ForRange():
            return any(_matters(each, live) for body in inner_bodies(stmt) for each in body)
        case lir.Break() | lir.Continue():
            return False
    return True


def _stays(stmt: Stmt, live: set[int]) -> bool:
    """It matters, or leaves the loop that it stands in."""
    match stmt:
        case lir.Break() | lir.Continue():
            return True
        case lir.If(_, then, otherwise):
            return any(_stays(inner, live) for inner in (*then, *otherwise))
    return _matters(stmt, live)


def _mark(body: lir.Body, live: set[int], reads: _Reads) -> bool:
    """Adds the locals that are read where it matters; says whether there were more. From the end, since what
    is read has mostly been set before."""
    before = len(live)
    for stmt in reversed(body):
        if not _stays(stmt, live):
            continue
        found = reads.get(id(stmt))
        if found is None:
            found = {x.var.number for x in inside(stmt) if isinstance(x, lir.Get)}
            reads[id(stmt)] = found
            if isinstance(stmt, lir.SortUnique):
                found.add(stmt.count.number)
        live |= found
        for inner in inner_bodies(stmt):
            _mark(inner, live, reads)
    return len(live) > before


def _kept(body: lir.Body, live: set[int]) -> lir.Body:
    found: list[Stmt] = []
    for stmt in body:
        if not _stays(stmt, live):
            continue
        match stmt:
            case lir.If(_, then, otherwise):
                stmt = replace(stmt, then=_kept(then, live), otherwise=_kept(otherwise, live))
            case lir.While(_, inner) | lir.ForBits(_, _, inner) | lir.ForRange(_, _, _, inner):
                stmt = replace(stmt, body=_kept(inner, live))
        found.append(stmt)
    return tuple(found)
