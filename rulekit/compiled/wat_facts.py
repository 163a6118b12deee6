"""What the WebAssembly emitter wants to know of bodies before it emits them."""

from __future__ import annotations

from collections.abc import Container, Iterable

from rulekit.compiled import lir
from rulekit.compiled.trees import inside, statements


def assigned(stmt: lir.Stmt) -> lir.Var | None:
    """The local that a statement gives a value."""
    match stmt:
        case (
            lir.Let(var, _)
            | lir.ForBits(var, _, _)
            | lir.ForRange(var, _, _, _)
            | lir.Draw(var, _, _)
            | lir.PilePop(var, _)
        ):
            return var
        case lir.Call(result, _, _):
            return result
        case lir.SortUnique(count, _):
            return count
    return None


def variables(body: lir.Body) -> dict[int, lir.Var]:
    """Every local of a body, by number."""
    found: dict[int, lir.Var] = {}
    for stmt in statements(body):
        var = assigned(stmt)
        if var is not None:
            found[var.number] = var
        for inner in inside(stmt):
            if isinstance(inner, lir.Get):
                found[inner.var.number] = inner.var
    return found


def faulting(functions: Iterable[lir.Function]) -> frozenset[str]:
    """The functions that may fault, themselves or in one they call."""
    found: set[str] = set()
    for function in functions:
        if may_fault(function.body, found):
            found.add(function.name)
    return frozenset(found)


def may_fault(body: lir.Body, functions: Iterable[str]) -> bool:
    return any(
        isinstance(stmt, lir.Trap) or (isinstance(stmt, lir.Call) and stmt.function in functions)
        for stmt in statements(body)
    )


def read_unset(body: lir.Body, parameters: Iterable[lir.Var] = ()) -> set[int]:
    """The locals that may be read before they have been given a value, and so must be 0."""
    unset: set[int] = set()
    _flow(body, frozenset(var.number for var in parameters), unset)
    return unset


#: What has a value where nobody ever comes.
_NOWHERE = None
_Known = frozenset[int] | None


def _flow(body: lir.Body, known: _Known, unset: set[int]) -> _Known:
    """The locals that have a value after the body, given those that have one before."""
    for stmt in body:
        if known is _NOWHERE:
            return _NOWHERE
        for read in inside(stmt):
            if isinstance(read, lir.Get) and read.var.number not in known:
                unset.add(read.var.number)
        if isinstance(stmt, lir.SortUnique) and stmt.count.number not in known:
            unset.add(stmt.count.number)
        known = _after(stmt, known, unset)
    return known


def _after(stmt: lir.Stmt, known: frozenset[int], unset: set[int]) -> _Known:
    var = assigned(stmt)
    match stmt:
        case lir.If(_, then, otherwise):
            a, b = _flow(then, known, unset), _flow(otherwise, known, unset)
            if a is _NOWHERE or b is _NOWHERE:
                return b if a is _NOWHERE else a
            return a & b
        case lir.While(_, body):
            _flow(body, known, unset)
            return known
        case lir.ForBits(var, _, body) | lir.ForRange(var, _, _, body):
            _flow(body, known | {var.number}, unset)
            return known
        case lir.Return() | lir.Goto() | lir.Trap() | lir.Break() | lir.Continue():
            return _NOWHERE
    return known if var is None else known | {var.number}


def never_negative(body: lir.Body, parameters: Iterable[lir.Var], ranges: Container[str]) -> frozenset[int]:
    """The locals, without parameters, that never hold a negative number; ``ranges``: the fields and tables
    that never do."""
    found = {number for number, var in variables(body).items() if isinstance(var.kind, lir.Number)}
    found -= {var.number for var in parameters}
    changed = True
    while changed:
        changed = False
        for stmt in statements(body):
            var = assigned(stmt)
            if var is not None and var.number in found and not _gives_no_negative(stmt, found, ranges):
                found.discard(var.number)
                changed = True
    return frozenset(found)


def _gives_no_negative(stmt: lir.Stmt, found: set[int], ranges: Container[str]) -> bool:
    match stmt:
        case lir.Let(_, value):
            return number_not_negative(value, found, ranges)
        case lir.ForRange(_, low, _, _):
            return number_not_negative(low, found, ranges)
        case lir.Call():
            return False
    return True


def number_not_negative(x: lir.Expr, variables: Container[int], ranges: Container[str]) -> bool:
    """The number is known not to be negative, if those of the variables are not."""
    match x:
        case lir.Int(value):
            return value >= 0
        case lir.Get(var):
            return var.number in variables
        case lir.Load(name, _) | lir.Lookup(name, _):
            return name in ranges
        case lir.Binary("+" | "*" | "//" | "min", left, right):
            return all(number_not_negative(side, variables, ranges) for side in (left, right))
        case lir.Binary("%", _, right):
            return number_not_negative(right, variables, ranges)
        case lir.Binary("max", left, right):
            return any(number_not_negative(side, variables, ranges) for side in (left, right))
        case lir.Binary("-", _, _):
            return False
        case lir.Cond(_, yes, no):
            return all(number_not_negative(side, variables, ranges) for side in (yes, no))
    return True
