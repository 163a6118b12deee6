"""A game at any decision as bytes: version, fingerprint of the rules, how it was set up, moves, state.

The bytes are `RULEKIT1` and compressed JSON. They hold everything, hidden cards included. Reading never
runs anything found in them.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from dataclasses import dataclass
from typing import Any

from rulekit.engine import Action, State
from rulekit.game.errors import RecordError
from rulekit.game.record import Json, Record, parse_json

MAGIC = b"RULEKIT1"
LARGEST = 64 * 1024 * 1024  #: bytes, unpacked


@dataclass(frozen=True)
class Kept:
    """What a snapshot holds: the record up to here, the actions made (seat and action), the state's data."""

    record: Record
    made: tuple[tuple[int, Action], ...]
    state: dict[str, Any]


def pack(kept: Kept) -> bytes:
    """A snapshot as bytes. Equal games give equal bytes."""
    made = [[seat, action.move, list(action.values)] for seat, action in kept.made]
    data = {"record": kept.record.as_json(), "made": made, "state": kept.state}
    text = json.dumps(data, separators=(",", ":"), sort_keys=True)
    return MAGIC + zlib.compress(text.encode("ascii"), 6)


def unpack(data: bytes) -> Kept:
    """What the bytes hold; raises RecordError (RK934) if they are no snapshot."""
    if not isinstance(data, bytes | bytearray | memoryview) or not bytes(data[: len(MAGIC)]) == MAGIC:
        raise RecordError("RK934", "the bytes are no snapshot of a game")
    unpacker = zlib.decompressobj()
    try:
        text = unpacker.decompress(bytes(data[len(MAGIC) :]), LARGEST)
        found = parse_json(text.decode("ascii") if unpacker.eof and not unpacker.unused_data else "")
        record = Record.parse(json.dumps(found["record"]))
        made = tuple((int(seat), Action(str(move), _frozen(values))) for seat, move, values in found["made"])
        state = dict(found["state"])
    except (zlib.error, RecordError, UnicodeDecodeError, KeyError, TypeError, ValueError):
        raise RecordError("RK934", "the snapshot is damaged") from None
    return Kept(record, made, state)


def _frozen(value: Json) -> Any:
    """Lists as tuples, all the way down."""
    return tuple(_frozen(item) for item in value) if isinstance(value, list) else value


def state_hash(state: State) -> str:
    """64 hexadecimal digits that stand for a position: the same on every machine."""
    data = [state.position(), state.decisions]
    return hashlib.sha256(json.dumps(data, separators=(",", ":")).encode("ascii")).hexdigest()
