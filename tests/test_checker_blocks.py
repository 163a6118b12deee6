"""Blocks in games: what a use becomes, whom it must suit, and what is said if it does not."""

from __future__ import annotations

from pathlib import Path

import pytest
from checking import PARTS, Broken, also, check, game, program, statements

from rulekit.diagnostics import Findings
from rulekit.game.loading import validate
from rulekit.program import expressions as e
from rulekit.program import statements as st
from rulekit.program import types as t
from rulekit.program.walk import walk_statements
from rulekit.source.load import Shelf, shipped_blocks

TRICK = "- trick: {leader: dealer, lead: [lead], follow: [follow], winner: strength, won_to: won}"
TAKEN = "block `trick` has a state called `{}`, and here it is something else"
TURNS = "- turns: {leader: dealer, moves: [lead], end: flag}"

#: A use; code, underlined text, message, suggestion.
USES = (
    (TRICK.replace("leader: dealer, ", ""), "RK703", "trick", "block `trick` is not told its `leader`"),
    (
        TRICK.replace("leader: dealer", "leader: deck"),
        "RK501",
        "deck",
        "slot `leader` is a set of cards, where a player is needed",
    ),
    (
        TRICK.replace("strength", "deck"),
        "RK511",
        "deck",
        "slot `winner` is a set of cards, which has no order",
    ),
    (
        TRICK.replace("strength", "strenth"),
        "RK401",
        "strenth",
        "nothing is called `strenth` here",
        "strength",
    ),
    (TRICK.replace("won_to: won", "won_to: wn"), "RK413", "wn", "there is no zone `wn`", "won"),
    (
        TRICK.replace("won_to: won", "won_to: stock"),
        "RK418",
        "stock",
        "`stock` is one thing, not one of each",
    ),
    (
        TRICK.replace("won_to: won", "won_to: won of dealer"),
        "RK418",
        "won of dealer",
        "`won of dealer` is one place, and slot `won_to` wants one of each",
    ),
    (TRICK.replace("won_to: won", "won_to: dealer"), "RK413", "dealer", "`dealer` is not a zone"),
    (TRICK.replace("[lead]", "[laed]"), "RK406", "laed", "there is no move `laed`", "lead"),
    (TRICK.replace("}", ", taken: [m += 1]}"), "RK401", "m", "nothing is called `m` here"),
    (
        TRICK.replace("}", ", chooser: deck}"),
        "RK501",
        "deck",
        "slot `chooser` is a set of cards, where a player is needed",
    ),
    (
        TRICK.replace("}", ", among: deck}"),
        "RK501",
        "deck",
        "slot `among` is a set of cards, where a set of players is needed",
    ),
    (TRICK.replace("}", f", taken: [{{{TRICK[2:]}}}]}}"), "RK705", "trick", "`trick` is used inside itself"),
    (
        "- turns: {leader: dealer, moves: [lead], end: n}",
        "RK503",
        "n",
        "here stands a number, where a condition is needed",
    ),
    (
        "- turns: {leader: dealer, moves: [lead], end: maybe}",
        "RK503",
        "maybe",
        "here stands a number or none, where a condition is needed",
    ),
    ("- turns: {}", "RK703", "turns", "block `turns` is not told its `leader`, `moves`, `end`"),
    (
        "- offer deck: [lead]",
        "RK501",
        "deck",
        "slot `whom` is a set of cards, where a set of players is needed",
    ),
    ("- offer players: [laed]", "RK406", "laed", "there is no move `laed`", "lead"),
    (
        "- let turn = dealer\n- turns: {leader: dealer, moves: [lead], end: flag}",
        "RK411",
        "turn",
        "a local cannot be called `turn`: it belongs to a block that this file uses",
    ),
)


@pytest.mark.parametrize("broken", statements(USES), ids=str)
def test_a_use_that_does_not_fit_is_blamed_in_the_game_not_in_the_block(broken: Broken) -> None:
    broken.verify()


@pytest.mark.parametrize(
    ("parts", "underlined", "message"),
    [
        (
            {"state": also("state", "taker: 0..9")},
            "taker",
            TAKEN.format("taker"),
        ),
        (
            {"state": also("state", "tricks: 0..9")},
            "tricks",
            TAKEN.format("tricks"),
        ),
        (
            {"define": "\ntricks: 3\n"},
            "tricks",
            TAKEN.format("tricks"),
        ),
        (
            {"zones": also("zones", "taker: pile seen by nobody")},
            "taker",
            TAKEN.format("taker"),
        ),
    ],
)
def test_a_name_that_the_block_uses_otherwise(parts: dict[str, str], underlined: str, message: str) -> None:
    Broken("play", f"\n{TRICK}\n", "RK708", underlined, message).verify(**parts)


def test_what_the_game_declares_serves_instead_if_it_is_of_the_same_kind() -> None:
    made = program(
        play=f"\n{TRICK}\n{TURNS}\n",
        state=also("state", "taker: player?", "tricks: 0..13 per player"),
        define="\nonward(player p): right of p\n",
        moves=also("moves", "pass: {text: Not now., if: {a: flag}, do: []}"),
    )
    assert made.state["taker"].block is None
    assert made.state["trick_number"].block == "trick"
    assert made.defines["onward"].block is None


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        (
            {"define": "\nonward: 3\n"},
            "block `turns` has a define called `onward`, and here it is something else",
        ),
        (
            {"define": "\nonward(suit s): dealer\n"},
            "block `turns` has a define called `onward`, and here it is something else",
        ),
        (
            {"state": also("state", "clockwise: 0..9")},
            "block `turns` has a word called `clockwise`, and here it is something else",
        ),
    ],
)
def test_a_define_or_word_that_the_block_uses_otherwise(parts: dict[str, str], message: str) -> None:
    _, found = check(game(play=f"\n{TURNS}\n", **parts))
    assert [(d.code, d.message) for d in found] == [("RK708", message)]


def test_what_a_block_needs_is_asked_for_once() -> None:
    _, found = check(
        game(
            play=f"\n{TRICK}\n{TRICK}\n",
            zones=PARTS["zones"].replace("trick: pile", "table: pile"),
            moves=PARTS["moves"].replace("to trick", "to table"),
        )
    )
    assert [(d.code, d.span and d.span.text, d.message) for d in found] == [
        ("RK704", "trick", "block `trick` needs a zone `trick`")
    ]
    assert found[0].notes[0].span.file.endswith("trick.yaml")


def test_several_uses_share_a_block_if_its_parts_read_the_same_slots() -> None:
    assert program(play=f"\n{TURNS}\n{TURNS.replace('dealer', 'left of dealer')}\n")
    other = TURNS.replace("leader: dealer", "leader: dealer, among: who")
    row = (
        f"{TURNS}\n{other}",
        "RK706",
        "turns",
        "`onward` of block `turns` reads `among`, which is not the same in all uses",
    )
    statements([row])[0].verify()


def test_a_slot_that_reads_a_local_is_never_the_same() -> None:
    use = "- for p in players: [{turns: {leader: p, among: players - p, moves: [lead], end: flag}}]"
    _, found = check(game(play=f"\n{use}\n{use}\n"))
    assert [d.code for d in found] == ["RK706"]
    assert program(play=f"\n{use}\n")


def test_a_thousand_uses_are_enough() -> None:
    uses = "\n".join(["- offer players: [leave]"] * 1001)
    _, found = check(game(play=f"\n{uses}\n"))
    assert [d.code for d in found] == ["RK709"]


# ------------------------------------------------------------ what a use becomes


def test_a_slot_means_what_it_means_where_the_block_is_used() -> None:
    made = program(play=f"\n- for p in players:\n    {TRICK.replace('leader: dealer', 'leader: p')}\n")
    rounds = [
        node.domain
        for node in walk_statements(made.play)
        if isinstance(node, st.For) and isinstance(node.domain, e.Rounds)
    ]
    assert isinstance(made.play[0], st.For)
    assert [x.start for x in rounds if isinstance(x, e.Rounds)] == [
        e.Local(made.play[0].local, type=t.PLAYER)
    ]


def test_it_in_a_slot_is_what_the_block_hands_over() -> None:
    chooser = TRICK.replace("}", ", chooser: left of it}")
    asks = [x for x in walk_statements(program(play=f"\n{chooser}\n").play) if isinstance(x, st.Ask)]
    assert [str(x.who.type) for x in asks] == ["a player", "a player"]
    assert all(isinstance(x.who, e.Seat) and x.whom == x.who.player for x in asks)


def test_locals_of_a_block_capture_nothing() -> None:
    made = program(play=f"\n- let p = n\n{TRICK.replace('}', ', taken: [n = p]}')}\n").play
    assigned = [
        x for x in walk_statements(made) if isinstance(x, st.Assign) and x.place == st.StatePlace("n")
    ]
    assert isinstance(made[0], st.Assign)
    assert isinstance(made[0].place, st.LocalPlace)
    assert [x.value for x in assigned] == [e.Local(made[0].place.number, type=t.Int())]


def test_a_slot_of_moves_that_is_not_filled_asks_nothing() -> None:
    asks = [x for x in walk_statements(program(play=f"\n{TURNS}\n").play) if isinstance(x, st.Ask)]
    assert [x.moves for x in asks] == [("lead",)]
    after = program(play=f"\n{TURNS.replace('}', ', after: [leave]}')}\n").play
    assert [x.moves for x in walk_statements(after) if isinstance(x, st.Ask)] == [("lead",), ("leave",)]


def test_block_state_starts_afresh_with_the_phase_move_or_play_that_holds_the_use() -> None:
    phase = program(phases=also("phases", "one:", f"  {TRICK}"), play="[do one]")
    assert phase.phases["one"].state == ("taker", "tricks", "trick_number")
    assert phase.state["tricks"].scope == "one"
    assert program(play=f"\n{TRICK}\n").play_state == ("taker", "tricks", "trick_number")
    move = program(
        moves=also("moves", "m: {text: x, do: [{offer players: [leave]}]}"), play="[{ask dealer: [m]}]"
    )
    assert move.moves["m"].state == ("accepted",)


def test_a_block_used_only_in_a_move_has_its_slots_there_too() -> None:
    made = program(
        moves=also("moves", "m: {text: x, do: [{turns: {leader: me, moves: [leave], end: flag}}]}"),
        play="[{ask dealer: [m]}]",
    )
    assert made.defines["onward"].block == "turns"


def test_blocks_of_the_authors_own_are_found_beside_the_ruleset(tmp_path: Path) -> None:
    (tmp_path / "blocks").mkdir()
    block = """
block: twice
text: Does something two times.
slots: {what: statements, most: int = 2}
state: {done_so_far: 0..99}
do:
  - repeat most times:
      - do what
      - done_so_far += 1
"""
    for folder in (tmp_path, tmp_path / "blocks"):
        (folder / "twice.yaml").write_text(block, encoding="utf-8")
    path = tmp_path / "test-game.yaml"
    path.write_text(game(play="\n- twice: {what: [n += 1]}\n- n = done_so_far\n"), encoding="utf-8")
    assert [d for d in validate(path) if d.severity.value == "error"] == []
    path.write_text(game(play="\n- twice: {what: [m += 1]}\n"), encoding="utf-8")
    assert [(d.code, d.span and d.span.text) for d in validate(path) if d.severity.value == "error"] == [
        ("RK401", "m")
    ]


def test_a_block_that_uses_itself_is_refused(tmp_path: Path) -> None:
    block = "block: again\ntext: Never ends.\nslots: {what: moves}\ndo:\n  - again: {what: [what]}\n"
    for folder in (tmp_path, tmp_path / "blocks"):
        folder.mkdir(exist_ok=True)
        (folder / "again.yaml").write_text(block, encoding="utf-8")
    path = tmp_path / "test-game.yaml"
    path.write_text(game(play="\n- again: {what: [leave]}\n"), encoding="utf-8")
    assert [d.code for d in validate(path) if d.severity.value == "error"] == ["RK705"]


# ------------------------------------------------------------ a block file by itself


BLOCK = """
block: pay_up
text: Everyone pays.
slots: {who: players = players, price: int = 1, after: statements = none}
needs: {purse: int per player}
state: {paid: 0..99}
do:
  - for p in who:
      - purse of p -= price
      - paid += price
  - do after
"""


def test_a_block_file_is_checked_by_itself() -> None:
    assert validate(BLOCK) == []
    for slip, code, text in [
        (("purse of p -=", "purse of q -="), "RK401", "q"),
        (("paid += price", "payd += price"), "RK401", "payd"),
        (("-= price", "-= true"), "RK501", "true"),
        (("in who", "in price"), "RK513", "price"),
        (("who: players", "who: playrs"), "RK415", "playrs"),
        (("per player", "per playr"), "RK415", "playr"),
        (("after: statements", "aftr: statements"), "RK407", "after"),
    ]:
        told = [(d.code, d.span and d.span.text) for d in validate(BLOCK.replace(*slip))]
        assert told == [(code, text)]


def test_what_a_block_declares_and_never_uses_is_told() -> None:
    found = validate(BLOCK.replace("- do after", "- paid = 0"))
    assert [(d.code, d.severity.value, d.span and d.span.text) for d in found] == [
        ("RK710", "warning", "after")
    ]


@pytest.mark.parametrize("name", shipped_blocks())
def test_nothing_is_wrong_with_a_shipped_block(name: str) -> None:
    opened = Shelf(None).block(name, None, Findings())
    assert opened is not None
    assert validate(opened.source.text) == []


@pytest.mark.parametrize(
    ("name", "right", "wrong", "code"),
    [
        ("offer", "accepted = p", "acepted = p", "RK401"),
        ("turns", "until end", "until ned", "RK401"),
        ("climb", "table to gone", "table to gnoe", "RK413"),
        ("trick", "trick to won_to", "trick to wonto", "RK401"),
    ],
)
def test_a_slip_in_a_shipped_block_is_told(name: str, right: str, wrong: str, code: str) -> None:
    opened = Shelf(None).block(name, None, Findings())
    assert opened is not None
    text = opened.source.text
    assert right in text
    word = next(a for a, b in zip(right.split(), wrong.split(), strict=True) if a != b)
    assert [(d.code, d.suggestion) for d in validate(text.replace(right, wrong))] == [(code, word)]
