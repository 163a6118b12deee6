"""Where everything stands in the linear memory of a WebAssembly module.

From the bottom: tables, the image of a fresh state, scratch, room for sorting, the window, then (from
`games`) the games side by side, `size` bytes each. A state begins with the streams `chance` and `policy`; its
offsets count from its own start.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from rulekit.compiled import lir

CHANCE, POLICY = 0, 8  #: offsets of the two streams in a state
LONG = 12  #: values of a field that makes a long row


@dataclass(frozen=True)
class Cell:
    """How one value is stored: in how many bytes, and by which instructions (for wide sets of a word)."""

    size: int
    load: str
    store: str
    signed: bool = False


@dataclass(frozen=True)
class Slot:
    """``count`` values side by side. ``at``: an offset in the state, or for scratch and tables an address."""

    at: int
    cell: Cell
    count: int
    kind: lir.Kind
    fixed: bool


BYTE = Cell(1, "i32.load8_u", "i32.store8")
SHORT = Cell(2, "i32.load16_u", "i32.store16")
INT = Cell(4, "i32.load", "i32.store", signed=True)
NUMBER_CELLS = (
    (0, 255, BYTE),
    (-128, 127, Cell(1, "i32.load8_s", "i32.store8", signed=True)),
    (0, 65535, SHORT),
    (-32768, 32767, Cell(2, "i32.load16_s", "i32.store16", signed=True)),
)
BITS_CELLS = (
    (8, Cell(1, "i64.load8_u", "i64.store8")),
    (16, Cell(2, "i64.load16_u", "i64.store16")),
    (32, Cell(4, "i64.load32_u", "i64.store32")),
)


def field_cell(field: lir.Field) -> Cell:
    """How a value of a field is stored."""
    if isinstance(field.kind, lir.Bits):
        return bits_cell(field.kind.width)
    return BYTE if field.small else INT


def bits_cell(width: int) -> Cell:
    """How a bit set of so many members is stored."""
    for most, cell in BITS_CELLS:
        if width <= most:
            return cell
    return Cell(8 * lir.Bits(width).words, "i64.load", "i64.store")


def table_cell(table: lir.Table) -> Cell:
    """The smallest cell that holds every value of a table."""
    low, high = min(table.values, default=0), max(table.values, default=0)
    if isinstance(table.kind, lir.Bits):
        if table.kind.words > 1:
            return bits_cell(table.kind.width)
        return bits_cell(max(1, high.bit_length()))
    return next((cell for least, most, cell in NUMBER_CELLS if least <= low and high <= most), INT)


def packed(cell: Cell, values: Iterable[int]) -> bytes:
    """Values as the bytes of cells."""
    return b"".join(value.to_bytes(cell.size, "little", signed=cell.signed) for value in values)


class MemoryLayout:
    """Addresses and offsets, and the `data` that memory begins with: pairs of an address and bytes.

    ``slots``, ``tables``  of the fields and tables by name; a slot of a state field is not ``fixed``
    ``piles``, ``pile_stride``  offset of the first pile, and bytes from one to the next: its length, then its
        items, each an ``item``
    ``size``  bytes of a state;  ``image``  address of a fresh one;  ``sorting``  address of room for sorting
    ``games``  address from which on games lie
    ``not_negative``  the fields and tables that hold no negative numbers
    """

    def __init__(self, module: lir.Module, sort_room: int = 0, *, window: bool = False) -> None:
        self.slots: dict[str, Slot] = {}
        self.tables: dict[str, Slot] = {}
        self.data: list[tuple[int, bytes]] = []
        self._lay_out_state(module)
        end = self._tables(module, 64)
        self.image = _aligned(end, 8)
        self._put(self.image, self._image(module))
        end = self._scratch(module, self.image + self.size)
        self.sorting = _aligned(end, 8)
        end = _aligned(self.sorting + sort_room, 64)
        self.window = end if window else None
        self.games = _aligned(end + self.size, 64) if window else end
        self.not_negative = frozenset(
            name
            for name, slot in (self.slots | self.tables).items()
            if slot.cell.load.endswith("_u") and isinstance(slot.kind, lir.Number)
        )

    def own(self, at: int) -> tuple[str, int]:
        """The instruction that pushes an address, and the offset from it, of an offset in the state that code
        works on."""
        return ("local.get $s", at) if self.window is None else ("i32.const 0", self.window + at)

    def address(self) -> str:
        """The instruction that pushes the address of that state."""
        return "local.get $s" if self.window is None else f"i32.const {self.window}"

    def callee(self, function: int) -> str:
        """The name by which a function is called with the address of a state, as its first argument."""
        return f"$f{function}" if self.window is None else f"$c{function}"

    def located(self, slot: Slot) -> Slot:
        """The slot as code sees it: in the window all of them have addresses."""
        if slot.fixed or self.window is None:
            return slot
        return replace(slot, at=slot.at + self.window, fixed=True)

    def _lay_out_state(self, module: lir.Module) -> None:
        at = 16
        fields = [field for field in module.fields if not field.scratch]
        for field in sorted(fields, key=_in_state):
            cell = field_cell(field)
            at = _aligned(at, _alignment(field))
            self.slots[field.name] = Slot(at, cell, field.count, field.kind, fixed=False)
            at += cell.size * field.count
        self.item = BYTE if module.capacity <= 255 else SHORT
        at = _aligned(at, self.item.size)
        self.piles, self.pile_stride = at, _aligned(self.item.size * (1 + module.capacity), 4)
        self.size = _aligned(at + self.pile_stride * module.piles, 8)

    def _tables(self, module: lir.Module, at: int) -> int:
        for table in sorted(module.tables, key=lambda table: -min(8, table_cell(table).size)):
            cell = table_cell(table)
            at = _aligned(at, min(8, cell.size))
            self.tables[table.name] = Slot(at, cell, len(table.values), table.kind, fixed=True)
            self._put(at, packed(cell, table.values))
            at += cell.size * len(table.values)
        return at

    def _scratch(self, module: lir.Module, at: int) -> int:
        fields = [field for field in module.fields if field.scratch]
        for field in sorted(fields, key=_alignment, reverse=True):
            cell = field_cell(field)
            at = _aligned(at, _alignment(field))
            self.slots[field.name] = Slot(at, cell, field.count, field.kind, fixed=True)
            if field.start:
                self._put(at, packed(cell, [field.start] * field.count))
            at += cell.size * field.count
        return at

    def _image(self, module: lir.Module) -> bytes:
        image = bytearray(self.size)
        for field in module.fields:
            if not field.scratch:
                slot = self.slots[field.name]
                image[slot.at : slot.at + slot.cell.size * slot.count] = packed(
                    slot.cell, [field.start] * slot.count
                )
        return bytes(image)

    def _put(self, at: int, data: bytes) -> None:
        if any(data):
            self.data.append((at, data))


def _in_state(field: lir.Field) -> tuple[int, bool]:
    """The order of fields in a state: no gaps, and what most decisions read close together, apart from long
    rows, so that a step of one game among many touches few lines of the processor's cache."""
    return -_alignment(field), field.count > LONG


def _alignment(field: lir.Field) -> int:
    return min(8, field_cell(field).size)


def _aligned(at: int, to: int) -> int:
    return -(-at // to) * to
