"""Records of games: what is written is read back, and a damaged file is told from a good one in one line."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulekit.game.errors import RecordError
from rulekit.game.record import Record, seat_and_move

SCHEMA = json.loads((Path(__file__).parent.parent / "schemas" / "record.schema.json").read_text("utf-8"))

RECORD = Record(
    ruleset="hockey",
    fingerprint="0" * 64,
    options={"overtimes": 3, "lapse": "next_own_turn", "jack_scores": False},
    players=2,
    seed=7,
    moves=("P1 play 4S", "P2 play 10D"),
)


def with_change(**changes: object) -> str:
    return json.dumps(RECORD.as_json() | changes)


def without(key: str) -> str:
    return json.dumps({k: v for k, v in RECORD.as_json().items() if k != key})


def test_a_record_is_read_back_as_it_was() -> None:
    assert Record.parse(RECORD.text()) == RECORD
    assert Record.parse(RECORD.text()).text() == RECORD.text()


def test_a_record_is_saved_with_one_move_a_line(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    RECORD.save(path)
    read = Record.load(path)
    assert read == RECORD
    lines = path.read_text("utf-8").splitlines()
    for line, move in zip(read.lines, RECORD.moves, strict=True):
        assert lines[line - 1].strip(' ",') == move


def test_the_schema_describes_what_is_written() -> None:
    jsonschema.validate(RECORD.as_json(), SCHEMA)
    full = Record(
        **{
            **{name: getattr(RECORD, name) for name in RECORD.__dataclass_fields__},
            "deal": ("AS KS", "2C"),
            "draws": (1, "P2"),
            "phase": "round",
            "arguments": (0,),
            "given": {"hand of P1": "4S KH"},
            "result": {"reason": "played out", "places": [1, 2], "scores": [3, 1], "payoffs": [1.0, -1.0]},
            "state": "f" * 64,
        }
    )
    jsonschema.validate(full.as_json(), SCHEMA)
    assert Record.parse(full.text()) == full


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "line 1 is not JSON: expecting value"),
        ("[]", "this is no record: it does not begin with `{`"),
        ("{}", "this is no record of a game: it has no `record: 1`"),
        ('{"record": 1,\n "ruleset": }', "line 2 is not JSON: expecting value"),
        ('{"record": 1, "record": 1}', "the text is no record: the key `record` stands twice"),
        ('{"record": NaN}', "the text is no record: `NaN` is no number"),
        ('{"record": ' + "9" * 5000 + "}", "the text is no record: a number is too large"),
        ("[" * 100_000, "the text is nested too deep for a record"),
        (with_change(record=2), "the record has form 2, newer than the 1 known here: get a newer rulekit"),
        (with_change(record=True), "this is no record of a game: it has no `record: 1`"),
        (with_change(moves="P1 play 4S"), "`moves` is not a list"),
        (with_change(moves=["P1 play 4S", 7]), "move 2 is not a text like `P1 play 4S`"),
        (with_change(seed=-1), "`seed` is not a number from 0 to 2^64 - 1"),
        (with_change(seed="7"), "`seed` is not a number from 0 to 2^64 - 1"),
        (with_change(players=2.5), "`players` is not the number of players"),
        (with_change(options=[]), "`options` does not hold names and values"),
        (with_change(options={"target": None}), "`options` has a value that no option can have"),
        (with_change(deal=[1]), "`deal` has a value that is no text"),
        (with_change(draws=[[]]), "`draws` has a value that is neither text nor number"),
        (with_change(given={"hand of P1": 3}), "`given` has a value that is no text"),
        (with_change(ruleset="../../etc/passwd"), "`../../etc/passwd` is not the name of a ruleset"),
        (with_change(mvoes=[]), "a record has no `mvoes`: did you mean `moves`?"),
        (without("seed"), "the record lacks `seed`"),
    ],
)
def test_rep_10_a_damaged_record_is_refused_in_one_line(text: str, message: str) -> None:
    with pytest.raises(RecordError) as caught:
        Record.parse(text)
    assert str(caught.value) == message
    assert caught.value.code == "RK930"


def test_rep_10_the_line_of_a_bad_move_is_named() -> None:
    text = json.dumps(RECORD.as_json() | {"moves": ["P1 play 4S", 'a "quoted", text', None]}, indent=1)
    with pytest.raises(RecordError) as caught:
        Record.parse(text)
    assert caught.value.move == 3
    read = Record.parse(text.replace("null", '"P2 play 5S"'))
    assert [text.splitlines()[line - 1].strip()[1:3] for line in read.lines] == ["P1", "a ", "ul"]


@pytest.mark.parametrize("name", ["missing.json", ".", "with\0nul"])
def test_a_file_that_cannot_be_read_is_named(tmp_path: Path, name: str) -> None:
    with pytest.raises(RecordError, match="cannot be read"):
        Record.load(f"{tmp_path}/{name}")


def test_a_binary_file_is_no_record(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    path.write_bytes(b"{\n\xff\xfe")
    with pytest.raises(RecordError, match="not UTF-8 text in line 2"):
        Record.load(path)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)


@settings(deadline=None)
@given(st.dictionaries(st.sampled_from([*RECORD.as_json(), "deal", "given", "state", "x"]), JSON))
def test_rep_10_no_data_raises_anything_but_a_record_error(changes: dict[str, object]) -> None:
    text = with_change(**changes)
    try:
        read = Record.parse(text)
    except RecordError:
        return
    assert Record.parse(read.text()) == read


@settings(deadline=None)
@given(st.text() | st.binary().map(lambda data: data.decode("latin-1")))
def test_rep_10_no_text_raises_anything_but_a_record_error(text: str) -> None:
    with pytest.raises(RecordError):
        Record.parse(text)


def test_a_move_of_a_record_begins_with_its_seat() -> None:
    assert seat_and_move("P2 play 4S", 2) == (1, "play 4S")
    assert seat_and_move("p1 pass", 2) == (0, "pass")
    for text in ("", "P3 play 4S", "P0 pass", "play 4S", "P1", "P1x pass", "P١ pass"):
        assert seat_and_move(text, 2) in (None, (0, ""))
