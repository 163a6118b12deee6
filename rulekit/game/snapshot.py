"""A game at any decision as bytes: version, fingerprint of the rules, how it was set up, moves, state.

The bytes are `RULEKIT1` and compressed JSON. They hold everything, hidden cards included. Reading never
runs anything found in them.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from typing import TYPE_CHECKING, Any

from rulekit.game.errors import RecordError
from rulekit.game.record import Json, Record, parse_json

if TYPE_CHECKING:
    from rulekit.engine.state import State

MAGIC = b"RULEKIT1"
LARGEST = 64 * 1024 * 1024  #: bytes, unpacked


def pack(record: Record, state: dict[str, Any]) -> bytes:
    """A record and a dumped state as bytes. Equal games give equal bytes."""
    text = json.dumps({"record": record.as_json(), "state": state}, separators=(",", ":"), sort_keys=True)
    return MAGIC + zlib.compress(text.encode("ascii"), 6)


def unpack(data: bytes) -> tuple[Record, dict[str, Json]]:
    """The record and the state's data; raises RecordError (RK934) if the bytes are no snapshot."""
    if not isinstance(data, bytes | bytearray | memoryview):
        raise RecordError("RK934", "a snapshot is bytes")
    data = bytes(data)
    if not data.startswith(MAGIC):
        raise RecordError("RK934", "the bytes are no snapshot of a game")
    unpacker = zlib.decompressobj()
    try:
        text = unpacker.decompress(data[len(MAGIC) :], LARGEST)
        whole = unpacker.eof
    except zlib.error:
        whole = False
    if not whole:
        raise RecordError("RK934", "the snapshot is damaged")
    try:
        found = parse_json(text.decode("ascii"))
        state = found["state"]
        record = Record.parse(json.dumps(found["record"]))
    except (RecordError, UnicodeDecodeError, KeyError, TypeError):
        raise RecordError("RK934", "the snapshot is damaged") from None
    if not isinstance(state, dict):
        raise RecordError("RK934", "the snapshot is damaged")
    return record, state


def state_hash(state: State) -> str:
    """64 hexadecimal digits that stand for a position: the same on every machine."""
    data = [state.position(), state.decisions]
    return hashlib.sha256(json.dumps(data, separators=(",", ":")).encode("ascii")).hexdigest()
