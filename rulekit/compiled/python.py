"""The Python emitter: a module of the low-level form as Python source.

A state is one flat list: fields, then piles as tuples (bottom first), then the streams `chance` and
`policy`. So a
copy is `state[:]`, and two states are equal if the lists are. Scratch is a list of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from rulekit.compiled import lir
from rulekit.compiled.layout import StateLayout

GAMMA = 0x9E3779B97F4A7C15

PRELUDE = f'''\
class Trapped(Exception):
    """A fault of the game: number of the site, and arguments."""


def _draw(s, at):
    s[at] = z = s[at] + {GAMMA:#x} & 0xFFFFFFFFFFFFFFFF
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & 0xFFFFFFFFFFFFFFFF
    z = (z ^ z >> 27) * 0x94D049BB133111EB & 0xFFFFFFFFFFFFFFFF
    return z ^ z >> 31


def _shuffled(s, at, items):
    order = list(items)
    i = len(order) - 1
    while i > 0:
        bits = _draw(s, at)
        j = (bits >> 32) * (i + 1) >> 32
        order[i], order[j] = order[j], order[i]
        i -= 1
        if i > 0:
            j = (bits & 0xFFFFFFFF) * (i + 1) >> 32
            order[i], order[j] = order[j], order[i]
            i -= 1
    return tuple(order)


def _removed(pile, item):
    at = pile.index(item)
    return pile[:at] + pile[at + 1:]


def _replaced(pile, old, new):
    at = pile.index(old)
    return (*pile[:at], new, *pile[at + 1:])


def _nth(bits, place):
    while place:
        bits &= bits - 1
        place -= 1
    return (bits & -bits).bit_length() - 1


def _ways(bits, weights, lane, target):
    """Sets by what they weigh together, ``lane`` bits a sum."""
    made = 1
    while bits:
        low = bits & -bits
        made += made << weights[low.bit_length() - 1] * lane
        bits ^= low
    return made >> target * lane & (1 << lane) - 1


def _members(bits):
    found = []
    while bits:
        low = bits & -bits
        found.append(low.bit_length() - 1)
        bits ^= low
    return found


def _sort_unique(columns, count):
    """``columns``: (scratch list, first slot, are they sets)."""
    rows = {{tuple([held[first + row] for held, first, _ in columns]) for row in range(count)}}
    sets = [is_set for _, _, is_set in columns]
    order = sorted(rows, key=lambda row: [_members(v) if is_set else v for v, is_set in zip(row, sets)])
    for number, row in enumerate(order):
        for (held, first, _), value in zip(columns, row):
            held[first + number] = value
    return len(order)
'''

#: Operators of Python, and how tightly operands must be bound: everything compound stands in parentheses.
OPERATORS = {op: op for op in ("+", "-", "*", "//", "%", "==", "!=", "<", "<=", ">", ">=")}
BIT_OPERATORS = {"and": "&", "or": "|", "xor": "^"}


def emit_python(module: lir.Module) -> str:
    """The source: a function for each function and block, and the list `blocks`."""
    return "\n".join(_Emitter(module).lines()) + "\n"


class _Emitter:
    def __init__(self, module: lir.Module) -> None:
        self.module = module
        self.layout = StateLayout(module)
        self.fields = {field.name: field for field in module.fields}
        self.temporary = 0

    def lines(self) -> Iterator[str]:
        yield PRELUDE
        runs = [(value, len(list(same))) for value, same in groupby(self.layout.scratch_start)]
        yield "T = " + (" + ".join(f"[{value}] * {count}" for value, count in runs) or "[]")
        for table in self.module.tables:
            yield f"{_name('t', table.name)} = {table.values!r}"
        for function in self.module.functions:
            yield ""
            yield ""
            parameters = ", ".join(("s", *(self.var(var) for var in function.parameters)))
            yield f"def {_name('f', function.name)}({parameters}):"
            yield from self.body(function.body, 1)
        for number, block in enumerate(self.module.blocks):
            yield ""
            yield ""
            yield f"def b{number}(s):"
            yield from self.body(block, 1)
        yield ""
        yield ""
        yield f"blocks = ({' '.join(f'b{n},' for n in range(len(self.module.blocks)))})"

    # ------------------------------------------------------------ names and places

    def var(self, var: lir.Var) -> str:
        return f"v{var.number}"

    def slot(self, name: str, index: lir.Expr | None) -> str:
        field = self.fields[name]
        holder, first = ("T", self.layout.scratch[name]) if field.scratch else ("s", self.layout.slots[name])
        if index is None:
            return f"{holder}[{first}]"
        if isinstance(index, lir.Int):
            return f"{holder}[{first + index.value}]"
        return f"{holder}[{self.expr(index)} + {first}]" if first else f"{holder}[{self.expr(index)}]"

    def pile(self, pile: lir.Expr) -> str:
        if isinstance(pile, lir.Int):
            return f"s[{self.layout.piles + pile.value}]"
        return f"s[{self.expr(pile)} + {self.layout.piles}]"

    def fresh(self) -> str:
        self.temporary += 1
        return f"x{self.temporary}"

    # ------------------------------------------------------------ statements

    def body(self, body: lir.Body, depth: int) -> Iterator[str]:
        empty = True
        for stmt in body:
            for line in self.stmt(stmt, depth):
                empty = False
                yield line
        if empty:
            yield "    " * depth + "pass"

    def stmt(self, stmt: lir.Stmt, depth: int) -> Iterator[str]:
        pad = "    " * depth
        expr = self.expr
        match stmt:
            case lir.Let(var, value):
                yield f"{pad}{self.var(var)} = {expr(value)}"
            case lir.Store(name, index, value):
                yield f"{pad}{self.slot(name, index)} = {expr(value)}"
            case lir.If(condition, then, otherwise):
                if not then:
                    yield f"{pad}if not {expr(condition)}:"
                    yield from self.body(otherwise, depth + 1)
                    return
                yield f"{pad}if {expr(condition)}:"
                yield from self.body(then, depth + 1)
                if otherwise:
                    yield f"{pad}else:"
                    yield from self.body(otherwise, depth + 1)
            case lir.While(condition, body):
                yield f"{pad}while {expr(condition)}:"
                yield from self.body(body, depth + 1)
            case lir.ForBits(var, bits, body):
                rest, low = self.fresh(), self.fresh()
                yield f"{pad}{rest} = {expr(bits)}"
                yield f"{pad}while {rest}:"
                yield f"{pad}    {low} = {rest} & -{rest}"
                yield f"{pad}    {rest} ^= {low}"
                yield f"{pad}    {self.var(var)} = {low}.bit_length() - 1"
                yield from self.body(body, depth + 1)
            case lir.ForRange(var, low_end, high_end, body):
                yield f"{pad}for {self.var(var)} in range({expr(low_end)}, {expr(high_end)}):"
                yield from self.body(body, depth + 1)
            case lir.Break():
                yield f"{pad}break"
            case lir.Continue():
                yield f"{pad}continue"
            case lir.Call(result, function, arguments):
                call = f"{_name('f', function)}({', '.join(('s', *map(expr, arguments)))})"
                yield f"{pad}{call}" if result is None else f"{pad}{self.var(result)} = {call}"
            case lir.Return(value):
                yield f"{pad}return" if value is None else f"{pad}return {expr(value)}"
            case lir.Goto(block):
                yield f"{pad}return {expr(block)}"
            case lir.Trap(site, arguments):
                yield f"{pad}raise Trapped({', '.join((str(site), *map(expr, arguments)))})"
            case lir.Draw(var, below, policy):
                at = self.layout.policy if policy else self.layout.chance
                yield f"{pad}{self.var(var)} = (_draw(s, {at}) >> 32) * {expr(below)} >> 32"
            case lir.SortUnique(count, names):
                columns = ", ".join(
                    f"({'T' if self.fields[name].scratch else 's'}, "
                    f"{(self.layout.scratch if self.fields[name].scratch else self.layout.slots)[name]}, "
                    f"{isinstance(self.fields[name].kind, lir.Bits)})"
                    for name in names
                )
                yield f"{pad}{self.var(count)} = _sort_unique(({columns},), {self.var(count)})"
            case _:
                yield from self.pile_stmt(stmt, pad)

    def pile_stmt(self, stmt: lir.Stmt, pad: str) -> Iterator[str]:
        expr = self.expr
        match stmt:
            case lir.PilePush(pile, item, bottom):
                at = self.pile(pile)
                if bottom:
                    yield f"{pad}{at} = ({expr(item)}, *{at})"
                else:
                    yield f"{pad}{at} += ({expr(item)},)"
            case lir.PilePop(var, pile):
                at = self.pile(pile)
                yield f"{pad}{self.var(var)} = {at}[-1]"
                yield f"{pad}{at} = {at}[:-1]"
            case lir.PileRemove(pile, item):
                at = self.pile(pile)
                yield f"{pad}{at} = _removed({at}, {expr(item)})"
            case lir.PileReplace(pile, old, new):
                at = self.pile(pile)
                yield f"{pad}{at} = _replaced({at}, {expr(old)}, {expr(new)})"
            case lir.PileFill(pile, lir.Set(value, kind)):
                members = tuple(n for n in range(kind.width) if value >> n & 1)
                yield f"{pad}{self.pile(pile)} = {members!r}"
            case lir.PileFill(pile, bits):
                yield f"{pad}{self.pile(pile)} = tuple(_members({expr(bits)}))"
            case lir.PileClear(pile):
                yield f"{pad}{self.pile(pile)} = ()"
            case lir.PileShuffle(pile):
                at = self.pile(pile)
                yield f"{pad}{at} = _shuffled(s, {self.layout.chance}, {at})"
            case _:
                raise TypeError(f"{type(stmt).__name__} is no statement of the low-level form")

    # ------------------------------------------------------------ expressions

    def expr(self, x: lir.Expr) -> str:
        expr = self.expr
        match x:
            case lir.Int(value):
                return str(value) if value >= 0 else f"({value})"
            case lir.Set(value):
                return str(value) if value < 1024 else hex(value)
            case lir.Get(var):
                return self.var(var)
            case lir.Load(name, index):
                return self.slot(name, index)
            case lir.Lookup(table, index):
                return f"{_name('t', table)}[{expr(index)}]"
            case lir.Binary("min" | "max" as op, left, right):
                return f"{op}({expr(left)}, {expr(right)})"
            case lir.Binary(op, left, right):
                return f"({expr(left)} {OPERATORS[op]} {expr(right)})"
            case lir.And(left, right):
                return f"({expr(left)} and {expr(right)})"
            case lir.Or(left, right):
                return f"({expr(left)} or {expr(right)})"
            case lir.Not(of):
                return f"(not {expr(of)})"
            case lir.Cond(condition, yes, no):
                return f"({expr(yes)} if {expr(condition)} else {expr(no)})"
            case lir.PileSize(pile):
                return f"len({self.pile(pile)})"
            case lir.PileAt(pile, lir.Binary("-", lir.PileSize(same), lir.Int(1))) if same == pile:
                return f"{self.pile(pile)}[-1]"
            case lir.PileAt(pile, place):
                return f"{self.pile(pile)}[{expr(place)}]"
        return self.bits(x)

    def bits(self, x: lir.Expr) -> str:
        expr = self.expr
        match x:
            case lir.BitOp("without", left, lir.Set(value, kind)):
                return f"({expr(left)} & {(1 << kind.width) - 1 & ~value:#x})"
            case lir.BitOp("without", left, right):
                return f"({expr(left)} & ~{expr(right)})"
            case lir.BitOp(op, left, right):
                return f"({expr(left)} {BIT_OPERATORS[op]} {expr(right)})"
            case lir.Single(lir.Int(member)):
                return str(1 << member)
            case lir.Single(member):
                return f"(1 << {expr(member)})"
            case lir.FirstBits(count):
                return f"((1 << {expr(count)}) - 1)"
            case lir.Has(bits, lir.Int(member)):
                return f"({expr(bits)} >> {member} & 1)"
            case lir.Has(bits, member):
                return f"({expr(bits)} >> {expr(member)} & 1)"
            case lir.Count(bits):
                return (
                    f"({expr(bits)}).bit_count()"
                    if not isinstance(bits, lir.Set)
                    else str(bits.value.bit_count())
                )
            case lir.Some(bits):
                return f"({expr(bits)} != 0)"
            case lir.SameBits(left, right):
                return f"({expr(left)} == {expr(right)})"
            case lir.Lowest(bits):
                inner = expr(bits)
                return f"(({inner} & -({inner})).bit_length() - 1)"
            case lir.Highest(bits):
                return f"(({expr(bits)}).bit_length() - 1)"
            case lir.Nth(bits, place):
                return f"_nth({expr(bits)}, {expr(place)})"
            case lir.Ways(bits, table, target):
                return f"_ways({expr(bits)}, {_name('t', table)}, {x.lane}, {target})"
        raise TypeError(f"{type(x).__name__} is no expression of the low-level form")


def _name(prefix: str, name: str) -> str:
    return f"{prefix}_{''.join(c if c.isalnum() else '_' for c in name)}"


def expression_source(x: lir.Expr) -> str:
    """The source of an expression that reads only locals and tables."""
    return _Emitter(_NOTHING).expr(x)


_NOTHING = lir.Module("", (), (), 0, 0, (), (), 0, ())
