"""Records of games: what is written is read back, and a damaged file is told from a good one in one line."""

from __future__ import annotations

import json
import pickle
import zlib
from dataclasses import replace
from pathlib import Path

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tables import load, play_on

import rulekit
from rulekit.game.errors import RecordError
from rulekit.game.record import Record, seat_and_move
from rulekit.game.snapshot import LARGEST, MAGIC

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


# ---------------------------------------------------------------- playing again


@pytest.fixture
def record() -> Record:
    game = load("sixty-six").with_options(target=3).new_game(seed=5)
    play_on(game, list(range(0, 3000, 7)))
    assert game.is_over
    return game.record()


def test_a_finished_game_is_recorded_with_its_result(record: Record, tmp_path: Path) -> None:
    jsonschema.validate(record.as_json(), SCHEMA)
    assert record.result is not None
    assert record.result["reason"] == "played out"
    record.save(tmp_path / "game.json")
    game = rulekit.replay(tmp_path / "game.json")
    assert game.record() == record
    assert game.options["target"] == 3
    assert game.remarks == ()


def test_a_record_of_other_rules_is_refused_unless_told_to_go_on(record: Record) -> None:
    changed = replace(record, fingerprint="0" * 64)
    with pytest.raises(
        RecordError, match="the record was made with other rules than this `sixty-six`"
    ) as caught:
        load("sixty-six").replay(changed)
    assert caught.value.code == "RK931"
    game = load("sixty-six").replay(changed, strict=False)
    assert game.remarks == ("the record was made with other rules than this `sixty-six`",)
    assert game.is_over


def test_a_record_is_not_played_by_another_ruleset(record: Record) -> None:
    with pytest.raises(RecordError, match="the record is of `sixty-six`, not of `hockey`"):
        rulekit.replay(record, rules="hockey")
    with pytest.raises(
        RecordError, match="the record does not fit these rules: `hockey` has no option"
    ) as caught:
        rulekit.replay(record, rules=load("hockey"), strict=False)
    assert caught.value.code == "RK931"


def test_rep_10_a_bad_move_is_named_by_number_and_line(record: Record, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    for bad, why in [
        ("P1 lead 1X", "`1X` is no card"),
        ("P3 lead QS", "it does not begin with a seat of this table"),
        ("nonsense", "it does not begin with a seat of this table"),
        ("P1 lead", "`lead` takes 1: `card` (a card)"),
    ]:
        moves = list(record.moves)
        moves[2] = bad if not bad.startswith("P1") else record.moves[2][:2] + bad[2:]
        replace(record, moves=tuple(moves)).save(path)
        with pytest.raises(RecordError) as caught:
            load("sixty-six").replay(path)
        error = caught.value
        assert (error.code, error.move) == ("RK932", 3)
        assert error.line is not None
        assert path.read_text("utf-8").splitlines()[error.line - 1].strip(' ",') == moves[2]
        assert error.message.startswith(f"move 3 in line {error.line}, `{moves[2]}`, cannot be made: {why}")
        assert error.game is not None
        assert error.game.log() == list(record.moves[:2])


def test_rep_10_bad_moves_are_left_out_if_told_to(record: Record) -> None:
    moves = (*record.moves[:2], "P1 frobnicate", *record.moves[2:], "P1 lead QS")
    game = load("sixty-six").replay(replace(record, moves=moves), strict=False)
    assert game.fingerprint == record.state
    assert [remark.split(",")[0] for remark in game.remarks] == ["move 3", f"move {len(moves)}"]
    assert game.remarks[-1].endswith("cannot be made: the game is over")


def test_a_move_by_the_wrong_seat_is_refused(record: Record) -> None:
    wrong = "P2" if record.moves[0].startswith("P1") else "P1"
    moves = (wrong + record.moves[0][2:], *record.moves[1:])
    with pytest.raises(RecordError, match=r"cannot be made: P[12] is to move"):
        load("sixty-six").replay(replace(record, moves=moves))


def test_a_record_that_ends_elsewhere_is_told(record: Record) -> None:
    with pytest.raises(RecordError, match="lead to another position than the record says") as caught:
        load("sixty-six").replay(replace(record, state="0" * 64))
    assert caught.value.code == "RK933"
    assert len(load("sixty-six").replay(replace(record, state="0" * 64), strict=False).remarks) == 1


def test_a_record_with_a_table_that_cannot_be_is_refused(record: Record) -> None:
    for change, why in [
        ({"players": 3}, "`sixty-six` is for 2 players, not 3"),
        ({"options": {**record.options, "target": 99}}, "option `target` cannot be `99`"),
        ({"deal": ("1X",)}, "shuffle 1 of the deal: `1X` is no card"),
        ({"phase": "nowhere"}, "`sixty-six` has no phase `nowhere`"),
        ({"given": {"hand of P9": "9C"}}, "`hand of P9` cannot be given `9C`"),
    ]:
        with pytest.raises(RecordError) as caught:
            load("sixty-six").replay(replace(record, **change))  # type: ignore[arg-type]
        assert caught.value.message.startswith(f"the record does not fit these rules: {why}")


# ---------------------------------------------------------------- snapshots


def test_rep_04_every_decision_of_a_game_can_be_kept_and_restored() -> None:
    rules = load("hucklebuck")
    game = rules.new_game(5, seed=9, phase="round")
    while not game.is_over:
        again = rules.restore(game.snapshot())
        assert again.fingerprint == game.fingerprint
        assert again.legal_moves() == game.legal_moves()
        play_on(game, [len(game.log()) * 31])
    assert rules.restore(game.snapshot()).outcome == game.outcome


def test_a_snapshot_of_other_rules_is_refused() -> None:
    data = load("hockey").new_game().snapshot()
    with pytest.raises(
        RecordError, match="the snapshot was made with other rules than this `sixty-six`"
    ) as caught:
        load("sixty-six").restore(data)
    assert caught.value.code == "RK931"


def test_damaged_bytes_are_no_snapshot() -> None:
    rules = load("hockey")
    data = rules.new_game(seed=4).snapshot()
    bombs = MAGIC + zlib.compress(b"0" * (LARGEST + 1))
    no_state = MAGIC + zlib.compress(b'{"record": 1}')
    for bad in (b"", b"RULEKIT1", data[:-1], data[:40], b"x" + data, bombs, no_state, pickle.dumps(rules)):
        with pytest.raises(RecordError) as caught:
            rules.restore(bad)
        assert caught.value.code == "RK934"
    with pytest.raises(RecordError):
        rules.restore("RULEKIT1")  # type: ignore[arg-type]


@settings(deadline=None, max_examples=30)
@given(st.data())
def test_changed_data_is_no_snapshot(data: st.DataObject) -> None:
    rules = load("hockey")
    game = rules.new_game(seed=4)
    kept = json.loads(zlib.decompress(game.snapshot()[len(MAGIC) :]))
    state = kept["state"]
    key = data.draw(st.sampled_from(sorted(state)))
    state[key] = data.draw(JSON)
    try:
        again = rules.restore(MAGIC + zlib.compress(json.dumps(kept).encode("ascii")))
    except RecordError:
        return
    assert again.fingerprint == game.fingerprint
