"""The functions that a WebAssembly module of games exports: `rulekit.compiled.wat` says what they do."""

from __future__ import annotations

from collections.abc import Container, Sequence

from rulekit.compiled import lir
from rulekit.compiled.wat_blocks import APPLY, ILLEGAL
from rulekit.compiled.wat_layout import CHANCE, POLICY, MemoryLayout


def drivers(module: lir.Module, layout: MemoryLayout) -> str:
    """The text of the exported functions; they call `$run`."""
    choices = layout.slots["choices"]
    window = f"(i32.const {layout.window})"
    enter = (
        f"(if (i32.ne (global.get $fresh) (local.get $s)) (then {_copy(window, '(local.get $s)', layout)}))"
    )
    return DRIVERS.format_map(
        {
            "NEXT": NEXT.format(size=layout.size),
            "STREAMS": STREAMS,
            "state": "(local.get $s)" if layout.window is None else window,
            "enter": "" if layout.window is None else enter,
            "leave": "" if layout.window is None else _copy("(local.get $s)", window, layout),
            "size": layout.size,
            "image": layout.image,
            "start": module.start,
            "choices": f"{choices.cell.load} offset={choices.at}",
            "chance": CHANCE,
            "policy": POLICY,
            "WAIT": lir.WAIT,
            "APPLY": APPLY,
            "ILLEGAL": ILLEGAL,
        }
    )


def outcome_row(players: int) -> int:
    """How many numbers a row of `outcomes` has: how the game ended (the field `ending`), its decisions, the
    number of its fault (0: none; negative: one of `scores`, `ranking`, `payoffs`; then what follows means
    nothing), the score of each player, how many are ranked before each."""
    return 3 + 2 * players


def outcomes(module: lir.Module, layout: MemoryLayout, exported: Container[str]) -> list[str]:
    """The function `outcomes`, if there is what it needs."""
    numbers = {function.name: number for number, function in enumerate(module.functions)}
    names = [name for name in ("scores", "ranking", "payoffs") if name in numbers]
    if not {"scores", "ranking"} <= set(names) or any(name not in exported for name in names):
        return []
    slots = layout.slots
    ending, decisions, fault = (
        f"({slots[name].cell.load} offset={slots[name].at} (local.get $s))"
        for name in ("ending", "decisions", "fault")
    )
    players, score, rank = slots["score"].count, slots["score"].at, slots["rank"].at
    return [
        OUTCOMES.format(
            NEXT=NEXT.format(size=layout.size),
            ending=ending,
            decisions=decisions,
            fault=fault,
            calls=_calls([numbers[name] for name in names], layout),
            score=score,
            rank=rank,
            bytes=4 * players,
            ranks=12 + 4 * players,
            row=4 * outcome_row(players),
        )
    ]


def _calls(functions: Sequence[int], layout: MemoryLayout) -> str:
    """Functions of the state alone, one after another."""
    if layout.window is None:
        return " ".join(f"(call $f{number} (local.get $s))" for number in functions)
    calls = " ".join(f"(call $f{number})" for number in functions)
    return f"(call $enter (local.get $s)) {calls} (call $leave (local.get $s))"


def _copy(to: str, source: str, layout: MemoryLayout) -> str:
    return f"(memory.copy {to} {source} (i32.const {layout.size}))"


#: On to the next of n games, unless there is none.
NEXT = """(local.set $s (i32.add (local.get $s) (i32.const {size})))
    (br_if $game (local.tee $n (i32.sub (local.get $n) (i32.const 1))))"""

#: The two streams of game number first of a batch whose hashed seed is `seed`.
STREAMS = """(call $stream (local.get $seed) (local.get $first) (i64.const 0))
        (call $stream (local.get $seed) (local.get $first) (i64.const 1))
        (local.set $first (i64.add (local.get $first) (i64.const 1)))"""

DRIVERS = """
(func $begin (export "begin") (param $s i32) (param $chance i64) (param $policy i64) (result i32)
  (call $start (local.get $s) (local.get $chance) (local.get $policy) (i32.const 0))
  drop)

;; A fresh game, with random play for so many decisions; gives how it stands, and how many of them are left.
(func $start (param $s i32) (param $chance i64) (param $policy i64) (param $most i32) (result i32 i32)
  (global.set $fresh (i32.const 0))
  (memory.copy {state} (i32.const {image}) (i32.const {size}))
  (i64.store offset={chance} {state} (local.get $chance))
  (i64.store offset={policy} {state} (local.get $policy))
  (call $run (local.get $s) (i32.const {start}) (i32.const 0) (i32.const 1) (local.get $most))
  (call $leave (local.get $s)))

(func $step (export "step") (param $s i32) (param $place i32) (result i32) (local $fresh i32)
  (if (i32.ge_u (local.get $place) ({choices} (local.get $s)))
    (then (return (i32.const {ILLEGAL}))))
  (local.set $fresh (i32.eq (global.get $fresh) (local.get $s)))
  (call $enter (local.get $s))
  (global.set $fresh (i32.const 0))
  (call $run (local.get $s) (i32.const {APPLY}) (local.get $place) (local.get $fresh) (i32.const 0))
  drop
  (call $leave (local.get $s)))

(func $roll (export "roll") (param $s i32) (param $most i32) (result i32) (local $fresh i32)
  (if (i32.or (i32.eqz ({choices} (local.get $s))) (i32.lt_s (local.get $most) (i32.const 1)))
    (then (return (i32.const 0))))
  (local.set $fresh (i32.eq (global.get $fresh) (local.get $s)))
  (call $enter (local.get $s))
  (global.set $fresh (i32.const 0))
  (call $run (local.get $s) (i32.const {WAIT}) (i32.const 0) (local.get $fresh) (local.get $most))
  local.set $fresh
  drop
  (call $leave (local.get $s))
  (i32.sub (local.get $most) (local.get $fresh)))

;; What stands in the window is the game that `$fresh` names, if any.
(func $enter (param $s i32)
  {enter})

(func $leave (param $s i32)
  {leave})

(func (export "copy") (param $to i32) (param $from i32)
  (global.set $fresh (i32.const 0))
  (memory.copy (local.get $to) (local.get $from) (i32.const {size})))

(func (export "forget")
  (global.set $fresh (i32.const 0)))

(func (export "begin_many") (param $s i32) (param $n i32) (param $seed i64) (param $first i64)
  (if (i32.lt_s (local.get $n) (i32.const 1)) (then (return)))
  (loop $game
    (drop
      (call $begin (local.get $s)
        {STREAMS}))
      {NEXT}))

(func (export "begin_over") (param $s i32) (param $n i32) (param $seed i64) (param $first i64) (result i32)
  (local $began i32)
  (if (i32.lt_s (local.get $n) (i32.const 1)) (then (return (i32.const 0))))
  (loop $game
    (if (i32.eqz ({choices} (local.get $s)))
      (then
        (local.set $began (i32.add (local.get $began) (i32.const 1)))
        (drop
          (call $begin (local.get $s)
        {STREAMS}))))
      {NEXT})
  local.get $began)

(func (export "play_many")
  (param $s i32) (param $n i32) (param $seed i64) (param $first i64) (param $most i32) (result i64)
  (local $sum i64) (local $left i32)
  (if (i32.or (i32.lt_s (local.get $n) (i32.const 1)) (i32.lt_s (local.get $most) (i32.const 0)))
    (then (return (i64.const 0))))
  (loop $game
    (call $start (local.get $s)
        {STREAMS}
      (local.get $most))
    local.set $left
    drop
    (local.set $sum (i64.add (local.get $sum)
      (i64.extend_i32_u (i32.sub (local.get $most) (local.get $left)))))
      {NEXT})
  local.get $sum)

(func (export "step_many") (param $s i32) (param $n i32) (param $places i32) (param $results i32)
  (if (i32.lt_s (local.get $n) (i32.const 1)) (then (return)))
  (loop $game
    (i32.store (local.get $results) (call $step (local.get $s) (i32.load (local.get $places))))
    (local.set $places (i32.add (local.get $places) (i32.const 4)))
    (local.set $results (i32.add (local.get $results) (i32.const 4)))
      {NEXT}))

(func (export "roll_many") (param $s i32) (param $n i32) (param $most i32) (result i64) (local $sum i64)
  (if (i32.lt_s (local.get $n) (i32.const 1)) (then (return (i64.const 0))))
  (loop $game
    (local.set $sum (i64.add (local.get $sum)
      (i64.extend_i32_u (call $roll (local.get $s) (local.get $most)))))
      {NEXT})
  local.get $sum)

(func (export "fork_many")
  (param $s i32) (param $n i32) (param $from i32) (param $seed i64) (param $first i64)
  (global.set $fresh (i32.const 0))
  (if (i32.lt_s (local.get $n) (i32.const 1)) (then (return)))
  (loop $game
    (memory.copy (local.get $s) (local.get $from) (i32.const {size}))
    (call $set_streams (local.get $s)
        {STREAMS})
      {NEXT}))

(func $stream (param $seed i64) (param $game i64) (param $which i64) (result i64)
  (call $mix (i64.add (local.get $seed)
    (i64.add (i64.shl (local.get $game) (i64.const 1)) (local.get $which)))))

(func (export "count_choices") (param $at i32) (param $last i32)
  (global.set $counted (local.get $at))
  (global.set $counted_last (local.get $last)))

(func $set_streams (param $s i32) (param $chance i64) (param $policy i64)
  (i64.store offset={chance} (local.get $s) (local.get $chance))
  (i64.store offset={policy} (local.get $s) (local.get $policy)))
"""

OUTCOMES = """
(func (export "outcomes") (param $s i32) (param $n i32) (param $out i32)
  (global.set $fresh (i32.const 0))
  (if (i32.lt_s (local.get $n) (i32.const 1)) (then (return)))
  (loop $game
    (i32.store (local.get $out) {ending})
    (i32.store offset=4 (local.get $out) {decisions})
    (if {fault}
      (then (i32.store offset=8 (local.get $out) {fault}))
      (else
        {calls}
        (i32.store offset=8 (local.get $out) (i32.sub (i32.const 0) {fault}))
        (memory.copy (i32.add (local.get $out) (i32.const 12)) (i32.const {score}) (i32.const {bytes}))
        (memory.copy (i32.add (local.get $out) (i32.const {ranks})) (i32.const {rank}) (i32.const {bytes}))))
    (local.set $out (i32.add (local.get $out) (i32.const {row})))
      {NEXT}))
"""
