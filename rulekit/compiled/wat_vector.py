"""Exported functions for arrays over many games, and for roll-outs; each only if the module has what it
calls.

Three arrays go with the games of a batch: ``results``, i32, how each stands (WAIT, OVER, FAULT, or SKIP where
it was over before the last step); ``marks``, rows of bytes, 1 at the number of each legal action (a row is
`row_of_marks` bytes long); ``numbers``, i64, which each is to take.

``check_many(n, numbers, results, marks)``  the first game that waits and may not take its number; -1: none
``advance_many(s, n, numbers, results, marks)``  after it: each game that waits takes its action, or notes a
    number of a row, and is marked; gives how many have ended
``renew_many(s, n, results, seed, first, marks)``  games that ended begin anew, as games first, first + 1
    ... of a batch, and are marked; gives how many began
``mark_many(s, n, marks)``  marks all games
``observe_many(s, n, seats, out)``  rows of i32: what a seat may see; seat -1 is the one to move
``outcome_many(s, n, out)``  for each game that is over, rows of i32: scores, places in the ranking,
payoffs (0 where
    the rules name none) of all players
``rollouts(from, work, place, n, seed, first, out)``  n times: a copy of a state, with the streams of games
first,
    first + 1 ..., takes the action at a place and is played on at random until it ends or chance decides
    something
    more, at most so many decisions. To `out` are added, as i64, the payoffs of all players in `SHARES`ths,
    then
    their scores
"""

from __future__ import annotations

from collections.abc import Mapping

from rulekit.compiled import lir
from rulekit.compiled.wat_drivers import NEXT, STREAMS
from rulekit.compiled.wat_layout import CHANCE, MemoryLayout

SKIP = -4  #: the result of a game that was over before
SHARES = 2520  #: payoffs are added up in parts that any number of up to ten players can share evenly
MOST_ROLLED = 5000  #: decisions in one roll-out
NUMBERS = ("mark", "place_of", "stage")

#: For each exported function how many arguments it takes.
ARITY = {
    "check_many": 4,
    "advance_many": 5,
    "renew_many": 6,
    "mark_many": 3,
    "observe_many": 4,
    "outcome_many": 3,
    "rollouts": 7,
}
UNROLLED = 512  #: bytes that are copied word by word


def row_of_marks(module: lir.Module) -> int:
    """Bytes from one row of marks to the next."""
    return next((field.count for field in module.fields if field.name == "marks"), 0)


def vector_drivers(module: lir.Module, layout: MemoryLayout, numbers: Mapping[str, int]) -> str:
    """The text of these functions. ``numbers`` of the functions that can be called, by name."""
    choices = layout.slots["choices"]
    values = {
        "size": layout.size,
        "NEXT": NEXT.format(size=layout.size),
        "over": f"(i32.eqz ({choices.cell.load} offset={choices.at} (local.get $s)))",
        **{name: f"call {layout.callee(number)}" for name, number in numbers.items()},
    }
    text = ""
    if all(name in numbers for name in NUMBERS):
        marks, width = layout.slots["marks"].at, row_of_marks(module)
        text += NUMBERED.format_map(
            values
            | {
                "SKIP": SKIP,
                "MORE": lir.MORE,
                "WAIT": lir.WAIT,
                "STREAMS": STREAMS,
                "clear": _clear(marks, width),
                "copy": _copy(marks, width),
                "width": width,
            }
        )
    if "observe" in numbers:
        seen, actor = layout.slots["seen"], layout.slots["actor"]
        bytes_ = seen.count * seen.cell.size
        values |= {"seen": seen.at, "bytes": bytes_, "actor": f"{actor.cell.load} offset={actor.at}"}
        text += OBSERVED.format_map(values)
    if "scores" in numbers and "ranking" in numbers:
        text += _outcomes(layout, values)
    return text


def _clear(at: int, width: int) -> str:
    if width > UNROLLED:
        return f"(memory.fill (i32.const {at}) (i32.const 0) (i32.const {width}))"
    return " ".join(
        f"(i64.store offset={at + word} (i32.const 0) (i64.const 0))" for word in range(0, width, 8)
    )


def _copy(at: int, width: int) -> str:
    if width > UNROLLED:
        return f"(memory.copy (local.get $out) (i32.const {at}) (i32.const {width}))"
    return " ".join(
        f"(i64.store offset={word} (local.get $out) (i64.load offset={at + word} (i32.const 0)))"
        for word in range(0, width, 8)
    )


def _outcomes(layout: MemoryLayout, values: dict[str, object]) -> str:
    score, rank = layout.slots["score"], layout.slots["rank"]
    payoff = layout.slots.get("payoff")
    players, ending = score.count, layout.slots["ending"]
    copies, sums = [], []
    for player in range(players):
        for row, slot in enumerate((score, rank, payoff)):
            at = 4 * (row * players + player)
            value = "(i32.const 0)" if slot is None else _load(slot.at, slot.cell, player)
            copies.append(f"(i32.store offset={at} (local.get $out) {value})")
        number = f"(local.tee $v {_load(score.at, score.cell, player)})"
        known = f"(i32.ne {number} (i32.const {lir.NONE}))"
        added = _add(8 * (players + player), "(i64.extend_i32_s (local.get $v))")
        sums.append(f"(if {known} (then {added}))")
    values |= {
        "players": players,
        "row": 12 * players,
        "payoffs": values.get("payoffs", "nop") if payoff is not None else "nop",
        "given": "(local.get $s)" if payoff is not None else "",
        "copies": "\n        ".join(copies),
        "sums": "\n    ".join(sums),
        "ended": f"(i32.eq ({ending.cell.load} offset={ending.at} (local.get $s)) (i32.const 1))",
        "shared": _payoffs(layout, players),
        "chance": CHANCE,
        "WAIT": lir.WAIT,
        "STREAMS": STREAMS,
        "most": MOST_ROLLED,
    }
    return OUTCOMES.format_map(values)


def _load(at: int, cell: object, index: int) -> str:
    return f"({cell.load} offset={at + cell.size * index} (i32.const 0))"  # type: ignore[attr-defined]


def _add(offset: int, value: str) -> str:
    old = f"(i64.load offset={offset} (local.get $out))"
    return f"(i64.store offset={offset} (local.get $out) (i64.add {old} {value}))"


def _payoffs(layout: MemoryLayout, players: int) -> str:
    """Adds the payoffs: those of the rules, else +1 shared by the first and -1 by the rest, 0 if all tie."""
    slot = layout.slots.get("payoff")
    lines = []
    if slot is not None:
        for player in range(players):
            number = f"(local.tee $v {_load(slot.at, slot.cell, player)})"
            value = f"(i64.mul (i64.extend_i32_s (local.get $v)) (i64.const {SHARES}))"
            lines.append(f"(if (i32.ne {number} (i32.const {lir.NONE})) (then {_add(8 * player, value)}))")
        return "\n      ".join(lines)
    rank = layout.slots["rank"]
    first = [f"(i32.eqz {_load(rank.at, rank.cell, player)})" for player in range(players)]
    lines.append("(local.set $v (i32.const 0))")
    lines += [f"(local.set $v (i32.add (local.get $v) {one}))" for one in first]
    shares = []
    for player in range(players):
        won = f"(i32.div_s (i32.const {SHARES}) (local.get $v))"
        lost = f"(i32.div_s (i32.const {-SHARES}) (i32.sub (i32.const {players}) (local.get $v)))"
        value = f"(if (result i32) {first[player]} (then {won}) (else {lost}))"
        shares.append(_add(8 * player, f"(i64.extend_i32_s {value})"))
    inside = "\n        ".join(shares)
    lines.append(f"(if (i32.lt_s (local.get $v) (i32.const {players})) (then {inside}))")
    return "\n      ".join(lines)


NUMBERED = """
(func (export "check_many") (param $n i32) (param $numbers i32) (param $results i32) (param $marks i32)
  (result i32) (local $at i32) (local $number i64)
  (if (i32.lt_s (local.get $n) (i32.const 1)) (then (return (i32.const -1))))
  (loop $game
    (if (i32.eq (i32.load (local.get $results)) (i32.const {WAIT}))
      (then
        (local.set $number (i64.load (local.get $numbers)))
        (if (i64.ge_u (local.get $number) (i64.const {width}))
          (then (return (local.get $at))))
        (if (i32.eqz (i32.load8_u (i32.add (local.get $marks) (i32.wrap_i64 (local.get $number)))))
          (then (return (local.get $at))))))
    (local.set $numbers (i32.add (local.get $numbers) (i32.const 8)))
    (local.set $results (i32.add (local.get $results) (i32.const 4)))
    (local.set $marks (i32.add (local.get $marks) (i32.const {width})))
    (br_if $game (i32.lt_s (local.tee $at (i32.add (local.get $at) (i32.const 1))) (local.get $n))))
  i32.const -1)

(func $mark_one (param $s i32) (param $out i32)
  {clear}
  ({mark} (local.get $s))
  {copy})

(func $advance_one (param $s i32) (param $number i32) (result i32) (local $place i32)
  (local.set $place ({place_of} (local.get $s) (local.get $number)))
  (if (i32.eq (local.get $place) (i32.const {MORE}))
    (then
      ({stage} (local.get $s) (local.get $number))
      (return (i32.const {WAIT}))))
  (if (i32.lt_s (local.get $place) (i32.const 0)) (then (unreachable)))
  ({stage} (local.get $s) (i32.const -1))
  (call $step (local.get $s) (local.get $place)))

(func (export "advance_many") (param $s i32) (param $n i32) (param $numbers i32) (param $results i32)
  (param $marks i32) (result i32) (local $result i32) (local $ended i32)
  (global.set $fresh (i32.const 0))
  (if (i32.lt_s (local.get $n) (i32.const 1)) (then (return (i32.const 0))))
  (loop $game
    (local.set $result (i32.const {SKIP}))
    (if (i32.eq (i32.load (local.get $results)) (i32.const {WAIT}))
      (then
        (local.set $result
          (call $advance_one (local.get $s) (i32.wrap_i64 (i64.load (local.get $numbers)))))
        (if (i32.ne (local.get $result) (i32.const {WAIT}))
          (then (local.set $ended (i32.add (local.get $ended) (i32.const 1)))))
        (call $mark_one (local.get $s) (local.get $marks))))
    (i32.store (local.get $results) (local.get $result))
    (local.set $numbers (i32.add (local.get $numbers) (i32.const 8)))
    (local.set $results (i32.add (local.get $results) (i32.const 4)))
    (local.set $marks (i32.add (local.get $marks) (i32.const {width})))
      {NEXT})
  local.get $ended)

(func (export "renew_many") (param $s i32) (param $n i32) (param $results i32) (param $seed i64)
  (param $first i64) (param $marks i32) (result i32) (local $began i32)
  (if (i32.lt_s (local.get $n) (i32.const 1)) (then (return (i32.const 0))))
  (loop $game
    (if (i32.ne (i32.load (local.get $results)) (i32.const {WAIT}))
      (then
        (local.set $began (i32.add (local.get $began) (i32.const 1)))
        (i32.store (local.get $results)
          (call $begin (local.get $s)
        {STREAMS}))
        (call $mark_one (local.get $s) (local.get $marks))))
    (local.set $results (i32.add (local.get $results) (i32.const 4)))
    (local.set $marks (i32.add (local.get $marks) (i32.const {width})))
      {NEXT})
  local.get $began)

(func (export "mark_many") (param $s i32) (param $n i32) (param $marks i32)
  (global.set $fresh (i32.const 0))
  (if (i32.lt_s (local.get $n) (i32.const 1)) (then (return)))
  (loop $game
    (call $mark_one (local.get $s) (local.get $marks))
    (local.set $marks (i32.add (local.get $marks) (i32.const {width})))
      {NEXT}))
"""

OBSERVED = """
(func (export "observe_many") (param $s i32) (param $n i32) (param $seats i32) (param $out i32)
  (local $seat i32)
  (global.set $fresh (i32.const 0))
  (if (i32.lt_s (local.get $n) (i32.const 1)) (then (return)))
  (loop $game
    (memory.fill (i32.const {seen}) (i32.const 0) (i32.const {bytes}))
    (local.set $seat (i32.load (local.get $seats)))
    (if (i32.lt_s (local.get $seat) (i32.const 0))
      (then
        (local.set $seat ({actor} (local.get $s)))
        (if (i32.or {over} (i32.lt_s (local.get $seat) (i32.const 0)))
          (then (local.set $seat (i32.const 0))))))
    ({observe} (local.get $s) (local.get $seat))
    (memory.copy (local.get $out) (i32.const {seen}) (i32.const {bytes}))
    (local.set $seats (i32.add (local.get $seats) (i32.const 4)))
    (local.set $out (i32.add (local.get $out) (i32.const {bytes})))
      {NEXT}))
"""

OUTCOMES = """
(func (export "outcome_many") (param $s i32) (param $n i32) (param $out i32)
  (global.set $fresh (i32.const 0))
  (if (i32.lt_s (local.get $n) (i32.const 1)) (then (return)))
  (loop $game
    (if {over}
      (then
        ({scores} (local.get $s))
        (if {ended} (then
          ({ranking} (local.get $s))
          ({payoffs} {given})))
        {copies}))
    (local.set $out (i32.add (local.get $out) (i32.const {row})))
      {NEXT}))

(func (export "rollouts") (param $from i32) (param $s i32) (param $place i32) (param $n i32) (param $seed i64)
  (param $first i64) (param $out i32) (local $v i32) (local $most i32) (local $chance i64)
  (if (i32.lt_s (local.get $n) (i32.const 1)) (then (return)))
  (loop $again
    (global.set $fresh (i32.const 0))
    (memory.copy (local.get $s) (local.get $from) (i32.const {size}))
    (call $set_streams (local.get $s)
        {STREAMS})
    (local.set $chance (i64.load offset={chance} (local.get $s)))
    (local.set $most (i32.const {most}))
    (drop (call $step (local.get $s) (local.get $place)))
    (block $done
      (loop $play
        (br_if $done {over})
        (br_if $done (i64.ne (local.get $chance) (i64.load offset={chance} (local.get $s))))
        (br_if $done (i32.eqz (local.get $most)))
        (local.set $most (i32.sub (local.get $most) (i32.const 1)))
        (drop (call $roll (local.get $s) (i32.const 1)))
        (br $play)))
    (global.set $fresh (i32.const 0))
    ({scores} (local.get $s))
    {sums}
    (if (i32.and {over} {ended}) (then
      ({ranking} (local.get $s))
      ({payoffs} {given})
      {shared}))
    (br_if $again (local.tee $n (i32.sub (local.get $n) (i32.const 1))))))
"""
