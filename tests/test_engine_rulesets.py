"""The shipped rulesets, played at random by the reference engine."""

from __future__ import annotations

from functools import cache

import pytest
from programs import at_random
from tables import whole_games

from rulekit.diagnostics import Findings
from rulekit.engine import Machine, State
from rulekit.game.loading import open_rules, read_program
from rulekit.program import Program, prepare

NAMES = whole_games()


@cache
def shipped(name: str) -> Program:
    """The program of a shipped ruleset."""
    findings = Findings()
    opened = open_rules(name, findings)
    assert opened is not None
    found = read_program(opened, findings)
    assert found is not None, [str(finding) for finding in findings.items]
    return found


@pytest.mark.parametrize("name", NAMES)
def test_games_end_without_a_fault_at_every_table(name: str) -> None:
    low, high = shipped(name).players
    for players in range(low, high + 1):
        m = Machine(prepare(shipped(name), players))
        for game in range(3):
            *_, s = at_random(m, 1, game)
            assert s.ending is not None
            assert s.ending.reason == "played out", s.ending.fault
            outcome = m.outcome(s)
            assert sorted(seat for place in outcome.ranking for seat in place) == list(range(players))
            if m.setup.program.end.payoff is None:  # what the winners get the others lose
                assert abs(sum(outcome.payoffs)) < 1e-9


@pytest.mark.parametrize("name", NAMES)
def test_cards_are_conserved_and_views_keep_secrets(name: str) -> None:
    m = Machine(prepare(shipped(name), shipped(name).players[0]))

    def conserved(s: State) -> None:
        assert sorted(card for cards in s.zones for card in cards) == list(range(len(m.setup.pack)))

    m.on_statement = conserved
    for number, s in enumerate(at_random(m, 2, most=400)):
        if number % 5:
            continue
        assert m.load(s.dump()) == s
        for seat in range(m.setup.players):
            view = m.view(s, seat)
            for places in view.zones.values():
                for place in places:
                    lying = s.zones[place.place]
                    assert len(place.cards) == len(lying)
                    for card in place.cards:
                        assert card is None or m._table.seen(s, card) >> seat & 1


@pytest.mark.parametrize("name", NAMES)
def test_what_a_seat_may_not_see_makes_no_difference_to_its_view(name: str) -> None:
    """Two positions that differ only in cards the seat cannot see look the same to it."""
    m = Machine(prepare(shipped(name), shipped(name).players[0]))
    for s in at_random(m, 3, most=30):
        for seat in range(m.setup.players):
            hidden = [card for card in range(len(m.setup.pack)) if not m._table.seen(s, card) >> seat & 1]
            other = s.copy()
            exchanged = dict(zip(hidden, reversed(hidden), strict=True))
            zones = {
                number: tuple(exchanged.get(card, card) for card in cards)
                for number, cards in enumerate(s.zones)
                if any(card in exchanged for card in cards)
            }
            m.lay(other, zones, faces={card: s.up[card] for card in range(len(s.up)) if s.up[card]})
            for card in range(len(m.setup.pack)):
                other.shown[card] = s.shown[card]
            assert m.view(other, seat).zones == m.view(s, seat).zones
