"""The states in linear memory as numpy sees them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rulekit.compiled import lir
from rulekit.compiled.wasm_state import LETTERS
from rulekit.compiled.wat_layout import CHANCE, POLICY, MemoryLayout, Slot

if TYPE_CHECKING:
    import numpy


def state_dtype(module: lir.Module, layout: MemoryLayout) -> numpy.dtype[Any]:
    """The structured type of one state.

    A field is a number, or an array of ``count`` numbers; a bit set is an unsigned number, or if it is wider
    than 64 members an array of words, lowest first. `chance` and `policy` are the streams. A pile is a record
    of `size` and `items` (from the bottom; what stands beyond the size means nothing), and `piles` the array
    of them.
    """
    import numpy

    names, formats, offsets = ["chance", "policy"], [("<u8"), ("<u8")], [CHANCE, POLICY]
    shapes: list[Any] = list(formats)
    for field in module.fields:
        if not field.scratch:
            slot = layout.slots[field.name]
            names.append(field.name)
            shapes.append(_format(slot))
            offsets.append(slot.at)
    if module.piles:
        item = "u1" if layout.item.size == 1 else "<u2"
        pile = numpy.dtype(
            {
                "names": ["size", "items"],
                "formats": [item, (item, (module.capacity,))],
                "offsets": [0, layout.item.size],
                "itemsize": layout.pile_stride,
            }
        )
        names.append("piles")
        shapes.append((pile, (module.piles,)))
        offsets.append(layout.piles)
    return numpy.dtype({"names": names, "formats": shapes, "offsets": offsets, "itemsize": layout.size})


def _format(slot: Slot) -> Any:
    shape: tuple[int, ...] = (slot.count,) if slot.count > 1 else ()
    if isinstance(slot.kind, lir.Number):
        base = "<i4" if slot.cell.signed else "u1"
    elif slot.kind.words > 1:
        base, shape = "<u8", (*shape, slot.kind.words)
    else:
        base = {"B": "u1", "H": "<u2", "I": "<u4", "Q": "<u8"}[LETTERS[slot.cell.size]]
    return (base, shape) if shape else base
