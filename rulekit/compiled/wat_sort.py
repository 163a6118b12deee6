"""Sorting rows and merging equal ones (`lir.SortUnique`), as a WebAssembly function for each list of fields.

Row numbers are sorted by merging, then the columns are put in that order. Rows that are in order already,
which is what most enumerations give, are only looked through.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rulekit.compiled import lir
from rulekit.compiled.wat_layout import MemoryLayout, Slot, field_cell


def room(fields: Sequence[lir.Field]) -> int:
    """How many bytes sorting rows of these fields takes: two lists of row numbers and a copy of a column."""
    rows = min(field.count for field in fields)
    return rows * (8 + max(field_cell(field).size for field in fields))


def sort_function(name: str, fields: Sequence[lir.Field], layout: MemoryLayout) -> str:
    """``name`` is a function of the state's address and a number of rows; it gives how many are left."""
    slots = [layout.located(layout.slots[field.name]) for field in fields]
    rows = min(field.count for field in fields)
    order = f"{name}_order"
    parts: Mapping[str, object] = {
        "name": name,
        "order": order,
        "first": layout.sorting,
        "second": layout.sorting + 4 * rows,
        "columns": "\n".join(_reorder(slot, layout.sorting + 8 * rows) for slot in slots),
    }
    return _compare(order, slots) + SORT.format_map(parts)


def _row(slot: Slot, row: str) -> str:
    """The address of a row, but for the offset of the column."""
    product = f"(i32.mul (local.get {row}) (i32.const {slot.cell.size}))"
    return product if slot.fixed else f"(i32.add (local.get $s) {product})"


def _compare(name: str, slots: Sequence[Slot]) -> str:
    """A function that gives -1, 0 or 1 for two rows."""
    lines = [f"(func {name} (param $s i32) (param $i i32) (param $j i32) (result i32)"]
    lines += ["  (local $a i32) (local $b i32) (local $v i64) (local $w i64) (local $low i64)"]
    for slot in slots:
        lines.append(f"  (local.set $a {_row(slot, '$i')}) (local.set $b {_row(slot, '$j')})")
        if isinstance(slot.kind, lir.Bits):
            lines += [_compare_word(slot, word, slot.kind.words) for word in range(slot.kind.words)]
        else:
            load = f"{slot.cell.load} offset={slot.at}"
            for test, result in (("lt_s", -1), ("gt_s", 1)):
                lines.append(f"  (if (i32.{test} ({load} (local.get $a)) ({load} (local.get $b)))")
                lines.append(f"    (then (return (i32.const {result}))))")
    return "\n".join([*lines, "  (i32.const 0))"])


def _compare_word(slot: Slot, word: int, words: int) -> str:
    """Two bit sets as ascending lists: where they first differ, the one with the member comes first, unless
    the other one ends there."""
    load = f"{slot.cell.load} offset={slot.at + 8 * word}"

    def goes_on(own: str, address: str) -> str:
        later = [f"(i64.and (local.get {own}) (i64.sub (i64.const 0) (local.get $low)))"]
        for after in range(word + 1, words):
            later.append(f"({slot.cell.load} offset={slot.at + 8 * after} (local.get {address}))")
        return "(i64.ne (i64.const 0) " + _any(later) + ")"

    return f"""
  (local.set $v ({load} (local.get $a))) (local.set $w ({load} (local.get $b)))
  (if (i64.ne (local.get $v) (local.get $w)) (then
    (local.set $low (i64.xor (local.get $v) (local.get $w)))
    (local.set $low (i64.and (local.get $low) (i64.sub (i64.const 0) (local.get $low))))
    (if (i64.ne (i64.const 0) (i64.and (local.get $v) (local.get $low)))
      (then (return (select (i32.const -1) (i32.const 1) {goes_on("$w", "$b")})))
      (else (return (select (i32.const 1) (i32.const -1) {goes_on("$v", "$a")}))))))"""


def _any(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"(i64.or {words[0]} {_any(words[1:])})"


def _reorder(slot: Slot, copy: int) -> str:
    """Row k of a column becomes what row number second[k] was."""
    size = slot.cell.size
    base = f"(i32.const {slot.at})" if slot.fixed else f"(i32.add (local.get $s) (i32.const {slot.at}))"
    step = f"(i32.mul (i32.load (local.get $k)) (i32.const {size}))"
    word = slot.cell
    if size > 8:
        move = " ".join(
            f"(i64.store offset={8 * n} (local.get $j) (i64.load offset={copy + 8 * n} (local.get $i)))"
            for n in range(size // 8)
        )
    else:
        move = f"({word.store} (local.get $j) ({word.load} offset={copy} (local.get $i)))"
    return f"""
  (memory.copy (i32.const {copy}) {base} (i32.mul (local.get $n) (i32.const {size})))
  (local.set $j {base}) (local.set $k (local.get $y)) (local.set $m (local.get $count))
  (loop $column
    (local.set $i {step})
    {move}
    (local.set $j (i32.add (local.get $j) (i32.const {size})))
    (local.set $k (i32.add (local.get $k) (i32.const 4)))
    (br_if $column (local.tee $m (i32.sub (local.get $m) (i32.const 1)))))"""


SORT = """
(func {name} (param $s i32) (param $n i32) (result i32)
  (local $x i32) (local $y i32) (local $i i32) (local $j i32) (local $k i32) (local $m i32)
  (local $middle i32) (local $end i32) (local $width i32) (local $count i32)
  ;; nothing to do if each row comes before the next
  (local.set $i (i32.const 1))
  (block $unsorted
    (loop $look
      (if (i32.ge_s (local.get $i) (local.get $n)) (then (return (local.get $n))))
      (br_if $unsorted (i32.ge_s (call {order} (local.get $s) (i32.sub (local.get $i) (i32.const 1))
        (local.get $i)) (i32.const 0)))
      (local.set $i (i32.add (local.get $i) (i32.const 1)))
      (br $look)))
  ;; the numbers of the rows, at x; y is the other list; both as byte addresses, i, j, k as well
  (local.set $x (i32.const {first})) (local.set $y (i32.const {second}))
  (local.set $i (i32.const 0))
  (loop $number
    (i32.store (i32.add (local.get $x) (i32.shl (local.get $i) (i32.const 2))) (local.get $i))
    (br_if $number (i32.lt_s (local.tee $i (i32.add (local.get $i) (i32.const 1))) (local.get $n))))
  (local.set $width (i32.const 1))
  (loop $pass
    (local.set $k (i32.const 0))
    (loop $run
      (local.set $i (local.get $k))
      (local.set $middle (i32.add (local.get $k) (local.get $width)))
      (if (i32.gt_s (local.get $middle) (local.get $n)) (then (local.set $middle (local.get $n))))
      (local.set $j (local.get $middle))
      (local.set $end (i32.add (local.get $middle) (local.get $width)))
      (if (i32.gt_s (local.get $end) (local.get $n)) (then (local.set $end (local.get $n))))
      (loop $merge
        (local.set $m (i32.lt_s (local.get $i) (local.get $middle)))
        (if (i32.and (local.get $m) (i32.lt_s (local.get $j) (local.get $end)))
          (then (local.set $m (i32.le_s (call {order} (local.get $s)
            (i32.load (i32.add (local.get $x) (i32.shl (local.get $i) (i32.const 2))))
            (i32.load (i32.add (local.get $x) (i32.shl (local.get $j) (i32.const 2))))) (i32.const 0)))))
        (i32.store (i32.add (local.get $y) (i32.shl (local.get $k) (i32.const 2)))
          (i32.load (i32.add (local.get $x) (i32.shl
            (select (local.get $i) (local.get $j) (local.get $m)) (i32.const 2)))))
        (local.set $i (i32.add (local.get $i) (local.get $m)))
        (local.set $j (i32.add (local.get $j) (i32.eqz (local.get $m))))
        (br_if $merge (i32.lt_s (local.tee $k (i32.add (local.get $k) (i32.const 1))) (local.get $end))))
      (br_if $run (i32.lt_s (local.get $k) (local.get $n))))
    (local.set $m (local.get $x)) (local.set $x (local.get $y)) (local.set $y (local.get $m))
    (br_if $pass (i32.lt_s (local.tee $width (i32.shl (local.get $width) (i32.const 1))) (local.get $n))))
  ;; the numbers of the rows that differ from the one before, at y
  (i32.store (local.get $y) (i32.load (local.get $x)))
  (local.set $count (i32.const 1)) (local.set $k (i32.const 1))
  (loop $unique
    (local.set $i (i32.add (local.get $x) (i32.shl (local.get $k) (i32.const 2))))
    (if (call {order} (local.get $s) (i32.load (i32.sub (local.get $i) (i32.const 4)))
        (i32.load (local.get $i)))
      (then
        (i32.store (i32.add (local.get $y) (i32.shl (local.get $count) (i32.const 2)))
          (i32.load (local.get $i)))
        (local.set $count (i32.add (local.get $count) (i32.const 1)))))
    (br_if $unique (i32.lt_s (local.tee $k (i32.add (local.get $k) (i32.const 1))) (local.get $n))))
{columns}
  (local.get $count))
"""
