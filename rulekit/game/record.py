"""The record of a game: one JSON file that names the rules, the deal and every move.

The form is described by `schemas/record.schema.json`. A record is the whole truth about a game, hidden
cards included: it is not to be handed to a player while the game goes on.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rulekit.diagnostics import nearest
from rulekit.game.errors import RecordError
from rulekit.game.wording import described, listed, quoted
from rulekit.source.load import RULESET_NAME

FORMAT = 1  #: version of the form; a reader refuses what is newer
MAX_BYTES = 16 * 1024 * 1024
MAX_SEED = 2**64 - 1

Json = Any  #: what `json` reads: dict, list, str, int, float, bool, None

NEEDED = ("record", "ruleset", "fingerprint", "options", "players", "seed", "moves")
FURTHER = ("deal", "draws", "phase", "arguments", "given", "result", "state")


@dataclass(frozen=True)
class Record:
    """All that is needed to play a game again.

    ``options`` has a value for every option; ``moves`` are texts like `P2 follow 9H`. ``deal``, ``draws``,
    ``phase``, ``arguments`` and ``given`` are as `Ruleset.new_game` took them (None: not given).
    ``result`` is the outcome if the game was over, ``state`` the hash of the last state. ``lines`` are the
    lines of the moves in the file the record was read from.
    """

    ruleset: str
    fingerprint: str
    options: Mapping[str, bool | int | str]
    players: int
    seed: int
    moves: tuple[str, ...]
    deal: tuple[str, ...] | None = None
    draws: tuple[int | str, ...] | None = None
    phase: str | None = None
    arguments: tuple[Json, ...] = ()
    given: Mapping[str, str] | None = None
    result: Mapping[str, Json] | None = None
    state: str | None = None
    lines: tuple[int, ...] = field(default=(), compare=False, repr=False)

    def as_json(self) -> dict[str, Json]:
        """The record as plain data, keys in the order of the file; what is not there is left out."""
        further = {
            "deal": self.deal and list(self.deal),
            "draws": self.draws and list(self.draws),
            "phase": self.phase,
            "arguments": list(self.arguments) or None,
            "given": self.given and dict(self.given),
        }
        return {
            "record": FORMAT,
            "ruleset": self.ruleset,
            "fingerprint": self.fingerprint,
            "options": dict(self.options),
            "players": self.players,
            "seed": self.seed,
            **{key: value for key, value in further.items() if value is not None},
            "moves": list(self.moves),
            **({"result": dict(self.result)} if self.result is not None else {}),
            **({"state": self.state} if self.state is not None else {}),
        }

    def text(self) -> str:
        """The record as the text of a file: one move a line."""
        return json.dumps(self.as_json(), indent=1, ensure_ascii=True) + "\n"

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the record; raises OSError where the system does not let it."""
        Path(path).write_text(self.text(), encoding="utf-8", newline="\n")

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Record:
        """Read a record file; raises RecordError (RK930), never anything else, if it is none."""
        if not isinstance(path, str | os.PathLike):
            raise RecordError("RK930", f"a record is given by its path, not by {described(path)}")
        name = os.fspath(path)
        try:
            with Path(name).open("rb") as stream:
                data = stream.read(MAX_BYTES + 1)
        except (OSError, ValueError) as error:
            why = getattr(error, "strerror", None) or "there can be no such file"
            raise RecordError("RK930", f"{quoted(name)} cannot be read: {str(why).lower()}") from None
        if len(data) > MAX_BYTES:
            raise RecordError("RK930", f"{quoted(name)} is too large for a record")
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError as error:
            line = data[: error.start].count(b"\n") + 1
            raise RecordError(
                "RK930", f"{quoted(name)} is no record: not UTF-8 text in line {line}", line=line
            ) from None
        return cls.parse(text)

    @classmethod
    def parse(cls, text: str) -> Record:
        """The record in a text; raises RecordError (RK930)."""
        data = parse_json(text)
        lines = _move_lines(text)
        if not isinstance(data, dict):
            raise RecordError("RK930", "this is no record: it does not begin with `{`", line=1)
        return _Reader(data, lines).record()


def parse_json(text: str) -> Json:
    """JSON without numbers that are none, and without the same key twice; raises RecordError (RK930)."""
    try:
        return json.loads(text, object_pairs_hook=_unique, parse_constant=_no_constant, parse_int=_integer)
    except json.JSONDecodeError as error:
        wrong = error.msg[0].lower() + error.msg[1:]
        raise RecordError("RK930", f"line {error.lineno} is not JSON: {wrong}", line=error.lineno) from None
    except RecursionError:
        raise RecordError("RK930", "the text is nested too deep for a record") from None
    except ValueError as error:
        raise RecordError("RK930", f"the text is no record: {error}") from None


def _unique(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"the key {quoted(twice)} stands twice")
    return found


def _integer(digits: str) -> int:
    if len(digits) > 20:
        raise ValueError("a number is too large")
    return int(digits)


def _no_constant(name: str) -> Json:
    raise ValueError(f"`{name}` is no number")


def _move_lines(text: str) -> tuple[int, ...]:
    """The line of each element of the list `moves`, as far as it is a list of strings."""
    start = re.search(r'"moves"\s*:\s*\[', text)
    if start is None:
        return ()
    decoder, position = json.JSONDecoder(), start.end()
    found: list[int] = []
    line, counted = 1, 0
    while True:
        gap = re.compile(r"[\s,]*").match(text, position)
        position = gap.end() if gap else position
        if position >= len(text) or text[position] != '"':
            return tuple(found)
        line, counted = line + text.count("\n", counted, position), position
        found.append(line)
        try:
            _, position = decoder.raw_decode(text, position)
        except ValueError:
            return tuple(found)


@dataclass(frozen=True)
class _Reader:
    """Plain data turned into a record, each part checked."""

    data: dict[str, Json]
    lines: tuple[int, ...]

    def record(self) -> Record:
        version = self.data.get("record")
        if version != FORMAT or isinstance(version, bool):
            self._wrong_version(version)
        for key in self.data:
            if key not in NEEDED and key not in FURTHER:
                close = nearest(key, NEEDED + FURTHER)
                hint = f"did you mean `{close}`?" if close else f"there are {listed(NEEDED + FURTHER)}"
                raise self._error(f"a record has no {quoted(key)}: {hint}")
        for key in NEEDED:
            if key not in self.data:
                raise self._error(f"the record lacks `{key}`")
        seed, players = self.data["seed"], self.data["players"]
        if not _whole(players) or players < 1:
            raise self._error("`players` is not the number of players")
        if not _whole(seed) or not 0 <= seed <= MAX_SEED:
            raise self._error("`seed` is not a number from 0 to 2^64 - 1")
        options = self._mapping("options")
        if not all(isinstance(value, bool | int | str) for value in options.values()):
            raise self._error("`options` has a value that no option can have")
        given = None
        if "given" in self.data:
            given = self._mapping("given")
            if not all(isinstance(value, str) for value in given.values()):
                raise self._error("`given` has a value that is no text")
        return Record(
            ruleset=self._name(),
            fingerprint=self._text("fingerprint"),
            options=options,
            players=players,
            seed=seed,
            moves=self._moves(),
            deal=self._texts("deal") if "deal" in self.data else None,
            draws=self._draws(),
            phase=self._text("phase") if "phase" in self.data else None,
            arguments=tuple(self._list("arguments")) if "arguments" in self.data else (),
            given=given,
            result=self._mapping("result") if "result" in self.data else None,
            state=self._text("state") if "state" in self.data else None,
            lines=self.lines,
        )

    def _wrong_version(self, version: Json) -> None:
        if _whole(version) and version > FORMAT:
            raise self._error(
                f"the record has form {version}, newer than the {FORMAT} known here: get a newer rulekit"
            )
        raise self._error("this is no record of a game: it has no `record: 1`")

    def _moves(self) -> tuple[str, ...]:
        moves = self._list("moves")
        for number, move in enumerate(moves, 1):
            if not isinstance(move, str):
                line = self.lines[number - 1] if number <= len(self.lines) else None
                raise RecordError(
                    "RK930", f"move {number} is not a text like `P1 play 4S`", line=line, move=number
                )
        return tuple(moves)

    def _draws(self) -> tuple[int | str, ...] | None:
        if "draws" not in self.data:
            return None
        draws = self._list("draws")
        if not all(isinstance(draw, str) or _whole(draw) for draw in draws):
            raise self._error("`draws` has a value that is neither text nor number")
        return tuple(draws)

    def _name(self) -> str:
        """The name of a ruleset, never a path: a record from elsewhere must not choose the files we read."""
        name = self._text("ruleset")
        if not RULESET_NAME.fullmatch(name):
            raise self._error(f"{quoted(name)} is not the name of a ruleset")
        return name

    def _text(self, key: str) -> str:
        value = self.data[key]
        if not isinstance(value, str):
            raise self._error(f"`{key}` is not a text")
        return value

    def _texts(self, key: str) -> tuple[str, ...]:
        values = self._list(key)
        if not all(isinstance(value, str) for value in values):
            raise self._error(f"`{key}` has a value that is no text")
        return tuple(values)

    def _list(self, key: str) -> list[Json]:
        value = self.data[key]
        if not isinstance(value, list):
            raise self._error(f"`{key}` is not a list")
        return value

    def _mapping(self, key: str) -> dict[str, Json]:
        value = self.data[key]
        if not isinstance(value, dict):
            raise self._error(f"`{key}` does not hold names and values")
        return value

    def _error(self, message: str) -> RecordError:
        return RecordError("RK930", message)


def _whole(value: Json) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def seat_and_move(text: str, players: int) -> tuple[int, str] | None:
    """Seat and move of a text like `P2 follow 9H`; None if it has no seat of this table."""
    seat, _, move = text.strip().partition(" ")
    match = re.fullmatch(r"[Pp]([1-9][0-9]?)", seat)
    if match is None or int(match[1]) > players:
        return None
    return int(match[1]) - 1, move.strip()


def as_texts(shuffles: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """Deals as a record holds them: for each shuffle its cards with blanks between."""
    return tuple(" ".join(cards) for cards in shuffles)
