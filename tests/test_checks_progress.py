"""Loops shown to end, rule by rule, over programs built by hand; and loops that are not."""

from __future__ import annotations

from dataclasses import replace

import pytest
from programs import program as compiled

from rulekit.cards import STANDARD_RANKS, STANDARD_SUITS, usual_suit
from rulekit.checks.study import Study
from rulekit.diagnostics import Findings
from rulekit.program import Program
from rulekit.program import expressions as e
from rulekit.program import statements as s
from rulekit.program import types as t
from rulekit.program.program import DeckDef, EndDef, LocalDef, MoveDef, PhaseDef, StateDef, ZoneDef
from rulekit.program.progress import prove_loops
from rulekit.program.walk import walk_statements

# ---------------------------------------------------------------- a small game to put loops into

NUMBER = t.Int(0, 9)
SUITS = tuple(suit for suit in map(usual_suit, STANDARD_SUITS) if suit is not None)
STATES = {
    "n": StateDef("n", NUMBER),
    "wide": StateDef("wide", t.Int(0, t.LIMIT)),
    "over": StateDef("over", t.BOOL),
    "seat": StateDef("seat", t.PLAYER, start=e.Only(e.Players(type=t.PLAYERS), type=t.PLAYER)),
    "waiting": StateDef("waiting", t.PLAYERS, start=e.Players(type=t.PLAYERS)),
}
ZONES = {
    "stock": ZoneDef("stock", "pile"),
    "hand": ZoneDef("hand", "set", per="player"),
    "heap": ZoneDef("heap", "pile"),
}


def number(value: int) -> e.Expr:
    return e.Constant(value, type=t.Int(value, value))


def state(name: str) -> e.Expr:
    return e.StateOf(name, type=STATES[name].type)


def cards(zone: str, index: e.Expr | None = None) -> e.Expr:
    return e.ZoneCards(zone, index, type=t.SeqOf(t.CARD))


def size(of: e.Expr) -> e.Expr:
    return e.Count(of, type=t.Int(0, 52))


def same(left: e.Expr, right: e.Expr) -> e.Expr:
    return e.Same(left, right, type=t.BOOL)


def any_(of: e.Expr) -> e.Expr:
    return e.AnyOf(of, type=t.BOOL)


def no(condition: e.Expr) -> e.Expr:
    return e.Not(condition, type=t.BOOL)


def left_of(player: e.Expr) -> e.Expr:
    return e.Seat("left", player, type=t.PLAYER)


def assign(name: str, value: e.Expr, op: str = "=") -> s.Assign:
    return s.Assign(s.StatePlace(name), op, value)


def top_to(source: str, target: str) -> s.Move:
    top = e.End(cards(source), True, type=t.Optional(t.CARD))
    return s.Move(e.One(top, type=t.CARDS), s.ZonePlace(target))


SHUFFLE = s.Shuffle(s.ZonePlace("stock"), e.Deck(type=t.CARDS))
ASK = s.Ask(state("seat"), ("go",))


def game(*play: s.Stmt, phases: dict[str, PhaseDef] | None = None) -> Program:
    return Program(
        name="built",
        title="Built",
        family=None,
        text=None,
        sources=(),
        players=(3, 4),
        teams=None,
        options={},
        requires=None,
        deck=DeckDef(STANDARD_RANKS, SUITS),
        words={},
        orders={},
        zones=ZONES,
        state=STATES,
        locals=tuple(LocalDef(f"local{n}", t.PLAYER, False) for n in range(9)),
        facts={},
        defines={},
        play=play,
        play_state=(),
        phases=phases or {},
        moves={"go": MoveDef("go")},
        end=EndDef(),
        examples=(),
    )


def proven(program: Program) -> list[bool]:
    marked = prove_loops(program)
    bodies = (*marked.play, *(stmt for phase in marked.phases.values() for stmt in phase.body))
    return [stmt.proven for stmt in walk_statements(bodies) if isinstance(stmt, s.Until)]


def until(condition: e.Expr, *body: s.Stmt) -> s.Until:
    return s.Until(condition, body)


# ---------------------------------------------------------------- (a) asks


def test_a_round_that_asks_is_proven() -> None:
    assert proven(game(until(state("over"), ASK))) == [True]


def test_a_round_that_asks_only_sometimes_is_not() -> None:
    sometimes = s.If(((same(state("n"), number(3)), (ASK,)),))
    assert proven(game(until(state("over"), sometimes))) == [False]


def test_a_round_that_asks_on_each_of_its_ways_is() -> None:
    either = s.If(((same(state("n"), number(3)), (ASK,)),), (assign("n", number(3)), ASK))
    assert proven(game(until(state("over"), either))) == [True]


def test_a_loop_over_all_players_asks_somebody() -> None:
    everybody = s.For(0, e.Players(type=t.PLAYERS), (ASK,))
    assert proven(game(until(state("over"), everybody))) == [True]


def test_a_loop_over_a_set_that_may_be_empty_need_not_ask() -> None:
    some = s.For(0, state("waiting"), (ASK,))
    emptied = assign("waiting", e.Constant((), type=t.PLAYERS))
    assert proven(game(emptied, until(state("over"), some))) == [False]


def test_a_sealed_ask_of_a_set_that_may_be_empty_need_not_ask() -> None:
    sealed = s.Ask(state("waiting"), ("go",), together=True)
    emptied = assign("waiting", e.Constant((), type=t.PLAYERS))
    assert proven(game(until(state("over"), sealed))) == [True]
    assert proven(game(emptied, until(state("over"), sealed))) == [False]


def test_a_phase_asks_for_the_round_that_runs_it() -> None:
    phases = {"part": PhaseDef("part", body=(ASK,))}
    assert proven(game(until(state("over"), s.Call("part")), phases=phases)) == [True]


def test_a_phase_that_may_be_left_before_it_asks_does_not() -> None:
    stops = PhaseDef("part", stop_when=same(state("n"), number(3)), body=(assign("n", number(3), "+="), ASK))
    again = assign("n", number(0))
    assert proven(game(until(state("over"), again, s.Call("part")), phases={"part": stops})) == [False]
    other = replace(stops, stop_when=same(state("n"), number(4)))
    assert proven(game(until(state("over"), again, s.Call("part")), phases={"part": other})) == [True]


# ---------------------------------------------------------------- (b) cards along zones without a circle


def test_a_round_that_moves_a_card_one_way_is_proven() -> None:
    draws = until(same(size(cards("stock")), number(0)), top_to("stock", "heap"))
    assert proven(game(SHUFFLE, draws)) == [True]


def test_a_round_that_may_find_no_card_is_not() -> None:
    assert proven(game(SHUFFLE, until(state("over"), top_to("stock", "heap")))) == [False]


def test_cards_that_come_back_prove_nothing() -> None:
    circle = until(same(size(cards("stock")), number(0)), top_to("stock", "heap"), top_to("heap", "stock"))
    assert proven(game(SHUFFLE, circle)) == [False]


def test_a_deal_in_each_round_uses_up_the_stock() -> None:
    deal = s.Deal(number(3), s.ZonePlace("hand"), s.ZonePlace("stock"), e.Players(type=t.PLAYERS))
    assert proven(game(SHUFFLE, until(same(size(cards("stock")), number(1)), deal))) == [True]
    nothing = replace(deal, count=number(0))
    assert proven(game(SHUFFLE, until(same(size(cards("stock")), number(1)), nothing))) == [False]


def test_a_swap_is_a_circle() -> None:
    swap = s.Swap(
        e.One(e.End(cards("stock"), True, type=t.Optional(t.CARD)), type=t.CARDS),
        e.One(e.End(cards("heap"), True, type=t.Optional(t.CARD)), type=t.CARDS),
    )
    draws = until(same(size(cards("stock")), number(0)), top_to("stock", "heap"), swap)
    assert proven(game(SHUFFLE, draws)) == [False]


# ---------------------------------------------------------------- (c) a number that moves one way


def test_counting_up_is_proven() -> None:
    assert proven(game(until(same(state("n"), number(9)), assign("n", number(1), "+=")))) == [True]


def test_counting_up_and_down_is_not() -> None:
    to_and_fro = (assign("n", number(2), "+="), assign("n", number(2), "-="))
    assert proven(game(until(same(state("n"), number(9)), *to_and_fro))) == [False]


def test_counting_something_that_the_condition_does_not_read_is_not() -> None:
    assert proven(game(until(state("over"), assign("n", number(1), "+=")))) == [False]


def test_counting_through_a_range_that_seems_endless_is_not() -> None:
    assert proven(game(until(same(state("wide"), number(9)), assign("wide", number(1), "+=")))) == [False]


def test_a_number_that_starts_afresh_in_each_round_proves_nothing() -> None:
    phases = {"part": PhaseDef("part", state=("n",), body=(assign("n", number(1), "+="),))}
    made = game(until(same(state("n"), number(9)), s.Call("part")), phases=phases)
    made = replace(made, state={**STATES, "n": replace(STATES["n"], scope="part")})
    assert proven(made) == [False]


def test_a_set_that_loses_its_first_member_is_proven() -> None:
    first = e.End(e.Rounds(state("waiting"), state("seat"), type=t.SeqOf(t.PLAYER)), False, type=t.PLAYER)
    loses = assign("waiting", e.One(first, type=t.PLAYERS), "-=")
    assert proven(game(until(no(any_(state("waiting"))), loses))) == [True]


# ---------------------------------------------------------------- (d) the condition comes true


def test_a_round_that_makes_the_condition_true_is_proven() -> None:
    ends = assign("over", e.Constant(True, type=t.BOOL))
    asks_or_ends = s.If(((same(state("n"), number(3)), (ASK,)),), (ends,))
    assert proven(game(until(state("over"), asks_or_ends))) == [True]


def test_one_that_undoes_it_is_not() -> None:
    on, off = (assign("over", e.Constant(value, type=t.BOOL)) for value in (True, False))
    assert proven(game(until(state("over"), on, off))) == [False]


# ---------------------------------------------------------------- (e) a seat goes round a ring

STEP = assign("seat", left_of(state("seat")))


def test_waiting_for_a_seat_is_proven() -> None:
    someone = e.Local(0, type=t.PLAYER)
    ring = until(same(state("seat"), someone), STEP)
    assert proven(game(s.For(0, e.Players(type=t.PLAYERS), (ring,)))) == [True]


def test_waiting_for_nobody_is_not() -> None:
    nobody = e.Local(0, type=t.Optional(t.PLAYER))
    let = s.Assign(s.LocalPlace(0), "=", e.Constant(None, type=t.NOTHING))
    assert proven(game(let, until(same(state("seat"), nobody), STEP))) == [False]


def test_going_round_those_who_wait_to_be_asked_is_proven() -> None:
    member = e.Contains(state("seat"), state("waiting"), type=t.BOOL)
    ring = until(no(any_(state("waiting"))), s.If(((member, (ASK,)),)), STEP)
    assert proven(game(ring)) == [True]


def test_going_round_some_who_need_not_be_there_is_not() -> None:
    member = e.Contains(state("seat"), state("waiting"), type=t.BOOL)
    assert proven(game(until(state("over"), s.If(((member, (ASK,)),)), STEP))) == [False]


def test_something_else_that_changes_spoils_the_ring() -> None:
    member = e.Contains(state("seat"), state("waiting"), type=t.BOOL)
    grows = assign("n", number(1))
    ring = until(no(any_(state("waiting"))), s.If(((member, (ASK,)),), (grows,)), STEP)
    assert proven(game(ring)) == [False]


# ---------------------------------------------------------------- what is known at a place


def test_a_player_taken_from_a_set_is_in_it_as_long_as_the_set_stays() -> None:
    copied = assign("waiting", e.Players(type=t.PLAYERS))
    member = e.Contains(e.Local(0, type=t.PLAYER), state("waiting"), type=t.BOOL)
    loop = until(state("over"), s.For(0, state("waiting"), (s.If(((member, (ASK,)),)),)))
    assert proven(game(copied, loop)) == [True]
    shrinks = assign("waiting", e.One(state("seat"), type=t.PLAYERS), "-=")
    spoiled = until(state("over"), copied, s.For(0, state("waiting"), (shrinks, s.If(((member, (ASK,)),)))))
    assert proven(game(spoiled)) == [False]


def test_circles_of_phases_are_given_up_and_prove_nothing() -> None:
    phases = {
        "one": PhaseDef("one", body=(s.Call("two"),)),
        "two": PhaseDef("two", body=(s.Call("one"),)),
    }
    made = game(s.Call("one"), until(state("over"), ASK), phases=phases)
    assert proven(made) == [False]
    assert Study(made).flow.gave_up


def test_marking_leaves_the_rest_of_the_program_as_it_is() -> None:
    made = game(SHUFFLE, until(state("over"), ASK))
    marked = prove_loops(made)
    assert marked.play[0] is made.play[0]
    assert replace(marked, play=made.play) == made


# ---------------------------------------------------------------- the blocks

BLOCKS = {
    "turns": (
        "turns: {leader: starter, moves: [lay], end: every(players where count(hand) == 0)}",
        "{text: Lay., choose: {card: hand}, do: [move card to table]}",
    ),
    "climb": (
        "climb: {leader: starter, lead: [lay], follow: [lay], table: table, gone: gone}",
        "{text: Lay., choose: {card: hand}, do: [move card to table]}",
    ),
    "auction": (
        "auction: {leader: starter, bid: [lay]}",
        "{text: Bid., choose: {bid: 1..3 where it > level}, do: [level = bid]}",
    ),
}


@pytest.mark.parametrize("block", BLOCKS)
def test_the_loops_of_the_blocks_are_proven(block: str) -> None:
    use, move = BLOCKS[block]
    made = compiled(
        f"""
players: 3..5
zones:
  stock: pile seen by nobody
  hand: set per player seen by owner
  table: pile seen by everyone
  gone: set seen by everyone
state:
  starter: player
  level: 0..3
play:
  - starter = random(players)
  - shuffle deck into stock
  - deal 1 to hand from stock starting starter
  - {use}
moves:
  lay: {move}
"""
    )
    assert [stmt.proven for stmt in walk_statements(made.play) if isinstance(stmt, s.Until)] == [True]


def test_findings_are_the_same_each_time() -> None:
    from rulekit.checks import run_checks

    made = game(SHUFFLE, until(state("over"), top_to("stock", "heap"), top_to("heap", "stock")))
    first, second = Findings(), Findings()
    run_checks(made, first)
    run_checks(made, second)
    assert first.items == second.items
    assert first.items


def test_the_checks_hand_back_the_program_with_its_loops_marked() -> None:
    from rulekit.checks import run_checks

    made = game(until(state("over"), ASK))
    assert run_checks(made, Findings()) == prove_loops(made) != made


def test_defines_that_double_each_other_do_not_hold_up_the_checks() -> None:
    from time import perf_counter

    from rulekit.checks import run_checks
    from rulekit.program.program import DefineDef

    def call(number: int) -> e.Expr:
        return e.CallDefine(f"d{number}", type=t.BOOL)

    defines = {"d0": DefineDef("d0", t.BOOL, (), any_(cards("heap")))}
    for number in range(1, 40):
        either = e.Or(call(number - 1), no(call(number - 1)), type=t.BOOL)
        body = e.And(call(number - 1), either, type=t.BOOL)
        defines[f"d{number}"] = DefineDef(f"d{number}", t.BOOL, (), body)
    made = replace(game(until(call(39), s.If(((call(39), (ASK,)),)))), defines=defines)
    start = perf_counter()
    run_checks(made, Findings())
    assert perf_counter() - start < 20
