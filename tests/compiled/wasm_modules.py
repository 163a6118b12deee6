"""Modules of the low-level form made by hand, for the tests of what runs them."""

from __future__ import annotations

from collections.abc import Sequence

from rulekit.compiled import lir
from rulekit.compiled.lir import NUMBER, Bits, Int

STANDARD = (
    lir.Field("fault", NUMBER),
    lir.Field("fault_arguments", NUMBER, 2),
    lir.Field("pc", NUMBER),
    lir.Field("choices", NUMBER),
)
END: lir.Body = (lir.Return(Int(lir.OVER)),)
PLACE, FRESH = lir.Var(0, NUMBER), lir.Var(1, NUMBER)


def wait(block: int, choices: lir.Expr) -> lir.Body:
    """The statements that wait in a block for one of so many actions."""
    return (
        lir.Store("choices", None, choices),
        lir.Store("pc", None, Int(block)),
        lir.Goto(Int(lir.WAIT)),
    )


def module(
    *blocks: lir.Body,
    fields: Sequence[lir.Field] = (),
    tables: Sequence[lir.Table] = (),
    piles: int = 0,
    capacity: int = 0,
    functions: Sequence[lir.Function] = (),
    apply: lir.Body = END,
    faults: int = 1,
) -> lir.Module:
    """A module that begins in the first block."""
    return lir.Module(
        "test",
        (*STANDARD, *fields),
        tuple(tables),
        piles,
        capacity,
        (*functions, lir.Function("apply", (PLACE, FRESH), NUMBER, apply)),
        blocks,
        0,
        tuple(lir.FaultSite(f"E{n}", "{0} {1}") for n in range(1, faults + 1)),
    )


def deal(players: int = 4, cards: int = 52) -> lir.Module:
    """A pack is shuffled and dealt to hands; then every hand plays its cards, any of them, in turn."""
    hand = Bits(cards)
    i, card, member, at = (lir.Var(n, NUMBER) for n in range(4))
    turn = lir.Load("turn", None, NUMBER)
    own = lir.Load("hands", turn, hand)
    setup: lir.Body = (
        lir.PileFill(Int(0), lir.Set(2**cards - 1, hand)),
        lir.PileShuffle(Int(0)),
        lir.ForRange(
            i,
            Int(0),
            Int(cards),
            (
                lir.PilePop(card, Int(0)),
                lir.Let(at, lir.Binary("%", lir.Get(i), Int(players))),
                lir.Store(
                    "hands",
                    lir.Get(at),
                    lir.BitOp("or", lir.Load("hands", lir.Get(at), hand), lir.Single(lir.Get(card), hand)),
                ),
            ),
        ),
        lir.Goto(Int(1)),
    )
    play: lir.Body = (lir.If(lir.Some(own), wait(1, lir.Count(own))), lir.Goto(Int(lir.OVER)))
    apply: lir.Body = (
        lir.Let(lir.Var(2, NUMBER), lir.Nth(own, lir.Get(PLACE))),
        lir.Store("hands", turn, lir.BitOp("without", own, lir.Single(lir.Get(member), hand))),
        lir.PilePush(Int(1), lir.Get(member)),
        lir.Store("turn", None, lir.Binary("%", lir.Binary("+", turn, Int(1)), Int(players))),
        lir.Return(Int(1)),
    )
    return module(
        setup,
        play,
        fields=(lir.Field("hands", hand, players), lir.Field("turn", NUMBER, small=True)),
        piles=2,
        capacity=cards,
        apply=apply,
    )
