"""What a loop works out the same way in each round is worked out once, before it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from rulekit.compiled import lir
from rulekit.compiled.lir import Expr, Stmt
from rulekit.compiled.trees import children

PILES = "*piles"  #: stands for what lies in all piles, among the names of fields
EVERYTHING = "*everything"
KEPT = "_effects"  #: where the effects of a statement are kept


@dataclass
class Effects:
    """What a statement reads and writes, all that is inside it included.

    ``reads``, ``writes``  fields, and `PILES` or `EVERYTHING`; ``uses``, ``sets``  numbers of locals
    ``exposed``  locals that it may use as they were before it; ``surely``  locals that it sets in any case
    ``pure``  it does nothing but set locals;  ``leaves``  a `Break` or the like leads out of it
    """

    reads: set[str] = field(default_factory=set)
    writes: set[str] = field(default_factory=set)
    uses: set[int] = field(default_factory=set)
    sets: set[int] = field(default_factory=set)
    exposed: set[int] = field(default_factory=set)
    surely: set[int] = field(default_factory=set)
    pure: bool = True
    leaves: bool = False

    def add(self, other: Effects, loop: bool) -> None:
        self.reads |= other.reads
        self.writes |= other.writes
        self.uses |= other.uses
        self.sets |= other.sets
        self.pure &= other.pure
        self.leaves |= other.leaves and not loop


def in_turn(body: Iterable[Stmt]) -> tuple[set[int], set[int]]:
    """What statements one after another expose and surely set."""
    exposed: set[int] = set()
    surely: set[int] = set()
    for stmt in body:
        each = effects(stmt)
        exposed |= each.exposed - surely
        surely |= each.surely
    return exposed, surely


def effects(stmt: Stmt) -> Effects:
    """What one statement does. It is found out once, and kept with the statement."""
    known: Effects | None = vars(stmt).get(KEPT)
    if known is None:
        known = vars(stmt)[KEPT] = _effects(stmt)
    return known


def _effects(stmt: Stmt) -> Effects:
    found = Effects()
    for x in children(stmt):
        _read(x, found)
    found.exposed = set(found.uses)
    match stmt:
        case lir.Let(var):
            found.sets.add(var.number)
            found.surely.add(var.number)
        case lir.If(_, then, otherwise):
            for inner in (*then, *otherwise):
                found.add(effects(inner), loop=False)
            one, other = in_turn(then), in_turn(otherwise)
            found.exposed |= one[0] | other[0]
            found.surely = one[1] & other[1]
        case lir.While(_, body):
            for inner in body:
                found.add(effects(inner), loop=True)
            found.exposed |= in_turn(body)[0]
        case lir.ForBits(var, _, body) | lir.ForRange(var, _, _, body):
            found.sets.add(var.number)
            for inner in body:
                found.add(effects(inner), loop=True)
            found.exposed |= in_turn(body)[0] - {var.number}
        case lir.Break() | lir.Continue():
            found.leaves = True
        case lir.Store(name):
            found.writes.add(name)
            found.pure = False
        case lir.SortUnique(var, names):
            found.uses.add(var.number)
            found.exposed.add(var.number)
            found.writes |= set(names)
            found.sets.add(var.number)
            found.pure = False
        case lir.Draw(var):
            found.sets.add(var.number)
            found.pure = False
        case lir.PilePop(var):
            found.sets.add(var.number)
            found.writes.add(PILES)
            found.pure = False
        case lir.Call(result):
            if result is not None:
                found.sets.add(result.number)
            found.writes.add(EVERYTHING)
            found.pure = False
        case lir.Trap() | lir.Return() | lir.Goto():
            found.leaves = True
            found.pure = False
        case _:
            found.writes.add(PILES)
            found.pure = False
    if found.leaves:
        found.pure = False
    return found


def _read(x: Expr, found: Effects) -> None:
    match x:
        case lir.Get(var):
            found.uses.add(var.number)
        case lir.Load(name):
            found.reads.add(name)
        case lir.PileSize() | lir.PileAt():
            found.reads.add(PILES)
    for child in children(x):
        _read(child, found)


def hoisted(stmts: Iterable[Stmt], bound: Iterable[lir.Var]) -> tuple[list[Stmt], list[Stmt]]:
    """The statements of a loop's body that do the same in each round, and the rest.

    ``bound``  the locals that the loop sets
    """
    body = list(stmts)
    all_effects = [effects(stmt) for stmt in body]
    written: set[str] = set()
    for each in all_effects:
        written |= each.writes
    stays = [
        not each.pure or bool(each.reads & written) or (EVERYTHING in written and bool(each.reads))
        for each in all_effects
    ]
    # What a round leaves to the next one changes too.
    carried, _ = in_turn(body)
    changing = {var.number for var in bound} | (carried & {n for each in all_effects for n in each.sets})
    while True:
        moving = set(changing)
        for each, stay in zip(all_effects, stays, strict=True):
            if stay:
                moving |= each.sets
        again = [
            stay or bool((each.uses | each.sets) & moving)
            for each, stay in zip(all_effects, stays, strict=True)
        ]
        if again == stays:
            break
        stays = again
    before = [stmt for stmt, stay in zip(body, stays, strict=True) if not stay]
    return before, [stmt for stmt, stay in zip(body, stays, strict=True) if stay]
