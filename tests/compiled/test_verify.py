"""The verifier of the low-level form: each slip of a lowering is told, and where."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import pytest
import wasm_modules as m

from rulekit.compiled import lir
from rulekit.compiled.lir import NUMBER, Binary, Bits, Cond, Get, Int, Load, Lookup, Set, Var
from rulekit.compiled.verify import InvalidModule, problems, verify

HAND, SEATS = Bits(52), Bits(4)
N, X, Y = Var(0, NUMBER), Var(1, HAND), Var(2, SEATS)
OVER = lir.Goto(Int(lir.OVER))
FIELDS = (
    lir.Field("hands", HAND, 4),
    lir.Field("seats", SEATS),
    lir.Field("turn", NUMBER, small=True),
    lir.Field("score", NUMBER, 4),
)
TABLES = (lir.Table("suit", NUMBER, (0, 1, 2, 3)), lir.Table("mates", HAND, (1, 2)))


def module(*body: lir.Stmt, functions: tuple[lir.Function, ...] = (), **parts: Any) -> lir.Module:
    return m.module((*body, OVER), fields=FIELDS, tables=TABLES, functions=functions, **parts)


def told(found: lir.Module) -> list[str]:
    return [str(problem) for problem in problems(found)]


def number(x: lir.Expr) -> lir.Stmt:
    return lir.Store("score", Int(0), x)


def hand(x: lir.Expr) -> lir.Stmt:
    return lir.Store("hands", Int(0), x)


HANDS = Load("hands", Int(1), HAND)
SEAT_SET = Load("seats", None, SEATS)
SCORE = Load("score", Int(0), NUMBER)
YES = Binary("==", SCORE, Int(0))

SET, SMALL, INT = "a set of 52 bits", "a set of 4 bits", "a number of 32 bits"

STATEMENTS: list[tuple[lir.Stmt | tuple[lir.Stmt, ...], str]] = [
    # names
    (lir.Store("hand", None, Int(0)), "Store: there is no field `hand`"),
    (number(Load("scores", None, NUMBER)), "there is no field `scores`"),
    (number(Lookup("suits", Int(0), NUMBER)), "there is no table `suits`"),
    (lir.Call(None, "f", ()), "Call: `f` is no function"),
    ((lir.Let(N, Int(0)), lir.SortUnique(N, ("x",))), "SortUnique: there is no field `x`"),
    ((lir.Let(N, Int(0)), lir.SortUnique(N, ())), "SortUnique: no fields"),
    (lir.Trap(2), "Trap: there is no fault site 2"),
    (lir.Trap(0), "Trap: there is no fault site 0"),
    (lir.Trap(1, (Int(0), Int(0), Int(0))), "Trap: 3 arguments"),
    (lir.Trap(1, (HANDS,)), "Trap: a number of 32 bits is wanted, Load gives a set of 52 bits"),
    # kinds
    (hand(SEAT_SET), "field `hands`: a set of 52 bits is wanted, Load gives a set of 4 bits"),
    (hand(Int(0)), "field `hands`: a set of 52 bits is wanted, Int gives a number of 32 bits"),
    (number(HANDS), "field `score`: a number of 32 bits is wanted, Load gives a set of 52 bits"),
    (number(Load("hands", None, NUMBER)), f"field `hands` holds {SET}, and is read as {INT}"),
    (hand(Lookup("suit", Int(0), HAND)), f"table `suit` holds {INT}, and is read as {SET}"),
    (hand(lir.BitOp("and", HANDS, SEAT_SET)), f"`and`: {SET} is wanted, Load gives {SMALL}"),
    (number(lir.SameBits(SCORE, HANDS)), f"SameBits: a bit set is wanted, Load gives {INT}"),
    (hand(lir.BitOp("nand", HANDS, HANDS)), "BitOp: there is no `nand`"),
    (number(Binary("**", Int(1), Int(2))), "Binary: there is no `**`"),
    (number(Binary("+", HANDS, Int(2))), f"`+`: {INT} is wanted, Load gives {SET}"),
    (number(lir.SameBits(HANDS, SEAT_SET)), f"SameBits: {SET} is wanted, Load gives {SMALL}"),
    (number(Cond(YES, Int(0), HANDS)), f"Cond: {INT} is wanted, Load gives {SET}"),
    (hand(Cond(YES, HANDS, SEAT_SET)), f"Cond: {SET} is wanted, Load gives {SMALL}"),
    (number(lir.Count(Int(3))), "Count: a bit set is wanted, Int gives a number of 32 bits"),
    (number(lir.Has(HANDS, HANDS)), f"Has: {INT} is wanted, Load gives {SET}"),
    (lir.Let(X, SEAT_SET), "local 1: a set of 52 bits is wanted, Load gives a set of 4 bits"),
    ((lir.Let(X, HANDS), lir.Let(Var(1, SEATS), SEAT_SET)), f"local 1 is {SET}, and {SMALL}"),
    (lir.ForBits(N, SCORE, ()), "ForBits: a bit set is wanted, Load gives a number of 32 bits"),
    (lir.ForBits(X, HANDS, ()), "ForBits: local 1 is a set of 52 bits"),
    (lir.ForRange(N, Int(0), HANDS, ()), f"ForRange: {INT} is wanted, Load gives {SET}"),
    (lir.Draw(X, Int(2)), "Draw: local 1 is a set of 52 bits"),
    # conditions
    (lir.If(SCORE, (lir.Trap(1),)), ""),
    (lir.If(HANDS, ()), "If: a number of 32 bits is wanted, Load gives a set of 52 bits"),
    (lir.If(lir.Count(HANDS), ()), "If: Count is not always 0 or 1"),
    (lir.While(Int(2), ()), "While: Int is not always 0 or 1"),
    (number(lir.And(YES, Binary("+", YES, YES))), "And: Binary is not always 0 or 1"),
    (number(lir.Or(Lookup("suit", Int(1), NUMBER), YES)), "Or: Lookup is not always 0 or 1"),
    (number(lir.Not(lir.Lowest(HANDS))), "Not: Lowest is not always 0 or 1"),
    (number(Cond(Cond(YES, YES, Int(3)), Int(0), Int(0))), "Cond: Cond is not always 0 or 1"),
    (number(lir.Not(Binary("min", YES, lir.Some(HANDS)))), ""),
    # constants in range
    (lir.Store("hands", Int(4), HANDS), "field `hands`: the index is 4, not 0 to 3"),
    (number(Load("score", Int(-1), NUMBER)), "field `score`: the index is -1, not 0 to 3"),
    (number(Lookup("suit", Int(4), NUMBER)), "table `suit`: the index is 4, not 0 to 3"),
    (lir.Store("turn", None, Int(256)), "field `turn`: a value is 256, not 0 to 255"),
    (number(Int(2**31)), "2147483648 is no number of 32 bits"),
    (hand(Set(2**52, HAND)), "the constant 0x10000000000000 is no set of 52 bits"),
    (hand(lir.Single(Int(52), HAND)), "Single: the member is 52, not 0 to 51"),
    (hand(lir.FirstBits(Int(53), HAND)), "FirstBits: the count is 53, not 0 to 52"),
    (hand(lir.FirstBits(Int(52), HAND)), ""),
    (number(lir.Has(HANDS, Int(52))), "Has: the member is 52, not 0 to 51"),
    (number(lir.Nth(HANDS, Int(52))), "Nth: the place is 52, not 0 to 51"),
    (number(lir.Ways(SEAT_SET, "suit", 3)), ""),
    (number(lir.Ways(SEAT_SET, "suit", 2)), "Ways: a weight of the table `suit` is not 0 to 2"),
    (number(lir.Ways(SEAT_SET, "suit", 64)), "Ways: the target is 64, not 1 to 63"),
    (number(lir.Ways(HANDS, "suit", 3)), "Ways: the table `suit` has 4 weights for 52 members"),
    (number(lir.Ways(SEAT_SET, "mates", 3)), "Ways: there is no table of numbers `mates`"),
    (number(lir.Ways(SCORE, "suit", 3)), f"Ways: a bit set is wanted, Load gives {INT}"),
    (number(lir.Not(lir.Ways(SEAT_SET, "suit", 3))), "Not: Ways is not always 0 or 1"),
    (number(lir.Lowest(Set(0, HAND))), "Lowest: the set is empty"),
    (number(lir.Highest(Set(0, HAND))), "Highest: the set is empty"),
    (number(Binary("//", Int(1), Int(0))), "`//`: the divisor is 0"),
    (number(Binary("%", Int(1), Int(0))), "`%`: the divisor is 0"),
    (lir.Draw(N, Int(0)), "Draw: the limit is 0, not 1 to 2147483647"),
    # flow
    (lir.Break(), "a Break stands outside of every loop"),
    (lir.Continue(), "a Continue stands outside of every loop"),
    (lir.If(YES, (lir.Break(),)), "a Break stands outside of every loop"),
    (lir.While(YES, (lir.If(YES, (lir.Break(),)),)), ""),
    (lir.Return(Int(0)), "a Return stands in a block"),
    (lir.Goto(Int(1)), "Goto: the block is 1, not 0 to 0"),
    (lir.Goto(Int(lir.FAULT)), "Goto: the block is -3, not 0 to 0"),
    (lir.Goto(HANDS), "Goto: a number of 32 bits is wanted, Load gives a set of 52 bits"),
    (number(Get(N)), "local 0 is read and never has a value"),
    ((lir.If(YES, (lir.Let(N, Int(1)),)), number(Get(N))), ""),
    ((number(Get(N)), lir.While(YES, (lir.Let(N, Int(1)),))), ""),
    ((lir.If(YES, (lir.Let(N, Int(1)),), (lir.Trap(1),)), number(Get(N))), ""),
    # piles
    (lir.PileClear(Int(2)), "the number of a pile is 2, not 0 to 1"),
    (lir.PilePush(Int(0), Int(256)), "a number in a pile is 256, not 0 to 255"),
    (lir.PileRemove(HANDS, Int(1)), f"a pile: {INT} is wanted, Load gives {SET}"),
    (lir.PileReplace(Int(0), Int(-1), Int(0)), "a number in a pile is -1, not 0 to 255"),
    (number(lir.PileAt(Int(0), Int(52))), "PileAt: the place is 52, not 0 to 51"),
    (lir.PilePop(X, Int(0)), "PilePop: local 1 is a set of 52 bits"),
    (lir.PileFill(Int(0), Set(2**53 - 1, Bits(60))), "PileFill: 53 numbers, and a pile holds 52"),
    (lir.PileFill(Int(0), Set(1, Bits(257))), "PileFill: a set of 257 bits has members beyond 255"),
    (lir.PileShuffle(Int(1)), ""),
]  # fmt: skip


@pytest.mark.parametrize(("body", "message"), STATEMENTS)
def test_a_slip_in_a_block_is_told(body: lir.Stmt | tuple[lir.Stmt, ...], message: str) -> None:
    found = module(*(body if isinstance(body, tuple) else (body,)), piles=2, capacity=52)
    assert told(found) == ([f"block 0: {message}"] if message else [])


def function(
    *body: lir.Stmt, result: lir.Kind | None = None, parameters: tuple[Var, ...] = (N,)
) -> lir.Function:
    return lir.Function("f", parameters, result, body)


NO_END = "a path does not end in a Return or Trap"
FUNCTIONS = [
    (function(lir.Return(Int(0)), result=NUMBER), ""),
    (function(result=NUMBER), NO_END),
    (function(lir.If(YES, (lir.Return(Int(0)),)), result=NUMBER), NO_END),
    (function(lir.If(YES, (lir.Return(Int(0)),), (lir.Trap(1),)), result=NUMBER), ""),
    (function(lir.While(YES, (lir.Return(Int(0)),)), result=NUMBER), NO_END),
    (function(lir.While(Int(1), (lir.If(YES, (lir.Return(Int(0)),)),)), result=NUMBER), ""),
    (
        function(lir.While(Int(1), (lir.If(YES, (lir.Break(),)), lir.Return(Int(0)))), result=NUMBER),
        NO_END,
    ),
    (function(lir.Return(HANDS), result=NUMBER), f"Return: {INT} is wanted, Load gives {SET}"),
    (function(lir.Return(), result=HAND), "Return: nothing, where a set of 52 bits is to be given"),
    (function(lir.Return(Int(0))), "Return: a value, where nothing is to be given"),
    (function(lir.Return()), ""),
    (function(OVER), "a Goto stands in a function"),
    (function(lir.Call(None, "f", (Int(0),))), "Call: `f` is no earlier function"),
    (function(lir.Call(None, "apply", (Int(0), Int(0)))), "Call: `apply` is no earlier function"),
    (function(parameters=(N, N)), "two parameters are local 0"),
    (function(lir.Let(Var(0, HAND), HANDS)), f"local 0 is {INT}, and {SET}"),
]  # fmt: skip


@pytest.mark.parametrize(("made", "message"), FUNCTIONS)
def test_a_slip_in_a_function_is_told(made: lir.Function, message: str) -> None:
    assert told(module(functions=(made,))) == ([f"function f: {message}"] if message else [])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lir.Call(None, "f", ()), "Call: `f` takes 1 arguments, not 0"),
        (lir.Call(None, "f", (HANDS,)), f"argument 0 of `f`: {INT} is wanted, Load gives {SET}"),
        (lir.Call(X, "f", (Int(0),)), f"Call: `f` gives a number of 32 bits, local 1 is {SET}"),
        (lir.Call(Var(5, NUMBER), "f", (Int(0),)), ""),
    ],
)  # fmt: skip
def test_a_slip_in_a_call_is_told(call: lir.Call, message: str) -> None:
    made = function(lir.Return(Int(0)), result=NUMBER)
    assert told(module(call, functions=(made,))) == ([f"block 0: {message}"] if message else [])


def test_a_block_ends_in_a_goto() -> None:
    for body, good in (
        ((), False),
        ((lir.If(YES, (OVER,)),), False),
        ((lir.If(YES, (OVER,), (lir.Trap(1),)),), True),
        ((lir.ForRange(N, Int(0), Int(3), (OVER,)),), False),
    ):
        found = told(m.module(body, fields=FIELDS))
        assert found == ([] if good else ["block 0: a path does not end in a Goto or Trap"])


PARTS = [
    ("start", 1, "blocks: the first is 1, and there are 1"),
    ("capacity", 65536, "piles: the capacity is 65536, not 0 to 65535"),
    ("functions", (), "functions: there is no `apply`"),
    (
        "functions", (lir.Function("apply", (N,), NUMBER, m.END),),
        "function apply: it is not one of two numbers that gives a number",
    ),
    ("fields", FIELDS, "fields: there is no `fault`"),
    (
        "fields", (lir.Field("pc", HAND), *(f for f in m.STANDARD if f.name != "pc")),
        "field pc: it is not 1 number of the state",
    ),
    ("fields", (*m.STANDARD, FIELDS[0], FIELDS[0]), "field hands: there are two of this name"),
    ("fields", (*m.STANDARD, lir.Field("x", NUMBER, 0)), "field x: its count is 0"),
    (
        "fields", (*m.STANDARD, lir.Field("x", NUMBER, start=-1, small=True)),
        "field x: it starts as -1, which is no number from 0 to 255",
    ),
    (
        "fields", (*m.STANDARD, lir.Field("x", SEATS, start=16)),
        "field x: it starts as 16, which is no set of 4 bits",
    ),
    ("fields", (*m.STANDARD, lir.Field("x", SEATS, small=True)), "field x: it is small, and no number"),
    ("tables", (lir.Table("t", SEATS, (1, 16)),), "table t: value 1, 16, is no set of 4 bits"),
    ("tables", (lir.Table("t", NUMBER, (2**31,)),), "table t: value 0, 2147483648, is no number of 32 bits"),
]  # fmt: skip


@pytest.mark.parametrize(("part", "value", "message"), PARTS)
def test_a_slip_in_what_a_module_declares_is_told(part: str, value: Any, message: str) -> None:
    assert message in told(replace(module(), **{part: value}))


def test_all_is_told_at_once() -> None:
    bad = module(lir.Break(), number(HANDS), lir.Trap(9))
    with pytest.raises(InvalidModule, match="outside of every loop") as caught:
        verify(bad)
    assert len(caught.value.problems) == 3
    assert str(caught.value).startswith("module test:\n  block 0: a Break")
    verify(m.deal())


def test_what_is_no_statement_or_expression_is_told() -> None:
    @dataclass(frozen=True)
    class Ask(lir.Stmt):
        pass

    @dataclass(frozen=True)
    class Random(lir.Expr):
        kind: lir.Kind = NUMBER

    bad = module(Ask(), number(Random()), lir.Let(N, lir.PileSize(Int(0))), piles=0)
    assert told(bad)[:2] == ["block 0: Ask is no statement", "block 0: Random is no expression"]
    assert "block 0: there are no piles" in told(bad)
