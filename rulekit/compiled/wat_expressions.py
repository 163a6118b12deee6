"""Expressions of the low-level form as WebAssembly.

A number is pushed as one i32. A bit set is never pushed whole: `words` gives a piece of code for each of its
64-bit words, which the caller puts where it wants the word, once; what the words share is computed before,
into locals.
"""

from __future__ import annotations

from collections.abc import Mapping

from rulekit.compiled import lir
from rulekit.compiled.wat_code import Code
from rulekit.compiled.wat_facts import number_not_negative
from rulekit.compiled.wat_layout import MemoryLayout, Slot
from rulekit.compiled.wat_library import scaled

Word = list[str]  #: instructions that push one i64

ARITHMETIC = {"+": "i32.add", "-": "i32.sub", "*": "i32.mul"}
COMPARISONS = {
    "==": "i32.eq",
    "!=": "i32.ne",
    "<": "i32.lt_s",
    "<=": "i32.le_s",
    ">": "i32.gt_s",
    ">=": "i32.ge_s",
}
BIT_OPERATORS = {"and": "i64.and", "or": "i64.or", "xor": "i64.xor"}
End = tuple[str, ...]
LOWEST: End = ("i64.ctz", "i32.wrap_i64")
HIGHEST: End = ("i64.clz", "i32.wrap_i64", "i32.const 63", "i32.xor")
ALL = 2**64 - 1
CHEAP = 4  #: up to so many operations it costs less to compute a value than to branch around it
DEAR = 1000


class Expressions:
    """Puts expressions into ``code``; ``variables`` are the locals that hold each `lir.Var`, one for each
    word."""

    def __init__(self, code: Code, layout: MemoryLayout, variables: Mapping[int, tuple[str, ...]]) -> None:
        self.code = code
        self.layout = layout
        self.variables = variables
        self.never_negative: frozenset[int] = frozenset()  #: numbers of variables

    # ------------------------------------------------------------ numbers

    def number(self, x: lir.Expr) -> None:
        """Pushes a number."""
        put = self.code.put
        match x:
            case lir.Int(value):
                put(f"i32.const {value}")
            case lir.Get(var):
                put(f"local.get {self.variables[var.number][0]}")
            case lir.Load(name, index):
                slot = self.layout.slots[name]
                put(f"{slot.cell.load} offset={self.base(slot, index)}")
            case lir.Lookup(name, index):
                slot = self.layout.tables[name]
                put(f"{slot.cell.load} offset={self.base(slot, index)}")
            case lir.Binary(op, left, right):
                self.binary(op, left, right)
            case lir.And(left, right):
                self.both(left, right, "i32.and", ("if (result i32)",), ("else", "i32.const 0", "end"))
            case lir.Or(left, right):
                self.both(left, right, "i32.or", ("if (result i32)", "i32.const 1", "else"), ("end",))
            case lir.Not(of):
                self.number(of)
                put("i32.eqz")
            case lir.Cond(condition, yes, no):
                self.choice(condition, yes, no)
            case lir.PileSize(pile):
                put(f"{self.layout.item.load} offset={self.pile(pile)}")
            case lir.PileAt(pile, lir.Int(place)):
                item = self.layout.item
                put(f"{item.load} offset={self.pile(pile) + item.size * (1 + place)}")
            case lir.PileAt(pile, lir.Binary("-", lir.PileSize(same), lir.Int(1))) if same == pile:
                offset = self.pile(pile)
                at, load = self.code.local("i32"), f"{self.layout.item.load} offset={offset}"
                put(f"local.tee {at}", f"local.get {at}", load, *self.scaled, "i32.add", load)
            case lir.PileAt(pile, place):
                offset = self.pile(pile)
                self.number(place)
                item = self.layout.item
                put(*self.scaled, "i32.add", f"{item.load} offset={offset + item.size}")
            case _:
                self.of_bits(x)

    def atom(self, x: lir.Expr) -> str:
        """One instruction that pushes a number, as often as wanted."""
        match x:
            case lir.Int(value):
                return f"i32.const {value}"
            case lir.Get(var):
                return f"local.get {self.variables[var.number][0]}"
        self.number(x)
        local = self.code.local("i32")
        self.code.put(f"local.set {local}")
        return f"local.get {local}"

    def binary(self, op: str, left: lir.Expr, right: lir.Expr) -> None:
        put = self.code.put
        if op in ("min", "max"):
            a, b = self.atom(left), self.atom(right)
            put(a, b, a, b, "i32.lt_s" if op == "min" else "i32.gt_s", "select")
        elif op in ("//", "%"):
            self.divide(op, left, right)
        elif op == "==" and right == lir.Int(0):
            self.number(left)
            put("i32.eqz")
        else:
            self.number(left)
            self.number(right)
            put(ARITHMETIC[op] if op in ARITHMETIC else COMPARISONS[op])

    def divide(self, op: str, left: lir.Expr, right: lir.Expr) -> None:
        """Rounds down, as WebAssembly's own division does for numbers that are not negative only."""
        put = self.code.put
        self.number(left)
        match right:
            case lir.Int(value) if value > 0 and value & (value - 1) == 0:
                shift, mask = f"i32.const {value.bit_length() - 1}", f"i32.const {value - 1}"
                put(*((shift, "i32.shr_s") if op == "//" else (mask, "i32.and")))
                return
        self.number(right)
        if self.not_negative(left) and self.not_negative(right):
            put("i32.div_u" if op == "//" else "i32.rem_u")
        else:
            put("call $floor_divide" if op == "//" else "call $floor_remainder")

    def not_negative(self, x: lir.Expr) -> bool:
        return number_not_negative(x, self.never_negative, self.layout.not_negative)

    def both(
        self, left: lir.Expr, right: lir.Expr, together: str, begin: tuple[str, ...], end: tuple[str, ...]
    ) -> None:
        """Two conditions; the right one is branched around unless that costs more than computing it."""
        self.number(left)
        if cost(right) <= CHEAP:
            self.number(right)
            self.code.put(together)
        else:
            self.code.put(*begin)
            self.number(right)
            self.code.put(*end)

    def choice(self, condition: lir.Expr, yes: lir.Expr, no: lir.Expr) -> None:
        put = self.code.put
        if cost(yes) + cost(no) <= CHEAP:
            self.number(yes)
            self.number(no)
            self.number(condition)
            put("select")
            return
        self.number(condition)
        put("if (result i32)")
        self.number(yes)
        put("else")
        self.number(no)
        put("end")

    # ------------------------------------------------------------ places in memory

    def base(self, slot: Slot, index: lir.Expr | None) -> int:
        """Pushes an address; with the offset it gives it is that of a value."""
        put = self.code.put
        slot = self.layout.located(slot)
        size = slot.cell.size
        match index:
            case None | lir.Int():
                put("i32.const 0" if slot.fixed else "local.get $s")
                return slot.at + size * (index.value if isinstance(index, lir.Int) else 0)
        if not slot.fixed:
            put("local.get $s")
        self.number(index)
        if size & (size - 1):
            put(f"i32.const {size}", "i32.mul")
        elif size > 1:
            put(f"i32.const {size.bit_length() - 1}", "i32.shl")
        if not slot.fixed:
            put("i32.add")
        return slot.at

    @property
    def scaled(self) -> tuple[str, ...]:
        """What makes bytes of a number of items of a pile."""
        return scaled(self.layout.item)

    def pile(self, pile: lir.Expr) -> int:
        """Pushes an address; with the offset it gives it is that of a pile."""
        put, stride = self.code.put, self.layout.pile_stride
        state, offset = self.layout.own(self.layout.piles)
        put(state)
        if isinstance(pile, lir.Int):
            return offset + stride * pile.value
        self.number(pile)
        put(f"i32.const {stride}", "i32.mul", "i32.add")
        return offset

    # ------------------------------------------------------------ bit sets

    def words(self, x: lir.Expr) -> list[Word]:
        """Code for each word of a bit set, lowest first; each is to be put once at most."""
        assert isinstance(x.kind, lir.Bits)
        count = x.kind.words
        match x:
            case lir.Set(value):
                return [[_constant(value >> 64 * word & ALL)] for word in range(count)]
            case lir.Get(var):
                return [[f"local.get {name}"] for name in self.variables[var.number]]
            case lir.Load(name, index):
                return self.loaded(self.layout.slots[name], index, count)
            case lir.Lookup(name, index):
                return self.loaded(self.layout.tables[name], index, count)
            case lir.BitOp(op, left, right):
                pairs = zip(self.words(left), self.words(right), strict=True)
                return [combined(op, a, b) for a, b in pairs]
            case lir.Cond(condition, yes, no):
                return self.chosen(condition, yes, no, count)
            case lir.Single(member):
                return self.single(member, count)
            case lir.FirstBits(number):
                return self.first_bits(number, x.kind.width)
        raise TypeError(f"{type(x).__name__} is no bit set of the low-level form")

    def held(self, x: lir.Expr) -> list[str]:
        """One instruction for each word of a bit set, to be put as often as wanted."""
        result = []
        for word in self.words(x):
            if len(word) == 1 and word[0].startswith(("local.get", "i64.const")):
                result.append(word[0])
                continue
            local = self.code.local("i64")
            self.code.put(*word, f"local.set {local}")
            result.append(f"local.get {local}")
        return result

    def loaded(self, slot: Slot, index: lir.Expr | None, count: int) -> list[Word]:
        if count == 1:
            with self.code.captured() as address:
                offset = self.base(slot, index)
            return [[*address, f"{slot.cell.load} offset={offset}"]]
        address, offset = self.held_base(slot, index)
        return [[*address, f"i64.load offset={offset + 8 * word}"] for word in range(count)]

    def held_base(self, slot: Slot, index: lir.Expr | None) -> tuple[list[str], int]:
        """Like `base`, but gives the instruction that pushes the address, to be put as often as wanted."""
        if index is None or isinstance(index, lir.Int):
            with self.code.captured() as address:
                offset = self.base(slot, index)
            return address, offset
        offset = self.base(slot, index)
        local = self.code.local("i32")
        self.code.put(f"local.set {local}")
        return [f"local.get {local}"], offset

    def chosen(self, condition: lir.Expr, yes: lir.Expr, no: lir.Expr, count: int) -> list[Word]:
        if count == 1:
            with self.code.captured() as word:
                if cost(yes) + cost(no) <= CHEAP:
                    self.code.put(*self.words(yes)[0], *self.words(no)[0])
                    self.number(condition)
                    self.code.put("select")
                else:
                    self.number(condition)
                    self.code.put("if (result i64)")
                    self.code.put(*self.words(yes)[0])
                    self.code.put("else")
                    self.code.put(*self.words(no)[0])
                    self.code.put("end")
            return [word]
        results = [self.code.local("i64") for _ in range(count)]
        self.number(condition)
        self.code.put("if")
        self.assign(results, yes)
        self.code.put("else")
        self.assign(results, no)
        self.code.put("end")
        return [[f"local.get {name}"] for name in results]

    def assign(self, names: list[str] | tuple[str, ...], x: lir.Expr) -> None:
        """The locals take the words of a bit set."""
        for word in self.words(x):
            self.code.put(*word)
        for name in reversed(names):
            self.code.put(f"local.set {name}")

    def single(self, member: lir.Expr, count: int) -> list[Word]:
        if isinstance(member, lir.Int):
            return [[_constant((1 << member.value) >> 64 * word & ALL)] for word in range(count)]
        if count == 1:
            with self.code.captured() as shift:
                self.number(member)
            return [["i64.const 1", *shift, "i64.extend_i32_u", "i64.shl"]]
        at = self.atom(member)
        return [
            [
                *(at, "i32.const 6", "i32.shr_u", f"i32.const {word}", "i32.eq", "i64.extend_i32_u"),
                *(at, "i64.extend_i32_u", "i64.shl"),
            ]
            for word in range(count)
        ]

    def first_bits(self, number: lir.Expr, width: int) -> list[Word]:
        if isinstance(number, lir.Int):
            value = (1 << number.value) - 1
            return [[_constant(value >> 64 * word & ALL)] for word in range(lir.Bits(width).words)]
        if width < 64:
            with self.code.captured() as word:
                self.code.put("i64.const 1")
                self.number(number)
                self.code.put("i64.extend_i32_u", "i64.shl", "i64.const 1", "i64.sub")
            return [word]
        many = self.atom(number)
        words = []
        for first in range(0, width, 64):
            word = ["i64.const 1", many, f"i32.const {first}", "i32.sub", "i64.extend_i32_u", "i64.shl"]
            word += ["i64.const 1", "i64.sub"]
            if width - first >= 64:  # a shift by 64 would be one by 0
                word = ["i64.const -1", *word, many, f"i32.const {first + 64}", "i32.ge_s", "select"]
            if first:
                word += ["i64.const 0", many, f"i32.const {first}", "i32.gt_s", "select"]
            words.append(word)
        return words

    # ------------------------------------------------------------ numbers from bit sets

    def of_bits(self, x: lir.Expr) -> None:
        """Pushes a number that a bit set gives."""
        put = self.code.put
        match x:
            case lir.Has(bits, member):
                self.has(bits, member)
            case lir.Count(bits):
                for number, word in enumerate(self.words(bits)):
                    put(*word, "i64.popcnt", *(("i64.add",) if number else ()))
                put("i32.wrap_i64")
            case lir.Some(bits):
                for number, word in enumerate(self.words(bits)):
                    put(*word, *(("i64.or",) if number else ()))
                put("i64.const 0", "i64.ne")
            case lir.SameBits(left, right):
                pairs = list(zip(self.words(left), self.words(right), strict=True))
                if len(pairs) == 1:
                    put(*pairs[0][0], *pairs[0][1], "i64.eq")
                    return
                for number, (a, b) in enumerate(pairs):
                    put(*a, *b, "i64.xor", *(("i64.or",) if number else ()))
                put("i64.eqz")
            case lir.Lowest(bits):
                self.end(self.held(bits), LOWEST, backwards=True)
            case lir.Highest(bits):
                self.end(self.held(bits), HIGHEST, backwards=False)
            case lir.Nth(bits, lir.Int(0)):
                self.end(self.held(bits), LOWEST, backwards=True)
            case lir.Nth(bits, place):
                self.nth(bits, place)
            case lir.Ways():
                self.ways(x)
            case _:
                raise TypeError(f"{type(x).__name__} is no number of the low-level form")

    def has(self, bits: lir.Expr, member: lir.Expr) -> None:
        put = self.code.put
        assert isinstance(bits.kind, lir.Bits)
        if isinstance(member, lir.Int):
            put(*self.words(bits)[member.value // 64])
            put(f"i64.const {member.value % 64}", "i64.shr_u", "i32.wrap_i64", "i32.const 1", "i32.and")
            return
        if bits.kind.words == 1:
            put(*self.words(bits)[0])
            self.number(member)
            put("i64.extend_i32_u")
        elif isinstance(bits, lir.Load | lir.Lookup):
            self.has_in_memory(bits, member)
            return
        else:
            words, at = self.held(bits), self.atom(member)
            put(words[-1])
            for number in reversed(range(1, len(words))):
                put(words[number - 1], at, f"i32.const {64 * number}", "i32.ge_u", "select")
            put(at, "i64.extend_i32_u")
        put("i64.shr_u", "i32.wrap_i64", "i32.const 1", "i32.and")

    def has_in_memory(self, bits: lir.Load | lir.Lookup, member: lir.Expr) -> None:
        """The one byte that the member is in is enough."""
        slot = self.layout.slots[bits.field] if isinstance(bits, lir.Load) else self.layout.tables[bits.table]
        offset = self.base(slot, bits.index)
        at = self.atom(member)
        self.code.put(at, "i32.const 3", "i32.shr_u", "i32.add", f"i32.load8_u offset={offset}")
        self.code.put(at, "i32.const 7", "i32.and", "i32.shr_u", "i32.const 1", "i32.and")

    def end(self, words: list[str], find: End, *, backwards: bool) -> None:
        """The lowest or highest member: that of the first word, counted from one end, which is not 0."""
        numbers = range(len(words))
        for step, number in enumerate(reversed(numbers) if backwards else numbers):
            self.code.put(words[number], *find, f"i32.const {64 * number}", "i32.add")
            if step:
                self.code.put(words[number], "i64.eqz", "select")

    def nth(self, bits: lir.Expr, place: lir.Expr) -> None:
        """Takes away the lowest member as often as the place says; words that have too few members are
        skipped."""
        put, label = self.code.put, self.code.label
        words = self.held(bits)
        word, rest = self.code.local("i64"), self.code.local("i32")
        first = self.code.local("i32") if len(words) > 1 else None
        self.number(place)
        put(f"local.set {rest}", words[0], f"local.set {word}")
        if first is not None:
            put("i32.const 0", f"local.set {first}")
            self.skip_words(words, word, rest, first)
        done, again = label("done"), label("again")
        put(f"block {done}", f"loop {again}", f"local.get {rest}", "i32.eqz", f"br_if {done}")
        put(
            f"local.get {word}", f"local.get {word}", "i64.const 1", "i64.sub", "i64.and", f"local.set {word}"
        )
        put(f"local.get {rest}", "i32.const 1", "i32.sub", f"local.set {rest}", f"br {again}", "end", "end")
        put(f"local.get {word}", "i64.ctz", "i32.wrap_i64")
        if first is not None:
            put(f"local.get {first}", "i32.add")

    def skip_words(self, words: list[str], word: str, rest: str, first: str) -> None:
        put = self.code.put
        count = self.code.local("i32")
        for number, following in enumerate(words[1:], 1):
            put(f"local.get {rest}", f"local.get {word}", "i64.popcnt", "i32.wrap_i64", f"local.tee {count}")
            put("i32.ge_s", "if", f"local.get {rest}", f"local.get {count}", "i32.sub", f"local.set {rest}")
            put(following, f"local.set {word}", f"i32.const {64 * number}", f"local.set {first}")
        put(*["end"] * (len(words) - 1))

    def ways(self, x: lir.Ways) -> None:
        """Each member doubles the sets: those without it, and the same with it, whose sums are higher by what
        it weighs. The target is the last sum in the word; those beyond are shifted out of it."""
        put, label = self.code.put, self.code.label
        slot, lane = self.layout.tables[x.table], x.lane
        words = self.held(x.bits)
        made, rest = self.code.local("i64"), self.code.local("i64")
        put(_constant(1 << 64 - lane * (x.target + 1)), f"local.set {made}")
        for number, word in enumerate(words):
            done, again = label("done"), label("again")
            put(word, f"local.set {rest}", f"block {done}", f"loop {again}")
            put(f"local.get {rest}", "i64.eqz", f"br_if {done}", f"local.get {made}", f"local.get {made}")
            put(f"local.get {rest}", "i64.ctz", "i32.wrap_i64", *scaled(slot.cell))
            put(f"{slot.cell.load} offset={slot.at + 64 * number * slot.cell.size}")
            put(f"i32.const {lane}", "i32.mul", "i64.extend_i32_u", "i64.shl", "i64.add", f"local.set {made}")
            put(f"local.get {rest}", f"local.get {rest}", "i64.const 1", "i64.sub", "i64.and")
            put(f"local.set {rest}", f"br {again}", "end", "end")
        put(f"local.get {made}", f"i64.const {64 - lane}", "i64.shr_u", "i32.wrap_i64")


def _constant(value: int) -> str:
    return f"i64.const {value - 2**64 if value >> 63 else value}"


def _value(word: Word) -> int | None:
    """What a word is, if it is a constant."""
    if len(word) == 1 and word[0].startswith("i64.const "):
        return int(word[0][10:]) & ALL
    return None


def combined(op: str, left: Word, right: Word) -> Word:
    """A word of a `BitOp`; constants are folded."""
    if op == "without":
        known = _value(right)
        flipped = [*right, "i64.const -1", "i64.xor"] if known is None else [_constant(known ^ ALL)]
        return combined("and", left, flipped)
    a, b = _value(left), _value(right)
    if a is not None and b is not None:
        return [_constant(a & b if op == "and" else a | b if op == "or" else a ^ b)]
    for known, other in ((a, right), (b, left)):
        if known == 0:
            return [_constant(0)] if op == "and" else other
        if known == ALL and op != "xor":
            return other if op == "and" else [_constant(ALL)]
    return [*left, *right, BIT_OPERATORS[op]]


def cost(x: lir.Expr) -> int:
    """About how many operations it takes to compute a value; `DEAR` too if it may not be computed in vain,
    as its operands may then be out of range."""
    if isinstance(x.kind, lir.Bits) and x.kind.words > 1:
        return DEAR
    match x:
        case lir.Int() | lir.Get() | lir.Set():
            return 0
        case lir.Load(_, None | lir.Int()):
            return 1
        case lir.Binary(op, left, right) if op not in ("//", "%"):
            return 1 + cost(left) + cost(right)
        case lir.BitOp(_, left, right) | lir.SameBits(left, right):
            return 1 + cost(left) + cost(right)
        case lir.And(left, right) | lir.Or(left, right):
            return 1 + cost(left) + cost(right)
        case lir.Not(of) | lir.Count(of) | lir.Some(of):
            return 1 + cost(of)
        case lir.Has(bits, member):
            return 2 + cost(bits) + cost(member)
        case lir.PileSize(lir.Int()):
            return 1
    return DEAR
