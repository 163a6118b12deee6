"""Each expression of the low-level form in WebAssembly, against values worked out by plain Python."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Sequence
from itertools import combinations
from math import comb
from random import Random

import pytest
import wasm_modules as m

from rulekit.compiled import lir, wasm
from rulekit.compiled.lir import NONE, NUMBER, Binary, Bits, Cond, Expr, Get, Int, Load, Set, Var

MOST = 2**31 - 1
WIDTHS = (1, 8, 31, 32, 63, 64, 65, 127, 128, 129, 200)


def values(
    expressions: Sequence[Expr], kind: lir.Kind = NUMBER, before: lir.Body = (), **parts: object
) -> list[int]:
    """What expressions of one kind give, after some statements."""
    out = lir.Field("out", kind, len(expressions))
    stores = tuple(lir.Store("out", Int(n), x) for n, x in enumerate(expressions))
    block = (*before, *stores, lir.Goto(Int(lir.OVER)))
    fields = (out, *parts.pop("fields", ()))  # type: ignore[misc]
    games = wasm.compile_module(m.module(block, fields=fields, **parts), cached=False).games(1)  # type: ignore[arg-type]
    assert games.begin(0, 0, 0) == lir.OVER
    return games.compiled.codec.named(games.read(0))["out"]


def hidden(value: int, number: int = 0) -> tuple[Expr, lir.Field]:
    """A number or set that the emitter cannot know."""
    name = f"hidden{number}"
    return Load(name, None, NUMBER), lir.Field(name, NUMBER, start=value)


def numbers(pairs: Iterable[tuple[int, int]], op: str) -> list[int]:
    """An operator on pairs of numbers, both out of fields, and then with the right one constant."""
    pairs = list(pairs)
    fields = (
        lir.Field("a", NUMBER, len(pairs)),
        lir.Field("b", NUMBER, len(pairs)),
    )
    before = tuple(
        lir.Store(name, Int(n), Int(pair[side]))
        for n, pair in enumerate(pairs)
        for side, name in enumerate("ab")
    )
    one = [Binary(op, Load("a", Int(n), NUMBER), Load("b", Int(n), NUMBER)) for n in range(len(pairs))]
    two = [Binary(op, Load("a", Int(n), NUMBER), Int(b)) for n, (_, b) in enumerate(pairs)]
    found = values([*one, *two], before=before, fields=fields)
    assert found[: len(pairs)] == found[len(pairs) :]
    return found[: len(pairs)]


EDGES = (NONE, NONE + 1, -1000, -8, -7, -1, 0, 1, 7, 8, 255, 256, MOST - 1, MOST)
OPERATORS = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "min": min,
    "max": max,
}


@pytest.mark.parametrize("op", OPERATORS)
def test_comparisons_hold_for_none_and_the_greatest_numbers(op: str) -> None:
    pairs = [(a, b) for a in EDGES for b in EDGES]
    assert numbers(pairs, op) == [int(OPERATORS[op](a, b)) for a, b in pairs]


@pytest.mark.parametrize("op", ["+", "-", "*"])
def test_arithmetic(op: str) -> None:
    do = {"+": operator.add, "-": operator.sub, "*": operator.mul}[op]
    pairs = [(a, b) for a in EDGES for b in EDGES if NONE <= do(a, b) <= MOST]
    assert numbers(pairs, op) == [do(a, b) for a, b in pairs]


def test_division_rounds_down_and_the_rest_has_the_sign_of_the_divisor() -> None:
    divisors = (-255, -64, -8, -7, -3, -2, -1, 1, 2, 3, 7, 8, 64, 255, MOST)
    pairs = [(a, b) for a in EDGES for b in divisors if (a, b) != (NONE, -1)]
    assert numbers(pairs, "//") == [a // b for a, b in pairs]
    assert numbers(pairs, "%") == [a % b for a, b in pairs]


def test_division_of_what_is_never_negative() -> None:
    fields = (lir.Field("small", NUMBER, start=200, small=True),)
    small = Load("small", None, NUMBER)
    assert values([Binary("//", small, Int(7)), Binary("%", small, Int(7))], fields=fields) == [28, 4]


def test_a_local_that_may_be_negative_is_divided_as_such() -> None:
    var = Var(0, NUMBER)
    hide, field = hidden(-9)
    before = (lir.Let(var, Int(5)), lir.If(Binary("<", hide, Int(0)), (lir.Let(var, hide),)))
    found = values(
        [Binary("//", Get(var), Int(4)), Binary("%", Get(var), Int(3))], before=before, fields=(field,)
    )
    assert found == [-3, 0]


def trap_if_evaluated() -> Expr:
    """Beyond the end of memory."""
    return lir.Lookup("t", Int(2**30), NUMBER)


def test_only_the_sides_that_are_needed_are_evaluated() -> None:
    yes, no = (Binary("==", x, Int(1)) for x in (hidden(1)[0], hidden(0, 1)[0]))
    never = Binary("==", trap_if_evaluated(), Int(1))
    found = values(
        [
            lir.And(no, never),
            lir.Or(yes, never),
            Cond(yes, Int(7), trap_if_evaluated()),
            Cond(no, trap_if_evaluated(), Int(8)),
            lir.And(yes, lir.And(no, never)),
            lir.Or(no, lir.Or(yes, never)),
        ],
        fields=(hidden(1)[1], hidden(0, 1)[1]),
        tables=(lir.Table("t", NUMBER, (1,)),),
    )
    assert found == [0, 1, 7, 8, 0, 1]


def test_conditions_are_0_or_1() -> None:
    yes, no = (Binary("==", x, Int(1)) for x in (hidden(1)[0], hidden(0, 1)[0]))
    sides = [(a, b) for a in (yes, no) for b in (yes, no)]
    fields = (hidden(1)[1], hidden(0, 1)[1])
    assert values([lir.And(a, b) for a, b in sides], fields=fields) == [1, 0, 0, 0]
    assert values([lir.Or(a, b) for a, b in sides], fields=fields) == [1, 1, 1, 0]
    assert values([lir.Not(yes), lir.Not(no), lir.Not(hidden(1)[0])], fields=fields) == [0, 1, 0]


@pytest.mark.parametrize(
    "numbers_of_a_table",
    [
        (0, 1, 255),
        (-128, 0, 127),
        (0, 256, 65535),
        (-32768, 40),
        (-129, 3),
        (0, 65536),
        (NONE, 0, MOST),
    ],
)
def test_tables_of_numbers_are_read_back_however_they_are_stored(numbers_of_a_table: tuple[int, ...]) -> None:
    i, hide = Var(0, NUMBER), hidden(0)
    table = lir.Table("t", NUMBER, numbers_of_a_table)
    constant = [lir.Lookup("t", Int(n), NUMBER) for n in range(len(numbers_of_a_table))]
    moving = [lir.Lookup("t", Binary("+", Get(i), Int(n)), NUMBER) for n in range(len(numbers_of_a_table))]
    found = values([*constant, *moving], before=(lir.Let(i, hide[0]),), fields=(hide[1],), tables=(table,))
    assert found == list(numbers_of_a_table) * 2


# ---------------------------------------------------------------- bit sets


def sample(width: int) -> list[int]:
    """Sets with members at the ends of words."""
    full = 2**width - 1
    edges = {0, 1, width - 1, width // 2} | {n for n in (31, 32, 62, 63, 64, 65, 127, 128) if n < width}
    found = [0, full, full & 0x5555555555555555555555555555555555555555555555555555]
    found += [1 << n for n in sorted(edges)]
    found += [full ^ 1 << n for n in sorted(edges)]
    return found


def members(value: int) -> list[int]:
    return [n for n in range(value.bit_length()) if value >> n & 1]


def held(sets: Sequence[int], width: int) -> tuple[list[Expr], lir.Body, tuple[lir.Field, ...]]:
    """The sets as loads of a field, the statements that set it, and the field."""
    kind = Bits(width)
    field = lir.Field("sets", kind, len(sets))
    before = tuple(lir.Store("sets", Int(n), Set(value, kind)) for n, value in enumerate(sets))
    return [Load("sets", Int(n), kind) for n in range(len(sets))], before, (field,)


@pytest.mark.parametrize("width", WIDTHS)
def test_operators_on_bit_sets(width: int) -> None:
    sets = sample(width)
    loads, before, fields = held(sets, width)
    do = {
        "and": lambda a, b: a & b,
        "or": lambda a, b: a | b,
        "xor": lambda a, b: a ^ b,
        "without": lambda a, b: a & ~b,
    }
    for op, expected in do.items():
        pairs = [(a, b) for a in range(len(sets)) for b in range(0, len(sets), 3)]
        out = [lir.BitOp(op, loads[a], loads[b]) for a, b in pairs]
        out += [lir.BitOp(op, loads[a], Set(sets[b], Bits(width))) for a, b in pairs]
        out += [lir.BitOp(op, Set(sets[a], Bits(width)), loads[b]) for a, b in pairs]
        found = values(out, Bits(width), before, fields=fields)
        assert found == [expected(sets[a], sets[b]) for a, b in pairs] * 3, op


@pytest.mark.parametrize("width", WIDTHS)
def test_what_a_bit_set_tells(width: int) -> None:
    sets = sample(width)
    loads, before, fields = held(sets, width)
    assert values([lir.Count(x) for x in loads], before=before, fields=fields) == [
        s.bit_count() for s in sets
    ]
    assert values([lir.Some(x) for x in loads], before=before, fields=fields) == [int(s != 0) for s in sets]
    same = [lir.SameBits(x, loads[0 if n % 2 else n]) for n, x in enumerate(loads)]
    assert values(same, before=before, fields=fields) == [
        int(s == sets[0 if n % 2 else n]) for n, s in enumerate(sets)
    ]
    some = [n for n, s in enumerate(sets) if s]
    lowest = values([lir.Lowest(loads[n]) for n in some], before=before, fields=fields)
    assert lowest == [members(sets[n])[0] for n in some]
    highest = values([lir.Highest(loads[n]) for n in some], before=before, fields=fields)
    assert highest == [members(sets[n])[-1] for n in some]


@pytest.mark.parametrize("width", WIDTHS)
def test_membership_by_a_number_known_or_not(width: int) -> None:
    sets = sample(width)[:4]
    loads, before, fields = held(sets, width)
    hide, field = hidden(0)
    kind = Bits(width)
    plain = lir.BitOp("xor", loads[1], loads[2])  # not in memory
    for bits, value in [*zip(loads, sets, strict=True), (plain, sets[1] ^ sets[2])]:
        known = [lir.Has(bits, Int(n)) for n in range(width)]
        moving = [lir.Has(bits, Binary("+", hide, Int(n))) for n in range(width)]
        found = values([*known, *moving], before=before, fields=(*fields, field))
        assert found == [value >> n & 1 for n in range(width)] * 2
    table = lir.Table("t", kind, tuple(sets))
    in_table = [lir.Has(lir.Lookup("t", hide, kind), Binary("+", hide, Int(n))) for n in range(width)]
    found = values(in_table, fields=(lir.Field("hidden0", NUMBER),), tables=(table,))
    assert found == [sets[0] >> n & 1 for n in range(width)]


@pytest.mark.parametrize("width", WIDTHS)
def test_single_members_and_the_first_ones(width: int) -> None:
    hide, field = hidden(0)
    kind = Bits(width)
    single = [lir.Single(Int(n), kind) for n in range(width)]
    single += [lir.Single(Binary("+", hide, Int(n)), kind) for n in range(width)]
    assert values(single, kind, fields=(field,)) == [1 << n for n in range(width)] * 2
    first = [lir.FirstBits(Int(n), kind) for n in range(width + 1)]
    first += [lir.FirstBits(Binary("+", hide, Int(n)), kind) for n in range(width + 1)]
    assert values(first, kind, fields=(field,)) == [2**n - 1 for n in range(width + 1)] * 2


@pytest.mark.parametrize("width", WIDTHS)
def test_members_by_their_place(width: int) -> None:
    hide, field = hidden(0)
    for value in [s for s in sample(width) if s][:6]:
        loads, before, fields = held([value], width)
        places = range(value.bit_count())
        known = [lir.Nth(loads[0], Int(n)) for n in places]
        moving = [lir.Nth(loads[0], Binary("+", hide, Int(n))) for n in places]
        found = values([*known, *moving], before=before, fields=(*fields, field))
        assert found == members(value) * 2


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("target", [1, 2, 9, 15, 20, 31, 63])
def test_sets_that_weigh_so_much_together(width: int, target: int) -> None:
    """As many members as one word has room for, the heaviest and lightest ones among them."""
    chance = Random(width * 100 + target)
    weights = [chance.choice((1, target, chance.randint(1, target))) for _ in range(width)]
    lane = 64 // (target + 1)
    room = max(n for n in range(1, 40) if comb(n, n // 2) < 1 << lane)
    some = [[], [width - 1], *(chance.sample(range(width), min(width, room, 12)) for _ in range(12))]
    sets = [sum(1 << member for member in each) for each in some]
    loads, before, fields = held(sets, width)
    table = lir.Table("w", NUMBER, tuple(weights))
    found = values([lir.Ways(x, "w", target) for x in loads], before=before, fields=fields, tables=(table,))
    wanted = [
        sum(
            sum(weights[member] for member in chosen) == target
            for size in range(len(each) + 1)
            for chosen in combinations(each, size)
        )
        for each in some
    ]
    assert found == wanted


@pytest.mark.parametrize("width", [8, 64, 65, 129])
def test_bit_sets_that_a_condition_chooses(width: int) -> None:
    kind = Bits(width)
    sets = [1, 2**width - 1]
    loads, before, fields = held(sets, width)
    hide, field = hidden(1)
    never = lir.Lookup("t", Int(2**26), kind)
    found = values(
        [
            Cond(Binary("==", hide, Int(1)), loads[0], loads[1]),
            Cond(Binary("==", hide, Int(0)), loads[0], loads[1]),
            Cond(Binary("==", hide, Int(1)), loads[1], never),
            lir.BitOp("without", loads[1], Cond(Binary("==", hide, Int(0)), never, loads[0])),
        ],
        kind,
        before,
        fields=(*fields, field),
        tables=(lir.Table("t", kind, (1,)),),
    )
    assert found == [1, 2**width - 1, 2**width - 1, 2**width - 2]


@pytest.mark.parametrize("width", [8, 16, 32, 64, 65, 128])
def test_a_field_that_is_computed_from_itself(width: int) -> None:
    """The words of a wide set are stored one by one: none may be read after it has been overwritten."""
    kind = Bits(width)
    own = Load("sets", Int(0), kind)
    top = lir.Single(lir.Highest(own), kind)
    before = (
        lir.Store("sets", Int(0), Set(2**width - 2, kind)),
        lir.Store("sets", Int(0), lir.BitOp("xor", lir.BitOp("without", own, top), lir.Single(Int(0), kind))),
    )
    fields = (lir.Field("sets", kind, 2),)
    assert values([own], kind, before, fields=fields) == [2 ** (width - 1) - 1]
    var = Var(0, kind)
    lowest = lir.Single(lir.Lowest(Get(var)), kind)
    before = (
        lir.Let(var, Set(2**width - 2, kind)),
        lir.Let(var, lir.BitOp("or", lowest, lir.Single(lir.Highest(Get(var)), kind))),
    )
    assert values([Get(var)], kind, before) == [2 | 1 << width - 1]


@pytest.mark.parametrize("width", [7, 8, 9, 16, 17, 32, 33, 64, 65])
def test_fields_side_by_side_do_not_touch(width: int) -> None:
    kind = Bits(width)
    full = 2**width - 1
    fields = (
        lir.Field("before", kind, start=full),
        lir.Field("x", kind, 3),
        lir.Field("after", kind, start=full),
    )
    block = (lir.Store("x", Int(1), Set(full, kind)), lir.Goto(Int(lir.OVER)))
    games = wasm.compile_module(m.module(block, fields=fields), cached=False).games(1)
    games.begin(0, 0, 0)
    state = games.compiled.codec.named(games.read(0))
    assert (state["before"], state["x"], state["after"]) == ([full], [0, full, 0], [full])


def test_the_top_of_a_pile_and_its_size() -> None:
    hide, field = hidden(2)
    before = tuple(lir.PilePush(Int(1), Int(n)) for n in (9, 0, 255))
    found = values(
        [
            lir.PileSize(Int(1)),
            lir.PileSize(Binary("-", hide, Int(1))),
            lir.PileSize(hide),
            lir.PileAt(Int(1), Int(0)),
            lir.PileAt(Int(1), hide),
            lir.PileAt(Binary("-", hide, Int(1)), Binary("-", lir.PileSize(Int(1)), Int(2))),
        ],
        before=before,
        fields=(field,),
        piles=3,
        capacity=4,
    )
    assert found == [3, 3, 0, 9, 255, 0]
