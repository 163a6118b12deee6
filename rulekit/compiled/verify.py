"""The verifier of the low-level form: what both emitters take for granted, checked.

It knows nothing of games. What it reports is a mistake of the lowering, never of a ruleset.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from rulekit.compiled import lir
from rulekit.compiled.lir import NUMBER, Bits, Number
from rulekit.compiled.trees import statements
from rulekit.compiled.wat_facts import assigned, read_unset

LEAST, MOST = lir.NONE, 2**31 - 1
ARITHMETIC = ("+", "-", "*", "//", "%", "min", "max")
COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")
BIT_OPERATORS = ("and", "or", "xor", "without")
STANDARD_FIELDS = {"fault": 1, "fault_arguments": 2, "pc": 1, "choices": 1}
MOST_SMALL, MOST_ITEM = 255, 65535


@dataclass(frozen=True)
class Problem:
    """What is wrong, and where: `field hands`, `function apply`, `block 3` ..."""

    where: str
    message: str

    def __str__(self) -> str:
        return f"{self.where}: {self.message}"


class InvalidModule(Exception):
    """A module that no emitter may be given; ``problems`` says why."""

    def __init__(self, name: str, problems: list[Problem]) -> None:
        super().__init__(f"module {name}:\n" + "\n".join(f"  {problem}" for problem in problems))
        self.problems = problems


def verify(module: lir.Module) -> None:
    """Raises `InvalidModule` if there is any problem."""
    found = problems(module)
    if found:
        raise InvalidModule(module.name, found)


def problems(module: lir.Module) -> list[Problem]:
    """Everything that is wrong with a module, in the order of its parts."""
    found = list(_declared(module))
    functions: dict[str, lir.Function] = {}
    for function in module.functions:
        found += _Body(module, functions, f"function {function.name}", function).problems()
        functions[function.name] = function
    for number, body in enumerate(module.blocks):
        found += _Body(module, functions, f"block {number}", body).problems()
    return found


# ---------------------------------------------------------------- fields, tables, functions, blocks


def _declared(module: lir.Module) -> Iterator[Problem]:
    parts: tuple[tuple[str, Iterable[lir.Field | lir.Table | lir.Function]], ...] = (
        ("field", module.fields),
        ("table", module.tables),
        ("function", module.functions),
    )
    for what, items in parts:
        seen = set()
        for item in items:
            if item.name in seen:
                yield Problem(f"{what} {item.name}", "there are two of this name")
            seen.add(item.name)
    for field in module.fields:
        yield from _field(field)
    for table in module.tables:
        for place, value in enumerate(table.values):
            if not _fits(value, table.kind):
                yield Problem(f"table {table.name}", f"value {place}, {value}, is no {_text(table.kind)}")
    yield from _standard(module)
    if not 0 <= module.capacity <= MOST_ITEM:
        yield Problem("piles", f"the capacity is {module.capacity}, not 0 to {MOST_ITEM}")
    if not 0 <= module.start < len(module.blocks):
        yield Problem("blocks", f"the first is {module.start}, and there are {len(module.blocks)}")


def _field(field: lir.Field) -> Iterator[Problem]:
    where = f"field {field.name}"
    if field.count < 1:
        yield Problem(where, f"its count is {field.count}")
    if field.small and not isinstance(field.kind, Number):
        yield Problem(where, "it is small, and no number")
    if not _fits(field.start, field.kind) or (field.small and not 0 <= field.start <= MOST_SMALL):
        yield Problem(where, f"it starts as {field.start}, which is no {_text(field.kind, field.small)}")
    if isinstance(field.kind, Bits) and field.kind.width < 1:
        yield Problem(where, "its bit sets have no members")


def _standard(module: lir.Module) -> Iterator[Problem]:
    fields = {field.name: field for field in module.fields}
    for name, count in STANDARD_FIELDS.items():
        field = fields.get(name)
        if field is None:
            yield Problem("fields", f"there is no `{name}`")
        elif field.scratch or field.count != count or field.kind != NUMBER:
            yield Problem(f"field {name}", f"it is not {count} number{'s' * (count > 1)} of the state")
    apply = next((function for function in module.functions if function.name == "apply"), None)
    if apply is None:
        yield Problem("functions", "there is no `apply`")
    elif [var.kind for var in apply.parameters] != [NUMBER, NUMBER] or apply.result != NUMBER:
        yield Problem("function apply", "it is not one of two numbers that gives a number")


def _fits(value: int, kind: lir.Kind) -> bool:
    if isinstance(kind, Bits):
        return 0 <= value < 1 << kind.width
    return LEAST <= value <= MOST


def _text(kind: lir.Kind | None, small: bool = False) -> str:
    if kind is None:
        return "nothing"
    if isinstance(kind, Bits):
        return f"set of {kind.width} bits"
    return "number from 0 to 255" if small else "number of 32 bits"


# ---------------------------------------------------------------- bodies


class _Body:
    """A function or block under examination."""

    def __init__(
        self,
        module: lir.Module,
        functions: Mapping[str, lir.Function],
        where: str,
        of: lir.Function | lir.Body,
    ) -> None:
        self.module, self.functions, self.where = module, functions, where
        self.most_item = MOST_SMALL if module.capacity <= MOST_SMALL else MOST_ITEM
        self.function = of if isinstance(of, lir.Function) else None
        self.body: lir.Body = of.body if isinstance(of, lir.Function) else of
        self.fields = {field.name: field for field in module.fields}
        self.tables = {table.name: table for table in module.tables}
        self.kinds: dict[int, lir.Kind] = {}
        self.found: list[Problem] = []

    def problems(self) -> list[Problem]:
        parameters = self.function.parameters if self.function is not None else ()
        for var in parameters:
            if var.number in self.kinds:
                self.report(f"two parameters are local {var.number}")
            self.var(var)
        self.stmts(self.body, in_loop=False)
        self.ending()
        known = {var.number for var in parameters}
        set_here = (assigned(stmt) for stmt in statements(self.body))
        known |= {given.number for given in set_here if given is not None}
        for number in sorted(read_unset(self.body, parameters) - known):
            self.report(f"local {number} is read and never has a value")
        return self.found

    def report(self, message: str) -> None:
        problem = Problem(self.where, message)
        if problem not in self.found:
            self.found.append(problem)

    def ending(self) -> None:
        if self.function is None:
            if not _ends(self.body):
                self.report("a path does not end in a Goto or Trap")
        elif self.function.result is not None and not _ends(self.body):
            self.report("a path does not end in a Return or Trap")

    # ------------------------------------------------------------ statements

    def stmts(self, body: lir.Body, *, in_loop: bool) -> None:
        for stmt in body:
            self.stmt(stmt, in_loop)

    def stmt(self, stmt: lir.Stmt, in_loop: bool) -> None:
        match stmt:
            case lir.Let(var, value):
                self.var(var)
                self.expect(value, var.kind, f"local {var.number}")
            case lir.Store(name, index, value):
                self.store(name, index, value)
            case lir.If(condition, then, otherwise):
                self.condition(condition, "If")
                self.stmts(then, in_loop=in_loop)
                self.stmts(otherwise, in_loop=in_loop)
            case lir.While(condition, body):
                self.condition(condition, "While")
                self.stmts(body, in_loop=True)
            case lir.ForBits(var, bits, body):
                self.number_var(var, "ForBits")
                self.bits(bits, "ForBits")
                self.stmts(body, in_loop=True)
            case lir.ForRange(var, low, high, body):
                self.number_var(var, "ForRange")
                self.number(low, "ForRange")
                self.number(high, "ForRange")
                self.stmts(body, in_loop=True)
            case lir.Break() | lir.Continue():
                if not in_loop:
                    self.report(f"a {type(stmt).__name__} stands outside of every loop")
            case lir.Call():
                self.call(stmt)
            case lir.Return(value):
                self.returned(value)
            case lir.Goto(block):
                self.goto(block)
            case lir.Trap(site, arguments):
                self.trap(site, arguments)
            case lir.Draw(var, below, _):
                self.number_var(var, "Draw")
                self.number(below, "Draw")
                self.constant(below, 1, MOST, "Draw: the limit")
            case lir.SortUnique(count, names):
                self.number_var(count, "SortUnique")
                if not names:
                    self.report("SortUnique: no fields")
                for name in names:
                    if name not in self.fields:
                        self.report(f"SortUnique: there is no field `{name}`")
            case _:
                self.pile_stmt(stmt)

    def pile_stmt(self, stmt: lir.Stmt) -> None:
        match stmt:
            case lir.PilePush(pile, item, _) | lir.PileRemove(pile, item):
                self.pile(pile)
                self.item(item)
            case lir.PileReplace(pile, old, new):
                self.pile(pile)
                self.item(old)
                self.item(new)
            case lir.PilePop(var, pile):
                self.pile(pile)
                self.number_var(var, "PilePop")
            case lir.PileFill(pile, bits):
                self.pile(pile)
                kind = self.bits(bits, "PileFill")
                if isinstance(kind, Bits) and kind.width > self.most_item + 1:
                    self.report(f"PileFill: a set of {kind.width} bits has members beyond {self.most_item}")
                count, most = bits.value.bit_count() if isinstance(bits, lir.Set) else 0, self.module.capacity
                if count > most:
                    self.report(f"PileFill: {count} numbers, and a pile holds {most}")
            case lir.PileClear(pile) | lir.PileShuffle(pile):
                self.pile(pile)
            case _:
                self.report(f"{type(stmt).__name__} is no statement")

    def store(self, name: str, index: lir.Expr | None, value: lir.Expr) -> None:
        field = self.fields.get(name)
        if field is None:
            self.report(f"Store: there is no field `{name}`")
            return
        self.index(index, field.count, f"field `{name}`")
        self.expect(value, field.kind, f"field `{name}`")
        if field.small:
            self.constant(value, 0, MOST_SMALL, f"field `{name}`: a value")

    def call(self, stmt: lir.Call) -> None:
        function = self.functions.get(stmt.function)
        if function is None:
            later = any(function.name == stmt.function for function in self.module.functions)
            which = "is no earlier function" if later else "is no function"
            self.report(f"Call: `{stmt.function}` {which}")
            return
        if len(stmt.arguments) != len(function.parameters):
            wanted, given = len(function.parameters), len(stmt.arguments)
            self.report(f"Call: `{function.name}` takes {wanted} arguments, not {given}")
        for number, (argument, parameter) in enumerate(
            zip(stmt.arguments, function.parameters, strict=False)
        ):
            self.expect(argument, parameter.kind, f"argument {number} of `{function.name}`")
        if stmt.result is not None:
            self.var(stmt.result)
            if stmt.result.kind != function.result:
                gives, takes = _text(function.result), _text(stmt.result.kind)
                self.report(
                    f"Call: `{function.name}` gives a {gives}, local {stmt.result.number} is a {takes}"
                )

    def returned(self, value: lir.Expr | None) -> None:
        if self.function is None:
            self.report("a Return stands in a block")
        elif value is None:
            if self.function.result is not None:
                self.report(f"Return: nothing, where a {_text(self.function.result)} is to be given")
        elif self.function.result is None:
            self.expr(value)
            self.report("Return: a value, where nothing is to be given")
        else:
            self.expect(value, self.function.result, "Return")

    def goto(self, block: lir.Expr) -> None:
        if self.function is not None:
            self.report("a Goto stands in a function")
        self.number(block, "Goto")
        if isinstance(block, lir.Int) and block.value not in (lir.WAIT, lir.OVER):
            self.constant(block, 0, len(self.module.blocks) - 1, "Goto: the block")

    def trap(self, site: int, arguments: tuple[lir.Expr, ...]) -> None:
        if not 1 <= site <= len(self.module.faults):
            self.report(f"Trap: there is no fault site {site}")
        if len(arguments) > 2:
            self.report(f"Trap: {len(arguments)} arguments")
        for argument in arguments:
            self.number(argument, "Trap")

    # ------------------------------------------------------------ locals and operands

    def var(self, var: lir.Var) -> None:
        kind = self.kinds.setdefault(var.number, var.kind)
        if kind != var.kind:
            self.report(f"local {var.number} is a {_text(kind)}, and a {_text(var.kind)}")

    def number_var(self, var: lir.Var, what: str) -> None:
        self.var(var)
        if var.kind != NUMBER:
            self.report(f"{what}: local {var.number} is a {_text(var.kind)}")

    def expect(self, x: lir.Expr, kind: lir.Kind, what: str) -> None:
        found = self.expr(x)
        if found != kind:
            self.report(f"{what}: a {_text(kind)} is wanted, {type(x).__name__} gives a {_text(found)}")

    def number(self, x: lir.Expr, what: str) -> None:
        self.expect(x, NUMBER, what)

    def bits(self, x: lir.Expr, what: str) -> lir.Kind:
        found = self.expr(x)
        if not isinstance(found, Bits):
            self.report(f"{what}: a bit set is wanted, {type(x).__name__} gives a {_text(found)}")
        return found

    def alike(self, left: lir.Expr, right: lir.Expr, what: str) -> None:
        """Two bit sets of one width."""
        found = self.bits(left, what)
        if isinstance(found, Bits):
            self.expect(right, found, what)
        else:
            self.expr(right)

    def condition(self, x: lir.Expr, what: str) -> None:
        self.number(x, what)
        if not self.is_condition(x):
            self.report(f"{what}: {type(x).__name__} is not always 0 or 1")

    def is_condition(self, x: lir.Expr) -> bool:
        """Not known to be anything but 0 or 1."""
        match x:
            case lir.Int(value):
                return value in (0, 1)
            case lir.Lookup(name, _):
                return name not in self.tables or set(self.tables[name].values) <= {0, 1}
            case lir.Binary(op, left, right):
                if op in ("min", "max", "*"):
                    return self.is_condition(left) and self.is_condition(right)
                return op in COMPARISONS
            case lir.Cond(_, yes, no):
                return self.is_condition(yes) and self.is_condition(no)
        return not isinstance(
            x,
            lir.Count
            | lir.Lowest
            | lir.Highest
            | lir.Nth
            | lir.Ways
            | lir.PileSize
            | lir.PileAt
            | lir.Single,
        )

    def index(self, index: lir.Expr | None, count: int, what: str) -> None:
        if index is not None:
            self.number(index, f"{what}: the index")
            self.constant(index, 0, count - 1, f"{what}: the index")

    def constant(self, x: lir.Expr, low: int, high: int, what: str) -> None:
        """If it is a constant, it is in range."""
        if isinstance(x, lir.Int) and not low <= x.value <= high:
            self.report(f"{what} is {x.value}, not {low} to {high}")

    def pile(self, pile: lir.Expr) -> None:
        self.number(pile, "a pile")
        self.constant(pile, 0, self.module.piles - 1, "the number of a pile")
        if not self.module.piles:
            self.report("there are no piles")

    def item(self, item: lir.Expr) -> None:
        self.number(item, "a number in a pile")
        self.constant(item, 0, self.most_item, "a number in a pile")

    # ------------------------------------------------------------ expressions

    def expr(self, x: lir.Expr) -> lir.Kind:
        """What an expression gives, once all inside it has been looked at."""
        match x:
            case lir.Int(value):
                if not LEAST <= value <= MOST:
                    self.report(f"{value} is no number of 32 bits")
            case lir.Set(value, kind):
                if not _fits(value, kind):
                    self.report(f"the constant {value:#x} is no {_text(kind)}")
            case lir.Get(var):
                self.var(var)
            case lir.Load(name, index, kind):
                self.load("field", self.fields.get(name), name, index, kind)
            case lir.Lookup(name, index, kind):
                self.load("table", self.tables.get(name), name, index, kind)
            case lir.Binary(op, left, right):
                self.binary(op, left, right)
            case lir.And(left, right) | lir.Or(left, right):
                self.condition(left, type(x).__name__)
                self.condition(right, type(x).__name__)
            case lir.Not(of):
                self.condition(of, "Not")
            case lir.Cond(condition, yes, no):
                self.condition(condition, "Cond")
                self.expect(no, self.expr(yes), "Cond")
            case lir.PileSize(pile):
                self.pile(pile)
            case lir.PileAt(pile, place):
                self.pile(pile)
                self.number(place, "PileAt")
                self.constant(place, 0, self.module.capacity - 1, "PileAt: the place")
            case _:
                self.of_bits(x)
        return x.kind

    def load(
        self,
        what: str,
        found: lir.Field | lir.Table | None,
        name: str,
        index: lir.Expr | None,
        kind: lir.Kind,
    ) -> None:
        if found is None:
            self.report(f"there is no {what} `{name}`")
            return
        self.index(
            index, found.count if isinstance(found, lir.Field) else len(found.values), f"{what} `{name}`"
        )
        if kind != found.kind:
            self.report(f"{what} `{name}` holds a {_text(found.kind)}, and is read as a {_text(kind)}")

    def binary(self, op: str, left: lir.Expr, right: lir.Expr) -> None:
        if op not in ARITHMETIC and op not in COMPARISONS:
            self.report(f"Binary: there is no `{op}`")
        self.number(left, f"`{op}`")
        self.number(right, f"`{op}`")
        if op in ("//", "%") and right == lir.Int(0):
            self.report(f"`{op}`: the divisor is 0")

    def of_bits(self, x: lir.Expr) -> None:
        what = type(x).__name__
        match x:
            case lir.BitOp(op, left, right):
                if op not in BIT_OPERATORS:
                    self.report(f"BitOp: there is no `{op}`")
                self.alike(left, right, f"`{op}`")
            case lir.SameBits(left, right):
                self.alike(left, right, what)
            case lir.Single(member, kind):
                self.number(member, what)
                self.constant(member, 0, kind.width - 1, "Single: the member")
            case lir.FirstBits(count, kind):
                self.number(count, what)
                self.constant(count, 0, kind.width, "FirstBits: the count")
            case lir.Has(bits, member):
                found = self.bits(bits, what)
                self.number(member, what)
                if isinstance(found, Bits):
                    self.constant(member, 0, found.width - 1, "Has: the member")
            case lir.Count(bits) | lir.Some(bits):
                self.bits(bits, what)
            case lir.Lowest(bits) | lir.Highest(bits):
                self.bits(bits, what)
                if isinstance(bits, lir.Set) and bits.value == 0:
                    self.report(f"{what}: the set is empty")
            case lir.Nth(bits, place):
                found = self.bits(bits, what)
                self.number(place, what)
                if isinstance(found, Bits):
                    self.constant(place, 0, found.width - 1, "Nth: the place")
            case lir.Ways(bits, name, target):
                self.ways(self.bits(bits, what), name, target)
            case _:
                self.report(f"{what} is no expression")

    def ways(self, members: lir.Kind, name: str, target: int) -> None:
        if not 1 <= target <= 63:
            self.report(f"Ways: the target is {target}, not 1 to 63")
        table = self.tables.get(name)
        if table is None or table.kind != NUMBER:
            self.report(f"Ways: there is no table of numbers `{name}`")
        elif isinstance(members, Bits) and len(table.values) < members.width:
            self.report(
                f"Ways: the table `{name}` has {len(table.values)} weights for {members.width} members"
            )
        elif not all(0 <= weight <= target for weight in table.values):
            self.report(f"Ways: a weight of the table `{name}` is not 0 to {target}")


def _ends(body: lir.Body) -> bool:
    """No path comes out at the end of a body."""
    return any(_leaves(stmt) for stmt in body)


def _leaves(stmt: lir.Stmt) -> bool:
    match stmt:
        case lir.Return() | lir.Goto() | lir.Trap() | lir.Break() | lir.Continue():
            return True
        case lir.If(_, then, otherwise):
            return _ends(then) and _ends(otherwise)
        case lir.While(lir.Int(value), body):
            return value != 0 and not _breaks(body)
    return False


def _breaks(body: lir.Body) -> bool:
    """A Break of the loop around is in the body."""
    for stmt in body:
        if isinstance(stmt, lir.Break):
            return True
        if isinstance(stmt, lir.If) and (_breaks(stmt.then) or _breaks(stmt.otherwise)):
            return True
    return False
