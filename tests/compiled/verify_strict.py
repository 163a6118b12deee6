"""The low-level form run by the letter: a slow evaluator that takes nothing for granted.

It raises `Broken` for whatever a module promises and does not keep: an index out of range, a number beyond 32
bits, a condition that is neither 0 nor 1, the lowest member of an empty set, a number that does not lie in a
pile, a full pile, a local without a value. Emitters do not look; what they make of a broken promise is
anybody's guess.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rulekit.compiled import lir
from rulekit.compiled.lir import NONE, Bits
from rulekit.engine import chance

MOST = 2**31 - 1
Values = dict[int, int]


class Broken(Exception):
    """A promise of the low-level form was not kept."""


class Left(Exception):
    """A statement that leaves what is around it."""

    def __init__(self, how: str, value: int | None = None) -> None:
        super().__init__(how)
        self.how, self.value = how, value


def need(holds: bool, message: str) -> None:
    if not holds:
        raise Broken(message)


class StrictGame:
    """One game. ``state`` is the flat list of the Python engine; the methods are those of `PythonGame`."""

    def __init__(self, module: lir.Module) -> None:
        self.module = module
        self.most_item = 255 if module.capacity <= 255 else 65535
        self.kinds = {field.name: field for field in module.fields}
        self.tables = {table.name: table for table in module.tables}
        self.functions = {function.name: function for function in module.functions}
        self.fields: dict[str, list[int]] = {}
        self.piles: list[list[int]] = []
        self.streams = [0, 0]

    @property
    def state(self) -> list[Any]:
        kept = [field for field in self.module.fields if not field.scratch]
        flat: list[Any] = [value for field in kept for value in self.fields[field.name]]
        return [*flat, *map(tuple, self.piles), *self.streams]

    def begin(self, first: int, second: int) -> int:
        self.fields = {field.name: [field.start] * field.count for field in self.module.fields}
        self.piles = [[] for _ in range(self.module.piles)]
        self.streams = [first, second]
        return self.go(self.module.start)

    @property
    def choices(self) -> int:
        return self.fields["choices"][0]

    def step(self, place: int, fresh: int = 0) -> int:
        need(0 <= place < self.choices, f"place {place} of {self.choices}")
        try:
            return self.go(self.called("apply", [place, fresh]) or 0)
        except Left as left:
            return self.faulted(left)

    def roll(self, most: int) -> int:
        made = 0
        while made < most and self.choices:
            self.streams[1], place = chance.below(self.streams[1], self.choices)
            made += 1
            self.step(place)
        return made

    def go(self, block: int) -> int:
        while block >= 0:
            need(block < len(self.module.blocks), f"block {block}")
            try:
                self.body(self.module.blocks[block], {})
            except Left as left:
                if left.how != "goto":
                    return self.faulted(left)
                block = left.value or 0
            else:
                raise Broken(f"block {block} ends without a Goto")
        need(block in (lir.WAIT, lir.OVER), f"block {block}")
        need(block == lir.OVER or self.choices > 0, "a decision without choices")
        if block == lir.OVER:
            self.fields["choices"] = [0]
        return block

    def faulted(self, left: Left) -> int:
        need(left.how == "fault", left.how)
        self.fields["choices"] = [0]
        return lir.FAULT

    def called(self, name: str, arguments: Sequence[int]) -> int | None:
        function = self.functions[name]
        local = {var.number: value for var, value in zip(function.parameters, arguments, strict=True)}
        try:
            self.body(function.body, local)
        except Left as left:
            if left.how != "return":
                raise
            need((left.value is None) == (function.result is None), f"{name} gives {left.value}")
            return left.value
        need(function.result is None, f"{name} ends without a Return")
        return None

    # ------------------------------------------------------------ statements

    def body(self, body: lir.Body, local: Values) -> None:
        for stmt in body:
            self.stmt(stmt, local)

    def stmt(self, stmt: lir.Stmt, local: Values) -> None:
        number, condition = self.number, self.condition
        match stmt:
            case lir.Let(var, value):
                local[var.number] = self.expr(value, local)
            case lir.Store(name, index, value):
                place = self.index(index, self.kinds[name].count, local, name)
                new = self.expr(value, local)
                if self.kinds[name].small:
                    need(0 <= new <= 255, f"{new} in the small field {name}")
                self.fields[name][place] = new
            case lir.If(test, then, otherwise):
                self.body(then if condition(test, local) else otherwise, local)
            case lir.While(test, body):
                while condition(test, local) and self.round(body, local):
                    pass
            case lir.ForBits(var, bits, body):
                self.each(var, members(self.expr(bits, local)), body, local)
            case lir.ForRange(var, low, high, body):
                self.each(var, range(number(low, local), number(high, local)), body, local)
            case lir.Break():
                raise Left("break")
            case lir.Continue():
                raise Left("continue")
            case lir.Call(result, function, arguments):
                given = self.called(function, [self.expr(argument, local) for argument in arguments])
                if result is not None:
                    assert given is not None
                    local[result.number] = given
            case lir.Return(value):
                raise Left("return", None if value is None else self.expr(value, local))
            case lir.Goto(block):
                raise Left("goto", number(block, local))
            case lir.Trap(site, arguments):
                self.fields["fault"] = [site]
                for place, argument in enumerate(arguments):
                    self.fields["fault_arguments"][place] = number(argument, local)
                raise Left("fault")
            case lir.Draw(var, below, policy):
                limit = number(below, local)
                need(limit >= 1, f"a draw below {limit}")
                self.streams[policy], local[var.number] = chance.below(self.streams[policy], limit)
            case lir.SortUnique(count, names):
                local[count.number] = self.sort(local[count.number], names)
            case _:
                self.pile_stmt(stmt, local)

    def each(self, var: lir.Var, values: Sequence[int], body: lir.Body, local: Values) -> None:
        for value in values:
            local[var.number] = value
            if not self.round(body, local):
                break

    def round(self, body: lir.Body, local: Values) -> bool:
        """One round of a loop; whether another may follow."""
        try:
            self.body(body, local)
        except Left as left:
            if left.how not in ("break", "continue"):
                raise
            return left.how == "continue"
        return True

    def sort(self, count: int, names: tuple[str, ...]) -> int:
        columns = [self.fields[name] for name in names]
        need(0 <= count <= min(map(len, columns)), f"{count} rows of {names}")
        sets = [isinstance(self.kinds[name].kind, Bits) for name in names]

        def key(row: tuple[int, ...]) -> list[Any]:
            return [members(value) if is_set else value for value, is_set in zip(row, sets, strict=True)]

        rows = sorted({tuple(column[row] for column in columns) for row in range(count)}, key=key)
        for place, row in enumerate(rows):
            for column, value in zip(columns, row, strict=True):
                column[place] = value
        return len(rows)

    def pile(self, pile: lir.Expr, local: Values) -> list[int]:
        place = self.number(pile, local)
        need(0 <= place < len(self.piles), f"pile {place}")
        return self.piles[place]

    def pile_stmt(self, stmt: Any, local: Values) -> None:
        pile = self.pile(stmt.pile, local)
        match stmt:
            case lir.PilePush(_, item, bottom):
                new = self.number(item, local)
                need(0 <= new <= self.most_item, f"{new} in a pile")
                need(len(pile) < self.module.capacity, "a full pile")
                pile.insert(0 if bottom else len(pile), new)
            case lir.PilePop(var, _):
                need(bool(pile), "the top of an empty pile")
                local[var.number] = pile.pop()
            case lir.PileRemove(_, item):
                pile.pop(self.find(pile, item, local))
            case lir.PileReplace(_, old, new):
                value = self.number(new, local)
                need(0 <= value <= self.most_item, f"{value} in a pile")
                pile[self.find(pile, old, local)] = value
            case lir.PileClear():
                pile.clear()
            case lir.PileFill(_, bits):
                pile[:] = members(self.expr(bits, local))
                need(len(pile) <= self.module.capacity, f"{len(pile)} in a pile")
                need(
                    all(item <= self.most_item for item in pile), f"a number above {self.most_item} in a pile"
                )
            case lir.PileShuffle():
                self.streams[0], pile[:] = chance.shuffle(self.streams[0], pile)
            case _:
                raise TypeError(type(stmt))

    def find(self, pile: list[int], item: lir.Expr, local: Values) -> int:
        value = self.number(item, local)
        need(pile.count(value) == 1, f"{value} lies {pile.count(value)} times in {pile}")
        return pile.index(value)

    # ------------------------------------------------------------ expressions

    def number(self, x: lir.Expr, local: Values) -> int:
        value = self.expr(x, local)
        need(NONE <= value <= MOST, f"{value} is beyond 32 bits")
        return value

    def condition(self, x: lir.Expr, local: Values) -> bool:
        value = self.expr(x, local)
        need(value in (0, 1), f"a condition is {value}: {x}"[:400])
        return value == 1

    def index(self, index: lir.Expr | None, count: int, local: Values, name: str) -> int:
        place = 0 if index is None else self.number(index, local)
        need(0 <= place < count, f"place {place} of {name}, which has {count}")
        return place

    def expr(self, x: lir.Expr, local: Values) -> int:
        match x:
            case lir.Int(value):
                return value
            case lir.Set(value):
                return value
            case lir.Get(var):
                need(var.number in local, f"local {var.number} has no value")
                return local[var.number]
            case lir.Load(name, index):
                return self.fields[name][self.index(index, self.kinds[name].count, local, name)]
            case lir.Lookup(name, index):
                values = self.tables[name].values
                return values[self.index(index, len(values), local, name)]
            case lir.Binary(op, left, right):
                return self.binary(op, self.number(left, local), self.number(right, local))
            case lir.And(left, right):
                return int(self.condition(left, local) and self.condition(right, local))
            case lir.Or(left, right):
                return int(self.condition(left, local) or self.condition(right, local))
            case lir.Not(of):
                return int(not self.condition(of, local))
            case lir.Cond(test, yes, no):
                return self.expr(yes if self.condition(test, local) else no, local)
            case lir.PileSize(pile):
                return len(self.pile(pile, local))
            case lir.PileAt(pile, place):
                lying = self.pile(pile, local)
                return lying[self.index(place, len(lying), local, "a pile")]
        return self.of_bits(x, local)

    def binary(self, op: str, a: int, b: int) -> int:
        need(op not in ("//", "%") or b != 0, "division by 0")
        match op:
            case "+" | "-" | "*" | "//" | "%":
                value = eval(f"a {op} b", {"a": a, "b": b})
            case "min" | "max":
                value = min(a, b) if op == "min" else max(a, b)
            case _:
                value = int(eval(f"a {op} b", {"a": a, "b": b}))
        need(NONE <= value <= MOST, f"{a} {op} {b} is beyond 32 bits")
        return value

    def of_bits(self, x: lir.Expr, local: Values) -> int:
        match x:
            case lir.BitOp(op, left, right):
                a, b = self.expr(left, local), self.expr(right, local)
                return {"and": a & b, "or": a | b, "xor": a ^ b, "without": a & ~b}[op]
            case lir.Single(member, kind):
                return 1 << self.index(member, kind.width, local, "members")
            case lir.FirstBits(count, kind):
                return (1 << self.index(count, kind.width + 1, local, "counts")) - 1
            case lir.Has(bits, member):
                assert isinstance(bits.kind, Bits)
                value = self.expr(bits, local)
                return value >> self.index(member, bits.kind.width, local, "members") & 1
            case lir.Count(bits):
                return self.expr(bits, local).bit_count()
            case lir.Some(bits):
                return int(self.expr(bits, local) != 0)
            case lir.SameBits(left, right):
                return int(self.expr(left, local) == self.expr(right, local))
            case lir.Lowest(bits) | lir.Highest(bits):
                found = members(self.expr(bits, local))
                need(bool(found), "an empty set has no lowest and no highest member")
                return found[0] if isinstance(x, lir.Lowest) else found[-1]
            case lir.Nth(bits, place):
                found = members(self.expr(bits, local))
                return found[self.index(place, len(found), local, "members")]
            case lir.Ways(bits, name):
                return self.ways(x, [self.tables[name].values[n] for n in members(self.expr(bits, local))])
        raise TypeError(type(x))

    def ways(self, x: lir.Ways, weights: Sequence[int]) -> int:
        sums = [1, *[0] * x.target]
        for weight in weights:
            need(1 <= weight <= x.target, f"a weight of {weight} where {x.target} is wanted")
            for total in reversed(range(weight, x.target + 1)):
                sums[total] += sums[total - weight]
        need(max(sums) < 1 << x.lane, f"{max(sums)} sets of one sum, and {x.lane} bits for their number")
        return sums[x.target]


def members(value: int) -> list[int]:
    return [n for n in range(value.bit_length()) if value >> n & 1]
