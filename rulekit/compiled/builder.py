"""Builds a module: fields, tables, functions and blocks, and the list of statements that is being written."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from rulekit.compiled import lir
from rulekit.compiled.fold import TRUE, choose
from rulekit.compiled.hoist import hoisted
from rulekit.compiled.lir import NUMBER, Expr, Int, Stmt
from rulekit.compiled.ranges import ANY, Ranges, Span, of_tables
from rulekit.diagnostics import Span as Place


class Unsupported(Exception):
    """The compiled engines cannot do this; ``construct`` names it."""

    def __init__(self, construct: str, span: Place | None = None) -> None:
        super().__init__(construct)
        self.construct = construct
        self.span = span


@contextmanager
def told_at(place: Place | None) -> Iterator[None]:
    """What is not supported in here stands there, unless it says where."""
    try:
        yield
    except Unsupported as error:
        error.span = error.span or place
        raise


class Builder:
    """What is written so far."""

    def __init__(self) -> None:
        self.fields: dict[str, lir.Field] = {}
        self.tables: dict[tuple[lir.Kind, tuple[int, ...]], lir.Table] = {}
        self.functions: list[lir.Function] = []
        self.blocks: list[tuple[Stmt, ...] | None] = []
        self.faults: list[lir.FaultSite] = []
        self.ranges = Ranges()
        self.statements: list[Stmt] = []
        self._vars = 0

    # ------------------------------------------------------------ statements

    def emit(self, *stmts: Stmt) -> None:
        self.statements.extend(stmts)

    @contextmanager
    def collect(self) -> Iterator[list[Stmt]]:
        """What is emitted inside goes into a list of its own."""
        outer, self.statements = self.statements, []
        try:
            yield self.statements
        finally:
            self.statements = outer

    @contextmanager
    def when(self, condition: Expr) -> Iterator[None]:
        """What is emitted inside happens if the condition holds."""
        with self.collect() as stmts:
            yield
        self.if_(condition, stmts)

    def loop(self, make: Callable[[tuple[Stmt, ...]], Stmt], body: Sequence[Stmt], *bound: lir.Var) -> None:
        """A loop with this body; what is the same in each round is done before."""
        before, rest = hoisted(body, bound)
        self.emit(*before, make(tuple(rest)))

    def if_(self, condition: Expr, then: Sequence[Stmt], otherwise: Sequence[Stmt] = ()) -> None:
        if isinstance(condition, Int):
            self.emit(*(then if condition.value else otherwise))
        elif then or otherwise:
            self.emit(lir.If(condition, tuple(then), tuple(otherwise)))

    # ------------------------------------------------------------ locals

    def var(self, kind: lir.Kind = NUMBER, span: Span = ANY) -> lir.Var:
        self._vars += 1
        if isinstance(kind, lir.Number):
            self.ranges.vars[self._vars] = span
        return lir.Var(self._vars, kind)

    def let(self, value: Expr) -> lir.Get:
        """A new local with this value."""
        var = self.var(value.kind, self.ranges.of(value) if isinstance(value.kind, lir.Number) else ANY)
        self.emit(lir.Let(var, value))
        return lir.Get(var)

    def atom(self, value: Expr) -> Expr:
        """The value as something that costs nothing to say twice."""
        return value if isinstance(value, Int | lir.Set | lir.Get) else self.let(value)

    def still(self, value: Expr) -> Expr:
        """As `atom`, for what is used before anything changes the state: a field costs nothing either."""
        if isinstance(value, lir.Load) and (value.index is None or isinstance(value.index, Int)):
            return value
        return self.atom(value)

    def set(self, var: lir.Var, value: Expr) -> None:
        self.emit(lir.Let(var, value))

    # ------------------------------------------------------------ fields and tables

    def field(
        self,
        name: str,
        kind: lir.Kind = NUMBER,
        count: int = 1,
        start: int = 0,
        *,
        span: Span = ANY,
        scratch: bool = False,
        small: bool = False,
    ) -> str:
        assert name not in self.fields, f"the field {name} is there already"
        self.fields[name] = lir.Field(name, kind, max(1, count), start, scratch, small)
        self.ranges.lengths[name] = max(1, count)
        if isinstance(kind, lir.Number):
            self.ranges.fields[name] = span
        return name

    def load(self, name: str, index: Expr | int | None = None) -> lir.Load:
        if isinstance(index, int):
            index = Int(index)
        return lir.Load(name, index, self.fields[name].kind)

    def store(self, name: str, value: Expr | int, index: Expr | int | None = None) -> None:
        if isinstance(index, int):
            index = Int(index)
        self.emit(lir.Store(name, index, Int(value) if isinstance(value, int) else value))

    def lookup(self, values: Sequence[int], index: Expr, kind: lir.Kind = NUMBER) -> Expr:
        """A constant by its place; worked out at once if the place is known."""
        values = tuple(values)
        number = isinstance(kind, lir.Number)
        if isinstance(index, Int):
            value = values[index.value]
            return Int(value) if number else lir.Set(value, kind)  # type: ignore[arg-type]
        if len(set(values)) == 1:
            return Int(values[0]) if number else lir.Set(values[0], kind)  # type: ignore[arg-type]
        if number and values == tuple(range(len(values))):
            return index
        return lir.Lookup(self.table(values, kind), index, kind)

    def table(self, values: tuple[int, ...], kind: lir.Kind = NUMBER) -> str:
        """The name of the table of these constants."""
        table = self.tables.get((kind, values))
        if table is None:
            table = lir.Table(f"t{len(self.tables)}", kind, values)
            self.tables[kind, values] = table
            self.ranges.lengths[table.name] = len(values)
            if isinstance(kind, lir.Number):
                self.ranges.tables[table.name] = of_tables(values)
        return table.name

    def guarded(self, index: Expr, values: Sequence[int], otherwise: Expr, kind: lir.Kind = NUMBER) -> Expr:
        """The constant at an index that may be none."""
        if not self.ranges.of(index).none:
            return self.lookup(values, index, kind)
        if index == Int(lir.NONE):
            return otherwise
        index = self.still(index)
        return choose(is_something(index), self.lookup(values, index, kind), otherwise)

    # ------------------------------------------------------------ functions, blocks, faults

    def function(
        self, name: str, parameters: Sequence[lir.Var], result: lir.Kind | None, body: Sequence[Stmt]
    ) -> str:
        self.functions.append(lir.Function(name, tuple(parameters), result, tuple(body)))
        return name

    def call(self, name: str, arguments: Sequence[Expr], result: lir.Kind | None, span: Span = ANY) -> Expr:
        """Calls a function; its result in a new local."""
        if result is None:
            self.emit(lir.Call(None, name, tuple(arguments)))
            return TRUE
        var = self.var(result, span)
        self.emit(lir.Call(var, name, tuple(arguments)))
        return lir.Get(var)

    def block(self) -> int:
        """The number of a block that is yet to be written."""
        self.blocks.append(None)
        return len(self.blocks) - 1

    def trap(
        self, code: str, message: str, place: Place | None, *arguments: Expr, beyond: bool = False
    ) -> lir.Trap:
        site = lir.FaultSite(code, message, place, beyond)
        for number, known in enumerate(self.faults, 1):
            if known == site and known.span == place:
                return lir.Trap(number, arguments)
        self.faults.append(site)
        return lir.Trap(len(self.faults), arguments)


def is_none(x: Expr) -> Expr:
    from rulekit.compiled.fold import equal

    return equal(x, Int(lir.NONE))


def is_something(x: Expr) -> Expr:
    from rulekit.compiled.fold import binary

    return binary("!=", x, Int(lir.NONE))
