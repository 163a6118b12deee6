"""Each statement of the low-level form in WebAssembly."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import pytest
import wasm_modules as m

from rulekit.compiled import lir, wasm
from rulekit.compiled.lir import NONE, NUMBER, Binary, Bits, Get, Int, Load, Set, Var
from rulekit.engine import chance

A, B, C = (Var(n, NUMBER) for n in range(3))
OUT = lir.Field("out", NUMBER, 40)
SIZE = lir.Field("size", NUMBER)


def run(body: lir.Body, *, stream: int = 0, fields: Sequence[lir.Field] = (), **parts: Any) -> dict[str, Any]:
    """The state after a block with this body."""
    block = (*body, lir.Goto(Int(lir.OVER)))
    module = m.module(block, fields=(OUT, SIZE, *fields), **parts)
    games = wasm.compile_module(module, cached=False).games(1)
    games.begin(0, stream, stream + 1)
    return games.compiled.codec.named(games.read(0))


def add(value: lir.Expr) -> lir.Body:
    """A number is written to the end of a list."""
    size = Load("size", None, NUMBER)
    return (lir.Store("out", size, value), lir.Store("size", None, Binary("+", size, Int(1))))


def written(state: dict[str, Any]) -> list[int]:
    return state["out"][: state["size"][0]]


# ---------------------------------------------------------------- control


@pytest.mark.parametrize("width", [5, 64, 65, 128, 200])
def test_a_loop_over_bits_goes_up_and_takes_the_set_as_it_was(width: int) -> None:
    kind = Bits(width)
    value = sum(1 << n for n in {0, 3, width // 2, width - 2, width - 1, 63 % width, 64 % width})
    body: lir.Body = (
        lir.Store("set", None, Set(value, kind)),
        lir.ForBits(A, Load("set", None, kind), (lir.Store("set", None, Set(0, kind)), *add(Get(A)))),
        *add(Get(A)),
    )
    expected = [n for n in range(width) if value >> n & 1]
    assert written(run(body, fields=(lir.Field("set", kind),))) == [*expected, expected[-1]]


def test_a_loop_over_numbers_takes_its_ends_as_they_were() -> None:
    body: lir.Body = (
        lir.Let(B, Int(3)),
        lir.ForRange(A, Int(-2), Get(B), (lir.Let(B, Int(0)), *add(Get(A)), lir.Let(A, Int(90)))),
        *add(Get(B)),
        lir.ForRange(A, Int(5), Int(5), add(Get(A))),
        lir.ForRange(A, Int(6), Int(5), add(Get(A))),
    )
    assert written(run(body)) == [-2, -1, 0, 1, 2, 0]


def test_break_and_continue_belong_to_the_innermost_loop() -> None:
    inner: lir.Body = (
        lir.If(Binary("==", Get(B), Int(1)), (lir.Continue(),)),
        lir.If(Binary("==", Get(B), Int(3)), (lir.Break(),)),
        *add(Binary("+", Binary("*", Get(A), Int(10)), Get(B))),
    )
    loops: list[lir.Stmt] = [
        lir.ForBits(B, Set(0b11111, Bits(5)), inner),
        lir.ForRange(B, Int(0), Int(5), inner),
        lir.While(Binary("<", Get(B), Int(4)), (lir.Let(B, Binary("+", Get(B), Int(1))), *inner)),
    ]
    for loop in loops:
        first = 0 if not isinstance(loop, lir.While) else 2
        body = (
            lir.ForRange(A, Int(1), Int(9), (lir.Let(B, Int(0)), loop, *_until(A, 2))),
            *add(Int(99)),
        )
        one = [0, 2] if first == 0 else [2]
        assert written(run(body)) == [10 + n for n in one] + [20 + n for n in one] + [99]


def _until(var: Var, last: int) -> lir.Body:
    return (lir.If(Binary("==", Get(var), Int(last)), (lir.Break(),)),)


def test_if_with_and_without_another_side() -> None:
    body: lir.Body = ()
    for n in range(2):
        condition = Binary("==", Load("size", None, NUMBER), Int(0)) if n == 0 else Int(0)
        body += (lir.If(condition, add(Int(1)), add(Int(2))), lir.If(Int(n), add(Int(3))))
    assert written(run(body)) == [1, 2, 3]


def test_locals_are_0_each_time_a_block_is_entered() -> None:
    size = Load("size", None, NUMBER)
    first: lir.Body = (
        *add(Get(A)),
        lir.Let(A, Int(7)),
        lir.If(Binary("<", size, Int(3)), (lir.Goto(Int(0)),)),
        lir.Goto(Int(1)),
    )
    second: lir.Body = (*add(Get(A)), lir.Goto(Int(lir.OVER)))
    games = wasm.compile_module(m.module(first, second, fields=(OUT, SIZE)), cached=False).games(1)
    games.begin(0, 0, 0)
    assert written(games.compiled.codec.named(games.read(0))) == [0, 0, 0, 0]


def test_blocks_are_reached_by_numbers_known_or_not() -> None:
    def block(number: int, following: lir.Expr) -> lir.Body:
        return (*add(Int(number)), lir.Goto(following))

    size = Load("size", None, NUMBER)
    moving = lir.Lookup("next", size, NUMBER)
    module = m.module(
        block(0, Int(2)),
        block(1, moving),
        block(2, Int(3)),
        block(3, Int(1)),
        fields=(OUT, SIZE),
        tables=(lir.Table("next", NUMBER, (9, 9, 9, 9, 3, 9, 1, lir.OVER)),),
    )
    games = wasm.compile_module(module, cached=False).games(1)
    assert games.begin(0, 0, 0) == lir.OVER
    assert written(games.compiled.codec.named(games.read(0))) == [0, 2, 3, 1, 3, 1, 1]


# ---------------------------------------------------------------- functions


def padding(count: int) -> lir.Body:
    """Statements that make a function too large to be put in the place of its calls."""
    return tuple(lir.Store("size", None, Load("size", None, NUMBER)) for _ in range(count))


@pytest.mark.parametrize("extra", [0, 20])
@pytest.mark.parametrize("width", [9, 64, 130])
def test_calls_pass_numbers_and_bit_sets_both_ways(extra: int, width: int) -> None:
    kind = Bits(width)
    x, y, n = Var(10, kind), Var(11, kind), Var(12, NUMBER)
    both = lir.Function(
        "both",
        (x, n, y),
        kind,
        (
            *padding(extra),
            lir.If(Binary(">", Get(n), Int(0)), (lir.Return(lir.BitOp("or", Get(x), Get(y))),)),
            lir.Let(x, lir.BitOp("xor", Get(x), Get(y))),
            lir.Return(Get(x)),
        ),
    )
    r, q = Var(1, kind), Var(2, kind)
    high = Set(1 << width - 1 | 1, kind)
    low = Set(3, kind)
    body: lir.Body = (
        lir.Let(r, high),
        lir.Call(r, "both", (Get(r), Int(1), low)),
        lir.Store("sets", Int(0), Get(r)),
        lir.Call(q, "both", (high, Int(0), low)),
        lir.Store("sets", Int(1), Get(q)),
        lir.Call(None, "both", (high, Int(0), low)),
    )
    state = run(body, fields=(lir.Field("sets", kind, 2),), functions=(both,))
    assert state["sets"] == [1 << width - 1 | 3, 1 << width - 1 | 2]


@pytest.mark.parametrize("extra", [0, 20])
def test_locals_are_0_each_time_a_function_is_called(extra: int) -> None:
    f = lir.Function(
        "f", (A,), NUMBER, (*padding(extra), lir.Let(B, Binary("+", Get(B), Get(A))), lir.Return(Get(B)))
    )
    call = (lir.Call(C, "f", (Int(5),)), *add(Get(C)))
    body = (lir.ForRange(A, Int(0), Int(2), call), *call)
    assert written(run(body, functions=(f,))) == [5, 5, 5]


@pytest.mark.parametrize("extra", [0, 20])
def test_a_return_in_a_loop_leaves_the_function(extra: int) -> None:
    f = lir.Function(
        "f",
        (),
        None,
        (
            *padding(extra),
            lir.ForRange(
                A, Int(0), Int(9), (*add(Get(A)), lir.If(Binary("==", Get(A), Int(2)), (lir.Return(),)))
            ),
            *add(Int(50)),
        ),
    )
    body = (lir.Call(None, "f", ()), *add(Int(60)), lir.Call(None, "f", ()))
    assert written(run(body, functions=(f,))) == [0, 1, 2, 60, 0, 1, 2]


@pytest.mark.parametrize("extra", [0, 20])
def test_a_fault_leaves_all_functions_at_once(extra: int) -> None:
    x = Var(10, NUMBER)
    inner = lir.Function(
        "inner",
        (x,),
        Bits(100),
        (
            *padding(extra),
            lir.If(Binary(">", Get(x), Int(1)), (lir.Trap(2, (Get(x), Int(NONE))),)),
            *add(Get(x)),
            lir.Return(Set(1, Bits(100))),
        ),
    )
    outer = lir.Function(
        "outer",
        (),
        NUMBER,
        (
            *padding(extra),
            lir.ForRange(A, Int(0), Int(5), (lir.Call(None, "inner", (Get(A),)),)),
            *add(Int(70)),
            lir.Return(Int(1)),
        ),
    )
    body = (lir.Call(B, "outer", ()), *add(Int(80)))
    state = run(body, functions=(inner, outer), faults=2)
    assert written(state) == [0, 1]
    assert (state["fault"], state["fault_arguments"], state["choices"]) == ([2], [2, NONE], [0])


# ---------------------------------------------------------------- chance


@pytest.mark.parametrize("limit", [1, 2, 3, 52, 2**31 - 1])
@pytest.mark.parametrize("policy", [False, True])
def test_draws_are_those_of_chance(limit: int, policy: bool) -> None:
    body = (lir.ForRange(A, Int(0), Int(20), (lir.Draw(B, Int(limit), policy), *add(Get(B)))),)
    state = run(body, stream=2**64 - 5)
    stream = (2**64 - 5 + policy) % 2**64
    expected = []
    for _ in range(20):
        stream, value = chance.below(stream, limit)
        expected.append(value)
    assert written(state) == expected
    assert state["policy" if policy else "chance"] == stream
    assert state["chance" if policy else "policy"] == (2**64 - 5 + (not policy)) % 2**64


@pytest.mark.parametrize("count", [0, 1, 2, 3, 4, 8, 52, 53, 104, 254, 255])
def test_a_pile_is_shuffled_as_chance_shuffles(count: int) -> None:
    fill = lir.PileFill(Int(1), Set(2**count - 1, Bits(255)))
    state = run((fill, lir.PileShuffle(Int(1))), stream=3, piles=3, capacity=255)
    stream, order = chance.shuffle(3, range(count))
    assert state["piles"] == [(), tuple(order), ()]
    assert state["chance"] == stream


def test_the_vector_of_the_specification() -> None:
    body = (lir.PileFill(Int(0), Set(255, Bits(8))), lir.PileShuffle(Int(0)))
    assert run(body, piles=1, capacity=8)["piles"] == [(4, 5, 1, 0, 6, 2, 3, 7)]


# ---------------------------------------------------------------- piles


@pytest.mark.parametrize("capacity", [1, 5, 52, 255])
def test_piles_hold_up_to_their_capacity(capacity: int) -> None:
    """Random operations on the middle one of three piles, against a list."""
    rng = random.Random(capacity)
    pile: list[int] = []
    body: list[lir.Stmt] = []
    for _ in range(300):
        free = [n for n in (rng.randrange(256) for _ in range(4)) if n not in pile]
        choice = rng.randrange(9)
        if choice in (0, 1, 2, 3) and len(pile) < capacity and free:
            bottom = choice == 0
            body.append(lir.PilePush(Int(1), Int(free[0]), bottom))
            pile.insert(0 if bottom else len(pile), free[0])
        elif choice == 4 and pile:
            body.append(lir.PilePop(A, Int(1)))
            pile.pop()
        elif choice == 5 and pile:
            item = rng.choice(pile)
            body.append(lir.PileRemove(Int(1), Int(item)))
            pile.remove(item)
        elif choice == 6 and pile and free:
            old = rng.choice([pile[0], pile[-1], rng.choice(pile)])
            body.append(lir.PileReplace(Int(1), Int(old), Int(free[0])))
            pile[pile.index(old)] = free[0]
        elif choice == 7 and rng.random() < 0.2:
            value = sum(1 << n for n in rng.sample(range(256), rng.randint(0, capacity)))
            body.append(lir.PileFill(Int(1), Set(value, Bits(256))))
            pile = [n for n in range(256) if value >> n & 1]
        elif choice == 8 and rng.random() < 0.1:
            body.append(lir.PileClear(Int(1)))
            pile = []
    guard = (lir.PilePush(Int(0), Int(1)), lir.PilePush(Int(2), Int(2)))
    state = run((*guard, *body), piles=3, capacity=capacity)
    assert state["piles"] == [(1,), tuple(pile), (2,)]


@pytest.mark.parametrize("capacity", [4, 255])
def test_a_full_pile_touches_none_of_its_neighbours(capacity: int) -> None:
    full = 2**capacity - 1
    body: lir.Body = (
        *(lir.PileFill(Int(n), Set(full, Bits(255))) for n in (2, 0)),
        lir.ForRange(A, Int(0), Int(capacity), (lir.PilePush(Int(1), Binary("-", Int(255), Get(A)), True),)),
        lir.PileReplace(Int(1), Int(255), Int(0)),
        lir.PilePop(B, Int(1)),
        lir.PilePush(Int(1), Get(B)),
    )
    state = run(body, piles=3, capacity=capacity)
    ascending = tuple(range(capacity))
    assert state["piles"] == [ascending, (*range(256 - capacity, 255), 0), ascending]


def test_a_pile_that_is_named_by_a_computed_number() -> None:
    pile = Load("size", None, NUMBER)
    kind = Bits(70)
    body: lir.Body = (
        lir.Store("size", None, Int(2)),
        lir.Let(Var(5, kind), Set(1 | 1 << 64 | 1 << 69, kind)),
        lir.PileFill(pile, Get(Var(5, kind))),
        lir.PileShuffle(pile),
        lir.PilePush(pile, Int(9), True),
        lir.PileRemove(pile, Int(64)),
        lir.PileReplace(pile, Int(69), Int(70)),
        lir.PilePush(pile, Int(8)),
    )
    (zero, one, two) = run(body, piles=3, capacity=5)["piles"]
    assert (zero, one, two[0], two[-1], set(two)) == ((), (), 9, 8, {9, 0, 70, 8})


# ---------------------------------------------------------------- sorting


def as_list(value: int) -> list[int]:
    return [n for n in range(value.bit_length()) if value >> n & 1]


@pytest.mark.parametrize("rows", [0, 1, 2, 3, 4, 5, 7, 8, 9, 30, 64])
@pytest.mark.parametrize("widths", [(0,), (6,), (64,), (65,), (0, 5), (5, 0), (130, 3), (0, 0, 200)])
def test_rows_are_sorted_and_equal_ones_merged(rows: int, widths: tuple[int, ...]) -> None:
    """Width 0 stands for numbers. Some columns are scratch."""
    rng = random.Random(rows)
    kinds = [Bits(width) if width else NUMBER for width in widths]
    count = max(1, rows)
    table: list[tuple[int, ...]] = []
    for _ in range(rows):
        if table and rng.random() < 0.3:
            table.append(rng.choice(table))
            continue
        few = [rng.choice((NONE, -1, 0, 1, 2**31 - 1)) if not w else some_set(rng, w) for w in widths]
        table.append(tuple(few))
    fields = []
    body: list[lir.Stmt] = []
    for column, kind in enumerate(kinds):
        fields.append(lir.Field(f"c{column}", kind, count, scratch=column % 2 == 0))
        fields.append(lir.Field(f"copy{column}", kind, count))
        for row, cells in enumerate(table):
            value = Set(cells[column], kind) if isinstance(kind, Bits) else Int(cells[column])
            body.append(lir.Store(f"c{column}", Int(row), value))
    names = tuple(f"c{column}" for column in range(len(kinds)))
    body += [lir.Let(A, Int(rows)), lir.SortUnique(A, names), lir.Store("size", None, Get(A))]
    for column, kind in enumerate(kinds):
        copy = lir.Store(f"copy{column}", Get(B), Load(f"c{column}", Get(B), kind))
        body.append(lir.ForRange(B, Int(0), Get(A), (copy,)))
    state = run(tuple(body), fields=fields)

    def key(row: tuple[int, ...]) -> list[Any]:
        return [as_list(value) if width else value for value, width in zip(row, widths, strict=True)]

    expected = sorted(set(table), key=key)
    assert state["size"] == [len(expected)]
    found = list(zip(*(state[f"copy{column}"][: len(expected)] for column in range(len(kinds))), strict=True))
    assert found == expected


def some_set(rng: random.Random, width: int) -> int:
    """Often one that begins like another one."""
    full = 2**width - 1
    return rng.choice((0, 1, 3, 5, 7, full, full - 1, 1 << width - 1, rng.getrandbits(width))) & full


def test_what_is_sorted_already_stays() -> None:
    body: list[lir.Stmt] = [lir.Store("out", Int(n), Int(n * n)) for n in range(20)]
    body += [lir.Let(A, Int(12)), lir.SortUnique(A, ("out",)), lir.Store("size", None, Get(A))]
    assert written(run(tuple(body))) == [n * n for n in range(12)]
