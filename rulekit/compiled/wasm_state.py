"""A state in linear memory as plain Python data, and back.

The plain form is the flat list of `rulekit.compiled.layout`: the fields in the order of the module, then the
piles as tuples from the bottom, then the streams `chance` and `policy`.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from rulekit.compiled import lir
from rulekit.compiled.wat_layout import CHANCE, POLICY, MemoryLayout, Slot

LETTERS = {1: "B", 2: "H", 4: "I", 8: "Q"}

Flat = list[Any]


def letters(slot: Slot) -> str:
    """The code of a slot for `struct`; a wide bit set is several words."""
    if isinstance(slot.kind, lir.Number):
        return f"{slot.count}{'i' if slot.cell.signed else 'B'}"
    if slot.kind.words > 1:
        return f"{slot.count * slot.kind.words}Q"
    return f"{slot.count}{LETTERS[slot.cell.size]}"


class StateCodec:
    """Reads and writes the states of one module.

    ``names``  of the fields in the order of the flat list
    """

    def __init__(self, module: lir.Module, layout: MemoryLayout) -> None:
        self.layout = layout
        self.pile_count, self.capacity = module.piles, module.capacity
        self._item = LETTERS[layout.item.size]
        slots = [layout.slots[field.name] for field in module.fields if not field.scratch]
        self.names = [field.name for field in module.fields if not field.scratch]
        self._parts = [(slot.at, struct.Struct("<" + letters(slot)), slot) for slot in slots]
        self._streams = struct.Struct("<QQ")
        self._values = {name: _one(slot) for name, slot in layout.slots.items()}

    def load(self, memory: memoryview, at: int, field: str, index: int = 0) -> int:
        """A value of a field, scratch too, of the state at an address."""
        form, slot = self._values[field]
        if not 0 <= index < slot.count:
            raise IndexError(f"value {index} of `{field}`, which has {slot.count}")
        first = slot.at + index * slot.cell.size
        words = form.unpack_from(memory, first if slot.fixed else at + first)
        return words[0] if len(words) == 1 else joined(words, len(words))[0]

    def store(self, memory: memoryview, at: int, field: str, index: int, value: int) -> None:
        """Sets a value of a field of the state."""
        form, slot = self._values[field]
        words = split([value], slot.kind.words) if isinstance(slot.kind, lir.Bits) else [value]
        form.pack_into(memory, at + slot.at + index * slot.cell.size, *words)

    def pile(self, memory: memoryview, at: int, number: int) -> tuple[int, ...]:
        """What lies in a pile of the state at an address, bottom first."""
        if not 0 <= number < self.pile_count:
            raise IndexError(f"pile {number} of {self.pile_count}")
        start = at + self.layout.piles + number * self.layout.pile_stride
        if self._item == "B":
            return tuple(memory[start + 1 : start + 1 + memory[start]])
        (many,) = struct.unpack_from("<H", memory, start)
        return struct.unpack_from(f"<{many}H", memory, start + 2)

    def read(self, memory: memoryview, at: int) -> Flat:
        """The state at an address."""
        flat: Flat = []
        for offset, form, slot in self._parts:
            values = form.unpack_from(memory, at + offset)
            flat += joined(values, slot.kind.words) if isinstance(slot.kind, lir.Bits) else values
        flat += [self.pile(memory, at, number) for number in range(self.pile_count)]
        assert (CHANCE, POLICY) == (0, 8)
        flat += self._streams.unpack_from(memory, at)
        return flat

    def write(self, memory: memoryview | bytearray, at: int, flat: Sequence[Any]) -> None:
        """Puts a state at an address.

        Raises ValueError for a list that is no state of the module; then nothing is written.
        """
        image = bytearray(self.layout.size)
        try:
            place = self._write_fields(image, flat)
            for number in range(self.pile_count):
                items = tuple(flat[place + number])
                if len(items) > self.capacity:
                    raise ValueError(
                        f"a pile of {len(items)} in a state whose piles hold up to {self.capacity}"
                    )
                start = self.layout.piles + number * self.layout.pile_stride
                struct.pack_into(f"<{1 + len(items)}{self._item}", image, start, len(items), *items)
            self._streams.pack_into(image, 0, *flat[place + self.pile_count :])
        except (struct.error, TypeError, IndexError) as error:
            raise ValueError(f"not a state of this module: {error}") from error
        memory[at : at + len(image)] = bytes(image)

    def _write_fields(self, image: bytearray, flat: Sequence[Any]) -> int:
        place = 0
        for offset, form, slot in self._parts:
            values = flat[place : place + slot.count]
            place += slot.count
            if isinstance(slot.kind, lir.Bits):
                if any(value >> slot.kind.width for value in values):
                    raise ValueError(f"a bit set with members beyond {slot.kind.width - 1}")
                values = split(values, slot.kind.words)
            form.pack_into(image, offset, *values)
        return place

    def named(self, flat: Sequence[Any]) -> dict[str, Any]:
        """The state with names: each field a list of its values, `piles`, and the streams `chance` and
        `policy`."""
        result: dict[str, Any] = {}
        place = 0
        for name, (_, _, slot) in zip(self.names, self._parts, strict=True):
            result[name] = list(flat[place : place + slot.count])
            place += slot.count
        result["piles"] = list(flat[place : place + self.pile_count])
        result["chance"], result["policy"] = flat[place + self.pile_count :]
        return result


def _one(slot: Slot) -> tuple[struct.Struct, Slot]:
    return struct.Struct("<" + letters(replace(slot, count=1))), slot


def joined(words: Sequence[int], count: int) -> Sequence[int]:
    """Bit sets from their words, lowest first, ``count`` words each."""
    if count == 1:
        return words
    return [
        sum(word << 64 * number for number, word in enumerate(words[first : first + count]))
        for first in range(0, len(words), count)
    ]


def split(values: Sequence[int], count: int) -> Sequence[int]:
    """The words of bit sets, lowest first, ``count`` words each."""
    if count == 1:
        return values
    return [value >> 64 * number & 2**64 - 1 for value in values for number in range(count)]
