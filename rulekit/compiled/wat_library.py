"""What every WebAssembly module brings along: chance, division that rounds down, and piles.

A pile is its length and its items from the bottom, one byte each, or two where there are more than 255 cards.
Chance is what `rulekit.engine.chance` says; the numbers must be the same.
"""

from __future__ import annotations

from rulekit.compiled.wat_layout import CHANCE, Cell

GAMMA = 0x9E3779B97F4A7C15 - 2**64
FIRST = 0xBF58476D1CE4E5B9 - 2**64
SECOND = 0x94D049BB133111EB - 2**64


def finish(z: str) -> list[str]:
    """The local ``z``, a state of a stream, becomes the 64 bits drawn there."""

    def shifted(by: int) -> list[str]:
        return [f"local.get {z}", f"local.get {z}", f"i64.const {by}", "i64.shr_u", "i64.xor"]

    return [
        *(*shifted(30), f"i64.const {FIRST}", "i64.mul", f"local.set {z}"),
        *(*shifted(27), f"i64.const {SECOND}", "i64.mul", f"local.set {z}"),
        *(*shifted(31), f"local.set {z}"),
    ]


def draw(z: str, stream: tuple[str, int]) -> list[str]:
    """The local ``z`` takes 64 bits from a stream of the state, which moves on. ``stream``: see
    `MemoryLayout.own`."""
    state, at = stream
    return [
        *(state, state, f"i64.load offset={at}", f"i64.const {GAMMA}", "i64.add"),
        *(f"local.tee {z}", f"i64.store offset={at}"),
        *finish(z),
    ]


def below(z: str, stream: tuple[str, int], limit: list[str]) -> list[str]:
    """Pushes a number drawn from 0 up to but not including the number that ``limit`` pushes."""
    scaled = ["i64.const 32", "i64.shr_u"]
    return [
        *draw(z, stream),
        *(f"local.get {z}", *scaled, *limit, "i64.extend_i32_u", "i64.mul", *scaled, "i32.wrap_i64"),
    ]


def _lines(instructions: list[str]) -> str:
    return " ".join(instructions)


def scaled(item: Cell) -> tuple[str, ...]:
    """Instructions that make bytes of a number of items."""
    return () if item.size == 1 else (f"i32.const {item.size.bit_length() - 1}", "i32.shl")


def _bytes(item: Cell, number: str) -> str:
    """A number of items as bytes."""
    return number if item.size == 1 else f"(i32.mul {number} (i32.const {item.size}))"


def _swap(half: str, item: Cell) -> str:
    """Items i and half * (i + 1) >> 32 of a pile change places, and i goes down by one."""
    other = f"""(i32.wrap_i64 (i64.shr_u (i64.mul {half}
        (i64.extend_i32_u (i32.add (local.get $i) (i32.const 1)))) (i64.const 32)))"""
    load, store, size = item.load, item.store, item.size
    return f"""
      (local.set $b (i32.add (local.get $pile) {_bytes(item, other)}))
      (local.set $a (i32.add (local.get $pile) {_bytes(item, "(local.get $i)")}))
      (local.set $item ({load} offset={size} (local.get $a)))
      ({store} offset={size} (local.get $a) ({load} offset={size} (local.get $b)))
      ({store} offset={size} (local.get $b) (local.get $item))
      (local.set $i (i32.sub (local.get $i) (i32.const 1)))"""


def chance_functions(item: Cell) -> str:
    return f"""
(func $mix (param $z i64) (result i64)
  (local.set $z (i64.add (local.get $z) (i64.const {GAMMA})))
  {_lines(finish("$z"))}
  local.get $z)

;; Fisher-Yates from the last place down; two indices from each draw, the high half first.
(func $shuffle (param $s i32) (param $pile i32)
  (local $i i32) (local $z i64) (local $a i32) (local $b i32) (local $item i32)
  (local.set $i (i32.sub ({item.load} (local.get $pile)) (i32.const 1)))
  (block $done
    (loop $again
      (br_if $done (i32.lt_s (local.get $i) (i32.const 1)))
      {_lines(draw("$z", ("local.get $s", CHANCE)))}
      {_swap("(i64.shr_u (local.get $z) (i64.const 32))", item)}
      (br_if $done (i32.lt_s (local.get $i) (i32.const 1)))
      {_swap("(i64.and (local.get $z) (i64.const 0xFFFFFFFF))", item)}
      (br $again))))
"""


DIVISION_FUNCTIONS = """
(func $floor_divide (param $a i32) (param $b i32) (result i32) (local $q i32)
  (local.set $q (i32.div_s (local.get $a) (local.get $b)))
  (i32.sub (local.get $q)
    (i32.and (i32.ne (i32.mul (local.get $q) (local.get $b)) (local.get $a))
      (i32.lt_s (i32.xor (local.get $a) (local.get $b)) (i32.const 0)))))

(func $floor_remainder (param $a i32) (param $b i32) (result i32) (local $r i32)
  (local.set $r (i32.rem_s (local.get $a) (local.get $b)))
  (i32.add (local.get $r)
    (select (local.get $b) (i32.const 0)
      (i32.and (i32.ne (local.get $r) (i32.const 0))
        (i32.lt_s (i32.xor (local.get $r) (local.get $b)) (i32.const 0))))))
"""


def pile_functions(item: Cell) -> str:
    load, store, size = item.load, item.store, item.size
    return f"""
;; The address of an item in a pile that holds it: most often it is the one on top.
(func $item_of (param $pile i32) (param $item i32) (result i32) (local $at i32)
  (local.set $at (i32.add (local.get $pile) {_bytes(item, f"({load} (local.get $pile))")}))
  (if (i32.eq ({load} (local.get $at)) (local.get $item))
    (then (return (local.get $at))))
  (local.set $at (local.get $pile))
  (loop $again
    (local.set $at (i32.add (local.get $at) (i32.const {size})))
    (br_if $again (i32.ne ({load} (local.get $at)) (local.get $item))))
  (local.get $at))

(func $push_bottom (param $pile i32) (param $item i32) (local $size i32)
  (local.set $size ({load} (local.get $pile)))
  (memory.copy
    (i32.add (local.get $pile) (i32.const {2 * size})) (i32.add (local.get $pile) (i32.const {size}))
    {_bytes(item, "(local.get $size)")})
  ({store} offset={size} (local.get $pile) (local.get $item))
  ({store} (local.get $pile) (i32.add (local.get $size) (i32.const 1))))

(func $remove (param $pile i32) (param $item i32) (local $size i32) (local $at i32) (local $above i32)
  (local.set $size ({load} (local.get $pile)))
  (local.set $at (call $item_of (local.get $pile) (local.get $item)))
  (local.set $above
    (i32.sub (i32.add (local.get $pile) {_bytes(item, "(local.get $size)")}) (local.get $at)))
  (if (local.get $above)
    (then (memory.copy (local.get $at) (i32.add (local.get $at) (i32.const {size})) (local.get $above))))
  ({store} (local.get $pile) (i32.sub (local.get $size) (i32.const 1))))
"""


def library(item: Cell) -> str:
    """The functions that every module has. ``item``: how the length and the numbers of a pile are stored."""
    return chance_functions(item) + DIVISION_FUNCTIONS + pile_functions(item)
