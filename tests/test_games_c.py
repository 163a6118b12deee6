"""Games of auctions, melds and bluff, played at random at tables that try every pair of options."""

from __future__ import annotations

import pytest
from tables import load

from rulekit.engine import Machine
from rulekit.engine.chance import streams
from rulekit.playtest.check import check
from rulekit.playtest.options import covering
from rulekit.playtest.wander import wander
from rulekit.program import prepare

NAMES = ["blackjack", "bridge", "canasta", "cheat", "doppelkopf", "pinochle", "rummy-500", "tichu"]
TABLES = 6  #: tried in the quick run


@pytest.mark.parametrize("name", NAMES)
def test_the_rules_have_no_warnings_and_their_rulings_hold(name: str) -> None:
    rules = load(name)
    assert [str(warning) for warning in rules.warnings] == []
    results = rules.play_examples(5)
    assert len(results) >= 5
    assert [str(found) for result in results for found in result.diagnostics] == []


@pytest.mark.parametrize("name", NAMES)
def test_every_move_and_option_has_its_text(name: str) -> None:
    program = load(name).program
    assert program.sources
    assert all(option.text for option in program.options.values())
    assert all(move.text for move in program.moves.values() if move.conditions)


@pytest.mark.parametrize("name", NAMES)
def test_random_games_end_without_fault_or_lost_card(name: str) -> None:
    tables = covering(load(name).program)
    for number, table in enumerate(tables[:: len(tables) // TABLES + 1]):
        machine = Machine(prepare(load(name).program, table.players, table.options))
        cards = list(range(len(machine.setup.pack)))
        state, stream = machine.start(3, number), streams(3, number)[1]
        while state.ending is None:
            assert sorted(card for lying in state.zones for card in lying) == cards
            stream, place = wander(stream, state.legal)
            machine.apply(state, state.legal[place])
        assert state.ending.reason == "played out", (table, state.ending)


@pytest.mark.long
@pytest.mark.parametrize("name", NAMES)
def test_thousands_of_random_games_end_and_reach_every_rule(name: str) -> None:
    report = check(load(name), games=2000, seed=4, decisions=500_000)
    assert report.problems == ()
    assert report.unended == 0
    assert report.looped == 0
    assert [str(part) for part in report.unreached] == []
